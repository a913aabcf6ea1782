"""Rows of an organisation's own: one by a form, many by a file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from pages._ui import answers, people, session
from pages._ui.catalogue_stated import newest_versions, stated_fields, stated_row, who_fields, write, wrong
from pages._ui.catalogue_versions import versions
from pages._ui.figures import table
from pages._ui.markup import escaped
from pages._ui.session import guarded, today
from planner.catalogue import OWN_KINDS, load_catalogue
from planner.catalogue.fields import RowField, fields_of
from planner.catalogue.own_csv import CheckedLine, own_csv, read_own_csv, shipped_cells
from planner.core.errors import PlannerError
from planner.core.units import counted
from planner.review import allows
from planner.store import NewCatalogueRow

_COLUMNS = 3
_STATING = ("own.open.form", "own.open.file")
"""Panels in which rows are stated."""
_MOST_LINES = 200
_TO_STATE = ("source", "confidence", "as_of")
_WORDS = {
    "add": ":green[✔] adds",
    "override": ":green[✔] overrides the shipped row",
    "change": ":green[✔] changes the own row",
    "unchanged": "as it is already",
    "refused": ":red[■] refused",
}


def told() -> None:
    """What was saved last, and own rows that no longer fit."""
    done = session.get("_own_done")
    if done:
        st.success(escaped(str(done)), icon=":material/check_circle:")
        session.put("_own_done", "")
    for row, line in () if guest() else answers.own_catalogue().refused:
        st.warning(
            escaped(f"{OWN_KINDS.get(row.kind, row.kind)}, {row.id}: left out of every plan, because {line}"),
            icon=":material/warning:",
        )


def guest() -> bool:
    """Whether the visitor is no one of the organisation: its rows are not for him to read one by one."""
    who = people.actor()
    return not (who.local or who.signed_in)


def panels(kind: str, price_set: str) -> None:
    """Everything that changes the rows of a kind; for who may not, the file to take away and the versions."""
    _download(kind, price_set)
    if guest():
        return
    if allows(answers.store().role(), "editor"):
        if any(session.get(key) for key in _STATING):
            who_fields()
        _panel("Add or override a row", _STATING[0], kind, price_set, _form)
        _panel("Upload a file of rows", _STATING[1], kind, price_set, _upload)
    else:
        st.caption("You may look; adding and overriding rows needs an editor.")
    _panel("Versions and withdrawal", "own.open.versions", kind, price_set, versions)


def _panel(label: str, key: str, kind: str, price_set: str, body: Callable[[str, str], None]) -> None:
    expander = st.expander(label, key=key, on_change="rerun")
    if expander.open:
        with expander:
            body(kind, price_set)


def _download(kind: str, price_set: str) -> None:
    rows = () if guest() else answers.store().own_rows(today())
    own = [row for row in rows if (row.kind, row.price_set) == (kind, price_set)]
    name = f"{kind}-{price_set}" if price_set else kind
    st.download_button(
        "Download these rows as CSV",
        own_csv(kind, own, shipped=shipped_cells(kind, price_set)),
        file_name=f"{name}.csv",
        mime="text/csv",
        on_click="ignore",
        icon=":material/download:",
        help="A template too: change the lines that are yours, and upload the file. Lines left as they are change "
        "nothing.",
    )


# --- one row ------------------------------------------------------------------------------------------------------


def _form(kind: str, price_set: str) -> None:
    rows = newest_versions()
    known = {row.id: row.cells for row in (v.row for v in rows.values() if not v.withdrawn)
             if (row.kind, row.price_set) == (kind, price_set)}  # fmt: skip
    ids = list(dict.fromkeys((*shipped_cells(kind, price_set), *known)))
    start = st.selectbox(
        "Start from",
        ids,
        index=None,
        key=f"own.start.{kind}.{price_set}",
        placeholder="An empty row; or choose one to override or to copy",
    )
    place = f"own.form.{kind}.{price_set}.{start or ''}.{session.get('_own.times', 0)}"
    cells = dict(known.get(start or "", {}))
    if start and not cells:
        shipped = shipped_cells(kind, price_set)[start]
        cells = {name: text for name, text in shipped.items() if name not in _TO_STATE}
    st.caption(
        "The row counts as a whole: a field left empty is not known, also where the shipped row has a figure. "
        "Fields with * must be filled; each is checked like the shipped rows."
    )
    wrong(f"own.form.{kind}")
    with st.form(place, border=False):
        fields = fields_of(kind)
        for first in range(0, len(fields), _COLUMNS):
            for column, item in zip(st.columns(_COLUMNS), fields[first : first + _COLUMNS], strict=False):
                with column:
                    _field(place, item, cells.get(item.column, ""))
        st.text_input(
            "Why", key=f"{place}.why", help="What the reviewers should know; kept with the version."
        )
        stated_fields("own.row", price_set, kind=kind)
        st.form_submit_button(
            "Check and save", on_click=_save_row, args=(kind, place), icon=":material/save:"
        )


def _field(place: str, item: RowField, start: str) -> None:
    key = f"{place}.{item.column}"
    if key not in st.session_state:
        session.put(key, start)
    label = escaped(item.label) + (" *" if item.required else "")
    if item.choices:
        st.selectbox(
            label,
            ["", *item.choices],
            key=key,
            help=escaped(item.help),
            persist_state="session",
            format_func=lambda word: word or "not stated",
        )
        return
    st.text_input(label, key=key, help=escaped(item.help), persist_state="session")


@guarded
def _save_row(kind: str, place: str) -> None:
    cells = {
        item.column: str(session.get(f"{place}.{item.column}") or "").strip() for item in fields_of(kind)
    }
    row = stated_row(kind, "own.row", {name: text for name, text in cells.items() if text})
    last = newest_versions().get(row.key)
    new = NewCatalogueRow(row, last.version if last else 0, str(session.get(f"{place}.why") or ""))
    if write(f"own.form.{kind}", [new]):
        session.put("_own.times", int(session.get("_own.times", 0)) + 1)


# --- many rows ----------------------------------------------------------------------------------------------------


def _upload(kind: str, price_set: str) -> None:
    st.caption(
        "A CSV file with the columns of the download above; valid_from and valid_to may be left out. "
        "Lines that say what is there already change nothing."
    )
    stated_fields("own.file", price_set, kind=kind)
    key = f"own.upload.{kind}.{session.get('_own.times', 0)}"
    file = st.file_uploader("File of rows", key=key)
    wrong(f"own.file.{kind}")
    if file is None:
        return
    try:
        lines = _checked(kind, file)
    except PlannerError as error:
        st.error(escaped(error.message), icon=":material/error:")
        return
    _preview(lines)
    unsigned = not all(
        str(session.get(key) or "").strip() for key in ("catalogue.organisation", "save.author")
    )
    if unsigned:
        st.caption("State the organisation and your name to save.")
    wanted = [line for line in lines if line.counts]
    refused = sum(line.status == "refused" for line in lines)
    left_out = f", leave {counted(refused, 'refused line')} out" if refused else ""
    st.button(
        f"Save {counted(len(wanted), 'row')}{left_out}",
        key="own.file.save",
        on_click=_save_lines,
        args=(kind, key),
        disabled=unsigned or not wanted,
        icon=":material/save:",
    )


def _checked(kind: str, file: UploadedFile) -> tuple[CheckedLine, ...]:
    """The lines of a file, and which version each starts from as it is shown now."""
    newest = newest_versions()
    session.put("_own.bases", {"/".join(key): version.version for key, version in newest.items()})
    template = stated_row(kind, "own.file", {})
    return read_own_csv(
        file.getvalue(),
        replace(
            template, organisation=template.organisation.strip() or "…"
        ),  # asked for before anything is saved
        catalogue=load_catalogue(),
        counting=[version.row for version in newest.values() if not version.withdrawn],
        file=file.name,
    )


def _preview(lines: tuple[CheckedLine, ...]) -> None:
    counts = {status: sum(line.status == status for line in lines) for status in _WORDS}
    st.markdown(
        f"{counts['add']} added, {counts['override']} overriding, {counts['change']} changed, "
        f"{counts['unchanged']} as they are already, {counts['refused']} refused."
    )
    ordered = sorted(
        lines, key=lambda line: (line.status != "refused", line.status == "unchanged", line.line)
    )
    table(
        [
            {
                "Line": str(line.line),
                "What saving does": _WORDS[line.status],
                "Row or reason": escaped(line.said),
            }
            for line in ordered[:_MOST_LINES]
        ],
        alt="Lines of the file with what saving them would do",
    )
    if len(lines) > _MOST_LINES:
        st.caption(f"{len(lines) - _MOST_LINES} more lines are not shown.")


@guarded
def _save_lines(kind: str, key: str) -> None:
    file = session.get(key)
    if file is None:
        return
    bases: dict[str, int] = dict(session.get("_own.bases", {}))
    lines = _checked(kind, file)
    rows = [
        NewCatalogueRow(line.row, bases.get("/".join(line.row.key), 0))
        for line in lines
        if line.row is not None and line.counts
    ]
    if rows and write(f"own.file.{kind}", rows):
        session.put("_own.times", int(session.get("_own.times", 0)) + 1)
