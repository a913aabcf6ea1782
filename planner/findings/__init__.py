"""The review: each rule looks at a plan and says what is wrong, with numbers, limit, source and remedy."""

from __future__ import annotations

import ast
import functools
import inspect
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from planner.core.checks import Finding, ordered
from planner.core.units import sentence
from planner.findings import (
    bandwidth,
    capacity,
    endurance,
    goodput,
    layout,
    lossless,
    network,
    protection,
    site,
)
from planner.findings.rules import LATE_RULES, RULES
from planner.guide import GuideRow

if TYPE_CHECKING:
    from planner.plan import Plan

SUBJECTS = (endurance, capacity, bandwidth, goodput, layout, protection, network, lossless, site)
"""Where the rules are; importing them files them, in this order."""
_CODE = re.compile(r"[A-Z]{2,4}-\d+")


@functools.lru_cache(maxsize=1)
def codes() -> tuple[str, ...]:
    """Codes that the rules may give, read from the rules themselves; those of the guide check are notes and not here."""
    found = {
        node.value
        for subject in SUBJECTS
        for node in ast.walk(ast.parse(inspect.getsource(subject)))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and _CODE.fullmatch(node.value)
    }
    return tuple(sorted(found, key=lambda code: (code.partition("-")[0], int(code.partition("-")[2]))))


def review(plan: Plan, guide_rows: Sequence[GuideRow] = ()) -> tuple[Finding, ...]:
    """Remarks on a plan, blockers first, but for those that need its bill or its placed racks."""
    found = [finding for each in RULES for finding in each(plan)]
    return _told(plan, (*found, *_guide_notes(guide_rows)))


def review_late(plan: Plan) -> tuple[Finding, ...]:
    """All remarks on a plan, blockers first: those that were found with it, and those on its bill and its racks."""
    late = _told(plan, [finding for each in LATE_RULES for finding in each(plan)])
    return ordered((*plan.reviewed, *late))


def _told(plan: Plan, found: Sequence[Finding]) -> tuple[Finding, ...]:
    names = tuple(f"{result.job.name}: " for result in plan.jobs) if len(plan.jobs) > 1 else ()
    return ordered([_as_sentences(finding, names) for finding in found])


def _as_sentences(finding: Finding, names: tuple[str, ...]) -> Finding:
    """The finding with a capital where its texts begin; the name of a job in front stays as it was given."""
    name = next((name for name in names if finding.message.startswith(name)), "")
    message = name + sentence(finding.message.removeprefix(name))
    remedy = sentence(finding.remedy)
    if message == finding.message and remedy == finding.remedy:
        return finding
    told = finding  # not `replace`, which takes ten times as long
    return Finding(told.code, told.severity, message, remedy, told.source, told.section, told.fixes)


def _guide_notes(rows: Sequence[GuideRow]) -> Iterator[Finding]:
    for row in rows:
        if row.verdict == "outside" and row.remark:
            yield Finding(
                f"GDE-{row.id[1:]}",
                "note",
                f"{row.quantity}: {row.design_text}; the guide says {row.guide_text}. {row.reason}",
                "No change is needed if the reason holds.",
                row.source,
                "guide",
            )
