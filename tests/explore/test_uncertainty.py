"""Uncertainty: the reference's bands, the same draws for the same seed, and verdicts that follow from the draws."""

from __future__ import annotations

import functools
import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import plotly.graph_objects as go  # type: ignore[import-untyped]
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from planner import PlannerError, Scenario, load_catalogue, plan
from planner.__main__ import main
from planner.charts.uncertainty import Spread, spread_chart, tornado_chart
from planner.core.units import DAY_S, GB, YEAR_S
from planner.explore.outcomes import RESULTS
from planner.explore.ranges import PRICE_LEVEL, PRICES, Range, default_ranges
from planner.explore.results import figures_of
from planner.explore.sensitivity import tornado
from planner.explore.uncertainty import Study, draws, shared_ranges, study
from planner.explore.verdicts import (
    FRAGILE_FRACTION,
    against,
    band,
    bands,
    blockers,
    drivers,
    feasible,
    verdicts,
)
from planner.scenario_json import with_value
from planner.sizing import cadence, checkpoint, cost, lost_time
from planner.templates import template
from tests.explore.uncertain import FAILURES, START, STATE, fibre_channel, made, only, usual_ends
from tests.plan.changes import EVIDENCE, UNLIKE

CATALOGUE = load_catalogue()
GUIDE = template("guide-256-guide").scenario
Values = NDArray[np.float64]


@functools.cache
def studied(scenario: Scenario, count: int) -> Study:
    """So many draws of a design's usual ranges."""
    return study(scenario, count=count)


def percentiles(values: Values) -> list[float]:
    return [float(value) for value in np.percentile(values, (10, 50, 90))]


# --- figures of the reference -----------------------------------------------------------------------------------


def test_the_guide_s_cost_with_prices_that_do_not_move_together() -> None:
    # U-02: the sum of three independent uniforms, P10 / P50 / P90 = 16,535 / 21,539 / 26,555.
    parts = {"hot": (3e12, 200, 500), "pfs": (50e12, 150, 350), "object": (200e12, 20, 60)}
    ranges = [made(low, high, path=name) for name, (_, low, high) in parts.items()]
    drawn = draws(ranges, seed=1, count=50_000)
    total = sum(
        np.asarray(cost.tier_usd(size, price_usd_per_tb=drawn[name])) for name, (size, _, _) in parts.items()
    )
    assert percentiles(np.asarray(total)) == pytest.approx([16_535, 21_539, 26_555], rel=0.005)


def test_prices_that_move_together_widen_the_guide_s_cost_to_its_own_ends() -> None:
    # T-01: all at the low end are $12,100, all at the high one $31,000; together they are uniform between these.
    found = band(study(GUIDE, only(GUIDE, "prices.level=0:1")), "capital_usd")
    expected = [12_100 + share * 18_900 for share in (0.1, 0.5, 0.9)]
    assert [found.p10.number, found.p50.number, found.p90.number] == pytest.approx(expected, rel=0.001)
    # U-02 again: the independent band is the narrower one.
    assert found.p90.number - found.p10.number > 26_555 - 16_535


def lost_usd(drawn: dict[str, Values]) -> Values:
    """The reference's model U3: 32 nodes of 8 GPUs, 1,800 s of work between saves."""
    stall = checkpoint.write_s(drawn["C"], bandwidth_bytes_per_s=drawn["B"]) * drawn["jit"]
    good = cadence.goodput_fraction(
        1800.0, stall_s=stall, interruption_s=DAY_S / (32 * drawn["r"]), restart_s=drawn["R"]
    )
    return np.asarray(lost_time.lost_usd_per_year(good, gpu_count=256.0, usd_per_hour=drawn["price"]))


U3 = [
    made(280 * GB, 1120 * GB, 980 * GB, kind="triangular", path="C"),
    made(2.34e-3, 23.7e-3, kind="log-uniform", path="r"),
    made(10 * GB, 50 * GB, kind="log-uniform", path="B"),
    made(300, 1200, 600, kind="triangular", path="R"),
    made(2, 5, 3, kind="triangular", path="price"),
    made(1, 1.6, 1.2, kind="triangular", path="jit"),
]


@pytest.mark.parametrize("seed", [0, 1, 20240601])
def test_the_reference_s_model_of_lost_gpu_time(seed: int) -> None:
    # U-03: P10 / P50 / P90 = 113,453 / 215,519 / 404,921 within 1 %.
    assert percentiles(lost_usd(draws(U3, seed=seed, count=50_000))) == pytest.approx(
        [113_453, 215_519, 404_921], rel=0.01
    )


