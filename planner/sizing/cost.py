"""What it costs: tiers at a price per terabyte, parts at dated prices, and years of running it."""

from __future__ import annotations

from planner.core import elementwise
from planner.core.formula import formula
from planner.core.units import TB, Number

_T1 = "reliability models, T1; the guide, 'Tiered Storage Economics'"
_T2 = "reliability models, T2"


@formula(
    r"K = U\,p",
    unit="USD",
    label="Tier at a price per TB",
    source=_T1,
    symbols={"usable_bytes": "U", "price_usd_per_tb": "p"},
)
def tier_usd(usable_bytes: Number, *, price_usd_per_tb: Number) -> Number:
    """Cost of a tier at a price per decimal terabyte.

    Args:
        usable_bytes: Capacity after protection.
        price_usd_per_tb: Price of a usable terabyte.

    Example:
        >>> float(tier_usd(3e12, price_usd_per_tb=200.0))
        600.0
    """
    return usable_bytes / TB * price_usd_per_tb


@formula(
    r"K = n\,p",
    unit="USD",
    label="Extended price",
    source="definition",
    symbols={"part_count": "n", "price_usd": "p"},
)
def extended_usd(part_count: Number, *, price_usd: Number) -> Number:
    """Price of a line: quantity times unit price.

    Args:
        part_count: Parts.
        price_usd: Price of one part.

    Example:
        >>> float(extended_usd(4.0, price_usd=12_000.0))
        48000.0
    """
    return part_count * price_usd


@formula(
    r"K_t = K\,(1 + s\,y) + E\,y",
    unit="USD",
    label="Equipment, power and support over the term",
    source=_T2,
    symbols={
        "capital_usd": "K",
        "support_fraction": "s",
        "term_years": "y",
        "running_usd_per_year": "E",
    },
)
def term_usd(
    capital_usd: Number, *, support_fraction: Number, term_years: Number, running_usd_per_year: Number
) -> Number:
    """Capital, support and running cost over a term, not discounted.

    Args:
        capital_usd: Price of what is bought.
        support_fraction: Support in a year over the price of the equipment.
        term_years: Term of the design in years.
        running_usd_per_year: Energy with cooling in a year.

    Example:
        >>> float(term_usd(100_000.0, support_fraction=0.1, term_years=5.0, running_usd_per_year=2_000.0))
        160000.0
    """
    return capital_usd * (1.0 + support_fraction * term_years) + running_usd_per_year * term_years


@formula(
    r"E = 12\,P\,p",
    unit="USD/year",
    label="Colocation, all-in",
    source="rules of the calculation, 'Colocation price'",
    symbols={"load_w": "P", "price_usd_per_kw_month": "p"},
)
def all_in_usd_per_year(load_w: Number, *, price_usd_per_kw_month: Number) -> Number:
    """Yearly price of power, cooling and space where a provider charges for each kW.

    Args:
        load_w: Power that is paid for.
        price_usd_per_kw_month: Price of a kilowatt for a month, all in.

    Example:
        >>> float(all_in_usd_per_year(10_000.0, price_usd_per_kw_month=200.0))
        24000.0
    """
    return load_w / 1000.0 * 12.0 * price_usd_per_kw_month


@formula(
    r"k = K / U",
    unit="USD/TB",
    label="Cost per usable TB",
    source="definition",
    symbols={"capital_usd": "K", "usable_bytes": "U"},
)
def per_usable_usd_per_tb(capital_usd: Number, *, usable_bytes: Number) -> Number:
    """Capital cost for each usable terabyte.

    Args:
        capital_usd: Price of what is bought.
        usable_bytes: Usable capacity of all tiers.

    Example:
        >>> float(per_usable_usd_per_tb(50_000.0, usable_bytes=100e12))
        500.0
    """
    return capital_usd / (usable_bytes / TB)


@formula(
    r"n = N \left\lceil p / q \right\rceil",
    unit="count",
    label="Network cards",
    source="definition",
    symbols={"unit_count": "N", "port_count": "p", "ports_per_card_count": "q"},
)
def cards_count(unit_count: Number, *, port_count: Number, ports_per_card_count: Number) -> Number:
    """Network cards for units that have the same number of ports each.

    Args:
        unit_count: Units, all alike.
        port_count: Ports of each unit.
        ports_per_card_count: Ports of a card.

    Example:
        >>> float(cards_count(3.0, port_count=4.0, ports_per_card_count=2.0))
        6.0
    """
    return unit_count * elementwise.ceil(port_count / ports_per_card_count)


@formula(
    r"n = 2 N", unit="count", label="Optics", source="both ends of each link", symbols={"link_count": "N"}
)
def optic_ends_count(link_count: Number) -> Number:
    """Optics at both ends of links.

    Args:
        link_count: Links with an optic at each end.

    Example:
        >>> float(optic_ends_count(100.0))
        200.0
    """
    return 2.0 * link_count


@formula(
    r"K = K_\mathrm{low} + \ell\,(K_\mathrm{high} - K_\mathrm{low})",
    unit="USD",
    label="Between the low and the high price",
    source="definition",
    symbols={"low_usd": r"K_\mathrm{low}", "high_usd": r"K_\mathrm{high}", "level_fraction": r"\ell"},
    validity="where every line has its price at the same place between its ends; costs are sums of prices",
)
def between_usd(low_usd: Number, *, high_usd: Number, level_fraction: Number) -> Number:
    """Cost with all prices at the same place between their low and their high ends.

    Args:
        low_usd: Cost with every price at its low end.
        high_usd: Cost with every price at its high end.
        level_fraction: Place of the prices, 0 at the low end and 1 at the high one.

    Example:
        >>> float(between_usd(12_100.0, high_usd=31_000.0, level_fraction=0.5))
        21550.0
    """
    return low_usd + level_fraction * (high_usd - low_usd)


@formula(
    r"\Delta K = K_\mathrm{after} - K_\mathrm{before}",
    unit="USD",
    label="More than before the step",
    source="definition",
    symbols={"after_usd": r"K_\mathrm{after}", "before_usd": r"K_\mathrm{before}"},
    validity="where both are planned with the same prices",
)
def added_usd(after_usd: Number, *, before_usd: Number) -> Number:
    """What a step adds to a cost; below zero where the step makes it cheaper.

    Args:
        after_usd: Cost with the step.
        before_usd: Cost without it.

    Example:
        >>> added_usd(31_000.0, before_usd=12_100.0)
        18900.0
    """
    return after_usd - before_usd
