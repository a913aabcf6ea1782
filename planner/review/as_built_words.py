"""What was built, in sentences: the same on the page, in the document and on the command line."""

from __future__ import annotations

import math
from collections.abc import Sequence

from planner.core.units import counted, format_number, format_range, format_value
from planner.review.as_built import (
    OF_SMALL,
    AsBuilt,
    DriveState,
    Outcome,
    PathState,
    Promise,
    SaveEffect,
    ShortNode,
)


def headline(built: AsBuilt) -> str:
    """How many nodes fall short, and of how many, in one sentence."""
    falling = [node for node in built.short if node.count]
    behind = len(built.short) - len(falling)
    nodes = counted(len(built.nodes), "node")
    if not built.outcomes:
        told = "Nothing that was read speaks of a promise of the design"
    elif not built.failed:
        told = (
            f"Everything measured on {nodes} reaches the design"
            if built.nodes
            else "Everything reaches the design"
        )
    elif falling:
        told = f"{len(falling)} of {nodes} {'falls' if len(falling) == 1 else 'fall'} short of the design"
    else:
        told = f"{counted(len(built.failed), 'measurement')} short of the design, on no single node"
    if behind:
        told += f", {behind} more clearly behind the others"
    return f"{told}; {counted(len(built.open), 'promise')} not measured yet."


def node_words(name: str) -> str:
    """A machine's name in words that stand alone: one that is a number alone, such as 2.3, has its kind before it."""
    return f"Node {name}" if name and not any(letter.isalpha() for letter in name) else name


def short_text(node: ShortNode) -> str:
    """How a node falls short: in what, by how much, and what that does to a save."""
    outcome = node.outcome
    promise = outcome.promise
    what = promise.what[:1].lower() + promise.what[1:]
    told = f"{outcome.measured} in {what}, {promise.bound} {promise.expected} expected"
    if node.missing.known and node.missing.number > 0:
        told += f"; {node.missing} missing"
    if node.behind.known and node.behind.number > 0:
        told += f"; {node.behind} behind the median of the others"
    if node.save_s is not None:
        told += f"; a save takes {node.save_s} with it"
    if node.count > 1:
        told += f"; {counted(node.count, 'promise')} missed in all"
    return told


def effect_text(effect: SaveEffect) -> str:
    """What the slowest node does to the checkpoints of a job."""
    measured = f"{effect.node_count} of {format_number(effect.nodes_of_job.number)} nodes measured"
    if effect.measured_s.number <= effect.designed_s.number * (1 + 1e-9):
        return (
            f"Checkpoints of {effect.job}: the nodes hold up no save; it takes {effect.designed_s}, "
            f"as designed ({measured})."
        )
    return (
        f"Checkpoints of {effect.job}: a save takes {effect.measured_s} instead of {effect.designed_s}, because "
        f"all wait for {effect.node}; {effect.added_day_s} more in a day ({measured})."
    )


def replaced_text(built: AsBuilt) -> str:
    """How much was measured again and counts no longer; empty if nothing was."""
    if not built.replaced:
        return ""
    nodes = {outcome.node for outcome in built.replaced if outcome.node}
    of = f" of {counted(len(nodes), 'node')}" if nodes else ""
    many = counted(len(built.replaced), "measurement")
    return f"{many}{of} {'counts' if len(built.replaced) == 1 else 'count'} no longer: the same was measured again later."


def replaced_by(outcome: Outcome, built: AsBuilt) -> Outcome:
    """What counts instead of an outcome that counts no longer: of the same thing if it is there, the worst first."""
    own = [found for found in built.outcomes if found.promise.id == outcome.promise.id]
    same = [found for found in own if found.subject == outcome.subject]
    return next(iter(same or [found for found in own if found.node == outcome.node] or own))


def path_text(state: PathState) -> str:
    """How the paths of a machine stand."""
    listed = round(state.listed.number)
    told = f"{state.node} to {state.subsystem}: {state.usable} of {state.designed} designed paths usable"
    if listed < state.designed.number:
        told += f", {counted(round(state.designed.number) - listed, 'path')} no longer listed"
    if state.usable.number <= 0:
        return f"{told}; no data at all"
    return f"{told}; a save takes {state.save_s}" if state.save_s is not None else told


def wear_text(drive: DriveState) -> str:
    """How a drive wears."""
    told = f"{drive.used_fraction} used, {drive.write_bytes_per_day} written"
    if drive.designed_write_bytes_per_day.known:
        told += f" (designed {drive.designed_write_bytes_per_day})"
    if drive.waf_ratio.known:
        told += f", write amplification {drive.waf_ratio}, {drive.waf_over_design_ratio} of the design's"
    told += f"; {left_text(drive)}, due {due_text(drive)}"
    return f"{told}; {drive.odd}" if drive.odd else told


def left_text(drive: DriveState) -> str:
    """The life that is left by wear, with its uncertainty."""
    if not drive.life_left_s.known:
        return "life left unknown"
    low, high = drive.life_left_low_s, drive.life_left_high_s
    if high.number <= 0:
        return "none left"
    if not math.isfinite(high.number):
        return f"{low} or more left"
    return f"{format_range(low.number, high.number, low.unit)} left"


def due_text(drive: DriveState) -> str:
    """The day on which a drive is due, and the first on which it may be."""
    if not drive.life_left_s.known:
        return "unknown"
    if drive.life_left_high_s.number <= 0:
        return "now"
    if drive.replace_by is None:
        return f"not before {drive.replace_from}" if drive.replace_from else "not in sight"
    return f"about {drive.replace_by}, not before {drive.replace_from}"


def tolerance_text(promise: Promise) -> str:
    """By how much a promise may be missed, in words."""
    return format_value(promise.tolerance_fraction, "fraction") if promise.tolerance_fraction else "none"


def expected_text(promise: Promise) -> str:
    """What is expected, in words."""
    return f"{promise.bound} {promise.expected}"


def by_promise(outcomes: Sequence[Outcome]) -> dict[str, list[Outcome]]:
    """Outcomes by what was promised, in their order: the worst of each first."""
    found: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        found.setdefault(outcome.promise.id, []).append(outcome)
    return found


def share_text(own: Sequence[Outcome]) -> str:
    """How many of those that were measured fall short of one promise."""
    failed = sum(outcome.result == "fail" for outcome in own)
    if failed:
        return f"{failed} of {len(own)} short" if len(own) > 1 else "falls short"
    passed = sum(outcome.result == "pass" for outcome in own)
    if passed == len(own):
        return f"all {len(own)} pass" if len(own) > 1 else "passes"
    if passed:
        return f"{passed} of {len(own)} pass, the others are open"
    if all(OF_SMALL in outcome.detail for outcome in own):
        return "open: measured with small requests only"
    return (
        "open: not all nodes took part" if any(o.node_count for o in own) else "open: the design does not say"
    )
