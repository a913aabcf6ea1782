"""The drawings of a document as SVG files: network, racks, tiers, saves, goodput, endurance, power, cost."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from xml.sax.saxutils import escape

from reportlab.graphics import renderSVG
from reportlab.graphics.shapes import Drawing

from planner.documents.bars import cost_picture, rack_power_picture
from planner.documents.curves import endurance_picture, goodput_picture
from planner.documents.elevations import SIDES, elevation_svg, elevations
from planner.documents.pictures import save_picture, tiers_picture
from planner.documents.text import fonts
from planner.plan import Plan
from planner.sections.fabric_svg import fabric_svg
from planner.sections.machines import NO_PREFIXES

NETWORK_WIDTH_PX = 640.0
_FAMILIES = {
    "font-family: Body-Bold": "font-family: 'DejaVu Sans', Arial, sans-serif; font-weight: bold",
    "font-family: Body": "font-family: 'DejaVu Sans', Arial, sans-serif",
    "font-family: Wide": "font-family: 'Noto Sans CJK SC', 'DejaVu Sans', sans-serif",
}
"""Names of the embedded fonts, which a file of its own does not bring along."""
_PICTURES = {
    "tiers": tiers_picture,
    "save-time": save_picture,
    "goodput": goodput_picture,
    "endurance": endurance_picture,
    "rack-power": rack_power_picture,
    "cost": cost_picture,
}


def drawings(plan: Plan, *, mark: str = "", prefixes: Mapping[str, str] = NO_PREFIXES) -> dict[str, str]:
    """Every drawing by its file name; one that needs an unknown figure is left out.

    Args:
        plan: The plan.
        mark: What each file says of the design that it belongs to; any text.
        prefixes: How the site begins the names of machines, by how the planner begins them.
    """
    fonts()
    return {name: _marked(content, mark) for name, content in _every(plan, prefixes)}


def _every(plan: Plan, prefixes: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    yield "network.svg", fabric_svg(plan.fabric_drawing(width=NETWORK_WIDTH_PX), ground=True)
    for side in SIDES:
        for number, picture in enumerate(elevations(plan, side, prefixes), start=1):
            yield f"racks-{side}-{number}.svg", elevation_svg(picture)
    for name, make in _PICTURES.items():
        drawn = make(plan)
        if drawn is not None:
            yield f"{name}.svg", chart_svg(drawn)


def chart_svg(drawing: Drawing) -> str:
    """A chart of the document as SVG with fonts that a reader has."""
    found = str(renderSVG.drawToString(drawing))
    for name, family in _FAMILIES.items():
        found = re.sub(rf"{name}(?![\w-])", family, found)
    return found


def _marked(svg: str, mark: str) -> str:
    """The file with the design's mark in it, where programs look for it."""
    if not mark:
        return svg
    start = svg.index(">", svg.index("<svg")) + 1
    return f"{svg[:start]}<metadata>{escape(mark)}</metadata>{svg[start:]}"
