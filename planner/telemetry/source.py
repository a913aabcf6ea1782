"""The text of a file or of bytes, in pieces of bounded size, whatever its encoding."""

from __future__ import annotations

import codecs
import io
import os
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import BinaryIO

from planner.core.errors import PlannerError, shorten

MAX_BYTES = 100 * 10**6
"""Largest file that is read."""
PIECE_BYTES = 2**18
"""A file is held in memory a piece at a time, never whole."""
_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))

_ARCHIVES = (
    (b"PK\x03\x04", "zip"), (b"\x1f\x8b", "gzip"), (b"BZh", "bzip2"), (b"\xfd7zXZ\x00", "xz"), (b"\x28\xb5\x2f\xfd", "zstd"),
)  # fmt: skip

Source = str | os.PathLike[str] | bytes


def _opened(source: Source) -> AbstractContextManager[BinaryIO]:
    if isinstance(source, bytes):
        return io.BytesIO(source)
    if os.fspath(source) == "-":
        return nullcontext(sys.stdin.buffer)
    return Path(source).open("rb")


def _raw_pieces(source: Source, name: str) -> Iterator[bytes]:
    """The bytes piece by piece, up to the cap.

    Raises:
        PlannerError: They cannot be read, or are too many.
    """
    # What is known to be too large from the start need not be read to its hundredth megabyte.
    size = _size(source)
    try:
        with _opened(source) as file:
            size = 0 if size <= MAX_BYTES else size
            while size <= MAX_BYTES and (piece := file.read(PIECE_BYTES)):
                size += len(piece)
                if size <= MAX_BYTES:
                    yield piece
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "the file cannot be read"
        raise PlannerError(f"{name}: {reason}", field=name) from None
    if size > MAX_BYTES:
        limit = f"larger than {MAX_BYTES // 10**6} MB, the most that is read; split it"
        raise PlannerError(f"{name}: {limit}", field=name)


def _size(source: Source) -> int:
    """Size that is known before reading; 0 where it is not."""
    if isinstance(source, bytes):
        return len(source)
    try:
        return Path(source).stat().st_size if os.fspath(source) != "-" else 0
    except (OSError, ValueError):
        return 0


def _refuse_archive(piece: bytes, name: str) -> None:
    """A packed file may hold several machines' outputs, so it is not looked into.

    Raises:
        PlannerError: It is one.
    """
    kind = next((kind for mark, kind in _ARCHIVES if piece.startswith(mark)), "")
    if kind:
        raise PlannerError(f"{name}: packed with {kind}; unpack it and give the files in it", field=name)


def _encoding(piece: bytes) -> tuple[bytes, str]:
    """Mark and encoding of a text by its first bytes; UTF-16 without its mark has a zero beside its first sign."""
    for mark, encoding in _MARKS:
        if piece.startswith(mark):
            return mark, encoding
    zeros = [sign == 0 for sign in piece[:4]]
    if zeros == [False, True, False, True]:
        return b"", "utf-16-le"
    return b"", "utf-16-be" if zeros == [True, False, True, False] else "utf-8"


def text_pieces(source: Source, *, name: str) -> Iterator[str]:
    """The text piece by piece; what is no text in its encoding becomes a replacement sign.

    UTF-16 with its mark is what a Windows shell writes when output is redirected to a file.

    Args:
        source: Path of a file, "-" for standard input, or the bytes themselves.
        name: What to call it in an error line.

    Raises:
        PlannerError: The file cannot be read, is packed, or is larger than `MAX_BYTES`.
    """
    decode = None
    for piece in _raw_pieces(source, name):
        mark = b""
        if decode is None:
            _refuse_archive(piece, name)
            mark, encoding = _encoding(piece)
            decode = codecs.getincrementaldecoder(encoding)(errors="replace").decode
        yield decode(piece[len(mark) :])
    if decode is not None:
        yield decode(b"", True)


def stem(name: str) -> str:
    """A file's name without folder and ending, to call a drive by whose output does not name it."""
    return shorten(Path(name.replace("\0", "")).stem, 60)
