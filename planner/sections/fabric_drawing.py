"""The network as a drawing: spines, leaves and what hangs on them, as boxes, lines and words at places.

Pure geometry, from the top left corner downwards, for a page, a document and a file alike. Switches and
machines are drawn as groups with their counts, so that a network of thousands of nodes stays as readable as
one of eight. Endpoints hang on the sides or rails that their ports are on; lines carry the load of what they stand
for by colour, by dashes and in words.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

from planner.core.quantity import Quantity, derive
from planner.core.units import counted, format_value
from planner.sections.cabling import SIDES, fabrics_of, side_name, sides_of
from planner.sections.fabric_load import FabricLoad
from planner.sections.fabric_shapes import CHARACTER, SIZE, SMALL, Box, FabricDrawing, Fill, Level, Wire
from planner.sections.leaves import LeafKind
from planner.sections.links import NODES, UPLINKS, LinkGroup, machines, speed_text
from planner.sections.network import NetworkPlan
from planner.sections.tiers import TierPlan
from planner.sizing import bandwidth

LEVELS: dict[Level, str] = {
    "low": "below 50 %",
    "busy": "50 to 80 %",
    "high": "80 to 100 %",
    "over": "above 100 %",
    "none": "no load known",
}
"""Classes of load, in the words of the legend."""
CASE = "both"
"""The case that is drawn: a burst beside steady traffic."""
LINE, GAP, SWITCH, MESH = 13.0, 14.0, 22.0, 66.0
WIDE = 480.0
"""From this width on the legend stands in a row."""
SWITCH_ROOM, MOST_DRAWN, COLUMN = 95.0, 6, 115.0
"""Least room of a switch, most switches in a row, least room of a box of endpoints."""
NAMED = 76.0
"""Width from which on a switch's box has room for its kind, not for its number alone."""


@dataclass(frozen=True, slots=True)
class _Seen:
    """What is drawn: the network, its groups of endpoints, their machines and roles, and the load of every hop."""

    network: NetworkPlan
    groups: tuple[LinkGroup, ...]
    units: dict[str, int]
    roles: dict[str, str]
    load: FabricLoad | None

    def hop(self, key: str) -> float:
        """Share of a hop's capacity in the case that is drawn; 0 where it is unknown or there is no such hop."""
        found = None if self.load is None else next((hop for hop in self.load.hops if hop.key == key), None)
        if found is None or not found.loads[CASE].fraction.known:
            return 0.0
        return found.loads[CASE].fraction.number

    def share(self, group: LinkGroup) -> float:
        """Load of a group: its ports, its links, or what its machines write and read, whichever is fullest."""
        if group.name == NODES:
            return max(self.hop("client port"), self.hop("client links"))
        role = self.roles.get(group.name, "")
        return max(self.hop(f"target {part} {role}") for part in ("port", "links", "writes", "reads"))


@dataclass(frozen=True, slots=True)
class _Part:
    """Leaves of one kind, and the endpoints on them, between a left and a right edge.

    Attributes:
        heading: What its leaves are called; their number follows.
        before: Leaves that are counted before the first of these.
        uplinks: Hops whose load its lines to the spines have.
        sides: Sides or rails that its leaves take turns on.
        sided: Whether spines take turns on the sides as well, which nothing joins then.
    """

    left: float
    right: float
    heading: str
    count: Quantity
    before: int
    groups: tuple[LinkGroup, ...]
    uplinks: tuple[str, ...]
    sides: int = 2
    sided: bool = False

    @property
    def width(self) -> float:
        """Room from edge to edge."""
        return self.right - self.left


@dataclass(frozen=True, slots=True)
class _Row:
    """A row of switches: centres of those drawn with the side of each, and its edges."""

    centres: tuple[tuple[float, str], ...]
    top: float
    bottom: float


def level_of(fraction: float) -> Level:
    """Class of a load; what is unknown is none."""
    if not fraction > 0:
        return "none"
    bounds: tuple[tuple[float, Level], ...] = ((0.5, "low"), (0.8, "busy"), (1.0 + 1e-9, "high"))
    return next((level for bound, level in bounds if fraction <= bound), "over")


