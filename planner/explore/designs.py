"""Designs that differ in numbers alone: one ordinary plan is followed, and its formulas are applied to all rows.

What decides (the scenario's own rules, the sections, the review) is the code that makes one plan.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel

from planner.catalogue import Catalogue
from planner.core.errors import PlannerError
from planner.core.tracing import UNKNOWN_TEXT, Decision, Traced, TracedText, Tracer, Tree, filled
from planner.explore.replay import Array, Frame, Way, ways
from planner.explore.results import (
    FIGURE_COLUMNS,
    MARK_COLUMNS,
    TEXT_COLUMNS,
    choices_of,
    figures_of,
    mark,
    marks_text,
)
from planner.findings.rules import NOTE_RULES, RULES
from planner.inputs import flatten, input_at, nest
from planner.plan import Plan, draft, plan
from planner.scenario import Scenario
from planner.scenario_json import scenario_from_dict

FEW_ROWS = 8
"""So many designs are planned one by one before following a plan pays."""
MANY_WAYS, ROWS_OF_A_WAY = 40, 8
"""After so many new ways in a block, a new one is followed only if those before had so many rows on average."""
MARKING = tuple(rule for rule in RULES if rule not in NOTE_RULES)
"""Rules of the review whose remarks count in a table."""
SAME = 1e-9
"""Relative difference up to which two figures are the same."""


@dataclass(frozen=True, slots=True)
class Table:
    """Columns of some designs.

    Attributes:
        figures: Numbers by column.
        texts: Words by column, as places in the list of words of each.
        words: The words of each column.
    """

    figures: dict[str, NDArray[np.float64]]
    texts: dict[str, NDArray[np.int32]]
    words: dict[str, list[str]]

    @classmethod
    def empty(cls, count: int) -> Table:
        """Room for so many designs."""
        return cls(
            {name: np.full(count, np.nan) for name in FIGURE_COLUMNS},
            {name: np.zeros(count, dtype=np.int32) for name in TEXT_COLUMNS},
            {name: [""] for name in TEXT_COLUMNS},
        )

    def word(self, column: str, text: str) -> int:
        """Place of a word among those of a column."""
        words = self.words[column]
        if text not in words:
            words.append(text)
        return words.index(text)

    def text(self, column: str, row: int) -> str:
        """The word of a row."""
        return self.words[column][int(self.texts[column][row])]

    def put(self, row: int, figures: Mapping[str, float], texts: Mapping[str, str]) -> None:
        """Fill in one design."""
        for name, number in figures.items():
            self.figures[name][row] = number
        for name, text in texts.items():
            self.texts[name][row] = self.word(name, text)

    def take(self, places: NDArray[np.intp], part: Table) -> None:
        """Fill in designs that were computed apart."""
        for name, numbers in part.figures.items():
            self.figures[name][places] = numbers
        for name, codes in part.texts.items():
            mapped = np.array([self.word(name, text) for text in part.words[name]], dtype=np.int32)
            self.texts[name][places] = mapped[codes]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a plan that was followed gives: numbers and words that may depend on the row."""

    figures: dict[str, Any]
    choices: dict[str, Any]
    rules: tuple[Traced, ...]


@dataclass(frozen=True, slots=True)
class Failure:
    """Why the designs on a way cannot be computed."""

    text: str


def same_figures(table: Table, row: int, alone: Table) -> bool:
    """Whether a design of a block has the figures that it has when it is planned by itself."""
    return all(
        np.isclose(table.figures[name][row], alone.figures[name][0], rtol=SAME, atol=0, equal_nan=True)
        for name in FIGURE_COLUMNS
    )


