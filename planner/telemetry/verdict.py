"""What `python -m planner verify` prints: what passes, what falls short, what is open, and what follows."""

from __future__ import annotations

import math
from collections.abc import Iterator

from planner.core.quantity import Quantity
from planner.core.units import THIN_SPACE, format_number
from planner.review.as_built import AsBuilt, DriveState, Outcome, PathState, SaveEffect, ShortNode, WatchState
from planner.review.as_built_words import effect_text, headline, path_text, short_text, wear_text


def verdict_lines(built: AsBuilt) -> Iterator[str]:
    """The verdict as people read it, what matters most first; a terminal gets plain blanks."""
    for line in _lines(built):
        yield line.replace("\u00a0", " ").replace(THIN_SPACE, " ")


def _lines(built: AsBuilt) -> Iterator[str]:
    yield headline(built)
    yield from (f"short {node.node}: {short_text(node)}" for node in built.short)
    yield from map(effect_text, built.saves)
    yield from map(_line, built.outcomes)
    for promise in built.open:
        yield f"open  {promise.id}: {promise.what}, expected {promise.bound} {promise.expected}; {promise.command}"
    yield from (f"paths {path_text(state)}" for state in built.paths if state.lost_count)
    yield from (f"wear  {drive.drive} · {drive.node}: {wear_text(drive)}" for drive in built.wear)
    for watch in built.watches:
        if watch.today is not None:
            yield f"{watch.state}  {watch.subject}: {watch.today} on {watch.where}, alarm at {watch.threshold}"
    for item in built.feedback:
        yield f"To take over: {item.path} = {format_number(item.value.number)} ({item.origin}; today {item.today})"


def _line(outcome: Outcome) -> str:
    promise = outcome.promise
    return (
        f"{outcome.result}  {promise.id} {outcome.subject}: {outcome.measured}, expected {promise.bound} "
        f"{promise.expected}, ratio {format_number(outcome.ratio)}"
    )


def verdict_json(built: AsBuilt) -> dict[str, object]:
    """The same as one object, numbers in the planner's own units; what is unknown or unlimited is null."""
    return {
        "headline": headline(built),
        "measured_on": built.measured_on.isoformat(),
        "files": [
            {"file": f.name, "node": f.node, "kind": f.kind, "records_count": f.record_count}
            for f in built.files
        ],
        "outcomes": [_outcome_json(outcome) for outcome in built.outcomes],
        "open": [promise.id for promise in built.open],
        "short": [_short_json(node) for node in built.short],
        "saves": [_save_json(effect) for effect in built.saves],
        "paths": [_path_json(state) for state in built.paths],
        "wear": [_drive_json(drive) for drive in built.wear],
        "monitoring": [_watch_json(watch) for watch in built.watches],
        "feedback": [
            {
                "path": item.path,
                "value": item.value.number,
                "today": _plain(item.today),
                "unit": item.value.unit,
                "origin": item.origin,
            }
            for item in built.feedback
        ],
    }


def _plain(item: Quantity | None) -> float | None:
    return item.number if item is not None and math.isfinite(item.number) else None


def _outcome_json(outcome: Outcome) -> dict[str, object]:
    return {
        "promise": outcome.promise.id,
        "subject": outcome.subject,
        "node": outcome.node,
        "measured": outcome.measured.number,
        "expected": _plain(outcome.promise.expected),
        "tolerance_fraction": outcome.promise.tolerance_fraction,
        "unit": outcome.measured.unit,
        "ratio": outcome.ratio if math.isfinite(outcome.ratio) else None,
        "result": outcome.result,
        "file": outcome.source,
    }


def _short_json(node: ShortNode) -> dict[str, object]:
    return {
        "node": node.node,
        "promise": node.outcome.promise.id,
        "missing_fraction": _plain(node.missing),
        "behind_fraction": _plain(node.behind),
        "save_s": _plain(node.save_s),
    }


def _save_json(effect: SaveEffect) -> dict[str, object]:
    return {
        "job": effect.job,
        "slowest_node": effect.node,
        "designed_s": _plain(effect.designed_s),
        "measured_s": _plain(effect.measured_s),
        "added_day_s": _plain(effect.added_day_s),
    }


def _path_json(state: PathState) -> dict[str, object]:
    return {
        "node": state.node,
        "subsystem": state.subsystem,
        "designed_count": _plain(state.designed),
        "listed_count": _plain(state.listed),
        "live_count": _plain(state.live),
        "usable_count": _plain(state.usable),
        "save_s": _plain(state.save_s),
    }


def _drive_json(drive: DriveState) -> dict[str, object]:
    return {
        "node": drive.node,
        "drive": drive.drive,
        "group": drive.group,
        "used_fraction": _plain(drive.used_fraction),
        "write_bytes_per_day": _plain(drive.write_bytes_per_day),
        "designed_write_bytes_per_day": _plain(drive.designed_write_bytes_per_day),
        "waf_ratio": _plain(drive.waf_ratio),
        "waf_over_design_ratio": _plain(drive.waf_over_design_ratio),
        "life_left_low_s": _plain(drive.life_left_low_s),
        "life_left_s": _plain(drive.life_left_s),
        "life_left_high_s": _plain(drive.life_left_high_s),
        "replace_from": drive.replace_from.isoformat() if drive.replace_from else None,
        "replace_by": drive.replace_by.isoformat() if drive.replace_by else None,
        "odd": drive.odd,
    }


def _watch_json(watch: WatchState) -> dict[str, object]:
    return {
        "group": watch.group,
        "subject": watch.subject,
        "threshold": _plain(watch.threshold),
        "today": _plain(watch.today),
        "unit": watch.threshold.unit,
        "where": watch.where,
        "state": watch.state,
    }
