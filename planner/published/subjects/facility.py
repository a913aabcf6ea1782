"""Circuits, heat, airflow and the power of a node."""

from __future__ import annotations

from planner.published.cases import Case
from planner.published.methods import Result, by
from planner.sizing import facility, feeds


@by(feeds.circuit_va)
def usable_circuit(case: Case) -> Result:
    """What a feed may carry all the time."""
    return feeds.circuit_va(
        case.read("feed", "V"),
        feed_amps=case.read("breaker", "A"),
        phase_count=case.read("phases"),
        continuous_fraction=case.read("continuous", "fraction"),
    )


@by(facility.btu_per_hour)
def heat(case: Case) -> Result:
    """Heat of a load."""
    return facility.btu_per_hour(case.read("load", "W"))


@by(facility.cooling_tons)
def cooling(case: Case) -> Result:
    """Cooling of a load."""
    return facility.cooling_tons(case.read("load", "W"))


@by(facility.airflow_m3_per_hour)
def airflow(case: Case) -> Result:
    """Air that carries the heat away."""
    return facility.airflow_m3_per_hour(case.read("load", "W"), rise_kelvin=case.read("rise", "K"))


@by(facility.airflow_cfm)
def airflow_in_cubic_feet(case: Case) -> Result:
    """Air that carries the heat away, in cubic feet a minute."""
    return facility.airflow_cfm(case.read("load", "W"), rise_kelvin=case.read("rise", "K"))


@by(facility.parts_w)
def power_of_parts(case: Case) -> Result:
    """Power of so many parts, at the lower and at the higher power of one."""
    return [float(facility.parts_w(case.read("parts"), part_w=each)) for each in case.several("part", "W")]


@by(facility.switch_with_optics_w)
def power_of_optics(case: Case) -> Result:
    """Power of the optics of a switch, at the lower and at the higher power of one."""
    return [
        float(facility.switch_with_optics_w(0.0, port_count=case.read("ports"), optic_w=each))
        for each in case.several("optic", "W")
    ]


@by(facility.facility_w)
def facility_power(case: Case) -> Result:
    """Power of the site for a load."""
    return facility.facility_w(case.read("load", "W"), pue_ratio=case.read("PUE", "1"))


@by(facility.energy_kwh_per_year)
def facility_energy(case: Case) -> Result:
    """Energy of the site in a year."""
    return facility.energy_kwh_per_year(case.read("load", "W"), pue_ratio=case.read("PUE", "1"))
