"""What the drawing of the network is made of: boxes, lines and words at places, from the top left corner."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Level = Literal["none", "low", "busy", "high", "over"]
Fill = Literal["switch", "nodes", "hot", "file-system", "object", "other"]
Anchor = Literal["start", "middle", "end"]
CHARACTER = 0.56
"""Width of a character for each unit of its size, on average; a little more than the fonts need."""
SIZE, SMALL = 11.0, 10.0


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle from its upper left corner."""

    x: float
    y: float
    width: float
    height: float
    fill: Fill


@dataclass(frozen=True, slots=True)
class Wire:
    """A line through points, of one side or of both."""

    points: tuple[tuple[float, float], ...]
    level: Level
    side: str = ""


@dataclass(frozen=True, slots=True)
class Label:
    """Words on one line, at their base line.

    Attributes:
        room: Width that they may take.
        inside: They stand on a box, not on the ground.
        backed: Lines behind them are covered.
    """

    x: float
    y: float
    words: str
    size: float
    room: float
    bold: bool = False
    anchor: Anchor = "start"
    inside: bool = False
    backed: bool = False


@dataclass(slots=True)
class FabricDrawing:
    """The whole drawing; lines lie below boxes, words above both.

    Attributes:
        words: What it shows, for readers who cannot see it.
    """

    width: float
    height: float = 0.0
    boxes: list[Box] = field(default_factory=list)
    wires: list[Wire] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)
    words: str = ""

    def text(self, x: float, y: float, words: str, **look: object) -> None:
        """Write a line of words."""
        values: dict[str, object] = {"size": SIZE, "room": self.width - x, **look}
        self.labels.append(Label(x, y, words, **values))  # type: ignore[arg-type]
