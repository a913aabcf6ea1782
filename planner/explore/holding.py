"""How long each choice of the planner stays right: along every input that drives it, the nearest value with another.

No list says which input drives which choice. Every number of the design is moved over a hundred times less to a
hundred times more than today, and over its usual range; every word takes all that it may be. What changes a choice
drives it, whatever rule of the plan made it so.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from planner.catalogue import Catalogue, chosen_catalogue
from planner.core.quantity import Quantity
from planner.core.units import format_number, format_value
from planner.explore.axes import NUMBERS, must_tell
from planner.explore.designs import Designs, Table
from planner.explore.flips import POINTS, FlipPoint, Line
from planner.explore.outcomes import DECISIONS, Progress, inside
from planner.explore.ranges import bounds
from planner.explore.results import choices_of
from planner.explore.sweep import sweep
from planner.input_help import usual_ends
from planner.inputs import Input, input_at, inputs_for, value_at, value_words
from planner.plan import plan
from planner.scenario import Scenario
from planner.sections import architecture, transport
from planner.sections.spacing import BUDGET, FAILURES, FLUSH

CHOSEN: Mapping[str, str] = {column: name for column, (name, _) in DECISIONS.items()} | {
    "interval_binding": "Interval"
}
"""The choices that are looked at: column of a sweep, and what it is called."""
REACH_RATIO = 100.0
"""Values from so many times less to so many times more than today's are looked at."""
LEAST_SHARE = 1e-6
"""Where a range begins at 0, the first value above it, as a share of its end."""
DIGITS = 4
"""Significant digits of a value at which a choice changes: what one can still use."""
BILLION = 1e9
NO_PLAN = "no design that can be computed"
_INTERVALS = {
    FAILURES: "an interval by failures and stalls",
    BUDGET: "an interval by the waste budget",
    FLUSH: "an interval by the flush",
}


@dataclass(frozen=True, slots=True)
class Hold:
    """One choice along one number.

    Attributes:
        path: Path of the input.
        label: What the input is called.
        unit: Key of its unit.
        choice: Column of the choice.
        now: The choice today.
        today: The value of the input today.
        low: Where the values begin that were looked at.
        high: Where they end.
        below: The nearest change under today's value; None if there is none.
        above: The nearest one over it.
    """

    path: str
    label: str
    unit: str
    choice: str
    now: str
    today: float
    low: float
    high: float
    below: FlipPoint | None
    above: FlipPoint | None

    def shown(self, value: float) -> str:
        """A value of the input as it is printed; parameters in billions, as they are named."""
        if (self.unit or "count") == "count" and abs(value) >= BILLION:
            return f"{format_number(value / BILLION, DIGITS)}\u00a0B"
        return format_value(value, self.unit or "count", digits=DIGITS)

    @property
    def span(self) -> str:
        """Where the choice is right: "between 64 and 1 507"."""
        if self.below is not None and self.above is not None:
            return f"between {self.shown(self.below.above)} and {self.shown(self.above.below)}"
        if self.above is not None:
            return f"up to {self.shown(self.above.below)}"
        assert self.below is not None
        return f"from {self.shown(self.below.above)} on"


@dataclass(frozen=True, slots=True)
class Turn:
    """One choice by one word.

    Attributes:
        path: Path of the input.
        label: What the input is called.
        choice: Column of the choice.
        now: The choice today.
        today: The word today as the scenario has it; "AUTO" where none is stated.
        others: Other words that change the choice, each with what it is then.
    """

    path: str
    label: str
    choice: str
    now: str
    today: str
    others: tuple[tuple[str, str], ...]

    @property
    def grouped(self) -> dict[str, tuple[str, ...]]:
        """The words that lead to each other choice."""
        found: dict[str, tuple[str, ...]] = {}
        for value, word in self.others:
            found[word] = (*found.get(word, ()), value)
        return found


@dataclass(frozen=True, slots=True)
class Holding:
    """What drives the choices of a design.

    Attributes:
        now: The choices today, by column.
        stated: Columns of those that the architect states: nothing moves them.
        holds: Choices along numbers, in the order of the choices.
        turns: Choices by words, in the same order.
        looked_count: Inputs that were moved.
        input_count: Inputs that there are to move: one without a value in the design is none.
    """

    now: Mapping[str, str]
    stated: tuple[str, ...]
    holds: tuple[Hold, ...]
    turns: tuple[Turn, ...]
    looked_count: int
    input_count: int


