"""Links, leaves and spines."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.sizing import bandwidth, fabric

counts = st.integers(1, 512).map(float)
radixes = st.sampled_from([32.0, 36.0, 64.0, 128.0, 256.0])
ratios = st.sampled_from([1.0, 1.5, 2.0, 3.0])


@given(endpoints=st.integers(1, 20_000).map(float), radix=radixes, ratio=ratios)
def test_leaves_and_spines_connect_everything(endpoints, radix, ratio):
    down = float(fabric.leaf_down_ports_count(radix, oversubscription_ratio=ratio))
    up = float(fabric.leaf_up_ports_count(radix, down_count=down))
    leaves = float(fabric.leaf_count(endpoints, down_count=down))
    spines = float(fabric.spine_count(leaves, up_count=up, radix_count=radix))
    assert down + up == radix
    assert (leaves - 1) * down < endpoints <= leaves * down
    if leaves > radix:
        assert np.isnan(spines)
        assert endpoints > down * (radix - 1)
        return
    per_pair = float(fabric.links_per_pair_count(up, spine_count=spines))
    assert per_pair == int(per_pair)
    assert leaves * per_pair <= radix
    smaller = [s for s in range(1, int(spines)) if up % s == 0]
    assert all(s * radix < leaves * up for s in smaller)


@given(leaves=counts, up=counts, radix=counts)
def test_unknown_radix_gives_unknown_spines(leaves, up, radix):
    found = fabric.spine_count(
        np.array([leaves, np.nan, leaves]), up_count=up, radix_count=np.array([radix, radix, np.nan])
    )
    assert list(np.isnan(found)) == [leaves > radix, True, True]


@pytest.mark.parametrize(("ratio", "down"), [(1, 32), (3, 48), (1.5, 38), (7, 56)])
def test_down_ports_by_oversubscription(ratio, down):
    assert float(fabric.leaf_down_ports_count(64, oversubscription_ratio=ratio)) == down


@given(need=st.floats(1e6, 1e12), link=st.floats(1e9, 1e11), share=st.floats(0.5, 1.0))
def test_links_carry_the_need_with_less_than_one_to_spare(need, link, share):
    links = float(bandwidth.links_per_node_count(need, link_bytes_per_s=link, efficiency_fraction=share))
    assert need <= links * link * share * (1 + 1e-8)
    assert links == 1.0 or (links - 1) * link * share < need


def test_paths_are_the_ports_up_to_four():
    np.testing.assert_array_equal(bandwidth.paths_count(np.array([1.0, 2.0, 4.0, 8.0])), [1.0, 2.0, 4.0, 4.0])
