"""Every figure of the guide, by its number, against what the planner computes or decides."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable
from typing import Any

import pytest

from planner.catalogue import load_catalogue
from planner.core.units import GB, GBIT_PER_S, TB
from planner.inputs import input_at
from planner.plan import Plan, plan
from planner.sizing import bandwidth, checkpoint
from planner.templates import templates
from tests.guide.cases import (
    CASES,
    counts_turn_at,
    ends,
    inside,
    planned,
    reaches,
    row_of,
    transport_row,
    turns_at,
)
from tests.plan.changes import changed, codes, plain, shipped, with_code

# --- the storage problem -------------------------------------------------------------------------


def g01() -> None:
    """256 GB200 GPUs on multimodal data read more than 200 GB/s."""
    result = planned("guide-70b", jobs__0__ingest__modality="multimodal")
    assert result.cluster.gpu_count.number == 256
    assert result.main.job.ingest.read_bytes_per_s.number >= ends("G01")[0]


def g02() -> None:
    """NFS and iSCSI add 200 to 500 µs: in the table of transports, above every NVMe-oF transport."""
    result = planned()
    nfs = transport_row(result, "nfs")
    reaches("G02", nfs.latency_low_s.number, nfs.latency_high_s.number)
    others = [row.latency_high_s.number for row in result.transport if row.name != "nfs"]
    assert max(others) < nfs.latency_low_s.number
    iscsi = load_catalogue().transports["iscsi"]
    assert iscsi.guide_latency_low_s is not None
    assert iscsi.guide_latency_high_s is not None
    reaches("G02", iscsi.guide_latency_low_s.number, iscsi.guide_latency_high_s.number)


def g03() -> None:
    """280 GB over NFS take 2 to 5 minutes."""
    nfs = transport_row(planned(), "nfs")
    reaches("G03", nfs.save_low_s.number, nfs.save_high_s.number)


def g04() -> None:
    """280 GB over NVMe-oF take 10 to 30 s on the guide's own pool, and at 9.3 to 28 GB/s."""
    result = planned()
    assert result.main.job.checkpoint.size_bytes.number == 280e9
    inside("G04", result.main.save.save_s.number)
    assert row_of(result, "G04").verdict == "inside"
    times = [checkpoint.write_s(280e9, bandwidth_bytes_per_s=280e9 / end) for end in ends("G04")]
    assert times == pytest.approx(ends("G04"))


# --- transports ----------------------------------------------------------------------------------


def latency(number: str, name: str) -> None:
    row = transport_row(planned(), name)
    reaches(number, row.latency_low_s.number, row.latency_high_s.number)


def port(number: str, **changes: Any) -> None:
    """A port of the guide's speeds is inside, a faster or slower one is not."""
    turns_at(number, number, lambda rate: planned(cluster__storage_port_bytes_per_s=rate, **changes))


def g10() -> None:
    """Fibre Channel carries 32 to 64 Gb/s a port."""
    turns_at("G10", "G10", lambda rate: planned(network__transport="fc", network__fc_port_bytes_per_s=rate))


def g11() -> None:
    """A dedicated cluster that can be lossless uses RoCEv2."""
    assert CASES["G11"]["low"] == "roce"
    result = planned(network__lossless_possible=True, network__switches_shared=False)
    assert result.network.transport.value == "rdma"
    assert "RoCEv2" in result.network.transport.label


def g12() -> None:
    """TCP where the configuration is impractical or switches are shared."""
    for lossless, shared in ((False, False), (True, True), (False, True)):
        result = planned(network__lossless_possible=lossless, network__switches_shared=shared)
        assert result.network.transport.value == CASES["G12"]["low"]


def g70() -> None:
    """TCP costs 30 to 60 µs more than RoCE, and the choice of TCP says so."""
    result = planned(network__lossless_possible=False)
    tcp, rdma = transport_row(result, "tcp"), transport_row(result, "rdma")
    inside(
        "G70",
        tcp.latency_low_s.number - rdma.latency_low_s.number,
        tcp.latency_high_s.number - rdma.latency_high_s.number,
    )
    said = re.search(r"(\d+) to (\d+) µs more", result.network.transport.reason)
    assert said is not None
    reaches("G70", float(said.group(1)) * 1e-6, float(said.group(2)) * 1e-6)


# --- local NVMe ----------------------------------------------------------------------------------


