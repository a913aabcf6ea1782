"""Money: the worth of bandwidth against the exact goodput, optima, wear and break-even."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.sizing import cadence, economics, endurance, lost_time, term

YEAR_S = 365 * 86400.0
SIZE, MEAN, GPUS, PRICE = 980e9, 712_777.0, 256, 3.0
JOB = {"checkpoint_bytes": SIZE, "interruption_s": MEAN, "job_usd_per_year": GPUS * PRICE * 8760}
bandwidths = st.floats(5e9, 1e11)


def exact_loss(bandwidth: float, *, work: float | None = None, overlapped: bool = False) -> float:
    """Yearly cost of lost GPU time by the exact goodput, the restart load on the same path."""
    transfer = SIZE / bandwidth
    stall = 5.0 if overlapped else transfer
    best = float(cadence.optimal_work_s(stall, interruption_s=MEAN)) if work is None else work
    good = cadence.goodput_fraction(
        best,
        stall_s=stall,
        interruption_s=MEAN,
        restart_s=600.0 + transfer,
        drain_s=transfer if overlapped else 0.0,
    )
    return float(lost_time.lost_usd_per_year(good, gpu_count=GPUS, usd_per_hour=PRICE))


def exact_worth(bandwidth: float, **options) -> float:
    """Fall of that cost for each GB/s, by a central difference."""
    step = 1e-3 * bandwidth
    fall = exact_loss(bandwidth - step, **options) - exact_loss(bandwidth + step, **options)
    return fall / (2 * step) * 1e9


@given(bandwidth=bandwidths)
def test_worth_of_bandwidth_against_the_exact_goodput(bandwidth: float) -> None:
    """The first-order forms are within 6 % of the derivative of the exact cost."""
    best = float(economics.bandwidth_worth_usd_per_year(bandwidth, **JOB))
    assert best == pytest.approx(exact_worth(bandwidth), rel=0.06)
    fixed = float(economics.fixed_cadence_worth_usd_per_year(bandwidth, work_s=1800.0, **JOB))
    assert fixed == pytest.approx(exact_worth(bandwidth, work=1800.0), rel=0.06)
    overlapped = float(economics.async_worth_usd_per_year(bandwidth, **JOB))
    assert overlapped == pytest.approx(exact_worth(bandwidth, overlapped=True), rel=0.06)


def test_published_worth_of_bandwidth() -> None:
    """The table of the published models at 5, 10, 28 and 56 GB/s, which is numeric: within 4 %."""
    best = economics.bandwidth_worth_usd_per_year(np.array([5e9, 10e9, 28e9, 56e9]), **JOB)
    assert best.tolist() == pytest.approx([15_876, 5_603, 1_193, 422], rel=0.04)


@given(step_cost=st.floats(100.0, 20_000.0), factor=st.floats(0.3, 3.0))
def test_the_best_bandwidth_is_cheapest(step_cost: float, factor: float) -> None:
    """Storage plus first-order waste is higher at any other bandwidth, best interval or fixed."""
    best = float(economics.best_bandwidth_bytes_per_s(step_cost, **JOB))

    def total(bandwidth: float) -> float:
        waste = np.sqrt(2 * SIZE / (MEAN * bandwidth))
        return float(step_cost * bandwidth / 1e9 + JOB["job_usd_per_year"] * waste)

    assert total(best) <= total(best * factor) * (1 + 1e-12)
    fixed = float(
        economics.fixed_cadence_bandwidth_bytes_per_s(
            step_cost, checkpoint_bytes=SIZE, work_s=1800.0, job_usd_per_year=JOB["job_usd_per_year"]
        )
    )

    def fixed_total(bandwidth: float) -> float:
        return step_cost * bandwidth / 1e9 + JOB["job_usd_per_year"] * SIZE / (bandwidth * 1800.0)

    assert fixed_total(fixed) <= fixed_total(fixed * factor) * (1 + 1e-12)


@given(step=st.floats(1e8, 1e10), bandwidth=bandwidths)
def test_the_size_of_the_step_is_a_unit_only(step: float, bandwidth: float) -> None:
    """Twice the step is worth twice as much; a price for another step finds the same bandwidth."""
    one = float(economics.bandwidth_worth_usd_per_year(bandwidth, **JOB))
    some = float(economics.bandwidth_worth_usd_per_year(bandwidth, **JOB, step_bytes_per_s=step))
    assert some == pytest.approx(one * step / 1e9)
    best = float(economics.best_bandwidth_bytes_per_s(1200.0, **JOB))
    same = float(economics.best_bandwidth_bytes_per_s(1200.0 * step / 1e9, **JOB, step_bytes_per_s=step))
    assert same == pytest.approx(best)


@given(size=st.floats(1e9, 1e13), rating=st.floats(0.3, 30.0), price=st.floats(50.0, 500.0))
def test_wearing_a_drive_out_costs_its_price(size: float, rating: float, price: float) -> None:
    """All rated writes of a drive wear off exactly what it cost."""
    rated = endurance.rated_write_bytes(size, endurance_dwpd=rating, warranty_s=5 * YEAR_S)
    worn = economics.wear_usd(rated, usd_per_tb=price, endurance_dwpd=rating, warranty_s=5 * YEAR_S)
    assert float(worn) == pytest.approx(price * size / 1e12)


def test_published_terms_of_one_checkpoint() -> None:
    """280 GB on 3 TB: flash 1.2 cents, energy 5.8 cents."""
    saves = term.saves_count(48.0, term_s=5 * YEAR_S)
    flash = term.per_part_usd(3 * 350.0, part_count=saves)
    yearly = economics.energy_usd_per_year(750.0, pue_ratio=1.54, usd_per_kwh=0.10)
    energy = term.per_part_usd(term.over_term_usd(yearly, term_s=5 * YEAR_S), part_count=saves)
    assert float(flash) == pytest.approx(0.012, abs=5e-4)
    assert float(energy) == pytest.approx(0.058, abs=5e-4)


def test_cost_of_standing_still() -> None:
    """A hundred-thousandth of 8,760 hours of 256 GPUs."""
    outage = economics.outage_usd_per_year(1e-5, gpu_count=256, usd_per_hour=3.0)
    assert float(outage) == pytest.approx(67.3, abs=0.05)


def test_what_saves_nothing_never_pays_and_what_resale_covers_has_paid() -> None:
    never = economics.break_even_s(31e3, saving_usd_per_year=np.array([0.0, -5.0]))
    assert np.isinf(never).all()
    assert float(economics.break_even_s(1000.0, saving_usd_per_year=10.0, salvage_usd=2000.0)) == 0.0


def test_what_costs_nothing_is_exceeded_without_limit() -> None:
    ratios = term.times_ratio(np.array([6.0, 6.0]), second_usd=np.array([2.0, 0.0]))
    assert ratios.tolist() == [3.0, np.inf]
    assert term.times_ratio(6.0, second_usd=0.0) == np.inf


def test_a_loss_that_never_happens_costs_nothing_however_far_it_rolls_back() -> None:
    loss = economics.data_loss_usd_per_year(0.0, rollback_s=np.inf, gpu_count=256, usd_per_hour=3.0)
    assert float(loss) == 0.0


def test_restarts_alone_may_use_up_any_budget() -> None:
    """A restart of a day where something fails every ten seconds."""
    assert cadence.affordable_stall_s(0.02, interruption_s=10.0, restart_s=86_400.0) == 0.0
