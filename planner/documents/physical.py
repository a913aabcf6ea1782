"""The storage as it is bought and as it ages: from raw to safe capacity, life of the drives, chance of a loss."""

from __future__ import annotations

from reportlab.platypus import Flowable

from planner.core.units import counted
from planner.documents.parts import Row, bullets, pairs, table, text, topic
from planner.documents.text import LONGEST, clean
from planner.plan import Plan
from planner.sections.durability import DurabilityPlan, odds, yearly_words
from planner.sections.ladder import Ladder
from planner.sections.lifetime import LifetimePlan
from planner.sections.tiers import TierPlan


def protection_words(plan: Plan) -> str:
    """The protection of the hot tier, over what it is spread, and where it is made."""
    found = plan.protection
    if plan.hot.scheme is None:
        named = plan.hot.platform.protection
        return f"{clean(named, limit=LONGEST)}, the platform's own" if named else "the platform's own"
    return f"{found.scheme_label} over {found.domain}s, made at the {found.made_at}"


def term_text(tier: TierPlan, name: str) -> str:
    """How many drives or units a demand on a tier needs: "6.14 drives", "1 unit"."""
    return counted(tier.terms[name].number, tier.term_unit.removesuffix("s"))


def ladders(plan: Plan) -> list[Flowable]:
    """From what is bought to what may be filled, with every deduction, tier by tier."""
    found = topic("From raw to safe capacity", "ladders")
    for ladder in plan.ladders:
        found += _ladder(ladder)
    return found


def _ladder(ladder: Ladder) -> list[Flowable]:
    first: Row = (f"{ladder.tier}: raw", "", ladder.raw_bytes.text(), "as bought")
    steps: list[Row] = [
        (step.name, step.taken_bytes.text(), step.left_bytes.text(), clean(step.note))
        for step in ladder.steps
    ]
    last: Row = ("of which filled", "", ladder.content_bytes.text(), "what the workload keeps here")
    found = table(("Step", "Takes", "Leaves", "How"), [first, *steps, last], (0.28, 0.14, 0.14, 0.44))
    if ladder.heal is not None:
        heal = ladder.heal
        told = f"{heal.name}: needs {heal.required}, has {heal.provided}: {heal.verdict.upper()}."
        found += bullets([told])
    return found


def lifetime(plan: Plan) -> list[Flowable]:
    """How long the drives serve, and how many more a longer life would take."""
    life, wear = plan.lifetime, plan.endurance
    if life is None:
        return [
            *topic("Life of the drives", "lifetime"),
            text("The platform does not say which drives it has: ask its vendor for their rating."),
        ]
    rows: list[tuple[object, object]] = [
        ("Warranty ends after", f"{wear.warranty_s}, by the calendar"),
        ("Rating used up after", f"{wear.rated_life_s}, what the vendor honours"),
        ("Flash worn after", f"{wear.wear_life_s}, by the write amplification of this load"),
        ("Replace after", f"{life.replace_after_s}, the earlier of both, ten years at most"),
        ("Law of the duty", _duty(plan, life)),
        ("To last the term", _longer(life)),
    ]
    return [*topic("Life of the drives", "lifetime"), *pairs(rows)]


def _duty(plan: Plan, life: LifetimePlan) -> str:
    return (
        f"drives just fast enough for a save of {life.target_s} are written {life.duty_dwpd}; they are rated for "
        f"{plan.endurance.endurance_dwpd}, which lasts for saves of up to {life.longest_save_s}, without a margin"
    )


def _longer(life: LifetimePlan) -> str:
    if not life.added_count.known:
        return "unknown: the rating is not in the catalogue"
    if life.added_count.number == 0:
        return f"the rating lasts the term of {life.wanted_s}: no drives to add"
    return f"{life.wanted_s} take {counted(life.needed_count.number, 'drive')}, {counted(life.added_count.number, 'drive')} more"


def durability(plan: Plan) -> list[Flowable]:
    """How likely a loss is and what it costs; how long checkpoints are out of reach."""
    found = plan.durability
    if found is None:
        return [
            *topic("Chance of a loss", "durability"),
            text(
                "The platform has protection of its own: its vendor has to state durability and availability."
            ),
        ]
    rows = [
        (
            clean(case.name, limit=LONGEST) + (" (this design)" if case.design else ""),
            odds(case.loss_fraction),
            yearly_words(case.cost_usd_per_year),
        )
        for case in found.cases
    ]
    return [
        *topic("Chance of a loss", "durability"),
        text(
            f"A loss makes training repeat at most {found.rollback_s} from the copy on the cold tier, {found.loss_usd} of "
            "GPU time."
        ),
        *table(("If", "Chance in a year", "Costs, times its chance"), rows, (0.56, 0.2, 0.24)),
        text(_reach(found)),
    ]


def _reach(found: DurabilityPlan) -> str:
    """Availability in words: how many nodes may be away, and for how long more are."""
    count = found.domains_lost_count.number
    nodes = "No storage node may" if count == 0 else f"{counted(count, 'storage node')} may"
    return (
        f"{nodes} be away. With each node away {found.node_away_fraction} of the time, checkpoints are out of reach for "
        f"{found.away_s} in a year; if all of it fell into training, idle GPUs would cost "
        f"{yearly_words(found.outage_usd_per_year)}."
    )