def g13() -> None:
    """A local drive answers in 5 to 15 µs, before any transport does."""
    local = load_catalogue().transports["local"]
    assert local.guide_latency_low_s is not None
    assert local.guide_latency_high_s is not None
    reaches("G13", local.guide_latency_low_s.number, local.guide_latency_high_s.number)
    rdma = transport_row(planned(), "rdma")
    assert local.guide_latency_low_s.number < rdma.latency_low_s.number


def g15() -> None:
    """Five checkpoints of 280 GB take 1.4 TB."""
    result = planned(jobs__0__checkpoint__retained_count=5, jobs__0__checkpoint__in_flight_count=0)
    kept = result.main.job.checkpoint.retained_bytes.number
    reaches("G15", kept, kept)


def g75() -> None:
    """A server holds 4 to 60 TB."""
    turns_at(
        "G75", "G75", lambda size: planned(cluster__local_drive_count=4, cluster__local_drive_bytes=size / 4)
    )


# --- checkpoint sizes ----------------------------------------------------------------------------


def by_table(number: str, model: str, figure: str) -> None:
    """Low and high end of the guide's table for a model, by its own recipes."""
    values = []
    for recipe in ("guide-low", "guide-high"):
        result = planned(
            f"guide-{model}", jobs__0__model__recipe_id=recipe, jobs__0__checkpoint__in_flight_count=0
        )
        values.append(getattr(result.main.job.checkpoint, figure).number)
        assert result.main.job.policy.retained_count == 5
    reaches(number, *values)


def recommended(number: str, model: str) -> None:
    """Recommended capacity: six of the larger checkpoints and 30 %, in steps of half a terabyte."""
    result = planned(f"guide-{model}")
    capacity = result.main.job.checkpoint.guide_capacity_bytes.number
    inside(number, capacity)
    assert capacity % 0.5e12 == 0
    least = 6 * result.main.job.checkpoint.size_bytes.number * 1.3
    assert least <= capacity < least + 0.5e12
    assert row_of(result, number).verdict == "inside"


def g29() -> None:
    """30 % headroom over what lies on the tier."""
    hot = planned("guide-70b").hot
    share = hot.needed_bytes.number / hot.demand.content_bytes.number - 1
    assert share == pytest.approx(ends("G29")[0])
    assert share == pytest.approx(ends("G29")[1])


def g30() -> None:
    """Chunks of 256 KB to 1 MB on a wide code, with write-back caching."""
    scenario = planned("guide-70b").scenario
    inside("G30", scenario.storage.hot.chunk_bytes)
    assert scenario.storage.hot.write_back_cache
    assert planned("guide-70b").protection.scheme_label.endswith("8+2")


def paths(number: str) -> None:
    """Two to four paths; fewer than two are a finding, and every template's nodes have them."""
    low, high = ends(number)
    counts_turn_at(number, "G31", lambda count: planned(network__path_count=int(count)))
    assert "NET-4" in codes(planned(network__path_count=int(low) - 1))
    assert "NET-4" not in codes(planned(network__path_count=int(low)))
    for item in templates():
        assert low <= shipped(item.id).network.path_count.number <= high


# --- data pipeline -------------------------------------------------------------------------------


def demand(number: str, modality: str) -> None:
    """The guide's reads of 256 GPUs, and twice as much for twice as many."""
    for nodes, times in ((64, 1.0), (128, 2.0)):
        result = planned("guide-70b", cluster__node_count=nodes, jobs__0__ingest__modality=modality)
        ingest = result.main.job.ingest
        assert result.cluster.gpu_count.number == 256 * times
        reaches(
            number, ingest.guide_low_bytes_per_s.number / times, ingest.guide_high_bytes_per_s.number / times
        )
        assert ingest.read_bytes_per_s.number == ingest.guide_high_bytes_per_s.number
        assert row_of(result, number).verdict == "inside"


def g35() -> None:
    """Prefetch over NVMe-oF sees 10 to 40 µs: all of RoCE, and TCP at its best."""
    result = planned()
    rdma, tcp = transport_row(result, "rdma"), transport_row(result, "tcp")
    inside("G35", rdma.latency_low_s.number, rdma.latency_high_s.number, tcp.latency_low_s.number)


