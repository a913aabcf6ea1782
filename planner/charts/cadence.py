"""Where training time goes: over the interval, over the bandwidth, and by cause."""

from __future__ import annotations

import math

import numpy as np
import plotly.graph_objects as go  # type: ignore[import-untyped]
from numpy.typing import NDArray

from planner.charts.colours import COLOURS, PATTERNS, ink
from planner.charts.frame import Frame, Look, bar_end, linear_ticks, unknown_figure
from planner.core.quantity import Quantity
from planner.core.units import every
from planner.curves import (
    SPAN,
    best_interval_s,
    goodput_floor_fraction,
    goodput_known,
    goodput_over,
    intervals_s,
)
from planner.plan import JobResult, Plan
from planner.sections.goodput import LevelsPlan
from planner.sizing import cadence, checkpoint, lost_time, worth

POINTS = 161
"""Points of a curve: smooth at the width of a screen."""


def goodput_chart(plan: Plan, *, dark: bool = False, binary: bool = False, titled: bool = True) -> go.Figure:
    """Goodput over the interval, synchronous and asynchronous, with the optimum and the design's own."""
    look = Look(dark=dark, binary=binary, titled=titled)
    main = plan.main
    if not goodput_known(main):
        return unknown_figure("Goodput is unknown: a figure of the save is missing", look=look)
    frame = Frame(look)
    today = main.job.checkpoint.interval_s.number
    best = best_interval_s(main)
    intervals = intervals_s(main, POINTS)
    for (mode, (kept, values)), dash in zip(
        goodput_over(main, intervals).items(), ("solid", "dash"), strict=True
    ):
        _curve(frame, kept, values, mode, dash=dash)
    if main.goodput.levels is not None:
        _curve(frame, intervals, _two_level(main, intervals), "two levels, first order", dash="dot")
    _mark(frame, today, main.goodput.goodput_fraction, "this design", symbol="diamond")
    _mark(frame, best, main.goodput.best_goodput_fraction, "best interval", symbol="circle")
    frame.log_axis(float(intervals[0]), float(intervals[-1]), "s", "interval (log)")
    _goodput_axis(frame, main)
    return frame.figure(title=_goodput_title(main, best), alt=_goodput_alt(main, best), height=340)


def _two_level(main: JobResult, intervals: NDArray[np.float64]) -> NDArray[np.float64]:
    """Goodput over the interval of the shared level; the fast one saves at its best, or with it."""
    levels, good = main.goodput.levels, main.goodput
    assert levels is not None
    values: NDArray[np.float64] = np.asarray(
        worth.two_level_goodput_fraction(
            np.minimum(levels.fast_interval_s.number, intervals),
            shared_interval_s=intervals,
            fast_stall_s=levels.fast_stall_s.number,
            shared_stall_s=good.stall_s.number,
            interruption_s=good.interruption_s.number,
            restart_s=good.restart_s.number,
            fast_fraction=levels.fast_fraction,
        )
    )
    return values


def _curve(
    frame: Frame, x: NDArray[np.float64], y: NDArray[np.float64], name: str, *, dash: str = "solid"
) -> None:
    frame.add(
        "scatter",
        x=x.tolist(),
        y=y.tolist(),
        mode="lines",
        name=name,
        hoverinfo="name",
        line={"color": COLOURS["checkpoint"], "width": 4, "dash": dash},
    )


def _mark(frame: Frame, x: float, share: Quantity, name: str, *, symbol: str) -> None:
    frame.add(
        "scatter",
        x=[x],
        y=[share.number],
        mode="markers",
        name=f"{name}: {share.text()}",
        hoverinfo="name",
        marker={
            "size": 15,
            "symbol": symbol,
            "color": COLOURS["network"],
            "line": {"color": ink(dark=frame.look.dark), "width": 2},
        },
    )


def _goodput_axis(frame: Frame, main: JobResult) -> None:
    """Up to 100 %, from where the differences can be told apart."""
    low = goodput_floor_fraction(main)
    marks, _ = linear_ticks(1.0 - low, "fraction", frame.look, count=3)
    values = [1.0 - mark for mark in marks]
    texts = [frame.look.text(value, "fraction") for value in values]
    top = 1.0 + 0.06 * (1.0 - low)
    frame.axis("yaxis", range=[low, top], tickvals=values, ticktext=texts, title="goodput")


def _share_axis(frame: Frame, title: str, *, top: float) -> None:
    values, texts = linear_ticks(top, "fraction", frame.look)
    frame.axis("yaxis", range=[0, top * 1.06], tickvals=values, ticktext=texts, title=title)


