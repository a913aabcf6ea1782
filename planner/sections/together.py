"""Several jobs on one cluster: what they add up to, and what happens when their saves coincide."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from planner.core.quantity import Quantity, derive, total
from planner.sections.goodput import GoodputPlan
from planner.sections.jobs import JobPlan
from planner.sections.transport import SavePlan
from planner.sizing import burst, lost_time

SHARED = ("fabric", "target ports", "drives")
"""Stages that all jobs share; the copy and the ports are each node's own."""


class Figures(Protocol):
    """What is known of each job."""

    @property
    def job(self) -> JobPlan:
        """The job."""

    @property
    def save(self) -> SavePlan:
        """Its save, alone on the tier."""

    @property
    def goodput(self) -> GoodputPlan:
        """Its goodput."""


@dataclass(frozen=True, slots=True)
class TogetherPlan:
    """All jobs together.

    Attributes:
        coinciding_s: Save of each job if all jobs save at once; its own save if it is the only one.
    """

    gpu_count: Quantity
    goodput_fraction: Quantity
    lost_usd_per_year: Quantity
    daily_write_bytes_per_day: Quantity
    coinciding_s: tuple[Quantity, ...]


def together_plan(results: Sequence[Figures]) -> TogetherPlan:
    """Sums over the jobs, and their saves at once."""
    gpus = total([r.job.gpu_count for r in results], "GPUs of all jobs", unit="count")
    useful = total(
        [
            derive(
                lost_time.useful_gpu_count,
                gpu_count=r.job.gpu_count,
                goodput_fraction=r.goodput.goodput_fraction,
            )
            for r in results
        ],
        "GPUs at work",
        unit="count",
    )
    return TogetherPlan(
        gpu_count=gpus,
        goodput_fraction=derive(lost_time.cluster_goodput_fraction, useful_gpu_count=useful, gpu_count=gpus),
        lost_usd_per_year=total(
            [r.goodput.lost_usd_per_year for r in results], "Lost GPU time of all jobs", unit="USD/year"
        ),
        daily_write_bytes_per_day=total(
            [r.job.checkpoint.daily_write_bytes_per_day for r in results],
            "Daily writes of all jobs",
            unit="bytes/day",
        ),
        coinciding_s=_coinciding([r.save for r in results]),
    )


def _coinciding(saves: Sequence[SavePlan]) -> tuple[Quantity, ...]:
    """Save times if all begin at once: a shared stage carries everybody's bytes before the last is done."""
    if len(saves) == 1:
        return (saves[0].save_s,)
    fabric, ports, drives = (
        total([save.stages[name] for save in saves], f"{name.capitalize()}, all jobs at once", unit="s")
        for name in SHARED
    )
    return tuple(
        derive(
            burst.slowest_s,
            copy_s=save.stages["copy out of GPU memory"],
            node_s=save.stages["node ports"],
            fabric_s=fabric,
            ports_s=ports,
            drives_s=drives,
            label="Save when all jobs save at once",
        )
        for save in saves
    )
