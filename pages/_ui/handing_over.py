"""What every file of the Export screen is made of, asked for while the session is there."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from pages._ui import answers, exports, growing, measured, site_names
from pages._ui.exports import Dossier, Heading, Order
from pages._ui.markup import escaped
from planner.core.errors import PlannerError
from planner.core.units import counted, format_number
from planner.deploy.addressing import Addressing
from planner.explore.growth import Demand
from planner.plan import Plan
from planner.review.as_built import AsBuilt

GROWING = ("GPUs", "parameters", "data")
"""What grows, in the order of the rates."""


@dataclass(frozen=True)
class Made:
    """What every file of this page is made of.

    Files are made when they are fetched, when the session is not there to be asked: everything that needs it
    is here.
    """

    order: Order
    known: Dossier
    names_json: str
    plan: Plan
    signed: Plan | None
    built: AsBuilt | None

    def pdf(self) -> bytes:
        """The whole document."""
        return exports.pdf_bytes(self.order, self.known, self.plan, self.signed, self.built)

    def package(self) -> bytes:
        """All files in one."""
        return exports.package_bytes(
            self.order, self.known, self.names_json, self.plan, self.signed, self.built
        )


def made_of(scenario_json: str, head: Heading, demand: Demand | None = None) -> Made:
    """What the files of the open design are made of, in decimal sizes whatever the screen shows.

    Args:
        scenario_json: The inputs.
        head: What the documents say about themselves.
        demand: Growth that the documents tell; None leaves it out.

    Raises:
        PlannerError: The store cannot be read, or the logo cannot be printed.
    """
    known, plan = exports.dossier(), answers.plan_of(scenario_json)
    names_json = site_names.usable_names()
    return Made(
        order=exports.order(scenario_json, head, names_json=names_json, demand=demand),
        known=known,
        names_json=names_json,
        plan=plan,
        signed=answers.plan_of(known.signed_json) if known.signed_json else None,
        built=measured.built(plan) if known.measured_ids else None,
    )


def asked_growth() -> Demand | None:
    """Switch for years of growth in the documents; the growth is what the fields of Explore state.

    None where it is off, or the fields cannot be read, which is said.
    """
    asked = st.toggle("With growth over the years", key="export.growth", persist_state="session")
    if not asked:
        return None
    try:
        demand = growing.stated()
    except PlannerError as error:
        st.error(escaped(f"{error.message}; mend it on the Explore screen, Growth"), icon=":material/error:")
        return None
    rates = (demand.gpu_ratio, demand.parameter_ratio, demand.dataset_ratio)
    told = ", ".join(f"{name} × {format_number(rate)}" for name, rate in zip(GROWING, rates, strict=True))
    st.caption(
        f"{counted(demand.years, 'year')}, each year {told}; set on the Explore screen, Growth. The PDF and the workbook "
        "take some seconds longer to make."
    )
    return demand


def names_field() -> str:
    """Field for names and subnets of the site as JSON; gives the defaults where nothing is typed, or what is typed is refused."""
    expander = st.expander(
        "Names and subnets of the site, for documents, bundle and cables", icon=":material/label:"
    )
    with expander:
        typed = st.text_area(
            "Names and subnets (JSON)",
            key="export.names",
            persist_state="session",
            placeholder='{"node_prefix": "gpu", "fabric_a": "10.128.0.0/15"}',
            help="What is left out keeps its default.",
        )
        st.caption(f"Fields: {escaped(', '.join(Addressing.model_fields))}.")
    try:
        site_names.addressing_of(typed or "")
    except PlannerError as error:
        st.error(escaped(f"{error.message}; the files below have the default names"))
        return ""
    return typed or ""
