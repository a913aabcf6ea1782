"""What each tier holds and carries: every byte is counted in one tier."""

from __future__ import annotations

from planner.core.quantity import Quantity, derive, given, total
from planner.core.record import record
from planner.core.units import scalar
from planner.sections.context import Context
from planner.sections.jobs import JobPlan
from planner.sizing import checkpoint, tier_capacity, tier_rates


@record(frozen=True, slots=True)
class Demand:
    """What a tier is asked for."""

    contents: dict[str, Quantity]
    content_bytes: Quantity
    write_bytes_per_s: Quantity
    read_bytes_per_s: Quantity
    steady_bytes_per_s: Quantity
    steady_read_bytes_per_s: Quantity
    steady_write_bytes_per_s: Quantity
    daily_write_bytes_per_day: Quantity


STEADY_LIMIT_FRACTION = 0.8
"""Steady traffic may take this share of what is provisioned: the guide, 'Monitoring and Alerting'."""
NO_WRITES = given(0.0, "bytes/s", "Steady writes", source="none of this kind", grade="input")


def job_names(jobs: tuple[JobPlan, ...]) -> list[str]:
    """A name for each job; where two are called alike, each has its number at the end."""
    names = [job.name for job in jobs]
    if len(set(names)) == len(names):
        return names
    return [f"{name} ({number})" for number, name in enumerate(names, start=1)]


def burst_write(context: Context, jobs: tuple[JobPlan, ...]) -> Quantity:
    """Write bandwidth of the burst: the largest job's, or all jobs' at once."""
    needs = [job.checkpoint.required_write_bytes_per_s for job in jobs]
    if context.scenario.burst_coincidence == "all":
        return total(needs, "Write bandwidth, all jobs at once", unit="bytes/s")
    return max(needs, key=lambda need: need.number)


def hot_demand(context: Context, jobs: tuple[JobPlan, ...]) -> Demand:
    """What the hot tier holds and carries."""
    on_hot = context.scenario.storage.dataset_on == "hot"
    names = job_names(jobs)
    contents = {
        f"checkpoints of {name}": job.checkpoint.retained_bytes for name, job in zip(names, jobs, strict=True)
    }
    drains = [job.checkpoint.drain_bytes_per_s for job in jobs]
    reads = list(drains)
    daily = [job.checkpoint.daily_write_bytes_per_day for job in jobs]
    staged = [NO_WRITES]
    if on_hot:
        contents |= {
            f"dataset of {name}": job.ingest.dataset_bytes for name, job in zip(names, jobs, strict=True)
        }
        reads += [job.ingest.read_bytes_per_s for job in jobs]
        daily += [job.ingest.staging_bytes_per_day for job in jobs]
        staged = [job.ingest.staging_write_bytes_per_s for job in jobs]
    return Demand(
        contents=contents,
        content_bytes=total(list(contents.values()), "Contents of the hot tier", unit="bytes"),
        write_bytes_per_s=burst_write(context, jobs),
        read_bytes_per_s=total(reads, "Reads from the hot tier", unit="bytes/s"),
        steady_bytes_per_s=total(reads + staged, "Steady traffic on the hot tier", unit="bytes/s"),
        steady_read_bytes_per_s=total(reads, "Steady reads from the hot tier", unit="bytes/s"),
        steady_write_bytes_per_s=total(staged, "Steady writes to the hot tier", unit="bytes/s"),
        daily_write_bytes_per_day=total(daily, "Daily writes to the hot tier", unit="bytes/day"),
    )


