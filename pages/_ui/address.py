"""The address bar: what a link asks for, and how what is open is written there."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from planner.core.errors import PlannerError, shorten


@dataclass(frozen=True, slots=True)
class Link:
    """What an address asks for: a revision of a design, by its number or by a link's key, or a draft."""

    design: int | None = None
    revision: int | None = None
    draft: str = ""
    share: str = ""


def read() -> Link:
    """What the address asks for; all empty if it asks for nothing.

    Raises:
        PlannerError: A number in it is none.
    """
    query = st.query_params.to_dict()
    return Link(
        _number(query, "design"), _number(query, "rev"), query.get("draft", ""), query.get("share", "")
    )


def _number(query: dict[str, str], name: str) -> int | None:
    text = query.get(name, "")
    if not text:
        return None
    if not (text.isdecimal() and text.isascii()) or len(text) > 12:
        raise PlannerError(f"{name}: “{shorten(text)}” in the link is not a number of 1 or more", field=name)
    return int(text)


def differs(wanted: Link, current: Link) -> bool:
    """Whether an address asks for something else than what is open."""
    if wanted.draft:
        return wanted.draft != current.draft
    if wanted.share:
        return wanted.share != current.share
    if wanted.design is None:
        return False
    return (wanted.design, wanted.revision or current.revision) != (current.design, current.revision)


def write(current: Link) -> None:
    """Write what is open into the address bar."""
    wanted: dict[str, int | str | None] = {"share": current.share or None, "draft": current.draft or None}
    shown = not current.share  # a link's key says which revision
    wanted |= {"design": current.design if shown else None, "rev": current.revision if shown else None}
    for name, value in wanted.items():
        if value is None:
            if name in st.query_params:
                del st.query_params[name]
        elif st.query_params.get(name) != str(value):
            st.query_params[name] = str(value)
