"""Costs over a term, and for each unit of what they are for."""

from __future__ import annotations

from planner.core import elementwise
from planner.core.formula import formula
from planner.core.units import DAY_S, TB, YEAR_S, Number

_T2 = "reliability models, T2"
_T3 = "reliability models, T3"
MONTHS_PER_YEAR = 12.0


@formula(
    r"K = k\,\frac{t}{365\,\mathrm{d}}",
    unit="USD",
    label="Over the term",
    source=_T2,
    symbols={"yearly_usd_per_year": "k", "term_s": "t"},
)
def over_term_usd(yearly_usd_per_year: Number, *, term_s: Number) -> Number:
    """A yearly cost over a term, not discounted.

    Args:
        yearly_usd_per_year: Cost in a year.
        term_s: Term of the design.

    Example:
        >>> float(over_term_usd(1000.0, term_s=5 * 365 * 86_400.0))
        5000.0
    """
    return yearly_usd_per_year * term_s / YEAR_S


@formula(
    r"K = 12\,n\,p\,\frac{t}{365\,\mathrm{d}}",
    unit="USD",
    label="Space over the term",
    source="rules of the calculation, 'Colocation price': metered energy plus space",
    symbols={"rack_count": "n", "rack_usd_per_month": "p", "term_s": "t"},
)
def space_usd(rack_count: Number, *, rack_usd_per_month: Number, term_s: Number) -> Number:
    """Price of racks over a term.

    Args:
        rack_count: Racks.
        rack_usd_per_month: Price of one rack and month.
        term_s: Term.

    Example:
        >>> float(space_usd(2.0, rack_usd_per_month=500.0, term_s=365 * 86_400.0))
        12000.0
    """
    return rack_count * rack_usd_per_month * MONTHS_PER_YEAR * term_s / YEAR_S


@formula(
    r"K = K_0\,s\,y",
    unit="USD",
    label="Support over the term",
    source=_T2,
    symbols={"capital_usd": "K_0", "support_fraction": "s", "term_years": "y"},
)
def support_usd(capital_usd: Number, *, support_fraction: Number, term_years: Number) -> Number:
    """Support as a yearly share of the capital.

    Args:
        capital_usd: Price of the equipment.
        support_fraction: Support in a year over the price of the equipment.
        term_years: Term of the design in years.

    Example:
        >>> float(support_usd(100_000.0, support_fraction=0.1, term_years=5.0))
        50000.0
    """
    return capital_usd * support_fraction * term_years


@formula(
    r"n = \max\!\left(\left\lceil t / L \right\rceil - 1,\ 0\right)",
    unit="count",
    label="Sets of drives that are replaced",
    source="reliability models, E3: life by the rating, ten years at most",
    symbols={"term_s": "t", "life_s": "L"},
    validity="all drives of a tier wear evenly",
)
def replacement_sets_count(term_s: Number, *, life_s: Number) -> Number:
    """How often all drives of a tier are replaced within a term because they are worn.

    Args:
        term_s: Term.
        life_s: Time until their rating is used up.

    Example:
        >>> float(replacement_sets_count(5.0, life_s=2.68)), float(replacement_sets_count(5.0, life_s=5.0))
        (1.0, 0.0)
    """
    sets: Number = elementwise.ceil(term_s / life_s - elementwise.TOLERANCE)
    return elementwise.maximum(sets - 1.0, 0.0)


@formula(
    r"K = n\,p",
    unit="USD",
    label="Price of several sets",
    source="definition",
    symbols={"set_count": "n", "set_usd": "p"},
)
def per_set_usd(set_count: Number, *, set_usd: Number) -> Number:
    """Price of a number of equal sets of parts; none costs nothing, whatever one would cost.

    Args:
        set_count: Sets of drives that are worn in the term.
        set_usd: Price of one set.

    Example:
        >>> float(per_set_usd(2.0, set_usd=500.0)), float(per_set_usd(0.0, set_usd=float("nan")))
        (1000.0, 0.0)
    """
    product = set_count * set_usd
    return elementwise.where(set_count == 0.0, 0.0, product)


@formula(
    r"k = K / n",
    unit="USD",
    label="For each",
    source=_T3,
    symbols={"total_usd": "K", "part_count": "n"},
)
def per_part_usd(total_usd: Number, *, part_count: Number) -> Number:
    """A cost for each of a number of things.

    Args:
        total_usd: Cost of all together.
        part_count: GPUs, saves or whatever shares it.

    Example:
        >>> float(per_part_usd(1000.0, part_count=4.0))
        250.0
    """
    return total_usd / part_count


@formula(
    r"k = \frac{K}{C \cdot 12\,t / 365\,\mathrm{d}}",
    unit="USD/TB/month",
    label="For each effective TB and month",
    source="SNIA, TCO model for storage: its unit is TCO in $/TBe/rack/month",
    symbols={"total_usd": "K", "effective_bytes": "C", "term_s": "t"},
    validity="mean of the racks; no data reduction beyond what the capacity has",
)
def effective_usd_per_tb_month(total_usd: Number, *, effective_bytes: Number, term_s: Number) -> Number:
    """Cost of a terabyte that may be filled, in a month.

    That model reckons one rack: its cost by what the rack holds. Over several racks this is the mean of them,
    in which their number cancels.

    Args:
        total_usd: Everything that is paid in the term.
        effective_bytes: What may be filled: after protection, spares and the reserve.
        term_s: Term.

    Example:
        >>> float(effective_usd_per_tb_month(60_000.0, effective_bytes=100e12, term_s=5 * 365 * 86_400.0))
        10.0
    """
    return total_usd / (effective_bytes / TB * MONTHS_PER_YEAR * term_s / YEAR_S)


@formula(
    r"n = s\,\frac{t}{1\,\mathrm{d}}",
    unit="count",
    label="Saves in the term",
    source=_T3,
    symbols={"saves_per_day": "s", "term_s": "t"},
)
def saves_count(saves_per_day: Number, *, term_s: Number) -> Number:
    """Saves that are made in a term.

    Args:
        saves_per_day: Saves of all jobs in a day.
        term_s: Term of the design.

    Example:
        >>> float(saves_count(48.0, term_s=365 * 86_400.0))
        17520.0
    """
    return saves_per_day * term_s / DAY_S


@formula(
    r"x = A / B;\quad \infty \text{ if } B = 0",
    unit="1",
    label="Times as much",
    source="definition",
    symbols={"first_usd": "A", "second_usd": "B"},
)
def times_ratio(first_usd: Number, *, second_usd: Number) -> Number:
    """How many times as much one cost is as another; unlimited where the other is nothing.

    Args:
        first_usd: The cost in question.
        second_usd: The cost that it is compared with.

    Example:
        >>> float(times_ratio(50.0, second_usd=20.0))
        2.5
    """
    nothing = second_usd == 0.0
    return elementwise.where(nothing, float("inf"), first_usd / elementwise.where(nothing, 1.0, second_usd))


@formula(
    r"K_m = \frac{K_l + K_h}{2}",
    unit="USD",
    label="Middle of the range",
    source="no typical price is on file: the middle stands for it",
    symbols={"low_usd": "K_l", "high_usd": "K_h"},
)
def middle_usd(low_usd: Number, *, high_usd: Number) -> Number:
    """Half way between the low and the high end of a range.

    Args:
        low_usd: Low end.
        high_usd: High end.

    Example:
        >>> float(middle_usd(10.0, high_usd=30.0))
        20.0
    """
    return (low_usd + high_usd) / 2.0
