"""Third part of the document: findings, guide check, monitoring, bill of materials."""

from __future__ import annotations

from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import Flowable

from planner.bom import BomLine
from planner.core.checks import Finding
from planner.core.units import counted, format_range, format_value, sentence
from planner.documents.executive import COLOURS, SIGNS, capital
from planner.documents.lines import Lines
from planner.documents.parts import CELL, HEAD, pairs, section, table, text, topic
from planner.documents.text import LONGEST, clean
from planner.plan import Plan
from planner.sections.completeness import gaps_words


def findings(plan: Plan) -> list[Flowable]:
    """Every remark with its severity as a word, its remedy and its source."""
    rows = [
        (_severity(finding), finding.message, finding.remedy, finding.source) for finding in plan.findings
    ]
    return [
        *section("Findings", "findings"),
        *table(("Severity and rule", "Finding", "Remedy", "Source"), rows, (0.15, 0.42, 0.25, 0.18)),
    ]


def _severity(finding: Finding) -> Lines:
    """Sign, severity as a word and code, in the colour of the severity."""
    style = ParagraphStyle(f"severity {finding.severity}", parent=HEAD, textColor=COLOURS[finding.severity])
    return Lines(f"{SIGNS[finding.severity]}\u00a0{finding.severity.upper()} {finding.code}", style)


def guide_check(plan: Plan) -> list[Flowable]:
    """Each figure of the guide beside this design's."""
    rows = [
        (
            row.quantity,
            row.guide_text,
            row.design_text,
            format_value(row.ratio, "1"),
            row.verdict,
            row.reason,
            row.section,
        )
        for row in plan.guide
    ]
    head = ("Figure", "Guide", "Design", "Ratio", "Verdict", "Reason", "Section of the guide")
    return [
        *section("Guide check", "guide"),
        text("The ratio is this design's figure over the nearer end of the guide's range; 1 is inside it."),
        *table(head, rows, (0.19, 0.13, 0.12, 0.11, 0.08, 0.23, 0.14)),
    ]


def monitoring(plan: Plan) -> list[Flowable]:
    """What to watch in operation."""
    rows = [(watch.group, watch.subject, watch.threshold.text(), watch.meaning) for watch in plan.monitoring]
    return [
        *section("Monitoring", "monitoring"),
        *table(("Group", "Subject", "Alarm at", "Meaning"), rows, (0.15, 0.27, 0.16, 0.42)),
    ]


def materials(plan: Plan) -> list[Flowable]:
    """The bill of materials, group by group, with what is missing before it can be quoted."""
    bill = plan.bill
    rows: list[tuple[object, ...]] = []
    groups = []
    for number, (name, lines) in enumerate(bill.groups.items(), start=1):
        groups.append(len(rows))
        rows.append((f"{number} {name}: {bill.group_text(name)}", *[""] * 9))
        rows += [(f"{number}.{place:02d}", *_line(line)) for place, line in enumerate(lines, start=1)]
    head = ("No.", "Part", "Quantity", "Spares", "Racks", "Each", "Price each", "Price", "Price of", "Cause")
    gaps = [(gap.part, gap.text, gap.ask) for gap in bill.gaps]
    return [
        *section("Bill of materials", "bom"),
        text(f"Together {bill.total_text}; spare parts beside them {_spares(plan)}."),
        *_by_guide(plan),
        *pairs(_conditions(plan), split=0.25),
        *table(
            head, rows, (0.055, 0.215, 0.09, 0.075, 0.065, 0.085, 0.095, 0.095, 0.085, 0.14), groups=groups
        ),
        *topic("What is missing before it can be quoted", "bill-gaps"),
        *(
            [
                text(f"{sentence(gaps_words(bill.gaps))}."),
                *table(("Part", "Missing", "What closes it"), gaps, (0.2, 0.5, 0.3)),
            ]
            if gaps
            else [text(_complete(len(bill.not_priced)))]
        ),
        *topic("Sources of the prices", "price-sources"),
        *table(("Parts", "Source"), _sources(plan), (0.5, 0.5)),
    ]


def _by_guide(plan: Plan) -> list[Flowable]:
    """Why the sum of the parts is not the cost of the summary, where that counts prices per TB."""
    if plan.cost.price_set.value != "guide":
        return []
    label = plan.cost.price_set.label
    return [
        text(f"By {label}, on which this design stands, it is {capital(plan)}: media inside a large array.")
    ]


def _complete(unpriced_count: int) -> str:
    """What is told where no part is missing: lines without a price may still be."""
    return (
        f"No part; {counted(unpriced_count, 'line')} above still without a price."
        if unpriced_count
        else "Nothing."
    )


def _conditions(plan: Plan) -> list[tuple[object, object]]:
    """What a supplier has to know once for all lines, and what is still to be said."""
    layout, lines = plan.racks, plan.bill.lines
    timed = [line for line in lines if line.lead_time]
    return [
        ("Racks", f"{layout.storage_rack_count} of storage and network; all racks {layout.max_w} at most"),
        ("Feeds", f"{layout.circuit_count} × {layout.circuits.label}, region {plan.scenario.site.region}"),
        ("Currency and tax", "USD; whether a price has tax in it is unknown: ask for it"),
        ("Delivery", f"a lead time is known for {len(timed)} of {len(lines)} lines; ask for the others"),
        (
            "To be stated with the order",
            "lead time wanted, certification",
        ),
        ("Condition and alternatives", "condition of the parts: unknown; alternatives: none approved"),
        (
            "Support",
            f"equipment {counted(plan.scenario.prices.term_years, 'year')}, by the line of support; other parts: unknown",
        ),
    ]


def _sources(plan: Plan) -> list[tuple[str, str]]:
    """Where the prices come from: the parts of each source together."""
    found: dict[str, dict[str, None]] = {}
    for line in plan.bill.lines:
        if line.priced:
            found.setdefault(line.price_source, {})[line.description] = None
    return [("; ".join(parts), source) for source, parts in found.items()]


def _spares(plan: Plan) -> str:
    bill = plan.bill
    return format_range(bill.spares_low_usd.number, bill.spares_high_usd.number, "USD")


def _each(line: BomLine) -> str:
    """Watts, height and weight of one; empty where it is inside something else."""
    items = (line.watts_w, line.rack_units_ru, line.weight_kg)
    return ", ".join(item.text() for item in items if item.number != 0)


def _part(line: BomLine) -> str:
    """Maker, part number and delivery below the description; a part of the planner's own list has no maker."""
    part = f"{line.maker}, {line.part_id}" if line.maker else f"any maker, {line.part_id}"
    return clean(f"{part}; delivery {line.lead_time or 'unknown'}", limit=LONGEST)


def _line(line: BomLine) -> tuple[object, ...]:
    priced = line.priced
    each = format_range(line.price_low_usd.number, line.price_high_usd.number, "USD")
    sums = format_range(line.extended_low_usd.number, line.extended_high_usd.number, "USD")
    origin = ", ".join(part for part in (line.price_as_of, line.price_grade) if part)
    return (
        Lines((clean(line.description, limit=LONGEST), _part(line)), CELL),
        f"{line.quantity} {line.unit}",
        line.spare_count.text(),
        line.racks,
        _each(line),
        each if priced else "not priced",
        sums if priced else "not priced",
        origin if priced else "",
        line.cause,
    )
