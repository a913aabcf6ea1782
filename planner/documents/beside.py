"""What a document tells beside the plan, where whoever makes it has it: addresses of the site, and years of growth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from reportlab.platypus import Flowable

from planner.core.units import counted, format_number, format_range
from planner.documents.parts import Row, table, text, topic
from planner.documents.text import LONGEST, clean
from planner.explore.growth import Demand, Growth, Year

Table = tuple[tuple[str, ...], tuple[Row, ...]]
"""Titles of the columns, and rows."""
SUBNET_WIDTHS, ADDRESS_WIDTHS = (0.15, 0.23, 0.2, 0.22, 0.2), (0.19, 0.23, 0.07, 0.2, 0.2, 0.11)


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """What stands in a document beside what the plan tells; all of it may be missing.

    Attributes:
        subnets: Subnets with their VLANs; no rows where ports have no addresses.
        addresses: First and last address of each group of machines.
        lacking: Why there are no addresses; empty where there are, or nobody asked for them.
        prefixes: How the site begins the names of machines, by how the planner begins them.
        noticed_s: Time until a host notices a silent path and takes another; 0 where nobody told.
        grown: Years of growth; None where nobody asked for them.
    """

    subnets: Table = ((), ())
    addresses: Table = ((), ())
    lacking: str = ""
    prefixes: Mapping[str, str] = field(default_factory=dict)
    noticed_s: float = 0.0
    grown: Growth | None = None


NOTHING = Beside()


def address_tables(beside: Beside) -> list[Flowable]:
    """Subnets, VLANs and the ends of the addresses as placeholders."""
    heading = topic("Addresses and VLANs", "addresses")
    if beside.lacking:
        return [*heading, text(f"Not planned: {clean(beside.lacking, limit=LONGEST)}")]
    if not beside.subnets[0]:
        return [*heading, text("unknown: they are planned with the configuration bundle.")]
    if not beside.subnets[1]:
        return [
            *heading,
            text(
                "Ports of Fibre Channel have names of their own and no addresses; zones stand in the bundle."
            ),
        ]
    return [
        *heading,
        text(
            "Placeholders until the site states its own: subnets and names are set on the Export screen, and every "
            "single address stands in addresses.csv of the configuration bundle."
        ),
        *table(*beside.subnets, SUBNET_WIDTHS),
        *table(*beside.addresses, ADDRESS_WIDTHS),
    ]


def growth_tables(grown: Growth | None) -> list[Flowable]:
    """The first year in which each limit is passed, and what to add in which year."""
    heading = topic("Years of growth", "years")
    if grown is None:
        return [
            *heading,
            text(
                "Not asked for. The years in which a growth of GPUs, models and data passes each limit, and what to add "
                "then, are told by Explore, Growth and by the command “growth”; a switch on the Export screen and "
                "“--growth” put them here."
            ),
        ]
    first = [
        (code, "today" if number == 0 else str(number), clean(finding.message))
        for code, (number, finding) in grown.first.items()
    ]
    years = [_year(year) for year in grown.years]
    return [
        *heading,
        text(_asked(grown.demand)),
        *topic("First year of each limit, nothing being added", "first-years"),
        *(
            table(("Limit", "Year", "What happens"), first, (0.1, 0.08, 0.82))
            if first
            else [text(f"None is passed within {counted(grown.demand.years, 'year')}.")]
        ),
        *topic("What to add in each year", "expansions"),
        *table(
            ("Year", "GPUs", "Dataset", "Checkpoint", "Passed", "Add", "Costs", "Left"),
            years,
            (0.07, 0.1, 0.1, 0.11, 0.13, 0.26, 0.13, 0.1),
        ),
    ]


def _asked(demand: Demand) -> str:
    """The growth that is taken, in words."""
    parts = (
        ("GPUs", demand.gpu_ratio),
        ("parameters of every model", demand.parameter_ratio),
        ("data", demand.dataset_ratio),
    )
    told = ", ".join(f"{name} × {format_number(ratio)}" for name, ratio in parts)
    return f"Each year: {told}. The storage stays as it was built, GPU nodes and their links follow."


def _year(year: Year) -> Row:
    when = "today" if year.number == 0 else str(year.number)
    if year.reason:
        return (when, "", "", "", "unknown", clean(year.reason), "", "")
    figures = [year.figures[name].text() for name in ("GPUs", "Dataset", "Checkpoint")]
    passed = ", ".join(finding.code for finding in year.passed) or "none"
    step = year.expansion
    if step is None:
        return (when, *figures, passed, "nothing", "", "none")
    added = "; ".join(map(str, step.additions)) or "more of the same does not mend it"
    cost = format_range(step.low_usd.number, step.high_usd.number, "USD") if step.additions else ""
    return (when, *figures, passed, added, cost, ", ".join(finding.code for finding in step.left) or "none")
