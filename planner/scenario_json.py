"""The only way into a scenario and out of it: plain data and JSON, checked as a whole, each error a line of its own."""

from __future__ import annotations

import json
import math
import re
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any

from pydantic import ValidationError

from planner.core.errors import PlannerError, must_be, nearest, shorten
from planner.core.units import format_value
from planner.inputs import Input, exact_text, flatten, input_at, inputs_for, nest, no_input
from planner.scenario import MAX_JOBS, SCHEMA_VERSION, Scenario

MAX_JSON_BYTES = 5_000_000
"""The longest text that is read: far more than any scenario, and soon refused."""
MAX_DEPTH = 40
"""Levels of lists and objects within each other; a scenario has four."""
INPUT_DEPTH = 4
"""Levels at which the deepest input stands."""
MAX_LINES = 50
"""Lines of what is wrong with a scenario; a file that is wrong everywhere is not told in full."""
MOST_DIGITS = 309
"""Digits of the longest whole number that is read as one: those of 1e308, the last that a number can hold."""
SHOWN_DIGITS = 6
"""Digits of a refused number, so that it does not print as the bound that it misses."""
MIN_SHOWN, MAX_SHOWN = 1e-21, 1e21
"""A refused number beyond these is shown as it was written: no unit is large or small enough for it."""
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"?', re.DOTALL)  # an open end matches too: no second try from within


class InputError(PlannerError):
    """Everything that is wrong with a scenario: one line for each field.

    Attributes:
        errors: Pairs of path and line.
    """

    def __init__(self, errors: list[tuple[str, str]], count: int = 0) -> None:
        """Keep the lines; the message is the first, and how many more of the `count` there are."""
        others = max(count, len(errors)) - 1
        more = f" (and {others} more)" if others else ""
        super().__init__(errors[0][1] + more, field=errors[0][0])
        self.errors = errors


def scenario_from_dict(data: Any) -> Scenario:
    """A scenario out of plain data, as a file or a page gives it.

    Raises:
        InputError: A field is unknown, missing or out of its range; one line for each.
        PlannerError: The data is no scenario at all, or is of a newer version.
    """
    if not isinstance(data, dict):
        raise PlannerError(f"a scenario is an object with fields, not {_kind_of(data)}")
    if data.keys() >= {"purpose", "scenario"}:
        raise PlannerError(
            "this is a template with its purpose, not a scenario alone: `python -m planner template NAME` prints its "
            "scenario, and without NAME lists all templates"
        )
    _check_version(data.get("schema_version", SCHEMA_VERSION))
    if flags := _flags_as_numbers(data):
        raise InputError(flags)
    try:
        return Scenario.model_validate(data)
    except ValidationError as error:
        told = _told(error)
        raise InputError([_line(item) for item in told[:MAX_LINES]], len(told)) from None
    except RecursionError:
        raise PlannerError("the scenario is nested too deeply") from None


def _check_version(version: object) -> None:
    """Refuse what is no version of a scenario, or one of a later planner."""
    if isinstance(version, str):
        raise PlannerError(
            f"schema_version: “{shorten(version, 20)}” is a text; write the number {SCHEMA_VERSION}, without quotes",
            field="schema_version",
        )
    if version is True or not isinstance(version, int) or version < 1:
        raise PlannerError(
            f"schema_version: {shorten(version)} is no version of a scenario; use {SCHEMA_VERSION}",
            field="schema_version",
        )
    if version > SCHEMA_VERSION:
        raise PlannerError(
            f"schema_version: {shorten(version)} is newer than this planner knows (up to {SCHEMA_VERSION}); update it",
            field="schema_version",
        )


def _kind_of(data: object) -> str:
    """What plain data is, in the words of JSON."""
    if data is None or isinstance(data, bool):
        return "null" if data is None else str(data).lower()
    return "a list" if isinstance(data, list) else "a text" if isinstance(data, str) else "a number"


def _told(error: ValidationError) -> list[Any]:
    """The errors to tell: that a list has too few good items says nothing beside what is wrong with them."""
    found = error.errors(include_url=False)
    inner = any(len(item["loc"]) > 1 and item["loc"][0] == "jobs" for item in found)
    return [item for item in found if not (inner and item["loc"] == ("jobs",))]


