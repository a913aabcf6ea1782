"""Every published reliability case, computed by the public formulas from the inputs in its row.

The expected value and its tolerance are read from the file. A solver returns its result in the unit of
the row, as one number or as the list that the row holds.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from planner.core.units import BITS_PER_BYTE, DAY_S, GB, HOUR_S, MIB, MINUTE_S, PB, TB, US, Number
from planner.sizing import burst, cadence, cost, durability, economics, endurance, queueing, tiers

CASE_FILE = Path(__file__).with_name("reliability_cases.csv")
NUMBER = r"([-+]?\d[\d.]*(?:e[-+]?\d+)?)"
YEARS = 365 * DAY_S
GPUS_PER_NODE = 8
GPU_YEAR_HOURS = 8760.0

NOT_COVERED: dict[str, str] = {}
"""Cases that no formula answers yet, with the reason."""


@dataclass(frozen=True)
class Case:
    """One row of the file."""

    id: str
    inputs: str
    value: str
    tolerance: str

    def number(self, key: str) -> float:
        """The number after `key=`; a percentage becomes a fraction."""
        found = re.search(rf"(?<![\w]){re.escape(key)}\s*=\s*{NUMBER}(\s*%?)", self.inputs)
        assert found is not None, f"{self.id}: no {key} in {self.inputs!r}"
        return float(found.group(1)) / (100.0 if "%" in found.group(2) else 1.0)

    def find(self, pattern: str) -> list[float]:
        """Numbers in the places of `#` in the first match of a pattern."""
        found = re.search(pattern.replace("#", NUMBER), self.inputs)
        assert found is not None, f"{self.id}: no {pattern} in {self.inputs!r}"
        return [float(group) for group in found.groups()]

    def expected(self) -> list[float]:
        """The numbers of the value column."""
        return [float(text) for text in re.findall(NUMBER, self.value.replace("..", " "))]

    def bounds(self) -> dict[str, float]:
        """The tolerance column as arguments of `pytest.approx`; "exact" leaves room for rounding alone."""
        kind, _, size = self.tolerance.partition(" ")
        if kind == "exact":
            return {"rel": 1e-12, "abs": 0.0}
        return {"rel": float(size), "abs": 0.0} if kind == "rel" else {"rel": 0.0, "abs": float(size)}


def read_cases() -> dict[str, Case]:
    """All rows by id."""
    with CASE_FILE.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return {r["id"]: Case(r["id"], r["inputs"], r["value"], r["tolerance"]) for r in rows}


CASES = read_cases()
Result = Number | Sequence[float]
Solver = Callable[[Case], Result]
SOLVERS: dict[str, Solver] = {}


def solves(*ids: str) -> Callable[[Solver], Solver]:
    """File a solver under the cases that it answers."""

    def file(solver: Solver) -> Solver:
        for case_id in ids:
            assert case_id not in SOLVERS, f"{case_id} is solved twice"
            SOLVERS[case_id] = solver
        return solver

    return file


@pytest.mark.parametrize("case_id", [case_id for case_id in CASES if case_id not in NOT_COVERED])
def test_published_case(case_id: str) -> None:
    """The formulas give the published value within the published tolerance."""
    case = CASES[case_id]
    result = np.atleast_1d(np.asarray(SOLVERS[case_id](case), dtype=float))
    assert result.tolist() == pytest.approx(case.expected(), **case.bounds())


def test_each_case_is_answered_or_named() -> None:
    """No row of the file is forgotten, none is answered that the file does not hold."""
    assert set(SOLVERS) | set(NOT_COVERED) == set(CASES)
    assert not set(SOLVERS) & set(NOT_COVERED)


# --- endurance ----------------------------------------------------------------------------------------------


@solves("E-01", "E-02")
def rated_writes(case: Case) -> Result:
    """TBW."""
    rated = endurance.rated_write_bytes(
        case.number("cap_TB") * TB,
        endurance_dwpd=case.number("dwpd"),
        warranty_s=case.number("warranty_y") * YEARS,
    )
    return rated / TB


@solves("E-03")
def rating(case: Case) -> Result:
    """DWPD of a TBW rating."""
    return endurance.dwpd_of_rating(
        case.number("tbw_TB") * TB,
        capacity_bytes=case.number("cap_TB") * TB,
        warranty_s=case.number("warranty_y") * YEARS,
    )


@solves("E-05")
def daily_writes(case: Case) -> Result:
    """TB a day at an interval."""
    interval = case.number("interval_min") * MINUTE_S
    return endurance.daily_write_bytes_per_day(case.number("ckpt_GB") * GB, interval_s=interval) / TB


@solves("E-06")
def yearly_writes(case: Case) -> Result:
    """PB a year."""
    interval = DAY_S / case.number("ckpts_per_day")
    daily = endurance.daily_write_bytes_per_day(case.number("ckpt_GB") * GB, interval_s=interval)
    return endurance.yearly_write_bytes_per_year(daily) / PB


@solves("E-08")
def daily_writes_of_a_model(case: Case) -> Result:
    """TB a day from parameters and bytes for each."""
    size = case.number("params") * case.number("bytes_per_param")
    return endurance.daily_write_bytes_per_day(size, interval_s=DAY_S / case.number("ckpts_per_day")) / TB


@solves("E-09")
def write_load(case: Case) -> Result:
    """Writes over allowance."""
    return endurance.write_load_ratio(
        case.number("V_TB_d") * TB,
        protection_ratio=case.number("f_prot"),
        raw_bytes=case.number("cap_TB") * TB,
        endurance_dwpd=case.number("dwpd"),
    )


def life_years(case: Case, *, raw_tb: float, protection: Number, warranty_years: float) -> Number:
    """Rated life in years."""
    life = endurance.rated_life_s(
        raw_tb * TB,
        daily_write_bytes_per_day=case.number("V_TB_d") * TB,
        protection_ratio=protection,
        endurance_dwpd=case.number("dwpd"),
        warranty_s=warranty_years * YEARS,
    )
    return life / YEARS


@solves("E-10")
def rated_life(case: Case) -> Result:
    """Life without protection."""
    years = case.number("warranty_y")
    return life_years(
        case, raw_tb=case.number("cap_TB"), protection=case.number("f_prot"), warranty_years=years
    )


@solves("E-11")
def raw_for_endurance(case: Case) -> Result:
    """Raw TB."""
    raw = endurance.raw_for_endurance_bytes(
        case.number("V_TB_d") * TB,
        protection_ratio=case.number("f_prot"),
        endurance_dwpd=case.number("dwpd"),
    )
    return raw / TB


@solves("E-12")
def rated_life_with_parity(case: Case) -> Result:
    """Life of a raw capacity that takes the parity too; the output column names a warranty of 5 years."""
    data, parity = case.find(r"protection=#\+#")
    (raw_tb,) = case.find("# TB is RAW")
    protection = tiers.protection_ratio(data, parity_count=parity)
    return life_years(case, raw_tb=raw_tb, protection=protection, warranty_years=5.0)


@solves("E-16")
def unaligned_writes(case: Case) -> Result:
    """Write amplification of writes that begin anywhere."""
    return endurance.unaligned_write_ratio(
        case.number("write_KiB"),
        data_count=case.number("k"),
        parity_count=case.number("m"),
        chunk_bytes=case.number("chunk_KiB"),
    )


@solves("E-18")
def changed_chunk(case: Case) -> Result:
    """Writes for one changed chunk."""
    (changed,) = case.find("of # chunk")
    return endurance.changed_chunk_write_ratio(changed, parity_count=case.number("m"))


@solves("E-19")
def raidz(case: Case) -> Result:
    """RAID-Z2 allocation; both sizes in KiB."""
    (parity,) = case.find("RAID-Z#")
    return endurance.raidz_allocation_ratio(
        case.number("recordsize"),
        sector_bytes=case.number("sector"),
        drive_count=case.number("n"),
        parity_count=parity,
    )


@solves("E-22", "E-24")
def random_waf(case: Case) -> Result:
    """Write amplification inside the drive."""
    return endurance.random_waf_ratio(case.number("rho"))


@solves("E-25")
def older_waf(case: Case) -> Result:
    """The older estimate."""
    return endurance.older_waf_ratio(case.number("rho"))


@solves("E-26")
def waf_in_rating(case: Case) -> Result:
    """Write amplification that a rating contains."""
    flash, rated = case.find("WAF 1 = # TB; rated TBW = # TB")
    return endurance.rated_waf_ratio(flash * TB, rated_write_bytes=rated * TB)


@solves("E-27")
def duty(case: Case) -> Result:
    """DWPD of a pool sized by bandwidth."""
    return endurance.duty_dwpd(
        case.number("T_ckpt_s"),
        interval_s=case.number("interval_s"),
        drive_write_bytes_per_s=case.number("drive_write_GBps") * GB,
        drive_capacity_bytes=case.number("drive_TB") * TB,
    )


@solves("E-28")
def longest_save(case: Case) -> Result:
    """Break-even of the duty law."""
    return endurance.longest_save_s(
        case.number("dwpd"),
        interval_s=case.number("interval_s"),
        drive_write_bytes_per_s=case.number("drive_write_GBps") * GB,
        drive_capacity_bytes=case.number("drive_TB") * TB,
    )


@solves("E-30")
def wear_life(case: Case) -> Result:
    """Life by wear, years."""
    years = case.number("warranty_y")
    rated = life_years(
        case, raw_tb=case.number("cap_raw_TB"), protection=case.number("f"), warranty_years=years
    )
    waf = {"rated_waf_ratio": case.number("WAF_rated"), "actual_waf_ratio": case.number("WAF_actual")}
    return endurance.wear_life_s(rated * YEARS, **waf) / YEARS


# --- durability ---------------------------------------------------------------------------------------------


def scheme(case: Case) -> tuple[int, int]:
    """Width and parity of the first scheme that the inputs name."""
    found = re.search(r"(\d+)\+(\d+)|(\d)-way", case.inputs)
    assert found is not None
    if found.group(3):
        return int(found.group(3)), int(found.group(3)) - 1
    return int(found.group(1)) + int(found.group(2)), int(found.group(2))


def drive_rate(case: Case) -> Number:
    """Failure rate of a drive."""
    return durability.failure_per_s(case.number("AFR"))


@solves("D-01")
def failure_rate_of_data_sheet(case: Case) -> Result:
    """Percent a year."""
    return 100.0 * durability.annual_failure_fraction(case.number("MTTF_h") * HOUR_S)


@solves("D-03")
def observed_failure_rate(case: Case) -> Result:
    """Percent a year."""
    days = case.number("drive_days")
    return 100.0 * durability.observed_failure_fraction(case.number("failures"), observed_days=days)


@solves("D-04", "D-06", "D-07", "D-10", "D-12")
def loss_time(case: Case) -> Result:
    """Mean time to data loss: years at an AFR of 1 %, hours in the accelerated cases."""
    law = durability.parallel_loss_time_s if "parallel" in case.inputs else durability.loss_time_s
    time = law(
        drive_rate(case),
        width_count=case.number("n"),
        parity_count=int(case.number("m")),
        rebuild_s=case.number("rebuild_h") * HOUR_S,
    )
    return time / (HOUR_S if "accelerated" in case.inputs else durability.FAILURE_YEAR_S)


@solves("D-13")
def loss_probability(case: Case) -> Result:
    """Loss in a year."""
    time = durability.loss_time_s(
        drive_rate(case),
        width_count=case.number("n"),
        parity_count=int(case.number("m")),
        rebuild_s=case.number("rebuild_h") * HOUR_S,
    )
    groups, years = case.find("# group; # year")
    period = years * durability.FAILURE_YEAR_S
    return durability.annual_loss_fraction(time, group_count=groups, period_s=period)


@solves("D-14")
def rebuild(case: Case) -> Result:
    """Hours on a spare."""
    time = durability.rebuild_s(
        case.number("drive_TB") * TB,
        fill_fraction=case.number("fill"),
        rebuild_bytes_per_s=case.number("spare_write_GBps") * GB,
        detect_s=case.number("detect_h") * HOUR_S,
    )
    return time / HOUR_S


@solves("D-15")
def declustered_rebuild(case: Case) -> Result:
    """Hours in a declustered pool."""
    time = durability.declustered_rebuild_s(
        case.number("drive_TB") * TB,
        fill_fraction=case.number("fill"),
        drive_count=case.number("N"),
        data_count=case.number("k"),
        drive_rebuild_bytes_per_s=case.number("per_drive_rebuild_GBps") * GB,
        detect_s=case.number("detect_h") * HOUR_S,
    )
    return time / HOUR_S


@solves("D-17", "D-18", "D-19", "D-20", "D-23", "D-24")
def nines(case: Case) -> Result:
    """Nines of a pool of groups, with and without a hazard after a failure."""
    width, parity = scheme(case)
    time = durability.loss_time_s(
        drive_rate(case),
        width_count=width,
        parity_count=parity,
        rebuild_s=case.number("rebuild_h") * HOUR_S,
        hazard_ratio=case.find("multiplier #")[0] if "multiplier" in case.inputs else 1.0,
    )
    (groups,) = case.find("# groups")
    return durability.nines_count(durability.annual_loss_fraction(time, group_count=groups))


@solves("D-25")
def hazard(case: Case) -> Result:
    """Ratio of two weekly rates."""
    base, after = case.find(r"=# %; after a replacement # %")
    return durability.hazard_ratio(base / 100.0, after_fraction=after / 100.0)


@solves("D-26")
def loss_by_group_rates(case: Case) -> Result:
    """Loss in a year with measured weekly rates."""
    base, after = case.find("probability # %, # % after")
    week = 7 * DAY_S
    time = durability.group_loss_time_s(
        durability.failure_per_s(base / 100.0, period_s=week),
        further_failure_per_s=durability.failure_per_s(after / 100.0, period_s=week),
        parity_count=int(case.number("m")),
        rebuild_s=case.number("rebuild_h") * HOUR_S,
    )
    return durability.annual_loss_fraction(time)


@solves("D-28")
def unreadable(case: Case) -> Result:
    """Unreadable sector in a full read."""
    read = case.number("k") * case.number("drive_TB") * TB
    return durability.unreadable_fraction(read, bit_error_ratio=case.number("UBER"))


@solves("D-30")
def nines_with_unreadable_sectors(case: Case) -> Result:
    """Nines of one group whose last repair may fail."""
    width, parity = scheme(case)
    read = (width - parity) * case.find("used # TB")[0] * TB
    time = durability.loss_time_s(
        drive_rate(case),
        width_count=width,
        parity_count=parity,
        rebuild_s=case.number("rebuild_h") * HOUR_S,
        unreadable_fraction=durability.unreadable_fraction(read, bit_error_ratio=case.number("UBER")),
    )
    return durability.nines_count(durability.annual_loss_fraction(time))


@solves("D-31", "D-32")
def unavailable(case: Case) -> Result:
    """Stripe out of reach when too many nodes are away."""
    _, parity = scheme(case)
    nodes, chunks = case.find("over # nodes, # chunk")
    tolerated = durability.tolerated_domains_count(parity, domain_chunk_count=chunks)
    (away,) = case.find("unavailability #")
    return durability.unavailable_fraction(away, domain_count=nodes, tolerated_count=tolerated)


@solves("D-34")
def lost_stripes(case: Case) -> Result:
    """Share of stripes lost."""
    width, parity = scheme(case)
    assert case.find("# concurrent") == [parity + 1]
    return durability.lost_stripe_fraction(case.number("N"), width_count=width, parity_count=parity)


@solves("D-35")
def declustered_nines(case: Case) -> Result:
    """Nines of a declustered pool that mends what is critical first."""
    _, parity = scheme(case)
    time = durability.declustered_loss_time_s(
        drive_rate(case),
        drive_count=case.number("N"),
        parity_count=parity,
        rebuild_s=case.number("T1") * HOUR_S,
        critical_rebuild_s=case.number("T2") * HOUR_S,
    )
    return durability.nines_count(durability.annual_loss_fraction(time))


# --- cadence ------------------------------------------------------------------------------------------------


@solves("C-01", "C-02", "C-03")
def daly(case: Case) -> Result:
    """Minutes by Daly."""
    mean = case.number("M_min") * MINUTE_S
    return cadence.daly_interval_s(case.number("delta_min") * MINUTE_S, interruption_s=mean) / MINUTE_S


@solves("C-06")
def best_work(case: Case) -> Result:
    """Exact optimum, minutes."""
    mean = case.number("M_min") * MINUTE_S
    return cadence.optimal_work_s(case.number("delta_min") * MINUTE_S, interruption_s=mean) / MINUTE_S


@solves("C-07")
def young(case: Case) -> Result:
    """Seconds by Young."""
    return cadence.young_interval_s(case.number("delta_s"), interruption_s=case.number("M_s"))


@solves("C-08")
def observed_interruption(case: Case) -> Result:
    """Hours between interruptions."""
    watched = case.number("days") * DAY_S
    return cadence.observed_interruption_s(case.number("interruptions"), observed_s=watched) / HOUR_S


@solves("C-09")
def observed_rate(case: Case) -> Result:
    """Interruptions per 1,000 node-days."""
    by_gpu = cadence.observed_failures_per_1000_gpu_days(
        case.number("interruptions"),
        gpu_count=case.number("nodes") * GPUS_PER_NODE,
        observed_s=case.number("days") * DAY_S,
    )
    return 1000.0 * cadence.node_failures_per_day(by_gpu, node_gpu_count=GPUS_PER_NODE)


def interruption_s(nodes: Number, *, per_node_day: Number) -> Number:
    """Mean time to interruption of a job on nodes of 8 GPUs."""
    rate = cadence.failures_per_1000_gpu_days(per_node_day, node_gpu_count=GPUS_PER_NODE)
    return cadence.mean_time_to_interruption_s(nodes * GPUS_PER_NODE, failures_per_1000_gpu_days=rate)


@solves("C-10", "C-11", "C-13")
def mean_time(case: Case) -> Result:
    """Hours to interruption."""
    return interruption_s(case.number("nodes"), per_node_day=case.number("rate") / 1000.0) / HOUR_S


def goodput(case: Case, *, work_s: Number, stall_s: Number, drain_s: float = 0.0) -> Number:
    """Goodput with the row's failures and restart."""
    return cadence.goodput_fraction(
        work_s,
        stall_s=stall_s,
        interruption_s=case.number("M_s"),
        restart_s=case.number("R_s"),
        drain_s=drain_s,
    )


