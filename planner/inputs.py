"""The inputs of a scenario as a list, and the only way in and out of it: paths, JSON, single values."""

from __future__ import annotations

import functools
import json
import math
import re
import types
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo

from planner.core.errors import PlannerError, must_be, nearest, shorten
from planner.core.units import KB, UNITS, format_number, format_value, parse_value, unit_of_name
from planner.scenario import SCHEMA_VERSION, Job, Scenario

MAX_JSON_BYTES = 5_000_000
MAX_DEPTH = 40
MAX_JOBS = 16
MAX_LINES = 50
"""Lines of what is wrong with a scenario; a file that is wrong everywhere is not told in full."""
MOST_DIGITS = 300
"""Digits of the longest whole number that is read as one."""
SHOWN_DIGITS = 6
MAX_SHOWN = 1e21
"""A refused number beyond this is shown as it was written: in a unit it would be all digits."""
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"?', re.DOTALL)  # an open end matches too: no second try from within

_BYTES = "\u00a0bytes"

Kind = Literal["number", "count", "flag", "choice", "text"]


@dataclass(frozen=True, slots=True)
class Input:
    """One input: where it is, what it is called, and what may stand in it.

    Attributes:
        path: Dotted path in the scenario, "jobs.0.checkpoint.interval_s".
        unit: Key of its unit, empty for words and plain counts.
        low: Smallest allowed value, None if there is no bound.
        low_open: Whether the smallest value itself is refused.
        auto: Whether None is allowed, which means that the planner derives it.
        catalogue: Kind of catalogue row that it names, if it does.
    """

    path: str
    name: str
    label: str
    help: str
    unit: str
    low: float | None
    high: float | None
    low_open: bool
    kind: Kind
    choices: tuple[Any, ...]
    auto: bool
    default: Any
    source: str
    grade: str
    advanced: bool
    catalogue: str

    def allowed(self) -> str:
        """What may be entered, in words: "1 to 200 000", "sync or async"."""
        if self.choices:
            return " or ".join(str(choice) for choice in self.choices)
        if self.kind in ("text", "flag"):
            return "true or false" if self.kind == "flag" else "a text of at most 200 characters"
        low = "" if self.low is None else exact_text(self.low, self.unit or "count")
        high = "" if self.high is None else exact_text(self.high, self.unit or "count")
        if low.endswith(_BYTES) and high.endswith(_BYTES):
            low = low.removesuffix(_BYTES)
        word = "above " if self.low_open else ""
        return f"{word}{low} to {high}" if low and high else f"at least {low}" if low else "a number"


def exact_text(value: float, unit: str) -> str:
    """A number as it can be typed back without loss: "9216 bytes", "10 000 s", and "1 GB" where that is all of it.

    Args:
        value: A bound of an input, or a value near one.
        unit: Key of its unit.
    """
    if unit == "bytes" and KB <= value < 10 * KB and value == math.floor(value):
        return f"{value:.0f}{_BYTES}"  # an MTU or a block, which people know by the byte
    text = format_value(value, unit, binary=False)
    if math.isclose(parse_value(text.removesuffix("×"), unit), value, rel_tol=1e-12):
        return text
    plain = next((symbol for factor, symbol in UNITS[unit].scales if factor == 1.0), "")
    return (
        f"{format_number(value, None)}\u00a0{plain}"
        if plain.isalpha()
        else format_value(value, unit, digits=None)
    )


def _annotation(info: FieldInfo) -> tuple[Any, bool]:
    """Type of a field without None, and whether None is allowed."""
    kind = info.annotation
    if get_origin(kind) in (Union, types.UnionType):
        rest = [part for part in get_args(kind) if part is not type(None)]
        return rest[0], len(rest) < len(get_args(kind))
    return kind, False


def _bounds(info: FieldInfo) -> tuple[float | None, float | None, bool]:
    low = high = None
    is_open = False
    for rule in info.metadata:
        if getattr(rule, "ge", None) is not None:
            low = float(rule.ge)
        if getattr(rule, "gt", None) is not None:
            low, is_open = float(rule.gt), True
        if getattr(rule, "le", None) is not None:
            high = float(rule.le)
    return low, high, is_open


def _input(path: str, name: str, info: FieldInfo) -> Input:
    kind_type, auto = _annotation(info)
    choices = get_args(kind_type) if get_origin(kind_type) is Literal else ()
    kinds: dict[Any, Kind] = {float: "number", int: "count", bool: "flag", str: "text"}
    kind: Kind = "choice" if choices else kinds[kind_type]
    extra = info.json_schema_extra if isinstance(info.json_schema_extra, dict) else {}
    low, high, is_open = _bounds(info)
    return Input(
        path=path,
        name=name,
        label=info.title or name,
        help=info.description or "",
        unit=unit_of_name(name),
        low=low,
        high=high,
        low_open=is_open,
        kind=kind,
        choices=choices,
        auto=auto,
        default=info.default,
        source=str(extra.get("source", "")),
        grade=str(extra.get("grade", "input")),
        advanced=bool(extra.get("advanced", False)),
        catalogue=str(extra.get("catalogue", "")),
    )


