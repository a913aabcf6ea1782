"""Headroom and thresholds of the planned switches."""

from __future__ import annotations

import pytest

from planner.catalogue import load_catalogue
from planner.sections.lossless import SWITCH_MTU_BYTES, headroom
from tests.deploy.conftest import changed
from tests.plan.changes import shipped

PUBLISHED = [
    *(
        ("sn5600", gbps, cable_m, xoff)
        for gbps, row in {
            100: (113_664, 126_976, 225_280),
            200: (131_072, 157_696, 355_328),
            400: (231_424, 283_648, 677_888),
            800: (257_024, 362_496, 1_150_976),
        }.items()
        for cable_m, xoff in zip((5, 40, 300), row, strict=True)
    ),
    *(
        ("z9864f", gbps, cable_m, xoff)
        for gbps, row in {
            100: (147_066, 160_274, 258_572),
            400: (393_192, 446_024, 839_216),
            800: (729_488, 835_406, 1_621_536),
        }.items()
        for cable_m, xoff in zip((5, 40, 300), row, strict=True)
    ),
]
"""Profiles that makers publish for their switches: 9,100 bytes, the worst case of small packets."""
LARGER_PACKETS = (SWITCH_MTU_BYTES - 9100) * 3 + (4200 - 1024)
"""What larger ports and packets than in the profiles of Spectrum add."""


@pytest.mark.parametrize(("switch", "gbps", "cable_m", "xoff"), PUBLISHED)
def test_headroom_is_the_published_one(switch, gbps, cable_m, xoff):
    found = headroom(load_catalogue().switches[switch], gbps, float(cable_m)).number
    extra = LARGER_PACKETS if switch == "sn5600" else 0
    assert found - extra == pytest.approx(xoff, abs=1024 + 1024 * (switch == "sn5600"), rel=1e-3)


def test_the_fullest_switch_is_looked_at():
    plan = shipped("frontier-16384")
    found = plan.lossless
    assert [buffer.role for buffer in found.buffers] == ["leaf", "spine"]
    leaf = found.buffer("leaf")
    assert leaf.port_count >= plan.network.switch_port_count.number
    assert leaf.fits.verdict == "pass"
    assert leaf.reserved.number == pytest.approx(leaf.fits.required.number)
    for buffer in found.buffers:
        for profile in buffer.profiles:
            assert profile.ecn_low.number < profile.ecn_high.number < buffer.onset.number


def test_a_buffer_that_is_too_small_fails():
    # A cable of 2 km holds 2 x 2 km x 50 GB/s / 1.98e8 m/s: 1.01 MB, which small packets treble, for each of 64 ports.
    for metres, verdict in ((20.0, "pass"), (2000.0, "fail")):
        plan = changed("vision-1024", site__gpu_distance_m=metres)
        assert plan.lossless.buffer("leaf").fits.verdict == verdict


def test_a_switch_without_published_figures_says_so():
    assert shipped("lab-8-nodes").lossless.measured is True
    assert changed("lab-8-nodes", network__switch_id="9332d-gx2b").lossless.measured is False
