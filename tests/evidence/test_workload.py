"""Every published workload case, computed by the public formulas from the inputs in its row.

The expected value and its tolerance are read from the file. A solver returns its result in the
planner's own unit; the unit column of the row says what to divide it by.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from planner.core.units import BITS_PER_BYTE, DAY_S, GB, GIB, HOUR_S, MB, MIB, MINUTE_S, PIB, TB, TIB, Number
from planner.sizing import cadence, checkpoint, endurance, ingest, tiers, transport

CASE_FILE = Path(__file__).with_name("workload_cases.csv")
NUMBER = r"[-+]?\d[\d.]*(?:e[-+]?\d+)?"
TYPE_BYTES = {"fp32": 4.0, "bf16": 2.0, "fp16": 2.0}
PERCENT = 0.01
GIVEN = {
    "": 1.0,
    "B": 1.0,
    "MB": MB,
    "GB": GB,
    "TB": TB,
    "GiB": GIB,
    "B/s": 1.0,
    "bit/s": 1 / BITS_PER_BYTE,
    "MB/s": MB,
    "GB/s": GB,
    "TB/s": TB,
    "s": 1.0,
    "min": MINUTE_S,
    "h": HOUR_S,
    "days": DAY_S,
    "FLOP": 1.0,
    "FLOP/s": 1.0,
    "FLOP/s/GPU": 1.0,
    "TFLOP/s": 1e12,
    "tokens/s": 1.0,
    "sequences": 1.0,
    "per": 1.0,
    "bytes/s": 1.0,
}
EXPECTED = {
    "parameters": 1.0,
    "files": 1.0,
    "checkpoints": 1.0,
    "batches": 1.0,
    "samples/worker": 1.0,
    "x": 1.0,
    "fraction": 1.0,
    "percent": PERCENT,
    "bytes/param": 1.0,
    "FLOP": 1.0,
    "TFLOP/s/GPU": 1e12,
    "tokens/s/GPU": 1.0,
    "MB": MB,
    "GB": GB,
    "TB": TB,
    "GiB": GIB,
    "TiB": TIB,
    "PiB": PIB,
    "GB/GPU": GB,
    "TB/server": TB,
    "TB/day": TB,
    "MB/s": MB,
    "GB/s": GB,
    "TB/s": TB,
    "MiB/s": MIB,
    "GiB/s": GIB,
    "GB/s/node": GB,
    "GB/s/GPU": GB,
    "s": 1.0,
    "min": MINUTE_S,
    "h": HOUR_S,
    "days": DAY_S,
    "per 1000 node-days": 1e-3,
}


@dataclass(frozen=True)
class Case:
    """One row of the file."""

    id: str
    quantity: str
    inputs: str
    expected: str
    unit: str
    tol_rel: str

    def __call__(self, key: str) -> float:
        """The number after `key=`, in the planner's unit."""
        found = re.search(rf"(?<!\w){re.escape(key)}\s*=\s*({NUMBER})\s*([A-Za-z/]*)", self.inputs)
        assert found is not None, f"{self.id}: no {key} in {self.inputs!r}"
        return float(found.group(1)) * GIVEN[found.group(2)]

    def match(self, pattern: str) -> list[str]:
        """The groups of the first match of a pattern in the inputs."""
        found = re.search(pattern, self.inputs)
        assert found is not None, f"{self.id}: no {pattern} in {self.inputs!r}"
        return list(found.groups())


Solver = Callable[[Case], Number]


def cases() -> dict[str, Case]:
    """All rows by id."""
    with CASE_FILE.open(encoding="utf-8", newline="") as file:
        names = list(Case.__dataclass_fields__)
        return {row["id"]: Case(*(row[name] for name in names)) for row in csv.DictReader(file)}


CASES = cases()


# --- size ---------------------------------------------------------------------------------------------------


def parameters(case: Case) -> Number:
    return checkpoint.decoder_parameter_count(
        case("layers"),
        hidden_count=case("hidden"),
        ffn_count=case("ffn"),
        head_count=case("heads"),
        kv_head_count=case("kv_heads"),
        vocabulary_count=case("vocab"),
    )


