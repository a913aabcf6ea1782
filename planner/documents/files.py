"""The checkpoint as it lies on storage: its files, who writes and reads them, and what a GPU holds meanwhile."""

from __future__ import annotations

from reportlab.platypus import Flowable

from planner.core.units import counted
from planner.documents.parts import pairs, section, table, text, topic
from planner.documents.text import LONGEST, clean
from planner.plan import JobResult, Plan


def layout(plan: Plan) -> list[Flowable]:
    """Files, writers, readers and GPU memory of each job's checkpoint."""
    found = section("Checkpoint layout", "layout")
    for number, result in enumerate(plan.jobs, start=1):
        name = clean(result.job.name, limit=LONGEST)
        title = f"{name} ({number})" if len(plan.jobs) > 1 else name
        found += [*topic(title, f"layout-{result.job.path}"), *_job(result)]
    return found


def _job(result: JobResult) -> list[Flowable]:
    plan = result.layout
    files = [
        (group.content, group.count.text(), group.size_bytes.text(), clean(group.writers))
        for group in plan.files
    ]
    return [
        text(f"{plan.description}."),
        *table(
            ("Files of one save", "Number", "Size of each", "Written by"), files, (0.32, 0.14, 0.18, 0.36)
        ),
        *pairs(_rows(result)),
    ]


def _rows(result: JobResult) -> list[tuple[object, object]]:
    plan = result.layout
    kept = "adapters alone" if plan.adapters else "weights and optimizer"
    return [
        (
            "What is saved",
            f"{kept}: {counted(plan.saved_parameter_count.number, 'parameter')} in {counted(plan.file_count.number, 'file')}",
        ),
        ("Weights, optimizer state", f"{plan.weight_bytes}, {plan.optimizer_bytes}"),
        ("Writers", plan.writers),
        (
            "Busiest writer",
            f"a rank {plan.busiest_rank_bytes}, a node {plan.busiest_node_bytes}: {plan.busiest_ratio} the average node's "
            f"{plan.mean_node_bytes}",
        ),
        ("Readers at a restart", plan.readers),
        ("Read by the busiest", f"a rank {plan.restart_rank_bytes}, a node {plan.restart_node_bytes}"),
        (
            "GPU memory",
            f"training state {plan.state_low_bytes} to {plan.state_high_bytes} of {plan.gpu_memory_bytes} "
            f"({plan.memory_fraction}); activations need the rest",
        ),
        ("The same, all sharded", plan.least_state_bytes.text()),
    ]
