"""Tornado: each bar is the plan at both ends of one input, and the widest one leads."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from planner import PlannerError, load_catalogue, plan
from planner.explore.outcomes import RESULTS
from planner.explore.ranges import PRICE_LEVEL, default_ranges
from planner.explore.results import figures_of
from planner.explore.sensitivity import Tornado, ends_of, tornado
from planner.scenario_json import with_value
from planner.templates import template
from tests.explore.uncertain import FAILURES, START, STATE, fibre_channel, only, usual_ends
from tests.plan.changes import EVIDENCE, UNLIKE

CATALOGUE = load_catalogue()


def bar_of(found: Tornado, path: str) -> tuple[float, float]:
    bar = next(bar for bar in found.bars if bar.range.path == path)
    return bar.low.number, bar.high.number


@pytest.mark.parametrize("name", [EVIDENCE, "frontier-16384", "two-jobs", "guide-256-guide"])
def test_a_bar_is_the_plan_at_both_ends(name: str) -> None:
    scenario = template(name).scenario
    ends = usual_ends(scenario)
    for item in ends.ranges:
        if item.certain or item.path == PRICE_LEVEL:
            continue
        at_ends = [
            figures_of(plan(with_value(scenario, item.path, value), CATALOGUE))
            for value in (item.low, item.high)
        ]
        for column in ("goodput_fraction", "stall_s", "lost_usd_per_year", "drive_count", "wear_life_s"):
            expected = [figures[column].number for figures in at_ends]
            assert bar_of(tornado(ends, column), item.path) == pytest.approx(expected, rel=1e-9, nan_ok=True)


@pytest.mark.parametrize("name", UNLIKE)
def test_bars_are_sorted_and_today_is_the_plan(name: str) -> None:
    scenario = template(name).scenario
    ends, figures = usual_ends(scenario), figures_of(plan(scenario, CATALOGUE))
    for column in RESULTS:
        found = tornado(ends, column)
        swings = [bar.swing.number for bar in found.bars if bar.swing.known]
        assert swings == sorted(swings, reverse=True)
        assert len(found.bars) == sum(not item.certain for item in ends.ranges)
        if column in figures:
            assert found.today.number == pytest.approx(figures[column].number, rel=1e-9, nan_ok=True)


def test_prices_at_their_ends_are_the_two_costs_of_the_plan() -> None:
    done = plan(START, CATALOGUE)
    found = tornado(usual_ends(START), "capital_usd")
    costs = (done.cost.capital_low_usd.number, done.cost.capital_high_usd.number)
    assert bar_of(found, PRICE_LEVEL) == pytest.approx(costs, rel=1e-12)
    assert found.today.number == pytest.approx(sum(costs) / 2, rel=1e-12)
    terms = (done.cost.term_low_usd.number, done.cost.term_high_usd.number)
    assert bar_of(tornado(usual_ends(START), "term_usd"), PRICE_LEVEL) == pytest.approx(terms, rel=1e-12)


def test_idle_gpu_time_is_added_over_the_term() -> None:
    ends, years = usual_ends(START), START.prices.term_years
    whole, term, lost = (
        tornado(ends, c).today.number for c in ("whole_usd", "term_usd", "lost_usd_per_year")
    )
    assert whole == pytest.approx(term + years * lost, rel=1e-12)


def test_the_guide_s_example_lies_between_its_own_ends() -> None:
    # The guide: 3, 50 and 200 TB cost $12,100 to $31,000 (T-01).
    scenario = template("guide-256-guide").scenario
    assert bar_of(tornado(usual_ends(scenario), "capital_usd"), PRICE_LEVEL) == pytest.approx(
        (12_100, 31_000)
    )


def test_what_to_measure_first_is_the_widest_that_nobody_measured() -> None:
    ranges = default_ranges(START)
    found = tornado(usual_ends(START), "goodput_fraction")
    widest, following = found.bars[:2]
    assert widest.range.path == FAILURES
    assert found.measure_first == widest
    assert found.advice.startswith(f"Measure first: {widest.range.label}.")
    assert f"{widest.low} at the low end, {widest.high} at the high one" in found.advice
    assert widest.range.span in found.advice
    measured = [replace(item, measured=item.path == FAILURES) for item in ranges]
    again = tornado(ends_of(START, measured), "goodput_fraction")
    assert again.measure_first is not None
    assert again.measure_first.range.path == following.range.path
    assert again.bars[0].range.measured


def test_prices_are_asked_for_and_not_measured() -> None:
    assert tornado(usual_ends(START), "capital_usd").advice.startswith(
        "Ask for quotes first: Equipment prices."
    )


def test_nothing_is_measured_where_nothing_moves() -> None:
    found = tornado(ends_of(START, only(START, "site.usd_per_kwh=0.05:0.2")), "goodput_fraction")
    assert found.measure_first is None
    assert found.advice == "No unmeasured input moves goodput in its range."


def test_what_a_measurement_would_change_is_said() -> None:
    scenario = fibre_channel(1.0)
    found = tornado(ends_of(scenario, only(scenario, f"{STATE}=13.5:14.5")), "checkpoint_bytes")
    (bar,) = found.bars
    chosen = [
        plan(with_value(scenario, STATE, value), CATALOGUE).network.transport.value for value in (13.5, 14.5)
    ]
    assert set(chosen) == {"fc", "tcp"}
    assert f"Transport {chosen[0]} at the low end, {chosen[1]} at the high one" in bar.changes
    assert "It would also change: Transport" in found.advice


def test_storage_that_is_kept_does_not_grow() -> None:
    sized = tornado(ends_of(START, only(START, f"{STATE}=10:40")), "drive_count")
    kept = tornado(ends_of(START, only(START, f"{STATE}=10:40"), storage_fixed=True), "drive_count")
    assert sized.bars[0].swing.number > 0
    assert kept.bars[0].swing.number == 0
    stall = tornado(ends_of(START, only(START, f"{STATE}=10:40"), storage_fixed=True), "stall_s")
    # The bytes are four times as many; the time also has a part that does not grow with them.
    assert stall.bars[0].high.number / stall.bars[0].low.number == pytest.approx(4.0, rel=0.02)


def test_an_end_that_cannot_be_planned_is_unknown_stands_last_and_says_why() -> None:
    ends = usual_ends(START)
    first = tornado(ends, "goodput_fraction").bars[0].range
    row = 2 + 2 * [item for item in ends.ranges if not item.certain].index(first)
    table = ends.table.astype({"reason": str})
    table.loc[row, "reason"] = "no such drive"
    table.loc[row, ["goodput_fraction", "drive_count"]] = math.nan
    bar = tornado(replace(ends, table=table), "goodput_fraction").bars[-1]
    assert bar.range == first
    assert not bar.swing.known
    assert "no plan at the high end: no such drive" in bar.changes


def test_a_result_that_is_worse_at_both_ends_swings_as_far_as_today_lies_below() -> None:
    found = tornado(usual_ends(START), "whole_usd")
    for bar in found.bars:
        three = [found.today.number, bar.low.number, bar.high.number]
        assert bar.swing.number == pytest.approx(max(three) - min(three), rel=1e-12)


@pytest.mark.parametrize("column", ["goodput", "", "capital_low_usd"])
def test_an_unknown_result_is_one_line(column: str) -> None:
    with pytest.raises(PlannerError, match="no result"):
        tornado(ends_of(START, only(START, "site.usd_per_kwh=0.05:0.2")), column)


def test_without_any_range_there_is_nothing_to_ask() -> None:
    with pytest.raises(PlannerError, match="no input has a range"):
        ends_of(START, only(START))