class Designs:
    """A scenario with some numbers left open."""

    def __init__(
        self, scenario: Scenario, catalogue: Catalogue, fixed: Mapping[str, Any], paths: Iterable[str]
    ) -> None:
        """The scenario with what is fixed; the paths are those of the numbers that stay open."""
        self.catalogue = catalogue
        self.flat = {**flatten(scenario), **fixed}
        self.paths = tuple(paths)
        self.tracer = Tracer(self.paths)
        self.tree = Tree()
        self.open_scenario = scenario
        for path, value in (*fixed.items(), *self.tracer.inputs.items()):
            self.open_scenario = placed(self.open_scenario, path.split("."), value)
        self._whole = frozenset(path for path in self.paths if _is_whole(path))

    # --- one design ------------------------------------------------------------------------------------------

    def changes(self, numbers: Mapping[str, NDArray[np.float64]], row: int) -> dict[str, float | int]:
        """The open numbers of a row, counts as whole ones."""
        return {
            path: int(column[row]) if path in self._whole else float(column[row])
            for path, column in numbers.items()
        }

    def scenario(self, changes: Mapping[str, Any]) -> Scenario:
        """The scenario of a row.

        Raises:
            PlannerError: Its values do not go together.
        """
        return scenario_from_dict(nest({**self.flat, **changes}))

    def plan_one(self, table: Table, row: int, changes: Mapping[str, Any]) -> None:
        """Plan one design by itself."""
        try:
            done = plan(self.scenario(changes), self.catalogue)
        except PlannerError as error:
            table.put(row, dict.fromkeys(FIGURE_COLUMNS, np.nan), dict.fromkeys(TEXT_COLUMNS, ""))
            table.put(row, {}, {"reason": error.message})
            return
        marks = tuple(found for finding in done.reviewed if (found := mark(finding)) is not None)
        table.put(
            row,
            {name: item.number for name, item in figures_of(done).items()},
            choices_of(done)
            | {name: marks_text(marks, name.removesuffix("s")) for name in MARK_COLUMNS}
            | {"reason": ""},
        )

    def one_by_one(self, numbers: Mapping[str, NDArray[np.float64]], count: int) -> Table:
        """Designs of a block, each planned by itself."""
        table = Table.empty(count)
        for row in range(count):
            self.plan_one(table, row, self.changes(numbers, row))
        return table

    # --- all of them -----------------------------------------------------------------------------------------

    def table(self, numbers: Mapping[str, NDArray[np.float64]], count: int) -> Table:
        """All designs of a block.

        Args:
            numbers: The open numbers by path, one for each design.
            count: How many designs there are.
        """
        fresh = self.tree.test is None and self.tree.end is None
        if not self.paths or (count <= FEW_ROWS and fresh):
            return self.one_by_one(numbers, count)
        table = Table.empty(count)
        nodes = self.tracer.inputs
        frame = Frame(np.arange(count), {nodes[path].index: column for path, column in numbers.items()})
        patience = _Patience()
        with np.errstate(all="ignore"):
            for way in ways(self.tracer, self.tree, self._run, frame, enough=patience.ends):
                patience.count(way)
                self._fill(table, numbers, way)
        return table

    def _run(self) -> Outcome | Failure:
        """The plan that is followed, as far as a table needs it."""
        try:
            check_together(self.open_scenario)
            done = draft(self.open_scenario, self.catalogue)
            figures = {name: item.value for name, item in figures_of(done).items()}
            choices = dict(choices_of(done))
        except (PlannerError, ValueError) as error:
            return Failure(str(error))
        rules = tuple(self.tracer.node(Decision(_marks_by(rule, done)), ()) for rule in MARKING)
        return Outcome(figures, choices, rules)

    def _fill(self, table: Table, numbers: Mapping[str, NDArray[np.float64]], way: Way) -> None:
        rows = way.frame.rows
        if not way.known:
            for row in rows:
                self.plan_one(table, row, self.changes(numbers, row))
        elif isinstance(way.end, Failure):
            self._fill_reasons(table, numbers, way.frame, way.end)
        else:
            for name, value in way.end.figures.items():
                table.figures[name][rows] = way.frame.values(value) if value.__class__ is Traced else value
            for name, text in way.end.choices.items():
                table.texts[name][rows] = _codes(table, name, text, way.frame)
            self._fill_marks(table, way.frame, way.end.rules)

    def _fill_marks(self, table: Table, frame: Frame, rules: tuple[Traced, ...]) -> None:
        """Codes of blockers and warnings: rows with the same remarks together."""
        mixed = np.zeros(frame.rows.shape, dtype=np.int64)
        lists: list[tuple[Any, ...]] = [()]
        for rule in rules:
            codes = frame.values(rule)
            outcomes = rule.function.outcomes  # type: ignore[union-attr]
            mixed, lists = _joined(mixed, lists, codes, outcomes)
        for name in MARK_COLUMNS:
            words = [table.word(name, marks_text(marks, name.removesuffix("s"))) for marks in lists]
            table.texts[name][frame.rows] = np.array(words, dtype=np.int32)[mixed]

    def _fill_reasons(
        self, table: Table, numbers: Mapping[str, NDArray[np.float64]], frame: Frame, failure: Failure
    ) -> None:
        """Why each row cannot be computed: the line of the first, with each row's own numbers in it."""
        first = int(frame.rows[0])
        self.plan_one(table, first, self.changes(numbers, first))
        line, pattern = table.text("reason", first), failure.text
        told = filled(pattern, self._shown(frame, 0))
        if not line or told not in line or UNKNOWN_TEXT in pattern:
            for row in frame.rows[1:]:
                self.plan_one(table, row, self.changes(numbers, row))
            return
        for place, row in enumerate(frame.rows):
            reason = line.replace(told, filled(pattern, self._shown(frame, place)))
            table.put(int(row), {}, {"reason": reason})

    def _shown(self, frame: Frame, place: int) -> Callable[[int], Any]:
        """The number of a node in one row as an error line shows it."""

        def number(index: int) -> Any:
            """From the index of a node, its value in that row; a whole number where it is an input that counts things."""
            node = self.tracer.nodes[index]
            value = frame.values(node)[place].item()
            return int(value) if node.function is None and node.operands[0] in self._whole else value

        return number


