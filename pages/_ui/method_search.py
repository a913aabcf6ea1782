"""One search for all lists of the Method page, and the choice of a subject where nothing is searched for."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import streamlit as st

from pages._ui import session
from pages._ui.markup import escaped

KEY = "method.search"


def box() -> None:
    """The field to type into; it stays as it is from view to view."""
    st.text_input(
        "Search formulas, constants, rules, inputs and words",
        key=KEY,
        persist_state="session",
        placeholder="Search, e.g. drain or endurance",
        icon=":material/search:",
        width=420,
    )


def wanted() -> str:
    """What is searched for; empty if nothing is."""
    return " ".join(str(session.get(KEY)).split())


def matches(text: str) -> bool:
    """Whether every word that is searched for stands in a text."""
    folded = text.casefold()
    return all(word in folded for word in wanted().casefold().split())


def chosen(
    what: str,
    haystacks: Mapping[str, str],
    *,
    subjects: Callable[[str], str] | None = None,
    titles: Mapping[str, str] | None = None,
    key: str = "",
) -> list[str]:
    """Keys of what is shown: all that match the search, or else those of the subject in view.

    Args:
        what: What they are, in the plural, for the count: "formulas".
        haystacks: Text to look through by key.
        subjects: Subject of a key; None shows everything where nothing is searched for.
        titles: What to call each subject, in the order of the choice; None for their own names by the alphabet.
        key: Key of the choice of subject.
    """
    if wanted():
        found = [name for name, text in haystacks.items() if matches(text)]
    elif subjects is None:
        found = list(haystacks)
    else:
        _subject(titles or {name: name for name in sorted({subjects(name) for name in haystacks})}, key)
        found = [name for name in haystacks if subjects(name) == session.get(key)]
    st.caption(f"{len(found)} of {len(haystacks)} {what}")
    if not found:
        st.info(
            f"None of the {len(haystacks)} {what} has “{escaped(wanted())}”. Shorten the search, clear it to see "
            "them all, or look in another view: the search stays as it is.",
            icon=":material/search_off:",
        )
    return sorted(found)


def _subject(titles: Mapping[str, str], key: str) -> None:
    """The choice of a subject."""
    if session.get(key) not in titles:
        session.put(key, next(iter(titles)))
    st.segmented_control(
        "Subject",
        list(titles),
        key=key,
        required=True,
        persist_state="session",
        wrap=True,
        format_func=lambda name: titles[name],
    )
