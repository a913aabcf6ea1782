"""The section on tiers: their size and why, from raw to safe, a day of saves and copies, the architecture."""

from __future__ import annotations

import functools
from collections.abc import Mapping

import streamlit as st

from pages._ui import views
from pages._ui.figures import picture, quantity_rows, table, text, why_one
from pages._ui.markup import bold, escaped
from pages._ui.verdicts import check_line, named_jobs
from planner import charts
from planner.core.quantity import Quantity
from planner.core.units import counted, sentence
from planner.plan import Plan
from planner.sections.architecture import WEIGHTS
from planner.sections.day import DrainDay
from planner.sections.ladder import Ladder
from planner.sections.reasons import because
from planner.summary import figures as all_figures


def tiers(plan: Plan) -> None:
    """Every tier: size, bandwidth and what decides it; capacity step by step; drain; architecture."""
    views.one_of(
        "ui.tiers",
        "View of the tiers",
        {"Sizes": sizes, "Raw to safe": ladders, "Drain and retention": drain, "Architecture": architecture},
        plan,
    )


# --- sizes ------------------------------------------------------------------------------------------------


def sizes(plan: Plan) -> None:
    """What each tier holds and brings, and which demand made it so large."""
    picture(charts.tiers_chart, plan, "chart.tiers")
    st.markdown("\n".join(f"- {bold(tier.name)}: {escaped(because(tier))}." for tier in plan.tiers))
    columns: dict[str, Mapping[str, Quantity]] = {}
    for tier in plan.tiers:
        columns[tier.name] = {
            "Contents": tier.demand.content_bytes,
            "Units": tier.unit_count,
            "Drives": tier.drive_count,
            "Drive": tier.drive_bytes,
            "Raw": tier.raw_bytes,
            "Usable": tier.usable_bytes,
            "Safe to fill": tier.safe_bytes,
            "Usable needed": tier.needed_bytes,
            "Write, needed": tier.demand.write_bytes_per_s,
            "Write, provided": tier.write_bytes_per_s,
            "Read, needed": tier.demand.read_bytes_per_s,
            "Read, provided": tier.read_bytes_per_s,
            "Steady load": tier.steady_fraction,
        }
    rows = quantity_rows(columns)
    rows.append({"Figure": "Platform"} | {escaped(t.name): escaped(t.platform.name) for t in plan.tiers})
    rows.append(
        {"Figure": "Decided by"} | {escaped(t.name): _decided(t.binding, t.following) for t in plan.tiers}
    )
    table(rows, alt="Tiers side by side")
    st.markdown("**What each demand asks for, not rounded**")
    asked = {
        f"{tier.name}, {tier.term_unit}": {sentence(name): term for name, term in tier.terms.items()}
        for tier in plan.tiers
    }
    table(quantity_rows(asked), alt="Drives or units that each demand asks for")
    every = all_figures(plan)
    why_one("tiers", {f"{t.name}: {label}": q for t in plan.tiers for label, q in every[t.name].items()})


def _decided(binding: str, following: str) -> str:
    return f"{bold(binding)}" + (f", then {escaped(following)}" if following else "")


# --- from raw to safe -----------------------------------------------------------------------------------------


def ladders(plan: Plan) -> None:
    """From what is bought to what may be filled, with every deduction."""
    picture(charts.ladder_chart, plan, "chart.ladder")
    for ladder in plan.ladders:
        st.markdown(
            f"{bold(ladder.tier)}: {text(ladder.raw_bytes)} raw, {text(ladder.steps[-1].left_bytes)} may be "
            f"filled, {text(ladder.content_bytes)} lie there."
        )
        table(_steps(ladder), alt=f"From raw to safe capacity: {ladder.tier}")
        if ladder.heal is not None:
            st.markdown(check_line(ladder.heal))
    why_one("ladders", {label: item for ladder in plan.ladders for label, item in _named(ladder).items()})


