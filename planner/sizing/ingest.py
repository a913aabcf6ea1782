"""How fast a job reads its training data, and what loaders, caches and staging need for it."""

from __future__ import annotations

from planner.core import elementwise
from planner.core.formula import formula
from planner.core.units import Number

_GUIDE_INGEST = "the guide, 'Data Ingestion Requirements'"
_GUIDE_LOADER = "the guide, 'Data Loader Optimization'"
_GUIDE_PIPELINE = "the guide, 'Multi-Tier Data Pipeline'"
_S0 = "workload facts, section 0: read rate of a data-loading job, token rate"
_S1 = "workload facts, section 1.3: MLPerf Storage training workloads"
_S6 = "workload facts, section 6: data loaders"
_RULES = "rules of the calculation, 'What an input means': staging"


@formula(
    r"B = B_0\,\frac{G}{G_0}",
    unit="bytes/s",
    label="Read demand by kind of data",
    source=_GUIDE_INGEST,
    symbols={"reference_bytes_per_s": "B_0", "gpu_count": "G", "reference_gpu_count": "G_0"},
    validity="a planning range; measured jobs of one kind differ by a factor of 80",
)
def modality_read_bytes_per_s(
    reference_bytes_per_s: Number, *, gpu_count: Number, reference_gpu_count: Number
) -> Number:
    """Read demand scaled from a figure that is stated for another number of GPUs.

    Args:
        reference_bytes_per_s: The stated demand.
        gpu_count: GPUs of the job.
        reference_gpu_count: GPUs that the figure is stated for: 256 in the guide.

    Example:
        >>> float(modality_read_bytes_per_s(100e9, gpu_count=1024, reference_gpu_count=256))
        400000000000.0
    """
    return reference_bytes_per_s * gpu_count / reference_gpu_count


@formula(
    r"B = b\,r\,G\,u",
    unit="bytes/s",
    label="Read demand of samples",
    source=_S0,
    symbols={"sample_bytes": "b", "samples_per_s": "r", "gpu_count": "G", "utilisation_fraction": "u"},
)
def sample_read_bytes_per_s(
    sample_bytes: Number, *, samples_per_s: Number, gpu_count: Number, utilisation_fraction: Number
) -> Number:
    """Read demand of a job that reads samples.

    Args:
        sample_bytes: A sample as it is stored.
        samples_per_s: Samples a second of one GPU at full speed.
        gpu_count: GPUs of the job.
        utilisation_fraction: Share of full speed to keep up: 1, or the benchmark's floor of 0.9.

    Example:
        >>> rate = sample_read_bytes_per_s(146.6e6, samples_per_s=20.0, gpu_count=8, utilisation_fraction=1.0)
        >>> round(float(rate) / 1e9, 3)
        23.456
    """
    return sample_bytes * samples_per_s * gpu_count * utilisation_fraction


@formula(
    r"r = n / t",
    unit="per s",
    label="Samples per second of a GPU",
    source=_S1,
    symbols={"batch_count": "n", "step_s": "t"},
)
def samples_per_s(batch_count: Number, *, step_s: Number) -> Number:
    """Samples a second that one GPU consumes at full speed.

    Args:
        batch_count: Samples in a GPU's batch.
        step_s: Compute time of a step.

    Example:
        >>> float(samples_per_s(400, step_s=0.25))
        1600.0
    """
    return batch_count / step_s


@formula(
    r"B = r\,b\,G",
    unit="bytes/s",
    label="Read demand of tokens",
    source=_S0,
    symbols={"tokens_per_s": "r", "token_bytes": "b", "gpu_count": "G"},
)
def token_read_bytes_per_s(tokens_per_s: Number, *, token_bytes: Number, gpu_count: Number) -> Number:
    """Read demand of a job that reads tokenised text.

    Args:
        tokens_per_s: Tokens a second of one GPU.
        token_bytes: 2 up to a vocabulary of 65,536, else 4.
        gpu_count: GPUs of the job.

    Example:
        >>> round(float(token_read_bytes_per_s(31508.0, token_bytes=4, gpu_count=256)) / 1e6, 1)
        32.3
    """
    return tokens_per_s * token_bytes * gpu_count


