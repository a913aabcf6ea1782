"""Links to what is open, and word of what others saved meanwhile."""

from __future__ import annotations

from urllib.parse import urlencode

import streamlit as st

from pages._ui import answers, people, session
from pages._ui.markup import escaped
from pages._ui.session import guarded
from planner.core.errors import PlannerError
from planner.store import Share

WATCH_S = 15.0
"""How often a screen asks whether someone saved the design that it shows."""


def popover() -> None:
    """The link to what is open; for those who may, links for people without an account."""
    shown = st.popover("Share", key="share.open", on_change="rerun", icon=":material/share:")
    if not shown.open:
        return
    with shown:
        opened = session.link()
        if opened.draft:
            st.caption("Opens this draft with all that is typed; whoever has the link can change it.")
            _link(draft=opened.draft)
        elif opened.share:
            st.caption("Opens this revision, which never changes.")
            _link(share=opened.share)
        elif opened.design is not None and opened.revision is not None:
            whom = " It asks for a sign-in." if people.actor().signed_in else ""
            st.caption(f"Opens this revision, which never changes.{whom}")
            _link(design=opened.design, rev=opened.revision)
        else:
            st.caption("There is no link to this: it is not kept anywhere.")
        if opened.design is not None and opened.revision is not None and people.actor().signed_in:
            _for_guests(opened.design, opened.revision)


def address(**query: object) -> str:
    """The address of the screen in view with something to open there."""
    return f"{(st.context.url or '').partition('?')[0] or '/plan'}?{urlencode(query)}"


def _link(**query: object) -> None:
    st.code(address(**query), language=None, wrap_lines=True)


def _for_guests(design: int, revision: int) -> None:
    """Links that show a revision to people who have no account; the key of one is told when it is made."""
    if not session.may("editor"):
        return
    st.markdown("**For people without an account**")
    st.caption(f"Shows revision {revision} of this design and nothing else, until the link is withdrawn.")
    st.text_input("For whom", key="share.note", placeholder="e.g. Colocation provider")
    st.button("Make a link", key="share.make", on_click=_make, args=(design, revision))
    made = session.get("_share_made")
    if made and made[:2] == (design, revision):
        _link(share=made[2])
        st.caption("Copy it now: it is not shown again.")
    try:
        for item in answers.store().shares(design):
            if item.withdrawn is None:
                _one(item)
    except PlannerError as error:
        st.error(escaped(error.message), icon=":material/error:")


def _one(item: Share) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        whom = escaped(item.note or "no name")
        st.caption(f"Revision {item.revision} · {whom} · {escaped(item.name)}, {item.created:%Y-%m-%d}")
        st.button("Withdraw", key=f"share.end.{item.id}", on_click=_end, args=(item.id,), type="tertiary")


@guarded
def _make(design: int, revision: int) -> None:
    key = answers.store().share(design, revision, note=str(session.get("share.note") or ""))
    session.put("_share_made", (design, revision, key))
    session.put("share.note", "")


@guarded
def _end(share_id: int) -> None:
    answers.store().withdraw_share(share_id)
    session.put("_share_made", None)  # it may be the one that shows nothing any more


@st.fragment(run_every=WATCH_S)
def watch() -> None:
    """Say that someone saved a newer revision of what is open; what is typed here stays as it is."""
    opened = session.link()
    if opened.design is None or opened.revision is None:
        return
    try:
        latest = answers.store().design(opened.design)
    except PlannerError:
        return  # whatever is wrong is said where something is asked of the store
    if latest.latest_revision <= opened.revision:
        return
    by = f" by {latest.author}" if latest.author else ""
    line = (
        f"Revision {latest.latest_revision} of this design was saved{by} on {latest.updated:%Y-%m-%d %H:%M} UTC. "
        f"You work from revision {opened.revision}; nothing here has changed."
    )
    with st.container(border=True, horizontal=True, vertical_alignment="center", key="news"):
        st.markdown(f":material/update: {escaped(line)}")
        if not people.share() or people.actor().signed_in:
            where = address(design=opened.design, rev=latest.latest_revision)
            st.link_button("Look at it in a new tab", where)
        else:
            st.caption("Ask who sent the link for one to the newer revision.")
