"""What belongs together on a page: a heading with what it is over, a lead with its table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from reportlab.graphics.shapes import Drawing
from reportlab.platypus import CondPageBreak, Flowable, KeepTogether, Spacer

from planner.documents.drawing import Fitting
from planner.documents.lines import Lines
from planner.documents.page import WIDTH_PT
from planner.documents.parts import Grid, Heading, inside

MOST_PT = 640.0
"""Height that is asked of a page at most: every page has it, so that no break is asked for twice."""
LINES = 2
"""Lines of a paragraph that stand below its heading at least."""


def together(story: Sequence[Flowable]) -> Iterator[Flowable]:
    """The same story, with a break before each heading or lead that would stand apart from what follows it."""
    for number, part in enumerate(story):
        if isinstance(part, CondPageBreak):
            yield CondPageBreak(min(max(part.height, _needed(story[number + 1 :])), MOST_PT))
            continue
        after = story[number + 1] if number + 1 < len(story) else None
        if isinstance(part, Lines) and not isinstance(part, Heading) and isinstance(after, Grid):
            yield CondPageBreak(min(_tall(part) + after.least_pt, MOST_PT))
        yield part


def _needed(story: Sequence[Flowable]) -> float:
    """Height of headings and leads up to the first thing that may be broken, and of the least part of that."""
    height = 0.0
    for number, part in enumerate(story):
        if isinstance(part, CondPageBreak):
            continue
        if isinstance(part, Heading | Spacer):
            height += _tall(part)
        elif isinstance(part, Lines):
            leads = number + 1 < len(story) and isinstance(story[number + 1], Grid)
            height += _tall(part) if leads else min(_tall(part), LINES * part.style.leading)
            if not leads:
                return height
        else:
            return height + _least(part)
    return height


def _least(part: Flowable) -> float:
    """Height of what may not be torn from its heading."""
    if isinstance(part, Grid | Fitting):
        return part.least_pt
    if isinstance(part, KeepTogether):
        return sum(_tall(item) for item in inside(part, "_content"))
    return _tall(part) if isinstance(part, Drawing) else 0.0


def _tall(part: Flowable) -> float:
    """Height of a part with the space that it asks for above and below."""
    if isinstance(part, CondPageBreak):
        return 0.0
    height: float = part.wrap(WIDTH_PT, MOST_PT)[1]
    return height + part.getSpaceBefore() + part.getSpaceAfter()
