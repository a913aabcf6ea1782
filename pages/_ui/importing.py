"""Inputs that are set together: a model from the library, from files or text, and presets."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from typing import Any

import streamlit as st

from pages._ui import held, session, stating
from pages._ui.figures import table
from pages._ui.markup import escaped
from planner.architectures import MAX_INDEX_BYTES, Architecture, describe, library
from planner.core.errors import PlannerError, shorten
from planner.model_import import (
    check_size,
    inputs_of_model,
    library_architecture,
    model_of_files,
    newest_model,
)
from planner.presets import PRESETS

_OWN_NAME = re.compile(r"Training( \d+[BT]?)?")
_FOUND, _WRONG, _LEFT, _SEEN = "_model_found", "_model_wrong", "_model_left", "_model_seen"


def panel() -> None:
    """Three ways to a model, and what was found."""
    expander = st.expander(
        "Choose or import a model", key="ui.model", on_change="rerun", icon=":material/upload_file:"
    )
    if not expander.open:
        return
    with expander:
        entries = library()
        st.selectbox(
            "From the library",
            list(entries),
            format_func=lambda entry: f"{entries[entry].name} · {entries[entry].maker}",
            index=None,
            key="model.library",
            placeholder="Choose one of the models that come with the planner",
            on_change=_from_library,
        )
        # no list of file types: a wrong file gets the planner's own line, which says what is wrong with it
        st.file_uploader(
            "From its files: config.json, *.index.json, params.json, safetensors headers",
            accept_multiple_files=True,
            key="model.files",
            on_change=_from_files,
        )
        st.text_area("From pasted text", key="model.text", placeholder="{ … }", height=100)
        st.button("Read the text", on_click=_from_text, icon=":material/content_paste:")
        _told()


def _told() -> None:
    """What was wrong, or what was found and taken over."""
    wrong = session.get(_WRONG)
    if wrong:
        st.error(escaped(str(wrong)), icon=":material/error:")
    left = session.get(_LEFT) or ()
    if left:
        names = "; ".join(shorten(name) for name in left)
        st.caption(escaped(f"Left out, of another model or of none: {names}"))
    found = session.get(_FOUND)
    if isinstance(found, Architecture):
        rows = [{"": escaped(label), "Model": escaped(value)} for label, value in describe(found)]
        table(rows, alt=f"Parameters of {found.name}")


def _from_library() -> None:
    chosen = session.get("model.library")
    if chosen:
        _take(lambda: library_architecture(str(chosen)))


def _from_files() -> None:
    """Read the files that were dropped last, with those before them as far as they are of the same model."""
    files = session.get("model.files") or []
    seen, now = Counter(session.get(_SEEN) or ()), [(file.name, hash(file.getvalue())) for file in files]
    session.put(_SEEN, tuple(now))
    session.put(_WRONG, "")
    session.put(_LEFT, ())
    older: list[Any] = []
    fresh: list[Any] = []
    for file, key in zip(files, now, strict=True):
        (older if seen[key] > 0 else fresh).append(file)
        seen[key] -= 1
    ordered = [*older, *fresh]  # what was dropped last counts, wherever the list shows it

    def read() -> Architecture:
        for file in fresh:
            check_size(file.name, file.size)
        small = [file for file in ordered if file.size <= MAX_INDEX_BYTES]
        found, left = newest_model([(file.name, file.getvalue()) for file in small], new_count=len(fresh))
        session.put(_LEFT, (*left, *(file.name for file in ordered if file.size > MAX_INDEX_BYTES)))
        return found

    if fresh:
        _take(read)
    elif files:
        _after_removal(read)


def _after_removal(read: Callable[[], Architecture]) -> None:
    """A file was taken out of the list: what is left counts if it is another model than before."""
    before = session.get(_FOUND)
    try:
        found = read()
    except PlannerError:
        return  # what is left was refused before and has not been asked for now
    if found != before:
        _take(lambda: found)


def _from_text() -> None:
    text = str(session.get("model.text") or "")
    _take(lambda: model_of_files([("", text.encode())]))


def _take(read: Callable[[], Architecture]) -> None:
    """Put a model into the job in view; one that cannot be read leaves every input as it is."""
    try:
        found = read()
        wanted = inputs_of_model(found, job=session.job())
    except PlannerError as error:
        session.put(_WRONG, error.message)
        session.put(_FOUND, None)
        return
    session.put(_WRONG, "")
    session.put(_FOUND, found)
    _name_job(str(wanted[f"jobs.{session.job()}.model.name"]))
    for path, value in wanted.items():
        stating.set_value(path, value)
    session.moved()


def _name_job(model: str) -> None:
    """A job that still bears a name of the planner's own, "Training 70B", takes that of its new model."""
    path = f"jobs.{session.job()}.name"
    name, before = str(held.get(path)), held.get(f"jobs.{session.job()}.model.name")
    if _OWN_NAME.fullmatch(name) or name == shorten(f"Training {before}"):
        stating.set_value(path, shorten(f"Training {model}"))


def presets() -> None:
    """Sets of inputs that are applied together; each value then stands in its own field."""
    st.selectbox(
        "Apply a preset",
        list(PRESETS),
        format_func=lambda key: PRESETS[key].label,
        index=None,
        key="network.preset",
        placeholder="Client stacks: planned, or as measured in the field",
        help="  \n".join(escaped(f"{p.label}: {p.help} Source: {p.source}.") for p in PRESETS.values()),
        on_change=_apply_preset,
    )


def _apply_preset() -> None:
    chosen = session.get("network.preset")
    if chosen in PRESETS:
        for path, value in PRESETS[chosen].changes.items():
            stating.set_value(path, value)
        session.moved()
