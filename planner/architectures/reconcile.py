"""Several files of one model: which figure counts, and where they disagree.

The order of trust is: totals that a file states, then the formula, then stored bytes. A stated total
that differs from an exact formula by just what such files store beside the model proves the formula
right, so the formula's figure stands.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

from planner.architectures.architecture import Architecture, ArchitectureError, Part
from planner.architectures.same import check_one_model, missing_shards
from planner.architectures.stored import ALL_TENSORS
from planner.architectures.tally import COPIES
from planner.core.units import format_number, format_value

TOLERANCE_FRACTION = 0.03
"""Disagreement above which two figures are shown as being at odds."""
NOT_IN_FORMULA = "Not in the formula"
_DTYPE_BYTES = {
    "float64": 8.0, "float32": 4.0, "float16": 2.0, "bfloat16": 2.0, "int8": 1.0,
    "float8_e4m3fn": 1.0, "float8_e5m2": 1.0,
    "F64": 8.0, "F32": 4.0, "F16": 2.0, "BF16": 2.0, "F8_E4M3": 1.0, "F8_E5M2": 1.0,
}  # fmt: skip
_WIDTHS = (
    (4.0, "4-byte numbers (float32)"),
    (2.0, "2-byte numbers"),
    (1.0, "1-byte numbers"),
    (0.5, "4-bit numbers"),
)


def reconcile(architectures: Sequence[Architecture]) -> Architecture:
    """One model out of several of its files.

    Args:
        architectures: What each file gave; shards of one safetensors model are added up.

    Returns:
        The most trusted figure with the breakdown that fits it; every disagreement above 3 % is a remark.

    Raises:
        ArchitectureError: There is no file, or the files are not one model's.
    """
    if not architectures:
        raise ArchitectureError("no file was given; at least one is needed")
    check_one_model(architectures)
    counted = sorted((a for a in architectures if a.counted), key=lambda a: a.kind != "exact")
    formula = counted[0] if counted else None
    files = [a for a in architectures if not a.counted]
    stated = _added([a for a in files if a.kind != "stored"])
    sizes = [a for a in files if a.kind == "stored"]
    lacking = missing_shards(files)
    if formula and lacking and not _whole(files):
        # A few shards of many say nothing about the whole; the configuration does.
        remark = f"{lacking}, so the configuration's formula counts"
        stated, files = None, []
        formula = replace(formula, remarks=(*formula.remarks, remark))
    result = _weighed(formula, stated) or sizes[0]
    result = _checked_bytes(result, files, formula)
    return replace(
        result,
        remarks=_distinct(
            result.remarks, *(a.remarks for a in architectures if a.kind != "stored" or a is result)
        ),
        source=", ".join(dict.fromkeys(a.source for a in architectures)),
    )


def _distinct(*groups: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text for group in groups for text in group))


def _whole(files: Sequence[Architecture]) -> Architecture | None:
    """What states the total of the whole model: its index, or its description on the Hub."""
    return next((a for a in files if a.breakdown[0].name == ALL_TENSORS), None)


def _added(stated: Sequence[Architecture]) -> Architecture | None:
    """Stated totals as one: the shards of a model add up, an index that states the whole stands alone."""
    whole = _whole(stated)
    if whole or not stated:
        return whole
    if len(stated) == 1:
        return stated[0]
    parts: dict[str, Part] = {}
    for part in (part for a in stated for part in a.breakdown):
        held = parts.get(part.name, Part(part.name, 0, 0))
        parts[part.name] = Part(
            part.name, held.parameters + part.parameters, held.active_parameters + part.active_parameters
        )
    return replace(
        stated[0],
        total_parameters=sum(a.total_parameters for a in stated),
        active_parameters=sum(a.active_parameters for a in stated),
        breakdown=tuple(parts.values()),
        stored_bytes=sum(a.stored_bytes or 0 for a in stated),
        assumed=_distinct(*(a.assumed for a in stated)),
    )


def _weighed(formula: Architecture | None, stated: Architecture | None) -> Architecture | None:
    """The formula's figure against the stated one."""
    if formula is None or stated is None:
        return stated or formula
    difference = stated.total_parameters - formula.total_parameters
    if difference == 0:
        return replace(formula, kind="exact", stored_bytes=stated.stored_bytes, remarks=(
            *formula.remarks, "the stated total is the formula's, to the last parameter"))  # fmt: skip
    told = (
        f"stated {format_number(stated.total_parameters, None)}, by formula "
        f"{format_number(formula.total_parameters, None)}"
    )
    reason = _explained(difference, formula)
    if reason and formula.kind == "exact":
        remark = f"{told}: the difference is {reason}"
        return replace(formula, stored_bytes=stated.stored_bytes, remarks=(*formula.remarks, remark))
    share = abs(difference) / formula.total_parameters
    odds = "they disagree" if share > TOLERANCE_FRACTION else "they differ"
    remark = f"{told}: {odds} by {format_value(share, 'fraction')}; the stated total counts"
    return _with_stated(formula, stated, difference, remark)


