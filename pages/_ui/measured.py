"""What was measured: the files that a visitor drops, those that are kept with the open revision, and what they say."""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

import streamlit as st

from pages._ui import answers, baseline, session, stating
from pages._ui.session import guarded
from planner.core.errors import PlannerError
from planner.inputs import value_at
from planner.plan import Plan
from planner.review import RegisterItem
from planner.review.as_built import AsBuilt, Feedback
from planner.store import Measured
from planner.telemetry.as_built import as_built
from planner.telemetry.kept import free_name, gathered, readings_json, readings_of
from planner.telemetry.reading import Reading, read_measurements

MAX_MB = 100
"""Largest file that is taken; `planner.telemetry.source` reads no larger one."""


@dataclass(frozen=True, slots=True)
class Dropped:
    """Files that a visitor dropped, read.

    Attributes:
        readings: What was read, by the name of the file.
        errors: A line for each file that could not be.
    """

    readings: Mapping[str, Reading]
    errors: tuple[str, ...]


def dropped(files: Sequence[Any]) -> Dropped:
    """Read what was dropped; each file is read once, however often the page is drawn."""
    readings: dict[str, Reading] = {}
    errors: list[str] = []
    # A browser gives the files of a folder in an order of its own.
    for file in sorted(files, key=lambda file: str(file.name)):
        try:
            readings[free_name(file.name, readings)] = _reading(file, file.file_id, file.name)
        except PlannerError as error:
            errors.append(error.message)
    return Dropped(readings, tuple(errors))


@st.cache_resource(max_entries=4096, show_spinner="Reading")
def _reading(_file: Any, file_id: str, name: str) -> Reading:
    del file_id  # the key: a file that was dropped never changes
    return read_measurements(_file.getvalue(), name=name)


# --- what is kept -----------------------------------------------------------------------------------


def opened_revision() -> tuple[int, int] | None:
    """Design and revision that are open as they were saved; None for a draft."""
    link = session.link()
    if link.design is None or link.revision is None or session.changed():
        return None
    return link.design, link.revision


def kept(*, withdrawn: bool = False) -> tuple[Measured, ...]:
    """What is kept with the open revision; nothing for a draft.

    Raises:
        PlannerError: The store cannot be read.
    """
    opened = opened_revision()
    return answers.store().measurements(*opened, withdrawn=withdrawn) if opened else ()


def built(plan: Plan, *, fresh: Mapping[str, Reading] | None = None, day: date | None = None) -> AsBuilt:
    """What was built, held against the plan: what is kept, and beside it what was just dropped.

    Args:
        plan: The plan of what is open.
        fresh: What was dropped and is not kept yet.
        day: Day on which that was read.

    Raises:
        PlannerError: The store cannot be read, or what is kept is damaged.
    """
    read_on = day or session.today()
    together = gathered(
        [(item.measured_on, _kept_readings(item.content_json)) for item in kept()],
        fresh=(read_on, fresh) if fresh else None,
    )
    days = together.days
    return as_built(
        plan,
        together.readings,
        measured_on=max(days.values(), default=read_on),
        days=days,
        turns=together.turns,
    )


@functools.lru_cache(maxsize=64)
def _kept_readings(content_json: str) -> dict[str, Reading]:
    return readings_of(content_json)


@guarded
def keep(readings: Mapping[str, Reading], day: date) -> None:
    """Keep what was dropped with the open revision."""
    opened = opened_revision()
    if opened is None:
        raise PlannerError("Not kept: the results belong to a saved revision; save the design first.")
    found = answers.store().add_measurements(
        *opened,
        readings_json(readings),
        measured_on=day,
        note=str(session.get("delivery.note") or ""),
        author=str(session.get("save.author") or ""),
    )
    # A new key empties the uploaders: what they held is kept now.
    session.put("_delivery_round", int(session.get("_delivery_round", 0)) + 1)
    session.put("delivery.note", "")
    session.notify(
        f"Kept with revision {found.revision}: measurements {found.id}. They are part of its PDF now."
    )


@guarded
def withdraw(number: int) -> None:
    """Let measurements count no longer."""
    answers.store().withdraw_measurements(number, author=str(session.get("save.author") or ""))
    session.notify(f"Measurements {number} count no longer; they are kept.")


# --- into the design --------------------------------------------------------------------------------


def is_taken(plan: Plan, item: Feedback) -> bool:
    """Whether the design has the measured figure already, to the digits that a field keeps."""
    now = value_at(plan.scenario, item.path)
    return isinstance(now, int | float) and math.isclose(item.value.number, now, rel_tol=1e-3)


@guarded
def take_over(item: Feedback, scenario_json: str) -> None:
    """Make a measured figure an input, with its origin in the note and in the register of a saved design."""
    told = f"{item.label} {item.value} as measured on {item.origin}; {item.today} before"
    baseline.pin(scenario_json, "before the measurement")
    stating.set_value(item.path, item.value.number)
    session.moved()
    note = str(session.get("save.note") or "")
    session.put("save.note", f"{note}\n{told}".strip())
    opened = session.link()
    if opened.design is not None:
        try:
            answers.store().add_entry(
                opened.design,
                RegisterItem(kind="assumption", text=told, subject=item.path),
                author=str(session.get("save.author") or ""),
            )
        except PlannerError as error:
            session.notify(f"Not in the register: {error.message}")
    session.notify(
        f"{told}. It is MANUAL now, and the Plan screen shows what changes against the design before."
    )
