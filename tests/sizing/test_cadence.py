"""Interval, goodput and the split of lost time: laws that hold everywhere, and a simulation."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from planner.sizing import burst, cadence, failure_rates, lost_time, worth

stalls = st.floats(1e-3, 600.0)
means = st.floats(700.0, 1e7)
works = st.floats(1.0, 1e5)
restarts = st.floats(0.0, 3600.0)
factors = st.floats(0.05, 20.0)


@given(work=works, stall=stalls, mean=means, restart=restarts, down=restarts, drain=st.floats(0.0, 1.0))
def test_goodput_and_losses_share_out_the_whole_time(
    work: float, stall: float, mean: float, restart: float, down: float, drain: float
) -> None:
    """Goodput, stalls, lost work and restarts are shares, and sum to one."""
    drain_s = drain * (work + stall)
    good = cadence.goodput_fraction(
        work, stall_s=stall, interruption_s=mean, restart_s=restart, drain_s=drain_s, down_s=down
    )
    stalled = lost_time.stalled_fraction(good, stall_s=stall, work_s=work)
    lost = lost_time.lost_work_fraction(
        good, stall_s=stall, work_s=work, interruption_s=mean, restart_s=restart, down_s=down
    )
    restarting = lost_time.restart_fraction(restart, interruption_s=mean, down_s=down)
    parts = [float(part) for part in (good, stalled, lost, restarting)]
    assert sum(parts) == pytest.approx(1.0, abs=1e-12)
    assert all(-1e-12 <= part <= 1 + 1e-12 for part in parts)


@given(stall=stalls, mean=means, restart=restarts, factor=factors)
def test_best_work_is_a_maximum_of_goodput(stall: float, mean: float, restart: float, factor: float) -> None:
    """No other work between saves gives more goodput, with whatever restart and drain."""
    best = float(cadence.optimal_work_s(stall, interruption_s=mean))

    def good(work: float) -> float:
        return float(
            cadence.goodput_fraction(
                work, stall_s=stall, interruption_s=mean, restart_s=restart, drain_s=stall / 2
            )
        )

    assert good(best) >= good(best * factor) * (1 - 1e-12)


@given(ratio=st.floats(1e-16, 10.0))
@example(ratio=1e-3)  # near the end of the series, where its last terms count
def test_best_work_solves_its_equation(ratio: float) -> None:
    """With y = work / M the optimum solves -ln(1 - y) - y = stall / M, near zero by its own series."""
    y = float(cadence.optimal_work_s(ratio, interruption_s=1.0))
    series = y**2 * (1 / 2 + y / 3 + y**2 / 4 + y**3 / 5)
    back = series if y < 1e-3 else -np.log1p(-y) - y
    assert back == pytest.approx(ratio, rel=1e-9)


def test_best_work_has_no_step_where_the_series_ends() -> None:
    """The series and the Lambert function meet."""
    ratios = np.linspace(1.2e-3, 1.3e-3, 2001)
    steps = np.diff(cadence.optimal_work_s(ratios, interruption_s=1.0))
    assert steps.max() / steps.min() == pytest.approx(1.0, abs=0.06)


@given(stall=stalls, mean=means)
def test_young_and_daly_approach_the_exact_optimum(stall: float, mean: float) -> None:
    """Both are within their order of stall / M."""
    order = np.sqrt(stall / mean)
    exact = float(cadence.optimal_work_s(stall, interruption_s=mean))
    daly = float(cadence.daly_interval_s(stall, interruption_s=mean))
    young = float(cadence.young_interval_s(stall, interruption_s=mean))
    assert daly == pytest.approx(exact, rel=0.3 * order**3 + 1e-9)
    assert exact <= young <= exact * (1 + order)


@given(waste=st.floats(0.001, 0.5), mean=means, restart=st.floats(0.0, 0.5))
def test_affordable_stall_uses_up_the_budget(waste: float, mean: float, restart: float) -> None:
    """At the best interval the longest stall loses exactly the budget, the restarts with it."""
    restart_s = restart * waste * mean
    stall = cadence.affordable_stall_s(waste, interruption_s=mean, restart_s=restart_s)
    work = cadence.optimal_work_s(stall, interruption_s=mean)
    good = cadence.goodput_fraction(work, stall_s=stall, interruption_s=mean, restart_s=restart_s)
    assert float(good) == pytest.approx(1 - waste, abs=1e-9)


def test_affordable_stall_is_zero_if_restarts_use_the_budget_up() -> None:
    """Restarts of 10 % leave nothing of a budget of 2 %."""
    assert float(cadence.affordable_stall_s(0.02, interruption_s=6000.0, restart_s=600.0)) == 0.0


@given(work=works, stall=stalls, mean=means, restart=restarts, more=st.floats(1.0, 3.0))
def test_goodput_falls_with_each_delay_and_rises_with_reliability(
    work: float, stall: float, mean: float, restart: float, more: float
) -> None:
    """Longer stalls, restarts, drains and outages never help; rarer failures never hurt."""
    times = {
        "stall_s": stall,
        "interruption_s": mean,
        "restart_s": restart,
        "drain_s": 0.2 * work,
        "down_s": 5.0,
    }
    base = float(cadence.goodput_fraction(work, **times))
    for name, time in times.items():
        changed = float(cadence.goodput_fraction(work, **{**times, name: time * more}))
        better, worse = (changed, base) if name == "interruption_s" else (base, changed)
        assert worse <= better * (1 + 1e-12)


def test_goodput_of_a_hopeless_job_is_zero() -> None:
    """Work of a thousand mean times to interruption is never kept; nothing overflows."""
    assert float(cadence.goodput_fraction(1e6, stall_s=1.0, interruption_s=1e3, restart_s=600.0)) == 0.0


def simulated_shares(work: float, stall: float, mean: float, restart: float, seed: int) -> dict[str, float]:
    """Shares of time of a job that is played through, failure by failure, with synchronous saves."""
    rng = np.random.default_rng(seed)
    spent = {"kept": 0.0, "stalled": 0.0, "lost": 0.0, "restarting": 0.0}
    for life in rng.exponential(mean, 60_000):
        recovery = min(restart, life)
        segments, rest = divmod(life - recovery, work + stall)
        spent["restarting"] += recovery
        spent["kept"] += segments * work
        spent["stalled"] += segments * stall
        spent["lost"] += rest
    total = sum(spent.values())
    return {name: value / total for name, value in spent.items()}


def test_split_of_lost_time_against_a_simulation() -> None:
    """The closed forms are the shares of 60,000 lives between failures."""
    times = {"stall_s": 60.0, "interruption_s": 10_000.0, "restart_s": 500.0}
    seen = simulated_shares(1000.0, 60.0, 10_000.0, 500.0, seed=3)
    good = cadence.goodput_fraction(1000.0, **times)
    assert float(good) == pytest.approx(seen["kept"], abs=0.002)
    stalled = lost_time.stalled_fraction(good, stall_s=60.0, work_s=1000.0)
    assert float(stalled) == pytest.approx(seen["stalled"], abs=0.002)
    assert float(lost_time.lost_work_fraction(good, work_s=1000.0, **times)) == pytest.approx(
        seen["lost"], abs=0.002
    )
    restarting = lost_time.restart_fraction(500.0, interruption_s=10_000.0)
    assert float(restarting) == pytest.approx(seen["restarting"], abs=0.002)


@given(rate=st.floats(1e-5, 0.1), gpus=st.integers(1, 72))
def test_failure_rates_convert_both_ways(rate: float, gpus: int) -> None:
    """By node and by GPU."""
    by_gpu = failure_rates.failures_per_1000_gpu_days(rate, node_gpu_count=gpus)
    assert float(failure_rates.node_failures_per_day(by_gpu, node_gpu_count=gpus)) == pytest.approx(
        rate, rel=1e-12
    )


@given(count=st.integers(1, 1000), gpus=st.integers(1, 100_000), days=st.floats(1.0, 400.0))
def test_an_observed_rate_gives_back_the_observed_mean(count: int, gpus: int, days: float) -> None:
    """Rate and mean time of the same observation agree."""
    rate = failure_rates.observed_failures_per_1000_gpu_days(count, gpu_count=gpus, observed_s=days * 86400)
    mean = failure_rates.mean_time_to_interruption_s(gpus, failures_per_1000_gpu_days=rate)
    assert float(mean) == pytest.approx(
        float(failure_rates.observed_interruption_s(count, observed_s=days * 86400))
    )


def test_two_levels_beat_one() -> None:
    """A fast level that mends most failures saves waste against shared saves alone."""
    shared = cadence.shared_level_interval_s(
        28.35, fast_stall_s=2.0, interruption_s=11_137.0, fast_fraction=0.8
    )
    fast = cadence.fast_level_interval_s(2.0, interruption_s=11_137.0, fast_fraction=0.8)
    assert round(float(shared) / float(fast)) == 7  # the grid search in the published models also finds 7
    both = worth.two_level_goodput_fraction(
        fast,
        shared_interval_s=shared,
        fast_stall_s=2.0,
        shared_stall_s=28.35,
        interruption_s=11_137.0,
        restart_s=0.0,
        fast_fraction=0.8,
    )
    alone = np.sqrt(2 * 28.35 / 11_137.0)
    assert 1.0 - float(both) == pytest.approx(0.0477, abs=1e-4)
    assert float(alone) == pytest.approx(0.0714, abs=1e-4)


@pytest.mark.parametrize(("stall", "stalled", "again"), [(0.02, 0.02, 0.05), (0.2, 0.07, 0.0)])
def test_what_two_levels_lose_is_shared_out_whole(stall: float, stalled: float, again: float) -> None:
    """Of a tenth that is lost, 3 % go to restarts; stalls take no more than the rest."""
    share = worth.two_level_stalled_fraction(stall, goodput_fraction=0.9, restart_fraction=0.03)
    work = worth.two_level_lost_work_fraction(0.9, restart_fraction=0.03, stalled_fraction=share)
    assert (float(share), float(work)) == pytest.approx((stalled, again), abs=1e-12)


@given(stall=stalls, gpus=st.integers(1, 10_000), price=st.floats(0.1, 20.0), saves=st.floats(1.0, 5000.0))
def test_idle_cost_of_a_year_is_that_of_its_saves(
    stall: float, gpus: int, price: float, saves: float
) -> None:
    """Cost of one save times the saves of a year."""
    one = float(lost_time.idle_usd_per_checkpoint(stall, gpu_count=gpus, usd_per_hour=price))
    year = lost_time.idle_usd_per_year(stall, gpu_count=gpus, usd_per_hour=price, checkpoints_per_day=saves)
    assert float(year) == pytest.approx(one * saves * 365)


def test_lost_time_and_lost_money_agree() -> None:
    """GPU-hours of a year times the price is the cost of a year."""
    assert float(lost_time.lost_usd_per_year(0.95, gpu_count=256, usd_per_hour=3.0)) == pytest.approx(
        3 * 0.05 * 256 * 8760
    )


def test_the_first_order_forms_are_close_where_failures_are_rare() -> None:
    """Meta's form is within 0.1 points of the exact one at 30-minute saves of a 256-GPU job."""
    times = {"stall_s": 20.0, "interruption_s": 712_777.0, "restart_s": 600.0}
    exact = float(cadence.goodput_fraction(1800.0, **times))
    assert float(lost_time.meta_ettr_fraction(1800.0, **times)) == pytest.approx(exact, abs=1e-3)
    assert (
        float(lost_time.meta_ettr_fraction(9000.0, stall_s=1.0, interruption_s=900.0, restart_s=0.0)) == 0.0
    )


def test_drain_limit_is_the_checkpoint_over_the_interval() -> None:
    """980 GB at a best interval of 2,671 s need 0.37 GB/s, as published."""
    work = cadence.optimal_work_s(5.0, interruption_s=712_777.0)
    least = burst.drain_bytes_per_s(980e9, interval_s=work + 5.0)
    assert float(least) / 1e9 == pytest.approx(0.37, abs=0.005)
    assert float(lost_time.stall_share_fraction(5.0, interval_s=float(work) + 5.0)) == pytest.approx(
        0.00187, abs=1e-5
    )