def _steps(ladder: Ladder) -> list[dict[str, str]]:
    first = {"Step": "raw", "Takes": "", "Leaves": text(ladder.raw_bytes), "How": "as bought"}
    return [
        first,
        *(
            {
                "Step": escaped(step.name),
                "Takes": text(step.taken_bytes),
                "Leaves": text(step.left_bytes),
                "How": escaped(step.note),
            }
            for step in ladder.steps
        ),
    ]


def _named(ladder: Ladder) -> dict[str, Quantity]:
    found = {f"{ladder.tier}: raw": ladder.raw_bytes}
    for step in ladder.steps:
        found[f"{ladder.tier}: {step.name} takes"] = step.taken_bytes
        found[f"{ladder.tier}: after {step.name}"] = step.left_bytes
    return found


# --- a day of saves and copies --------------------------------------------------------------------------------


def drain(plan: Plan) -> None:
    """When saves are copied down, what that takes from the reads, and how the cold tier fills."""
    columns: dict[str, Mapping[str, Quantity]] = {}
    for index, (name, result) in enumerate(named_jobs(plan)):
        day = plan.drain_day(index)
        picture(functools.partial(charts.day_chart, index=index), plan, f"chart.day.{index}")
        st.markdown(f"{bold(name)}: {escaped(_kept(plan, index, day))}.")
        columns[name] = {
            "Time between copies": day.period_s,
            "Drain rate needed": day.needed_bytes_per_s,
            "Rate of a copy": day.rate_bytes_per_s,
            "Time of a copy": day.drain_s,
            "Share of the hot tier's reads meanwhile": day.read_share_fraction,
            "Archived checkpoints": result.job.checkpoint.archived_bytes,
        }
    table(quantity_rows(columns), alt="Copies to the cold tier by job")
    kept = plan.retention
    cold = {
        "Fixed contents": kept.fixed_bytes,
        "Kept each day, all jobs": kept.growth_bytes_per_day,
        "Kept in 30 days, all jobs": plan.drain_day(0).month_bytes,
        "May be filled": plan.tiers[-1].safe_bytes,
        "Full after": kept.full_after_s,
    }
    table(quantity_rows({plan.tiers[-1].name: cold}), alt="How the cold tier fills")
    why_one(
        "drain", {f"{name}: {label}": q for name, rows in columns.items() for label, q in rows.items()} | cold
    )


def _kept(plan: Plan, index: int, day: DrainDay) -> str:
    """What a job keeps where, in a sentence."""
    policy = plan.scenario.jobs[index].checkpoint
    hot = f"the hot tier keeps {counted(policy.retained_count, 'checkpoint')} and the one that is written"
    every = "every save is" if policy.cold_every_count == 1 else f"one save of {policy.cold_every_count} is"
    if policy.cold_keep_all:
        cold = f"{every} copied to the cold tier and kept"
    else:
        cold = (
            f"{every} copied to the cold tier and kept {counted(policy.cold_keep_days, 'day')}; "
            f"{counted(policy.milestones_per_day, 'milestone')} a day "
            f"{'stays' if policy.milestones_per_day == 1 else 'stay'} for the run"
        )
    pace = "copies fall behind" if day.behind else "copies keep up"
    return f"{hot}; {cold}; {pace}"


# --- architecture -----------------------------------------------------------------------------------------------


def architecture(plan: Plan) -> None:
    """Points of each architecture with their reasons, and the namespaces that the access model needs."""
    st.markdown(
        f"Architecture: {bold(plan.architecture.choice.label)}, "
        f"{escaped(plan.architecture.choice.reason)}. "
        f"{escaped(plan.architecture.access)}"
    )
    table(
        [
            {"Architecture": escaped(score.label), "Points": str(score.total)}
            | {
                escaped(f"{name} (×{weight})"): escaped(f"{score.points[name]}: {score.reasons[name]}")
                for name, weight in WEIGHTS.items()
            }
            for score in plan.architecture.scores
        ],
        alt="Architectures by points",
    )
    table(
        [
            {
                "Namespaces for": escaped(item.purpose),
                "Count": text(item.count),
                "Size": text(item.size_bytes),
                "Mounted by": escaped(item.hosts),
                "File system": escaped(item.file_system),
            }
            for item in plan.architecture.namespaces
        ],
        alt="Namespaces",
    )
