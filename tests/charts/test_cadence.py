"""The pictures of cadence and bandwidth go through the plan's own figures."""

import functools
import math

import numpy as np
import pytest

from planner import charts
from planner.templates import templates
from tests.plan.changes import EVIDENCE, planned, shipped

CURVES = {"sync": "synchronous", "async": "asynchronous", "two-level": "two levels, first order"}
RESULTS = {
    **{item.id: functools.partial(shipped, item.id) for item in templates()},
    **{
        mode: functools.partial(planned, "frontier-16384", {"jobs.0.checkpoint.mode": mode})
        for mode in CURVES
    },
}
"""Every template, and the largest in every mode of saving."""


def traces(figure):
    return {trace.name: trace for trace in figure.data}


@pytest.mark.parametrize("name", RESULTS)
def test_the_goodput_curve_goes_through_the_design_and_its_best_point(name):
    result = RESULTS[name]()
    main, shown = result.main, traces(charts.goodput_chart(result))
    curve = shown[CURVES[main.job.policy.mode]]
    x, y = (np.asarray(values, float) for values in (curve.x, curve.y))
    today = main.job.checkpoint.interval_s.number
    at = float(np.interp(math.log(today), np.log(x), y))
    assert at == pytest.approx(main.goodput.goodput_fraction.number, abs=2e-3)
    assert y.max() <= main.goodput.best_goodput_fraction.number + 1e-9
    marked = next(trace for key, trace in shown.items() if key.startswith("this design"))
    assert (marked.x[0], marked.y[0]) == (today, main.goodput.goodput_fraction.number)


@pytest.mark.parametrize("name", RESULTS)
def test_the_bars_of_waste_are_as_long_as_what_is_lost(name):
    result = RESULTS[name]()
    shown = charts.waste_chart(result).data
    assert [trace.name for trace in shown] == ["stalls", "repeated work", "restarts"]
    sums = {label: sum(float(trace.x[index]) for trace in shown) for index, label in enumerate(shown[0].y)}
    assert sums["<b>this design</b>"] == pytest.approx(1 - result.main.goodput.goodput_fraction.number)
    for row in result.main.worth.alternatives:
        assert sums[row.name.replace(", ", "<br>")] == pytest.approx(1 - row.goodput_fraction.number)


@pytest.mark.parametrize("name", [EVIDENCE, *CURVES])
def test_more_bandwidth_never_wastes_more(name):
    result = RESULTS[name]()
    for trace in charts.bandwidth_chart(result).data[:2]:
        values = np.asarray(trace.y, float)
        values = values[~np.isnan(values)]
        assert len(values) > 20
        assert (np.diff(values) <= 1e-12).all()


@pytest.mark.parametrize("name", RESULTS)
def test_the_curve_of_bandwidth_goes_through_the_design_and_has_its_knee(name):
    main = RESULTS[name]().main
    shown = charts.bandwidth_chart(RESULTS[name]())
    curve, _, marked = shown.data
    assert (marked.x[0], marked.y[0]) == (
        main.worth.array_bytes_per_s.number,
        pytest.approx(1 - main.goodput.goodput_fraction.number),
    )
    known = ~np.isnan(np.asarray(curve.y, float))
    x, y = (np.asarray(values, float)[known] for values in (curve.x, curve.y))
    # With one level the load after a failure takes the path of the save, as the law of the knee has it.
    near = 0.02 if main.goodput.levels is None else 2e-4
    assert np.interp(math.log(marked.x[0]), np.log(x), y) == pytest.approx(marked.y[0], rel=near)
    if main.goodput.levels is not None:  # what pays is known of one level alone
        assert not shown.layout.shapes
        assert "two-level" in shown.layout.meta["alt"]
        return
    knees = {"sync": main.worth.best_bytes_per_s, "async": main.worth.best_async_bytes_per_s}
    assert shown.layout.shapes[0].x0 == knees[main.job.policy.mode].number


@pytest.mark.parametrize("name", RESULTS)
def test_the_longest_stage_is_the_save(name):
    result = RESULTS[name]()
    shown = charts.stages_chart(result).data
    rows = [row for row in result.transport if row.stages]
    for trace, row in zip(shown, rows, strict=True):
        assert max(float(value) for value in trace.x) == row.save_low_s.number
        assert trace.y[int(np.argmax(np.asarray(trace.x, float)))] == row.binding