def fabric_drawing(
    network: NetworkPlan,
    tiers: Sequence[TierPlan],
    node_count: int,
    load: FabricLoad | None,
    *,
    width: float = 400.0,
) -> FabricDrawing:
    """The drawing of a network.

    Args:
        network: The planned network.
        tiers: The tiers, in the order of its link groups.
        node_count: GPU nodes.
        load: Load of every hop; without it lines have no load.
        width: Width of the drawing, in the unit of its text sizes.
    """
    made = FabricDrawing(width)
    seen = _Seen(
        network,
        tuple(group for group in network.links if group.name != UPLINKS),
        machines(tuple(tiers), node_count),
        {tier.name: tier.role for tier in tiers},
        load,
    )
    top, spines = 0.0, None
    if has_spines(network):
        spines = _switches(made, _spine_part(network, width), top, "")
        top = spines.bottom + MESH
    maker = f"{network.switch.vendor} {network.switch.model}".strip()
    made.text(width, SIZE, maker, size=SMALL, room=width / 2, anchor="end", backed=True)
    bottom = top
    for part in _parts(seen, width):
        leaves = _switches(made, part, top, "Leaf")
        if spines is not None:
            _mesh(made, seen, part, spines, leaves)
        bottom = max(bottom, _endpoints(made, seen, part, _buses(made, part, leaves)))
    if spines is not None:
        _mesh_words(made, seen, (spines.bottom + top) / 2)
    made.height = _legend(made, bottom + GAP) if load is not None else bottom + 2
    made.words = _told(seen)
    return made


def _spine_part(network: NetworkPlan, width: float) -> _Part:
    sided = fabrics_of(network) > 1
    return _Part(0.0, width, "Spines", network.spine_count, 0, (), (), sided=sided)


def _parts(seen: _Seen, width: float) -> tuple[_Part, ...]:
    """All endpoints on leaves alike, or GPU nodes and targets each on leaves of their own."""
    network = seen.network
    both = ("client uplinks", "target uplinks", "spine")
    sides = int(network.side_count.number)
    if not network.leaves_split:
        return (_Part(0.0, width, "Leaves", network.leaf_count, 0, seen.groups, both, sides),)
    cut = width * 0.36
    targets = network.target_leaves.count
    return (
        _Part(
            0.0,
            cut,
            "Leaves of nodes",
            network.client_leaves.count,
            int(targets.number),
            seen.groups[:1],
            both[:1],
            sides,
        ),
        _Part(cut + 10, width, "Leaves of targets", targets, 0, seen.groups[1:], both[1:2], sides),
    )


def has_spines(network: NetworkPlan) -> bool:
    """Whether leaves are joined by spines."""
    return network.topology.value != "single-leaf" and network.spine_count.number != 0


def uplinks_text(network: NetworkPlan) -> str:
    """Number and speed of the links between leaves and spines: "64 links of 400 Gb/s"."""
    return f"{counted(network.uplink_count.number, 'link')} of {speed_text(network.links[-1])}"


def oversubscription(network: NetworkPlan) -> Quantity | None:
    """Bandwidth of all endpoints over that of the links to the spines; None without spines."""
    if not (has_spines(network) and network.uplink_count.number > 0):
        return None
    return _over_uplinks(network, network.links[:-1], network.uplink_count.number)


def kind_oversubscription(network: NetworkPlan, kind: LeafKind) -> Quantity:
    """Bandwidth of the endpoints on leaves of one kind over that of their links to the spines."""
    groups = network.links[:1] if kind is network.client_leaves else network.links[1:-1]
    return _over_uplinks(network, groups, kind.count.number * kind.up_count.number)


def _over_uplinks(network: NetworkPlan, groups: Sequence[LinkGroup], uplink_count: float) -> Quantity:
    """Bandwidth of some links of endpoints over that of so many uplinks."""
    return derive(
        bandwidth.oversubscription_ratio,
        down_bytes_per_s=sum(group.count.number * group.speed_bytes_per_s.number for group in groups),
        up_bytes_per_s=uplink_count * network.option.client_port_bytes_per_s.number,
    )


def _ratios(network: NetworkPlan) -> str:
    """Oversubscription in words, of all leaves or of each kind; empty without spines."""
    ratio = oversubscription(network)
    if ratio is None:
        return ""
    if not network.leaves_split:
        return f"endpoints over uplinks {_ratio(ratio)}"
    nodes = kind_oversubscription(network, network.client_leaves)
    targets = kind_oversubscription(network, network.target_leaves)
    return f"over uplinks: nodes {_ratio(nodes)}, targets {_ratio(targets)}"


