"""The guide check of a plan, and the guide's figures in the catalogue."""

from __future__ import annotations

import math

import pytest

from planner.catalogue import load_catalogue
from planner.guide import SUBJECTS, GuideRow
from planner.plan import Plan
from planner.templates import templates
from tests.guide.cases import CASES, ends, planned
from tests.plan.changes import codes, shipped


@pytest.mark.parametrize("number", list(CASES))
def test_the_catalogue_holds_the_figure_as_the_guide_prints_it(number: str) -> None:
    row, figure = CASES[number], load_catalogue().guide[number]
    assert figure.section == row["section"]
    if row["unit"] in ("transport", "yes"):
        assert figure.choice == {"G11": "rdma", "G12": "tcp", "G50": "yes"}[number]
        return
    low, high = ends(number)
    assert (figure.low.number if figure.low else -math.inf) == pytest.approx(low)
    assert (figure.high.number if figure.high else math.inf) == pytest.approx(high)


def test_the_guide_check_compares_only_figures_of_the_guide() -> None:
    assert set(SUBJECTS) <= set(CASES)


@pytest.fixture(scope="module")
def everything() -> tuple[Plan, ...]:
    """Plans on which, together, every subject of the guide check has a figure."""
    return (
        *(shipped(item.id) for item in templates()),
        planned(network__transport="fc"),
        planned(network__transport="tcp"),
        planned("guide-70b", jobs__0__ingest__modality="multimodal"),
        planned("guide-70b", storage__hot__protection_id="12+3"),
        planned("guide-70b", storage__file_system_media="ssd", prices__price_set_id="catalogue-2026"),
    )


def test_each_subject_of_the_guide_check_appears_in_some_design_in_the_guides_unit(
    everything: tuple[Plan, ...],
) -> None:
    seen: dict[str, GuideRow] = {}
    for result in everything:
        seen |= {row.id: row for row in result.guide}
    assert sorted(seen) == sorted(SUBJECTS)
    for row in seen.values():
        end = row.figure.low or row.figure.high
        assert end is not None
        assert row.design.unit == end.unit, row.id
        assert row.guide_text
        assert row.reason.endswith(".")


def test_a_range_of_the_guide_that_is_met_is_no_remark(everything: tuple[Plan, ...]) -> None:
    for result in everything:
        remarked = {f"GDE-{row.id[1:]}" for row in result.guide if row.verdict == "outside" and row.remark}
        assert {code for code in codes(result) if code.startswith("GDE-")} == remarked
