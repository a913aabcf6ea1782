"""Row types of `data/rules`: the guide's figures, checkpoint recipes, protection, rates, assumptions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from planner.catalogue.columns import Column, choice, derived, figure, flag, measure, plain, text, whole
from planner.catalogue.reading import Row
from planner.core.quantity import Quantity
from planner.core.units import GB, MIB, TB, format_number


def _state(name: str, label: str) -> Column:
    return figure(name, 1, f"{label}, bytes per parameter", low=0, high=32, unit="bytes")


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe(Row):
    """What a checkpoint holds of each parameter, in bytes.

    `total_bytes` is None for the guide's recipes: theirs depends on the size of the model and is taken
    from `GuideModel`. `guide_bound` says which end of the guide's range then applies.
    """

    label: Annotated[str, text("label", required=True)]
    weights_bytes: Annotated[Quantity | None, _state("weights", "Weights")]
    master_bytes: Annotated[Quantity | None, _state("master", "Master weights")]
    first_moment_bytes: Annotated[Quantity | None, _state("first_moment", "First moment")]
    second_moment_bytes: Annotated[Quantity | None, _state("second_moment", "Second moment")]
    extra_bytes: Annotated[Quantity | None, _state("extra", "Scales and the like")]
    total_bytes: Annotated[Quantity | None, _state("total", "Checkpoint")]
    memory_low_bytes: Annotated[Quantity | None, _state("gpu_memory_low", "GPU memory with gradients, low")]
    memory_high_bytes: Annotated[
        Quantity | None, _state("gpu_memory_high", "GPU memory with gradients, high")
    ]
    scope: Annotated[str, choice("scope", ("model", "adapter"), required=True)]
    guide_bound: Annotated[str, choice("guide_bound", ("low", "high"))]


@dataclass(frozen=True, slots=True, kw_only=True)
class GuideModel(Row):
    """A row of the guide's table of checkpoint sizes."""

    label: Annotated[str, text("label", required=True)]
    parameter_count: Annotated[
        Quantity, figure("parameters_billion", 1e9, "Parameters", low=0.1, high=1e5, required=True)
    ]
    low_bytes: Annotated[
        Quantity,
        figure("bytes_per_parameter_low", 1, "Bytes per parameter, low", low=1, high=32, required=True),
    ]
    high_bytes: Annotated[
        Quantity,
        figure("bytes_per_parameter_high", 1, "Bytes per parameter, high", low=1, high=32, required=True),
    ]
    recommended_low_bytes: Annotated[
        Quantity,
        figure("recommended_low_tb", TB, "Recommended capacity, low", low=0.1, high=1e4, required=True),
    ]
    recommended_high_bytes: Annotated[
        Quantity,
        figure("recommended_high_tb", TB, "Recommended capacity, high", low=0.1, high=1e4, required=True),
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProtectionScheme(Row):
    """How many chunks or copies are written, and how many may be lost.

    A copy scheme is written as one data chunk and the further copies as parity, so that width and
    overhead follow alike. `local` schemes live inside one node and survive drives only.
    """

    label: Annotated[str, text("label", required=True)]
    kind: Annotated[str, choice("kind", ("code", "copies", "none"), required=True)]
    data_chunk_count: Annotated[int, whole("data_chunks", low=1, high=64, required=True)]
    parity_chunk_count: Annotated[int, whole("parity_chunks", low=0, high=16, required=True)]
    copy_count: Annotated[int, whole("copies", low=1, high=8, required=True)]
    local: Annotated[bool, flag("local", required=True)]
    width_count: Annotated[
        int, derived(lambda values: values["data_chunk_count"] + values["parity_chunk_count"])
    ]
    raw_per_usable_ratio: Annotated[
        float,
        derived(
            lambda values: (
                (values["data_chunk_count"] + values["parity_chunk_count"]) / values["data_chunk_count"]
            )
        ),
    ]


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
    """One figure of the guide, in the planner's unit and as printed there.

    `quoted` is what the guide writes where its figure reads otherwise in a decimal unit.
    """

    section: Annotated[str, text("section", required=True)]
    quantity: Annotated[str, text("quantity", required=True)]
    conditions: Annotated[str, text("conditions")]
    unit: Annotated[str, text("unit", required=True)]
    choice: Annotated[str, text("choice")]
    low: Annotated[Quantity | None, measure("low", "low", label_column="quantity")]
    high: Annotated[Quantity | None, measure("high", "high", label_column="quantity")]
    printed_low: Annotated[float | None, plain("low")]
    printed_high: Annotated[float | None, plain("high")]
    printed: Annotated[str, derived(_printed)]
    quoted: Annotated[str, text("quoted")]


@dataclass(frozen=True, slots=True, kw_only=True)
class FailureRate(Row):
    """A published rate of failures that stop a job."""

    label: Annotated[str, text("label", required=True)]
    failures_per_1000_gpu_days: Annotated[
        Quantity,
        figure(
            "failures_per_1000_gpu_days",
            1,
            "Failures per 1,000 GPU-days",
            low=0.001,
            high=1000,
            required=True,
        ),
    ]
    gpu_count: Annotated[Quantity | None, figure("gpus", 1, "GPUs observed", low=1, high=1e7)]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientStack(Row):
    """The share of an array's rate that clients see through their stack, used once and on no link."""

    label: Annotated[str, text("label", required=True)]
    efficiency_fraction: Annotated[
        Quantity, figure("efficiency", 1, "Client stack", low=0.05, high=1, unit="fraction", required=True)
    ]
    low_fraction: Annotated[
        Quantity | None, figure("low", 1, "Client stack, low", low=0.05, high=1, unit="fraction")
    ]
    high_fraction: Annotated[
        Quantity | None, figure("high", 1, "Client stack, high", low=0.05, high=1, unit="fraction")
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Assumption(Row):
    """A value for a whole class of things, used where a row is silent."""

    subject: Annotated[str, text("subject", required=True)]
    label: Annotated[str, text("label", required=True)]
    unit: Annotated[str, text("unit", required=True)]
    low: Annotated[Quantity | None, measure("low", "low", label_column="label")]
    typical: Annotated[Quantity | None, measure("typical", "", label_column="label")]
    high: Annotated[Quantity | None, measure("high", "high", label_column="label")]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadGuideline(Row):
    """A vendor's published storage level for a node or a scalable unit."""

    platform: Annotated[str, text("platform", required=True)]
    scope: Annotated[str, text("scope", required=True)]
    level: Annotated[str, text("level", required=True)]
    gpu_count: Annotated[Quantity, figure("gpus", 1, "GPUs in scope", low=1, high=1e6, required=True)]
    read_bytes_per_s: Annotated[
        Quantity, figure("read_gb_per_s", GB, "Read level", low=0.1, high=1e5, required=True)
    ]
    write_bytes_per_s: Annotated[
        Quantity, figure("write_gb_per_s", GB, "Write level", low=0.1, high=1e5, required=True)
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestPreset(Row):
    """A benchmark's data loading on one accelerator.

    `stored_bytes` is what a sample takes on storage, `read_bytes` what is read of it: of a table with
    many columns only those that the model needs.
    """

    label: Annotated[str, text("label", required=True)]
    accelerator: Annotated[str, text("accelerator", required=True)]
    stored_bytes: Annotated[
        Quantity, figure("stored_bytes", 1, "Stored bytes per sample", low=1, high=1e12, required=True)
    ]
    read_bytes: Annotated[
        Quantity, figure("read_bytes", 1, "Bytes read per sample", low=1, high=1e12, required=True)
    ]
    file_sample_count: Annotated[
        Quantity, figure("samples_per_file", 1, "Samples per file", low=1, high=1e9, required=True)
    ]
    batch_count: Annotated[
        Quantity, figure("batch", 1, "Samples per batch and accelerator", low=1, high=1e6, required=True)
    ]
    step_s: Annotated[Quantity, figure("step_s", 1, "Step time", low=1e-6, high=1e4, required=True)]
    floor_fraction: Annotated[
        Quantity | None,
        figure("utilisation_floor", 1, "Accelerator utilisation to hold", low=0.1, high=1, unit="fraction"),
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScalingPoint(Row):
    """A vendor's figures for one size of a cluster, where they do not simply add up."""

    family: Annotated[str, text("family", required=True)]
    compute_unit_count: Annotated[
        Quantity, figure("compute_units", 1, "Compute units", low=1, high=1e5, required=True)
    ]
    storage_unit_count: Annotated[
        Quantity, figure("storage_units", 1, "Storage units", low=1, high=1e5, required=True)
    ]
    drive_bytes: Annotated[
        Quantity, figure("drive_tb", TB, "Capacity of a drive", low=0.1, high=1000, required=True)
    ]
    raw_bytes: Annotated[Quantity, figure("raw_tb", TB, "Raw capacity", low=1, high=1e7, required=True)]
    usable_bytes: Annotated[
        Quantity, figure("usable_tb", TB, "Usable capacity", low=1, high=1e7, required=True)
    ]
    read_bytes_per_s: Annotated[
        Quantity, figure("read_gb_per_s", GB, "Read bandwidth", low=1, high=1e5, required=True)
    ]
    write_bytes_per_s: Annotated[
        Quantity, figure("write_gb_per_s", GB, "Sustained write bandwidth", low=0.1, high=1e5, required=True)
    ]
    burst_write_bytes_per_s: Annotated[
        Quantity,
        figure("burst_write_gb_per_s", GB, "Burst write bandwidth", low=0.1, high=1e5, required=True),
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredRead(Row):
    """Read throughput that a benchmark measured with emulated GPUs."""

    submitter: Annotated[str, text("submitter", required=True)]
    system: Annotated[str, text("system", required=True)]
    workload: Annotated[str, text("workload", required=True)]
    accelerator: Annotated[str, text("accelerator", required=True)]
    accelerator_count: Annotated[
        Quantity, figure("accelerators", 1, "Emulated GPUs", low=1, high=1e6, required=True)
    ]
    read_bytes_per_s: Annotated[
        Quantity, figure("read_mib_per_s", MIB, "Measured read throughput", low=1, high=1e8, required=True)
    ]
