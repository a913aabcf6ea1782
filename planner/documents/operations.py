"""What whoever runs the storage needs: spare parts, when drives are replaced, what is watched besides the alarms."""

from __future__ import annotations

import math

from reportlab.platypus import Flowable

from planner.bom.lines import BomLine
from planner.documents.parts import bullets, section, table, text, topic
from planner.documents.text import clean
from planner.plan import Plan


def operations(plan: Plan) -> list[Flowable]:
    """Spare parts to keep, replacement of worn drives, and what the site's people have to do."""
    rows = [
        (
            clean(_part(line)),
            line.quantity.text(),
            line.spare_count.text(),
            clean(line.lead_time or "ask the vendor"),
        )
        for line in plan.bill.lines
        if line.spare_count.number > 0
    ]
    return [
        *section("Operations", "operations"),
        *topic("Spare parts", "spares"),
        *(
            table(("Part", "In use", "Spares", "Delivery"), rows, (0.52, 0.14, 0.14, 0.2))
            if rows
            else [text("No spare parts are planned.")]
        ),
        *topic("Replacement and firmware", "replacement"),
        *bullets(_duties(plan)),
    ]


def _part(line: BomLine) -> str:
    """What names a line, without the links behind it that its description tells already."""
    links = line.title.removeprefix(line.description).strip(" ()")
    return line.description if links in line.description else line.title


def _duties(plan: Plan) -> list[str]:
    return [
        _replaced(plan),
        _filled(plan),
        "Firmware of drives, NICs and switches is the one of the acceptance test; a change is tried on one node, with "
        "the speed tests repeated, before it goes to the others.",
        f"A rebuild runs beside saves. Until it is done, less may fail than stated: {clean(plan.protection.survives)}.",
    ]


def _replaced(plan: Plan) -> str:
    """When the drives of the hot tier are replaced, and what wears them."""
    life, wear = plan.lifetime, plan.endurance
    written = f"{wear.drive_write_bytes_per_day} are expected"
    if life is None or not life.replace_after_s.known:
        return f"Drives of the {plan.hot.name}: ask the vendor when they are replaced; {written}."
    return (
        f"Drives of the {plan.hot.name} are replaced after {life.replace_after_s}; {written}, "
        f"{wear.allowance_bytes_per_day} are allowed."
    )


def _filled(plan: Plan) -> str:
    """When the coldest tier is full, and what to do before."""
    name, full = plan.tiers[-1].name, plan.retention.full_after_s
    if math.isinf(full.number):
        return f"The {name} does not fill: nothing is added to it for good."
    if full.number == 0:
        return f"The {name} is full from the start: extend it."
    return f"The {name} is full after {full}: delete or extend before."
