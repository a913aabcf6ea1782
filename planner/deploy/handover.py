"""Cable schedule and bundle as they lie in the archive of a design: each names its revision and hash."""

from __future__ import annotations

from planner.deploy.addressing import Addressing
from planner.deploy.bundle import bundle
from planner.deploy.schedules import CABLE_COLUMNS, cable_rows, table
from planner.deploy.site import site
from planner.plan import Plan


def handover(
    plan: Plan, addressing: Addressing, *, mark: str, revision: str, hash_text: str
) -> dict[str, bytes]:
    """Files by the end of their name.

    Args:
        plan: A finished plan.
        addressing: Names and subnets of the site.
        mark: Design, revision and hash on one line; it stands in the bundle's README.
        revision: The revision, for each row of the schedule.
        hash_text: Hash of scenario and catalogue, for each row.

    Raises:
        PlannerError: A subnet is too small, or the planned switch cannot connect the planned ports.
    """
    rows = ((*row, revision, hash_text) for row in cable_rows(site(plan, addressing)))
    return {
        "-cables.csv": table((*CABLE_COLUMNS, "revision", "hash"), rows).encode(),
        "-bundle.zip": bundle(plan, addressing, mark=mark),
    }
