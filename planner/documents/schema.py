"""The published JSON schema of a plan: which sections it has, and that every number's key ends in its unit."""

from __future__ import annotations

import re
from typing import Any

from planner.core.units import UNITS
from planner.documents.machine import FORMAT

SCHEMA_NAME = "plan.schema.json"
DIALECT = "https://json-schema.org/draft/2020-12/schema"
TEXTS = {
    "format": "Name and version of this format.",
    "name": "The design's own name.",
    "basis": "What the figures stand on: evidence or guide.",
    "headline": "The answer in a sentence.",
}
OBJECTS = {
    "cluster": "GPU nodes and their ports.",
    "checkpoint": "Size, save and layout of the largest checkpoint.",
    "ingest": "Reads of the job with the largest checkpoint.",
    "goodput": "Share of time in which that job moves on.",
    "local": "What the nodes' own drives can hold.",
    "architecture": "Kind of the hot tier, with its scores and namespaces.",
    "network": "Transport, links, switches and bandwidth.",
    "endurance": "Writes against the drives' rating.",
    "protection": "Protection scheme of the hot tier, and others beside it.",
    "facility": "Power, heat and space.",
    "cost": "Capital and running cost.",
    "together": "All jobs together.",
    "retention": "How the cold tier fills.",
    "auto": "What the planner derived, by the path of the input.",
    "bill": "Every line that a quotation needs, with what is missing for it.",
    "racks": "Racks with every machine's place.",
    "fabric_load": "Load of every hop, whole and after each loss.",
    "term": "Cost over the term by kind, and for each unit.",
    "transport_case": "Points and weights of the transports, what is enough up to where, and RoCE without its set-up.",
}
MAYBE = {
    "lifetime": "When the hot tier's drives are replaced; null where the platform does not name them.",
    "durability": "Chance and cost of a loss; null where the platform has protection of its own.",
    "lossless": "Headroom, marks and shares of a lossless network; null where there is none to set up.",
    "san": "Zones, links between switches and licences of Fibre Channel; null where there is none.",
}
LISTS = {
    "jobs": "Every job with its checkpoint, reads, goodput and layout.",
    "transport": "The save over each transport.",
    "tiers": "The storage tiers, the hot one first.",
    "monitoring": "What to watch, with thresholds.",
    "findings": "Remarks of the review, blockers first.",
    "bom": "Lines of equipment that the cost counts.",
    "guide": "Each figure of the guide beside the design's.",
    "ladders": "From raw to safe capacity, tier by tier.",
    "schemes": "Protection schemes on the same drives.",
    "guide_beside": "Each tier by the guide's price beside its parts.",
    "site_lines": "Limits of the site against the design's needs.",
    "flips": "Conditions under which another transport would be chosen.",
    "transport_models": "Wire, latency, queue depth and processor time of each way to reach storage.",
    "port_options": "Two sides and rails, with what each needs.",
}


def plan_schema() -> dict[str, Any]:
    """JSON schema (draft 2020-12) of what `plan_json` gives; a number without its unit in its key does not pass."""
    refer: dict[str, Any] = {"$ref": "#/$defs/part"}
    properties: dict[str, Any] = {
        **{name: {"type": "string", "description": words} for name, words in TEXTS.items()},
        **{name: {**refer, "description": words} for name, words in OBJECTS.items()},
        **{name: {"anyOf": [refer, {"type": "null"}], "description": words} for name, words in MAYBE.items()},
        **{name: {"type": "array", "items": refer, "description": words} for name, words in LISTS.items()},
        "document": {
            "type": "object",
            "additionalProperties": {"type": ["string", "boolean"]},
            "description": "Which design and revision the file is of; left out where the plan was made on its own.",
        },
    }
    properties["format"]["const"] = FORMAT
    return {
        "$schema": DIALECT,
        "$id": f"planner/{SCHEMA_NAME}",
        "title": "Storage plan",
        "description": "Numbers are in base units, named by the end of their key; null is unknown or without limit.",
        "type": "object",
        "properties": properties,
        "required": [name for name in properties if name != "document"],
        "additionalProperties": False,
        "$defs": {"part": _part()},
    }


def _part() -> dict[str, Any]:
    """Any part of a plan: numbers under keys that end in a unit; everything else is text, truth or a further part."""
    number: dict[str, Any] = {"type": ["number", "null"]}
    refer: dict[str, Any] = {"$ref": "#/$defs/part"}
    return {
        "type": "object",
        "propertyNames": {"pattern": r"^[\w.]+$"},
        "patternProperties": {_suffixes(): {"anyOf": [number, {"type": "array", "items": number}, refer]}},
        "additionalProperties": {"anyOf": _inside()},
    }


def _inside() -> list[dict[str, Any]]:
    """What is no number."""
    refer = {"$ref": "#/$defs/part"}
    items = {"anyOf": [{"type": ["string", "boolean", "null"]}, refer, {"type": "array"}]}
    return [{"type": ["string", "boolean", "null"]}, refer, {"type": "array", "items": items}]


def _suffixes() -> str:
    """Ends of keys that name a unit; a key may be the unit itself."""
    known = sorted(
        {unit.suffix.removeprefix("_") for unit in UNITS.values() if unit.suffix}, key=lambda s: (-len(s), s)
    )
    return f"(^|[_.])({'|'.join(map(re.escape, known))})$"
