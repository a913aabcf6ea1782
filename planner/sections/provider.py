"""What the provider of a site allows, compared with the design: pass, warning, fail, or a question to him."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from planner.core.checks import Check
from planner.core.quantity import Quantity
from planner.core.units import scalar, unit_of_name
from planner.sections.context import Context, or_unknown, stated
from planner.sections.racks import HEIGHT, RackLayout
from planner.sections.rows import power_checks

SiteVerdict = Literal["pass", "warning", "fail", "question"]
NEAR = 0.9
"""Above this share of a limit a check warns: no room for one more of anything."""


@dataclass(frozen=True, slots=True)
class SiteLine:
    """One limit of a site.

    Attributes:
        check: What the site provides against what the design needs.
        path: Input that states the limit.
        ask: What to ask the provider where he has not said.
        filled: Whether machines are placed until a rack is at this limit. It has its margin already (a breaker is
            loaded to its continuous share), and being near it is the aim: it warns nowhere.
    """

    check: Check
    path: str
    ask: str
    filled: bool = False

    @property
    def verdict(self) -> SiteVerdict:
        """Pass, fail, a warning near the limit, or a question where the limit is not known."""
        if self.check.verdict == "unknown":
            return "question"
        if self.check.verdict == "fail":
            return "fail"
        return "warning" if self.check.utilisation > NEAR and not self.filled else "pass"


def site_lines(context: Context, layout: RackLayout) -> tuple[SiteLine, ...]:
    """Every limit that a provider states, against the design in its racks."""
    site = context.scenario.site
    usable_ru = stated(
        scalar(site.rack_height_ru - site.rack_reserved_ru),
        "usable_ru",
        "Rack units of a rack that can be used",
    )
    # Machines that come as a rack are no lower than it is.
    filled = [rack for rack in layout.racks if any(check.name == HEIGHT for check in rack.checks)]
    fullest = max((rack.used_ru for rack in filled), key=lambda used: used.number)
    warmest = or_unknown(
        context.catalogue.assumptions["inlet-max-c"].typical,
        "°C",
        "Highest inlet temperature of the equipment",
    )
    inlet = _limit("inlet_celsius", site.inlet_celsius, "Inlet temperature of the site")
    needed = stated(scalar(site.cross_connect_count), "cross_connect_count", "Cross-connects")
    return (
        _line("Power of all racks", "allowed_w", site.allowed_w, layout.max_w, "How many kW may all racks draw together?"),
        _line("Power of a rack", "rack_limit_w", site.rack_limit_w, layout.fullest_w, "How many kW may one rack draw?",
              filled=True),
        SiteLine(
            power_checks(layout)[1],
            "site.feed_amps",
            "Which circuits are there: voltage, amperes, phases?",
            filled=True,
        ),
        _line("Racks", "allowed_rack_count", site.allowed_rack_count, layout.rack_count, "How many racks are free, side by side?"),
        SiteLine(
            Check("Rack units of a rack", provided=usable_ru, required=fullest, source="height less what is reserved"),
            "site.rack_height_ru",
            "How high are the racks?",
            filled=True,
        ),
        _line("Weight of a rack", "rack_limit_kg", site.rack_limit_kg, layout.heaviest_kg, "How heavy may a rack be?",
              filled=True),
        _line("Floor load", "floor_limit_kg_per_m2", site.floor_limit_kg_per_m2, layout.floor_kg_per_m2,
              "What does the floor carry, and the way to it?"),
        _line("Circuits", "allowed_circuit_count", site.allowed_circuit_count, layout.circuit_count,
              "How many circuits can be given on A and on B?"),
        SiteLine(
            Check("Inlet temperature", provided=warmest, required=inlet, source="class A2 of the equipment"),
            "site.inlet_celsius",
            "Which temperature is held at the inlet at most?",
        ),
        _line("Cross-connects", "allowed_cross_connect_count", site.allowed_cross_connect_count, needed,
              "How many cross-connects can be made, to whom, by which ways?"),
    )  # fmt: skip


def _line(
    name: str, field: str, limit: float | None, needed: Quantity, ask: str, *, filled: bool = False
) -> SiteLine:
    check = Check(
        name, provided=_limit(field, limit, f"{name}, allowed"), required=needed, source="the provider"
    )
    return SiteLine(check, f"site.{field}", ask, filled)


def _limit(field: str, value: float | None, label: str) -> Quantity:
    if value is None:
        return or_unknown(None, unit_of_name(field), label)
    return stated(scalar(value), field, label)
