"""What a review stands on: states and roles, what is signed, what changed and why, what would move today.

Nothing here reads or writes; `planner.store` keeps it and checks who may do what.
"""

from planner.review.anchors import ANCHOR_KINDS, Anchor, AnchorKind, anchors, result_key, subjects
from planner.review.changes import Change, Effect, replay
from planner.review.compare import Comparison, FindingChange, LineChange, ResultChange, compare
from planner.review.record import ReviewRecord
from planner.review.register import Decision, RegisterItem, RegisterKind, Unknown, unasked, unknowns
from planner.review.requirements import MEASURES, Requirement, RequirementCheck, evaluate
from planner.review.roles import GUEST, LOCAL, ROLES, Actor, Role, allows, effective_role
from planner.review.signing import Basis, basis, signed_hash
from planner.review.stale import Moved, Staleness, staleness
from planner.review.states import ACTIONS, STATES, Action, ActionName, State, after, possible
from planner.review.threeway import Parting, merged, partings
from planner.review.waivers import Accepted, Waiver, accepted, unwaived_blockers

__all__ = [
    "ACTIONS",
    "ANCHOR_KINDS",
    "GUEST",
    "LOCAL",
    "MEASURES",
    "ROLES",
    "STATES",
    "Accepted",
    "Action",
    "ActionName",
    "Actor",
    "Anchor",
    "AnchorKind",
    "Basis",
    "Change",
    "Comparison",
    "Decision",
    "Effect",
    "FindingChange",
    "LineChange",
    "Moved",
    "Parting",
    "RegisterItem",
    "RegisterKind",
    "Requirement",
    "RequirementCheck",
    "ResultChange",
    "ReviewRecord",
    "Role",
    "Staleness",
    "State",
    "Unknown",
    "Waiver",
    "accepted",
    "after",
    "allows",
    "anchors",
    "basis",
    "compare",
    "effective_role",
    "evaluate",
    "merged",
    "partings",
    "possible",
    "replay",
    "result_key",
    "signed_hash",
    "staleness",
    "subjects",
    "unasked",
    "unknowns",
    "unwaived_blockers",
]
