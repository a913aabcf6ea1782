"""Compare, Export, Catalogue and Method."""

from __future__ import annotations

import dataclasses
import functools
import json
from datetime import UTC, datetime

import pytest

from pages._ui import answers, differences, exports
from planner import load_catalogue, plan
from planner.core.formula import FORMULAS
from planner.templates import Template, template, templates
from planner.words import SUBJECTS, glossary
from tests.pages.visitor import cells, clean, go, lines, open_panel, save, show, type_number, type_text, visit
from tests.pdf_text import words_in


def test_compare_puts_the_changed_input_first() -> None:
    at = visit()
    save(at, "One")
    type_number(at, "cluster.node_count", 128)
    save(at, "One")
    go(at, "compare")
    clean(at.selectbox(key="compare.0.design").set_value(1).run())
    clean(at.selectbox(key="compare.1.design").set_value(1).run())
    clean(at.selectbox(key="compare.0.rev").set_value(1).run())
    inputs = cells(at, 0)
    assert [list(row.values()) for row in inputs] == [["GPU nodes", "64", "128"]]
    results = {row["Figure"]: list(row.values())[1:] for row in cells(at, 1)}
    open_panel(at, "compare.causes")
    (cause,) = [str(item.value) for item in at.markdown if "64 → 128" in str(item.value)]
    assert cause.startswith("- **GPU nodes** 64 → 128: ")
    assert f"Power {results['Power'][2]}" in cause  # the only input that differs moved all that moved
    assert results["Checkpoint"][2] == ""
    assert results["Power"][2].startswith("+")
    assert "%" in results["Power"][2]


def test_compare_leaves_out_what_is_the_same_unless_it_is_asked_for() -> None:
    at = visit()
    save(at, "One")
    type_number(at, "cluster.node_count", 65)
    go(at, "compare")
    assert not any(
        "Part" in cells(at, place)[0] for place in range(len(at.table))
    )  # long, so folded at first
    open_panel(at, "compare.lines")
    bill = next(
        table for table in map(functools.partial(cells, at), range(len(at.table))) if "Part" in table[0]
    )
    assert bill
    assert all(row["Change"] != "same" for row in bill)
    (told,) = [str(item.value) for item in at.caption if "lines are the same" in str(item.value)]
    clean(at.toggle(key="compare.differing").set_value(False).run())
    whole = next(
        table for table in map(functools.partial(cells, at), range(len(at.table))) if "Part" in table[0]
    )
    assert told == f"{len(whole) - len(bill)} lines are the same in all designs."
    assert not [item for item in at.caption if "the same in all designs" in str(item.value)]


def test_compare_takes_four_and_what_is_not_saved() -> None:
    at = visit()
    for count in (64, 96, 128):
        type_number(at, "cluster.node_count", count)
        save(at, f"Nodes {count}")
    type_number(at, "cluster.node_count", 160)
    go(at, "compare")
    clean(at.segmented_control(key="compare.count").set_value(4).run())
    for slot, design in enumerate((1, 0)):
        clean(at.selectbox(key=f"compare.{slot}.design").set_value(design).run())
    clean(at.selectbox(key="compare.0.rev").set_value(1).run())
    first = next(row for row in cells(at, 0) if row["Input"].startswith("GPU nodes"))
    assert list(first.values())[1:3] == ["64", "160"]
    assert len(first) == 5


def test_compare_with_nothing_saved_says_what_to_do_and_shows_nothing_else() -> None:
    at = go(visit(), "compare")
    assert at.info[0].value.startswith("There is no saved design to compare with.")
    assert len(at.table) == 0
    save(go(at, "plan"), "One")
    type_number(at, "cluster.node_count", 128)
    go(at, "compare")  # as the line promised: the saved one on the left, the changed one on the right
    assert list(cells(at, 0)[0].values())[1:] == ["64", "128"]


def test_compare_starts_with_before_on_the_left() -> None:
    at = visit()
    for count in (64, 96, 128):
        type_number(at, "cluster.node_count", count)
        save(at, "One")
    at = clean(go(at, "compare"))
    assert list(cells(at, 0)[0].values())[1:] == ["96", "128"]
    again = visit("plan", design="1", rev="1")
    type_number(again, "cluster.node_count", 80)
    assert list(cells(go(again, "compare"), 0)[0].values())[1:] == ["64", "80"]


def test_a_draft_under_the_name_of_its_template_says_so_where_it_is_saved() -> None:
    at = visit()
    borrowed = "This is still the template's name."
    assert [borrowed in item.value for item in open_panel(at, "save.open").caption].count(True) == 1
    type_text(at, "name", "Hall 4")
    assert not any(borrowed in item.value for item in at.caption)


def test_every_section_of_a_comparison_has_rows() -> None:
    catalogue = load_catalogue()
    plans = {
        "A. one": plan(template("guide-256-evidence").scenario, catalogue),
        "B. two": plan(template("two-jobs").scenario, catalogue),
    }
    for section in differences.sections(plans):
        assert differences.results(plans, section)


