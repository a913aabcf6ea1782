"""Between a scenario's values and what its widgets hold: the only conversion of inputs on the screens."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from pages._ui import answers
from planner.core.errors import PlannerError, shorten
from planner.core.units import format_number, is_bare, parse_count, parse_value
from planner.inputs import Input, input_at, value_words

Raw: TypeAlias = str | int | bool | None
"""What a widget holds."""
Value: TypeAlias = str | int | float | bool | None
"""What an input states; None is AUTO."""
ABSENT = "no such job"
"""Stands for an input of a job that a design does not have."""


def is_typed(item: Input) -> bool:
    """Whether the input is a number, typed as text with a unit."""
    return item.kind in ("number", "count")


def shown(item: Input, value: Value) -> Raw:
    """What the input's widget holds for a value; the empty text or a start value for AUTO."""
    if value is None:
        return blank(item)
    if is_typed(item):
        return _number_text(item, float(value)) if isinstance(value, int | float) else str(value)
    if item.kind == "flag":
        return bool(value)
    if item.choices:
        held: Raw = next((choice for choice in item.choices if choice == value), item.choices[0])
        return held
    return str(value)


def words(item: Input, value: Value) -> str:
    """A value as a reader sees it in a list of inputs."""
    if value == ABSENT:
        return ABSENT
    return value_words(item, value, answers.catalogue(), binary=False)


def blank(item: Input) -> Raw:
    """What the widget of an input holds that has no value yet."""
    if item.kind == "flag":
        return False
    first: Raw = item.choices[0] if item.choices else ""
    return first


def _number_text(item: Input, value: float) -> str:
    if not item.unit:
        return format_number(value, None)
    return item.text(value, digits=None, binary=False)  # as it can be typed again


def read(item: Input, raw: Raw, loaded: Value) -> Value:
    """The value that a widget states.

    Args:
        item: The input.
        raw: What its widget holds.
        loaded: The value that was loaded, kept to the last digit while its text is untouched.

    Raises:
        PlannerError: The text is empty, no number in a unit of this field, or not whole where it has to be.
    """
    if not is_typed(item):
        return raw
    text = str(raw).strip()
    if not text and item.auto:
        return None
    if not text:
        raise PlannerError(
            f"{item.label}: the field is empty; allowed is {item.allowed()}, "
            f"the default is {shown(item, item.default)}",
            field=item.path,
        )
    if isinstance(loaded, int | float) and raw == shown(item, loaded):
        return loaded
    unit = item.unit or "count"
    if item.kind == "count":
        return parse_count(text, unit, field=item.label, low=item.low, high=item.high)
    return parse_value(text, unit, field=item.label)


def whole(typed: object, *, field: str, low: int, high: int) -> int:
    """The whole number that was typed into a field that is no input of a scenario.

    Raises:
        PlannerError: It is no whole number, or outside its bounds.
    """
    number = parse_count(str(typed), field=field, low=low, high=high)
    if not low <= number <= high:
        ends = " to ".join(format_number(end, None) for end in (low, high))
        raise PlannerError(f"{field}: {format_number(number, None)} is outside {ends}", field=field)
    return number


def settled(item: Input, raw: Raw, value: Value) -> Raw:
    """What the widget holds once its text was read: a bare number gets the unit that it was taken in.

    A text with a unit stays as it was typed, and so does what the planner's own text would round.
    """
    has_symbol = is_typed(item) and item.unit not in ("", "count")
    if not has_symbol or not isinstance(value, int | float) or not is_bare(str(raw)):
        return raw
    text = shown(item, value)
    return text if parse_value(str(text), item.unit) == value else raw


def dig(nested: object, path: str, default: Value) -> Value:
    """What stands at a path of plain nested data, or the default."""
    place: object = nested
    for step in path.split("."):
        if isinstance(place, Mapping) and step in place:
            place = place[step]
        elif isinstance(place, list) and step.isdecimal() and int(step) < len(place):
            place = place[int(step)]
        else:
            return default
    return place if place is None or isinstance(place, str | int | float | bool) else default


def error_lines(error: PlannerError, held: Mapping[str, Raw]) -> list[tuple[str, str]]:
    """Path and line of everything that an error says about what the fields hold."""
    found: list[tuple[str, str]] = getattr(error, "errors", [(error.field, error.message)])
    return [(path, _on_screen(path, line, held.get(path))) for path, line in found]


def _on_screen(path: str, line: str, typed: Raw) -> str:
    """A line as it stands at its field: under the field's label, with what was typed there."""
    item = input_at(path)
    head = f"{path} ({item.label}): " if item else ""
    if item is None or not line.startswith((head, f"{path}: ")):
        return line
    if not line.startswith(head):
        return f"{item.label}: {line.removeprefix(f'{path}: ')}"
    value, refused, allowed = line.removeprefix(head).partition(" is not allowed")
    if refused and is_typed(item) and isinstance(typed, str):
        value = f"“{shorten(typed)}”"
    return f"{item.label}: {value}{refused}{allowed}"
