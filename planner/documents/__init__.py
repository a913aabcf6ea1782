"""A plan as documents for people (PDF, XLSX, SVG) and for machines (JSON, CSV), and all of them as one ZIP."""

from planner.documents.beside import Beside
from planner.documents.control import Issue
from planner.documents.design import as_built_page, pdf, short_form
from planner.documents.letterhead import Letterhead
from planner.documents.machine import plan_json
from planner.documents.package import Identity, package
from planner.documents.page import Paper, Stamp
from planner.documents.schema import plan_schema

__all__ = [
    "Beside",
    "Identity",
    "Issue",
    "Letterhead",
    "Paper",
    "Stamp",
    "as_built_page",
    "package",
    "pdf",
    "plan_json",
    "plan_schema",
    "short_form",
]