class _Patience:
    """When to stop following new ways: each one costs as much as several plans."""

    def __init__(self) -> None:
        self._ways: set[int] = set()
        self._rows = 0
        self._asked = False

    def ends(self, frame: Frame) -> bool:
        """Whether the rows of a frame are better planned one by one."""
        self._asked = True
        few = len(self._ways) >= MANY_WAYS and self._rows < ROWS_OF_A_WAY * len(self._ways)
        return few and len(frame.rows) < ROWS_OF_A_WAY * MANY_WAYS

    def count(self, way: Way) -> None:
        """Note a way that ended, if it was a new one."""
        if self._asked and way.known:
            self._ways.add(id(way.end))
            self._rows += len(way.frame.rows)
        self._asked = False


def check_together(part: BaseModel, *, checked: BaseModel | None = None) -> None:
    """Ask a scenario's parts whether their values go together, as they do when they are built.

    Args:
        part: What is asked, with all that it is made of.
        checked: What it was made out of: parts that are still the same need not be asked again.

    Raises:
        ValueError: They do not; the line says why.
    """
    if part is checked:
        return
    for name, value in vars(part).items():
        before = getattr(checked, name, None)
        if isinstance(value, tuple):
            for inner, known in zip_longest(value, before or ()):
                if isinstance(inner, BaseModel):
                    check_together(inner, checked=known)
        elif isinstance(value, BaseModel):
            check_together(value, checked=before)
    for rule in type(part).__pydantic_decorators__.model_validators:
        getattr(part, rule)()


def placed(place: Any, steps: list[str], value: Any) -> Any:
    """A part of a scenario with one value put in unchecked."""
    head, *rest = steps
    if isinstance(place, tuple):
        items = list(place)
        items[int(head)] = placed(items[int(head)], rest, value)
        return tuple(items)
    inner = placed(getattr(place, head), rest, value) if rest else value
    return place.model_copy(update={head: inner})


def _is_whole(path: str) -> bool:
    entry = input_at(path)
    return entry is not None and entry.kind == "count"


def _marks_by(rule: Callable[[Plan], Any], done: Plan) -> Callable[[], Any]:
    """What a rule of the review remarks on a plan, without its words.

    Each time on a plan of its own: what a plan makes when it is first asked for would else be made once, and the
    decisions on the way to it would be missing from every later time.
    """

    def marks() -> tuple[tuple[str, str], ...]:
        """Marks of what the rule finds on a plan that was made anew."""
        fresh = replace(done, jobs=tuple(replace(result) for result in done.jobs))
        return tuple(found for finding in rule(fresh) if (found := mark(finding)) is not None)

    return marks


def _codes(table: Table, name: str, text: Any, frame: Frame) -> Array | int:
    """Places of a choice among the words of its column."""
    if text.__class__ is not TracedText:
        return table.word(name, text)
    words = np.array([table.word(name, word) for word in text.names], dtype=np.int32)
    codes: Array = words[frame.values(text.place)]
    return codes


def _joined(
    mixed: NDArray[np.int64], lists: list[tuple[Any, ...]], codes: Array, outcomes: list[tuple[Any, ...]]
) -> tuple[NDArray[np.int64], list[tuple[Any, ...]]]:
    """Lists of remarks with one rule's added: which list each row has, and the lists."""
    first = int(codes[0])
    if (codes == first).all():
        return mixed, [(*marks, *outcomes[first]) for marks in lists] if outcomes[first] else lists
    pairs, mixed = np.unique(mixed * len(outcomes) + codes, return_inverse=True)
    return mixed, [
        (*lists[pair // len(outcomes)], *outcomes[pair % len(outcomes)]) for pair in pairs.tolist()
    ]
