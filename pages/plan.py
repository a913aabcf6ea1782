"""Plan: what is stated on the left, what follows from it on the right, the answer in one sentence on top."""

import streamlit as st

from pages._ui import (
    baseline,
    fields,
    figures,
    frame,
    held,
    merging,
    naming,
    remarks,
    review_comments,
    saving,
    session,
    sharing,
    stating,
    welcome,
)
from pages._ui.markup import bold, escaped
from pages._ui.sections import SECTIONS
from pages._ui.stating import Answer
from planner.core.errors import PlannerError
from planner.core.units import sizes
from planner.inputs import input_at
from planner.plan import Plan
from planner.summary import headline, key_figures

frame.enter()
Errors = tuple[tuple[str, str], ...]


def top(answer: Answer) -> None:
    """Name, revision and state of what is open; baseline, save, share."""
    opened = session.link()
    if opened.design is None:
        state = f"draft{' from this template' if naming.is_borrowed() else ''}, not saved"
    else:
        state = f"design {opened.design} · revision {opened.revision}" + (
            " · changed, not saved" if session.changed() else ""
        )
    st.markdown(f"{bold(naming.called())} · {state}")
    with st.container(horizontal=True, vertical_alignment="center"):
        basis = input_at("basis")
        if basis is not None:
            st.segmented_control(
                "Basis",
                basis.choices,
                key=held.draw("basis"),
                required=True,
                persist_state="session",
                label_visibility="collapsed",
                format_func=lambda choice: f"On {choice}" if choice == "evidence" else "On the guide's basis",
                help=basis.help,
            )
        saving.buttons()
        _baseline(answer)
        sharing.popover()
        review_comments.waiting(answer.scenario_json)
        st.toggle("GiB, TiB", key="ui.binary", persist_state="session", help="Show sizes in binary units.")


def _baseline(answer: Answer) -> None:
    if baseline.pinned():
        label = escaped(str(session.get("_pinned_label", "")))
        st.button(
            "Clear baseline",
            on_click=baseline.pin,
            args=("", ""),
            icon=":material/keep_off:",
            help=f"Pinned: {label}",
        )
    st.button(
        "Pin baseline",
        on_click=baseline.pin_now,
        icon=":material/keep:",
        disabled=answer.plan is None,
        help="Show every later change against the design as it stands now.",
    )


def sentence(plan: Plan, errors: Errors) -> None:
    """The answer in one sentence; greyed if it is not the answer to what stands in the inputs."""
    line = escaped(headline(plan, binary=session.binary()))
    if errors:
        names = dict.fromkeys(item.label for path, _ in errors if (item := input_at(path)))
        mend = f"; mend {', '.join(names)}" if names else ""
        st.markdown(f":gray[:material/history: last good answer{escaped(mend)}]  \n:gray[{line}]")
    else:
        st.subheader(line, anchor=False)


def key_row(plan: Plan, *, stale: bool) -> None:
    """The figures that matter, with their change against the baseline."""
    start = baseline.plan()
    before = key_figures(start) if start else {}
    if start:
        st.caption(f"Changes are against the baseline “{escaped(str(session.get('_pinned_label')))}”.")
    with st.container(horizontal=True, key="keyfigures"):
        for label, item in key_figures(plan).items():
            figures.metric(label, item, before.get(label), stale=stale)


def section(plan: Plan) -> None:
    """The section in view, and nothing of the others."""
    names = list(SECTIONS)
    st.segmented_control(
        "Section", names, key="ui.section", required=True, persist_state="session", wrap=True
    )
    try:
        SECTIONS[session.get("ui.section") or names[0]](plan)
    except PlannerError as error:
        st.error(escaped(error.message), icon=":material/error:")


def show() -> None:
    """The whole screen."""
    session.go_on()
    frame.heading("Plan", "State a cluster, a model and a workload; read what storage they need and why.")
    answer = stating.answer()
    welcome.guide()
    top(answer)
    sharing.watch()
    saving.outcome()
    merging.outcome()
    stale = bool(answer.errors)
    wrong = st.container() if stale else None
    if answer.plan is not None:
        with sizes(binary=session.binary()):
            sentence(answer.plan, answer.errors)
            key_row(answer.plan, stale=stale)
            remarks.panel(answer.plan.findings, stale=stale)
    left, right = st.columns([3, 7], gap="medium")
    with left:
        seen = fields.panel(answer.plan, dict(answer.errors))
    if wrong is not None:
        with wrong:
            fields.elsewhere(answer.errors, seen)
    if answer.plan is not None:
        with right, sizes(binary=session.binary()):
            if stale:
                st.badge("last good answer", icon=":material/history:", color="gray")
            section(answer.plan)


show()
