"""A model as rows of text, formatted as everything else is."""

from __future__ import annotations

from planner.architectures.architecture import Architecture, Part
from planner.core.units import format_number, format_value

_KINDS = {
    "exact": "exact, by the family's own formula",
    "stated": "stated by the file",
    "estimate": "an estimate",
    "stored": "from stored bytes",
}
_SCALES = ((1e12, "trillion"), (1e9, "billion"), (1e6, "million"), (1e3, "thousand"))
"""In words: beside "14 B" of bytes, "56.9 B" of parameters would be read as bytes too."""


def describe(architecture: Architecture) -> list[tuple[str, str]]:
    """Rows of label and value that say what is known of a model, the breakdown with them."""
    shape = architecture.shape
    rows = [
        ("Model", architecture.name or "unnamed"),
        ("Family", architecture.family or "not known"),
        ("Parameters", parameters(architecture.total_parameters)),
        ("Active per token", parameters(architecture.active_parameters)),
        ("Known as", _KINDS[architecture.kind]),
    ]
    rows += [(part.name, _part(part)) for part in architecture.breakdown]
    rows += [(f"Beside: {part.name}", parameters(part.parameters)) for part in architecture.beside]
    sizes = (
        ("Layers", shape.layers_count),
        ("Hidden size", shape.hidden_size),
        ("Heads", shape.heads_count),
        ("Key and value heads", shape.kv_heads_count),
        ("Vocabulary", shape.vocabulary_size),
        ("Experts per layer", shape.experts_count),
        ("Experts per token", shape.active_experts_count),
    )
    rows += [(label, format_number(size, None)) for label, size in sizes if size is not None]
    if architecture.stored_dtype:
        rows.append(("Number format", architecture.stored_dtype))
    if architecture.stored_bytes:
        rows.append(("Stored", format_value(architecture.stored_bytes, "bytes")))
    rows += [("Remark", text) for text in architecture.remarks]
    rows += [("Assumed", text) for text in architecture.assumed]
    if architecture.source:
        rows.append(("Source", architecture.source))
    return rows


def as_json(architecture: Architecture) -> dict[str, object]:
    """What is known of a model as plain values, under the keys that the command line prints.

    Returns:
        Counts as whole numbers; `basis` is "exact", "stated" or "estimate"; a figure that was derived
        from stored bytes is an estimate.
    """
    return {
        "name": architecture.name,
        "family": architecture.family,
        "total_params": architecture.total_parameters,
        "active_params": architecture.active_parameters,
        "basis": "estimate" if architecture.kind == "stored" else architecture.kind,
        "breakdown": {part.name: part.parameters for part in architecture.breakdown},
        "active_breakdown": {part.name: part.active_parameters for part in architecture.breakdown},
        "beside": {part.name: part.parameters for part in architecture.beside},
        "stored_dtype": architecture.stored_dtype or None,
        "stored_bytes": architecture.stored_bytes,
        "notes": [*architecture.remarks, *architecture.assumed],
        "source": architecture.source,
    }


def parameters(count: int) -> str:
    """A parameter count in full, and rounded as people say it: "8 030 261 248 (8.03 billion)"."""
    text = format_number(count, None)
    scale = next(((factor, symbol) for factor, symbol in _SCALES if count >= factor), None)
    return text if scale is None else f"{text} ({format_number(count / scale[0])} {scale[1]})"


def _part(part: Part) -> str:
    text = parameters(part.parameters)
    if part.active_parameters == part.parameters:
        return text
    return f"{text}, {parameters(part.active_parameters)} active"