@solves("C-14", "C-15", "C-21")
def goodput_of_work(case: Case) -> Result:
    """Goodput at given work."""
    return goodput(case, work_s=case.number("tau_s"), stall_s=case.number("delta_s"))


@solves("C-16", "C-17")
def best_goodput(case: Case) -> Result:
    """Goodput at the best work."""
    stall = case.number("delta_s")
    work = cadence.optimal_work_s(stall, interruption_s=case.number("M_s"))
    return goodput(case, work_s=work, stall_s=stall)


@solves("C-19")
def goodput_of_bandwidth(case: Case) -> Result:
    """Goodput with the stall that a bandwidth gives."""
    stall = burst.array_write_s(case.number("C_GB") * GB, array_bytes_per_s=case.number("B_GBps") * GB)
    return goodput(case, work_s=case.number("tau"), stall_s=stall)


@solves("C-22")
def goodput_async(case: Case) -> Result:
    """Goodput of asynchronous saves."""
    stall = case.number("stall_s")
    return goodput(case, work_s=case.number("tau_s"), stall_s=stall, drain_s=case.number("drain_s"))


@solves("C-24")
def meta_ettr(case: Case) -> Result:
    """ETTR by Meta."""
    return cadence.meta_ettr_fraction(
        case.number("interval_s"),
        stall_s=case.number("w_s"),
        interruption_s=interruption_s(case.number("nodes"), per_node_day=case.number("rate")),
        restart_s=case.number("u0_s"),
    )


