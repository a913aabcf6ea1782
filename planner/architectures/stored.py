"""What a model's stored files say: the index of its shards, and the header of a safetensors file."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

from planner.architectures.architecture import Architecture, ArchitectureError, Kind, Part, Shape
from planner.architectures.config import Notes
from planner.architectures.tally import BUFFERS, COPIES, PREDICTION, ROUTED, SCALES, Tally
from planner.architectures.tensors import (
    DTYPE_BITS,
    experts_in,
    layers_in,
    part_of,
    prediction_part,
    prediction_prefixes,
    unnumbered,
)
from planner.architectures.text import refusal
from planner.core.errors import shorten
from planner.core.units import format_number, format_value

ALL_TENSORS = "All tensors"
MOST_PARAMETERS = 10**16
"""Largest total that is taken for one: ten thousand times the largest published model."""
_SHARD = re.compile(r"-(\d{3,6})-of-(\d{3,6})")
MAX_HEADER_BYTES = 5_000_000
"""Longest safetensors header that is read: room for forty thousand tensors, in one file."""
_MOST_REMARKS = 20
"""Remarks after which tensors of a wrong length are no longer told one by one."""
_ASSUMED_BYTES = 2
"""Bytes of a parameter where nothing says: most models are published as bfloat16."""
_BESIDE = (BUFFERS, SCALES, COPIES, PREDICTION)


def check_total(total: int) -> int:
    """The total itself.

    Raises:
        ArchitectureError: It is no size of a model.
    """
    if not 0 < total <= MOST_PARAMETERS:
        raise ArchitectureError(
            f"total_parameters: {shorten(total, 30)} is outside 1 to 10¹⁶; is every dimension right?",
            field="total_parameters",
        )
    return total


def _stated_number(metadata: Mapping[str, Any], key: str, *, where: str = "metadata") -> int | None:
    """A whole number above zero out of the metadata; None where there is none, since writers put texts there too.

    Raises:
        ArchitectureError: It is zero or less; the line names the key by `where` the file has it.
    """
    value = metadata.get(key)
    if isinstance(value, str) and value.strip().isdigit() and len(value) < 20:
        value = int(value)
    if isinstance(value, float) and math.isfinite(value) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    if value <= 0:
        raise ArchitectureError(
            f"{where}.{shorten(key)}: {shorten(value)} is not above zero", field=f"{where}.{shorten(key)}"
        )
    return value


def read_index(values: Mapping[str, Any], notes: Notes, *, source: str) -> Architecture:
    """A model by the index of its shards: its stated total, or its stored bytes.

    Raises:
        ArchitectureError: The index states neither, or no tensors.
    """
    weights, metadata = values["weight_map"], values.get("metadata")
    if not isinstance(weights, dict) or not weights:
        raise ArchitectureError(
            "weight_map: it lists no tensors; a complete index is needed", field="weight_map"
        )
    metadata = metadata if isinstance(metadata, dict) else {}
    size, stated = _stated_number(metadata, "total_size"), _stated_number(metadata, "total_parameters")
    if size is None and stated is None:
        raise ArchitectureError(
            "metadata: neither total_parameters nor total_size is in the index; take the config.json beside it",
            field="metadata",
        )
    names = list(weights)
    kind: Kind = "stated" if stated else "stored"
    total = check_total(stated or _from_bytes(size or 0, names, notes))
    experts = experts_in(names)
    if experts:
        notes.assume(f"all {experts} experts active (an index does not say how many are chosen)")
    return Architecture(
        name="",
        family="",
        kind=kind,
        total_parameters=total,
        active_parameters=total,
        breakdown=(Part(ALL_TENSORS, total, total),),
        shape=Shape(layers_count=layers_in(names), experts_count=experts or None),
        stored_bytes=size,
        remarks=tuple(notes.remarks),
        assumed=tuple(notes.assumed),
        source=source,
    )


def _from_bytes(size: int, names: list[str], notes: Notes) -> int:
    """Parameters in so many bytes, by the number format that the names give away."""
    joined = "\n".join(names) + "\n"
    if any(f"{end}\n" in joined for end in ("qweight", "absmax", "weight_packed", "_blocks")):
        notes.assume("half a byte per parameter (the names are those of 4-bit weights)")
        return size * 2
    if "scale_inv\n" in joined:
        notes.assume("1 byte per parameter (the names are those of 8-bit weights)")
        return size
    notes.assume(f"{_ASSUMED_BYTES} bytes per parameter (an index does not state the number format)")
    notes.remark(
        f"if the {format_value(size, 'bytes')} hold 4-byte numbers there are half as many parameters"
    )
    return size // _ASSUMED_BYTES


def header_in(content: bytes) -> bytes | None:
    """The JSON header out of the first bytes of a safetensors file; None if it is none.

    Raises:
        ArchitectureError: The header is cut off or too long.
    """
    if len(content) < 10 or content[8:9] != b"{":
        return None
    length = int.from_bytes(content[:8], "little")
    if not 2 <= length < 2**40:
        return None
    if length > MAX_HEADER_BYTES:
        raise ArchitectureError(
            f"the safetensors header is {format_value(length, 'bytes')}; at most {format_value(MAX_HEADER_BYTES, 'bytes')} is read"
        )
    if len(content) < 8 + length:
        raise ArchitectureError(
            f"the safetensors header is cut off: {len(content):,} bytes are here, its first {length + 8:,} are needed"
        )
    return content[8 : 8 + length]


def is_header(values: Mapping[str, Any]) -> bool:
    """Whether an object is the header of a safetensors file."""
    tensors = [value for key, value in values.items() if key != "__metadata__"]
    return bool(tensors) and all(isinstance(t, dict) and "dtype" in t and "shape" in t for t in tensors)


def read_header(values: Mapping[str, Any], notes: Notes, *, source: str, filename: str = "") -> Architecture:
    """A model, or one shard of it, by the shapes of its tensors.

    Raises:
        ArchitectureError: A shape or a number format is none.
    """
    tensors = {key: value for key, value in values.items() if key != "__metadata__"}
    tally, stored, formats = Tally(), 0, dict[str, int]()
    prefixes, packed = prediction_prefixes(tensors), _packed_names(tensors)
    for name, tensor in tensors.items():
        numbers, bits = _size(name, tensor, notes)
        stored += (numbers * bits + 7) // 8
        formats[tensor["dtype"]] = formats.get(tensor["dtype"], 0) + numbers
        part = prediction_part(name) if prefixes and name.startswith(prefixes) else part_of(unnumbered(name))
        numbers *= _unpacked(name, tensor["dtype"], packed, notes)
        (tally.beside if part in _BESIDE else tally.add)(part, numbers)
    total = check_total(tally.total)
    _note_shard(filename or source, notes)
    _note_experts(tally, notes)
    for extra in tally.extras():
        count = format_number(extra.parameters, None)
        notes.remark(f"{count} numbers are no parameters of the main model: {extra.name.lower()}")
    return Architecture(
        name=_header_name(values),
        family="",
        kind="estimate" if any("per packed" in text for text in notes.assumed) else "stated",
        total_parameters=total,
        active_parameters=tally.active,
        breakdown=tally.parts(),
        shape=Shape(layers_count=layers_in(n for n in tensors if not (prefixes and n.startswith(prefixes)))),
        beside=tally.extras(),
        stored_dtype=max(formats, key=lambda name: formats[name]),
        stored_bytes=stored,
        remarks=tuple(notes.remarks),
        assumed=tuple(notes.assumed),
        source=source,
    )


def _header_name(values: Mapping[str, Any]) -> str:
    metadata = values.get("__metadata__")
    title = metadata.get("modelspec.title") if isinstance(metadata, dict) else None
    return shorten(title) if isinstance(title, str) else ""


def _size(name: str, tensor: Mapping[str, Any], notes: Notes) -> tuple[int, int]:
    """Numbers of one tensor, and bits of each."""
    shape, dtype = tensor["shape"], tensor["dtype"]
    if not isinstance(dtype, str) or dtype not in DTYPE_BITS:
        raise _impossible(name, f"dtype “{shorten(dtype)}” is none of {', '.join(DTYPE_BITS)}")
    if not isinstance(shape, list) or len(shape) > 16 or not all(map(_is_side, shape)):
        raise _impossible(name, f"shape {shorten(shape)} is no list of whole numbers from 0")
    numbers, bits = math.prod(shape), DTYPE_BITS[dtype]
    if numbers > MOST_PARAMETERS:
        raise _impossible(name, f"shape {shorten(shape)} holds more numbers than any model")
    offsets = tensor.get("data_offsets")
    if _length(offsets) not in (None, (numbers * bits + 7) // 8) and len(notes.remarks) < _MOST_REMARKS:
        notes.remark(f"{shorten(name)}: its place in the file does not have the size of its shape")
    return numbers, bits


def _length(offsets: object) -> int | None:
    """Bytes between two offsets; None if they are none."""
    if isinstance(offsets, list) and len(offsets) == 2 and all(map(_is_side, offsets)):
        return int(offsets[1] - offsets[0])
    return None


def _impossible(name: str, reason: str) -> ArchitectureError:
    return ArchitectureError(f"{shorten(name)}: {reason}", field=shorten(name))


def _is_side(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**63


def _packed_names(tensors: Mapping[str, Any]) -> frozenset[str]:
    """Tensors of bytes that hold two 4-bit numbers each, by the scales that stand beside them."""
    return frozenset(name.removesuffix(".absmax") for name in tensors if name.endswith(".absmax"))


def _unpacked(name: str, dtype: str, packed: frozenset[str], notes: Notes) -> int:
    """Parameters that one stored number holds."""
    if dtype == "U8" and (name in packed or name.endswith("_blocks")):
        notes.remark("4-bit weights are stored two to a byte and counted singly")
        return 2
    if dtype == "I32" and name.endswith(("qweight", "weight_packed")):
        notes.assume("8 parameters per packed 32-bit word (4-bit weights)")
        return 8
    return 1


def _note_shard(filename: str, notes: Notes) -> None:
    match = _SHARD.search(filename)
    if match and int(match.group(2)) > 1:
        notes.remark(f"one of {int(match.group(2))} shards: only the tensors of this file are counted")


def _note_experts(tally: Tally, notes: Notes) -> None:
    if any(part.name == ROUTED for part in tally.parts()):
        notes.assume("all experts active (the header does not say how many are chosen)")


def model_information(values: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The part on safetensors in a model's description as the Hub's interface gives it; None if none."""
    told = values.get("safetensors")
    return told if isinstance(told, dict) and ("total" in told or "parameters" in told) else None


