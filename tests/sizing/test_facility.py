"""Power, cooling, circuits and racks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.sizing import facility, feeds

loads = st.floats(100.0, 1e6)


@pytest.mark.parametrize(("drives", "published_w"), [(14, 800.0), (36, 1188.0)])
def test_published_node_powers_lie_in_the_range_of_the_rule(drives, published_w):
    low = facility.node_w(400.0, drive_count=drives, drive_w=8.0, nic_count=1, nic_w=25.0, fan_ratio=1.1)
    high = facility.node_w(650.0, drive_count=drives, drive_w=29.0, nic_count=4, nic_w=36.0, fan_ratio=1.1)
    assert float(low) < published_w < float(high)


def test_modern_24_bay_node_exceeds_the_guides_thousand_watts():
    """Base 650 W, drives of 25 W and two cards of 25 W, with 10 percent for fans."""
    node = facility.node_w(650.0, drive_count=24, drive_w=25.0, nic_count=2, nic_w=25.0, fan_ratio=1.1)
    assert float(node) == pytest.approx(1430.0, rel=1e-12)


@given(
    active=st.floats(5.0, 40.0),
    idle=st.floats(0.0, 5.0),
    writes=st.floats(0.0, 1.5),
    reads=st.floats(0.0, 1.5),
)
def test_mean_power_lies_between_idle_and_active(active, idle, writes, reads):
    mean = float(
        facility.duty_cycle_w(idle, write_w=active, read_w=active, write_fraction=writes, read_fraction=reads)
    )
    assert idle - 1e-9 <= mean <= active + 1e-9
    if writes + reads >= 1:
        assert mean == pytest.approx(active, rel=1e-12)


def test_mean_power_of_the_drive_of_the_reliability_models():
    """25 W while writing and 5 W idle: ten seconds of writes in half an hour are 5.11 W on average."""
    share = facility.burst_fraction(10.0, interval_s=1800.0)
    mean = facility.duty_cycle_w(5.0, write_w=25.0, read_w=25.0, write_fraction=share, read_fraction=0.0)
    assert float(mean) == pytest.approx(5.0 + 20.0 / 180.0, rel=1e-12)


def test_reads_take_only_the_time_that_writes_leave():
    busy = {"write_w": 25.0, "read_w": 15.0, "write_fraction": 0.75, "read_fraction": 0.9}
    assert float(facility.duty_cycle_w(5.0, **busy)) == pytest.approx(0.75 * 25.0 + 0.25 * 15.0)


def test_pair_of_feeds_carries_the_load_on_one():
    """A pair of 208 V 30 A single-phase feeds carries 4,992 W, not twice that."""
    usable = feeds.circuit_w(
        208.0, feed_amps=30.0, phase_count=1.0, continuous_fraction=0.8, power_factor_fraction=1.0
    )
    assert float(usable) == pytest.approx(4992.0, rel=1e-12)
    assert float(feeds.circuit_count(4992.0, circuit_w=usable, feed_count=2)) == 2.0
    assert float(feeds.circuit_count(4993.0, circuit_w=usable, feed_count=2)) == 4.0


@given(load=loads, units=st.integers(1, 2000).map(float), limit=st.floats(5e3, 1e5))
def test_racks_hold_height_and_power(load, units, limit):
    racks = float(
        feeds.rack_count(units, rack_height_ru=48.0, reserved_ru=4.0, load_w=load, rack_limit_w=limit)
    )
    assert units <= racks * 44
    share = feeds.rack_share_w(load, rack_count=racks)
    assert float(share) <= limit * (1 + 1e-8)
    fewer = racks - 1
    assert fewer * 44 < units or fewer * limit < load
