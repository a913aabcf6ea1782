"""Ranges of uncertain inputs: the published ones, their shapes, and what is refused before any work."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats  # type: ignore[import-untyped]

from planner import PlannerError, Scenario, load_catalogue
from planner.core.units import DAY_S
from planner.explore.own_ranges import checked, with_ranges
from planner.explore.ranges import DISTRIBUTIONS, PRICE_LEVEL, PRICES, Range, default_ranges, uncertain_paths
from planner.inputs import INPUTS, input_at
from planner.scenario_json import with_value
from planner.templates import template, templates
from tests.explore.uncertain import made
from tests.plan.changes import EVIDENCE, changed

PUE, STATE = "site.pue_ratio", "jobs.0.model.bytes_per_parameter_bytes"
DEFAULTS = {
    row["path"]: row
    for row in csv.DictReader(
        Path(__file__).with_name("uncertainty_defaults.csv").read_text(encoding="utf-8").splitlines()
    )
}
SHARES = np.linspace(0.0005, 0.9995, 1000)


def of(scenario: Scenario, path: str) -> Range:
    return next(item for item in default_ranges(scenario) if item.path == path)


@pytest.mark.parametrize("path", DEFAULTS)
def test_the_shipped_ranges_are_the_published_ones(path: str) -> None:
    row, item = DEFAULTS[path], of(template(EVIDENCE).scenario, path)
    assert item.low == pytest.approx(float(row["low"]) * float(row["factor"]), rel=1e-12)
    assert item.high == pytest.approx(float(row["high"]) * float(row["factor"]), rel=1e-12)
    if row["default"]:
        assert item.today == pytest.approx(float(row["default"]) * float(row["factor"]), rel=0.003)


def test_every_range_has_a_source_and_a_grade() -> None:
    for item in default_ranges(template("two-jobs").scenario):
        assert item.source, item.path
        assert item.grade in ("seen", "inferred", "from memory", "class assumption", "guide")


@pytest.mark.parametrize("scenario", [item.scenario for item in templates()], ids=[t.id for t in templates()])
def test_every_template_has_ranges_around_its_own_values_and_within_what_is_allowed(
    scenario: Scenario,
) -> None:
    found = default_ranges(scenario)
    assert checked(found, scenario) == found
    for item in found:
        assert item.low <= item.today <= item.high, item.path
        assert item.low <= item.typical <= item.high


def test_all_prices_are_one_factor_and_the_jobs_of_a_cluster_share_theirs() -> None:
    found = {item.path: item.factor for item in default_ranges(template("two-jobs").scenario)}
    prices = {path for path, factor in found.items() if factor == PRICES}
    assert prices == {PRICE_LEVEL, "prices.gpu_usd_per_hour", "site.usd_per_kwh", "site.usd_per_kw_month"}
    assert found["jobs.0.checkpoint.restart_s"] == found["jobs.1.checkpoint.restart_s"]


def test_decisions_are_never_drawn() -> None:
    uncertain = set(uncertain_paths(template(EVIDENCE).scenario))
    decided = {
        "jobs.0.checkpoint.interval_s",
        "jobs.0.checkpoint.retained_count",
        "storage.hot.drive_count",
        "storage.hot.unit_count",
        "storage.guide_headroom_ratio",
        "network.client_oversubscription_ratio",
        "cluster.node_count",
        "jobs.0.model.parameter_count",
        "prices.term_years",
    }
    assert decided <= {entry.path for entry in INPUTS}
    assert not decided & uncertain
    assert uncertain - {PRICE_LEVEL} <= {entry.path for entry in INPUTS if entry.kind in ("number", "count")}


def test_the_guide_s_basis_has_the_guide_s_range_of_a_parameter() -> None:
    found = {name: of(template(name).scenario, STATE) for name in ("guide-7b", "guide-70b", "guide-405b")}
    assert {name: (item.low, item.high) for name, item in found.items()} == {
        "guide-7b": (4.0, 8.0),
        "guide-70b": (2.0, 4.0),
        "guide-405b": (2.0, 4.0),
    }


def test_a_value_outside_of_the_published_range_keeps_its_ratios() -> None:
    item = of(changed(EVIDENCE, {"prices.gpu_usd_per_hour": 9.0}), "prices.gpu_usd_per_hour")
    assert (item.low, item.typical, item.high) == (6.0, 9.0, 15.0)
    assert "keeps the ratios" in item.note


def test_the_failure_rate_is_that_of_nodes_with_eight_gpus() -> None:
    item = of(template(EVIDENCE).scenario, "cluster.failures_per_1000_gpu_days")
    hours = [DAY_S / (256 / 1000 * rate) / 3600 for rate in (item.low, item.high)]
    assert hours == pytest.approx([326.1, 31.25], rel=1e-3)  # the reference: 31.6 to 320 h for 256 GPUs


# --- shapes ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("item", "known"),
    [
        (made(2, 6), stats.uniform(2, 4)),
        (made(1, 180, kind="log-uniform"), stats.loguniform(1, 180)),
        (made(10, 16, 14, kind="triangular"), stats.triang(4 / 6, 10, 6)),
        (made(10, 16, 10, kind="triangular"), stats.triang(0, 10, 6)),
        (made(10, 16, 16, kind="triangular"), stats.triang(1, 10, 6)),
        (made(1, 5, 1.5, kind="pert"), stats.beta(1 + 4 * 0.5 / 4, 1 + 4 * 3.5 / 4, 1, 4)),
    ],
    ids=lambda item: item.distribution if isinstance(item, Range) else "",
)
def test_shapes_are_those_of_scipy(item: Range, known: stats.rv_continuous) -> None:
    np.testing.assert_allclose(item.quantiles(SHARES), known.ppf(SHARES), rtol=1e-9)


def test_the_ends_of_a_lognormal_are_its_tenths() -> None:
    item = made(2, 8, kind="lognormal")
    np.testing.assert_allclose(item.quantiles(np.array([0.1, 0.5, 0.9])), [2, 4, 8], rtol=1e-9)


def test_draws_stay_within_what_the_input_may_be() -> None:
    entry = input_at("network.rdma_stack_fraction")
    assert entry is not None
    base = of(template(EVIDENCE).scenario, entry.path)
    wide = replace(base, distribution="lognormal", low=0.5, high=0.99)
    drawn = wide.quantiles(SHARES)
    assert drawn.max() == entry.high == 1.0
    assert drawn.min() > 0


ends = st.tuples(*[st.floats(0.01, 1e6)] * 3).map(sorted)


@given(ends=ends, kind=st.sampled_from(DISTRIBUTIONS))
@settings(deadline=None)
def test_quantiles_rise_and_stay_between_the_ends(ends: list[float], kind: str) -> None:
    low, typical, high = ends
    found = made(low, high, typical, kind=kind).quantiles(SHARES)
    assert np.all(np.diff(found) >= -1e-9 * high)
    if kind not in ("lognormal", "value"):
        assert found.min() >= low * (1 - 1e-9)
        assert found.max() <= high * (1 + 1e-9)


@given(value=st.floats(0.01, 1e6), kind=st.sampled_from(DISTRIBUTIONS))
def test_a_range_without_width_is_its_value(value: float, kind: str) -> None:
    assert set(made(value, value, value, kind=kind).quantiles(SHARES)) == {value}


# --- ranges as they are typed -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("1.2:1.4", ("uniform", 1.2, 1.4)),
        ("1.2:1.3:1.4", ("triangular", 1.2, 1.4)),
        ("pert:1.2:1.3:1.4", ("pert", 1.2, 1.4)),
        ("log-uniform:1.2:1.4", ("log-uniform", 1.2, 1.4)),
        ("1.2", ("value", 1.2, 1.2)),
    ],
)
def test_typed_ranges(typed: str, expected: tuple[str, float, float]) -> None:
    scenario = template(EVIDENCE).scenario
    item = {r.path: r for r in with_ranges(default_ranges(scenario), [f"{PUE}={typed}"], scenario)}[PUE]
    assert (item.distribution, item.low, item.high) == expected
    assert item.grade == "input"


def test_typed_ends_have_units() -> None:
    scenario = template(EVIDENCE).scenario
    path = "jobs.0.checkpoint.restart_s"
    item = {r.path: r for r in with_ranges(default_ranges(scenario), [f"{path}=90 s:5 min"], scenario)}[path]
    assert (item.low, item.high) == (90.0, 300.0)


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        (f"{PUE}=1.5:1.2", r"site\.pue_ratio \(PUE\): the low end 1\.5.* is above the high end 1\.2"),
        (f"{PUE}=0.5:1.2", r"site\.pue_ratio.*not allowed.*1"),
        (f"{PUE}=1.2:4", r"site\.pue_ratio.*not allowed"),
        (f"{PUE}=nan:1.2", r"site\.pue_ratio"),
        (f"{PUE}=1.2:1.6:1.4", "likeliest value 1.6"),
        (f"{PUE}=perd:1.2:1.3:1.4", "did you mean pert"),
        (f"{PUE}=1:2:3:4", "is no range"),
        (f"{PUE}=pert", "pert"),
        (f"{PUE}", "write it as"),
        (f"{PUE}=", "write it as"),
        ("site.pue_rato=1:2", "did you mean site.pue_ratio"),
        ("prices.level=0:1.5", "0 to 100"),
        ("storage.failure_hazard_ratio=log-uniform:0.5:0.1", "above the high end"),
        ("storage.annual_failure_fraction=log-uniform:0:0.1", "begins above 0"),
        ("jobs.0.checkpoint.interval_s=60:600", "this is a decision"),
        ("network.transport=1:2", "it is no number"),
        ("jobs.7.checkpoint.restart_s=1:2", "no uncertain input"),
    ],
)
def test_bad_ranges_are_one_line(typed: str, says: str) -> None:
    scenario = template(EVIDENCE).scenario
    with pytest.raises(PlannerError, match=says) as told:
        with_ranges(default_ranges(scenario), [typed], scenario)
    assert "\n" not in told.value.message
    assert "Traceback" not in told.value.message


def test_a_range_is_stated_once() -> None:
    scenario = template(EVIDENCE).scenario
    ranges = default_ranges(scenario)
    with pytest.raises(PlannerError, match="there twice"):
        with_ranges(ranges, [f"{PUE}=1:2", f"{PUE}=1:3"], scenario)
    with pytest.raises(PlannerError, match="there twice"):
        checked([*ranges, ranges[0]], scenario)


def test_an_input_without_a_value_has_nothing_to_vary() -> None:
    scenario = with_value(template(EVIDENCE).scenario, PUE, 1.2)
    missing = tuple(item for item in default_ranges(scenario) if item.path != PUE)
    with pytest.raises(PlannerError, match="has no value of it to vary"):
        with_ranges(missing, [f"{PUE}=1:2"], scenario)


def test_the_catalogue_does_not_count_the_ranges_as_its_own() -> None:
    # A range changes no plan, so that a signed design stays as signed when a range is corrected.
    assert "uncertainty" not in load_catalogue().__slots__
