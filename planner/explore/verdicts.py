"""What the draws of a study say: bands, what holds, which of two designs is better, and what drives a result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from planner.core.errors import PlannerError, must_be
from planner.core.quantity import Quantity, given
from planner.core.units import format_value
from planner.explore.outcomes import DECISIONS, RESULTS, result_of
from planner.explore.ranges import PRICES, Range, Samples
from planner.explore.uncertainty import Study
from planner.inputs import value_at

PERCENTILES = (10, 50, 90)
FRAGILE_FRACTION = 0.1
"""A recommendation is fragile if it is another one in more than this share of draws, beyond P10 or P90."""
SAME = 1e-9
"""Two results of a draw that differ by less than this share are equal."""
_BINS = 32
"""Slices of a factor: of the fewest draws of a study each holds three, and pure chance is taken off."""


@dataclass(frozen=True, slots=True)
class Band:
    """What a result may be: it lies below P10 in a tenth of all draws, and above P90 in a tenth.

    Attributes:
        today: The result as the design stands, with prices in the middle of their ranges.
    """

    column: str
    label: str
    today: Quantity
    p10: Quantity
    p50: Quantity
    p90: Quantity


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a choice of AUTO holds in the whole band.

    Attributes:
        name: What is chosen.
        today: The choice of the design as it stands.
        shares: Share of the draws with each choice, the most frequent first.
        auto: The planner chose it; a stated choice does not flip.
        fragile: Another one is chosen in more than a tenth of the draws.
    """

    name: str
    today: str
    shares: Mapping[str, float]
    auto: bool
    fragile: bool

    @property
    def text(self) -> str:
        """The verdict as one sentence."""
        if not self.auto:
            return f"{self.name}: {self.today}, stated."
        others = [f"{word} in {_share(part)}" for word, part in self.shares.items() if word != self.today]
        kept = f"{self.name}: {self.today} in {_share(self.shares.get(self.today, 0.0))} of the draws"
        told = f"{kept}, {', '.join(others)}" if others else kept
        return f"{told}: {'fragile' if self.fragile else 'holds'}."


@dataclass(frozen=True, slots=True)
class Duel:
    """Two designs on the same draws.

    Attributes:
        a_fraction: Chance that A is the better one.
        b_fraction: Chance that B is.
        equal_fraction: Chance that they are the same.
        count: Draws in which both can be computed.
        gain: How much larger the result of A is than that of B, as a band.
        fragile: Neither is the better in nine draws of ten, though they differ in more than a tenth of them.
        stated: Uncertain inputs that the two designs state otherwise and that were drawn alike for both.
    """

    column: str
    label: str
    a_fraction: Quantity
    b_fraction: Quantity
    equal_fraction: Quantity
    count: int
    gain: tuple[Quantity, Quantity, Quantity]
    fragile: bool
    stated: tuple[str, ...]

    @property
    def text(self) -> str:
        """The verdict as one sentence."""
        if not self.count:
            return f"{self.label}: there is no draw in which both can be computed."
        a, b = self.a_fraction.number, self.b_fraction.number
        name, share = ("A", a) if a >= b else ("B", b)
        if a == b == 0:
            return f"{self.label}: both are the same in every draw."
        end = "the recommendation is fragile" if self.fragile else "the recommendation holds"
        return f"{self.label}: {name} is better in {_share(share)} of the draws; {end}."


@dataclass(frozen=True, slots=True)
class Driver:
    """How much of a result's variance one factor alone explains."""

    factor: str
    label: str
    share: Quantity


def _share(part: float) -> str:
    return format_value(part, "fraction", digits=2)


def _must_be_study(value: object) -> None:
    must_be(value, Study, field="study", form="what study gives")


def band(done: Study, column: str) -> Band:
    """P10, P50 and P90 of a result over the draws that can be computed.

    Raises:
        PlannerError: There is no such result.
    """
    _must_be_study(done)
    result = result_of(column)
    ends = _percentiles(done.values(column))
    p10, p50, p90 = (
        given(value, result.unit, f"{result.label}, P{name}", source=done.told, grade="inferred")
        for name, value in zip(PERCENTILES, ends, strict=True)
    )
    today = given(
        float(done.today[column]),
        result.unit,
        result.label,
        source="the plan of the design as it stands, prices in the middle of their ranges",
        grade="inferred",
    )
    return Band(column, result.label, today, p10, p50, p90)


def bands(done: Study) -> tuple[Band, ...]:
    """The bands of every result."""
    return tuple(band(done, column) for column in RESULTS)


def _percentiles(values: Samples) -> list[float]:
    known = values[np.isfinite(values)]
    if not known.size:
        return [float("nan")] * len(PERCENTILES)
    found: list[float] = np.percentile(known, PERCENTILES).tolist()
    return found


def feasible(done: Study) -> Quantity:
    """Share of the draws whose design has no blocker."""
    _must_be_study(done)
    return given(
        float(done.table["feasible"].mean()) if done.count else None,
        "fraction",
        "Draws without a blocker",
        source=done.told,
        grade="inferred",
    )


