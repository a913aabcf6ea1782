"""Compare: two to four designs or revisions side by side, the changed inputs first."""

import streamlit as st

from pages._ui import answers, differences, figures, folded, frame, library, saving, session, stating
from pages._ui.markup import escaped
from pages._ui.starting import HERE, LEAST, MOST, proposed
from planner.core.errors import PlannerError
from planner.core.units import sizes
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
        folded.caused(*chosen.values())
    only = st.toggle(
        "Only what differs",
        key="compare.differing",
        persist_state="session",
        help="Findings and lines of the bill that are the same in all designs are left out.",
    )
    folded.findings(plans, only=only)
    folded.bill(plans, only=only)


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
