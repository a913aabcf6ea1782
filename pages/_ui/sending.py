"""What the sender of documents puts on them: paper, logo, contact, validity, and that they are no offer."""

from __future__ import annotations

from datetime import date
from typing import Any

import streamlit as st

from pages._ui import session
from pages._ui.markup import escaped
from planner.core.errors import PlannerError
from planner.documents import Letterhead, Paper
from planner.documents.letterhead import MOST_LOGO_BYTES, logo_size
from planner.documents.page import SIZES, paper_of

PAPER, CONTACT, VALID, DISCLAIMER = "export.paper", "export.contact", "export.valid", "export.disclaimer"
FILE, LOGO, REFUSED = "export.logo_file", "_export_logo", "_export_logo_refused"
LONGEST = 200
"""Letters of a line: what the foot of a page has room for, and more."""


def paper() -> Paper:
    """The paper that is chosen."""
    return paper_of(str(session.get(PAPER) or "A4"))


def letterhead() -> Letterhead:
    """Logo, contact, validity and disclaimer as they are set; the defaults where nothing is."""
    valid = session.get(VALID)
    said = session.get(DISCLAIMER)
    return Letterhead(
        logo=session.get(LOGO) or b"",
        contact=str(session.get(CONTACT) or "").strip(),
        valid_until=valid if isinstance(valid, date) else None,
        disclaimer=Letterhead().disclaimer if said is None else str(said).strip(),
    )


def panel() -> None:
    """The settings; they hold for every document of this visit."""
    if session.get(DISCLAIMER) is None:
        session.put(DISCLAIMER, Letterhead().disclaimer)
    if session.get(PAPER) is None:
        session.put(PAPER, "A4")
    with st.expander("Paper and letterhead", icon=":material/draft:"):
        st.segmented_control("Paper", list(SIZES), key=PAPER, required=True, persist_state="session")
        st.text_input(
            "Contact", key=CONTACT, persist_state="session", max_chars=LONGEST,
            placeholder="Name, mail, telephone",
        )  # fmt: skip
        st.date_input("Valid until", value=None, key=VALID, persist_state="session", width=220)
        st.text_input(
            "Line at the foot of each page", key=DISCLAIMER, persist_state="session", max_chars=LONGEST,
            help="Leave it empty to leave it out.",
        )  # fmt: skip
        _logo()


def _logo() -> None:
    """The logo: a picture that is checked when it comes, and kept until it is taken away."""
    st.file_uploader(
        f"Logo (PNG, at most {MOST_LOGO_BYTES // 1000} kB)", type="png", max_upload_size=1, key=FILE, on_change=_take,
    )  # fmt: skip
    if session.get(REFUSED):
        st.error(escaped(str(session.get(REFUSED))), icon=":material/error:")
    logo = session.get(LOGO)
    if logo:
        st.image(logo, width=min(logo_size(logo)[0], 240), caption="On the cover")
        st.button("Take the logo away", on_click=_drop, icon=":material/delete:")


def _take() -> None:
    """Keep a new logo, or say why it cannot be printed."""
    file: Any = session.get(FILE)
    session.put(REFUSED, "")
    if file is None:
        return
    try:
        if file.size > MOST_LOGO_BYTES:
            raise PlannerError(
                f"letterhead.logo (Logo): {file.size / 1e3:.0f} kB are more than {MOST_LOGO_BYTES / 1e3:.0f} kB; "
                "scale it to 600 pixels of width"
            )
        content = file.getvalue()
        logo_size(content)
    except PlannerError as error:
        session.put(REFUSED, f"{error.message}; the logo before stays")
        return
    session.put(LOGO, content)


def _drop() -> None:
    session.put(LOGO, b"")