def _with_stated(formula: Architecture, stated: Architecture, difference: int, remark: str) -> Architecture:
    """The stated total with the formula's breakdown, if that fits into it."""
    if difference > 0:
        parts = (*formula.breakdown, Part(NOT_IN_FORMULA, difference, difference))
        active = formula.active_parameters + difference
    else:
        active = min(formula.active_parameters, stated.total_parameters)
        parts = (Part(ALL_TENSORS, stated.total_parameters, active),)
    return replace(
        formula,
        kind="stated",
        total_parameters=stated.total_parameters,
        active_parameters=active,
        breakdown=parts,
        stored_bytes=stated.stored_bytes,
        remarks=(*formula.remarks, remark),
        assumed=formula.assumed,
    )


def _extras(formula: Architecture) -> list[Part]:
    """What files of such a model are known to store beyond it."""
    shape, extras = formula.shape, list(formula.beside)
    if shape.vocabulary_size and shape.hidden_size and not any(p.name == COPIES for p in extras):
        extras.append(
            Part("the embedding stored a second time", shape.vocabulary_size * shape.hidden_size, 0)
        )
    if shape.layers_count and shape.head_size:
        extras.append(
            Part("rotary frequencies of each layer", shape.layers_count * (shape.head_size // 2), 0)
        )
    if shape.layers_count and shape.positions_count:
        extras.append(Part("causal masks of each layer", shape.layers_count * shape.positions_count**2, 0))
    return extras


def _explained(difference: int, formula: Architecture) -> str:
    """Which of the known extras make up a difference, to the last number or but for scales; empty if none."""
    extras = _extras(formula)
    chosen = [c for size in range(1, len(extras) + 1) for c in combinations(extras, size)]
    best = next((c for c in chosen if sum(part.parameters for part in c) == difference), ())
    if best:
        return _listed(best)
    rest = difference - sum(part.parameters for part in formula.beside)
    quantised = any("quantised" in text for text in formula.remarks)
    if quantised and 0 < rest < formula.total_parameters // 1000:
        scales = f"{format_number(rest, None)} scales of quantised weights"
        return f"{_listed(formula.beside)} and {scales}" if formula.beside else scales
    return ""


def _listed(parts: Sequence[Part]) -> str:
    return " and ".join(part.name[:1].lower() + part.name[1:] for part in parts)


def _checked_bytes(
    result: Architecture, files: Sequence[Architecture], formula: Architecture | None
) -> Architecture:
    """The result with the stored bytes of the files, and a remark where they do not fit."""
    stored = next((a.stored_bytes for a in files if a.stored_bytes), None)
    if stored is None or result.kind == "stored":
        return result
    per_parameter = stored / result.total_parameters
    expected = _DTYPE_BYTES.get(result.stored_dtype)
    if expected and abs(per_parameter / expected - 1) <= TOLERANCE_FRACTION:
        return replace(result, stored_bytes=stored)
    told = f"{format_value(stored, 'bytes')} stored are {format_number(per_parameter)} bytes per parameter"
    found = next(
        (name for width, name in _WIDTHS if abs(per_parameter / width - 1) <= TOLERANCE_FRACTION), ""
    )
    if found:
        remark = f"{told}: {found}"
        if expected:
            remark += f", although the configuration speaks of {result.stored_dtype}"
    else:
        remark = f"{told}: {_why_bytes(stored, expected, formula)}"
    return replace(result, stored_bytes=stored, remarks=(*result.remarks, remark))


def _why_bytes(stored: int, expected: float | None, formula: Architecture | None) -> str:
    """What makes stored bytes fit no number format, if that is known."""
    widths = (expected,) if expected else (2.0, 4.0, 1.0)
    for width in widths:
        numbers = stored / width
        if formula and numbers.is_integer():
            reason = _explained(int(numbers) - formula.total_parameters, formula)
            if reason:
                return f"the files also hold {reason}"
    return "they disagree with the parameter count by more than 3 %; the files may be quantised, incomplete or another model's"
