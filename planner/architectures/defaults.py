"""What the classes of the families take where a configuration file is silent."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

DATA = Path(__file__).parents[2] / "data" / "architectures"


@functools.cache
def class_defaults() -> Mapping[str, Mapping[str, Any]]:
    """Class defaults and older names of keys by family, from `data/architectures`; read-only."""
    content = json.loads((DATA / "class_defaults.json").read_text(encoding="utf-8"))
    return MappingProxyType({name: _frozen(row) for name, row in content["families"].items()})


def _frozen(row: dict[str, dict[str, Any]]) -> Mapping[str, Any]:
    return MappingProxyType({key: MappingProxyType(values) for key, values in row.items()})