def test_ten_thousand_draws_are_enough() -> None:
    # U2: 10,000 to 20,000 draws, P90 stable to about 1 or 2 %.
    ends = [percentiles(lost_usd(draws(U3, seed=seed, count=10_000)))[2] for seed in range(8)]
    assert max(ends) / min(ends) < 1.02


# --- the draws ------------------------------------------------------------------------------------------------


def test_a_draw_lies_in_each_of_as_many_parts_of_the_range() -> None:
    drawn = draws([made(0, 1000)], seed=3, count=1000)["x"]
    assert np.array_equal(np.sort(np.floor(drawn)), np.arange(1000))


def test_draws_of_an_input_do_not_depend_on_the_others() -> None:
    first, second = made(2, 3, path="a"), made(5, 9, path="b")
    alone, both = draws([second], seed=7, count=500), draws([first, second], seed=7, count=500)
    assert np.array_equal(alone["b"], both["b"])
    assert abs(np.corrcoef(both["a"], both["b"])[0, 1]) < 0.15


def test_prices_move_together_and_nothing_else_moves_with_them() -> None:
    ranges = default_ranges(START)
    table = study(START, ranges, count=2000).table
    prices = [item.path for item in ranges if item.factor == PRICES and not item.certain]
    assert len(prices) == 3
    ranks = table[[*prices, FAILURES, "site.pue_ratio"]].rank().to_numpy()
    matrix = np.corrcoef(ranks.T)
    assert matrix[:3, :3] == pytest.approx(np.ones((3, 3)), abs=1e-9)
    assert np.abs(matrix[:3, 3:]).max() < 0.1


def test_the_same_seed_is_the_same_study_and_another_one_is_not() -> None:
    first, again, other = (study(START, seed=seed, count=300) for seed in (5, 5, 6))
    assert first.table.equals(again.table)
    assert not np.array_equal(first.values("goodput_fraction"), other.values("goodput_fraction"))


@pytest.mark.parametrize("name", UNLIKE)
def test_every_draw_is_the_plan_of_its_inputs(name: str) -> None:
    scenario = template(name).scenario
    done = studied(scenario, 200)
    for row in (0, 41, 199):
        drawn = done.table.iloc[row]
        varied = scenario
        for item in done.ranges:
            if not item.certain and item.path != PRICE_LEVEL:
                varied = with_value(varied, item.path, float(drawn[item.path]))
        made_plan = plan(varied, CATALOGUE)
        for column, figure in figures_of(made_plan).items():
            assert drawn[column] == pytest.approx(figure.number, rel=1e-9, nan_ok=True), column
        low, high = made_plan.cost.capital_low_usd.number, made_plan.cost.capital_high_usd.number
        assert drawn["capital_usd"] == pytest.approx(low + drawn[PRICE_LEVEL] * (high - low), rel=1e-9)


@pytest.mark.parametrize("name", UNLIKE)
def test_ranges_without_width_are_the_plan_itself(name: str) -> None:
    scenario = template(name).scenario
    still = [
        replace(item, distribution="uniform", low=item.today, high=item.today)
        for item in default_ranges(scenario)
        if item.path != PRICE_LEVEL
    ]
    level = next(item for item in default_ranges(scenario) if item.path == PRICE_LEVEL)
    done, figures = study(scenario, [*still, level], count=100), figures_of(plan(scenario, CATALOGUE))
    for column in RESULTS:
        if column in figures:
            values = done.values(column)
            assert np.allclose(values, figures[column].number, rtol=1e-12, equal_nan=True), column


def test_a_tiny_range_around_what_auto_came_to_is_the_plan_too() -> None:
    figures = figures_of(plan(START, CATALOGUE))
    ranges = only(START, f"{STATE}=13.999999999:14.000000001", f"{FAILURES}=0.474:0.474000000001")
    done = study(START, ranges, count=100)
    for column in ("goodput_fraction", "checkpoint_bytes", "drive_count", "lost_usd_per_year"):
        assert np.allclose(done.values(column), figures[column].number, rtol=1e-8)