def decoder_size(case: Case) -> Number:
    state = case("optimizer_bytes") / 3
    each = checkpoint.per_parameter_bytes(
        case("weight_bytes"), master_bytes=state, first_moment_bytes=state, second_moment_bytes=state
    )
    return checkpoint.size_bytes(parameters(case), bytes_per_parameter=each)


def size(case: Case) -> Number:
    return checkpoint.size_bytes(case("params"), bytes_per_parameter=case("bytes_per_param"))


def size_of_two_files(case: Case) -> Number:
    optimizer = case("optimizer+master bytes") / 3
    each = checkpoint.per_parameter_bytes(
        case("weight_bytes"),
        master_bytes=optimizer,
        first_moment_bytes=optimizer,
        second_moment_bytes=optimizer,
    )
    return checkpoint.size_bytes(case("params"), bytes_per_parameter=each)


def shard_per_gpu(case: Case) -> Number:
    return checkpoint.shard_bytes(size(case), writer_count=case("gpus"))


def memory_fp32_gradients(case: Case) -> Number:
    weight, gradient = case.match(r"(\w+) params, (\w+) main grads")
    return checkpoint.rank_state_bytes(
        TYPE_BYTES[weight] + TYPE_BYTES[gradient],
        sharded_bytes=3 * TYPE_BYTES["fp32"],
        data_parallel_count=case("data_parallel"),
    )


def memory_low_gradients(case: Case) -> Number:
    """The fp32 copy of low-precision gradients is sharded with the master copy and the two moments."""
    (low,) = case.match(r"(\w+) params and grads")
    return checkpoint.rank_state_bytes(
        2 * TYPE_BYTES[low], sharded_bytes=4 * TYPE_BYTES["fp32"], data_parallel_count=case("data_parallel")
    )


def memory_unsharded(case: Case) -> Number:
    weight, gradient, master = case.match(r"(\w+) params, (\w+) grads, (\w+) master, Adam")
    return checkpoint.per_parameter_bytes(
        TYPE_BYTES[weight],
        master_bytes=TYPE_BYTES[master],
        first_moment_bytes=4,
        second_moment_bytes=4,
        gradient_bytes=TYPE_BYTES[gradient],
    )


def recipe(case: Case) -> Number:
    return checkpoint.per_parameter_bytes(
        case("weight copy"),
        master_bytes=case("master"),
        first_moment_bytes=case("m"),
        second_moment_bytes=case("v"),
    )


# --- save times and bandwidths ------------------------------------------------------------------------------


def rate_of_save(size_key: str, time_key: str) -> Solver:
    return lambda case: checkpoint.required_write_bytes_per_s(case(size_key), target_s=case(time_key))


def node_rate(case: Case) -> Number:
    shard = checkpoint.shard_bytes(case("checkpoint"), writer_count=case("nodes"))
    return checkpoint.required_write_bytes_per_s(shard, target_s=case("time"))


def share_of_interval(case: Case) -> Number:
    return cadence.stall_share_fraction(case("save"), interval_s=case("interval"))


def time_of_size(case: Case) -> Number:
    return checkpoint.write_s(size(case), bandwidth_bytes_per_s=case("bandwidth"))


def time_of_bytes(case: Case) -> Number:
    return checkpoint.write_s(case("checkpoint"), bandwidth_bytes_per_s=case("bandwidth"))


def daily_writes(case: Case) -> Number:
    return endurance.daily_write_bytes_per_day(case("checkpoint"), interval_s=case("interval"))


def daily_writes_by_count(case: Case) -> Number:
    (daily,) = case.match(rf"checkpoints_per_day=({NUMBER})")
    interval = DAY_S / float(daily)
    return endurance.daily_write_bytes_per_day(size(case), interval_s=interval)


def pool(case: Case) -> Number:
    return endurance.raw_for_endurance_bytes(case("daily"), protection_ratio=1.0, endurance_dwpd=case("dwpd"))