def _side_words(network: NetworkPlan) -> str:
    """Names of the sides, or of the first and the last rail."""
    last = side_name(int(network.side_count.number) - 1)
    return "sides A and B" if network.side_count.number == len(SIDES) else f"rails A to {last}"


def _told(seen: _Seen) -> str:
    """What the drawing shows, in sentences."""
    network = seen.network
    parts = [f"{network.topology.label}: {network.leaf_count} leaves in turn on {_side_words(network)}"]
    if ratios := _ratios(network):
        spines = counted(network.spine_count.number, "spine")
        parts.append(f"{spines}, {uplinks_text(network)} between them, {ratios}")
    for group in seen.groups:
        share = seen.share(group)
        told = f"{group.name} on {counted(group.count.number, 'port')} of {speed_text(group)}"
        parts.append(told + (f", {_percent(share)} loaded" if share > 0 else ""))
    told = "; ".join(parts) + "."
    if seen.load is not None and seen.load.whole.bottleneck[CASE]:
        fullest = seen.load.bottleneck
        told += f" Fullest in a burst beside steady traffic: {fullest.name}, {fullest.loads[CASE].fraction}."
    return told


# --- switches -----------------------------------------------------------------------------------------------


def _switches(made: FabricDrawing, part: _Part, top: float, kind: str) -> _Row:
    """A row of switches under its heading; the last one drawn stands for those that are left out."""
    number = int(part.count.number) if part.count.known else 0
    made.text(part.left, top + SIZE, f"{part.heading}: {part.count}", bold=True, room=part.width, backed=True)
    top += LINE + 2
    drawn = max(min(number, max(2, min(int(part.width // SWITCH_ROOM), MOST_DRAWN))), 1)
    room = part.width / drawn
    wide = min(room - 8, 110.0)
    centres = []
    for place in range(drawn):
        shown = number if place == drawn - 1 else place + 1
        side = side_of(shown, part.sides) if kind or part.sided else ""
        centre = part.left + room * (place + 0.5)
        made.boxes.append(Box(centre - wide / 2, top, wide, SWITCH, "switch"))
        skipped = "… " if number > drawn and place == drawn - 1 else ""
        name = f"{kind or 'Spine'} " if wide >= NAMED else ""
        words = (
            f"{skipped}{name}{part.before + shown}" + (f", {side}" if side else "") if number else "unknown"
        )
        made.text(centre, top + 15, words, size=SMALL, room=wide - 4, anchor="middle", inside=True)
        centres.append((centre, side))
    return _Row(tuple(centres), top, top + SWITCH)


def side_of(number: int, side_count: int) -> str:
    """Side or rail of a switch, counted from 1: they take turns."""
    return side_name((number - 1) % side_count)


def _mesh(made: FabricDrawing, seen: _Seen, part: _Part, spines: _Row, leaves: _Row) -> None:
    """Lines between all leaves and spines that are drawn, with their load."""
    level = level_of(max(seen.hop(key) for key in part.uplinks))
    for leaf, side in leaves.centres:
        for spine, of in spines.centres:
            if of and of != side:
                continue
            made.wires.append(Wire(((spine, spines.bottom), (leaf, leaves.top)), level))


def _mesh_words(made: FabricDrawing, seen: _Seen, middle: float) -> None:
    """Number, speed, load and ratio of the links between leaves and spines."""
    network = seen.network
    share = max(seen.hop(key) for key in ("client uplinks", "target uplinks", "spine"))
    links = uplinks_text(network)
    loaded = f"{links}, {_percent(share)} loaded" if share > 0 else links
    for row, words in enumerate(line for line in (loaded, _ratios(network)) if line):
        place = middle - 3 + row * LINE
        made.text(made.width / 2, place, words, room=made.width - 8, anchor="middle", backed=True)


def _ratio(ratio: Quantity | None) -> str:
    return "unknown" if ratio is None else f"{ratio.text().removesuffix('×')} to 1"


# --- endpoints ----------------------------------------------------------------------------------------------


def _buses(made: FabricDrawing, part: _Part, leaves: _Row) -> dict[str, float]:
    """A level line for each side, on which the leaves of the side and the endpoints hang."""
    # All of them, also those whose leaves are among the ones left out.
    drawn = any(side for _, side in leaves.centres)
    sides = [side_name(number) for number in range(part.sides)] if drawn else []
    buses = {side: leaves.bottom + 14 + 12 * place for place, side in enumerate(sides)}
    for side, y in buses.items():
        made.wires.append(Wire(((part.left + 12, y), (part.right - 2, y)), "none", side))
        made.text(part.left, y + 4, side, size=SMALL, bold=True)
    for centre, side in leaves.centres:
        made.wires.append(Wire(((centre, leaves.bottom), (centre, buses[side])), "none", side))
    return buses


def _endpoints(made: FabricDrawing, seen: _Seen, part: _Part, buses: dict[str, float]) -> float:
    """Boxes of nodes and targets in rows, each with a line to its sides; returns the lower edge."""
    columns = max(min(len(part.groups), int(part.width // COLUMN)), 1)
    wide = (part.width - GAP) / columns - GAP
    tall = 6 * (LINE - 1) + 4
    first = max(buses.values(), default=0.0) + 14
    reached = sides_of(seen.groups, seen.units, part.sides)
    bottom = first
    for place, group in enumerate(part.groups):
        row, column = divmod(place, columns)
        left, top = part.left + GAP + column * (wide + GAP), first + row * (tall + GAP)
        bottom = top + tall
        level = level_of(seen.share(group))
        own = {side: y for side, y in buses.items() if side in reached[group.name]}
        # Left of the first column are the names of the sides, so its lines take half of the gap on its right.
        gutter = left - GAP / 4 if column else left + wide + GAP / 4
        _drops(made, own, left + wide / 2, top, gutter if row else None, level)
        made.boxes.append(Box(left, top, wide, tall, _fill(group.name, seen.roles)))
        _box_words(made, seen, group, made.boxes[-1])
    return bottom


def _drops(
    made: FabricDrawing,
    buses: dict[str, float],
    centre: float,
    top: float,
    gutter: float | None,
    level: Level,
) -> None:
    """Lines from the buses to a box; those of a lower row pass between the boxes above."""
    steps = max(len(buses) - 1, 1)
    for place, (side, y) in enumerate(buses.items()):
        off = place - (len(buses) - 1) / 2
        end = centre + off * 8
        if gutter is None:
            points: tuple[tuple[float, float], ...] = ((end, y), (end, top))
        else:
            down = gutter + off * min(4.0, (GAP / 2 - 2) / steps)
            # Whichever way they turn, none crosses another.
            turn = top - GAP / 2 + math.copysign(off, off * (gutter - centre)) * min(4.0, (GAP - 4) / steps)
            points = ((down, y), (down, turn), (end, turn), (end, top))
        made.wires.append(Wire(points, level, side))


def _box_words(made: FabricDrawing, seen: _Seen, group: LinkGroup, box: Box) -> None:
    """Name, machines, links and load of a group, line under line."""
    fits = max(int((box.width - 4) / (SMALL * CHARACTER)), 8)
    names = textwrap.wrap(group.name, fits, max_lines=3, placeholder=" …")
    lines = [(words, True) for words in names]
    if group.name in seen.units:
        lines.append((counted(seen.units[group.name], "machine"), False))
    lines.append((f"{group.count} × {speed_text(group)}", False))
    if (share := seen.share(group)) > 0:
        lines.append((f"{_percent(share)} loaded", False))
    for number, (words, bold) in enumerate(lines):
        made.text(
            box.x + box.width / 2,
            box.y + 13 + number * (LINE - 1),
            words,
            size=SMALL,
            room=box.width - 4,
            bold=bold,
            anchor="middle",
            inside=True,
        )


def _fill(name: str, roles: dict[str, str]) -> Fill:
    if name == NODES:
        return "nodes"
    role = roles.get(name, "other")
    fills: dict[str, Fill] = {"hot": "hot", "file-system": "file-system", "object": "object"}
    return fills.get(role, "other")


def _percent(share: float) -> str:
    return format_value(share, "fraction", digits=2)


def _legend(made: FabricDrawing, top: float) -> float:
    """What colours and dashes of lines mean; returns the lower edge."""
    made.text(0.0, top + SMALL, "Load, a burst beside steady traffic:", size=SMALL, bold=True)
    columns = 5 if made.width >= WIDE else 2
    room = made.width / columns
    for place, (level, words) in enumerate(LEVELS.items()):
        row, column = divmod(place, columns)
        x, y = column * room, top + LINE + 6 + row * LINE
        made.wires.append(Wire(((x, y + 4), (x + 26, y + 4)), level))
        made.text(x + 31, y + 8, words, size=SMALL, room=room - 33)
    rows = -(-len(LEVELS) // columns)
    return top + LINE + 6 + rows * LINE + 4
