"""The verdict on a delivery: what was read and kept, who falls short, what it does to a save, and what is open."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

import streamlit as st

from pages._ui import answers, exports, measured, session
from pages._ui.delivered_parts import alarms, first_rows, known_text, paths, wear
from pages._ui.figures import table, text, why_one
from pages._ui.markup import bold, escaped
from planner.core.errors import PlannerError
from planner.core.quantity import Quantity
from planner.core.units import counted, format_number, format_value, sentence
from planner.plan import Plan
from planner.review.as_built import AsBuilt, Feedback, Outcome, Promise
from planner.review.as_built_words import (
    by_promise,
    effect_text,
    expected_text,
    headline,
    node_words,
    replaced_by,
    replaced_text,
    share_text,
    tolerance_text,
)
from planner.scenario_json import scenario_from_json, scenario_to_json, with_value
from planner.store import Measured
from planner.summary import difference, key_figures
from planner.telemetry.feedback import LATENCY_PATH, way_in_use
from planner.telemetry.reading import Reading

_ICONS = {"pass": ":green[✔]", "fail": ":red[■]", "open": "?"}
_MARKS = {
    "pass": f"{_ICONS['pass']} pass",
    "fail": f"{_ICONS['fail']} falls short",
    "open": f"{_ICONS['open']} open",
}


def verdict(plan: Plan, scenario_json: str, built: AsBuilt, fresh: Mapping[str, Reading], day: date) -> None:
    """Everything that the files say of the design."""
    if not built.files:
        st.markdown("Nothing is measured yet. These are the promises of the design, and how to measure each.")
        _open(built)
        return
    _preview(built, fresh)
    _summary(built)
    _keep(fresh, day)
    _report(plan, scenario_json, built)
    _outcomes(built)
    _replaced(built)
    _take_over(plan, scenario_json, built)
    paths(plan, built)
    wear(built)
    alarms(built)
    _open(built)
    _why(built)
    _records(fresh)


# --- what was read, and what is kept ----------------------------------------------------------------


def kept() -> None:
    """What is kept with the open revision, each with a button that lets it count no longer; damaged ones too."""
    found = measured.kept()
    for item in found:
        with st.container(horizontal=True, vertical_alignment="center", border=True):
            st.markdown(_kept_line(item), width="stretch")
            st.button(
                "Withdraw", key=f"delivery.withdraw.{item.id}", on_click=measured.withdraw, args=(item.id,),
                help="They count no longer, and are kept.",
            )  # fmt: skip


def _kept_line(item: Measured) -> str:
    told = f"Kept with revision {item.revision}: measurements {item.id}, read on {item.measured_on:%Y-%m-%d}"
    told += f", by {item.name}" if item.name else ""
    return escaped(told) + (f" · {escaped(item.note)}" if item.note else "")


def _preview(built: AsBuilt, fresh: Mapping[str, Reading]) -> None:
    refused = sum(len(file.remarks) for file in built.files)
    figures = sum(file.record_count for file in built.files)
    label = f"{counted(len(built.files), 'file')}: {counted(figures, 'figure')}, {counted(refused, 'remark')}"
    with st.expander(escaped(label), key="delivery.preview", on_change="rerun") as preview:
        if preview.open:
            first_rows(
                [
                    {
                        "File": escaped(file.name),
                        "Node": escaped(file.node),
                        "Tool": escaped(file.kind),
                        "Figures": str(file.record_count),
                        "Kept": "no" if file.name in fresh else "yes",
                        "Remarks": escaped("; ".join(file.remarks[:3])) or "–",
                    }
                    for file in built.files
                ],
                alt="Files that were read",
            )


def _keep(fresh: Mapping[str, Reading], day: date) -> None:
    """Keep what was dropped with the revision that is open."""
    if not fresh:
        return
    opened = measured.opened_revision()
    if opened is None:
        st.info(
            "To keep these results, save the design on the Plan screen first: they belong to a revision.",
            icon=":material/info:",
        )
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.text_input("Note", key="delivery.note", placeholder="Which racks, which run", max_chars=1_000)
        st.button(
            f"Keep with revision {opened[1]}", key="delivery.keep", on_click=measured.keep, args=(dict(fresh), day),
            icon=":material/save:",
        )  # fmt: skip


def _report(plan: Plan, scenario_json: str, built: AsBuilt) -> None:
    order = exports.order(scenario_json, exports.heading(scenario_json))
    st.download_button(
        "Page for the report (PDF)",
        data=lambda: exports.as_built_bytes(order, plan, built),
        file_name=f"{exports.file_stem(order.head)}-as-built.pdf",
        mime="application/pdf",
        on_click="ignore",
        key="delivery.report",
        icon=":material/picture_as_pdf:",
    )


# --- the verdict ------------------------------------------------------------------------------------


def _summary(built: AsBuilt) -> None:
    st.subheader(escaped(headline(built)), anchor=False)
    for effect in built.saves:
        st.markdown(escaped(effect_text(effect)))
    if not built.short:
        return
    first_rows(
        [
            {
                "Node": escaped(node_words(node.node)),
                "Promise": escaped(node.outcome.promise.what),
                "Measured": text(node.outcome.measured),
                "Expected": escaped(expected_text(node.outcome.promise)),
                "Missing": known_text(node.missing),
                "Behind its peers": known_text(node.behind),
                "A save with it": known_text(node.save_s),
                "Promises missed": str(node.count),
            }
            for node in built.short
        ],
        alt="Nodes that fall short",
    )


def _outcomes(built: AsBuilt) -> None:
    st.markdown("**Verdict, promise by promise**")
    for key, own in by_promise(built.outcomes).items():
        promise = own[0].promise
        icon = _ICONS["fail" if any(o.result == "fail" for o in own) else own[0].result]
        label = f"{icon} {escaped(promise.what)}: {escaped(share_text(own))}"
        with st.expander(label, key=f"delivery.promise.{key}", on_change="rerun") as part:
            if part.open:
                st.caption(
                    escaped(
                        f"Tolerance {tolerance_text(promise)}. {promise.command}. It proves: {promise.proves}."
                    )
                )
                first_rows([_outcome(outcome) for outcome in own], alt=f"Measured: {promise.what}")


def _outcome(outcome: Outcome) -> dict[str, str]:
    return {
        "Of": escaped(node_words(outcome.subject)),
        "Verdict": _MARKS[outcome.result],
        "Expected": escaped(expected_text(outcome.promise)),
        "Measured": text(outcome.measured),
        "Ratio": escaped(format_number(outcome.ratio)),
        "File": escaped(outcome.source),
        "Remark": escaped(outcome.detail),
    }


def _replaced(built: AsBuilt) -> None:
    """What was measured again later, and what counts instead."""
    if not built.replaced:
        return
    st.markdown(escaped(replaced_text(built)))
    with st.expander("What was measured again", key="delivery.replaced", on_change="rerun") as part:
        if part.open:
            pairs = [(before, replaced_by(before, built)) for before in built.replaced]
            first_rows(
                [
                    {
                        "Of": escaped(node_words(before.subject)),
                        "Promise": escaped(before.promise.what),
                        "Before": text(before.measured),
                        "Now": text(now.measured),
                        "File before": escaped(before.source),
                    }
                    for before, now in pairs
                ],
                alt="Measurements that count no longer",
            )


def _take_over(plan: Plan, scenario_json: str, built: AsBuilt) -> None:
    """Measured figures that the design can stand on, each with what it changes and one button."""
    for item in built.feedback:
        with st.container(border=True):
            with st.container(horizontal=True, vertical_alignment="center"):
                st.markdown(
                    f"{escaped(item.label)}: {bold(item.value.text())} as measured ({text(item.today)} in the design), "
                    f"from {escaped(item.origin)}.",
                    width="stretch",
                )
                if taken := measured.is_taken(plan, item):
                    st.markdown("The design has it.")
                else:
                    st.button(
                        "Take over",
                        key=f"delivery.{item.path}",
                        on_click=measured.take_over,
                        args=(item, scenario_json),
                    )
            if not taken:
                st.caption(_changes(plan, scenario_json, item))


def _changes(plan: Plan, scenario_json: str, item: Feedback) -> str:
    """What the design would come to with the measured figure."""
    try:
        changed = with_value(scenario_from_json(scenario_json), item.path, item.value.number)
        changed_plan = answers.plan_of(scenario_to_json(changed), binary=session.binary())
        then = key_figures(changed_plan)
    except PlannerError as error:
        return escaped(f"The design cannot take it: {error.message}")
    today = key_figures(plan)
    moved = [
        f"{label} {figure.text()} ({change})"
        for label, figure in then.items()
        if (change := difference(figure, today[label], binary=session.binary()))
    ]
    if item.path == LATENCY_PATH:
        limits = [way_in_use(one).limit_bytes.text() for one in (plan, changed_plan)]
        moved.append(f"largest block within the guide's 100 µs {limits[1]} (from {limits[0]})")
    return escaped(f"It changes: {'; '.join(moved)}." if moved else "It changes none of the key figures.")


def _open(built: AsBuilt) -> None:
    if not built.open:
        return
    st.markdown("**Not measured yet**")
    ways = dict.fromkeys(promise.command for promise in built.open)
    # Each way once, above all that it measures: beside each promise it is a column of code.
    for command in ways:
        st.markdown(f"`{command}`")
        table(
            [
                {
                    "Promise": escaped(promise.what),
                    "Expected": _expected(promise),
                    "What it proves": escaped(promise.proves),
                }
                for promise in built.open
                if promise.command == command
            ],
            alt=f"Promises that nothing was measured of, measured by {command}",
        )


def _expected(promise: Promise) -> str:
    """What is promised, and by how much a measurement may miss it."""
    tolerance = tolerance_text(promise)
    room = f" (tolerance {tolerance})" if tolerance != "none" else ""
    return escaped(f"{promise.bound} ") + text(promise.expected) + escaped(room)


def _why(built: AsBuilt) -> None:
    """Formula and source of what was computed."""
    items: dict[str, Quantity] = {}
    for effect in built.saves:
        items[f"Save of {effect.job}, as measured"] = effect.measured_s
        items[f"Longer saves of {effect.job} in a day"] = effect.added_day_s
    for node in built.short[:20]:
        if node.missing.known and node.missing.formula:
            items[f"Missing on {node.node}"] = node.missing
    for drive in built.wear[:20]:
        name = f"{drive.drive} · {drive.node}"
        items |= {
            f"Life left of {name}": drive.life_left_s,
            f"Write amplification of {name}": drive.waf_ratio,
        }
    items |= {item.label: item.value for item in built.feedback}
    if items:
        why_one("delivery", items)


def _records(readings: Mapping[str, Reading]) -> None:
    """Every record of a file, and what was refused in it; of many files the one that is chosen."""
    if not readings:
        return
    name = st.selectbox(
        "Everything that a file says",
        list(readings),
        index=None,
        placeholder="Choose a file",
        key="delivery.records",
    )
    reading = readings.get(name) if name else None
    if reading is None:
        return
    first_rows(
        [
            {
                "Quantity": escaped(sentence(record.quantity.replace("_", " "))),
                "Subject": escaped(f"{record.subject} {record.host}".strip()),
                "Value": escaped(format_value(record.value, record.unit, binary=session.binary())),
                "Remark": escaped(record.detail),
            }
            for record in reading.records
        ],
        alt="Records of the chosen file",
    )
    for remark in reading.remarks:
        st.caption(escaped(remark))