def _goodput_title(main: JobResult, best_s: float) -> str:
    good, best = main.goodput.goodput_fraction, main.goodput.best_goodput_fraction
    interval = main.job.checkpoint.interval_s
    if best.text() == good.text():
        return f"Saving {every(interval.number)} is as good as it gets: goodput {good}"
    way = "less" if best_s > interval.number else "more"
    return f"Saving {way} often would lift goodput from {good} to {best}"


def _goodput_alt(main: JobResult, best_s: float) -> str:
    good = main.goodput
    look = Look()
    return (
        f"Curves of goodput over the interval, synchronous and asynchronous. This design saves "
        f"{every(main.job.checkpoint.interval_s.number)} and reaches {good.goodput_fraction}; the best interval is "
        f"{look.text(best_s, 's')} with {good.best_goodput_fraction}."
    )


# --- where the rest of the time goes ----------------------------------------------------------------


def waste_chart(plan: Plan, *, dark: bool = False, binary: bool = False, titled: bool = True) -> go.Figure:
    """Time lost to stalls, repeated work and restarts, as designed and for each alternative."""
    look = Look(dark=dark, binary=binary, titled=titled)
    main = plan.main
    rows = [
        row
        for row in main.worth.alternatives
        if row.goodput_fraction.known and row.goodput_fraction.number > 0
    ]
    if not rows or not main.goodput.goodput_fraction.known:
        return unknown_figure("The waste is unknown: a figure of the save is missing", look=look)
    names = ["<b>this design</b>", *(row.name.replace(", ", "<br>") for row in rows)]
    parts = [_parts(main), *(_row_parts(main, row.goodput_fraction, row.stall_s, row.work_s) for row in rows)]
    frame = Frame(look)
    for index, cause in enumerate(("stalls", "repeated work", "restarts")):
        frame.add(
            "bar",
            x=[part[index] for part in reversed(parts)],
            y=list(reversed(names)),
            orientation="h",
            name=cause,
            textposition="none",
            hovertext=[
                f"{name}: {cause} {look.text(part[index], 'fraction')}".replace("<br>", ", ")
                for name, part in zip(reversed(names), reversed(parts), strict=True)
            ],
            marker={
                "color": COLOURS["money"],
                "pattern": {"shape": PATTERNS[index]},
                "line": {"color": ink(dark=dark), "width": 1},
            },
        )
    top = max(sum(part) for part in parts)
    values, texts = linear_ticks(top, "fraction", look)
    frame.axis("xaxis", range=[0, top * 1.05], tickvals=values, ticktext=texts, title="share of time lost")
    frame.axis("yaxis")
    frame.layout["barmode"] = "stack"
    return frame.figure(
        title=_waste_title(main), alt=_waste_alt(names, parts, look), height=60 * len(names) + 60
    )


def _parts(main: JobResult) -> tuple[float, float, float]:
    """Stalls, repeated work and restarts of the design as it is."""
    worth = main.worth
    return (
        worth.stalled_fraction.number,
        max(worth.lost_work_fraction.number, 0.0),
        worth.restart_fraction.number,
    )


def _row_parts(
    main: JobResult, reached: Quantity, stall: Quantity, work: Quantity
) -> tuple[float, float, float]:
    """The same of an alternative; what neither stalls nor restarts explain is work done again."""
    good, lost = main.goodput, 1 - reached.number
    restart = float(
        lost_time.restart_fraction(good.restart_s.number, interruption_s=good.interruption_s.number)
    )
    stalled = float(
        lost_time.stalled_fraction(reached.number, stall_s=stall.number, work_s=max(work.number, 1e-3))
    )
    return min(stalled, lost), max(lost - stalled - restart, 0.0), min(restart, lost)


def _waste_title(main: JobResult) -> str:
    shares = dict(zip(("stalls", "repeated work", "restarts"), _parts(main), strict=True))
    worst = max(shares, key=lambda name: shares[name])
    lost = 1 - main.goodput.goodput_fraction.number
    look = Look()
    return f"{look.text(lost, 'fraction')} of the time is lost, most of it to {worst}"


def _waste_alt(names: list[str], parts: list[tuple[float, float, float]], look: Look) -> str:
    told = "; ".join(
        f"{name.replace('<br>', ', ').replace('<b>', '').replace('</b>', '')} {look.text(sum(part), 'fraction')}"
        for name, part in zip(names, parts, strict=True)
    )
    return f"Bars of the time lost, parted into stalls, repeated work and restarts: {told}."


# --- what bandwidth gives -----------------------------------------------------------------------------


