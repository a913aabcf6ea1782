"""The section on what was built: who falls short, what that does to a save, paths, wear and alarms."""

from __future__ import annotations

from collections.abc import Sequence

from reportlab.platypus import Flowable

from planner.core.quantity import Quantity
from planner.core.units import counted, format_number, sentence
from planner.documents.parts import bullets, section, table, text, topic
from planner.plan import Plan
from planner.review.as_built import AsBuilt, DriveState, PathState, ShortNode
from planner.review.as_built_words import (
    by_promise,
    due_text,
    effect_text,
    expected_text,
    headline,
    left_text,
    replaced_by,
    replaced_text,
    share_text,
    tolerance_text,
)

SOONEST = 10
"""Drives that do not deviate and are printed: those due first."""
MOST_ROWS = 60
"""Rows of one table that are printed; how many more there are is said below it."""


def as_built(plan: Plan, built: AsBuilt) -> list[Flowable]:
    """Everything that the measurements say of the design, what matters most first.

    Args:
        plan: The design.
        built: What was measured, held against it.
    """
    return [
        *section("As built", "as-built"),
        text(headline(built)),
        *bullets([effect_text(effect) for effect in built.saves]),
        text(
            f"{counted(len(built.files), 'file')} read; counters as of {built.measured_on:%Y-%m-%d}. "
            "The expected figures are those of this revision."
        ),
        *_short(built),
        *_saves(plan, built),
        *_verdict(built),
        *_replaced(built),
        *_open(built),
        *_paths(built),
        *_wear(built),
        *_alarms(built),
        *_files(built),
    ]


def _more(rows: Sequence[object], printed: int = MOST_ROWS) -> list[Flowable]:
    """What is said below a table of which not all rows are printed."""
    left = len(rows) - printed
    return [text(f"And {counted(left, 'more row')}, which the Delivery page lists.")] if left > 0 else []


def _known(item: Quantity | None) -> str:
    return item.text() if item is not None and item.known else "–"


def _short(built: AsBuilt) -> list[Flowable]:
    if not built.short:
        return []
    head = ("Node", "Measured", "Promise", "Expected", "Missing", "Behind its peers", "Save with it")
    return [
        *topic("Nodes that fall short", "as-built-short"),
        *table(
            head, [_short_row(node) for node in built.short[:MOST_ROWS]],
            (0.15, 0.12, 0.25, 0.17, 0.09, 0.1, 0.12),
        ),
        *_more(built.short),
    ]  # fmt: skip


def _short_row(node: ShortNode) -> tuple[object, ...]:
    outcome = node.outcome
    more = f" (and {node.count - 1} more)" if node.count > 1 else ""
    return (
        node.node,
        outcome.measured,
        f"{outcome.promise.what}{more}" if node.count else f"{outcome.promise.what}; within the tolerance",
        expected_text(outcome.promise),
        _known(node.missing),
        _known(node.behind),
        _known(node.save_s),
    )


def _saves(plan: Plan, built: AsBuilt) -> list[Flowable]:
    rows = [
        (
            effect.job,
            effect.designed_s,
            effect.measured_s,
            effect.target_s,
            effect.node,
            effect.added_day_s,
            f"{effect.node_count} of {format_number(effect.nodes_of_job.number)}",
        )
        for effect in built.saves
    ]
    lost = built.one_path_lost_s
    count = plan.network.path_count
    told = (
        f"With one of {count} paths of every node lost a save takes {lost}; with all of them {built.designed_save_s}."
        if lost is not None
        else "A node has a single path: without it, it cannot save."
    )
    head = (
        "Job",
        "Save, designed",
        "Save, as measured",
        "Target",
        "Slowest node",
        "More in a day",
        "Nodes measured",
    )
    return [
        *topic("What it does to the checkpoint time", "as-built-saves"),
        *(table(head, rows, (0.2, 0.13, 0.13, 0.11, 0.17, 0.13, 0.13)) if rows else []),
        text(told),
    ]


def _verdict(built: AsBuilt) -> list[Flowable]:
    groups = by_promise(built.outcomes)
    if not groups:
        return []
    rows = [
        (
            own[0].promise.what,
            expected_text(own[0].promise),
            tolerance_text(own[0].promise),
            f"{own[0].measured} ({own[0].subject})",
            format_number(own[0].ratio),
            share_text(own),
        )
        for own in groups.values()
    ]
    head = ("Promise", "Expected", "Tolerance", "Measured, the worst", "Ratio", "Verdict")
    return [
        *topic("Verdict, promise by promise", "as-built-verdict"),
        *table(head, rows, (0.25, 0.16, 0.1, 0.26, 0.1, 0.13)),
    ]


