"""Charts say what the plan says: values, titles, marks, text alternatives."""

import dataclasses
import json
import math

import plotly.graph_objects as go
import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner import charts
from planner.charts.colours import COLOURS
from planner.charts.frame import Look, linear_ticks, log_ticks
from planner.core.quantity import Quantity
from planner.core.units import UNITS, format_range
from planner.documents.drawing import VERDICTS
from planner.templates import templates
from tests.plan.changes import shipped

NAMES = tuple(item.id for item in templates())
CHARTS = tuple(getattr(charts, name) for name in charts.__all__)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("chart", CHARTS, ids=charts.__all__)
def test_every_chart_states_its_finding_and_has_a_text_alternative(chart, name):
    figure = chart(shipped(name))
    title = figure.layout.title.text.replace("<br>", " ")
    assert len(title.split()) >= 6
    assert all(len(line) <= 46 for line in figure.layout.title.text.split("<br>"))
    assert len(figure.layout.meta["alt"]) > 80
    assert "nan" not in figure.layout.meta["alt"].lower()
    assert "http" not in figure.to_json()


def numbers(axis):
    """The values of an axis as they are sent to the browser."""
    return [float(value) for value in axis]


@pytest.mark.parametrize("name", NAMES)
def test_tier_bars_are_the_capacities_of_the_plan(name):
    result = shipped(name)
    figure = charts.tiers_chart(result)
    bars = {
        (trace.xaxis, level, trace.name): (float(length), text)
        for trace in figure.data
        for level, length, text in zip(trace.y, trace.x, trace.text, strict=True)
    }
    for number, tier in enumerate(result.tiers, start=1):
        axis = "x" if number == 1 else f"x{number}"
        for level, item in (
            ("Raw", tier.raw_bytes),
            ("Usable", tier.usable_bytes),
            ("Safe", tier.safe_bytes),
        ):
            assert bars[axis, level, "capacity"] == (item.number, item.text())
        inside = sum(size for (of, level, _), (size, _) in bars.items() if of == axis and level == "Contents")
        assert inside == pytest.approx(tier.demand.content_bytes.number)


def test_a_tier_that_is_too_full_is_the_title():
    result = shipped("lab-8-nodes")
    hot = result.tiers[0]
    full = dataclasses.replace(hot, safe_bytes=Quantity(1e9, "bytes", "Safe capacity"))
    figure = charts.tiers_chart(dataclasses.replace(result, tiers=(full, *result.tiers[1:])))
    assert figure.layout.title.text.replace("<br>", " ") == "The NVMe-oF hot tier must hold more than is safe"


@pytest.mark.parametrize("name", NAMES)
def test_save_times_are_marked_by_transport(name):
    result = shipped(name)
    figure = charts.save_time_chart(result)
    points = {trace.name: trace for trace in figure.data}
    assert set(points) == {row.label for row in result.transport}
    for row in result.transport:
        ends = {row.save_low_s.number, row.save_high_s.number}
        assert set(numbers(points[row.label].x)) == ends
        assert format_range(row.save_low_s.number, row.save_high_s.number, "s") in points[row.label].y[0]
        own = row.name == result.network.transport.value
        assert (points[row.label].marker.symbol == "diamond") == own
        assert ("this design" in points[row.label].y[0]) == own
    nfs = next(trace for label, trace in points.items() if label.startswith("NFS"))
    assert len(nfs.x) == 2
    target = result.main.job.checkpoint.target_s
    assert figure.layout.shapes[0].x0 == target.number
    assert figure.layout.annotations[0].text == f"target {target}"
    assert figure.layout.annotations[0].x == pytest.approx(math.log10(target.number))


def test_written_bytes_meet_the_rating_at_the_rated_life():
    result = shipped("guide-256-guide")
    figure = charts.endurance_chart(result)
    line, cross = figure.data
    written_per_year = line.y[1] / line.x[1]
    assert written_per_year == pytest.approx(result.endurance.drive_write_bytes_per_day.number * 365)
    assert cross.x[0] * written_per_year == pytest.approx(cross.y[0])
    assert cross.x[0] * UNITS["s"].scales[-1][0] == pytest.approx(result.endurance.rated_life_s.number)
    outlasts = result.endurance.rated_life_s.number >= result.endurance.warranty_s.number
    assert ("do not outlast" in figure.layout.title.text.replace("<br>", " ")) != outlasts


