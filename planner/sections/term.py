"""What the storage costs over its term: bought, run, supported and replaced; for each TB, GPU and save."""

from __future__ import annotations

from dataclasses import dataclass

from planner.core.quantity import Quantity, derive, given, total
from planner.core.units import DAY_S, YEAR_S, counted, format_range, format_value
from planner.sections.context import Context
from planner.sections.cost import HARD_DISKS, PART_PRICES, CostPlan
from planner.sections.protection import EndurancePlan
from planner.sections.racks import RackLayout
from planner.sections.tiers import TierPlan
from planner.sizing import cost, term


@dataclass(frozen=True, slots=True)
class TermLine:
    """One kind of cost over the term; unknown is not priced, never 0.

    Attributes:
        note: How it follows, or what is missing.
    """

    name: str
    low_usd: Quantity
    high_usd: Quantity
    note: str

    @property
    def priced(self) -> bool:
        """Whether it has a price."""
        return self.low_usd.known and self.high_usd.known

    @property
    def middle_usd(self) -> Quantity:
        """The middle of its range."""
        return middle(self.low_usd, self.high_usd, f"{self.name}, middle")


@dataclass(frozen=True, slots=True)
class TermPlan:
    """Cost over the term, in kinds, together, and for each unit of what it is for.

    Attributes:
        not_priced: Kinds without a price, and parts that no price set has; the total leaves them out.
        idle_usd: What GPU time lost to saves, restarts and lost work costs over the same term.
        idle_ratio: That over the storage's high cost: how many times as much.
    """

    term_s: Quantity
    lines: tuple[TermLine, ...]
    low_usd: Quantity
    high_usd: Quantity
    not_priced: tuple[str, ...]
    per_tb_low_usd: Quantity
    per_tb_high_usd: Quantity
    effective_low_usd_per_tb_month: Quantity
    effective_high_usd_per_tb_month: Quantity
    per_gpu_low_usd: Quantity
    per_gpu_high_usd: Quantity
    per_save_low_usd: Quantity
    per_save_high_usd: Quantity
    idle_usd: Quantity
    idle_per_save_usd: Quantity
    idle_ratio: Quantity

    @property
    def middle_usd(self) -> Quantity:
        """The middle of the total's range."""
        return middle(self.low_usd, self.high_usd, "Over the term, middle")


def middle(low: Quantity, high: Quantity, label: str) -> Quantity:
    """What stands for a typical cost where a range alone is known: its middle."""
    return derive(term.middle_usd, low_usd=low, high_usd=high, label=label)


@dataclass(frozen=True, slots=True)
class Prices:
    """What the term is made of besides the design: sums of the bill.

    Attributes:
        drives_low_usd: Low price of the hot tier's drives; unknown where they are not priced.
        missing_count: Lines of the bill without a price.
    """

    spares_low_usd: Quantity
    spares_high_usd: Quantity
    drives_low_usd: Quantity
    drives_high_usd: Quantity
    missing_count: int
    spares_note: str = "policy for spares"


