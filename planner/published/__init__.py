"""Our formulas against what others have published: the cases, the values, the differences."""

import importlib
import pkgutil

from planner import sizing
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

# A formula is on the list once its module is loaded: whoever looks it up sees all of them, whatever was planned before.
for _module in pkgutil.iter_modules(sizing.__path__):
    importlib.import_module(f"{sizing.__name__}.{_module.name}")
