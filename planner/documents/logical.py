"""The logical design: what each tier is for, what flows between them, and what may fail without a loss."""

from __future__ import annotations

from collections.abc import Iterator

from reportlab.platypus import Flowable

from planner.core.units import every
from planner.documents.parts import Row, section, table, text, topic
from planner.documents.text import LONGEST, clean
from planner.plan import Plan
from planner.sections.kit import domains_of
from planner.sections.rows import power_checks
from planner.sections.tiers import TierPlan

ROLES = {
    "hot": "takes every save at once, gives the last checkpoint back",
    "file-system": "gives the active dataset to all nodes",
    "object": "keeps raw data and old checkpoints",
}
"""What each tier is for, by its role."""


def logical(plan: Plan) -> list[Flowable]:
    """Tiers by what they are for, flows between them, and failure domains; parts and numbers stand in later sections."""
    tiers = [
        (
            tier.name,
            ROLES[tier.role],
            "; ".join(clean(name, limit=LONGEST) for name in tier.demand.contents),
            _protection(tier),
        )
        for tier in plan.tiers
    ]
    return [
        *section("Logical design", "logical"),
        text(f"Kind of the hot tier: {plan.architecture.choice.label}. {plan.architecture.access}"),
        *table(("Tier", "For", "What lies there", "Protection"), tiers, (0.2, 0.28, 0.3, 0.22)),
        *topic("Flows", "flows"),
        *table(("Flow", "From", "To", "Rate or time", "When"), list(_flows(plan)), (0.2, 0.2, 0.2, 0.2, 0.2)),
        *topic("Failure domains", "domains"),
        *table(("Domain", "Number", "What may be lost"), list(_domains(plan)), (0.28, 0.2, 0.52)),
    ]


def _protection(tier: TierPlan) -> str:
    if tier.scheme is None:
        return clean(tier.platform.protection or "the platform's own", limit=LONGEST)
    return f"{tier.scheme.label} over {tier.domain}s"


def _flows(plan: Plan) -> Iterator[Row]:
    nodes, cold = "GPU nodes", plan.tiers[-1]
    for index, result in enumerate(plan.jobs):
        job, good = result.job, result.goodput
        name = f", {clean(job.name, limit=60)}" if len(plan.jobs) > 1 else ""
        needed = f"{job.checkpoint.required_write_bytes_per_s}, {job.checkpoint.size_bytes}"
        yield f"save{name}", nodes, plan.hot.name, needed, every(job.checkpoint.interval_s.number)
        yield (
            f"restart{name}", plan.hot.name, nodes, f"{job.checkpoint.size_bytes} in {good.load_s}",
            f"after an interruption: one in {good.interruption_s}",
        )  # fmt: skip
        day = plan.drain_day(index)
        yield (
            f"copy of checkpoints{name}", plan.hot.name, cold.name,
            f"{day.rate_bytes_per_s}, {day.drain_s} each", every(day.period_s.number),
        )  # fmt: skip
    for tier in plan.tiers:
        if tier.demand.read_bytes_per_s.number > 0:
            yield (
                f"reads of the {tier.name}",
                tier.name,
                nodes,
                tier.demand.read_bytes_per_s.text(),
                "beside saves",
            )
    for result in plan.jobs:
        name = f", {clean(result.job.name, limit=60)}" if len(plan.jobs) > 1 else ""
        raw, took = result.job.ingest.raw_dataset_bytes, result.pipeline.import_s
        yield f"import of raw data{name}", "outside", cold.name, f"{raw} in {took}", "before training"


def _domains(plan: Plan) -> Iterator[Row]:
    hot, net = plan.hot, plan.network
    if hot.scheme is None:
        yield f"{hot.name}: its own protection", "", "the vendor states it"
    else:
        count = plan.facility.rack_count if hot.domain == "rack" else domains_of(hot)
        yield f"{hot.name}: {hot.domain}", count.text(), clean(plan.protection.survives)
    paths = net.path_count
    yield "path of a GPU node", paths.text(), _of_paths(plan)
    yield "leaf", net.leaf_count.text(), "one: see “Failures and recovery” for machines with one port"
    if net.spine_count.number:
        yield "spine", net.spine_count.text(), "one: its share of the uplinks is lost"
    yield (
        "feed of a rack", "2, A and B",
        "one: the other carries the rack" if power_checks(plan.racks)[1].ok else "none: see “Rack layout”",
    )  # fmt: skip


def _of_paths(plan: Plan) -> str:
    net = plan.network
    if net.path_count.number < 2:
        return "none: a node has one path"
    return f"one: {net.after_path_loss_bytes_per_s} are left of {net.node_bytes_per_s}"
