"""What the sender of documents puts on them: paper, logo, customer, classification, contact, validity.

The fields hold for a visit at once; what is kept goes into the store, with the design or for all designs.
"""

from __future__ import annotations

from datetime import date
from typing import Any

import streamlit as st

from pages._ui import answers, session
from pages._ui.markup import escaped
from pages._ui.session import guarded
from planner.core.errors import PlannerError
from planner.documents import Letterhead, Paper
from planner.documents.letterhead import CLASSIFICATIONS, MOST_LOGO_BYTES, logo_size
from planner.documents.page import SIZES, paper_of
from planner.documents.settings import design_json, organisation_json, settings_of

PAPER, CONTACT, VALID, DISCLAIMER = "export.paper", "export.contact", "export.valid", "export.disclaimer"
CUSTOMER, CLASSIFICATION, DISTRIBUTION = "export.customer", "export.classification", "export.distribution"
FILE, LOGO, REFUSED = "export.logo_file", "_export_logo", "_export_logo_refused"
OF, KEPT = "_export_of", "_export_kept"
"""What the fields hold settings of: a design, or an opening of what is not saved; and what the store has of them."""
NOTHING = ("{}", "{}")
MOST_DISTRIBUTION = 4_000
LONGEST = 200
"""Letters of a line: what the foot of a page has room for, and more."""


def paper() -> Paper:
    """The paper that is chosen."""
    _follow()
    return paper_of(str(session.get(PAPER) or "A4"))


def letterhead() -> Letterhead:
    """What stands on documents as it is set; the defaults where nothing is."""
    _follow()
    valid, said = session.get(VALID), session.get(DISCLAIMER)
    return Letterhead(
        logo=session.get(LOGO) or b"",
        contact=_line(CONTACT),
        valid_until=valid if isinstance(valid, date) else None,
        disclaimer=Letterhead().disclaimer if said is None else str(said).strip(),
        customer=_line(CUSTOMER),
        classification=_line(CLASSIFICATION),
        distribution=_line(DISTRIBUTION),
    )


def _line(key: str) -> str:
    return str(session.get(key) or "").strip()


def take_along(design: int) -> None:
    """Keep what is set with the design that was just made of what is open.

    Raises:
        PlannerError: The store cannot be written, or the visitor may not.
    """
    told = design_json(letterhead())
    session.put(OF, design)
    if settings_of("{}", told) != settings_of(*NOTHING):
        _keep(told, design)


def _follow() -> None:
    """Take what was kept for the design that is open, once for each design; for one that is not saved, the defaults."""
    design = session.link().design
    # below 0: an opening; another one is of another design
    of = -int(session.get(session.OPENED, 0)) if design is None else design
    if session.get(OF) == of:
        return
    session.put(OF, of)
    try:
        kept = answers.store().document_settings(design)
        chosen, found = settings_of(*kept)
    except PlannerError:  # a guest without a link reads nothing; what cannot be read is set anew
        kept, chosen, found = NOTHING, "A4", Letterhead()
    session.put(KEPT, list(kept))
    _show(chosen, found)


def _show(chosen: Paper, found: Letterhead) -> None:
    for key, value in (
        (PAPER, chosen), (LOGO, found.logo), (CONTACT, found.contact), (VALID, found.valid_until),
        (DISCLAIMER, found.disclaimer), (CUSTOMER, found.customer), (CLASSIFICATION, found.classification or None),
        (DISTRIBUTION, found.distribution),
    ):  # fmt: skip
        session.put(key, value)


def panel() -> None:
    """The settings: first those of the design, then those of all designs."""
    _follow()
    with st.expander("Customer, classification, paper and letterhead", icon=":material/draft:"):
        st.markdown("**Of this design**")
        _line_field("Customer", CUSTOMER, "Name of the customer, on the cover")
        st.selectbox(
            "Classification", CLASSIFICATIONS, index=None, key=CLASSIFICATION, persist_state="session",
            accept_new_options=True, placeholder="None; choose one, or type another",
            help="Who may read the documents; on the cover and at the foot of each page.",
        )  # fmt: skip
        _line_field("Contact", CONTACT, "Name, mail, telephone")
        st.text_area(
            "Distribution", key=DISTRIBUTION, persist_state="session", max_chars=MOST_DISTRIBUTION, height=90,
            placeholder="Who gets a copy, one a line",
        )  # fmt: skip
        st.date_input("Valid until", value=None, key=VALID, persist_state="session", width=220)
        _keeping_design()
        st.markdown("**Of all designs**")
        st.segmented_control("Paper", list(SIZES), key=PAPER, required=True, persist_state="session")
        st.text_input(
            "Line at the foot of each page", key=DISCLAIMER, persist_state="session", max_chars=LONGEST,
            help="Leave it empty to leave it out.",
        )  # fmt: skip
        _logo()
        _keeping_all()


def _line_field(label: str, key: str, placeholder: str) -> None:
    st.text_input(label, key=key, persist_state="session", max_chars=LONGEST, placeholder=placeholder)


def _keeping_design() -> None:
    """The button that keeps the design's own settings; before the first save they wait for it."""
    design = session.link().design
    if design is None:
        st.caption("They are kept with the design when it is saved; until then they hold for this visit.")
        return
    told = design_json(letterhead())
    _button(
        "Keep with this design",
        told,
        design,
        same=settings_of("{}", session.get(KEPT)[1]) == settings_of("{}", told),
    )


def _keeping_all() -> None:
    """The button that keeps the organisation's settings."""
    told = organisation_json(paper(), letterhead())
    _button(
        "Keep for all designs",
        told,
        None,
        same=settings_of(session.get(KEPT)[0], "{}") == settings_of(told, "{}"),
    )


def _button(label: str, told: str, design: int | None, *, same: bool) -> None:
    may = session.may("editor")
    st.button(
        label, on_click=_keep, args=(told, design), disabled=same or not may, icon=":material/save:",
        key=f"export.keep.{'all' if design is None else 'design'}",
        help="Kept as it is set." if same else "Until it is kept, it holds for this visit." if may else "It needs an editor; what is set holds for this visit.",
    )  # fmt: skip


@guarded
def _keep(told: str, design: int | None) -> None:
    answers.store().keep_document_settings(told, design_id=design, author=str(session.get("save.author")))
    kept = session.get(KEPT, NOTHING)
    session.put(KEPT, [told, kept[1]] if design is None else [kept[0], told])


def _logo() -> None:
    """The logo: a picture that is checked when it comes, and kept until it is taken away."""
    most = f"{MOST_LOGO_BYTES // 1000} kB"
    st.file_uploader(
        f"Logo (PNG, at most {most})", type="png", max_upload_size=1, key=FILE, on_change=_take,
        help=f"A picture above {most} is refused; the line in the field counts in whole megabytes.",
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
        content = file.getvalue()
        logo_size(content)
    except PlannerError as error:
        session.put(REFUSED, f"{error.message}; the logo before stays")
        return
    session.put(LOGO, content)


def _drop() -> None:
    session.put(LOGO, b"")
