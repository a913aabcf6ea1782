"""The list of review rules says of each code what the rules themselves say, and is found by code and by words."""

from __future__ import annotations

import ast
import inspect
from collections import defaultdict
from collections.abc import Iterator

import pytest

from planner import PlannerError, findings
from planner.catalogue import default_folder
from planner.core.checks import SEVERITIES
from planner.words import SECTIONS, failing, find_rules, read_rules, review_rules
from tests.plan.finding_cases import CASES

BY_CODE = {rule.code: rule for rule in review_rules()}
HEAD = "code,severities,title,section,check,mended_by,source"


def written() -> Iterator[ast.Call]:
    """Every finding as it is written in the rules."""
    for subject in findings.SUBJECTS:
        for node in ast.walk(ast.parse(inspect.getsource(subject))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Finding":
                yield node


def texts(node: ast.expr) -> set[str]:
    return {
        part.value
        for part in ast.walk(node)
        if isinstance(part, ast.Constant) and isinstance(part.value, str)
    }


def test_every_code_of_the_review_is_listed_and_no_other() -> None:
    assert {*findings.codes(), "GDE-n"} == set(BY_CODE)


def test_severities_and_section_are_those_that_the_rules_give() -> None:
    severities, sections = defaultdict(set), defaultdict(set)
    for call in written():
        for code in texts(call.args[0]) & set(BY_CODE):
            severities[code] |= texts(call.args[1]) & set(SEVERITIES)
            sections[code] |= texts(call.args[5])
    listed = {code: rule for code, rule in BY_CODE.items() if code != "GDE-n"}
    assert severities == {code: set(rule.severities) for code, rule in listed.items()}
    assert sections == {code: {rule.section} for code, rule in listed.items()}


def test_each_severity_has_a_design_that_shows_it() -> None:
    shown = {(case.code, case.severity) for case in CASES}
    listed = {(rule.code, severity) for rule in review_rules() for severity in rule.severities}
    assert listed - {("GDE-n", "note")} == shown


def test_a_title_is_short_and_a_check_names_each_severity() -> None:
    for rule in review_rules():
        assert len(rule.title) <= 60, rule.code
        assert rule.title[-1] not in ".;,", rule.code
        assert rule.check.endswith("."), rule.code
        assert [severity for severity in rule.severities if severity not in rule.check.casefold()] == [], (
            rule.code
        )
    assert list(dict.fromkeys(rule.section for rule in review_rules())) == list(SECTIONS)


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ("END1,note,a,tiers,b,c,d", "code: “END1” is no code such as END-1"),
        (
            "END-1,note;blocker,a,tiers,b,c,d",
            "severities: “note;blocker” is not of blocker;warning;note in this order",
        ),
        ("END-1,grave,a,tiers,b,c,d", "severities: “grave”"),
        ("END-1,note,a,tier,b,c,d", "section: no section “tier”; did you mean tiers?"),
        ("END-1,note,a,tiers,b,{site.pue},d", "mended_by: no input “site.pue”; did you mean site.pue_ratio?"),
        ("END-1,note,a,tiers,,c,d", "check: the cell is empty"),
        ("END-1,note,a,tiers,b,c,d\nEND-1,note,a,tiers,b,c,d", "“END-1” is there twice"),
    ],
)
def test_a_row_that_is_not_right_is_refused_with_its_place(row: str, says: str) -> None:
    with pytest.raises(PlannerError) as refused:
        read_rules(f"{HEAD}\n{row}\n", file="findings.csv")
    assert refused.value.message.startswith(f"findings.csv:{2 + row.count(chr(10))} ")
    assert says in refused.value.message


def test_inputs_are_called_by_their_labels() -> None:
    file = default_folder() / "rules/findings.csv"
    assert "{storage.hot.power_loss_protection}; {storage.hot.write_back_cache}" in file.read_text(
        encoding="utf-8"
    )
    assert BY_CODE["STR-2"].mended_by == "Power-loss protection; Write-back cache"
    assert BY_CODE["STR-2"].inputs == ("storage.hot.power_loss_protection", "storage.hot.write_back_cache")
    assert not any("{" in rule.mended_by for rule in review_rules())


@pytest.mark.parametrize(
    ("words", "codes"),
    [
        ("net-1", ["NET-1"]),  # NET-10 has these letters too
        ("GDE-04 END-1 gde-61", ["GDE-n", "END-1"]),
        ("DWPD guide's basis", ["END-2"]),
        ("jobs.*.checkpoint.target_s", ["BW-2", "BW-5"]),
    ],
)
def test_rules_are_found_by_code_and_by_words(words: str, codes: list[str]) -> None:
    assert [rule.code for rule in find_rules(words)] == codes


def test_what_a_design_fails_is_told_with_titles_and_own_limits_as_they_are() -> None:
    assert failing(["END-1", "PRT-3", "power at most 12 kW"]) == (
        "END-1 daily writes above what the rating allows; PRT-3 protection ends at a storage node; power at most 12 kW"
    )
    assert failing([]) == "nothing"
