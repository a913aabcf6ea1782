"""Questions that take many plans: how far a design reaches before its first limit."""

from planner.explore.limits import Limit, limits

__all__ = ["Limit", "limits"]
