"""Currents, weights and cable lengths, against published circuits and plain geometry."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest

from planner.sizing import racks

RULES = Path(__file__).parents[1] / "evidence" / "power_rules.csv"


with RULES.open(encoding="utf-8", newline="") as _file:
    FEEDS = {row["id"]: row for row in csv.DictReader(_file) if row["id"].startswith("pdu-")}


@pytest.mark.parametrize("rule", FEEDS)
def test_a_usable_rating_flows_at_the_continuous_share_of_its_breaker(rule):
    row = FEEDS[rule]
    volts, amps, phases = re.fullmatch(r"pdu-(\d+)-(\d+)-(\d)ph", rule).groups()
    share = 1.0 if "IEC" in row["rule_or_formula"] else 0.8
    current = racks.feed_amps(
        float(row["value"]) * 1e3,
        feed_volts=float(volts),
        phase_count=float(phases),
        power_factor_fraction=1.0,
    )
    assert float(current) == pytest.approx(float(amps) * share, rel=2e-3)


def test_a_published_pair_of_feeds_carries_12_a_each():
    # 4,992 W on an A and a B feed of 208 V and 30 A: 12 A on each, 24 A on one alone.
    feed = {"feed_volts": 208.0, "phase_count": 1.0, "power_factor_fraction": 1.0}
    assert float(racks.feed_amps(racks.feed_share_w(4992.0), **feed)) == pytest.approx(12.0)
    assert float(racks.feed_amps(4992.0, **feed)) == pytest.approx(24.0)


def test_one_rack_unit_is_one_and_three_quarter_inches():
    assert float(racks.cable_m(48.0, horizontal_m=0.0, slack_m=0.0)) == pytest.approx(48 * 1.75 * 0.0254)


@pytest.mark.parametrize(
    ("links", "leaves", "lanes", "cables"),
    # Six links on two leaves are three on each: two cables that are split into two, one whole and one half used.
    [(6, 2, 2, 4), (6, 2, 1, 6), (8, 2, 4, 2), (4, 2, 4, 2), (128, 2, 4, 32)],
)
def test_split_cables(links, leaves, lanes, cables):
    found = racks.breakout_cables_count(float(links), leaf_count=float(leaves), lane_count=float(lanes))
    assert float(found) == cables


def test_metadata_of_a_large_file_system_takes_its_share_twice():
    # 2 % of 10 PB is 200 TB, mirrored 400 TB: 52.1 drives of 7.68 TB, 27 in each of two servers.
    drives = racks.metadata_drive_count(10e15, metadata_fraction=0.02, drive_bytes=7.68e12, unit_count=2.0)
    assert float(drives) == 2 * 27


@pytest.mark.parametrize(
    ("links", "rails", "lanes"), [(6, 4, 2), (7, 3, 2), (11, 4, 2), (9, 8, 4), (30, 4, 4)]
)
def test_parts_of_links_that_are_dealt_one_by_one(links, rails, lanes):
    parts = {(link % rails, link // rails // lanes) for link in range(links)}
    found = racks.dealt_parts_count(float(links), side_count=float(rails), lane_count=float(lanes))
    assert float(found) == len(parts)
