"""Compare: two to four designs or revisions side by side, the changed inputs first."""

from collections.abc import Callable

import streamlit as st

from pages._ui import answers, causes, differences, figures, frame, library, saving, session, stating
from pages._ui.markup import escaped
from pages._ui.starting import HERE, LEAST, MOST, proposed
from planner.core.errors import PlannerError
from planner.core.units import counted, sizes
from planner.scenario_json import scenario_from_json
from planner.store import MAX_PAGE_ROWS, DesignSummary

frame.enter()
FOUND = -1  # stands for the design that Explore put beside it


def choose() -> dict[str, str]:
    """What to compare: scenario of each choice by its name."""
    designs = {row.id: row for row in answers.store().designs(limit=MAX_PAGE_ROWS).rows}
    if not designs and not session.get("_beside"):
        return {}
    st.segmented_control(
        "How many", range(LEAST, MOST + 1), key="compare.count", required=True, persist_state="session"
    )
    count = int(session.get("compare.count") or LEAST)
    chosen: dict[str, str] = {}
    for slot, column in enumerate(st.columns(count)):
        with column:
            name, text = one(slot, designs)
            if text:
                chosen[name] = text
    return chosen


def one(slot: int, designs: dict[int, DesignSummary]) -> tuple[str, str]:
    """One choice, its name beginning with its letter: a design and a revision of it, or what is on the Plan screen."""
    key, rev_key = f"compare.{slot}.design", f"compare.{slot}.rev"
    beside: tuple[str, str] | None = session.get("_beside")
    options = [HERE, *([FOUND] if beside else []), *designs]
    if session.get(key) not in options:
        number, revision = proposed(slot, designs)
        session.put(key, number)
        session.put(rev_key, revision)
    letter = "ABCD"[slot]
    st.selectbox(
        f"Design {letter}",
        options,
        key=key,
        persist_state="session",
        format_func=lambda number: (
            "On the Plan screen"
            if number == HERE
            else beside[1]
            if number == FOUND and beside
            else f"{designs[number].name} ({number})"
        ),
    )
    number = int(session.get(key))
    if number == HERE:
        answer = stating.answer()
        if answer.errors and answer.plan is not None:
            st.caption("What stands in its inputs cannot be computed: this is the last good answer.")
        return f"{letter}. on the Plan screen", answer.scenario_json
    if number == FOUND and beside:
        return f"{letter}. {beside[1]}", beside[0]
    revisions = list(range(designs[number].latest_revision, 0, -1))
    if session.get(rev_key) not in revisions:
        session.put(rev_key, revisions[0])
    st.selectbox(f"Revision of {letter}", revisions, key=rev_key, persist_state="session")
    revision = int(session.get(rev_key))
    return f"{letter}. {designs[number].name}, revision {revision}", library.exported(number, revision)


def compare(chosen: dict[str, str]) -> None:
    """Inputs, results, findings and parts that differ."""
    scenarios = {name: scenario_from_json(text) for name, text in chosen.items()}
    plans = {name: answers.plan_of(text, binary=session.binary()) for name, text in chosen.items()}
    st.subheader("Inputs that differ", anchor=False)
    changed = saving.changed_inputs(scenarios)
    if changed:
        figures.table(changed, alt="Inputs that differ")
    else:
        st.markdown("All inputs are the same. Choose another design or revision above to see a difference.")
    st.subheader("Results", anchor=False)
    st.caption("Each change is against the first design, absolute and in percent.")
    names = differences.sections(plans)
    if session.get("compare.section") not in names:
        session.put("compare.section", names[0])
    st.selectbox("Figures of", names, key="compare.section", persist_state="session")
    figures.table(differences.results(plans, session.get("compare.section")), alt="Results side by side")
    if len(chosen) == LEAST and changed:
        _causes(*chosen.values())
    only = st.toggle(
        "Only what differs",
        key="compare.differing",
        persist_state="session",
        help="Findings and lines of the bill that are the same in all designs are left out.",
    )
    _listed("Findings", differences.finding_rows(plans), only=only, what="finding", show=_findings)
    _listed("Bill of materials", differences.bom_rows(plans), only=only, what="line", show=_lines)


def _causes(old_json: str, new_json: str) -> None:
    """What each input moved, planned when it is asked for; a line each, which a phone can show."""
    with st.expander("Which input caused what", key="compare.causes", on_change="rerun") as part:
        if not part.open:
            return
        st.caption(
            "The first design is turned into the second, one input after the other; what an input moves is after those "
            "above it, and all of it adds up to the difference."
        )
        st.markdown("\n".join(f"- {line}" for line in causes.lines(old_json, new_json)))


def _listed(
    title: str,
    rows: list[differences.Row],
    *,
    only: bool,
    what: str,
    show: Callable[[list[differences.Row]], None],
) -> None:
    """Rows side by side, folded under how many there are: they are long, and come after the figures."""
    differing = [row for row in rows if differences.differs(row)]
    shown, left = (differing, len(rows) - len(differing)) if only else (rows, 0)
    key = f"compare.{what}s"
    with st.expander(
        f"{title}: {len(differing)} of {counted(len(rows), what)} not the same", key=key, on_change="rerun"
    ) as part:
        if not part.open:
            return
        if shown:
            show(shown)
        if left:
            same = "is" if left == 1 else "are"
            st.caption(f"{counted(left, what)} {same} the same in all designs.")


def _findings(rows: list[differences.Row]) -> None:
    """Findings under each other: sentences side by side are columns of single words on a phone."""
    for row in rows:
        named, *said = row.items()
        lines = [f"- {name}: {message or 'not found'}" for name, message in said]
        st.markdown("\n".join([f"**{named[1]}**", *lines]))


def _lines(rows: list[differences.Row]) -> None:
    st.caption("The change is from the first design to the last.")
    figures.table(rows, alt="Bill of materials side by side")


def show() -> None:
    """The whole screen."""
    frame.heading(
        "Compare", "Put two to four designs or revisions side by side and see what makes the difference."
    )
    try:
        chosen = choose()
        if not chosen:
            st.info(
                "There is no saved design to compare with. Save the open one on the Plan screen, change an input "
                "there, and come back: the two then stand side by side.",
                icon=":material/info:",
            )
            st.page_link("pages/plan.py", label="To the Plan screen", icon=":material/arrow_forward:")
        elif len(chosen) < LEAST:
            st.info(
                "The design on the Plan screen cannot be computed. Mend its inputs there, or choose saved designs above.",
                icon=":material/info:",
            )
        else:
            with sizes(binary=session.binary()):
                compare(chosen)
    except PlannerError as error:
        st.error(escaped(error.message), icon=":material/error:")


show()