def blockers(done: Study) -> dict[str, float]:
    """Share of the draws with each blocker, the most frequent first; "PLAN" where no plan can be made."""
    _must_be_study(done)
    found: dict[str, float] = {}
    for word, share in done.table["blockers"].value_counts(normalize=True).items():
        for code in str(word).split():
            found[code] = found.get(code, 0.0) + float(share)
    failed = float((done.table["reason"].astype(str) != "").mean())
    if failed:
        found["PLAN"] = failed
    return dict(sorted(((code, share) for code, share in found.items() if share), key=lambda item: -item[1]))


def verdicts(done: Study) -> tuple[Verdict, ...]:
    """Whether each choice of AUTO holds in the whole band."""
    _must_be_study(done)
    planned = done.table["reason"].astype(str) == ""
    found = []
    for column, (name, path) in DECISIONS.items():
        counted_words = done.table.loc[planned, column].astype(str).value_counts(normalize=True)
        shares = {str(word): float(share) for word, share in counted_words.items() if share}
        today = str(done.today[column])
        auto = value_at(done.scenario, path) is None
        fragile = auto and shares.get(today, 0.0) < 1.0 - FRAGILE_FRACTION
        found.append(Verdict(name, today, shares, auto, fragile))
    return tuple(found)


def against(first: Study, second: Study, column: str) -> Duel:
    """The chance that design A beats design B, and by how much, on the same draws.

    Draws in which one of them cannot be computed are left out; where a study was stopped, so are the draws that
    the other has more.

    Raises:
        PlannerError: The result has no better end, or the two have different seeds or numbers of draws.
    """
    _must_be_study(first)
    _must_be_study(second)
    result = result_of(column)
    if not result.better:
        raise PlannerError(f"{result.label}: neither more nor less of it is better; choose another result")
    if (first.seed, first.asked_count) != (second.seed, second.asked_count):
        raise PlannerError("two designs are compared on the same draws: give both the same seed and count")
    length = min(first.count, second.count)
    a, b = first.values(column)[:length], second.values(column)[:length]
    both = np.isfinite(a) & np.isfinite(b)
    gain = a[both] - b[both]
    same = np.abs(gain) <= SAME * np.maximum(np.abs(a[both]), np.abs(b[both]))
    wins = (gain > 0 if result.better == "higher" else gain < 0) & ~same
    told = f"{first.told}, the same for both designs"
    shares = [
        given(float(np.mean(part)) if part.size else None, "fraction", label, source=told, grade="inferred")
        for part, label in (
            (wins, "A is better"),
            (~wins & ~same, "B is better"),
            (same, "Both are the same"),
        )
    ]
    gains = tuple(
        given(value, result.unit, f"{result.label} of A over B, P{name}", source=told, grade="inferred")
        for name, value in zip(PERCENTILES, _percentiles(gain), strict=True)
    )
    best = max(shares[0].number, shares[1].number)
    return Duel(
        column=column,
        label=result.label,
        a_fraction=shares[0],
        b_fraction=shares[1],
        equal_fraction=shares[2],
        count=int(np.count_nonzero(both)),
        gain=(gains[0], gains[1], gains[2]),
        fragile=FRAGILE_FRACTION < best < 1.0 - FRAGILE_FRACTION,
        stated=_stated_otherwise(first, second),
    )


def _stated_otherwise(first: Study, second: Study) -> tuple[str, ...]:
    theirs = {item.path: item.today for item in second.ranges}
    return tuple(
        item.label
        for item in first.ranges
        if not item.certain and theirs.get(item.path, item.today) != item.today
    )


def drivers(done: Study, column: str) -> tuple[Driver, ...]:
    """How much of the variance of a result each factor explains by itself, the largest share first.

    The share is the variance of the mean of the result within slices of the factor, over the whole variance
    (the first-order index of Sobol), less what as many slices of pure chance would have.

    Raises:
        PlannerError: There is no such result.
    """
    _must_be_study(done)
    values = done.values(column)
    known = np.isfinite(values)
    found = []
    for factor, members in _factors(done).items():
        share = _explained(done.table[members[0].path].to_numpy(float)[known], values[known])
        label = "All prices together" if factor == PRICES else members[0].label
        found.append(
            Driver(
                factor,
                label,
                given(share, "fraction", f"Variance by {label}", source=done.told, grade="inferred"),
            )
        )
    return tuple(sorted(found, key=lambda driver: -driver.share.number))


def _factors(done: Study) -> dict[str, list[Range]]:
    found: dict[str, list[Range]] = {}
    for item in done.ranges:
        if not item.certain:
            found.setdefault(item.factor, []).append(item)
    return found


def _explained(inputs: Samples, values: Samples) -> float:
    """Share of the variance of values that slices of an input explain."""
    whole = float(np.var(values)) if values.size else 0.0
    if values.size < 2 * _BINS or whole <= (SAME * float(np.mean(np.abs(values)))) ** 2:
        return 0.0
    order: NDArray[np.intp] = np.argsort(inputs, kind="stable")
    parts = np.array_split(values[order], _BINS)
    sizes = np.array([len(part) for part in parts])
    between = float(
        np.average((np.array([part.mean() for part in parts]) - values.mean()) ** 2, weights=sizes)
    )
    chance = (_BINS - 1) / (values.size - 1)
    return min(1.0, max(0.0, (between / whole - chance) / (1.0 - chance)))
