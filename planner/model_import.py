"""From a model's files to the inputs of a job."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from planner.architectures import (
    MAX_INDEX_BYTES,
    Architecture,
    ArchitectureError,
    library,
    library_architecture,
    read_architecture,
    reconcile,
)
from planner.architectures.tally import EMBEDDING, HEAD, ROUTED
from planner.core.errors import shorten
from planner.core.units import format_number, format_value

MAX_FILES = 300
"""Files of one model that are read together: more shards than any model has headers worth reading."""
LONGEST_NAME = 200
_CLASS = re.compile(r"[A-Z]\w*(For[A-Z]\w*|LMHeadModel|Model)")
"""The class of a model, which stands where a configuration has no name."""

Value = str | int | float | None


def model_of_files(files: Sequence[tuple[str, bytes]]) -> Architecture:
    """One model out of the files that were given for it.

    Args:
        files: Name and content of each.

    Raises:
        ArchitectureError: A file describes no model; the line names it.
    """
    _check_count(files)
    return _one([_read(name, content) for name, content in files])


def _check_count(files: Sequence[tuple[str, bytes]]) -> None:
    if len(files) > MAX_FILES:
        raise ArchitectureError(f"files: {len(files)} were given; at most {MAX_FILES} are read for one model")


def _read(name: str, content: bytes) -> Architecture:
    """What one file says; its name stands in the line if it says nothing."""
    try:
        return read_architecture(content, filename=name)
    except ArchitectureError as error:
        told = error.message
        raise ArchitectureError(
            told if not name or name in told else f"{shorten(name)}: {told}", field="model"
        ) from None


def _one(found: Sequence[Architecture]) -> Architecture:
    return found[0] if len(found) == 1 else reconcile(found)


def newest_model(
    files: Sequence[tuple[str, bytes]], *, new_count: int
) -> tuple[Architecture, tuple[str, ...]]:
    """The model of the newest files of a list, with the older ones as far as they are of the same model.

    Args:
        files: Name and content of each, the newest last.
        new_count: How many were added last.

    Returns:
        The model, and the names of the files that were left out: no model's, or another model's.

    Raises:
        ArchitectureError: One of the newest describes no model, or they are of different models.
    """
    _check_count(files)
    split = max(len(files) - new_count, 0)
    newest = [_read(name, content) for name, content in files[split:]]
    older, left = [], []
    for name, content in files[:split]:
        try:
            older.append((name, _read(name, content)))
        except ArchitectureError:
            left.append(name)
    if not newest:
        newest, older = [older[-1][1]] if older else [], older[:-1]
    try:
        return _one([*(found for _, found in older), *newest]), tuple(left)
    except ArchitectureError:
        if not older:
            raise
    return _one(newest), (*left, *(name for name, _ in older))


def check_size(name: str, size_bytes: int) -> None:
    """Refuse a file that is too large before it is read.

    Raises:
        ArchitectureError: It is larger than the largest kind of file may be.
    """
    if size_bytes > MAX_INDEX_BYTES:
        raise ArchitectureError(
            f"{shorten(name)}: {format_value(size_bytes, 'bytes')} are more than the "
            f"{format_value(MAX_INDEX_BYTES, 'bytes')} that are read; choose the config.json or the index",
            field="model",
        )


def inputs_of_model(architecture: Architecture, *, job: int = 0) -> Mapping[str, Value]:
    """Values of a job's inputs that describe a model, by path; None is AUTO.

    Raises:
        ArchitectureError: The model is smaller or larger than the planner takes.
    """
    total = architecture.total_parameters
    if not 1e6 <= total <= 1e15:
        raise ArchitectureError(
            f"parameters: {format_number(total)} are outside 1 000 000 to {format_number(1e15)}, which the planner takes",
            field=f"jobs.{job}.model.parameter_count",
        )
    shape, start = architecture.shape, f"jobs.{job}.model"
    embedding = _part(architecture, EMBEDDING) + _part(architecture, HEAD)
    experts = _part(architecture, ROUTED)
    return {
        f"{start}.name": _name(architecture)[:LONGEST_NAME],
        f"{start}.parameter_count": float(total),
        f"{start}.active_parameter_count": None
        if architecture.dense
        else float(max(architecture.active_parameters, 10**6)),
        f"{start}.layer_count": shape.layers_count or None,
        f"{start}.hidden_count": shape.hidden_size or None,
        f"{start}.embedding_parameter_count": float(embedding) or None,
        f"{start}.expert_parameter_count": float(experts) or None,
    }


def _name(architecture: Architecture) -> str:
    """What the file calls the model; the family and its size where that is only the class, "LlamaForCausalLM"."""
    name = architecture.name
    if name and not _CLASS.fullmatch(name):
        return name
    size = f"{format_number(architecture.total_parameters / 1e9)}B"
    return f"{architecture.family} {size}" if architecture.family else name or "imported model"


def _part(architecture: Architecture, name: str) -> int:
    return sum(part.parameters for part in architecture.breakdown if part.name == name)


def models_by_group() -> Mapping[str, tuple[tuple[str, str], ...]]:
    """Ids and names of the models that come with the planner, under their headings."""
    groups: dict[str, list[tuple[str, str]]] = {}
    for entry in library().values():
        groups.setdefault(entry.group, []).append((entry.id, entry.name))
    return {group: tuple(rows) for group, rows in groups.items()}


__all__ = [
    "check_size",
    "inputs_of_model",
    "library_architecture",
    "model_of_files",
    "models_by_group",
    "newest_model",
]
