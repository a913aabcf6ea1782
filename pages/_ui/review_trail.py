"""The audit trail of a design: who did what, when; nothing of it can be changed."""

from __future__ import annotations

import streamlit as st

from pages._ui import answers
from pages._ui.figures import table
from pages._ui.markup import escaped


def show(design: int, revision: int) -> None:
    """Who did what, when, and the whole of it as a file."""
    del revision  # the trail is of the whole design
    store = answers.store()
    table(
        [
            {
                "When": f"{event.created:%Y-%m-%d %H:%M:%S}",
                "Who": escaped(event.name),
                "What": escaped(event.action),
                "Revision": str(event.revision or ""),
            }
            for event in store.audit(design)
        ],
        alt="Audit trail",
    )
    for label, data, ending, kind in (
        ("Download the trail (CSV)", store.audit_csv, "csv", "text/csv"),
        ("Download the trail (JSON)", store.audit_json, "json", "application/json"),
    ):
        st.download_button(
            label,
            data=data(design),
            file_name=f"design-{design}-audit.{ending}",
            mime=kind,
            on_click="ignore",
            key=f"review.trail.{ending}",
        )
