"""Questions that take many plans: sweeps, where choices change, how far a design reaches before its first limit."""

from planner.explore.flips import FlipPoint, flip_points
from planner.explore.limits import Limit, all_limits, limits
from planner.explore.sweep import sweep, sweep_rows

__all__ = ["FlipPoint", "Limit", "all_limits", "flip_points", "limits", "sweep", "sweep_rows"]
