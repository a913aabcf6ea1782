"""How long a save takes over each transport, and how the writes add up against the rating."""

from __future__ import annotations

import plotly.graph_objects as go  # type: ignore[import-untyped]

from planner.charts.colours import COLOURS, ink
from planner.charts.frame import Frame, Look, linear_ticks, unknown_figure
from planner.core.units import YEAR_S, format_range
from planner.curves import WrittenYears, written_years
from planner.plan import Plan
from planner.sections.saves import TransportRow


def save_time_chart(
    plan: Plan, *, dark: bool = False, binary: bool = False, titled: bool = True
) -> go.Figure:
    """Save time over each transport on a logarithmic axis, with the target and the design's own marked."""
    look = Look(dark=dark, binary=binary, titled=titled)
    rows = [row for row in plan.transport if row.save_low_s.known and row.save_high_s.known]
    if not rows:
        return unknown_figure(
            "The save time is unknown: a figure of the drive or platform is missing", look=look
        )
    target = plan.main.job.checkpoint.target_s
    frame = Frame(look)
    for row in reversed(rows):
        _save_point(frame, row, chosen=row.name == plan.network.transport.value)
    times = [q.number for row in rows for q in (row.save_low_s, row.save_high_s)] + [target.number]
    low, high = min(times) / 2.2, max(times) * 2.2
    frame.log_axis(low, high, "s", "save time (log)")
    frame.axis("yaxis", range=[-0.5, len(rows) - 0.3])
    frame.limit(target.number, f"target {target}")
    frame.layout["showlegend"] = False
    return frame.figure(title=_save_title(plan, rows), alt=_save_alt(plan, rows), height=330, above=18)


def _save_point(frame: Frame, row: TransportRow, *, chosen: bool) -> None:
    """A transport's save time; the text stands with the name, because at the point it would cross the target."""
    low, high = row.save_low_s.number, row.save_high_s.number
    text = format_range(low, high, "s")
    name = row.label.replace(", ", "<br>").replace(" over ", "<br>over ")
    label = f"<b>{name}<br>this design: {text}</b>" if chosen else f"{name}<br>{text}"
    frame.add(
        "scatter",
        x=[low, high] if high > low else [low],
        y=[label] * (2 if high > low else 1),
        mode="lines+markers",
        cliponaxis=False,
        name=row.label,
        hoverinfo="text",
        hovertext=f"{row.label}: {text}; slowest: {row.binding}",
        line={"color": COLOURS["network"], "width": 5},
        marker={
            "size": 18 if chosen else 13,
            "symbol": "diamond" if chosen else "circle",
            "color": COLOURS["network"],
            "line": {"color": ink(dark=frame.look.dark), "width": 2 if chosen else 1},
        },
    )


def _save_title(plan: Plan, rows: list[TransportRow]) -> str:
    target = plan.main.job.checkpoint.target_s
    own = next((row for row in rows if row.name == plan.network.transport.value), None)
    if own is None:
        return f"The save time of this design is unknown; its target is {target}"
    word = "within" if own.meets_target else "longer than"
    over = own.label.removeprefix("NVMe-oF over ")
    whose = f" of {plan.name_of(plan.main)}" if len(plan.jobs) > 1 else ""
    return f"A save{whose} takes {own.save_low_s} over {over}, {word} its target of {target}"


def _save_alt(plan: Plan, rows: list[TransportRow]) -> str:
    told = "; ".join(
        f"{row.label} {format_range(row.save_low_s.number, row.save_high_s.number, 's')}"
        + (" (this design)" if row.name == plan.network.transport.value else "")
        for row in rows
    )
    return f"Save time over each transport: {told}. The target is {plan.main.job.checkpoint.target_s}."


def endurance_chart(
    plan: Plan, *, dark: bool = False, binary: bool = False, titled: bool = True
) -> go.Figure:
    """Bytes written to the drives over the years against what the rating and the wear allow."""
    look = Look(dark=dark, binary=binary, titled=titled)
    wear, drawn = plan.endurance, written_years(plan)
    if drawn is None:
        return unknown_figure("Wear is unknown: the rating of the drives is not in the catalogue", look=look)
    years, rating, written = drawn.shown_years, drawn.rating_bytes, drawn.year_bytes * drawn.shown_years
    frame = Frame(look)
    frame.add(
        "scatter",
        x=[0.0, years],
        y=[0.0, written],
        mode="lines",
        name=f"written; worn out after {wear.wear_life_s}",
        line={"color": COLOURS["checkpoint"], "width": 4},
        hoverinfo="text",
        hovertext=["", f"{look.text(written, 'bytes')} after {look.text(years * YEAR_S, 's')}"],
    )
    if drawn.life_years <= years:
        _used_up(frame, drawn.life_years, rating, f"rating used up after {wear.rated_life_s}")
    _endurance_axes(frame, drawn)
    frame.limit(rating, f"rating {look.text(rating, 'bytes')}", axis="y", end=drawn.wears_early)
    frame.limit(drawn.warranty_years, f"warranty {wear.warranty_s}")
    alt = _endurance_alt(plan, rating, look)
    return frame.figure(title=_endurance_title(plan), alt=alt, height=340, above=18)


def _used_up(frame: Frame, life_years: float, rating_bytes: float, name: str) -> None:
    frame.add(
        "scatter",
        x=[life_years],
        y=[rating_bytes],
        mode="markers",
        name=name,
        hoverinfo="name",
        marker={"size": 13, "symbol": "x", "color": ink(dark=frame.look.dark)},
    )


def _endurance_axes(frame: Frame, drawn: WrittenYears) -> None:
    frame.axis(
        "xaxis",
        range=[0, drawn.shown_years],
        tickvals=drawn.marks,
        ticktext=[str(mark) for mark in drawn.marks],
        title="years of use",
    )
    values, texts = linear_ticks(drawn.top_bytes, "bytes", frame.look)
    frame.axis(
        "yaxis", range=[0, drawn.top_bytes * 1.12], tickvals=values, ticktext=texts, title="bytes written"
    )


def _endurance_title(plan: Plan) -> str:
    wear = plan.endurance
    verdict = "outlast" if wear.rated_life_s.number >= wear.warranty_s.number else "do not outlast"
    told = f"The drives {verdict} their warranty of {wear.warranty_s}"
    return f"{told}: writes use up the rating in {wear.rated_life_s}"


def _endurance_alt(plan: Plan, rating_bytes: float, look: Look) -> str:
    wear = plan.endurance
    daily = wear.drive_write_bytes_per_day.text(binary=look.binary)
    return (
        f"Line of bytes written over the years, {daily}, against a rating of "
        f"{look.text(rating_bytes, 'bytes')}. The rating is used up after {wear.rated_life_s}; the warranty "
        f"is {wear.warranty_s}; by wear alone the drives last {wear.wear_life_s}."
    )
