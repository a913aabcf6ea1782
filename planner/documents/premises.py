"""What the design stands on: constraints of the site and of the customer, unproven assumptions, and risks."""

from __future__ import annotations

from collections.abc import Sequence

from reportlab.platypus import Flowable

from planner.core.checks import Finding
from planner.core.quantity import Quantity
from planner.documents.appendix import INPUT_DIGITS, part_of
from planner.documents.explained import used_figures
from planner.documents.parts import Row, section, table, text, topic
from planner.documents.text import LONGEST, clean
from planner.inputs import inputs_for, value_at, value_words
from planner.plan import Plan
from planner.review.record import ReviewRecord
from planner.review.register import RegisterItem, RegisterKind
from planner.sections.durability import odds, yearly_words

CONFIRMED_BY = {
    "class assumption": "the vendor's data sheet",
    "from memory": "a dated source",
    "inferred": "a measurement at acceptance",
    "unknown": "the vendor",
}
"""Who can settle a figure of each weak grade."""
LONGEST_ENTRY = 2_000
"""Characters that are printed of an entry in the register."""
MOST_USES = 3
COUNTED_FROM = frozenset(("cable schedule", "the layout", "its machines", "intervals of the jobs"))
"""Sources that are the design itself: what is counted there is no assumption."""
OWNERS = {"NET": "Network architect", "PWR": "Facility", "CST": "Purchasing"}
"""Who answers for findings by the first letters of their code; the storage architect for all others."""


# --- constraints ----------------------------------------------------------------------------------------------


def constraints(plan: Plan) -> list[Flowable]:
    """Limits of the site with the design against them, and what the architect fixed before the planner chose."""
    limits = [
        (
            clean(line.check.name), line.check.required.text(),
            line.check.provided.text() if line.check.provided.known else "not stated",
            line.verdict.upper(), line.ask if line.verdict == "question" else "",
        )
        for line in plan.site_lines
    ]  # fmt: skip
    fixed = _fixed(plan)
    return [
        *section("Constraints", "constraints"),
        *topic("Limits of the site", "site-limits"),
        *table(("What", "Needed", "Allowed", "Verdict", "To ask"), limits, (0.26, 0.15, 0.15, 0.13, 0.31)),
        *topic("Fixed by the architect", "fixed"),
        *(
            table(("Part", "Input", "Fixed to"), fixed, (0.24, 0.4, 0.36))
            if fixed
            else [text("Nothing: vendor, transport, protection and prices were the planner's choice.")]
        ),
    ]


def _fixed(plan: Plan) -> list[Row]:
    """Inputs that the planner would have derived and that were stated instead."""
    found: list[Row] = []
    catalogue = plan.calculation().context.catalogue
    for item in inputs_for(len(plan.scenario.jobs)):
        value = value_at(plan.scenario, item.path)
        if item.auto and value is not None:
            words = value_words(item, value, catalogue, digits=INPUT_DIGITS)
            found.append((part_of(item.path), item.label, clean(words, limit=LONGEST)))
    return found


# --- assumptions ----------------------------------------------------------------------------------------------


def assumptions(plan: Plan, *, reviewed: ReviewRecord | None = None) -> list[Flowable]:
    """Figures that nobody has proved for this design: where each comes from, what it moves, what settles it.

    Args:
        plan: The plan.
        reviewed: The review of a saved revision: assumptions in its register are told as well.
    """
    uses = _uses(plan)
    rows = [
        (label, value, grade, source, "; ".join(uses[label, value]), CONFIRMED_BY[grade])
        for label, value, grade, source in sorted(
            {
                (item.label, item.text(), item.grade, item.source)
                for item in used_figures(plan)
                if _unproved(item) and (item.label, item.text()) in uses
            }
        )
    ]
    return [
        *section("Assumptions", "premises"),
        text(
            "These figures entered the design and are not proved for it: a class assumption stands for a data sheet, "
            "“from memory” has no dated source, “inferred” follows from others. The columns say what moves if one is "
            "wrong, and what settles it; how far it moves stands under “Sensitivity”. Every input stands in the appendix."
        ),
        *table(
            ("Figure", "Value", "Grade", "Where from", "What moves", "Settled by"),
            rows,
            (0.16, 0.09, 0.1, 0.33, 0.2, 0.12),
        ),
        *_registered(reviewed, "assumption"),
    ]


