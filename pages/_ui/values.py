"""Between a scenario's values and what its widgets hold: the only conversion of inputs on the screens."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from planner.core.errors import PlannerError
from planner.core.units import format_number, format_value, parse_value
from planner.inputs import Input

Raw: TypeAlias = str | int | bool | None
"""What a widget holds."""
Value: TypeAlias = str | int | float | bool | None
"""What an input states; None is AUTO."""
ABSENT = "no such job"
"""Stands for an input of a job that a design does not have."""
MAX_WIDGET_INT = 2**53 - 1
"""A browser counts no further without losing digits."""


def is_typed(item: Input) -> bool:
    """Whether the input is typed as text with a unit."""
    return item.kind == "number"


def shown(item: Input, value: Value) -> Raw:
    """What the input's widget holds for a value; the empty text or a start value for AUTO."""
    if value is None:
        return blank(item)
    if item.kind == "number":
        return _number_text(item, float(value)) if isinstance(value, int | float) else str(value)
    if item.kind == "count":
        return _whole(value)
    if item.kind == "flag":
        return bool(value)
    if item.choices:
        held: Raw = next((choice for choice in item.choices if choice == value), item.choices[0])
        return held
    return str(value)


def words(item: Input, value: Value) -> str:
    """A value as a reader sees it in a list of inputs."""
    if value is None or value == ABSENT:
        return "AUTO" if value is None else ABSENT
    if item.kind == "flag":
        return "yes" if value else "no"
    return str(shown(item, value))


def blank(item: Input) -> Raw:
    """What the widget of an input holds that has no value yet."""
    if item.kind == "count":
        return int(item.low or 0)
    if item.kind == "flag":
        return False
    first: Raw = item.choices[0] if item.choices else ""
    return first


def _whole(value: Value) -> int:
    number = int(value) if isinstance(value, int | float) else 0
    return max(-MAX_WIDGET_INT, min(MAX_WIDGET_INT, number))


def _number_text(item: Input, value: float) -> str:
    if not item.unit:
        return format_number(value, None)
    return format_value(value, item.unit, digits=None)


def read(item: Input, raw: Raw, loaded: Value) -> Value:
    """The value that a widget states.

    Args:
        item: The input.
        raw: What its widget holds.
        loaded: The value that was loaded, kept to the last digit while its text is untouched.

    Raises:
        PlannerError: The text is no number in a unit of this field.
    """
    if item.kind != "number":
        return raw
    text = str(raw).strip()
    if item.auto and not text:
        return None
    if loaded is not None and raw == shown(item, loaded):
        return float(loaded)
    return parse_value(text, item.unit or "count", field=item.label)


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


def error_lines(error: PlannerError) -> list[tuple[str, str]]:
    """Path and line of everything that an error says."""
    found: list[tuple[str, str]] = getattr(error, "errors", [(error.field, error.message)])
    return list(found)
