"""What a guest asked for before he signed in: the provider sends everyone back to the first page, without it.

The note of it stays in the server's memory for a few minutes, under the token against forged requests that Streamlit
gives each browser in a cookie: nobody else has it, and it outlives the way to the provider. Where several servers
stand behind one address it may be on another one; then the first page opens.
"""

from __future__ import annotations

import hashlib
import threading
import time
from dataclasses import astuple, dataclass, field

import streamlit as st

from pages._ui.address import Link

KEPT_S = 600.0
MOST = 1_000
_COOKIE = "_streamlit_xsrf"
_ASKED = "_asked"
_SCREENS = ("plan", "explore", "compare", "review", "export", "delivery")
"""Screens that show what a link opens."""


@dataclass(slots=True)
class _Notes:
    """Time, link and screen of each browser's note."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    of: dict[str, tuple[float, Link, str]] = field(default_factory=dict)


@st.cache_resource(show_spinner=False)
def _notes() -> _Notes:
    return _Notes()


def clock() -> float:
    """Seconds that only grow."""
    return time.monotonic()


def cookie() -> str:
    """The cookie with the browser's token; empty if it sent none."""
    return str(st.context.cookies.get(_COOKIE, ""))


def asks(wanted: Link) -> None:
    """Remember in the session what the address asked for last."""
    if wanted != Link():
        st.session_state[_ASKED] = (*astuple(wanted), _screen())


def note() -> None:
    """Keep what this session asked for until its browser comes back."""
    asked, browser = st.session_state.get(_ASKED), _browser()
    if not asked or not browser:
        return
    *link, screen = asked
    notes = _notes()
    with notes.lock:
        notes.of.pop(browser, None)
        while len(notes.of) >= MOST:
            notes.of.pop(next(iter(notes.of)))
        notes.of[browser] = (clock(), Link(*link), screen)


def take() -> tuple[Link, str]:
    """What this browser asked for before it went to sign in, and the file of the screen; told once."""
    browser, notes = _browser(), _notes()
    with notes.lock:
        made, link, screen = notes.of.pop(browser, (0.0, Link(), ""))
    if clock() - made > KEPT_S:
        return Link(), ""
    return link, f"pages/{screen}.py" if screen in _SCREENS else ""


def _screen() -> str:
    return (st.context.url or "").partition("?")[0].rstrip("/").rpartition("/")[2]


def _browser() -> str:
    """A digest of the browser's own token, which its cookie holds behind another mask each time; empty without one."""
    parts = cookie().strip("\"'").split("|")
    try:
        _, mask, hidden, _ = (
            bytes.fromhex(part) if place in (1, 2) else b"" for place, part in enumerate(parts)
        )
    except ValueError:
        return ""
    if len(mask) != 4 or len(hidden) < 16:  # the sizes of the second version of the token
        return ""
    return hashlib.sha256(bytes(byte ^ mask[place % 4] for place, byte in enumerate(hidden))).hexdigest()