def _flags_as_numbers(data: dict[str, Any]) -> list[tuple[str, str]]:
    """Lines for true and false where a number belongs, which would otherwise count as 1 and 0."""
    lines = []
    for path, value in _flags(data):
        item = input_at(path)
        if item is not None and item.kind != "flag":
            lines.append(_not_allowed(item, value))
    return lines


def _flags(data: object, path: str = "", depth: int = 1) -> Iterator[tuple[str, bool]]:
    """Every true and false in JSON data, each with where it stands, as deep as inputs are."""
    if isinstance(data, bool):
        yield path, data
    elif isinstance(data, dict | list | tuple) and depth <= INPUT_DEPTH:
        entries = data.items() if isinstance(data, dict) else enumerate(data)
        for step, value in entries:
            if isinstance(value, bool | dict | list | tuple):
                yield from _flags(value, f"{path}.{step}" if path else str(step), depth + 1)


def _line(error: Any) -> tuple[str, str]:
    steps = [str(step) for step in error["loc"]]
    path = ".".join(steps)
    kind = error["type"]
    if kind == "extra_forbidden":
        parent = ".".join(steps[:-1])
        known = [
            item.path.removeprefix(f"{parent}.")
            for item in inputs_for(MAX_JOBS)
            if item.path.startswith(f"{parent}.") or not parent
        ]
        if not parent:
            known = list(Scenario.model_fields)
        return path, f"{shorten(path, 120)}: there is no such field{nearest(steps[-1], known)}"
    found = input_at(path)
    if kind == "value_error":
        return (
            path,
            f"{path + ': ' if path else ''}{shorten(error['msg'].removeprefix('Value error, '), 300)}",
        )
    if found is None:
        value = error.get("input")
        if path == "jobs":
            held = f"{len(value)} jobs" if isinstance(value, list | tuple) else _plainly(value)
            return path, f"jobs: {held} is not allowed; use a list of 1 to {MAX_JOBS} jobs"
        return path, f"{path}: {_plainly(value)} is not allowed; use an object with fields"
    return _not_allowed(found, error.get("input"))


def _plainly(value: object) -> str:
    """What stands where a list or an object belongs."""
    return "nothing" if value is None else f"“{shorten(value, 40)}”"


def must_be_in_range(item: Input, value: float) -> None:
    """Refuse a number outside of an input's bounds in the words in which a scenario refuses it.

    Raises:
        PlannerError: It is below the lowest or above the highest that is allowed.
    """
    if (item.low is not None and value < item.low) or (item.high is not None and value > item.high):
        raise PlannerError(_not_allowed(item, value)[1], field=item.path)


def _not_allowed(found: Input, value: Any) -> tuple[str, str]:
    """Path and line of an input with a value that it may not have."""
    allowed = found.allowed() + (", or empty for AUTO" if found.auto else "")
    shown = "nothing" if value is None else "an empty text" if value == "" else _as_read(found, value)
    return (
        found.path,
        f"{found.path} ({found.label}): {shown} is not allowed; use {allowed}{_closest(found, value)}",
    )


