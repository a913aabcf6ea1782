"""Third part of the document: findings, guide check, monitoring, bill of materials."""

from __future__ import annotations

from reportlab.platypus import Flowable

from planner.bom import BomLine
from planner.core.units import format_number, format_range
from planner.documents.engineering import capital_text
from planner.documents.parts import section, table, text, topic
from planner.plan import Plan


def findings(plan: Plan) -> list[Flowable]:
    """Every remark with its severity as a word, its remedy and its source."""
    rows = [
        (f"{finding.severity.upper()} {finding.code}", finding.message, finding.remedy, finding.source)
        for finding in plan.findings
    ]
    return [
        *section("Findings", "findings"),
        *table(("Severity and rule", "Finding", "Remedy", "Source"), rows, (0.15, 0.42, 0.25, 0.18)),
    ]


def guide_check(plan: Plan) -> list[Flowable]:
    """Each figure of the guide beside this design's."""
    rows = [
        (
            row.quantity,
            row.guide_text,
            row.design_text,
            f"{format_number(row.ratio)}×",
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
    """The bill of materials, group by group."""
    rows: list[tuple[object, ...]] = []
    groups = []
    for number, line in enumerate(plan.bom):
        if number == 0 or plan.bom[number - 1].group != line.group:
            groups.append(len(rows))
            rows.append((line.group, *[""] * 7))
        rows.append(_line(line))
    head = ("Part", "Quantity", "Watts each", "Space each", "Price each", "Price", "Price of", "Cause")
    return [
        *section("Bill of materials", "bom"),
        *table(head, rows, (0.22, 0.09, 0.08, 0.07, 0.12, 0.12, 0.13, 0.17), groups=groups),
        *topic("Sources of the prices", "price-sources"),
        *table(("Part", "Source"), _sources(plan), (0.3, 0.7)),
        text(f"Capital cost by {plan.cost.price_set.label}: {capital_text(plan)}."),
    ]


def _sources(plan: Plan) -> list[tuple[str, str]]:
    """Where the price of each priced part comes from, a part once."""
    return list({line.description: line.price_source for line in plan.bom if line.priced}.items())


def _line(line: BomLine) -> tuple[object, ...]:
    priced = line.priced
    each = format_range(line.price_low_usd.number, line.price_high_usd.number, "USD")
    sums = format_range(line.extended_low_usd.number, line.extended_high_usd.number, "USD")
    origin = ", ".join(part for part in (line.price_as_of, line.price_grade) if part)
    return (
        line.description,
        f"{line.quantity} {line.unit}",
        line.watts_w.text() if line.watts_w.number != 0 else "in its node",
        line.rack_units_ru.text() if line.rack_units_ru.number != 0 else "none",
        each if priced else "not priced",
        sums if priced else "not priced",
        origin if priced else "",
        line.cause,
    )
