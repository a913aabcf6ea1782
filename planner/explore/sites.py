"""One design at several sites: what each allows, what it needs there, and what its power costs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from planner.catalogue import Catalogue
from planner.core.errors import PlannerError
from planner.core.quantity import Quantity
from planner.core.units import format_value
from planner.plan import Plan, plan
from planner.scenario import Scenario, Site
from planner.sections.provider import SiteLine, SiteVerdict

_CIRCUIT = re.compile(r"pdu-(\d+)-(\d+)-(\d)ph")
"""Id of a rule on what a circuit may carry: volts, amperes, phases."""
_IEC_VOLTS = (230.0, 400.0)
"""Voltages of sites under IEC rules, where a breaker may be loaded in full."""
WORST: tuple[SiteVerdict, ...] = ("fail", "question", "warning", "pass")


@dataclass(frozen=True, slots=True)
class SiteColumn:
    """The design at one site."""

    name: str
    site: Site
    plan: Plan
    lines: tuple[SiteLine, ...]

    @property
    def verdict(self) -> SiteVerdict:
        """The worst of its lines: a fail, else a question, else a warning."""
        return min((line.verdict for line in self.lines), key=WORST.index)

    @property
    def questions(self) -> tuple[str, ...]:
        """What to ask the provider."""
        return tuple(line.ask for line in self.lines if line.verdict == "question")


@dataclass(frozen=True, slots=True)
class SiteRow:
    """One figure at every site; the verdict is empty where nothing is compared."""

    name: str
    cells: tuple[str, ...]
    verdicts: tuple[str, ...]


def usual_sites(catalogue: Catalogue, site: Site) -> dict[str, Site]:
    """Sites with each circuit that providers usually give, by the circuit's name; all else as at another site.

    Args:
        catalogue: The rules on circuits.
        site: What is not said by the circuit.
    """
    found = {}
    for name, row in catalogue.power_rules.items():
        match = _CIRCUIT.fullmatch(name)
        if match is None:
            continue
        volts, amps, phases = (float(part) for part in match.groups())
        iec = volts in _IEC_VOLTS
        circuit = {
            "feed_volts": volts,
            "feed_amps": amps,
            "feed_phase_count": int(phases),
            "region": "emea" if iec else "north-america",
            "continuous_fraction": None,
        }
        label = f"{row.label.partition(',')[0]}, {'EMEA' if iec else 'North America'}"
        found[label] = site.model_copy(update=circuit)
    return found


def compare_sites(
    scenario: Scenario, sites: Mapping[str, Site], catalogue: Catalogue
) -> tuple[SiteColumn, ...]:
    """The same design at each site, in racks of its height, on its circuits.

    Args:
        scenario: The design; its own site is not used.
        sites: Sites by name.
        catalogue: The rows to choose from.

    Raises:
        PlannerError: The design cannot be planned at a site; the line begins with its name.
    """
    columns = []
    for name, site in sites.items():
        try:
            made = plan(scenario.model_copy(update={"site": site}), catalogue)
        except PlannerError as error:
            raise PlannerError(f"{name}: {error.message}", field=error.field) from None
        columns.append(SiteColumn(name, site, made, made.site_lines))
    return tuple(columns)


def sites_table(columns: tuple[SiteColumn, ...]) -> tuple[SiteRow, ...]:
    """One row a limit and one a figure, a column for each site: "16.2 kW of 20 kW" with its verdict."""
    rows = [
        SiteRow(lines[0].check.name, tuple(map(_compared, lines)), tuple(line.verdict for line in lines))
        for lines in zip(*(column.lines for column in columns), strict=True)
    ]
    figures: dict[str, list[Quantity]] = {
        "Power, typical": [c.plan.racks.typical_w for c in columns],
        "At start-up": [c.plan.racks.startup_w for c in columns],
        "Heat": [c.plan.racks.btu_per_hour for c in columns],
        "Air": [c.plan.racks.airflow_m3_per_hour for c in columns],
        "Energy in a year": [c.plan.facility.energy_kwh_per_year for c in columns],
        "Power and cooling in a year": [c.plan.facility.energy_usd_per_year for c in columns],
    }
    dense = tuple(max(c.plan.racks.racks, key=lambda r: r.max_w.number).density for c in columns)
    outlets = tuple(f"{c.plan.racks.circuits.label}, {c.plan.racks.circuits.receptacle}" for c in columns)
    none = ("",) * len(columns)
    return (
        SiteRow("Verdict", tuple(c.verdict for c in columns), tuple(c.verdict for c in columns)),
        *rows,
        SiteRow("Circuit", outlets, none),
        SiteRow("Density class", dense, none),
        *(SiteRow(name, tuple(item.text() for item in items), none) for name, items in figures.items()),
        SiteRow("Questions", tuple(format_value(len(c.questions), "count") for c in columns), none),
    )


def _compared(line: SiteLine) -> str:
    needed, given = line.check.required, line.check.provided
    if line.check.name == "Inlet temperature":  # the site's is what must be below the equipment's
        return (
            f"{needed} at the inlet, equipment takes {given}"
            if needed.known
            else f"not stated, equipment takes {given}"
        )
    return f"{needed} of {given}" if given.known else f"{needed}, limit not stated"
