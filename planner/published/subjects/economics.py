"""Energy, wear, and what bandwidth is worth."""

from __future__ import annotations

from planner.core.units import HOUR_S, YEAR_S
from planner.published.cases import Case
from planner.published.methods import Result, by
from planner.sizing import economics


@by(economics.energy_usd_per_year)
def energy_cost(case: Case) -> Result:
    """Energy of a year."""
    return economics.energy_usd_per_year(
        case.read("load", "W"),
        pue_ratio=case.read("PUE", "1"),
        usd_per_kwh=case.read("energy price", "USD/kWh"),
    )


@by(economics.wear_usd)
def wear_cost(case: Case) -> Result:
    """Flash that one save uses up."""
    return economics.wear_usd(
        case.read("checkpoint", "bytes") * case.read("protection", "1"),
        usd_per_tb=case.read("flash price", "USD/TB"),
        endurance_dwpd=case.read("endurance", "DWPD"),
        warranty_s=case.read("warranty", "s"),
    )


def _job_usd_per_year(case: Case) -> float:
    return case.read("GPUs") * case.read("GPU price", "USD/h") * YEAR_S / HOUR_S


@by(economics.bandwidth_worth_usd_per_year)
def worth_of_bandwidth(case: Case) -> Result:
    """What the next GB/s saves in a year."""
    return economics.bandwidth_worth_usd_per_year(
        case.read("bandwidth", "bytes/s"),
        checkpoint_bytes=case.read("checkpoint", "bytes"),
        interruption_s=case.read("M", "s"),
        job_usd_per_year=_job_usd_per_year(case),
    )


@by(economics.best_bandwidth_bytes_per_s)
def best_bandwidth(case: Case) -> Result:
    """Bandwidth whose next GB/s saves what it costs."""
    return economics.best_bandwidth_bytes_per_s(
        case.read("cost of a GB/s", "USD/year"),
        checkpoint_bytes=case.read("checkpoint", "bytes"),
        interruption_s=case.read("M", "s"),
        job_usd_per_year=_job_usd_per_year(case),
    )


@by(economics.break_even_s)
def break_even(case: Case) -> Result:
    """Time until savings have paid for it."""
    return economics.break_even_s(
        case.read("capital", "USD"), saving_usd_per_year=case.read("saving", "USD/year")
    )


@by(economics.fixed_cadence_worth_usd_per_year)
def worth_at_a_fixed_cadence(case: Case) -> Result:
    """What the next GB/s saves in a year if the cadence stays."""
    return economics.fixed_cadence_worth_usd_per_year(
        case.read("bandwidth", "bytes/s"),
        checkpoint_bytes=case.read("checkpoint", "bytes"),
        work_s=case.read("work", "s"),
        interruption_s=case.read("M", "s"),
        job_usd_per_year=_job_usd_per_year(case),
    )


@by(economics.async_worth_usd_per_year)
def asynchronous_worth(case: Case) -> Result:
    """What the next GB/s saves in a year if saves drain while training goes on."""
    return economics.async_worth_usd_per_year(
        case.read("bandwidth", "bytes/s"),
        checkpoint_bytes=case.read("checkpoint", "bytes"),
        interruption_s=case.read("M", "s"),
        job_usd_per_year=_job_usd_per_year(case),
    )


@by(economics.data_loss_usd_per_year)
def cost_of_data_loss(case: Case) -> Result:
    """What lost checkpoints cost in a year."""
    return economics.data_loss_usd_per_year(
        case.read("loss in a year", "fraction"),
        rollback_s=case.read("rollback", "s"),
        gpu_count=case.read("GPUs"),
        usd_per_hour=case.read("GPU price", "USD/h"),
    )
