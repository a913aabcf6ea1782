"""Where the raw terabytes of a tier go, schemes on the same drives, and a day of saves and copies."""

from __future__ import annotations

import plotly.graph_objects as go  # type: ignore[import-untyped]

from planner.charts.colours import COLOURS, PATTERNS, SHADES
from planner.charts.frame import Frame, Look, linear_ticks, unknown_figure
from planner.core.units import DAY_S, HOUR_S, counted, every
from planner.explore.outcomes import inside
from planner.plan import Plan
from planner.sections.day import DrainDay
from planner.sections.ladder import Ladder, SchemeOnDrives

SAFE = "may be filled"
DAY_HOURS = (0, 6, 12, 18, 24)


def ladder_chart(plan: Plan, *, dark: bool = False, binary: bool = False, titled: bool = True) -> go.Figure:
    """What each deduction takes of a tier's raw capacity, as shares of it."""
    look = Look(dark=dark, binary=binary, titled=titled)
    ladders = [ladder for ladder in plan.ladders if _taken(ladder)]
    if not ladders:
        return unknown_figure(
            "What may be filled of the raw capacity is unknown: the platforms do not say", look=look
        )
    frame = Frame(look)
    names = dict.fromkeys(name for ladder in ladders for name in _taken(ladder) if name != SAFE)
    for number, name in enumerate((SAFE, *names)):
        shares = {ladder.tier: _taken(ladder).get(name, 0.0) / ladder.raw_bytes.number for ladder in ladders}
        frame.add(
            "bar",
            x=[shares[ladder.tier] for ladder in reversed(ladders)],
            y=[_head(ladder, look) for ladder in reversed(ladders)],
            orientation="h",
            name=name,
            hovertext=[
                f"{ladder.tier}, {name}: {look.text(_taken(ladder).get(name, 0.0), 'bytes')}"
                for ladder in reversed(ladders)
            ],
            marker={
                "color": SHADES[1 if name == SAFE else 0],
                "pattern": {"shape": PATTERNS[number % len(PATTERNS)], "solidity": 0.3},
            },
        )
    ticks = [0.0, 0.25, 0.5, 0.75, 1.0]
    texts = [look.text(tick, "fraction") for tick in ticks]
    frame.axis("xaxis", range=[0, 1.02], tickvals=ticks, ticktext=texts, title="share of the raw capacity")
    frame.axis("yaxis", showgrid=False)
    frame.layout["barmode"] = "stack"
    height = 130 + 62 * len(ladders)
    return frame.figure(
        title=_ladder_title(ladders[0], look),
        alt=_ladder_alt(ladders, look),
        height=height,
    )


def _head(ladder: Ladder, look: Look) -> str:
    return f"{ladder.tier.replace(' ', '<br>', 1)}<br>{look.text(ladder.raw_bytes.number, 'bytes')} raw"


def _taken(ladder: Ladder) -> dict[str, float]:
    """Bytes that each deduction takes, and what may be filled; none where one of them is unknown."""
    if not (ladder.raw_bytes.known and all(step.taken_bytes.known for step in ladder.steps)):
        return {}
    parts = {SAFE: ladder.steps[-1].left_bytes.number}
    return parts | {
        step.name: step.taken_bytes.number for step in ladder.steps if step.taken_bytes.number > 0
    }


def _ladder_title(ladder: Ladder, look: Look) -> str:
    taken = _taken(ladder)
    safe = taken.pop(SAFE)
    most = max(taken, key=taken.__getitem__, default="nothing")
    raw = ladder.raw_bytes.number
    return (
        f"Of {look.text(raw, 'bytes')} raw on the {ladder.tier} {look.text(safe, 'bytes')} may be filled "
        f"({look.text(safe / raw, 'fraction')}); {most} takes most"
    )


def _ladder_alt(ladders: list[Ladder], look: Look) -> str:
    told = []
    for ladder in ladders:
        parts = ", ".join(f"{name} {look.text(size, 'bytes')}" for name, size in _taken(ladder).items())
        told.append(f"{ladder.tier}: {look.text(ladder.raw_bytes.number, 'bytes')} raw; {parts}.")
    return "Bars of the shares of raw capacity, one for each tier. " + " ".join(told)


# --- schemes on the same drives ---------------------------------------------------------------------------------


def schemes_chart(plan: Plan, *, dark: bool = False, binary: bool = False, titled: bool = True) -> go.Figure:
    """Usable capacity of each protection scheme on the drives that the hot tier has, and which schemes fit."""
    look = Look(dark=dark, binary=binary, titled=titled)
    rows = plan.schemes
    if not rows:
        title = (
            "The platform protects data by itself: its vendor says with which scheme and how much is usable"
        )
        return unknown_figure(title, look=look)
    frame = Frame(look)
    heads = [_scheme_head(row, own=number == 0) for number, row in enumerate(rows)]
    for word, fits, pattern in (("fits", True, ""), ("too few domains", False, "/")):
        chosen = [(head, row) for head, row in zip(heads, rows, strict=True) if row.fits is fits]
        frame.add(
            "bar",
            x=[row.usable_bytes.number for _, row in chosen],
            y=[head for head, _ in chosen],
            orientation="h",
            name=word,
            text=[row.usable_bytes.text(binary=binary) for _, row in chosen],
            hovertext=[f"{row.label}: {row.usable_bytes.text(binary=binary)}, {word}" for _, row in chosen],
            marker={"color": SHADES[1], "pattern": {"shape": pattern, "solidity": 0.3}},
        )
    top = max(row.usable_bytes.number for row in rows)
    ticks, texts = linear_ticks(top, "bytes", look)
    frame.axis("xaxis", range=[0, top * 1.5], tickvals=ticks, ticktext=texts, title="usable capacity")
    frame.axis("yaxis", showgrid=False, categoryorder="array", categoryarray=heads[::-1])
    frame.layout["barmode"] = "overlay"
    height = 120 + 42 * len(rows)
    return frame.figure(title=_schemes_title(plan, look), alt=_schemes_alt(plan, look), height=height)


