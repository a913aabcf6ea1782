"""The one exception that a person may see."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping

import numpy as np


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

    def called(self, labels: Mapping[str, str]) -> PlannerError:
        """The same refusal with its field called as the reader's screen calls it.

        Args:
            labels: What the screen calls each field; one that is not among them keeps its name.
        """
        label, head = labels.get(self.field), f"{self.field}: "
        told = self.message
        if label and told.startswith(head):
            told = f"{label}: {told.removeprefix(head)}"
        return PlannerError(told, field=self.field)


def shorten(value: object, limit: int = 60) -> str:
    """A value as it can stand in an error line: printable, on one line, at most `limit` long."""
    text = "".join(c if c.isprintable() else " " for c in str(value)[: limit * 4])
    return text if len(text) <= limit else text[: limit - 1] + "…"


def nearest(wanted: str, known: Iterable[str]) -> str:
    """`; did you mean …?` with the known name closest to `wanted`, or nothing if none is close."""
    close = difflib.get_close_matches(str(wanted)[:200], list(known), n=1, cutoff=0.6)
    return f"; did you mean {close[0]}?" if close else ""


def must_be(value: object, kind: type | tuple[type, ...], *, field: str, form: str) -> None:
    """Refuse what is not of the type that a caller has to give.

    Args:
        value: What was given.
        kind: The type that is needed.
        field: Name of the argument.
        form: What to give, in words.

    Raises:
        PlannerError: It is of another type.
    """
    if not isinstance(value, kind):
        told = f"“{shorten(value)}” ({type(value).__name__})"
        raise PlannerError(f"{field}: {told} is not allowed; give {form}", field=field)


def must_be_number(value: object, *, field: str) -> None:
    """Refuse what is no number: a text, a flag, nothing.

    Raises:
        PlannerError: It is none.
    """
    if isinstance(value, bool) or not isinstance(value, int | float | np.integer | np.floating):
        told = f"“{shorten(value)}” ({type(value).__name__})"
        raise PlannerError(f"{field}: {told} is not allowed; give a number", field=field)
