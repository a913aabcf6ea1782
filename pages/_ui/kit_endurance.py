"""The section on endurance and protection: wear, schemes on the same drives, durability and availability."""

from __future__ import annotations

from datetime import date

import streamlit as st

from pages._ui import session, views
from pages._ui.figures import picture, quantity_rows, table, text, why_one
from pages._ui.markup import bold, escaped
from pages._ui.verdicts import VERDICTS, check_line, merged
from planner import charts
from planner.core.quantity import Quantity
from planner.core.units import counted
from planner.plan import Plan
from planner.sections.durability import DurabilityPlan, odds, yearly_words
from planner.sections.lifetime import LifetimePlan, date_after
from planner.summary import figures as all_figures

START = "ui.operation"
_CAUTION = (
    "Drive failures alone are counted: not errors of people or software, not fire. Beyond 1 in 1 billion the model is "
    "the limit and not the system. What is assumed moves the chance by more than the scheme does: compare with it, "
    "promise nothing."
)


def endurance(plan: Plan) -> None:
    """Writes against the rating, what each scheme makes of the drives, and how likely a loss is."""
    views.one_of(
        "ui.endurance",
        "View of endurance and protection",
        {"Wear": wear, "Protection schemes": schemes, "Durability and availability": durability},
        plan,
    )


# --- wear -----------------------------------------------------------------------------------------------------


def wear(plan: Plan) -> None:
    """Two lives of the drives, when they are replaced, and how many more a longer life takes."""
    picture(charts.endurance_chart, plan, "chart.endurance")
    st.markdown(check_line(plan.endurance.check))
    life = plan.lifetime
    if life is None:
        st.markdown("The platform does not say which drives it has: ask its vendor for their rating.")
    else:
        st.markdown(_duty(plan, life))
        _dates(plan, life)
        st.markdown(_longer(life))
    rows = all_figures(plan)["Endurance"]
    table(quantity_rows({plan.hot.name: rows}), alt="Writes, rating and lives")
    why_one("endurance", merged(all_figures(plan), "Endurance") | _life_figures(life))


def _duty(plan: Plan, life: LifetimePlan) -> str:
    """The law of the duty in words: only the share of time that is spent writing counts."""
    rating = plan.endurance.endurance_dwpd
    head = (
        f"{bold('Law of the duty')}: drives that are just fast enough for a save of {text(life.target_s)} are written "
        f"{text(life.duty_dwpd)}, whatever the checkpoint's size and the scheme; they are rated for {text(rating)}. "
    )
    if life.bandwidth_covers:
        return head + (
            f"Saves of up to {text(life.longest_save_s)} would do, by the rating without a margin: whoever buys for "
            "bandwidth has the endurance too."
        )
    return head + (
        f"Only saves of up to {text(life.longest_save_s)} would do, by the rating without a margin: endurance asks for "
        "more drives than bandwidth."
    )


def _dates(plan: Plan, life: LifetimePlan) -> None:
    """When the warranty ends, the rating is used up, the flash is worn, and the drives are replaced."""
    if session.get(START) is None:
        session.put(START, session.today())
    st.date_input("In operation from", key=START, persist_state="session", width=220)
    begin = session.get(START)
    told = plan.endurance
    rows = (
        ("Warranty ends", told.warranty_s, "by the calendar"),
        ("Rating used up", told.rated_life_s, "what the vendor honours: host writes with parity"),
        ("Flash worn", told.wear_life_s, "by the write amplification of this load instead of the rating's"),
        ("Replace by", life.replace_after_s, "the earlier of both, ten years at most"),
    )
    table(
        [
            {"Life": name, "After": text(span), "On": _day(begin, span), "How": words}
            for name, span, words in rows
        ],
        alt="Lives of the drives and the dates on which they end",
    )


def _day(begin: object, span: Quantity) -> str:
    found = date_after(begin, span) if isinstance(begin, date) else None
    return found.isoformat() if found else "not in sight"


def _longer(life: LifetimePlan) -> str:
    if not life.added_count.known:
        return "How many drives a longer life takes is unknown: the rating is not in the catalogue."
    if life.added_count.number == 0:
        return f"The rating lasts the term of {text(life.wanted_s)}: no drives to add."
    return (
        f"To last the term of {text(life.wanted_s)} the pool needs {bold(life.needed_count.text())} drives: "
        f"{bold(counted(life.added_count.number, 'drive'))} more."
    )


def _life_figures(life: LifetimePlan | None) -> dict[str, Quantity]:
    if life is None:
        return {}
    items = (life.duty_dwpd, life.longest_save_s, life.replace_after_s, life.needed_count, life.added_count)
    return {item.label: item for item in items}


# --- schemes --------------------------------------------------------------------------------------------------


