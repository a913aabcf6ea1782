"""What changed since the signed revision: inputs first, then what they moved."""

import pytest

from planner.catalogue import load_catalogue
from planner.core.quantity import given
from planner.documents.changes import changed_inputs
from planner.inputs import flatten, nest
from planner.plan import plan
from planner.scenario_json import scenario_from_dict, with_value
from planner.summary import difference, key_figures
from planner.templates import template
from tests.documents.printed import SMALLEST, pages_in, planned, rendered, squeezed


def changed(of, /, **values):
    scenario = template(of).scenario
    for path, value in values.items():
        scenario = with_value(scenario, path.replace("__", "."), value)
    return scenario


def page_of(result, **words):
    pages = pages_in(rendered(result, **words))
    return squeezed(next(page for page in pages[3:] if "Changed since the last signed revision" in page))


def test_inputs_come_first_then_figures_with_absolute_and_relative_difference():
    before = planned(SMALLEST)
    after = plan(changed(SMALLEST, jobs__0__checkpoint__interval_s=600.0), load_catalogue())
    page = page_of(after, signed=before, signed_name="revision 3, signed 2026-08-01")
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


def test_a_scenario_does_as_well_as_a_plan():
    after = plan(changed(SMALLEST, jobs__0__checkpoint__interval_s=600.0), load_catalogue())
    signed = template(SMALLEST).scenario
    assert rendered(after, signed=signed) == rendered(after, signed=planned(SMALLEST))


def test_nothing_changed_is_said():
    page = page_of(planned(SMALLEST), signed=planned(SMALLEST))
    assert "Nothinghaschangedsince." in page


def test_without_a_signed_revision_there_is_no_such_section():
    assert not any("Changed since" in page for page in pages_in(rendered(planned(SMALLEST))))


def test_values_are_told_as_people_read_them_and_auto_as_auto():
    old = template(SMALLEST).scenario
    new = changed(SMALLEST, jobs__0__checkpoint__interval_s=600.0, network__path_count=4, name="<b>new</b>")
    rows = {label: (before, after) for _, label, before, after in changed_inputs(old, new)}
    assert rows["Paths per node"] == ("AUTO", "4")
    assert rows["Name"][1] == "<b>new</b>"
    assert rows["Checkpoint interval"][1] == "10\u00a0min"
    assert len(rows) == 3


def test_a_job_that_went_is_one_row():
    old = template("two-jobs").scenario
    new = scenario_from_dict(
        nest({path: v for path, v in flatten(old).items() if not path.startswith("jobs.1.")})
    )
    assert changed_inputs(old, new) == [("Job 2", "The whole job", old.jobs[1].name, "none")]
    assert changed_inputs(new, old) == [("Job 2", "The whole job", "none", old.jobs[1].name)]


@pytest.mark.parametrize("names", [("two-jobs", SMALLEST), (SMALLEST, "frontier-16384")])
def test_designs_that_have_little_in_common_can_be_compared(names):
    page = page_of(planned(names[1]), signed=planned(names[0]))
    assert "Thewholejob" in page or names[0] == SMALLEST


def result_rows(result, signed):
    page = squeezed("".join(pages_in(rendered(result, signed=signed))))
    return page.partition("Everyresultthatmoved")[2].partition("Whatisaskedandwhatisprovided")[0]


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
