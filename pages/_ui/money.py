"""The section on cost: the totals, the whole bill, the term, and the guide's prices beside the parts."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages._ui import views
from pages._ui.figures import picture, quantity_rows, table, text, why_one
from pages._ui.markup import bold, escaped
from planner import charts
from planner.bom import BomLine
from planner.bom.lines import not_priced
from planner.core.quantity import Quantity
from planner.core.units import counted, format_range
from planner.plan import Plan
from planner.sections.completeness import gaps_words
from planner.sections.term import TermPlan, middle
from planner.summary import figures as all_figures


def cost(plan: Plan) -> None:
    """What the design costs, line by line, over the term, and by the guide."""
    views.one_of(
        "ui.cost",
        "View of the cost",
        {"Total": total, "Bill": bill, "Over the term": term, "Beside the guide": beside},
        plan,
    )


def _money(low: Quantity, high: Quantity) -> str:
    if not (low.known and high.known):
        return "not priced"
    return escaped(format_range(low.number, high.number, "USD"))


# --- total ------------------------------------------------------------------------------------------------


def total(plan: Plan) -> None:
    """The equipment by group, the totals, and what the bill still lacks."""
    picture(charts.cost_chart, plan, "chart.cost")
    st.markdown(f"Prices: {bold(plan.cost.price_set.label)}, {escaped(plan.cost.price_set.reason)}.")
    whole = plan.bill
    st.markdown(
        f"The whole bill with cables, racks, software and services: {bold(whole.total_text)}; spare parts "
        f"{_money(whole.spares_low_usd, whole.spares_high_usd)} on top."
    )
    rows = all_figures(plan)["Cost"]
    own = {
        "Whole bill, low": whole.low_usd,
        "Whole bill, middle": middle(whole.low_usd, whole.high_usd, "Whole bill, middle"),
        "Whole bill, high": whole.high_usd,
        "Spare parts, low": whole.spares_low_usd,
        "Spare parts, high": whole.spares_high_usd,
    }
    table(quantity_rows({"Design": {**own, **rows}}), alt="Totals")
    _gaps(plan)
    why_one("cost", {**own, **rows})


def _gaps(plan: Plan) -> None:
    """What is missing before the bill can be quoted."""
    gaps = plan.bill.gaps
    if not gaps:
        st.markdown(
            ":green[✔] Complete: every port has an optic and a cable, every drive a bay, every supply an outlet."
        )
        return
    st.markdown(f"{bold(gaps_words(gaps))}:")
    st.markdown(
        "\n".join(
            f"- {'●' if gap.minor else '▲'} {bold(gap.part)}: {escaped(gap.text)}; {escaped(gap.ask)}"
            + (" (the vendor may fill it in)" if gap.minor else "")
            for gap in gaps
        )
    )


# --- bill -------------------------------------------------------------------------------------------------


def bill(plan: Plan) -> None:
    """Every line of the bill, folded by group."""
    whole = plan.bill
    st.markdown(f"{counted(len(whole.lines), 'line')}: {bold(whole.total_text)}.")
    for name, lines in whole.groups.items():
        title = f"{name}: {whole.group_text(name)} ({counted(len(lines), 'line')})"
        expander = st.expander(escaped(title), key=f"ui.bill.{name}", on_change="rerun")
        if expander.open:
            with expander:
                _group(name, lines)
    sources = dict.fromkeys(line.price_source for line in whole.lines if line.priced)
    with st.expander(f"Where the prices come from ({counted(len(sources), 'source')})"):
        st.markdown("\n".join(f"- {escaped(source)}" for source in sources))


def _group(name: str, lines: Sequence[BomLine]) -> None:
    """The lines of a group in two tables: money, and the parts themselves; one would be wider than the page."""
    table(
        [
            {
                "Part": escaped(line.title),
                "Together": _money(line.extended_low_usd, line.extended_high_usd),
                "Quantity": text(line.quantity) + ("" if line.unit == "each" else f" {escaped(line.unit)}"),
                "Spares": text(line.spare_count),
                "Each": _money(line.price_low_usd, line.price_high_usd),
                "Price": escaped(", ".join(part for part in (line.price_grade, line.price_as_of) if part)),
            }
            for line in lines
        ],
        alt=f"{name}: quantities and prices",
    )
    table(
        [
            {
                "Part": escaped(line.title),
                "Maker, number": escaped(", ".join(part for part in (line.maker, line.part_id) if part)),
                "Watts": _each(line.watts_w),
                "Rack units": _each(line.rack_units_ru),
                "Weight": _each(line.weight_kg),
                "Racks": escaped(line.racks),
                "Delivery": escaped(line.lead_time or "ask the vendor"),
                "Because of": escaped(line.cause),
            }
            for line in lines
        ],
        alt=f"{name}: parts, places and causes",
    )


def _each(item: Quantity) -> str:
    """A figure of one part; nothing where it is counted with the machine that the part is inside."""
    return text(item) if item.number else ""


# --- term -------------------------------------------------------------------------------------------------


def term(plan: Plan) -> None:
    """Capital, energy, space, support and replacement over the term, against idle GPUs."""
    found = plan.term
    picture(charts.term_chart, plan, "chart.term")
    table(_kinds(found), alt="Cost over the term by kind")
    notes = [f"{bold(line.name)}: {escaped(line.note)}" for line in found.lines]
    if found.not_priced:
        notes.append(f"{bold('Not priced')}, and left out: {escaped(', '.join(found.not_priced))}")
    notes.append("Middle: no typical price is on file, so the middle of each range stands for it")
    st.markdown("\n".join(f"- {note}." for note in notes))
    table(_units(found), alt="Cost over the term for each unit of what it is for")
    st.markdown(
        f"GPU time lost to saves, restarts and repeated work costs {bold(found.idle_usd.text())} over the same "
        f"{text(found.term_s)}: {text(found.idle_ratio)} what the storage costs at the high end."
    )
    why_one("term", _term_figures(found))


def _kinds(found: TermPlan) -> list[dict[str, str]]:
    """Each kind of cost at the low end, the middle and the high end, and all together."""
    rows = [(escaped(line.name), line.low_usd, line.middle_usd, line.high_usd) for line in found.lines]
    rows.append((bold(f"Together over {found.term_s}"), found.low_usd, found.middle_usd, found.high_usd))
    return [
        {"Cost": name, "Low": _or_not(low), "Middle": _or_not(middle_), "High": _or_not(high)}
        for name, low, middle_, high in rows
    ]


def _units(found: TermPlan) -> list[dict[str, str]]:
    """The same for each terabyte, GPU and save."""
    units = (
        ("For each usable TB", found.per_tb_low_usd, found.per_tb_high_usd, None),
        (
            "For each effective TB and month",
            found.effective_low_usd_per_tb_month,
            found.effective_high_usd_per_tb_month,
            None,
        ),
        ("For each GPU", found.per_gpu_low_usd, found.per_gpu_high_usd, None),
        ("For each checkpoint", found.per_save_low_usd, found.per_save_high_usd, found.idle_per_save_usd),
    )
    return [
        {
            "Storage": name,
            "Low": text(low),
            "High": text(high),
            "Idle GPUs": text(idle) if idle is not None else "",
        }
        for name, low, high, idle in units
    ]


def _or_not(item: Quantity) -> str:
    return text(item) if item.known else "not priced"


def _term_figures(found: TermPlan) -> dict[str, Quantity]:
    items = {f"{line.name}, low": line.low_usd for line in found.lines}
    items |= {f"{line.name}, high": line.high_usd for line in found.lines}
    return items | {
        "Together, low": found.low_usd,
        "Together, middle": found.middle_usd,
        "Together, high": found.high_usd,
        "For each usable TB, low": found.per_tb_low_usd,
        "For each usable TB, high": found.per_tb_high_usd,
        "For each effective TB and month, low": found.effective_low_usd_per_tb_month,
        "For each effective TB and month, high": found.effective_high_usd_per_tb_month,
        "For each GPU, low": found.per_gpu_low_usd,
        "For each GPU, high": found.per_gpu_high_usd,
        "For each checkpoint, low": found.per_save_low_usd,
        "For each checkpoint, high": found.per_save_high_usd,
        "Idle GPU time": found.idle_usd,
        "Idle GPU time for each checkpoint": found.idle_per_save_usd,
        "Idle GPU time over the storage": found.idle_ratio,
    }


# --- beside the guide -------------------------------------------------------------------------------------


def beside(plan: Plan) -> None:
    """Each tier at the guide's price per TB beside the parts that it takes, and why they differ."""
    st.markdown(
        f"By the guide's prices per TB the tiers cost {bold(_plain(plan.cost.guide_low_usd, plan.cost.guide_high_usd))}; "
        f"all parts, those of the network too, {bold(_plain(plan.cost.parts_low_usd, plan.cost.parts_high_usd))}. The two are never added."
    )
    table(
        [
            {
                "Tier": escaped(row.tier),
                "Usable": text(row.usable_bytes),
                "The guide's price": _money(row.guide_low_usd, row.guide_high_usd),
                "Parts": _money(row.parts_low_usd, row.parts_high_usd)
                + (f" + {not_priced(row.parts_missing, 'equipment')}" if row.parts_missing else ""),
                "Times, low ends": text(row.times_low_ratio),
            }
            for row in plan.guide_beside
        ],
        alt="Each tier by the guide's price and by its parts",
    )
    st.markdown("\n".join(f"- {bold(row.tier)}: {escaped(row.reason)}." for row in plan.guide_beside))
    why_one(
        "beside",
        {
            f"{row.tier}: {item.label}": item
            for row in plan.guide_beside
            for item in (
                row.guide_low_usd,
                row.guide_high_usd,
                row.parts_low_usd,
                row.parts_high_usd,
                row.times_low_ratio,
            )
        },
    )


def _plain(low: Quantity, high: Quantity) -> str:
    return format_range(low.number, high.number, "USD")
