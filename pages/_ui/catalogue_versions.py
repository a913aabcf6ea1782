"""Versions of an organisation's own rows, and taking one back."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from pages._ui import answers, session
from pages._ui.catalogue_stated import wrong
from pages._ui.figures import table
from pages._ui.markup import escaped
from pages._ui.session import guarded
from planner.catalogue import load_catalogue
from planner.catalogue.listing import changes
from planner.catalogue.own_csv import shipped_cells
from planner.core.errors import PlannerError
from planner.review import allows
from planner.store import CatalogueVersion


def versions(kind: str, price_set: str) -> None:
    """Every own row of a kind with its versions, and the way to take one back."""
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
    wrong("own.withdraw")
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
