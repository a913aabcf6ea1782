"""A dataset as files that are read again and again: files, opens, epochs."""

from __future__ import annotations

from planner.core import elementwise
from planner.core.formula import formula
from planner.core.units import Number

_UNLIMITED = float("inf")


@formula(
    r"n_f = \lceil D_b / b_f \rceil",
    unit="count",
    label="Files or shards",
    source="definition",
    symbols={"dataset_bytes": "D_b", "file_bytes": "b_f"},
)
def shard_count(dataset_bytes: Number, *, file_bytes: Number) -> Number:
    """Files or shards that hold a dataset.

    Args:
        dataset_bytes: Dataset as it is stored.
        file_bytes: Size of a file or shard.

    Example:
        >>> float(shard_count(50e12, file_bytes=1e9))
        50000.0
    """
    return elementwise.ceil(dataset_bytes / file_bytes - elementwise.TOLERANCE)


@formula(
    r"r = B / b_f",
    unit="per s",
    label="Files opened a second",
    source="each file is opened once for each time that it is read",
    symbols={"read_bytes_per_s": "B", "file_bytes": "b_f"},
)
def open_per_s(read_bytes_per_s: Number, *, file_bytes: Number) -> Number:
    """Files that loaders open in a second: what a metadata server has to bear.

    Args:
        read_bytes_per_s: Read demand of the job.
        file_bytes: Bytes read of a file.

    Example:
        >>> float(open_per_s(50e9, file_bytes=1e6))
        50000.0
    """
    return read_bytes_per_s / file_bytes


@formula(
    r"t = D_b / B;\quad \infty \text{ if } B = 0",
    unit="s",
    label="Time of an epoch",
    source="definition",
    symbols={"dataset_bytes": "D_b", "read_bytes_per_s": "B"},
)
def read_once_s(dataset_bytes: Number, *, read_bytes_per_s: Number) -> Number:
    """Time to read a dataset once; unlimited where nothing is read.

    Args:
        dataset_bytes: Dataset as it is stored.
        read_bytes_per_s: Rate at which it is read.

    Example:
        >>> float(read_once_s(50e12, read_bytes_per_s=50e9)), bool(read_once_s(1.0, read_bytes_per_s=0.0) > 1e300)
        (1000.0, True)
    """
    nothing = read_bytes_per_s == 0.0
    rate = elementwise.where(nothing, 1.0, read_bytes_per_s)
    return elementwise.where(nothing, _UNLIMITED, dataset_bytes / rate)


@formula(
    r"n_e = T B / D_b",
    unit="count",
    label="Epochs in the run",
    source="definition",
    symbols={"run_s": "T", "read_bytes_per_s": "B", "dataset_bytes": "D_b"},
    validity="a dataset that is not empty; 0 where it is",
)
def epoch_count(run_s: Number, *, read_bytes_per_s: Number, dataset_bytes: Number) -> Number:
    """How often a run reads its dataset.

    Args:
        run_s: Length of the run.
        read_bytes_per_s: Read demand of the job.
        dataset_bytes: Dataset as it is stored.

    Example:
        >>> float(epoch_count(2000.0, read_bytes_per_s=50e9, dataset_bytes=50e12))
        2.0
    """
    empty = dataset_bytes == 0.0
    return elementwise.where(
        empty, 0.0, run_s * read_bytes_per_s / elementwise.where(empty, 1.0, dataset_bytes)
    )


@formula(
    r"m = \max(M - b - p,\ 0)",
    unit="bytes",
    label="Left for the page cache",
    source="host memory, less the buffers of asynchronous saves and prefetched batches",
    symbols={"host_memory_bytes": "M", "buffer_bytes": "b", "prefetch_bytes": "p"},
)
def page_cache_bytes(host_memory_bytes: Number, *, buffer_bytes: Number, prefetch_bytes: Number) -> Number:
    """Memory of a node that can hold file data, if nothing else takes it.

    Args:
        host_memory_bytes: Main memory of a node.
        buffer_bytes: Buffers of asynchronous saves.
        prefetch_bytes: Prefetched batches.

    Example:
        >>> float(page_cache_bytes(1e12, buffer_bytes=1e11, prefetch_bytes=2e9)) / 1e9
        898.0
    """
    return elementwise.maximum(host_memory_bytes - buffer_bytes - prefetch_bytes, 0.0)


@formula(
    r"b' = b\,\frac{b_r}{b_s}",
    unit="bytes",
    label="Bytes that are read",
    source="of a table with many columns only those are read that the model needs",
    symbols={"stored_bytes": "b", "read_sample_bytes": "b_r", "stored_sample_bytes": "b_s"},
)
def read_part_bytes(
    stored_bytes: Number, *, read_sample_bytes: Number, stored_sample_bytes: Number
) -> Number:
    """What is read of stored data when it is gone through once.

    Args:
        stored_bytes: Data as it is stored.
        read_sample_bytes: Bytes read of a sample.
        stored_sample_bytes: Bytes that a sample takes on storage.

    Example:
        >>> float(read_part_bytes(761.0, read_sample_bytes=160.0, stored_sample_bytes=761.0))
        160.0
    """
    return stored_bytes * read_sample_bytes / stored_sample_bytes
