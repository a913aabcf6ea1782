"""The start of each run of the application, whatever screen follows."""

from __future__ import annotations

import time

from pages._ui import address, answers, coming_back, drafts, held, opening, people, stating
from pages._ui.address import Link
from pages._ui.session import DEFAULTS, get, guarded, link, notify, put
from planner.core.errors import PlannerError
from planner.review import Role

STALE_ADDRESS_S = 3.0
"""After the session moved on by itself, the browser may still send the old address for this long."""


def begin() -> None:
    """Start of each run: open what the address asks for, write every value back, save, write the address."""
    wanted = _address()
    put("_role", _role())
    coming_back.asks(wanted)
    if get("_link") is None:
        _first(_before_sign_in() if wanted == Link() else wanted)
    elif _asks_for_another(wanted):
        guarded(opening.open_link)(wanted)
    _keep()
    _look_again()
    if not held.untouched() or get("_stated") is None:
        put("_stated", stating.stated())
        put("_answered", None)
        drafts.save(*get("_stated"))
    address.write(link())


def _look_again() -> None:
    """Plan again if someone changed the organisation's rows of the catalogue; that they cannot be read is said once."""
    wrong = ""
    try:
        if answers.look_again():
            put("_answered", None)
    except PlannerError as error:
        wrong = f"The rows that were added to the catalogue cannot be read: {error.message}"
    if wrong and wrong != get("_rows_wrong"):
        notify(wrong)
    put("_rows_wrong", wrong)


def _role() -> Role:
    """The visitor's role; a database that cannot say refuses what is asked of it by itself.

    Then a visitor keeps the role that he had, so that no draft is given up for a moment's failure.
    """
    try:
        return answers.store().role()
    except PlannerError:
        known: Role = get("_role") or ("approver" if people.actor().local else "viewer")
        return known


def _before_sign_in() -> Link:
    """What someone who comes back from the sign-in had asked for as a guest."""
    if not people.actor().signed_in:
        return Link()
    wanted, screen = coming_back.take()
    if screen:
        put("_go", screen)
    return wanted


def _first(wanted: Link) -> None:
    put("_welcome", wanted == Link())
    try:
        opening.open_link(wanted)
    except PlannerError as error:
        notify(error.message)
        opening.open_start()


def _address() -> Link:
    try:
        return address.read()
    except PlannerError as error:
        notify(error.message)
        return Link()


def _asks_for_another(wanted: Link) -> bool:
    if time.monotonic() - get("_moved_at", 0.0) < STALE_ADDRESS_S:
        return False
    return address.differs(wanted, link())


def _keep() -> None:
    """Take over what the widgets say, and write the others back: nothing out of view, or late, is lost."""
    held.take_in()
    for key, default in DEFAULTS.items():
        said = get(key)
        put(key, default if said is None else said)
