"""How long every cable must be, by where its ends stand, and which length is bought."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from planner.core.quantity import Quantity, derive
from planner.core.units import scalar
from planner.sections.cabling import Cable, Cabling, Endpoint, SwitchPort
from planner.sections.context import Context, or_unknown
from planner.sections.racks import Place, RackLayout
from planner.sizing import racks

STANDARD_M = (1.0, 1.5, 2.0, 2.5, 3.0, 5.0, 7.0, 10.0, 15.0, 20.0, 25.0, 30.0, 40.0, 50.0, 75.0, 100.0)
"""Lengths in which cables are sold; longer ones go up by 50 m."""


@dataclass(frozen=True, slots=True)
class Floor:
    """The distances of a room, which every cable of it is measured by."""

    height_ru: int
    row_rack_count: int
    rack_pitch_m: float
    row_pitch_m: float
    gpu_distance_m: float
    slack_m: Quantity

    def between(self, first: tuple[int, Place], second: tuple[int, Place]) -> Quantity:
        """Length that a cable between two machines needs: inside a rack, or up and over the tray and down."""
        (rack, start), (other, end) = first, second
        middle, far = ((place.bottom_ru + place.top_ru) / 2 for place in (start, end))
        if rack == other:
            return derive(
                racks.cable_m, vertical_ru=abs(middle - far), horizontal_m=0.0, slack_m=self.slack_m
            )
        row, column = divmod(rack - 1, self.row_rack_count)
        other_row, other_column = divmod(other - 1, self.row_rack_count)
        way = self.rack_pitch_m * abs(column - other_column) + self.row_pitch_m * abs(row - other_row)
        return derive(
            racks.cable_m,
            vertical_ru=2 * self.height_ru - middle - far,
            horizontal_m=way,
            slack_m=self.slack_m,
        )


def floor_of(context: Context) -> Floor:
    """The distances that the site states."""
    site = context.scenario.site
    slack = context.catalogue.assumptions["cable-slack"].typical
    return Floor(
        site.rack_height_ru,
        site.row_rack_count,
        site.rack_pitch_m,
        site.row_pitch_m,
        scalar(site.gpu_distance_m),
        or_unknown(slack, "m", "Cable to the side of a rack"),
    )


def standard_m(needed_m: float) -> float:
    """The next length in which a cable is sold."""
    for length in STANDARD_M:
        if length >= needed_m - 1e-9:
            return length
    return 50.0 * -(-needed_m // 50.0)


def measured(context: Context, cabling: Cabling, layout: RackLayout) -> Cabling:
    """The same cables, each as long as it is bought.

    Cables to GPU nodes have the stated distance; ends that are not placed too.
    """
    floor = floor_of(context)
    spots = _spots(layout)
    known: dict[tuple[tuple[str, int], tuple[str, int]], float] = {}
    return replace(cabling, cables=tuple(_measured(cabling.cables, floor, spots, known)))


def _spots(layout: RackLayout) -> dict[tuple[str, int], tuple[int, Place]]:
    """Rack and place of each machine, by its name in the cable schedule and its number from 0."""
    return {
        (place.device.key if place.device.kind == "network" else place.device.name, place.number - 1): (
            rack.number,
            place,
        )
        for rack in layout.racks
        if rack.count == 1 and rack.places
        for place in rack.places
        if place.device.kind != "gpu"
    }


def _measured(
    cables: Sequence[Cable],
    floor: Floor,
    spots: dict[tuple[str, int], tuple[int, Place]],
    known: dict[tuple[tuple[str, int], tuple[str, int]], float],
) -> Iterator[Cable]:
    far = standard_m(floor.gpu_distance_m)
    for cable in cables:
        ends = (_end(cable.start), _end(cable.finish))
        length = known.get(ends)
        if length is None:
            start, finish = spots.get(ends[0]), spots.get(ends[1])
            length = far
            if start is not None and finish is not None:
                length = standard_m(floor.between(start, finish).number)
            known[ends] = length
        yield replace(cable, length_m=length)


def _end(end: Endpoint | SwitchPort) -> tuple[str, int]:
    return (end.role, end.unit) if isinstance(end, Endpoint) else (end.role, end.switch)
