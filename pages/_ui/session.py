"""What a visitor is working on: the inputs, where they came from, and the draft that survives a reload.

The session holds plain values alone: what each widget holds under its path in the scenario, whether a
field is AUTO under `path#auto`, and names that begin with "_" for the rest.
"""

from __future__ import annotations

import contextlib
import functools
import json
import time
from collections.abc import Callable
from dataclasses import astuple, dataclass
from datetime import datetime
from typing import Any, ParamSpec

import streamlit as st
from pydantic import ValidationError

from pages._ui import address, answers, coming_back, held, people, values
from pages._ui.address import Link
from planner.core.errors import PlannerError
from planner.inputs import Input, flatten, inputs_for, nest, scenario_from_dict, scenario_to_json
from planner.plan import Plan
from planner.review import Role, allows
from planner.scenario import Scenario, Site
from planner.store import Draft, DraftConflictError, Revision, Store
from planner.templates import template

P = ParamSpec("P")
START_TEMPLATE = "guide-256-evidence"
MAX_JOBS = 16
SITES, SITES_OPENED = "_sites", "_sites_opened"
"""Sites beside the design's own, and whether a draft brought them and their fields are still to be filled."""
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
    "method.constants": "",
    "method.checked": "",
    "method.inputs": "",
    "catalogue.kind": "drives",
    "catalogue.set": "catalogue-2026",
    "catalogue.filter": "",
    "catalogue.show": "All",
    "catalogue.organisation": "",
    "review.view": "State",
    "review.note": "",
    "explore.view": "Sweep",
    "explore.x": "jobs.0.checkpoint.interval_s",
    "explore.x.low": "5 min",
    "explore.x.high": "4 h",
    "explore.x.steps": "60",
    "explore.x.log": True,
    "explore.y": "none",
    "explore.y.low": "",
    "explore.y.high": "",
    "explore.y.steps": "40",
    "explore.y.log": False,
    "explore.figure": "goodput_fraction",
    "optimum.objectives": ["cost", "power", "stall", "rack-units"],
    "optimum.cost": "",
    "optimum.power": "",
    "optimum.stall": "",
    "optimum.rack-units": "",
    "optimum.goodput": "",
    "optimum.lost": True,
    "optimum.wide": False,
    "optimum.platform": [],
    "optimum.drive": [],
    "optimum.protection": [],
    "optimum.transport": [],
    "optimum.link": "",
    "optimum.interval": "",
    "optimum.avoid": ["BW-2", "BW-3", "CAP-2", "NET-2", "PRT-1", "PRT-3"],
    "optimum.across": "cost",
    "optimum.up": "stall",
    "growth.years": "5",
    "growth.gpu": "25 %",
    "growth.parameter": "40 %",
    "growth.dataset": "30 %",
    "explore.result": "whole_usd",
    "explore.storage": "Sized anew for every value",
    "explore.seed": "1",
    "explore.samples": "10000",
    "explore.against": "none",
}
"""Widgets that are no input of the scenario, kept in the same way."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the planner says to the inputs.

    Attributes:
        plan: The plan; the last good one if there are errors, None if there never was one.
        errors: Path and line of everything that keeps the inputs from being computed.
    """

    plan: Plan | None
    errors: tuple[tuple[str, str], ...] = ()

    @property
    def scenario_json(self) -> str:
        """The scenario of the plan; empty if there is none."""
        return scenario_to_json(self.plan.scenario) if self.plan else ""


def get(key: str, default: object = None) -> Any:
    """A value of the session."""
    return st.session_state.get(key, default)


def put(key: str, value: object) -> None:
    """Set a value of the session; before its widget is drawn, or in a callback."""
    st.session_state[key] = value


def binary() -> bool:
    """Whether the visitor reads sizes in GiB and TiB."""
    return bool(get("ui.binary"))


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
    put("_role", _role())
    coming_back.asks(wanted)
    if "_link" not in st.session_state:
        _first(_before_sign_in() if wanted == Link() else wanted)
    elif _asks_for_another(wanted):
        guarded(_open)(wanted)
    _keep()
    _look_again()
    if not held.untouched() or "_stated" not in st.session_state:
        put("_stated", stated())
        put("_answered", None)
        _save_draft(*get("_stated"))
    address.write(link())


