"""What must hold of every plan, most of it tried on designs drawn at random within the bounds of the inputs."""

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
from planner.summary import figures, headline, key_figures
from planner.templates import templates
from tests.plan.changes import EVIDENCE, plain, planned, shipped

CATALOGUE = load_catalogue()


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


def alike(one: dict[str, float], other: dict[str, float]) -> None:
    """Two plans have the same numbers, and they are all there."""
    assert list(one) == list(other)
    assert len(one) > 200
    assert [path for path in one if one[path] != other[path] and not math.isnan(one[path])] == []


# --- more is never less --------------------------------------------------------------------------

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
    terms = {name: term.number for name, term in small.hot.terms.items()}
    assert [n for n, number in terms.items() if large.hot.terms[n].number < number * (1 - 1e-9)] == []
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


@settings(max_examples=20)
@given(drives=st.integers(1, 200), extra=st.integers(1, 200), units=st.integers(1, 20))
def test_more_drives_never_write_slower(drives: int, extra: int, units: int) -> None:
    few, many = (
        planned(EVIDENCE, {"storage.hot.drive_count": count, "storage.hot.unit_count": units})
        for count in (drives, drives + extra)
    )
    assert many.main.save.save_s.number <= few.main.save.save_s.number * (1 + 1e-9)
    assert many.main.goodput.goodput_fraction.number >= few.main.goodput.goodput_fraction.number * (1 - 1e-9)


def test_dearer_energy_raises_what_it_costs_to_run_and_nothing_else() -> None:
    cheap, dear = (planned(EVIDENCE, {"site.usd_per_kwh": usd}) for usd in (0.1, 0.3))
    # 8,760 hours of the kilowatts at a PUE of 1.54.
    kwh = cheap.facility.typical_w.number / 1000 * 8760 * 1.54
    assert cheap.cost.running_usd_per_year.number == pytest.approx(0.1 * kwh)
    assert dear.cost.running_usd_per_year.number == pytest.approx(0.3 * kwh)
    assert dear.cost.capital_low_usd.number == cheap.cost.capital_low_usd.number


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
    smallest = max(low, 1e-12)
    exponents = st.floats(math.log(smallest), math.log(high))
    within = exponents.map(lambda x: min(max(math.exp(x), smallest), high))
    return within | st.sampled_from([low, high])


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


def ends_of(item: Input) -> list[Any]:
    """The ends of an input's range, or all that it may be, but for its default."""
    if item.kind == "choice":
        values: list[Any] = list(item.choices)
    elif item.kind == "flag":
        values = [True, False]
    else:
        values = [item.low, item.high]
        values = [int(value) for value in values] if item.kind == "count" else values
    return [value for value in values if value != item.default]


@pytest.mark.parametrize(
    "item", [item for item in inputs_for(1) if item.kind != "text"], ids=lambda item: item.path
)
def test_each_input_alone_may_take_either_end_of_its_range(item: Input) -> None:
    for value in ends_of(item):
        scenario = build(1, {item.path: value})
        if scenario is not None:
            check_everywhere(plan(scenario, CATALOGUE))


@pytest.mark.parametrize(
    "item", [item for item in inputs_for(1) if item.catalogue], ids=lambda item: item.path
)
def test_every_row_that_can_be_chosen_is_planned_or_asks_for_its_figures(item: Input) -> None:
    rows, asked = getattr(CATALOGUE, item.catalogue), []
    for row_id in rows:
        try:
            check_everywhere(plan(with_value(Scenario(), item.path, row_id), CATALOGUE))
        except PlannerError as refused:
            asked.append(refused.message)
    assert len(asked) < len(rows)
    assert [said for said in asked if not said.startswith(f"{item.path}: ")] == []
    assert [said for said in asked if "is not in the catalogue" not in said] == []


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


# --- each byte in one tier -----------------------------------------------------------------------


@pytest.mark.parametrize("place", ["hot", "file-system"])
@pytest.mark.parametrize("template", ["guide-256-evidence", "two-jobs", "frontier-16384"])
def test_each_byte_lies_in_one_tier(template: str, place: str) -> None:
    result = planned(template, {"storage.dataset_on": place})
    stored = sum(tier.demand.content_bytes.number for tier in result.tiers)
    assert stored == pytest.approx(workload_bytes(result), rel=1e-12)
    assert (result.tier("file-system") is None) == (place == "hot")


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


# --- nothing but the inputs decides --------------------------------------------------------------


@pytest.mark.parametrize("item", templates(), ids=lambda item: item.id)
def test_the_same_scenario_gives_the_same_plan(item: Any) -> None:
    first, again = shipped(item.id), plan(item.scenario, CATALOGUE)
    alike(numbers(first), numbers(again))
    assert [f.message for f in first.findings] == [f.message for f in again.findings]
    assert headline(first) == headline(again)


def test_another_unit_of_display_changes_no_figure_of_the_design() -> None:
    """The plan that is made while sizes print in binary is the same but for its words."""
    for name in (EVIDENCE, "two-jobs"):
        decimal = shipped(name)
        with sizes(binary=True):
            binary = planned(name, {})
            assert "TiB" in "".join(line.description for line in binary.bill.lines)
        alike(numbers(decimal), numbers(binary))
        prices = [
            [line.extended_low_usd.number for line in made.bill.lines if line.priced]
            for made in (decimal, binary)
        ]
        assert prices[0] == prices[1]
        assert kit(decimal) == kit(binary)
        assert "GB checkpoint" in plain(headline(decimal))
        assert "GiB checkpoint" in plain(headline(binary, binary=True))


def test_a_name_decides_nothing() -> None:
    one = planned(EVIDENCE, {"name": "A", "jobs.0.name": "A", "jobs.0.model.name": "A"})
    other = planned(EVIDENCE, {"name": "B", "jobs.0.name": "B", "jobs.0.model.name": "B"})
    assert [f.number for f in key_figures(one).values()] == [f.number for f in key_figures(other).values()]
