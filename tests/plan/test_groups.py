"""Drives in groups of one width inside every server: what holds data, what stands by, and what is counted."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.catalogue import Catalogue, load_catalogue
from planner.deploy.addressing import Addressing
from planner.deploy.bundle import contents
from planner.deploy.targets import drive_groups
from planner.plan import Plan, plan
from planner.sizing import tier_counts
from tests.plan.changes import EVIDENCE, GUIDE, changed, codes, plain, planned, with_code

TB = 1e12
WIDE = {"storage.hot.protection_id": "raid-z2"}
"""Eight of data and two of parity inside a server."""


def in_two_servers(drives: int) -> Plan:
    """The evidence example on RAID-Z2 with so many drives of 6.4 TB in two servers."""
    return planned(EVIDENCE, {**WIDE, "storage.hot.drive_count": drives, "storage.hot.unit_count": 2})


def with_bays(bays: float) -> Catalogue:
    """The shipped catalogue with so many bays in the server of a target pool."""
    catalogue = load_catalogue()
    server = catalogue.platforms["spdk-2u24-gen5"]
    assert server.drives_per_unit_count is not None
    other = replace(server, drives_per_unit_count=replace(server.drives_per_unit_count, value=bays))
    return replace(catalogue, platforms={**catalogue.platforms, server.id: other})


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


def test_one_server_that_has_room_for_a_group_and_a_spare_is_one_server() -> None:
    hot = plan(changed(EVIDENCE, WIDE), with_bays(11.0)).hot
    assert max(hot.terms[name].number for name in ("capacity", "write bandwidth", "endurance")) < 10
    assert (hot.unit_count.number, hot.drive_count.number, hot.working_count.number) == (1, 11, 10)


@pytest.mark.parametrize(
    ("drives", "standing", "verdict"), [(48, 4, "pass"), (42, 1, "pass"), (40, 0, "fail")]
)
def test_a_lost_drive_is_rebuilt_on_one_that_stands_by(drives: int, standing: int, verdict: str) -> None:
    ladder = in_two_servers(drives).ladders[0]
    assert ladder.heal is not None
    assert ladder.heal.provided.number == pytest.approx(standing * 6.4 * TB)
    assert ladder.heal.required.number == pytest.approx(6.4 * TB)
    assert ladder.heal.verdict == verdict
    assert ("no drive stands by" in " ".join(step.note for step in ladder.steps)) == (standing == 0)


@pytest.mark.parametrize(
    ("changes", "fits", "note"),
    [
        ({"storage.hot.unit_count": 8, "storage.hot.drive_count": 64}, False, "inside each node, which has 8 drives"),
        ({"storage.hot.unit_count": 2, "storage.hot.drive_count": 22}, True, "inside each node, which has 11 drives"),
        ({"storage.hot.protection_at": "client"}, True, "over drives"),
    ],
)  # fmt: skip
def test_a_scheme_has_the_drives_that_the_review_counts(
    changes: dict[str, object], fits: bool, note: str
) -> None:
    found = planned(
        EVIDENCE, {"storage.hot.protection_id": "8+2", "storage.hot.protection_domain": "drive", **changes}
    )
    own = found.schemes[0]
    assert own.note.startswith(note)
    assert own.fits is fits
    assert ("PRT-1" in codes(found)) is not fits
    assert own.usable_bytes.number == found.hot.usable_bytes.number
    assert own.write_bytes_per_s.number == found.hot.write_bytes_per_s.number


def test_a_drive_that_stands_by_carries_no_writes() -> None:
    """76 drives are 40 in groups: beside 200 GB/s of reads the writes of this save take more than those."""
    found = planned(
        EVIDENCE,
        {
            **WIDE,
            "storage.hot.drive_count": 76,
            "storage.hot.unit_count": 4,
            "storage.dataset_on": "hot",
            "jobs.0.ingest.basis": "rate",
            "jobs.0.ingest.rate_scope": "job",
            "jobs.0.ingest.read_bytes_per_s": 200e9,
            "jobs.0.checkpoint.target_s": 5.0,
        },
    )
    hot = found.hot
    assert hot.write_bytes_per_s.number > hot.demand.write_bytes_per_s.number
    assert 40 < hot.terms["write bandwidth"].number < 76
    (finding,) = with_code(found, "BW-4")
    assert "76 drives, of which 40 hold data, in 4 units" in plain(finding.message)


def test_auto_holds_what_is_needed_in_its_groups() -> None:
    """100 TB asked for: 125 TB at a fill of 80 %, 156 TB raw, 25 drives: three groups, in two servers of 24 bays."""
    hot = planned(EVIDENCE, {**WIDE, "storage.hot.usable_bytes": 125 * TB}).hot
    assert (hot.unit_count.number, hot.drive_count.number, hot.working_count.number) == (2, 42, 40)
    assert hot.usable_bytes.number == pytest.approx(125 * TB)


@pytest.mark.parametrize(("drives", "units", "held"), [(39, 2, 30), (21, 2, 20), (50, 3, 30), (62, 3, 60)])
def test_drives_that_do_not_divide_evenly_make_the_groups_of_each_server(
    drives: int, units: int, held: int
) -> None:
    """39 drives in two servers are 20 and 19: two groups of ten in one, one in the other."""
    assert tier_counts.grouped_drives_count(float(drives), unit_count=float(units), width_count=10.0) == held


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
