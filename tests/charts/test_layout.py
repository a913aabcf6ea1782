"""Texts of a chart: ticks that do not touch, a legend under the axis title, names drawn letter by letter."""

from __future__ import annotations

import pandas as pd
import pytest

from planner import charts
from planner.charts.frame import Frame, Look, bar_end, fitting
from planner.charts.sweeps import Axis, Shown, sweep_line
from tests.plan.changes import planned


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("5", [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]),
        ("9.64 min", [0.0, 2.0, 4.0]),
        ("a very long text of a tick", [0.0, 3.0]),
    ],
)
def test_ticks_along_the_bottom_fit_270_pixels_at_7_a_letter(text: str, shown: list[float]) -> None:
    values, texts = fitting([float(place) for place in range(6)], [text] * 6)
    assert values == shown
    assert texts == [text] * len(shown)
    assert len(texts) == 2 or len(texts) * (7 * len(text) + 10) <= 270


def test_a_text_behind_a_bar_ends_within_334_pixels_of_names_bars_and_texts() -> None:
    names, texts = ["n" * 20] * 2, ["1.05 min", "8 s"]
    end = bar_end([63.0, 8.0], texts, names)
    room_px = 334 - 7 * 20
    ends = [value / end * room_px + 7 * len(text) for value, text in zip([63.0, 8.0], texts, strict=True)]
    assert max(ends) == pytest.approx(room_px)
    assert 0 < bar_end([1.0], ["x" * 200], ["y" * 200]) < float("inf")


def test_the_legend_stands_at_the_foot_where_no_axis_title_reaches() -> None:
    frame = Frame(Look())
    frame.axis("xaxis", title="A title<br>of three<br>lines")
    legend = frame.figure(title="", alt="").layout.legend
    assert (legend.yref, legend.y, legend.yanchor) == ("container", 0, "bottom")


def test_a_name_with_markup_is_drawn_letter_by_letter() -> None:
    """Plotly reads <b>, <a href> and entities in texts; a name of a job or a drive is none of that."""
    name = "<b>Fat</b> & <a href='x'>co</a>"
    jobs = planned("two-jobs", {f"jobs.{place}.name": name for place in range(2)})
    title = charts.save_time_chart(jobs).layout.title.text.replace("<br>", " ")
    assert title.startswith("A save of &lt;b&gt;Fat&lt;/b&gt; &amp; &lt;a href='x'&gt;co")
    assert f"{name} (1) takes" in charts.save_time_chart(jobs).layout.meta["title"]
    assert f" of {name} (2) " in charts.day_chart(jobs, index=1).layout.meta["title"]
    axis = Axis("a", name, "count", [1.0, 2.0], 1.0)
    table = pd.DataFrame(
        {"a": [1.0, 2.0], "stall_s": [1.0, 2.0], "feasible": True, "blockers": "", "reason": ""}
    )
    line = sweep_line(table, axis, Shown("stall_s", "Stall", "s"))
    assert line.layout.xaxis.title.text == "&lt;b&gt;Fat&lt;/b&gt; &amp; &lt;a href='x'&gt;co&lt;/a&gt;"
    assert not any("<" in text for text in line.data[0].hovertext)
    assert name in line.layout.meta["title"]
