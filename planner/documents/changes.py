"""What changed since the revision that was signed last: inputs first, then what they moved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from reportlab.platypus import Flowable, PageBreak

from planner.catalogue import Catalogue
from planner.core.quantity import Quantity
from planner.core.units import format_number
from planner.documents.appendix import INPUT_DIGITS, part_of
from planner.documents.parts import section, table, text, topic
from planner.documents.text import LONGEST, clean
from planner.inputs import Input, flatten, inputs_for, value_words
from planner.plan import Plan
from planner.plan import plan as planned
from planner.review.compare import Comparison, compare
from planner.scenario import Scenario
from planner.sections.demand import job_names
from planner.summary import difference, figures, key_figures

ABSENT = "none"
"""What stands for an input, figure or line that one of the two revisions does not have."""


def signed_plan(signed: Plan | Scenario, catalogue: Catalogue) -> Plan:
    """The plan of the signed revision: as it was handed over, or computed with today's catalogue.

    Raises:
        PlannerError: The signed scenario cannot be computed any more.
    """
    return planned(signed, catalogue) if isinstance(signed, Scenario) else signed


def changes(plan: Plan, signed: Plan, *, name: str = "") -> list[Flowable]:
    """What differs, on pages of their own: the summary before it ends a page.

    Args:
        plan: The design as it is now.
        signed: The design as it was signed.
        name: What the signed revision is called.
    """
    found = compare(signed, plan)
    inputs = changed_inputs(signed.scenario, plan.scenario, plan.calculation().context.catalogue)
    told = f"Signed: {clean(name or 'the last approved revision', limit=LONGEST)}. "
    if not inputs and not (found.results or found.findings or found.lines):
        told += "Nothing has changed since."
    elif not inputs:
        told += "No input has changed; what differs comes from the catalogue or the planner."
    return [
        *section("Changed since the last signed revision", "changes"),
        text(told),
        *topic("Inputs that changed", "changed-inputs"),
        *table(("Part", "Input", "Signed", "Now"), inputs, (0.2, 0.3, 0.25, 0.25)),
        *topic("Key figures", "changed-figures"),
        *_key_figures(signed, plan),
        *_findings(found),
        *_lines(found),
        *_results(signed, plan),
        PageBreak(),
    ]


def changed_inputs(old: Scenario, new: Scenario, catalogue: Catalogue) -> list[tuple[str, str, str, str]]:
    """Part, label, signed and present value of every input that differs; a job that came or went is one row."""
    before, after = flatten(old), flatten(new)

    def words(item: Input, value: Any) -> str:  # noqa: ANN401 - whatever an input holds
        """A value of an input as it is printed."""
        return clean(value_words(item, value, catalogue, digits=INPUT_DIGITS), limit=LONGEST)

    labels = {item.path: item for item in inputs_for(max(len(old.jobs), len(new.jobs)))}
    rows = [
        (
            part_of(path),
            labels[path].label,
            words(labels[path], before[path]),
            words(labels[path], after[path]),
        )
        for path in labels
        if path in before and path in after and before[path] != after[path]
    ]
    for number in range(min(len(old.jobs), len(new.jobs)), max(len(old.jobs), len(new.jobs))):
        rows.append((f"Job {number + 1}", "The whole job", _job(old, number), _job(new, number)))
    return rows


def _job(scenario: Scenario, number: int) -> str:
    return clean(scenario.jobs[number].name, limit=LONGEST) if number < len(scenario.jobs) else ABSENT


def _key_figures(signed: Plan, plan: Plan) -> list[Flowable]:
    before = key_figures(signed)
    rows = [
        (name, before[name].text(), item.text(), difference(item, before[name]) or "unchanged")
        for name, item in key_figures(plan).items()
    ]
    return table(("Figure", "Signed", "Now", "Difference"), rows, (0.3, 0.2, 0.2, 0.3))


def _findings(found: Comparison) -> list[Flowable]:
    rows = []
    for change in found.findings:
        state = "new" if change.old is None else "gone" if change.new is None else "says something else"
        finding = change.new or change.old
        if finding is not None:
            rows.append((f"{finding.severity.upper()} {finding.code}", state, finding.message))
    if not rows:
        return []
    return [
        *topic("Findings that came, went or changed", "changed-findings"),
        *table(("Finding", "Now", "What it says"), rows, (0.18, 0.14, 0.68)),
    ]


def _lines(found: Comparison) -> list[Flowable]:
    rows = []
    for change in found.lines:
        line = change.new or change.old
        if line is not None:
            counts = [
                side.quantity.text() if side is not None else ABSENT for side in (change.old, change.new)
            ]
            sign = "+" if change.count_change > 0 else "-"
            rows.append(
                (line.description, *counts, f"{sign}{format_number(abs(change.count_change))} {line.unit}")
            )
    if not rows:
        return []
    return [
        *topic("Equipment in another quantity", "changed-lines"),
        *table(("Part", "Signed", "Now", "Difference"), rows, (0.46, 0.15, 0.15, 0.24)),
    ]


def _results(signed: Plan, plan: Plan) -> list[Flowable]:
    """Every figure that moved, came or went, by section; a job is the same job if it has another name."""
    before, after = _as_named_now(signed, plan), figures(plan)
    rows: list[tuple[str, ...]] = []
    groups = []
    for name in {**after, **before}:
        moved = _moved(before.get(name, {}), after.get(name, {}))
        if moved:
            groups.append(len(rows))
            rows += [(clean(name, limit=LONGEST), "", "", ""), *moved]
    if not rows:
        return []
    return [
        *topic("Every result that moved", "changed-results"),
        *table(("Result", "Signed", "Now", "Difference"), rows, (0.4, 0.17, 0.17, 0.26), groups=groups),
    ]


def _moved(before: Mapping[str, Quantity], after: Mapping[str, Quantity]) -> list[tuple[str, ...]]:
    """Rows of the figures of a section that differ."""
    rows: list[tuple[str, ...]] = []
    for label in {**after, **before}:
        old, new = before.get(label), after.get(label)
        if old is None or new is None:
            rows.append((label, _text(old), _text(new), "new" if old is None else "gone"))
        elif told := difference(new, old):
            rows.append((label, old.text(), new.text(), told))
    return rows


def _as_named_now(signed: Plan, plan: Plan) -> dict[str, dict[str, Quantity]]:
    """Figures of the signed plan under the names that its jobs have now."""
    now = figures(plan)
    tails = tuple(zip(_tails(signed), _tails(plan), strict=False))
    return {_name_now(name, tails, now): members for name, members in figures(signed).items()}


def _name_now(name: str, tails: Sequence[tuple[str, str]], now: Mapping[str, object]) -> str:
    for old, new in tails:
        renamed = f"{name.removesuffix(old)}{new}"
        if name.endswith(old) and renamed in now:
            return renamed
    return name


def _tails(plan: Plan) -> list[str]:
    """Ends of the names of sections that belong to a job; a job alone is not named."""
    names = job_names(tuple(result.job for result in plan.jobs))
    return [f" · {name}" for name in names] if len(names) > 1 else [""]


def _text(item: Quantity | None) -> str:
    return ABSENT if item is None else item.text()
