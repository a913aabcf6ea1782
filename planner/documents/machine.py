"""A plan as one plain object: every number under a key that ends in its unit."""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Mapping
from typing import Any

import numpy as np
from pydantic import BaseModel

from planner.bom import Bill
from planner.catalogue import Row
from planner.core.checks import Check, Fix
from planner.core.quantity import Quantity
from planner.core.units import UNITS, unit_of_name
from planner.plan import JobResult, Plan
from planner.sections.fabric_load import FabricLoad
from planner.sections.racks import Place, RackLayout
from planner.summary import headline

PLAIN = (
    "local", "architecture", "transport", "tiers", "network", "endurance", "protection", "facility", "cost",
    "together", "retention", "monitoring", "findings", "bom", "guide", "auto", "ladders", "schemes", "lifetime",
    "durability", "term", "guide_beside", "site_lines", "flips", "transport_case", "transport_models", "lossless",
    "san", "port_options",
)  # fmt: skip
"""Sections that are written as the plan holds them."""
FORMAT = "planner plan 1"
"""Name and version of what `plan_json` gives; `planner.documents.schema` publishes it."""


def plan_json(plan: Plan) -> dict[str, Any]:
    """The plan as plain data, its sections named after their subjects.

    `bom` has the lines of equipment that the cost counts, `bill` every line that a quotation needs.
    `checkpoint`, `ingest` and `goodput` are those of the job with the largest checkpoint; `jobs` holds
    all of them. Numbers keep full precision; what is unknown or unlimited is null.
    """
    main = _job(plan.main)
    return {
        "format": FORMAT,
        "name": plan.scenario.name,
        "basis": plan.scenario.basis,
        "headline": headline(plan),
        "cluster": plain_data(plan.cluster),
        "checkpoint": main["checkpoint"],
        "ingest": main["ingest"],
        "goodput": main["goodput"],
        "jobs": [_job(result) for result in plan.jobs],
        **{name: plain_data(getattr(plan, name)) for name in PLAIN},
        "bill": _bill(plan.bill),
        "racks": _racks(plan.racks),
        "fabric_load": _fabric(plan.fabric_load),
    }


def _fabric(load: FabricLoad) -> dict[str, Any]:
    """The load of every hop, whole and after each loss; the saves that result stand under the jobs."""
    states = (load.whole, *load.losses)
    return _object(
        {
            "hash_loss_fraction": load.hash_loss_fraction,
            "states": [{k: v for k, v in _fields(state).items() if k != "saves"} for state in states],
        }
    )


def _bill(bill: Bill) -> dict[str, Any]:
    """Every line that a quotation needs, what is missing, and the totals over what has a price."""
    fields = _fields(bill)
    missing = fields.pop("not_priced")
    return _object({**fields, "not_priced_count": len(missing)})


def _racks(layout: RackLayout) -> dict[str, Any]:
    """All racks with their sums, and every machine by its rack units."""
    fields = _fields(layout)
    racks = [
        _object(_fields(rack) | {"places": [_place(place) for place in rack.places]})
        for rack in fields["racks"]
    ]
    return _object(fields | {"racks": racks})


def _place(place: Place) -> dict[str, Any]:
    return {
        "name": place.name,
        "machine": place.device.name,
        "part_id": place.device.part_id,
        "bottom_ru": place.bottom_ru,
        "top_ru": place.top_ru,
    }


def _job(result: JobResult) -> dict[str, Any]:
    """One job, with its save among its checkpoint's figures."""
    job = plain_data(result.job)
    job["checkpoint"] |= plain_data(result.save) | {
        "degraded": plain_data(result.degraded),
        "layout": plain_data(result.layout),
    }
    explained = ("goodput", "pipeline", "worth", "advice")
    return {**job, **{name: plain_data(getattr(result, name)) for name in explained}}


def plain_data(value: Any) -> Any:  # noqa: ANN401 - a plan holds anything
    """A part of a plan as objects, lists, texts and numbers."""
    if isinstance(value, Quantity):
        return _finite(value.number)
    if isinstance(value, Row):
        return {"id": value.id, "name": getattr(value, "name", "") or getattr(value, "label", "")}
    members = _members(value)
    if members is not None:
        return _object(members)
    if isinstance(value, list | tuple):
        return [plain_data(item) for item in value]
    return _finite(value) if _is_number(value) else value


def _members(value: object) -> Mapping[str, Any] | None:
    """What an object holds by name; None if it is none."""
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    if isinstance(value, Fix):
        unit = unit_of_name(value.path)
        key = f"value{UNITS[unit].suffix}" if unit and _is_number(value.value) else "value"
        return {"path": value.path, key: value.value, "label": value.label}
    if isinstance(value, Check):
        return _fields(value) | {"utilisation_ratio": value.utilisation, "verdict": value.verdict}
    if dataclasses.is_dataclass(value):
        return _fields(value)
    return value if isinstance(value, Mapping) else None


def _fields(value: Any) -> dict[str, Any]:  # noqa: ANN401 - any dataclass
    return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}


def _is_number(value: object) -> bool:
    return isinstance(value, int | float | np.number) and not isinstance(value, bool)


def _finite(number: Any) -> float | int | None:  # noqa: ANN401 - any kind of number
    if isinstance(number, int):
        return number
    number = float(number)
    return number if math.isfinite(number) else None


def _object(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Members under their names, numbers with their unit at the end of the name; no name comes twice."""
    found: dict[str, Any] = {}
    for name, value in fields.items():
        key = _key(name, value)
        number = 2
        while key in found:
            key, number = _key(f"{name} {number}", value), number + 1
        found[key] = plain_data(value)
    return found


def _key(name: str, value: object) -> str:
    """A name as a key: a path stays a path, words become one word, a number gets the suffix of its unit."""
    key = name if re.fullmatch(r"[\w.]+", name) else re.sub(r"\W+", "_", name.lower()).strip("_")
    if isinstance(value, Quantity):
        suffix = UNITS[value.unit].suffix
        return key if unit_of_name(key) == value.unit or key == suffix[1:] else key + suffix
    return f"{key}_count" if _is_number(value) and not unit_of_name(key) else key