def _look_again() -> None:
    """Plan again if someone changed the organisation's rows of the catalogue; that they cannot be read is said once."""
    wrong = ""
    try:
        if answers.look_again():
            put("_answered", None)
    except PlannerError as error:
        wrong = f"The rows that were added to the catalogue cannot be read: {error.message}"
    if wrong and wrong != get("_rows_wrong"):
        notify(wrong)
    put("_rows_wrong", wrong)


def link() -> Link:
    """What is open."""
    return Link(*get("_link"))


def _role() -> Role:
    """The visitor's role; a database that cannot say refuses what is asked of it by itself.

    Then a visitor keeps the role that he had, so that no draft is given up for a moment's failure.
    """
    try:
        return answers.store().role()
    except PlannerError:
        known: Role = get("_role") or ("approver" if people.actor().local else "viewer")
        return known


def changed() -> bool:
    """Whether what is open is not a saved revision as it was saved."""
    return link().design is None or bool(link().draft) or bool(get("_changed"))


def may(needed: Role) -> bool:
    """Whether the visitor may do what a role is needed for; the store asks again when it is done."""
    return allows(get("_role", "viewer"), needed)


def inputs() -> tuple[Input, ...]:
    """Every input of the scenario with the jobs that it has."""
    return inputs_for(int(get("_jobs", 1)))


def _before_sign_in() -> Link:
    """What someone who comes back from the sign-in had asked for as a guest."""
    if not people.actor().signed_in:
        return Link()
    wanted, screen = coming_back.take()
    if screen:
        put("_go", screen)
    return wanted


def _first(wanted: Link) -> None:
    put("_welcome", wanted == Link())
    try:
        _open(wanted)
    except PlannerError as error:
        notify(error.message)
        _load(flatten(template(START_TEMPLATE).scenario), Link())


def _address() -> Link:
    try:
        return address.read()
    except PlannerError as error:
        notify(error.message)
        return Link()


def _asks_for_another(wanted: Link) -> bool:
    if time.monotonic() - get("_moved_at", 0.0) < STALE_ADDRESS_S:
        return False
    return address.differs(wanted, link())


def _keep() -> None:
    """Take over what the widgets say, and write the others back: nothing out of view, or late, is lost."""
    held.take_in()
    for key, default in DEFAULTS.items():
        said = get(key)
        put(key, default if said is None else said)


# --- values and the answer to them ------------------------------------------------------------------


def auto_key(path: str) -> str:
    """Session key that says whether a field is AUTO."""
    return f"{path}#auto"


def stated() -> tuple[dict[str, Any], dict[str, str]]:
    """Every value by path, and the line for each text that is no value; such a field keeps its last one."""
    loaded: dict[str, Any] = get("_loaded", {})
    now = held.everything()
    flat: dict[str, Any] = {}
    errors: dict[str, str] = {}
    for item in inputs():
        if item.auto and now[auto_key(item.path)]:
            flat[item.path] = None
            continue
        before = loaded.get(item.path, item.default)
        try:
            flat[item.path] = values.read(item, now[item.path], before)
            held.settle(item.path, values.settled(item, now[item.path], flat[item.path]))
        except PlannerError as error:
            flat[item.path] = before
            errors[item.path] = error.message
    return flat, errors


def answer(*, afresh: bool = False) -> Answer:
    """The plan of the inputs as they stand, or the last good one with what is wrong.

    Args:
        afresh: Read the inputs again, as a callback has to: it runs before `begin` does.
    """
    if afresh:
        held.take_in()
        put("_answered", None)
        put("_stated", stated())
    if get("_answered") is None:
        put("_answered", _answered(*get("_stated")))
    text, errors = get("_answered")
    return Answer(answers.plan_of(text, binary=binary()) if text else None, errors)