def bandwidth_chart(
    plan: Plan, *, dark: bool = False, binary: bool = False, titled: bool = True
) -> go.Figure:
    """Waste over write bandwidth, at the interval as it is and at the best one, with the knee marked."""
    look = Look(dark=dark, binary=binary, titled=titled)
    main = plan.main
    today = main.worth.array_bytes_per_s
    if not (today.known and main.goodput.goodput_fraction.known):
        return unknown_figure("The waste is unknown: the bandwidth of the save is missing", look=look)
    low, high = today.number / SPAN, today.number * SPAN
    bandwidth = np.geomspace(low, high, POINTS)
    fixed, best = _waste_over(main, bandwidth)
    frame = Frame(look)
    _curve(frame, bandwidth, fixed, every(main.job.checkpoint.interval_s.number))
    _curve(frame, bandwidth, best, "at the best interval", dash="dash")
    lost = Quantity(1.0 - main.goodput.goodput_fraction.number, "fraction", "Time lost")
    _mark(frame, today.number, lost, f"this design, {today.text(binary=binary)}", symbol="diamond")
    frame.log_axis(low, high, "bytes/s", "write bandwidth of a save (log)")
    kept = fixed[np.isfinite(fixed)]  # none of it where saves queue up over any of these bandwidths
    _share_axis(frame, "share of time lost", top=min(1.0, float(np.max(kept))) if kept.size else 1.0)
    knee = _knee(main)
    if knee.known and low < knee.number < high:
        frame.limit(knee.number, "")
        right = knee.number > 0.5 * today.number
        frame.note(
            f"worth buying up to {knee.text(binary=binary)}",
            x=math.log10(knee.number),
            y=1,
            yref="paper",
            yanchor="bottom",
            xanchor="right" if right else "left",
        )
    return frame.figure(
        title=_bandwidth_title(main, look), alt=_bandwidth_alt(main, lost, look), height=340, above=18
    )


def _knee(main: JobResult) -> Quantity:
    """Bandwidth beyond which one GB/s more costs more than it saves, at the best interval; unknown of two levels."""
    if main.goodput.levels is not None:
        return Quantity(math.nan, "bytes/s", "Bandwidth worth buying")
    asynchronous = main.job.policy.mode == "async"
    return main.worth.best_async_bytes_per_s if asynchronous else main.worth.best_bytes_per_s


