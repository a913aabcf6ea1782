"""Delivery: outputs of storage tools held against the open design."""

from datetime import date

import streamlit as st

from pages._ui import delivery, frame, measured, session, stating
from pages._ui.markup import escaped
from planner.core.errors import PlannerError
from planner.core.units import sizes

frame.enter()


def show() -> None:
    """The whole screen."""
    frame.heading("Delivery", "Hold what was delivered against what the design promises.")
    answer = stating.answer()
    if answer.errors or answer.plan is None:
        for _, line in answer.errors:
            st.error(escaped(line), icon=":material/error:")
        st.markdown(
            "A design that cannot be computed promises nothing: mend the inputs on the Plan screen first."
        )
        return
    dropped = measured.dropped(files())
    for line in dropped.errors:
        st.error(escaped(line), icon=":material/error:")
    day = session.today()
    if dropped.readings:
        day = st.date_input(
            "Read on", value="today", key="delivery.day", max_value="today", width=240, format="YYYY-MM-DD",
            help="Day on which the drives' counters were read: a drive is due so long after it.",
        ) or day  # fmt: skip
    delivery.kept()
    with sizes(binary=session.binary()):
        built = measured.built(
            answer.plan, fresh=dropped.readings, day=day if isinstance(day, date) else None
        )
        delivery.verdict(answer.plan, answer.scenario_json, built, dropped.readings, day)


def files() -> list[object]:
    """What the visitor drops: a folder with one folder or file a node, or files one by one."""
    turn = int(session.get("_delivery_round", 0))
    folder, single = st.columns(2)
    with folder:
        # no list of file types: the kind of a file is known by its content
        in_folder = st.file_uploader(
            "A folder of outputs",
            accept_multiple_files="directory",
            key=f"delivery.folder.{turn}" if turn else "delivery.folder",
            max_upload_size=measured.MAX_MB,
            help="fio, nvme, smartctl, IOR, mdtest, elbencho, DLIO and MLPerf Storage, mixed. Call the folder or the "
            "file after its node: node07/fio.json, node07-smart-log.json.",
        )
    with single:
        one_by_one = st.file_uploader(
            "Files one by one",
            accept_multiple_files=True,
            key=f"delivery.files.{turn}" if turn else "delivery.files",
            max_upload_size=measured.MAX_MB,
            help="Each is known by its content, whatever its name.",
        )
    return [*in_folder, *one_by_one]


try:
    show()
except PlannerError as error:
    st.error(escaped(error.message), icon=":material/error:")