def _as_read(found: Input, value: Any) -> str:
    """A refused value as people read it: in the unit of its field, not in the planner's own."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return shorten(value, 40)
    if value != 0 and not MIN_SHOWN < abs(value) < MAX_SHOWN:
        return f"{value:g}" if abs(value) <= sys.float_info.max else shorten(value, 40)
    if not found.unit:
        return shorten(value, 40)
    if found.unit == "bytes":
        return exact_text(float(value), found.unit)
    return found.text(float(value), digits=SHOWN_DIGITS)


def _closest(found: Input, value: Any) -> str:
    """The nearest allowed value, where there is one."""
    if isinstance(value, str) and found.choices:
        return nearest(value, [choice for choice in found.choices if isinstance(choice, str)])
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value:  # noqa: PLR0124 - NaN
        return ""
    if found.low is not None and value < found.low:
        return f"; the nearest is {exact_text(found.low, found.unit or 'count')}"
    if found.high is not None and value > found.high:
        return f"; the nearest is {exact_text(found.high, found.unit or 'count')}"
    if found.kind == "count" and value != math.floor(value):
        ends = (math.floor(value), math.ceil(value))
        return "; the nearest are " + " and ".join(exact_text(end, found.unit or "count") for end in ends)
    return ""


def scenario_from_json(text: str | bytes) -> Scenario:
    """A scenario out of a JSON file.

    Raises:
        PlannerError: The file is too large, no JSON, nested too deeply, or no valid scenario.
    """
    return scenario_from_dict(read_json(text))


def must_be_scenario(value: object) -> None:
    """Refuse what is no scenario, such as the dictionary that one is made of.

    Raises:
        PlannerError: It is none.
    """
    must_be(
        value, Scenario, field="scenario", form="a Scenario, as scenario_from_dict makes it of a dictionary"
    )


def read_json(text: str | bytes) -> Any:
    """The content of a JSON text from outside, within limits of size and depth.

    Raises:
        PlannerError: It is too large, not UTF-8, no JSON, has a field twice or is nested too deeply.
    """
    must_be(text, (str, bytes), field="scenario", form="JSON as text or bytes")
    if len(text) > MAX_JSON_BYTES:
        raise PlannerError(f"the file is too large: at most {format_value(MAX_JSON_BYTES, 'bytes')} are read")
    if isinstance(text, bytes):
        try:
            text = text.decode("utf-8-sig")
        except UnicodeDecodeError:
            raise PlannerError("the file is not UTF-8 text; a scenario is a JSON file") from None
    text = text.removeprefix("\ufeff")
    try:
        _check_depth(text)
        read = json.loads(text, object_pairs_hook=_once, parse_constant=_Odd, parse_int=_whole)
    except json.JSONDecodeError as error:
        wrong = error.msg if text.strip() else "it is empty"
        raise PlannerError(f"line {error.lineno}, column {error.colno}: this is no JSON ({wrong})") from None
    except RecursionError:
        raise PlannerError(f"the file is nested deeper than {MAX_DEPTH} levels") from None
    _check_numbers(read)
    return read


class _Odd(str):
    """What stands in a file as a number and is none that can be read, as it is written there."""

    __slots__ = ()


def _whole(digits: str) -> int | _Odd:
    return int(digits) if len(digits.lstrip("-")) <= MOST_DIGITS else _Odd(digits)


def _check_numbers(data: object, path: str = "") -> None:
    """Refuse NaN, infinity and numbers beyond all size, by the field in which they stand."""
    if isinstance(data, dict):
        for key, value in data.items():
            _check_numbers(value, f"{path}.{key}" if path else str(key))
    elif isinstance(data, list):
        for place, value in enumerate(data):
            _check_numbers(value, f"{path}.{place}" if path else str(place))
    elif isinstance(data, _Odd):
        reason = "is not a number" if data[-1].isalpha() else f"has {len(data)} digits, too many for a number"
        found = input_at(path)
        allowed = f"; use {found.allowed()}" if found else ""
        head = f"{shorten(path, 120)}: " if path else ""
        raise PlannerError(f"{head}{shorten(data, 24)} {reason}{allowed}", field=path)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        twice = Counter(name for name, _ in pairs).most_common(1)[0][0]
        raise PlannerError(f"{shorten(twice)}: the field is there twice", field=twice)
    return result


def _check_depth(text: str) -> None:
    depth = 0
    for character in _QUOTED.sub("", text):
        if character in "[{":
            depth += 1
            if depth > MAX_DEPTH:
                raise PlannerError(f"the file is nested deeper than {MAX_DEPTH} levels")
        elif character in "]}":
            depth -= 1


def scenario_to_json(scenario: Scenario) -> str:
    """The scenario as JSON that `scenario_from_json` reads back to an equal one."""
    must_be_scenario(scenario)
    return json.dumps(scenario.model_dump(mode="json"), ensure_ascii=False, indent=2) + "\n"


def schema() -> dict[str, Any]:
    """The published JSON schema of a scenario."""
    return Scenario.model_json_schema()


def with_value(scenario: Scenario, path: str, value: Any) -> Scenario:
    """The scenario with one input changed, checked as a whole.

    Raises:
        PlannerError: There is no such input, or the value is not allowed there.
    """
    held = flatten(scenario)
    if path not in held:
        raise no_input(scenario, path)
    return scenario_from_dict(nest({**held, path: value}))
