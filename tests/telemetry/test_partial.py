"""What proves nothing is not judged: some nodes for the array, small requests for bandwidth, queues for latency."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

import pytest

from planner.core.errors import PlannerError
from planner.plan import Plan
from planner.review.as_built import AsBuilt
from planner.review.as_built_words import share_text
from planner.scenario_json import scenario_from_json, scenario_to_json, with_value
from planner.telemetry.as_built import as_built
from planner.telemetry.feedback import LATENCY_PATH, way_in_use
from planner.telemetry.reading import read_measurements
from tests.plan.changes import EVIDENCE, planned
from tests.telemetry.delivered import fio

PLAN = planned(EVIDENCE, {})
NODES = 64
ARRAY = {"storage.hot.platform_id": "vast-ceres-3015"}


def built(plan: Plan, **files: bytes) -> AsBuilt:
    readings = {f"{name}.json": read_measurements(text, name=f"{name}.json") for name, text in files.items()}
    return as_built(plan, readings, measured_on=date(2026, 11, 30))


def clients(bytes_per_s: float, count: int) -> bytes:
    """One fio client with so many servers that wrote at once, each with its share."""
    return of_client(fio(bytes_per_s / count), count)


def of_client(each: bytes, count: int) -> bytes:
    """The same job on so many servers, as their client prints it."""
    document = json.loads(each)
    (job,) = document.pop("jobs")
    document["client_stats"] = [job | {"hostname": f"node{n:02}", "port": 8765} for n in range(count)]
    return json.dumps(document).encode()


def small(way: str, *, rate: float, median_s: float) -> bytes:
    """A job of 4 KiB requests: so many a second, with that median latency."""
    marks = {
        mark: int(median_s * 1e9 * k) for mark, k in (("50.000000", 1), ("99.000000", 2), ("99.900000", 3))
    }
    side = {
        "io_bytes": int(rate * 4096 * 30), "bw_bytes": int(rate * 4096), "bw": int(rate * 4), "iops": rate,
        "runtime": 30_000, "clat_ns": {"percentile": marks},
    }  # fmt: skip
    job = {"jobname": f"latency-{way}", "groupid": 0, "error": 0, way: side}
    return json.dumps({"fio version": "fio-3.33", "jobs": [job]}).encode()


def of(found: AsBuilt, promise: str) -> list[Any]:
    return [outcome for outcome in found.outcomes if outcome.promise.id == promise]


def test_two_nodes_of_many_do_not_condemn_the_array() -> None:
    """Two nodes at 1.3 times their own share cannot draw what 64 draw together."""
    plan = PLAN
    assert plan.main.job.node_count.number == NODES
    share = plan.main.job.checkpoint.node_write_bytes_per_s.number
    found = built(plan, run=clients(2 * 1.3 * share, 2))
    (outcome,) = of(found, "array-save")
    assert (outcome.result, outcome.node_count) == ("open", 2)
    assert "2 of 64 nodes took part" in outcome.detail
    assert share_text([outcome]) == "open: not all nodes took part"
    assert "array-save" in {promise.id for promise in found.open}
    assert not found.failed
    assert [item.path for item in found.feedback] == []


def test_all_nodes_together_are_judged_and_their_figure_can_be_taken_over() -> None:
    """64 nodes that reach half of the array's rate: the client stack of 0.9 is 0.45."""
    plan = PLAN
    half = plan.hot.write_bytes_per_s.number / 2
    found = built(plan, run=clients(half, NODES))
    (outcome,) = of(found, "array-save")
    assert (outcome.result, outcome.node_count) == ("fail", NODES)
    stack = next(item for item in found.feedback if item.path == "network.rdma_stack_fraction")
    assert stack.value.number == pytest.approx(0.45, rel=1e-3)


def test_some_nodes_that_reach_the_whole_rate_pass() -> None:
    plan = PLAN
    found = built(plan, run=clients(plan.main.job.checkpoint.required_write_bytes_per_s.number, 32))
    assert [outcome.result for outcome in of(found, "array-save")] == ["pass"]
    assert [item.path for item in found.feedback if item.path.endswith("stack_fraction")] == []


def test_the_rate_of_a_unit_is_offered_where_the_platform_states_it() -> None:
    """An array whose unit is stated by the catalogue: with half the rate measured, half of it is the unit's."""
    array, pool = planned(EVIDENCE, ARRAY), PLAN
    path = "storage.hot.manual_write_bytes_per_s"
    offers = {
        name: {
            item.path: item
            for item in built(plan, run=clients(plan.hot.write_bytes_per_s.number / 2, NODES)).feedback
        }
        for name, plan in (("array", array), ("pool", pool))
    }
    assert offers["array"][path].value.number == pytest.approx(
        array.hot.unit_write_bytes_per_s.number / 2, rel=1e-3
    )
    # a pool's rate comes of its drives and ports: the input would change nothing
    assert path not in offers["pool"]


