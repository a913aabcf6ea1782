"""How long drives serve: how many more a wanted life takes, and how long data are out of reach in a year."""

from __future__ import annotations

from planner.core import elementwise
from planner.core.formula import formula
from planner.core.units import Number
from planner.sizing.durability import FAILURE_YEAR_S

_E3 = "reliability models, E3: life grows with raw capacity"


@formula(
    r"n' = \max\!\left(n,\ \left\lceil n\,\frac{t}{L} \right\rceil\right)",
    unit="count",
    label="Drives for the wanted life",
    source=_E3,
    symbols={"drive_count": "n", "wanted_s": "t", "rated_life_s": "L"},
    validity="the same writes, spread over more drives",
)
def drives_for_life_count(drive_count: Number, *, wanted_s: Number, rated_life_s: Number) -> Number:
    """Drives with which the rating lasts as long as wanted.

    Args:
        drive_count: Drives of the pool.
        wanted_s: Time that they have to last.
        rated_life_s: Time that they last now, by their rating.

    Example:
        >>> float(drives_for_life_count(9.0, wanted_s=10.0, rated_life_s=8.0))
        12.0
    """
    needed = elementwise.ceil(drive_count * wanted_s / rated_life_s - elementwise.TOLERANCE)
    return elementwise.maximum(drive_count, needed)


@formula(
    r"a = n' - n",
    unit="count",
    label="Drives to add",
    source="definition",
    symbols={"needed_count": "n'", "drive_count": "n"},
)
def added_drives_count(needed_count: Number, *, drive_count: Number) -> Number:
    """Drives that a pool lacks.

    Args:
        needed_count: Drives that it needs, at least those it has.
        drive_count: Drives that it has.

    Example:
        >>> float(added_drives_count(12.0, drive_count=9.0))
        3.0
    """
    return needed_count - drive_count


@formula(
    r"L_p = \min(L,\ L_w,\ L_{\max})",
    unit="s",
    label="Replace the drives after",
    source="reliability models, E3 and E8",
    symbols={"rated_life_s": "L", "wear_life_s": "L_w", "cap_s": r"L_{\max}"},
)
def replace_after_s(rated_life_s: Number, *, wear_life_s: Number, cap_s: Number) -> Number:
    """When drives are replaced: as soon as the rating or the flash is used up, and never later than the cap.

    Args:
        rated_life_s: Life by the rating.
        wear_life_s: Life by wear.
        cap_s: Longest life that is planned with.

    Example:
        >>> float(replace_after_s(9.0, wear_life_s=8.0, cap_s=10.0))
        8.0
    """
    return elementwise.minimum(elementwise.minimum(rated_life_s, wear_life_s), cap_s)


@formula(
    r"t = q \cdot 8766\,\mathrm{h}",
    unit="s",
    label="Out of reach in a year",
    source="reliability models, D7",
    symbols={"unavailable_fraction": "q"},
)
def away_s(unavailable_fraction: Number) -> Number:
    """Time in a year for which data cannot be read.

    Args:
        unavailable_fraction: Share of time out of reach.

    Example:
        >>> round(float(away_s(1e-3)) / 3600, 3)
        8.766
    """
    return unavailable_fraction * FAILURE_YEAR_S
