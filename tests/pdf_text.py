"""Words of a PDF, as a person copies them out of a viewer."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pypdfium2

HYPHEN = "\ufffe"
"""What PDFium gives for a hyphen at the end of a line, which may be one of hyphenation."""


def pages_in(file: bytes | Path) -> tuple[str, ...]:
    """Text of each page."""
    with closing(pypdfium2.PdfDocument(file)) as document:
        return tuple(_text(page) for page in document)


def words_in(file: bytes | Path) -> str:
    """Text of all pages on one line."""
    return " ".join(" ".join(pages_in(file)).split())


def _text(page: pypdfium2.PdfPage) -> str:
    with closing(page), closing(page.get_textpage()) as text:
        return text.get_text_range().replace(HYPHEN, "-")
