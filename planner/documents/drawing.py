"""What the drawings of a document are made of: the colours of the screen, boxes, and words in any script."""

from __future__ import annotations

from typing import Any, Literal

from reportlab.graphics.shapes import Drawing, Line, Rect, String
from reportlab.lib.colors import Color, HexColor
from reportlab.platypus import Flowable

from planner.documents.text import BODY, BOLD, clean, fitted, runs, shown, width_pt

CHECKPOINT, DATASET, NETWORK = HexColor("#0072B2"), HexColor("#009E73"), HexColor("#CC79A7")
POWER, MONEY = HexColor("#E69F00"), HexColor("#D55E00")
"""The colours that these have on the screen: the palette of Okabe and Ito."""
GREYS = tuple(HexColor(code) for code in ("#BDBDBD", "#8C8C8C", "#5F5F5F"))
INK, GRID, PAPER = HexColor("#1F1F1F"), HexColor("#D9D9D9"), HexColor("#FFFFFF")
VERDICTS = {
    "pass": HexColor("#117733"),
    "warning": HexColor("#7A6A00"),
    "fail": HexColor("#882255"),
    "unknown": HexColor("#555555"),
}
"""The colours of a verdict; it is always written as a word too."""
SIZE_PT = 7.5

Anchor = Literal["start", "middle", "end"]


LEAST_SCALE = 0.8
"""Share of its height to which a drawing may be drawn smaller: letters of 7 points stay above 5.5."""


class Fitting(Flowable):
    """A drawing that is drawn a little smaller where that spares a page break.

    Attributes:
        least_pt: Height that it needs at least.
    """

    def __init__(self, drawing: Drawing) -> None:
        """Keep the drawing."""
        super().__init__()
        self.drawing, self.scale = drawing, 1.0
        self.least_pt: float = LEAST_SCALE * drawing.height

    def wrap(self, _: float, available_height: float) -> tuple[float, float]:
        """As high as there is room, between the least and the whole height."""
        self.scale = min(1.0, max(LEAST_SCALE, available_height / self.drawing.height))
        self.width, self.height = self.drawing.width, self.drawing.height * self.scale
        return self.width, self.height

    def draw(self) -> None:
        """Draw it in that size."""
        canvas: Any = self.canv
        canvas.saveState()
        canvas.scale(self.scale, self.scale)
        self.drawing.drawOn(canvas, 0, 0)
        canvas.restoreState()


def tint(colour: Color, share: float) -> Color:
    """A colour mixed with white: 1 is the colour itself, 0 is white."""
    red, green, blue = (1 - share * (1 - part) for part in (colour.red, colour.green, colour.blue))
    return Color(red, green, blue)


def label(
    drawing: Drawing,
    x: float,
    y: float,
    words: object,
    *,
    bold: bool = False,
    anchor: Anchor = "start",
    size_pt: float = SIZE_PT,
    room_pt: float | None = None,
) -> float:
    """Words on one line, in the fonts that they need; cut where they are wider than the room.

    Returns:
        Their width in points.
    """
    font, told = BOLD if bold else BODY, clean(words)
    if room_pt is not None:
        told = fitted(told, font, size_pt, room_pt)
    wide = width_pt(told, font, size_pt)
    at = x - {"start": 0.0, "middle": wide / 2, "end": wide}[anchor]
    for name, piece in runs(shown(told), font):
        drawing.add(String(at, y, piece, fontName=name, fontSize=size_pt, fillColor=INK))
        at += width_pt(piece, name, size_pt)
    return wide


def box(place: tuple[float, float, float, float], colour: Color, *, edge: Color = INK) -> Rect:
    """A filled rectangle with an outline, so that light colours stand off the paper."""
    look: dict[str, Any] = {"fillColor": colour, "strokeColor": edge, "strokeWidth": 0.3}
    return Rect(*place, **look)


def rule(
    ends: tuple[float, float, float, float], *, dashed: bool = False, colour: Color = INK, wide: float = 0.8
) -> Line:
    """A straight line."""
    look: dict[str, Any] = {"strokeColor": colour, "strokeWidth": wide}
    if dashed:
        look["strokeDashArray"] = [3, 2]
    return Line(*ends, **look)
