"""Tables for spreadsheets, and CSV of them: the bill, the racks, the power, the cables, inputs and results.

Text of a design comes from people and from imported files. It never becomes a formula: a CSV cell that a
spreadsheet would calculate begins with an apostrophe, and an XLSX cell is written as a string.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from planner.bom import Bill, BomLine
from planner.core.cells import as_text
from planner.core.quantity import Quantity
from planner.core.units import counted
from planner.documents.appendix import assumption, computed_from, part_of
from planner.documents.explained import every_figure
from planner.documents.formulas import plain_formula
from planner.documents.text import clean
from planner.inputs import inputs_for
from planner.plan import Plan
from planner.sections.machines import NO_PREFIXES

Cell: TypeAlias = str | float | None
"""What may stand in a table: a text, a number, or nothing."""

LONGEST_CELL = 2_000
MOST_CABLES = 20_000
"""Cables that a workbook lists one by one; a spreadsheet with more is slow to open."""
NOT_PRICED, UNKNOWN = "not priced", "unknown"
_BILL_HEAD = (
    "No.", "Group", "Rack", "Maker", "Part", "Description", "Quantity", "Unit", "Spares",
    "Unit price low, USD", "Unit price high, USD", "Price low, USD", "Price high, USD",
    "Spares low, USD", "Spares high, USD", "Price as of", "Price grade", "Price source", "Lead time",
    "Weight each, kg", "Height each, U", "Power each, W", "Required by", "In the capital cost",
    "Unit price typical, USD", "Condition", "Approved alternatives", "Support term", "Notes",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Table:
    """One table: a name, a head, and rows of cells."""

    name: str
    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


# --- CSV ----------------------------------------------------------------------------------------------------


def safe_text(words: str) -> str:
    """A text as it may stand in a CSV: on one line, and never taken for a formula."""
    told = clean(words, limit=LONGEST_CELL)
    return f"'{told}" if as_text(words) != words or as_text(told) != told else told


def csv_bytes(table: Table) -> bytes:
    """A table as CSV in UTF-8 with a byte-order mark, so that every spreadsheet reads its accents."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow([safe_text(name) for name in table.head])
    for row in table.rows:
        writer.writerow([safe_text(cell) if isinstance(cell, str) else _plain(cell) for cell in row])
    return out.getvalue().encode("utf-8-sig")


def _plain(cell: float | None) -> str:
    return "" if cell is None else f"{cell:.12g}"


# --- tables of a plan ---------------------------------------------------------------------------------------


def bill_table(plan: Plan) -> Table:
    """Every line of the bill with its figures; a price that nobody knows is "not priced"."""
    rows: list[tuple[Cell, ...]] = []
    for number, (group, lines) in enumerate(plan.bill.groups.items(), start=1):
        rows += [
            (
                f"{number}.{place:02d}",
                group,
                *_line(line),
                "yes" if in_capital(plan, line) else "no",
                *_terms(plan, line),
            )
            for place, line in enumerate(lines, start=1)
        ]
    return Table("Bill of materials", _BILL_HEAD, tuple(rows))


def _terms(plan: Plan, line: BomLine) -> tuple[Cell, ...]:
    """What a buyer has to state, as far as the plan knows it: nobody has approved an alternative in it."""
    return (typical_usd(line), UNKNOWN, "none approved", support_text(plan, line), line.notes)


def typical_usd(line: BomLine) -> Cell:
    """Typical price of one: known only where the range is one price."""
    if not line.priced:
        return NOT_PRICED
    low, high = line.price_low_usd.number, line.price_high_usd.number
    return low if low == high else UNKNOWN


def support_text(plan: Plan, line: BomLine) -> str:
    """How long a part is supported: equipment over the term, by the support line of the bill."""
    if line.kind == "other":
        return UNKNOWN
    return f"{counted(plan.scenario.prices.term_years, 'year')}, by the support line"


def in_capital(plan: Plan, line: BomLine) -> bool:
    """Whether the capital cost counts a line: equipment and its cables, not what surrounds it."""
    return line.kind == "cable" or any(
        (own.group, own.part_id, own.description) == (line.group, line.part_id, line.description)
        for own in plan.bom
    )


def _line(line: BomLine) -> tuple[Cell, ...]:
    money = (
        (line.price_low_usd, line.price_high_usd, line.extended_low_usd, line.extended_high_usd,
         line.spares_low_usd, line.spares_high_usd)
    )  # fmt: skip
    return (
        line.racks,
        line.maker,
        line.part_id,
        line.description,
        _number(line.quantity),
        line.unit,
        _number(line.spare_count),
        *(NOT_PRICED if not line.priced else _number(item) for item in money),
        line.price_as_of,
        line.price_grade,
        line.price_source if line.priced else "",
        line.lead_time or UNKNOWN,
        _number(line.weight_kg) or None,
        _number(line.rack_units_ru) or None,
        _number(line.watts_w) or None,
        line.cause,
    )


def _number(item: Quantity) -> Cell:
    """A finite figure, or the word for one that is not: unknown, or without end."""
    return item.number if math.isfinite(item.number) else item.text()