# --- bands ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [EVIDENCE, "frontier-16384", "guide-70b"])
def test_bands_are_ordered_and_within_the_draws(name: str) -> None:
    done = studied(template(name).scenario, 500 if name == "guide-70b" else 200)
    for item in bands(done):
        if item.p50.known:
            values = done.values(item.column)
            low, high = np.nanmin(values), np.nanmax(values)
            assert low <= item.p10.number <= item.p50.number <= item.p90.number <= high


@given(low=st.floats(0.3, 1.0), more=st.floats(0.0, 0.5), high=st.floats(1.2, 3.0), wider=st.floats(0.0, 2.0))
@settings(max_examples=12, deadline=None)
def test_a_wider_range_never_gives_a_narrower_band(
    low: float, more: float, high: float, wider: float
) -> None:
    # Goodput falls with the failure rate; the draws of both studies are at the same shares of the range.
    widths = []
    for ends in ((low, high), (low - more * 0.5, high + wider)):
        found = band(
            study(START, only(START, f"{FAILURES}={ends[0]}:{ends[1]}"), count=200), "goodput_fraction"
        )
        widths.append(found.p90.number - found.p10.number)
    assert widths[1] >= widths[0] * (1 - 1e-6)


def test_one_uncertain_input_of_a_monotone_result_has_the_plan_s_own_band() -> None:
    found = band(study(START, only(START, f"{FAILURES}=0.4:2.4"), count=4000), "goodput_fraction")
    expected = [
        figures_of(plan(with_value(START, FAILURES, 0.4 + share * 2.0), CATALOGUE))["goodput_fraction"].number
        for share in (0.9, 0.5, 0.1)
    ]
    assert [found.p10.number, found.p50.number, found.p90.number] == pytest.approx(expected, abs=2e-5)


def test_the_share_without_a_blocker_is_counted() -> None:
    kept = study(START, only(START, f"{STATE}=10:40"), count=400, storage_fixed=True)
    fine = [row for row in (0, 100, 200, 300) if bool(kept.table["feasible"].iloc[row])]
    assert feasible(kept).number == kept.table["feasible"].mean()
    assert 0 < feasible(kept).number < 1
    assert sum(blockers(kept).values()) >= 1 - feasible(kept).number - 1e-9
    for row in (0, 100, 200, 300):
        value = float(kept.table[STATE].iloc[row])
        done = plan(with_value(kept.scenario, STATE, value), CATALOGUE)
        blocked = any(finding.severity == "blocker" for finding in done.findings)
        assert blocked == (row not in fine)


# --- what drives it, what flips ---------------------------------------------------------------------------------


def test_variance_of_a_sum_is_shared_by_the_squares_of_its_parts() -> None:
    # Capital is uniform in the price level and energy is not in it: one driver explains all of it.
    done = study(GUIDE, only(GUIDE, "prices.level=0:1", "site.pue_ratio=1.1:1.6"), count=4000)
    shares = {item.label: item.share.number for item in drivers(done, "capital_usd")}
    assert shares["All prices together"] == pytest.approx(1.0, abs=0.01)
    assert shares["PUE"] == pytest.approx(0.0, abs=0.02)


def test_variance_of_two_independent_times_is_shared_as_their_widths() -> None:
    # Lost time = failures x (restart + half the interval + ...): at a fixed failure rate it is linear in the restart.
    ranges = only(START, "jobs.0.checkpoint.restart_s=300:1200", "site.pue_ratio=1.1:1.6")
    done = study(START, ranges, count=4000)
    shares = {item.label: item.share.number for item in drivers(done, "goodput_fraction")}
    assert shares["Restart without the load"] == pytest.approx(1.0, abs=0.01)


def test_nothing_drives_what_does_not_vary() -> None:
    done = study(START, only(START, "site.usd_per_kwh=0.05:0.2"), count=200)
    assert [item.share.number for item in drivers(done, "goodput_fraction")] == [0.0]


@pytest.mark.parametrize(("times", "fragile"), [(1.0, True), (1.2, False), (0.5, False)])
def test_a_transport_that_flips_inside_the_band_is_fragile(times: float, fragile: bool) -> None:
    scenario = fibre_channel(times)
    done = study(scenario, only(scenario, f"{STATE}=10:16"), count=600)
    verdict = next(item for item in verdicts(done) if item.name == "Transport")
    assert verdict.auto
    assert verdict.fragile is fragile
    assert sum(verdict.shares.values()) == pytest.approx(1.0)
    if fragile:
        # Fibre Channel carries up to 14 of the 10 to 16 bytes.
        assert verdict.shares["fc"] == pytest.approx(4 / 6, abs=0.01)
        assert verdict.text.endswith("fragile.")


