"""A model configuration as its family's formula reads it: names, class defaults, types and bounds.

A key may be missing (the class default stands in, and is told), null, or written as a string; whatever
is not a plain number within bounds is refused with one line that names the key.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from planner.architectures.architecture import ArchitectureError
from planner.architectures.defaults import class_defaults
from planner.core.errors import shorten

Values = Mapping[str, Any]

_MOST_WORDS, _MOST_LAYERS, _MOST_EXPERTS = 1_000_000_000, 10_000, 100_000
"""Largest vocabulary, depth and number of experts that are taken for such."""
_LIMIT = 10_000_000
"""Largest dimension that is taken for one: a hundred times the widest published model."""
_RATIO_LIMIT = 1_000
"""Largest ratio that is taken for one, such as a width over another."""
_LONGEST_NUMBER = 40
"""Characters of a text that is read as a number."""
_LONGEST = 10_000
"""Most items of a list, one for each layer."""
_TRUE, _FALSE = ("true", "yes", "1"), ("false", "no", "0")
_ABSENT = object()


@dataclass(slots=True)
class Notes:
    """What was mended and what was assumed while a file was read."""

    remarks: list[str] = field(default_factory=list)
    assumed: list[str] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)

    def remark(self, text: str) -> None:
        """Note a mended or doubtful value, once."""
        if text not in self.remarks:
            self.remarks.append(text)

    def doubt(self, text: str) -> None:
        """Note that the file contradicts itself, once: no count of it is exact."""
        self.remark(text)
        if text not in self.doubts:
            self.doubts.append(text)

    def assume(self, text: str) -> None:
        """Note what was taken where the file is silent, once."""
        if text not in self.assumed:
            self.assumed.append(text)


class Config:
    """One object of a configuration file, read by the names that its class has for the keys."""

    def __init__(self, values: Values, family: str, notes: Notes, *, path: str = "") -> None:
        """Read `values` as a configuration of `family`; `path` is where it stands in the file."""
        known = class_defaults().get(family, {})
        self.values = values
        self.family = family
        self.notes = notes
        self.path = path
        self._defaults: Values = known.get("defaults", {})
        self._aliases: Mapping[str, str] = known.get("aliases", {})

    def _names(self, key: str) -> list[str]:
        """The key itself, the name that the class has for it, and the older names of that one."""
        own = self._aliases.get(key, key)
        older = [alias for alias, target in self._aliases.items() if target == own]
        return list(dict.fromkeys((own, key, *older)))

    def raw(self, key: str) -> Any:  # noqa: ANN401 - what JSON holds is anything until it is checked
        """What the file has under a key or an older name of it; the sentinel `absent` if nothing."""
        found = [(name, self.values[name]) for name in self._names(key) if name in self.values]
        stated = [item for item in found if item[1] is not None] or found
        if not stated:
            return _ABSENT
        name, value = stated[0]
        others = [item for item in stated[1:] if item[1] != value]
        if others:
            self.notes.doubt(f"{self._label(name)} and {others[0][0]} differ; the first was taken")
        return value

    def has(self, key: str) -> bool:
        """Whether the file states a value for the key."""
        return self.raw(key) not in (_ABSENT, None)

    def default(self, key: str) -> Any:  # noqa: ANN401
        """Class default of a key; None if it has none."""
        for name in self._names(key):
            if name in self._defaults:
                return self._defaults[name]
        return None

    def _label(self, key: str) -> str:
        return f"{self.path}{key}"

    def refuse(self, key: str, reason: str) -> ArchitectureError:
        """The error line for a key."""
        return ArchitectureError(f"{self._label(key)}: {reason}", field=self._label(key))

    def _stated(self, key: str) -> Any:  # noqa: ANN401
        """What the file states, or the class default, which is noted as assumed."""
        value = self.raw(key)
        if value is _ABSENT or value is None:
            value = self.default(key)
            if value is not None:
                self.notes.assume(f"{self._label(key)} {_shown(value)} (default of {self.family})")
        return value

    def count(self, key: str, *, least: int = 0, otherwise: int | None = None) -> int:
        """A whole number of at least `least`; `otherwise` where neither file nor class has one."""
        value = self._stated(key)
        if value is None:
            if otherwise is None:
                raise self.refuse(
                    key,
                    f"not in the file, and {self.family or 'the class'} has no default; a number is needed",
                )
            return otherwise
        return self._whole(key, value, least)

    def size(self, key: str, *, otherwise: int | None = None) -> int:
        """A dimension: a whole number of at least 1."""
        return self.count(key, least=1, otherwise=otherwise)

    def optional(self, key: str) -> int | None:
        """A dimension that the file may leave open with null; missing, it is the class default."""
        value = self.raw(key)
        if value is _ABSENT:
            value = self._stated(key)
        return None if value is None else self._whole(key, value, 1)

    def flag(self, key: str, *, otherwise: bool = False) -> bool:
        """A switch; `otherwise` where neither file nor class has one."""
        value = self.raw(key)
        if value is _ABSENT or value is None:
            value = self.default(key)
        if value is None:
            return otherwise
        return self._switch(key, value)

    def _switch(self, key: str, value: object) -> bool:
        if isinstance(value, bool):
            return value
        text = str(value).strip().lower()
        if text in _TRUE + _FALSE:
            self.notes.remark(f"{self._label(key)}: “{shorten(value)}” read as {_shown(text in _TRUE)}")
            return text in _TRUE
        raise self.refuse(key, f"“{shorten(value)}” is neither true nor false")

    def number(self, key: str, *, otherwise: float) -> float:
        """A positive number that need not be whole, such as a ratio."""
        value = self._stated(key)
        if value is None:
            return otherwise
        wanted = f"a number above 0, at most {_RATIO_LIMIT:,}"
        number = self._plain(key, value, wanted)
        if not 0 < number <= _RATIO_LIMIT:
            raise self.refuse(key, f"{shorten(value, 24)} is out of range; {wanted} is wanted")
        return number

    def word(self, key: str, *, otherwise: str = "") -> str:
        """A name; `otherwise` where neither file nor class has one."""
        value = self.raw(key)
        if value is _ABSENT or value is None:
            value = self.default(key)
        return value if isinstance(value, str) else otherwise

    def sizes(self, key: str) -> tuple[int, ...]:
        """A list of dimensions; a single one counts as a list of one; empty if there is none."""
        value = self._stated(key)
        items = value if isinstance(value, list | tuple) else [] if value is None else [value]
        self._check_length(key, items)
        return tuple(self._whole(key, item, 0) for item in items)

    def words(self, key: str) -> tuple[str, ...]:
        """A list of names, such as the kind of each layer; empty if there is none."""
        value = self.raw(key)
        if value is _ABSENT or value is None:
            return ()
        if not isinstance(value, list):
            raise self.refuse(key, f"“{shorten(value)}” is no list of names")
        self._check_length(key, value)
        return tuple(str(item) for item in value)

    def child(self, key: str, family: str) -> Config:
        """A nested configuration, read as one of `family` unless it names one itself."""
        value = self.raw(key)
        if value is _ABSENT or value is None:
            value = {}
        if not isinstance(value, dict):
            raise self.refuse(key, f"“{shorten(value)}” is no nested configuration")
        named = value.get("model_type")
        if isinstance(named, str) and named:
            family = named
        return Config(value, family, self.notes, path=f"{self._label(key)}.")

    def _check_length(self, key: str, items: list[Any] | tuple[Any, ...]) -> None:
        if len(items) > _LONGEST:
            raise self.refuse(key, f"{len(items):,} items; at most {_LONGEST:,}, one for each layer")

    def _whole(self, key: str, value: object, least: int) -> int:
        limit = _limit(key)
        wanted = f"a whole number from {least} to {limit:,}"
        number = self._plain(key, value, wanted)
        if number != int(number):
            raise self.refuse(key, f"{shorten(value)} is not whole; {wanted} is wanted")
        if not least <= number <= limit:
            raise self.refuse(key, f"{shorten(value, 24)} is out of range; {wanted} is wanted")
        return int(number)

    def _plain(self, key: str, value: object, wanted: str) -> float:
        """The number itself, out of a string too."""
        if isinstance(value, str):
            value = self._out_of_text(key, value, wanted)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.refuse(key, f"{_kind(value)} where {wanted} belongs")
        if not math.isfinite(value):
            what = "NaN is no number" if math.isnan(value) else "infinity or a number too large to be read"
            raise self.refuse(key, f"{what}; {wanted} is wanted")
        return value

    def _out_of_text(self, key: str, text: str, wanted: str) -> float:
        try:
            number = float(text) if len(text) <= _LONGEST_NUMBER else math.inf
        except ValueError:
            raise self.refuse(key, f"“{shorten(text)}” is not a number; {wanted} is wanted") from None
        self.notes.remark(f"{self._label(key)}: the number “{shorten(text)}” is written as a string")
        return int(number) if number.is_integer() else number


def _limit(key: str) -> int:
    """Largest value that is taken for what a key names."""
    if "vocab" in key:
        return _MOST_WORDS
    if key.endswith("_layers") or key in ("n_layer", "depth"):
        return _MOST_LAYERS
    return _MOST_EXPERTS if key.endswith("experts") else _LIMIT


def _kind(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return (
        "an object" if isinstance(value, dict) else "a list" if isinstance(value, list) else "something else"
    )


def _shown(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else shorten(value)
