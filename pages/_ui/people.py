"""Who sits at the screen: the trusted user of a machine, someone signed in, or a guest with a link.

Signing in is Streamlit's own, by OpenID Connect, and is set up in `.streamlit/secrets.toml`. Roles are in the
database, which asks for them itself with each write: what is hidden here is hidden to be helpful, not to protect.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import streamlit as st
from streamlit.errors import StreamlitAuthError

from pages._ui import coming_back
from pages._ui.markup import bold, escaped
from planner.core.errors import PlannerError
from planner.review import GUEST, LOCAL, Actor, Role
from planner.store.text import MAX_NAME_CHARS, checked_filled, checked_line

_SHARE = "_share"
_FAILED = "_sign_in_failed"
_OWN = (
    "redirect_uri", "cookie_secret", "expose_tokens", "client_id", "client_secret", "server_metadata_url",
    "client_kwargs",
)  # fmt: skip
"""What the section `auth` of the secrets says of itself; every other name in it is a provider."""
_READS = {
    "local": "This database has accounts, and no sign-in is set up: you can look. What you change here is not kept.",
    "guest": "You see what the link shows. What you change here is yours alone, and is not kept.",
    "start": "You are a guest: sign in to see designs. What you change here is not kept.",
    "viewer": "You are a viewer: what you change here is not kept. An approver gives the role of an editor to",
    "nameless": "Your sign-in names nobody who could have an account, so you are a guest.",
    "broken": "Nobody can sign in, and everyone is a guest: who runs the server looks at the section auth of its secrets.",
}


def actor() -> Actor:
    """Who acts in this session."""
    said = claims()
    if said.get("is_logged_in"):
        return _signed_in(said)
    if "is_logged_in" in said or _fails_closed():
        return Actor(name=GUEST.name, share=share())
    return LOCAL


def claims() -> Mapping[str, object]:
    """What the provider says of who signed in; nothing where no sign-in is set up.

    Where there is no file of secrets there is no sign-in, and Streamlit is not asked: it would look for the file
    anew, and say at length that there is none, each time.
    """
    if not _secret_files():
        return {}
    try:
        return st.user.to_dict()
    except (OSError, ValueError):  # secrets that may not be read, or are no text
        return {"is_logged_in": False}


def _signed_in(said: Mapping[str, object]) -> Actor:
    """The person that the provider vouches for; a guest if it names none that could have an account.

    Only an address that the provider calls verified is the person's: another may be anyone's, and of some
    providers a member may set it. Without one the account is the provider's own number of the person, with the
    provider's address before it, because two providers may give out the same number.
    """
    subject = str(said.get("sub") or "")
    verified = said.get("email_verified")  # some providers send the word
    if said.get("email") and (verified is True or str(verified).lower() == "true"):
        subject = str(said["email"])
    elif subject:
        subject = f"{said.get('iss') or 'sub'} {subject}"
    called = str(said.get("name") or "")[:MAX_NAME_CHARS]
    name = "".join(char if char.isprintable() else " " for char in called).strip()
    try:
        line = checked_line(subject, field="subject")
        return Actor(checked_filled(line, field="subject", max_chars=MAX_NAME_CHARS), name)
    except PlannerError:
        return Actor(name=GUEST.name, share=share())


def _fails_closed() -> bool:
    """Whether a mistake in the secrets keeps the sign-in from being set up: it must not make every visitor trusted.

    They cannot be read, or their section for it is empty.
    """
    stated = _secrets()
    if stated is not None:
        return "auth" in stated
    return _secret_files()


def _secret_files() -> bool:
    """Whether there is a file of secrets, readable or not."""
    return any(Path(file).exists() for file in st.config.get_option("secrets.files") or [])


def _secrets() -> Mapping[str, object] | None:
    """The secrets; None if there are none, or none that can be read."""
    try:
        return st.secrets if st.secrets.load_if_toml_exists() else None
    except (OSError, ValueError):
        return None


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
        inside = bool(claims().get("is_logged_in"))
        if inside:
            if who.signed_in:
                st.markdown(f":material/person: {bold(who.shown)} · {role}", width="content")
            st.button("Sign out", key="people.out", on_click=st.logout, type="tertiary")
        else:
            for name, label in _providers().items():
                st.button(label, key=f"people.in.{name}", on_click=_sign_in, args=(name,), type="tertiary")
        if role == "viewer":
            st.caption(escaped(_told(who, inside=inside)))
    failed = st.session_state.pop(_FAILED, "")
    if failed:
        st.error(escaped(failed), icon=":material/error:")


def _told(who: Actor, *, inside: bool) -> str:
    """What someone who may only look reads of it."""
    if who.signed_in:
        return f"{_READS['viewer']} {who.subject}."
    if inside:
        return _READS["nameless"]
    start = "start" if _providers() else "broken"
    return _READS["guest" if who.share else start]


def _providers() -> dict[str, str]:
    """Providers of the secrets with the label of their button; the one without a name is "" ."""
    stated = (_secrets() or {}).get("auth")
    if not isinstance(stated, Mapping):
        return {}
    named = {
        name: f"Sign in with {name}"
        for name, said in stated.items()
        if name not in _OWN and isinstance(said, Mapping)
    }
    return ({"": "Sign in"} if "client_id" in stated else {}) | (
        dict.fromkeys(named, "Sign in") if len(named) == 1 else named
    )


def _sign_in(name: str) -> None:
    """Go to the provider; a section of the secrets that lacks something is told, and nobody is let in."""
    coming_back.note()
    try:
        st.login(name or None)
    except StreamlitAuthError:
        st.session_state[_FAILED] = _READS["broken"]
