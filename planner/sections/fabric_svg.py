"""The drawing of the network as SVG text: no script, no link, no foreign font, every word escaped."""

from __future__ import annotations

from collections.abc import Iterator
from xml.sax.saxutils import escape, quoteattr

from planner.sections.fabric_shapes import CHARACTER, Box, FabricDrawing, Fill, Label, Level, Wire

FONT = "Source Sans Pro, Arial, DejaVu Sans, sans-serif"
INK, DARK_INK = "#1F1F1F", "#F2F2F2"
PAPER, DARK_PAPER = "#FFFFFF", "#0E1117"
FILLS: dict[Fill, str] = {
    "switch": "#EFD3E2",
    "nodes": "#DADADA",
    "hot": "#BFDDF0",
    "file-system": "#BFE6D8",
    "object": "#F8E3B8",
    "other": "#E6E6E6",
}
"""Tints of the colours that these have elsewhere; every box also says what it is."""
COLOURS: dict[Level, tuple[str, str]] = {
    "low": ("#0072B2", "#56B4E9"),
    "busy": ("#B07800", "#F0C040"),
    "high": ("#D55E00", "#FF9A5C"),
    "over": ("#882255", "#FFAABB"),
    "none": ("#8C8C8C", "#9A9A9A"),
}
"""Colour of a load on a light and on a dark ground, told apart by all; the words say it too."""
DASHES: dict[Level, tuple[float, ...]] = {
    "low": (),
    "busy": (7.0, 3.0),
    "high": (3.0, 2.0),
    "over": (1.5, 2.5),
    "none": (),
}
WIDTHS: dict[Level, float] = {"low": 1.4, "busy": 2.0, "high": 2.6, "over": 3.4, "none": 0.9}
"""Fuller hops have wider lines, in shorter dashes."""


def fabric_svg(drawing: FabricDrawing, *, dark: bool = False, ground: bool = False) -> str:
    """The drawing as a document of its own.

    Args:
        drawing: What is drawn.
        dark: For a dark ground.
        ground: Paint the ground too, for a file that may be opened on any.
    """
    size = f"{drawing.width:.6g}", f"{drawing.height:.6g}"
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size[0]} {size[1]}" width="{size[0]}" '
        f'height="{size[1]}" role="img" aria-label={quoteattr(plain(drawing.words))} font-family="{FONT}">'
    )
    return "\n".join((head, *_parts(drawing, dark=dark, ground=ground), "</svg>\n"))


def _parts(drawing: FabricDrawing, *, dark: bool, ground: bool) -> Iterator[str]:
    yield f"<title>Storage network</title><desc>{escape(plain(drawing.words))}</desc>"
    if ground:
        yield f'<rect width="100%" height="100%" fill="{DARK_PAPER if dark else PAPER}"/>'
    yield from (_wire(wire, dark=dark) for wire in drawing.wires)
    yield from (_box(box, dark=dark) for box in drawing.boxes)
    for label in drawing.labels:
        yield from _label(label, dark=dark)


def _wire(wire: Wire, *, dark: bool) -> str:
    points = " ".join(f"{x:.5g},{y:.5g}" for x, y in wire.points)
    dashes = " ".join(f"{part:g}" for part in DASHES[wire.level])
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    colour = COLOURS[wire.level][1 if dark else 0]
    return f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="{WIDTHS[wire.level]:g}"{dashed}/>'


def _box(box: Box, *, dark: bool) -> str:
    return (
        f'<rect x="{box.x:.5g}" y="{box.y:.5g}" width="{box.width:.5g}" height="{box.height:.5g}" rx="2" '
        f'fill="{FILLS[box.fill]}" stroke="{DARK_INK if dark else INK}" stroke-width="0.6"/>'
    )


def _label(label: Label, *, dark: bool) -> Iterator[str]:
    if label.backed:
        wide = min(label.size * CHARACTER * len(label.words) + 8, label.room + 8)
        left = label.x - {"start": 4.0, "middle": wide / 2, "end": wide - 4}[label.anchor]
        yield (
            f'<rect x="{left:.5g}" y="{label.y - label.size:.5g}" width="{wide:.5g}" '
            f'height="{label.size + 4:.5g}" fill="{DARK_PAPER if dark else PAPER}"/>'
        )
    ink = DARK_INK if dark and not label.inside else INK
    bold = ' font-weight="bold"' if label.bold else ""
    yield (
        f'<text x="{label.x:.5g}" y="{label.y:.5g}" font-size="{label.size:g}" text-anchor="{label.anchor}" '
        f'fill="{ink}"{bold}>{escape(fitted(label))}</text>'
    )


def fitted(label: Label) -> str:
    """The words as they fit their room, cut with dots where they are longer."""
    fits = int(label.room / (label.size * CHARACTER * 0.9))
    told = plain(label.words)
    return told if len(told) <= fits else told[: max(fits - 1, 1)] + "…"


def plain(words: str) -> str:
    """Words in which every character prints: thin and fixed spaces become plain ones."""
    return "".join(c if c.isprintable() else " " for c in words)
