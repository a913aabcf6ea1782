"""What must hold of every plan, tried on designs drawn at random within the bounds of the inputs."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.catalogue import load_catalogue
from planner.core.checks import Check
from planner.core.errors import PlannerError
from planner.core.quantity import Quantity
from planner.core.units import sizes
from planner.inputs import Input, flatten, inputs_for, nest
from planner.plan import Plan, plan
from planner.scenario import Scenario
from planner.scenario_json import scenario_from_dict, with_value
from planner.sections.context import Choice
from planner.sizing import tier_capacity
from planner.summary import figures, headline, key_figures
from planner.templates import templates
from tests.plan.changes import EVIDENCE, GUIDE, changed, planned

CATALOGUE = load_catalogue()
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


def quantities(item: Any, path: str = "") -> list[tuple[str, Quantity]]:
    """Every quantity of a plan with the way to it."""
    if isinstance(item, Quantity):
        return [(path, item)]
    if dataclasses.is_dataclass(item) and not isinstance(item, type):
        parts = [(field.name, getattr(item, field.name)) for field in dataclasses.fields(item)]
    elif isinstance(item, dict):
        parts = [(str(key), value) for key, value in item.items()]
    elif isinstance(item, tuple):
        parts = [(str(index), value) for index, value in enumerate(item)]
    else:
        return []
    return [found for name, value in parts for found in quantities(value, f"{path}.{name}")]


def numbers(result: Plan) -> dict[str, float]:
    """Every number of a plan by the way to it."""
    return {path: item.number for path, item in quantities(result) if ".inputs" not in path}


# --- more is never less --------------------------------------------------------------------------

counts = st.integers(1, 60)
models = st.floats(1e9, 2e12)


def sized(parameters: float, retained: int, target_s: float, **more: Any) -> Plan:
    return planned(
        EVIDENCE,
        {
            "jobs.0.model.parameter_count": parameters,
            "jobs.0.checkpoint.retained_count": retained,
            "jobs.0.checkpoint.target_s": target_s,
            "storage.hot.protection_id": "2-way",
            **more,
        },
    )


def never_less(small: Plan, large: Plan) -> None:
    """No demand falls, no node is saved, and what is bought falls by no more than rounding.

    Every node holds as many drives as the next, so the smaller design may round up further: by one
    drive less than it has nodes.
    """
    for name, term in small.hot.terms.items():
        assert large.hot.terms[name].number >= term.number * (1 - 1e-9), name
    assert large.hot.unit_count.number >= small.hot.unit_count.number
    rounding = small.hot.unit_count.number - 1
    assert large.hot.drive_count.number >= small.hot.drive_count.number - rounding
    drive = next(line for line in small.bom if small.hot.drive and line.part_id == small.hot.drive.id)
    cost = small.cost.capital_low_usd.number - rounding * drive.price_low_usd.number
    assert large.cost.capital_low_usd.number >= cost * (1 - 1e-9)


@settings(max_examples=20)
@given(parameters=models, factor=st.floats(1, 20), retained=counts, target=st.floats(5, 300))
def test_a_larger_model_never_needs_less(
    parameters: float, factor: float, retained: int, target: float
) -> None:
    never_less(sized(parameters, retained, target), sized(parameters * factor, retained, target))


@settings(max_examples=20)
@given(parameters=models, retained=counts, extra=st.integers(1, 100), target=st.floats(5, 300))
def test_more_checkpoints_kept_never_need_less(
    parameters: float, retained: int, extra: int, target: float
) -> None:
    never_less(sized(parameters, retained, target), sized(parameters, retained + extra, target))


@settings(max_examples=20)
@given(parameters=models, retained=counts, target=st.floats(5, 300), factor=st.floats(1, 20))
def test_a_shorter_save_never_needs_less(
    parameters: float, retained: int, target: float, factor: float
) -> None:
    never_less(sized(parameters, retained, target), sized(parameters, retained, target / factor))


@settings(max_examples=20)
@given(parameters=models, interval=st.floats(600, 7200), factor=st.floats(1, 10))
def test_more_frequent_saves_never_need_less(parameters: float, interval: float, factor: float) -> None:
    few, many = (
        sized(parameters, 5, 20.0, **{"jobs.0.checkpoint.interval_s": seconds})
        for seconds in (interval, interval / factor)
    )
    never_less(few, many)


# Each demand with the range that it is drawn from, and whether more of it is a larger number.
DEMANDS: dict[str, tuple[float, float, bool, dict[str, Any]]] = {
    "jobs.0.ingest.dataset_bytes": (1e11, 5e14, True, {}),
    "cluster.node_count": (2, 900, True, {}),
    "jobs.0.model.parameter_count": (1e9, 2e12, True, {}),
    "jobs.0.checkpoint.retained_count": (1, 80, True, {}),
    "jobs.0.ingest.read_bytes_per_s": (1e8, 8e11, True, {"jobs.0.ingest.basis": "rate"}),
    "jobs.0.checkpoint.interval_s": (300.0, 14_400.0, False, {}),
    "jobs.0.checkpoint.target_s": (3.0, 300.0, False, {}),
    "storage.fill_limit_fraction": (0.5, 0.95, False, {}),
    "storage.guide_headroom_ratio": (1.0, 2.0, True, {"basis": "guide"}),
}


def drawn(path: str) -> st.SearchStrategy[Any]:
    """Values of a demand, evenly over its magnitudes."""
    low, high, *_ = DEMANDS[path]
    if path.endswith("_count") and "parameter" not in path:
        return st.integers(int(low), int(high))
    return st.floats(math.log(low), math.log(high)).map(lambda x: min(max(math.exp(x), low), high))


def kit(result: Plan) -> dict[str, float]:
    """All that a design takes, in numbers that more of a demand never lowers."""
    network, site = result.network, result.facility
    ends = [line.quantity.number for line in result.bom if line.kind in ("optic", "cable")]
    return {
        **{f"units of the {tier.role}": tier.unit_count.number for tier in result.tiers},
        "ports of targets": network.target_port_count.number,
        "ports of nodes": network.node_port_count.number,
        "switches": network.switch_count.number,
        "rack units": site.rack_units_ru.number,
        "highest power": site.max_w.number,
        "racks by height and power": site.rack_count.number,
        "racks as placed": result.racks.storage_rack_count.number,
        "optics and cables": sum(ends),
    }


def parts_usd(result: Plan, end: str) -> float:
    """Price of the machines and drives, and not of links: those over copper have a price, most optics have none."""
    lines = [line for line in result.bom if line.priced and line.kind not in ("optic", "cable")]
    return sum(getattr(line, f"extended_{end}_usd").number for line in lines)


@settings(max_examples=15)
@given(data=st.data())
@pytest.mark.parametrize("path", DEMANDS)
def test_more_of_a_demand_never_needs_less_of_anything(path: str, data: st.DataObject) -> None:
    """Drives alone may be fewer, by rounding: every node holds as many as the next.

    The scheme and the switch are stated: with AUTO a larger demand may be met by another scheme that needs more
    drives in fewer nodes, or fewer in more, which is a choice and no saving. One group of links is an exception too:
    storage that outgrows its rack goes from copper to optics, so optics and cables are counted only where both
    designs have the same number of racks.
    """
    _, _, rises, extra = DEMANDS[path]
    other = data.draw(
        st.sampled_from([name for name, found in DEMANDS.items() if name != path and not found[3]])
    )
    base = {
        other: data.draw(drawn(other)),
        "storage.hot.protection_id": data.draw(st.sampled_from(["2-way", "8+2"])),
        "storage.dataset_on": data.draw(st.sampled_from(["hot", "file-system"])),
        "network.switch_id": data.draw(st.sampled_from(["sn5600", "sn5400", "sn4700"])),
        **extra,
    }
    values = sorted((data.draw(drawn(path)), data.draw(drawn(path))), reverse=not rises)
    small, large = (planned(EVIDENCE, {**base, path: value}) for value in values)
    before, after = kit(small), kit(large)
    if small.facility.rack_count.number != large.facility.rack_count.number:
        del before["optics and cables"]
    fell = {name: (number, after[name]) for name, number in before.items()
            if after.get(name, 0.0) < number * (1 - 1e-9)}  # fmt: skip
    rounding = small.hot.unit_count.number - 1
    assert fell == {}
    assert large.hot.drive_count.number >= small.hot.drive_count.number - rounding
    drive = next(line for line in small.bom if small.hot.drive and line.part_id == small.hot.drive.id)
    for end, price in (("low", drive.price_low_usd), ("high", drive.price_high_usd)):
        assert parts_usd(large, end) >= parts_usd(small, end) * (1 - 1e-9) - rounding * price.number


def test_another_unit_of_display_changes_no_figure_of_the_design() -> None:
    """The plan that is made while sizes print in binary is the same but for its words."""
    for name in ("guide-256-evidence", "two-jobs"):
        decimal = planned(name, {})
        with sizes(binary=True):
            binary = planned(name, {})
            assert "TiB" in "".join(line.description for line in binary.bill.lines)
        one, other = numbers(decimal), numbers(binary)
        assert list(one) == list(other)
        assert [path for path in one if one[path] != other[path] and not math.isnan(one[path])] == []
        prices = [
            [line.extended_low_usd.number for line in made.bill.lines if line.priced]
            for made in (decimal, binary)
        ]
        assert prices[0] == prices[1]
        assert kit(decimal) == kit(binary)


@settings(max_examples=20)
@given(drives=st.integers(1, 200), extra=st.integers(1, 200), units=st.integers(1, 20))
def test_more_drives_never_write_slower(drives: int, extra: int, units: int) -> None:
    few, many = (
        planned(EVIDENCE, {"storage.hot.drive_count": count, "storage.hot.unit_count": units})
        for count in (drives, drives + extra)
    )
    assert many.main.save.save_s.number <= few.main.save.save_s.number * (1 + 1e-9)
    assert many.main.goodput.goodput_fraction.number >= few.main.goodput.goodput_fraction.number * (1 - 1e-9)


@settings(max_examples=30)
@given(price=st.floats(0.01, 5), more=st.floats(1, 10))
def test_cost_follows_prices(price: float, more: float) -> None:
    cheap, dear = (planned(EVIDENCE, {"site.usd_per_kwh": usd}).cost for usd in (price, min(price * more, 5)))
    assert dear.running_usd_per_year.number >= cheap.running_usd_per_year.number
    assert dear.capital_low_usd.number == cheap.capital_low_usd.number
    assert cheap.capital_low_usd.number <= cheap.capital_high_usd.number


# --- any design at all ---------------------------------------------------------------------------


def value_of(item: Input) -> st.SearchStrategy[Any]:
    """Any value that an input allows, its catalogue ids and AUTO among them."""
    if item.catalogue:
        rows = getattr(CATALOGUE, item.catalogue)
        chosen: st.SearchStrategy[Any] = st.sampled_from(sorted(rows))
    elif item.kind == "choice":
        chosen = st.sampled_from(item.choices)
    elif item.kind == "flag":
        chosen = st.booleans()
    elif item.kind == "text":
        chosen = st.sampled_from(["Training", "", "A", "B", "模型", "a" * 200, "<b>"])
    else:
        assert item.low is not None
        assert item.high is not None
        chosen = ranged(item)
    return st.none() | chosen if item.auto else chosen


def ranged(item: Input) -> st.SearchStrategy[Any]:
    low, high = float(item.low or 0), float(item.high or 0)
    if item.kind == "count":
        return st.integers(int(low), int(high)) | st.sampled_from([int(low), int(high)])
    smallest = max(low * 1.000001 if item.low_open else low, 1e-12)
    exponents = st.floats(math.log(smallest), math.log(high))
    within = exponents.map(lambda x: min(max(math.exp(x), smallest), high))
    ends = [high] if item.low_open else [low, high]
    return within | st.sampled_from(ends)


def designs(job_count: int) -> st.SearchStrategy[dict[str, Any]]:
    """A few inputs of a default design, each moved anywhere within its bounds."""
    items = inputs_for(job_count)
    return st.lists(st.sampled_from(items), min_size=1, max_size=8, unique_by=lambda item: item.path).flatmap(
        lambda chosen: st.fixed_dictionaries({item.path: value_of(item) for item in chosen})
    )


def build(job_count: int, moved: dict[str, Any]) -> Scenario | None:
    """The scenario, or None where the drawn inputs contradict each other."""
    base = scenario_from_dict({"jobs": [{} for _ in range(job_count)]})
    try:
        return scenario_from_dict(nest({**flatten(base), **moved}))
    except PlannerError as refused:
        if any(
            words in refused.message
            for words in ("nodes, the cluster has", "interval in steps", "are more than Parameters")
        ):
            return None
        raise


def check_everywhere(result: Plan) -> None:
    """Laws of any plan: sums, largest terms, verdicts, and no number that is silently missing."""
    for tier in result.tiers:
        total = sum(item.number for item in tier.demand.contents.values())
        assert tier.demand.content_bytes.number == pytest.approx(total, rel=1e-9)
        known = {name: term.number for name, term in tier.terms.items() if term.known}
        named = tier.binding if tier.binding in known else tier.following
        assert known[named] == max(known.values())
        assert tier.unit_count.number >= 1
        assert tier.unit_count.number == int(tier.unit_count.number)
    for job in result.jobs:
        stages = {name: stage.number for name, stage in job.save.stages.items() if stage.known}
        assert job.save.save_s.number == pytest.approx(max(stages.values()))
        assert stages[job.save.binding] == max(stages.values())
        goodput = job.goodput.goodput_fraction
        assert 0 <= goodput.number <= 1 or not (goodput.known or result.hot.read_bytes_per_s.known)
    for item in (result.endurance.check, result.facility.rack_check, result.facility.feed_check):
        assert isinstance(item, Check)
        assert item.verdict in ("pass", "fail", "unknown")
    low, high = result.cost.capital_low_usd, result.cost.capital_high_usd
    # Unknown where nothing has a price, and only there: a sum of no price is no 0.
    if result.cost.price_set.value == "guide" or any(line.priced for line in result.bom):
        assert low.number <= high.number * (1 + 1e-9)
    else:
        assert (low.known, high.known) == (False, False)
    assert headline(result).endswith(".")
    assert figures(result)


def workload_bytes(result: Plan) -> float:
    """All that the jobs keep anywhere."""
    return sum(
        job.job.checkpoint.retained_bytes.number
        + job.job.checkpoint.archived_bytes.number
        + job.job.ingest.dataset_bytes.number
        + job.job.ingest.raw_dataset_bytes.number
        for job in result.jobs
    )


@settings(max_examples=150)
@given(data=st.data(), job_count=st.sampled_from([1, 1, 1, 2, 3]))
def test_any_design_within_the_bounds_is_planned_or_refused_in_one_line(
    data: st.DataObject, job_count: int
) -> None:
    scenario = build(job_count, data.draw(designs(job_count)))
    if scenario is None:
        return
    try:
        result = plan(scenario, CATALOGUE)
    except PlannerError as refused:
        said = refused
    else:
        check_everywhere(result)
        stored = sum(tier.demand.content_bytes.number for tier in result.tiers)
        assert stored == pytest.approx(workload_bytes(result), rel=1e-9)
        return
    known = ("is not in the catalogue", "nothing is known of this drive", "leave nothing of a rack")
    assert any(words in said.message for words in known), said.message
    assert said.message.startswith(said.field)
    assert "\n" not in said.message


@pytest.mark.parametrize("item", inputs_for(1), ids=lambda item: item.path)
def test_each_input_alone_may_take_either_end_of_its_range(item: Input) -> None:
    if item.kind not in ("number", "count"):
        values: list[Any] = list(item.choices) if item.kind == "choice" else [True, False]
        values = values if item.kind != "text" else []
    else:
        least = 1e-9 if item.low_open and not item.low else item.low
        values = [least * 1.000001 if item.low_open and item.low else least, item.high]
        values = [int(value) for value in values] if item.kind == "count" else values
    for value in values:
        scenario = build(1, {item.path: value})
        if scenario is not None:
            check_everywhere(plan(scenario, CATALOGUE))


@pytest.mark.parametrize(
    "kind", ["gpu_nodes", "drives", "platforms", "protection", "switches", "nics", "recipes", "price_sets"]
)
def test_every_row_that_can_be_chosen_is_planned_or_asks_for_its_figures(kind: str) -> None:
    asked = []
    for item in inputs_for(1):
        if item.catalogue != kind:
            continue
        for row_id in getattr(CATALOGUE, kind):
            scenario = with_value(Scenario(), item.path, row_id)
            try:
                check_everywhere(plan(scenario, CATALOGUE))
            except PlannerError as refused:
                asked.append((item.path, refused.field, refused.message))
    for path, field, message in asked:
        assert field == path
        assert message.startswith(f"{path}: ")
        assert "is not in the catalogue" in message


# --- each byte in one tier -----------------------------------------------------------------------


@pytest.mark.parametrize("place", ["hot", "file-system"])
@pytest.mark.parametrize("template", ["guide-256-evidence", "two-jobs", "frontier-16384"])
def test_each_byte_lies_in_one_tier(template: str, place: str) -> None:
    result = planned(template, {"storage.dataset_on": place})
    stored = sum(tier.demand.content_bytes.number for tier in result.tiers)
    assert stored == pytest.approx(workload_bytes(result), rel=1e-12)
    assert (result.tier("file-system") is None) == (place == "hot")


def test_two_jobs_of_one_name_are_both_stored() -> None:
    alike = planned("two-jobs", {"jobs.0.name": "Training", "jobs.1.name": "Training"})
    apart = planned("two-jobs", {})
    for one, other in zip(alike.tiers, apart.tiers, strict=True):
        assert one.demand.content_bytes.number == other.demand.content_bytes.number
        assert len(one.demand.contents) == len(other.demand.contents)
    assert len(figures(alike)) == len(figures(apart))


def test_jobs_add_up_and_bursts_follow_the_coincidence() -> None:
    largest, together = (planned("two-jobs", {"burst_coincidence": mode}) for mode in ("largest", "all"))
    needs = [job.job.checkpoint.required_write_bytes_per_s.number for job in largest.jobs]
    assert largest.hot.demand.write_bytes_per_s.number == max(needs)
    assert together.hot.demand.write_bytes_per_s.number == pytest.approx(sum(needs))
    kept = sum(job.job.checkpoint.retained_bytes.number for job in largest.jobs)
    daily = sum(job.job.checkpoint.daily_write_bytes_per_day.number for job in largest.jobs)
    assert largest.hot.demand.content_bytes.number == pytest.approx(kept)
    assert largest.hot.demand.daily_write_bytes_per_day.number == pytest.approx(daily)


def test_copies_by_the_job_multiply_what_is_written_and_kept() -> None:
    one, two = (planned(EVIDENCE, {"jobs.0.checkpoint.application_copies_count": n}) for n in (1, 2))
    for name in ("written_bytes", "shard_bytes", "required_write_bytes_per_s", "retained_bytes"):
        before, after = (getattr(result.main.job.checkpoint, name).number for result in (one, two))
        assert after == pytest.approx(2 * before)
    assert two.main.job.checkpoint.size_bytes.number == one.main.job.checkpoint.size_bytes.number


# --- AUTO ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("item", templates(), ids=lambda item: item.id)
def test_every_auto_input_records_what_was_derived(item: Any) -> None:
    result = plan(item.scenario, CATALOGUE)
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
    for path, derived in result.auto.items():
        assert isinstance(derived, Quantity | Choice)
        if isinstance(derived, Choice):
            assert derived.reason
            assert derived.label, path


def test_what_auto_records_is_what_the_design_uses() -> None:
    for item in templates():
        result = plan(item.scenario, CATALOGUE)
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
        for path, value in used.items():
            if flat[path] is not None:
                continue
            derived = result.auto[path]
            assert (derived.value if isinstance(derived, Choice) else derived.number) == value, (
                item.id,
                path,
            )


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
    before = planned(EVIDENCE, {})
    derived = before.auto[path]
    value: Any = derived.value if isinstance(derived, Choice) else derived.number
    if path.endswith("_count"):
        value = int(value)
    after = plan(with_value(before.scenario, path, value), CATALOGUE)
    for name, item in key_figures(before).items():
        assert key_figures(after)[name].number == pytest.approx(item.number, nan_ok=True), name


# --- nothing but the inputs decides --------------------------------------------------------------


@pytest.mark.parametrize("item", templates(), ids=lambda item: item.id)
def test_the_same_scenario_gives_the_same_plan(item: Any) -> None:
    first, again = (plan(item.scenario, CATALOGUE) for _ in range(2))
    one, other = numbers(first), numbers(again)
    assert list(one) == list(other)
    assert len(one) > 200
    assert [path for path in one if one[path] != other[path] and not math.isnan(one[path])] == []
    assert [f.message for f in first.findings] == [f.message for f in again.findings]
    assert headline(first) == headline(again)


def test_the_unit_in_which_sizes_are_shown_changes_no_number() -> None:
    result = planned(EVIDENCE, {})
    before = numbers(result)
    decimal, binary = headline(result), headline(result, binary=True)
    assert (
        "GB checkpoint" in decimal.replace("\u00a0", " "),
        "GiB checkpoint" in binary.replace("\u00a0", " "),
    ) == (
        True,
        True,
    )
    assert {path: number for path, number in numbers(result).items() if not math.isnan(number)} == {
        path: number for path, number in before.items() if not math.isnan(number)
    }


def test_a_name_decides_nothing() -> None:
    one = planned(EVIDENCE, {"name": "A", "jobs.0.name": "A", "jobs.0.model.name": "A"})
    other = planned(EVIDENCE, {"name": "B", "jobs.0.name": "B", "jobs.0.model.name": "B"})
    assert [f.number for f in key_figures(one).values()] == [f.number for f in key_figures(other).values()]


# --- the guide's basis ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("template", "parameters", "high", "capacity"),
    # 6 checkpoints x 1.3, up to the next half: 0.4368, 2.184, 5.46, 12.636.
    [
        ("guide-7b", 7e9, 8, 0.5e12),
        ("guide-70b", 70e9, 4, 2.5e12),
        ("guide-175b", 175e9, 4, 5.5e12),
        ("guide-405b", 405e9, 4, 13e12),
    ],
)
def test_the_guides_recommended_capacity(
    template: str, parameters: float, high: float, capacity: float
) -> None:
    result = planned(template, {})
    assert result.main.job.checkpoint.size_bytes.number == parameters * high
    assert math.ceil(6 * parameters * high * 1.3 / 0.5e12) * 0.5e12 == capacity
    assert result.main.job.checkpoint.guide_capacity_bytes.number == capacity


def test_the_guides_200_tb_are_full_after_14_9_days() -> None:
    result = planned(GUIDE, {"jobs.0.checkpoint.cold_keep_all": True})
    growth = result.retention.growth_bytes_per_day.number
    assert growth == pytest.approx(48 * 280e9)
    assert result.retention.fixed_bytes.number == 0
    whole = tier_capacity.full_after_s(200e12, fixed_bytes=0.0, growth_bytes_per_day=growth)
    assert round(float(whole) / 86_400, 1) == 14.9
    # The plan fills only what is safe, 200 / 1.3.
    assert result.retention.full_after_s.number == pytest.approx(200e12 / 1.3 / 13.44e12 * 86_400)


@pytest.mark.parametrize(
    ("parameters", "per_parameter"),
    # Rows of 7, 70, 175 and 405 billion; a size between two takes the nearer on a logarithmic scale.
    [(7e9, 8), (13e9, 8), (22.1e9, 8), (22.2e9, 4), (34e9, 4), (1e12, 4), (1e6, 8)],
)
def test_a_model_between_the_guides_rows_takes_the_nearest(parameters: float, per_parameter: float) -> None:
    result = planned("guide-70b", {"jobs.0.model.parameter_count": parameters})
    assert result.main.job.checkpoint.bytes_per_parameter_bytes.number == per_parameter


def test_the_reserve_counts_once_on_either_basis() -> None:
    for basis, ratio in (("guide", 1.3), ("evidence", 1 / 0.8)):
        hot = planned("guide-70b", {"basis": basis}).hot
        assert hot.reserve_ratio.number == pytest.approx(ratio)
        assert hot.needed_bytes.number == pytest.approx(hot.demand.content_bytes.number * ratio)
        assert hot.safe_bytes.number == pytest.approx(hot.usable_bytes.number / ratio)


def test_parity_is_written_once_and_the_drives_own_writes_are_inside_the_rating() -> None:
    result = planned("guide-70b", {})
    wear = result.endurance
    assert wear.drive_write_bytes_per_day.number == pytest.approx(13.44e12 * 1.25)
    assert wear.allowance_bytes_per_day.number == pytest.approx(result.hot.raw_bytes.number * 3)
    changed_waf = planned("guide-70b", {"storage.actual_waf_ratio": 5.0, "storage.rated_waf_ratio": 5.0})
    assert changed_waf.endurance.allowance_bytes_per_day.number == wear.allowance_bytes_per_day.number
    assert changed("guide-70b", {}).storage.actual_waf_ratio == 1.1


def test_saves_that_stall_for_no_time_leave_every_figure_known() -> None:
    result = planned(EVIDENCE, {"jobs.0.checkpoint.mode": "async", "jobs.0.checkpoint.async_stall_s": 0.0})
    goodput = result.main.goodput
    assert goodput.stall_fraction.number == 0
    assert 0.9 < goodput.goodput_fraction.number <= goodput.best_goodput_fraction.number <= 1


@pytest.mark.parametrize(
    "changes",
    [
        {"storage.hot.usable_bytes": 1.0},
        {"storage.file_system.usable_bytes": 1.0, "storage.file_system.platform_id": "ddn-ai400x2"},
        {"storage.object_store.usable_bytes": 1.0},
        {
            "storage.file_system.platform_id": "ddn-ai400x2",
            "jobs.0.ingest.dataset_bytes": 0.0,
            "jobs.0.ingest.basis": "rate",
            "jobs.0.ingest.read_bytes_per_s": 0.0,
        },
    ],
)
def test_a_tier_has_one_unit_at_least(changes: dict[str, Any]) -> None:
    result = planned(EVIDENCE, changes)
    assert [tier.name for tier in result.tiers if not tier.unit_count.number >= 1] == []
    assert result.hot.drive_count.number >= 1
    check_everywhere(result)
