"""The network as a drawing in print: the same boxes, lines and words as on the screen, at the width of the page."""

from __future__ import annotations

from typing import Any

from reportlab.graphics.shapes import Drawing, PolyLine, Rect
from reportlab.lib.colors import HexColor

from planner.core.units import sentence
from planner.documents.drawing import INK, PAPER, box, label
from planner.documents.page import WIDTH_PT
from planner.documents.text import BODY, BOLD, width_pt
from planner.plan import Plan
from planner.sections.fabric_shapes import Box, FabricDrawing, Label, Wire
from planner.sections.fabric_svg import COLOURS, DASHES, FILLS, WIDTHS

SHRINK = 0.75
"""Size of the words in print, of that on a screen."""


def network_picture(plan: Plan) -> Drawing:
    """Spines, leaves and endpoints with their links, speeds and loads."""
    made = plan.fabric_drawing(width=WIDTH_PT / SHRINK)
    drawing = Drawing(WIDTH_PT, made.height * SHRINK)
    for wire in made.wires:
        drawing.add(_line(wire, made))
    for part in made.boxes:
        drawing.add(_box(part, made))
    for words in made.labels:
        _words(drawing, words, made)
    return drawing


def network_words(plan: Plan) -> str:
    """What the drawing shows, in sentences."""
    return sentence(plan.fabric_drawing(width=WIDTH_PT / SHRINK).words)


def _up(y: float, made: FabricDrawing) -> float:
    """A place on paper, where heights are measured from below."""
    return (made.height - y) * SHRINK


def _line(wire: Wire, made: FabricDrawing) -> PolyLine:
    points = [number for x, y in wire.points for number in (x * SHRINK, _up(y, made))]
    look: dict[str, Any] = {
        "strokeColor": HexColor(COLOURS[wire.level][0]),
        "strokeWidth": WIDTHS[wire.level] * SHRINK,
    }
    if DASHES[wire.level]:
        look["strokeDashArray"] = list(DASHES[wire.level])
    return PolyLine(points, **look)


def _box(part: Box, made: FabricDrawing) -> Rect:
    place = (part.x * SHRINK, _up(part.y + part.height, made), part.width * SHRINK, part.height * SHRINK)
    return box(place, HexColor(FILLS[part.fill]), edge=INK)


def _words(drawing: Drawing, words: Label, made: FabricDrawing) -> None:
    x, y, size = words.x * SHRINK, _up(words.y, made), words.size * SHRINK
    if words.backed:
        wide = min(width_pt(words.words, BOLD if words.bold else BODY, size), words.room * SHRINK) + 6
        left = x - {"start": 3.0, "middle": wide / 2, "end": wide - 3}[words.anchor]
        start, end = max(left, 0.0), min(left + wide, WIDTH_PT)
        drawing.add(box((start, y - 2.5, end - start, size + 3), PAPER, edge=PAPER))
    label(
        drawing,
        x,
        y,
        words.words,
        bold=words.bold,
        anchor=words.anchor,
        size_pt=size,
        room_pt=words.room * SHRINK,
    )