def read_information(values: Mapping[str, Any], notes: Notes, *, source: str) -> Architecture:
    """A model by the totals that the Hub states for it.

    Raises:
        ArchitectureError: It states none.
    """
    told = model_information(values) or {}
    formats = told.get("parameters")
    formats = formats if isinstance(formats, dict) else {}
    counts = {
        shorten(name): _stated_number(formats, name, where="safetensors.parameters") or 0
        for name, count in formats.items()
        if count != 0  # a format that no tensor has
    }
    total = check_total(_stated_number(told, "total", where="safetensors") or sum(counts.values()))
    name = values.get("modelId") or values.get("id") or ""
    return Architecture(
        name=shorten(name),
        family="",
        kind="stated",
        total_parameters=total,
        active_parameters=total,
        breakdown=(Part(ALL_TENSORS, total, total),),
        stored_dtype=max(counts, key=lambda name: counts[name]) if counts else "",
        remarks=(*notes.remarks, "the Hub counts whatever is stored: buffers, scales and copies too"),
        assumed=tuple(notes.assumed),
        source=source,
    )


def raw_json(header: bytes) -> str:
    """Text of a safetensors header.

    Raises:
        ArchitectureError: It is no UTF-8.
    """
    try:
        return header.decode("utf-8")
    except UnicodeDecodeError:
        raise refusal("a file that begins like safetensors but has no readable header") from None