def holding(
    scenario: Scenario, *, catalogue: Catalogue | None = None, progress: Progress | None = None
) -> Holding:
    """How long each choice stays right, along every input of a design that changes it.

    Args:
        scenario: The design.
        catalogue: The rows to choose from; the shipped ones if not given.
        progress: Told after each input how many are done, and of how many; the work ends with what it has when it
            returns False.

    Raises:
        PlannerError: The design cannot be planned.
    """
    must_tell(progress)
    rows = chosen_catalogue(catalogue)
    done = plan(scenario, rows)
    found = choices_of(done)
    now = {column: found[column] for column in CHOSEN}
    own = {column: path for column, (_, path) in DECISIONS.items()}
    stated = tuple(column for column, path in own.items() if value_at(scenario, path) is not None)
    free = tuple(column for column in CHOSEN if column not in stated)
    inputs = list(_inputs(scenario, done.auto))
    holds: list[Hold] = []
    turns: list[Turn] = []
    looked = 0
    for entry, today in inputs:
        columns = [column for column in free if own.get(column) != entry.path]
        if isinstance(today, float):
            holds += _along(scenario, rows, entry, today, {column: now[column] for column in columns})
        else:
            turns += _by_words(scenario, rows, entry, {column: now[column] for column in columns})
        looked += 1
        if progress is not None and progress(looked, len(inputs)) is False:
            break
    order = list(CHOSEN)
    return Holding(
        now,
        stated,
        tuple(sorted(holds, key=lambda item: order.index(item.choice))),
        tuple(sorted(turns, key=lambda item: order.index(item.choice))),
        looked,
        len(inputs),
    )


def named(column: str, word: str, catalogue: Catalogue) -> str:
    """What a choice is called.

    Args:
        column: Its column in a sweep.
        word: What a sweep has there; empty where a design cannot be computed.
        catalogue: The rows that platforms and protection come from.
    """
    if not word:
        return NO_PLAN
    if column == "platform" and word in catalogue.platforms:
        return catalogue.platforms[word].name
    if column == "protection":
        return (
            catalogue.protection[word].label
            if word in catalogue.protection
            else "the platform's own protection"
        )
    return {"transport": transport.LABELS, "architecture": architecture.LABELS}.get(column, _INTERVALS).get(
        word, word
    )


def called(turn: Turn, value: str, catalogue: Catalogue) -> str:
    """What a word of an input is called: the name of a row of the catalogue, the words of a choice."""
    item = input_at(turn.path)
    return value if item is None else value_words(item, value, catalogue)


def turn_of(turn: Turn, catalogue: Catalogue, *, most: int = 3) -> str:
    """Which words change a choice, and into what: "yes: NVMe-oF over TCP".

    Args:
        turn: The input and its words.
        catalogue: The rows that platforms and protection come from.
        most: Words that are named for each choice; the others are counted.
    """
    told = []
    for word, values in turn.grouped.items():
        more = f" and {len(values) - most} more" if len(values) > most else ""
        names = " or ".join(called(turn, value, catalogue) for value in values[:most])
        told.append(f"{names}{more}: {named(turn.choice, word, catalogue)}")
    return "; ".join(told)


def sentence_of(hold: Hold, catalogue: Catalogue) -> str:
    """Where a choice is right, and what is right beyond, as one sentence."""
    name = named(hold.choice, hold.now, catalogue)
    told = f"{name[:1].upper()}{name[1:]} is right {hold.span} of {inside(hold.label)} (today {hold.shown(hold.today)})"
    return f"{told}; {beyond(hold, catalogue)}."


def beyond(hold: Hold, catalogue: Catalogue) -> str:
    """What is right where the choice of today no longer is: "below it NVMe-oF over TCP"."""
    sides = []
    if hold.below is not None:
        sides.append(f"below it {named(hold.choice, hold.below.before, catalogue)}")
    if hold.above is not None:
        sides.append(f"above it {named(hold.choice, hold.above.after, catalogue)}")
    return ", ".join(sides)


# --- the inputs ----------------------------------------------------------------------------------------------


def _inputs(scenario: Scenario, derived: Mapping[str, Any]) -> Iterator[tuple[Input, float | str]]:
    """Inputs that can be moved: numbers with their value today, and words."""
    for entry in inputs_for(len(scenario.jobs)):
        if entry.kind not in NUMBERS:
            if entry.kind in ("choice", "flag") or entry.catalogue:
                yield entry, ""
            continue
        today = value_at(scenario, entry.path)
        if today is None:
            item = derived.get(entry.path)
            today = item.number if isinstance(item, Quantity) and item.known else None
        least, most = bounds(entry)
        # What AUTO came to may be more than anybody can state: nothing can be moved from there.
        if today is not None and math.isfinite(today) and least <= today <= most:
            yield entry, float(today)


def _label(scenario: Scenario, entry: Input) -> str:
    """What an input is called; with the job's name where there are several."""
    if entry.path.startswith("jobs.") and len(scenario.jobs) > 1:
        return f"{entry.label}, {scenario.jobs[int(entry.path.split('.')[1])].name}"
    return entry.label


