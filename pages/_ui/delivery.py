"""The verdict on a delivery: what passes, what falls short, what is open, and what it means for the design."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages._ui import session
from pages._ui.figures import table, text
from pages._ui.markup import bold, escaped
from planner.core.errors import PlannerError
from planner.core.units import counted, format_number, format_value
from planner.plan import Plan
from planner.telemetry.acceptance import Acceptance, verify
from planner.telemetry.feedback import Feedback, feedback
from planner.telemetry.reading import Reading, read_measurements
from planner.telemetry.wear import drive_wear

_MARKS = {"pass": ":green[✔] pass", "fail": ":red[■] falls short", "open": "? open"}
MOST_RECORDS = 200
"""Records of one file that are shown; the command line prints them all."""


def verdict(plan: Plan, files: Sequence[tuple[str, bytes]]) -> None:
    """Everything that the files say of the design."""
    readings = _read(files)
    accepted = verify(plan, readings)
    if not readings:
        st.markdown("Nothing is measured yet. These are the promises of the design, and how to measure each.")
    else:
        _summary(plan, accepted)
        _outcomes(accepted)
        _take_over(plan, accepted)
        _wear(readings)
    _open(accepted)
    _records(readings)


def _read(files: Sequence[tuple[str, bytes]]) -> dict[str, Reading]:
    found = {}
    for name, content in files:
        try:
            found[name] = _reading(content, name)
        except PlannerError as error:
            st.error(escaped(error.message), icon=":material/error:")
    return found


@st.cache_resource(max_entries=256, show_spinner="Reading")
def _reading(content: bytes, name: str) -> Reading:
    return read_measurements(content, name=name)


def _summary(plan: Plan, accepted: Acceptance) -> None:
    short = len({outcome.subject for outcome in accepted.failed})
    line = (
        f"{counted(len(accepted.outcomes), 'measurement')}: "
        + (
            f"{counted(short, 'subject')} short of the design"
            if short
            else "everything measured reaches the design"
        )
        + f"; {counted(len(accepted.open), 'promise')} open."
    )
    st.subheader(escaped(line), anchor=False)
    if accepted.save_s is not None:
        st.markdown(
            f"With the slowest node that was measured a save takes **{text(accepted.save_s)}**; the design says "
            f"{text(plan.main.save.save_s)}."
        )
    if accepted.deviating:
        names = ", ".join(escaped(outcome.subject) for outcome in accepted.deviating)
        st.markdown(f"Clearly below their peers: **{names}**.")


def _outcomes(accepted: Acceptance) -> None:
    table(
        [
            {
                "Verdict": _MARKS[outcome.result],
                "Promise": escaped(outcome.promise.what),
                "Of": escaped(outcome.subject),
                "Measured": text(outcome.measured),
                "Expected": escaped(f"{outcome.promise.bound} ") + text(outcome.promise.expected),
                "Ratio": escaped(format_number(outcome.ratio)),
                "File": escaped(outcome.source),
            }
            for outcome in accepted.outcomes
        ],
        alt="Measured against the design",
    )


def _take_over(plan: Plan, accepted: Acceptance) -> None:
    """Measured figures that the design can stand on, each with one button."""
    for item in feedback(plan, accepted):
        with st.container(horizontal=True, vertical_alignment="center", border=True):
            st.markdown(
                f"{escaped(item.label)}: {bold(format_number(item.value))} (today "
                f"{escaped(format_number(item.today))}), from {escaped(item.origin)}.",
                width="stretch",
            )
            st.button("Take over", key=f"delivery.{item.path}", on_click=_take, args=(item,))


def _take(item: Feedback) -> None:
    session.set_value(item.path, item.value)
    session.moved()
    session.notify(f"{item.label} is now an input of the design: {format_number(item.value)}.")


def _wear(readings: dict[str, Reading]) -> None:
    rows = [
        {
            "Drive": escaped(f"{drive.subject} {drive.host}".strip()),
            "Life used": text(drive.used_fraction),
            "Writes a day": text(drive.write_bytes_per_day),
            "Powered": text(drive.powered_s),
            "Life left": f"{text(drive.life_left_low_s)} to {text(drive.life_left_high_s)}",
            "File": escaped(name),
        }
        for name, reading in readings.items()
        for drive in drive_wear(reading.records)
    ]
    if rows:
        st.markdown("**Wear of the drives**")
        table(rows, alt="Wear of the drives that were read")


def _open(accepted: Acceptance) -> None:
    if not accepted.open:
        return
    st.markdown("**Not measured yet**")
    table(
        [
            {
                "Promise": escaped(promise.what),
                "Expected": escaped(f"{promise.bound} ") + text(promise.expected),
                "How to measure": f"`{promise.command}`",
                "What it proves": escaped(promise.proves),
            }
            for promise in accepted.open
        ],
        alt="Promises that nothing was measured of",
    )


def _records(readings: dict[str, Reading]) -> None:
    """Every record of every file, and what was refused in it."""
    for name, reading in readings.items():
        expander = st.expander(
            f"{escaped(name)}: {escaped(reading.kind)}, {counted(len(reading.records), 'record')}",
            key=f"delivery.records.{name}",
            on_change="rerun",
        )
        if not expander.open:
            continue
        with expander:
            table(
                [
                    {
                        "Subject": escaped(f"{record.subject} {record.host}".strip()),
                        "Quantity": escaped(record.quantity.replace("_", " ")),
                        "Value": escaped(format_value(record.value, record.unit, binary=session.binary())),
                        "Remark": escaped(record.detail),
                    }
                    for record in reading.records[:MOST_RECORDS]
                ],
                alt=f"Records of {name}",
            )
            for remark in reading.remarks:
                st.caption(escaped(remark))
