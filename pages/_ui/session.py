"""What a visitor's session holds beside the inputs, and what is asked of it everywhere.

What each widget holds, the inputs in an entry of their own (`held`), and names that begin with "_" for the rest. All
that outlives a reload of the code is a plain value; a result of long work (`jobs`) is an object, and made again at will.
"""

from __future__ import annotations

import contextlib
import functools
import time
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, date, datetime
from typing import Any, ParamSpec

import streamlit as st

from pages._ui.address import Link
from planner.core.errors import PlannerError
from planner.inputs import Input, inputs_for
from planner.review import Role, allows

P = ParamSpec("P")
DEFAULTS: dict[str, Any] = {
    "ui.section": "Checkpoints",
    "ui.group": "Cluster",
    "ui.search": "",
    "ui.binary": False,
    "ui.more": False,
    "ui.job": 0,
    "save.author": "",
    "save.note": "",
    "designs.search": "",
    "designs.archived": False,
    "designs.page": 1,
    "designs.view": "Saved designs",
    "compare.count": 2,
    "compare.differing": True,
    "method.subject": "",
    "method.search": "",
    "method.view": "Formulas",
    "method.constants": "",
    "method.checked": "",
    "method.inputs": "",
    "method.ruled": "",
    "catalogue.kind": "drives",
    "catalogue.set": "catalogue-2026",
    "catalogue.filter": "",
    "catalogue.show": "All",
    "catalogue.organisation": "",
    "review.view": "State",
    "review.note": "",
    "explore.view": "Sweep",
    "explore.x": "jobs.0.checkpoint.interval_s",
    "explore.x.low": "5 min",
    "explore.x.high": "4 h",
    "explore.x.steps": "60",
    "explore.x.log": True,
    "explore.y": "none",
    "explore.y.low": "",
    "explore.y.high": "",
    "explore.y.steps": "40",
    "explore.y.log": False,
    "explore.figure": "goodput_fraction",
    "optimum.objectives": ["cost", "power", "stall", "rack-units"],
    "optimum.cost": "",
    "optimum.power": "",
    "optimum.stall": "",
    "optimum.rack-units": "",
    "optimum.goodput": "",
    "optimum.lost": True,
    "optimum.wide": False,
    "optimum.platform": [],
    "optimum.drive": [],
    "optimum.protection": [],
    "optimum.transport": [],
    "optimum.link": "",
    "optimum.interval": "",
    "optimum.avoid": ["BW-2", "BW-3", "CAP-2", "NET-2", "PRT-1", "PRT-3"],
    "optimum.across": "cost",
    "optimum.up": "stall",
    "growth.years": "5",
    "growth.gpu": "25 %",
    "growth.parameter": "40 %",
    "growth.dataset": "30 %",
    "explore.result": "whole_usd",
    "explore.storage": "Sized anew for every value",
    "explore.seed": "1",
    "explore.samples": "10000",
    "explore.against": "none",
}
"""Widgets that are no input of the scenario, kept in the same way."""


OPENED = "_opened"
"""How often something was opened in this session: tells one design that was never saved from another."""


def get(key: str, default: object = None) -> Any:
    """A value of the session."""
    return st.session_state.get(key, default)


def put(key: str, value: object) -> None:
    """Set a value of the session; before its widget is drawn, or in a callback."""
    st.session_state[key] = value


def binary() -> bool:
    """Whether the visitor reads sizes in GiB and TiB."""
    return bool(get("ui.binary"))


def notify(line: str) -> None:
    """Keep a line to show on top of the next page."""
    st.session_state["_notices"] = [*get("_notices", []), line]


def take_notices() -> list[str]:
    """The lines to show, which are then forgotten."""
    lines: list[str] = st.session_state.pop("_notices", [])
    return list(dict.fromkeys(lines))


def guarded(function: Callable[P, None]) -> Callable[P, None]:
    """A callback whose refusal is shown as one line."""

    @functools.wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            function(*args, **kwargs)
        except PlannerError as error:
            notify(error.called(_LABELS).message)

    return call


@contextlib.contextmanager
def calling(labels: Mapping[str, str]) -> Iterator[None]:
    """Refusals of what is done inside call each field what the screen calls it.

    Args:
        labels: Label of the widget by the name that the store has for the field.
    """
    try:
        yield
    except PlannerError as error:
        raise error.called(labels) from None


_LABELS = {"author": "Your name"}
"""What every screen calls a field of the store."""


def link() -> Link:
    """What is open."""
    return Link(*get("_link"))


def changed() -> bool:
    """Whether what is open is not a saved revision as it was saved."""
    return link().design is None or bool(link().draft) or bool(get("_changed"))


def may(needed: Role) -> bool:
    """Whether the visitor may do what a role is needed for; the store asks again when it is done."""
    return allows(get("_role", "viewer"), needed)


def inputs() -> tuple[Input, ...]:
    """Every input of the scenario with the jobs that it has."""
    return inputs_for(int(get("_jobs", 1)))


def job() -> int:
    """Number of the job whose inputs are in view, from 0."""
    return min(int(get("ui.job") or 0), int(get("_jobs", 1)) - 1)


def auto_key(path: str) -> str:
    """Session key that says whether a field is AUTO."""
    return f"{path}#auto"


def go_on() -> None:
    """Go to the page that a callback asked for."""
    wanted = st.session_state.pop("_go", None)
    if wanted:
        st.switch_page(wanted, query_params=st.query_params.to_dict())


def today() -> date:
    """The day, in UTC."""
    return datetime.now(UTC).date()


def moved() -> None:
    """Remember that the session went on by itself: the address follows it for a while."""
    put("_moved_at", time.monotonic())
