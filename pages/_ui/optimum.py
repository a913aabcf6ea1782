"""The best design: state objectives, limits and choices, watch the search, read the front, open one of its designs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from pages._ui import answers, figures, held, jobs, opening, session
from pages._ui.figures import dark, table
from pages._ui.markup import escaped
from planner.charts.best import front_figure
from planner.core.errors import PlannerError
from planner.core.units import format_number, parse_value, sentence
from planner.explore.best import AVOIDED, Best, Entry, Request, best
from planner.explore.candidates import ARCHITECTURES, AT_DRIVES
from planner.explore.neighbours import Neighbour, neighbours
from planner.explore.ranking import MEASURES, OBJECTIVES
from planner.inputs import row_words
from planner.plan import Plan
from planner.scenario import Scenario
from planner.scenario_json import scenario_to_json
from planner.summary import difference
from planner.words import failing

LIMITS: Mapping[str, tuple[str, str]] = {
    "cost": ("<=", "a number with its unit, such as $2M; a bare number is US dollars"),
    "power": ("<=", "a number with its unit, such as 20 kW; a bare number is watts"),
    "stall": ("<=", "a number with its unit, such as 30 s; a bare number is seconds"),
    "rack-units": ("<=", "a number of rack units, such as 42"),
    "goodput": (">=", "a share such as 95 %, or 0.95"),
}
"""Limits that have a field of their own, which way each holds, and how it is written."""
ROWS = 12
"""Designs of the front that the table shows."""


def panel(plan: Plan) -> None:
    """Request, work and result."""
    st.multiselect(
        "Objectives, the leading one first",
        OBJECTIVES,
        format_func=lambda name: MEASURES[name].label,
        key="optimum.objectives",
        persist_state="session",
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        for name, (sign, written) in LIMITS.items():
            word = "at most" if sign == "<=" else "at least"
            st.text_input(
                f"{MEASURES[name].label}, {word}",
                key=f"optimum.{name}",
                persist_state="session",
                help=escaped(f"{sentence(written)}."),
                width=170,
            )
    st.toggle("No more GPU time lost than today", key="optimum.lost", persist_state="session")
    st.toggle(
        "Wider search",
        key="optimum.wide",
        persist_state="session",
        help="Tries every drive. Else a drive is left out where another one of its size is as good in every figure.",
    )
    chosen = st.expander("What may be chosen", key="optimum.choices", on_change="rerun")
    if chosen.open:
        with chosen:
            _choices()
    st.button("Search", key="optimum.run", on_click=_run, args=(plan.scenario,), icon=":material/search:")
    line = session.get("_optimum_error")
    if line:
        st.error(escaped(str(line)), icon=":material/error:")
    found = jobs.result("_optimum_job", "designs", "optimum.stop")
    if found is not None:
        _result(plan, found)


def _choices() -> None:
    """Candidates of each dimension; an empty field takes what the catalogue offers."""
    rows = answers.catalogue()
    platforms = {row.id: row.name for row in rows.platforms.values() if row.category in ARCHITECTURES}
    drives = {row.id: row_words(row) for row in rows.drives.values()}
    codes = {row.id: row.label for row in rows.protection.values()}
    codes |= {
        row.id + AT_DRIVES: f"{row.label}, inside a node" for row in rows.protection.values() if not row.local
    }
    lists = {
        "platform": ("Platforms", platforms),
        "drive": ("Drives", drives),
        "protection": ("Protection", codes),
        "transport": ("Transports", {"rdma": "RoCEv2", "tcp": "TCP", "fc": "Fibre Channel"}),
        "avoid": ("Warnings that no design may have", {code: failing((code,)) for code in AVOIDED}),
    }
    st.caption(
        "An empty field takes every candidate that the catalogue offers; of the drives, unless the search is wider, "
        "those that no other one of their size is as good as in every figure."
    )
    for name, (label, options) in lists.items():
        st.multiselect(
            label,
            list(options),
            format_func=options.__getitem__,
            key=f"optimum.{name}",
            persist_state="session",
            placeholder="all candidates" if name != "avoid" else "none",
        )
    st.text_input("Link speeds, as in “100 Gb/s, 200 Gb/s”", key="optimum.link", persist_state="session")
    st.text_input("Intervals, as in “15 min, 30 min, 1 h”", key="optimum.interval", persist_state="session")


def _run(scenario: Scenario) -> None:
    """Begin the search; what is wrong with the request is said before anything runs."""
    held.take_in()
    session.put("_optimum_error", "")
    try:
        asked = _request()
        asked.check()
        catalogue = answers.catalogue()
    except PlannerError as error:
        session.put("_optimum_error", error.message)
        return
    jobs.begin("_optimum_job", lambda progress: best(scenario, asked, catalogue=catalogue, progress=progress))
    session.put("_optimum_scenario", scenario_to_json(scenario))
    session.put("_optimum_neighbours", {})
    session.put("optimum.design", 0)


def _request() -> Request:
    """What the fields ask for.

    Raises:
        PlannerError: A field cannot be read.
    """
    limits = tuple(
        f"{name}{sign}{text}"
        for name, (sign, _) in LIMITS.items()
        if (text := str(session.get(f"optimum.{name}") or "").strip())
    )
    chosen: dict[str, list[Any]] = {
        name: list(values)
        for name in ("platform", "drive", "protection", "transport")
        if (values := session.get(f"optimum.{name}"))
    }
    for name, unit in (("link", "bytes/s"), ("interval", "s")):
        words = [word for word in str(session.get(f"optimum.{name}") or "").split(",") if word.strip()]
        if words:
            chosen[name] = [parse_value(word, unit, field=name) for word in words]
    return Request(
        objectives=tuple(session.get("optimum.objectives") or ()),
        limits=limits,
        as_today=bool(session.get("optimum.lost")),
        choices=chosen,
        avoid=tuple(session.get("optimum.avoid") or ()),
        wide=bool(session.get("optimum.wide")),
    )


# --- the result -------------------------------------------------------------------------------------------------


def _result(plan: Plan, found: Best) -> None:
    """The front as a picture and a table, one design of it, and why its neighbours lost."""
    if session.get("_optimum_scenario") != scenario_to_json(plan.scenario):
        st.caption("The design has changed since this search: search again to begin from it as it is now.")
    st.markdown(escaped(_told(found)))
    _set_aside(found)
    if not found.front:
        return
    names = [measure.name for measure in found.measures]
    if len(names) > 1:
        _picture(found, names)
    table(_rows(found), alt="Designs of the front")
    table(_chosen(found), alt="What was chosen in each design of the front")
    if len(found.front) > ROWS:
        st.caption(escaped(f"The first {ROWS} of {len(found.front)}; choose any of them below."))
    if not isinstance(session.get("optimum.design"), int) or session.get("optimum.design") >= len(
        found.front
    ):
        session.put("optimum.design", 0)
    number = st.selectbox(
        "Design of the front",
        range(len(found.front)),
        format_func=lambda place: f"Design {place + 1}: {', '.join(_labels(found.front[place]).values())}",
        key="optimum.design",
        persist_state="session",
    )
    _design(plan, found, number)


def _told(found: Best) -> str:
    """What the search did, in sentences."""
    count = found.space.count
    total = "1 design" if count == 1 else f"{format_number(count, None)} designs"
    if found.stopped:
        did = f"Stopped after {format_number(found.computed, None)} of {total}; this is the front of those."
    elif found.exact:
        did = f"{'The' if count == 1 else 'All'} {total} {'was' if count == 1 else 'were'} computed: the front is exact."
    else:
        gap = found.gap_fraction
        reach = (
            f"the optimum is at most {format_number(gap * 100)} % above what is possible at all ({found.floor})"
            if gap is not None
            else "there is no bound for this objective"
        )
        did = (
            f"{format_number(found.computed, None)} of {total} were computed, one choice at a time; {reach}."
        )
    if found.optimum is None:
        return f"{did} No design of this space keeps all limits."
    leading = found.measures[0].name
    change = difference(
        found.optimum.objectives[leading], found.today.objectives[leading], binary=session.binary()
    )
    against = f", {change} against this design" if change else ", as this design"
    mends = [code for code in found.today.faults if code not in found.optimum.faults]
    mended = f" It passes what this design fails: {failing(mends)}." if mends else ""
    return (
        f"{did} The best by {found.measures[0].label}: {found.optimum.objectives[leading]}{against}.{mended}"
    )


def _set_aside(found: Best) -> None:
    """How many designs were set aside, and why."""
    aside = st.expander("What was set aside", key="optimum.aside", on_change="rerun")
    if not aside.open:
        return
    with aside:
        rows = [
            {"Reason": escaped(reason), "Designs": format_number(count, None)}
            for reason, count in sorted(found.rejected.items(), key=lambda pair: -pair[1])
            if count
        ]
        if rows:
            table(rows, alt="Designs that were set aside")
        for name, reason in found.space.left_out:
            st.caption(escaped(f"Not tried: {name}, {reason}."))


def _picture(found: Best, names: list[str]) -> None:
    for key, place in (("optimum.across", 0), ("optimum.up", 1)):
        if session.get(key) not in names:
            session.put(key, names[place])
    with st.container(horizontal=True):
        for key, label in (("optimum.across", "Along the bottom"), ("optimum.up", "Up the side")):
            st.selectbox(
                label,
                names,
                format_func=lambda name: MEASURES[name].label,
                key=key,
                persist_state="session",
                width=220,
            )
    across, up = str(session.get("optimum.across")), str(session.get("optimum.up"))
    figure = front_figure(found, across, up, dark=dark(), binary=session.binary(), titled=False)
    figures.shown(figure, "optimum.picture", on_point=_pointed)


def _pointed(point: Mapping[str, Any]) -> None:
    """A design of the front that was clicked, which the first trace draws, is the one to read of."""
    if point.get("curve_number") == 0 and isinstance(point.get("point_index"), int):
        session.put("optimum.design", point["point_index"])


def _labels(entry: Entry) -> dict[str, str]:
    return entry.candidate.labels if entry.candidate else {}


def _rows(found: Best) -> list[dict[str, str]]:
    """Today's design and the first of the front."""
    rows = []
    for number, entry in enumerate((found.today, *found.front[:ROWS])):
        cells = {"Design": "This design" if number == 0 else f"Design {number}"}
        cells |= {m.label: figures.text(entry.objectives[m.name]) for m in found.measures}
        cells["Drives"] = figures.text(entry.drives)
        cells["Nodes"] = figures.text(entry.nodes)
        cells["Lines of equipment not priced"] = format_number(entry.not_priced_count)
        cells["Fails"] = escaped(failing(entry.faults))
        rows.append(cells)
    return rows