def g36() -> None:
    """Four to eight workers; the advice says so outside of them."""
    counts_turn_at("G36", "G36", lambda count: planned(jobs__0__ingest__worker_count=int(count)))
    low, high = ends("G36")
    for count, silent in ((low - 1, False), (low, True), (high, True), (high + 1, False)):
        advice = planned(jobs__0__ingest__worker_count=int(count)).main.advice[0]
        assert advice.startswith(f"num_workers = {count:.0f} ")
        assert ("the guide advises 4 to 8" not in advice) is silent


# --- performance requirements --------------------------------------------------------------------


def write_block(number: str) -> None:
    turns_at(number, "G16", lambda size: planned(jobs__0__checkpoint__block_bytes=size))
    inside(number, float(input_at("jobs.0.checkpoint.block_bytes").default))  # type: ignore[union-attr]


def g38() -> None:
    """Reads of 256 KB to 4 MB: what every template reads."""
    inside("G38", *(job.ingest.block_bytes for item in templates() for job in item.scenario.jobs))


def threshold(number: str, kind: str) -> None:
    """The alarm on the median is the guide's target; on the tail, what an M/D/1 queue adds at 80 % load (Q-05)."""
    watches = [w for w in planned().monitoring if w.group == "Latency" and w.subject.startswith(kind)]
    assert [w.subject.rpartition(" ")[2] for w in watches] == ["p50", "p99", "p99.9"]
    target = ends(number)[1]
    assert watches[0].threshold.number == pytest.approx(target)
    assert watches[1].threshold.number == pytest.approx(target * 11.355887, rel=1e-3)
    assert watches[2].threshold.number > watches[1].threshold.number


def g39() -> None:
    """100 µs for a checkpoint write: the alarm, and the block that no longer fits in it on one port."""
    threshold("G39", "write")
    port_rate = 100 * GBIT_PER_S
    payload_rate = (
        12.253 * GB
    )  # NVMe over RoCEv2 on 100G, at the least in this range of blocks: the wire's table
    largest = ends("G39")[1] * payload_rate
    for block, said in ((largest, False), (largest * 1.01, True)):
        result = planned(cluster__storage_port_bytes_per_s=port_rate, jobs__0__checkpoint__block_bytes=block)
        assert ("TRN-1" in codes(result)) is said


def g41() -> None:
    """10 to 50 GB/s for each client."""
    turns_at(
        "G41",
        "G41",
        lambda rate: planned(cluster__node_count=2, jobs__0__checkpoint__target_s=280e9 / 2 / rate),
    )


def g42() -> None:
    """2 to 10 GB/s read by each client."""
    turns_at(
        "G42",
        "G42",
        lambda rate: planned(
            "guide-256-evidence", jobs__0__ingest__basis="rate", jobs__0__ingest__read_bytes_per_s=64 * rate
        ),
    )


def g43() -> None:
    """100 to 500 GB/s for all clients; outside of it the review says so."""
    turns_at("G43", "G43", lambda rate: planned(jobs__0__checkpoint__target_s=280e9 / rate))
    low, _ = ends("G43")
    assert "GDE-43" not in codes(planned(jobs__0__checkpoint__target_s=280e9 / low))
    note = with_code(planned(jobs__0__checkpoint__target_s=10.0), "GDE-43")[0]
    assert "28 GB/s" in plain(note.message)
    assert "100 to 500 GB/s" in plain(note.message)


def g44() -> None:
    """50 to 200 GB/s read by all clients."""
    turns_at(
        "G44",
        "G44",
        lambda rate: planned(
            "guide-256-evidence", jobs__0__ingest__basis="rate", jobs__0__ingest__read_bytes_per_s=rate
        ),
    )


# --- network -------------------------------------------------------------------------------------


def g45() -> None:
    """Each of 256 nodes writes 1.09 GB."""
    result = planned("guide-256-nodes")
    assert result.main.job.node_count.number == 256
    reaches("G45", *[result.main.job.checkpoint.shard_bytes.number] * 2)


def g46() -> None:
    """And needs 0.875 Gb/s to do so in 10 s, which the guide rounds to 900 Mb/s."""
    need = planned("guide-256-nodes").main.job.checkpoint.node_write_bytes_per_s.number
    inside("G46", need)
    assert need == pytest.approx(ends("G46")[0])


def g47() -> None:
    """200 GB/s are 1.6 Tb/s of fabric."""
    result = planned("guide-70b", jobs__0__checkpoint__target_s=1.4)
    assert result.network.aggregate_bytes_per_s.number == pytest.approx(200e9)
    reaches("G47", result.network.fabric_bits_per_s.number / 8, bandwidth.fabric_bits_per_s(200e9) / 8)
    row = row_of(result, "G47")
    assert (row.verdict, row.design.number) == ("inside", pytest.approx(ends("G47")[0]))


