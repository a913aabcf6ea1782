"""Circuits: what a feed may carry, its outlet, and what a rack draws from it with the other feed lost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from planner.core.quantity import Quantity, derive, given
from planner.core.units import scalar
from planner.sections.context import Context, or_unknown, stated
from planner.sections.facility import FacilityPlan, continuous_fraction
from planner.sizing import feeds, racks

FEEDS = 2.0
"""Every rack has an A and a B feed."""
TO_AGREE = "to be agreed with the provider"
"""Outlet of a circuit that is not on the list."""


@dataclass(frozen=True, slots=True)
class Circuits:
    """One kind of circuit for all racks.

    Attributes:
        receptacle: Outlet that a provider usually gives for it; what to ask if there is none on the list.
        usable_va: What it may carry continuously.
        usable_amps: Current that may flow continuously in each phase.
    """

    label: str
    receptacle: str
    receptacle_source: str
    feed_volts: Quantity
    breaker_amps: Quantity
    phase_count: int
    continuous_fraction: Quantity
    usable_amps: Quantity
    usable_va: Quantity
    circuit_w: Quantity


@dataclass(frozen=True, slots=True)
class RackDraw:
    """What one rack takes from its feeds at its highest power."""

    both_amps: Quantity
    alone_amps: Quantity
    circuit_count: Quantity
    apparent_va: Quantity
    startup_w: Quantity


def circuits_of(context: Context, facility: FacilityPlan) -> Circuits:
    """The circuit that the site gives, with the region's rule for continuous load."""
    site = context.scenario.site
    share = continuous_fraction(context)
    outlet, source = _receptacle(context)
    phases = site.feed_phase_count
    return Circuits(
        label=f"{site.feed_volts:.0f} V, {site.feed_amps:.0f} A, {'three-phase' if phases > 1 else 'single-phase'}",
        receptacle=outlet,
        receptacle_source=source,
        feed_volts=stated(site.feed_volts, "feed_volts", "Feed voltage"),
        breaker_amps=stated(site.feed_amps, "feed_amps", "Breaker"),
        phase_count=phases,
        continuous_fraction=share,
        usable_amps=given(
            site.feed_amps * share.number, "A", "Current that may flow continuously", source=share.source,
            grade="inferred",
        ),
        usable_va=derive(
            feeds.circuit_va,
            feed_volts=site.feed_volts,
            feed_amps=site.feed_amps,
            phase_count=scalar(phases),
            continuous_fraction=share,
        ),
        circuit_w=facility.circuit_w,
    )  # fmt: skip


def _receptacle(context: Context) -> tuple[str, str]:
    site = context.scenario.site
    for row in context.catalogue.receptacles.values():
        if (
            row.low_volts.number <= site.feed_volts <= row.high_volts.number
            and row.breaker_amps.number == site.feed_amps
            and row.phase_count == site.feed_phase_count
        ):
            return row.label, row.breaker_amps.source
    return TO_AGREE, "no usual outlet is on file for this circuit"


def rack_draw(context: Context, circuits: Circuits, peak: Quantity) -> RackDraw:
    """Currents of a rack: half of the load on each feed, and all of it on one when the other is lost."""
    site = context.scenario.site
    feed: dict[str, Any] = {
        "feed_volts": site.feed_volts,
        "phase_count": scalar(site.feed_phase_count),
        "power_factor_fraction": site.power_factor_fraction,
    }
    half = derive(racks.feed_share_w, load_w=peak)
    factor = or_unknown(context.catalogue.assumptions["startup-ratio"].typical, "1", "Start-up ratio")
    return RackDraw(
        both_amps=derive(racks.feed_amps, load_w=half, label="Current of each feed", **feed),
        alone_amps=derive(racks.feed_amps, load_w=peak, label="Current with the other feed lost", **feed),
        circuit_count=derive(
            feeds.circuit_count, load_w=peak, circuit_w=circuits.circuit_w, feed_count=FEEDS
        ),
        apparent_va=derive(racks.apparent_va, load_w=peak, power_factor_fraction=site.power_factor_fraction),
        startup_w=derive(racks.startup_w, max_w=peak, startup_ratio=factor),
    )


def density_class(context: Context, peak: Quantity) -> str:
    """Class of a rack by its highest power: "low" to "extreme"."""
    rows = [row for name, row in context.catalogue.power_rules.items() if name.startswith("class-")]
    for row in rows:
        if row.high is not None and peak.number <= row.high.number:
            return row.label.removeprefix("Density class ")
    return "beyond extreme"