def _waste_over(
    main: JobResult, bandwidth: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Waste over bandwidth: at the interval as it is, and at the best one; not a number where saves queue up.

    The load after a failure takes the same path, as the formulas of its worth assume.
    """
    own, good, policy = main.job.checkpoint, main.goodput, main.job.policy
    if good.levels is not None:
        return _waste_of_levels(main, good.levels, bandwidth)
    write = checkpoint.write_s(own.written_bytes.number, bandwidth_bytes_per_s=bandwidth)
    load = checkpoint.write_s(own.size_bytes.number, bandwidth_bytes_per_s=bandwidth)
    asynchronous = policy.mode == "async"
    stall, drain = (policy.async_stall_s, write) if asynchronous else (write, 0.0)
    failing = {
        "stall_s": stall,
        "interruption_s": good.interruption_s.number,
        "restart_s": lost_time.restart_s(policy.restart_s, load_s=load),
        "drain_s": drain,
    }
    work = cadence.work_s(own.interval_s.number, stall_s=stall)
    best = cadence.optimal_work_s(stall, interruption_s=good.interruption_s.number)
    if asynchronous:
        work = np.where(write > own.interval_s.number, np.nan, work)
        best = np.maximum(best, write)
    return (
        np.asarray(1.0 - cadence.goodput_fraction(work, **failing)),
        np.asarray(1.0 - cadence.goodput_fraction(best, **failing)),
    )


def _waste_of_levels(
    main: JobResult, levels: LevelsPlan, bandwidth: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The same with a fast level before the shared one, which alone takes the bandwidth; the load stays as it is."""
    own, good = main.job.checkpoint, main.goodput
    write = checkpoint.write_s(own.written_bytes.number, bandwidth_bytes_per_s=bandwidth)
    failing = {"interruption_s": good.interruption_s.number, "fast_fraction": levels.fast_fraction}
    stalls = {"fast_stall_s": levels.fast_stall_s.number, "shared_stall_s": write}
    common = {**stalls, **failing, "restart_s": good.restart_s.number}
    period = cadence.wall_period_s(own.interval_s.number, stall_s=write)
    longer = np.maximum(write, levels.fast_stall_s.number * (1 + 1e-9))
    best = cadence.shared_level_interval_s(longer, fast_stall_s=levels.fast_stall_s.number, **failing)
    fixed = worth.two_level_goodput_fraction(
        np.minimum(levels.fast_interval_s.number, period), shared_interval_s=period, **common
    )
    at_best = worth.two_level_goodput_fraction(
        levels.best_fast_interval_s.number, shared_interval_s=best, **common
    )
    return np.asarray(1.0 - fixed), np.asarray(1.0 - at_best)


def _bandwidth_title(main: JobResult, look: Look) -> str:
    if main.goodput.levels is not None:
        return _levels_title(main, look)
    today, knee = main.worth.array_bytes_per_s, _knee(main)
    if knee.known and knee.number <= 0:
        return (
            f"A save sees {today.text(binary=look.binary)}; GPU time costs nothing here, so no bandwidth pays"
        )
    if not knee.known:
        return f"A save sees {today.text(binary=look.binary)}; the tier is not priced, so no knee is known"
    sees, pays = (item.text(binary=look.binary) for item in (today, knee))
    if sees == pays:
        return f"A save sees {sees}, as much as pays at the best interval"
    word = "more" if today.number > knee.number else "less"
    return f"A save sees {sees}, {word} than the {pays} that pay at the best interval"


def _levels_title(main: JobResult, look: Look) -> str:
    """What more bandwidth gives where a fast level takes most saves: what pays is known of one level alone."""
    today = main.worth.array_bytes_per_s
    wider, _ = _waste_over(main, np.array([today.number * SPAN]))
    now, then = (
        look.text(lost, "fraction") for lost in (1.0 - main.goodput.goodput_fraction.number, float(wider[0]))
    )
    return (
        f"A save to shared storage sees {today.text(binary=look.binary)}; {SPAN:g} times as much would lose {then} of the "
        f"time, this design loses {now}"
    )


def _bandwidth_alt(main: JobResult, lost: Quantity, look: Look) -> str:
    today, knee = main.worth.array_bytes_per_s, _knee(main)
    end = (
        f"; above {knee.text(binary=look.binary)} one GB/s more costs more than it saves at the best interval"
        if knee.known
        else ""
    )
    kind = {"async": "asynchronous", "two-level": "two-level"}.get(main.job.policy.mode, "synchronous")
    return (
        f"Curves of the share of time lost over the write bandwidth of {kind} saves, at the interval as it is and at the "
        f"best one. This design's {today.text(binary=look.binary)} lose {lost}{end}."
    )


# --- stages -------------------------------------------------------------------------------------------


def stages_chart(plan: Plan, *, dark: bool = False, binary: bool = False, titled: bool = True) -> go.Figure:
    """Time of each stage of the save over each transport; the longest of them is the save."""
    look = Look(dark=dark, binary=binary, titled=titled)
    rows = [row for row in plan.transport if row.stages and all(q.known for q in row.stages.values())]
    if not rows:
        return unknown_figure(
            "The stages are unknown: a figure of the drive or platform is missing", look=look
        )
    frame = Frame(look)
    for index, row in enumerate(rows):
        frame.add(
            "bar",
            x=[q.number for q in reversed(row.stages.values())],
            y=list(reversed(row.stages)),
            orientation="h",
            name=row.label.removeprefix("NVMe-oF over "),
            text=[q.text() for q in reversed(row.stages.values())],
            hovertext=[f"{row.label}, {name}: {q}" for name, q in reversed(row.stages.items())],
            marker={
                "color": COLOURS["network"],
                "pattern": {"shape": PATTERNS[index]},
                "line": {"color": ink(dark=dark), "width": 1},
            },
        )
    times = {q.number: q.text() for row in rows for q in row.stages.values()}
    end = bar_end(list(times), list(times.values()), [name for row in rows for name in row.stages])
    values, texts = linear_ticks(max(times), "s", look)
    frame.axis("xaxis", range=[0, end], tickvals=values, ticktext=texts, title="time of a stage alone")
    frame.axis("yaxis")
    frame.layout["barmode"] = "group"
    chosen = next((row for row in rows if row.name == plan.network.transport.value), rows[0])
    told = "; ".join(f"{row.label}: {row.binding} {row.save_low_s}" for row in rows)
    return frame.figure(
        title=f"Over {chosen.label.removeprefix('NVMe-oF over ')} the slowest stage of a save is {chosen.binding}",
        alt=f"Bars of each stage's time over each transport. The slowest stage of each: {told}.",
        height=90 * len(chosen.stages) + 60,
    )
