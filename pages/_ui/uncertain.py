"""Sensitivity and uncertainty of the open design: state the ranges, draw, and read what holds and what does not."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd
import streamlit as st

from pages._ui import answers, baseline, held, jobs, library, ranging, session, values
from pages._ui.figures import dark, shown, table
from pages._ui.markup import bold, escaped
from planner.charts.uncertainty import Spread, spread_chart, tornado_chart
from planner.core.errors import PlannerError
from planner.core.quantity import Quantity
from planner.core.units import counted, format_value
from planner.explore.outcomes import RESULTS
from planner.explore.ranges import Range
from planner.explore.sensitivity import Ends, Tornado, ends_of, tornado
from planner.explore.uncertainty import LEAST_COUNT, MOST_COUNT, MOST_SEED, Study, shared_ranges, study
from planner.explore.verdicts import Duel, against, band, bands, blockers, drivers, feasible, verdicts
from planner.plan import Plan
from planner.scenario import Scenario
from planner.scenario_json import scenario_from_json, scenario_to_json
from planner.store import MAX_PAGE_ROWS

_NONE, _PINNED = "none", "pinned"
_STORAGE = ("Sized anew for every value", "Kept as it is planned today")


# --- what both parts ask ----------------------------------------------------------------------------------


def _result_choice() -> str:
    """The result that is asked about."""
    st.selectbox(
        "Result",
        list(RESULTS),
        format_func=lambda column: RESULTS[column].label,
        key="explore.result",
        persist_state="session",
        width=330,
    )
    return str(session.get("explore.result"))


def _storage_choice() -> bool:
    """Whether the storage is kept as it is planned today."""
    st.selectbox(
        "Storage",
        _STORAGE,
        key="explore.storage",
        persist_state="session",
        width=280,
        help="Sized anew: what will have to be bought. Kept: how what is bought will perform.",
    )
    return bool(session.get("explore.storage") == _STORAGE[1])


def _text(item: Quantity) -> str:
    return escaped(item.text(binary=session.binary()))


def _chart(chart: Callable[..., Any], content: Any, key: str) -> None:
    """A chart under its finding, which stands as text above it."""
    shown(chart(content, dark=dark(), binary=session.binary(), titled=False), key)


def _download(rows: pd.DataFrame, name: str, key: str) -> None:
    st.download_button(
        "Rows as CSV",
        data=lambda: rows.to_csv(index=False, lineterminator="\n"),
        file_name=name,
        mime="text/csv",
        on_click="ignore",
        key=key,
        icon=":material/download:",
    )


# --- sensitivity --------------------------------------------------------------------------------------------


def sensitivity(plan: Plan) -> None:
    """Each uncertain input alone at both of its ends."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        column, fixed = _result_choice(), _storage_choice()
    ranges = ranging.stated_ranges(plan.scenario)
    if ranges is None:
        return
    try:
        ends = _ends(scenario_to_json(plan.scenario), ranges, answers.catalogue().hash, fixed=fixed)
        found = tornado(ends, column)
    except PlannerError as error:
        st.error(escaped(error.message), icon=":material/error:")
        return
    _chart(tornado_chart, found, "explore.tornado")
    st.markdown(escaped(found.advice))
    rows = _tornado_rows(found)
    if rows:
        table(rows, alt=f"{found.label} at both ends of each uncertain input")
    _download(_tornado_csv(found), f"sensitivity-{column}.csv", "explore.tornado.csv")


@functools.lru_cache(maxsize=32)
def _ends(scenario_json: str, ranges: tuple[Range, ...], catalogue_hash: str, *, fixed: bool) -> Ends:
    del catalogue_hash
    return ends_of(
        scenario_from_json(scenario_json), ranges, catalogue=answers.catalogue(), storage_fixed=fixed
    )


def _tornado_rows(found: Tornado) -> list[dict[str, str]]:
    return [
        {
            "Input": escaped(bar.range.label),
            "Range": escaped(bar.range.span),
            "At the low end": _text(bar.low),
            "At the high end": _text(bar.high),
            "Swing": _text(bar.swing),
            "Measured": "yes" if bar.range.measured else "no",
            "Changes as well": escaped("; ".join(bar.changes) or "nothing"),
        }
        for bar in found.bars
        if not bar.swing.known or bar.swing.number > 0
    ]