def tier_count(result: Plan) -> int:
    """Tiers of switches: leaves, and spines if there are any."""
    return 1 + (result.network.spine_count.number > 0)


def g48() -> None:
    """One leaf tier up to 64 nodes."""
    for nodes in (1, 32, 63, 64):
        result = planned("guide-70b", cluster__node_count=nodes)
        assert tier_count(result) == ends("G48")[0]
        assert result.network.topology.value == "single-leaf"
        assert "NET-2" not in codes(result)


def g49() -> None:
    """Leaf and spine above; one leaf pair that is stated none the less gets a warning."""
    for nodes in (65, 66, 256):
        assert tier_count(planned("guide-70b", cluster__node_count=nodes)) == ends("G49")[0]
    forced = planned("guide-70b", cluster__node_count=65, network__topology="single-leaf")
    assert [finding.severity for finding in with_code(forced, "NET-2")] == ["warning"]


def g50() -> None:
    """A network of its own above 32 nodes."""
    for nodes, chosen in ((1, "shared"), (32, "shared"), (33, "separate"), (256, "separate")):
        result = planned("guide-70b", cluster__node_count=nodes)
        assert result.network.separate.value == chosen
        assert "NET-1" not in codes(result)
    assert CASES["G50"]["unit"] == "yes"
    assert "NET-1" in codes(planned("guide-70b", cluster__node_count=33, network__separate_network=False))
    assert "NET-1" not in codes(planned("guide-70b", cluster__node_count=32, network__separate_network=False))


def g71() -> None:
    """One 25 Gb/s link is enough for each of 256 nodes."""
    rate = ends("G71")[0]
    result = planned("guide-256-nodes", cluster__storage_port_bytes_per_s=rate, cluster__storage_port_count=1)
    assert result.network.links_needed_count.number == 1
    assert result.main.save.stages["node ports"].number < 10
    assert "BW-2" not in codes(result)


def g72() -> None:
    """Larger shards or faster targets outgrow it, and fit on 100 Gb/s."""
    for changes in (
        {"cluster__node_count": 4},
        {"cluster__node_count": 16, "jobs__0__checkpoint__target_s": 2},
    ):
        links = {
            gbps: planned(
                "guide-256-nodes", cluster__storage_port_bytes_per_s=gbps * GBIT_PER_S, **changes
            ).network.links_needed_count.number
            for gbps in (25, 100)
        }
        assert links[25] > 1
        assert links[100] == 1
    assert ends("G72")[0] == 100 * GBIT_PER_S


def g73() -> None:
    """Nodes and targets are linked by 100 or 400 GbE: both ends of every template's links."""
    for item in templates():
        result = shipped(item.id)
        targets = [tier.platform.front_end_bytes_per_s for tier in result.tiers]
        inside("G73", result.network.option.client_port_bytes_per_s.number)
        inside("G73", *(rate.number for rate in targets if rate is not None))


def g77() -> None:
    """Leaves of targets are non-blocking; anything else is a blocker."""
    for ratio in ends("G77"):
        assert "NET-3" not in codes(planned("guide-70b", network__target_oversubscription_ratio=ratio))
    beyond = planned("guide-70b", network__target_oversubscription_ratio=ends("G77")[1] * 1.01)
    assert [finding.severity for finding in with_code(beyond, "NET-3")] == ["blocker"]


# --- cost ----------------------------------------------------------------------------------------


def price(number: str, tier: str, **changes: Any) -> None:
    """Cost of a tier over its terabytes."""
    row = next(row for row in planned(**changes).cost.tiers if row.tier == tier)
    size = row.usable_bytes.number / TB
    reaches(number, row.low_usd.number / size, row.high_usd.number / size)


HOT, FILES, OBJECTS = "NVMe-oF hot tier", "Parallel file system", "Object store"


def tier_cost(number: str, tier: str, terabytes: float) -> None:
    """Cost of a tier of the guide's example."""
    row = next(row for row in planned().cost.tiers if row.tier == tier)
    assert row.usable_bytes.number == terabytes * TB
    reaches(number, row.low_usd.number, row.high_usd.number)


