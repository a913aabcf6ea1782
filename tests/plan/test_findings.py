"""Each rule of the review fires on a design that breaks it, says so in numbers, and is silent on one that keeps it."""

from __future__ import annotations

import math
import re
from types import SimpleNamespace
from typing import cast

import pytest

from planner import findings
from planner.catalogue import load_catalogue
from planner.core.checks import SEVERITIES
from planner.core.units import sentence
from planner.findings.site import completeness
from planner.input_help import pattern
from planner.plan import Plan, plan
from planner.scenario_json import with_value
from planner.templates import templates
from planner.words import find_rules
from tests.plan.changes import EVIDENCE, changed, codes, plain, planned, shipped, with_code
from tests.plan.finding_cases import CASES, TWO, Case

DAY = 86_400.0


@pytest.fixture(scope="module", params=CASES, ids=[f"{c.code} {c.name}".strip() for c in CASES])
def case(request: pytest.FixtureRequest) -> Case:
    """One case after the other, each with all of its tests, so that its broken design is planned once."""
    return request.param


@pytest.fixture(scope="module")
def broken(case: Case) -> Plan:
    return planned(case.template, case.breaks) if case.breaks else shipped(case.template)


def test_a_broken_rule_is_found_with_its_numbers(case: Case, broken: Plan) -> None:
    found = with_code(broken, case.code)
    said = [finding for finding in found if finding.severity == case.severity]
    assert said != [], [f.message for f in found]
    text = plain(f"{said[0].message} {said[0].remedy}")
    missing = [part for part in case.says if part not in text and not text.startswith(sentence(part))]
    assert missing == [], text
    assert said[0].message[0] == said[0].message[0].upper()
    assert said[0].source
    assert said[0].section


def test_the_list_of_rules_tells_where_it_stands_and_what_mends_it(case: Case, broken: Plan) -> None:
    (rule,) = find_rules(case.code)
    for finding in with_code(broken, case.code):
        assert finding.severity in rule.severities
        assert finding.section == rule.section
        assert finding.source in rule.source
    assert {pattern(path) for path in case.fixes} <= set(rule.inputs)


def test_a_message_is_one_line_without_a_missing_number(broken: Plan) -> None:
    for finding in broken.findings:
        text = f"{finding.message} {finding.remedy}"
        assert "\n" not in text
        assert not re.search(r"\bnan\b|\binf\b|None|\{|\}", text), text
        assert finding.message.endswith(".")
        assert finding.remedy.endswith(".")


def test_the_mended_design_is_silent(case: Case) -> None:
    mended = planned(case.template, {**case.breaks, **case.mends})
    assert [f.message for f in with_code(mended, case.code) if f.severity == case.severity] == []


def test_the_offered_fixes_mend_it(case: Case, broken: Plan) -> None:
    finding = next(f for f in with_code(broken, case.code) if f.severity == case.severity)
    assert tuple(fix.path for fix in finding.fixes) == case.fixes
    if not finding.fixes:
        return
    scenario = broken.scenario
    for fix in finding.fixes:
        assert fix.label
        scenario = with_value(scenario, fix.path, fix.value)
    assert [f.message for f in with_code(plan(scenario, load_catalogue()), case.code)] == []


@pytest.mark.parametrize(("count", "more"), [(4, "."), (6, "; and 2 more.")])
def test_of_many_gaps_four_are_told_and_the_rest_counted(count: int, more: str) -> None:
    (gap,) = shipped("lab-8-nodes").gaps
    (found,) = completeness(cast("Plan", SimpleNamespace(gaps=[gap] * count)))
    assert found.message.endswith(": " + "; ".join([f"{gap.part}: {gap.text}"] * 4) + more)


def test_every_rule_of_the_review_has_a_case() -> None:
    assert set(findings.codes()) == {case.code for case in CASES}


@pytest.mark.parametrize("row_id", ["G04", "G20", "G43", "G58", "G61"])
def test_a_figure_outside_the_guides_range_is_a_note_with_both_numbers(row_id: str) -> None:
    result = planned(EVIDENCE, {"jobs.0.checkpoint.target_s": 60.0})
    row = next(row for row in result.guide if row.id == row_id)
    notes = with_code(result, f"GDE-{row_id[1:]}")
    assert row.verdict == "outside"
    assert [note.severity for note in notes] == ["note"]
    assert row.design_text in notes[0].message
    assert row.guide_text in notes[0].message
    assert row.reason in notes[0].message


def test_a_figure_inside_the_guides_range_is_no_note() -> None:
    result = planned("guide-70b", {"jobs.0.checkpoint.target_s": 2.8})
    assert {row.id for row in result.guide if row.verdict == "inside"} >= {"G20", "G22", "G43", "G61"}
    assert not {"GDE-20", "GDE-22", "GDE-43", "GDE-61"} & codes(result)


def test_a_fabric_of_two_spines_is_not_told_to_save_most_of_them() -> None:
    scenario = changed("guide-256-nodes", {"network.client_oversubscription_ratio": 8.0})
    made = plan(scenario, load_catalogue())
    (note,) = with_code(made, "NET-14")
    assert made.network.spine_count.number == 2
    assert note.remedy == "Oversubscribe client leaves 16 to 1 and save uplinks."


@pytest.mark.parametrize(
    ("name", "ratio"),
    [
        *(("vision-1024", ratio) for ratio in (1.0, 2.0, 5.0)),
        *(("frontier-16384", ratio) for ratio in (1.0, 12.0)),
    ],
)
def test_a_generous_fabric_is_offered_more_oversubscription_once(name: str, ratio: float) -> None:
    path = "network.client_oversubscription_ratio"
    scenario = changed(name, {path: ratio})
    (note,) = with_code(plan(scenario, load_catalogue()), "NET-14")
    (fix,) = note.fixes
    # Sixteen to one is as far as it goes, though the largest template has 134 times too much even then.
    assert ratio < float(str(fix.value)) <= 16.0
    assert with_code(plan(with_value(scenario, path, fix.value), load_catalogue()), "NET-14") == []


def test_findings_come_worst_first_and_each_once() -> None:
    for item in templates():
        found = shipped(item.id).findings
        ranks = [SEVERITIES.index(finding.severity) for finding in found]
        assert ranks == sorted(ranks)
        assert len({(finding.code, finding.message) for finding in found}) == len(found)


def test_each_job_is_named_in_its_own_finding() -> None:
    result = planned("two-jobs", {"jobs.0.checkpoint.target_s": 1.0, "storage.hot.drive_count": 9})
    assert [finding.message.partition(":")[0] for finding in with_code(result, "BW-2")] == [
        "Pre-training 70B"
    ]


def test_a_save_that_takes_longer_than_a_month_offers_no_interval_that_is_not_allowed() -> None:
    slow = {"cluster.node_count": 1, "cluster.storage_port_bytes_per_s": 1.25e8, "storage.hot.drive_count": 1}
    result = planned(EVIDENCE, {"jobs.0.model.parameter_count": 1e14, **slow, **TWO})
    assert result.main.save.save_s.number > 30 * DAY / 1.05
    assert math.isfinite(result.main.save.save_s.number)
    assert [finding.fixes for finding in with_code(result, "BW-1")] == [()]
