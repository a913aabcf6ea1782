"""Growth: what grows, the first year of each limit, and expansions that carry their year."""

from __future__ import annotations

import pytest

from planner import PlannerError, load_catalogue, plan
from planner.explore.growth import Demand, grown, growth
from planner.explore.limits import WARNINGS, with_storage_fixed
from planner.inputs import value_at
from planner.plan import Plan
from planner.scenario import Scenario
from planner.templates import template

CATALOGUE = load_catalogue()
EVIDENCE = template("guide-256-evidence").scenario
GUIDE = template("guide-256-guide").scenario
DEMAND = Demand(years=5, gpu_ratio=1.3, parameter_ratio=1.5, dataset_ratio=1.4)


def limits(done: Plan) -> set[str]:
    return {f.code for f in done.findings if f.severity == "blocker" or f.code in WARNINGS}


def test_demand_grows_by_its_ratios() -> None:
    after = grown(EVIDENCE, DEMAND, 3)
    assert after.cluster.node_count == round(64 * 1.3**3)
    assert after.jobs[0].model.parameter_count == pytest.approx(70_553_706_496 * 1.5**3)
    assert after.jobs[0].ingest.dataset_bytes == pytest.approx(50e12 * 1.4**3)
    assert after.jobs[0].ingest.raw_dataset_bytes == pytest.approx(60e12 * 1.4**3)
    assert after.storage == EVIDENCE.storage
    assert grown(EVIDENCE, DEMAND, 0) == EVIDENCE


def test_jobs_grow_with_the_cluster() -> None:
    after = grown(template("two-jobs").scenario, Demand(2, gpu_ratio=2.0), 2)
    before = template("two-jobs").scenario
    assert [j.node_count for j in after.jobs] == [4 * (j.node_count or 0) or None for j in before.jobs]


@pytest.mark.parametrize("scenario", [EVIDENCE, GUIDE], ids=["evidence", "guide"])
def test_the_first_year_of_a_limit_is_the_first_plan_that_passes_it(scenario: Scenario) -> None:
    found = growth(scenario, DEMAND)
    built = with_storage_fixed(scenario, plan(scenario, CATALOGUE))
    by_hand: dict[str, int] = {}
    for year in range(DEMAND.years + 1):
        for code in limits(plan(grown(built, DEMAND, year), CATALOGUE)):
            by_hand.setdefault(code, year)
    assert by_hand
    assert {code: year for code, (year, _) in found.first.items()} == by_hand


def test_an_expansion_mends_its_year_and_never_takes_away() -> None:
    found = growth(EVIDENCE, DEMAND)
    steps = [year for year in found.years if year.expansion]
    assert steps
    for year in steps:
        assert year.expansion is not None
        assert year.scenario is not None
        done = plan(year.scenario, CATALOGUE)
        assert limits(done) == {f.code for f in year.expansion.left} == set()
        for addition in year.expansion.additions:
            assert addition.after > addition.before
            assert value_at(year.scenario, addition.path) >= addition.after
        assert 0 < year.expansion.low_usd.number <= year.expansion.high_usd.number
    sizes = [year.scenario.storage.hot.drive_count for year in found.years if year.scenario]
    assert all(sizes)
    assert sizes == sorted(size for size in sizes if size)


def test_an_expansion_buys_whole_groups_in_every_node() -> None:
    """RAID-Z2 in three servers: growth ends in servers of 21 drives, two groups and one that stands by."""
    hot = EVIDENCE.storage.hot.model_copy(update={"protection_id": "raid-z2", "unit_count": 3})
    wide = EVIDENCE.model_copy(update={"storage": EVIDENCE.storage.model_copy(update={"hot": hot})})
    added = 0
    for year in growth(wide, Demand(3, parameter_ratio=2.5)).years:
        assert year.scenario is not None
        own = year.scenario.storage.hot
        assert own.drive_count is not None
        assert own.unit_count is not None
        assert own.drive_count / own.unit_count in (11, 21)
        for addition in year.expansion.additions if year.expansion else ():
            added += addition.path == "storage.hot.drive_count"
            assert value_at(year.scenario, addition.path) == addition.after
    assert added


