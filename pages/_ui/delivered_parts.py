"""Paths, wear of the drives and alarms of a delivery, as tables."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages._ui.figures import table, text
from pages._ui.markup import bold, escaped
from planner.core.quantity import Quantity
from planner.core.units import counted, sentence
from planner.plan import Plan
from planner.review.as_built import AsBuilt, DriveState, PathState
from planner.review.as_built_words import due_text, left_text, node_words

_ALARMS = {"within": ":green[✔] quiet", "alarm": ":red[■] rings", "open": "? not measured"}
SOONEST = 5
"""Drives that are shown first where none deviates."""
MOST_NAMES = 10
"""Drives that are named in a sentence."""
MOST_ROWS = 200
"""Rows of one table that are shown; the command line prints them all."""


def first_rows(rows: Sequence[dict[str, str]], alt: str) -> None:
    """A table of as many rows as anybody reads, and how many more there are."""
    table(rows[:MOST_ROWS], alt=alt)
    if len(rows) > MOST_ROWS:
        st.caption(
            escaped(
                f"And {counted(len(rows) - MOST_ROWS, 'more row')}: `python -m planner verify` prints all."
            )
        )


def known_text(item: Quantity | None) -> str:
    """A figure with its unit; a dash where there is none."""
    return text(item) if item is not None and item.known else "–"


def paths(plan: Plan, built: AsBuilt) -> None:
    """Paths of each node, and what a save is with those that are left."""
    if not built.paths:
        return
    st.markdown("**Paths**")
    if built.one_path_lost_s is not None:
        st.markdown(
            f"With one of {text(plan.network.path_count)} paths of every node lost a save takes "
            f"{text(built.one_path_lost_s)}; with all of them {text(built.designed_save_s)}."
        )
    lost = [state for state in built.paths if state.lost_count]
    if lost:
        first_rows([_path(state, built) for state in lost], alt="Nodes that have lost paths")
    label = f"All {counted(len(built.paths), 'connection')}, {len(lost)} with paths lost"
    with st.expander(label, key="delivery.paths", on_change="rerun") as part:
        if part.open:
            first_rows(
                [_path(state, built) for state in built.paths], alt="Paths of each node to each subsystem"
            )


def _path(state: PathState, built: AsBuilt) -> dict[str, str]:
    return {
        "Node": escaped(node_words(state.node)),
        "Subsystem": escaped(state.subsystem),
        "Designed": text(state.designed),
        "Listed": text(state.listed),
        "Live": text(state.live),
        "Usable": text(state.usable),
        "A save": "no data at all"
        if state.usable.number <= 0
        else known_text(state.save_s or built.designed_save_s),
    }


def wear(built: AsBuilt) -> None:
    """Wear of the drives: those that deviate or are due first, and all of them."""
    if not built.wear:
        return
    st.markdown("**Wear of the drives**")
    odd = [drive for drive in built.wear if drive.odd]
    if odd:
        names = ", ".join(f"{drive.drive} · {drive.node}" for drive in odd[:MOST_NAMES])
        more = f" and {len(odd) - MOST_NAMES} more" if len(odd) > MOST_NAMES else ""
        st.markdown(f"Unlike their group: {bold(names)}{more}.")
    first = odd or [drive for drive in built.wear[:SOONEST] if drive.replace_by is not None]
    if first:
        first_rows([_drive(drive) for drive in first], alt="Drives that deviate, or are due first")
    with st.expander(
        f"All {counted(len(built.wear), 'drive')}", key="delivery.wear", on_change="rerun"
    ) as part:
        if part.open:
            first_rows([_drive(drive) for drive in built.wear], alt="Wear of all drives that were read")


def _drive(drive: DriveState) -> dict[str, str]:
    amplified = (
        f"{drive.waf_ratio}; {drive.waf_over_design_ratio} of the design's, {drive.waf_origin}"
        if drive.waf_ratio.known
        else drive.waf_origin or "–"
    )
    return {
        "Drive": escaped(f"{drive.drive} · {drive.node}"),
        "Group": escaped(drive.group),
        "Life used": known_text(drive.used_fraction),
        "Writes a day": known_text(drive.write_bytes_per_day),
        "Designed": known_text(drive.designed_write_bytes_per_day),
        "Write amplification": escaped(amplified),
        "Life left by wear": escaped(left_text(drive)),
        "Due": escaped(due_text(drive)),
        "Rating used up in": known_text(drive.rating_life_left_s),
        "Deviates": escaped(drive.odd or "no"),
    }


def alarms(built: AsBuilt) -> None:
    """Alarms of the design beside what was measured."""
    st.markdown("**Alarms of the design beside what was measured**")
    table(
        [
            {
                "Watched": escaped(sentence(watch.subject)),
                "State": _ALARMS[watch.state],
                "Alarm at": text(watch.threshold),
                "Today, the worst": known_text(watch.today),
                "Of": escaped(watch.where or watch.note) or "–",
            }
            for watch in built.watches
        ],
        alt="Alarms of the design and today's values",
    )
