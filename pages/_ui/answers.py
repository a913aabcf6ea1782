"""The planner's answers, kept for all sessions; nothing here changes once it is made."""

from __future__ import annotations

import contextlib
import functools
import hashlib
from datetime import date

import streamlit as st

from pages._ui import people, session
from planner import __version__
from planner.catalogue import Catalogue, Overlay, load_catalogue, overlay
from planner.catalogue.own import PRICES
from planner.core.errors import PlannerError
from planner.core.units import sizes
from planner.plan import Plan, plan
from planner.review import Basis, basis
from planner.scenario_json import scenario_from_json
from planner.store import Store, open_store

KEPT = 256
"""Plans that are kept; the ones not asked for longest go first."""
_SEEN = "_catalogue_seen"
"""Where a session keeps which of the organisation's rows it has seen."""


def catalogue() -> Catalogue:
    """The shipped catalogue with the organisation's rows that count today; one object until one of them changes."""
    return own_catalogue().catalogue


def own_catalogue() -> Overlay:
    """That catalogue, with the own rows that do not fit into it."""
    stamp, day, prices = st.session_state.get(_SEEN) or _look()
    if not stamp:
        return Overlay(load_catalogue())
    return _overlay(opened_store(), stamp, date.fromisoformat(day), prices)


def look_again() -> bool:
    """Ask the store, once a run and after a write, whether the organisation's rows changed; whether they did.

    Raises:
        PlannerError: The store cannot be read; until it can, the shipped catalogue counts.
    """
    before = st.session_state.get(_SEEN)
    st.session_state[_SEEN] = (0, "", "")
    st.session_state[_SEEN] = _look()
    return before is not None and bool(before != st.session_state[_SEEN])


def _look() -> tuple[int, str, str | None]:
    """What there is to lay over the shipped catalogue, the day, and the one price set of it; None for all of them.

    A guest's link shows one design: there is nothing for him without it, and of the organisation's prices he sees
    those that this design is priced with.
    """
    who, kept = people.actor(), opened_store()
    stamp, prices = kept.catalogue_stamp(), None
    if stamp and not (who.local or who.signed_in):
        try:
            prices = _prices_of(*kept.shared(who.share))
        except PlannerError:
            stamp = 0
    return stamp, session.today().isoformat(), prices


def _prices_of(design: int, revision: int) -> str:
    """The price set that a design states; empty if it states none.

    Raises:
        PlannerError: The revision cannot be read.
    """
    shown = scenario_from_json(store().revision(design, revision).scenario_json)
    return shown.prices.price_set_id or ""


@functools.lru_cache(maxsize=8)
def _overlay(kept: Store, stamp: int, day: date, prices: str | None) -> Overlay:
    del stamp  # part of the key: it grows with each version
    st.cache_data.clear()  # documents that were made with other rows
    rows = [row for row in kept.own_rows(day) if row.kind != PRICES or prices in (None, row.price_set)]
    return overlay(load_catalogue(), rows, on=day)


def store() -> Store:
    """The store of designs and drafts in the hands of who sits at the screen.

    Raises:
        PlannerError: The store cannot be opened.
    """
    return opened_store().acting(people.actor())


@st.cache_resource(show_spinner=False)
def opened_store() -> Store:
    """The store as the server has it, without the drafts that were given up; opened once.

    Raises:
        PlannerError: The store cannot be opened.
    """
    opened = open_store()
    # A store that cannot be written can still be read; the first draft that is not saved says why.
    with contextlib.suppress(PlannerError):
        opened.drop_old_drafts()
    return opened


def plan_of(scenario_json: str, *, binary: bool = False) -> Plan:
    """The plan of a scenario given as JSON.

    Args:
        scenario_json: The scenario.
        binary: The plan's sentences state sizes in GiB and TiB.

    Raises:
        PlannerError: The scenario is not valid or cannot be computed.
    """
    return _plan(scenario_json, catalogue().hash, binary)


@functools.lru_cache(maxsize=KEPT)
def _plan(scenario_json: str, catalogue_hash: str, binary: bool) -> Plan:
    del catalogue_hash  # part of the key: another catalogue gives another answer
    with sizes(binary=binary):
        return plan(scenario_from_json(scenario_json), catalogue())


def basis_of(scenario_json: str) -> Basis:
    """What the plan of a scenario is computed from, with the hash that an approval keeps.

    Raises:
        PlannerError: The scenario is not valid or cannot be computed.
    """
    return _basis(scenario_json, catalogue().hash)


@functools.lru_cache(maxsize=KEPT)
def _basis(scenario_json: str, catalogue_hash: str) -> Basis:
    del catalogue_hash  # part of the key
    return basis(scenario_from_json(scenario_json), catalogue(), engine_version=__version__)


def hash_of(scenario_json: str) -> str:
    """Hash of a scenario and the catalogue that it was computed with."""
    digest = hashlib.sha256(scenario_json.encode())
    digest.update(catalogue().hash.encode())
    return digest.hexdigest()
