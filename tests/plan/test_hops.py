"""Load of every hop against the saves of the same plan, against the rules, and after each loss."""

from __future__ import annotations

import pytest

from planner.core.quantity import Quantity
from planner.plan import JobResult, Plan
from planner.sections.fabric_load import FabricState
from planner.sections.traffic import CASES
from planner.templates import templates
from tests.plan.changes import EVIDENCE, planned, shipped

SINGLE = [item.id for item in templates() if len(item.scenario.jobs) == 1]
LEAF_SPINE = "vision-1024"
HASHED: dict[str, object] = {"network.balancing": "hash"}
DESIGNS: list[tuple[str, dict[str, object]]] = [
    *((name, {}) for name in SINGLE),
    (LEAF_SPINE, HASHED),
    (LEAF_SPINE, {"network.client_oversubscription_ratio": 4.0}),
    (LEAF_SPINE, {"storage.hot.protection_at": "host"}),
    (EVIDENCE, {"network.transport": "fc"}),
    (EVIDENCE, {"storage.hot.protection_id": "8+2"}),
    (EVIDENCE, {"storage.hot.protection_at": "client"}),
    (EVIDENCE, {"network.topology": "leaf-spine", "network.balancing": "hash"}),
]


@pytest.fixture(scope="module", params=DESIGNS, ids=str)
def result(request: pytest.FixtureRequest) -> Plan:
    name, changes = request.param
    return planned(name, changes) if changes else shipped(name)


def states(result: Plan) -> dict[str, FabricState]:
    """The network whole and after each loss, by what is lost."""
    load = result.fabric_load
    return {state.name: state for state in (load.whole, *load.losses)}


def stage_s(result: JobResult, state: str, stage: str) -> float:
    """Time that a stage of the save takes alone in that state."""
    save = result.save if state == "as designed" else result.degraded[state]
    return save.stages[stage].number


def test_loads_and_saves_of_a_plan_say_the_same(result: Plan) -> None:
    """A hop's load at the required rate, times the target, is the time that its stage of the save takes."""
    job = result.main
    target = job.job.checkpoint.target_s.number
    for lost, state in states(result).items():
        rebuilt = state.rebuild_bytes_per_s.number
        load = {hop.key: hop.loads["burst"].fraction.number for hop in state.hops}
        writes = state.hop("target writes hot")
        beside = 0.0 if "back end hot" not in load else rebuilt / writes.capacity_bytes_per_s.number
        if result.hot.protection_at not in ("host", "client"):
            own = load["target writes hot"] - beside
            assert own * target == pytest.approx(stage_s(job, lost, "target ports")), lost
            node = load["client port"] * target * job.jitter_ratio.number
            assert node == pytest.approx(stage_s(job, lost, "node ports")), lost
            hops = ("client uplinks", "target uplinks") if "spine" in load else ("client links",)
            if not rebuilt:
                way = max(load[hop] for hop in hops)
                assert way * target == pytest.approx(stage_s(job, lost, "fabric")), lost


def test_every_save_of_a_state_is_that_of_the_job(result: Plan) -> None:
    found = states(result)
    assert set(found) == {"as designed", *result.main.degraded}
    for lost, state in found.items():
        save = result.main.save if lost == "as designed" else result.main.degraded[lost]
        assert state.saves == (save,)


def test_a_loss_never_lightens_a_hop_and_the_fullest_is_named(result: Plan) -> None:
    whole = result.fabric_load.whole
    for state in (whole, *result.fabric_load.losses):
        for case in CASES:
            front = [hop for hop in state.hops if hop.kind != "back end"]
            most = max(hop.loads[case].fraction.number for hop in front)
            assert state.hop(state.bottleneck[case]).loads[case].fraction.number == most
            for hop in state.hops:
                before = [own for own in whole.hops if own.key == hop.key]
                if before:
                    least = before[0].loads[case].fraction.number
                    assert hop.loads[case].fraction.number >= least * (1 - 1e-12), (state.name, hop.key)


@pytest.mark.parametrize("unit_count", [11, 12, 20])
def test_a_targets_ports_carry_what_the_rules_say(unit_count: int) -> None:
    """With 8+2 made by servers over n nodes: 1 + 1.25 (n - 1) / n times the client bytes."""
    result = planned(EVIDENCE, {"storage.hot.protection_id": "8+2", "storage.hot.unit_count": unit_count})
    port = result.fabric_load.whole.hop("target port hot").loads["burst"]
    client = result.hot.demand.write_bytes_per_s.number
    each = client * (1 + 1.25 * (unit_count - 1) / unit_count) / unit_count
    assert port.to_targets_bytes_per_s.number == pytest.approx(each)
    between = result.fabric_load.whole.hop("back end hot").loads["burst"].bytes_per_s.number
    assert between == pytest.approx(client * 1.25 * (unit_count - 1) / unit_count)


def test_a_mirroring_host_sends_everything_twice() -> None:
    changes = {"storage.hot.protection_id": "2-way", "storage.hot.protection_at": "host"}
    load = planned(EVIDENCE, changes).fabric_load.whole
    plain = planned(EVIDENCE, {"storage.hot.protection_id": "2-way"}).fabric_load.whole
    for key in ("client port", "client links"):
        twice, once = (own.hop(key).loads["burst"].to_targets_bytes_per_s.number for own in (load, plain))
        assert twice == pytest.approx(2 * once)
    assert [hop.key for hop in load.hops if hop.kind == "back end"] == []