def test_a_latency_test_is_no_bandwidth_test() -> None:
    found = built(PLAN, node1=small("write", rate=10_000, median_s=90e-6))
    assert of(found, "node-write") == []
    assert [outcome.result for outcome in of(found, "latency-write-p50")] == ["pass"]


@pytest.mark.parametrize(("median_s", "count"), [(100e-6, 1), (199e-6, 1), (201e-6, 0), (3.2e-3, 0)])
def test_a_queue_is_told_by_littles_law(median_s: float, count: int) -> None:
    """10,000 a second of 0.2 ms in the median are more than one at a time, since a median is at most twice a mean."""
    found = built(PLAN, node1=small("read", rate=10_000, median_s=median_s))
    assert len(of(found, "latency-read-p50")) == count


def test_a_measured_latency_can_be_taken_over_and_moves_the_model_of_the_transport() -> None:
    plan = PLAN
    found = built(plan, node1=small("write", rate=10_000, median_s=95e-6))
    (item,) = [item for item in found.feedback if item.path == LATENCY_PATH]
    assert item.value.number == pytest.approx(95e-6)
    assert item.today.number == way_in_use(plan).rows[0].latency_high_s.number
    taken = planned(EVIDENCE, {LATENCY_PATH: item.value.number})
    row = way_in_use(taken).rows[0]
    assert (row.latency_low_s.number, row.latency_high_s.number) == pytest.approx((95e-6, 95e-6))
    # the other transports stay as the guide has them, and no result of the sizing moves
    assert [m.rows[0].latency_high_s.number for m in taken.transport_models if m.name == "tcp"] == [
        m.rows[0].latency_high_s.number for m in plan.transport_models if m.name == "tcp"
    ]
    assert taken.main.save.save_s.number == plan.main.save.save_s.number


def test_without_a_measured_latency_the_guides_range_counts() -> None:
    """10 to 30 µs for RoCEv2 by the guide, added to the drive and the transfer."""
    low, high = (getattr(way_in_use(PLAN).rows[0], f"latency_{end}_s").number for end in ("low", "high"))
    assert high - low == pytest.approx(20e-6)


def test_a_measured_latency_survives_the_file_of_a_scenario() -> None:
    scenario = scenario_from_json(scenario_to_json(with_value(PLAN.scenario, LATENCY_PATH, 95e-6)))
    assert scenario.network.measured_latency_s == 95e-6


# --- files -------------------------------------------------------------------------------------------


def test_a_run_that_was_stopped_says_so() -> None:
    """As fio 3.33 prints it when it is interrupted: the line comes before the document."""
    reading = read_measurements(b"\nfio: terminating on signal 2\n" + fio(1e9, jobs=2), name="node1.json")
    assert reading.remarks[-1] == "fio was stopped by signal 2, so of a part of the run: measure again"
    assert {record.detail for record in reading.records} == {"stopped by signal 2, so of a part of the run"}
    (outcome,) = of(
        built(PLAN, node1=b"fio: terminating on signal 15\n" + fio(1e9, jobs=2)),
        "node-write",
    )
    assert outcome.detail == "sum of 2 jobs; stopped by signal 15, so of a part of the run"


@pytest.mark.parametrize(
    ("begin", "kind"),
    [(b"PK\x03\x04", "zip"), (b"\x1f\x8b\x08", "gzip"), (b"BZh9", "bzip2"), (b"\xfd7zXZ\x00", "xz")],
)
def test_a_packed_file_is_named_as_such(begin: bytes, kind: str) -> None:
    """Not even one that is stored as it is: it may hold the outputs of several machines."""
    with pytest.raises(PlannerError, match=f"packed with {kind}; unpack it"):
        read_measurements(begin + fio(1e9), name="all.json")


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_without_its_mark_is_read(encoding: str) -> None:
    plain = read_measurements(fio(1e9), name="n.json")
    assert read_measurements(fio(1e9).decode().encode(encoding), name="n.json") == plain


def test_a_file_that_is_known_to_be_too_large_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("planner.telemetry.source.MAX_BYTES", 1_000)
    monkeypatch.setattr("planner.telemetry.source.PIECE_BYTES", 0)
    with pytest.raises(PlannerError, match="larger than 0 MB"):
        read_measurements(fio(1e9, jobs=4), name="n.json")


