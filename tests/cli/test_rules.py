"""`python -m planner rules`: what each rule of the review checks."""

from __future__ import annotations

import json

from planner.findings import codes
from planner.words import find_rules, review_rules
from tests.cli.commands import run, started


def test_all_rules_are_listed_with_severity_title_and_check() -> None:
    shown = started("rules")
    assert shown.returncode == 0, shown.stderr
    lines = shown.stdout.splitlines()
    heads = [line.split()[0] for line in lines[:-2] if not line.startswith(" ")]
    assert heads == [rule.code for rule in review_rules()]
    assert set(codes()) < set(heads)
    place = lines.index("PRT-1   blocker, warning        too few drives, nodes or racks for the protection")
    assert lines[place + 1] == f"  {find_rules('PRT-1')[0].check}"
    assert lines[-1] == f"{len(heads)} of {len(heads)} rules"


def test_one_rule_by_its_code_and_as_json() -> None:
    lines = run("rules", "lay-7").stdout.splitlines()
    assert lines[0] == "LAY-7  blocker  experts and embeddings larger than the model"
    assert lines[-1] == f"1 of {len(review_rules())} rules"
    (row,) = json.loads(run("rules", "LAY-7", "--json").stdout)["rules"]
    assert (row["code"], row["severities"], row["section"]) == ("LAY-7", ["blocker"], "checkpoint")
    assert row["inputs"] == ["jobs.*.model.expert_parameter_count", "jobs.*.model.embedding_parameter_count"]


def test_a_rule_that_is_not_there_is_one_line_and_status_two() -> None:
    shown = run("rules", "LAZ-7")
    assert (shown.returncode, shown.stdout) == (2, "")
    assert shown.stderr == "rules: none has “LAZ-7”; did you mean LAY-7?\n"
