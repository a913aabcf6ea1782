"""Growth: state how demand grows, read when each limit is passed, and what to add in which year."""

from __future__ import annotations

import streamlit as st

from pages._ui import answers, figures, held, opening, session
from pages._ui.figures import dark, shown, table
from pages._ui.markup import bold, escaped
from planner.charts.growth import growth_figure
from planner.core.errors import PlannerError
from planner.core.quantity import Quantity
from planner.core.units import counted, format_range, parse_count, parse_value, sentence
from planner.explore.growth import MOST_YEARS, Demand, Growth, Year, growth
from planner.explore.outcomes import inside
from planner.plan import Plan
from planner.scenario_json import scenario_to_json

FIELDS = {"gpu": "GPUs", "parameter": "Parameters", "dataset": "Dataset"}


def panel(plan: Plan) -> None:
    """What grows, and what comes of it."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.text_input("Years", key="growth.years", persist_state="session", width=100)
        for name, label in FIELDS.items():
            st.text_input(f"{label}, more a year", key=f"growth.{name}", persist_state="session", width=170)
    try:
        found = _grown(plan)
    except PlannerError as error:
        st.error(escaped(error.message), icon=":material/error:")
        return
    shown(growth_figure(found, dark=dark(), binary=session.binary(), titled=False), "growth.picture")
    st.caption(
        "Before each year's expansion; the storage stays as it was built, GPU nodes and their links follow."
    )
    table([_row(year) for year in found.years], alt="Growth year by year")
    told = [_told(found, year) for year in found.years if year.expansion or year.reason]
    if told:
        st.subheader("What is passed, and what to add", anchor=False)
        st.markdown("\n".join(f"- {line}" for line in told))
    figures.why_one("growth", _openable(found))
    _first(found)
    _open(found)


def _grown(plan: Plan) -> Growth:
    """The growth that the fields state; kept until one of them, or the design, changes.

    Raises:
        PlannerError: A field cannot be read, or the demand is out of its bounds.
    """
    demand = stated()
    key = (scenario_to_json(plan.scenario), answers.catalogue().hash, demand, session.binary())
    known = session.get("_growth")
    if not known or known[0] != key:
        known = key, growth(plan.scenario, demand, catalogue=answers.catalogue())
        session.put("_growth", known)
    found: Growth = known[1]
    return found


def stated() -> Demand:
    """The growth that the fields state.

    Raises:
        PlannerError: A field cannot be read, or the demand is out of its bounds.
    """
    years = parse_count(str(session.get("growth.years")), field="Years", low=1, high=MOST_YEARS)
    shares = [
        parse_value(str(session.get(f"growth.{name}")), "fraction", field=label)
        for name, label in FIELDS.items()
    ]
    demand = Demand(years, *(1 + share for share in shares))
    demand.check()
    return demand


def _row(year: Year) -> dict[str, str]:
    """One year: what is asked, and how many limits are passed."""
    cells = {"When": sentence(_when(year.number))}
    cells |= {name: figures.text(item) for name, item in year.figures.items()}
    cells["Passed"] = "not computed" if year.reason else counted(len(year.passed), "limit")
    return cells


def _told(found: Growth, year: Year) -> str:
    """One year in words: the limits that are passed, what is added, what that costs and leaves; or why it cannot be."""
    start = f"{bold(_when(year.number))}: "
    step = year.expansion
    if step is None:
        return start + escaped(year.reason)
    passed = ", ".join(found.limit(finding) for finding in year.passed)
    added = "; ".join(map(str, step.additions)) or "more of the same does not mend it"
    cost = f" ({format_range(step.low_usd.number, step.high_usd.number, 'USD')})" if step.additions else ""
    left = ", ".join(found.limit(finding) for finding in step.left)
    told = f"passed {passed}. Add {added}{cost}." + (f" Left: {left}." if left else "")
    return start + escaped(told)


def _openable(found: Growth) -> dict[str, Quantity]:
    """Figures of all years that open to formula and source: what is asked, and what each expansion costs."""
    items: dict[str, Quantity] = {}
    for year in found.years:
        start = f"{sentence(_when(year.number))}: "
        items |= {start + inside(name): item for name, item in year.figures.items()}
        if year.expansion and year.expansion.additions:
            items[start + "expansion, low"] = year.expansion.low_usd
            items[start + "expansion, high"] = year.expansion.high_usd
    return items


def _when(number: int) -> str:
    return "today" if number == 0 else f"year {number}"


def _first(found: Growth) -> None:
    """The first year in which the design as it is built today passes each limit."""
    st.subheader("First year of each limit", anchor=False)
    if not found.first:
        st.markdown(
            "The storage as it is built today carries all years. Raise the growth or add years to see what limits it."
        )
        return
    st.caption("With the storage as it is built today, nothing being added.")
    table(
        [
            {
                "Limit": escaped(found.limit(finding)),
                "First passed": _when(number),
                "What happens": escaped(finding.message),
            }
            for code, (number, finding) in found.first.items()
        ],
        alt="First year of each limit",
    )


def _open(found: Growth) -> None:
    """A year with what was added up to then, as a design."""
    reached = [year.number for year in found.years if year.scenario is not None]
    if session.get("growth.year") not in reached:
        session.put("growth.year", reached[-1] if reached else 0)
    if not reached:
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.selectbox("Year", reached, key="growth.year", persist_state="session", width=120)
        st.button(
            "Open the design of this year",
            key="growth.open",
            on_click=_go,
            args=(found,),
            icon=":material/open_in_new:",
        )


def _go(found: Growth) -> None:
    held.take_in()
    scenario = next(year.scenario for year in found.years if year.number == session.get("growth.year"))
    if scenario is not None:
        opening.open_new(scenario)
        session.put("_go", "pages/plan.py")
