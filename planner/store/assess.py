"""A stored revision, planned again: what the store itself looks at before it lets anyone sign."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from planner.catalogue import Catalogue
from planner.core.errors import PlannerError, shorten
from planner.core.units import counted, sizes
from planner.plan import Plan, plan
from planner.review import Accepted, Basis, Requirement, Staleness, Waiver, basis, evaluate, unwaived_blockers
from planner.review.anchors import subjects
from planner.review.waivers import REQUIREMENT_CODE, finding_text
from planner.scenario_json import scenario_from_json
from planner.store.records import Revision


@dataclass(frozen=True, slots=True)
class Assessment:
    """What a revision comes to today.

    Attributes:
        revision: The revision, its scenario in today's fields.
        plan: Its plan, all sentences with decimal sizes.
        basis: What it was computed from, with the hash to sign.
        staleness: What moved since it was saved.
        engine_version: The planner that computed it.
        catalogue_hash: The catalogue that it was computed with.
    """

    revision: Revision
    plan: Plan
    basis: Basis
    staleness: Staleness
    engine_version: str
    catalogue_hash: str

    def blockers(self, waivers: Sequence[Waiver]) -> tuple[Accepted, ...]:
        """The blockers that no waiver covers; each needs one before the revision can be approved."""
        return unwaived_blockers(self.plan, waivers)


def assess(
    revision: Revision, staleness: Staleness, catalogue: Catalogue, *, engine_version: str
) -> Assessment:
    """Plan a revision again.

    Raises:
        PlannerError: The scenario can no longer be computed.
    """
    scenario = scenario_from_json(revision.scenario_json)
    with sizes(binary=False):
        made = plan(scenario, catalogue)
    used = basis(scenario, catalogue, engine_version=engine_version)
    return Assessment(revision, made, used, staleness, engine_version, catalogue.hash)


def acceptable_text(
    assessed: Assessment, requirements: Sequence[Requirement], code: str, subject: str
) -> str:
    """What a waiver of a finding, or of a requirement that is not met, accepts.

    Raises:
        PlannerError: The revision has no such finding, or the requirement is met or does not exist.
    """
    if code == REQUIREMENT_CODE:
        for check in evaluate(requirements, assessed.plan):
            if check.requirement.ref == subject and check.verdict in ("fail", "unknown"):
                return check.text
        raise PlannerError(
            f"subject: there is no requirement “{shorten(subject)}” that is not met; look at it again",
            field="subject",
        )
    for about, finding in subjects(assessed.plan):
        if (finding.code, about) == (code, subject):
            return finding_text(finding)
    raise PlannerError(
        f"finding: this revision has no {shorten(code)} on “{shorten(subject)}”; look at its findings again",
        field="finding",
    )


def check_approvable(
    assessed: Assessment, requirements: Sequence[Requirement], waivers: Sequence[Waiver]
) -> None:
    """Refuse an approval that would sign a blocker, a missed requirement or outdated results.

    Raises:
        PlannerError: One line naming the first thing in the way and how many there are.
    """
    if assessed.staleness.stale:
        raise PlannerError(
            f"approve: {assessed.staleness.text} Save it as a new revision first, so that what is signed is "
            "what is computed",
            field="approve",
        )
    blocking = [f"{item.finding.code} ({item.subject})" for item in assessed.blockers(waivers)]
    blocking += [
        f"requirement {check.requirement.ref} ({check.text})"
        for check in evaluate(requirements, assessed.plan, waivers)
        if check.blocks
    ]
    if blocking:
        several = len(blocking) > 1
        more = f" and {counted(len(blocking) - 1, 'other')} stand" if several else " stands"
        them = "each" if several else "it"
        raise PlannerError(
            f"approve: {blocking[0]}{more} in the way; mend {them} or waive {them} with a reason",
            field="approve",
        )


def signed_record(
    assessed: Assessment, requirements: Sequence[Requirement], waivers: Sequence[Waiver]
) -> dict[str, Any]:
    """What an approval keeps of the moment: later changes of lists do not reach it."""
    return {
        "engine_version": assessed.engine_version,
        "catalogue_hash": assessed.catalogue_hash,
        "rows_hash": assessed.basis.rows_hash,
        "price_hash": assessed.basis.price_hash,
        "price_sets": list(assessed.basis.price_sets),
        "key_results": dict(assessed.revision.key_results),
        "requirements": [
            {
                "ref": check.requirement.ref,
                "text": check.requirement.text,
                "level": check.requirement.level,
                "verdict": check.verdict,
                "outcome": check.told,
            }
            for check in evaluate(requirements, assessed.plan, waivers)
        ],
        "waivers": [
            {
                "code": waiver.code,
                "subject": waiver.subject,
                "message": waiver.message,
                "reason": waiver.reason,
                "name": waiver.name,
                "date": f"{waiver.created:%Y-%m-%d}",
            }
            for waiver in waivers
            if waiver.revoked is None
        ],
    }
