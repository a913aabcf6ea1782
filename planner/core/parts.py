"""Parts of a result that are made when they are first asked for, and the names of all parts of one."""

from __future__ import annotations

import dataclasses
import functools
from typing import Any, TypeVar

T = TypeVar("T")


class Later(functools.cached_property[T]):
    """A part of a dataclass that is made when it is first asked for, and that belongs to it like a field.

    Whoever goes through all parts of a result by `part_names` meets it; a plain `cached_property` stays out.
    """


_NAMES: dict[type, tuple[str, ...]] = {}
"""Names that were looked up already, by class."""


def part_names(result: object) -> tuple[str, ...]:
    """Names of all parts of a result: its fields, then those that are made later.

    Args:
        result: An instance of a dataclass.
    """
    kind: Any = type(result)
    found = _NAMES.get(kind)
    if found is None:
        bases = reversed(kind.__mro__)
        later = [name for base in bases for name, item in vars(base).items() if isinstance(item, Later)]
        found = _NAMES[kind] = (*(field.name for field in dataclasses.fields(kind)), *later)
    return found