@solves("C-26", "C-27")
def affordable_stall(case: Case) -> Result:
    """Largest synchronous stall at a target goodput."""
    (target,) = case.find("target goodput #")
    return cadence.affordable_stall_s(
        1.0 - target, interruption_s=case.number("M_s"), restart_s=case.number("R_s")
    )


@solves("C-29", "C-30")
def idle_cost(case: Case) -> Result:
    """Gross idle cost."""
    return cadence.idle_usd_per_year(
        case.number("stall_s"),
        gpu_count=case.number("gpus"),
        usd_per_hour=case.number("price"),
        checkpoints_per_day=case.number("ckpts/day"),
    )


@solves("C-31", "C-32")
def value_of_faster_saves(case: Case) -> Result:
    """Difference of two yearly losses, at fixed work or each at its best."""
    gpus, price = case.find("# GPUs; # ")
    costs = []
    for stall in case.find("stall # s -> # s"):
        fixed = "tau_s" in case.inputs
        work = (
            case.number("tau_s")
            if fixed
            else cadence.optimal_work_s(stall, interruption_s=case.number("M_s"))
        )
        good = goodput(case, work_s=work, stall_s=stall)
        costs.append(cadence.lost_usd_per_year(good, gpu_count=gpus, usd_per_hour=price))
    return costs[0] - costs[1]


