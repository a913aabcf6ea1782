"""The section on power and racks: watts by part, rack and row; elevations; feeds; the site's limits."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages._ui import kit_sites, session, site_names, views
from pages._ui.figures import picture, quantity_rows, table, text, why_one
from pages._ui.markup import bold, escaped
from pages._ui.verdicts import VERDICTS, check_line, merged
from planner import charts
from planner.core.quantity import Quantity
from planner.core.units import counted
from planner.documents.elevations import SIDES, elevation, elevation_svg
from planner.plan import Plan
from planner.sections.provider import SiteLine
from planner.sections.racks import Rack
from planner.sections.rows import alike, fullest, kind_title
from planner.summary import figures as all_figures

MOST_KINDS = 20
"""Kinds of racks in the table: the fullest; each can be chosen."""
PICTURE_WIDTH = 340


def power(plan: Plan) -> None:
    """Watts, rack units and racks; where everything stands; feeds and limits of the site; other sites."""
    views.one_of(
        "ui.power",
        "View of power and racks",
        {"Power": watts, "Racks": racks, "Feeds and site": site, "Several sites": kit_sites.several},
        plan,
    )


# --- watts ------------------------------------------------------------------------------------------------


def watts(plan: Plan) -> None:
    """Power and space part by part, the guide's figures beside, and the sums."""
    picture(charts.rack_power_chart, plan, "chart.power")
    for check in fullest(plan.racks).checks:
        st.markdown(check_line(check))
    table(
        [
            {
                "Part": escaped(row.name),
                "Count": text(row.count),
                "Typical each": text(row.typical_w),
                "Maximum each": text(row.max_w),
                "Rack units each": text(row.rack_units_ru),
                "Typical": text(row.total_typical_w),
                "Maximum": text(row.total_max_w),
                "Rack units": text(row.total_ru),
            }
            for row in plan.facility.rows
        ],
        alt="Power and space by part",
    )
    _guide(plan)
    sums = _sums(plan)
    table(quantity_rows({"All racks": sums}), alt="Power, cooling and space of all racks")
    why_one("power", merged(all_figures(plan), "Power and racks") | sums)


def _guide(plan: Plan) -> None:
    """The guide's watts beside the catalogue's."""
    rows = [row for row in plan.guide if row.design.unit == "W"]
    if rows:
        table(
            [
                {
                    "The guide says": escaped(row.quantity),
                    "Guide": escaped(row.guide_text),
                    "This design": escaped(row.design_text),
                    "Verdict": VERDICTS[row.verdict],
                }
                for row in rows
            ],
            alt="The guide's watts beside the catalogue's",
        )
        st.markdown("\n".join(f"- {bold(row.quantity)}: {escaped(row.reason)}" for row in rows))


def _sums(plan: Plan) -> dict[str, Quantity]:
    layout, facility = plan.racks, plan.facility
    return {
        "Racks": layout.rack_count,
        "of storage and network": layout.storage_rack_count,
        "of GPU nodes": layout.gpu_rack_count,
        "Power, typical": layout.typical_w,
        "Power, maximum": layout.max_w,
        "Apparent power": layout.apparent_va,
        "At start-up, all at once": layout.startup_w,
        "Energy in a year, at the site's PUE": facility.energy_kwh_per_year,
        "Power and cooling in a year": facility.energy_usd_per_year,
        "Heat": layout.btu_per_hour,
        "Cooling": layout.cooling_tons,
        "Heat to air": layout.air_w,
        "Heat to liquid": layout.liquid_w,
        "Air": layout.airflow_m3_per_hour,
        "Air, CFM": layout.airflow_cfm,
        "Rack units used": layout.used_ru,
        "Weight": layout.weight_kg,
        "Power that is not placed": layout.unplaced_max_w,
    }


# --- racks ------------------------------------------------------------------------------------------------


def racks(plan: Plan) -> None:
    """Every kind of rack and every row with its figures, and one of them from the front and the rear."""
    kinds = alike(plan.racks)
    if plan.racks.unplaced:
        st.markdown(
            f"▲ Not placed, height unknown or above a rack's: {escaped('; '.join(plan.racks.unplaced))}"
        )
    shown = sorted(kinds, key=lambda racks: -racks[0].max_w.number)[:MOST_KINDS]
    table(
        [_line(racks) for racks in sorted(shown, key=lambda racks: racks[0].number)],
        alt="Racks with their figures; those that are filled alike stand once",
    )
    if len(kinds) > len(shown):
        st.caption(f"The {len(shown)} fullest of {counted(len(kinds), 'kind')} of racks.")
    table(
        [
            {
                "Row": row.title,
                "Racks": escaped(row.racks),
                "Typical": text(row.typical_w),
                "Maximum": text(row.max_w),
                "Weight": text(row.weight_kg),
                "Heat": text(row.btu_per_hour),
            }
            for row in plan.rack_rows[:MOST_KINDS]
        ],
        alt="Rows of racks",
    )
    _one(plan, kinds)


