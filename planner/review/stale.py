"""An older design under a newer engine, catalogue or price set: what would move, and by how much."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from planner.catalogue import Catalogue
from planner.core.quantity import Quantity
from planner.core.units import counted, format_value
from planner.plan import plan
from planner.review.signing import Basis, basis
from planner.scenario_json import scenario_from_json
from planner.summary import key_figures

_SAME = 1e-9
"""Share below which a figure counts as unmoved: the last digit of a number kept as text."""
_NAMED = 3
"""Rows that the alarm names."""


@dataclass(frozen=True, slots=True)
class Moved:
    """A key figure that a fresh plan has otherwise.

    Attributes:
        name: Name of the key figure.
        was: The kept number; None if it was not known.
        now: The figure of the fresh plan; None if it no longer has it.
    """

    name: str
    was: float | None
    now: Quantity | None

    @property
    def change_fraction(self) -> float:
        """Change as a share of the kept number; infinite where one of the two is missing or it was 0."""
        if self.now is None or not self.now.known or not self.was:
            return math.inf
        return self.now.number / self.was - 1

    @property
    def text(self) -> str:
        """Both numbers and the change."""
        unit = self.now.unit if self.now is not None else "count"
        was = "unknown" if self.was is None else format_value(self.was, unit)
        now = "unknown" if self.now is None else self.now.text()
        change = self.change_fraction
        share = "" if math.isinf(change) else f" ({change * 100:+.3g} %)"
        return f"{self.name}: {was} → {now}{share}"


@dataclass(frozen=True, slots=True)
class Staleness:
    """What changed around a design since it was saved.

    Attributes:
        causes: What is newer: "engine", "catalogue", "price set".
        moved: Key figures that would move, the largest change first.
        own: Rows of the plan that the organisation stated, with who and when, if the catalogue is newer.
    """

    causes: tuple[str, ...]
    moved: tuple[Moved, ...]
    own: tuple[str, ...] = ()

    @property
    def stale(self) -> bool:
        """Whether a key figure would move."""
        return bool(self.moved)

    @property
    def text(self) -> str:
        """The alarm in one sentence; empty if nothing around the design changed."""
        if not self.causes and not self.moved:
            return ""
        what = " and ".join(self.causes) or "something unrecorded"
        if self.own:
            more = f" and {len(self.own) - _NAMED} more" if len(self.own) > _NAMED else ""
            what += f" (it uses {', '.join(self.own[:_NAMED])}{more})"
        if not self.moved:
            return f"Newer {what}: no key figure moves."
        biggest = self.moved[0].change_fraction
        share = "" if math.isinf(biggest) else f"; biggest {biggest * 100:+.3g} %"
        return f"Newer {what}: {counted(len(self.moved), 'key figure')} would move{share}."


def staleness(
    scenario_json: str,
    catalogue: Catalogue,
    *,
    engine_version: str,
    key_results: Mapping[str, Any],
    saved_engine_version: str,
    saved_catalogue_hash: str,
    saved_price_hash: str = "",
) -> Staleness:
    """Compare what a revision kept with a fresh plan.

    Args:
        scenario_json: Its scenario in today's fields.
        catalogue: Today's catalogue.
        engine_version: Today's planner.
        key_results: The key results that the revision kept, by name.
        saved_engine_version: The planner that computed them; empty if it was not recorded.
        saved_catalogue_hash: The catalogue that they were computed with; empty likewise.
        saved_price_hash: Hash of the price sets that they were computed with; empty likewise.

    Raises:
        PlannerError: The scenario can no longer be computed.
    """
    scenario = scenario_from_json(scenario_json)
    used = basis(scenario, catalogue, engine_version=engine_version)
    pairs = (
        ("engine", saved_engine_version, engine_version),
        ("catalogue", saved_catalogue_hash, catalogue.hash),
        ("price set", saved_price_hash, used.price_hash),
    )
    causes = tuple(name for name, saved, today in pairs if saved and saved != today)
    fresh = key_figures(plan(scenario, catalogue))
    moved = [
        Moved(name, None if was is None else float(was), fresh.get(name))
        for name, was in key_results.items()
        if was is None or isinstance(was, int | float)
    ]
    changed = [item for item in moved if _moved(item)]
    own = own_rows(used, catalogue) if {"catalogue", "price set"} & set(causes) else ()
    return Staleness(causes, tuple(sorted(changed, key=lambda item: -abs(item.change_fraction))), own)


def own_rows(used: Basis, catalogue: Catalogue) -> tuple[str, ...]:
    """The rows of a plan that an organisation stated, each with who and when; price sets as a whole."""
    named = [(f"{kind}/{row_id}", f"{kind} {row_id}") for kind, ids in used.rows.items() for row_id in ids]
    told = [f"{words}, {catalogue.own[name]}" for name, words in named if name in catalogue.own]
    for price_set in used.price_sets:
        if any(name.startswith(f"prices/{price_set}/") for name in catalogue.own):
            told.append(f"price set {price_set} of the organisation's own")
    return tuple(told)


def _moved(item: Moved) -> bool:
    known = item.now is not None and item.now.known
    if item.was is None or not known:
        return (item.was is None) == known
    assert item.now is not None  # it is known
    return not math.isclose(item.was, item.now.number, rel_tol=_SAME, abs_tol=0.0)
