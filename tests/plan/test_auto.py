"""What AUTO derives: recorded for every input, what the design uses, and the same figures when it is stated."""

from __future__ import annotations

from typing import Any

import pytest

from planner.catalogue import load_catalogue
from planner.core.quantity import Quantity
from planner.inputs import flatten, inputs_for
from planner.plan import plan
from planner.scenario_json import with_value
from planner.sections.context import Choice
from planner.summary import key_figures
from planner.templates import Template, templates
from tests.plan.changes import EVIDENCE, planned, shipped

NEVER_AUTO = {
    "jobs.0.checkpoint.interval_step_count",
    "jobs.0.checkpoint.step_s",
    "jobs.0.model.active_parameter_count",
    "jobs.0.model.layer_count",
    "jobs.0.model.hidden_count",
    "jobs.0.model.embedding_parameter_count",
    "jobs.0.model.expert_parameter_count",
    "jobs.0.model.adapter_parameter_count",
    "storage.hot.manual_write_bytes_per_s",
    "storage.hot.manual_read_bytes_per_s",
    "storage.hot.manual_usable_bytes",
    "network.measured_latency_s",
    "site.rack_usd_per_month",
    "site.allowed_w",
    "site.allowed_rack_count",
    "site.allowed_circuit_count",
    "site.allowed_cross_connect_count",
    "site.inlet_celsius",
    "site.floor_limit_kg_per_m2",
}
"""Inputs that may stay empty without the planner putting a number of its own there."""

by_template = pytest.mark.parametrize("item", templates(), ids=lambda item: item.id)


def stated(derived: Quantity | Choice) -> Any:
    """What would be typed to state what AUTO derived."""
    return derived.value if isinstance(derived, Choice) else derived.number


@by_template
def test_every_auto_input_records_what_was_derived(item: Template) -> None:
    result = shipped(item.id)
    expected = {
        entry.path
        for entry in inputs_for(len(item.scenario.jobs))
        if entry.auto and entry.path.replace("jobs.1.", "jobs.0.") not in NEVER_AUTO
    }
    tokens = {
        f"jobs.{index}.ingest.tokens_per_s"
        for index, job in enumerate(item.scenario.jobs)
        if item.scenario.basis == "guide" or job.ingest.basis != "tokens"
    }
    one_level = {
        f"jobs.{index}.checkpoint.{name}"
        for index, job in enumerate(item.scenario.jobs)
        for name in ("fast_interval_s", "fast_stall_s")
        if job.checkpoint.mode != "two-level"
    }
    assert expected - set(result.auto) <= tokens | one_level
    choices = {path: derived for path, derived in result.auto.items() if isinstance(derived, Choice)}
    assert [path for path, derived in choices.items() if not (derived.reason and derived.label)] == []


@by_template
def test_what_auto_records_is_what_the_design_uses(item: Template) -> None:
    result = shipped(item.id)
    flat = flatten(item.scenario)
    used: dict[str, float | str] = {
        "storage.hot.unit_count": result.hot.unit_count.number,
        "storage.hot.drive_count": result.hot.drive_count.number,
        "storage.hot.usable_bytes": result.hot.usable_bytes.number,
        "storage.hot.protection_domain": result.hot.domain,
        "storage.hot.protection_at": result.hot.protection_at,
        "storage.hot.protection_id": result.hot.scheme.id if result.hot.scheme else "",
        "storage.hot.platform_id": result.hot.platform.id,
        "storage.object_store.unit_count": result.tiers[-1].unit_count.number,
        "storage.object_store.usable_bytes": result.tiers[-1].usable_bytes.number,
        "network.transport": result.network.transport.value,
        "network.topology": result.network.topology.value,
        "network.path_count": result.network.path_count.number,
        "jobs.0.checkpoint.target_s": result.jobs[0].job.checkpoint.target_s.number,
    }
    recorded = {path: stated(result.auto[path]) for path in used if flat[path] is None}
    assert recorded == {path: used[path] for path in recorded}


def test_what_is_left_to_auto_beside_a_stated_size_is_what_the_design_has() -> None:
    result = planned(EVIDENCE, {"storage.hot.usable_bytes": 1e12, "storage.file_system.unit_count": 5})
    file_system = result.tier("file-system")
    assert file_system is not None
    assert result.auto["storage.hot.drive_count"] == result.hot.drive_count
    assert result.auto["storage.file_system.usable_bytes"] == file_system.usable_bytes
    result = planned(EVIDENCE, {"storage.hot.drive_count": 30})
    assert result.auto["storage.hot.usable_bytes"] == result.hot.usable_bytes


AUTO_TO_STATE = (
    "storage.hot.unit_count",
    "storage.hot.protection_id",
    "storage.hot.protection_domain",
    "storage.hot.protection_at",
    "storage.hot.platform_id",
    "storage.hot.architecture",
    "storage.file_system.unit_count",
    "storage.object_store.unit_count",
    "network.transport",
    "network.topology",
    "network.path_count",
    "cluster.storage_port_count",
    "cluster.host_memory_bytes",
    "jobs.0.checkpoint.target_s",
    "jobs.0.model.recipe_id",
    "jobs.0.model.bytes_per_parameter_bytes",
    "prices.price_set_id",
)


@pytest.mark.parametrize("path", AUTO_TO_STATE)
def test_stating_what_auto_derives_changes_no_figure(path: str) -> None:
    before = shipped(EVIDENCE)
    value = stated(before.auto[path])
    if path.endswith("_count"):
        value = int(value)
    after = key_figures(plan(with_value(before.scenario, path, value), load_catalogue()))
    for name, item in key_figures(before).items():
        assert after[name].number == pytest.approx(item.number, nan_ok=True), name


@pytest.mark.parametrize(
    ("posix", "snapshots", "skill", "chosen"),
    # The guide: a parallel file system has the POSIX namespace, targets on servers cost less and ask for a team and
    # lack features, an array is simple and has them; of as many points the cheaper one.
    [
        (True, False, "high", "parallel-file-system"),
        (True, True, "low", "parallel-file-system"),
        (False, False, "low", "software-defined"),
        (False, True, "high", "software-defined"),
        (False, True, "low", "all-flash-array"),
    ],
)
def test_the_architecture_follows_the_words_of_the_guide(
    posix: bool, snapshots: bool, skill: str, chosen: str
) -> None:
    wishes = {"needs_posix": posix, "needs_snapshots": snapshots, "operations_skill": skill}
    result = planned(EVIDENCE, {f"storage.{name}": value for name, value in wishes.items()})
    assert result.architecture.choice.value == chosen
    assert {points for score in result.architecture.scores for points in score.points.values()} == {0, 1, 2}
