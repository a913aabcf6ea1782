"""Racks that are filled alike, and rows of racks as they stand on the floor."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from planner.core.checks import Check
from planner.core.quantity import Quantity, derive, given, total
from planner.sections.racks import Rack, RackLayout, rack_numbers
from planner.sizing import facility as sizing
from planner.sizing import racks as formulas


def alike(layout: RackLayout) -> list[list[Rack]]:
    """Racks by what stands where in them, in the order of their first."""
    found: dict[tuple[tuple[str, int], ...], list[Rack]] = {}
    for rack in layout.racks:
        key = tuple((place.device.key, place.bottom_ru) for place in rack.places)
        found.setdefault(key, []).append(rack)
    return list(found.values())


def kind_title(racks: Sequence[Rack]) -> str:
    """What racks that are alike are called: "Rack 1", "Racks 3 to 7 (×5)"."""
    count = sum(rack.count for rack in racks)
    return f"Rack {racks[0].number}" if count == 1 else f"Racks {rack_numbers(racks)} (×{count})"


def fullest(layout: RackLayout) -> Rack:
    """The rack of storage and network with the highest power; the first of several."""
    own = [rack for rack in layout.racks if rack.number <= layout.storage_rack_count.number]
    return max(own, key=lambda rack: rack.max_w.number)


def power_checks(layout: RackLayout) -> tuple[Check, Check]:
    """The fullest of all racks against the limit of a rack, and against one feed alone."""
    limit, feed = _power(max(layout.racks, key=lambda rack: rack.max_w.number))
    return replace(limit, name="Power of the fullest rack"), feed


def _power(rack: Rack) -> tuple[Check, Check]:
    limit, feed = (check for check in rack.checks if check.provided.unit == "W")
    return limit, feed


def fullest_words(layout: RackLayout) -> str:
    """What the fullest rack of storage and network draws against the limit of a rack, as a sentence."""
    rack, count = fullest(layout), layout.storage_rack_count
    limit, _ = _power(rack)
    which = "The one rack" if count.number == 1 else f"The fullest of {count} racks"
    word = "more than" if limit.verdict == "fail" else "of"
    return f"{which} draws {rack.typical_w}, at most {rack.max_w}, {word} the {limit.provided} allowed"


def watts_in(rack: Rack) -> dict[str, tuple[float, float]]:
    """Typical and highest watts of each kind of machine in a rack, with the optics in its cages; 0 where unknown."""
    found: dict[str, tuple[float, float]] = {}
    for place in rack.places:
        typical, peak = found.get(place.device.name, (0.0, 0.0))
        more = [item.number if item.known else 0.0 for item in (place.device.typical_w, place.device.max_w)]
        found[place.device.name] = (typical + more[0], peak + more[1])
    return found


@dataclass(frozen=True, slots=True)
class RackRow:
    """One row of racks, or several that are alike.

    Attributes:
        number: Number of the first row, from 1.
        count: How many are like it.
        racks: Numbers of the racks of the first row, as text.
    """

    number: int
    count: int
    racks: str
    rack_count: Quantity
    typical_w: Quantity
    max_w: Quantity
    weight_kg: Quantity
    btu_per_hour: Quantity

    @property
    def title(self) -> str:
        """Its number, or the first and the last of those that are alike."""
        if self.count == 1:
            return f"Row {self.number}"
        return f"Rows {self.number} to {self.number + self.count - 1} (×{self.count})"


def rack_rows(layout: RackLayout, racks_in_row: int) -> tuple[RackRow, ...]:
    """Rows in the order in which racks are numbered; rows of the same racks that follow each other once.

    Args:
        layout: All racks.
        racks_in_row: Racks that stand side by side.
    """
    found: list[tuple[list[tuple[Rack, int]], int, int]] = []
    for first, parts, count in _rows(layout.racks, racks_in_row):
        if found and _same(found[-1][0], parts):
            found[-1] = (found[-1][0], found[-1][1], found[-1][2] + count)
        else:
            found.append((parts, first, count))
    made, number = [], 1
    for parts, first, count in found:
        made.append(_row(parts, number, count, first))
        number += count
    return tuple(made)


def _rows(racks: Sequence[Rack], size: int) -> Iterator[tuple[int, list[tuple[Rack, int]], int]]:
    """Number of the first rack of a row, how many of which racks stand in it, and how many such rows follow."""
    parts: list[tuple[Rack, int]] = []
    room, first = size, racks[0].number if racks else 1
    for rack in racks:
        left = rack.count
        while left:
            full = left // size if room == size else 0
            if full:  # all at once: there may be more rows than anyone can wait for
                yield first, [(rack, size)], full
                left, first = left - full * size, first + full * size
                continue
            taken = min(left, room)
            parts.append((rack, taken))
            left, room = left - taken, room - taken
            if not room:
                yield first, parts, 1
                first, parts, room = first + size, [], size
    if parts:
        yield first, parts, 1


def _same(first: list[tuple[Rack, int]], second: list[tuple[Rack, int]]) -> bool:
    """Whether two rows hold as many of the same racks; racks that are drawn once are the same object."""
    return len(first) == len(second) and all(
        a is b and n == m for (a, n), (b, m) in zip(first, second, strict=True)
    )


def _row(parts: list[tuple[Rack, int]], number: int, count: int, first: int) -> RackRow:
    inside = sum(taken for _, taken in parts)
    peak = total([_watts(rack.max_w, taken) for rack, taken in parts], "Power of a row, maximum", unit="W")
    weights = [
        derive(formulas.parts_kg, part_count=float(taken), part_kg=rack.weight_kg) for rack, taken in parts
    ]
    return RackRow(
        number=number,
        count=count,
        racks=str(first) if inside == 1 else f"{first} to {first + inside - 1}",
        rack_count=given(float(inside), "count", "Racks of a row", source="the layout", grade="inferred"),
        typical_w=total(
            [_watts(rack.typical_w, taken) for rack, taken in parts], "Power of a row, typical", unit="W"
        ),
        max_w=peak,
        weight_kg=total(weights, "Weight of a row", unit="kg"),
        btu_per_hour=derive(sizing.btu_per_hour, load_w=peak),
    )


def _watts(each: Quantity, count: int) -> Quantity:
    return each if count == 1 else derive(sizing.parts_w, part_count=float(count), part_w=each)