def _answered(flat: dict[str, Any], lines: dict[str, str]) -> tuple[str, tuple[tuple[str, str], ...]]:
    """The scenario whose plan is the answer, and what keeps it from being the answer to the inputs."""
    errors = list(lines.items())
    if not errors:
        try:
            text = json.dumps(nest(flat))
            answers.plan_of(text, binary=binary())
            put("_good", text)
            return text, ()
        except PlannerError as error:
            errors = values.error_lines(error, held.everything())
    return _last_good(), tuple(errors)


def _last_good() -> str:
    """The last inputs that had a plan; empty if there are none, or a row they name is no longer there."""
    good = str(get("_good", ""))
    try:
        if good:
            answers.plan_of(good)
    except PlannerError:
        put("_good", "")
        return ""
    return good


def set_value(path: str, value: values.Value) -> None:
    """Set one input, as the remedy of a finding does; None is AUTO."""
    for item in inputs():
        if item.path == path:
            held.put(path, values.shown(item, item.default if value is None and not item.auto else value))
            if item.auto:
                held.put(auto_key(path), value is None)


def pinned() -> str:
    """Scenario of the pinned baseline; empty if there is none."""
    text: str = get("_pinned", "")
    return text


def baseline() -> Plan | None:
    """Plan of the pinned baseline; None if there is none, or if it can no longer be computed."""
    try:
        return answers.plan_of(pinned(), binary=binary()) if pinned() else None
    except PlannerError as error:
        notify(f"The pinned baseline cannot be computed: {error.message}")
        pin("", "")
        return None


def pin_now() -> None:
    """Keep what the inputs say now as the baseline."""
    pin(answer(afresh=True).scenario_json, str(held.get("name")))


def pin(scenario_json: str, label: str) -> None:
    """Keep a scenario as the baseline that changes are shown against; an empty one clears it."""
    put("_pinned", scenario_json)
    put("_pinned_label", label)
    held.touch()


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
    held.take_in()
    jobs: list[Any] = nest(stated()[0])["jobs"]
    return jobs


def _put_jobs(jobs: list[Any]) -> None:
    nested = {"jobs": jobs}
    others = {key: raw for key, raw in held.everything().items() if not key.startswith("jobs.")}
    put("_jobs", len(jobs))
    flat = {
        item.path: values.dig(nested, item.path, item.default)
        for item in inputs()
        if item.path.startswith("jobs.")
    }
    held.fill({**others, **_shown(flat)})
    put("_loaded", {**get("_loaded", {}), **flat})


def take(scenario: Scenario) -> None:
    """Put other values into the inputs of what is open, as if they had been typed."""
    flat = flatten(scenario)
    put("_jobs", len(scenario.jobs))
    held.fill(_shown(flat))
    put("_loaded", {**flat, "name": get("_loaded", {}).get("name")})


# --- opening ------------------------------------------------------------------------------------------


def _open(wanted: Link) -> None:
    """Load what a link asks for.

    Raises:
        PlannerError: There is no such draft, design or revision, or the store cannot be used.
    """
    if wanted.draft:
        _open_draft(wanted.draft)
    elif wanted.share:
        _open_share(wanted.share)
    elif wanted.design is not None:
        open_revision(wanted.design, wanted.revision)
    else:
        open_new(template(START_TEMPLATE).scenario)


def _open_share(key: str) -> None:
    """Open the revision that a link shows."""
    design, revision = answers.store().shared(key)
    people.came_with(key)
    open_revision(design, revision, share=key)


def open_revision(design: int, revision: int | None = None, *, share: str = "") -> None:
    """Open a revision of a design, the newest one by default.

    Raises:
        PlannerError: There is no such design or revision, or it cannot be read.
    """
    found: Revision = answers.store().revision(
        design, revision or answers.store().design(design).latest_revision
    )
    scenario = scenario_from_dict(json.loads(found.scenario_json))
    _load(flatten(scenario), Link(design, found.number, share=share))


