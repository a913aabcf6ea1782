"""States, roles, anchors, requirements, register, comparison and the stale alarm."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import pytest

from planner import Scenario, load_catalogue, plan, scenario_to_json
from planner.core.errors import PlannerError
from planner.core.quantity import given
from planner.inputs import flatten
from planner.review import (
    ACTIONS,
    GUEST,
    LOCAL,
    ROLES,
    STATES,
    Actor,
    Anchor,
    Requirement,
    Role,
    after,
    allows,
    anchors,
    compare,
    effective_role,
    evaluate,
    possible,
    result_key,
    staleness,
    subjects,
    unknowns,
)
from planner.scenario_json import with_value
from planner.summary import figures, key_results

CATALOGUE = load_catalogue()
BASE = Scenario()
PLAN = plan(BASE, CATALOGUE)
STALL = result_key("Key figures", "Stall")


def test_every_pair_of_state_and_step_leads_somewhere_or_is_refused() -> None:
    """The whole table, written out: from each of draft, in review, approved and the rest."""
    leads = {
        ("draft", "submit"): "in review",
        ("changes requested", "submit"): "in review",
        ("in review", "withdraw"): "draft",
        ("in review", "request changes"): "changes requested",
        ("in review", "approve"): "approved",
        ("approved", "supersede"): "superseded",
    }
    for state, action in itertools.product(STATES, ACTIONS):
        if (state, action) in leads:
            assert after(state, action) == leads[state, action]
        else:
            with pytest.raises(PlannerError, match=r"^action: "):
                after(state, action)


@pytest.mark.parametrize(
    ("state", "role", "steps"),
    [
        ("draft", "viewer", ()),
        ("draft", "editor", ("submit",)),
        ("in review", "viewer", ()),
        ("in review", "editor", ("withdraw",)),
        ("in review", "approver", ("withdraw", "request changes", "approve")),
        ("approved", "editor", ()),
        ("approved", "approver", ("supersede",)),
        ("superseded", "approver", ()),
    ],
)
def test_possible_steps(state: str, role: Role, steps: tuple[str, ...]) -> None:
    assert possible(state, role) == steps


def test_roles_are_a_ladder() -> None:
    assert [[allows(role, needed) for needed in ROLES] for role in ROLES] == [
        [True, False, False],
        [True, True, False],
        [True, True, True],
    ]


@pytest.mark.parametrize(
    ("actor", "stated", "has_accounts", "role"),
    [
        (LOCAL, None, False, "approver"),
        (LOCAL, None, True, "viewer"),
        (GUEST, None, False, "viewer"),
        (GUEST, "approver", True, "viewer"),
        (Actor("ann"), None, False, "viewer"),
        (Actor("ann"), None, True, "viewer"),
        (Actor("ann"), "editor", True, "editor"),
        (Actor("ann", local=True), "approver", True, "viewer"),
    ],
)
def test_effective_role(actor: Actor, stated: Role | None, has_accounts: bool, role: Role) -> None:
    assert effective_role(actor, stated=stated, has_accounts=has_accounts) == role


def test_everything_in_a_plan_is_an_anchor() -> None:
    found = anchors(PLAN)
    assert {anchor.key for anchor in found if anchor.kind == "field"} == set(flatten(BASE))
    wanted = {result_key(section, label) for section, items in figures(PLAN).items() for label in items}
    assert wanted < {anchor.key for anchor in found if anchor.kind == "result"}
    assert len([anchor for anchor in found if anchor.kind == "finding"]) == len(PLAN.findings)
    assert {Anchor("section", name) for name in ("Cost", "cost", "network", "Key figures")} <= found
    assert len([anchor for anchor in found if anchor.kind == "line"]) == len(
        {(line.group, line.title) for line in PLAN.bom}
    )


def test_code_and_subject_name_one_finding() -> None:
    data = BASE.model_dump(mode="json")
    data["jobs"] = [{**data["jobs"][0], "name": name} for name in ("dense", "sparse", "sparse")]
    data["jobs"][1]["checkpoint"]["target_s"] = data["jobs"][2]["checkpoint"]["target_s"] = 1.0
    several = plan(Scenario.model_validate(data), CATALOGUE)
    found = [(finding.code, subject) for subject, finding in subjects(several)]
    assert len(set(found)) == len(found) == len(several.findings)
    assert [subject for code, subject in found if code == "FLR-1"] == ["dense", "sparse", "sparse (2)"]


def _requirement(measure: str, target: float) -> Requirement:
    return Requirement(ref="R", text="t", result=STALL, measure=measure, target=target, level="must")  # type: ignore[arg-type]


def test_requirement_is_compared_with_the_result_it_is_bound_to() -> None:
    stall = PLAN.main.goodput.stall_s.number
    cases = [
        ("at most", stall, "pass"), ("at most", stall * 0.999, "fail"), ("at most", stall * 1.001, "pass"),
        ("at least", stall, "pass"), ("at least", stall * 1.001, "fail"), ("at least", stall * 0.999, "pass"),
        ("equal to", stall, "pass"), ("equal to", stall * 1.001, "fail"),
    ]  # fmt: skip
    for measure, target, verdict in cases:
        check = evaluate([_requirement(measure, target)], PLAN)[0]
        assert (check.verdict, check.blocks) == (verdict, verdict == "fail"), (measure, target)
    should = evaluate([replace(_requirement("at most", 0.0), level="should")], PLAN)[0]
    assert (should.verdict, should.blocks) == ("fail", False)


def test_requirement_on_a_missing_result_is_unknown() -> None:
    check = evaluate([replace(_requirement("at most", 1.0), result="No / such")], PLAN)[0]
    assert (check.verdict, check.actual, check.text) == (
        "unknown", None, "at most 1; the design has no such result",
    )  # fmt: skip


def test_unknowns_are_what_the_plan_prints_as_unknown() -> None:
    found = unknowns(PLAN)
    lines = [line for line in PLAN.bom if not line.priced]
    dark = [item for items in figures(PLAN).values() for item in items.values() if not item.known]
    assert len({item.subject for item in found}) == len(found)
    assert len(found) <= len(lines) + len(dark)
    for line in lines:
        assert f"{line.group} / {line.title}" in [item.subject for item in found]
    hidden = given(None, "W", "Draw", source="nobody", grade="unknown")
    other = replace(PLAN, facility=replace(PLAN.facility, typical_w=hidden))
    assert result_key("Power and racks", "Draw") in [item.subject for item in unknowns(other)]


def test_comparison_has_what_differs_and_nothing_else() -> None:
    assert compare(PLAN, PLAN) == compare(PLAN, plan(BASE, CATALOGUE))
    assert compare(PLAN, PLAN).results == compare(PLAN, PLAN).findings == compare(PLAN, PLAN).lines == ()
    other = plan(with_value(BASE, "storage.hot.drive_id", "pm1753-15360"), CATALOGUE)
    found = compare(PLAN, other)
    lines = {change.key: change.count_change for change in found.lines}
    bought = {f"{line.group} / {line.title}": line.quantity.number for line in other.bom}
    had = {f"{line.group} / {line.title}": line.quantity.number for line in PLAN.bom}
    assert lines == {
        key: bought.get(key, 0) - had.get(key, 0)
        for key in bought.keys() | had.keys()
        if bought.get(key, 0) != had.get(key, 0)
    }
    back = compare(other, PLAN)
    assert {change.key for change in found.findings} == {change.key for change in back.findings}
    assert {change.key: (change.old, change.new) for change in found.results} == {
        change.key: (change.new, change.old) for change in back.results
    }


def test_fresh_design_raises_no_alarm() -> None:
    found = staleness(
        scenario_to_json(BASE), CATALOGUE, engine_version="2", key_results=key_results(PLAN),
        saved_engine_version="2", saved_catalogue_hash=CATALOGUE.hash,
    )  # fmt: skip
    assert (found.stale, found.causes, found.moved, found.text) == (False, (), (), "")


def test_alarm_names_cause_and_biggest_move() -> None:
    old = key_results(PLAN)
    old = {**old, "Power": old["Power"] / 1.08, "Cost, low": old["Cost, low"] / 0.98, "Stall": old["Stall"]}
    found = staleness(
        scenario_to_json(BASE), CATALOGUE, engine_version="2", key_results=old,
        saved_engine_version="1", saved_catalogue_hash="other", saved_price_hash="other",
    )  # fmt: skip
    assert found.causes == ("engine", "catalogue", "price set")
    assert [item.name for item in found.moved] == ["Power", "Cost, low"]
    assert found.moved[0].change_fraction == pytest.approx(0.08)
    assert found.text == "Newer engine and catalogue and price set: 2 key figures would move; biggest +8 %."
    assert found.moved[0].text.endswith("(+8 %)")


def test_figure_that_became_known_or_went_away_counts_as_moved() -> None:
    old = {**key_results(PLAN), "Power": None, "Gone": 1.0, "words": "x"}
    found = staleness(
        scenario_to_json(BASE), CATALOGUE, engine_version="2", key_results=old,
        saved_engine_version="2", saved_catalogue_hash="other",
    )  # fmt: skip
    assert {item.name for item in found.moved} == {"Power", "Gone"}
    assert all(math.isinf(item.change_fraction) for item in found.moved)
    assert found.text == "Newer catalogue: 2 key figures would move."


def test_newer_catalogue_that_moves_nothing_says_so() -> None:
    found = staleness(
        scenario_to_json(BASE), CATALOGUE, engine_version="2", key_results=key_results(PLAN),
        saved_engine_version="", saved_catalogue_hash="other",
    )  # fmt: skip
    assert (found.stale, found.text) == (False, "Newer catalogue: no key figure moves.")
