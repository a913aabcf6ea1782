"""The customer's requirements with their verdicts on a revision: written one by one, or taken in as CSV."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

import streamlit as st

from pages._ui import answers, session
from pages._ui.figures import table
from pages._ui.markup import escaped
from pages._ui.review_common import able, assessed, author
from pages._ui.review_entries import Form, editor
from pages._ui.session import guarded
from planner.core.errors import PlannerError
from planner.core.quantity import Quantity
from planner.core.units import counted, parse_value
from planner.review import MEASURES, Requirement, evaluate
from planner.review.requirement_list import (
    COLUMNS,
    read_requirements,
    requirements_csv,
    target_text,
    unit_of,
)
from planner.review.requirements import LEVELS, results
from planner.store import Entry, EntryContent

_VERDICTS = {
    "pass": ":green[✔] pass",
    "fail": ":red[■] fail",
    "waived": ":orange[▲] waived",
    "unknown": "? unknown",
}
_LABELS = {
    "ref": "Number",
    "text": "In the customer's words",
    "result": "Result",
    "measure": "Measure",
    "target": "Target",
    "level": "Level",
}
_EMPTY = {"req.ref": "", "req.text": "", "req.target": "", "req.measure": MEASURES[0], "req.level": LEVELS[0]}


def show(design: int, revision: int) -> None:
    """The customer's requirements with their verdicts on this revision, and the way to change them."""
    store, today = answers.store(), assessed(design, revision)
    stated = store.requirements(design)
    checks = evaluate(stated, today.plan, store.waivers(design, revision))
    if checks:
        table(
            [
                {
                    "Requirement": escaped(check.requirement.ref),
                    "Says": escaped(check.requirement.text, one_person=True),
                    "Level": escaped(check.requirement.level),
                    "Verdict": _VERDICTS[check.verdict],
                    "With numbers": escaped(check.told),
                }
                for check in checks
            ],
            alt="Requirements and their verdicts",
        )
    else:
        st.markdown(
            "There are no requirements yet. Write the customer's own here, each bound to a result and its target, "
            "or take in a list; each is then held against every revision."
        )
    found = results(today.plan)
    editor(design, _form(found))
    _list(design, stated, found)


def _form(found: Mapping[str, Quantity]) -> Form:
    return Form(
        name="req",
        kinds=("requirement",),
        noun="requirement",
        empty=_EMPTY,
        fill=functools.partial(_fill, found=found),
        draw=functools.partial(_draw, found),
        read=functools.partial(_read, found=found),
        words=functools.partial(_words, found=found),
        labels=_LABELS,
    )


def _fill(content: EntryContent, *, found: Mapping[str, Quantity]) -> Mapping[str, object]:
    if not isinstance(content, Requirement):
        return {}
    return {
        "req.ref": content.ref,
        "req.text": content.text,
        "req.result": content.result,
        "req.measure": content.measure,
        "req.target": target_text(content, found),
        "req.level": content.level,
    }


def _draw(found: Mapping[str, Quantity]) -> None:
    keys, said = list(found), session.get("req.result")
    options = keys if said is None or said in keys else [str(said), *keys]  # a result that the design lost
    left, right = st.columns([1, 3])
    left.text_input("Number", key="req.ref", placeholder="e.g. R-1", persist_state="session")
    right.text_input("In the customer's words", key="req.text", persist_state="session")
    # What contains the word, key figures first: a looser search puts “Racks” of “Power and racks” before “Power”.
    st.selectbox(
        "Result", options, key="req.result", persist_state="session", index=None, placeholder="Type to search",
        filter_mode="contains",
    )  # fmt: skip
    if said in found:
        st.caption(escaped(f"{said} of this revision: {found[said].text()}"))
    first, second, third = st.columns(3)
    first.selectbox("Measure", MEASURES, key="req.measure", persist_state="session")
    second.text_input(
        "Target", key="req.target", placeholder="e.g. 10 s, 2 PB, 98 %", persist_state="session"
    )
    third.selectbox("Level", LEVELS, key="req.level", persist_state="session")