def test_the_target_is_that_of_the_main_job_wherever_it_stands():
    result = shipped("two-jobs")
    assert len({job.job.checkpoint.target_s.number for job in result.jobs}) == 2
    turned = dataclasses.replace(result, jobs=result.jobs[::-1])
    for one in (result, turned):
        figure = charts.save_time_chart(one)
        target = result.main.job.checkpoint.target_s
        assert figure.layout.shapes[0].x0 == target.number
        assert str(target) in figure.layout.meta["title"]
        assert f"The target is {target}." in figure.layout.meta["alt"]


def plain(figure):
    """Layout as it is sent to the browser."""
    return json.loads(figure.to_json())["layout"]


@pytest.mark.parametrize("chart", CHARTS, ids=charts.__all__)
def test_without_title_the_figure_is_lower_by_its_lines_and_the_finding_is_kept(chart):
    with_title, without = plain(chart(shipped("two-jobs"))), plain(chart(shipped("two-jobs"), titled=False))
    title = with_title.pop("title")["text"]
    assert "title" not in without
    assert with_title["meta"] == without["meta"]
    assert without["meta"]["title"] == title.replace("<br>", " ")
    lower = with_title.pop("height") - without.pop("height")
    assert lower == with_title["margin"].pop("t") - without["margin"].pop("t")
    assert lower >= 20 * len(title.split("<br>"))
    assert with_title == without


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("chart", CHARTS, ids=charts.__all__)
@pytest.mark.parametrize(
    "look", [{}, {"dark": True, "binary": True, "titled": False}], ids=["plain", "other"]
)
def test_plotly_knows_every_property_of_a_figure(chart, name, look):
    """The check that is left out where a visitor waits; it raises at a property or value that is unknown."""
    figure = chart(shipped(name), **look).to_dict()
    assert len(go.Figure(figure).data) == len(figure["data"])


def test_plotly_refuses_a_value_that_is_none_of_its_own():
    """Without this the test before could not fail."""
    with pytest.raises(ValueError, match="Invalid value"):
        go.Figure({"layout": {"height": "tall"}})


def test_an_unknown_rating_is_said_to_be_unknown():
    result = shipped("lab-8-nodes")
    wear = dataclasses.replace(result.endurance, rated_life_s=Quantity(math.nan, "s", "Rated life"))
    figure = charts.endurance_chart(dataclasses.replace(result, endurance=wear))
    assert not figure.data
    assert figure.layout.annotations[0].text == "unknown"
    assert figure.layout.title.text.startswith("Wear is unknown")


@pytest.mark.parametrize("name", NAMES)
def test_the_machines_of_the_fullest_rack_sum_to_its_power(name):
    result = shipped(name)
    figure = charts.rack_power_chart(result)
    racks = [rack for rack in result.racks.racks if rack.number <= result.racks.storage_rack_count.number]
    full = max(racks, key=lambda rack: rack.max_w.number)
    for index, item in enumerate((full.typical_w, full.max_w)):
        assert sum(bar.y[index] for bar in figure.data) == pytest.approx(item.number)
    assert {bar.name for bar in figure.data} == {place.device.name for place in full.places}
    assert len({bar.marker.pattern.shape for bar in figure.data}) == len(figure.data)
    assert figure.layout.shapes[0].y0 == result.facility.rack_check.provided.number
    title = figure.layout.title.text.replace("<br>", " ")
    assert str(full.max_w) in title
    assert title.startswith("The one rack" if len(racks) == 1 else "The fullest of")


def test_a_rack_fuller_than_the_mean_is_the_one_that_is_drawn():
    # 16,384 GPUs: the mean of the racks is 15.3 kW at most, the fullest draws 16.3 kW.
    result = shipped("frontier-16384")
    drawn = sum(bar.y[1] for bar in charts.rack_power_chart(result).data)
    assert drawn == pytest.approx(max(rack.max_w.number for rack in result.racks.racks))
    assert drawn > result.facility.max_w.number / result.facility.rack_count.number


@pytest.mark.parametrize("name", NAMES)
def test_cost_ranges_sum_to_the_totals(name):
    result = shipped(name)
    guide, parts = charts.cost_chart(result).data
    names = [label.partition("<br>")[0] for label in parts.y]
    bars = dict(zip(names, zip(numbers(parts.base), numbers(parts.x), strict=True), strict=True))
    total = bars.pop("All priced parts")
    assert sum(low for low, _ in bars.values()) == pytest.approx(total[0])
    assert total[0] == pytest.approx(result.cost.parts_low_usd.number)
    assert sum(total) == pytest.approx(result.cost.parts_high_usd.number)
    assert len(guide.x) == len(result.tiers) + 1
    money = format_range(result.cost.guide_low_usd.number, result.cost.guide_high_usd.number, "USD")
    assert f"All tiers<br>guide {money}" in guide.y


