"""Drives in groups of one width inside every server: what holds data, what stands by, and what is counted."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.deploy.addressing import Addressing
from planner.deploy.bundle import contents
from planner.deploy.targets import drive_groups
from planner.plan import Plan
from planner.sizing import tier_counts
from tests.plan.changes import EVIDENCE, GUIDE, planned

TB = 1e12
WIDE = {"storage.hot.protection_id": "raid-z2"}
"""Eight of data and two of parity inside a server."""


def in_two_servers(drives: int) -> Plan:
    """The evidence example on RAID-Z2 with so many drives of 6.4 TB in two servers."""
    return planned(EVIDENCE, {**WIDE, "storage.hot.drive_count": drives, "storage.hot.unit_count": 2})


def test_what_fills_no_group_is_bought_and_not_counted() -> None:
    """OpenZFS takes groups of one width: of 24 drives in a server two groups of ten hold data."""
    hot, whole = in_two_servers(48).hot, in_two_servers(40).hot
    assert hot.working_count.number == 40
    assert hot.raw_bytes.number == pytest.approx(48 * 6.4 * TB)
    assert hot.usable_bytes.number == pytest.approx(40 * 6.4 * TB * 8 / 10)
    assert hot.usable_bytes.number == whole.usable_bytes.number
    assert hot.write_bytes_per_s.number == whole.write_bytes_per_s.number


def test_wear_and_odds_are_of_the_drives_that_hold_data() -> None:
    more, whole = in_two_servers(48), in_two_servers(40)
    assert more.endurance.allowance_bytes_per_day.number == pytest.approx(40 * 6.4 * TB * 3)
    assert more.endurance.rated_life_s.number == whole.endurance.rated_life_s.number
    assert more.durability is not None
    assert whole.durability is not None
    assert [case.loss_fraction.number for case in more.durability.cases] == [
        case.loss_fraction.number for case in whole.durability.cases
    ]
    assert more.schemes[0].usable_bytes.number == more.hot.usable_bytes.number


def test_the_ladder_takes_the_spares_first() -> None:
    first, second = in_two_servers(48).ladders[0].steps[:2]
    assert (first.name, first.taken_bytes.number) == ("spare", pytest.approx(8 * 6.4 * TB))
    assert first.note == "8 drives fill no group and stand by"
    assert (second.name, second.left_bytes.number) == ("protection", pytest.approx(204.8 * TB))


def test_auto_buys_whole_groups_and_one_drive_that_stands_by() -> None:
    hot = planned(EVIDENCE, {**WIDE, "storage.hot.unit_count": 3}).hot
    assert (hot.drive_count.number, hot.working_count.number) == (33, 30)


def test_auto_holds_what_is_needed_in_its_groups() -> None:
    """100 TB asked for: 125 TB at a fill of 80 %, 156 TB raw, 25 drives: three groups, in two servers of 24 bays."""
    hot = planned(EVIDENCE, {**WIDE, "storage.hot.usable_bytes": 125 * TB}).hot
    assert (hot.unit_count.number, hot.drive_count.number, hot.working_count.number) == (2, 42, 40)
    assert hot.usable_bytes.number == pytest.approx(125 * TB)


def test_the_guide_divides_by_the_overhead_alone() -> None:
    """The guide, 'Data Protection': 1.25 bytes for each byte, whatever the number of drives."""
    hot = planned(GUIDE, {"storage.hot.usable_bytes": None, "storage.hot.drive_count": 12}).hot
    assert hot.usable_bytes.number == pytest.approx(12 * hot.drive_bytes.number / 1.25)


@pytest.mark.parametrize("drives", [22, 40, 48])
def test_the_bundle_makes_the_groups_that_are_counted(drives: int) -> None:
    result = in_two_servers(drives)
    groups, rest = drive_groups(contents(result, Addressing()).site)
    assert 2 * sum(len(group) for group in groups) == result.hot.working_count.number
    assert 2 * len(rest) == drives - result.hot.working_count.number


@given(
    drives=st.integers(1, 400), units=st.integers(1, 9), width=st.integers(3, 20), spares=st.integers(0, 2)
)
def test_groups_hold_what_is_asked_and_no_group_more(
    drives: int, units: int, width: int, spares: int
) -> None:
    kit = {"unit_count": float(units), "width_count": float(width)}
    bought = tier_counts.drives_of_groups_count(
        float(drives), **kit, spare_count=float(spares), bay_count=1000.0
    )
    held = tier_counts.grouped_drives_count(bought, **kit)
    assert held >= drives
    assert held - units * width < drives
    assert bought == held + (units * spares if spares < width else 0)
