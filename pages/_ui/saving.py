"""Saving what is open as a revision, and what to do when someone else was first."""

from __future__ import annotations

import streamlit as st

from pages._ui import answers, fields, held, naming, opening, people, sending, session, stating, values
from pages._ui.markup import escaped
from pages._ui.session import guarded
from planner import __version__
from planner.core.errors import PlannerError
from planner.inputs import INPUTS, Input, flatten, inputs_for
from planner.scenario import SCHEMA_VERSION, Scenario
from planner.scenario_json import scenario_from_json, scenario_to_json
from planner.store import ConflictError, NewRevision, Revision
from planner.store.text import checked_name
from planner.summary import key_results


def content(scenario_json: str, *, author: str, note: str) -> NewRevision:
    """What the store keeps of a scenario.

    Raises:
        PlannerError: The scenario cannot be computed.
    """
    return NewRevision(
        scenario_json=scenario_json,
        author=author,
        note=note,
        schema_version=SCHEMA_VERSION,
        key_results=key_results(answers.plan_of(scenario_json)),
        scenario_hash=answers.hash_of(scenario_json),
        catalogue_hash=answers.catalogue().hash,
        price_hash=answers.basis_of(scenario_json).price_hash,
        engine_version=__version__,
    )


@guarded
def save(*, as_new: bool = False, on_top_of: int | None = None, scenario_json: str = "") -> None:
    """Save what is open: as the next revision of its design, or as a new design.

    Args:
        as_new: As a new design.
        on_top_of: The revision that it follows; the one it started from if not given.
        scenario_json: What to save; what the inputs say if not given.
    """
    done = stating.answer(afresh=True)
    if done.errors and not scenario_json:
        raise PlannerError(f"Not saved, because it cannot be computed: {done.errors[0][1]}")
    scenario = scenario_from_json(scenario_json or done.scenario_json)
    name = checked_name(naming.called(scenario.name))
    new = content(
        scenario_to_json(scenario.model_copy(update={"name": name})),
        author=str(session.get("save.author")),
        note=str(session.get("save.note")),
    )
    opened = session.link()
    if opened.design is None or as_new:
        saved = answers.store().create_design(name, new)
        sending.take_along(saved.design_id)
    else:
        base = on_top_of or opened.revision or 1
        try:
            saved = answers.store().add_revision(opened.design, new, base_revision=base)
        except ConflictError as conflict:
            if scenario_json:
                # Two sets of changes together, and someone saved a third: all of mine is in the inputs.
                stating.take(scenario_from_json(scenario_json))
            _remember(conflict)
            return
        if name != answers.store().design(opened.design).name:
            answers.store().rename_design(opened.design, name)
    _after(saved, opened.draft)


def again(scenario_json: str, *, design: int, revision: int) -> None:
    """Save the inputs of a revision with today's results, as the revision after the newest.

    Raises:
        PlannerError: They can no longer be computed, someone else saved meanwhile, or the role is not enough.
    """
    note = f"Recomputed from revision {revision}"
    new = content(scenario_json, author=str(session.get("save.author")), note=note)
    newest = answers.store().design(design).latest_revision
    _after(answers.store().add_revision(design, new, base_revision=newest), "")


def _after(saved: Revision, draft: str) -> None:
    if draft:
        answers.store().delete_draft(draft)
    opening.open_revision(saved.design_id, saved.number)
    session.put("_saved", f"Saved as design {saved.design_id}, revision {saved.number}.")
    session.put("save.open", False)


def _remember(conflict: ConflictError) -> None:
    current = conflict.current
    session.put(
        "_conflict",
        {
            "line": conflict.message,
            "design": current.design_id,
            "number": current.number,
            "theirs": current.scenario_json,
            "base": conflict.base.scenario_json,
            "yours": conflict.yours.scenario_json,
        },
    )
    session.put("save.open", False)


def buttons() -> None:
    """The button that saves, with name, note and author behind it."""
    popover = st.popover("Save", key="save.open", on_change="rerun", icon=":material/save:")
    if popover.open:
        with popover:
            _form()


def _form() -> None:
    opened = session.link()
    st.text_input(
        "Name of the design",
        key=held.draw("name"),
        persist_state="session",
        help="The title of every document: a customer's name and the project, for example.",
    )
    name = naming.called()
    if name != held.get("name"):
        st.caption(
            escaped(f"The library calls it “{name}” now, and saves it so unless you type another name.")
        )
    elif naming.is_borrowed():
        st.caption("This is still the template's name. Type your own: every document bears it.")
    if not people.actor().signed_in:
        st.text_input("Author", key="save.author", persist_state="session")
    st.text_area("What changed", key="save.note", persist_state="session")
    if opened.design is None:
        st.button("Save design", on_click=save, key="save.do")
        return
    st.button(f"Save as revision {(opened.revision or 0) + 1}", on_click=save, key="save.do")
    st.button("Save as a new design", on_click=save, kwargs={"as_new": True}, key="save.new")


def outcome() -> None:
    """That the last save was done; a conflict is told by `merging`."""
    done = session.get("_saved")
    if done:
        st.success(escaped(done), icon=":material/check_circle:")
        session.put("_saved", "")


def changed_inputs(scenarios: dict[str, Scenario]) -> list[dict[str, str]]:
    """Inputs whose value is not the same in all scenarios, a line each.

    A job that some of them do not have is one line, and its inputs only where others differ in them.
    """
    flats = {name: flatten(scenario) for name, scenario in scenarios.items()}
    count = max((len(scenario.jobs) for scenario in scenarios.values()), default=1)
    rows: list[tuple[Input, list[str]]] = []
    for item in inputs_for(count) if count > 1 else INPUTS:
        held = [flat.get(item.path, values.ABSENT) for flat in flats.values()]
        stated = [value for value in held if value != values.ABSENT]
        names_job = item.path.startswith("jobs.") and item.path.count(".") == 2 and item.name == "name"
        if any(value != stated[0] for value in stated[1:]) or (names_job and len(stated) < len(held)):
            rows.append((item, [values.words(item, value) for value in held]))
    names = fields.told_apart([item for item, _ in rows])
    return [
        {"Input": escaped(name)} | {escaped(n): escaped(t) for n, t in zip(flats, texts, strict=True)}
        for name, (_, texts) in zip(names, rows, strict=True)
    ]
