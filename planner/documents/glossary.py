"""The glossary: one word, one meaning, one unit; and how numbers are written."""

from __future__ import annotations

from reportlab.platypus import Flowable

from planner import words
from planner.documents.parts import bullets, section, table, topic
from planner.plan import Plan


def glossary(_: Plan) -> list[Flowable]:
    """The words of the document, and its units."""
    return [
        *section("Glossary and units", "glossary"),
        *table(("Word", "Meaning"), list(words.glossary().items()), (0.22, 0.78)),
        *topic("Units", "units"),
        *bullets(words.UNITS_STATED),
    ]
