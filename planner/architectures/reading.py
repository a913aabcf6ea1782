"""The way in: any of the files that describe a model, told apart by what stands in them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from planner.architectures.architecture import Architecture, ArchitectureError, Kind
from planner.architectures.config import Config, Notes
from planner.architectures.estimate import estimated, estimated_tower, looks_like_decoder, missing, standard
from planner.architectures.families import FAMILIES, family_named, parts_are_known
from planner.architectures.heads import target_of
from planner.architectures.multimodal import JOINED, text_of
from planner.architectures.original import is_original, read_original
from planner.architectures.other import other_kind
from planner.architectures.shape import shape_of
from planner.architectures.stored import (
    MAX_HEADER_BYTES,
    check_total,
    header_in,
    is_header,
    model_information,
    raw_json,
    read_header,
    read_index,
    read_information,
)
from planner.architectures.tally import Tally
from planner.architectures.text import (
    ACCEPTED,
    MAX_BYTES,
    MAX_INDEX_BYTES,
    decode,
    read_object,
    refusal,
)
from planner.core.errors import nearest, shorten
from planner.core.units import format_number, format_value

PASTED = "pasted text"
_LISTS_TENSORS = re.compile(r'"(weight_map|data_offsets)"')


def read_architecture(content: bytes | str, *, filename: str = "") -> Architecture:
    """A model by one of its files: total and active parameters with their breakdown.

    The file is told by what stands in it, never by its name.

    Args:
        content: A Hugging Face `config.json`, a `*.index.json`, the header of a safetensors file or the
            file's first bytes, an original `params.json`, or a model's description from the Hub.
        filename: Name of the file, for the source line and to see whether it is one shard of several.

    Raises:
        ArchitectureError: The file is none of these, or says something impossible; one line.
    """
    notes = Notes()
    source = shorten(filename, 120) or PASTED
    if isinstance(content, bytes):
        header = header_in(content)
        if header is not None:
            values = read_object(raw_json(header), notes)
            return _described(values, notes, source=source, filename=filename)
        _check_size(len(content), MAX_INDEX_BYTES)
        content = decode(content, notes)
    _check_size(len(content), _most_bytes(content))
    return _described(read_object(content.lstrip("\ufeff"), notes), notes, source=source, filename=filename)


def _most_bytes(text: str) -> int:
    """Size to which a text is read, by what it lists."""
    found = _LISTS_TENSORS.search(text)
    if found is None:
        return MAX_BYTES
    return MAX_INDEX_BYTES if found.group(1) == "weight_map" else MAX_HEADER_BYTES


def _check_size(size: int, most: int) -> None:
    if size > most:
        raise ArchitectureError(
            f"the file is {format_value(size, 'bytes')}; read are configurations up to {format_value(MAX_BYTES, 'bytes')},"
            f" headers up to {format_value(MAX_HEADER_BYTES, 'bytes')}, indexes up to {format_value(MAX_INDEX_BYTES, 'bytes')}"
        )


def _described(values: dict[str, Any], notes: Notes, *, source: str, filename: str) -> Architecture:
    """The model that an object describes, once it is known what kind of file it comes from."""
    if isinstance(values.get("weight_map"), dict):
        return read_index(values, notes, source=source)
    if is_header(values):
        return read_header(values, notes, source=source, filename=filename)
    if model_information(values) is not None:
        return read_information(values, notes, source=source)
    other = other_kind(values)
    if other:
        raise refusal(other)
    if is_original(values):
        return read_original(values, notes, source=source)
    return read_config(values, notes, source=source)


def read_config(values: Mapping[str, Any], notes: Notes, *, source: str) -> Architecture:
    """A model by its configuration: exact if its family is known, else an estimate.

    Raises:
        ArchitectureError: It describes no model that can be counted.
    """
    architecture = _class_in(values)
    model_type = values.get("model_type")
    model_type = model_type if isinstance(model_type, str) else ""
    family = family_named(model_type, architecture)
    if family and parts_are_known(values, family):
        return _finished(values, notes, *_counted(values, family, notes), family=family, source=source)
    if isinstance(values.get("text_config"), dict):
        return _finished(values, notes, *_nested(values, notes, model_type), family="", source=source)
    if looks_like_decoder(values):
        notes.assume(
            f"a decoder of the usual build (“{shorten(model_type or architecture, 30)}” is not known)"
        )
        return _finished(values, notes, estimated(values, notes), "estimate", family="", source=source)
    raise _unknown(values, model_type, architecture)


def _class_in(values: Mapping[str, Any]) -> str:
    named = values.get("architectures")
    first = named[0] if isinstance(named, list) and named else named
    return first if isinstance(first, str) else ""


def _unknown(values: Mapping[str, Any], model_type: str, architecture: str) -> ArchitectureError:
    """The error of a file that no family counts: no model at all, or one that lacks what an estimate needs."""
    name = shorten(model_type or architecture, 40)
    lacking = missing(values)
    if not name and not values.keys() & {"hidden_size", "num_hidden_layers", "vocab_size"}:
        return ArchitectureError(
            f"this JSON describes no model (no model_type, no sizes). Wanted: {ACCEPTED}"
        )
    told = f"model_type “{name}” is not known" if name else "the file names no model_type"
    return ArchitectureError(
        f"{told}{nearest(name, FAMILIES)} and it is no decoder that could be estimated (missing: {lacking})",
        field="model_type",
    )


def _counted(values: Mapping[str, Any], family: str, notes: Notes) -> tuple[Tally, Kind]:
    """Parameters by the family's own formula."""
    known = FAMILIES[family]
    config = Config(values, family, notes)
    target = target_of(config, known.usual)
    tally = known.body(config)
    known.head(config, tally, target)
    if target.known and target.task in known.heads:
        return tally, "estimate" if _inner_unlikely(config) else "exact"
    notes.assume(f"the head of {shorten(target.architecture, 50)} as of a usual {family} model")
    return tally, "estimate"