def reach(entry: Input, today: float, catalogue: Catalogue) -> NDArray[np.float64]:
    """Values of a number that are looked at first: around today's and over its usual range, today's among them."""
    least, most = bounds(entry)
    usual = usual_ends(entry, catalogue) or (today, today)
    low = max(min(today / REACH_RATIO, usual[0]), least)
    high = min(max(today * REACH_RATIO, usual[1]), most)
    if entry.kind == "count":
        low, high = max(math.floor(low), math.ceil(least)), math.floor(high)
    if high <= 0 and math.isfinite(most):
        high = most  # off today, without a usual range: all that is allowed
    start = low if low > 0 else high * LEAST_SHARE
    if not 0 < start < high:
        return np.array([today])
    values = np.append(np.geomspace(start, high, POINTS), [low, today])
    values = np.clip(np.rint(values) if entry.kind == "count" else values, low, high)
    return np.unique(values)


# --- along a number ------------------------------------------------------------------------------------------


def _along(
    scenario: Scenario, catalogue: Catalogue, entry: Input, today: float, now: Mapping[str, str]
) -> Iterator[Hold]:
    """The choices that change along a number, each with the nearest change on either side."""
    values = reach(entry, today, catalogue)
    if len(values) < 2:
        return
    line = Line(Designs(scenario, catalogue, {}, [entry.path]), entry.path, whole=entry.kind == "count")
    table = line.table(values)
    place = int(np.searchsorted(values, today))
    for column, word in now.items():
        if table.text(column, place) != word:
            continue  # stating what AUTO came to makes another design: today stands on neither side
        below, above = _nearest(entry.path, column, values, table, place)
        if below is None and above is None:
            continue
        yield Hold(
            path=entry.path,
            label=_label(scenario, entry),
            unit=entry.unit,
            choice=column,
            now=word,
            today=today,
            low=float(values[0]),
            high=float(values[-1]),
            below=None if below is None else _narrowed(line, below, word),
            above=None if above is None else _narrowed(line, above, word),
        )


def _nearest(
    path: str, column: str, values: NDArray[np.float64], table: Table, place: int
) -> tuple[FlipPoint | None, FlipPoint | None]:
    """The values next to today's between which a choice changes, on either side."""
    codes = table.texts[column]
    known = codes != table.word(column, "")  # a design that cannot be computed chooses nothing else
    other = np.flatnonzero(known & (codes != codes[place]))

    def between(*rows: int) -> FlipPoint:
        """The change from one row of the table to another."""
        low, high = rows
        before, after = table.text(column, low), table.text(column, high)
        return FlipPoint(path, column, float(values[low]), float(values[high]), before, after)

    under, over = other[other < place], other[other > place]
    same = np.flatnonzero(codes == codes[place])
    return (
        between(int(under[-1]), int(same[same > under[-1]][0])) if under.size else None,
        between(int(same[same < over[0]][-1]), int(over[0])) if over.size else None,
    )


def _narrowed(line: Line, point: FlipPoint, now: str) -> FlipPoint:
    """The change between two values as near to today's side as numbers go, as plans themselves have it."""

    def planned(value: float) -> str:
        """The choice at a value, by a plan of that one design."""
        table = Table.empty(1)
        line.designs.plan_one(table, 0, line.designs.changes({line.path: np.array([value])}, 0))
        return table.text(point.choice, 0)

    def followed(value: float) -> str:
        """The choice at a value, by following the calculation of today's design."""
        return line.table(np.array([value])).text(point.choice, 0)

    found = _halved(line, point, now, followed)
    if planned(found.below) == found.before and planned(found.above) == found.after:
        return found
    # A hair's breadth between one number and an array of them decided otherwise: the plan's own word counts.
    return _halved(line, point, now, planned)


def _halved(line: Line, point: FlipPoint, now: str, word_at: Callable[[float], str]) -> FlipPoint:
    while not line.near(point):
        middle = line.middle(point)
        word = word_at(middle)
        if (word == now) == (point.before == now):
            point = replace(point, below=middle, before=word)
        else:
            point = replace(point, above=middle, after=word)
    return point


# --- by words ------------------------------------------------------------------------------------------------


def _by_words(
    scenario: Scenario, catalogue: Catalogue, entry: Input, now: Mapping[str, str]
) -> Iterator[Turn]:
    """The choices that another word of an input changes."""
    values = _words(entry, catalogue)
    if not values or not now:
        return
    table = sweep(scenario, {entry.path: values}, catalogue=catalogue)
    for column, word in now.items():
        found = [str(other) for other in table[column]]
        others = tuple(
            (_word(value), other)
            for value, other in zip(values, found, strict=True)
            if other not in (word, "")
        )
        if others:
            today = _word(value_at(scenario, entry.path))
            yield Turn(entry.path, _label(scenario, entry), column, word, today, others)


def _word(value: Any) -> str:
    """A value of an input that is no number, as the scenario has it."""
    if value is None:
        return "AUTO"
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def _words(entry: Input, catalogue: Catalogue) -> Sequence[Any]:
    if entry.catalogue:
        return list(getattr(catalogue, entry.catalogue))
    return [False, True] if entry.kind == "flag" else list(entry.choices)