def job_usd_per_year(case: Case) -> float:
    """Price of all GPUs for a year."""
    gpus, price = case.find("# GPUs; # ")
    return gpus * price * GPU_YEAR_HOURS


@solves("C-33")
def worth_of_bandwidth(case: Case) -> Result:
    """Dollars a year for the next GB/s."""
    return economics.bandwidth_worth_usd_per_year(
        case.number("B_GBps") * GB,
        checkpoint_bytes=case.number("C_GB") * GB,
        interruption_s=case.number("M_s"),
        job_usd_per_year=job_usd_per_year(case),
    )


@solves("C-34")
def best_bandwidth(case: Case) -> Result:
    """GB/s where worth meets cost."""
    best = economics.best_bandwidth_bytes_per_s(
        case.number("k"),
        checkpoint_bytes=case.number("C_GB") * GB,
        interruption_s=case.number("M_s"),
        job_usd_per_year=job_usd_per_year(case),
    )
    return best / GB


@solves("C-36")
def fast_level(case: Case) -> Result:
    """Interval of the fast level."""
    return cadence.fast_level_interval_s(
        case.number("s1"), interruption_s=case.number("M_s"), fast_fraction=case.number("p_soft")
    )


@solves("C-37")
def least_drain(case: Case) -> Result:
    """Least persist bandwidth at the best cadence."""
    stall = case.number("stall_s")
    work = cadence.optimal_work_s(stall, interruption_s=case.number("M_s"))
    return cadence.min_drain_bytes_per_s(case.number("C_GB") * GB, work_s=work, stall_s=stall) / GB


