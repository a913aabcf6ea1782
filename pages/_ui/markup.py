"""Texts that may not be taken as markup: Streamlit reads most of what it shows as Markdown."""

from __future__ import annotations

import re

_TURNS = re.compile("[\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Characters that change the direction of the text around them."""
_RIGHT_TO_LEFT = "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
_WORDS = re.compile(f"{_RIGHT_TO_LEFT}(?:[^0-9A-Za-z:→]*{_RIGHT_TO_LEFT})?")
"""Words from right to left, but no figure and no Latin word between them: one line may hold texts of two people."""
_TEXT = re.compile(f"{_RIGHT_TO_LEFT}(?:.*{_RIGHT_TO_LEFT})?")
"""The same with all that stands within it."""
_STARTS = re.compile(r"^(\s*)([-+>#|=]|\d+(?=[.)](?:\s|$)))")
"""What makes a list, a quotation, a heading or a table, but only where a line begins."""
_MARKS = re.compile(
    r"[\\`*<&~$\[\]]"  # code, emphasis, tags, entities, struck out, formulas, links
    r"|:(?=\S)"  # icons and colours
    r"|(?<![^\W_])_|_(?![^\W_])"  # emphasis, but not within a word
)


def escaped(text: str, *, one_person: bool = False) -> str:
    """A text in which nothing is taken as markup or as a link, and that turns no text beside it around.

    Only what would be taken as markup gets a backslash: a widget's label is read aloud as it is written.

    Args:
        text: Any text.
        one_person: Somebody wrote all of it: figures within what is written from right to left belong to that.
    """
    text = _TURNS.sub("", text.replace("\n", " ")).replace("://", ":\u2060//").replace("www.", "www\u2060.")
    text = _MARKS.sub(r"\\\g<0>", text)
    # Kept apart, or a date behind it would be turned around.
    text = (_TEXT if one_person else _WORDS).sub("\u2068\\g<0>\u2069", text)
    return _STARTS.sub(_at_start, text)


def plain(text: str) -> str:
    """What a text that `escaped` or `bold` made safe says, for a place that reads no markup."""
    return re.sub(r"\\(.)", r"\1", text.removeprefix("**").removesuffix("**"))


def breakable(text: str) -> str:
    """The same, and a path in it may break after a slash or a low line: a table is no wider than its page."""
    return escaped(text).replace("/", "/\u200b").replace("_", "_\u200b")


def _at_start(match: re.Match[str]) -> str:
    blank, mark = match.groups()
    return f"{blank}{mark}\\" if mark.isdigit() else f"{blank}\\{mark}"


def bold(text: str) -> str:
    """A text in bold: Markdown takes stars beside a blank as stars."""
    inside = escaped(text.strip())
    return f"**{inside}**" if inside else ""


def with_code(text: str) -> str:
    """The planner's own text with its commands in `backticks` as code, and all else as `escaped` leaves it."""
    parts = text.split("`")
    if len(parts) % 2 == 0:
        return escaped(text)
    return "".join(f"`{part}`" if number % 2 else escaped(part) for number, part in enumerate(parts))
