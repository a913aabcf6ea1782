"""Delivery: outputs of storage tools held against the open design."""

import streamlit as st

from pages._ui import delivery, frame, session
from pages._ui.markup import escaped
from planner.core.units import sizes

frame.enter()


def show() -> None:
    """The whole screen."""
    frame.heading("Delivery", "Hold what was delivered against what the design promises.")
    answer = session.answer()
    if answer.errors or answer.plan is None:
        for _, line in answer.errors:
            st.error(escaped(line), icon=":material/error:")
        st.markdown(
            "A design that cannot be computed promises nothing: mend the inputs on the Plan screen first."
        )
        return
    # no list of file types: the kind of a file is known by its content
    files = st.file_uploader(
        "Outputs of fio, nvme, smartctl, IOR, mdtest, elbencho, DLIO or MLPerf Storage; name each file after its node",
        accept_multiple_files=True,
        key="delivery.files",
    )
    with sizes(binary=session.binary()):
        delivery.verdict(answer.plan, [(file.name, file.getvalue()) for file in files or []])


show()
