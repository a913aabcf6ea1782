"""The failure table: event, effect, what is left, and how long until it is as before."""

from __future__ import annotations

from collections.abc import Iterator

from reportlab.platypus import Flowable

from planner.core.units import format_value
from planner.documents.beside import Beside
from planner.documents.parts import Row, table, text, topic
from planner.documents.text import clean
from planner.plan import Plan
from planner.sections.fabric_load import FabricState

REPAIR = "unknown: once it is replaced"


def failure_table(plan: Plan, beside: Beside) -> list[Flowable]:
    """Every event that the plan knows, with the times that it knows; a time that nobody stated is unknown.

    Args:
        plan: The plan.
        beside: What is known beside it: how soon a host notices a silent path.
    """
    rows = [*_parts(plan, beside), *_jobs(plan), *_loss(plan)]
    return [
        *topic("Failures and recovery", "failures"),
        text(
            "“Service back” is when saves and reads go on; “as before” is when protection or paths are whole again. "
            "How soon a part is replaced is for the support contract and the spares on site to say."
        ),
        *table(
            ("Event", "Effect", "What is left", "Service back after", "As before after"),
            rows,
            (0.15, 0.27, 0.18, 0.19, 0.21),
        ),
    ]


def _parts(plan: Plan, beside: Beside) -> Iterator[Row]:
    """Parts of the storage and its network."""
    for state in plan.fabric_load.losses:
        back, whole = _times(plan, beside, state)
        yield state.name, clean(state.note, limit=1_000), _left(plan, state), back, whole


def _left(plan: Plan, state: FabricState) -> str:
    """Saves with the part lost: of each job where there are several."""
    saves = [save.save_s.text() for save in state.saves]
    whole = [result.save.save_s.text() for result in plan.jobs]
    if not saves:
        return "unknown"
    return f"a save takes {', '.join(saves)} instead of {', '.join(whole)}"


def _times(plan: Plan, beside: Beside, state: FabricState) -> tuple[str, str]:
    """Time until service goes on, and time until all is as before."""
    if state.key == "drive":
        return "at once: data is rebuilt from the others", _rebuild(plan)
    if state.key == "target":
        if plan.hot.scheme is None:
            return "unknown: the vendor states it", "unknown: the vendor states it"
        if plan.hot.domain != "node":
            back = "unknown: its contents are away until it is repaired"
            return back, REPAIR
        return _failover(beside), f"data {_rebuild(plan)}, all of its drives at once; the machine {REPAIR}"
    return _failover(beside), REPAIR


def _failover(beside: Beside) -> str:
    if not beside.noticed_s:
        return "unknown: by the hosts' settings"
    return f"at most {format_value(beside.noticed_s, 's')}: keep-alive, then the other path"


def _rebuild(plan: Plan) -> str:
    """Time until the chosen scheme is whole again; the vendor's where the platform protects itself."""
    if plan.hot.scheme is None:
        return "unknown: the vendor states it"
    own = next(row for row in plan.protection.rows if row.scheme.id == plan.hot.scheme.id)
    return own.rebuild_s.text()


def _jobs(plan: Plan) -> Iterator[Row]:
    """An interruption of a job: training goes back to its last checkpoint."""
    for result in plan.jobs:
        good, job = result.goodput, result.job
        name = f", {clean(job.name, limit=60)}" if len(plan.jobs) > 1 else ""
        yield (
            f"GPU or node of a job fails{name}",
            f"training stops and goes back to its last checkpoint; every {good.interruption_s} on average",
            "all storage",
            f"{good.restart_s}, of which {good.load_s} to load the checkpoint",
            f"then at most {job.checkpoint.interval_s} of training is repeated",
        )


def _loss(plan: Plan) -> Iterator[Row]:
    """More failures than the protection survives."""
    found = plan.durability
    if found is None:
        return
    restart = plan.main.goodput.restart_s
    yield (
        "hot tier loses its checkpoints",
        f"more fails than the protection survives: {clean(plan.protection.survives)}",
        "copies on the cold tier",
        f"{restart}, and the load from the cold tier: unknown",
        f"then at most {found.rollback_s} of training is repeated",
    )
