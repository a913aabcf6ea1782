"""Scenarios of other schema versions: lifted, or refused whole."""

from __future__ import annotations

import json
from typing import Any

import pytest

from planner.core.errors import PlannerError
from planner.store import SCHEMA_VERSION, UPGRADES, NewRevision, Store, Upgrade, upgraded_json


def _first_to_second(scenario: dict[str, Any]) -> dict[str, Any]:
    return {**scenario, "nodes_count": scenario["nodes"] * 2, "schema_version": 2}


def _second_to_third(scenario: dict[str, Any]) -> dict[str, Any]:
    return {"cluster": {"nodes_count": scenario["nodes_count"]}, "schema_version": 3}


STEPS: dict[int, Upgrade] = {1: _first_to_second, 2: _second_to_third}


def test_steps_are_applied_in_order() -> None:
    lifted = upgraded_json('{"nodes": 4}', from_version=1, to_version=3, upgrades=STEPS)
    assert json.loads(lifted) == {"cluster": {"nodes_count": 8}, "schema_version": 3}
    lifted = upgraded_json('{"nodes_count": 5}', from_version=2, to_version=3, upgrades=STEPS)
    assert json.loads(lifted) == {"cluster": {"nodes_count": 5}, "schema_version": 3}


def test_current_version_is_untouched_to_the_letter() -> None:
    assert upgraded_json('{ "a":1.50 }', from_version=3, to_version=3, upgrades=STEPS) == '{ "a":1.50 }'


def test_newer_version_is_refused_with_both_versions() -> None:
    with pytest.raises(PlannerError, match=r"newer planner \(schema version 4; this one reads up to 3\)"):
        upgraded_json("{}", from_version=4, to_version=3, upgrades=STEPS)


def test_missing_step_is_refused() -> None:
    with pytest.raises(
        PlannerError, match=r"schema version 1, which this planner can no longer read \(the oldest is 2\)"
    ):
        upgraded_json("{}", from_version=1, to_version=3, upgrades={2: _second_to_third})
    with pytest.raises(PlannerError, match="schema version 1, which"):
        upgraded_json("{}", from_version=1, to_version=2, upgrades={})


def test_failing_step_is_refused_whole() -> None:
    with pytest.raises(
        PlannerError, match=r"from schema version 1 to 2 \(KeyError: 'nodes'\); it is stored unchanged"
    ):
        upgraded_json("{}", from_version=1, to_version=3, upgrades=STEPS)


def test_every_version_of_the_shipped_registry_has_a_step() -> None:
    assert sorted(UPGRADES) == list(range(1, SCHEMA_VERSION))


def test_open_lifts_and_leaves_the_stored_revision_alone(store: Store) -> None:
    stored = store.create_design("a", NewRevision(scenario_json='{"nodes": 4}', scenario_hash="h"))
    newer = Store(store.database, schema_version=3, upgrades=STEPS)
    opened = newer.open_revision(1)
    assert json.loads(opened.scenario_json) == {"cluster": {"nodes_count": 8}, "schema_version": 3}
    assert (opened.schema_version, opened.scenario_hash, opened.number) == (3, "h", 1)
    assert newer.revision(1) == stored == store.open_revision(1)


def test_open_names_the_revision_that_it_refuses(store: Store) -> None:
    store.create_design("a", NewRevision(scenario_json="{}", schema_version=2))
    with pytest.raises(
        PlannerError, match=r"^schema_version: revision 1 of design 1 was saved by a newer planner"
    ):
        store.open_revision(1, 1)
    assert store.revision(1, 1).schema_version == 2
    assert store.designs().total == 1