def _replaced(built: AsBuilt) -> list[Flowable]:
    if not built.replaced:
        return []
    pairs = [(before, replaced_by(before, built)) for before in built.replaced[:MOST_ROWS]]
    rows = [
        (before.subject, before.promise.what, before.measured, now.measured, before.source)
        for before, now in pairs
    ]
    return [
        *topic("Measured again", "as-built-replaced"),
        text(replaced_text(built)),
        *table(("Of", "Promise", "Before", "Now", "File before"), rows, (0.18, 0.28, 0.13, 0.13, 0.28)),
        *_more(built.replaced),
    ]


def _open(built: AsBuilt) -> list[Flowable]:
    if not built.open:
        return []
    rows = [(item.what, expected_text(item), item.command, item.proves) for item in built.open]
    return [
        *topic("Not measured yet", "as-built-open"),
        *table(("Promise", "Expected", "How to measure", "What it proves"), rows, (0.24, 0.16, 0.36, 0.24)),
    ]


def _paths(built: AsBuilt) -> list[Flowable]:
    if not built.paths:
        return []
    lost = [state for state in built.paths if state.lost_count]
    nodes = len({state.node for state in built.paths})
    told = f"{counted(len(built.paths), 'connection')} of {counted(nodes, 'node')} listed; {len(lost)} with paths lost."
    head = ("Node", "Subsystem", "Designed", "Listed", "Live", "Usable", "Save with what is left")
    return [
        *topic("Paths", "as-built-paths"),
        text(
            told
            + " A path that is lost for long is no longer listed, so it is the designed count that counts."
        ),
        *(
            table(head, [_path_row(s) for s in lost[:MOST_ROWS]], (0.16, 0.34, 0.1, 0.09, 0.08, 0.09, 0.14))
            if lost
            else []
        ),
        *_more(lost),
    ]


def _path_row(state: PathState) -> tuple[object, ...]:
    left = "no data at all" if state.usable.number <= 0 else _known(state.save_s)
    return (state.node, state.subsystem, state.designed, state.listed, state.live, state.usable, left)


def _wear(built: AsBuilt) -> list[Flowable]:
    if not built.wear:
        return []
    head = ("Drive", "Life used", "Writes a day", "Designed", "Amplification", "Life left", "Due", "Deviates")
    # Those that deviate come first: they are what has to be looked at; of the others, those due first.
    odd = [drive for drive in built.wear if drive.odd]
    drives = [*odd, *[drive for drive in built.wear if not drive.odd][:SOONEST]]
    return [
        *topic("Wear of the drives", "as-built-wear"),
        *table(
            head, [_wear_row(drive) for drive in drives[:MOST_ROWS]],
            (0.15, 0.07, 0.11, 0.11, 0.13, 0.12, 0.16, 0.15),
        ),
        *_more(built.wear, len(drives[:MOST_ROWS])),
        text(
            "Write amplification is that in use, and over what the design assumed. The range of the life left is what "
            "whole percents leave open; time is time with power. Below 5 % of the life used, whole percents say too "
            "little of the write amplification, unless the drive counts its writes to flash."
        ),
    ]  # fmt: skip


def _wear_row(drive: DriveState) -> tuple[object, ...]:
    amplified = (
        f"{drive.waf_ratio}, {drive.waf_over_design_ratio} of the design's" if drive.waf_ratio.known else "–"
    )
    return (
        f"{drive.drive} · {drive.node}",
        _known(drive.used_fraction),
        _known(drive.write_bytes_per_day),
        _known(drive.designed_write_bytes_per_day),
        amplified,
        left_text(drive),
        due_text(drive),
        drive.odd or "no",
    )


def _alarms(built: AsBuilt) -> list[Flowable]:
    words = {"alarm": "rings", "within": "quiet", "open": "not measured"}
    rows = [
        (
            sentence(watch.subject),
            watch.threshold,
            f"{watch.today} ({watch.where})" if watch.today is not None else watch.note or "–",
            words[watch.state],
        )
        for watch in built.watches
    ]
    return [
        *topic("Alarms of the design beside what was measured", "as-built-alarms"),
        *table(("Watched", "Alarm at", "Today, the worst", "State"), rows, (0.26, 0.15, 0.43, 0.16)),
    ]


def _files(built: AsBuilt) -> list[Flowable]:
    rows = [
        (file.name, file.node, file.kind, file.record_count, "; ".join(file.remarks[:3]) or "none")
        for file in built.files
    ]
    return [
        *topic("Files that were read", "as-built-files"),
        *table(
            ("File", "Node", "Tool", "Figures", "Remarks"), rows[:MOST_ROWS], (0.28, 0.13, 0.15, 0.08, 0.36)
        ),
        *_more(rows),
    ]