def _unproved(item: Quantity) -> bool:
    """Whether a figure was brought in on a weak ground; prices stand in the bill with their dates."""
    weak = item.formula is None and item.grade in CONFIRMED_BY and item.number != 0
    return weak and item.label != "Unit price" and item.source not in COUNTED_FROM


def _uses(plan: Plan) -> dict[tuple[str, str], dict[str, None]]:
    """Labels of the first results that each figure enters."""
    found: dict[tuple[str, str], dict[str, None]] = {}
    for item in used_figures(plan):
        for value in (item.inputs or {}).values():
            if isinstance(value, Quantity) and _unproved(value):
                known = found.setdefault((value.label, value.text()), {})
                if len(known) < MOST_USES:
                    known[item.label] = None
    return found


# --- risks ----------------------------------------------------------------------------------------------------


def risks(plan: Plan, *, reviewed: ReviewRecord | None) -> list[Flowable]:
    """Risks of the design by its findings and its durability, and those that the review registered."""
    rows = [_finding(number, item) for number, item in enumerate(_told(plan), start=1)]
    rows += _loss(plan, len(rows) + 1)
    return [
        *section("Risks", "risks"),
        *table(
            ("No.", "Cause", "Likelihood", "Impact", "Mitigation", "Owner"),
            rows,
            (0.07, 0.36, 0.11, 0.1, 0.24, 0.12),
        ),
        *_registered(reviewed, "risk"),
    ]


def _told(plan: Plan) -> Sequence[Finding]:
    return [finding for finding in plan.findings if finding.severity != "note"]


def _finding(number: int, finding: Finding) -> Row:
    """A finding as a risk: a blocker is there already, a warning may come."""
    sure = finding.severity == "blocker"
    owner = OWNERS.get(finding.code.partition("-")[0], "Storage architect")
    return (
        f"R{number}", f"{finding.code}: {finding.message}", "certain" if sure else "possible",
        "high" if sure else "medium", finding.remedy, owner,
    )  # fmt: skip


def _loss(plan: Plan, number: int) -> list[Row]:
    """Loss of the hot tier's checkpoints, with its chance and its cost."""
    found = plan.durability
    if found is None:
        return []
    own = next(case for case in found.cases if case.design)
    cause = (
        f"The hot tier loses a checkpoint: training repeats at most {found.rollback_s}, {found.loss_usd} of GPU time "
        f"({yearly_words(own.cost_usd_per_year)} times its chance)."
    )
    mitigation = "Copies on the cold tier; spare drives at hand; rebuild is watched."
    return [(f"R{number}", cause, odds(own.loss_fraction), "medium", mitigation, "Storage architect")]


def _registered(reviewed: ReviewRecord | None, kind: RegisterKind) -> list[Flowable]:
    """What the register of a review has of a kind; a figure taken from a measurement is there with its origin."""
    rows = [
        (
            f"{content.kind} {item.number}", clean(content.text, limit=LONGEST_ENTRY),
            clean(content.owner, limit=LONGEST), "open" if content.open else "closed",
        )
        for item in (reviewed.register if reviewed is not None else ())
        if isinstance(content := item.content, RegisterItem) and content.kind == kind
    ]  # fmt: skip
    if not rows:
        return []
    return [
        *topic(f"{kind.capitalize()}s in the register of the review", f"registered-{kind}s"),
        *table(("Entry", "What it says", "Owner", "State"), rows, (0.12, 0.58, 0.18, 0.12)),
    ]
