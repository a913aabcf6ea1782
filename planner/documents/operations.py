"""What whoever runs the storage needs: spare parts, when drives are replaced, what is watched besides the alarms."""

from __future__ import annotations

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
    life, wear = plan.lifetime, plan.endurance
    after = "unknown: ask the vendor for the rating" if life is None else life.replace_after_s.text()
    return [
        f"Drives of the {plan.hot.name} are replaced after {after}; {wear.drive_write_bytes_per_day} a day are expected, "
        f"{wear.allowance_bytes_per_day} are allowed.",
        f"The {plan.tiers[-1].name} is full after {plan.retention.full_after_s}: delete or extend before.",
        "Firmware of drives, NICs and switches is the one of the acceptance test; a change is tried on one node, with "
        "the speed tests repeated, before it goes to the others.",
        f"A rebuild runs beside saves: until it is done, {clean(plan.protection.survives)} no longer holds in full.",
    ]
