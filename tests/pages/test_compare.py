"""Compare: inputs that differ first, before on the left, and nothing shown that is the same unless it is asked for."""

from __future__ import annotations

import dataclasses

import pytest
from streamlit.testing.v1 import AppTest

from pages._ui import differences
from planner import load_catalogue, plan
from planner.templates import Template, template, templates
from tests.pages.visitor import captions, cells, clean, every_row, go, open_panel, save, type_number, visit


def parts(at: AppTest) -> list[dict[str, str]]:
    """Rows of the bills side by side."""
    return [row for row in every_row(at) if "Part" in row]


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
    assert parts(at) == []  # long, so folded at first
    open_panel(at, "compare.lines")
    bill = parts(at)
    assert bill
    assert "same" not in {row["Change"] for row in bill}
    (told,) = [line for line in captions(at) if "lines are the same" in line]
    clean(at.toggle(key="compare.differing").set_value(False).run())
    whole = parts(at)
    assert told == f"{len(whole) - len(bill)} lines are the same in all designs."
    assert not [line for line in captions(at) if "the same in all designs" in line]


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


@pytest.mark.parametrize("item", templates(), ids=lambda item: item.id)
def test_no_line_of_the_bill_is_lost_in_a_comparison(item: Template) -> None:
    made = plan(item.scenario, load_catalogue())
    rows = differences.bom_rows({"A": made, "B": made})
    assert len(rows) == len(made.bill.lines)
    assert {row["Change"] for row in rows} == {"same"}
