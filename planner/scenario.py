"""Everything that an architect states: each input with its bounds, unit, default, help and source.

A field that may be None is AUTO: the plan derives it and says how; a number there is MANUAL.
"""

from __future__ import annotations

from typing import Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, model_validator

from planner.core.units import format_number

SCHEMA_VERSION: Literal[1] = 1
MAX_JOBS = 16
"""Jobs that a cluster trains at one time, at most."""

Basis = Literal["evidence", "guide"]
TransportName = Literal["rdma", "tcp", "fc"]
ArchitectureName = Literal["all-flash-array", "software-defined", "parallel-file-system"]
T = TypeVar("T")


def _input(  # noqa: PLR0913 - one keyword for each thing a reader may ask of an input
    default: T,
    label: str,
    help_text: str,
    *,
    ge: float | None = None,
    le: float | None = None,
    source: str = "",
    grade: str = "input",
    advanced: bool = False,
    catalogue: str = "",
) -> Any:
    """A field with what its widget, the PDF's list of assumptions and the schema need to know.

    What a formula divides by has the least that it can mean as its bound, never "above 0": 1e-300 is above 0 too.
    """
    extra: dict[str, Any] = {"source": source, "grade": grade, "advanced": advanced, "catalogue": catalogue}
    return Field(default, title=label, description=help_text, ge=ge, le=le, json_schema_extra=extra)