def nic_bandwidth(case: Case) -> Number:
    return transport.path_bytes_per_s(
        case("nodes") * case("nics"), port_bytes_per_s=case("nic"), wire_fraction=1.0
    )


def mirrored_capacity(case: Case) -> Number:
    ratio = tiers.protection_ratio(1, parity_count=0, copies_count=case("replicas"))
    return tiers.usable_of_drives_bytes(
        case("nodes") * case("drives"), drive_bytes=case("drive"), protection_ratio=ratio
    )


def hot_tier(case: Case) -> Number:
    (each,) = re.findall(r"at (\d+) B/param", case.quantity)
    one = checkpoint.size_bytes(case("params"), bytes_per_parameter=float(each))
    kept = checkpoint.retained_bytes(one, retained_count=case("retained"), in_flight_count=0)
    return tiers.usable_needed_bytes(kept, reserve_ratio=case("headroom"))


def over_guide(case: Case) -> Number:
    return checkpoint.size_ratio(case("published"), reference_bytes=case("seed"))


# --- reads --------------------------------------------------------------------------------------------------


def sample_reads(utilisation_key: str = "", accelerators_key: str = "") -> Solver:
    def solve(case: Case) -> Number:
        return ingest.sample_read_bytes_per_s(
            case("sample"),
            samples_per_s=ingest.samples_per_s(case("batch"), step_s=case("compute_time")),
            gpu_count=case(accelerators_key) if accelerators_key else 1.0,
            utilisation_fraction=case(utilisation_key) if utilisation_key else 1.0,
        )

    return solve


def files(case: Case) -> Number:
    samples = ingest.dataset_minimum_sample_count(
        case("batch"),
        gpu_count=case("accelerators"),
        client_memory_bytes=case("total_client_memory"),
        sample_bytes=case("sample"),
        step_count=case("min_steps"),
        memory_ratio=case("memory_multiplier"),
    )
    return ingest.file_count(samples, samples_per_file_count=case("samples_per_file"))


def dataset(case: Case) -> Number:
    return ingest.dataset_bytes(case("files") * case("samples_per_file"), sample_bytes=case("record"))


def corpus(case: Case) -> Number:
    return ingest.dataset_bytes(case("tokens"), sample_bytes=case("bytes_per_token"))


def mean_tokens(case: Case) -> Number:
    return ingest.mean_tokens_per_s(case("tokens"), gpu_s=case("gpu_hours") * HOUR_S)


def tokens_of_flops(case: Case) -> Number:
    return ingest.tokens_per_s_from_flops(
        case("achieved"), utilisation_fraction=1.0, active_parameter_count=case("params")
    )


def token_reads_of_flops(case: Case) -> Number:
    return ingest.token_read_bytes_per_s(
        tokens_of_flops(case), token_bytes=case("bytes_per_token"), gpu_count=case("gpus")
    )


def token_reads(case: Case) -> Number:
    return ingest.token_read_bytes_per_s(
        case("tokens_per_s_per_gpu"), token_bytes=case("bytes_per_token"), gpu_count=case("gpus")
    )


def training_time(case: Case) -> Number:
    (per_token,) = case.match(r"(\d+) FLOP/param/token")
    operations = ingest.training_flop_count(
        case("tokens"), active_parameter_count=case("params"), token_flop_count=float(per_token)
    )
    return ingest.training_s(operations, gpu_count=case("gpus"), achieved_flops=case("achieved"))


def utilisation_with_attention(case: Case) -> Number:
    return ingest.attention_utilisation_fraction(
        case("seq_per_s"),
        parameter_count=case("params"),
        layer_count=case("layers"),
        hidden_count=case("d_model"),
        sequence_token_count=case("seq"),
        gpu_count=case("gpus"),
        peak_flops=case("peak"),
    )


def tokens_of_step(case: Case) -> Number:
    (length,) = case.match(r"sequences of (\d+) tokens")
    return ingest.step_tokens_per_s(
        case("global_batch"),
        sequence_token_count=float(length),
        step_s=case("iteration"),
        gpu_count=case("gpus"),
    )


def achieved(case: Case) -> Number:
    run = case("days") * DAY_S
    return ingest.achieved_flops(case("total"), gpu_count=case("gpus"), run_s=run)


