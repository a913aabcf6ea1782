"""Pictures of the kit: raw capacity step by step, a day, schemes, feeds, and the cost over the term."""

import pytest

from planner import charts
from planner.core.units import DAY_S, HOUR_S
from planner.sections.rows import alike
from planner.templates import templates
from tests.plan.changes import EVIDENCE, planned, shipped

NAMES = tuple(item.id for item in templates())


@pytest.mark.parametrize("name", NAMES)
def test_shares_of_the_raw_capacity_come_to_the_whole(name: str) -> None:
    result = shipped(name)
    figure = charts.ladder_chart(result)
    sums: dict[str, float] = {}
    for trace in figure.data:
        for head, share in zip(trace.y, trace.x, strict=True):
            sums[head] = sums.get(head, 0.0) + float(share)
    assert len(sums) == len(result.tiers)
    assert list(sums.values()) == pytest.approx([1.0] * len(sums))
    safe = next(trace for trace in figure.data if trace.name == "may be filled")
    for tier, share in zip(reversed(result.tiers), safe.x, strict=True):
        assert float(share) == pytest.approx(tier.safe_bytes.number / tier.raw_bytes.number)


def test_a_tier_whose_raw_capacity_nobody_knows_is_left_out() -> None:
    result = planned(EVIDENCE, {"storage.hot.architecture": "all-flash-array"})
    heads = {head for trace in charts.ladder_chart(result).data for head in trace.y}
    known = [ladder for ladder in result.ladders if ladder.raw_bytes.known]
    assert len(heads) == len([lad for lad in known if all(step.taken_bytes.known for step in lad.steps)])


@pytest.mark.parametrize("name", NAMES)
def test_a_day_holds_what_is_kept_and_the_one_that_is_written(name: str) -> None:
    result = shipped(name)
    for index, job in enumerate(result.jobs):
        hot, cold = charts.day_chart(result, index=index).data
        kept = result.scenario.jobs[index].checkpoint.retained_count
        size = job.job.checkpoint.written_bytes.number
        assert max(hot.y) == pytest.approx((kept + 1) * size)
        assert min(hot.y) == pytest.approx(kept * size)
        assert list(cold.y) == sorted(cold.y)
        assert max(cold.x) == pytest.approx(result.drain_day(index).shown_s / HOUR_S)
        assert max(cold.x) <= DAY_S / HOUR_S + 1e-9


def test_copies_that_fall_behind_are_the_title() -> None:
    slow = {"storage.object_store.unit_count": 4, "jobs.0.checkpoint.interval_s": 40.0}
    result = planned(EVIDENCE, slow)
    assert result.drain_day(0).behind
    assert charts.day_chart(result).layout.meta["title"].startswith("Copies to the cold tier fall behind")
    assert "is copied down every 30" in charts.day_chart(shipped(EVIDENCE)).layout.meta["title"]


@pytest.mark.parametrize("name", NAMES)
def test_each_scheme_is_as_long_as_its_usable_capacity_and_says_whether_it_fits(name: str) -> None:
    result = shipped(name)
    figure = charts.schemes_chart(result)
    lengths = sorted(float(x) for trace in figure.data for x in trace.x)
    assert lengths == sorted(row.usable_bytes.number for row in result.schemes)
    fits = next(trace for trace in figure.data if trace.name == "fits")
    assert len(fits.x) == sum(row.fits for row in result.schemes)


def test_a_platform_with_its_own_protection_has_no_schemes_to_draw() -> None:
    result = planned(EVIDENCE, {"storage.hot.architecture": "all-flash-array"})
    assert charts.schemes_chart(result).data == ()
    assert "protects data by itself" in charts.schemes_chart(result).layout.meta["title"]


@pytest.mark.parametrize("name", NAMES)
def test_a_lost_feed_doubles_what_the_other_carries(name: str) -> None:
    result = shipped(name)
    both, alone = charts.feeds_chart(result).data
    assert [float(x) for x in alone.x] == pytest.approx([2 * float(x) for x in both.x])
    assert len(alone.x) == min(len(alike(result.racks)), 12)
    assert max(float(x) for x in alone.x) == max(rack.feed_alone_amps.number for rack in result.racks.racks)
    line = charts.feeds_chart(result).layout.shapes[0]
    assert line.x0 == result.racks.circuits.usable_amps.number


@pytest.mark.parametrize("name", NAMES)
def test_the_stacks_of_the_term_are_its_totals(name: str) -> None:
    result = shipped(name)
    stacks = [0.0, 0.0, 0.0]
    for trace in charts.term_chart(result).data[:-1]:
        for place in range(3):
            stacks[place] += float(trace.y[place])
    term = result.term
    assert stacks == pytest.approx([term.low_usd.number, term.middle_usd.number, term.high_usd.number])
    assert float(charts.term_chart(result).data[-1].y[0]) == term.idle_usd.number
    assert term.middle_usd.number == pytest.approx((term.low_usd.number + term.high_usd.number) / 2)


def test_contents_that_do_not_fit_are_drawn_whole() -> None:
    result = planned(EVIDENCE, {"storage.hot.usable_bytes": 2e11, "jobs.0.checkpoint.retained_count": 20})
    contents = result.hot.demand.content_bytes.number
    assert contents > 2 * result.hot.raw_bytes.number
    assert charts.tiers_chart(result).layout.xaxis.range[1] >= contents


def test_a_cost_that_no_price_tells_is_called_unknown() -> None:
    result = planned(EVIDENCE, {"prices.price_set_id": "budgetary-2025"})
    count = len(result.unpriced)
    title = charts.cost_chart(result).layout.meta["title"]
    assert (
        title
        == f"The cost of the design is unknown by price set budgetary-2025: {count} lines of the bill not priced"
    )
