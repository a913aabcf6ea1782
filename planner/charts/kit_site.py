"""What racks draw from their feeds, with both there and with one lost; what the storage costs over its term."""

from __future__ import annotations

import plotly.graph_objects as go  # type: ignore[import-untyped]

from planner.charts.colours import COLOURS, PATTERNS
from planner.charts.frame import Frame, Look, linear_ticks
from planner.core.units import counted, format_range
from planner.plan import Plan
from planner.sections.racks import Rack
from planner.sections.rows import alike, kind_title

MOST_BARS = 12
"""Kinds of racks that are drawn: the fullest."""


def feeds_chart(plan: Plan, *, dark: bool = False, binary: bool = False, titled: bool = True) -> go.Figure:
    """Current of one feed of each kind of rack while both are there, and with the other one lost."""
    frame = Frame(Look(dark=dark, binary=binary, titled=titled))
    kinds = _fullest(plan)
    names = [kind_title(racks) for racks in kinds]
    for word, attribute, pattern in (
        ("A and B share the load", "feed_a_amps", ""),
        ("one feed lost", "feed_alone_amps", "/"),
    ):
        amps = [getattr(racks[0], attribute) for racks in kinds]
        frame.add(
            "bar",
            x=[item.number for item in amps],
            y=[_short(name) for name in names],
            orientation="h",
            name=word,
            hovertext=[f"{name}, {word}: {item}" for name, item in zip(names, amps, strict=True)],
            marker={"color": COLOURS["power"], "pattern": {"shape": pattern, "solidity": 0.25}},
        )
    circuits = plan.racks.circuits
    top = max(circuits.usable_amps.number, *(racks[0].feed_alone_amps.number for racks in kinds))
    ticks, texts = linear_ticks(top, "A", frame.look)
    frame.axis(
        "xaxis", range=[0, top * 1.3], tickvals=ticks, ticktext=texts, title="current of each phase of a feed"
    )
    frame.axis("yaxis", showgrid=False, autorange="reversed", title="racks")
    frame.limit(circuits.usable_amps.number, f"continuous {circuits.usable_amps}")
    height = 130 + 46 * len(kinds)
    return frame.figure(
        title=_feeds_title(plan, kinds), alt=_feeds_alt(plan, kinds), height=height, above=18,
    )  # fmt: skip


def _fullest(plan: Plan) -> list[list[Rack]]:
    kinds = sorted(alike(plan.racks), key=lambda racks: -racks[0].feed_alone_amps.number)[:MOST_BARS]
    return sorted(kinds, key=lambda racks: racks[0].number)


def _short(name: str) -> str:
    """A name that fits beside a bar: racks that are alike by their first and how many there are."""
    head, times, count = name.partition(" (×")
    return f"{head.partition(',')[0]}{times}{count}".replace("Racks ", "").replace("Rack ", "") + " "


def _feeds_title(plan: Plan, kinds: list[list[Rack]]) -> str:
    worst = max((racks[0] for racks in kinds), key=lambda rack: rack.feed_alone_amps.number)
    usable = plan.racks.circuits.usable_amps
    word = "within" if worst.feed_alone_amps.number <= usable.number * (1 + 1e-9) else "above"
    return (
        f"With one feed lost the fullest rack draws {worst.feed_alone_amps} a phase, {word} the {usable} that a "
        "circuit may carry"
    )


def _feeds_alt(plan: Plan, kinds: list[list[Rack]]) -> str:
    told = "; ".join(
        f"{kind_title(racks)}: {racks[0].feed_a_amps} on each feed, {racks[0].feed_alone_amps} on one alone"
        for racks in kinds
    )
    left = len(alike(plan.racks)) - len(kinds)
    more = f" {counted(left, 'less full kind')} of racks not drawn." if left else ""
    return f"Bars of the current of a feed for each kind of rack. {told}.{more}"


# --- cost over the term -------------------------------------------------------------------------------------------


def term_chart(plan: Plan, *, dark: bool = False, binary: bool = False, titled: bool = True) -> go.Figure:
    """Cost over the term in its kinds, at low, middle and high prices, beside the GPU time that is lost."""
    frame = Frame(Look(dark=dark, binary=binary, titled=titled))
    term = plan.term
    heads = ("low", "middle", "high")
    for number, line in enumerate(line for line in term.lines if line.priced and line.high_usd.number > 0):
        values = (line.low_usd, line.middle_usd, line.high_usd)
        frame.add(
            "bar",
            x=[*heads, "idle GPUs"],
            y=[*(item.number for item in values), 0.0],
            name=line.name,
            hovertext=[f"{line.name}, {head}: {item}" for head, item in zip(heads, values, strict=True)]
            + [""],
            marker={
                "color": COLOURS["money"],
                "pattern": {"shape": PATTERNS[number % len(PATTERNS)], "solidity": 0.3},
            },
        )
    frame.add(
        "bar",
        x=["idle GPUs"],
        y=[term.idle_usd.number if term.idle_usd.known else 0.0],
        name="GPU time lost",
        hovertext=[f"GPU time lost: {term.idle_usd}"],
        marker={"color": COLOURS["checkpoint"]},
    )
    known = [item.number for item in (term.high_usd, term.idle_usd) if item.known]
    top = max(known, default=1.0)
    ticks, texts = linear_ticks(top, "USD", frame.look)
    sums = (term.low_usd, term.middle_usd, term.high_usd, term.idle_usd)
    frame.axis(
        "xaxis",
        tickvals=[*heads, "idle GPUs"],
        ticktext=[f"{head}<br>{item}" for head, item in zip((*heads, "idle GPUs"), sums, strict=True)],
    )
    frame.axis("yaxis", range=[0, top * 1.1], tickvals=ticks, ticktext=texts, title="cost over the term")
    frame.layout["barmode"] = "stack"
    return frame.figure(title=_term_title(plan), alt=_term_alt(plan), height=400)


def _term_title(plan: Plan) -> str:
    term = plan.term
    money = format_range(term.low_usd.number, term.high_usd.number, "USD")
    left = [name[0].lower() + name[1:] for name in term.not_priced]
    missing = f" without {' and '.join(left)}" if left else ""
    return f"Over {term.term_s} the storage costs {money}{missing}; GPU time lost beside it costs {term.idle_usd}"


def _term_alt(plan: Plan) -> str:
    told = "; ".join(
        f"{line.name} {format_range(line.low_usd.number, line.high_usd.number, 'USD') if line.priced else 'not priced'}"
        for line in plan.term.lines
    )
    return f"Stacked bars at low, middle and high prices. {_term_title(plan)}. {told}."