# --- bursts -------------------------------------------------------------------------------------------------


@solves("B-01")
def fair_shares(case: Case) -> Result:
    """Max-min shares."""
    caps = np.array(case.find(r"caps=\[#,#,#,#\]"))
    shares: list[float] = np.asarray(
        burst.max_min_allocation(caps, pipe_bytes_per_s=case.number("B"))
    ).tolist()
    return shares


@solves("B-02", "B-03")
def save_beside_reads(case: Case) -> Result:
    """Seconds of a save on a shared pipe."""
    writers, readers, wanted = case.find("# writers; # readers wanting # GB/s")
    return burst.burst_with_readers_s(
        case.number("C_GB") * GB,
        pipe_bytes_per_s=case.number("pipe") * GB,
        read_bytes_per_s=wanted * GB,
        writer_count=writers,
        reader_count=readers,
    )


@solves("B-05")
def prefetch(case: Case) -> Result:
    """GB of prefetch."""
    wanted, got, duration = case.find("want # GB/s but get # GB/s for the # s")
    return burst.prefetch_bytes(duration, wanted_bytes_per_s=wanted * GB, given_bytes_per_s=got * GB) / GB


@solves("B-06")
def mixed_array(case: Case) -> Result:
    """Seconds of a save on an array that also reads."""
    left = burst.mixed_array_write_bytes_per_s(
        case.number("reads") * GB,
        array_read_bytes_per_s=case.number("R_max") * GB,
        array_write_bytes_per_s=case.number("W_max") * GB,
    )
    return burst.array_write_s(case.number("C_GB") * GB, array_bytes_per_s=left)