def g58() -> None:
    """The three tiers together; the guide prints 12,000 to 31,000."""
    cost = planned().cost
    assert cost.price_set.value == "guide"
    reaches("G58", cost.capital_low_usd.number, cost.capital_high_usd.number)
    assert row_of(planned(), "G58").verdict == "inside"


# --- operation, endurance, protection, site ------------------------------------------------------


def g59() -> None:
    """An alarm at 80 % of what is provisioned; a design above it gets a warning."""
    result = planned()
    for tier in result.tiers:
        watch = next(
            w for w in result.monitoring if w.group == "Throughput" and w.subject == f"{tier.name}, reads"
        )
        share = watch.threshold.number / tier.read_bytes_per_s.number
        reaches("G59", share, share)
    limit = ends("G59")[1]
    provided = planned("guide-256-evidence", storage__file_system__unit_count=2)
    files = provided.tier("file-system")
    assert files is not None
    for share, said in ((limit * 0.99, False), (limit * 1.01, True)):
        load = planned(
            "guide-256-evidence",
            storage__file_system__unit_count=2,
            jobs__0__ingest__basis="rate",
            jobs__0__ingest__read_bytes_per_s=share * files.read_bytes_per_s.number,
        )
        assert ("BW-3" in codes(load)) is said


def g60() -> None:
    rate = planned().main.job.checkpoint.saves_per_day.number
    reaches("G60", rate, rate)


def g61() -> None:
    daily = planned().endurance.daily_write_bytes_per_day.number
    reaches("G61", daily, daily)


def g62() -> None:
    yearly = planned().endurance.yearly_write_bytes_per_year.number
    reaches("G62", yearly, yearly)


def g63() -> None:
    """3 TB at 3 DWPD allow 9 TB a day, less than the writes: a blocker that names both."""
    result = planned()
    row = row_of(result, "G63")
    assert (row.verdict, row.design.number) == ("inside", pytest.approx(ends("G63")[0]))
    allowed = result.endurance.allowance_bytes_per_day.number / result.hot.protection_ratio.number
    reaches("G63", allowed, allowed)
    assert allowed < result.endurance.daily_write_bytes_per_day.number
    blocker = with_code(result, "END-1")[0]
    message = plain(f"{blocker.message} {blocker.remedy}")
    assert blocker.severity == "blocker"
    for text in ("13.4 TB/day", "9 TB/day", "3 TB usable at 3 DWPD", "4.48 TB usable", "5.6 TB raw", "5+ TB"):
        assert text in message


def g64() -> None:
    """4.48 TB usable would do: the blocker goes there and not below."""
    result = planned()
    needed = result.endurance.needed_usable_bytes.number
    reaches("G64", needed, needed)
    assert result.endurance.needed_raw_bytes.number == pytest.approx(5.6e12)
    for size, blocked in ((needed * 0.999, True), (needed * 1.001, False)):
        assert ("END-1" in codes(planned(storage__hot__usable_bytes=size))) is blocked


def overhead(number: str, scheme: str) -> None:
    """Raw over usable of a pool that is protected so, and in the table beside it."""
    result = planned("guide-70b", storage__hot__protection_id=scheme)
    ratio = result.hot.raw_bytes.number / result.hot.usable_bytes.number
    reaches(number, ratio, ratio)
    listed = next(r for r in planned("guide-70b").protection.rows if r.scheme.id == scheme)
    reaches(number, *[listed.raw_bytes.number / planned("guide-70b").hot.usable_bytes.number] * 2)


def g68() -> None:
    """10 to 25 W at full write, and a note outside of it."""
    shipped_drive = load_catalogue().drives["m9550max-6400"]
    assert shipped_drive.active_write_w is not None
    most = dataclasses.replace(shipped_drive.active_write_w, value=30.0)
    for end, beyond in zip(ends("G68"), (0.9, 1.1), strict=True):
        for watts, said in ((end, False), (end * beyond, True)):
            drawn = dataclasses.replace(shipped_drive.active_write_w, value=watts)
            drive = dataclasses.replace(shipped_drive, id="other", active_write_w=drawn, max_w=most)
            scenario = changed("guide-70b", {"storage.hot.drive_id": "other"})
            result = plan(scenario, load_catalogue().extended("drives", {"other": drive}))
            assert result.facility.drive_write_w.number == watts
            assert ("GDE-68" in codes(result)) is said
    inside("G68", planned().facility.drive_write_w.number)


