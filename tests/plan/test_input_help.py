"""Help on inputs: every row names an input, and every input that people measure says how."""

from __future__ import annotations

import re

import pytest

from planner import load_catalogue
from planner.core.errors import PlannerError
from planner.explore.ranges import uncertain_rows
from planner.input_help import default_source, help_of, help_rows, measuring, pattern, read_help, usual
from planner.inputs import INPUTS, Input, input_at, inputs_for
from tests.plan.changes import plain

HEAD = "id,path,low,high,unit,catalogue,usual,measure,default_from,notes,unverified_fields,source,confidence,as_of\n"
NAMES = {"name", "jobs.*.name", "jobs.*.model.name"}


def at(path: str) -> Input:
    item = input_at(path)
    assert item is not None
    return item


def test_every_row_is_of_an_input_and_every_input_but_names_has_one() -> None:
    assert set(help_rows()) == {pattern(item.path) for item in INPUTS} - NAMES


def test_every_default_says_where_it_comes_from() -> None:
    silent = [item.path for item in INPUTS if item.default is not None and not default_source(item)[0]]
    assert {pattern(path) for path in silent} == NAMES


def test_help_holds_for_any_job() -> None:
    paths = [item.path for item in inputs_for(3) if item.path.startswith("jobs.2.")]
    assert [help_of(path) for path in paths] == [
        help_of(path.replace("jobs.2.", "jobs.0.")) for path in paths
    ]
    assert pattern("jobs.12.checkpoint.interval_s") == "jobs.*.checkpoint.interval_s"


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("storage.annual_failure_fraction", "0.22 to 2 %"),
        ("jobs.0.checkpoint.restart_s", "5 to 20 min"),
        ("site.pue_ratio", "1.1× to 1.6×"),
        ("cluster.local_drive_count", "2 to 8"),
        ("jobs.0.checkpoint.block_bytes", "1 to 16 MB"),
        ("network.hash_loss_fraction", "20 to 40 %"),
    ],
)
def test_published_ranges_stand_in_the_unit_of_the_input(path: str, said: str) -> None:
    assert plain(usual(at(path), load_catalogue())).startswith(said)


def test_a_range_of_the_catalogue_is_that_of_its_rows() -> None:
    catalogue = load_catalogue()
    sizes = [row.local_drive_bytes for row in catalogue.gpu_nodes.values()]
    known = [size.number for size in sizes if size is not None and size.known]
    low, high = min(known) / 1e12, max(known) / 1e12
    told = plain(usual(at("cluster.local_drive_bytes"), catalogue))
    assert told == f"{low:g} to {high:g} TB in {len(known)} rows of the catalogue"


def test_ranges_are_those_that_uncertainty_is_drawn_from() -> None:
    """Two files with one figure say the same."""
    both = 0
    for row in uncertain_rows().values():
        helped = help_rows().get(row.path)
        if helped is None or helped.low is None or helped.high is None or row.low is None or row.high is None:
            continue
        both += 1
        assert (helped.low.number, helped.high.number) == (row.low.number, row.high.number), row.path
    assert both > 10


def test_how_to_measure_is_a_sentence() -> None:
    told = [measuring(item) for item in INPUTS if pattern(item.path) not in NAMES]
    assert [text for text in told if not text.endswith((".", "?"))] == []
    assert [text for text in told if text.count("`") % 2] == []
    assert measuring(at("name")) == ""


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        ("a,site.pue,1,2,ratio,,,Ask.,,,,x,seen,2026", "path: no input “site.pue”"),
        ("a,site.pue_ratio,1,2,kW,,,Ask.,,,,x,seen,2026", "unit: “kW” is no unit of site.pue_ratio"),
        ("a,site.pue_ratio,2,1.5,ratio,,,Ask.,,,,x,seen,2026", "low: the low end is above the high end"),
        ("a,site.pue_ratio,0.5,2,ratio,,,Ask.,,,,x,seen,2026", "low: site.pue_ratio allows 1× to 3×"),
        ("a,site.pue_ratio,1,,ratio,,,Ask.,,,,x,seen,2026", "low: a range has two ends"),
        ("a,site.pue_ratio,,,,,,,,,,x,seen,2026", "measure: the cell is empty"),
        (
            "a,site.pue_ratio,,,,,,Ask.,mine,,,x,seen,2026",
            "default_from: the input has no default, or states",
        ),
        (
            "a,cluster.host_memory_bytes,,,,gpu_nodes.memory,,Ask.,,,,x,seen,2026",
            "catalogue: “gpu_nodes.memory” is not in the catalogue",
        ),
        (
            "a,cluster.host_memory_bytes,1,2,TB,gpu_nodes.host_memory_bytes,,Ask.,,,,x,seen,2026",
            "catalogue: the range is stated already",
        ),
        ("a,site.pue_ratio,1,2,ratio,,,Ask.,,,,,seen,2026", "source: the source is missing"),
    ],
)
def test_a_wrong_row_is_refused_by_file_line_and_column(cells: str, said: str) -> None:
    with pytest.raises(PlannerError, match=re.escape(said)) as caught:
        read_help(f"{HEAD}{cells}\n")
    assert caught.value.message.startswith("rules/input_help.csv:2 ")


def test_an_input_is_helped_once() -> None:
    row = "{},site.pue_ratio,,,,,,Ask.,,,,x,seen,2026\n"
    with pytest.raises(
        PlannerError, match=re.escape("input_help.csv:3 path: “site.pue_ratio” is there twice")
    ):
        read_help(HEAD + row.format("a") + row.format("b"))