def test_a_transport_that_flips_beyond_p90_is_not_fragile() -> None:
    scenario = fibre_channel(1.0)
    done = study(scenario, only(scenario, f"{STATE}=10:14.3"), count=600)
    verdict = next(item for item in verdicts(done) if item.name == "Transport")
    assert 0 < verdict.shares["tcp"] < FRAGILE_FRACTION
    assert not verdict.fragile


def test_a_stated_choice_does_not_flip() -> None:
    scenario = with_value(fibre_channel(1.0), "network.transport", "fc")
    done = study(scenario, only(scenario, f"{STATE}=10:16"), count=200)
    verdict = next(item for item in verdicts(done) if item.name == "Transport")
    assert (verdict.auto, verdict.fragile, verdict.shares) == (False, False, {"fc": 1.0})


# --- two designs ------------------------------------------------------------------------------------------------


def test_a_design_against_itself_is_the_same_in_every_draw() -> None:
    done = studied(START, 200)
    duel = against(done, study(START, shared_ranges(done.ranges, START), count=200), "whole_usd")
    assert (duel.a_fraction.number, duel.b_fraction.number, duel.equal_fraction.number) == (0.0, 0.0, 1.0)
    assert not duel.fragile
    assert [item.number for item in duel.gain] == [0.0, 0.0, 0.0]


def test_without_a_common_draw_neither_is_the_better() -> None:
    done = studied(START, 200)
    none = replace(done, table=done.table.assign(whole_usd=np.nan))
    duel = against(done, none, "whole_usd")
    assert (duel.count, duel.fragile, duel.a_fraction.known) == (0, False, False)
    assert duel.text.endswith("there is no draw in which both can be computed.")


def test_the_chance_is_counted_over_the_same_draws() -> None:
    # More restart time against a higher failure rate would cross; here an interval of 30 min against one of 2 h.
    ranges = default_ranges(START)
    other = with_value(START, "jobs.0.checkpoint.interval_s", 7200.0)
    first, second = study(START, ranges, count=500), study(other, shared_ranges(ranges, other), count=500)
    for item in first.ranges:
        if not item.certain:
            assert np.array_equal(first.table[item.path], second.table[item.path]), item.path
    duel = against(first, second, "goodput_fraction")
    a, b = first.values("goodput_fraction"), second.values("goodput_fraction")
    assert duel.a_fraction.number == np.mean(a > b)
    assert duel.b_fraction.number == np.mean(b > a)
    assert duel.fragile is (0.1 < max(duel.a_fraction.number, duel.b_fraction.number) < 0.9)
    back = against(second, first, "goodput_fraction")
    assert (back.a_fraction.number, back.b_fraction.number) == (
        duel.b_fraction.number,
        duel.a_fraction.number,
    )
    assert back.gain[1].number == pytest.approx(-duel.gain[1].number)


def test_the_better_of_two_costs_is_the_lower_one() -> None:
    larger = with_value(START, "cluster.node_count", 128)
    first, second = studied(START, 200), study(larger, count=200)
    duel = against(first, second, "capital_usd")
    assert duel.a_fraction.number == 1.0
    assert (
        duel.text
        == "Cost of the equipment: A is better in 100\N{NO-BREAK SPACE}% of the draws; the recommendation holds."
    )


def test_an_uncertain_input_that_the_two_state_otherwise_is_named() -> None:
    other = with_value(START, "site.pue_ratio", 1.2)
    ranges = default_ranges(START)
    duel = against(studied(START, 200), study(other, shared_ranges(ranges, other), count=200), "term_usd")
    assert duel.stated == ("PUE",)
    assert duel.equal_fraction.number == 1.0


def test_what_is_no_matter_of_better_and_other_draws_are_refused() -> None:
    done = studied(START, 200)
    with pytest.raises(PlannerError, match="neither more nor less"):
        against(done, done, "checkpoint_bytes")
    with pytest.raises(PlannerError, match="same draws"):
        against(done, study(START, seed=2, count=200), "stall_s")


# --- bad questions, progress, command line ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seed", "count", "says"),
    [(-1, 200, "seed: -1"), (2**32, 200, "seed"), (1, 99, "samples: 99"), (1, 200_001, "samples")],
)
def test_seed_and_count_have_bounds(seed: int, count: int, says: str) -> None:
    with pytest.raises(PlannerError, match=says):
        study(START, seed=seed, count=count)


