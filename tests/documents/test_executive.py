"""The page for who decides: one page, the answer first, the same figures as everywhere."""

import dataclasses
import functools

import pytest

from planner.catalogue import load_catalogue
from planner.core.checks import Finding
from planner.documents.executive import MOST_FINDINGS, answer, capital, decision, finding_line, summary
from planner.documents.exposure import exposure
from planner.documents.parts import text
from planner.documents.requirements import asked
from planner.plan import plan
from planner.review.record import Written
from planner.review.register import RegisterItem
from planner.scenario_json import with_value
from planner.templates import template
from tests.documents.printed import (
    CREATED,
    LARGEST,
    NAMES,
    SMALLEST,
    STAMP,
    UNREVIEWED,
    laid_out,
    pages_in,
    planned,
    squeezed,
)


def stamp(**words):
    return dataclasses.replace(STAMP, **words)


def page_of(result, reviewed=None, **words):
    """The summary as it stands between two other sections: always one page of its own."""
    head = stamp(**words)
    parts = (text("before"), *summary(result, head, reviewed), text("after"))
    before, page, after = map(squeezed, pages_in(laid_out(*parts, stamp=head)))
    assert (before[:6], after[:5]) == ("before", "after")
    return page


@functools.cache
def page_named(name):
    return page_of(planned(name))


@pytest.mark.parametrize("name", NAMES)
def test_it_is_one_page_with_all_its_parts(name):
    page = page_named(name)
    parts = (
        "Summary",
        "Keyfigure",
        "Whatdecidesthesize",
        "Whatitcosts",
        "Whatstandsagainstit",
        "Whatisasked",
    )
    places = [page.index(part) for part in parts]
    assert places == sorted(places)


@pytest.mark.parametrize("name", NAMES)
def test_the_answer_is_one_sentence_with_the_figures_of_the_plan(name):
    result, told = planned(name), answer(planned(name))
    main = result.main
    assert told.endswith(".")
    assert ". " not in told
    for item in (
        result.cluster.gpu_count,
        main.goodput.goodput_fraction,
        main.job.checkpoint.size_bytes,
        main.goodput.stall_s,
        result.facility.typical_w,
    ):
        assert str(item) in told
    assert capital(result) in told
    assert squeezed(told) in page_named(name)


@pytest.mark.parametrize("name", NAMES)
def test_money_and_what_decides_are_there(name):
    result, page = planned(name), page_named(name)
    for item in (
        result.cost.running_usd_per_year,
        result.main.goodput.idle_usd_per_year,
        result.together.lost_usd_per_year,
        result.main.goodput.best_lost_usd_per_year,
    ):
        assert squeezed(str(item)) in page
    for tier in result.tiers:
        assert squeezed(f"{tier.name}: {tier.binding}") in page


def told(result, findings):
    """The plan with those remarks alone."""
    other = dataclasses.replace(result)
    vars(other)["findings"] = findings
    return other


def many_findings(result, count):
    found = tuple(
        Finding(
            f"X-{number}",
            "blocker" if number < 3 else "warning",
            "long words " * 40,
            "mend",
            "source",
            "tiers",
        )
        for number in range(count)
    )
    return told(result, found)


def test_however_many_findings_there_are_it_stays_one_page_and_counts_the_others():
    result = many_findings(planned("two-jobs"), 40)
    for paper in ("A4", "Letter"):
        page = page_of(result, paper=paper)
        shown = page.count("■BLOCKERX-") + page.count("▲WARNINGX-")
        assert 3 <= shown <= MOST_FINDINGS
        assert f"3blockers,37warnings,0notes.{40 - shown}more:see“Findings”" in page


def test_long_names_keep_it_one_page():
    scenario = template("two-jobs").scenario
    for path in ("name", "jobs.0.name", "jobs.1.name", "jobs.0.model.name"):
        scenario = with_value(scenario, path, ("非常长的客户名称" * 30)[:200])
    result = many_findings(plan(scenario, load_catalogue()), 40)
    assert "3blockers,37warnings" in page_of(result, title="W" * 200)


