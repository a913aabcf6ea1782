"""Drawings show what the plan says, in the colours of the screen, with names in any script."""

import math
import re

import pytest
from reportlab.graphics.shapes import PolyLine, Rect, String

from planner.catalogue import load_catalogue
from planner.charts.colours import COLOURS, SHADES
from planner.charts.facility import rack_power_chart
from planner.documents import drawing, topology
from planner.documents.axes import Axis, Plot, linear_axis, log_axis
from planner.documents.bars import cost_picture, rack_power_picture
from planner.documents.curves import endurance_picture, goodput_picture
from planner.documents.page import WIDTH_PT
from planner.documents.pictures import save_picture, tiers_picture
from planner.documents.text import clean, width_pt
from planner.plan import plan
from planner.scenario_json import with_value
from planner.templates import template
from tests.documents.printed import GUIDE, LARGEST, NAMES, SMALLEST, planned

MAKERS = (
    goodput_picture, endurance_picture, rack_power_picture, cost_picture, save_picture, tiers_picture,
    topology.network_picture,
)  # fmt: skip


def words(picture):
    return [part.text for part in picture.contents if isinstance(part, String)]


def boxes(picture, colour):
    return [part for part in picture.contents if isinstance(part, Rect) and part.fillColor == colour]


@pytest.mark.parametrize(
    ("meaning", "colour"),
    [
        ("checkpoint", drawing.CHECKPOINT), ("dataset", drawing.DATASET), ("network", drawing.NETWORK),
        ("power", drawing.POWER), ("money", drawing.MONEY),
    ],
)  # fmt: skip
def test_colours_are_those_of_the_screen(meaning, colour):
    assert colour.hexval().removeprefix("0x").upper() == COLOURS[meaning].removeprefix("#")


def test_verdicts_and_greys_are_those_of_the_screen():
    assert [grey.hexval()[2:].upper() for grey in drawing.GREYS] == [shade[1:] for shade in reversed(SHADES)]


@pytest.mark.parametrize("name", NAMES)
def test_every_drawing_stays_on_the_page(name):
    for make in MAKERS:
        picture = make(planned(name))
        for part in picture.contents:
            if isinstance(part, String):
                left, right = part.x, part.x + width_pt(part.text, part.fontName, part.fontSize)
                assert left >= -0.5, (make.__name__, part.text)
                assert right <= WIDTH_PT + 0.5, (make.__name__, part.text)
                assert -0.5 <= part.y <= picture.height
            if isinstance(part, Rect):
                assert part.x >= -0.5, make.__name__
                assert part.x + part.width <= WIDTH_PT + 0.5, make.__name__
                assert part.y >= -0.5
                assert part.y + part.height <= picture.height + 0.5


@pytest.mark.parametrize("name", NAMES)
def test_the_curve_of_goodput_rises_to_its_best_and_falls_after_it(name):
    picture = goodput_picture(planned(name))
    lines = [part for part in picture.contents if isinstance(part, PolyLine)]
    heights = max(lines, key=lambda part: len(part.points)).points[1::2]
    assert len(heights) > 40
    top = heights.index(max(heights))
    assert 0 < top < len(heights) - 1
    assert heights[: top + 1] == sorted(heights[: top + 1])
    assert heights[top:] == sorted(heights[top:], reverse=True)
    assert f"best interval: {planned(name).main.goodput.best_goodput_fraction}" in words(picture)


@pytest.mark.parametrize("name", NAMES)
def test_bars_of_power_are_those_of_the_fullest_rack_as_on_the_screen(name):
    result = planned(name)
    picture, screen = rack_power_picture(result), rack_power_chart(result)
    bars = [part for part in picture.contents if isinstance(part, Rect) and part.height == 15]
    rows = [[bar.width for bar in bars if bar.y == y] for y in sorted({bar.y for bar in bars}, reverse=True)]
    drawn = [[bar.y[index] for bar in screen.data] for index in (0, 1)]
    scale = sum(rows[1]) / sum(drawn[1])
    for widths, watts in zip(rows, drawn, strict=True):
        assert widths == pytest.approx([each * scale for each in watts])
    own = [rack for rack in result.racks.racks if rack.number <= result.racks.storage_rack_count.number]
    full = max(own, key=lambda rack: rack.max_w.number)
    assert {clean(full.typical_w), clean(full.max_w)} <= set(words(picture))
    assert f"limit {result.facility.rack_check.provided}" in words(picture)