@solves("B-08", "B-09")
def fast_tier(case: Case) -> Result:
    """TB of the fast tier."""
    held = burst.retained_capacity_bytes(case.number("C_GB") * GB, retained_count=case.number("K"))
    reserve = tiers.reserve_of_fill_ratio(case.number("fill"))
    return tiers.usable_needed_bytes(held, reserve_ratio=reserve) / TB


@solves("B-11")
def drain(case: Case) -> Result:
    """GB/s of the drain."""
    return burst.drain_bytes_per_s(case.number("C_GB") * GB, interval_s=case.number("interval_s")) / GB


@solves("B-12", "B-13", "B-14", "B-15", "B-16", "B-17")
def straggler(case: Case) -> Result:
    """Slowest writer over the mean one."""
    laws = {
        "lognormal": burst.straggler_ratio,
        "gamma": burst.straggler_gamma_ratio,
        "weibull": burst.straggler_weibull_ratio,
    }
    (law,) = (function for name, function in laws.items() if name in case.inputs)
    return law(case.number("N"), variation_fraction=case.number("CV"))


@solves("B-20")
def slow_writer(case: Case) -> Result:
    """At least one slow writer."""
    (slow,) = case.find("per node #")
    return burst.slow_writer_fraction(case.number("N"), slow_fraction=slow)


