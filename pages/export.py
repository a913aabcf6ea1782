"""Export: the open design as a document for others, or as data for other tools."""

from collections.abc import Callable

import streamlit as st

from pages._ui import exports, frame, measured, session
from pages._ui.exports import Heading
from pages._ui.markup import bold, escaped
from planner.core.errors import PlannerError
from planner.deploy.addressing import Addressing

frame.enter()


def show() -> None:
    """The whole screen."""
    frame.heading("Export", "Take the open design with you: a PDF to quote from, or JSON for other tools.")
    answer = session.answer()
    if answer.errors or answer.plan is None:
        for _, line in answer.errors:
            st.error(escaped(line), icon=":material/error:")
        st.markdown(
            "A design that cannot be computed cannot be exported: mend the inputs on the Plan screen first."
        )
        return
    head = exports.heading(answer.scenario_json)
    st.markdown(f"{bold(head.title)} · {escaped(head.revision)} · hash `{head.hash_text[:16]}`")
    if head.draft:
        st.caption(
            "Not saved as it stands, so the PDF is marked as a draft; save it on the Plan screen first."
        )
    downloads(answer.scenario_json, head)
    more(answer.scenario_json, head)
    st.caption(
        "The inputs can be taken in again on the Designs screen, and by `python -m planner plan FILE`."
    )


def downloads(scenario_json: str, head: Heading) -> None:
    """The files; taking one changes nothing on the page."""
    stem = exports.file_stem(head)
    with st.container(horizontal=True):
        st.download_button(
            "Download PDF",
            data=exports.pdf_bytes(
                scenario_json, head, tuple(item.id for item in measured.kept()), exports.reviewed()
            ),
            file_name=f"{stem}.pdf",
            mime="application/pdf",
            on_click="ignore",
            key="export.pdf",
            icon=":material/picture_as_pdf:",
        )
        for label, name, text in (
            ("Download plan (JSON)", f"{stem}-plan.json", exports.json_text(scenario_json)),
            ("Download inputs (JSON)", f"{stem}.json", scenario_json),
        ):
            st.download_button(
                label,
                data=text,
                file_name=name,
                mime="application/json",
                on_click="ignore",
                icon=":material/data_object:",
            )


def site_names() -> str:
    """Names and subnets of the site as JSON; the defaults where nothing is typed, or what is typed is refused."""
    expander = st.expander("Names and subnets of the site, for bundle and cables", icon=":material/label:")
    with expander:
        typed = st.text_area(
            "Names and subnets (JSON)",
            key="export.names",
            persist_state="session",
            placeholder='{"node_prefix": "gpu", "fabric_a": "10.128.0.0/15"}',
            help="What is left out keeps its default.",
        )
        st.caption(f"Fields: {escaped(', '.join(Addressing.model_fields))}.")
    try:
        exports.addressing_of(typed or "")
    except PlannerError as error:
        st.error(escaped(f"{error.message}; the files below have the default names"))
        return ""
    return typed or ""


def more(scenario_json: str, head: Heading) -> None:
    """Files that are made when they are asked for."""
    stem = exports.file_stem(head)
    names_json = site_names()
    kinds: dict[str, tuple[str, str, Callable[[], str | bytes]]] = {
        "Short form for colocation (PDF)": (
            f"{stem}-short.pdf", "application/pdf", lambda: exports.short_bytes(scenario_json, head),
        ),
        "Bill of materials and racks (XLSX)": (
            f"{stem}.xlsx",
            "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            lambda: exports.sheet_bytes(scenario_json, head.created),
        ),
        "Network drawing (SVG)": (
            f"{stem}-network.svg", "image/svg+xml", lambda: exports.drawing_svg(scenario_json),
        ),
        "Cable schedule (CSV)": (
            f"{stem}-cables.csv", "text/csv", lambda: exports.cables_csv(scenario_json, names_json),
        ),
        "Configuration bundle (ZIP)": (
            f"{stem}-bundle.zip", "application/zip", lambda: exports.bundle_bytes(scenario_json, names_json),
        ),
    }  # fmt: skip
    with st.container(horizontal=True):
        for label, (name, kind, make) in kinds.items():
            st.download_button(
                label, data=make, file_name=name, mime=kind, on_click="ignore", icon=":material/download:"
            )


try:
    show()
except PlannerError as error:
    st.error(escaped(error.message), icon=":material/error:")