def _read(*, found: Mapping[str, Quantity]) -> Requirement:
    bound = session.get("req.result")
    if not bound:
        raise PlannerError(
            "Result: choose the result that the requirement is bound to; typing searches the list"
        )
    target = str(session.get("req.target") or "")
    return Requirement(
        ref=str(session.get("req.ref") or ""),
        text=str(session.get("req.text") or ""),
        result=str(bound),
        measure=session.get("req.measure"),
        target=parse_value(target, unit_of(str(bound), found), field="Target"),
        level=session.get("req.level"),
    )


def _words(content: EntryContent, *, found: Mapping[str, Quantity]) -> str:
    if not isinstance(content, Requirement):
        return ""
    target = target_text(content, found)
    return f"{content.ref}: {content.text} ({content.level}; {content.result} {content.measure} {target})"


# --- a list -------------------------------------------------------------------------------------------------


def _list(design: int, stated: tuple[Requirement, ...], found: Mapping[str, Quantity]) -> None:
    """The requirements as a file, and a file as requirements."""
    with st.expander("A list of requirements as CSV", icon=":material/upload_file:"):
        st.caption(
            f"Columns: {', '.join(COLUMNS)}. A number that is there already gets a new version if the line differs."
        )
        st.download_button(
            "Download the requirements (CSV)",
            data=requirements_csv(stated, found),
            file_name=f"design-{design}-requirements.csv",
            mime="text/csv",
            on_click="ignore",
            key="req.csv",
            help="Without requirements it holds the header: a form to fill in.",
        )
        if not able("editor", "Taking in a list"):
            return
        file = st.file_uploader("File of requirements", key=f"req.file.{session.get('_req_files', 0)}")
        if file is not None:
            _preview(design, file, found)


def _preview(design: int, file: Any, found: Mapping[str, Quantity]) -> None:
    """What the file says before anything is written, with a line for each row that is refused."""
    try:
        said = read_requirements(file.getvalue(), found)
    except PlannerError as error:
        st.error(escaped(error.message), icon=":material/error:")
        return
    for line in said.refused:
        st.warning(escaped(line), icon=":material/warning:")
    if not said.found:
        st.caption("No line of the file is a requirement.")
        return
    table(
        [
            {
                "Number": escaped(item.ref),
                "Says": escaped(item.text, one_person=True),
                "Target": escaped(_words(item, found=found)),
            }
            for item in said.found
        ],
        alt="Requirements in the file",
    )
    left_out = f", leave {counted(len(said.refused), 'refused line')} out" if said.refused else ""
    st.button(
        f"Take in {counted(len(said.found), 'requirement')}{left_out}",
        key="req.take",
        on_click=_take,
        args=(design, said.found),
    )


@guarded
def _take(design: int, said: tuple[Requirement, ...]) -> None:
    """Write each requirement that differs from what is there; a line for each that the store refuses."""
    done = 0
    for item in said:
        try:
            done += _write(design, item)
        except PlannerError as error:
            session.notify(f"{item.ref}: {error.message}")
    same = len(said) - done
    told = f"{counted(done, 'requirement')} written"
    session.notify(told + (f"; {same} unchanged or refused." if same else "."))
    session.put("_req_files", int(session.get("_req_files", 0)) + 1)


def _write(design: int, item: Requirement) -> bool:
    """Whether the requirement was written: as a new one, or as a new version of that number."""
    store = answers.store()
    before = next((entry for entry in store.entries(design, "requirement") if _ref(entry) == item.ref), None)
    if before is None:
        store.add_entry(design, item, author=author())
        return True
    if before.content == item:
        return False
    store.change_entry(design, "requirement", before.number, item, version=before.version, author=author())
    return True


def _ref(entry: Entry) -> str:
    return entry.content.ref if isinstance(entry.content, Requirement) else ""
