"""Models: from the files that describe them to exact parameter counts.

`read_architecture` takes one file, `reconcile` weighs several files of one model against each other,
`library` lists the configurations that come with the planner, and `describe` prints any of them.
"""

from planner.architectures.architecture import Architecture, ArchitectureError, Kind, Part, Shape
from planner.architectures.describe import as_json, describe
from planner.architectures.families import FAMILIES
from planner.architectures.library import Entry, library, library_architecture
from planner.architectures.reading import read_architecture
from planner.architectures.reconcile import reconcile
from planner.architectures.text import MAX_BYTES, MAX_INDEX_BYTES

__all__ = [
    "FAMILIES",
    "MAX_BYTES",
    "MAX_INDEX_BYTES",
    "Architecture",
    "ArchitectureError",
    "Entry",
    "Kind",
    "Part",
    "Shape",
    "as_json",
    "describe",
    "library",
    "library_architecture",
    "read_architecture",
    "reconcile",
]
