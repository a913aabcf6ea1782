"""Saves that share a pipe or an array, stragglers, drains and lost paths."""

from __future__ import annotations

import numpy as np

from planner.published.cases import Case
from planner.published.methods import Result, by
from planner.sizing import burst, checkpoint, degraded, stragglers, tier_rates, transport


@by(burst.max_min_allocation)
def fair_shares(case: Case) -> Result:
    """Shares of a pipe, the smallest wish first."""
    caps = np.array(case.several("wanted", "bytes/s"))
    shares: list[float] = np.asarray(
        burst.max_min_allocation(caps, pipe_bytes_per_s=case.read("pipe", "bytes/s"))
    ).tolist()
    return shares


@by(checkpoint.write_s, degraded.fair_write_bytes_per_s)
def save_beside_reads(case: Case) -> Result:
    """Time of a save on a pipe that also reads."""
    pipe = case.read("pipe", "bytes/s")
    share = degraded.fair_write_bytes_per_s(
        pipe - case.read("reads", "bytes/s"),
        alone_bytes_per_s=pipe,
        writer_count=case.read("writers"),
        reader_count=case.read("readers"),
    )
    return checkpoint.write_s(case.read("checkpoint", "bytes"), bandwidth_bytes_per_s=share)


@by(burst.prefetch_bytes)
def prefetch_over_a_save(case: Case) -> Result:
    """Prefetch that hides the starvation of a save."""
    return burst.prefetch_bytes(
        case.read("save", "s"),
        wanted_bytes_per_s=case.read("wanted", "bytes/s"),
        given_bytes_per_s=case.read("given", "bytes/s"),
    )


@by(checkpoint.write_s, tier_rates.flash_beside_reads_bytes_per_s)
def save_on_a_mixed_array(case: Case) -> Result:
    """Time of a save on an array that also reads."""
    left = tier_rates.flash_beside_reads_bytes_per_s(
        case.read("array write", "bytes/s"),
        read_bytes_per_s=case.read("reads", "bytes/s"),
        tier_read_bytes_per_s=case.read("array read", "bytes/s"),
    )
    return checkpoint.write_s(case.read("checkpoint", "bytes"), bandwidth_bytes_per_s=left)


@by(burst.drain_bytes_per_s)
def mean_drain(case: Case) -> Result:
    """Mean bandwidth of the drain."""
    return burst.drain_bytes_per_s(case.read("checkpoint", "bytes"), interval_s=case.read("interval", "s"))


@by(stragglers.straggler_ratio)
def lognormal_straggler(case: Case) -> Result:
    """Slowest writer over the mean one, lognormal times."""
    return stragglers.straggler_ratio(case.read("writers"), variation_fraction=case.read("CV", "fraction"))


@by(stragglers.straggler_gamma_ratio)
def gamma_straggler(case: Case) -> Result:
    """Slowest writer over the mean one, gamma times."""
    return stragglers.straggler_gamma_ratio(
        case.read("writers"), variation_fraction=case.read("CV", "fraction")
    )


@by(stragglers.straggler_weibull_ratio)
def weibull_straggler(case: Case) -> Result:
    """Slowest writer over the mean one, Weibull times."""
    return stragglers.straggler_weibull_ratio(
        case.read("writers"), variation_fraction=case.read("CV", "fraction")
    )


@by(stragglers.slow_writer_fraction)
def slow_writer(case: Case) -> Result:
    """Chance of at least one slow writer."""
    return stragglers.slow_writer_fraction(case.read("writers"), slow_fraction=case.read("slow", "fraction"))


@by(
    burst.slowest_s,
    checkpoint.write_s,
    checkpoint.shard_bytes,
    burst.path_loss_bytes_per_s,
    transport.path_bytes_per_s,
)
def save_with_a_lost_path(case: Case) -> Result:
    """Time of a save when one node has lost a path."""
    size, paths = case.read("checkpoint", "bytes"), case.read("paths")
    node = transport.path_bytes_per_s(
        paths,
        port_bytes_per_s=case.read("path", "bytes/s"),
        wire_fraction=case.read("efficiency", "fraction"),
    )
    left = burst.path_loss_bytes_per_s(node, path_count=paths)
    shard = checkpoint.shard_bytes(size, writer_count=case.read("nodes"))
    return burst.slowest_s(
        0.0,
        node_s=checkpoint.write_s(shard, bandwidth_bytes_per_s=left),
        fabric_s=0.0,
        ports_s=0.0,
        drives_s=checkpoint.write_s(size, bandwidth_bytes_per_s=case.read("array", "bytes/s")),
    )


@by(stragglers.straggler_quantile_ratio)
def straggler_quantile(case: Case) -> Result:
    """Slowest writer that is not exceeded so often, lognormal times."""
    return stragglers.straggler_quantile_ratio(
        case.read("writers"),
        variation_fraction=case.read("CV", "fraction"),
        quantile_fraction=case.read("quantile", "fraction"),
    )


@by(stragglers.straggler_gamma_ratio, stragglers.averaged_variation_fraction)
def straggler_of_blocks(case: Case) -> Result:
    """Slowest writer over the mean one when each block varies by itself, gamma times."""
    averaged = stragglers.averaged_variation_fraction(
        case.read("CV of a block", "fraction"), block_count=case.read("blocks")
    )
    return stragglers.straggler_gamma_ratio(case.read("writers"), variation_fraction=averaged)
