"""The sections of the documents, in their order: what is made of the plan alone."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence

from reportlab.platypus import Flowable

from planner.documents import (
    acceptance,
    appendix,
    decisions,
    engineering,
    files,
    glossary,
    limits,
    logical,
    operations,
    premises,
    questionnaire,
    racks,
    requirements,
    review,
    sensitivity,
    workload,
)
from planner.documents.beside import NOTHING, Beside
from planner.plan import Plan

Maker = Callable[[Plan], list[Flowable]]
Section = tuple[str, str, Maker]
"""Title, bookmark and maker of a section."""

FIRST: tuple[Section, ...] = (
    ("Requirements", "requirements", requirements.requirements),
    ("Constraints", "constraints", premises.constraints),
    ("Assumptions", "premises", premises.assumptions),
    ("Out of scope: what is not modelled", "limits", limits.limits),
)
"""What the design stands on; the risks follow, which a review adds to."""
MIDDLE: tuple[Section, ...] = (
    ("Data pipeline", "pipeline", workload.pipeline),
    ("Checkpoint layout", "layout", files.layout),
    ("Training time and what it is worth", "worth", workload.worth),
    ("Options and decisions", "decisions", decisions.decisions),
    ("Logical design", "logical", logical.logical),
    ("Storage tiers", "tiers", engineering.tiers),
    ("Endurance and protection", "endurance", engineering.endurance),
    ("Network", "network", engineering.network),
    ("Rack layout", "racks", racks.racks),
    ("Power and cooling", "facility", engineering.facility),
    ("Availability and durability", "availability", decisions.availability),
    ("Capacity and growth", "growth", decisions.growth),
    ("Cost", "cost", engineering.cost),
    ("Bill of materials", "bom", review.materials),
)
"""Workload, design and cost; the trace of requirements follows, which a review adds to."""
LAST: tuple[Section, ...] = (
    ("Validation and acceptance", "validation", acceptance.validation),
    ("Operations", "operations", operations.operations),
    ("Monitoring", "monitoring", review.monitoring),
    ("Sensitivity", "sensitivity", sensitivity.sensitivity),
    ("Findings", "findings", review.findings),
    ("Guide check", "guide", review.guide_check),
)
"""How the design is proved, run and questioned; the review follows."""
APPENDIX: tuple[Section, ...] = (
    ("Questionnaire of the provider", "questionnaire", questionnaire.sheet),
    ("Every input", "assumptions", appendix.assumptions),
    ("Constants and catalogue figures used", "constants", appendix.constants),
    ("Formulas used", "formulas", appendix.formulas),
    ("Every result and its formula", "results", appendix.results),
    ("Glossary and units", "glossary", glossary.glossary),
)
CONTROL, SUMMARY, SIGN_OFF = ("Document control", "control"), ("Summary", "summary"), ("Sign-off", "sign-off")
RISKS, TRACE = ("Risks", "risks"), ("Requirement trace", "trace")
CHANGES = ("Changed since the last signed revision", "changes")
AS_BUILT = ("As built", "as-built")
REVIEW = ("Acceptance and review record", "review")
SHORT: tuple[Section, ...] = (
    ("Power and cooling", "facility", engineering.facility),
    ("Rack layout", "racks", racks.figures),
    ("Questionnaire of the provider", "questionnaire", questionnaire.sheet),
    ("Bill of materials", "bom", review.materials),
)
"""The sections of the short form."""


def with_beside(sections: Sequence[Section], beside: Beside) -> tuple[Section, ...]:
    """The same sections, those that tell more than the plan told what there is of it."""
    makers: dict[Maker, Maker] = {
        make: functools.partial(make, beside=beside)
        for make in (engineering.network, racks.racks, decisions.availability, decisions.growth)
    }
    return tuple((title, key, makers.get(make, make)) for title, key, make in sections)


def whole(beside: Beside = NOTHING) -> tuple[Section, ...]:
    """Every section but those on the document and its review: the sheets of the workbook."""
    risks: Section = (*RISKS, lambda plan: premises.risks(plan, reviewed=None))
    trace: Section = (*TRACE, lambda plan: acceptance.trace(plan, reviewed=None))
    return (*FIRST, risks, *with_beside(MIDDLE, beside), trace, *LAST, *APPENDIX)