REGISTER = tuple(
    Written(
        number=number, version=1, name="Ann", created=CREATED,
        content=RegisterItem(kind="risk", text=words, owner="Ann", open=open_),
    )
    for number, words, open_ in ((1, "Drives are late <b>", True), (2, "settled long ago", False))
)  # fmt: skip
REVIEWED = dataclasses.replace(UNREVIEWED, state="in review", register=REGISTER)


def test_risks_are_told_where_nothing_was_found():
    quiet = told(planned(SMALLEST), ())
    lines = list(exposure(quiet, REVIEWED))
    page = page_of(quiet, REVIEWED)
    assert all(squeezed(line) in page for line in lines)
    assert lines[0] == "Risk 1 of the register: Drives are late <b>"
    assert not any("settled" in line for line in lines)
    starts = ("Risk 1", "Tightest limits: ", "Measure first: ", "Loss of a checkpoint ")
    assert [line.startswith(start) for line, start in zip(lines, starts, strict=True)] == [True] * 4


def test_the_tightest_limit_is_the_one_of_which_most_is_used():
    checks = [row for row in asked(planned(SMALLEST)) if row.verdict == "PASS"]
    most = max(checks, key=lambda row: row.utilisation)
    tightest = next(line for line in exposure(planned(SMALLEST), None) if line.startswith("Tightest"))
    assert tightest.startswith(f"Tightest limits: {most.name}: {most.provided} against {most.required} asked")
    # 14.6 kW of the 16.4 kW that a feed may carry: 0.89, against 0.86 of a rack
    assert most.name == "One feed alone"


def with_severity(name, severity):
    finding = () if severity is None else (Finding("X-1", severity, "m", "r", "s", "tiers"),)
    return told(planned(name), finding)


@pytest.mark.parametrize(
    ("severity", "status", "starts"),
    [
        ("blocker", "in review", "Do not order yet. Decide for each of the 1 blocker"),
        ("warning", "in review", "Accept 1 warning, or have it mended; then approve revision 7"),
        ("note", "in review", "Approve revision 7"),
        (None, "", "Approve revision 7"),
        ("warning", "approved", "Nothing: revision 7 is approved."),
        ("blocker", "approved", "Nothing: revision 7 is approved, 1 blocker waived with a reason. Order"),
    ],
)
def test_what_is_asked_follows_from_what_stands_against_it(severity, status, starts):
    assert decision(with_severity(SMALLEST, severity), stamp(status=status)).startswith(starts)


def test_a_draft_is_not_approved_whatever_its_status_says():
    asked = decision(with_severity(LARGEST, None), stamp(status="approved", draft=True))
    assert asked.startswith("Save the design, approve the revision")


@pytest.mark.parametrize("revision", ["design 1, revision 7", "7"])
def test_a_revision_is_named_once(revision):
    words = {"design 1, revision 7": "design 1, revision 7", "7": "revision 7"}[revision]
    asked = decision(with_severity(SMALLEST, None), stamp(revision=revision, status="approved"))
    assert asked == f"Nothing: {words} is approved. Order by its bill of materials."


@pytest.mark.parametrize(
    ("message", "said"),
    [
        (
            "One sentence that is short enough. " + "More than fits " * 20,
            "One sentence that is short enough.",
        ),
        ("Words without a stop " * 20, "Words without a stop Words…"),
        ("One clause of 1,000, and one that is left out of it.", "One clause of 1,000…"),
    ],
)
def test_a_finding_is_cut_at_a_sentence_or_a_word(message, said):
    finding = Finding("BW-2", "warning", message, "", "", "tiers")
    told = finding_line(finding, 60 if said.endswith(".") else 44).words
    assert told == f"▲ WARNING BW-2: {said}"
