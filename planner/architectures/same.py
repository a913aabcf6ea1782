"""Whether several files are one model's: what no two files of one model can say."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations

from planner.architectures.architecture import Architecture, ArchitectureError
from planner.architectures.stored import ALL_TENSORS
from planner.architectures.tally import EMBEDDING
from planner.core.errors import shorten
from planner.core.units import format_number, format_value

ONE_MODEL_FRACTION = 0.5
"""Totals further apart than this are no two accounts of one model."""
ESTIMATE_FRACTION = 0.03
"""A formula that had to assume something may miss the exact count of the same model by this."""
LEAST_BYTES, MOST_BYTES = 0.2, 9.0
"""Bytes for each parameter that stored weights can have: below 2-bit numbers, above 8-byte ones."""
MOST_PACKED = 16
"""Quantised weights that one stored number can hold: 2-bit ones in a 32-bit word."""
_SHARD = re.compile(r"^(.*)-(\d{3,6})-of-(\d{3,6})")


def check_one_model(architectures: Sequence[Architecture]) -> None:
    """Refuse files of different models.

    Raises:
        ArchitectureError: Two of them cannot be one model's; one line that names both.
    """
    counted = [a for a in architectures if a.counted]
    for one, other in combinations(counted, 2):
        allowed = 0.0 if one.kind == other.kind == "exact" else ESTIMATE_FRACTION
        if _apart(one.total_parameters, other.total_parameters) > allowed:
            raise _different(one, other)
    wholes = [a for a in architectures if not a.counted and a.breakdown[0].name == ALL_TENSORS]
    headers = [a for a in architectures if not a.counted and a.breakdown[0].name != ALL_TENSORS]
    for one, other in combinations(wholes, 2):
        if (
            one.kind == other.kind
            and _apart(one.total_parameters, other.total_parameters) > ESTIMATE_FRACTION
        ):
            raise _different(one, other)
    _check_shards(headers)
    if counted:
        for whole in wholes:
            _check_whole(counted[0], whole)
    _check_sum(counted, wholes, headers)


def _check_whole(counted: Architecture, whole: Architecture) -> None:
    """A stated total, or stored bytes, against the configuration."""
    if whole.kind == "stored":
        if not LEAST_BYTES <= (whole.stored_bytes or 0) / counted.total_parameters <= MOST_BYTES:
            raise _different(counted, whole)
    elif _apart(counted.total_parameters, whole.total_parameters) > ONE_MODEL_FRACTION:
        packed = any("quantised" in text for text in counted.remarks)
        if not (packed and 1 <= counted.total_parameters / whole.total_parameters <= MOST_PACKED):
            raise _different(counted, whole)


def _check_sum(
    counted: Sequence[Architecture], wholes: Sequence[Architecture], headers: Sequence[Architecture]
) -> None:
    """All tensors that are here against the whole; fewer are a remark's matter if shards are missing."""
    stated = [a for a in wholes if a.kind == "stated"]
    against = next(iter((*counted, *stated)), None)
    if against is None or not headers:
        return
    here = sum(a.total_parameters for a in headers)
    if here < against.total_parameters and missing_shards(headers):
        return
    if _apart(here, against.total_parameters) > ONE_MODEL_FRACTION:
        raise _different(against, headers[0])


def _check_shards(headers: Sequence[Architecture]) -> None:
    """Shards of one set, each once; whole files beside each other only if one alone is a language model."""
    seen: dict[tuple[str, int], Architecture] = {}
    first: tuple[tuple[str, int], Architecture] | None = None
    for header in headers:
        match = _SHARD.search(header.source)
        if match is None:
            continue
        stem, number, count = match.group(1), int(match.group(2)), int(match.group(3))
        series = (stem, count)
        if (first is not None and first[0] != series) or (stem, number) in seen:
            raise _different(seen.get((stem, number)) or (first[1] if first else header), header)
        first = first or (series, header)
        seen[(stem, number)] = header
    whole = [a for a in headers if not _SHARD.search(a.source) and _embeds(a)]
    if len(whole) > 1:
        raise _different(whole[0], whole[1])


def _embeds(architecture: Architecture) -> bool:
    return any(part.name == EMBEDDING for part in architecture.breakdown)


def missing_shards(files: Sequence[Architecture]) -> str:
    """How many shards of a set are here, in words; empty if the set is whole or there is none."""
    matches = [match for a in files if (match := _SHARD.search(a.source))]
    if not matches:
        return ""
    count = int(matches[0].group(3))
    return f"only {len(matches)} of {count} shards are here" if len(matches) < count else ""


def _apart(one: int, other: int) -> float:
    return abs(one - other) / max(one, other)


def _different(one: Architecture, other: Architecture) -> ArchitectureError:
    return ArchitectureError(
        f"these files are of different models: {_told(one)} and {_told(other)}; give the files of one model",
        field="model",
    )


def _told(architecture: Architecture) -> str:
    """A file with what it says of the model's size."""
    if architecture.kind == "stored":
        size = f"{format_value(architecture.stored_bytes or 0, 'bytes')} stored"
    else:
        size = f"{format_number(architecture.total_parameters, None)} parameters"
    name = f"{shorten(architecture.name, 40)}, " if architecture.name else ""
    return f"{architecture.source} ({name}{size})"
