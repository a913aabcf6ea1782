"""The one exception that a person may see."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class PlannerError(ValueError):
    """A request that cannot be met, told in one line that a person can act on.

    The message names the field, the value, the allowed range and the nearest valid choice. Pages
    and the command line show the message and nothing else; every other exception is a defect.
    """

    def __init__(self, message: str, *, field: str = "") -> None:
        """Keep the line, and the path of the field that it speaks of."""
        super().__init__(message)
        self.field = field

    @property
    def message(self) -> str:
        """The line to show."""
        return str(self)


def shorten(value: object, limit: int = 60) -> str:
    """A value as it can stand in an error line: printable, on one line, at most `limit` long."""
    text = "".join(c if c.isprintable() else " " for c in str(value)[: limit * 4])
    return text if len(text) <= limit else text[: limit - 1] + "…"


def nearest(wanted: str, known: Iterable[str]) -> str:
    """`; did you mean …?` with the known name closest to `wanted`, or nothing if none is close."""
    close = difflib.get_close_matches(wanted[:200], list(known), n=1, cutoff=0.6)
    return f"; did you mean {close[0]}?" if close else ""