@solves("B-22", "B-23")
def lost_path(case: Case) -> Result:
    """Seconds of a save when one node has lost a path."""
    nodes, paths, speed = case.find("# nodes; #x# Gb/s")
    efficiency, array = case.find("eff(?:iciency)? #; array # GB/s")
    size = case.number("C_GB") * GB
    node = paths * speed * 1e9 / BITS_PER_BYTE * efficiency
    left = burst.path_loss_bytes_per_s(node, path_count=paths)
    slowest = burst.node_write_s(size, node_count=nodes, node_bytes_per_s=left)
    return burst.save_s(
        burst.array_write_s(size, array_bytes_per_s=array * GB), node_s=slowest, jitter_ratio=1.0
    )


# --- queues -------------------------------------------------------------------------------------------------


@solves("Q-01")
def mm1_mean(case: Case) -> Result:
    """Mean, M/M/1."""
    return queueing.mm1_mean_ratio(case.number("rho"))


@solves("Q-02")
def mm1_p99(case: Case) -> Result:
    """99th percentile, M/M/1."""
    return queueing.mm1_quantile_ratio(case.number("rho"), quantile_fraction=0.99)


@solves("Q-04")
def md1_mean(case: Case) -> Result:
    """Mean, M/D/1."""
    return queueing.md1_mean_ratio(case.number("rho"))


@solves("Q-05")
def md1_p99(case: Case) -> Result:
    """99th percentile, M/D/1."""
    return queueing.md1_quantile_ratio(case.number("rho"), quantile_fraction=0.99)


@solves("Q-08")
def mmc_mean(case: Case) -> Result:
    """Mean of parallel channels."""
    (channels,) = case.find("M/M/#")
    return queueing.mmc_mean_ratio(case.number("rho"), channel_count=channels)


@solves("Q-10")
def outstanding(case: Case) -> Result:
    """Requests under way."""
    bandwidth, size, latency = case.find("# GB/s; # MiB I/O; # us")
    return queueing.little_outstanding_count(bandwidth * GB, latency_s=latency * US, io_bytes=size * MIB)


@solves("Q-11")
def bandwidth_of_depth(case: Case) -> Result:
    """GB/s of a queue depth."""
    size, depth, latency = case.find("# MiB I/O; queue depth #; # us")
    return queueing.little_bytes_per_s(depth, latency_s=latency * US, io_bytes=size * MIB) / GB


# --- money --------------------------------------------------------------------------------------------------


def tier_prices(case: Case) -> list[list[float]]:
    """Capacity in TB, low and high price per TB of each tier in the row."""
    found = re.findall(rf"{NUMBER} TB x (\d+)\.\.(\d+)", case.inputs)
    return [[float(text) for text in tier] for tier in found]


@solves("T-01")
def media_cost(case: Case) -> Result:
    """Low and high total of the tiers."""
    rows = tier_prices(case)
    return [
        float(sum(cost.tier_usd(row[0] * TB, price_usd_per_tb=row[column]) for row in rows))
        for column in (1, 2)
    ]


@solves("T-02")
def energy(case: Case) -> Result:
    """Dollars a year."""
    (price,) = case.find(r"# \$/kWh")
    return economics.energy_usd_per_year(
        case.number("node_W"), pue_ratio=case.number("PUE"), usd_per_kwh=price
    )


