"""The page for who decides: one page, the answer first, the same figures as everywhere."""

import dataclasses
import io

import pypdf
import pytest

from planner.catalogue import load_catalogue
from planner.core.checks import Finding
from planner.documents.executive import MOST_FINDINGS, answer, capital, decision
from planner.documents.page import Stamp
from planner.inputs import with_value
from planner.plan import plan
from planner.templates import template
from tests.documents.printed import (
    CREATED,
    HASH,
    LARGEST,
    NAMES,
    SMALLEST,
    pages_of,
    planned,
    rendered,
    squeezed,
)


def stamp(**words):
    told = {
        "title": "T",
        "revision": "7",
        "author": "A",
        "created": CREATED,
        "hash_text": HASH,
        "draft": False,
    }
    return Stamp(**{**told, **words})


def pages_between(file, first, last):
    reader = pypdf.PdfReader(io.BytesIO(file))
    tops = {
        entry.title: reader.get_destination_page_number(entry)
        for entry in reader.outline
        if not isinstance(entry, list)
    }
    return reader, tops[first], tops[last]


@pytest.mark.parametrize("name", NAMES)
def test_it_is_one_page_with_all_its_parts(name):
    page = squeezed(pages_of(name)[3])
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
    assert "Requirements" in squeezed(pages_of(name)[4])


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
    assert squeezed(told) in squeezed(pages_of(name)[3])


@pytest.mark.parametrize("name", NAMES)
def test_money_and_what_decides_are_there(name):
    result, page = planned(name), squeezed(pages_of(name)[3])
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
        reader, first, last = pages_between(rendered(result, paper=paper), "Summary", "Requirements")
        assert last == first + 1
        page = squeezed(reader.pages[first].extract_text())
        shown = page.count("■BLOCKERX-") + page.count("▲WARNINGX-")
        assert 3 <= shown <= MOST_FINDINGS
        assert f"3blockers,37warnings,0notes.{40 - shown}more:see“Findings”" in page


def test_long_names_keep_it_one_page():
    scenario = template("two-jobs").scenario
    for path in ("name", "jobs.0.name", "jobs.1.name", "jobs.0.model.name"):
        scenario = with_value(scenario, path, ("非常长的客户名称" * 30)[:200])
    result = many_findings(plan(scenario, load_catalogue()), 40)
    _, first, last = pages_between(rendered(result, title="W" * 200), "Summary", "Requirements")
    assert last == first + 1


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
