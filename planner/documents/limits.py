"""What the figures do not cover, told in the document itself, so that nobody has to find out."""

from __future__ import annotations

from reportlab.platypus import Flowable

from planner.core.units import counted
from planner.documents.parts import section, table, text
from planner.plan import Plan
from planner.words import not_modelled


def limits(plan: Plan) -> list[Flowable]:
    """Out of scope: what is not modelled, and what of this design nobody knows."""
    unknown = [f"{gap.part}: {gap.text}" for gap in plan.bill.gaps if not gap.minor]
    told = (
        f"{counted(len(unknown), 'open point')} of this design: see “Bill of materials”."
        if unknown
        else "Of this design nothing is open in the bill of materials."
    )
    rows = [(item.subject, item.left_out, item.remedy) for item in not_modelled()]
    return [
        *section("Out of scope: what is not modelled", "limits"),
        text(told),
        *table(("Subject", "What is left out", "What to do"), rows, (0.22, 0.46, 0.32)),
    ]
