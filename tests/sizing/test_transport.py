"""Wire efficiency, latency, cores and paths; every row of the table of efficiencies: `data/published/wire.csv`."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.core.units import GB, GBIT_PER_S, MIB, US
from planner.sizing import transport

WIRE = [
    transport.rdma_wire_fraction,
    transport.tcp_wire_fraction,
    transport.iscsi_wire_fraction,
    transport.nfs_wire_fraction,
]
ios = st.integers(9, 24).map(lambda power: 2.0**power)
mtus = st.sampled_from([1500.0, 2048.0, 4200.0, 9000.0])
rates = st.floats(1e8, 1e11)


@pytest.mark.parametrize("rule", WIRE)
@given(io=ios, mtu=mtus)
def test_efficiency_is_a_share_and_larger_frames_never_lower_it(rule, io, mtu):
    share = float(rule(io, mtu_bytes=mtu))
    assert 0.5 < share < 1.0
    assert share <= float(rule(io, mtu_bytes=9000.0))


@pytest.mark.parametrize("rule", WIRE[1:])
@given(io=ios)
def test_larger_ios_never_lower_the_efficiency_over_tcp(rule, io):
    assert rule(2 * io, mtu_bytes=9000.0) >= rule(io, mtu_bytes=9000.0)


def test_jumbo_frames_beyond_4200_give_rdma_nothing():
    shares = transport.rdma_wire_fraction(MIB, mtu_bytes=np.array([4199.0, 4200.0, 9000.0]))
    assert shares[0] < shares[1] == shares[2]


def test_tcp_beats_rdma_on_bytes_with_jumbo_frames_only():
    tcp, rdma = (rule(MIB, mtu_bytes=np.array([4200.0, 9000.0])) for rule in WIRE[1::-1])
    assert tcp[0] < rdma[0]
    assert tcp[1] > rdma[1]


def test_rdma_over_infiniband_has_less_overhead_than_over_ethernet():
    for io in (4096.0, 1048576.0, 16777216.0):
        assert transport.infiniband_wire_fraction(io) > transport.rdma_wire_fraction(io, mtu_bytes=9000.0)


def test_nfs_over_rdma_cannot_have_been_measured_above_its_wire():
    """43.43 GiB/s over a port of 400 Gb/s have been measured: 93.3 % of its rate."""
    measured = 43.43 * 2**30 / (400 * GBIT_PER_S)
    assert measured == pytest.approx(0.933, abs=5e-4)
    assert measured < transport.nfs_rdma_wire_fraction(1048576.0, mtu_bytes=9000.0) < 0.981


def test_digests_cost_bytes():
    shares = transport.tcp_wire_fraction(4096.0, mtu_bytes=9000.0, digest_bytes=np.array([0.0, 4.0, 8.0]))
    assert shares[0] > shares[1] > shares[2]


def test_hundred_microseconds_admit_about_a_megabyte_at_100_gbit():
    line = 100 * GBIT_PER_S * transport.rdma_wire_fraction(MIB, mtu_bytes=9000.0)
    limit = transport.block_limit_bytes(100 * US, media_s=0.0, transport_s=0.0, bandwidth_bytes_per_s=line)
    assert float(limit) / 1e6 == pytest.approx(1.2255, rel=1e-3)


@given(media=st.floats(0, 1e-4), adder=st.floats(0, 1e-4), budget=st.floats(2.1e-4, 1e-2), rate=rates)
def test_largest_block_takes_the_whole_budget(media, adder, budget, rate):
    block = transport.block_limit_bytes(budget, media_s=media, transport_s=adder, bandwidth_bytes_per_s=rate)
    time = transport.latency_s(media, transport_s=adder, io_bytes=block, bandwidth_bytes_per_s=rate)
    assert float(time) == pytest.approx(budget, rel=1e-9)


def test_no_block_fits_a_budget_below_the_adders():
    limit = transport.block_limit_bytes(
        20 * US, media_s=15 * US, transport_s=20 * US, bandwidth_bytes_per_s=1e10
    )
    assert float(limit) == 0.0


def test_few_nfs_sessions_bind_before_the_front_end():
    time = transport.nfs_save_s(
        280 * GB, session_count=2, session_bytes_per_s=2 * GB, front_end_bytes_per_s=40 * GB
    )
    assert float(time) == 70.0


@given(array=rates, nodes=st.integers(1, 512).map(float), node=rates)
def test_load_is_as_slow_as_array_or_nodes(array, nodes, node):
    time = float(transport.load_s(1e12, array_bytes_per_s=array, node_count=nodes, node_bytes_per_s=node))
    assert time == pytest.approx(max(1e12 / array, 1e12 / nodes / node), rel=1e-12)


@given(rate=rates, core=st.floats(1e8, 4e9))
def test_cores_carry_the_load_with_less_than_one_to_spare(rate, core):
    cores = float(transport.cpu_core_count(rate, bytes_per_s_per_core=core))
    assert rate <= cores * core * (1 + 1e-8)
    assert (cores - 1) * core < rate
