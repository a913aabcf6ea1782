"""The lists of the Method page: constants, review rules, inputs, words, and what is not modelled."""

from __future__ import annotations

import functools

import streamlit as st

from pages._ui import answers, fields, figures, method_search, remarks
from pages._ui.markup import bold, escaped, with_code
from planner import input_help
from planner.constants import Constant, constants
from planner.inputs import Input, inputs_for
from planner.words import SECTIONS, UNITS_STATED, ReviewRule, glossary, not_modelled, review_rules


def constant_rows() -> None:
    """Constants and assumptions of one subject, with source and grade."""
    st.caption("Numbers that nobody types. What a design used of them stands in the appendix of its PDF.")
    everything = {f"{number:04d}": item for number, item in enumerate(constants(answers.catalogue()))}
    names = method_search.chosen(
        "constants",
        {key: f"{item.subject} {item.label} {item.source} {item.note}" for key, item in everything.items()},
        subjects=lambda key: everything[key].subject.partition(",")[0],
        key="method.constants",
    )
    if names:
        figures.table([_constant(everything[name]) for name in names], alt="Constants and assumptions")


def _constant(item: Constant) -> dict[str, str]:
    subject = item.subject.partition(", ")[2]
    note = f" {escaped(f'({item.note})')}" if item.note else ""
    return {
        "Constant": escaped(f"{subject}: {item.label}" if subject else item.label) + note,
        "Value": escaped(item.value),
        "Grade": escaped(item.grade or "rule of the calculation"),
        "Source": escaped(item.source),
    }


def rule_rows() -> None:
    """Rules of the review of one section: severity, what is checked, what mends it, source."""
    st.caption(
        "What the review of a design looks for; `python -m planner rules` lists the same without a screen."
    )
    everything = {rule.code: rule for rule in review_rules()}
    order = {code: number for number, code in enumerate(everything)}
    codes = method_search.chosen(
        "rules",
        {code: rule.told for code, rule in everything.items()},
        subjects=lambda code: everything[code].section,
        titles=SECTIONS,
        key="method.ruled",
    )
    if codes:
        rows = [_rule(everything[code]) for code in sorted(codes, key=order.__getitem__)]
        figures.table(rows, alt="Rules of the review")


def _rule(rule: ReviewRule) -> dict[str, str]:
    return {
        "Rule": f"{bold(rule.code)} {escaped(rule.title)}",
        "Severity": " ".join(remarks.mark(severity).replace(" ", "\u00a0") for severity in rule.severities),
        "What it checks": escaped(rule.check),
        "Mended by": escaped(rule.mended_by),
        "Source": escaped(rule.source),
    }


def input_rows() -> None:
    """Inputs of one group: meaning, usual range, how to measure it, default with its source."""
    everything = {item.path: item for item in inputs_for(1)}
    order = {path: number for number, path in enumerate(everything)}
    names = method_search.chosen(
        "inputs",
        {path: _haystack(item) for path, item in everything.items()},
        subjects=lambda path: fields.place(everything[path])[0] or "Design",
        key="method.inputs",
    )
    if names:
        rows = [_input(everything[path]) for path in sorted(names, key=order.__getitem__)]
        figures.table(rows, alt="Inputs, what they mean and how to measure them")


@functools.lru_cache(maxsize=512)
def _haystack(item: Input) -> str:
    row = input_help.help_of(item.path)
    told = f"{row.usual} {row.measure} {row.source} {row.default_from}" if row else ""
    return f"{' '.join(fields.place(item))} {item.label} {item.path} {item.help} {item.source} {told}"


def _input(item: Input) -> dict[str, str]:
    told = dict(fields.told_of(item))
    path = input_help.pattern(item.path)
    names = ("Usual:", "Allowed:", "Default:")
    known = [f"{bold(name)} {told[name]}" for name in names if name in told]
    return {
        "Input": bold(item.label),
        "Meaning, range and default": " ".join([escaped(item.help), *known, f"`{path}`"]).strip(),
        "How to measure it": told.get("To measure:", ""),
    }


def word_rows() -> None:
    """The glossary, by the alphabet."""
    names = method_search.chosen("words", {word: f"{word} {meaning}" for word, meaning in glossary().items()})
    if names:
        meanings = glossary()
        figures.table(
            [
                {"Word": bold(word), "Meaning": escaped(meanings[word])}
                for word in sorted(names, key=str.casefold)
            ],
            alt="Glossary",
        )
    st.markdown(bold("How numbers are written"))
    st.markdown("\n".join(f"- {escaped(line)}" for line in UNITS_STATED))


def limit_rows() -> None:
    """What the planner leaves out, and what to do about it."""
    everything = {item.subject: item for item in not_modelled()}
    names = method_search.chosen(
        "things that are not modelled",
        {subject: f"{subject} {item.left_out} {item.remedy}" for subject, item in everything.items()},
    )
    if names:
        figures.table(
            [
                {
                    "Subject": bold(item.subject),
                    "What is left out": escaped(item.left_out),
                    "What to do": with_code(item.remedy),
                }
                for item in not_modelled()
                if item.subject in names
            ],
            alt="What is not modelled",
        )
