"""What has no room on a narrow screen: a table becomes blocks, a formula goes on in a second line.

Streamlit lets what is wider than the page scroll in a box, and nothing says so. A script cannot know how wide the
screen is, so the browser decides, by the room of each table: one in a popover or beside the inputs follows the room
that it has there. Each row becomes a block and each cell a line with the name of its column before it. A style sheet
can neither read a heading nor measure a word, so each table says what its columns are called and what room it needs.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Sequence

import streamlit as st

from pages._ui import session
from pages._ui.markup import plain
from planner.documents.text import BODY, clean, fonts, width_pt

FONT_PX, PADDING_PX, FIRST_PADDING_PX, WIDEST_PX = 14.0, 22.0, 12.0, 400.0
"""Size of the letters of a table, blanks beside a cell and the first one, and the width at which a cell breaks."""
ENDLESS_PX = 1e6
"""More room than any screen has."""
MOST_LINES = 8
"""A table in which a cell takes more lines than this is easier to read in blocks."""
_DIRECTIVE = re.compile(r"(?<!\\):[a-z-]+\[([^\[\]]*)\]")
"""Colour and icon of a part of a text: `:green[✔]`."""
_BREAKS = re.compile(r"[ \u200b]|(?<=-)")
ALL = """
[data-testid="stTable"] { container-type: inline-size; }
.katex-display > .katex { white-space: normal; }
.katex-display .base { margin-block: 0.25rem; }
.katex-display { padding-inline: 0.2em; }
@media (width < 40rem) { .katex-display { font-size: 0.82em; } }
[data-testid="stHorizontalBlock"]:has(> [data-testid="stColumn"] .st-key-ui-group) {
  @media (width < 56rem) { > [data-testid="stColumn"] { min-width: calc(100% - 1.5rem); } }
  @media (width >= 56rem) { flex-wrap: nowrap; > [data-testid="stColumn"]:first-child { min-width: 20rem; } }
}
"""
"""A table follows its room; a long formula goes on in a second line, and is smaller on a phone, where some of its
parts that cannot be broken are wider than the screen. Slanted letters lean out of their box by a pixel or two. Inputs
and the section beside them stand one above the other where a value would not fit into its field."""
BLOCKS = """
@container (width < ROOMpx) { TABLE {
  &, tbody, tr { display: block; }
  thead { position: absolute; height: 1px; width: 1px; overflow: hidden; clip-path: inset(50%); }
  tr { padding-block: 0.5rem; }
  tr + tr { border-top: 1px solid color-mix(in srgb, currentColor 25%, transparent); }
  td { display: var(--laid-out, flex); align-items: baseline; gap: 0.75rem; padding: 0.1rem 0 !important; border: none; }
  td { white-space: normal; }
  td::before { content: var(--column); flex: 0 0 36%; opacity: 0.75; overflow-wrap: anywhere; }
  td:first-child { font-weight: 600; }
  td:first-child::before { content: none; }
  td > div { min-width: 0; overflow: visible; }
  td > div, td > div * { overflow-wrap: anywhere; }
} }
"""


def layout() -> None:
    """How tables and formulas are laid out on every screen; once in each run, before the first table."""
    session.put("_tables", [])
    st.html(f"<style>{ALL}</style>")


def fit(rows: Sequence[Mapping[str, str]], alt: str) -> str:
    """Lay a table out in blocks where it has no room.

    Args:
        rows: What the table says, safe inside markup.
        alt: The text alternative that is wished for it.

    Returns:
        The text alternative by which the rules know it: another table of this run with the same one gets a number.
    """
    taken: list[str] = session.get("_tables", [])
    same = taken.count(alt)
    session.put("_tables", [*taken, alt])
    own = f"{alt} ({same + 1})" if same else alt
    table = f'[data-testid="stTable"] table[aria-label={_quoted(own)}]'
    columns = list(dict.fromkeys(name for row in rows for name in row))
    rules = [BLOCKS.replace("ROOM", f"{_room_px(rows, columns):.0f}").replace("TABLE", table)]
    rules += (
        f"{table} td:nth-child({place}) {{ --column: {_quoted(plain(name))}; }}"
        for place, name in enumerate(columns, start=1)
    )
    blank = [
        f"tr:nth-child({line}) td:nth-child({place})"
        for line, row in enumerate(rows, start=1)
        for place, name in enumerate(columns, start=1)
        if not row.get(name)
    ]
    if blank:
        rules.append(f"{table} :is({', '.join(blank)}) {{ --laid-out: none; }}")
    st.html(f"<style>{' '.join(rules)}</style>")
    return own


def _room_px(rows: Sequence[Mapping[str, str]], columns: Sequence[str]) -> float:
    """Width at which every word fits into its column, and no cell takes more than `MOST_LINES`.

    No width is enough for a word that is wider than a cell may be: Streamlit would cut it off. The font that is
    measured is that of the documents, which is wider than most that screens have.
    """
    room = FIRST_PADDING_PX - PADDING_PX
    for name in columns:
        cells = [_cell_px(name), *(_cell_px(row.get(name, "")) for row in rows)]
        word, whole = max(word for word, _ in cells), max(whole for _, whole in cells)
        if word > WIDEST_PX:
            return ENDLESS_PX
        room += max(word, min(whole / MOST_LINES, WIDEST_PX)) + PADDING_PX
    return room


@functools.lru_cache(maxsize=8192)
def _cell_px(text: str) -> tuple[float, float]:
    """Width of the longest word of a cell, and of all of it on one line."""
    fonts()
    said = clean(plain(_DIRECTIVE.sub(r"\1", text)))
    words = _BREAKS.split(said)
    return max(width_pt(word, BODY, FONT_PX) for word in words), width_pt(said, BODY, FONT_PX)


def _quoted(text: str) -> str:
    """A text as a string of CSS: all but plain letters and digits by number, so that nothing in it can end it."""
    return '"' + "".join(c if c.isascii() and c.isalnum() else f"\\{ord(c):x} " for c in text) + '"'