@formula(
    r"B_1 = B / n",
    unit="bytes/s",
    label="Share of the read demand",
    source=_GUIDE_INGEST,
    symbols={"read_bytes_per_s": "B", "part_count": "n"},
    validity="load spread evenly",
)
def share_bytes_per_s(read_bytes_per_s: Number, *, part_count: Number) -> Number:
    """Bandwidth of one of several equal GPUs or nodes.

    Args:
        read_bytes_per_s: Bandwidth of all.
        part_count: GPUs or nodes.

    Example:
        >>> float(share_bytes_per_s(128e9, part_count=256))
        500000000.0
    """
    return read_bytes_per_s / part_count


@formula(
    r"B = n\,b",
    unit="bytes/s",
    label="Read demand of all parts",
    source="definition",
    symbols={"part_bytes_per_s": "b", "part_count": "n"},
)
def whole_bytes_per_s(part_bytes_per_s: Number, *, part_count: Number) -> Number:
    """Rate of a whole whose parts each read at the same rate.

    Args:
        part_bytes_per_s: Rate of one GPU or node.
        part_count: GPUs or nodes.

    Example:
        >>> float(whole_bytes_per_s(0.5e9, part_count=256.0)) / 1e9
        128.0
    """
    return part_bytes_per_s * part_count


@formula(
    r"r = B / b",
    unit="per s",
    label="Samples per second of the cluster",
    source=_S1,
    symbols={"read_bytes_per_s": "B", "sample_bytes": "b"},
)
def cluster_samples_per_s(read_bytes_per_s: Number, *, sample_bytes: Number) -> Number:
    """Samples, or blocks, a second that a read demand means.

    Args:
        read_bytes_per_s: Read demand.
        sample_bytes: A sample, or a block, as it is stored.

    Example:
        >>> float(cluster_samples_per_s(32.768e6, sample_bytes=32768))
        1000.0
    """
    return read_bytes_per_s / sample_bytes


@formula(
    r"D_b = n\,b",
    unit="bytes",
    label="Size of the dataset",
    source=_S1,
    symbols={"sample_count": "n", "sample_bytes": "b"},
)
def dataset_bytes(sample_count: Number, *, sample_bytes: Number) -> Number:
    """Bytes of a dataset of equal samples, or of tokens.

    Args:
        sample_count: Samples, or tokens.
        sample_bytes: A sample, or a token, as it is stored.

    Example:
        >>> float(dataset_bytes(15.6e12, sample_bytes=4)) / 1e12
        62.4
    """
    return sample_count * sample_bytes


@formula(
    r"n = \left\lceil \max\!\left(m\,n_b\,G,\ \frac{k\,M}{b}\right) \right\rceil",
    unit="count",
    label="Least samples of a benchmark dataset",
    source=_S1,
    symbols={
        "batch_count": "n_b",
        "gpu_count": "G",
        "client_memory_bytes": "M",
        "sample_bytes": "b",
        "step_count": "m",
        "memory_ratio": "k",
    },
)
def dataset_minimum_sample_count(
    batch_count: Number,
    *,
    gpu_count: Number,
    client_memory_bytes: Number,
    sample_bytes: Number,
    step_count: Number = 500.0,
    memory_ratio: Number = 5.0,
) -> Number:
    """Samples that MLPerf Storage demands, so that neither steps nor caches decide the result.

    Args:
        batch_count: Samples in a GPU's batch.
        gpu_count: Accelerators that are emulated.
        client_memory_bytes: Memory of all clients together.
        sample_bytes: A sample as it is stored.
        step_count: Least steps of an epoch.
        memory_ratio: Least dataset over client memory.

    Example:
        >>> float(dataset_minimum_sample_count(7, gpu_count=36, client_memory_bytes=0, sample_bytes=146.6e6))
        126000.0
    """
    by_steps: Number = step_count * batch_count * gpu_count
    by_memory: Number = memory_ratio * client_memory_bytes / sample_bytes
    samples: Number = elementwise.ceil(elementwise.maximum(by_steps, by_memory) - elementwise.TOLERANCE)
    return samples


@formula(
    r"n_f = \lceil n / k \rceil",
    unit="count",
    label="Files of a dataset",
    source=_S1,
    symbols={"sample_count": "n", "samples_per_file_count": "k"},
)
def file_count(sample_count: Number, *, samples_per_file_count: Number) -> Number:
    """Files that hold a number of samples.

    Args:
        sample_count: Samples.
        samples_per_file_count: Samples in a file.

    Example:
        >>> float(file_count(126000, samples_per_file_count=1))
        126000.0
    """
    files: Number = elementwise.ceil(sample_count / samples_per_file_count - elementwise.TOLERANCE)
    return files