@pytest.mark.parametrize("line", ["3;fio-3.33;a;0;0;0;0", "a: (g=0): rw=write, bs=(R) 1024KiB-1024KiB"])
def test_fios_other_formats_are_answered_with_the_one_to_ask_for(line: str) -> None:
    with pytest.raises(PlannerError, match="--output-format=json"):
        read_measurements(line.encode(), name="n.txt")


def dlio(percent: float, hosts: int) -> bytes:
    """A training run of so many hosts whose accelerators were so busy."""
    metric = {"train_au_mean_percentage": percent, "train_throughput_mean_samples_per_second": 10.0}
    return json.dumps({"num_hosts": hosts, "num_accelerators": 4 * hosts, "metric": metric}).encode()


@pytest.mark.parametrize(
    ("percent", "hosts", "result"),
    [
        (95.0, 1, "open"),
        (95.0, NODES, "pass"),
        (95.0, NODES + 1, "pass"),
        (80.0, 1, "fail"),
        (80.0, NODES, "fail"),
    ],
)
def test_busy_accelerators_of_some_nodes_do_not_prove_the_array(
    percent: float, hosts: int, result: str
) -> None:
    """One node of 64 loads its data from an array that 63 others leave alone; waiting for it alone is a failure."""
    found = built(PLAN, summary=dlio(percent, hosts))
    (outcome,) = of(found, "array-training")
    assert outcome.result == result
    assert ("1 of 64 nodes took part" in outcome.detail) == (result == "open")
    assert ("array-training" in [promise.id for promise in found.open]) == (result == "open")


def small_ior(nodes: int) -> bytes:
    """IOR's summary of writes of 4 KiB: 64,000 a second are 250 MiB/s."""
    row = {"operation": "write", "bwMeanMIB": 250.0, "OPsMean": 64_000.0, "transferSize": 4096}
    ends = {"bwMinMIB": 250.0, "bwMaxMIB": 250.0, "OPsMin": 64_000.0, "OPsMax": 64_000.0}
    return json.dumps({"tests": [{"Parameters": {"nodes": nodes}}], "summary": [row | ends]}).encode()


@pytest.mark.parametrize(
    "run",
    [of_client(small("write", rate=10_000, median_s=1e-4), NODES), small_ior(NODES)],
    ids=["fio", "ior"],
)
def test_small_requests_of_all_nodes_at_once_do_not_condemn_the_array(run: bytes) -> None:
    """64 nodes with requests of 4 KiB move next to nothing, whatever the array can do."""
    found = built(PLAN, run=run)
    (outcome,) = of(found, "array-save")
    assert (outcome.result, outcome.node_count) == ("open", NODES)
    assert share_text([outcome]) == "open: measured with small requests only"
    assert "array-save" in {promise.id for promise in found.open}
    assert "network.rdma_stack_fraction" not in {item.path for item in found.feedback}


@pytest.mark.parametrize(("block", "counts"), [(16_384, True), (32_768, False)])
def test_the_largest_small_request_is_small_whatever_its_figures_are_rounded_to(
    block: int, counts: bool
) -> None:
    """16 KiB at 6,103.5156254 a second: fio prints 6103.515625, and bytes that are 16 KiB times a little more."""
    document = json.loads(small("write", rate=6103.515625, median_s=1e-4))
    document["jobs"][0]["write"] |= {"bw_bytes": 6103.5156254 * block, "bw": int(6103.5156254 * block / 1024)}
    found = built(PLAN, run=json.dumps(document).encode())
    assert bool(of(found, "latency-write-p50")) == counts


def test_small_requests_with_a_queue_do_not_condemn_a_node() -> None:
    """A test of operations, 4 KiB with a queue, moves little; large requests may well reach the promise."""
    needed = PLAN.main.job.checkpoint.node_write_bytes_per_s.number
    slow = {f"node{n}": small("write", rate=needed / 4096 / 4, median_s=1e-3) for n in range(3)}
    found = built(PLAN, **slow)
    outcomes = of(found, "node-write")
    assert [outcome.result for outcome in outcomes] == ["open"] * 3
    assert "small requests" in outcomes[0].detail
    assert share_text(outcomes) == "open: measured with small requests only"
    assert "node-write" in [promise.id for promise in found.open]
    assert found.short == ()
    assert found.saves == ()
    fast = {"node1": small("write", rate=needed / 4096 * 2, median_s=1e-3)}
    assert [outcome.result for outcome in of(built(PLAN, **fast), "node-write")] == ["pass"]
    large = built(PLAN, **slow, node9=fio(needed / 2))
    assert [(o.node, o.result) for o in of(large, "node-write") if o.result == "fail"] == [("node9", "fail")]
