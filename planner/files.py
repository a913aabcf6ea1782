"""Files that are written whole or not at all."""

from __future__ import annotations

import secrets
from pathlib import Path


def part_of(path: Path) -> Path:
    """A name beside a file, to write it under and to rename to it at the end; nobody else has a file of that name.

    A part of the file's own name stands in it: 50 letters, of up to four bytes each, stay inside the 255 that a name may have.
    """
    return path.with_name(f".{path.name[:50]}.{secrets.token_hex(8)}.part")
