"""Two people saved on the same revision: mine, theirs, and both on top of what they started from."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from pages._ui import answers, figures, opening, saving, session, stating, values
from pages._ui.markup import bold, escaped
from pages._ui.session import guarded
from planner.core.errors import PlannerError
from planner.inputs import input_at, inputs_for
from planner.review import Parting, merged, partings
from planner.scenario import MAX_JOBS, Scenario
from planner.scenario_json import scenario_from_json, scenario_to_json
from planner.summary import difference, key_figures

MINE, THEIRS = "Mine", "Theirs"
_CHOICE = "conflict.choice."


@dataclass(frozen=True, slots=True)
class Conflict:
    """What was kept of a save that came second; mine are the inputs as they stand now.

    Attributes:
        line: What happened, in words.
        design: The design.
        number: The revision that the other saved.
        base: What both started from.
        mine: What the inputs say; what they said last where they cannot be read now.
        theirs: What the other saved.
        unread: Why the inputs cannot be read now; empty if they can.
    """

    line: str
    design: int
    number: int
    base: Scenario
    mine: Scenario
    theirs: Scenario
    unread: str = ""

    @property
    def partings(self) -> tuple[Parting, ...]:
        """Every input that one of the two changed."""
        return partings(self.base, self.mine, self.theirs)


def _kept(*, afresh: bool = False) -> Conflict | None:
    found: Mapping[str, Any] | None = session.get("_conflict")
    if not found:
        return None
    now = stating.answer(afresh=afresh)
    unread = now.errors[0][1] if now.errors else ""
    texts = (found["base"], found["yours"] if unread else now.scenario_json, found["theirs"])
    base, mine, theirs = (scenario_from_json(str(text)) for text in texts)
    return Conflict(
        str(found["line"]), int(found["design"]), int(found["number"]), base, mine, theirs, unread
    )


def outcome() -> None:
    """The conflict of the last save, if it had one: who changed what, what each makes of it, and the ways out."""
    conflict = _kept()
    if conflict is None:
        return
    with st.container(border=True, key="conflict"):
        st.error(escaped(conflict.line), icon=":material/call_split:")
        st.caption("Nothing is lost: what you typed is in the inputs below, and their revision is saved.")
        _inputs(conflict)
        both = _merged(conflict)
        _results(conflict, both)
        _ways(conflict, both)


def _inputs(conflict: Conflict) -> None:
    """The inputs that differ, by who changed them; where both did, which of the two counts."""
    rows = [_row(item, conflict) for item in conflict.partings]
    if rows:
        figures.table(rows, alt="Inputs that one of the two changed")
    else:
        st.markdown("The inputs are the same; only the note or the author differs.")
    for item in conflict.partings:
        if item.side == "both":
            st.segmented_control(
                f"{_label(item.path)}: which counts if both are saved",
                (MINE, THEIRS),
                key=_CHOICE + item.path,
                default=MINE,
                required=True,
                format_func=functools.partial(_side, item),
            )


def _side(item: Parting, side: str) -> str:
    return f"{side}: {_words(item.path, item.mine if side == MINE else item.theirs)}"


_SIDES = {"mine": "you", "theirs": "they", "same": "both, alike", "both": "both, differently"}


def _row(item: Parting, conflict: Conflict) -> dict[str, str]:
    return {
        "Input": escaped(_label(item.path)),
        "Changed by": _SIDES[item.side],
        "Started from": escaped(_words(item.path, item.base)),
        "Mine": escaped(_words(item.path, item.mine)),
        f"Theirs (revision {conflict.number})": escaped(_words(item.path, item.theirs)),
    }


def _label(path: str) -> str:
    item = input_at(path)
    return f"{item.label} ({path})" if item else path


def _words(path: str, value: Any) -> str:
    found = next((item for item in inputs_for(MAX_JOBS) if item.path == path), None)
    return values.words(found, value) if found else str(value)


def _merged(conflict: Conflict) -> Scenario | None:
    """Both sets of changes together; None, with the reason on the screen, where they do not go together."""
    try:
        return _together(conflict)
    except PlannerError as error:
        st.warning(escaped(f"The two do not go together: {error.message}"), icon=":material/warning:")
        return None


def _together(conflict: Conflict) -> Scenario:
    """Both sets of changes; where both changed an input, the one that was chosen counts.

    Raises:
        PlannerError: They do not go together, or not all inputs can be read.
    """
    if conflict.unread:
        raise PlannerError(conflict.unread)
    chosen = [
        item.path
        for item in conflict.partings
        if item.side == "both" and session.get(_CHOICE + item.path) == THEIRS
    ]
    both = merged(conflict.base, conflict.mine, conflict.theirs, keep_theirs=chosen)
    answers.plan_of(scenario_to_json(both))
    return both


def _results(conflict: Conflict, both: Scenario | None) -> None:
    """Key figures of all of them, each with its change against what they started from."""
    named = {
        "Started from": conflict.base,
        "Mine": conflict.mine,
        f"Theirs (revision {conflict.number})": conflict.theirs,
    } | ({"Both": both} if both else {})
    try:
        columns = {
            name: key_figures(answers.plan_of(scenario_to_json(item), binary=session.binary()))
            for name, item in named.items()
        }
    except PlannerError as error:
        st.warning(escaped(error.message), icon=":material/warning:")
        return
    first = columns["Started from"]
    rows = []
    for label, start in first.items():
        row = {"Figure": escaped(label)}
        for name, column in columns.items():
            change = difference(column[label], start, binary=session.binary())
            row[name] = figures.text(column[label]) + (f", {escaped(change)}" if change else "")
        rows.append(row)
    figures.table(rows, alt="What each makes of the key figures")


def _ways(conflict: Conflict, both: Scenario | None) -> None:
    number = conflict.number
    with st.container(horizontal=True):
        if both is not None:
            st.button("Save both together", on_click=_both, args=(number,), key="conflict.both")
        st.button(f"Save mine over revision {number}", on_click=_on_top, args=(number,), key="conflict.top")
        st.button("Save mine as a new design", on_click=_as_new, key="conflict.new")
        st.button(
            f"Leave mine, open revision {number}",
            on_click=_theirs,
            args=(conflict.design, number),
            key="conflict.open",
        )
    st.markdown(
        f"{bold('Both')} is their revision with your changes in it; {bold('mine')} leaves theirs in the history."
    )


@guarded
def _both(number: int) -> None:
    """Save both, with what was typed since the page was drawn: a press comes with the field that it leaves."""
    conflict = _kept(afresh=True)
    if conflict is not None:
        saving.save(on_top_of=number, scenario_json=scenario_to_json(_together(conflict)))


@guarded
def _on_top(number: int) -> None:
    saving.save(on_top_of=number)


@guarded
def _as_new() -> None:
    saving.save(as_new=True)


@guarded
def _theirs(design: int, number: int) -> None:
    opening.open_revision(design, number)
