"""What a design promises that can be measured: of a node, the array, a drive and the fabric."""

from __future__ import annotations

from collections.abc import Iterator

from planner.core.quantity import Quantity, derive, given
from planner.core.units import counted, format_value
from planner.plan import JobResult, Plan
from planner.review.as_built import Promise
from planner.sizing import checkpoint
from planner.telemetry.nodes import main_job
from planner.telemetry.small_requests import SMALL_REQUEST_BYTES

TOLERANCE_FRACTION = 0.05
"""A rate may fall short of the expected one by so much: runs of one machine differ by a few percent."""
LATENCY_TOLERANCE_FRACTION = 0.10
"""Tools give percentiles in classes of a histogram, a few percent wide."""
NEW_FRACTION = 0.02
"""Share of its life that a drive still counts as new with: its own tests, and rounding to whole percent."""
BUSY_FRACTION = 0.9
"""What MLPerf Storage asks of most of its workloads: accelerators that wait for data no more than a tenth of the time."""
_NODE_TOOLS = ("fio", "ior", "elbencho")
_SCRIPT = "acceptance/run.sh of the bundle, which runs fio with …/{test}.fio of the job"
_LATENCY = "acceptance/run.sh of the bundle, which runs fio with latency.fio on a mounted namespace: 4 KiB, one at a time"
_TRAINING = "mlpstorage training run with training/…/dlio-workload.yaml of the bundle"
_CHECKPOINTS = "mlpstorage checkpointing run, or DLIO with training/…/dlio-workload.yaml of the bundle"


def promises(plan: Plan) -> tuple[Promise, ...]:
    """Everything that a delivery can be held against, the main job's first."""
    first = main_job(plan)
    order = [first, *(number for number in range(len(plan.jobs)) if number != first)]
    many = len(plan.jobs) > 1
    return (
        *(item for number in order for item in _of_a_node(plan, number, many=many)),
        *(item for number in order for item in _of_the_array(plan, number, many=many)),
        *_of_the_paths(plan),
        *_of_latency(plan),
        *_of_a_drive(plan),
    )


def _named(plan: Plan, number: int, *, many: bool) -> tuple[str, str]:
    """What the keys and the words of a job's promises end in."""
    tail = "" if number == main_job(plan) else f"-{number + 1}"
    return tail, f" ({plan.jobs[number].job.name})" if many else ""


def _of_a_node(plan: Plan, number: int, *, many: bool) -> Iterator[Promise]:
    result = plan.jobs[number]
    tail, words = _named(plan, number, many=many)
    yield Promise(
        id=f"node-write{tail}",
        scope="node",
        what=f"Checkpoint writes of one node{words}",
        quantity="write_bandwidth",
        expected=result.job.checkpoint.node_write_bytes_per_s,
        bound="at least",
        tolerance_fraction=TOLERANCE_FRACTION,
        command=_SCRIPT.format(test="checkpoint"),
        proves=f"a node writes its shard within the target of {result.job.checkpoint.target_s}",
        tools=_NODE_TOOLS,
        job=number,
    )
    reads = result.job.ingest.node_read_bytes_per_s
    if tail and reads.number <= 0:
        return
    yield Promise(
        id=f"node-read{tail}",
        scope="node",
        what=f"Dataset reads of one node{words}",
        quantity="read_bandwidth",
        expected=reads if reads.number > 0 else plan.network.node_need_bytes_per_s,
        bound="at least",
        tolerance_fraction=TOLERANCE_FRACTION,
        command=_SCRIPT.format(test="dataset"),
        proves="data loaders of a node are supplied",
        tools=_NODE_TOOLS,
        job=number,
    )


