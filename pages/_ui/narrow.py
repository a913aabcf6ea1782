"""What has no room on a narrow screen: a table becomes blocks, a formula goes on in a second line.

Streamlit lets what is wider than the page scroll in a box, and nothing says so. A script cannot know how wide the
screen is, so the browser decides, by the room of each table: one in a popover or beside the inputs follows the room
that it has there. Each row becomes a block and each cell a line with the name of its column before it; a style sheet
cannot read a heading, so each table says what its columns are called.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from pages._ui.markup import plain

ROOM_REM = {3: 30, 5: 36, 7: 48}
"""Columns from which a table is laid out in blocks where it has less room than this; two columns fit everywhere."""
ALL = """
[data-testid="stTable"] { container-type: inline-size; }
.katex-display > .katex { white-space: normal; }
.katex-display .base { margin-block: 0.25rem; }
.katex-display { padding-inline: 0.2em; }
@media (width < 40rem) { .katex-display { font-size: 0.82em; } }
"""
"""A table follows its room; a long formula goes on in a second line, and is smaller on a phone, where some of its
parts that cannot be broken are wider than the screen. Slanted letters lean out of their box by a pixel or two."""
BLOCKS = """
@container (width < {room}rem) {
  [data-testid="stTable"] table:has(td:nth-child({columns})) {
    &, tbody, tr { display: block; }
    thead { position: absolute; height: 1px; width: 1px; overflow: hidden; clip-path: inset(50%); }
    tr { padding-block: 0.5rem; }
    tr + tr { border-top: 1px solid color-mix(in srgb, currentColor 25%, transparent); }
    td { display: var(--laid-out, flex); align-items: baseline; gap: 0.75rem; }
    td { padding: 0.1rem 0 !important; border: none; white-space: normal; }
    td::before { content: var(--column); flex: 0 0 36%; opacity: 0.75; overflow-wrap: anywhere; }
    td:first-child { font-weight: 600; }
    td:first-child::before { content: none; }
    td > div { min-width: 0; overflow: visible; overflow-wrap: anywhere; }
  }
}
"""


def layout() -> None:
    """How every table of a screen is laid out where it has no room."""
    rules = (
        BLOCKS.replace("{room}", str(room)).replace("{columns}", str(columns))
        for columns, room in ROOM_REM.items()
    )
    st.html(f"<style>{ALL}{''.join(rules)}</style>")


def name_cells(rows: Sequence[Mapping[str, str]], alt: str) -> None:
    """What the cells of the table with this text alternative are called in blocks; one that says nothing is left out."""
    table = f'[data-testid="stTable"] table[aria-label={_quoted(alt)}]'
    columns = list(dict.fromkeys(name for row in rows for name in row))
    rules = [
        f"{table} td:nth-child({place}) {{ --column: {_quoted(plain(name))}; }}"
        for place, name in enumerate(columns, start=1)
    ]
    blank = [
        f"tr:nth-child({line}) td:nth-child({place})"
        for line, row in enumerate(rows, start=1)
        for place, name in enumerate(columns, start=1)
        if not row.get(name)
    ]
    if blank:
        rules.append(f"{table} :is({', '.join(blank)}) {{ --laid-out: none; }}")
    st.html(f"<style>{' '.join(rules)}</style>")


def _quoted(text: str) -> str:
    """A text as a string of CSS: all but plain letters and digits by number, so that nothing in it can end it."""
    return '"' + "".join(c if c.isascii() and c.isalnum() else f"\\{ord(c):x} " for c in text) + '"'
