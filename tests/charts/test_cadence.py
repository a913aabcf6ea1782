"""The pictures of cadence and bandwidth go through the plan's own figures."""

import math

import numpy as np
import pytest

from planner import charts, load_catalogue, plan
from planner.templates import template, templates
from tests.plan.changes import EVIDENCE, planned

NAMES = tuple(item.id for item in templates())


def traces(figure):
    return {trace.name: trace for trace in figure.data}


@pytest.mark.parametrize("name", NAMES)
def test_the_goodput_curve_goes_through_the_design_and_its_best_point(name):
    result = plan(template(name).scenario, load_catalogue())
    main, shown = result.main, traces(charts.goodput_chart(result))
    mode = "asynchronous" if main.job.policy.mode == "async" else "synchronous"
    x, y = (np.asarray(values, float) for values in (shown[mode].x, shown[mode].y))
    today = main.job.checkpoint.interval_s.number
    at = float(np.interp(math.log(today), np.log(x), y))
    assert at == pytest.approx(main.goodput.goodput_fraction.number, abs=2e-3)
    assert y.max() <= main.goodput.best_goodput_fraction.number + 1e-9
    marked = next(trace for key, trace in shown.items() if key.startswith("this design"))
    assert (marked.x[0], marked.y[0]) == (today, main.goodput.goodput_fraction.number)


@pytest.mark.parametrize("name", NAMES)
def test_the_bars_of_waste_are_as_long_as_what_is_lost(name):
    result = plan(template(name).scenario, load_catalogue())
    shown = charts.waste_chart(result).data
    assert [trace.name for trace in shown] == ["stalls", "repeated work", "restarts"]
    sums = {label: sum(float(trace.x[index]) for trace in shown) for index, label in enumerate(shown[0].y)}
    assert sums["<b>this design</b>"] == pytest.approx(1 - result.main.goodput.goodput_fraction.number)
    for row in result.main.worth.alternatives:
        assert sums[row.name.replace(", ", "<br>")] == pytest.approx(1 - row.goodput_fraction.number)


@pytest.mark.parametrize("name", [EVIDENCE, "frontier-16384"])
def test_more_bandwidth_never_wastes_more(name):
    result = plan(template(name).scenario, load_catalogue())
    for trace in charts.bandwidth_chart(result).data[:2]:
        values = np.asarray(trace.y, float)
        values = values[~np.isnan(values)]
        assert len(values) > 20
        assert (np.diff(values) <= 1e-12).all()


def test_the_knee_is_where_a_step_costs_what_it_saves():
    result = planned(EVIDENCE, {})
    worth = result.main.worth
    line = charts.bandwidth_chart(result).layout.shapes[0]
    assert line.x0 == worth.best_bytes_per_s.number


@pytest.mark.parametrize("name", NAMES)
def test_the_longest_stage_is_the_save(name):
    result = plan(template(name).scenario, load_catalogue())
    shown = charts.stages_chart(result).data
    rows = [row for row in result.transport if row.stages]
    for trace, row in zip(shown, rows, strict=True):
        assert max(float(value) for value in trace.x) == row.save_low_s.number
        assert trace.y[int(np.argmax(np.asarray(trace.x, float)))] == row.binding


@pytest.mark.parametrize("mode", ["sync", "async", "two-level"])
def test_every_mode_has_its_pictures(mode):
    result = planned("frontier-16384", {"jobs.0.checkpoint.mode": mode})
    for chart in (charts.goodput_chart, charts.waste_chart, charts.bandwidth_chart):
        assert chart(result).data