@pytest.mark.parametrize("name", NAMES)
def test_no_text_stands_where_it_can_meet_a_line_or_leave_a_narrow_screen(name):
    """Beside a mark there is no room at 390 pixels: figures stand with the names at the axes."""
    result = shipped(name)
    for chart in (charts.save_time_chart, charts.cost_chart, charts.rack_power_chart):
        written = [trace.to_plotly_json() for trace in chart(result).data]
        assert [
            trace["name"] for trace in written if "text" in trace or "text" in trace.get("mode", "")
        ] == []
    power = charts.rack_power_chart(result).layout
    full = max(result.racks.racks, key=lambda rack: rack.max_w.number)
    sums = (full.typical_w, full.max_w)
    assert [text.partition("<br>")[2] for text in power.xaxis.ticktext] == [str(item) for item in sums]
    assert [note.text for note in power.annotations] == [f"limit {result.facility.rack_check.provided}"]


@pytest.mark.parametrize(("years", "side"), [(1.0, "right"), (4.5, "left")])
def test_the_rating_is_named_where_the_written_bytes_do_not_cross_it(years, side):
    result = shipped("guide-256-guide")
    wear = dataclasses.replace(
        result.endurance,
        rated_life_s=Quantity(years * UNITS["s"].scales[-1][0], "s", "Rated life"),
    )
    figure = charts.endurance_chart(dataclasses.replace(result, endurance=wear))
    rating = next(note for note in figure.layout.annotations if note.text.startswith("rating"))
    assert rating.xanchor == side


@pytest.mark.parametrize("chart", CHARTS, ids=charts.__all__)
def test_a_dark_ground_changes_ink_and_nothing_that_means_something(chart):
    light, dark = (json.loads(chart(shipped("two-jobs"), dark=dark).to_json()) for dark in (False, True))
    assert light["layout"]["font"]["color"] != dark["layout"]["font"]["color"]
    for one, other in zip(light["data"], dark["data"], strict=True):
        marks = [trace.get("marker") or trace["line"] for trace in (one, other)]
        assert marks[0]["color"] == marks[1]["color"] or marks[0]["symbol"] == "x"
        assert one.get("x") == other.get("x")


def test_binary_units_are_used_where_they_are_asked_for():
    shown = charts.tiers_chart(shipped("lab-8-nodes"), binary=True)
    texts = [text for bar in shown.data if bar.name == "capacity" for text in bar.text]
    assert len(texts) == 3 * len(shipped("lab-8-nodes").tiers)
    assert all("iB" in text for text in texts)
    assert "TiB" in shown.layout.meta["alt"]
    assert "TiB" not in charts.tiers_chart(shipped("lab-8-nodes")).layout.meta["alt"]


def luminance(code):
    parts = [int(code[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


_VERDICTS = {name: f"#{colour.hexval()[2:].upper()}" for name, colour in VERDICTS.items()}


def contrast(one, other):
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_no_two_meanings_share_a_colour():
    used = [*COLOURS.values(), *_VERDICTS.values()]
    assert len(used) == len(set(used))


@pytest.mark.parametrize("verdict", _VERDICTS)
def test_verdicts_can_be_read_on_paper(verdict):
    assert contrast(_VERDICTS[verdict], "#FFFFFF") >= 4.5


@given(st.floats(1e-3, 1e20), st.sampled_from(["bytes", "bytes/s", "s", "W", "USD"]), st.booleans())
def test_linear_ticks_start_at_zero_are_few_and_have_a_text_each(top, unit, binary):
    values, texts = linear_ticks(top, unit, Look(binary=binary))
    assert values[0] == 0
    assert 3 <= len(values) <= 6
    assert len(values) == len(texts) == len(set(texts))


@given(st.floats(1e-2, 1e4), st.floats(1.5, 1e5))
def test_log_ticks_are_few_and_inside(low, ratio):
    values, texts = log_ticks(low, low * ratio, "s", Look())
    assert len(values) == len(texts) <= 6
    assert values == sorted(values)
    assert all(low <= value <= low * ratio for value in values)