def _walk(model: type[BaseModel], prefix: str) -> Iterator[Input]:
    for name, info in model.model_fields.items():
        if name in ("schema_version", "jobs"):
            continue
        inner = info.annotation
        if isinstance(inner, type) and issubclass(inner, BaseModel):
            yield from _part(inner, f"{prefix}{name}.", info)
        else:
            yield _input(f"{prefix}{name}", name, info)


def _part(model: type[BaseModel], prefix: str, info: FieldInfo) -> Iterator[Input]:
    """Inputs of a part; a default stated for this place replaces the type's own."""
    for item in _walk(model, prefix):
        place: Any = info.default
        for step in item.path.removeprefix(prefix).split("."):
            place = getattr(place, step, item.default) if isinstance(place, BaseModel) else place
        yield replace(item, default=place if not isinstance(place, BaseModel) else item.default)


@functools.lru_cache(maxsize=32)
def inputs_for(job_count: int = 1) -> tuple[Input, ...]:
    """Every input of a scenario with that many jobs, in the order of the scenario."""
    jobs = [item for index in range(job_count) for item in _walk(Job, f"jobs.{index}.")]
    return (*_walk(Scenario, ""), *jobs)


INPUTS = inputs_for(1)


@functools.lru_cache(maxsize=32)
def _by_path(job_count: int) -> dict[str, Input]:
    return {item.path: item for item in inputs_for(job_count)}


def input_at(path: str) -> Input | None:
    """The input at a path; None if there is none."""
    parts = path.split(".")
    jobs = int(parts[1]) + 1 if len(parts) > 1 and parts[0] == "jobs" and parts[1].isdecimal() else 1
    return _by_path(min(jobs, 16)).get(path)


def value_at(scenario: Scenario, path: str) -> Any:
    """What stands at a path.

    Raises:
        PlannerError: There is no such input; the line names the closest one.
    """
    place: Any = scenario
    for step in path.split("."):
        if isinstance(place, BaseModel) and step in type(place).model_fields:
            place = getattr(place, step)
        elif isinstance(place, tuple) and step in map(str, range(len(place))):
            place = place[int(step)]
        else:
            raise _no_input(scenario, path)
    return place


def _no_input(scenario: Scenario, path: str) -> PlannerError:
    known = [item.path for item in inputs_for(len(scenario.jobs))]
    return PlannerError(f"no input “{shorten(path)}”{nearest(path, known)}", field=path)


def flatten(scenario: Scenario) -> dict[str, Any]:
    """Every input's value by its path."""
    return {item.path: value_at(scenario, item.path) for item in inputs_for(len(scenario.jobs))}


def nest(flat: Mapping[str, Any]) -> dict[str, Any]:
    """The nested form of values by path, as `scenario_from_dict` reads it."""
    root: dict[str, Any] = {}
    for path, value in flat.items():
        place = root
        *steps, last = path.split(".")
        for step in steps:
            place = place.setdefault(step, {})
        place[last] = value
    if isinstance(root.get("jobs"), dict):
        root["jobs"] = [root["jobs"][key] for key in sorted(root["jobs"], key=int)]
    return root


def with_value(scenario: Scenario, path: str, value: Any) -> Scenario:
    """The scenario with one input changed, checked as a whole.

    Raises:
        PlannerError: There is no such input, or the value is not allowed there.
    """
    if path not in _by_path(len(scenario.jobs)):
        raise _no_input(scenario, path)
    return scenario_from_dict(nest({**flatten(scenario), path: value}))


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
    jobs = data.get("jobs")
    for item in inputs_for(min(len(jobs), MAX_JOBS) if isinstance(jobs, list | tuple) else 1):
        place: Any = data
        for step in item.path.split("."):
            if isinstance(place, list | tuple) and step.isdecimal() and int(step) < len(place):
                place = place[int(step)]
            else:
                place = place.get(step) if isinstance(place, dict) else None
        if isinstance(place, bool) and item.kind != "flag":
            lines.append(_not_allowed(item, place))
    return lines


def _line(error: Any) -> tuple[str, str]:
    steps = [str(step) for step in error["loc"]]
    path = ".".join(steps)
    kind = error["type"]
    if kind == "extra_forbidden":
        parent = ".".join(steps[:-1])
        known = [
            item.path.removeprefix(f"{parent}.")
            for item in inputs_for(16)
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
            held = f"{len(value)} jobs" if isinstance(value, list | tuple) else f"“{shorten(value, 40)}”"
            return path, f"jobs: {held} is not allowed; use a list of 1 to 16 jobs"
        return path, f"{path}: “{shorten(value, 40)}” is not allowed; use an object with fields"
    return _not_allowed(found, error.get("input"))


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
    if not found.unit or isinstance(value, bool) or not isinstance(value, int | float):
        return shorten(value, 40)
    if not -MAX_SHOWN < value < MAX_SHOWN:
        return shorten(value, 40)
    if found.unit == "bytes":
        return exact_text(float(value), found.unit)
    return format_value(float(value), found.unit, digits=SHOWN_DIGITS)


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
    return int(digits) if len(digits) <= MOST_DIGITS else _Odd(digits)


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