def racks_table(plan: Plan) -> Table:
    """One row a rack: height, power, weight, currents, circuits, heat and air."""
    head = (
        "Rack", "Racks alike", "Used, U", "Typical, W", "Maximum, W", "Apparent, VA", "Start-up, W", "Weight, kg",
        "Floor, kg/m²", "Each feed, A", "One feed alone, A", "Circuits", "Density", "Heat, BTU/h",
        "To air, W", "To liquid, W", "Air, m³/h", "Air, CFM", "Contents",
    )  # fmt: skip
    rows: list[tuple[Cell, ...]] = [
        (
            rack.title,
            rack.count,
            *(
                _number(item)
                for item in (
                    rack.used_ru,
                    rack.typical_w,
                    rack.max_w,
                    rack.apparent_va,
                    rack.startup_w,
                    rack.weight_kg,
                    rack.floor_kg_per_m2,
                    rack.feed_a_amps,
                    rack.feed_alone_amps,
                    rack.circuit_count,
                )
            ),
            rack.density,
            *(
                _number(item)
                for item in (
                    rack.btu_per_hour,
                    rack.air_w,
                    rack.liquid_w,
                    rack.airflow_m3_per_hour,
                    rack.airflow_cfm,
                )
            ),
            "; ".join(f"{count} × {name}" for name, count in rack.held().items()),
        )
        for rack in plan.racks.racks
    ]
    return Table("Racks", head, tuple(rows))


def places_table(plan: Plan, prefixes: Mapping[str, str] = NO_PREFIXES) -> Table:
    """One row a machine: its rack, its rack units, and its label, which begins as the site has it."""
    head = ("Rack", "From U", "To U", "Label", "Machine", "Part", "Maximum, W", "Weight, kg")
    rows: list[tuple[Cell, ...]] = [
        (
            rack.title, place.bottom_ru, place.top_ru, place.device.label(place.number, prefixes),
            place.device.name, place.device.part,
            _number(place.device.max_w) if place.device.powered else UNKNOWN, _number(place.device.weight_kg),
        )
        for rack in plan.racks.racks
        for place in sorted(rack.places, key=lambda place: -place.top_ru)
    ]  # fmt: skip
    return Table("Places", head, tuple(rows))


def power_table(plan: Plan) -> Table:
    """Power and height of each kind of part; the rows add up to the feed."""
    head = ("Part", "Number", "Typical each, W", "Maximum each, W", "Height each, U", "Typical, W", "Maximum, W",
            "Height, U")  # fmt: skip
    rows: list[tuple[Cell, ...]] = [
        (
            row.name,
            *(
                _number(item)
                for item in (
                    row.count,
                    row.typical_w,
                    row.max_w,
                    row.rack_units_ru,
                    row.total_typical_w,
                    row.total_max_w,
                    row.total_ru,
                )
            ),
        )
        for row in plan.facility.rows
    ]
    return Table("Power", head, tuple(rows))


def gaps_table(bill: Bill) -> Table:
    """What is missing before the bill can be quoted."""
    rows: list[tuple[Cell, ...]] = [
        (gap.part, gap.text, gap.ask, "to be named by the vendor" if gap.minor else "open")
        for gap in bill.gaps
    ]
    return Table("Gaps", ("Part", "What is missing", "What would close it", "State"), tuple(rows))


def cables_table(plan: Plan) -> Table:
    """One row a cable: from where to where, its kind, speed, length and side; no rows where none are listed."""
    head = ("No.", "Links", "Cable", "Speed, Gb/s", "Length, m", "Side")
    cables = plan.cabling.cables if plan.cabling is not None else ()
    rows: list[tuple[Cell, ...]] = [
        (c.number, c.group, c.type, c.gbps, c.length_m, c.side) for c in cables[:MOST_CABLES]
    ]
    return Table("Cables", head, tuple(rows))


def results_table(plan: Plan) -> Table:
    """Every figure in full precision with its unit, its printed form, its formula with values, and its source."""
    head = ("Section", "Result", "Value", "Unit", "As printed", "Formula", "With", "Source", "Grade")
    rows: list[tuple[Cell, ...]] = [
        (
            section,
            label,
            _number(item),
            item.unit,
            item.text(),
            plain_formula(item.formula.latex) if item.formula is not None else "",
            computed_from(item) if item.formula is not None else "",
            item.formula.source if item.formula is not None else item.source,
            "computed" if item.formula is not None else item.grade,
        )
        for section, members in every_figure(plan).items()
        for label, item in members.items()
    ]
    return Table("Results", head, tuple(rows))


def inputs_table(plan: Plan) -> Table:
    """Every input with its path, value, state, source and grade."""
    head = ("Part", "Input", "Path", "Value", "State", "Source", "Grade")
    rows: list[tuple[Cell, ...]] = [
        (part_of(item.path), item.label, item.path, *assumption(plan, item)[1:])
        for item in inputs_for(len(plan.scenario.jobs))
    ]
    return Table("Inputs", head, tuple(rows))


def identified(table: Table, *, revision: str, hash_text: str) -> Table:
    """The same table with the design's revision and hash in each row, for a file that may travel alone."""
    return Table(
        table.name,
        (*table.head, "Revision", "Hash"),
        tuple((*row, revision, hash_text) for row in table.rows),
    )
