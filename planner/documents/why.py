"""Why a number is what it is, as lines of text: the formula, what went into it, and where that comes from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from planner.core.errors import PlannerError, nearest, shorten
from planner.core.quantity import Quantity, input_label, input_origin, input_text
from planner.core.units import Number, counted
from planner.documents.explained import every_figure
from planner.documents.formulas import plain_formula
from planner.plan import Plan

INDENT = "  "
MOST_LISTED = 400
"""Figures that are named at once."""


def why_lines(plan: Plan, words: str, *, depth: int = 1) -> Iterator[str]:
    """The figures that bear these words; of one alone, how it came about.

    Args:
        plan: The plan.
        words: Words of the figure's name or of its section, in any order; empty names all figures.
        depth: How many steps back what was computed is opened as well.

    Raises:
        PlannerError: No figure bears them.
    """
    named = {
        f"{section} · {label}": item
        for section, members in every_figure(plan).items()
        for label, item in members.items()
    }
    found = _bearing(named, words)
    if not found:
        labels = [name.rpartition(" · ")[2] for name in named]
        remedy = nearest(words, labels) or "; without words all are named"
        raise PlannerError(f"figure: none bears the words “{shorten(words)}”{remedy}", field="figure")
    if len(found) == 1:
        ((name, item),) = found.items()
        yield name
        yield from _told(item, "", depth, set())
        return
    for name, item in list(found.items())[:MOST_LISTED]:
        yield f"{name} = {item}"
    yield f"{counted(len(found), 'figure')}: more words lead to one of them and to its formula."


def _bearing(named: Mapping[str, Quantity], words: str) -> Mapping[str, Quantity]:
    """Figures whose name bears all words; one alone whose label has no other words than these comes first of all."""
    wanted = set(words.casefold().split())
    found = {name: item for name, item in named.items() if wanted <= set(_split(name))}
    found = found or {
        name: item for name, item in named.items() if all(word in name.casefold() for word in wanted)
    }
    own = [name for name in found if set(_split(name.rpartition(" · ")[2])) <= wanted]
    return {own[0]: found[own[0]]} if len(own) == 1 else found


def _split(name: str) -> list[str]:
    return name.casefold().replace(",", " ").split()


def _told(item: Quantity, indent: str, depth: int, seen: set[str]) -> Iterator[str]:
    """A figure with its formula and what went into it; a formula that was told is not told again."""
    yield f"{indent}{item.label} = {item}"
    inner = indent + INDENT
    rule = item.formula
    if rule is None:
        yield f"{inner}given: {_origin(item)}"
        return
    yield f"{inner}{plain_formula(rule.latex)}"
    yield f"{inner}{rule.summary}"
    members = dict(item.inputs or {})
    for name, member in members.items():
        yield f"{inner}{plain_formula(rule.symbols[name])}: {input_label(name, member)} = {input_text(name, member)} ({_origin(member)})"
    holds = f". Holds {rule.validity}" if rule.validity else ""
    yield f"{inner}Source: {rule.source}{holds}. Formula {rule.name}"
    for member in members.values():
        if isinstance(member, Quantity) and member.formula is not None and depth > 0:
            known = f"{member.formula.name} {member.label} {member}"
            if known not in seen:
                seen.add(known)
                yield from _told(member, inner, depth - 1, seen)


def _origin(member: Quantity | Number) -> str:
    """Where a value comes from; of what was computed, by which formula."""
    if isinstance(member, Quantity) and member.formula is not None:
        return f"computed by {member.formula.name}"
    return input_origin(member)
