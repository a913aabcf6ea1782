"""What a table of designs says of each: its key figures, its choices, and what its review objects to."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import TypeAlias

from planner.core.checks import Finding
from planner.core.quantity import Quantity, given
from planner.core.units import unit_of_name
from planner.plan import Plan
from planner.sections.spacing import spacing_plan
from planner.summary import key_figures

KEYS = {
    "Checkpoint": "checkpoint_bytes",
    "Stall": "stall_s",
    "Goodput": "goodput_fraction",
    "Write bandwidth": "write_bytes_per_s",
    "Hot tier, usable": "usable_bytes",
    "Power": "typical_w",
    "Cost, low": "capital_low_usd",
    "Cost, high": "capital_high_usd",
}
"""Column of each of the plan's key figures."""


def loss_fraction(plan: Plan) -> Quantity:
    """Chance that the hot tier loses data in a year; unknown where the platform has its own protection."""
    if plan.hot.scheme is None:
        return given(
            None, "fraction", "Data lost in a year", source="the platform's own protection", grade="unknown"
        )
    return plan.protection.rows[0].loss_fraction


FIGURES: dict[str, Callable[[Plan], Quantity]] = {
    "save_s": lambda plan: plan.main.save.save_s,
    "read_bytes_per_s": lambda plan: plan.hot.read_bytes_per_s,
    "raw_bytes": lambda plan: plan.hot.raw_bytes,
    "drive_count": lambda plan: plan.hot.drive_count,
    "unit_count": lambda plan: plan.hot.unit_count,
    "rack_units_ru": lambda plan: plan.facility.rack_units_ru,
    "rack_count": lambda plan: plan.facility.rack_count,
    "max_w": lambda plan: plan.facility.max_w,
    "term_low_usd": lambda plan: plan.cost.term_low_usd,
    "term_high_usd": lambda plan: plan.cost.term_high_usd,
    "lost_usd_per_year": lambda plan: plan.together.lost_usd_per_year,
    "planned_life_s": lambda plan: plan.endurance.planned_life_s,
    "wear_life_s": lambda plan: plan.endurance.wear_life_s,
    "loss_fraction": loss_fraction,
}
"""Further figures of a design, by column; those of a job are the main one's."""
LABELS: Mapping[str, str] = {column: name for name, column in KEYS.items()} | {
    "save_s": "Save time",
    "read_bytes_per_s": "Read bandwidth",
    "raw_bytes": "Hot tier, raw",
    "drive_count": "Drives",
    "unit_count": "Storage nodes",
    "rack_units_ru": "Rack units",
    "rack_count": "Racks",
    "max_w": "Power, maximum",
    "term_low_usd": "Equipment, power and support over the term, low",
    "term_high_usd": "Equipment, power and support over the term, high",
    "lost_usd_per_year": "Lost GPU time",
    "planned_life_s": "Planned life of the drives",
    "wear_life_s": "Wear life of the drives",
    "loss_fraction": "Chance to lose data in a year",
}
"""What each figure of a row is called."""


def unit_of(column: str) -> str:
    """Key of the unit of a figure, which its column's name ends in."""
    unit = unit_of_name(column)
    assert unit is not None, column
    return unit


def plain_number(value: float) -> float | None:
    """A number as JSON has it: what is unknown or without end is null."""
    return value if math.isfinite(value) else None


def _tier_binding(role: str) -> Callable[[Plan], str]:
    def binding(plan: Plan) -> str:
        """What sizes that tier of a plan; empty where the plan has none."""
        tier = plan.tier(role)
        return "" if tier is None else tier.binding

    return binding


def _scheme(plan: Plan) -> str:
    """The protection scheme of the hot tier, or that the platform has its own."""
    return plan.hot.scheme.id if plan.hot.scheme is not None else "platform"


def _interval(plan: Plan) -> str:
    """What the shortest sound interval of the main job follows from."""
    return spacing_plan(plan.main.job, plan.main.goodput).binding


CHOICES: dict[str, Callable[[Plan], str]] = {
    "transport": lambda plan: plan.network.transport.value,
    "architecture": lambda plan: plan.architecture.choice.value,
    "platform": lambda plan: plan.hot.platform.id,
    "protection": _scheme,
    "topology": lambda plan: plan.network.topology.value,
    "binding": lambda plan: plan.hot.binding,
    "following": lambda plan: plan.hot.following,
    "unit_binding": lambda plan: plan.hot.unit_binding,
    "file_system_binding": _tier_binding("file-system"),
    "object_binding": _tier_binding("object"),
    "save_binding": lambda plan: plan.main.save.binding,
    "save_following": lambda plan: plan.main.save.following,
    "interval_binding": _interval,
}
"""What was chosen and what binds, by column: of the hot tier, of the colder ones, of the save and its interval."""

Marks: TypeAlias = tuple[tuple[str, str], ...]
"""Codes of a review's remarks with their severity."""


def figures_of(plan: Plan) -> dict[str, Quantity]:
    """All figures of a row, by column."""
    found = {KEYS[name]: item for name, item in key_figures(plan).items()}
    return found | {name: figure(plan) for name, figure in FIGURES.items()}


def choices_of(plan: Plan) -> dict[str, str]:
    """All choices of a row, by column."""
    return {name: choice(plan) for name, choice in CHOICES.items()}


FIGURE_COLUMNS = (*KEYS.values(), *FIGURES)
CHOICE_COLUMNS = tuple(CHOICES)
MARK_COLUMNS = ("blockers", "warnings")
TEXT_COLUMNS = (*CHOICE_COLUMNS, *MARK_COLUMNS, "reason")


def mark(finding: Finding) -> tuple[str, str] | None:
    """Code and severity of a remark that counts in a table: notes do not."""
    return None if finding.severity == "note" else (finding.code, finding.severity)


def marks_text(marks: Marks, severity: str) -> str:
    """Codes of one severity, each once, in their order: "BW-1 CAP-1"."""
    return " ".join(dict.fromkeys(code for code, kind in marks if kind == severity))
