"""Summaries of DLIO and MLPerf Storage: what they call MB is MiB, and what they call GB is GiB."""

from __future__ import annotations

from collections.abc import Mapping

from planner.core.units import GIB, MIB, counted
from planner.telemetry.documents import Document
from planner.telemetry.records import Origin, RefusedError, Sheet, name_of, number, whole_count

TOOL = "DLIO"
_KEYS = ("train_", "eval_", "save_checkpoint_", "load_checkpoint_")
_CHECKPOINTS = {
    "checkpoint_write_bandwidth": "save_checkpoint_io_mean_GB_per_second",
    "checkpoint_read_bandwidth": "load_checkpoint_io_mean_GB_per_second",
}


def is_dlio(value: object) -> bool:
    """Whether a document is a run's summary."""
    metric = value.get("metric") if isinstance(value, Mapping) else None
    return isinstance(metric, Mapping) and any(str(key).startswith(_KEYS) for key in metric)


def read(document: Document, sheet: Sheet, *, run: int = 1) -> None:
    """Record a run: means over its epochs and checkpoints, as the tool makes them (of rates, not of times).

    Args:
        document: One that `is_dlio`.
        sheet: Where to.
        run: Which document of its kind this is.
    """
    value = document.value
    assert isinstance(value, Mapping)
    metric = value["metric"]
    for flaw in document.flaws:
        sheet.remark(TOOL, flaw)
    host = name_of(value.get("hostname"))
    size = _size(value)
    nodes = whole_count(value.get("num_hosts"))
    training = Origin(TOOL, "", "training", host, run, node_count=nodes)
    if any(str(key).startswith("train_") for key in metric):
        _training(sheet, training, metric, size)
    for quantity, key in _CHECKPOINTS.items():
        if key in metric:
            sheet.take(
                Origin(TOOL, "", "checkpoint", host, run, node_count=nodes),
                quantity,
                metric[key],
                factor=GIB,
                detail=size,
            )
    if metric.get("train_au_meet_expectation") == "fail":
        sheet.remark(training, "the accelerators are used less than the benchmark asks for")
    cached = value.get("potential_caching")
    if cached is True or (isinstance(cached, list) and any(flag == 1 for flag in cached)):
        sheet.remark(training, "the data fits a host's memory, so that reads may come from there")


def _size(value: Mapping[str, object]) -> str:
    """How many accelerators on how many hosts; old versions do not say the hosts."""
    parts = []
    for key, word in (("num_accelerators", "accelerator"), ("num_hosts", "host")):
        try:
            parts.append(counted(number(value.get(key)), word))
        except RefusedError:
            continue
    return ", ".join(parts)


def _training(sheet: Sheet, origin: Origin, metric: Mapping[str, object], size: str) -> None:
    for quantity, mean, each, factor, divisor in (
        ("accelerator_utilisation", "train_au_mean_percentage", "train_au_percentage", 1.0, 100.0),
        (
            "samples_rate",
            "train_throughput_mean_samples_per_second",
            "train_throughput_samples_per_second",
            1.0,
            1.0,
        ),
        ("read_bandwidth", "train_io_mean_MB_per_second", "", MIB, 1.0),
    ):
        epochs = metric.get(each)
        if mean in metric:
            sheet.take(
                origin,
                quantity,
                metric[mean],
                factor=factor,
                divisor=divisor,
                spread=_ends(epochs),
                detail=size,
            )
        elif isinstance(epochs, list) and epochs:
            sheet.remark(origin, f"no mean of {quantity}; it is made of {counted(len(epochs), 'epoch')}")
            sheet.take_repeated(origin, quantity, epochs, factor=factor, divisor=divisor)
        else:
            sheet.remark(origin, f"not there: {quantity}")


def _ends(epochs: object) -> tuple[float, float] | None:
    """The smallest and the largest epoch, if all are numbers."""
    try:
        values = [number(item) for item in epochs] if isinstance(epochs, list) else []
    except RefusedError:
        return None
    return (min(values), max(values)) if values else None
