"""Names of files out of names that people gave: letters of every script, safe on every system and in a ZIP."""

from __future__ import annotations

import unicodedata

TITLE_BYTES, REVISION_BYTES = 100, 50
"""Bytes of either part in UTF-8; with the end of the name they stay far below the 255 that file systems take."""
RESERVED = frozenset(
    ("con", "prn", "aux", "nul", *(f"{port}{number}" for port in ("com", "lpt") for number in range(10)))
)
"""Names that Windows keeps for devices, whatever their ending."""


def file_stem(title: str, revision: str = "") -> str:
    """The start of a file's name: letters and digits of title and revision, a dash for whatever stands between.

    It has no blank, dot, slash or control character, and is never empty or a name that Windows reserves.

    Args:
        title: Name of the design; any text. A long one is cut, so that the revision stays.
        revision: Number or name of the revision.
    """
    parts = (_joined(title, TITLE_BYTES), _joined(revision, REVISION_BYTES))
    stem = "-".join(part for part in parts if part) or "design"
    return f"design-{stem}" if stem in RESERVED else stem


def _joined(text: str, most_bytes: int) -> str:
    """Words of a text, composed and in small letters, with dashes between them."""
    known = unicodedata.normalize("NFKC", text).lower()
    words = "".join(c if unicodedata.category(c)[0] in "LNM" else " " for c in known).split()
    return "-".join(words).encode()[:most_bytes].decode(errors="ignore").strip("-")