@solves("T-04")
def wear(case: Case) -> Result:
    """Flash wear of one checkpoint."""
    (size,) = case.find("ckpt # GB")
    return economics.wear_usd(
        size * GB * case.number("f"),
        usd_per_tb=case.number("$/TB"),
        endurance_dwpd=case.number("dwpd"),
        warranty_s=case.number("warranty_y") * YEARS,
    )


# --- uncertainty: the same formulas on corners and samples --------------------------------------------------


@solves("U-01")
def interval_by_corners(case: Case) -> Result:
    """Tight interval of tau / (tau + delta): monotone, so the corners are enough."""
    work = case.find(r"tau in \[#,#\]")
    stall = case.find(r"delta in \[#,#\]")
    taus, deltas = np.meshgrid(work, stall)
    share = 1.0 - cadence.stall_share_fraction(deltas, interval_s=taus + deltas)
    return [float(np.min(share)), float(np.max(share))]


@solves("U-02")
def sampled_media_cost(case: Case) -> Result:
    """Percentiles of the tiers' cost with independent uniform prices."""
    bounds = [(float(low), float(high)) for low, high in re.findall(r"\[(\d+),(\d+)\]", case.inputs)]
    rng = np.random.default_rng(20240601)
    total: Number = 0.0
    for (low, high), (capacity_tb, *_) in zip(bounds, tier_prices(CASES["T-01"]), strict=True):
        prices = rng.uniform(low, high, 400_000) / capacity_tb
        total = total + cost.tier_usd(capacity_tb * TB, price_usd_per_tb=prices)
    percentiles: list[float] = np.percentile(total, (10, 50, 90)).tolist()
    return percentiles


LOG_MARGINS = {"rate": (2.34e-3, 23.7e-3), "bandwidth": (10.0, 50.0)}
TRIANGLES = {
    "size": (280.0, 980.0, 1120.0),
    "restart": (300.0, 600.0, 1200.0),
    "price": (2.0, 3.0, 5.0),
    "jitter": (1.0, 1.2, 1.6),
}
"""Margins of the published demonstration model: sizes in GB, rates per node-day, GB/s, s, $/h."""


def demonstration_cost(unit: dict[str, NDArray[np.float64]]) -> Number:
    """Yearly lost-GPU cost of the demonstration model from uniform numbers in (0, 1), one array an input."""
    drawn: dict[str, NDArray[np.float64]] = {
        name: low * (high / low) ** unit[name] for name, (low, high) in LOG_MARGINS.items()
    }
    for name, (low, mode, high) in TRIANGLES.items():
        law = stats.triang((mode - low) / (high - low), loc=low, scale=high - low)
        drawn[name] = np.asarray(law.ppf(unit[name]))
    stall = (
        burst.array_write_s(drawn["size"] * GB, array_bytes_per_s=drawn["bandwidth"] * GB) * drawn["jitter"]
    )
    good = cadence.goodput_fraction(
        1800.0,
        stall_s=stall,
        interruption_s=interruption_s(32, per_node_day=drawn["rate"]),
        restart_s=drawn["restart"],
    )
    return cadence.lost_usd_per_year(good, gpu_count=256, usd_per_hour=drawn["price"])


INPUT_NAMES = (*LOG_MARGINS, *TRIANGLES)


@solves("U-03")
def sampled_lost_cost(case: Case) -> Result:
    """Percentiles of the demonstration model."""
    (seed,) = case.find(r"default_rng\(#\)")
    sample = np.random.default_rng(int(seed)).random((len(INPUT_NAMES), 200_000))
    costs = demonstration_cost(dict(zip(INPUT_NAMES, sample, strict=True)))
    percentiles: list[float] = np.percentile(costs, (10, 50, 90)).tolist()
    return percentiles


@solves("U-04")
def total_sobol_index(case: Case) -> Result:
    """Total-order index of the write bandwidth in the demonstration model."""
    (power,) = case.find(r"n=2\^#")
    indices = stats.sobol_indices(
        func=lambda sample: np.atleast_2d(demonstration_cost(dict(zip(INPUT_NAMES, sample, strict=True)))),
        n=2 ** int(power),
        dists=[stats.uniform()] * len(INPUT_NAMES),
        rng=np.random.default_rng(20240601),
    )
    total: Number = np.ravel(indices.total_order)[INPUT_NAMES.index("bandwidth")]
    return total
