"""Rack elevations, front and rear: as SVG text for a page, and as a drawing for print.

Both are made of the same boxes and words. Racks whose machines stand alike are drawn once, under the numbers
of all of them, so that a long row stays readable on A4.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal
from xml.sax.saxutils import escape

from reportlab.graphics.shapes import Drawing, Rect, String
from reportlab.lib.colors import HexColor

from planner.core.units import format_number
from planner.documents.page import WIDTH_PT
from planner.documents.text import BODY, BOLD, clean, fitted, fonts, width_pt
from planner.plan import Plan
from planner.sections.machines import NO_PREFIXES, Device
from planner.sections.racks import Place, Rack, rack_numbers
from planner.sections.rows import alike

Side = Literal["front", "rear"]
SIDES: tuple[Side, ...] = ("front", "rear")
UNIT_PT, TALLEST_PT = 10.5, 600.0
"""Height of a rack unit on paper, and of a whole rack at most: with its title it fits A4 and Letter."""
TITLE_PT, FOOT_PT, LABEL_PT, GAP_PT, STRIP_PT = 24.0, 26.0, 16.0, 14.0, 12.0
RACKS_A_ROW = 3
RACK_PT = (WIDTH_PT - (RACKS_A_ROW - 1) * GAP_PT) / RACKS_A_ROW
WORDS_PT, SMALL_PT = 7.0, 6.5
INK, PAPER, FRAME, RESERVED = "#1F1F1F", "#FFFFFF", "#5F5F5F", "#E6E6E6"
FILLS = {
    "hot": "#BFDDF0",
    "file-system": "#BFE6D8",
    "object": "#F8E3B8",
    "network": "#EFD3E2",
    "gpu": "#DADADA",
}
"""Tints of the colours that the tiers and the network have elsewhere; every box also says what it is."""


@dataclass(frozen=True, slots=True)
class Box:
    """One rectangle, measured from the top left corner, with words in it."""

    x: float
    y: float
    width: float
    height: float
    fill: str
    words: str = ""
    size_pt: float = WORDS_PT


@dataclass(frozen=True, slots=True)
class Words:
    """One line of text, measured from the top left corner."""

    x: float
    y: float
    text: str
    size_pt: float = WORDS_PT
    bold: bool = False
    anchor: Literal["start", "middle", "end"] = "start"


Shape = Box | Words


@dataclass(frozen=True, slots=True)
class Elevation:
    """One rack, or several that are filled alike, seen from one side.

    Attributes:
        title: "Rack 1", or "Racks 3 to 7, alike".
        facts: What stands under it: watts, weight, height.
        alt: The contents in words, from the top down.
    """

    title: str
    side: Side
    facts: str
    alt: str
    width_pt: float
    height_pt: float
    shapes: tuple[Shape, ...]


def elevations(plan: Plan, side: Side, prefixes: Mapping[str, str] = NO_PREFIXES) -> tuple[Elevation, ...]:
    """Every rack from one side; racks that are filled alike once. Names begin as the site has it."""
    reserved = plan.scenario.site.rack_reserved_ru
    return tuple(
        elevation(racks, side, reserved_ru=reserved, prefixes=prefixes) for racks in alike(plan.racks)
    )


def elevation(
    racks: Sequence[Rack], side: Side, *, reserved_ru: int, prefixes: Mapping[str, str] = NO_PREFIXES
) -> Elevation:
    """One rack, or several that are filled alike, from one side.

    Args:
        racks: Racks that are filled alike.
        side: Front or rear.
        reserved_ru: Rack units at the top that are kept free for patch panels and management.
        prefixes: How the site begins the names of machines, by how the planner begins them.
    """
    rack, reserved = racks[0], reserved_ru
    several = sum(each.count for each in racks) > 1
    title = f"Racks {rack_numbers(racks)}, alike" if several else f"Rack {rack.number}"
    facts = f"{rack.max_w} at most, {rack.typical_w} typical"
    more = f"{rack.weight_kg}, {rack.used_ru} used, {rack.feed_alone_amps} on one feed"
    height = TITLE_PT + rack.height_ru * _unit_pt(rack) + FOOT_PT
    machines = (
        shape
        for place in rack.places
        for shape in _machine(rack, place, side, _label(place, prefixes, numbered=not several))
    )
    shapes = (
        Words(LABEL_PT, 10, title, bold=True, size_pt=8.5),
        Words(LABEL_PT, 20, f"{side} view"),
        *_frame(rack, side, reserved),
        *machines,
        Words(LABEL_PT, height - 15, facts),
        Words(LABEL_PT, height - 5, more),
    )
    alt = _alt(title, side, rack, prefixes)
    return Elevation(title, side, f"{facts}; {more}", alt, RACK_PT, height, shapes)


def _label(place: Place, prefixes: Mapping[str, str], *, numbered: bool) -> str:
    """What is written on a machine; its kind alone where the picture stands for several racks."""
    device = place.device
    return device.label(place.number, prefixes) if numbered else prefixes.get(device.prefix, device.prefix)


def _alt(title: str, side: Side, rack: Rack, prefixes: Mapping[str, str]) -> str:
    parts = [
        f"U{place.bottom_ru}"
        + (f" to U{place.top_ru}" if place.top_ru > place.bottom_ru else "")
        + f" {_label(place, prefixes, numbered=True)}"
        for place in sorted(rack.places, key=lambda place: -place.top_ru)
    ]
    return f"{title}, {side} view, from the top: {'; '.join(parts) or 'empty'}."


def _unit_pt(rack: Rack) -> float:
    """Height of a rack unit on paper."""
    return min(UNIT_PT, TALLEST_PT / rack.height_ru)


def _top(rack: Rack, unit: int) -> float:
    """Distance of the upper edge of a rack unit from the top."""
    return TITLE_PT + (rack.height_ru - unit) * _unit_pt(rack)


def _frame(rack: Rack, side: Side, reserved: int) -> Iterator[Shape]:
    """The rack with its units numbered, what is reserved, and the strips with A and B feeds at the rear."""
    inside, unit_pt = RACK_PT - LABEL_PT, _unit_pt(rack)
    yield Box(LABEL_PT, TITLE_PT, inside, rack.height_ru * unit_pt, PAPER)
    for unit in range(1, rack.height_ru + 1):
        yield Words(LABEL_PT - 3, _top(rack, unit) + unit_pt - 3, str(unit), size_pt=SMALL_PT, anchor="end")
    if reserved and not any(place.top_ru > rack.height_ru - reserved for place in rack.places):
        words = "patch panels, management" if side == "front" else "cable entry, management"
        yield Box(LABEL_PT, TITLE_PT, inside, reserved * unit_pt, RESERVED, f"{words} ({reserved} U)")
    if side == "rear":
        for x, feed in ((LABEL_PT, "A"), (RACK_PT - STRIP_PT, "B")):
            top = TITLE_PT + reserved * unit_pt
            yield Box(x, top, STRIP_PT, (rack.height_ru - reserved) * unit_pt, RESERVED, feed)


def _machine(rack: Rack, place: Place, side: Side, label: str) -> Iterator[Shape]:
    device = place.device
    top, height = _top(rack, place.top_ru), device.height_ru * _unit_pt(rack)
    left = LABEL_PT + (STRIP_PT if side == "rear" else 0.0)
    width = RACK_PT - LABEL_PT - (2 * STRIP_PT if side == "rear" else 0.0)
    words = (
        _short(f"{label}  {device.part}", width - 4) if side == "front" else f"{label}  {_supplies(device)}"
    )
    yield Box(left, top, width, height, _fill(device), words)


def _short(words: str, room_pt: float) -> str:
    """As many whole words as fit: the full name of a part stands in the lists."""
    fonts()
    kept = words
    while width_pt(clean(kept), BODY, WORDS_PT) > room_pt and " " in kept.strip():
        kept = kept.rpartition(" ")[0].rstrip(" ,;+")
        if kept.count("(") > kept.count(")"):
            kept = kept.rpartition("(")[0].rstrip()
    return kept


def _supplies(device: Device) -> str:
    """Where the supplies of a machine are plugged in: half at the strip of each feed."""
    half = format_number(device.supply_count.number / 2)
    return f"cords: {half} A, {half} B"


def _fill(device: Device) -> str:
    return FILLS.get(device.kind if device.kind != "storage" else device.key.removesuffix("-metadata"), PAPER)


# --- SVG ----------------------------------------------------------------------------------------------------


def elevation_svg(elevation: Elevation) -> str:
    """The picture of one rack as SVG, with its contents as a text for screen readers."""
    size = f'width="{elevation.width_pt:.0f}" height="{elevation.height_pt:.0f}"'
    box = f'viewBox="0 0 {elevation.width_pt:.2f} {elevation.height_pt:.2f}"'
    title, alt = escape(clean(elevation.title)), escape(clean(elevation.alt))
    body = "".join(_svg(shape) for shape in elevation.shapes)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} {box} role="img" style="background:{PAPER}" '
        f'font-family="DejaVu Sans, Arial, sans-serif">'
        f"<title>{title}</title><desc>{alt}</desc>{body}</svg>"
    )


def _svg(shape: Shape) -> str:
    if isinstance(shape, Words):
        return _svg_words(shape)
    box = (
        f'<rect x="{shape.x:.2f}" y="{shape.y:.2f}" width="{shape.width:.2f}" height="{shape.height:.2f}" '
        f'fill="{shape.fill}" stroke="{FRAME}" stroke-width="0.5"/>'
    )
    words = _inside(shape)
    return box + (_svg_words(words) if words else "")


def _svg_words(words: Words) -> str:
    weight = ' font-weight="bold"' if words.bold else ""
    return (
        f'<text x="{words.x:.2f}" y="{words.y:.2f}" font-size="{words.size_pt}" fill="{INK}" '
        f'text-anchor="{words.anchor}"{weight}>{escape(clean(words.text))}</text>'
    )


def _inside(box: Box) -> Words | None:
    """The words of a box, in its middle, cut to its width."""
    if not box.words:
        return None
    fonts()
    text = fitted(clean(box.words), BODY, box.size_pt, box.width - 4)
    middle = box.y + box.height / 2 + box.size_pt * 0.35
    return Words(box.x + box.width / 2, middle, text, box.size_pt, anchor="middle")


# --- print --------------------------------------------------------------------------------------------------


def elevation_drawings(plan: Plan, *sides: Side, prefixes: Mapping[str, str] = NO_PREFIXES) -> list[Drawing]:
    """Drawings as wide as a page of A4, three racks on each; of several sides in their order."""
    pictures = [picture for side in sides for picture in elevations(plan, side, prefixes)]
    return [_page(pictures[start : start + RACKS_A_ROW]) for start in range(0, len(pictures), RACKS_A_ROW)]


def _page(pictures: Sequence[Elevation]) -> Drawing:
    fonts()
    height = max(picture.height_pt for picture in pictures)
    drawing = Drawing(WIDTH_PT, height)
    for number, picture in enumerate(pictures):
        left = number * (RACK_PT + GAP_PT)
        for shape in picture.shapes:
            for part in _drawn(shape, left, height):
                drawing.add(part)
    return drawing


def _drawn(shape: Shape, left: float, height: float) -> Iterator[Any]:
    if isinstance(shape, Words):
        yield _string(shape, left, height)
        return
    look: dict[str, Any] = {
        "fillColor": HexColor(shape.fill),
        "strokeColor": HexColor(FRAME),
        "strokeWidth": 0.5,
    }
    yield Rect(left + shape.x, height - shape.y - shape.height, shape.width, shape.height, **look)
    words = _inside(shape)
    if words:
        yield _string(words, left, height)


def _string(words: Words, left: float, height: float) -> String:
    return String(
        left + words.x, height - words.y, clean(words.text), fontName=BOLD if words.bold else BODY,
        fontSize=words.size_pt, fillColor=HexColor(INK), textAnchor=words.anchor,
    )  # fmt: skip
