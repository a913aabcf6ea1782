"""Export: the open design as documents for others, and as data for other tools."""

import functools
from collections.abc import Callable

import streamlit as st

from pages._ui import exports, frame, sending, stating
from pages._ui.handing_over import Made, asked_growth, made_of, names_field
from pages._ui.markup import bold, escaped
from planner.core.errors import PlannerError
from planner.documents.package import schema_json

frame.enter()
PDF, ZIP, CSV, JSON = "application/pdf", "application/zip", "text/csv", "application/json"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def show() -> None:
    """The whole screen."""
    frame.heading(
        "Export",
        "Take the open design with you: a PDF to quote from, a workbook whose sums follow what you type, data for other tools.",
    )
    answer = stating.answer()
    if answer.errors or answer.plan is None:
        for _, line in answer.errors:
            st.error(escaped(line), icon=":material/error:")
        st.markdown(
            "A design that cannot be computed cannot be exported: mend the inputs on the Plan screen first."
        )
        return
    head = exports.heading(answer.scenario_json)
    state = "" if head.draft else f" · state: {escaped(head.state)}"
    st.markdown(f"{bold(head.title)} · {escaped(head.revision)}{state}")
    st.markdown(f"Hash `{head.hash_text}`")
    if head.draft:
        st.caption(
            "Not saved as it stands, so the PDF is marked as a draft; save it on the Plan screen first."
        )
    sending.panel()
    made = made_of(answer.scenario_json, head, asked_growth())
    downloads(made)
    more(made)
    st.caption(
        "The inputs can be taken in again on the Designs screen, and by `python -m planner plan FILE`."
    )


def downloads(made: Made) -> None:
    """The document and the whole of it; taking a file changes nothing on the page."""
    with st.container(horizontal=True):
        offer(made, "Download PDF", ".pdf", PDF, made.pdf, icon=":material/picture_as_pdf:", key="export.pdf")
        offer(
            made,
            "Everything (ZIP)",
            ".zip",
            ZIP,
            made.package,
            icon=":material/folder_zip:",
            key="export.zip",
        )
        offer(
            made,
            "Workbook (XLSX)",
            ".xlsx",
            XLSX,
            functools.partial(exports.sheet_bytes, made.order, made.plan),
        )


def more(made: Made) -> None:
    """Single files."""
    names_json = names_field()
    asked, plan = made.order, made.plan
    files: tuple[tuple[str, str, str, Callable[[], str | bytes]], ...] = (
        ("Short form for colocation (PDF)", "-short.pdf", PDF, lambda: exports.short_bytes(asked, plan)),
        ("Bill of materials (CSV)", "-bill.csv", CSV, lambda: exports.bill_bytes(asked, plan)),
        ("Download plan (JSON)", "-plan.json", JSON, lambda: exports.json_text(asked, plan)),
        ("Schema of the plan (JSON)", "-plan.schema.json", JSON, schema_json),
        ("Download inputs (JSON)", ".json", JSON, lambda: asked.scenario_json),
        ("Drawings (SVG in a ZIP)", "-drawings.zip", ZIP, lambda: exports.drawings_bytes(asked, plan)),
        ("Cable schedule (CSV)", "-cables.csv", CSV, lambda: exports.cables_csv_of(asked, names_json, plan)),
        ("Configuration bundle (ZIP)", "-bundle.zip", ZIP, lambda: exports.bundle_bytes(asked, names_json, plan)),
    )  # fmt: skip
    with st.container(horizontal=True):
        for label, end, kind, make in files:
            offer(made, label, end, kind, make)


def offer(
    made: Made,
    label: str,
    end: str,
    kind: str,
    make: Callable[[], str | bytes],
    *,
    icon: str = ":material/download:",
    key: str | None = None,
) -> None:
    """A file that is made when it is fetched."""
    name = f"{exports.file_stem(made.order.head)}{end}"
    st.download_button(label, data=make, file_name=name, mime=kind, on_click="ignore", icon=icon, key=key)


try:
    show()
except PlannerError as error:
    st.error(escaped(error.message), icon=":material/error:")