def open_new(scenario: Scenario) -> None:
    """Start a new design from a scenario, as a draft under a key of its own where it may be kept."""
    _load(flatten(scenario), Link(draft=Store.new_draft_key() if may("editor") else ""), kept="")


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
    put("_draft_written", draft.updated.isoformat())
    for path, text in dict(content.get("typed", {})).items():
        held.put(path, str(text))
        held.put(auto_key(path), False)
    pin(str(content.get("pinned", "")), str(content.get("pinned_label", "")))
    _open_sites(content.get("sites"))
    put("_kept", _content(*stated()))


def _open_sites(kept: object) -> None:
    """Take over the sites that a draft holds beside its design's own; what is none, of another version, is left out."""
    found = []
    for item in kept if isinstance(kept, list) else ():
        with contextlib.suppress(ValidationError, KeyError, TypeError):
            site = Site.model_validate(item["site"]).model_dump(mode="json")
            found.append({"name": str(item["name"]), "site": site})
    put(SITES, found)
    put(SITES_OPENED, bool(found))


def keep_draft() -> None:
    """Keep what a draft holds beside its inputs, if it changed while the page was built."""
    _save_draft(*get("_stated"))
    address.write(link())


def _load(flat: dict[str, Any], opened: Link, kept: str | None = None) -> None:
    """Put values into the session.

    Args:
        flat: Every value by path.
        opened: What they are.
        kept: What the store holds of them as a draft; None if nothing needs to be kept before a change.
    """
    put("_jobs", len(nest(flat)["jobs"]))
    held.fill(_shown(flat))
    put("_loaded", dict(flat))
    put("_link", astuple(opened))
    put("_changed", False)
    put("_good", "")
    put("_conflict", None)
    put("_draft_written", "")
    put("ui.job", 0)
    put("save.note", "")
    moved()
    put("_kept", _content(*stated()) if kept is None else kept)


def _shown(flat: dict[str, Any]) -> dict[str, values.Raw]:
    """What the widgets hold for values by path."""
    raw: dict[str, values.Raw] = {}
    for item in inputs():
        if item.path in flat:
            raw[item.path] = values.shown(item, flat[item.path])
            if item.auto:
                raw[auto_key(item.path)] = flat[item.path] is None
    return raw


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
        "typed": {path: held.get(path) for path in errors},
        "pinned": pinned(),
        "pinned_label": get("_pinned_label", ""),
        "sites": get(SITES) or [],
    }
    return json.dumps(content, ensure_ascii=False, sort_keys=True)


def _save_draft(flat: dict[str, Any], errors: dict[str, str]) -> None:
    """Keep the inputs in the store when they changed; a store that cannot is said once, not obeyed."""
    content = _content(flat, errors)
    if content == get("_kept"):
        return
    put("_kept", content)
    current = link()
    if not may("editor"):
        put("_changed", True)  # a viewer tries things out; nothing of it is kept
        return
    key = current.draft or Store.new_draft_key()
    try:
        try:
            _write_draft(key, content)
        except DraftConflictError:
            notify(
                "Someone else writes in this draft as well. What you type is kept in one of your own from now on."
            )
            key = Store.new_draft_key()
            put("_draft_written", "")
            _write_draft(key, content)
    except PlannerError as error:
        notify(f"The draft is not saved: {error.message}")
        return
    if key != current.draft:
        put("_link", (current.design, current.revision, key, ""))
        moved()


def _write_draft(key: str, content: str) -> None:
    """Write the draft, unless someone else did since this session last read or wrote it.

    Raises:
        DraftConflictError: Someone else did.
        PlannerError: The store cannot be written, or not by this visitor.
    """
    current, known = link(), str(get("_draft_written", ""))
    saved = answers.store().save_draft(
        key,
        content,
        base_design_id=current.design,
        base_revision=current.revision,
        written=datetime.fromisoformat(known) if known else None,
    )
    put("_draft_written", saved.updated.isoformat())