def _of_the_array(plan: Plan, number: int, *, many: bool) -> Iterator[Promise]:
    result = plan.jobs[number]
    tail, words = _named(plan, number, many=many)
    for name, what, quantity, expected, proves, also in (
        (
            "array-save",
            "A whole checkpoint, all nodes at once",
            "checkpoint_write_bandwidth",
            result.job.checkpoint.required_write_bytes_per_s,
            f"a save takes at most its target of {result.job.checkpoint.target_s}",
            "write_bandwidth",
        ),
        (
            "array-load",
            "The checkpoint read back after a failure",
            "checkpoint_read_bandwidth",
            _restart(result),
            f"a restart loads in {result.goodput.load_s}",
            "read_bandwidth",
        ),
    ):
        yield Promise(
            id=f"{name}{tail}",
            scope="array",
            what=f"{what}{words}",
            quantity=quantity,
            expected=expected,
            bound="at least",
            tolerance_fraction=TOLERANCE_FRACTION,
            command=f"{_CHECKPOINTS}; or fio as client of all nodes",
            proves=proves,
            job=number,
            also=also,
        )
    yield Promise(
        id=f"array-training{tail}",
        scope="array",
        what=f"Accelerators kept busy by data loading{words}",
        quantity="accelerator_utilisation",
        expected=given(
            BUSY_FRACTION, "fraction", "Accelerator utilisation", source="MLPerf Storage", grade="seen"
        ),
        bound="at least",
        tolerance_fraction=0.0,
        command=_TRAINING,
        proves="training does not wait for data",
        job=number,
    )


def _restart(result: JobResult) -> Quantity:
    return derive(
        checkpoint.required_write_bytes_per_s,
        checkpoint_bytes=result.job.checkpoint.size_bytes,
        target_s=result.goodput.load_s,
        label="Read bandwidth of a restart",
    )


def _of_the_paths(plan: Plan) -> Iterator[Promise]:
    count = plan.network.path_count
    for name, what, quantity in (
        ("live", "Live paths of a subsystem", "paths_live"),
        ("usable", "Usable paths of a subsystem", "paths_usable"),
    ):
        yield Promise(
            id=f"paths-{name}",
            scope="fabric",
            what=what,
            quantity=quantity,
            expected=count,
            bound="at least",
            tolerance_fraction=0.0,
            command="nvme list-subsys -o json on each node",
            proves=f"{counted(count.number, 'path')} {'carries' if count.number == 1 else 'carry'} data; "
            f"with one lost a node keeps {plan.network.after_path_loss_bytes_per_s}",
        )


def _of_latency(plan: Plan) -> Iterator[Promise]:
    """The design's own alarms on latency, which are for small requests, one at a time."""
    for watch in plan.monitoring:
        way, _, mark = watch.subject.partition(" latency ")
        if watch.group != "Latency" or mark not in ("p50", "p99"):
            continue
        yield Promise(
            id=f"latency-{way}-{mark}",
            scope="fabric",
            what=f"{way.capitalize()} latency of one small request at a time, {mark}",
            quantity=f"{way}_latency_{mark}",
            expected=watch.threshold,
            bound="at most",
            tolerance_fraction=LATENCY_TOLERANCE_FRACTION,
            command=_LATENCY,
            proves=f"requests up to {format_value(SMALL_REQUEST_BYTES, 'bytes', binary=True)} "
            "cross the fabric without queues",
            tools=("fio",),
        )


def _of_a_drive(plan: Plan) -> Iterator[Promise]:
    thresholds = {w.subject: w.threshold for w in plan.monitoring if w.group == "Drive health"}
    none = given(
        0.0, "count", "Critical warning", source="acceptance of new drives", grade="class assumption"
    )
    new = given(
        NEW_FRACTION, "fraction", "Life used", source="acceptance of new drives", grade="class assumption"
    )
    for name, what, quantity, expected, proves in (
        ("media", "No media errors", "media_errors", thresholds["media errors"], "no data was lost"),
        ("warning", "No critical warning", "critical_warning", none, "the drive reports itself sound"),
        (
            "temperature",
            "Composite temperature",
            "temperature",
            thresholds["composite temperature"],
            "the drive is cooled as planned",
        ),
        (
            "used",
            "Life used: new, and no more than the design's wear from there on",
            "percentage_used",
            new,
            "the drive was new, and wears as planned",
        ),
    ):
        yield Promise(
            id=f"drive-{name}",
            scope="drive",
            what=what,
            quantity=quantity,
            expected=expected,
            bound="at most",
            tolerance_fraction=0.0,
            command="nvme smart-log -o json /dev/nvme…, for each drive",
            proves=proves,
        )