def schemes(plan: Plan) -> None:
    """Every scheme on the drives that the design has, within its protection domain."""
    chosen = plan.protection
    if plan.schemes:
        picture(charts.schemes_chart, plan, "chart.schemes")
    st.markdown(
        f"Protection: {bold(chosen.scheme_label)} over {escaped(chosen.domain)}s; {escaped(chosen.survives)}."
    )
    if plan.schemes:
        hot = plan.hot
        st.markdown(
            f"The same {text(hot.drive_count)} drives of {text(hot.drive_bytes)} in "
            f"{counted(hot.unit_count.number, 'node')} under each scheme:"
        )
        table(_on_drives(plan), alt="Protection schemes on the same drives")
        st.markdown("\n".join(_notes(plan)))
        st.caption(_CAUTION)
    else:
        st.markdown("The platform has protection of its own; the schemes below are for comparison alone.")
        table(_on_data(plan), alt="Protection schemes on the same data")
    _stripes(plan)
    why_one(
        "schemes",
        {
            f"{row.label}: {item.label}": item
            for row in plan.schemes
            for item in (
                row.usable_bytes,
                row.write_ratio,
                row.rebuild_s,
                row.write_bytes_per_s,
                row.degraded_write_bytes_per_s,
                row.loss_fraction,
            )
        },
    )


def _notes(plan: Plan) -> list[str]:
    """Where each scheme spreads its parts; schemes of the same note together."""
    found: dict[str, list[str]] = {}
    for row in plan.schemes:
        found.setdefault(row.note, []).append(row.label)
    return [f"- {bold('; '.join(labels))}: {escaped(note)}." for note, labels in found.items()]


def _on_drives(plan: Plan) -> list[dict[str, str]]:
    rows = []
    for number, row in enumerate(plan.schemes):
        rows.append(
            {
                "Scheme": bold(f"{row.label} (this design)") if number == 0 else escaped(row.label),
                "Usable": text(row.usable_bytes),
                "Write factor": text(row.write_ratio),
                "Failures survived": str(row.failures_count),
                "Domains needed": f"{row.domains_count} {VERDICTS['pass' if row.fits else 'fail']}",
                "Rebuild": text(row.rebuild_s),
                "Write": text(row.write_bytes_per_s),
                "Write, one lost": text(row.degraded_write_bytes_per_s),
                "Chance of loss in a year": escaped(odds(row.loss_fraction)),
            }
        )
    return rows


def _on_data(plan: Plan) -> list[dict[str, str]]:
    return [
        {
            "Scheme": escaped(row.scheme.label),
            "Raw for one usable": text(row.protection_ratio),
            "Raw": text(row.raw_bytes),
            "Failures survived": str(row.failures_count),
            "Width": str(row.width_count),
            "Rebuild": text(row.rebuild_s),
            "Chance of loss in a year": escaped(odds(row.loss_fraction)),
        }
        for row in plan.protection.rows
    ]


def _stripes(plan: Plan) -> None:
    stripe = plan.protection.stripe
    if stripe is not None:
        st.markdown(
            f"Stripes: chunks of {text(stripe.chunk_bytes)} make a full stripe of {text(stripe.full_stripe_bytes)}; "
            f"{text(stripe.aligned_fraction)} of a write of {text(stripe.block_bytes)} fills whole stripes. Writes that "
            f"begin anywhere cost up to {text(stripe.unaligned_ratio)} on the drives."
        )


# --- durability -------------------------------------------------------------------------------------------------


def durability(plan: Plan) -> None:
    """How likely a loss is and what it costs; how long checkpoints are out of reach."""
    found = plan.durability
    if found is None:
        st.markdown(
            "The platform has protection of its own: its vendor has to state durability and availability."
        )
        return
    own = next(case for case in found.cases if case.design)
    st.markdown(
        f"{bold('Durability')}: the hot tier loses a checkpoint with a chance of {bold(odds(own.loss_fraction))} in a "
        f"year. A loss makes training repeat at most {text(found.rollback_s)} from the copy on the cold tier, "
        f"{text(found.loss_usd)} of GPU time."
    )
    table(
        [
            {
                "If": escaped(case.name) + (" (this design)" if case.design else ""),
                "Chance in a year": escaped(odds(case.loss_fraction)),
                "Costs, times its chance": escaped(yearly_words(case.cost_usd_per_year)),
            }
            for case in found.cases
        ],
        alt="Chance of a loss under each assumption",
    )
    st.markdown(_reach(found))
    st.caption(_CAUTION)
    why_one("durability", _loss_figures(found))


def _loss_figures(found: DurabilityPlan) -> dict[str, Quantity]:
    single = (
        found.rollback_s,
        found.loss_usd,
        found.node_away_fraction,
        found.domains_lost_count,
        found.unavailable_fraction,
        found.away_s,
        found.outage_usd_per_year,
    )
    return (
        {f"Chance if {case.name}": case.loss_fraction for case in found.cases}
        | {f"Cost if {case.name}": case.cost_usd_per_year for case in found.cases}
        | {item.label: item for item in single}
    )


def _reach(found: DurabilityPlan) -> str:
    """Availability in words: how many nodes may be away, and for how long more are."""
    count = found.domains_lost_count.number
    nodes = "No storage node may" if count == 0 else f"{counted(count, 'storage node')} may"
    return (
        f"{bold('Availability')}: {escaped(nodes)} be away. With each node away {text(found.node_away_fraction)} of the "
        f"time, checkpoints are out of reach for {text(found.away_s)} in a year; if all of it fell into training, idle "
        f"GPUs would cost {escaped(yearly_words(found.outage_usd_per_year))}."
    )