def test_parts_are_added_removed_and_changed() -> None:
    line = plan(template("lab-8-nodes").scenario, load_catalogue()).bom[0]
    more = dataclasses.replace(
        line, quantity=dataclasses.replace(line.quantity, value=line.quantity.number + 2)
    )
    assert differences.bom_change([None, line]) == "added"
    assert differences.bom_change([line, None]) == "removed"
    assert differences.bom_change([line, line]) == "same"
    assert differences.bom_change([line, more]) == "\\+2"
    assert differences.bom_change([more, line]) == "\\-2"
    assert differences.bom_change([line, more, line]) == "differs"


def test_the_pdf_of_a_revision_says_what_it_is_of() -> None:
    at = visit()
    save(at, "Printed design")
    go(at, "export")
    assert "state: draft" in at.markdown[0].value
    assert "not saved" not in at.markdown[0].value
    saved = answers.store().revision(1, 1)
    text = saved.scenario_json
    head = exports.Heading(
        "Printed design", "design 1, revision 1", "", saved.created, answers.basis_of(text).signed_hash, False
    )
    order = exports.Order(text, answers.catalogue().hash, head)
    printed = words_in(exports.pdf_bytes(order, exports.Dossier(), answers.plan_of(text), None, None))
    assert "Printed design" in printed
    assert answers.basis_of(text).signed_hash[:16] in printed.replace(" ", "")
    shown = [item.value for item in (*at.markdown, *at.caption, *at.code)]
    assert any(answers.basis_of(text).signed_hash in value for value in shown)


def test_a_draft_is_marked() -> None:
    at = go(visit(), "export")
    assert "marked as a draft" in " ".join(item.value for item in at.caption)
    assert len(at.download_button) == 11


def test_what_cannot_be_computed_is_not_exported() -> None:
    at = show(visit(), "ui.group", "Workload")
    type_text(at, "jobs.0.checkpoint.interval_s", "soon")
    go(at, "export")
    assert "is not a number" in lines(at)[0]
    assert len(at.download_button) == 0


def test_the_json_of_a_plan_holds_its_figures() -> None:
    at = visit()
    save(at, "Data")
    text = answers.store().revision(1, 1).scenario_json
    head = exports.Heading("Data", "1", "", datetime(2026, 1, 1, tzinfo=UTC), "hash", draft=False)
    order = exports.Order(text, answers.catalogue().hash, head)
    data = json.loads(exports.json_text(order, answers.plan_of(text)))
    assert {"tiers", "network", "facility", "cost", "bom", "findings"} <= set(data)


@pytest.mark.parametrize(
    ("title", "stem"),
    [
        ("A/B: 70B", "a-b-70b-draft"),
        ("Größe", "größe-draft"),
        ("大模型 集群", "大模型-集群-draft"),
        ("..", "draft"),
        ("x" * 300, "x" * 100 + "-draft"),
    ],
)
def test_a_file_name_is_plain(title: str, stem: str) -> None:
    head = exports.Heading(title, "draft", "", datetime(2026, 1, 1, tzinfo=UTC), "", True)
    assert exports.file_stem(head) == stem


def test_the_catalogue_lists_every_row() -> None:
    at = visit("catalogue")
    for kind in (
        "drives",
        "platforms",
        "switches",
        "gpu_nodes",
        "guide",
        "protection",
        "recipes",
        "transports",
    ):
        clean(at.selectbox(key="catalogue.kind").set_value(kind).run())
        table = at.dataframe[0].value
        assert list(table["Id"]) == list(getattr(load_catalogue(), kind))
        assert "Source" in table.columns
        assert not any("_" in title or title.islower() for title in table.columns)


def test_the_method_page_prints_every_formula() -> None:
    at = visit("method")
    subjects = {rule.name.partition(".")[0] for rule in FORMULAS.values()}
    assert subjects == set(SUBJECTS)
    printed = 0
    for subject in subjects:
        show(at, "method.subject", subject)
        printed += len(at.latex)
    assert printed == len(FORMULAS)


def test_a_formula_is_found_by_name() -> None:
    at = type_text(visit("method"), "method.search", "checkpoint.size_bytes")
    assert ["C = P" in item.value for item in at.latex] == [True]


def test_the_glossary_is_shown() -> None:
    at = show(visit("method"), "method.view", "Glossary")
    assert len(at.table[0].value) == len(glossary())


@pytest.mark.parametrize("item", templates(), ids=lambda item: item.id)
def test_no_line_of_the_bill_is_lost_in_a_comparison(item: Template) -> None:
    made = plan(item.scenario, load_catalogue())
    rows = differences.bom_rows({"A": made, "B": made})
    assert len(rows) == len(made.bom)
    assert {row["Change"] for row in rows} == {"same"}
