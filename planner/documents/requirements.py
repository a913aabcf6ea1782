"""What is asked for, and whether the design meets it."""

from __future__ import annotations

from reportlab.platypus import Flowable

from planner.core.checks import Check
from planner.core.units import counted, format_range
from planner.documents.parts import pairs, section, table, topic
from planner.documents.text import LONGEST, clean
from planner.plan import JobResult, Plan


def requirements(plan: Plan) -> list[Flowable]:
    """What the scenario asks for, and whether the design meets it."""
    cluster = plan.cluster
    rows = [
        (
            "GPU nodes",
            f"{cluster.node_count} × {clean(cluster.node_name)}, {counted(cluster.gpu_count.number, 'GPU')}",
        ),
        ("Storage ports of a node", f"{cluster.port_count} × {cluster.port_bytes_per_s}"),
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
        *topic("What is asked and what is provided", "checks"),
        *_checks(plan),
    ]


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


def _checks(plan: Plan) -> list[Flowable]:
    rows = []
    for result in plan.jobs:
        who = f"{clean(result.job.name, limit=60)}: " if len(plan.jobs) > 1 else ""
        target, save = result.job.checkpoint.target_s, result.save.save_s
        met = "unknown" if not save.known else "pass" if save.number <= target.number * (1 + 1e-9) else "fail"
        rows.append((f"{who}Save time", f"at most {target}", save.text(), met.upper(), "save target"))
    for tier in plan.tiers:
        need, have = tier.demand.content_bytes, tier.safe_bytes
        check = Check(tier.name, provided=have, required=need, source="fill limit or headroom")
        rows.append((f"{tier.name}: capacity", need.text(), have.text(), check.verdict.upper(), check.source))
    for check in (plan.endurance.check, plan.facility.rack_check, plan.facility.feed_check):
        rows.append(
            (check.name, check.required.text(), check.provided.text(), check.verdict.upper(), check.source)
        )
    return table(("What", "Required", "Provided", "Verdict", "By"), rows, (0.3, 0.17, 0.17, 0.11, 0.25))
