"""The planner's answers, kept for all sessions; nothing here changes once it is made."""

from __future__ import annotations

import functools
import hashlib
import json
from typing import Any

import streamlit as st

from planner.catalogue import Catalogue, load_catalogue
from planner.inputs import scenario_from_dict, scenario_from_json, scenario_to_json
from planner.plan import Plan, plan
from planner.store import Store, open_store


@st.cache_resource(show_spinner=False)
def catalogue() -> Catalogue:
    """The shipped catalogue."""
    return load_catalogue()


@st.cache_resource(show_spinner=False)
def store() -> Store:
    """The store of designs and drafts."""
    return open_store()


@st.cache_resource(max_entries=256, show_spinner=False)
def _plan(scenario_json: str, catalogue_hash: str) -> Plan:
    del catalogue_hash  # part of the key: another catalogue gives another answer
    return plan(scenario_from_json(scenario_json), catalogue())


def scenario_text(nested: dict[str, Any]) -> str:
    """The JSON text of a scenario given as nested values.

    Raises:
        PlannerError: The values are no valid scenario.
    """
    return _checked(json.dumps(nested))


@functools.lru_cache(maxsize=256)
def _checked(text: str) -> str:
    return scenario_to_json(scenario_from_dict(json.loads(text)))


def plan_of(scenario_json: str) -> Plan:
    """The plan of a scenario given as JSON.

    Raises:
        PlannerError: The scenario is not valid or cannot be computed.
    """
    return _plan(scenario_json, catalogue().hash)


def hash_of(scenario_json: str) -> str:
    """Hash of a scenario and the catalogue that it was computed with."""
    digest = hashlib.sha256(scenario_json.encode())
    digest.update(catalogue().hash.encode())
    return digest.hexdigest()