def file_system_demand(context: Context, jobs: tuple[JobPlan, ...]) -> Demand | None:
    """What the file-system tier holds and carries; None if nothing lies there."""
    if context.scenario.storage.dataset_on == "hot":
        return None
    contents = {
        f"dataset of {name}": job.ingest.dataset_bytes
        for name, job in zip(job_names(jobs), jobs, strict=True)
    }
    reads = [job.ingest.read_bytes_per_s for job in jobs]
    staged = [job.ingest.staging_write_bytes_per_s for job in jobs]
    return Demand(
        contents=contents,
        content_bytes=total(list(contents.values()), "Contents of the file system", unit="bytes"),
        write_bytes_per_s=total(staged, "Staging, written", unit="bytes/s"),
        read_bytes_per_s=total(reads, "Reads by data loaders", unit="bytes/s"),
        steady_bytes_per_s=total(reads + staged, "Steady traffic on the file system", unit="bytes/s"),
        steady_read_bytes_per_s=total(reads, "Steady reads from the file system", unit="bytes/s"),
        steady_write_bytes_per_s=total(staged, "Steady writes to the file system", unit="bytes/s"),
        daily_write_bytes_per_day=total(
            [job.ingest.staging_bytes_per_day for job in jobs],
            "Daily writes to the file system",
            unit="bytes/day",
        ),
    )


def object_demand(jobs: tuple[JobPlan, ...]) -> Demand:
    """What the object store holds and carries."""
    named = list(zip(job_names(jobs), jobs, strict=True))
    contents = {f"raw data of {name}": job.ingest.raw_dataset_bytes for name, job in named}
    contents |= {f"archived checkpoints of {name}": job.checkpoint.archived_bytes for name, job in named}
    drains = [job.checkpoint.drain_bytes_per_s for job in jobs]
    reads = [job.ingest.staging_read_bytes_per_s for job in jobs]
    return Demand(
        contents=contents,
        content_bytes=total(list(contents.values()), "Contents of the object store", unit="bytes"),
        write_bytes_per_s=total(drains, "Drain from the hot tier", unit="bytes/s"),
        read_bytes_per_s=total(reads, "Raw data read for staging", unit="bytes/s"),
        steady_bytes_per_s=total(drains + reads, "Steady traffic on the object store", unit="bytes/s"),
        steady_read_bytes_per_s=total(reads, "Steady reads from the object store", unit="bytes/s"),
        steady_write_bytes_per_s=total(drains, "Steady writes to the object store", unit="bytes/s"),
        daily_write_bytes_per_day=total(
            [derive(tier_rates.per_day_bytes_per_day, rate_bytes_per_s=drain) for drain in drains],
            "Daily writes to the object store",
            unit="bytes/day",
        ),
    )


def cold_growth(context: Context, jobs: tuple[JobPlan, ...]) -> Quantity:
    """Bytes that stay on the cold tier each day: every copy, or the milestones."""
    growth = []
    for index, job in enumerate(jobs):
        policy = context.scenario.jobs[index].checkpoint
        copies = derive(
            checkpoint.cold_copies_per_day,
            saves_per_day=job.checkpoint.saves_per_day,
            every_count=scalar(policy.cold_every_count),
        )
        growth.append(
            derive(
                tier_capacity.growth_bytes_per_day,
                checkpoint_bytes=job.checkpoint.size_bytes,
                copies_per_day=copies if policy.cold_keep_all else policy.milestones_per_day,
            )
        )
    return total(growth, "Growth of the cold tier", unit="bytes/day")


def cold_fixed(context: Context, jobs: tuple[JobPlan, ...]) -> Quantity:
    """Bytes on the cold tier that do not grow: raw data, and the copies that come and go."""
    fixed = []
    for index, job in enumerate(jobs):
        policy = context.scenario.jobs[index].checkpoint
        fixed.append(job.ingest.raw_dataset_bytes)
        if not policy.cold_keep_all:
            copies = derive(
                checkpoint.cold_copies_per_day,
                saves_per_day=job.checkpoint.saves_per_day,
                every_count=scalar(policy.cold_every_count),
            )
            fixed.append(
                derive(
                    tier_capacity.archived_bytes,
                    checkpoint_bytes=job.checkpoint.size_bytes,
                    copies_per_day=copies,
                    keep_days=policy.cold_keep_days,
                    milestones_per_day=0.0,
                    run_days=policy.run_days,
                    label="Copies that come and go",
                )
            )
    return total(fixed, "What does not grow on the cold tier", unit="bytes")
