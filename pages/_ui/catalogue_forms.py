"""Rows of an organisation's own: one by a form, many by a file, their versions, and taking one back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from pages._ui import answers, people, session
from pages._ui.figures import table
from pages._ui.markup import escaped
from pages._ui.session import guarded
from planner.catalogue import OWN_KINDS, OwnRow, load_catalogue
from planner.catalogue.fields import RowField, fields_of
from planner.catalogue.listing import changes
from planner.catalogue.own import PRICES, own_price_sets
from planner.catalogue.own_csv import CheckedLine, own_csv, read_own_csv, shipped_cells
from planner.core.errors import PlannerError
from planner.core.units import counted
from planner.review import allows
from planner.store import CatalogueVersion, NewCatalogueRow

_COLUMNS = 3
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
        _panel("Add or override a row", "own.open.form", kind, price_set, _form)
        _panel("Upload a file of rows", "own.open.file", kind, price_set, _upload)
    else:
        st.caption("You may look; adding and overriding rows needs an editor.")
    _panel("Versions and withdrawal", "own.open.versions", kind, price_set, _versions)


def _panel(label: str, key: str, kind: str, price_set: str, body: Callable[[str, str], None]) -> None:
    expander = st.expander(label, key=key, on_change="rerun")
    if expander.open:
        with expander:
            body(kind, price_set)


def _today() -> date:
    return datetime.now(UTC).date()


def _newest() -> dict[tuple[str, str, str], CatalogueVersion]:
    return {version.row.key: version for version in answers.store().catalogue_rows()}


def _download(kind: str, price_set: str) -> None:
    rows = () if guest() else answers.store().own_rows(_today())
    own = [row for row in rows if (row.kind, row.price_set) == (kind, price_set)]
    name = f"{kind}-{price_set}" if price_set else kind
    st.download_button(
        "Download these rows as CSV",
        own_csv(kind, own, shipped=shipped_cells(kind, price_set)),
        file_name=f"{name}.csv",
        mime="text/csv",
        icon=":material/download:",
        help="A template too: change the lines that are yours, and upload the file. Lines left as they are change "
        "nothing.",
    )


# --- who, since when, until when --------------------------------------------------------------------------------


def _stated(place: str, price_set: str, *, kind: str) -> None:
    """The fields that every way of stating rows asks for."""
    if kind == PRICES:
        key = f"{place}.set"
        if key not in st.session_state:
            session.put(key, price_set if price_set in own_price_sets(answers.catalogue()) else "")
        st.text_input(
            "Price set of your own *",
            key=key,
            persist_state="session",
            placeholder="own-2026",
            help="Shipped price sets are never changed. A set of your own can be chosen for a design as soon as it "
            "has a price; parts that it does not name are not priced.",
        )
    left, right = st.columns(2)
    left.text_input(
        "Organisation *",
        key="catalogue.organisation",
        persist_state="session",
        help="Stands beside the source wherever a figure of the row is opened.",
    )
    right.text_input("Your name *", key="save.author", persist_state="session")
    left, right = st.columns(2)  # a row of their own, so that a narrow screen keeps the order
    if f"{place}.from" not in st.session_state:
        session.put(f"{place}.from", _today())
    left.date_input("Valid from", key=f"{place}.from", format="YYYY-MM-DD")
    right.date_input("Valid to", key=f"{place}.to", value=None, format="YYYY-MM-DD", help="Empty: no end.")


def _own(kind: str, place: str, cells: dict[str, str]) -> OwnRow:
    """A row as the fields state it."""
    return OwnRow(
        kind=kind,
        price_set=str(session.get(f"{place}.set") or "").strip() if kind == PRICES else "",
        cells=cells,
        valid_from=session.get(f"{place}.from") or _today(),
        valid_to=session.get(f"{place}.to"),
        organisation=str(session.get("catalogue.organisation") or ""),
        author=str(session.get("save.author") or ""),
        entered=_today(),
    )


def _wrong(place: str) -> None:
    line = session.get(f"_{place}.wrong")
    if line:
        st.error(escaped(str(line)), icon=":material/error:")


def _write(place: str, rows: list[NewCatalogueRow]) -> bool:
    """Write rows; a refusal is kept to be shown where they were stated."""
    session.put(f"_{place}.wrong", "")
    try:
        answers.store().write_catalogue_rows(
            rows, shipped=load_catalogue(), author=str(session.get("save.author") or "")
        )
    except PlannerError as error:
        session.put(f"_{place}.wrong", error.message)
        return False
    session.put(
        "_own_done", f"{counted(len(rows), 'row')} saved; every plan counts with it from its first day on."
    )
    return True


# --- one row ------------------------------------------------------------------------------------------------------


def _form(kind: str, price_set: str) -> None:
    rows = _newest()
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
    _wrong("own.form")
    with st.form(place, border=False):
        fields = fields_of(kind)
        for first in range(0, len(fields), _COLUMNS):
            for column, item in zip(st.columns(_COLUMNS), fields[first : first + _COLUMNS], strict=False):
                with column:
                    _field(place, item, cells.get(item.column, ""))
        st.text_input(
            "Why", key=f"{place}.why", help="What the reviewers should know; kept with the version."
        )
        _stated("own.row", price_set, kind=kind)
        st.form_submit_button(
            "Check and save", on_click=_save_row, args=(kind, place), icon=":material/save:"
        )


def _field(place: str, item: RowField, start: str) -> None:
    key = f"{place}.{item.column}"
    if key not in st.session_state:
        session.put(key, start)
    label = escaped(item.label + (" *" if item.required else ""))
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
    row = _own(kind, "own.row", {name: text for name, text in cells.items() if text})
    last = _newest().get(row.key)
    new = NewCatalogueRow(row, last.version if last else 0, str(session.get(f"{place}.why") or ""))
    if _write("own.form", [new]):
        session.put("_own.times", int(session.get("_own.times", 0)) + 1)


# --- many rows ----------------------------------------------------------------------------------------------------


def _upload(kind: str, price_set: str) -> None:
    st.caption(
        "A CSV file with the columns of the download above; valid_from and valid_to may be left out. "
        "Lines that say what is there already change nothing."
    )
    _stated("own.file", price_set, kind=kind)
    key = f"own.upload.{kind}.{session.get('_own.times', 0)}"
    file = st.file_uploader("File of rows", key=key)
    _wrong("own.file")
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
    newest = _newest()
    session.put("_own.bases", {"/".join(key): version.version for key, version in newest.items()})
    template = _own(kind, "own.file", {})
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
    if rows and _write("own.file", rows):
        session.put("_own.times", int(session.get("_own.times", 0)) + 1)


# --- versions -----------------------------------------------------------------------------------------------------


def _versions(kind: str, price_set: str) -> None:
    # A set whose prices are all withdrawn can no longer be chosen, and its versions are shown all the same.
    del price_set
    found = {
        "/".join(part for part in version.row.key[1:] if part): version
        for version in answers.store().catalogue_rows(kind)
    }
    if not found:
        st.info(
            "No row of this kind is the organisation's own. Add one with the form, or many from a CSV file.",
            icon=":material/info:",
        )
        return
    chosen = st.selectbox(
        "Row",
        list(found),
        key=f"own.versions.{kind}",
        format_func=lambda name: (
            f"{name}, version {found[name].version}" + (", withdrawn" if found[name].withdrawn else "")
        ),
    )
    newest = found[str(chosen)]
    _history(newest)
    _wrong("own.withdraw")
    if not newest.withdrawn and allows(answers.store().role(), "editor"):
        _withdrawal(newest)


def _withdrawal(newest: CatalogueVersion) -> None:
    """The way to let a row count no longer."""
    st.text_input("Why it is withdrawn", key="own.withdraw.why")
    st.text_input("Your name *", key="own.withdraw.name", placeholder=str(session.get("save.author") or ""))
    st.button(
        "Withdraw this row",
        key="own.withdraw",
        on_click=_withdraw,
        args=(newest.row.kind, newest.row.price_set, newest.row.id, newest.version),
        icon=":material/undo:",
        help="From today on the shipped row counts again, or none. Every version is kept.",
    )


def _history(newest: CatalogueVersion) -> None:
    """All versions of a row, the newest first."""
    history = answers.store().catalogue_history(
        newest.row.kind, newest.row.id, price_set=newest.row.price_set
    )
    table(
        [
            {
                "Version": str(version.version),
                "Valid": _valid(version),
                "Stated": escaped(
                    f"{version.row.author}, {version.row.organisation}, {version.created:%Y-%m-%d %H:%M} UTC"
                ),
                "Changed": _changed(version, before),
                "Why": escaped(version.note),
            }
            for version, before in zip(history, (*history[1:], None), strict=True)
        ],
        alt=f"Versions of {newest.row.id}",
    )


def _changed(version: CatalogueVersion, before: CatalogueVersion | None) -> str:
    """What a version says otherwise than the one before it, and the first one than the shipped row."""
    if version.withdrawn:
        return "withdrawn"
    row = version.row
    shipped = shipped_cells(row.kind, row.price_set).get(row.id)
    if before is not None:
        base = before.row
    elif shipped is not None:
        base = replace(row, cells=shipped)
    else:
        return "a new row"
    return escaped("; ".join(changes(base, row))) or "nothing"


def _valid(version: CatalogueVersion) -> str:
    if version.withdrawn:
        return f"withdrawn from {version.row.valid_from}"
    end = f" to {version.row.valid_to}" if version.row.valid_to else ", no end"
    return f"from {version.row.valid_from}{end}"


@guarded
def _withdraw(kind: str, price_set: str, row_id: str, version: int) -> None:
    session.put("_own.withdraw.wrong", "")
    author = str(session.get("own.withdraw.name") or session.get("save.author") or "")
    try:
        answers.store().withdraw_catalogue_row(
            kind, row_id, shipped=load_catalogue(), version=version, price_set=price_set,
            author=author, note=str(session.get("own.withdraw.why") or ""),
        )  # fmt: skip
    except PlannerError as error:
        session.put("_own.withdraw.wrong", error.message)
        return
    session.put("_own_done", f"{row_id} is withdrawn; its versions are kept.")
