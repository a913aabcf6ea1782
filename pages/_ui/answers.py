"""The planner's answers, kept for all sessions; nothing here changes once it is made."""

from __future__ import annotations

import contextlib
import functools
import hashlib

import streamlit as st

from planner import __version__
from planner.catalogue import Catalogue, load_catalogue
from planner.core.errors import PlannerError
from planner.core.units import sizes
from planner.inputs import scenario_from_json
from planner.plan import Plan, plan
from planner.review import Basis, basis
from planner.store import Store, open_store

KEPT = 256
"""Plans that are kept; the ones not asked for longest go first."""
DRAFT_DAYS = 90.0
"""A draft that nobody touched for so long is removed when the application starts."""


@st.cache_resource(show_spinner=False)
def catalogue() -> Catalogue:
    """The shipped catalogue."""
    return load_catalogue()


@st.cache_resource(show_spinner=False)
def store() -> Store:
    """The store of designs and drafts, without the drafts that were given up; opened once for a server.

    Raises:
        PlannerError: The store cannot be opened.
    """
    opened = open_store()
    # A store that cannot be written can still be read; the first draft that is not saved says why.
    with contextlib.suppress(PlannerError):
        opened.purge_drafts(unused_days=DRAFT_DAYS)
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


@functools.lru_cache(maxsize=KEPT)
def basis_of(scenario_json: str) -> Basis:
    """What the plan of a scenario is computed from, with the hash that an approval keeps.

    Raises:
        PlannerError: The scenario is not valid or cannot be computed.
    """
    return basis(scenario_from_json(scenario_json), catalogue(), engine_version=__version__)


def hash_of(scenario_json: str) -> str:
    """Hash of a scenario and the catalogue that it was computed with."""
    digest = hashlib.sha256(scenario_json.encode())
    digest.update(catalogue().hash.encode())
    return digest.hexdigest()
