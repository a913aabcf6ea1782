"""What was chosen and why, how full the tiers become, and what a failure leaves."""

from __future__ import annotations

from reportlab.platypus import Flowable

from planner.documents.beside import NOTHING, Beside, growth_tables
from planner.documents.failures import failure_table
from planner.documents.parts import bullets, pairs, section, table, text, topic
from planner.documents.physical import durability, protection_words
from planner.documents.text import LONGEST, clean
from planner.inputs import Input, inputs_for, value_at
from planner.plan import Plan
from planner.sections.context import Choice


def decisions(plan: Plan) -> list[Flowable]:
    """Every choice with its reason, whether the planner or the architect made it, and what would change it."""
    inputs = {item.path: item for item in inputs_for(len(plan.scenario.jobs))}
    rows = [
        (_subject(plan, path, inputs.get(path)), *_chosen(plan, path, found), clean(found.reason))
        for path, found in plan.auto.items()
        if isinstance(found, Choice)
    ]
    scores = [
        (
            score.label,
            "; ".join(f"{name} {points}: {score.reasons[name]}" for name, points in score.points.items()),
            str(score.total),
        )
        for score in plan.architecture.scores
    ]
    return [
        *section("Options and decisions", "decisions"),
        *table(("Subject", "Decision", "By", "Reason of the planner"), rows, (0.22, 0.27, 0.11, 0.4)),
        *topic("Architectures compared", "architectures"),
        *table(
            ("Architecture", "Points from 0 to 2 and their reasons", "Weighted"), scores, (0.24, 0.64, 0.12)
        ),
        *topic("What would change the transport", "flips"),
        *bullets([flip.condition for flip in plan.flips] or ["No other transport is in question."]),
    ]


def _subject(plan: Plan, path: str, item: Input | None) -> str:
    label = item.label if item is not None else path
    if path.startswith("jobs.") and len(plan.jobs) > 1:
        return f"{label}, job {int(path.split('.')[1]) + 1}"
    return label


def _chosen(plan: Plan, path: str, found: Choice) -> tuple[str, str]:
    """The decision, and who made it: what the architect states goes before what the planner would choose."""
    stated = value_at(plan.scenario, path)
    if stated is None:
        return clean(found.label, limit=LONGEST), "planner"
    same = str(stated) == found.value
    told = clean(found.label if same else stated, limit=LONGEST)
    return told if same else f"{told}; the planner would take {found.label}", "architect"


def growth(plan: Plan, *, beside: Beside = NOTHING) -> list[Flowable]:
    """How full each tier is and becomes.

    Args:
        plan: The plan.
        beside: What is known beside it: years of growth.
    """
    kept = plan.retention
    rows = [
        (
            tier.name,
            tier.demand.content_bytes.text(),
            tier.safe_bytes.text(),
            tier.usable_bytes.text(),
            tier.steady_fraction.text(),
        )
        for tier in plan.tiers
    ]
    later: list[tuple[object, object]] = [
        ("There from the start", kept.fixed_bytes.text()),
        ("Added", kept.growth_bytes_per_day.text()),
        (f"{plan.tiers[-1].name} is full after", kept.full_after_s.text()),
    ]
    return [
        *section("Capacity and growth", "growth"),
        *table(("Tier", "Contents", "Safe", "Usable", "Steady load"), rows, (0.32, 0.17, 0.17, 0.17, 0.17)),
        *pairs(later),
        text("This is the runway with the jobs as they are stated."),
        *growth_tables(beside.grown),
    ]


def availability(plan: Plan, *, beside: Beside = NOTHING) -> list[Flowable]:
    """Each event, what it leaves, how long it lasts, and what a save takes then.

    Args:
        plan: The plan.
        beside: What is known beside it: how soon a host takes another path.
    """
    rows = []
    for result in plan.jobs:
        name = clean(result.job.name, limit=LONGEST)
        cases = {"as designed": result.save, **result.degraded}
        rows += [(name, case, s.save_s.text(), s.binding, s.following) for case, s in cases.items()]
    return [
        *section("Availability and durability", "availability"),
        text(f"{protection_words(plan)}: {clean(plan.protection.survives)}."),
        *failure_table(plan, beside),
        *topic("A save as designed and degraded", "degraded"),
        *table(("Job", "Event", "Save", "Decided by", "Next"), rows, (0.24, 0.22, 0.14, 0.2, 0.2)),
        *durability(plan),
    ]
