"""The part of the store that keeps what stands on documents beside the design: logo, customer, classification."""

from __future__ import annotations

from planner.store import rows
from planner.store.base import StoreBase
from planner.store.document_tables import DocumentSettingsRow
from planner.store.text import checked_json

ORGANISATION = "organisation"


class DocumentSettings(StoreBase):
    """Settings of documents. They change no figure, so no revision and no signature depends on them."""

    def keep_document_settings(
        self, content_json: str, *, design_id: int | None = None, author: str = ""
    ) -> None:
        """Keep settings over those that were there.

        Args:
            content_json: The settings, a JSON object as text.
            design_id: The design whose documents have them; None for all documents of the organisation.
            author: Who keeps them, where nobody is signed in.

        Raises:
            RightsError: The actor's role is not enough.
            PlannerError: The design does not exist, or the settings are no JSON object.
        """
        checked_json(content_json, field="document settings")
        name = self._author(author)
        with self._writing("editor", "keeping settings of documents") as session:
            if design_id is not None:
                rows.design(session, design_id)
            now = self._clock()
            values = {
                "design_id": design_id, "content_json": content_json, "subject": self.actor.subject,
                "name": name, "updated": now,
            }  # fmt: skip
            rows.put(session, DocumentSettingsRow, {"scope": _scope(design_id)}, values)
            self._file(session, "keep document settings", now=now, name=name, design_id=design_id)

    def document_settings(self, design_id: int | None = None) -> tuple[str, str]:
        """Settings of the organisation and of a design, each a JSON object as text; "{}" where none were kept.

        Args:
            design_id: The design; None for what was never saved.

        Raises:
            RightsError: The actor is a guest, whose link does not show the design.
            PlannerError: The design does not exist.
        """
        with self._reading(design_id) as session:
            if design_id is not None:
                rows.design(session, design_id)
            scopes = (ORGANISATION, *(() if design_id is None else (_scope(design_id),)))
            kept = [session.get(DocumentSettingsRow, scope) for scope in scopes]
            found = [row.content_json if row is not None else "{}" for row in kept]
            return found[0], found[1] if len(found) > 1 else "{}"


def _scope(design_id: int | None) -> str:
    return ORGANISATION if design_id is None else f"design {design_id}"
