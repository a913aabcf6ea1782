"""Inputs that are set together: a model from the library, from files or text, and presets."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from pages._ui import session
from pages._ui.figures import table
from pages._ui.markup import escaped
from planner.architectures import Architecture, describe, library
from planner.core.errors import PlannerError
from planner.model_import import check_size, inputs_of_model, library_architecture, model_of_files
from planner.presets import PRESETS

_FOUND, _WRONG = "_model_found", "_model_wrong"


def panel() -> None:
    """Three ways to a model, and what was found."""
    expander = st.expander("Import a model", key="ui.model", on_change="rerun", icon=":material/upload_file:")
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
    found = session.get(_FOUND)
    if isinstance(found, Architecture):
        rows = [{"": escaped(label), "Model": escaped(value)} for label, value in describe(found)]
        table(rows, alt=f"Parameters of {found.name}")


def _from_library() -> None:
    chosen = session.get("model.library")
    if chosen:
        _take(lambda: library_architecture(str(chosen)))


def _from_files() -> None:
    files = session.get("model.files") or []

    def read() -> Architecture:
        for file in files:
            check_size(file.name, file.size)
        return model_of_files([(file.name, file.getvalue()) for file in files])

    if files:
        _take(read)


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
    for path, value in wanted.items():
        session.set_value(path, value)
    session.moved()


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
            session.set_value(path, value)
        session.moved()