def _line(racks: Sequence[Rack]) -> dict[str, str]:
    rack = racks[0]
    return {
        "Rack": escaped(kind_title(racks)),
        "Used": text(rack.used_ru),
        "Typical": text(rack.typical_w),
        "Maximum": text(rack.max_w),
        "Weight": text(rack.weight_kg),
        "Each feed": text(rack.feed_a_amps),
        "One alone": text(rack.feed_alone_amps),
        "Density": rack.density,
        "Limits": _limits(rack),
    }


def _limits(rack: Rack) -> str:
    failed = [check.name.lower() for check in rack.checks if check.verdict == "fail"]
    return f"{VERDICTS['fail']}: {escaped(', '.join(failed))}" if failed else VERDICTS["pass"]


def _one(plan: Plan, kinds: list[list[Rack]]) -> None:
    """One rack: choose it, see it from both sides, read its figures."""
    names = [kind_title(racks) for racks in kinds]
    if session.get("ui.rack") not in names:
        session.put("ui.rack", names[0])
    st.selectbox("Rack in view", names, key="ui.rack", persist_state="session", width=360)
    chosen = kinds[names.index(session.get("ui.rack"))]
    rack = chosen[0]
    held = ", ".join(f"{count} × {name}" for name, count in rack.held().items())
    st.markdown(f"{bold(names[kinds.index(chosen)])}: {escaped(held or 'empty')}.")
    for check in rack.checks:
        st.markdown(check_line(check))
    prefixes = site_names.addressing_of(site_names.usable_names()).prefixes
    with st.container(horizontal=True):
        for side in SIDES:
            drawn = elevation(
                chosen, side, reserved_ru=plan.scenario.site.rack_reserved_ru, prefixes=prefixes
            )
            st.image(elevation_svg(drawn), width=PICTURE_WIDTH, alt=drawn.alt)
    figures = {
        "Power, typical": rack.typical_w,
        "Power, maximum": rack.max_w,
        "Apparent power": rack.apparent_va,
        "At start-up": rack.startup_w,
        "Current of each feed": rack.feed_a_amps,
        "Current with the other feed lost": rack.feed_alone_amps,
        "Circuits": rack.circuit_count,
        "Heat": rack.btu_per_hour,
        "Heat to air": rack.air_w,
        "Heat to liquid": rack.liquid_w,
        "Air": rack.airflow_m3_per_hour,
        "Air, CFM": rack.airflow_cfm,
        "Rack units used": rack.used_ru,
        "Weight": rack.weight_kg,
        "Floor load": rack.floor_kg_per_m2,
    }
    table(quantity_rows({names[kinds.index(chosen)]: figures}), alt="Figures of the rack in view")
    why_one("rack", figures)


def _sides(line: SiteLine) -> tuple[Quantity, Quantity]:
    """What the site gives, and what the design needs or stands: of an inlet the equipment is what may be exceeded."""
    check = line.check
    if line.path == "site.inlet_celsius":
        return check.required, check.provided
    return check.provided, check.required


# --- feeds and the site -------------------------------------------------------------------------------------


def site(plan: Plan) -> None:
    """Feeds A and B with the loss of one, the circuit, and every limit of the site."""
    picture(charts.feeds_chart, plan, "chart.feeds")
    circuits = plan.racks.circuits
    st.markdown(
        f"Circuits: {text(plan.racks.circuit_count)} of {bold(circuits.label)}, A and B in each rack. Outlet: "
        f"{bold(circuits.receptacle)} ({escaped(circuits.receptacle_source)})."
    )
    figures = {
        item.label: item
        for item in (
            circuits.feed_volts,
            circuits.breaker_amps,
            circuits.continuous_fraction,
            circuits.usable_amps,
            circuits.usable_va,
            circuits.circuit_w,
        )
    }
    table(quantity_rows({"One circuit": figures}), alt="What one circuit may carry")
    lines = plan.site_lines
    table(
        [
            {
                "Limit": escaped(line.check.name),
                "Verdict": VERDICTS[line.verdict],
                "Site": text(_sides(line)[0]),
                "Design": text(_sides(line)[1]),
            }
            for line in lines
        ],
        alt="Limits of the site against the design",
    )
    questions = [line.ask for line in lines if line.verdict == "question"]
    if questions:
        st.markdown("**To ask the provider**")
        st.markdown("\n".join(f"- {escaped(question)}" for question in questions))
    why_one("site", figures | {line.check.name: line.check.required for line in lines})
