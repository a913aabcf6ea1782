"""Why a tier is as large as it is, in words."""

from __future__ import annotations

import pytest

from planner.sections.reasons import because
from planner.templates import templates
from tests.plan.changes import EVIDENCE, plain, planned, shipped


@pytest.mark.parametrize("name", [item.id for item in templates()])
def test_a_reason_names_the_largest_demand_and_the_next(name: str) -> None:
    for tier in shipped(name).tiers:
        told = because(tier)
        ordered = sorted(tier.terms, key=lambda term: -tier.terms[term].number)
        assert told.index(ordered[0]) < told.index(ordered[1])
        assert (tier.binding in tier.terms) == ("because of" in told)


def test_the_reason_of_the_start_design() -> None:
    # (27.44 x 2 / 10 + 0.549 / 14) / 0.9 drives, and 47.4 TB a day x 2 x 1.2 / (3 x 6.4 TB).
    assert plain(because(shipped(EVIDENCE).hot)).startswith(
        "9 drives in 3 nodes because of write bandwidth (6.14); next endurance (5.93)"
    )


def test_a_stated_size_says_what_it_would_need() -> None:
    told = because(planned(EVIDENCE, {"storage.hot.drive_count": 30}).hot)
    assert ", stated by the architect; " in told
    assert "asks for most" in told
