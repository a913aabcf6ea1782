"""What is asked for, and whether the design meets it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from reportlab.platypus import Flowable

from planner.core.checks import Check
from planner.core.units import counted, format_range
from planner.documents.parts import pairs, section, table, text, topic
from planner.documents.text import LONGEST, clean
from planner.plan import JobResult, Plan
from planner.review.record import ReviewRecord
from planner.review.requirements import Level
from planner.sections.links import gbps_text
from planner.sections.rows import power_checks

LONGEST_STATED = 2_000
"""Characters that are printed of a requirement in the customer's words."""


def requirements(plan: Plan, *, reviewed: ReviewRecord | None = None) -> list[Flowable]:
    """What the customer and the workload ask for, and whether the design meets it.

    Args:
        plan: The plan.
        reviewed: The review of a saved revision: the customer's own requirements are told as well.
    """
    cluster = plan.cluster
    rows = [
        (
            "GPU nodes",
            f"{cluster.node_count} × {clean(cluster.node_name)}, {counted(cluster.gpu_count.number, 'GPU')}",
        ),
        ("Storage ports of a node", f"{cluster.port_count} × {gbps_text(cluster.port_bytes_per_s.number)}"),
        ("Local drives of a node", f"{cluster.local_drive_count} × {cluster.local_drive_bytes}"),
        ("Host memory of a node", cluster.host_memory_bytes.text()),
    ]
    jobs: list[Flowable] = []
    for number, result in enumerate(plan.jobs):
        jobs += topic(f"Job: {clean(result.job.name, limit=LONGEST)}", f"job-{number}")
        jobs += pairs(_job(plan, result, number))
    return [
        *section("Requirements", "requirements"),
        *pairs(rows),
        *jobs,
        *topic("The customer's requirements", "customer-requirements"),
        *_customers(reviewed),
        *topic("What is asked and what is provided", "checks"),
        text(
            "“Must” stops an order where it fails, “should” is a warning. These are the non-functional requirements; the "
            "functional ones are the nodes and jobs above. “Requirement trace” leads from each to its section."
        ),
        *_checks(plan),
    ]


def _customers(reviewed: ReviewRecord | None) -> list[Flowable]:
    """Requirements that were recorded with the revision, by their own numbers."""
    stated = reviewed.requirements if reviewed is not None else ()
    if not stated:
        return [text("None was recorded with this revision.")]
    rows = [
        (
            *(clean(item[name], limit=LONGEST_STATED) for name in ("ref", "text", "level")),
            item["verdict"].upper(),
        )
        for item in stated
    ]
    return table(("Number", "Requirement", "Level", "Verdict"), rows, (0.12, 0.62, 0.12, 0.14))


def _job(plan: Plan, result: JobResult, number: int) -> list[tuple[object, object]]:
    job, checkpoint, reads = result.job, result.job.checkpoint, result.job.ingest
    model = plan.scenario.jobs[number].model
    policy = job.policy
    kept = f"{policy.retained_count} and {policy.in_flight_count} in flight"
    guide = format_range(reads.guide_low_bytes_per_s.number, reads.guide_high_bytes_per_s.number, "bytes/s")
    return [
        (
            "Nodes and GPUs",
            f"{counted(job.node_count.number, 'node')}, {counted(job.gpu_count.number, 'GPU')}",
        ),
        ("Model", f"{clean(model.name, limit=LONGEST)}, {checkpoint.parameter_count} parameters"),
        (
            "Checkpoint",
            f"{checkpoint.size_bytes} at {checkpoint.bytes_per_parameter_bytes} for each parameter",
        ),
        (
            "Saved every",
            f"{checkpoint.interval_s}, {'asynchronously' if policy.mode == 'async' else 'synchronously'}",
        ),
        ("Save target", f"{checkpoint.target_s}, which needs {checkpoint.required_write_bytes_per_s}"),
        ("Kept on the hot tier", f"{kept}: {checkpoint.retained_bytes}"),
        ("Read demand", f"{reads.read_bytes_per_s}; the guide's range for this cluster is {guide}"),
        ("Active dataset", f"{reads.dataset_bytes}, from {reads.raw_dataset_bytes} of raw data"),
    ]


@dataclass(frozen=True, slots=True)
class Asked:
    """One thing that is asked of the design and what it has, as they are printed.

    Attributes:
        level: "must" where the review stops a design that misses it, "should" where it warns.
        by: Where the requirement comes from.
        section: Section of the document that says more.
        utilisation: Share of what is allowed or provided that is used; NaN where it is unknown.
    """

    level: Level
    name: str
    required: str
    provided: str
    verdict: str
    by: str
    section: str
    utilisation: float


def asked(plan: Plan) -> Iterator[Asked]:
    """Every check of the plan: saves in time, room on the tiers, endurance, power of the fullest rack."""
    for result in plan.jobs:
        who = f"{clean(result.job.name, limit=60)}: " if len(plan.jobs) > 1 else ""
        target, save = result.job.checkpoint.target_s, result.save.save_s
        met = "unknown" if not save.known else "pass" if save.number <= target.number * (1 + 1e-9) else "fail"
        yield Asked(
            "must", f"{who}Save time", f"at most {target}", save.text(), met.upper(), "save target",
            "Training time; Network", save.number / target.number,
        )  # fmt: skip
    for tier in plan.tiers:
        room = Check(
            f"{tier.name}: capacity",
            provided=tier.safe_bytes,
            required=tier.demand.content_bytes,
            source="fill limit or headroom",
        )
        # a tier behind the hot one fills by the end of the run: finding CAP-2 is a warning
        yield _of_check(room, "Storage tiers", "must" if tier is plan.hot else "should")
    yield _of_check(plan.endurance.check, "Endurance and protection")
    for check in power_checks(plan.racks):
        yield _of_check(check, "Power and cooling")


def _of_check(check: Check, section_title: str, level: Level = "must") -> Asked:
    ends = (check.required.text(), check.provided.text(), check.verdict.upper())
    return Asked(level, check.name, *ends, check.source, section_title, check.utilisation)


def _checks(plan: Plan) -> list[Flowable]:
    rows = [
        (f"W{number}", row.name, row.level, row.required, row.provided, row.verdict, row.by)
        for number, row in enumerate(asked(plan), start=1)
    ]
    head = ("No.", "What", "Level", "Required", "Provided", "Verdict", "By")
    return table(head, rows, (0.06, 0.28, 0.09, 0.16, 0.16, 0.1, 0.15))
