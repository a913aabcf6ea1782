"""Uncertainty: many designs with all uncertain inputs drawn at once, and what can be said of their results.

The same seed draws the same numbers for an input whatever the design and whatever else is uncertain, so that two
designs meet the same world in each draw. Draws are a Latin hypercube: of so many draws of an input one lies in
each of so many equal shares of its range. Inputs of one factor, such as all prices, share their draws.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from planner.catalogue import Catalogue, load_catalogue
from planner.core.errors import PlannerError
from planner.core.quantity import Quantity, given
from planner.core.units import counted, format_number, format_value
from planner.explore.outcomes import DECISIONS, RESULTS, Progress, base_of, outcomes, result_of
from planner.explore.ranges import PRICES, Range, Samples, checked, default_ranges
from planner.inputs import value_at
from planner.scenario import Scenario

if TYPE_CHECKING:
    import pandas as pd

SEED = 1
COUNT = 10_000
LEAST_COUNT, MOST_COUNT = 100, 200_000
"""Draws of a study: fewer say nothing of a tenth, more take longer than they say more."""
MOST_SEED = 2**32 - 1
PERCENTILES = (10, 50, 90)
FRAGILE_FRACTION = 0.1
"""A recommendation is fragile if it is another one in more than this share of draws, beyond P10 or P90."""
SAME = 1e-9
"""Two results of a draw that differ by less than this share are equal."""
_BINS = 32


@dataclass(frozen=True, slots=True)
class Study:
    """Designs at the draws of all uncertain inputs.

    Attributes:
        scenario: The design, with its storage stated where it is kept.
        ranges: The uncertain inputs.
        seed: What the draws follow from.
        asked_count: Draws that were asked for; the table has fewer where the work was stopped.
        table: A row for each draw.
        today: The results of the design as it stands, with prices in the middle of their ranges, and its choices.
        storage_fixed: The storage is kept as it is planned today.
    """

    scenario: Scenario
    ranges: tuple[Range, ...]
    seed: int
    asked_count: int
    table: pd.DataFrame
    today: pd.Series
    storage_fixed: bool

    @property
    def count(self) -> int:
        """Draws that were computed."""
        return len(self.table)

    @property
    def told(self) -> str:
        """Where its figures come from."""
        return f"{counted(self.count, 'draw')} of the uncertain inputs, seed {self.seed}"

    def values(self, column: str) -> Samples:
        """A result in every draw; NaN where it cannot be computed.

        Raises:
            PlannerError: There is no such result.
        """
        result_of(column)
        found: Samples = self.table[column].to_numpy(float)
        return found


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
        fragile: The better one is not the better in nine draws of ten.
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


# --- drawing --------------------------------------------------------------------------------------------------


def draws(ranges: Sequence[Range], *, seed: int, count: int) -> dict[str, Samples]:
    """Values of every range that has a width, by its path.

    Args:
        ranges: The uncertain inputs.
        seed: What the draws follow from.
        count: How many there are.

    Raises:
        PlannerError: The seed or the count is outside of what is allowed.
    """
    _check_size(seed, count)
    shares: dict[str, Samples] = {}
    found = {}
    for item in ranges:
        if not item.certain:
            if item.factor not in shares:
                shares[item.factor] = _shares(item.factor, seed, count)
            found[item.path] = item.quantiles(shares[item.factor])
    return found


def _shares(factor: str, seed: int, count: int) -> Samples:
    """Numbers between 0 and 1, one in each of so many equal parts, in an order of the factor's own."""
    rng = np.random.default_rng([seed, zlib.crc32(factor.encode())])
    found: Samples = (rng.permutation(count) + rng.random(count)) / count
    return found


def _check_size(seed: int, count: int) -> None:
    for name, value, low, high in (
        ("seed", seed, 0, MOST_SEED),
        ("samples", count, LEAST_COUNT, MOST_COUNT),
    ):
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise PlannerError(
                f"{name}: {value} is not allowed; use a whole number from {format_number(low, None)} to "
                f"{format_number(high, None)}",
                field=name,
            )


def study(
    scenario: Scenario,
    ranges: Sequence[Range] | None = None,
    *,
    seed: int = SEED,
    count: int = COUNT,
    catalogue: Catalogue | None = None,
    storage_fixed: bool = False,
    progress: Progress | None = None,
) -> Study:
    """The design at many draws of all its uncertain inputs.

    Args:
        scenario: The design.
        ranges: The uncertain inputs; the published ranges if not given.
        seed: What the draws follow from: the same seed gives the same study.
        count: Draws.
        catalogue: The rows to choose from; the shipped ones if not given.
        storage_fixed: Keep the storage as it is planned today: how will what is bought perform. Else each draw is
            sized anew: what will have to be bought.
        progress: Told after each block how many draws are done; the study ends with what it has when it
            returns False.

    Raises:
        PlannerError: A range, the seed or the count cannot be, or the design cannot be planned. Nothing has been
            computed then.
    """
    rows = catalogue or load_catalogue()
    known = default_ranges(scenario, rows) if ranges is None else checked(ranges, scenario)
    values = draws(known, seed=seed, count=count)
    if not values:
        raise PlannerError("no input has a range; give one of them a low and a high end", field="range")
    base = base_of(scenario, rows, storage_fixed=storage_fixed)
    today = {item.path: np.full(1, item.value) for item in known if not item.certain}
    now = outcomes(base, known, today, catalogue=rows).iloc[0]
    if str(now["reason"]):
        raise PlannerError(str(now["reason"]))
    table = outcomes(base, known, values, catalogue=rows, progress=progress)
    return Study(base, tuple(known), seed, count, table, now, storage_fixed)


# --- what the draws say ---------------------------------------------------------------------------------------


def band(done: Study, column: str) -> Band:
    """P10, P50 and P90 of a result over the draws that can be computed.

    Raises:
        PlannerError: There is no such result.
    """
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
    return given(
        float(done.table["feasible"].mean()) if done.count else None,
        "fraction",
        "Draws without a blocker",
        source=done.told,
        grade="inferred",
    )


def blockers(done: Study) -> dict[str, float]:
    """Share of the draws with each blocker, the most frequent first; "PLAN" where no plan can be made."""
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


def shared_ranges(
    ranges: Sequence[Range], scenario: Scenario, catalogue: Catalogue | None = None
) -> tuple[Range, ...]:
    """The ranges of one design for another one: the same world, and what only the other has as published.

    An input that is one value in the first keeps the other's own value.

    Raises:
        PlannerError: The other design cannot be planned.
    """
    own = {item.path: item for item in default_ranges(scenario, catalogue)}
    for item in ranges:
        if item.path in own:
            mine = own[item.path]
            kept = mine.today if item.distribution == "value" and item.typical == item.today else item.typical
            own[item.path] = Range(
                **{name: getattr(item, name) for name in Range.__slots__}
                | {"today": mine.today, "label": mine.label, "typical": kept}
            )
    return tuple(own.values())


def drivers(done: Study, column: str) -> tuple[Driver, ...]:
    """How much of the variance of a result each factor explains by itself, the largest share first.

    The share is the variance of the mean of the result within slices of the factor, over the whole variance
    (the first-order index of Sobol), less what as many slices of pure chance would have.

    Raises:
        PlannerError: There is no such result.
    """
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
