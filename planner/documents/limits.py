"""What the figures do not cover, told in the document itself, so that nobody has to find out."""

from __future__ import annotations

from reportlab.platypus import Flowable

from planner.documents.parts import section, table, text
from planner.plan import Plan
from planner.sections.completeness import gaps_words
from planner.words import not_modelled


def limits(plan: Plan) -> list[Flowable]:
    """Out of scope: what is not modelled, and what of this design nobody knows."""
    told = f"The bill of materials of this design: {gaps_words(plan.bill.gaps)}; see “Bill of materials”."
    rows = [(item.subject, item.left_out, item.remedy) for item in not_modelled()]
    return [
        *section("Out of scope: what is not modelled", "limits"),
        text(told),
        *table(("Subject", "What is left out", "What to do"), rows, (0.22, 0.46, 0.32)),
    ]
