"""Names and subnets of the site as they are typed, and the lists of cables and zones that carry them."""

from __future__ import annotations

import streamlit as st

from pages._ui import answers, session
from planner.core.errors import PlannerError
from planner.deploy import schedules, sheets
from planner.deploy.addressing import Addressing, addressing_from_json
from planner.deploy.site import site
from planner.plan import Plan


def addressing_of(names_json: str) -> Addressing:
    """Names and subnets of the site as they are typed, or the defaults.

    Raises:
        PlannerError: It is not JSON, or a name or subnet is refused; one line says which.
    """
    return addressing_from_json(names_json) if names_json.strip() else Addressing()


def usable_names() -> str:
    """Names and subnets as they were typed; empty, which stands for the defaults, where they are refused."""
    typed = str(session.get("export.names") or "")
    try:
        addressing_of(typed)
    except PlannerError:
        return ""
    return typed


def cable_rows(scenario_json: str) -> list[tuple[object, ...]]:
    """The cable schedule with the names of the site, or the default ones.

    Raises:
        PlannerError: The ports or the addresses do not fit.
    """
    plan = answers.plan_of(scenario_json)
    return listed_cables(scenario_json, answers.catalogue().hash, usable_names(), plan)


@st.cache_data(max_entries=16, show_spinner="Listing the cables")
def listed_cables(
    scenario_json: str, catalogue_hash: str, names_json: str, _plan: Plan
) -> list[tuple[object, ...]]:
    """Rows of the cable schedule, kept by what they are made of.

    Raises:
        PlannerError: The ports or the addresses do not fit.
    """
    del scenario_json, catalogue_hash  # the plan, as a key
    return list(schedules.cable_rows(site(_plan, addressing_of(names_json))))


def zone_rows(scenario_json: str) -> list[tuple[str, str, str, str]]:
    """Name, side, initiator and targets of every Fibre Channel zone, with the names of the site.

    Raises:
        PlannerError: The ports do not fit.
    """
    plan = answers.plan_of(scenario_json)
    return _zone_rows(scenario_json, answers.catalogue().hash, usable_names(), plan)


@st.cache_data(max_entries=16, show_spinner="Listing the zones")
def _zone_rows(
    scenario_json: str, catalogue_hash: str, names_json: str, _plan: Plan
) -> list[tuple[str, str, str, str]]:
    del scenario_json, catalogue_hash  # the plan, as a key
    made = sheets.zones(site(_plan, addressing_of(names_json)))
    return [(zone["name"], zone["side"], zone["initiator"], ", ".join(zone["targets"])) for zone in made]