@formula(
    r"n = w\,p",
    unit="count",
    label="Batches in flight per GPU",
    source=_S6,
    symbols={"worker_count": "w", "prefetch_count": "p"},
)
def prefetched_batch_count(worker_count: Number, *, prefetch_count: Number) -> Number:
    """Batches that a GPU's workers keep ready.

    Args:
        worker_count: Loader processes per GPU.
        prefetch_count: Batches that each of them prepares ahead.

    Example:
        >>> float(prefetched_batch_count(8.0, prefetch_count=2))
        16.0
    """
    return worker_count * prefetch_count


@formula(
    r"M = g\,w\,p\,n\,b",
    unit="bytes",
    label="Host memory for prefetched batches",
    source=_S6,
    symbols={
        "gpu_count": "g",
        "worker_count": "w",
        "prefetch_count": "p",
        "batch_count": "n",
        "decoded_sample_bytes": "b",
    },
)
def prefetch_bytes(
    gpu_count: Number,
    *,
    worker_count: Number,
    prefetch_count: Number,
    batch_count: Number,
    decoded_sample_bytes: Number,
) -> Number:
    """Host memory of one node that its loaders fill.

    Args:
        gpu_count: GPUs of the node.
        worker_count: Loader processes per GPU.
        prefetch_count: Batches that each of them prepares ahead.
        batch_count: Samples in a GPU's batch.
        decoded_sample_bytes: A sample as the GPU gets it, not as it is stored.

    Example:
        >>> float(prefetch_bytes(
        ...     8, worker_count=4, prefetch_count=2, batch_count=7, decoded_sample_bytes=1e6))
        448000000.0
    """
    return gpu_count * worker_count * prefetch_count * batch_count * decoded_sample_bytes


@formula(
    r"n = r\,t_c",
    unit="count",
    label="Processor cores for decoding",
    source=_GUIDE_LOADER,
    symbols={"samples_per_s": "r", "sample_cpu_s": "t_c"},
    validity="cores fully used",
)
def preprocess_core_count(samples_per_s: Number, *, sample_cpu_s: Number) -> Number:
    """Cores that decode and augment as fast as the GPUs consume, as a real number.

    Args:
        samples_per_s: Samples a second of all GPUs together.
        sample_cpu_s: Processor time of a sample.

    Example:
        >>> float(preprocess_core_count(100e3, sample_cpu_s=0.005))
        500.0
    """
    return samples_per_s * sample_cpu_s


@formula(
    r"N = \lceil n / n_1 \rceil",
    unit="count",
    label="Preprocessing nodes",
    source=_GUIDE_LOADER,
    symbols={"core_count": "n", "node_core_count": "n_1"},
)
def preprocess_node_count(core_count: Number, *, node_core_count: Number) -> Number:
    """Dedicated nodes that supply a number of cores.

    Args:
        core_count: Cores needed.
        node_core_count: Cores of a node that are free for it.

    Example:
        >>> float(preprocess_node_count(500.0, node_core_count=96))
        6.0
    """
    nodes: Number = elementwise.ceil(core_count / node_core_count - elementwise.TOLERANCE)
    return nodes


@formula(
    r"n = k\,n_b",
    unit="count",
    label="Samples fetched ahead per worker",
    source=_S6,
    symbols={"batch_count": "n_b", "batches_ahead_count": "k"},
)
def predownload_count(batch_count: Number, *, batches_ahead_count: Number = 8.0) -> Number:
    """Samples that a streaming loader downloads ahead.

    Args:
        batch_count: Samples in a GPU's batch.
        batches_ahead_count: Batches ahead; 8 is MosaicML Streaming's default.

    Example:
        >>> float(predownload_count(32))
        256.0
    """
    return batch_count * batches_ahead_count


