"""Inputs as widgets: typed, chosen or ticked, and AUTO or MANUAL where the planner can derive them."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import streamlit as st

from pages._ui import answers, held, importing, job_list, session, unused, values
from pages._ui.markup import bold, escaped, with_code
from planner import input_help
from planner.catalogue import Platform, Switch
from planner.core.quantity import Quantity
from planner.core.units import UNITS, counted, sentence
from planner.inputs import Input, choice_words, input_at, row_words
from planner.plan import Plan
from planner.scenario import MAX_JOBS
from planner.sections.context import Choice

GROUPS = ("Cluster", "Model", "Workload", "Storage", "Network", "Site", "Prices")
_PLACES = (
    (".model.", "Model", "Model"),
    (".parallelism.", "Model", "Parallelism"),
    (".checkpoint.", "Workload", "Checkpoints"),
    (".ingest.", "Workload", "Reads"),
    ("jobs.", "Model", "Job"),
    ("burst_coincidence", "Workload", "Checkpoints"),
    ("storage.hot.", "Storage", "Hot tier"),
    ("storage.file_system.", "Storage", "File system"),
    ("storage.object_store.", "Storage", "Object store"),
    ("storage.", "Storage", "All tiers"),
    ("cluster.", "Cluster", ""),
    ("network.transport_weights.", "", ""),  # in the section on the network
    ("network.", "Network", ""),
    ("site.", "Site", ""),
    ("prices.", "Prices", ""),
)
_HOT_CATEGORIES = {"all-flash", "software-defined", "pfs"}
_CATEGORIES = {
    "storage.file_system.platform_id": {"pfs", "all-flash"},
    "storage.object_store.platform_id": {"object"},
}
"""Categories of platforms that can be chosen for a tier."""


def place(item: Input) -> tuple[str, str]:
    """Group and heading under which an input stands; both empty for those with a place of their own."""
    return _place(item.path)


def told_apart(items: Sequence[Input]) -> list[str]:
    """Labels of inputs, with where one stands if another bears the same: "Usable capacity, Object store"."""
    labels = [item.label for item in items]
    return [item.label if labels.count(item.label) == 1 else _placed(item) for item in items]


def _placed(item: Input) -> str:
    steps = item.path.split(".")
    job = f"job {int(steps[1]) + 1}" if steps[0] == "jobs" else ""
    if job and item.name == "name":
        return sentence(job)
    return ", ".join(dict.fromkeys(word for word in (item.label, place(item)[1], job) if word))


@functools.cache
def _place(path: str) -> tuple[str, str]:
    for part, group, heading in _PLACES:
        if part in path if part.startswith(".") else path.startswith(part):
            return group, heading
    return "", ""


def derived(plan: Plan | None, path: str) -> Quantity | Choice | None:
    """What AUTO comes to at a path, where the plan says so."""
    return plan.auto.get(path) if plan else None


def panel(plan: Plan | None, errors: dict[str, str]) -> set[str]:
    """All inputs: search, group, the fields of the group in view, more on demand.

    Returns:
        Paths of the inputs in view; what is wrong with one of them is said there.
    """
    st.text_input(
        "Search inputs",
        key="ui.search",
        persist_state="session",
        placeholder="Search inputs, e.g. interval",
        label_visibility="collapsed",
        icon=":material/search:",
    )
    wanted = str(session.get("ui.search")).strip().casefold()
    start = f"jobs.{session.job()}."
    chosen = [
        item
        for item in session.inputs()
        if place(item)[0] and (item.path.startswith(start) or not item.path.startswith("jobs."))
    ]
    if wanted:
        return _found([item for item in chosen if wanted in _haystack(item)], wanted, plan, errors)
    st.segmented_control("Inputs", GROUPS, key="ui.group", required=True, persist_state="session", wrap=True)
    group = session.get("ui.group") or GROUPS[0]
    _before(group)
    fields = [item for item in chosen if place(item)[0] == group]
    seen = _fields([item for item in fields if not item.advanced], plan, errors)
    more = [item for item in fields if item.advanced]
    if more:
        st.toggle(f"More inputs ({len(more)})", key="ui.more", persist_state="session")
        if session.get("ui.more"):
            seen |= _fields(more, plan, errors)
    return seen


def _haystack(item: Input) -> str:
    return f"{item.label} {item.help} {item.path}".casefold()


def _found(items: Sequence[Input], wanted: str, plan: Plan | None, errors: dict[str, str]) -> set[str]:
    """The inputs that a search found, or what to do where it found none; their paths."""
    st.caption("1 input matches" if len(items) == 1 else f"{len(items)} inputs match")
    if not items:
        st.info(
            f"No input has “{escaped(wanted)}” in its name, help or path. Try another word, clear the search to see "
            "the groups, or look it up on the Method screen.",
            icon=":material/search_off:",
        )
    return _fields(items, plan, errors, headings=True)


def _before(group: str) -> None:
    """What stands above the fields of a group: the job in view, the import of a model, presets."""
    if group in ("Model", "Workload"):
        _jobs()
    if group == "Model":
        importing.panel()
    if group == "Network":
        importing.presets()


def _jobs() -> None:
    """Which job is in view; add one like it, or remove it."""
    count = int(session.get("_jobs"))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if count > 1:
            names = [f"{index + 1}. {held.get(f'jobs.{index}.name')}" for index in range(count)]
            session.put("ui.job", session.job())
            st.selectbox(
                "Job in view",
                range(count),
                format_func=lambda index: names[index],
                key="ui.job",
                persist_state="session",
                width=200,
            )
        st.button("Add job", on_click=job_list.add_job, icon=":material/add:", disabled=count >= MAX_JOBS)
        if count > 1:
            st.button("Remove job", on_click=job_list.remove_job, icon=":material/remove:")


def _fields(
    items: Sequence[Input], plan: Plan | None, errors: dict[str, str], *, headings: bool = False
) -> set[str]:
    heading = ""
    for item in items:
        group, part = place(item)
        name = f"{group}, {part}" if headings and part else group if headings else part
        if name != heading:
            st.markdown(bold(name))
            heading = name
        field(item, plan, wrong=item.path in errors)
        if item.path in errors:
            st.error(escaped(errors[item.path]))
        elif item.path == "cluster.node_count" and plan is not None and not errors:
            st.caption(f"{counted(plan.cluster.gpu_count.number, 'GPU')} in all")
    return {item.path for item in items}


def elsewhere(errors: Sequence[tuple[str, str]], seen: set[str]) -> None:
    """What is wrong with inputs that are not in view, and where they are."""
    for path, line in errors:
        item = input_at(path)
        if path not in seen:
            st.error(escaped(f"{line}{_where(item) if item else ''}"), icon=":material/error:")


def _where(item: Input) -> str:
    """Where an input that is not in view can be found."""
    group = ", ".join(word for word in place(item) if word)
    job = int(item.path.split(".")[1]) if item.path.startswith("jobs.") else session.job()
    whose = f" of job {job + 1}" if job != session.job() else ""
    return f" (among the inputs of {group}{whose})" if group else ""


def field(item: Input, plan: Plan | None, *, wrong: bool = False) -> None:
    """One input: its widget, and the switch between AUTO and MANUAL if the planner can derive it.

    What other inputs leave without effect is grey, and its help says why; what is wrong can be mended always.
    """
    why_not = "" if wrong else unused.reason(item.path)
    if why_not:
        _widget(item, " (not used)", why_not=why_not)
        return
    if not item.auto:
        _widget(item)
        return
    auto = bool(held.get(session.auto_key(item.path)))
    with st.container(horizontal=True, vertical_alignment="bottom", wrap=False):
        with st.container():
            if auto:
                _derived(item, derived(plan, item.path))
            else:
                _widget(item, " (MANUAL)")
        with st.container(horizontal=True, vertical_alignment="center", width="content", gap="xsmall"):
            _switch(item)


def _switch(item: Input) -> None:
    """AUTO or MANUAL; the switch is called after its field: read aloud alone, "AUTO" would be one of many."""
    st.caption("AUTO", width="content")
    st.toggle(
        escaped(", ".join(word for word in ("AUTO", place(item)[1], item.label) if word)),
        label_visibility="collapsed",
        key=held.draw(session.auto_key(item.path)),
        persist_state="session",
        on_change=_switched,
        args=(item.path,),
    )


def _derived(item: Input, result: Quantity | Choice | None) -> None:
    """The value that AUTO comes to, not to be edited."""
    text = (
        _auto_text(item, result) if isinstance(result, Quantity) else result.label if result else "not used"
    )
    key = f"{item.path}#derived"
    session.put(key, text)
    st.text_input(f"{item.label} (AUTO)", key=key, disabled=True, help=_help(item, result))


def _auto_text(item: Input, result: Quantity) -> str:
    """What AUTO comes to, in the unit that the field is typed in."""
    is_same = result.known and item.unit != "" and result.unit == item.unit
    return (
        item.text(result.number, binary=session.binary()) if is_same else result.text(binary=session.binary())
    )


def _switched(path: str) -> None:
    """MANUAL starts from what AUTO came to."""
    session.moved()
    held.take_in()
    if held.get(session.auto_key(path)):
        return
    item = next(item for item in session.inputs() if item.path == path)
    last = str(session.get("_good", ""))
    result = derived(answers.plan_of(last) if last else None, path)
    start: Any = None
    if isinstance(result, Quantity) and result.known:
        start = result.number
    elif isinstance(result, Choice):
        start = result.value == "separate" if item.kind == "flag" else result.value
    held.put(path, values.shown(item, start))


def _help(item: Input, result: Quantity | Choice | None = None) -> str:
    """Meaning, usual range, how to measure it, source of the default, what is allowed, and why AUTO chose so."""
    lines = [escaped(item.help), *(f"{bold(name)} {told}" for name, told in told_of(item))]
    if isinstance(result, Choice):
        lines.append(f"{bold('AUTO:')} {escaped(result.reason)}.")
    elif result is not None and (result.source or result.formula):
        why = result.formula.summary if result.formula else result.source
        lines.append(f"{bold('AUTO:')} {escaped(why)}")
    return "  \n".join(line for line in lines if line)


def told_of(item: Input) -> list[tuple[str, str]]:
    """Name and text of what is known about an input beside its meaning, safe inside markup."""
    usual = input_help.usual(item, answers.catalogue())
    origin = input_help.usual_source(item)
    source, grade = input_help.default_source(item)
    known = f" ({origin})" if origin else ""
    told = [
        ("Usual:", escaped(f"{usual}{known}.") if usual else ""),
        ("To measure:", with_code(input_help.measuring(item))),
        (
            "Default:",
            escaped(default_text(item, source, grade)) if item.default is not None and source else "",
        ),
        ("Allowed:", escaped(f"{item.allowed()}.") if item.kind in ("number", "count") else ""),
    ]
    return [(name, text) for name, text in told if text]


def default_text(item: Input, source: str, grade: str) -> str:
    """The default of an input with its source and grade."""
    return f"{values.words(item, item.default)}, {source}{f' ({grade})' if grade else ''}."


def _widget(item: Input, mark: str = "", *, why_not: str = "") -> None:
    label = _label(item) + mark
    common: dict[str, Any] = {
        "key": held.draw(item.path),
        "persist_state": "session",
        "help": f"Not used: {escaped(why_not)}.  \n{_help(item)}" if why_not else _help(item),
        "disabled": bool(why_not),
    }
    if item.catalogue:
        _row_choice(item, label, common)
    elif item.kind == "choice":
        st.selectbox(label, item.choices, format_func=choice_words, **common)
    elif item.kind == "flag":
        st.checkbox(label, **common)
    else:
        st.text_input(label, placeholder=_example(item), **common)


def _label(item: Input) -> str:
    unit = f" ({item.unit})" if item.kind == "count" and item.unit not in ("", "count") else ""
    return escaped(item.label) + escaped(unit)


def _example(item: Input) -> str:
    if item.kind != "number":
        return ""
    symbols = UNITS[item.read_as(1.0)[1]].scales if item.unit else ((1.0, ""),)
    return "a number" if len(symbols) == 1 else f"e.g. 10 {symbols[min(3, len(symbols) - 1)][1]}"


def _row_choice(item: Input, label: str, common: dict[str, Any]) -> None:
    """A row of the catalogue; an id that is not there stays in the list, so that the refusal can be seen."""
    rows = _rows(item)
    chosen = str(held.get(item.path))
    options = [*rows, *([] if chosen in rows else [chosen])]
    st.selectbox(
        label,
        options,
        format_func=lambda row_id: rows.get(row_id, f"{row_id}: not in the catalogue"),
        **common,
    )


def _rows(item: Input) -> dict[str, str]:
    """Names of the rows that fit, by id."""
    catalogue = answers.catalogue()
    rows = getattr(catalogue, item.catalogue)
    return {row_id: row_words(row) for row_id, row in rows.items() if _fits(item, row)}


def _fits(item: Input, row: object) -> bool:
    """Whether a row of the catalogue belongs in the list of this input."""
    if isinstance(row, Platform):
        return bool(_CATEGORIES.get(item.path, _HOT_CATEGORIES) & set(row.categories))
    if isinstance(row, Switch):
        return (row.fabric == "fc") == (item.path == "network.fc_switch_id")
    return True