class Part(BaseModel):
    """Base of every part of a scenario: unknown fields, infinities and later changes are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False, str_max_length=200)


class Cluster(Part):
    """The GPU nodes and what they have for storage."""

    node_id: str = _input(
        "gb200-tray",
        "GPU node",
        "Type of GPU server; its ports, memory and drives come from the catalogue.",
        catalogue="gpu_nodes",
    )
    node_count: int = _input(64, "GPU nodes", "Servers or compute trays in the cluster.", ge=1, le=200_000)
    gpus_per_node_count: int | None = _input(
        None, "GPUs per node", "AUTO takes the catalogue's count for this node.", ge=1, le=144, advanced=True
    )
    storage_port_count: int | None = _input(
        None, "Storage ports per node", "Network ports of a node that carry storage traffic.", ge=1, le=64
    )
    storage_port_bytes_per_s: float | None = _input(
        None, "Speed of a storage port", "Line rate of one port; type it as “200 Gb/s”.", ge=1.25e8, le=2e11
    )
    local_drive_count: int | None = _input(
        None,
        "Local NVMe drives per node",
        "Drives inside the GPU node; the guide expects 2 to 8.",
        ge=0,
        le=32,
    )
    local_drive_bytes: float | None = _input(
        None, "Size of a local drive", "Capacity of one local NVMe drive.", ge=1e9, le=1e15, advanced=True
    )
    local_reserved_bytes: float = _input(
        500e9,
        "Local space in use",
        "Operating system, containers and model artifacts on a node's drives.",
        ge=0,
        le=1e15,
        grade="class assumption",
        source="planner default; ask the cluster's owner",
        advanced=True,
    )
    host_memory_bytes: float | None = _input(
        None, "Host memory per node", "Main memory of a GPU node.", ge=1e9, le=1e15, advanced=True
    )
    gpu_copy_bytes_per_s: float = _input(
        2.5e10,
        "GPU to host copy, per GPU",
        "Rate at which one GPU's state reaches host memory.",
        ge=1e8,
        le=1e12,
        grade="from memory",
        source="about half of a PCIe Gen5 x16 link",
        advanced=True,
    )
    failure_rate_id: str = _input(
        "llama3",
        "Failure rate as seen in",
        "A published fleet, for the rate of interruptions; small jobs fail more often than large fleets predict.",
        catalogue="failure_rates",
    )
    failures_per_1000_gpu_days: float | None = _input(
        None,
        "Interruptions per 1,000 GPU-days",
        "Unexpected interruptions of a job, from any cause. AUTO takes the published fleet's.",
        ge=1e-4,
        le=1000,
    )


class Model(Part):
    """The model that is trained."""

    name: str = _input("Llama 3 70B", "Model", "Name to show.")
    parameter_count: float = _input(
        70_553_706_496.0,
        "Parameters",
        "All parameters; a mixture of experts saves all of them.",
        ge=1e6,
        le=1e15,
    )
    active_parameter_count: float | None = _input(
        None,
        "Active parameters",
        "Parameters that a token passes; AUTO takes all.",
        ge=1e6,
        le=1e15,
        advanced=True,
    )
    recipe_id: str | None = _input(
        None,
        "State recipe",
        "What a checkpoint holds for each parameter. AUTO: mixed-precision AdamW on evidence (14 bytes), "
        "the guide's upper figure on the guide's basis.",
        catalogue="recipes",
    )
    bytes_per_parameter_bytes: float | None = _input(
        None, "Bytes per parameter", "AUTO takes the recipe's sum; a number here replaces it.", ge=0.1, le=64
    )
    weight_bytes: float | None = _input(
        None,
        "Weights, bytes each",
        "Working copy of a parameter. A number here, or in one of the next four, makes a recipe of your own: AUTO takes "
        "what the chosen recipe has.",
        ge=0.1,
        le=16,
        advanced=True,
    )
    master_bytes: float | None = _input(
        None,
        "Master weights, bytes each",
        "Copy in higher precision; 0 for none.",
        ge=0,
        le=16,
        advanced=True,
    )
    first_moment_bytes: float | None = _input(
        None,
        "First moment, bytes each",
        "Momentum of the optimizer; 0 for none.",
        ge=0,
        le=16,
        advanced=True,
    )
    second_moment_bytes: float | None = _input(
        None, "Second moment, bytes each", "0 for optimizers with one state.", ge=0, le=16, advanced=True
    )
    extra_bytes: float | None = _input(
        None,
        "Other state, bytes each",
        "Scales of quantised state, averages of weights and the like.",
        ge=0,
        le=16,
        advanced=True,
    )
    gradient_bytes: float | None = _input(
        None,
        "Gradients, bytes each",
        "In GPU memory alone; a checkpoint holds none. AUTO: 2 to 4, by the recipe.",
        ge=0,
        le=16,
        advanced=True,
    )
    layer_count: int | None = _input(
        None,
        "Layers",
        "Transformer layers: for files by layer, uneven pipeline stages and adapters.",
        ge=1,
        le=10_000,
        advanced=True,
    )
    hidden_count: int | None = _input(
        None,
        "Hidden width",
        "Width of the model: for the parameters of adapters.",
        ge=1,
        le=10**6,
        advanced=True,
    )
    embedding_parameter_count: float | None = _input(
        None,
        "Parameters of embeddings",
        "Token embedding and output head together. Muon keeps AdamW for them; in a pipeline they lie on its ends.",
        ge=0,
        le=1e15,
        advanced=True,
    )
    expert_parameter_count: float | None = _input(
        None,
        "Parameters of experts",
        "Routed experts of all layers together; expert parallelism spreads them.",
        ge=0,
        le=1e15,
        advanced=True,
    )
    adapter_parameter_count: float | None = _input(
        None,
        "Parameters of adapters",
        "With LoRA only these are saved. AUTO: rank, layers and width, or 0.6 % of the model where its shape is not "
        "stated.",
        ge=1,
        le=1e15,
        advanced=True,
    )
    adapter_rank_count: int = _input(
        16, "Rank of adapters", "Rank of each LoRA pair.", ge=1, le=10_000, advanced=True
    )
    adapter_matrix_count: int = _input(
        2,
        "Adapted matrices per layer",
        "Query and value are two; each is taken as square.",
        ge=1,
        le=1000,
        advanced=True,
    )

    @model_validator(mode="after")
    def _active_are_some_of_all(self) -> Model:
        active = self.active_parameter_count
        if active is not None and active > self.parameter_count:
            raise ValueError(
                f"Active parameters ({format_number(active)}) are more than Parameters "
                f"({format_number(self.parameter_count)}); set at most {format_number(self.parameter_count)}"
            )
        return self


class CheckpointPolicy(Part):
    """When a job saves, how long a save may take and what is kept."""

    interval_basis: Literal["stated", "best"] = _input(
        "stated",
        "Interval is",
        "Stated: the interval below. Best: the interval with the highest goodput if a save takes its target; AUTO's target "
        "is the longest stall inside the waste budget.",
    )
    interval_s: float = _input(
        1800.0,
        "Checkpoint interval",
        "From the start of one save to the start of the next.",
        ge=5,
        le=30 * 86400.0,
    )
    interval_step_count: int | None = _input(
        None,
        "Interval in steps",
        "Together with the step time this replaces the interval.",
        ge=1,
        le=10**9,
        advanced=True,
    )
    step_s: float | None = _input(
        None, "Step time", "Wall time of one training step.", ge=1e-6, le=86400, advanced=True
    )
    mode: Literal["sync", "async", "two-level"] = _input(
        "sync",
        "Checkpoint mode",
        "Synchronous: training stands still for the save. Asynchronous: only for the "
        "copy to host memory; the rest is written meanwhile. Two-level: frequent saves to memory or local drives, "
        "and synchronous ones to the hot tier at the interval.",
    )
    fast_interval_s: float | None = _input(
        None,
        "Interval of the fast level",
        "Time between saves to memory or local drives in two-level mode. AUTO: the best one.",
        ge=1,
        le=30 * 86400.0,
        advanced=True,
    )
    fast_stall_s: float | None = _input(
        None,
        "Stall of a fast save",
        "Training stands still this long for a save to memory or local drives. AUTO: the copy out of GPU memory.",
        ge=1e-6,
        le=3600,
        advanced=True,
    )
    fast_fraction: float = _input(
        0.8,
        "Failures that the fast level mends",
        "Share of the failures after which a copy in memory or on a local drive can still be read.",
        ge=1e-4,
        le=0.99,
        grade="class assumption",
        source="reliability models, C9: the worked example",
        advanced=True,
    )
    target_s: float | None = _input(
        None,
        "Save target",
        "Time that a save may take. AUTO on evidence: the waste budget times the interval, or the interval itself "
        "if asynchronous; on the guide's basis 10 s.",
        ge=1e-3,
        le=86400,
    )
    waste_budget_fraction: float = _input(
        0.02,
        "Waste budget",
        "Share of time that training may stand still for saves.",
        ge=1e-4,
        le=0.5,
        grade="class assumption",
        source="planner default; the flip points show what it costs",
    )
    async_stall_s: float = _input(
        6.0,
        "Stall of an asynchronous save",
        "Training stands still this long while state is copied to the host.",
        ge=0,
        le=3600,
        grade="seen",
        source="PyTorch asynchronous checkpointing, 7B: 6.3 s",
        advanced=True,
    )
    async_buffer_count: float = _input(
        1.0,
        "Host buffers",
        "Copies of a node's shard held in host memory by an asynchronous save.",
        ge=1,
        le=4,
        grade="seen",
        source="MaxText uses 2",
        advanced=True,
    )
    retained_count: int = _input(
        5, "Checkpoints kept hot", "Complete checkpoints on the hot tier.", ge=1, le=1000
    )
    in_flight_count: int = _input(
        1, "Checkpoints in flight", "Being written beside the kept ones.", ge=0, le=10, advanced=True
    )
    application_copies_count: int = _input(
        1,
        "Copies written by the job",
        "Storage targets that the job itself writes each checkpoint to.",
        ge=1,
        le=4,
        advanced=True,
    )
    block_bytes: float = _input(
        8_388_608.0,
        "Write block",
        "Size of one write; the guide expects 1 to 16 MB.",
        ge=4096,
        le=1e9,
        advanced=True,
    )
    cold_every_count: int = _input(
        1, "Copy every n-th to the cold tier", "1 copies every checkpoint.", ge=1, le=100_000, advanced=True
    )
    cold_keep_all: bool = _input(
        False, "Keep every cold copy", "Keep all copies for the whole run.", advanced=True
    )
    cold_keep_days: float = _input(
        1.0,
        "Cold copies kept for",
        "Days that each copy stays on the cold tier.",
        ge=0,
        le=3650,
        advanced=True,
    )
    milestones_per_day: float = _input(
        1.0, "Milestones per day", "Copies a day that stay for the whole run.", ge=0, le=1000
    )
    run_days: float = _input(90.0, "Length of the run", "Days of training.", ge=0.01, le=3650)
    restart_s: float = _input(
        600.0,
        "Restart without the load",
        "Detect, reschedule and initialise after a failure; loading comes on top.",
        ge=0,
        le=86400,
        grade="seen",
        source="Lablup: median retry interval 11 min, 10 to 11",
        advanced=True,
    )


class Ingest(Part):
    """What the job reads while it trains."""

    basis: Literal["tokens", "samples", "batch", "preset", "modality", "rate"] = _input(
        "tokens",
        "Read demand from",
        "Tokens: rate and bytes per token. Samples: stored bytes and rate. Batch: stored bytes, batch and step time. "
        "Preset: a benchmark of MLPerf Storage. Modality: the guide's range for 256 GPUs. Rate: typed.",
    )
    preset_id: str = _input(
        "resnet50-h100",
        "Benchmark",
        "Workload and accelerator of MLPerf Storage; sample, batch and step time come from it.",
        catalogue="ingest_presets",
        advanced=True,
    )
    utilisation_fraction: float = _input(
        1.0,
        "Accelerator utilisation to hold",
        "Share of the full speed that data loading must keep up with, for samples, batch and preset; MLPerf Storage asks "
        "for 70 to 90 %.",
        ge=1e-4,
        le=1,
        advanced=True,
    )
    modality: Literal["text", "vision", "multimodal"] = _input(
        "text", "Modality", "Kind of training data, for the guide's range."
    )
    tokens_per_s: float | None = _input(
        None,
        "Tokens per second per GPU",
        "Measured; AUTO derives it from the GPU's peak and the utilisation.",
        ge=1e-3,
        le=1e8,
    )
    token_bytes: float = _input(
        4.0,
        "Bytes per token",
        "4 for a vocabulary above 65,536, else 2.",
        ge=1,
        le=1e4,
        grade="seen",
        source="workload evidence, token rates",
        advanced=True,
    )
    flops_utilisation_fraction: float = _input(
        0.4,
        "Model FLOPs utilisation",
        "Share of the peak that training reaches.",
        ge=1e-4,
        le=1,
        grade="seen",
        source="Llama 3: 38 to 43 %",
        advanced=True,
    )
    sample_bytes: float = _input(
        114_660.0,
        "Stored bytes per sample",
        "As it lies on storage, compressed.",
        ge=1,
        le=1e12,
        grade="seen",
        source="MLPerf Storage, ResNet-50",
    )
    samples_per_s: float = _input(
        1786.0,
        "Samples per second per GPU",
        "Measured, or batch over step time.",
        ge=1e-6,
        le=1e7,
        grade="seen",
        source="MLPerf Storage, ResNet-50 on H100: 400 per 0.224 s",
    )
    step_s: float = _input(
        0.224,
        "Step time of a batch",
        "Wall time of one training step, for the batch basis.",
        ge=1e-6,
        le=86400,
        grade="seen",
        source="MLPerf Storage, ResNet-50 on H100",
        advanced=True,
    )
    read_bytes_per_s: float = _input(
        1e9, "Read demand, typed", "A rate for the job, a node or a GPU, as chosen beside.", ge=0, le=1e15
    )
    rate_scope: Literal["job", "node", "gpu"] = _input(
        "job", "Typed for", "What the typed read demand is for; the others are shown.", advanced=True
    )
    file_bytes: float | None = _input(
        None,
        "Size of a file or shard",
        "AUTO: the benchmark's, else shards of 1 GB.",
        ge=1,
        le=1e15,
        advanced=True,
    )
    dataset_bytes: float = _input(
        50e12, "Active dataset", "Preprocessed data that the job reads.", ge=0, le=1e18
    )
    raw_dataset_bytes: float = _input(
        60e12, "Raw data", "Unprocessed data and earlier versions.", ge=0, le=1e19
    )
    expansion_ratio: float = _input(
        1.0,
        "Preprocessed over raw",
        "Bytes after preprocessing for each raw byte.",
        ge=1e-4,
        le=100,
        grade="class assumption",
        source="planner default; depends on the data",
        advanced=True,
    )
    refresh_days: float = _input(
        30.0,
        "Dataset renewed every",
        "Days between two stagings of the dataset.",
        ge=0.1,
        le=3650,
        grade="class assumption",
        source="planner default",
        advanced=True,
    )
    block_bytes: float = _input(
        1e6,
        "Read block",
        "Size of one read; the guide expects 256 KB to 4 MB.",
        ge=512,
        le=1e9,
        advanced=True,
    )
    worker_count: int = _input(
        4, "Loader workers per GPU", "PyTorch DataLoader processes; the guide advises 4 to 8.", ge=0, le=128
    )
    prefetch_count: int = _input(
        2,
        "Batches ahead per worker",
        "prefetch_factor of the DataLoader; its default is 2.",
        ge=1,
        le=1000,
        grade="seen",
        source="PyTorch DataLoader",
        advanced=True,
    )
    batch_count: int = _input(
        32, "Samples per batch and GPU", "Local batch of one GPU.", ge=1, le=10**6, advanced=True
    )
    decoded_sample_bytes: float = _input(
        1e6, "Decoded bytes per sample", "In host memory, after decompression.", ge=1, le=1e12, advanced=True
    )
    wan_bytes_per_s: float = _input(
        1.25e9,
        "Link for the import",
        "Wide-area link over which the raw data arrives; type it as “10 Gb/s”.",
        ge=1e5,
        le=1e13,
        grade="class assumption",
        source="planner default: 10 Gb/s",
        advanced=True,
    )
    preprocess_core_count: int = _input(
        64,
        "Cores of a preprocessing node",
        "CPU cores of a node that prepares data before training.",
        ge=1,
        le=1024,
        grade="class assumption",
        source="planner default",
        advanced=True,
    )
    sample_cpu_s: float = _input(
        0.001,
        "CPU time per sample",
        "Decoding and augmentation on one core.",
        ge=0,
        le=1e4,
        grade="class assumption",
        source="planner default; measure with one worker",
        advanced=True,
    )
    use_local_cache: bool = _input(True, "Cache on local NVMe", "Keep read data on the node's own drives.")


class Parallelism(Part):
    """How a job's GPUs share the model, and how they put its checkpoint into files.

    As long as nothing here is stated, shards are equal on all GPUs and nodes.
    """

    tensor_parallel_count: int = _input(
        1, "Tensor parallelism", "GPUs that share each layer.", ge=1, le=1024, advanced=True
    )
    pipeline_parallel_count: int = _input(
        1, "Pipeline parallelism", "Stages that the layers are cut into.", ge=1, le=1024, advanced=True
    )
    expert_parallel_count: int = _input(
        1,
        "Expert parallelism",
        "Data-parallel ranks that share the experts; 1 for a dense model.",
        ge=1,
        le=4096,
        advanced=True,
    )
    data_parallel_count: int | None = _input(
        None,
        "Data parallelism",
        "Replicas of the dense part. AUTO: the GPUs of the job over tensor and pipeline parallelism.",
        ge=1,
        le=10**7,
        advanced=True,
    )
    sharding_stage: Literal[0, 1, 2, 3] | None = _input(
        None,
        "Sharding stage",
        "0: every replica holds everything. 1: the optimizer is sharded over the replicas. 2: gradients too. 3: weights "
        "too, as FSDP does. AUTO: 3 without a pipeline, else 1.",
        advanced=True,
    )
    file_layout: Literal["zero-files", "even-shards", "rank-0"] = _input(
        "zero-files",
        "Files of a checkpoint",
        "zero-files: unsharded state by the first replica, sharded state by every rank, as DeepSpeed and MLPerf Storage "
        "do. even-shards: one file a rank, replicas share the work, as torch DCP does. rank-0: one file by one rank.",
        advanced=True,
    )
    rank_order: Literal["data-first", "pipeline-first"] = _input(
        "data-first",
        "Order of ranks",
        "What comes after tensor parallelism. Data: replicas of a stage side by side, as in Megatron and DeepSpeed. "
        "Pipeline: a whole replica side by side, as in MLPerf Storage.",
        advanced=True,
    )
    restart_read: Literal["every-rank", "broadcast"] | None = _input(
        None,
        "Reads at a restart",
        "Every rank: replicas read the same files again. Broadcast: one reads and sends it to the others. AUTO: "
        "broadcast if one rank wrote all, else every rank.",
        advanced=True,
    )
    writer_bytes_per_s: float | None = _input(
        None,
        "Write rate of one process",
        "What one rank serialises and writes. AUTO: 0.526 GB/s if one rank writes all, else no limit.",
        ge=1e3,
        le=1e12,
        advanced=True,
    )


class Job(Part):
    """One training job."""

    name: str = _input("Training", "Job", "Name of the job.")
    node_count: int | None = _input(
        None, "Nodes of this job", "AUTO takes the whole cluster.", ge=1, le=200_000
    )
    model: Model = Model()
    parallelism: Parallelism = Parallelism()
    checkpoint: CheckpointPolicy = CheckpointPolicy()
    ingest: Ingest = Ingest()

    @model_validator(mode="after")
    def _steps_need_a_time(self) -> Job:
        if (self.checkpoint.interval_step_count is None) != (self.checkpoint.step_s is None):
            raise ValueError("an interval in steps needs both the number of steps and the step time")
        return self


class HotTier(Part):
    """The NVMe-oF tier for active checkpoints."""

    architecture: ArchitectureName | None = _input(
        None,
        "Architecture",
        "All-flash array, software-defined target or parallel file system. AUTO takes the best score.",
    )
    platform_id: str | None = _input(
        None, "Platform", "AUTO takes the generic kit of the architecture.", catalogue="platforms"
    )
    drive_id: str = _input("m9550max-6400", "Drive", "Drive of the hot tier.", catalogue="drives")
    drive_bytes: float | None = _input(
        None,
        "Drive capacity",
        "AUTO takes the catalogue row's; the same family in another size scales the rating.",
        ge=1e9,
        le=1e15,
        advanced=True,
    )
    protection_id: str | None = _input(
        None,
        "Protection",
        "How a lost drive or node is survived. AUTO: 8+2 over drives on the guide's basis; on evidence two copies or "
        "8+2 over nodes, whichever needs fewer nodes.",
        catalogue="protection",
    )
    protection_domain: Literal["drive", "node", "rack"] | None = _input(
        None,
        "Protection domain",
        "What may be lost at once. AUTO: node on evidence, drive on the guide's basis.",
        advanced=True,
    )
    protection_at: Literal["host", "controller", "server", "client"] | None = _input(
        None,
        "Protection is made",
        "Where parity is computed. AUTO: server over nodes, controller inside one.",
        advanced=True,
    )
    spared_unit_count: int = _input(
        0,
        "Nodes that may be missing",
        "Storage nodes of a pool that may be missing while save target and reads still hold. With 0 a lost node makes "
        "saves slower, as the degraded figures say.",
        ge=0,
        le=8,
        grade="class assumption",
        source="rules of the calculation",
        advanced=True,
    )
    chunk_bytes: float = _input(
        524_288.0,
        "Stripe chunk",
        "Bytes of one chunk; the guide advises stripes of 256 KB to 1 MB.",
        ge=4096,
        le=1e8,
        advanced=True,
    )
    usable_bytes: float | None = _input(
        None,
        "Usable capacity",
        "AUTO sizes it; a number here fixes the pool and the planner checks it.",
        ge=1,
        le=1e18,
    )
    drive_count: int | None = _input(
        None, "Drives", "AUTO takes what binds; a number here fixes it.", ge=1, le=10**6, advanced=True
    )
    unit_count: int | None = _input(
        None, "Storage nodes", "AUTO takes what binds; a number here fixes it.", ge=1, le=10**5, advanced=True
    )
    write_back_cache: bool = _input(True, "Write-back cache", "Enabled on the target.", advanced=True)
    power_loss_protection: bool = _input(
        True,
        "Power-loss protection",
        "Drives and caches keep acknowledged writes when power fails.",
        advanced=True,
    )
    manual_write_bytes_per_s: float | None = _input(
        None,
        "Write rate of one unit",
        "The vendor's sustained figure, where the catalogue has none.",
        ge=1e6,
        le=1e13,
        advanced=True,
    )
    manual_read_bytes_per_s: float | None = _input(
        None,
        "Read rate of one unit",
        "The vendor's figure, where the catalogue has none.",
        ge=1e6,
        le=1e13,
        advanced=True,
    )
    manual_usable_bytes: float | None = _input(
        None,
        "Usable capacity of one unit",
        "The vendor's figure, where the catalogue has none.",
        ge=1e9,
        le=1e17,
        advanced=True,
    )


class BulkTier(Part):
    """A file-system or object tier, sized in whole units of its platform."""

    platform_id: str = _input(
        "lustre-oss-generic", "Platform", "Platform of the tier.", catalogue="platforms"
    )
    usable_bytes: float | None = _input(
        None,
        "Usable capacity",
        "AUTO sizes it; a number here fixes it and the planner checks it.",
        ge=1,
        le=1e19,
    )
    unit_count: int | None = _input(None, "Units", "AUTO takes what binds.", ge=1, le=10**5, advanced=True)


class ObjectTier(BulkTier):
    """The object tier: raw data and archived checkpoints."""

    platform_id: str = _input("minio-2u24", "Platform", "Platform of the tier.", catalogue="platforms")


class Storage(Part):
    """The tiers and what is asked of them."""

    hot: HotTier = HotTier()
    file_system: BulkTier = BulkTier()
    object_store: ObjectTier = ObjectTier()
    dataset_on: Literal["hot", "file-system"] = _input(
        "file-system", "Active dataset lies on", "Each byte is counted in one tier."
    )
    file_system_media: Literal["nvme", "ssd"] = _input(
        "nvme", "Media of the file system", "Class of drives, for the guide's price.", advanced=True
    )
    access: Literal["namespace-per-node", "cluster-file-system", "array-front-end", "shared-namespace"] = (
        _input(
            "namespace-per-node",
            "Access to checkpoints",
            "One namespace for each node, re-attached to a replacement; a clustered file system; an array's NFS or S3; or "
            "one namespace that several nodes write.",
        )
    )
    burst_sharing: Literal["reserved", "fair"] = _input(
        "reserved",
        "Reads during a save",
        "Reserved: every read is served and the save gets the rest. Fair: both share the drives, and readers live from "
        "what they prefetched.",
        advanced=True,
    )
    needs_posix: bool = _input(
        False, "POSIX namespace needed", "All nodes must see one file tree for checkpoints."
    )
    needs_snapshots: bool = _input(
        False,
        "Snapshots needed",
        "A function asked of the hot tier; it counts in the choice of architecture.",
        advanced=True,
    )
    needs_replication: bool = _input(
        False,
        "Replication needed",
        "A function asked of the hot tier; it counts in the choice of architecture.",
        advanced=True,
    )
    needs_encryption: bool = _input(
        False,
        "Encryption needed",
        "A function asked of the hot tier; it counts in the choice of architecture.",
        advanced=True,
    )
    operations_skill: Literal["high", "low"] = _input(
        "high",
        "Storage operations skill",
        "High: a team that runs Linux storage itself. Low: wants an appliance.",
    )
    fill_limit_fraction: float = _input(
        0.8,
        "Fill limit",
        "Share of the usable capacity that may be filled, on evidence.",
        ge=0.3,
        le=1,
        grade="seen",
        source="cloud file systems are reliable to about 80 % full",
        advanced=True,
    )
    guide_headroom_ratio: float = _input(
        1.3,
        "Headroom on the guide's basis",
        "For write amplification and garbage collection.",
        ge=1,
        le=4,
        grade="guide",
        source="the guide, 'Checkpoint Storage Design Pattern'",
        advanced=True,
    )
    endurance_margin_ratio: float = _input(
        1.2,
        "Endurance margin",
        "Allowance over daily writes.",
        ge=1,
        le=4,
        grade="class assumption",
        source="reliability models, section 8",
        advanced=True,
    )
    actual_waf_ratio: float = _input(
        1.1,
        "Write amplification inside the drive",
        "For sequential checkpoint writes on a dedicated namespace.",
        ge=1,
        le=10,
        grade="inferred",
        source="reliability models, E6",
        advanced=True,
    )
    rated_waf_ratio: float = _input(
        2.3,
        "Write amplification in the rating",
        "What a 3-DWPD rating already allows for.",
        ge=1,
        le=10,
        grade="inferred",
        source="reliability models, E8",
        advanced=True,
    )
    annual_failure_fraction: float = _input(
        0.01,
        "Drive failures per year",
        "Share of drives that fail in a year.",
        ge=1e-4,
        le=0.5,
        grade="seen",
        source="field studies 0.22 to 2 %",
        advanced=True,
    )
    failure_hazard_ratio: float = _input(
        10.0,
        "Hazard after a failure",
        "How much likelier a failure is after one in the group.",
        ge=1,
        le=1000,
        grade="class assumption",
        source="reliability models, D5: 1, 10, 180",
        advanced=True,
    )
    rebuild_bytes_per_s: float = _input(
        0.5e9,
        "Rebuild rate",
        "Write rate on a spare drive.",
        ge=1e5,
        le=1e11,
        grade="inferred",
        source="reliability models, section 8",
        advanced=True,
    )


class TransportWeights(Part):
    """How much each criterion of the transport counts; points are 0, 1 or 2."""

    bandwidth_weight_count: int = _input(
        3,
        "Weight of bandwidth",
        "Ports carry what a node writes, also with a path lost.",
        ge=0,
        le=10,
        advanced=True,
    )
    latency_weight_count: int = _input(
        3,
        "Weight of latency",
        "The guide's range for a small I/O.",
        ge=0,
        le=10,
        advanced=True,
    )
    processor_weight_count: int = _input(
        2,
        "Weight of processor cores",
        "Cores of a node that the transport takes.",
        ge=0,
        le=10,
        advanced=True,
    )
    lossless_weight_count: int = _input(
        1,
        "Weight of lossless set-up",
        "PFC, ECN and DSCP that have to be in place.",
        ge=0,
        le=10,
        advanced=True,
    )
    sharing_weight_count: int = _input(
        7,
        "Weight of sharing",
        "Whether it bears other traffic on its switches.",
        ge=0,
        le=10,
        advanced=True,
    )
    skills_weight_count: int = _input(
        3,
        "Weight of skills",
        "What the network team has to know.",
        ge=0,
        le=10,
        advanced=True,
    )
    cost_weight_count: int = _input(
        1,
        "Weight of cost",
        "Switches and adapters that it asks for.",
        ge=0,
        le=10,
        advanced=True,
    )
    san_weight_count: int = _input(
        2,
        "Weight of an existing SAN",
        "Use of a Fibre Channel SAN that is there.",
        ge=0,
        le=10,
        advanced=True,
    )


class Network(Part):
    """What the architect says of the storage network."""

    lossless_possible: bool = _input(
        True, "Lossless Ethernet possible", "PFC and ECN can be configured end to end."
    )
    switches_shared: bool = _input(False, "Switches shared", "Storage shares switches with other traffic.")
    fc_san_present: bool = _input(False, "Fibre Channel SAN present", "A SAN with free ports exists.")
    operations_skill: Literal["high", "low"] = _input(
        "high",
        "Network operations skill",
        "High: a team that sets up and watches PFC and ECN. Low: plain Ethernet is what it knows.",
        advanced=True,
    )
    transport_core_count: int = _input(
        8,
        "Cores for storage traffic",
        "Cores of a GPU node that the transport may take.",
        ge=1,
        le=256,
        grade="class assumption",
        source="class assumption: 7 % of the 112 cores of an eight-GPU node",
        advanced=True,
    )
    transport_weights: TransportWeights = TransportWeights()
    transport: TransportName | None = _input(
        None,
        "Transport",
        "RoCEv2, TCP or Fibre Channel. AUTO: the most points by the answers and weights above, of those that the "
        "network allows.",
    )
    separate_network: bool | None = _input(
        None, "Separate storage network", "AUTO: above 32 nodes, as the guide advises."
    )
    path_count: int | None = _input(
        None,
        "Paths per node",
        "Multipath to the checkpoint pool. AUTO: one for each storage port of a node, at most 4.",
        ge=1,
        le=16,
    )
    mtu_bytes: int = _input(
        9000, "MTU", "Ethernet MTU on the storage network.", ge=1500, le=9216, advanced=True
    )
    topology: Literal["single-leaf", "leaf-spine", "rails"] | None = _input(
        None,
        "Topology",
        "AUTO: one leaf pair up to 64 nodes if the ports suffice, else leaf-spine. Rails: leaves of its own for each "
        "storage port of a node, where it has more than two.",
        advanced=True,
    )
    switch_id: str = _input("sn5600", "Switch", "Leaf and spine switch.", catalogue="switches")
    fc_switch_id: str = _input(
        "g720", "Fibre Channel switch", "If the transport is FC.", catalogue="switches", advanced=True
    )
    nic_id: str = _input(
        "cx7-400", "NIC of a storage node", "For watts and price.", catalogue="nics", advanced=True
    )
    client_oversubscription_ratio: float = _input(
        1.0,
        "Oversubscription of client leaves",
        "Harmless down to what the targets can deliver.",
        ge=1,
        le=16,
        advanced=True,
    )
    target_oversubscription_ratio: float = _input(
        1.0, "Oversubscription of target leaves", "The guide asks for none.", ge=1, le=16, advanced=True
    )
    balancing: Literal["adaptive", "hash"] = _input(
        "adaptive",
        "Load balancing",
        "Static hashing of a few large flows loses part of the uplinks.",
        advanced=True,
    )
    hash_loss_fraction: float = _input(
        0.3,
        "Loss by static hashing",
        "Share of a leaf's uplinks that stays idle.",
        ge=0,
        le=0.9,
        grade="inferred",
        source="20 to 40 % for few large flows",
        advanced=True,
    )
    pfc: bool = _input(True, "PFC configured", "Priority flow control on the storage class.")
    ecn: bool = _input(True, "ECN configured", "Marking before queues fill.")
    dscp: bool = _input(True, "DSCP mapped", "Storage marked end to end.")
    rdma_stack_fraction: float = _input(
        0.90,
        "Client stack, RDMA",
        "Share of the array's bandwidth that clients reach over RDMA.",
        ge=1e-4,
        le=1,
        grade="inferred",
        source="rules of the calculation",
        advanced=True,
    )
    tcp_stack_fraction: float = _input(
        0.80,
        "Client stack, TCP",
        "Share of the array's bandwidth that clients reach over TCP.",
        ge=1e-4,
        le=1,
        grade="inferred",
        source="rules of the calculation",
        advanced=True,
    )
    fc_stack_fraction: float = _input(
        0.95,
        "Client stack, FC",
        "Share of the array's bandwidth that clients reach over Fibre Channel.",
        ge=1e-4,
        le=1,
        grade="inferred",
        source="rules of the calculation",
        advanced=True,
    )
    posix_stack_fraction: float = _input(
        0.70,
        "Client stack, parallel file system",
        "Share of a file system's bandwidth that its clients reach.",
        ge=1e-4,
        le=1,
        grade="inferred",
        source="rules of the calculation",
        advanced=True,
    )
    fc_port_bytes_per_s: float = _input(
        6.4e9,
        "Fibre Channel port",
        "Nominal one-way rate of 64GFC.",
        ge=1e8,
        le=1e11,
        grade="inferred",
        source="FCIA roadmap: 64GFC 6,400 MB/s",
        advanced=True,
    )
    node_variation_fraction: float = _input(
        0.1,
        "Spread between nodes",
        "Coefficient of variation of a node's write time.",
        ge=0,
        le=1,
        grade="inferred",
        source="reliability models, B5: 0.05 to 0.3",
        advanced=True,
    )
    measured_latency_s: float | None = _input(
        None,
        "Latency of a small write",
        "As measured: median of one 4 KiB write at a time. Without it the guide's range counts.",
        ge=1e-6,
        le=1,
        advanced=True,
    )
    nfs_session_count: int = _input(
        16, "NFS or iSCSI sessions", "Sessions that write at once.", ge=1, le=10**5, advanced=True
    )
    nfs_session_bytes_per_s: float = _input(
        2e9,
        "Cap of one session",
        "A single TCP connection.",
        ge=1e5,
        le=1e12,
        grade="seen",
        source="about 2 GB/s for one NFS connection",
        advanced=True,
    )
    nfs_front_low_bytes_per_s: float = _input(
        280e9 / 300,
        "Slow NFS front end",
        "Single controller; the guide's 5 minutes for 280 GB.",
        ge=1e5,
        le=1e13,
        grade="guide",
        source="the guide, 'The Storage Problem in AI Training'",
        advanced=True,
    )
    nfs_front_high_bytes_per_s: float = _input(
        280e9 / 120,
        "Fast NFS front end",
        "Single controller; the guide's 2 minutes for 280 GB.",
        ge=1e5,
        le=1e13,
        grade="guide",
        source="the guide, 'The Storage Problem in AI Training'",
        advanced=True,
    )


class Site(Part):
    """The colocation site."""

    rack_height_ru: int = _input(48, "Rack height", "Rack units.", ge=10, le=60)
    rack_reserved_ru: int = _input(
        4, "Reserved in each rack", "For patch panels and management.", ge=0, le=20, advanced=True
    )
    rack_limit_w: float = _input(
        17_000.0, "Power limit of a rack", "What the provider allows.", ge=500, le=1e6
    )
    feed_volts: float = _input(
        415.0, "Feed voltage", "Line to line for three phases.", ge=100, le=1000, advanced=True
    )
    feed_amps: float = _input(30.0, "Breaker", "Rating of one feed.", ge=5, le=1000, advanced=True)
    feed_phase_count: Literal[1, 3] = _input(3, "Phases", "1 or 3.", advanced=True)
    region: Literal["north-america", "asia-pacific", "emea"] = _input(
        "north-america", "Region", "Its rule for the continuous load of a breaker applies.", advanced=True
    )
    continuous_fraction: float | None = _input(
        None,
        "Continuous share of a breaker",
        "AUTO: 80 % in North America and Asia-Pacific, 100 % in EMEA.",
        ge=0.01,
        le=1,
        grade="seen",
        source="provider rules",
        advanced=True,
    )
    power_factor_fraction: float = _input(
        0.95,
        "Power factor",
        "kW for each kVA.",
        ge=0.5,
        le=1,
        grade="from memory",
        source="power rules",
        advanced=True,
    )
    pue_ratio: float = _input(
        1.54,
        "PUE",
        "Facility over IT power; cooling is inside.",
        ge=1,
        le=3,
        grade="seen",
        source="Uptime Institute 2025",
    )
    air_rise_kelvin: float = _input(
        12.0,
        "Temperature rise of the air",
        "Inlet to outlet.",
        ge=1,
        le=40,
        grade="seen",
        source="20 to 25 °F with containment",
        advanced=True,
    )
    energy_basis: Literal["metered", "all-in"] = _input(
        "metered", "Energy is charged", "Metered energy times PUE, or one price for each kW.", advanced=True
    )
    usd_per_kwh: float = _input(
        0.10, "Energy price", "Per kWh.", ge=0, le=5, grade="seen", source="EIA, April 2025"
    )
    usd_per_kw_month: float = _input(
        200.0,
        "All-in colocation price",
        "Per kW and month.",
        ge=0,
        le=5000,
        grade="from memory",
        source="150 to 300, not verified",
        advanced=True,
    )
    rack_usd_per_month: float | None = _input(
        None,
        "Space",
        "Price of one rack, beside metered energy; empty is not priced.",
        ge=0,
        le=1e5,
        advanced=True,
    )
    rack_limit_kg: float = _input(
        1000.0,
        "Weight limit of a rack",
        "Equipment and rack together.",
        ge=200,
        le=5000,
        grade="from memory",
        source="common limit of a rack and its floor",
        advanced=True,
    )
    place_gpu_nodes: bool = _input(
        False, "GPU nodes in the racks", "The layout shows their racks too.", advanced=True
    )
    row_rack_count: int = _input(
        10, "Racks in a row", "Storage racks side by side.", ge=1, le=100, advanced=True
    )
    rack_pitch_m: float = _input(
        0.6,
        "Rack pitch",
        "From one rack to the next in a row.",
        ge=0.4,
        le=2,
        grade="from memory",
        source="600 mm racks",
        advanced=True,
    )
    row_pitch_m: float = _input(
        2.4,
        "Row pitch",
        "From one row to the next, with its aisle.",
        ge=1,
        le=20,
        grade="from memory",
        source="racks of 1.2 m and an aisle of 1.2 m",
        advanced=True,
    )
    gpu_distance_m: float = _input(
        20.0,
        "Storage to GPU racks",
        "Length of a cable from a storage leaf to the farthest GPU node.",
        ge=1,
        le=2000,
        grade="class assumption",
        source="the same hall, another row",
    )
    allowed_w: float | None = _input(
        None,
        "Power allowed",
        "What the provider gives all racks together; empty is a question.",
        ge=1,
        le=1e9,
    )
    allowed_rack_count: int | None = _input(
        None, "Racks allowed", "Racks that the provider has; empty is a question.", ge=1, le=10**5
    )
    allowed_circuit_count: int | None = _input(
        None,
        "Circuits allowed",
        "Circuits of A and B together; empty is a question.",
        ge=1,
        le=10**6,
        advanced=True,
    )
    inlet_celsius: float | None = _input(
        None,
        "Highest inlet temperature",
        "What the provider holds at the inlet; empty is a question.",
        ge=5,
        le=60,
        advanced=True,
    )
    floor_limit_kg_per_m2: float | None = _input(
        None,
        "Floor load allowed",
        "Of a rack on its footprint; empty is a question.",
        ge=100,
        le=50_000,
        advanced=True,
    )
    allowed_cross_connect_count: int | None = _input(
        None,
        "Cross-connects allowed",
        "Fibres to carriers; empty is a question.",
        ge=0,
        le=10**4,
        advanced=True,
    )
    cross_connect_count: int = _input(
        2, "Cross-connects needed", "To the outside, by two ways.", ge=0, le=10**4, advanced=True
    )


class Spares(Part):
    """How many spare parts are kept on site: a share of what is in use, one at least of what is in use."""

    drive_fraction: float = _input(
        0.03,
        "Spare drives",
        "About a year of failures at 1 % with some weeks of delivery, and the first year's double rate.",
        ge=0,
        le=1,
        grade="class assumption",
        source="annual failure rate and delivery time",
        advanced=True,
    )
    optic_fraction: float = _input(
        0.02, "Spare optics and cables", "Share of those in use.", ge=0, le=1, grade="class assumption", source="planner default",
        advanced=True,
    )  # fmt: skip
    nic_fraction: float = _input(
        0.02, "Spare network cards", "Share of those in use.", ge=0, le=1, grade="class assumption", source="planner default",
        advanced=True,
    )  # fmt: skip
    switch_fraction: float = _input(
        0.0,
        "Spare switches",
        "None: a pair carries on with one of it lost.",
        ge=0,
        le=1,
        grade="class assumption",
        source="planner default",
        advanced=True,
    )
    node_fraction: float = _input(
        0.0,
        "Spare storage nodes",
        "None: the protection width has a domain to heal in.",
        ge=0,
        le=1,
        grade="class assumption",
        source="planner default",
        advanced=True,
    )
    supply_fraction: float = _input(
        0.02, "Spare power supplies and fans", "Share of the supplies of each kind of machine, and of the machines for fans.",
        ge=0, le=1, grade="class assumption", source="planner default", advanced=True,
    )  # fmt: skip


class Prices(Part):
    """Which prices are used."""

    price_set_id: str | None = _input(
        None,
        "Price set",
        "AUTO: dated part prices on evidence, the guide's prices per TB on its basis.",
        catalogue="price_sets",
    )
    gpu_usd_per_hour: float = _input(
        3.0,
        "GPU-hour",
        "What an idle GPU costs.",
        ge=0,
        le=1000,
        grade="seen",
        source="H100 rental 1.99 to 5.00 in May 2026",
    )
    term_years: float = _input(5.0, "Term in years", "Years for yearly costs.", ge=0.5, le=15, advanced=True)
    support_fraction: float = _input(
        0.10,
        "Support per year",
        "Share of the capital cost.",
        ge=0,
        le=1,
        grade="class assumption",
        source="planner default",
        advanced=True,
    )
    spares: Spares = Spares()


class Scenario(Part):
    """All that an architect states; everything else is computed from it and the catalogue."""

    schema_version: Literal[1] = SCHEMA_VERSION
    name: str = _input("New design", "Name", "Name of the design.")
    basis: Basis = _input(
        "evidence",
        "Basis",
        "Evidence: published runs and benchmarks. Guide: the founding document's own figures.",
    )
    cluster: Cluster = Cluster()
    jobs: tuple[Job, ...] = Field((Job(),), min_length=1, max_length=MAX_JOBS)
    burst_coincidence: Literal["largest", "all"] = _input(
        "largest",
        "Bursts of several jobs",
        "Largest: only the largest saves at a time. All: they coincide.",
        advanced=True,
    )
    storage: Storage = Storage()
    network: Network = Network()
    site: Site = Site()
    prices: Prices = Prices()

    @model_validator(mode="after")
    def _jobs_fit_the_cluster(self) -> Scenario:
        for job in self.jobs:
            if job.node_count is not None and job.node_count > self.cluster.node_count:
                raise ValueError(
                    f"job “{job.name}” uses {job.node_count} nodes, the cluster has {self.cluster.node_count}; "
                    f"set at most {self.cluster.node_count}"
                )
        return self
