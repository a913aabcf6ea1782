"""Appendix of the document: every input, every constant and catalogue figure, every result."""

from __future__ import annotations

from reportlab.platypus import Flowable

from planner.core.quantity import Quantity, input_text
from planner.documents.explained import every_figure, used_figures
from planner.documents.formulas import plain_formula
from planner.documents.parts import section, table, text
from planner.documents.text import LONGEST, clean
from planner.inputs import Input, inputs_for, value_at, value_words
from planner.plan import Plan
from planner.sections.context import Choice

INPUT_DIGITS = 6
"""Digits of an input: enough for what people type."""
MOST_VALUES = 8
"""Values that a result spells out; a sum may have more."""


def assumptions(plan: Plan) -> list[Flowable]:
    """Every input with its value, whether it was stated, its source and its grade."""
    rows: list[tuple[str, ...]] = []
    groups = []
    last = None
    for item in sorted(inputs_for(len(plan.scenario.jobs)), key=_order):
        part = part_of(item.path)
        if part != last:
            groups.append(len(rows))
            rows.append((part, "", "", "", ""))
            last = part
        rows.append(assumption(plan, item))
    return [
        *section("Every input", "assumptions"),
        text("AUTO: derived by the planner. MANUAL: stated instead. Default: as shipped. Stated: changed."),
        *table(
            ("Input", "Value", "State", "Source", "Grade"), rows, (0.28, 0.22, 0.1, 0.28, 0.12), groups=groups
        ),
    ]


def _order(item: Input) -> tuple[str, ...]:
    """The design's own inputs first, then part by part; inside a part as they are."""
    return tuple(step.zfill(2) for step in item.path.split(".")[:-1])


def part_of(path: str) -> str:
    """What the place of an input is called: "Storage, hot", "Job 1, checkpoint"."""
    steps = path.split(".")[:-1]
    if not steps:
        return "Design"
    if steps[0] == "jobs":
        steps = [f"Job {int(steps[1]) + 1}", *steps[2:]]
    return ", ".join([steps[0].capitalize(), *steps[1:]]).replace("_", " ")


def assumption(plan: Plan, item: Input) -> tuple[str, ...]:
    """Label, value, state, source and grade of an input."""
    value = value_at(plan.scenario, item.path)
    if value is None:
        words, source, grade = _derived(plan, item)
        return item.label, words, "AUTO", source, grade
    catalogue = plan.calculation().context.catalogue
    state = "MANUAL" if item.auto else "default" if value == item.default else "stated"
    words = clean(value_words(item, value, catalogue, digits=INPUT_DIGITS), limit=LONGEST)
    if state == "default":
        return item.label, words, state, item.source or "default of the planner", item.grade
    return item.label, words, state, "stated by the architect", "input"


def _derived(plan: Plan, item: Input) -> tuple[str, str, str]:
    """What AUTO made of an input, why, and how well it is known."""
    found = plan.auto.get(item.path)
    if isinstance(found, Choice):
        return found.label, found.reason, "computed"
    if isinstance(found, Quantity):
        rule = found.formula.source if found.formula is not None else found.source
        return found.text(), rule, found.grade or "computed"
    return "not stated", item.help, ""


def constants(plan: Plan) -> list[Flowable]:
    """Every figure that came from the catalogue, the guide or a rule and entered a result."""
    rows = sorted(
        {(item.label, item.text(), item.source, item.grade) for item in used_figures(plan) if _constant(item)}
    )
    return [
        *section("Constants and catalogue figures used", "constants"),
        *table(("Figure", "Value", "Source", "Grade"), rows, (0.3, 0.16, 0.41, 0.13)),
    ]


def _constant(item: Quantity) -> bool:
    """Whether a figure was brought in, not typed and not the start of a sum; prices stand in the bill."""
    brought = item.formula is None and item.grade not in ("", "input") and item.label != "Unit price"
    return brought and (item.number != 0 or item.grade == "guide")


def formulas(plan: Plan) -> list[Flowable]:
    """Every formula that a figure of the plan was computed with: printed form, where it holds, its source."""
    used = {item.formula.name: item.formula for item in used_figures(plan) if item.formula is not None}
    rows = [
        (
            name,
            plain_formula(rule.latex),
            ". ".join(part for part in (rule.summary.rstrip("."), rule.validity) if part),
            rule.source,
        )
        for name, rule in sorted(used.items())
    ]
    return [
        *section("Formulas used", "formulas"),
        *table(
            ("Name", "Formula", "What it gives, and where it holds", "Source"), rows, (0.22, 0.26, 0.3, 0.22)
        ),
    ]


def results(plan: Plan) -> list[Flowable]:
    """Every figure of the plan with the formula that made it and the figures that went into that."""
    rows: list[tuple[str, ...]] = []
    groups = []
    for name, members in every_figure(plan).items():
        groups.append(len(rows))
        rows.append((clean(name, limit=LONGEST), "", "", ""))
        for label, item in members.items():
            rule = item.formula.name if item.formula is not None else item.grade
            rows.append((clean(label, limit=LONGEST), item.text(), rule, computed_from(item)))
    return [
        *section("Every result and its formula", "results"),
        text("Symbols are those of the formula, which stands under its name in the section before."),
        *table(
            ("Result", "Value", "Formula or grade", "Computed from"),
            rows,
            (0.27, 0.13, 0.22, 0.38),
            groups=groups,
        ),
    ]


def computed_from(item: Quantity) -> str:
    """The values that a formula was applied to, by its symbols; the source of a figure that was brought in."""
    if item.formula is None:
        return clean(item.source)
    told = [
        f"{plain_formula(item.formula.symbols.get(name, name))} = {input_text(name, value)}"
        for name, value in (item.inputs or {}).items()
    ]
    more = f"; and {len(told) - MOST_VALUES} more" if len(told) > MOST_VALUES else ""
    return "; ".join(told[:MOST_VALUES]) + more
