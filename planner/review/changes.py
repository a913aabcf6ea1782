"""Which input caused which change: from one scenario to another, one change at a time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from planner.catalogue import Catalogue
from planner.core.errors import PlannerError
from planner.core.quantity import Quantity
from planner.core.units import sizes
from planner.inputs import flatten, nest
from planner.plan import Plan, plan
from planner.review.anchors import finding_key, subjects
from planner.scenario import Scenario
from planner.scenario_json import scenario_from_dict
from planner.summary import difference, key_figures

ABSENT = "absent"
"""What stands for the value of an input of a job that one of the two designs does not have."""


@dataclass(frozen=True, slots=True)
class Effect:
    """What one change did to one key figure."""

    before: Quantity
    after: Quantity

    @property
    def text(self) -> str:
        """How far it moved, absolute and in percent; empty if it did not."""
        return difference(self.after, self.before)


@dataclass(frozen=True, slots=True)
class Change:
    """One input that differs, and what it did when it was changed after the ones before it.

    Attributes:
        path: Path of the input.
        old: Its value in the older scenario.
        new: Its value in the newer one.
        together: Paths that were changed with it, because it cannot be computed without them.
        effects: Key figures by name; the effects of all changes add up to the whole difference.
        findings_gone: Keys of the findings that it removed.
        findings_new: Keys of the findings that it caused.
    """

    path: str
    old: Any
    new: Any
    together: tuple[str, ...]
    effects: Mapping[str, Effect]
    findings_gone: tuple[str, ...]
    findings_new: tuple[str, ...]

    @property
    def moved(self) -> dict[str, Effect]:
        """The key figures that it moved."""
        return {name: effect for name, effect in self.effects.items() if effect.text}


@dataclass(frozen=True, slots=True)
class _Step:
    """A set of changes that can be computed: the paths of the last, and of those that waited for it."""

    paths: tuple[str, ...]
    plan: Plan


def replay(old: Scenario, new: Scenario, catalogue: Catalogue) -> tuple[Change, ...]:
    """Turn the older scenario into the newer one, input by input, and plan after each.

    The order is that of the scenario's fields, jobs last. What a change does depends on the changes
    before it; in exchange the effects add up. A change that cannot be computed alone (a width without
    the drives for it) waits for the following ones, and they are told as one.

    Args:
        old: Where to start.
        new: Where to end.
        catalogue: The catalogue of both plans, so that only inputs make a difference.

    Returns:
        A change for each input that differs, in that order; those that went together have one effect,
        told at the last of them.

    Raises:
        PlannerError: One of the two scenarios cannot be computed.
    """
    before, after = flatten(old), flatten(new)
    with sizes(binary=False):
        last = plan(old, catalogue)
        found: list[Change] = []
        for step in _steps(before, after, catalogue, plan(new, catalogue)):
            found += _told(step, before, after, last)
            last = step.plan
    return tuple(found)


def _steps(
    before: Mapping[str, Any], after: Mapping[str, Any], catalogue: Catalogue, end: Plan
) -> Iterator[_Step]:
    changed = [path for path in {**before, **after} if before.get(path, ABSENT) != after.get(path, ABSENT)]
    flat, waiting = dict(before), list[str]()
    for group in _groups(changed, before, after):
        for path in group:
            if path in after:
                flat[path] = after[path]
            else:
                flat.pop(path)
        waiting += group
        made = end if flat == after else _plan_or_none(flat, catalogue)
        if made is not None:
            yield _Step(tuple(waiting), made)
            waiting = []


def _groups(
    changed: list[str], before: Mapping[str, Any], after: Mapping[str, Any]
) -> Iterator[tuple[str, ...]]:
    """Paths that are changed at once: all of a job that comes or goes, any other alone."""
    jobs: dict[str, list[str]] = {}
    for path in changed:
        if path in before and path in after:
            yield (path,)
        else:
            jobs.setdefault(path.split(".")[1], []).append(path)
    # The last job goes first, so that the list of jobs never has a gap; a new one comes in order.
    gone = {number for number, paths in jobs.items() if paths[0] in before}
    for number in sorted(jobs, key=lambda n: -int(n) if n in gone else int(n)):
        yield tuple(jobs[number])


def _plan_or_none(flat: Mapping[str, Any], catalogue: Catalogue) -> Plan | None:
    try:
        return plan(scenario_from_dict(nest(flat)), catalogue)
    except PlannerError:
        return None


def _told(step: _Step, before: Mapping[str, Any], after: Mapping[str, Any], last: Plan) -> Iterator[Change]:
    old_figures, new_figures = key_figures(last), key_figures(step.plan)
    old_findings, new_findings = _findings(last), _findings(step.plan)
    *earlier, final = step.paths
    for path in earlier:
        yield Change(path, before.get(path, ABSENT), after.get(path, ABSENT), (final,), {}, (), ())
    yield Change(
        final,
        before.get(final, ABSENT),
        after.get(final, ABSENT),
        tuple(earlier),
        {name: Effect(old_figures[name], item) for name, item in new_figures.items()},
        tuple(key for key in old_findings if key not in new_findings),
        tuple(key for key in new_findings if key not in old_findings),
    )


def _findings(made: Plan) -> tuple[str, ...]:
    return tuple(finding_key(finding.code, subject) for subject, finding in subjects(made))
