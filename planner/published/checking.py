"""Another's value beside our own: every case worked out by the public formulas, once."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from planner.core.errors import PlannerError, nearest, shorten
from planner.core.units import format_value, parse_value
from planner.published.cases import ORIGIN_WORDS, Case, cases
from planner.published.methods import Method
from planner.published.subjects import METHODS

DIGITS = 5
"""Significant digits of a value beside another one."""
SAME_FRACTION = 1e-6
"""A smaller difference, which no digit shown would show, prints as none."""


@dataclass(frozen=True, slots=True)
class Check:
    """One figure against ours: printed somewhere, following from what is printed, or worked out a second way.

    Attributes:
        id: Id of the case.
        subject: Subject of the formula that gives the result, such as "cadence".
        quantity: What the figure is of.
        formulas: Names of the formulas that took part, the one that gives the result first.
        inputs: Inputs as a reader sees them.
        ours: Our value or values, in the planner's unit.
        published: Published ones.
        unit: Key of the unit in `planner.core.units.UNITS`.
        binary: Whether the source speaks of GiB and TiB.
        difference_fraction: Ours less the published value over it; of several the one nearest its limit.
        tolerance_fraction: Allowed size of that difference.
        passes: Whether all values lie within their tolerance.
        origin: "published", "derived" or "independent", as `planner.published.cases.ORIGINS`.
        source: Where the published value stands.
    """

    id: str
    subject: str
    quantity: str
    formulas: tuple[str, ...]
    inputs: str
    ours: tuple[float, ...]
    published: tuple[float, ...]
    unit: str
    binary: bool
    difference_fraction: float
    tolerance_fraction: float
    passes: bool
    origin: str
    source: str

    def ours_text(self) -> str:
        """Our value with its unit."""
        return self._text(self.ours)

    def published_text(self) -> str:
        """The published value with its unit."""
        return self._text(self.published)

    def difference_text(self) -> str:
        """The difference in percent of the published value, with its sign."""
        if abs(self.difference_fraction) < SAME_FRACTION:
            return format_value(0.0, "fraction")
        sign = "+" if self.difference_fraction > 0 else ""
        return sign + format_value(self.difference_fraction, "fraction", digits=2)

    def source_text(self) -> str:
        """The source, with a word before it if the value is not printed there."""
        before = {"derived": "follows from ", "independent": "worked out a second way: "}
        return before.get(self.origin, "") + self.source

    def _text(self, values: tuple[float, ...]) -> str:
        return ", ".join(
            format_value(value, self.unit, digits=DIGITS, binary=self.binary) for value in values
        )


def origins_text(found: Sequence[Check]) -> str:
    """How the values beside ours came about, each kind counted: "2 are printed in their source, 1 was …"."""
    counts = [(sum(check.origin == origin for check in found), told) for origin, told in ORIGIN_WORDS.items()]
    return ", ".join(f"{count} {told[count != 1]}" for count, told in counts if count)


def compared(case: Case) -> Check:
    """The check of a case, worked out anew.

    Raises:
        PlannerError: The case names no calculation, or an input or value that cannot be read.
    """
    method = method_of(case)
    result = np.atleast_1d(np.asarray(method.solve(case), dtype=float))
    ours, published = tuple(result.tolist()), case.expected(method.unit)
    if len(ours) != len(published):
        raise PlannerError(f"{case.id}: {len(ours)} results for {len(published)} published values")
    if 0.0 in published:
        raise PlannerError(
            f"{case.id}: a published value of 0 has no difference in percent", field="published"
        )
    absolute = parse_value(case.tolerance.absolute, method.unit, field=f"{case.id} tolerance")
    differences = [(own - told) / abs(told) for own, told in zip(ours, published, strict=True)]
    limits = [max(case.tolerance.relative_fraction, absolute / abs(told)) for told in published]
    # NaN is never within its limit, and is the one to show.
    within = [abs(difference) <= limit for difference, limit in zip(differences, limits, strict=True)]
    worst = max(
        range(len(ours)), key=lambda place: (not within[place], abs(differences[place]) / limits[place])
    )
    return Check(
        id=case.id,
        subject=method.formulas[0].name.partition(".")[0],
        quantity=case.quantity,
        formulas=tuple(formula.name for formula in method.formulas),
        inputs=case.inputs_text(),
        ours=ours,
        published=published,
        unit=method.unit,
        binary=any("iB" in value for value in case.published),
        difference_fraction=differences[worst],
        tolerance_fraction=limits[worst],
        passes=all(within),
        origin=case.origin,
        source=case.source,
    )


def method_of(case: Case) -> Method:
    """How a case is worked out.

    Raises:
        PlannerError: It names no calculation that is there.
    """
    if case.method not in METHODS:
        raise PlannerError(
            f"{case.id}: no calculation “{shorten(case.method)}”{nearest(case.method, METHODS)}",
            field="method",
        )
    return METHODS[case.method]


@functools.cache
def check(case_id: str) -> Check:
    """The check of the case of that id; worked out once."""
    return compared(cases()[case_id])


@functools.lru_cache(maxsize=1)
def _ids_by_formula() -> Mapping[str, tuple[str, ...]]:
    """Ids of the cases that each formula takes part in; those that it gives the result of come first."""
    found: dict[str, list[tuple[int, str]]] = {}
    for case in cases().values():
        if case.method:
            for place, formula in enumerate(method_of(case).formulas):
                found.setdefault(formula.name, []).append((min(place, 1), case.id))
    return {
        name: tuple(case_id for _, case_id in sorted(ids, key=lambda item: item[0]))
        for name, ids in found.items()
    }


def checks_of(formula_name: str) -> tuple[Check, ...]:
    """Checks that a formula takes part in, by its dotted name; empty if nothing is published about it.

    Only these cases are worked out, each once.
    """
    return tuple(check(case_id) for case_id in _ids_by_formula().get(formula_name, ()))


def subjects() -> tuple[str, ...]:
    """Subjects that have checks, by name."""
    return tuple(sorted({name.partition(".")[0] for name in _ids_by_formula()}))


def checks(subject: str = "") -> tuple[Check, ...]:
    """All checks in the order of the files.

    Args:
        subject: Only those in which a formula of this subject takes part ("cadence"), or this one formula
            ("cadence.young_interval_s").

    Raises:
        PlannerError: Nothing is published about that subject.
    """
    by_formula = _ids_by_formula()
    wanted = {
        case_id
        for name, ids in by_formula.items()
        if subject in ("", name, name.partition(".")[0])
        for case_id in ids
    }
    if not wanted:
        known = (*subjects(), *by_formula)
        hint = nearest(subject, known) or f"; one of {', '.join(subjects())}"
        raise PlannerError(f"no value to compare with for “{shorten(subject)}”{hint}", field="subject")
    return tuple(check(case_id) for case_id in cases() if case_id in wanted)
