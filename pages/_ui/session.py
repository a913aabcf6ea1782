"""What a visitor is working on: the inputs, where they came from, and the draft that survives a reload.

The session holds plain values alone: what each widget holds under its path in the scenario, whether a
field is AUTO under `path#auto`, and names that begin with "_" for the rest.
"""

from __future__ import annotations

import functools
import json
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ParamSpec

import streamlit as st

from pages._ui import answers, values
from planner.core.errors import PlannerError, shorten
from planner.inputs import Input, flatten, inputs_for, nest, scenario_from_dict
from planner.plan import Plan
from planner.scenario import Scenario
from planner.store import Draft, Revision, Store
from planner.templates import template

P = ParamSpec("P")
START_TEMPLATE = "guide-256-evidence"
MAX_JOBS = 16
STALE_ADDRESS_S = 3.0
"""After the session moved on by itself, the browser may still send the old address for this long."""
DEFAULTS: dict[str, Any] = {
    "ui.section": "Checkpoints",
    "ui.group": "Cluster",
    "ui.search": "",
    "ui.binary": False,
    "ui.more": False,
    "ui.job": 0,
    "save.author": "",
    "save.note": "",
    "designs.search": "",
    "designs.archived": False,
    "designs.page": 1,
    "designs.view": "Saved designs",
    "compare.count": 2,
    "method.subject": "",
    "method.search": "",
    "method.view": "Formulas",
    "catalogue.kind": "drives",
}
"""Widgets that are no input of the scenario, kept in the same way."""
_TURNS = re.compile("[\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Characters that change the direction of the text around them."""
_LISTED = re.compile(r"^(\d+)\.(?=\s)")
_MARKS = re.compile(r"([\\`*_{}\[\]()<>#+!|~$:-])")


@dataclass(frozen=True, slots=True)
class Link:
    """What an address asks for: a revision of a design, or a draft."""

    design: int | None = None
    revision: int | None = None
    draft: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the planner says to the inputs.

    Attributes:
        plan: The plan; the last good one if there are errors, None if there never was one.
        scenario_json: The scenario of that plan.
        errors: Path and line of everything that keeps the inputs from being computed.
    """

    plan: Plan | None
    scenario_json: str
    errors: tuple[tuple[str, str], ...] = ()


def escaped(text: str) -> str:
    """A text in which nothing is taken as markup or as a link, and that turns no text beside it around."""
    text = _TURNS.sub("", text).replace("://", ":\u2060//").replace("www.", "www\u2060.")
    return _LISTED.sub(r"\1\\.", _MARKS.sub(r"\\\1", text.replace("\n", " ")))


def get(key: str, default: object = None) -> Any:
    """A value of the session."""
    return st.session_state.get(key, default)


def put(key: str, value: object) -> None:
    """Set a value of the session; before its widget is drawn, or in a callback."""
    st.session_state[key] = value


def notify(line: str) -> None:
    """Keep a line to show on top of the next page."""
    st.session_state["_notices"] = [*get("_notices", []), line]


def take_notices() -> list[str]:
    """The lines to show, which are then forgotten."""
    lines: list[str] = st.session_state.pop("_notices", [])
    return list(dict.fromkeys(lines))


def guarded(function: Callable[P, None]) -> Callable[P, None]:
    """A callback whose refusal is shown as one line."""

    @functools.wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            function(*args, **kwargs)
        except PlannerError as error:
            notify(error.message)

    return call


# --- a run of the application ---------------------------------------------------------------------


def begin() -> None:
    """Start of each run: open what the address asks for, write every value back, save, write the address."""
    wanted = _address()
    if "_link" not in st.session_state:
        _first(wanted)
    elif _asks_for_another(wanted):
        guarded(_open)(wanted)
    _keep()
    put("_stated", stated())
    _save_draft(*get("_stated"))
    _write_address()


def link() -> Link:
    """What is open."""
    return Link(*get("_link"))


def inputs() -> tuple[Input, ...]:
    """Every input of the scenario with the jobs that it has."""
    return inputs_for(int(get("_jobs", 1)))


def _first(wanted: Link) -> None:
    try:
        _open(wanted)
    except PlannerError as error:
        notify(error.message)
        _load(flatten(template(START_TEMPLATE).scenario), Link())


def _address() -> Link:
    query = st.query_params.to_dict()
    try:
        return Link(_number(query, "design"), _number(query, "rev"), query.get("draft", ""))
    except PlannerError as error:
        notify(error.message)
        return Link()


def _number(query: dict[str, str], name: str) -> int | None:
    text = query.get(name, "")
    if not text:
        return None
    if not (text.isdecimal() and text.isascii()) or len(text) > 12:
        raise PlannerError(f"{name}: “{shorten(text)}” in the link is not a number of 1 or more", field=name)
    return int(text)


def _asks_for_another(wanted: Link) -> bool:
    if time.monotonic() - get("_moved_at", 0.0) < STALE_ADDRESS_S:
        return False
    current = link()
    if wanted.draft:
        return wanted.draft != current.draft
    if wanted.design is None:
        return False
    return (wanted.design, wanted.revision or current.revision) != (current.design, current.revision)


def _write_address() -> None:
    current = link()
    wanted = {"design": current.design, "rev": current.revision, "draft": current.draft or None}
    for name, value in wanted.items():
        if value is None:
            if name in st.query_params:
                del st.query_params[name]
        elif st.query_params.get(name) != str(value):
            st.query_params[name] = str(value)


def _keep() -> None:
    """Write every value back, so that no widget that is out of view, and no late commit, loses one."""
    for item in inputs():
        held = get(item.path)
        put(item.path, values.shown(item, item.default) if held is None else held)
        if item.auto:
            put(auto_key(item.path), bool(get(auto_key(item.path), item.default is None)))
    for key, default in DEFAULTS.items():
        held = get(key)
        put(key, default if held is None else held)


# --- values and the answer to them ------------------------------------------------------------------


def auto_key(path: str) -> str:
    """Session key that says whether a field is AUTO."""
    return f"{path}#auto"


def stated() -> tuple[dict[str, Any], dict[str, str]]:
    """Every value by path, and the line for each text that is no value; such a field keeps its last one."""
    loaded: dict[str, Any] = get("_loaded", {})
    flat: dict[str, Any] = {}
    errors: dict[str, str] = {}
    for item in inputs():
        if item.auto and get(auto_key(item.path)):
            flat[item.path] = None
            continue
        before = loaded.get(item.path, item.default)
        try:
            flat[item.path] = values.read(item, get(item.path), before)
        except PlannerError as error:
            flat[item.path] = before
            errors[item.path] = error.message
    return flat, errors


def answer(*, afresh: bool = False) -> Answer:
    """The plan of the inputs as they stand, or the last good one with what is wrong.

    Args:
        afresh: Read the inputs again, as a callback has to: it runs before `begin` does.
    """
    flat, lines = stated() if afresh else get("_stated")
    errors = list(lines.items())
    if not errors:
        try:
            text = answers.scenario_text(nest(flat))
            plan = answers.plan_of(text)
            put("_good", text)
            return Answer(plan, text)
        except PlannerError as error:
            errors = values.error_lines(error)
    last: str = get("_good", "")
    return Answer(answers.plan_of(last) if last else None, last, tuple(errors))


def set_value(path: str, value: values.Value) -> None:
    """Set one input, as the remedy of a finding does; None is AUTO."""
    for item in inputs():
        if item.path == path:
            put(path, values.shown(item, item.default if value is None and not item.auto else value))
            if item.auto:
                put(auto_key(path), value is None)


def pinned() -> str:
    """Scenario of the pinned baseline; empty if there is none."""
    text: str = get("_pinned", "")
    return text


def baseline() -> Plan | None:
    """Plan of the pinned baseline; None if there is none, or if it can no longer be computed."""
    try:
        return answers.plan_of(pinned()) if pinned() else None
    except PlannerError as error:
        notify(f"The pinned baseline cannot be computed: {error.message}")
        pin("", "")
        return None


def pin(scenario_json: str, label: str) -> None:
    """Keep a scenario as the baseline that changes are shown against; an empty one clears it."""
    put("_pinned", scenario_json)
    put("_pinned_label", label)


# --- jobs ---------------------------------------------------------------------------------------------


def job() -> int:
    """Number of the job whose inputs are in view, from 0."""
    return min(int(get("ui.job") or 0), int(get("_jobs", 1)) - 1)


def add_job() -> None:
    """Add a job like the one in view."""
    jobs = _jobs()
    if len(jobs) < MAX_JOBS:
        _put_jobs([*jobs, {**jobs[job()], "name": f"Training {len(jobs) + 1}"}])
        put("ui.job", len(jobs))


def remove_job() -> None:
    """Remove the job in view; the last one stays."""
    jobs = _jobs()
    if len(jobs) > 1:
        chosen = job()
        _put_jobs(jobs[:chosen] + jobs[chosen + 1 :])
        put("ui.job", max(0, chosen - 1))


def _jobs() -> list[Any]:
    jobs: list[Any] = nest(stated()[0])["jobs"]
    return jobs


def _put_jobs(jobs: list[Any]) -> None:
    nested = {"jobs": jobs}
    _fill(nested, len(jobs), prefix="jobs.")
    jobs_values = {
        item.path: values.dig(nested, item.path, item.default)
        for item in inputs()
        if item.path.startswith("jobs.")
    }
    put("_loaded", {**get("_loaded", {}), **jobs_values})


# --- opening ------------------------------------------------------------------------------------------


def _open(wanted: Link) -> None:
    """Load what a link asks for.

    Raises:
        PlannerError: There is no such draft, design or revision, or the store cannot be used.
    """
    if wanted.draft:
        _open_draft(wanted.draft)
    elif wanted.design is not None:
        open_revision(wanted.design, wanted.revision)
    else:
        open_new(template(START_TEMPLATE).scenario)


def open_revision(design: int, revision: int | None = None) -> None:
    """Open a revision of a design, the newest one by default.

    Raises:
        PlannerError: There is no such design or revision, or it cannot be read.
    """
    found: Revision = answers.store().revision(
        design, revision or answers.store().design(design).latest_revision
    )
    scenario = scenario_from_dict(json.loads(found.scenario_json))
    _load(flatten(scenario), Link(design, found.number))


def open_new(scenario: Scenario) -> None:
    """Start a new design from a scenario, as a draft under a key of its own."""
    _load(flatten(scenario), Link(draft=Store.new_draft_key()), kept="")


def _open_draft(key: str) -> None:
    draft: Draft | None = answers.store().draft(key)
    if draft is None:
        raise PlannerError(
            "draft: the draft of this link does not exist any more; it was saved or removed", field="draft"
        )
    content = json.loads(draft.content_json)
    nested = content.get("scenario", {}) if isinstance(content, dict) else {}
    jobs = nested.get("jobs", [{}]) if isinstance(nested, dict) else [{}]
    count = max(1, min(MAX_JOBS, len(jobs) if isinstance(jobs, list) else 1))
    flat = {item.path: values.dig(nested, item.path, item.default) for item in inputs_for(count)}
    _load(flat, Link(draft.base_design_id, draft.base_revision, key))
    for path, text in dict(content.get("typed", {})).items():
        put(path, str(text))
        put(auto_key(path), False)
    pin(str(content.get("pinned", "")), str(content.get("pinned_label", "")))
    put("_kept", _content(*stated()))


def _load(flat: dict[str, Any], opened: Link, kept: str | None = None) -> None:
    """Put values into the session.

    Args:
        flat: Every value by path.
        opened: What they are.
        kept: What the store holds of them as a draft; None if nothing needs to be kept before a change.
    """
    jobs = nest(flat)["jobs"]
    _fill(nest(flat), len(jobs), prefix="")
    put("_loaded", dict(flat))
    put("_link", (opened.design, opened.revision, opened.draft))
    put("_good", "")
    put("_conflict", None)
    put("ui.job", 0)
    put("save.note", "")
    moved()
    put("_kept", _content(*stated()) if kept is None else kept)


def _fill(nested: dict[str, Any], job_count: int, *, prefix: str) -> None:
    for item in inputs_for(MAX_JOBS):
        if item.path.startswith("jobs.") and int(item.path.split(".")[1]) >= job_count:
            st.session_state.pop(item.path, None)
            st.session_state.pop(auto_key(item.path), None)
        elif item.path.startswith(prefix):
            value = values.dig(nested, item.path, item.default)
            put(item.path, values.shown(item, value))
            if item.auto:
                put(auto_key(item.path), value is None)
    put("_jobs", job_count)


def go_on() -> None:
    """Go to the page that a callback asked for."""
    wanted = st.session_state.pop("_go", None)
    if wanted:
        st.switch_page(wanted, query_params=st.query_params.to_dict())


def moved() -> None:
    """Remember that the session went on by itself: the address follows it for a while."""
    put("_moved_at", time.monotonic())


# --- the draft ------------------------------------------------------------------------------------------


def _content(flat: dict[str, Any], errors: dict[str, str]) -> str:
    content = {
        "scenario": nest(flat),
        "typed": {path: get(path) for path in errors},
        "pinned": pinned(),
        "pinned_label": get("_pinned_label", ""),
    }
    return json.dumps(content, ensure_ascii=False, sort_keys=True)


def _save_draft(flat: dict[str, Any], errors: dict[str, str]) -> None:
    """Keep the inputs in the store when they changed; a store that cannot is said once, not obeyed."""
    content = _content(flat, errors)
    if content == get("_kept"):
        return
    put("_kept", content)
    current = link()
    key = current.draft or Store.new_draft_key()
    try:
        answers.store().save_draft(
            key, content, base_design_id=current.design, base_revision=current.revision
        )
    except PlannerError as error:
        notify(f"The draft is not saved: {error.message}")
        return
    if key != current.draft:
        put("_link", (current.design, current.revision, key))
        moved()