def term_plan(  # noqa: PLR0913 - it stands on every part of the design
    context: Context,
    tiers: tuple[TierPlan, ...],
    money: CostPlan,
    parts: Prices,
    layout: RackLayout,
    wear: EndurancePlan,
    *,
    gpu_count: Quantity,
    saves_per_day: Quantity,
    lost_usd_per_year: Quantity,
) -> TermPlan:
    """Every kind of cost over the term.

    Args:
        context: Scenario and catalogue.
        tiers: The tiers, for their usable capacity.
        money: Capital and running cost.
        parts: Sums of the bill; on prices per TB they are not used, because the two never add up.
        layout: Racks, for the space.
        wear: When the hot tier's drives are worn.
        gpu_count: GPUs of all jobs.
        saves_per_day: Saves of all jobs.
        lost_usd_per_year: GPU time lost in a year.
    """
    asked = context.scenario.prices
    years = given(asked.term_years * YEAR_S, "s", "Term", source="input", grade="input")
    prices = _by_tb(money) if money.price_set.value == "guide" else parts
    lines = (
        TermLine("Equipment", money.capital_low_usd, money.capital_high_usd, money.price_set.label),
        TermLine("Spare parts", prices.spares_low_usd, prices.spares_high_usd, prices.spares_note),
        *_running_lines(context, money, layout),
        _support_line(context, money),
        _wear_line(context, prices, wear),
    )
    priced = [line for line in lines if line.priced]
    low = total([line.low_usd for line in priced], "Over the term, low", unit="USD")
    high = total([line.high_usd for line in priced], "Over the term, high", unit="USD")
    usable, safe = _capacities(tiers)
    idle = derive(
        term.over_term_usd, yearly_usd_per_year=lost_usd_per_year, term_s=years, label="Idle GPU time"
    )
    saves = derive(term.saves_count, saves_per_day=saves_per_day, term_s=years)
    return TermPlan(
        term_s=years,
        lines=lines,
        low_usd=low,
        high_usd=high,
        not_priced=_not_priced(lines, prices),
        per_tb_low_usd=derive(cost.per_usable_usd_per_tb, capital_usd=low, usable_bytes=usable),
        per_tb_high_usd=derive(cost.per_usable_usd_per_tb, capital_usd=high, usable_bytes=usable),
        effective_low_usd_per_tb_month=_effective(low, safe, years, "low"),
        effective_high_usd_per_tb_month=_effective(high, safe, years, "high"),
        per_gpu_low_usd=_each(low, gpu_count, "For each GPU, low"),
        per_gpu_high_usd=_each(high, gpu_count, "For each GPU, high"),
        per_save_low_usd=_each(low, saves, "For each save, low"),
        per_save_high_usd=_each(high, saves, "For each save, high"),
        idle_usd=idle,
        idle_per_save_usd=_each(idle, saves, "Idle GPU time for each save"),
        idle_ratio=derive(term.times_ratio, first_usd=idle, second_usd=high),
    )


def _capacities(tiers: tuple[TierPlan, ...]) -> tuple[Quantity, Quantity]:
    """Usable capacity of all tiers, and what of it may be filled."""
    usable = [tier.usable_bytes for tier in tiers if tier.usable_bytes.known]
    safe = [tier.safe_bytes for tier in tiers if tier.safe_bytes.known]
    return (
        total(usable, "Usable of all tiers", unit="bytes"),
        total(safe, "Effective of all tiers", unit="bytes"),
    )


def _not_priced(lines: tuple[TermLine, ...], prices: Prices) -> tuple[str, ...]:
    """What the total leaves out: kinds of cost, and lines of the bill."""
    kinds = [line.name for line in lines if not line.priced]
    bill = [f"{counted(prices.missing_count, 'line')} of the bill"] if prices.missing_count else []
    return (*kinds, *bill)


def _by_tb(money: CostPlan) -> Prices:
    """The same on prices per TB: the hot tier's price for its drives, and no price for spare parts."""
    none = given(None, "USD", "Spare parts", source="prices per TB have no parts", grade="unknown")
    hot = money.tiers[0]
    return Prices(none, none, hot.low_usd, hot.high_usd, 0, "prices per TB have no parts")


def _each(usd: Quantity, count: Quantity, label: str) -> Quantity:
    return derive(term.per_part_usd, total_usd=usd, part_count=count, label=label)


def _effective(usd: Quantity, effective: Quantity, years: Quantity, end: str) -> Quantity:
    """What a terabyte that may be filled costs in a month."""
    return derive(
        term.effective_usd_per_tb_month, total_usd=usd, effective_bytes=effective, term_s=years,
        label=f"For each effective TB and month, {end}",
    )  # fmt: skip


def _over(yearly: Quantity, term_s: float, label: str) -> Quantity:
    return derive(term.over_term_usd, yearly_usd_per_year=yearly, term_s=term_s, label=label)


def _running_lines(context: Context, money: CostPlan, layout: RackLayout) -> list[TermLine]:
    """Energy, or an all-in price of power; space beside metered energy alone."""
    site, span = context.scenario.site, context.scenario.prices.term_years * YEAR_S
    running = _over(money.running_usd_per_year, span, "Power and cooling over the term")
    if site.energy_basis == "all-in":
        return [
            TermLine("Power, cooling and space", running, running, "one price for each kW: space is inside")
        ]
    lines = [TermLine("Energy with cooling", running, running, "metered energy times PUE")]
    if site.rack_usd_per_month is None:
        none = given(None, "USD", "Space", source="no price of a rack is stated", grade="unknown")
        return [*lines, TermLine("Space", none, none, "the price of a rack and month is not stated")]
    rent = derive(
        term.space_usd, rack_count=layout.rack_count, rack_usd_per_month=site.rack_usd_per_month, term_s=span
    )
    return [*lines, TermLine("Space", rent, rent, counted(layout.rack_count.number, "rack"))]


