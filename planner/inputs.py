"""The inputs of a scenario as a list: what each is called, what may stand in it, and what stands at its path."""

from __future__ import annotations

import functools
import math
import operator
import types
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from planner.catalogue import Catalogue, Drive
from planner.core.errors import PlannerError, nearest, shorten
from planner.core.units import (
    BITS_PER_BYTE,
    KB,
    UNITS,
    format_number,
    format_value,
    parse_value,
    unit_of_name,
)
from planner.scenario import MAX_JOBS, Job, Scenario

_BYTES = "\u00a0bytes"
_PLACE_DIGITS = 4
"""Digits of a job's place that are looked at: more than there can be jobs."""

LINE_RATES = frozenset({"storage_port_bytes_per_s", "wan_bytes_per_s"})
"""Inputs that are speeds of links: people name a port by its bits, and read 25 GB/s beside it as 25 GbE."""

CHOICES: Mapping[str, str] = {
    "rdma": "RoCEv2 (RDMA)",
    "tcp": "TCP",
    "fc": "Fibre Channel",
    "sync": "synchronous",
    "async": "asynchronous",
    "two-level": "two levels",
    "best": "the best for the target",
    "batch": "samples: batch and step time",
    "preset": "a benchmark",
    "rate": "a typed rate",
    "gpu": "GPU",
    "zero-files": "a file for each rank and part",
    "even-shards": "equal shards of all ranks",
    "rank-0": "rank 0 writes everything",
    "every-rank": "every rank reads",
    "broadcast": "one replica reads and passes on",
    "nvme": "NVMe",
    "ssd": "SSD",
    "namespace-per-node": "one namespace per node",
    "cluster-file-system": "parallel or clustered file system",
    "array-front-end": "the array's NFS or S3",
    "shared-namespace": "one namespace written by several nodes",
    "hash": "static hashing",
    "all-flash-array": "all-flash array",
    "north-america": "North America",
    "asia-pacific": "Asia-Pacific",
    "emea": "Europe, Middle East, Africa",
    "all-in": "all-in",
    "software-defined": "software-defined",
    "single-leaf": "one leaf pair",
    "leaf-spine": "leaf-spine",
    "rails": "rails, leaves for each port of a node",
}
"""What choices are called that are not their own words."""

Kind = Literal["number", "count", "flag", "choice", "text"]


@dataclass(frozen=True, slots=True)
class Input:
    """One input: where it is, what it is called, and what may stand in it.

    Attributes:
        path: Dotted path in the scenario, "jobs.0.checkpoint.interval_s".
        unit: Key of its unit, empty for words and plain counts.
        low: Smallest allowed value, None if there is no bound.
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
        low = "" if self.low is None else exact_text(*self.read_as(self.low))
        high = "" if self.high is None else exact_text(*self.read_as(self.high))
        if low.endswith(_BYTES) and high.endswith(_BYTES):
            low = low.removesuffix(_BYTES)
        return f"{low} to {high}" if low and high else f"at least {low}" if low else "a number"

    def read_as(self, value: float) -> tuple[float, str]:
        """The value, and the key of its unit, as people name it: a speed of a link in bits a second."""
        is_line = self.name in LINE_RATES
        return (value * BITS_PER_BYTE, "bits/s") if is_line else (value, self.unit or "count")

    def text(self, value: float, *, digits: int | None = 3, binary: bool | None = None) -> str:
        """The value with its unit: "30 min", "200 Gb/s". Digits and binary as `format_value` takes them."""
        number, unit = self.read_as(value)
        return format_value(number, unit, digits=digits, binary=binary)


def choice_words(choice: object) -> str:
    """What one of an input's choices is called: "rank 0 writes everything" for `rank-0`."""
    return CHOICES.get(str(choice), str(choice).replace("-", " "))


def row_words(row: object) -> str:
    """What a row of the catalogue is called so that no two are called the same: a drive by its size too."""
    if isinstance(row, Drive):
        return f"{row.name}, {row.capacity_bytes.text(binary=False)}"
    called = (getattr(row, name, "") for name in ("label", "name", "model", "id"))
    return next((str(word) for word in called if word), "")


def value_words(
    item: Input, value: Any, catalogue: Catalogue, *, digits: int | None = None, binary: bool | None = None
) -> str:
    """The value of an input as people read it: "AUTO", "yes", "DGX H100", "30 min".

    Args:
        item: The input.
        value: What it holds; None is AUTO.
        catalogue: Where rows have their names; a row that is not there is told by its id.
        digits: Significant digits of a number, or None for all that it has.
        binary: Sizes in GiB and TiB, as `format_value` takes it.
    """
    if value is None:
        return "AUTO"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        if item.unit:
            return item.text(float(value), digits=digits, binary=binary)
        years = " years" if item.name.endswith("_years") else ""
        return format_number(float(value), digits) + years
    if item.kind == "choice":
        return choice_words(value)
    row = getattr(catalogue, item.catalogue).get(value) if item.catalogue else None
    return row_words(row) if row is not None else str(value) or "empty"


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


def _bounds(info: FieldInfo) -> tuple[float | None, float | None]:
    low = high = None
    for rule in info.metadata:
        if getattr(rule, "ge", None) is not None:
            low = float(rule.ge)
        if getattr(rule, "le", None) is not None:
            high = float(rule.le)
    return low, high


def _input(path: str, name: str, info: FieldInfo) -> Input:
    kind_type, auto = _annotation(info)
    choices = get_args(kind_type) if get_origin(kind_type) is Literal else ()
    kinds: dict[Any, Kind] = {float: "number", int: "count", bool: "flag", str: "text"}
    kind: Kind = "choice" if choices else kinds[kind_type]
    extra = info.json_schema_extra if isinstance(info.json_schema_extra, dict) else {}
    low, high = _bounds(info)
    return Input(
        path=path,
        name=name,
        label=info.title or name,
        help=info.description or "",
        unit=unit_of_name(name),
        low=low,
        high=high,
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
    place = parts[1][:_PLACE_DIGITS] if len(parts) > 1 and parts[0] == "jobs" else ""
    jobs = int(place) + 1 if place.isdecimal() else 1
    return _by_path(min(jobs, MAX_JOBS)).get(path)


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
            raise no_input(scenario, path)
    return place


def no_input(scenario: Scenario, path: str) -> PlannerError:
    """The error of a path at which a scenario has no input; the line names the closest one."""
    known = [item.path for item in inputs_for(len(scenario.jobs))]
    return PlannerError(f"no input “{shorten(path)}”{nearest(path, known)}", field=path)


def flatten(scenario: Scenario) -> dict[str, Any]:
    """Every input's value by its path."""
    owners = (scenario, *scenario.jobs)
    return {path: get(owners[place]) for path, place, get in _getters(len(scenario.jobs))}


@functools.lru_cache(maxsize=32)
def _getters(job_count: int) -> tuple[tuple[str, int, operator.attrgetter[Any]], ...]:
    """Path of every input, whose it is (0: the scenario's, n: the n-th job's), and what reads it there."""
    found = []
    for item in inputs_for(job_count):
        head, _, rest = item.path.partition(".")
        if head == "jobs":
            place, _, rest = rest.partition(".")
            found.append((item.path, int(place) + 1, operator.attrgetter(rest)))
        else:
            found.append((item.path, 0, operator.attrgetter(item.path)))
    return tuple(found)


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