@pytest.mark.parametrize("name", [SMALLEST, LARGEST])
def test_the_network_is_drawn_with_its_counts_and_speeds(name):
    net, told = planned(name).network, words(topology.network_picture(planned(name)))
    assert f"Leaves: {net.leaf_count}" in told
    assert (f"Spines: {net.spine_count}" in told) == (net.spine_count.number > 0)
    assert any(text.startswith(clean(f"{net.node_port_count} × ")) for text in told)
    if net.uplink_count.number:
        ratio = net.endpoint_count.number / net.uplink_count.number
        said = re.search(r"uplinks ([\d.]+) to 1", " ".join(told))
        assert float(said[1]) == pytest.approx(ratio, rel=1e-2)


def test_a_network_beyond_two_tiers_is_drawn_without_guessing():
    scenario = template(LARGEST).scenario
    scenario = with_value(with_value(scenario, "cluster.node_count", 100_000), "jobs.0.node_count", 100_000)
    result = plan(scenario, load_catalogue())
    assert not result.network.spine_count.known
    assert any("unknown" in text for text in words(topology.network_picture(result)))


def test_what_is_unknown_is_not_drawn():
    scenario = template(GUIDE).scenario
    for path, value in (
        ("platform_id", "netapp-a900"), ("manual_write_bytes_per_s", 20e9), ("manual_read_bytes_per_s", 30e9),
        ("manual_usable_bytes", 50e12),
    ):  # fmt: skip
        scenario = with_value(scenario, f"storage.hot.{path}", value)
    result = plan(scenario, load_catalogue())
    assert endurance_picture(result) is None
    assert rack_power_picture(result).contents


# --- axes ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("top", "unit", "texts"),
    [
        (17_000.0, "W", ["0\u00a0W", "5\u00a0kW", "10\u00a0kW", "15\u00a0kW"]),
        (3.2e15, "bytes", ["0\u00a0B", "1\u00a0PB", "2\u00a0PB", "3\u00a0PB"]),
    ],
)
def test_linear_ticks_are_round(top, unit, texts):
    assert [text for _, text in linear_axis(top, unit, "x").ticks] == texts


@pytest.mark.parametrize("top", [math.nan, math.inf, 0.0, -1.0])
def test_an_axis_without_a_largest_value_goes_to_one(top):
    axis = linear_axis(top, "bytes", "x", room=1.0)
    assert (axis.low, axis.high) == (0.0, 1.0)


def test_log_ticks_are_times_that_people_name():
    axis = log_axis(20.0, 90_000.0, "s", "x")
    assert [text for _, text in axis.ticks] == [
        "30\u00a0s",
        "5\u00a0min",
        "30\u00a0min",
        "2\u00a0h",
        "12\u00a0h",
    ]
    assert axis.share(20.0) == 0.0
    assert axis.share(90_000.0) == pytest.approx(1.0)


def test_a_curve_stops_where_it_leaves_the_axes():
    plot = Plot(Axis(0.0, 10.0, "x", ()), Axis(0.0, 1.0, "y", ()))
    plot.curve(range(11), [0.5, 0.6, 2.0, 2.0, 0.7, 0.8, math.nan, 0.5, 0.4, 0.3, 0.2], drawing.INK, "c")
    curves = [part for part in plot.drawing.contents if isinstance(part, PolyLine)][:-1]
    assert [len(curve.points) // 2 for curve in curves] == [2, 2, 4]
