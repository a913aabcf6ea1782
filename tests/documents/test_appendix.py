"""The appendix: every result with its formula and values, every formula in a form that can be searched."""

import re

import pytest

from planner.core.formula import FORMULAS
from planner.core.quantity import Quantity
from planner.documents.appendix import MOST_VALUES, computed_from
from planner.documents.explained import every_figure, used_figures
from planner.documents.formulas import plain_formula
from planner.documents.text import REPLACEMENT, clean
from tests.documents.printed import GUIDE, SMALLEST, planned, squeezed, words_of


@pytest.mark.parametrize(
    ("latex", "plain"),
    [
        (r"t = C / B", "t = C / B"),
        (r"\eta = \frac{b}{b + 48 \lceil b / 256\,\mathrm{KiB} \rceil}", "η = b / (b + 48 ⌈b / 256 KiB⌉)"),
        (r"n = N \left\lceil \max(x, N) / N \right\rceil", "n = N ⌈max(x, N) / N⌉"),
        (r"\tau_1 = \sqrt{2\,s_1 M / p}", "τ_1 = √(2 s_1 M / p)"),
        (r"w = 1 - e^{-R/M}", "w = 1 - e^(-R/M)"),
        (r"\frac{365\ \mathrm{days}}{t_w}", "(365 days) / t_w"),
        (r"\frac{365\ d}{t_w + 1}", "(365 d) / (t_w + 1)"),
        (r"x = \sum_i x_i", "x = Σ_i x_i"),
        (r"p = \begin{cases}1 & m < 2\\ 4 & m \ge 2\end{cases}", "p = 1 if m < 2; 4 if m ≥ 2"),
        (r"\binom{n}{k}", "binom(n, k)"),
        (r"\min\left\{ s : s \ge 1 \right\}", "min{ s : s ≥ 1 }"),
        ("", ""),
        (r"\frac{a}", "a /"),
    ],
)
def test_formulas_read_as_plain_text(latex, plain):
    assert plain_formula(latex) == plain


def test_every_formula_of_the_registry_has_a_plain_form_that_prints():
    assert len(FORMULAS) > 300
    for rule in FORMULAS.values():
        plain = plain_formula(rule.latex)
        assert not re.search(r"\\|&|\b(left|right|frac|mathrm)\b", plain), rule.name
        assert REPLACEMENT not in clean(plain), rule.name
        for opening, closing in ("()", "⌈⌉", "⌊⌋"):
            assert plain.count(opening) == plain.count(closing), rule.name


@pytest.mark.parametrize("name", [SMALLEST, GUIDE])
def test_every_result_stands_with_its_formula_and_what_went_into_it(name):
    words = words_of(name)
    used = {item.formula.name for item in used_figures(planned(name)) if item.formula is not None}
    assert all(squeezed(rule) in words for rule in used)
    told = 0
    for members in every_figure(planned(name)).values():
        for item in members.values():
            for value in list((item.inputs or {}).values())[:MOST_VALUES]:
                if isinstance(value, Quantity):
                    assert squeezed(f"= {clean(value)}") in words
                    told += 1
    assert told > 150


def test_a_sum_of_many_parts_counts_those_that_it_leaves_out():
    rule = next(iter(FORMULAS.values()))
    parts = {f"part_{number}": Quantity(float(number), "W", "Part") for number in range(20)}
    told = computed_from(Quantity(1.0, "W", "Sum", rule, parts))
    assert told.endswith(f"; and {20 - MOST_VALUES} more")
    assert told.count("=") == MOST_VALUES
    assert computed_from(Quantity(1.0, "W", "Given", source="data sheet")) == "data sheet"