def unit_scaling(case: Case) -> Number:
    """The guideline scales as a demand per GPU does, and its own larger figure agrees."""
    units, _ = case.match(r"(\d)SU read=\d+; (1)SU")
    one = case("1SU read")
    scaled = ingest.modality_read_bytes_per_s(one, gpu_count=float(units), reference_gpu_count=1)
    assert float(scaled) == case(f"{units}SU read")
    return scaled / one


def superpod_share(case: Case) -> Number:
    return ingest.share_bytes_per_s(case("SU read"), part_count=case("nodes") * case("gpus_per_node"))


def scaled_demand(case: Case) -> Number:
    return ingest.modality_read_bytes_per_s(
        case("per accelerator"), gpu_count=case("gpus"), reference_gpu_count=1
    )


def prefetch(case: Case) -> Number:
    return ingest.prefetch_bytes(
        case("gpus"),
        worker_count=case("num_workers"),
        prefetch_count=case("prefetch_factor"),
        batch_count=case("batch"),
        decoded_sample_bytes=case("sample"),
    )


# --- failures -----------------------------------------------------------------------------------------------

NODE_GPUS = 8
"""Cancels wherever a row speaks of nodes alone."""


def observed_rate(case: Case) -> Number:
    rate = cadence.observed_failures_per_1000_gpu_days(
        case("interruptions"), gpu_count=case("nodes") * NODE_GPUS, observed_s=case("days") * DAY_S
    )
    return cadence.node_failures_per_day(rate, node_gpu_count=NODE_GPUS)


def time_by_node_rate(case: Case) -> Number:
    rate = cadence.failures_per_1000_gpu_days(case("rate"), node_gpu_count=case("gpus_per_node"))
    return cadence.mean_time_to_interruption_s(case("gpus"), failures_per_1000_gpu_days=rate)


def time_by_accelerator(case: Case) -> Number:
    rate = cadence.observed_failures_per_1000_gpu_days(
        1.0, gpu_count=1, observed_s=case("per-accelerator MTTF")
    )
    return cadence.mean_time_to_interruption_s(case("accelerators"), failures_per_1000_gpu_days=rate)


def effective_time(case: Case) -> Number:
    rate = cadence.failures_per_1000_gpu_days(case("r_f"), node_gpu_count=NODE_GPUS)
    interruption = cadence.mean_time_to_interruption_s(
        case("nodes") * NODE_GPUS, failures_per_1000_gpu_days=rate
    )
    return cadence.meta_ettr_fraction(
        case("interval"), stall_s=case("write"), interruption_s=interruption, restart_s=case("u0")
    )


def affordable(case: Case) -> Number:
    """At the interval of Young half of the waste is saves, and the interval is that waste times M."""
    waste, interruption = case("waste"), case("M")
    stall = checkpoint.target_from_waste_s(waste / 2, interval_s=waste * interruption)
    assert float(cadence.young_interval_s(stall, interruption_s=interruption)) == pytest.approx(
        waste * interruption
    )
    return stall


