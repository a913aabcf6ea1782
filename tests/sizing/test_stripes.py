"""Stripes: blocks that fill whole ones, and amplification between a full stripe and a parity for each chunk."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.core.units import MB
from planner.sizing import stripes

blocks = st.floats(4096.0, 64e6)


@pytest.mark.parametrize(
    ("block_mb", "chunk_kb", "data", "share"),
    [
        (2.097152, 262.144, 8, 1.0),
        (4.194304, 262.144, 8, 1.0),
        (1.048576, 262.144, 8, 0.0),
        (3.145728, 262.144, 8, 2 / 3),
    ],
)
def test_share_written_in_full_stripes(block_mb, chunk_kb, data, share):
    stripe = stripes.full_stripe_bytes(chunk_kb * 1e3, data_chunk_count=data)
    assert float(stripes.aligned_fraction(block_mb * MB, full_stripe_bytes=stripe)) == pytest.approx(
        share, rel=1e-9
    )


@given(block=blocks, stripe=blocks)
def test_aligned_block_is_aligned_and_less_than_a_stripe_larger(block, stripe):
    aligned = stripes.aligned_block_bytes(block, full_stripe_bytes=stripe)
    assert float(stripes.aligned_fraction(aligned, full_stripe_bytes=stripe)) == pytest.approx(1.0, rel=1e-9)
    assert block * (1 - 1e-6) <= float(aligned) < block + stripe * (1 + 1e-6)


@given(size=st.floats(131_072.0, 1e9), data=st.integers(2, 20), parity=st.integers(1, 4))
def test_unaligned_writes_cost_more_than_full_stripes(size: float, data: int, parity: int) -> None:
    """Between the full stripe's factor and a parity for each chunk on top; larger writes cost less."""
    ratio = float(
        stripes.unaligned_write_ratio(size, data_count=data, parity_count=parity, chunk_bytes=131_072.0)
    )
    larger = float(
        stripes.unaligned_write_ratio(2 * size, data_count=data, parity_count=parity, chunk_bytes=131_072.0)
    )
    assert (data + parity) / data < larger < ratio <= 1 + parity + parity / data


def test_unaligned_writes_against_a_count_of_touched_stripes() -> None:
    """Published simulation: 2.25, 1.5 and 1.27 for 256 KiB, 1 MiB and 16 MiB in 8+2 of 128 KiB."""
    rng = np.random.default_rng(7)
    chunk, data, parity = 131_072, 8, 2
    for size in (2**18, 2**20, 2**24):
        start = rng.integers(0, chunk * data, 200_000)
        touched = (start + size - 1) // (chunk * data) + 1
        simulated = 1 + float(np.mean(touched)) * parity * chunk / size
        ratio = stripes.unaligned_write_ratio(size, data_count=data, parity_count=parity, chunk_bytes=chunk)
        assert float(ratio) == pytest.approx(simulated, rel=0.005)


def test_small_writes_pay_all_parity() -> None:
    """Below a chunk: one data and each parity chunk."""
    ratio = stripes.unaligned_write_ratio(
        np.array([4096.0, 131_071.0]), data_count=8, parity_count=2, chunk_bytes=131_072.0
    )
    assert ratio.tolist() == [3.0, 3.0]


def test_changes_in_place_take_the_cheaper_way() -> None:
    """One chunk of 8+2 by read-modify-write: 6 accesses; six chunks by reading the other two: 10."""
    assert float(stripes.changed_chunk_access_count(1, data_count=8, parity_count=2)) == 6
    assert float(stripes.changed_chunk_access_count(6, data_count=8, parity_count=2)) == 10
    assert float(stripes.changed_chunk_access_count(8, data_count=8, parity_count=2)) == 10
    assert float(stripes.changed_chunk_write_ratio(8, parity_count=2)) == 1.25


@given(sectors=st.integers(1, 4096), drives=st.integers(4, 24), parity=st.integers(1, 3))
def test_raidz_allocates_whole_units_and_never_less_than_parity(
    sectors: int, drives: int, parity: int
) -> None:
    """Allocated sectors are a multiple of parity + 1, and at least data plus ideal parity."""
    ratio = float(
        stripes.raidz_allocation_ratio(
            sectors * 4096, sector_bytes=4096, drive_count=drives, parity_count=parity
        )
    )
    allocated = round(ratio * sectors)
    assert allocated % (parity + 1) == 0
    assert allocated >= sectors * drives / (drives - parity) - 1e-9


def test_large_records_pad_little() -> None:
    """Published: 1.254 for records of 1 MiB on ten drives."""
    ratio = stripes.raidz_allocation_ratio(2**20, sector_bytes=4096, drive_count=10, parity_count=2)
    assert float(ratio) == pytest.approx(1.254, abs=5e-4)