@formula(
    r"B' = B\,(1 - h)",
    unit="bytes/s",
    label="Read demand behind the local cache",
    source=_GUIDE_PIPELINE,
    symbols={"read_bytes_per_s": "B", "cache_fraction": "h"},
    validity="from the second epoch on",
)
def cached_read_bytes_per_s(read_bytes_per_s: Number, *, cache_fraction: Number) -> Number:
    """What shared storage still has to deliver.

    Args:
        read_bytes_per_s: Read demand of the job.
        cache_fraction: Share that local caches answer; 0 in the first epoch.

    Example:
        >>> float(cached_read_bytes_per_s(100e9, cache_fraction=0.25))
        75000000000.0
    """
    return read_bytes_per_s * (1.0 - cache_fraction)


@formula(
    r"L = \frac{S\,n}{N}",
    unit="bytes",
    label="Shard cache of a node without a limit",
    source=_S6,
    symbols={"shard_bytes": "S", "shard_count": "n", "node_count": "N"},
)
def shard_cache_bytes(shard_bytes: Number, *, shard_count: Number, node_count: Number) -> Number:
    """Local space that a streaming loader fills if nothing limits it.

    Args:
        shard_bytes: A shard of the dataset.
        shard_count: Shards of the dataset.
        node_count: Nodes that share them.

    Example:
        >>> float(shard_cache_bytes(67e6, shard_count=100000, node_count=32)) / 1e6
        209375.0
    """
    return shard_bytes * shard_count / node_count


@formula(
    r"L_{min} = k\,S \left\lceil \frac{c}{N} \right\rceil",
    unit="bytes",
    label="Least shard cache of a node",
    source=_S6,
    symbols={"shard_bytes": "S", "canonical_node_count": "c", "node_count": "N", "held_shards_count": "k"},
    validity="shuffling by shard or none; shuffling by block needs more",
)
def minimum_shard_cache_bytes(
    shard_bytes: Number, *, canonical_node_count: Number, node_count: Number, held_shards_count: Number = 2.0
) -> Number:
    """Local space below which a streaming loader fetches shards twice.

    Args:
        shard_bytes: A shard of the dataset.
        canonical_node_count: Parts into which the order of samples is split.
        node_count: Nodes that there are.
        held_shards_count: Shards that each part holds at once.

    Example:
        >>> float(minimum_shard_cache_bytes(67e6, canonical_node_count=64, node_count=32)) / 1e6
        268.0
    """
    parts: Number = elementwise.ceil(canonical_node_count / node_count - elementwise.TOLERANCE)
    return held_shards_count * shard_bytes * parts


@formula(
    r"D_b = D_r\,x",
    unit="bytes",
    label="Dataset after preprocessing",
    source=_RULES,
    symbols={"raw_bytes": "D_r", "expansion_ratio": "x"},
)
def expanded_bytes(raw_bytes: Number, *, expansion_ratio: Number) -> Number:
    """Size of the active dataset that raw data becomes.

    Args:
        raw_bytes: Raw data read.
        expansion_ratio: Bytes written for each byte read.

    Example:
        >>> float(expanded_bytes(100e12, expansion_ratio=0.5))
        50000000000000.0
    """
    return raw_bytes * expansion_ratio


@formula(
    r"t = D_b / B",
    unit="s",
    label="Time to stage the dataset",
    source=_RULES,
    symbols={"dataset_bytes": "D_b", "bandwidth_bytes_per_s": "B"},
)
def staging_s(dataset_bytes: Number, *, bandwidth_bytes_per_s: Number) -> Number:
    """Time to bring the dataset to the tier that it is read from.

    Args:
        dataset_bytes: Bytes to move.
        bandwidth_bytes_per_s: Slowest of the tiers and the link between them.

    Example:
        >>> float(staging_s(50e12, bandwidth_bytes_per_s=5e9))
        10000.0
    """
    return dataset_bytes / bandwidth_bytes_per_s


@formula(
    r"B = D / T_r",
    unit="bytes/s",
    label="Mean staging rate",
    source=_RULES,
    symbols={"staged_bytes": "D", "refresh_s": "T_r"},
)
def staging_bytes_per_s(staged_bytes: Number, *, refresh_s: Number) -> Number:
    """Mean rate at which a tier is read for, or written by, a refresh of the dataset.

    Args:
        staged_bytes: Raw data for the tier that is read, the dataset for the one that is written.
        refresh_s: Time between refreshes.

    Example:
        >>> round(float(staging_bytes_per_s(50e12, refresh_s=7 * 86400.0)) / 1e6, 1)
        82.7
    """
    return staged_bytes / refresh_s