def test_a_drain_leaves_the_hot_tier_and_reaches_the_object_store() -> None:
    result = shipped(EVIDENCE)
    drain = sum(job.job.checkpoint.drain_bytes_per_s.number for job in result.jobs)
    whole = result.fabric_load.whole
    assert whole.hop("target links hot").loads["steady"].to_clients_bytes_per_s.number == pytest.approx(drain)
    assert whole.hop("target links object").loads["steady"].to_targets_bytes_per_s.number == pytest.approx(
        drain
    )
    assert whole.hop("client links").loads["steady"].to_targets_bytes_per_s.number == 0


def test_links_carry_both_ways_at_once_and_a_spine_takes_in_both() -> None:
    whole = shipped(LEAF_SPINE).fabric_load.whole
    for hop in whole.hops:
        load = hop.loads["both"]
        ways = load.to_targets_bytes_per_s.number, load.to_clients_bytes_per_s.number
        expected = sum(ways) if hop.key == "spine" else max(ways)
        assert load.bytes_per_s.number == pytest.approx(expected), hop.key


@pytest.mark.parametrize("loss", [0.2, 0.3, 0.4])
def test_hashing_loses_its_share_of_a_leafs_uplinks(loss: float) -> None:
    hashed = planned(LEAF_SPINE, HASHED | {"network.hash_loss_fraction": loss}).fabric_load
    adaptive = planned(LEAF_SPINE, {"network.hash_loss_fraction": loss}).fabric_load
    assert (hashed.hash_loss_fraction.number, adaptive.hash_loss_fraction.number) == (loss, 0.0)
    for key in ("client uplinks", "target uplinks"):
        less, more = (own.whole.hop(key).capacity_bytes_per_s.number for own in (hashed, adaptive))
        assert less == pytest.approx((1 - loss) * more)
    for key in ("client links", "target links hot"):
        less, more = (own.whole.hop(key).capacity_bytes_per_s.number for own in (hashed, adaptive))
        assert less == more


def test_a_drive_is_rebuilt_over_the_network_where_its_chunks_are_on_other_machines() -> None:
    changes = {"storage.hot.protection_id": "8+2", "storage.rebuild_bytes_per_s": 0.5e9}
    spread = planned(EVIDENCE, changes).fabric_load
    drive, whole = spread.after("drive"), spread.whole
    assert drive is not None
    # Eight chunks are read for each that is written, all into the machine of the drive.
    assert drive.rebuild_bytes_per_s.number == 8 * 0.5e9
    more, less = (
        own.hop("target port hot").loads["both"].to_targets_bytes_per_s.number for own in (drive, whole)
    )
    assert more - less == pytest.approx(8 * 0.5e9)
    inside = planned(EVIDENCE, changes | {"storage.hot.protection_domain": "drive"}).fabric_load.after(
        "drive"
    )
    assert inside is not None
    assert inside.rebuild_bytes_per_s.number == 0


def test_a_lost_target_is_rebuilt_by_all_that_are_left() -> None:
    result = planned(EVIDENCE, {"storage.hot.protection_id": "8+2"})
    state = result.fabric_load.after("target")
    assert state is not None
    drives = result.hot.drive_count.number / result.hot.unit_count.number
    rate = result.scenario.storage.rebuild_bytes_per_s
    assert state.rebuild_bytes_per_s.number == pytest.approx(8 * rate * drives)


def test_fibre_channel_carries_no_reads_of_another_tier() -> None:
    whole = planned(EVIDENCE, {"network.transport": "fc"}).fabric_load.whole
    assert whole.hop("client links").loads["steady"].to_clients_bytes_per_s.number == 0
    assert {hop.key.rpartition(" ")[2] for hop in whole.hops if hop.kind == "target"} == {"hot"}
    on_hot = planned(EVIDENCE, {"network.transport": "fc", "storage.dataset_on": "hot"})
    reads = on_hot.fabric_load.whole.hop("client links").loads["steady"].to_clients_bytes_per_s.number
    assert reads == pytest.approx(on_hot.network.read_bytes_per_s.number)


def test_a_lone_port_leaves_nothing_to_lose() -> None:
    keys = {state.key for state in planned(EVIDENCE, {"cluster.storage_port_count": 1}).fabric_load.losses}
    assert not keys & {"path", "leaf", "spine"}


def test_what_a_lost_leaf_leaves_is_told_of_machines_with_one_port_too() -> None:
    """A machine with one port has none on another leaf; one leaf pair has no uplinks; Fibre Channel has no such tier."""

    def told(changes: dict[str, object]) -> str:
        state = planned(EVIDENCE, changes).fabric_load.after("leaf")
        assert state is not None
        return state.note

    pair, spines = told({"network.topology": "single-leaf"}), told({"network.topology": "leaf-spine"})
    for note in (pair, spines):
        assert "Machines with one port (Object store) are out of reach on that leaf" in note
    assert "uplinks" not in pair
    assert "uplinks carry the traffic of both" in spines
    assert "one port" not in told({"network.transport": "fc"})


def opened(item: Quantity, depth: int = 0) -> bool:
    """Whether a number says where it comes from, down to what was given."""
    if item.formula is None:
        return bool(item.source) and bool(item.grade)
    parts = [part for part in (item.inputs or {}).values() if isinstance(part, Quantity)]
    return depth > 20 or all(opened(part, depth + 1) for part in parts)


def test_every_load_opens_to_its_formula_and_sources() -> None:
    load = shipped(LEAF_SPINE).fabric_load
    for state in (load.whole, *load.losses):
        for hop in state.hops:
            for case in CASES:
                fraction = hop.loads[case].fraction
                assert fraction.formula is not None
                assert opened(fraction), (state.name, hop.key, case)
