"""The part of the document on racks: what each draws and weighs, and how it looks from the front and the rear."""

from __future__ import annotations

from reportlab.platypus import Flowable, Spacer

from planner.documents.beside import NOTHING, Beside
from planner.documents.drawing import Fitting
from planner.documents.elevations import RACKS_A_ROW, SIDES, elevation_drawings
from planner.documents.parts import bullets, pairs, section, table, topic
from planner.plan import Plan
from planner.sections.rows import alike


def racks(plan: Plan, *, beside: Beside = NOTHING) -> list[Flowable]:
    """Figures of every rack, sums of all of them, circuits, and elevations.

    Args:
        plan: The plan.
        beside: What is known beside it: how the site begins the names of its machines.
    """
    return [*figures(plan), *_pictures(plan, beside)]


def figures(plan: Plan) -> list[Flowable]:
    """Figures of every rack, sums of all of them, and circuits."""
    layout = plan.racks
    rows = [
        (
            rack.title,
            rack.used_ru.text(),
            rack.typical_w.text(),
            rack.max_w.text(),
            rack.weight_kg.text(),
            rack.feed_a_amps.text(),
            rack.feed_alone_amps.text(),
            rack.density,
            rack.btu_per_hour.text(),
            "; ".join(f"{check.name.lower()} {check.verdict}" for check in rack.checks if not check.ok)
            or "pass",
        )
        for rack in layout.racks
    ]
    head = (
        "Rack",
        "Used",
        "Typical",
        "Max.",
        "Weight",
        "Each feed",
        "One alone",
        "Density",
        "Heat",
        "Limits",
    )
    return [
        *section("Rack layout", "racks"),
        *table(head, rows, (0.13, 0.08, 0.09, 0.09, 0.09, 0.1, 0.1, 0.1, 0.12, 0.1)),
        *pairs(_sums(plan)),
        *bullets(
            [f"{words}: not placed, its height is unknown or above a rack's." for words in layout.unplaced]
        ),
    ]


def _sums(plan: Plan) -> list[tuple[object, object]]:
    layout, circuits = plan.racks, plan.racks.circuits
    rows: list[tuple[object, object]] = [
        ("Racks", f"{layout.rack_count}, of which {layout.storage_rack_count} of storage and network"),
        ("Power of all", f"{layout.typical_w} typical, {layout.max_w} at most, {layout.apparent_va}"),
        ("At start-up", f"{layout.startup_w} if everything is switched on at once"),
        ("Circuits", f"{layout.circuit_count} × {circuits.label}, A and B in each rack"),
        ("Outlet", f"{circuits.receptacle}: {circuits.receptacle_source}"),
        (
            "A feed may carry",
            f"{circuits.usable_va}, {circuits.usable_amps} a phase ({circuits.continuous_fraction} of the breaker)",
        ),
        (
            "Weight",
            f"{layout.weight_kg} in all, the heaviest rack {layout.heaviest_kg}, {layout.floor_kg_per_m2}",
        ),
        ("Heat", f"{layout.max_w}: {layout.air_w} to air, {layout.liquid_w} to liquid"),
        ("", f"{layout.btu_per_hour}, {layout.cooling_tons}"),
        ("Air flow", f"{layout.airflow_m3_per_hour}, {layout.airflow_cfm}, at {_rise(plan)}"),
    ]
    return rows


def _rise(plan: Plan) -> str:
    return f"a rise of {plan.scenario.site.air_rise_kelvin:g} K"


def _pictures(plan: Plan, beside: Beside) -> list[Flowable]:
    """Every rack from the front, then from the rear; a single one from both sides beside each other."""
    drawn = len(alike(plan.racks))
    shared = len(SIDES) * drawn <= RACKS_A_ROW
    found: list[Flowable] = []
    for sides in (SIDES,) if shared else ((side,) for side in SIDES):
        first, *others = elevation_drawings(plan, *sides, prefixes=beside.prefixes)
        heading = topic(f"Elevations, {' and '.join(sides)}", f"elevations-{sides[0]}")
        found += [*heading, Fitting(first), Spacer(1, 8)]
        for drawing in others:
            found += [drawing, Spacer(1, 8)]
    return found
