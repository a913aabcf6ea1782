"""What must hold between the cells of a row and between rows, whatever the row's own columns say."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from planner.core.errors import PlannerError, nearest, shorten
from planner.core.quantity import Quantity
from planner.core.units import DAY_S

if TYPE_CHECKING:
    from planner.catalogue.catalogue import Catalogue
    from planner.catalogue.hardware import GpuNode
    from planner.catalogue.prices import PriceSet
    from planner.catalogue.reading import Row
    from planner.catalogue.rules import Recipe

_ASCENDING: dict[str, tuple[tuple[str, ...], ...]] = {
    "gpus": (("rental_low_usd_per_hour", "rental_high_usd_per_hour"),),
    "drives": (
        ("idle_w", "active_read_w", "max_w"),
        ("idle_w", "active_write_w", "max_w"),
        ("smallest_capacity_bytes", "capacity_bytes", "largest_capacity_bytes"),
        ("random_endurance_dwpd", "endurance_dwpd"),
    ),
    "platforms": (
        ("typical_w", "max_w"),
        ("min_units_count", "max_units_count"),
        ("usable_bytes_per_unit", "raw_bytes_per_unit"),
        ("write_bytes_per_s", "burst_write_bytes_per_s"),
    ),
    "switches": (("typical_w", "max_w"),),
    "nics": (("typical_w", "max_w"), ("port_bytes_per_s", "total_bytes_per_s")),
    "transports": (
        ("guide_latency_low_s", "guide_latency_high_s"),
        ("guide_port_low_bytes_per_s", "guide_port_high_bytes_per_s"),
    ),
    "fc_rates": (("nominal_bytes_per_s", "payload_bytes_per_s"),),
    "power_rules": (("low", "high"),),
    "receptacles": (("low_volts", "high_volts"),),
    "guide": (("low", "high"),),
    "guide_models": (("low_bytes", "high_bytes"), ("recommended_low_bytes", "recommended_high_bytes")),
    "client_stacks": (("low_fraction", "efficiency_fraction", "high_fraction"),),
    "assumptions": (("low", "typical", "high"),),
    "recipes": (("memory_low_bytes", "memory_high_bytes"),),
}
_REFERENCES = (
    ("gpu_nodes", "gpu_id", "gpus"),
    ("drive_sizes", "drive_id", "drives"),
)
_PRICED_KINDS = {
    "drives": "drives", "servers": "platforms", "switches": "switches", "nics": "nics", "optics": "optics",
    "gpu_nodes": "gpu_nodes", "platforms": "platforms",
}  # fmt: skip
_PRODUCTS: dict[str, tuple[tuple[str, tuple[str, str], float], ...]] = {
    "platforms": (("raw_bytes_per_unit", ("drives_per_unit_count", "drive_bytes"), 0.04),),
    "switches": (("capacity_bytes_per_s", ("port_count", "port_bytes_per_s"), 0.03),),
    "nics": (("total_bytes_per_s", ("port_count", "port_bytes_per_s"), 0.005),),
    "optics": (("speed_bytes_per_s", ("breakout_count", "breakout_bytes_per_s"), 0.005),),
    "drives": (("rated_write_bytes", ("_written_bytes", "endurance_dwpd"), 0.01),),
}
"""Figures that are the product of two others, and how far they may be off: data sheets round, and some vendors
state less than all of their drives as raw."""
_DENSEST_W_PER_RU = 8_000.0
"""More than any machine of today draws in a rack unit: a slip of the keyboard, or the watts of several."""
_SLACK = 1.005  # figures of a data sheet are rounded to three digits
_DRIVES = ("local_drive_count", "local_drive_bytes")
_RECIPE_PARTS = ("weights_bytes", "master_bytes", "first_moment_bytes", "second_moment_bytes", "extra_bytes")


def check_rows(catalogue: Catalogue) -> None:
    """Refuse a catalogue whose rows contradict themselves or point to nothing.

    Raises:
        PlannerError: Figures that must ascend do not, a sum is wrong, or an id is not there.
    """
    _check_ranges(catalogue)
    _check_references(catalogue)
    _check_products(catalogue)
    _check_density(catalogue)
    for price_set in catalogue.price_sets.values():
        _check_prices(price_set, catalogue)
    for recipe in catalogue.recipes.values():
        _check_recipe(recipe)
    for node in catalogue.gpu_nodes.values():
        _check_local_drives(node)


def _check_ranges(catalogue: Catalogue) -> None:
    for kind, chains in _ASCENDING.items():
        for row, chain in itertools.product(getattr(catalogue, kind).values(), chains):
            _check_ascending(kind, row, chain)


def _check_products(catalogue: Catalogue) -> None:
    """Refuse a total that is not the product of its parts, within the rounding of data sheets."""
    for kind, rules in _PRODUCTS.items():
        for row, (whole, parts, slack) in itertools.product(getattr(catalogue, kind).values(), rules):
            values = [_value(row, name) for name in (whole, *parts)]
            known = [value for value in values if value is not None]
            if len(known) < len(values):
                continue
            total, product = known[0], known[1] * known[2]
            if not product * (1 - slack) <= total <= product * (1 + slack):
                names = " × ".join(part.lstrip("_") for part in parts)
                raise PlannerError(
                    f"{kind} {row.id}: {whole} {total:g} is not {names} {product:g}", field=whole
                )


def _value(row: Row, name: str) -> float | None:
    """A figure or count of a row; None where nobody knows it."""
    if name == "_written_bytes":  # one drive write a day over the warranty
        parts = _known(row, ("capacity_bytes", "warranty_s"))
        return math.prod(parts.values()) / DAY_S if len(parts) > 1 else None
    value: Quantity | int | None = getattr(row, name)
    return value.number if isinstance(value, Quantity) else value


def _check_density(catalogue: Catalogue) -> None:
    for kind in ("platforms", "switches", "gpu_nodes"):
        for row in getattr(catalogue, kind).values():
            known = _known(row, ("max_w", "rack_units_ru"))
            if len(known) > 1 and known["max_w"] > known["rack_units_ru"] * _DENSEST_W_PER_RU:
                raise PlannerError(
                    f"{kind} {row.id}: max_w {known['max_w']:g} is more than {_DENSEST_W_PER_RU:g} W in each of "
                    f"{known['rack_units_ru']:g} rack units",
                    field="max_w",
                )


def _check_references(catalogue: Catalogue) -> None:
    for kind, attribute, target in _REFERENCES:
        known = getattr(catalogue, target)
        for row in getattr(catalogue, kind).values():
            _check_reference(f"{kind} {row.id}", attribute, getattr(row, attribute), known)
    for optic in catalogue.optics.values():
        for attribute in ("far_end", "fibre"):
            if wanted := getattr(optic, attribute):
                _check_reference(f"optics {optic.id}", attribute, wanted, catalogue.optics)


def _known(row: Row, attributes: Iterable[str]) -> dict[str, float]:
    """The attributes that have a figure, in the given order."""
    values: dict[str, Quantity | None] = {name: getattr(row, name) for name in attributes}
    return {name: value.number for name, value in values.items() if value is not None}


def _check_ascending(kind: str, row: Row, chain: tuple[str, ...]) -> None:
    known = list(_known(row, chain).items())
    for (lower, low), (higher, high) in itertools.pairwise(known):
        if low > high:
            raise PlannerError(f"{kind} {row.id}: {lower} {low:g} is above {higher} {high:g}", field=lower)


def _check_reference(where: str, attribute: str, wanted: str, known: Mapping[str, object]) -> None:
    if wanted not in known:
        hint = nearest(wanted, known)
        raise PlannerError(f"{where}: {attribute} “{shorten(wanted)}” is not in the catalogue{hint}",
                           field=attribute)  # fmt: skip


def _check_prices(price_set: PriceSet, catalogue: Catalogue) -> None:
    """Refuse ends that are turned around, two prices for one part, and a price of a part that is not there."""
    seen: set[tuple[str, str]] = set()
    for row in price_set.rows.values():
        where = f"price set {price_set.id}, {row.id}"
        if row.low.number > row.high.number:
            raise PlannerError(f"{where}: low_usd is above high_usd", field="low_usd")
        for part in row.applies_to or ("",):
            if row.kind and (row.kind, part) in seen:
                priced = f"{row.kind} {part}" if part else f"all {row.kind}"
                raise PlannerError(f"{where}: a second price for {priced}", field="applies_to")
            seen.add((row.kind, part))
            if part and row.kind in _PRICED_KINDS:
                _check_reference(where, "applies_to", part, getattr(catalogue, _PRICED_KINDS[row.kind]))


def _check_recipe(recipe: Recipe) -> None:
    parts = sum(_known(recipe, _RECIPE_PARTS).values())
    if recipe.total_bytes is None:
        if not recipe.guide_bound:
            raise PlannerError(f"recipes {recipe.id}: neither a total nor the guide's bound", field="total")
    elif not math.isclose(recipe.total_bytes.number, parts):
        raise PlannerError(f"recipes {recipe.id}: total is not the sum {parts:g} of its parts", field="total")


def _check_local_drives(node: GpuNode) -> None:
    known = _known(node, (*_DRIVES, "local_raw_bytes"))
    if "local_raw_bytes" not in known:
        return
    raw = known.pop("local_raw_bytes")
    product = math.prod(known.values())
    if len(known) == len(_DRIVES) and not product / _SLACK <= raw <= product * _SLACK:
        raise PlannerError(
            f"gpu_nodes {node.id}: local_raw_tb is not drives times capacity", field="local_raw_tb"
        )
