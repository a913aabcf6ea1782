"""Our formulas against what others have published: the cases, the values, the differences."""

from planner.published.cases import Case, cases, cases_by_file, not_covered
from planner.published.checking import Check, check, checks, checks_of, compared, origins_text, subjects

__all__ = [
    "Case",
    "Check",
    "cases",
    "cases_by_file",
    "check",
    "checks",
    "checks_of",
    "compared",
    "not_covered",
    "origins_text",
    "subjects",
]