def _scheme_head(row: SchemeOnDrives, *, own: bool) -> str:
    return (
        f"<b>{row.label}<br>this design</b>"
        if own
        else row.label.replace(", ", "<br>").replace(" by the ", "<br>by the ")
    )


def _schemes_title(plan: Plan, look: Look) -> str:
    fitting = [row for row in plan.schemes if row.fits]
    count, hot = len(plan.schemes), plan.hot
    room = (
        counted(hot.unit_count.number, "node")
        if hot.domain != "drive"
        else counted(hot.drive_count.number, "drive")
    )
    own = plan.schemes[0]
    return (
        f"{len(fitting)} of {count} protection schemes {'fits' if len(fitting) == 1 else 'fit'} the {room} of the hot "
        f"tier; this design's, {inside(own.label)}, leaves {look.text(own.usable_bytes.number, 'bytes')} of "
        f"{look.text(hot.raw_bytes.number, 'bytes')} usable"
    )


def _schemes_alt(plan: Plan, look: Look) -> str:
    told = "; ".join(
        f"{row.label} {look.text(row.usable_bytes.number, 'bytes')}, needs {counted(row.domains_count, 'domain')}"
        + ("" if row.fits else ", more than there are")
        for row in plan.schemes
    )
    return f"Bars of the usable capacity of each protection scheme on the same drives. {told}."


# --- a day ----------------------------------------------------------------------------------------------------


def day_chart(
    plan: Plan, *, dark: bool = False, binary: bool = False, titled: bool = True, index: int = 0
) -> go.Figure:
    """Checkpoints on the hot tier over a day, and what was copied to the cold tier since the day began.

    Args:
        plan: The plan.
        dark: The ground is dark.
        binary: Sizes in GiB and TiB.
        titled: The finding stands in the figure.
        index: Number of the job, from 0.
    """
    look = Look(dark=dark, binary=binary, titled=titled)
    day, frame = plan.drain_day(index), Frame(look)
    hours = [float(moment) / HOUR_S for moment in day.time_s]
    lines = (
        ("on the hot tier", "hot tier", day.hot_bytes, "", COLOURS["checkpoint"], [0.56, 1.0]),
        ("copied down", "copied down", day.cold_bytes, "2", COLOURS["cache"], [0.0, 0.42]),
    )
    for name, title, values, axis, colour, band in lines:
        frame.add(
            "scatter",
            x=hours,
            y=[float(value) for value in values],
            mode="lines",
            name=name,
            fill="tozeroy",
            line={"color": colour, "width": 2},
            hoverinfo="skip",
            yaxis=f"y{axis}",
        )
        top = float(max(values))
        ticks, texts = linear_ticks(top, "bytes", look, count=3)
        frame.axis(
            f"yaxis{axis}",
            domain=band,
            range=[0, (top or 1.0) * 1.15],
            tickvals=ticks,
            ticktext=texts,
            title=title,
        )
    _hours(frame, day)
    frame.layout["showlegend"] = False
    return frame.figure(
        title=_day_title(plan, index, day, look), alt=_day_alt(plan, index, day, look), height=380
    )


def _hours(frame: Frame, day: DrainDay) -> None:
    """The hours of a day, or of as much of it as is shown."""
    if day.shown_s >= DAY_S:
        marks, texts = [float(hour) for hour in DAY_HOURS], [f"{hour} h" for hour in DAY_HOURS]
    else:
        seconds, texts = linear_ticks(day.shown_s, "s", frame.look)
        marks = [second / HOUR_S for second in seconds]
    frame.axis(
        "xaxis",
        anchor="y2",
        range=[0, day.shown_s / HOUR_S],
        tickvals=marks,
        ticktext=texts,
        title="time of the day" if day.shown_s >= DAY_S else "time",
    )


def _day_title(plan: Plan, index: int, day: DrainDay, look: Look) -> str:
    whose = f" of {plan.name_of(plan.jobs[index])}" if len(plan.jobs) > 1 else ""
    if day.behind:
        return (
            f"Copies to the cold tier fall behind: one{whose} takes {day.drain_s}, the next is due "
            f"{every(day.period_s.number)}"
        )
    return (
        f"A checkpoint{whose} is copied down {every(day.period_s.number)} in {day.drain_s}; "
        f"{look.text(day.month_bytes.number, 'bytes')} stay on the cold tier each month"
    )


def _day_alt(plan: Plan, index: int, day: DrainDay, look: Look) -> str:
    job, kept = plan.jobs[index].job, plan.scenario.jobs[index].checkpoint.retained_count
    return (
        f"Two lines over {look.text(day.shown_s, 's')} for {plan.name_of(plan.jobs[index])}. On the hot tier "
        f"{counted(kept, 'checkpoint')} {'is' if kept == 1 else 'are'} kept and one more is written {every(job.checkpoint.interval_s.number)}: "
        f"at most {look.text(float(max(day.hot_bytes)), 'bytes')}. Copies to the cold tier run at "
        f"{look.text(day.rate_bytes_per_s.number, 'bytes/s')} and come to "
        f"{look.text(float(day.cold_bytes[-1]), 'bytes')} by the end."
    )