def _tornado_csv(found: Tornado) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {
                "path": bar.range.path,
                "input": bar.range.label,
                "unit": bar.range.unit,
                "low": bar.range.low,
                "high": bar.range.high,
                f"{found.column}_at_low": bar.low.number,
                f"{found.column}_at_high": bar.high.number,
                "swing": bar.swing.number,
                "measured": bar.range.measured,
                "source": bar.range.source,
                "grade": bar.range.grade,
            }
            for bar in found.bars
        ]
    )


# --- uncertainty ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Asked:
    """What a study was asked: if the page now says otherwise, its figures are no longer the answer."""

    scenario_json: str
    ranges: tuple[Range, ...]
    seed: str
    samples: str
    fixed: bool
    other: str


def uncertainty(plan: Plan) -> None:
    """All uncertain inputs drawn at once."""
    fixed = _draw_inputs()
    ranges = ranging.stated_ranges(plan.scenario)
    if ranges is None:
        return
    asked = Asked(
        scenario_to_json(plan.scenario),
        ranges,
        str(session.get("explore.seed")),
        str(session.get("explore.samples")),
        fixed,
        str(session.get("explore.against")),
    )
    st.button("Run", key="explore.draw", on_click=_run, args=(asked,), icon=":material/play_arrow:")
    line = session.get("_uncertain_error")
    if line:
        st.error(escaped(str(line)), icon=":material/error:")
    found = jobs.result("_uncertain_job", "draws", "explore.draw.stop")
    if found is not None:
        _answer(asked, *found)


def _draw_inputs() -> bool:
    """Fields of a study; whether the storage is kept as it is planned today."""
    others = _others()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        fixed = _storage_choice()
        for key, label in (("seed", "Seed"), ("samples", "Samples")):
            st.text_input(label, key=f"explore.{key}", persist_state="session", width=110)
        if session.get("explore.against") not in others:
            session.put("explore.against", _NONE)
        st.selectbox(
            "Against",
            list(others),
            format_func=lambda name: others[name],
            key="explore.against",
            persist_state="session",
            width=260,
            help="A second design on the same draws: the open design is A, this one is B.",
        )
    return fixed


def _others() -> dict[str, str]:
    """What the open design can be held against, by what stands for it: nothing, the baseline, saved designs."""
    found = {_NONE: "nothing"}
    if baseline.pinned():
        found[_PINNED] = f"pinned: {session.get('_pinned_label') or 'baseline'}"
    try:
        for row in answers.store().designs(limit=MAX_PAGE_ROWS).rows:
            found[f"{row.id}.{row.latest_revision}"] = (
                f"{row.name} ({row.id}), revision {row.latest_revision}"
            )
    except PlannerError as error:
        session.notify(error.message)
    return found


def _other(name: str) -> Scenario | None:
    """The second design.

    Raises:
        PlannerError: It can no longer be read.
    """
    if name == _NONE:
        return None
    if name == _PINNED:
        return scenario_from_json(baseline.pinned())
    design, _, revision = name.partition(".")
    return scenario_from_json(library.exported(int(design), int(revision)))


def _run(asked: Asked) -> None:
    """Begin to draw; what is wrong with seed, samples or the second design is said before anything runs."""
    held.take_in()
    session.put("_uncertain_error", "")
    try:
        seed = values.whole(session.get("explore.seed"), field="Seed", low=0, high=MOST_SEED)
        count = values.whole(
            session.get("explore.samples"), field="Samples", low=LEAST_COUNT, high=MOST_COUNT
        )
        first = scenario_from_json(asked.scenario_json)
        other = _other(asked.other)
        stated: dict[str, Any] = {
            "seed": seed,
            "count": count,
            "catalogue": answers.catalogue(),  # asked here: another thread does not know whose rows count
            "storage_fixed": asked.fixed,
        }
        work = functools.partial(_work, first=first, second=other, ranges=asked.ranges, stated=stated)
        whole = count if other is None else 2 * count
        jobs.begin("_uncertain_job", work, total=whole)
        session.put(
            "_uncertain_asked",
            replace(
                asked, seed=str(session.get("explore.seed")), samples=str(session.get("explore.samples"))
            ),
        )
    except PlannerError as error:
        session.put("_uncertain_error", error.message)


