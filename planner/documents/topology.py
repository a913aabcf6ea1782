"""The network as a drawing: spines, leaves, and what hangs on them, with counts, speeds and oversubscription."""

from __future__ import annotations

from dataclasses import dataclass

from reportlab.graphics.shapes import Drawing
from reportlab.lib.colors import Color

from planner.core.quantity import Quantity, derive
from planner.core.units import BITS_PER_BYTE, GIGA, counted
from planner.documents.drawing import DATASET, GREYS, NETWORK, POWER, SIZE_PT, box, label, rule, tint
from planner.documents.lines import broken
from planner.documents.page import WIDTH_PT
from planner.documents.text import BOLD, clean
from planner.plan import Plan
from planner.sections.links import LinkGroup, machines
from planner.sizing import fabric

SWITCHES_DRAWN = 6
"""Switches of a layer that are drawn; where there are more, the row says how many there are."""
SWITCH_PT, LAYER_PT, BOX_PT = 22.0, 62.0, 48.0
SIDE_PT = 92.0
"""Room on the left for the names of the layers."""


@dataclass(frozen=True, slots=True)
class _Layer:
    """Centres of the switches of a layer, and its lower and upper edge."""

    centres: tuple[float, ...]
    low: float
    high: float


def network_picture(plan: Plan) -> Drawing:
    """Two layers of switches, or one pair, with the endpoints below; each bundle says how many and how fast."""
    net = plan.network
    spines = net.topology.value != "single-leaf"
    layers = 2 if spines else 1
    drawing = Drawing(WIDTH_PT, BOX_PT + layers * (LAYER_PT + SWITCH_PT) + 8)
    groups = [group for group in net.links if group.name != "leaf to spine"]
    leaf_low = BOX_PT + LAYER_PT
    leaves = _switches(drawing, leaf_low, ("Leaf", "Leaves"), net.leaf_count)
    _endpoints(drawing, plan, groups, leaves)
    if spines:
        upper = _switches(drawing, leaf_low + SWITCH_PT + LAYER_PT, ("Spine", "Spines"), net.spine_count)
        for start in leaves.centres:
            for end in upper.centres:
                drawing.add(rule((start, leaves.high, end, upper.low), colour=tint(NETWORK, 0.7), wide=0.6))
        ratio = oversubscription(plan)
        words = f"{counted(net.uplink_count.number, 'link')} of {_gbps(net.option.client_port_bytes_per_s)}"
        _on_lines(
            drawing, (leaves.high + upper.low) / 2, words, f"endpoints over these {ratio or 'unknown'} to 1"
        )
    return drawing


def network_words(plan: Plan) -> str:
    """What the drawing shows, in a sentence."""
    net = plan.network
    ratio = oversubscription(plan)
    tail = f", endpoints over uplinks {ratio} to 1" if ratio else ""
    return (
        f"{net.topology.label}: {net.leaf_count} leaves, {net.spine_count} spines, {net.node_port_count} ports of nodes and "
        f"{net.target_port_count} of targets{tail}."
    )


def oversubscription(plan: Plan) -> str:
    """Bandwidth of all endpoints over that of the links to the spines, as text; empty without spines."""
    net = plan.network
    if not (net.uplink_count.known and net.uplink_count.number):
        return ""
    port = net.option.client_port_bytes_per_s.number
    ratio = derive(
        fabric.oversubscription_ratio,
        down_bytes_per_s=net.endpoint_count.number * port,
        up_bytes_per_s=net.uplink_count.number * port,
    )
    return ratio.text().removesuffix("×")


def _gbps(speed: Quantity) -> str:
    return f"{speed.number * BITS_PER_BYTE / GIGA:.0f} Gb/s"


def _switches(drawing: Drawing, low: float, names: tuple[str, str], count: Quantity) -> _Layer:
    """A row of switches; the last one drawn stands for those that are left out."""
    number = int(count.number) if count.known else 0
    drawn = max(min(number, SWITCHES_DRAWN), 1)
    kind, many = names
    label(drawing, 0, low + 7.5, f"{many}: {count}", bold=True)
    room = (WIDTH_PT - SIDE_PT) / drawn
    wide = min(room - 10, 64.0)
    centres = tuple(SIDE_PT + room * (place + 0.5) for place in range(drawn))
    for place, centre in enumerate(centres, start=1):
        drawing.add(box((centre - wide / 2, low, wide, SWITCH_PT), tint(NETWORK, 0.55)))
        skipped = number > drawn and place == drawn
        told = f"… {kind} {number}" if skipped else f"{kind} {place}" if number else "unknown"
        label(drawing, centre, low + 7.5, told, anchor="middle")
    return _Layer(centres, low, low + SWITCH_PT)


def _endpoints(drawing: Drawing, plan: Plan, groups: list[LinkGroup], leaves: _Layer) -> None:
    """Boxes of nodes and targets, each with a line to the first and the last leaf: every one has both sides."""
    units = machines(plan.tiers, int(plan.cluster.node_count.number))
    room = (WIDTH_PT - SIDE_PT) / len(groups)
    label(drawing, 0, BOX_PT / 2, "Endpoints", bold=True)
    for place in range(len(groups)):
        centre = SIDE_PT + room * (place + 0.5)
        for leaf in (leaves.centres[0], leaves.centres[-1]):
            drawing.add(rule((centre, BOX_PT, leaf, leaves.low), colour=tint(NETWORK, 0.7), wide=0.8))
    for place, group in enumerate(groups):
        centre, wide = SIDE_PT + room * (place + 0.5), min(room - 8, 150.0)
        drawing.add(box((centre - wide / 2, 2, wide, BOX_PT - 2), _fill(place)))
        count = units.get(group.name)
        told = f"{counted(count, 'machine')}" if count is not None else ""
        links = f"{group.count} × {_gbps(group.speed_bytes_per_s)}"
        name = broken(clean(group.name), BOLD, SIZE_PT, wide - 6)[:2]
        for row, words in enumerate((*name, told, links)):
            label(
                drawing,
                centre,
                BOX_PT - 11 - row * 9.5,
                words,
                bold=row < len(name),
                anchor="middle",
                room_pt=wide - 6,
            )


def _fill(place: int) -> Color:
    return GREYS[0] if place == 0 else tint(DATASET if place % 2 else POWER, 0.3)


def _on_lines(drawing: Drawing, y: float, first: str, second: str) -> None:
    """Words at the left of a bundle of lines, where no line passes."""
    label(drawing, 0, y + 2, first, room_pt=SIDE_PT + 60)
    label(drawing, 0, y - 8, second, room_pt=SIDE_PT + 60)
