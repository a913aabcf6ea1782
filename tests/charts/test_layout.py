"""Room on a narrow screen: ticks that do not touch, and a legend that lies under the axis title."""

from __future__ import annotations

import pytest

from planner.charts.frame import Frame, Look, fitting


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


def test_the_legend_stands_at_the_foot_where_no_axis_title_reaches() -> None:
    frame = Frame(Look())
    frame.axis("xaxis", title="A title<br>of three<br>lines")
    legend = frame.figure(title="", alt="").layout.legend
    assert (legend.yref, legend.y, legend.yanchor) == ("container", 0, "bottom")
