"""A plan as a document for people (PDF) and as one object for machines (JSON)."""

from planner.documents.design import as_built_page, pdf, short_form
from planner.documents.letterhead import Letterhead
from planner.documents.machine import plan_json
from planner.documents.page import Paper

__all__ = ["Letterhead", "Paper", "as_built_page", "pdf", "plan_json", "short_form"]
