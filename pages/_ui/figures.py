"""Figures on a screen: the metric with its change, the table, and the "why" that opens a figure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from pages._ui import answers, narrow, session
from pages._ui.markup import bold, escaped
from planner.core.quantity import Quantity, input_label, input_origin, input_text
from planner.core.units import Number
from planner.plan import Plan
from planner.summary import difference

MAX_DEPTH = 6
METRIC_WIDTH = 124


def text(item: Quantity) -> str:
    """A quantity as the visitor wants to read it, safe inside markup."""
    return escaped(item.text(binary=session.binary()))


def full(item: Quantity) -> str:
    """A quantity with all its digits, safe inside markup."""
    return escaped(item.text(digits=None, binary=session.binary()))


def metric(label: str, item: Quantity, baseline: Quantity | None, *, stale: bool = False) -> None:
    """A key figure, its change against the baseline, and the button that opens it."""
    change = difference(item, baseline, binary=session.binary()) if baseline is not None else ""
    value = f":gray[{text(item)}]" if stale else text(item)
    with st.container(width=METRIC_WIDTH, gap="xsmall"):
        st.metric(escaped(label), value)
        if change:
            st.caption(escaped(change))
        why_button(f"key.{label}", item)


def why_button(place: str, item: Quantity) -> None:
    """A button that opens formula, inputs and source of a figure; nothing is built before."""
    popover = st.popover("Why?", key=f"why.{place}", on_change="rerun", type="tertiary")
    if popover.open:
        with popover:
            why(place, item)


def why(place: str, item: Quantity, depth: int = 0) -> None:
    """Formula with the values of its inputs, source and grade; computed inputs open in the same way."""
    st.markdown(f"{bold(item.label)} = {full(item)}")
    rule = item.formula
    if rule is None:
        st.caption(escaped(f"Given: {item.source or 'stated'}" + (f" ({item.grade})" if item.grade else "")))
        return
    st.latex(rule.latex)
    st.caption(escaped(rule.summary))
    members = dict(item.inputs or {})
    table(
        [
            {
                "": f"${rule.symbols[name]}$",
                "Input": escaped(input_label(name, member)),
                "Value": _value(name, member),
                "Origin": escaped(input_origin(member)),
            }
            for name, member in members.items()
        ],
        alt=f"Inputs of {item.label}",
    )
    holds = f". Holds {rule.validity}" if rule.validity else ""
    # The name leads to the code: file and function of planner/sizing, and the entry on the Method page.
    st.caption(escaped(f"Source: {rule.source}{holds}. ") + f"Formula `{rule.name}`")
    if depth == 0:
        st.button(
            "Look it up on the Method page",
            key=f"method.{place}",
            on_click=_look_up,
            args=(rule.name,),
            type="tertiary",
            icon=":material/menu_book:",
        )
    if depth < MAX_DEPTH:
        for name, member in members.items():
            if isinstance(member, Quantity) and member.formula is not None:
                _inner(f"{place}.{name}", member, depth + 1)


def _look_up(formula: str) -> None:
    """The entry of a formula on the Method page: its symbols, an example, and values to compare it with."""
    session.put("method.search", formula)
    session.put("method.view", "Formulas")
    session.put("_go", "pages/method.py")


def _inner(place: str, item: Quantity, depth: int) -> None:
    expander = st.expander(f"Why {escaped(item.label)} = {text(item)}", key=f"why.{place}", on_change="rerun")
    if expander.open:
        with expander:
            why(place, item, depth)


def _value(name: str, member: Quantity | Number) -> str:
    """The value of an input with all its digits, in the scale that the visitor reads."""
    if isinstance(member, Quantity):
        return full(member)
    return escaped(input_text(name, member, digits=None, binary=session.binary()))


def why_one(place: str, items: Mapping[str, Quantity]) -> None:
    """One "why" for all figures of a section: choose the figure, see how it came about."""
    key = f"ui.why.{place}"
    names = list(items)
    if session.get(key) not in names:
        session.put(key, None)
    chosen = st.selectbox(
        "Why? Choose a figure",
        names,
        key=key,
        placeholder="Choose a figure to open its formula",
        persist_state="session",
        index=None,
    )
    if chosen is not None:
        with st.container(border=True):
            why(f"{place}.{chosen}", items[chosen])


def table(rows: Sequence[Mapping[str, str]], *, alt: str) -> None:
    """A table of texts that are safe inside markup already."""
    st.table(pd.DataFrame(list(rows)), hide_index=True, border="horizontal", alt=narrow.fit(rows, alt))


def quantity_rows(columns: Mapping[str, Mapping[str, Quantity]]) -> list[dict[str, str]]:
    """Rows of a table with a figure a line and a design, job or tier a column."""
    labels = dict.fromkeys(label for figures in columns.values() for label in figures)
    return [
        {"Figure": escaped(label)}
        | {
            escaped(name): text(figures[label]) if label in figures else ""
            for name, figures in columns.items()
        }
        for label in labels
    ]


def picture(chart: Callable[..., Any], plan: Plan, key: str) -> None:
    """A chart under its finding, with its text alternative.

    The finding stands as text above the chart: there it wraps at any width and can be read aloud.
    """
    made_of = plan.scenario.model_dump_json() + answers.catalogue().hash
    figure = _drawn(chart, plan, key, made_of, dark=dark(), binary=session.binary())
    shown(figure, key)


def shown(figure: Any, key: str, *, on_point: Callable[[Mapping[str, Any]], None] | None = None) -> None:
    """A figure under its finding, with its text alternative.

    Args:
        figure: The chart, made without its title.
        key: Key of its place on the screen.
        on_point: What a click on a point does, given the point: once, not with every run while it stays chosen.
    """
    told = figure.layout.meta

    def chosen() -> None:
        points = getattr(getattr(session.get(key), "selection", None), "points", None) or []
        if points and on_point is not None:
            on_point(points[0])

    st.markdown(bold(told["title"]))
    st.plotly_chart(
        figure,
        key=key,
        theme=None,
        config={"displayModeBar": False},
        alt=told["alt"],
        on_select=chosen if on_point is not None else "ignore",
        selection_mode="points",
    )


@st.cache_resource(max_entries=64, show_spinner=False)
def _drawn(
    _chart: Callable[..., Any], _plan: Plan, key: str, made_of: str, *, dark: bool, binary: bool
) -> Any:
    """The chart; kept, because most runs of a page change nothing in it."""
    del key, made_of  # what the chart is kept under
    return _chart(_plan, dark=dark, binary=binary, titled=False)


def dark() -> bool:
    """Whether the visitor's browser shows the dark theme."""
    return st.context.theme.type == "dark"