def test_what_an_expansion_costs_is_the_difference_of_two_plans_of_its_year() -> None:
    found = growth(EVIDENCE, DEMAND)
    built = with_storage_fixed(EVIDENCE, plan(EVIDENCE, CATALOGUE))
    year = next(year for year in found.years if year.expansion)
    assert year.expansion is not None
    assert year.scenario is not None
    before = plan(grown(built, DEMAND, year.number), CATALOGUE).cost.capital_high_usd.number
    after = plan(year.scenario, CATALOGUE).cost.capital_high_usd.number
    assert year.expansion.high_usd.number == pytest.approx(after - before)
    assert year.expansion.high_usd.formula is not None
    assert year.expansion.high_usd.inputs is not None
    assert [getattr(item, "number", 0) for item in year.expansion.high_usd.inputs.values()] == [after, before]


def test_the_guides_pool_is_past_its_endurance_today() -> None:
    # The guide, 'Write Endurance Planning': 13.4 TB a day against an allowance of 9 TB for its 3 TB pool.
    found = growth(GUIDE, Demand(1))
    assert found.first["END-1"][0] == 0
    (today, _) = found.years
    used = next(g for g in today.gauges if g.code == "END-1").used_fraction
    assert used == pytest.approx(13.44 / 9, rel=1e-3)
    assert today.expansion is not None
    assert not {f.code for f in today.expansion.left} & {"END-1", "BW-4", "PRT-1", "CAP-2"}


def test_without_growth_nothing_is_passed() -> None:
    found = growth(EVIDENCE, Demand(years=4))
    assert found.first == {}
    assert [year.expansion for year in found.years] == [None] * 5
    assert len({year.figures["Checkpoint"].number for year in found.years}) == 1


def test_a_year_that_is_beyond_the_inputs_says_so() -> None:
    found = growth(EVIDENCE, Demand(years=15, gpu_ratio=10.0))
    assert found.years[-1].scenario is None
    assert "cluster.node_count" in found.years[-1].reason
    assert found.first["PLAN"][0] > 0


@pytest.mark.parametrize(
    ("demand", "says"),
    [
        (Demand(years=0), "years: 0 is not allowed; use 1 to 15"),
        (Demand(years=99), "years: 99 is not allowed"),
        (Demand(years=2.5), "years: 2.5 is not allowed; use 1 to 15 whole years"),  # type: ignore[arg-type]
        (
            Demand(gpu_ratio=0.0),
            "GPUs: growth by -100 % a year, 0 times, is not allowed; use -90 to 1 900 %, 0.1 to 20 times",
        ),
        (
            Demand(dataset_ratio=1e306),
            "Dataset: growth by 1 × 10³⁰⁸ % a year, 1 × 10³⁰⁶ times, is not allowed",
        ),
        (Demand(parameter_ratio=1e9), "Parameters: "),
        (Demand(dataset_ratio=float("nan")), "Dataset: "),
    ],
)
def test_what_is_no_growth_is_refused_in_one_line(demand: Demand, says: str) -> None:
    with pytest.raises(PlannerError) as refused:
        growth(EVIDENCE, demand)
    assert says in refused.value.message.replace("\u00a0", " ").replace("\u202f", " ")
    assert "\n" not in refused.value.message


def test_it_tells_how_far_it_is_and_can_be_stopped() -> None:
    told: list[tuple[int, int]] = []

    def progress(done: int, count: int) -> bool:
        told.append((done, count))
        return done < 3

    assert len(growth(EVIDENCE, DEMAND, progress=progress).years) == 3
    assert told == [(1, 6), (2, 6), (3, 6)]
