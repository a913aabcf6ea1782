"""Every way to the storage, modelled alike, against published figures and the guide."""

from __future__ import annotations

import functools

import pytest

from planner.core.units import GB, GBIT_PER_S, MB, MIB, US
from planner.sections.transport_model import WAYS, BlockRow, TransportModel
from planner.sizing import queueing
from tests.plan.changes import EVIDENCE, planned, with_code

AT_100 = {"cluster.storage_port_bytes_per_s": 100 * GBIT_PER_S}
AT_400 = {"cluster.storage_port_bytes_per_s": 400 * GBIT_PER_S}


@functools.cache
def models(gbps: int = 100) -> dict[str, TransportModel]:
    made = planned(EVIDENCE, {"cluster.storage_port_bytes_per_s": gbps * GBIT_PER_S}).transport_models
    return {model.name: model for model in made}


def row(name: str, size: float, gbps: int = 100) -> BlockRow:
    return next(row for row in models(gbps)[name].rows if row.io_bytes.number == size)


def test_all_ways_are_there_and_three_are_designed_with() -> None:
    assert list(models()) == list(WAYS)
    assert {name for name, model in models().items() if model.designed} == {"rdma", "tcp", "fc"}


@pytest.mark.parametrize(
    ("size", "gbps", "us"),
    [(MIB, 100, 84), (MIB, 400, 21), (16 * MIB, 100, 1342), (16 * MIB, 400, 336)],
)
def test_serialisation_is_the_published_one_at_line_rate(size: float, gbps: int, us: float) -> None:
    found = row("rdma", size, gbps)
    assert found.serialisation_s.number * found.wire_fraction.number / US == pytest.approx(us, abs=0.6)


@pytest.mark.parametrize(
    "changes",
    [{}, {"network.transport": "tcp"}, {"network.transport": "fc"}, {"network.switch_id": "qm9700"}],
)
def test_the_review_times_a_block_as_the_model_does(changes: dict[str, object]) -> None:
    result = planned(EVIDENCE, changes)
    name = "ib" if "network.switch_id" in changes else result.network.transport.value
    own = next(model for model in result.transport_models if model.name == name).rows[-1]
    (told,) = with_code(result, "TRN-1")
    assert own.io_bytes.number == result.main.job.policy.block_bytes
    assert f"takes {own.serialisation_s.text()} on one port" in told.message


@pytest.mark.parametrize("name", [name for name in WAYS if name not in ("nfsrdma", "local")])
def test_latency_is_drive_transport_and_serialisation(name: str) -> None:
    model = models()[name]
    for own in model.rows:
        rest = model.media_s.number + own.serialisation_s.number
        assert own.latency_low_s.number == pytest.approx(model.guide_latency_low_s.number + rest)
        assert own.latency_high_s.number == pytest.approx(model.guide_latency_high_s.number + rest)


@pytest.mark.parametrize("gbps", [100, 400])
def test_the_guides_100_us_cannot_hold_for_16_mb(gbps: int) -> None:
    for model in models(gbps).values():
        assert model.rows[3].io_bytes.number == 16 * MIB
        assert not model.rows[3].within
        assert "cannot hold" in model.statement
        assert "first byte" in model.statement
    # Above about 1.2 MB the wire alone takes longer at 100 Gb/s.
    assert 0.5 * MB < models(100)["rdma"].limit_bytes.number < 1.25 * MB
    assert models(400)["rdma"].limit_bytes.number > models(100)["rdma"].limit_bytes.number


@pytest.mark.parametrize(
    ("bandwidth", "latency", "size", "depth"), [(50 * GB, 100 * US, MIB, 4.8), (12.5 * GB, 30 * US, 4096, 92)]
)
def test_queue_depth_is_littles(bandwidth: float, latency: float, size: float, depth: float) -> None:
    found = queueing.little_outstanding_count(bandwidth, latency_s=latency, io_bytes=size)
    assert float(found) == pytest.approx(depth, rel=0.01)
    own = row("tcp", MIB)
    rate = own.io_bytes.number / own.serialisation_s.number
    assert own.depth_count.number == pytest.approx(rate * own.latency_high_s.number / MIB)


def test_cores_are_the_published_ones() -> None:
    tcp, rdma = models()["tcp"], models()["rdma"]
    # One core for 2.5 to 3.75 GB/s over TCP; 0.1 to 0.2 cores for the same over RDMA.
    assert 1 / 3.75 <= tcp.cores_count.number <= 1 / 2.5
    assert 0.1 <= rdma.cores_count.number / tcp.cores_count.number <= 0.2


def test_sessions_follow_the_cap_of_one() -> None:
    reads = {"jobs.0.ingest.basis": "rate", "jobs.0.ingest.read_bytes_per_s": 64 * 20 * GB}
    made = {model.name: model for model in planned(EVIDENCE, AT_400 | reads).transport_models}
    # 20 GB/s a node at 2 GB/s a session, and at 3.1 GB/s a core.
    assert made["nfs"].session_count.number == made["iscsi"].session_count.number == 10
    assert made["tcp"].session_count.number == 7
    assert made["rdma"].session_count.number == 2


def test_gpudirect_needs_rdma_or_the_nodes_own_drive() -> None:
    assert {name for name, model in models().items() if model.direct} == {"rdma", "ib", "nfsrdma", "local"}


def test_ports_that_ship_are_beside_the_guides() -> None:
    speeds = {name: model.shipping_bytes_per_s.number / GBIT_PER_S for name, model in models().items()}
    assert (speeds["rdma"], speeds["ib"], speeds["fc"]) == (800, 400, 128)
    rdma = models()["rdma"]
    assert rdma.guide_port_low_bytes_per_s.number / GBIT_PER_S == 100
    assert rdma.guide_port_high_bytes_per_s.number / GBIT_PER_S == 400
    assert (rdma.guide_latency_low_s.number, rdma.guide_latency_high_s.number) == pytest.approx(
        (10e-6, 30e-6)
    )
