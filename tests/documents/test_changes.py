"""What changed since the signed revision: inputs first, then what they moved."""

import pytest

from planner.catalogue import load_catalogue
from planner.core.quantity import given
from planner.documents.changes import changed_inputs, changes
from planner.inputs import flatten, nest
from planner.plan import plan
from planner.scenario_json import scenario_from_dict, with_value
from planner.summary import difference, key_figures
from planner.templates import template
from tests.documents.printed import SMALLEST, pages_in, planned, rendered, squeezed, text_of, words_of


def changed(of, /, **values):
    scenario = template(of).scenario
    for path, value in values.items():
        scenario = with_value(scenario, path.replace("__", "."), value)
    return scenario


def test_inputs_come_first_then_figures_with_absolute_and_relative_difference():
    before = planned(SMALLEST)
    after = plan(changed(SMALLEST, jobs__0__checkpoint__interval_s=600.0), load_catalogue())
    pages = pages_in(rendered(after, signed=before, signed_name="revision 3, signed 2026-08-01"))
    page = squeezed(next(page for page in pages[3:] if "Changed since the last signed revision" in page))
    assert squeezed("Signed: revision 3, signed 2026-08-01.") in page
    assert page.index("Checkpointinterval") < page.index("Keyfigures") < page.index("Goodput")
    old = template(SMALLEST).scenario.jobs[0].checkpoint.interval_s
    assert old != 600.0
    figures = key_figures(before)
    moved = {name: difference(item, figures[name]) for name, item in key_figures(after).items()}
    assert moved["Goodput"]
    assert not moved["Checkpoint"]
    for name, item in key_figures(after).items():
        assert squeezed(f"{name}{figures[name]}{item}{moved[name] or 'unchanged'}") in page


def test_a_scenario_does_as_well_as_a_plan_and_without_a_change_that_is_said():
    words = squeezed("".join(pages_in(rendered(planned(SMALLEST), signed=template(SMALLEST).scenario))))
    assert "Nothinghaschangedsince." in words


def test_without_a_signed_revision_there_is_no_such_section():
    assert "Changedsince" not in words_of(SMALLEST)


def test_values_are_told_as_people_read_them_and_auto_as_auto():
    old = template(SMALLEST).scenario
    new = changed(SMALLEST, jobs__0__checkpoint__interval_s=600.0, network__path_count=4, name="<b>new</b>")
    rows = {label: (before, after) for _, label, before, after in changed_inputs(old, new, load_catalogue())}
    assert rows["Paths per node"] == ("AUTO", "4")
    assert rows["Name"][1] == "<b>new</b>"
    assert rows["Checkpoint interval"][1] == "10\u00a0min"
    assert len(rows) == 3


def test_a_job_that_went_is_one_row():
    old = template("two-jobs").scenario
    new = scenario_from_dict(
        nest({path: v for path, v in flatten(old).items() if not path.startswith("jobs.1.")})
    )
    assert changed_inputs(old, new, load_catalogue()) == [
        ("Job 2", "The whole job", old.jobs[1].name, "none")
    ]
    assert changed_inputs(new, old, load_catalogue()) == [
        ("Job 2", "The whole job", "none", old.jobs[1].name)
    ]


@pytest.mark.parametrize("names", [("two-jobs", SMALLEST), (SMALLEST, "frontier-16384")])
def test_designs_that_have_little_in_common_can_be_compared(names):
    page = text_of(*changes(planned(names[1]), planned(names[0])))
    assert ("Thewholejob" in page) == ("two-jobs" in names)


def result_rows(result, signed):
    return text_of(*changes(result, signed)).partition("Everyresultthatmoved")[2]


def test_a_renamed_job_is_the_same_job():
    renamed = changed("two-jobs", jobs__0__name="Renamed")
    assert result_rows(plan(renamed, load_catalogue()), planned("two-jobs")) == ""
    longer = changed("two-jobs", jobs__0__name="Renamed", jobs__0__checkpoint__interval_s=7200.0)
    rows = result_rows(plan(longer, load_catalogue()), planned("two-jobs")).partition("Requirements")[0]
    old = planned("two-jobs").jobs[0].job.checkpoint.interval_s
    assert squeezed(f"Checkpoints · RenamedCheckpoint interval{old}2 h") in rows
    assert "none" not in rows


def test_figures_of_a_job_that_went_are_gone_and_the_other_keeps_its_own():
    old = template("two-jobs").scenario
    new = scenario_from_dict(
        nest({path: v for path, v in flatten(old).items() if not path.startswith("jobs.1.")})
    )
    rows = result_rows(plan(new, load_catalogue()), planned("two-jobs"))
    size = planned("two-jobs").jobs[1].job.checkpoint.size_bytes
    assert squeezed(f"Checkpoint size{size}nonegone") in rows
    assert squeezed(f"Checkpoint size{planned('two-jobs').jobs[0].job.checkpoint.size_bytes}none") not in rows


@pytest.mark.parametrize(
    ("old", "new", "unit", "said"),
    [
        (0.02, 0.03, "fraction", "+1 point"),
        (0.03, 0.01, "fraction", "-2 points"),
        (5.0, float("inf"), "s", "was 5 s"),
        (float("inf"), float("inf"), "s", ""),
        (float("nan"), 5.0, "s", "was unknown"),
    ],
)
def test_a_difference_in_words(old, new, unit, said):
    before, after = (given(value, unit, "Figure", source="test", grade="seen") for value in (old, new))
    assert difference(after, before).replace("\u00a0", " ") == said