def _chosen(found: Best) -> list[dict[str, str]]:
    """What the first designs of the front are made of; a table of its own, which a phone can show."""
    return [
        {"Design": f"Design {number}", "Chosen": escaped(", ".join(_labels(entry).values()))}
        for number, entry in enumerate(found.front[:ROWS], start=1)
    ]


def _design(plan: Plan, found: Best, number: int) -> None:
    """One design of the front beside the open one, with what can be done with it."""
    entry = found.front[number]
    st.subheader(f"Design {number + 1} of the front", anchor=False)
    table(
        [
            {
                "Figure": escaped(measure.label),
                "This one": figures.text(entry.objectives[measure.name]),
                "The open design": figures.text(measure.figure(plan)),
                "Change": escaped(
                    difference(entry.objectives[measure.name], measure.figure(plan), binary=session.binary())
                    or "none"
                ),
            }
            for measure in found.measures
        ],
        alt="The chosen design beside the open one",
    )
    table(
        [{"Choice": escaped(name), "Chosen": escaped(label)} for name, label in _labels(entry).items()],
        alt="What was chosen",
    )
    figures.why_one("optimum", {m.label: entry.objectives[m.name] for m in found.measures})
    with st.container(horizontal=True):
        st.button(
            "Open this design",
            key="optimum.open",
            on_click=_open,
            args=(entry,),
            icon=":material/open_in_new:",
        )
        st.button(
            "Put beside the open one in Compare",
            key="optimum.compare",
            on_click=_beside,
            args=(entry, number),
            icon=":material/compare_arrows:",
        )
    _lost(found, number)