def _support_line(context: Context, money: CostPlan) -> TermLine:
    asked = context.scenario.prices
    low, high = (
        derive(
            term.support_usd,
            capital_usd=capital,
            support_fraction=asked.support_fraction,
            term_years=asked.term_years,
        )
        for capital in (money.capital_low_usd, money.capital_high_usd)
    )
    return TermLine(
        "Support", low, high, f"{format_value(asked.support_fraction, 'fraction')} of the equipment a year"
    )


def _wear_line(context: Context, prices: Prices, wear: EndurancePlan) -> TermLine:
    """Sets of the hot tier's drives that are worn before the term ends."""
    span = context.scenario.prices.term_years * YEAR_S
    sets = derive(term.replacement_sets_count, term_s=span, life_s=wear.planned_life_s)
    low, high = (
        derive(term.per_set_usd, set_count=sets, set_usd=usd, label="Replacement of worn drives")
        for usd in (prices.drives_low_usd, prices.drives_high_usd)
    )
    note = f"{counted(sets.number, 'set')} of the hot tier's drives: they last {wear.planned_life_s}"
    if not wear.planned_life_s.known:
        note = "the rating of the drives is not known"
    return TermLine("Replacement of worn drives", low, high, note)


# --- the guide's example and kit that can be bought -----------------------------------------------------------


@dataclass(frozen=True, slots=True)
class GuideBeside:
    """One tier at the guide's price per TB, and as parts.

    Attributes:
        parts_missing: Lines of the tier without a price.
        reason: Why the two differ.
    """

    tier: str
    usable_bytes: Quantity
    guide_low_usd: Quantity
    guide_high_usd: Quantity
    parts_low_usd: Quantity
    parts_high_usd: Quantity
    parts_missing: int
    times_low_ratio: Quantity
    reason: str


def guide_beside(
    context: Context,
    tiers: tuple[TierPlan, ...],
    money: CostPlan,
    parts: dict[str, tuple[Quantity, Quantity, int]],
) -> tuple[GuideBeside, ...]:
    """Every tier by the guide's price per TB, and by the parts that it needs.

    Args:
        context: Scenario and catalogue.
        tiers: The tiers.
        money: The guide's prices of them.
        parts: Low and high price of each tier's parts, and how many lines have none.
    """
    rows = []
    for tier, row in zip(tiers, money.tiers, strict=True):
        low, high, missing = parts[tier.name]
        rows.append(
            GuideBeside(
                tier=tier.name,
                usable_bytes=row.usable_bytes,
                guide_low_usd=row.low_usd,
                guide_high_usd=row.high_usd,
                parts_low_usd=low,
                parts_high_usd=high,
                parts_missing=missing,
                times_low_ratio=derive(term.times_ratio, first_usd=low, second_usd=row.low_usd),
                reason=_why(context, tier),
            )
        )
    return tuple(rows)


def _why(context: Context, tier: TierPlan) -> str:
    """Why kit costs more than its terabytes: whole servers, raw for usable, and what a drive costs today."""
    count, drives = tier.unit_count.number, tier.drive_count.number
    bought = f"{counted(count, 'whole server')} with {counted(drives, 'drive')}"
    if tier.raw_bytes.known:
        times = tier.raw_bytes.number / tier.usable_bytes.number
        bought += f", {tier.raw_bytes} raw: {format_value(times, '1')} the usable capacity"
    disks = tier.platform.id == HARD_DISKS
    row = context.catalogue.price_sets[PART_PRICES].class_price("hdds" if disks else "drives")
    if row is None:
        return bought
    media = "bare disks" if disks else "bare NVMe drives"
    price = format_range(row.low.number, row.high.number, "USD/TB")
    return f"{bought}; {media} alone are {price} ({row.as_of}), servers, cards and switches come on top"


def saves_of(intervals: list[Quantity]) -> Quantity:
    """Saves a day of all jobs."""
    return given(
        sum(DAY_S / interval.number for interval in intervals),
        "per day", "Saves a day, all jobs", source="intervals of the jobs", grade="inferred",
    )  # fmt: skip
