"""How the design is proved: what was required and what answers it, and the tests before it is taken over."""

from __future__ import annotations

import math
from collections.abc import Iterator

from reportlab.platypus import Flowable

from planner.core.quantity import Quantity
from planner.core.units import format_value
from planner.documents.parts import Row, bullets, section, table, text, topic
from planner.documents.record import told
from planner.documents.requirements import asked
from planner.documents.text import LONGEST, clean
from planner.plan import JobResult, Plan
from planner.review.record import ReviewRecord

TOLERANCE = 0.05
"""Share by which a measured time may miss the planned one: the spread of runs on the same kit."""
BURN_IN_HOURS = 72
_BLOCK_BYTES = 4096


# --- requirement trace ----------------------------------------------------------------------------------------


def trace(plan: Plan, *, reviewed: ReviewRecord | None) -> list[Flowable]:
    """Requirement, section, value and verdict; the customer's own ones first where the review has them."""
    customer: list[Row] = [
        (told(item["ref"]), told(item["text"]), item["level"], told(item["outcome"]), item["verdict"].upper())
        for item in (reviewed.requirements if reviewed is not None else ())
    ]
    own = [
        (f"W{number}", row.name, row.level, row.required, row.provided, row.verdict, row.section)
        for number, row in enumerate(asked(plan), start=1)
    ]
    return [
        *section("Requirement trace", "trace"),
        *topic("The customer's requirements", "trace-customer"),
        *(
            table(
                ("Number", "Requirement", "Level", "Value", "Verdict"), customer, (0.1, 0.4, 0.1, 0.28, 0.12)
            )
            if customer
            else [text("None was recorded with this revision.")]
        ),
        *topic("What the workload asks for", "trace-own"),
        *table(
            ("No.", "Requirement", "Level", "Required", "Value", "Verdict", "Section"),
            own,
            (0.06, 0.28, 0.09, 0.15, 0.15, 0.1, 0.17),
        ),
    ]


# --- validation -----------------------------------------------------------------------------------------------


def validation(plan: Plan) -> list[Flowable]:
    """Tests with their commands, what each has to show, and what counts as failed."""
    return [
        *section("Validation and acceptance", "validation"),
        text(
            "Every test is run on the delivered kit before it is taken over. The figures are this design's; the "
            f"configuration bundle has the scripts. A time may miss the planned one by {TOLERANCE:.0%}; a rate that is "
            "above what the ports carry is a mistake of measurement."
        ),
        *topic("Speed", "speed-tests"),
        *table(("Test", "Command", "At least", "Ports carry"), list(_speed(plan)), (0.2, 0.48, 0.16, 0.16)),
        *topic("The whole cluster", "cluster-tests"),
        *table(("Test", "How", "Planned", "Taken over up to"), list(_whole(plan)), (0.22, 0.4, 0.17, 0.21)),
        *topic("Failures", "failure-tests"),
        *table(
            ("Job", "What is taken away", "Save planned", "Taken over up to", "Decided by"),
            list(_failures(plan)),
            (0.22, 0.26, 0.16, 0.18, 0.18),
        ),
        *bullets(
            [
                f"Burn-in: all jobs save and read for {BURN_IN_HOURS} h; no drive, port or path is lost, and no save "
                "takes longer than its time above.",
                f"Wear: after the burn-in the drives' counters show at most {plan.endurance.drive_write_bytes_per_day} "
                "written to all of them together, prorated, plus the tests' own bytes.",
                "A path is pulled under load on each side in turn: no I/O error reaches the training job.",
            ]
        ),
    ]


def _speed(plan: Plan) -> Iterator[Row]:
    """One node alone: its share of a save, and its reads."""
    ports = plan.network.node_bytes_per_s.text()
    for result in plan.jobs:
        who = f"{clean(result.job.name, limit=60)}: " if len(plan.jobs) > 1 else ""
        checkpoint, reads = result.job.checkpoint, result.job.ingest
        gpus = _whole_number(result.job.gpus_per_node_count)
        shard = math.ceil(checkpoint.shard_bytes.number / gpus) if checkpoint.shard_bytes.known else 0
        yield (
            f"{who}share of a save by one node",
            _fio("write", result.job.policy.block_bytes, gpus) + (f" --size={shard}" if shard else ""),
            checkpoint.node_write_bytes_per_s.text(),
            ports,
        )
        workers = gpus * max(result.job.stream.worker_count, 1)
        yield (
            f"{who}reads of one node",
            _fio("read", result.job.stream.block_bytes, workers) + " --runtime=60 --time_based",
            reads.node_read_bytes_per_s.text(),
            ports,
        )


def _whole_number(item: Quantity) -> int:
    return max(int(item.number), 1) if item.known else 1


def _fio(way: str, block_bytes: float, jobs: int) -> str:
    """Direct sequential I/O of one node, as the loader or the writer does it."""
    block = max(round(block_bytes / _BLOCK_BYTES), 1) * _BLOCK_BYTES
    return (
        f"fio --name={way} --rw={way} --bs={block} --numjobs={jobs} --direct=1 --ioengine=libaio --iodepth=4 "
        "--group_reporting --output-format=json"
    )


def _whole(plan: Plan) -> Iterator[Row]:
    """All nodes together: the save, the restart, the reads."""
    for result in plan.jobs:
        name = clean(result.job.name, limit=LONGEST)
        yield (
            f"{name}: save",
            "the training framework saves on all nodes; the slowest rank counts",
            *_up_to(result.save.save_s),
        )
        yield (
            f"{name}: restart",
            "all ranks read the last checkpoint after a kill",
            *_up_to(result.goodput.load_s),
        )
        yield _reads(result, name)


def _reads(result: JobResult, name: str) -> Row:
    need = result.job.ingest.read_bytes_per_s
    return (
        f"{name}: reads",
        "MLPerf Storage or the loader on all nodes, beside a save",
        need.text(),
        f"at least {need}",
    )


def _failures(plan: Plan) -> Iterator[Row]:
    for result in plan.jobs:
        name = clean(result.job.name, limit=LONGEST)
        for case, save in result.degraded.items():
            yield name, case, *_up_to(save.save_s), save.binding


def _up_to(planned: Quantity) -> tuple[str, str]:
    """A planned time, and the longest that is taken over."""
    if not planned.known:
        return planned.text(), "unknown"
    return planned.text(), f"at most {format_value(planned.number * (1 + TOLERANCE), planned.unit)}"