def _work(
    progress: Callable[[int, int], bool],
    *,
    first: Scenario,
    second: Scenario | None,
    ranges: tuple[Range, ...],
    stated: Mapping[str, Any],
) -> tuple[Study, Study | None]:
    """Draw one design, and then the other on the same draws."""
    count = int(stated["count"])
    whole = count if second is None else 2 * count
    done = study(first, ranges, progress=lambda reached, _: progress(reached, whole), **stated)
    if second is None:
        return done, None
    theirs = shared_ranges(ranges, second, stated["catalogue"])
    return done, study(second, theirs, progress=lambda reached, _: progress(count + reached, whole), **stated)


def _answer(asked: Asked, done: Study, other: Study | None) -> None:
    """The bands of all results, the picture of one, what holds, what drives it, and the second design."""
    if session.get("_uncertain_asked") != asked:
        st.caption("The design or what is asked has changed since these draws: run them again.")
    if done.count < done.asked_count:
        st.caption(f"Stopped after {counted(done.count, 'draw')}.")
    st.markdown(_summary(done))
    column = _result_choice()
    spreads = [Spread("A" if other else "This design", done, band(done, column))]
    if other is not None:
        spreads.append(Spread("B", other, band(other, column)))
    _chart(spread_chart, spreads, "explore.spread")
    if other is not None:
        _duels(done, other)
    table(_band_rows(done), alt="P10, P50 and P90 of every result")
    st.caption(escaped(f"From {done.told}. Below P10 lies a tenth of the draws, above P90 another."))
    moving = [item for item in drivers(done, column) if item.share.number > 0.005]
    if moving:
        table(
            [{"What moves it": escaped(item.label), "Share of the variance": _text(item.share)} for item in moving],
            alt=f"What moves {RESULTS[column].label}",
        )  # fmt: skip
    _download(done.table, f"draws-seed-{done.seed}.csv", "explore.draws.csv")


def _summary(done: Study) -> str:
    """What holds and what is fragile, as lines."""
    share = feasible(done)
    found = ", ".join(f"{code} in {format_value(part, 'fraction')}" for code, part in blockers(done).items())
    lines = [f"{share.label}: {share.text()}" + (f" ({found})" if found else "") + "."]
    told = verdicts(done)
    fragile = [verdict.text for verdict in told if verdict.fragile]
    holds = [verdict.name.lower() for verdict in told if verdict.auto and not verdict.fragile]
    lines += fragile
    if holds:
        lines.append(f"What AUTO chooses holds in nine draws of ten or more: {', '.join(holds)}.")
    return "  \n".join(escaped(line) for line in lines)


def _duels(done: Study, other: Study) -> None:
    """The chance that A beats B, for every result that has a better end."""
    duels = [against(done, other, column) for column, result in RESULTS.items() if result.better]
    chosen = next((duel for duel in duels if duel.column == session.get("explore.result")), duels[0])
    st.markdown(bold(chosen.text))
    for name in chosen.stated:
        st.caption(escaped(f"{name}: the two designs state it otherwise; it is drawn alike for both."))
    table([_duel_row(duel) for duel in duels], alt="The chance that A is better than B")


def _duel_row(duel: Duel) -> dict[str, str]:
    low, middle, high = duel.gain
    return {
        "Result": escaped(duel.label),
        "A is better": _text(duel.a_fraction),
        "B is better": _text(duel.b_fraction),
        "Same": _text(duel.equal_fraction),
        "A over B, P10": _text(low),
        "P50": _text(middle),
        "P90": _text(high),
        "Verdict": "fragile" if duel.fragile else "holds",
    }


def _band_rows(done: Study) -> list[dict[str, str]]:
    return [
        {
            "Result": escaped(item.label),
            "Today": _text(item.today),
            "P10": _text(item.p10),
            "P50": _text(item.p50),
            "P90": _text(item.p90),
        }
        for item in bands(done)
        if item.p50.known or item.today.known
    ]
