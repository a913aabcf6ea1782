"""Headroom, marking and shares against the reference, and the laws that they obey."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.core.units import GBIT_PER_S
from planner.sizing import lossless

with (Path(__file__).parent / "headroom_table.csv").open(encoding="utf-8") as _file:
    TABLE = list(csv.DictReader(_file))
COLUMNS = {
    "xoff_small100": (1.0, 1024.0),
    "xoff_lossless_mtu4200": (1.0, 4200.0),
    "xoff_small50": (0.5, 1024.0),
}
rates = st.sampled_from([10, 25, 40, 50, 100, 200, 400, 800]).map(lambda gbps: gbps * GBIT_PER_S)


def headroom(gbps, cable_m, *, port_mtu=9100.0, lossless_mtu=1024.0, small=1.0, cell=192.0, tiled=True):
    line = gbps * GBIT_PER_S
    return lossless.headroom_bytes(
        lossless.cable_bytes(cable_m, line_bytes_per_s=line),
        pause_response_bytes=lossless.pause_response_bytes(line),
        tile_bytes=lossless.tile_bytes(line) if tiled else 0.0,
        port_mtu_bytes=port_mtu,
        lossless_mtu_bytes=lossless_mtu,
        occupancy_ratio=lossless.occupancy_ratio(
            small, lossless_mtu_bytes=lossless_mtu, cell_ratio=lossless.cell_ratio(cell)
        ),
    )


@pytest.mark.parametrize("column", COLUMNS)
@pytest.mark.parametrize(
    "row", TABLE, ids=lambda row: f"{row['asic'][:10]}-{row['speed_mbps']}-{row['cable_m']}m"
)
def test_headroom_is_exactly_the_reference(row, column):
    small, lossless_mtu = COLUMNS[column]
    tiled = row["asic"].startswith("Spectrum-4")
    found = headroom(
        int(row["speed_mbps"]) / 1000,
        float(row["cable_m"]),
        port_mtu=float(row["port_mtu"]),
        lossless_mtu=lossless_mtu,
        small=small,
        cell=192.0 if tiled else 144.0,
        tiled=tiled,
    )
    assert found == int(row[column])


def test_the_table_as_one_array():
    rows = [row for row in TABLE if row["asic"].startswith("Spectrum-4")]
    found = headroom(
        np.array([int(row["speed_mbps"]) / 1000 for row in rows]),
        np.array([float(row["cable_m"]) for row in rows]),
    )
    np.testing.assert_array_equal(found, [int(row["xoff_small100"]) for row in rows])


@pytest.mark.parametrize(
    ("gbps", "bits"), [(10, 30_720), (25, 40_960), (40, 60_416), (100, 201_728), (400, 463_360)]
)
def test_response_is_that_of_the_standard(gbps, bits):
    """Bits within which a peer has to obey, as published for each speed."""
    assert lossless.pause_response_bytes(gbps * GBIT_PER_S) * 8 == pytest.approx(bits, rel=0.13)


@given(rate=rates, short=st.floats(1, 300), more=st.floats(0, 300))
def test_longer_cables_need_no_less(rate, short, more):
    gbps = rate / GBIT_PER_S
    assert headroom(gbps, short) <= headroom(gbps, short + more)
    assert headroom(gbps, short, small=0.5) <= headroom(gbps, short)
    assert headroom(gbps, short) % 1024 == 0


@given(
    buffer=st.floats(10e6, 200e6),
    share=st.floats(0, 0.9),
    ports=st.integers(1, 256).map(float),
    alpha=st.sampled_from([1 / 8, 1.0, 4.0]),
    rate=rates,
)
def test_every_packet_is_marked_before_a_pause(buffer, share, ports, alpha, rate):
    onset = lossless.pause_onset_bytes(
        buffer, reserved_bytes=share * buffer, threshold_ratio=alpha, busy_count=ports
    )
    high = lossless.ecn_high_bytes(onset, line_bytes_per_s=rate)
    low = lossless.ecn_low_bytes(high)
    assert 0 < low < high < onset < buffer
    assert high <= 400e3 * rate / (25 * GBIT_PER_S)


@given(need=st.floats(0, 200e9), port=st.floats(1e9, 100e9))
def test_the_share_is_at_least_half_and_never_all(need, port):
    assert 0.5 <= lossless.storage_share_fraction(need, port_bytes_per_s=port) <= 0.9
