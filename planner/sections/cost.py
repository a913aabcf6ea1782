"""Cost of the design: by the guide's prices per TB, by dated part prices, and over the term."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from planner.core.quantity import Quantity, derive, given, total
from planner.sections.context import Choice, Context
from planner.sections.facility import FacilityPlan
from planner.sections.tiers import TierPlan
from planner.sizing import cost


@dataclass(frozen=True, slots=True)
class TierCost:
    """One tier at the guide's price per TB."""

    tier: str
    usable_bytes: Quantity
    low_usd: Quantity
    high_usd: Quantity


@dataclass(frozen=True, slots=True)
class CostPlan:
    """Capital cost in two ways, and what the years add.

    `capital_low_usd` and `capital_high_usd` follow the chosen price set; budgetary prices per TB
    never add to part prices in one total.

    Attributes:
        term_low_usd: Equipment, power and support over the term at low prices, which searches compare; all that
            the storage costs over its term is in `planner.sections.term`.
    """

    price_set: Choice
    tiers: tuple[TierCost, ...]
    guide_low_usd: Quantity
    guide_high_usd: Quantity
    parts_low_usd: Quantity
    parts_high_usd: Quantity
    not_priced_count: int
    capital_low_usd: Quantity
    capital_high_usd: Quantity
    running_usd_per_year: Quantity
    term_low_usd: Quantity
    term_high_usd: Quantity


RUN = "Equipment, power and support over the term"
"""What the cost of the calculation is of; `planner.sections.term` adds spare parts, space and worn drives."""
PART_PRICES = "catalogue-2026"
"""Price set of parts where the chosen one has prices per TB alone."""
HARD_DISKS = "s3-hdd-32"
"""The platform whose drives are hard disks."""


def parts_price_set(stated: str | None) -> str:
    """Id of the price set that parts are priced from: the stated one, unless it has prices per TB alone."""
    return stated if stated and stated != "guide" else PART_PRICES


def guide_tier(context: Context, role: str) -> str:
    """Which of the guide's four prices per TB a tier has."""
    if role == "file-system":
        return "pfs-nvme" if context.scenario.storage.file_system_media == "nvme" else "pfs-ssd"
    return {"hot": "all-flash", "object": "object"}[role]


def priced_sum(items: Sequence[Quantity], missing_count: int, label: str) -> Quantity:
    """Sum of prices; unknown where there are lines and none of them has one: not priced is never 0."""
    if missing_count and not items:
        return given(None, "USD", label, source="no line has a price", grade="unknown")
    return total(items, label, unit="USD")


def cost_plan(
    context: Context,
    tiers: tuple[TierPlan, ...],
    facility: FacilityPlan,
    priced: tuple[list[Quantity], list[Quantity], int],
) -> CostPlan:
    """Both totals, and the chosen one over the term.

    Args:
        context: Scenario and catalogue.
        tiers: The tiers as planned.
        facility: Power, for the running cost.
        priced: Extended prices of the priced lines, low and high, and how many lines have none.
    """
    prices = context.scenario.prices
    rows = tuple(_tier_cost(context, tier) for tier in tiers)
    guide_low = total([row.low_usd for row in rows], "By the guide's prices per TB, low", unit="USD")
    guide_high = total([row.high_usd for row in rows], "By the guide's prices per TB, high", unit="USD")
    parts_low = priced_sum(priced[0], priced[2], "Priced parts, low")
    parts_high = priced_sum(priced[1], priced[2], "Priced parts, high")
    chosen = _price_set(context)
    by_guide = chosen.value == "guide"
    low, high = (guide_low, guide_high) if by_guide else (parts_low, parts_high)
    term: dict[str, Any] = {
        "support_fraction": prices.support_fraction,
        "term_years": prices.term_years,
        "running_usd_per_year": facility.energy_usd_per_year,
    }
    return CostPlan(
        price_set=chosen,
        tiers=rows,
        guide_low_usd=guide_low,
        guide_high_usd=guide_high,
        parts_low_usd=parts_low,
        parts_high_usd=parts_high,
        not_priced_count=0 if by_guide else priced[2],
        capital_low_usd=low,
        capital_high_usd=high,
        running_usd_per_year=facility.energy_usd_per_year,
        term_low_usd=derive(cost.term_usd, capital_usd=low, label=f"{RUN}, low", **term),
        term_high_usd=derive(cost.term_usd, capital_usd=high, label=f"{RUN}, high", **term),
    )


def _price_set(context: Context) -> Choice:
    auto = (
        Choice("guide", "the guide's prices per TB", "the design is on the guide's basis")
        if context.guide
        else Choice("catalogue-2026", "dated part prices of 2026", "parts that can be bought")
    )
    context.auto["prices.price_set_id"] = auto
    manual = context.scenario.prices.price_set_id
    if manual is None:
        return auto
    row = context.catalogue.find("price_sets", manual, field="prices.price_set_id")
    return Choice(row.id, f"price set {row.id}", "stated by the architect")


def _tier_cost(context: Context, tier: TierPlan) -> TierCost:
    price = context.catalogue.price_sets["guide"].rows[guide_tier(context, tier.role)]
    return TierCost(
        tier.name,
        tier.usable_bytes,
        derive(cost.tier_usd, usable_bytes=tier.usable_bytes, price_usd_per_tb=price.low),
        derive(cost.tier_usd, usable_bytes=tier.usable_bytes, price_usd_per_tb=price.high),
    )