SOLVERS: dict[str, Solver] = {
    **dict.fromkeys(("A01", "A02"), parameters),
    **dict.fromkeys(("A04", "A05"), decoder_size),
    **dict.fromkeys(("A08", "A09", "A12", "A15"), size),
    "A13": size_of_two_files,
    **dict.fromkeys(("A14", "B26"), shard_per_gpu),
    "A18": memory_fp32_gradients,
    "A19": memory_unsharded,
    "A20": memory_low_gradients,
    "A21": recipe,
    "B01": rate_of_save("checkpoint", "time"),
    "B02": node_rate,
    **dict.fromkeys(("B03", "B04"), share_of_interval),
    "B05": daily_writes,
    "B06": lambda case: checkpoint.saves_in_run_count(case("run"), interval_s=case("interval")),
    "B07": time_of_bytes,
    "B09": rate_of_save("checkpoint", "duration"),
    **dict.fromkeys(("B13", "B27"), time_of_size),
    "B15": lambda case: checkpoint.speedup_ratio(case("sync"), fast_s=case("async")),
    "B16": lambda case: checkpoint.required_write_bytes_per_s(size(case), target_s=case("save")),
    "B17": lambda case: checkpoint.blocking_fraction(case("block"), save_s=case("save")),
    "B19": rate_of_save("bytes", "time"),
    "B20": nic_bandwidth,
    "B21": lambda case: transport.achieved_fraction(case("achieved"), line_bytes_per_s=case("line")),
    "B23": mirrored_capacity,
    "B24": lambda case: checkpoint.shard_bytes(case("capacity"), writer_count=case("servers")),
    "B25": lambda case: ingest.share_bytes_per_s(case("aggregate"), part_count=case("gpus")),
    **dict.fromkeys(("C01", "C03", "C04", "C06"), sample_reads("AU")),
    **dict.fromkeys(("C07", "C09", "C12", "C13"), sample_reads()),
    **dict.fromkeys(("C20", "C22", "C24", "C26", "C28", "C29"), sample_reads("AU_threshold", "accelerators")),
    **dict.fromkeys(("C30", "C31", "C33"), files),
    **dict.fromkeys(("C35", "C36"), dataset),
    **dict.fromkeys(("D01", "D02"), mean_tokens),
    "D04": tokens_of_flops,
    "D05": token_reads_of_flops,
    "D07": training_time,
    "D09": lambda case: ingest.run_s(case("tokens"), tokens_per_s=case("tokens_per_s")),
    "D11": lambda case: ingest.wall_s(case("gpu_hours") * HOUR_S, gpu_count=case("gpus")),
    "D13": lambda case: ingest.gpu_tokens_per_s(case("aggregate"), gpu_count=case("gpus")),
    "D14": utilisation_with_attention,
    "D16": token_reads,
    "D18": tokens_of_step,
    "D19": lambda case: ingest.training_flop_count(case("tokens"), active_parameter_count=case("params")),
    "D20": achieved,
    "D21": corpus,
    "D22": lambda case: ingest.utilisation_fraction(case("achieved"), peak_flops=case("peak")),
    "F01": lambda case: cadence.observed_interruption_s(
        case("interruptions"), observed_s=case("days") * DAY_S
    ),
    "F02": observed_rate,
    "F03": time_by_node_rate,
    **dict.fromkeys(("F05", "F06"), time_by_accelerator),
    "F07": lambda case: cadence.young_interval_s(case("C"), interruption_s=case("M")),
    "F08": lambda case: cadence.daly_interval_s(case("delta"), interruption_s=case("M")),
    **dict.fromkeys(("F11", "F13"), effective_time),
    "F15": affordable,
    "G01": superpod_share,
    "G03": unit_scaling,
    "G04": lambda case: ingest.share_bytes_per_s(case("SU read"), part_count=case("gpus")),
    "L01": lambda case: ingest.prefetched_batch_count(
        case("num_workers"), prefetch_count=case("prefetch_factor")
    ),
    "L02": prefetch,
    "L04": lambda case: ingest.shard_cache_bytes(
        case("shard"), shard_count=case("shards"), node_count=case("nodes")
    ),
    "L05": lambda case: ingest.minimum_shard_cache_bytes(
        case("shard"), canonical_node_count=case("canonical_nodes"), node_count=case("physical_nodes")
    ),
    "L06": lambda case: ingest.predownload_count(case("per-device batch")),
    "S01": over_guide,
    "S02": daily_writes_by_count,
    "S03": pool,
    "S04": hot_tier,
    "S05": scaled_demand,
}


@pytest.mark.parametrize("case_id", CASES)
def test_published_workload(case_id):
    case = CASES[case_id]
    factor = EXPECTED[case.unit.partition(" (")[0]]
    result = float(SOLVERS[case_id](case)) / factor
    tolerance = max(float(case.tol_rel), 1e-12)
    assert result == pytest.approx(float(case.expected), rel=tolerance)


def test_no_solver_speaks_of_a_case_that_is_not_there():
    assert set(SOLVERS) == set(CASES)