def _open(entry: Entry) -> None:
    """The design as a new draft on the Plan screen."""
    opening.open_new(entry.scenario)
    session.put("_go", "pages/plan.py")


def _beside(entry: Entry, number: int) -> None:
    """The design beside the open one on the Compare screen."""
    session.put("_beside", (scenario_to_json(entry.scenario), f"Found, design {number + 1}"))
    session.put("compare.count", 2)
    session.put("compare.0.design", 0)
    session.put("compare.1.design", -1)
    session.put("_go", "pages/compare.py")


def _lost(found: Best, number: int) -> None:
    """Why each neighbour of the design lost; planned when it is asked for."""
    panel_ = st.expander("Why its neighbours lost", key="optimum.lost_open", on_change="rerun")
    if not panel_.open:
        return
    known: dict[int, tuple[Neighbour, ...]] = session.get("_optimum_neighbours") or {}
    if number not in known:
        known[number] = neighbours(found, found.front[number], catalogue=answers.catalogue())
        session.put("_optimum_neighbours", known)
    with panel_:
        st.caption(
            "Designs that differ in one choice, each with the first thing that keeps it from being better."
        )
        table(
            [
                {
                    "Choice": escaped(item.dimension),
                    "Instead": escaped(item.option),
                    "Why": item.why,
                    "Reason": escaped(item.reason),
                }
                for item in known[number]
            ],
            alt="Neighbours of the design and why they lost",
        )
