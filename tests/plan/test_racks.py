"""Racks are filled by whole units, within the site's limit and one feed."""

from __future__ import annotations

import pytest

from planner.sizing import feeds
from tests.plan.changes import EVIDENCE, planned


@pytest.mark.parametrize(
    ("limit_w", "racks"),
    # One unit of 2.2 kW fits into 4 kW, three into 7, four into 8.8, and a rack has one at least.
    [(4000.0, 10), (7000.0, 4), (8800.0, 3), (22_000.0, 1), (2000.0, 10)],
)
def test_ten_units_of_2_2_kw(limit_w: float, racks: int) -> None:
    fill = feeds.rack_fill_w(limit_w, unit_w=2200.0)
    found = feeds.rack_count(
        20.0, rack_height_ru=42.0, reserved_ru=2.0, load_w=10 * 2200.0, rack_limit_w=fill
    )
    assert float(found) == racks


@pytest.mark.parametrize("limit_w", [4000.0, 8000.0, 17_000.0])
def test_a_rack_holds_whole_units(limit_w: float) -> None:
    facility = planned(EVIDENCE, {"site.rack_limit_w": limit_w}).facility
    heaviest = max(row.max_w.number for row in facility.rows)
    budget = min(limit_w, facility.circuit_w.number)
    full = heaviest * max(budget // heaviest, 1)
    by_power = -(-facility.max_w.number // full)
    by_height = -(-facility.rack_units_ru.number // 42)
    assert facility.rack_count.number == max(by_power, by_height)
    assert facility.rack_max_w.number <= budget
