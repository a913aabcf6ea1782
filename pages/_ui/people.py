"""Who sits at the screen: the trusted user of a machine, someone signed in, or a guest with a link.

Signing in is Streamlit's own, by OpenID Connect, and is set up in `.streamlit/secrets.toml`. Roles are in the
database, which asks for them itself with each write: what is hidden here is hidden to be helpful, not to protect.
"""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from pages._ui.markup import bold, escaped
from planner.review import GUEST, LOCAL, Actor, Role

_SHARE = "_share"
_OWN = ("redirect_uri", "cookie_secret", "expose_tokens", "client_id", "client_secret", "server_metadata_url")
"""What the section `auth` of the secrets says of itself; every other name in it is a provider."""
_READS = {
    "local": "This database has accounts, and no sign-in is set up: you can look. What you change here is not kept.",
    "guest": "You see what the link shows. What you change here is yours alone, and is not kept.",
    "start": "You are a guest: sign in to see designs. What you change here is not kept.",
    "viewer": "You are a viewer: what you change here is not kept. An approver gives the role of an editor.",
}


def actor() -> Actor:
    """Who acts in this session."""
    claims = st.user.to_dict()
    if claims.get("is_logged_in"):
        return _signed_in(claims)
    if "is_logged_in" in claims or _unreadable():
        return Actor(name=GUEST.name, share=share())
    return LOCAL


def _signed_in(claims: object) -> Actor:
    """The person that the provider vouches for.

    An address that the provider says is not verified may be another's; then its own number for the person counts.
    """
    said = dict(claims) if isinstance(claims, dict) else {}
    mail = str(said.get("email") or "") if said.get("email_verified", True) else ""
    subject = mail or str(said.get("sub") or "")
    return Actor(subject=subject, name=str(said.get("name") or "")[:200])


def _unreadable() -> bool:
    """Whether there are secrets that cannot be read: a mistake in them must not make every visitor trusted."""
    files = st.config.get_option("secrets.files") or []
    return any(Path(file).exists() for file in files) and not st.secrets.load_if_toml_exists()


def share() -> str:
    """Key of the link that this session came with; empty if it came with none."""
    key: str = st.session_state.get(_SHARE, "")
    return key


def came_with(key: str) -> None:
    """Remember the link that this session came with."""
    st.session_state[_SHARE] = key


def line(role: Role) -> None:
    """Who is signed in and may do what, with the way in and out; nothing on a machine of one's own.

    Args:
        role: The role in which the visitor acts.
    """
    who = actor()
    if who.local:
        if role == "viewer":
            st.caption(f":material/visibility: {_READS['local']}")
        return
    with st.container(horizontal=True, vertical_alignment="center", key="people"):
        if who.signed_in:
            st.markdown(f":material/person: {bold(who.shown)} · {role}", width="content")
            st.button("Sign out", key="people.out", on_click=st.logout, type="tertiary")
        else:
            for name, label in _providers().items():
                st.button(label, key=f"people.in.{name}", on_click=_sign_in, args=(name,), type="tertiary")
        if role == "viewer":
            st.caption(escaped(_READS["viewer" if who.signed_in else "guest" if who.share else "start"]))


def _providers() -> dict[str, str]:
    """Providers of the secrets with the label of their button; the one without a name is "" ."""
    if not st.secrets.load_if_toml_exists():
        return {}
    stated = dict(st.secrets.get("auth", {}))
    named = {name: f"Sign in with {name}" for name in stated if name not in _OWN}
    return ({"": "Sign in"} if "client_id" in stated else {}) | (
        dict.fromkeys(named, "Sign in") if len(named) == 1 else named
    )


def _sign_in(name: str) -> None:
    st.login(name or None)