def _inner_unlikely(config: Config) -> bool:
    """Whether a file that states the layers' width leaves their inside to the class: no saved model does."""
    if config.has("intermediate_size") or config.default("intermediate_size") is None:
        return False
    assumed = any(text.startswith("intermediate_size ") for text in config.notes.assumed)
    return assumed and config.has("hidden_size")


def _nested(values: Mapping[str, Any], notes: Notes, model_type: str) -> tuple[Tally, Kind]:
    """A model of several kinds of input that is not known: its text model, and its tower as far as told."""
    inside = values["text_config"]
    named = inside.get("model_type")
    family = family_named(named if isinstance(named, str) else "", _class_in(inside))
    notes.assume(f"a text model with a vision tower (this make of “{shorten(model_type, 30)}” is not known)")
    if family and family not in JOINED:
        tally, _ = _counted(inside, family, notes)
    elif looks_like_decoder(inside):
        tally = estimated(inside, notes, path="text_config.")
    else:
        raise ArchitectureError(
            f"text_config: no text model that is known or could be estimated (missing: {missing(inside)})",
            field="text_config",
        )
    tower = values.get("vision_config")
    if isinstance(tower, dict) and standard(tower).get("hidden_size") is not None:
        width = standard(inside).get("hidden_size")
        text = Config({"hidden_size": width}, family, notes, path="text_config.")
        tally.take(estimated_tower(tower, notes, text_width=text.size("hidden_size")))
    return tally, "estimate"


def _finished(
    values: Mapping[str, Any], notes: Notes, tally: Tally, kind: Kind, *, family: str, source: str
) -> Architecture:
    """The result, with what the file says beside the sizes."""
    total = check_total(tally.total)
    for part in tally.extras():
        notes.remark(
            f"files of this model may also store {format_number(part.parameters, None)} numbers: {part.name.lower()}"
        )
    inside = Config(values, family, notes)
    text = text_of(inside) if family in JOINED else inside
    name = values.get("_name_or_path") or values.get("name_or_path") or _class_in(values) or family
    result = Architecture(
        name=shorten(name),
        family=family,
        kind=kind,
        total_parameters=total,
        active_parameters=tally.active,
        breakdown=tally.parts(),
        shape=shape_of(text) if family else shape_of(Config(standard(values), "", notes)),
        beside=tally.extras(),
        stored_dtype=_dtype(values),
        source=source,
    )
    _note_quantised(values, notes)
    if notes.doubts:
        result = replace(result, kind="estimate")
    return replace(result, remarks=tuple(notes.remarks), assumed=tuple(notes.assumed))


def _dtype(values: Mapping[str, Any]) -> str:
    """Number format that the file speaks of; the stored files may have another."""
    inside = values.get("text_config")
    for place in (values, inside if isinstance(inside, dict) else {}):
        for key in ("torch_dtype", "dtype"):
            if isinstance(place.get(key), str):
                return shorten(place[key].removeprefix("torch."), 20)
    return ""


def _note_quantised(values: Mapping[str, Any], notes: Notes) -> None:
    told = values.get("quantization_config")
    if isinstance(told, dict):
        method = shorten(told.get("quant_method") or "an unnamed method", 20)
        notes.remark(f"stored weights are quantised ({method}); parameters are counted before that")