def g69() -> None:
    """A node of 24 drives of the guide's time takes 500 to 1,000 W; a Gen5 one more, which is a note."""
    full: dict[str, Any] = {"storage__hot__drive_count": 24, "storage__hot__unit_count": 1}
    older = planned(
        "guide-70b",
        storage__hot__drive_id="m7450max-6400",
        storage__hot__platform_id="nvmet-2u24-gen4",
        network__nic_id="cx6-vpi-200",
        **full,
    )
    inside("G69", older.facility.rows[0].typical_w.number)
    newer = planned("guide-70b", **full)
    assert newer.facility.rows[0].max_w.number > ends("G69")[1]
    assert "GDE-69" in codes(newer)


def g74() -> None:
    """3 DWPD or higher for the checkpoint tier."""
    for drive, rating in (("m9550max-6400", 3.0), ("p5810-1600", 50.0), ("m9550pro-7680", 1.0)):
        result = planned("guide-70b", storage__hot__drive_id=drive)
        assert result.endurance.endurance_dwpd.number == rating
        enough = rating >= ends("G74")[0]
        assert row_of(result, "G74").verdict == ("inside" if enough else "outside")
        assert ("END-2" not in codes(result)) is enough


def g78() -> None:
    """A save over NVMe-oF is 90 to 290 s shorter."""
    nfs = transport_row(planned(), "nfs")
    fast, slow = ends("G04")
    reaches(
        "G78",
        checkpoint.saved_s(nfs.save_low_s.number, fast_s=slow),
        checkpoint.saved_s(nfs.save_high_s.number, fast_s=fast),
    )
    saved = [end.number - planned().main.save.save_s.number for end in (nfs.save_low_s, nfs.save_high_s)]
    inside("G78", *saved)


TESTS: dict[str, Callable[[], None]] = {
    **{name.upper(): test for name, test in globals().items() if re.fullmatch(r"g\d\d", name)},
    "G05": lambda: latency("G05", "rdma"),
    "G06": lambda: port("G06"),
    "G07": lambda: latency("G07", "tcp"),
    "G08": lambda: port("G08", network__transport="tcp"),
    "G09": lambda: latency("G09", "fc"),
    "G14": lambda: counts_turn_at("G14", "G14", lambda count: planned(cluster__local_drive_count=int(count))),
    "G16": lambda: write_block("G16"),
    "G17": lambda: by_table("G17", "7b", "size_bytes"),
    "G18": lambda: by_table("G18", "7b", "retained_bytes"),
    "G19": lambda: recommended("G19", "7b"),
    "G20": lambda: by_table("G20", "70b", "size_bytes"),
    "G21": lambda: by_table("G21", "70b", "retained_bytes"),
    "G22": lambda: recommended("G22", "70b"),
    "G23": lambda: by_table("G23", "175b", "size_bytes"),
    "G24": lambda: by_table("G24", "175b", "retained_bytes"),
    "G25": lambda: recommended("G25", "175b"),
    "G26": lambda: by_table("G26", "405b", "size_bytes"),
    "G27": lambda: by_table("G27", "405b", "retained_bytes"),
    "G28": lambda: recommended("G28", "405b"),
    "G31": lambda: paths("G31"),
    "G32": lambda: demand("G32", "text"),
    "G33": lambda: demand("G33", "vision"),
    "G34": lambda: demand("G34", "multimodal"),
    "G37": lambda: write_block("G37"),
    "G40": lambda: threshold("G40", "read"),
    "G51": lambda: price("G51", HOT),
    "G52": lambda: price("G52", FILES, storage__file_system_media="nvme"),
    "G53": lambda: price("G53", FILES, storage__file_system_media="ssd"),
    "G54": lambda: price("G54", OBJECTS),
    "G55": lambda: tier_cost("G55", HOT, 3),
    "G56": lambda: tier_cost("G56", FILES, 50),
    "G57": lambda: tier_cost("G57", OBJECTS, 200),
    "G65": lambda: overhead("G65", "8+2"),
    "G66": lambda: overhead("G66", "12+3"),
    "G67": lambda: overhead("G67", "2-way"),
    "G76": lambda: paths("G76"),
}
"""The figures that have a function of their own, and those of which several share one."""


@pytest.mark.parametrize("number", list(CASES))
def test_figure_of_the_guide(number: str) -> None:
    TESTS[number]()


def test_all_78_figures_have_a_test_and_no_test_is_left_over() -> None:
    assert len(CASES) == 78
    assert set(TESTS) == set(CASES)
