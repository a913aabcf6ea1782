"""Row types of `data/rules`: the guide's figures, checkpoint recipes, protection, rates, assumptions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from planner.catalogue.columns import choice, derived, figure, flag, measure, plain, text, whole
from planner.catalogue.reading import Row
from planner.core.quantity import Quantity
from planner.core.units import GB, TB, format_number


def _state(name: str, label: str) -> Any:
    return figure(name, 1, f"{label}, bytes per parameter", low=0, high=32, unit="bytes")


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe(Row):
    """What a checkpoint holds of each parameter, in bytes.

    `total_bytes` is None for the guide's recipes: theirs depends on the size of the model and is taken
    from `GuideModel`. `guide_bound` says which end of the guide's range then applies.
    """

    label: str = text("label", required=True)
    weights_bytes: Quantity | None = _state("weights", "Weights")
    master_bytes: Quantity | None = _state("master", "Master weights")
    first_moment_bytes: Quantity | None = _state("first_moment", "First moment")
    second_moment_bytes: Quantity | None = _state("second_moment", "Second moment")
    extra_bytes: Quantity | None = _state("extra", "Scales and the like")
    total_bytes: Quantity | None = _state("total", "Checkpoint")
    memory_low_bytes: Quantity | None = _state("gpu_memory_low", "GPU memory with gradients, low")
    memory_high_bytes: Quantity | None = _state("gpu_memory_high", "GPU memory with gradients, high")
    scope: str = choice("scope", ("model", "adapter"), required=True)
    guide_bound: str = choice("guide_bound", ("low", "high"))


@dataclass(frozen=True, slots=True, kw_only=True)
class GuideModel(Row):
    """A row of the guide's table of checkpoint sizes."""

    label: str = text("label", required=True)
    parameter_count: Quantity = figure(
        "parameters_billion", 1e9, "Parameters", low=0.1, high=1e5, required=True
    )
    low_bytes: Quantity = figure(
        "bytes_per_parameter_low", 1, "Bytes per parameter, low", low=1, high=32, required=True
    )
    high_bytes: Quantity = figure(
        "bytes_per_parameter_high", 1, "Bytes per parameter, high", low=1, high=32, required=True
    )
    recommended_low_bytes: Quantity = figure(
        "recommended_low_tb", TB, "Recommended capacity, low", low=0.1, high=1e4, required=True
    )
    recommended_high_bytes: Quantity = figure(
        "recommended_high_tb", TB, "Recommended capacity, high", low=0.1, high=1e4, required=True
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ProtectionScheme(Row):
    """How many chunks or copies are written, and how many may be lost.

    A copy scheme is written as one data chunk and the further copies as parity, so that width and
    overhead follow alike. `local` schemes live inside one node and survive drives only.
    """

    label: str = text("label", required=True)
    kind: str = choice("kind", ("code", "copies", "none"), required=True)
    data_chunk_count: int = whole("data_chunks", low=1, high=64, required=True)
    parity_chunk_count: int = whole("parity_chunks", low=0, high=16, required=True)
    copy_count: int = whole("copies", low=1, high=8, required=True)
    local: bool = flag("local")
    width_count: int = derived(lambda values: values["data_chunk_count"] + values["parity_chunk_count"])
    raw_per_usable_ratio: float = derived(
        lambda values: (values["data_chunk_count"] + values["parity_chunk_count"]) / values["data_chunk_count"]
    )


def _printed(values: Mapping[str, Any]) -> str:
    low, high, unit = values["printed_low"], values["printed_high"], values["unit"]
    if low is None and high is None:
        return str(values["choice"] or unit)
    ends = [format_number(end, None) for end in (low, high) if end is not None]
    shown = ends[0] if len(set(ends)) == 1 else " to ".join(ends)
    if high is None or low is None:
        shown = f"from {shown}" if high is None else f"up to {shown}"
    return f"{shown} {unit}".strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class GuideFigure(Row):
    """One figure of the guide, in the planner's unit and as printed there."""

    section: str = text("section", required=True)
    quantity: str = text("quantity", required=True)
    conditions: str = text("conditions")
    unit: str = text("unit", required=True)
    choice: str = text("choice")
    low: Quantity | None = measure("low", "low", label_column="quantity")
    high: Quantity | None = measure("high", "high", label_column="quantity")
    printed_low: float | None = plain("low")
    printed_high: float | None = plain("high")
    printed: str = derived(_printed)


@dataclass(frozen=True, slots=True, kw_only=True)
class FailureRate(Row):
    """A published rate of failures that stop a job."""

    label: str = text("label", required=True)
    failures_per_1000_gpu_days: Quantity = figure(
        "failures_per_1000_gpu_days", 1, "Failures per 1,000 GPU-days", low=0.001, high=1000, required=True
    )
    gpu_count: Quantity | None = figure("gpus", 1, "GPUs observed", low=1, high=1e7)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientStack(Row):
    """The share of an array's rate that clients see through their stack, used once and on no link."""

    label: str = text("label", required=True)
    efficiency_fraction: Quantity = figure(
        "efficiency", 1, "Client stack", low=0.05, high=1, unit="fraction", required=True
    )
    low_fraction: Quantity | None = figure("low", 1, "Client stack, low", low=0.05, high=1, unit="fraction")
    high_fraction: Quantity | None = figure("high", 1, "Client stack, high", low=0.05, high=1, unit="fraction")


@dataclass(frozen=True, slots=True, kw_only=True)
class Assumption(Row):
    """A value for a whole class of things, used where a row is silent."""

    subject: str = text("subject", required=True)
    label: str = text("label", required=True)
    unit: str = text("unit", required=True)
    low: Quantity | None = measure("low", "low", label_column="label")
    typical: Quantity | None = measure("typical", "", label_column="label")
    high: Quantity | None = measure("high", "high", label_column="label")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadGuideline(Row):
    """A vendor's published storage level for a node or a scalable unit."""

    platform: str = text("platform", required=True)
    scope: str = text("scope", required=True)
    level: str = text("level", required=True)
    gpu_count: Quantity = figure("gpus", 1, "GPUs in scope", low=1, high=1e6, required=True)
    read_bytes_per_s: Quantity = figure("read_gb_per_s", GB, "Read level", low=0.1, high=1e5, required=True)
    write_bytes_per_s: Quantity = figure("write_gb_per_s", GB, "Write level", low=0.1, high=1e5, required=True)