def test_a_bad_range_is_refused_before_any_work() -> None:
    seen: list[int] = []

    def progress(done: int, _: int) -> bool:
        seen.append(done)
        return True

    wrong = [
        replace(item, low=2.0, high=1.0) for item in default_ranges(START) if item.path == "site.pue_ratio"
    ]
    with pytest.raises(PlannerError, match="above the high end"):
        study(START, wrong, progress=progress)
    assert seen == []


def test_a_study_that_is_stopped_keeps_what_it_has() -> None:
    whole = study(START, count=9000)
    part = study(START, count=9000, progress=lambda done, _: done < 4000)
    assert 0 < part.count < whole.count
    assert np.array_equal(part.values("stall_s"), whole.values("stall_s")[: part.count])
    assert against(part, whole, "goodput_fraction").equal_fraction.number == 1.0


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "design.json"
    path.write_text(START.model_dump_json(), encoding="utf-8")
    return str(path)


def test_the_command_line_has_the_same_figures(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    sized = ("--samples", "300", "--seed", "4")
    assert main(["uncertainty", file, *sized, "--against", file, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    found = band(study(START, seed=4, count=300), "goodput_fraction")
    assert told["results"]["goodput_fraction"]["p90_fraction"] == pytest.approx(found.p90.number, rel=1e-12)
    assert told["choices"]["transport"]["fragile"] is False
    assert told["against"]["same_fraction"] == 1.0
    assert main(["uncertainty", file, *sized]) == 0
    lines = capsys.readouterr().out
    assert f"Goodput: P10 {found.p10}, P50 {found.p50}, P90 {found.p90}" in lines


def test_the_command_line_has_the_tornado(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = tornado(usual_ends(START), "goodput_fraction")
    assert main(["sensitivity", file, "--result", "goodput_fraction", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [item["input"]["path"] for item in told["inputs"]] == [bar.range.path for bar in found.bars]
    assert told["measure_first"] == FAILURES
    assert main(["sensitivity", file, "--result", "goodput_fraction"]) == 0
    assert capsys.readouterr().out.endswith(f"{found.advice}\n")


@pytest.mark.parametrize(
    "arguments",
    [
        ("sensitivity", "--range", "site.pue_ratio=2:1"),
        ("sensitivity", "--result", "goodput"),
        ("uncertainty", "--range", "site.pue=1:2"),
        ("uncertainty", "--samples", "many"),
        ("uncertainty", "--seed", "-3"),
        ("uncertainty", "--against", "nowhere.json"),
    ],
)
def test_a_bad_question_is_one_line_on_the_command_line(
    arguments: tuple[str, ...], file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    command, *rest = arguments
    assert main([command, file, *rest]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.count("\n") == 1


# --- pictures ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", UNLIKE)
def test_pictures_are_valid_and_say_what_they_show(name: str) -> None:
    scenario = template(name).scenario
    ends, done = usual_ends(scenario), studied(scenario, 200)
    for column in ("capital_usd", "goodput_fraction", "drive_count", "loss_fraction", "planned_life_s"):
        for figure in (
            tornado_chart(tornado(ends, column)),
            spread_chart([Spread("A", done, band(done, column)), Spread("B", done, band(done, column))]),
            spread_chart([Spread("This design", done, band(done, column))], dark=True, titled=False),
        ):
            go.Figure(figure.to_dict())  # plotly's own check of every property
            assert figure.layout.meta["title"]
            assert figure.layout.meta["alt"]


def test_the_tornado_draws_the_bars_of_its_rows() -> None:
    found = tornado(usual_ends(START), "goodput_fraction")
    low, high = tornado_chart(found).data
    for place, (begin, end) in enumerate(zip(low.x, high.x, strict=True)):
        assert low.base + begin == pytest.approx(found.bars[place].low.number)
        assert high.base + end == pytest.approx(found.bars[place].high.number)
    assert found.bars[0].range.label in tornado_chart(found).layout.meta["alt"]


def test_a_year_has_as_many_hours_as_the_reference_says() -> None:
    assert math.isclose(YEAR_S / 3600, 8760)


def test_ranges_may_be_given_by_hand() -> None:
    item: Range = next(item for item in default_ranges(START) if item.path == FAILURES)
    alone = study(START, [item], count=200)
    assert [driver.factor for driver in drivers(alone, "goodput_fraction")] == ["failures"]
