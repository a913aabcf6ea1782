"""The configurations that come with the planner, each with where it was read."""

from __future__ import annotations

import csv
import functools
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType

from planner.architectures.architecture import Architecture, ArchitectureError
from planner.architectures.defaults import DATA
from planner.architectures.reading import read_architecture
from planner.core.errors import nearest, shorten


@dataclass(frozen=True, slots=True)
class Entry:
    """One configuration of the library.

    Attributes:
        id: Key; the configuration is the file `configs/<id>.json`.
        name: What people call the model.
        maker: Who published it.
        group: Heading that it is listed under.
        source: Where the configuration was read.
        grade: How well it is known: "seen" or "from memory".
        as_of: Date or month of the source.
        note: A remark on the configuration.
    """

    id: str
    name: str
    maker: str
    group: str
    source: str
    grade: str
    as_of: str
    note: str

    @property
    def path(self) -> Path:
        """File of the configuration."""
        return DATA / "configs" / f"{self.id}.json"


@functools.cache
def library() -> Mapping[str, Entry]:
    """Entries by id, in the order of the list; read-only."""
    with (DATA / "library.csv").open(encoding="utf-8", newline="") as file:
        rows = [
            Entry(
                id=row["id"],
                name=row["name"],
                maker=row["maker"],
                group=row["group"],
                source=row["source"],
                grade=row["confidence"],
                as_of=row["as_of"],
                note=row["notes"],
            )
            for row in csv.DictReader(file)
        ]
    return MappingProxyType({row.id: row for row in rows})


@functools.cache
def library_architecture(entry_id: str) -> Architecture:
    """The model of a library entry.

    Raises:
        ArchitectureError: There is no entry of that id.
    """
    entry = library().get(entry_id)
    if entry is None:
        raise ArchitectureError(
            f"model: “{shorten(entry_id)}” is not in the library{nearest(entry_id, library())}", field="model"
        )
    found = read_architecture(entry.path.read_bytes(), filename=entry.path.name)
    return replace(found, name=entry.name, source=f"{entry.source} ({entry.grade})")
