"""What follows from the measurements: odd nodes, saves, paths, wear with its dates, alarms, and what to take over."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from planner.__main__ import main
from planner.core.errors import PlannerError
from planner.documents import Stamp, as_built_page
from planner.plan import Plan
from planner.review.as_built import AsBuilt
from planner.review.as_built_words import headline, node_words, path_text, replaced_by, replaced_text
from planner.scenario_json import scenario_to_json
from planner.telemetry.as_built import as_built
from planner.telemetry.kept import gathered
from planner.telemetry.reading import Reading, read_measurements
from tests.pdf_text import words_in
from tests.plan.changes import EVIDENCE, changed, planned
from tests.telemetry.delivered import (
    DARK,
    ODD,
    SLOW,
    SLOW_FRACTION,
    WORN,
    fio,
    fio_output,
    folder,
    subsystems,
)
from tests.telemetry.shapes import ENDURANCE_LOG

SAMPLES = Path(__file__).parent / "samples"
DAY = date(2026, 11, 30)
PLAN = planned(EVIDENCE, {})
CHECKPOINT = PLAN.main.job.checkpoint


def built(files: dict[str, bytes], plan: Plan = PLAN) -> AsBuilt:
    """What files say of a plan; those of no tool are left out."""
    readings: dict[str, Reading] = {}
    for name, content in files.items():
        try:
            readings[name] = read_measurements(content, name=name)
        except PlannerError:
            continue
    return as_built(plan, readings, measured_on=DAY)


def smart(**changes: object) -> bytes:
    """A real health log of nvme-cli 2.3 with some of its fields changed."""
    log = json.loads((SAMPLES / "nvme_v2.3_smart-log.json").read_text(encoding="utf-8"))
    return json.dumps({**log, **changes}).encode()


# --- twelve nodes -----------------------------------------------------------------------------------


def test_each_odd_node_is_named_for_its_own_reason_and_what_it_does_to_a_save() -> None:
    found = built(folder(PLAN))
    assert [(node.node, ODD[node.node] in node.outcome.promise.what) for node in found.short] == [
        (SLOW, True), (DARK, True), (WORN, True),
    ]  # fmt: skip
    slow, dark, worn = found.short
    assert slow.missing.number == pytest.approx(1 - SLOW_FRACTION, abs=1e-3)
    assert dark.missing.number == 0.5
    assert not worn.missing.known
    shard, needed = CHECKPOINT.shard_bytes.number, CHECKPOINT.node_write_bytes_per_s.number
    (effect,) = found.saves
    assert effect.node == SLOW
    assert effect.measured_s.number == pytest.approx(shard / (needed * SLOW_FRACTION), rel=1e-3)
    assert slow.save_s is not None
    assert slow.save_s.number == effect.measured_s.number
    assert len(found.nodes) == 12


def page_of(found: AsBuilt) -> bytes:
    """The page for the report."""
    stamp = Stamp(
        title="x",
        revision="1",
        author="",
        created=datetime(2026, 11, 30, tzinfo=UTC),
        hash_text="0",
        draft=True,
    )
    return as_built_page(PLAN, found, stamp)


SMALL = (
    (SAMPLES / "fio_2.21_randread.json")
    .read_bytes()
    .replace(b'"read" : {', b'"x" : {')
    .replace(b'"write" : {', b'"read" : {')
    .replace(b'"x" : {', b'"write" : {')
)
"""Real output of fio with small requests, its reads told as writes."""


# --- measured again ---------------------------------------------------------------------------------


def in_turns(*sets: dict[str, bytes]) -> AsBuilt:
    """What sets of files say of the plan, kept one after the other."""
    together = gathered(
        [
            (DAY, {name: read_measurements(content, name=name) for name, content in found.items()})
            for found in sets
        ]
    )
    return as_built(PLAN, together.readings, measured_on=DAY, turns=together.turns)


def test_a_node_that_was_repaired_and_measured_again_falls_short_no_longer() -> None:
    needed = CHECKPOINT.node_write_bytes_per_s.number
    first = {f"{node}/fio.json": fio(needed * 1.1) for node in ("a", "b", "c", "d")}
    first["b/fio.json"] = fio(needed * 0.5)
    assert [node.node for node in in_turns(first).short] == ["b"]
    again = in_turns(first, {"b/fio.json": fio(needed * 1.1)})
    assert again.short == ()
    assert headline(again).startswith("Everything measured on 4 nodes reaches the design")
    (before,) = again.replaced
    assert (before.node, before.ratio) == ("b", pytest.approx(0.5, abs=1e-3))
    assert replaced_by(before, again).ratio == pytest.approx(1.1, abs=1e-3)
    assert (
        replaced_text(again) == "1 measurement of 1 node counts no longer: the same was measured again later."
    )
    words = words_in(page_of(again))
    assert "Measured again" in words
    assert "b/fio.json" in words


def test_another_quantity_or_another_node_takes_no_place_and_small_requests_prove_nothing() -> None:
    needed = CHECKPOINT.node_write_bytes_per_s.number
    slow = {"b/fio.json": fio(needed * 0.5)}
    for later in (
        {"b/r.json": fio(needed, way="read")},
        {"c/fio.json": fio(needed * 1.1)},
        {"b/s.json": SMALL},
    ):
        assert [node.node for node in in_turns(slow, later).short] == ["b"]
        assert in_turns(slow, later).replaced == ()


def test_two_runs_of_one_set_stand_beside_each_other() -> None:
    needed = CHECKPOINT.node_write_bytes_per_s.number
    found = in_turns({"b/fio.json": fio(needed * 0.5), "b/fio2.json": fio(needed * 1.1)})
    assert [node.node for node in found.short] == ["b"]
    assert found.replaced == ()


def test_paths_and_alarms_are_those_that_were_read_last() -> None:
    lost = {"a/list-subsys.json": subsystems(1), "a/nvme0.json": smart(temperature=370)}
    mended = {"a/list-subsys.json": subsystems(2), "a/nvme0.json": smart(temperature=310)}
    for first, second, usable, hot in ((lost, mended, 2, "within"), (mended, lost, 1, "alarm")):
        found = in_turns(first, second)
        assert [state.usable.number for state in found.paths] == [usable]
        assert next(w.state for w in found.watches if w.subject == "composite temperature") == hot


@pytest.fixture(scope="module")
def dropped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder on disk, with the scenario beside it."""
    top = tmp_path_factory.mktemp("dropped")
    for name, content in folder(PLAN).items():
        path = top / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    (top / "scenario.json").write_text(scenario_to_json(changed(EVIDENCE, {})), encoding="utf-8")
    return top


def verified(dropped: Path, *options: str) -> int:
    """Exit status of `verify` on the folder."""
    return main(["verify", str(dropped / "scenario.json"), str(dropped / "delivery"), *options])


def test_the_command_takes_the_folder_and_writes_the_page_the_same_twice(
    dropped: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pages = [tmp_path / "a.pdf", tmp_path / "b.pdf"]
    assert [verified(dropped, "-o", str(page), "--measured-on", "2026-11-30") for page in pages] == [1, 1]
    told, errors = capsys.readouterr()
    lines = told.replace("\u00a0", " ").splitlines()
    first, *rest = lines[: len(lines) // 2]
    assert first == "3 of 12 nodes fall short of the design; 8 promises not measured yet."
    assert [line.split()[1].rstrip(":") for line in rest if line.startswith("short ")] == list(ODD)
    assert "notes.txt: not the output of a known tool" in errors
    words = words_in(pages[0])
    assert "As built" in words
    assert all(node in words for node in ODD)
    assert pages[0].read_bytes() == pages[1].read_bytes()


@pytest.mark.parametrize("day", ["yesterday", "2026-13-01", ""])
def test_a_day_that_is_none_is_refused(dropped: Path, day: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert verified(dropped, "--measured-on", day) == 2
    assert "--measured-on: " in capsys.readouterr().err


def test_a_folder_measures_as_its_files_do(dropped: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["measure", str(dropped / "delivery"), "--json"]) == 2  # the notes are of no tool
    told = json.loads(capsys.readouterr().out)
    assert len(told["files"]) == 62
    assert all(record["unit"] for record in told["records"])


# --- who measured what ------------------------------------------------------------------------------


def ids(found: AsBuilt) -> set[str]:
    return {outcome.promise.id for outcome in found.outcomes}


def client(rates: dict[str, float]) -> bytes:
    """fio as client of several servers, in the shape of the real sample."""
    document = json.loads((SAMPLES / "fio_3.33_client_server.json").read_text(encoding="utf-8"))
    first = next(job for job in document["client_stats"] if job["jobname"] != "All clients")
    jobs = []
    for host, rate in rates.items():
        job = json.loads(json.dumps(first))
        job["hostname"] = host
        job["write"] |= {"bw_bytes": int(rate), "bw": int(rate) // 1024, "iops": rate / 2**20}
        jobs.append(job)
    document["client_stats"] = jobs
    return json.dumps(document).encode()


def test_servers_of_one_client_are_nodes_and_their_sum_is_the_array() -> None:
    needed = CHECKPOINT.node_write_bytes_per_s.number
    found = built({"all.json": client({"a": needed * 2, "b": needed * 0.5, "c": needed * 2})})
    nodes = {o.node: o.ratio for o in found.outcomes if o.promise.id == "node-write"}
    assert nodes == pytest.approx({"a": 2.0, "b": 0.5, "c": 2.0}, rel=1e-4)
    (array,) = [o for o in found.outcomes if o.promise.id == "array-save"]
    assert array.subject == "3 nodes of all"
    assert array.measured.number == pytest.approx(needed * 4.5, rel=1e-6)
    assert array.node == ""


def test_ior_on_many_nodes_is_no_single_node() -> None:
    document = json.loads((SAMPLES / "ior_4.1_summary.json").read_text(encoding="utf-8"))
    alone = built({"n1.json": json.dumps(document).encode()})
    assert {"node-write", "node-read"} <= ids(alone)
    assert "array-save" not in ids(alone)
    document["tests"][0]["Parameters"]["nodes"] = 64
    together = built({"n1.json": json.dumps(document).encode()})
    assert {"node-write", "node-read"}.isdisjoint(ids(together))
    assert {"array-save", "array-load"} <= ids(together)


def test_training_reads_are_no_checkpoint_that_is_read_back() -> None:
    found = built({"summary.json": (SAMPLES / "mlperf1.0_unet3d_summary.json").read_bytes()})
    assert ids(found) == {"array-training"}


def test_latency_counts_for_small_requests_alone() -> None:
    small = json.loads(
        (SAMPLES / "fio_3.33_note_before_json.txt")
        .read_text(encoding="utf-8")
        .partition("{")[2]
        .join(("{", ""))
    )
    found = built({"n1.json": json.dumps(small).encode()})
    reading = read_measurements(json.dumps(small).encode())
    by = {o.promise.id: o.measured.number for o in found.outcomes}
    median = next(r.value for r in reading.records if r.quantity == "read_latency_p50")
    assert by["latency-read-p50"] == median
    large = built({"n1.json": (SAMPLES / "fio_3.33_numjobs4_group.json").read_bytes()})
    assert not any(promise.startswith("latency") for promise in ids(large))
    (watch,) = [w for w in large.watches if w.subject == "read latency p50"]
    assert watch.today is None
    assert "larger requests" in watch.note


def test_a_job_of_its_own_is_held_against_its_own_promise() -> None:
    two = planned("two-jobs", {})
    other = next(n for n, result in enumerate(two.jobs) if result is not two.main)
    needed = two.jobs[other].job.checkpoint.node_write_bytes_per_s.number
    found = built({"n1/vision-2b-checkpoint.json": fio_output(needed * 0.5)}, two)
    (outcome,) = [o for o in found.outcomes if o.promise.id.startswith("node-write")]
    assert outcome.promise.id == f"node-write-{other + 1}"
    assert outcome.ratio == pytest.approx(0.5, rel=1e-4)
    assert [effect.job for effect in found.saves] == [two.jobs[other].job.name]


# --- paths ------------------------------------------------------------------------------------------


def test_a_lost_path_says_what_it_costs_and_a_drive_of_the_node_is_no_path() -> None:
    found = built({"n1/list.json": subsystems(1), "n2/list.json": subsystems(2)})
    assert [(s.node, s.usable.number, s.lost_count) for s in found.paths] == [("n1", 1, 1), ("n2", 2, 0)]
    first, second = found.paths
    assert first.save_s is not None
    rate = PLAN.network.node_bytes_per_s.number / 2
    wanted = max(PLAN.main.save.save_s.number, CHECKPOINT.shard_bytes.number / rate)
    assert first.save_s.number == pytest.approx(wanted)
    assert second.save_s is None
    assert found.one_path_lost_s is not None
    assert not any("own-drive" in outcome.subject for outcome in found.outcomes)


@pytest.mark.parametrize(
    ("live", "listed", "told"),
    [
        (1, 1, "1 of 2 designed paths usable, 1 path no longer listed"),
        (1, 2, "1 of 2 designed paths usable;"),
        (0, 2, "0 of 2 designed paths usable; no data at all"),
    ],
)
def test_a_path_that_has_vanished_is_missed_against_the_design(live: int, listed: int, told: str) -> None:
    hosts = json.loads(subsystems(listed))
    for number, path in enumerate(hosts[0]["Subsystems"][0]["Paths"]):
        path["State"] = "live" if number < live else "connecting"
    (state,) = built({"n1/list.json": json.dumps(hosts).encode()}).paths
    assert (state.live.number, state.listed.number) == (live, listed)
    assert told in path_text(state).replace("\u00a0", " ")


# --- wear -------------------------------------------------------------------------------------------


def test_life_left_has_its_uncertainty_and_its_dates() -> None:
    """Of 30 % in 24,424 h whole percents leave 29.5 to 30.5 % open."""
    found = built({"n1/nvme0.json": (SAMPLES / "nvme_v2.11_smart-log.json").read_bytes()})
    (drive,) = found.wear
    hours = 24_424
    low, middle, high = (hours * (1 - used) / used for used in (0.305, 0.30, 0.295))
    assert [
        q.number / 3600 for q in (drive.life_left_low_s, drive.life_left_s, drive.life_left_high_s)
    ] == pytest.approx([low, middle, high])
    assert drive.replace_from == DAY + timedelta(days=int(low / 24))
    assert drive.replace_by == DAY + timedelta(days=int(middle / 24))
    assert drive.write_bytes_per_day.number == pytest.approx(987.486e12 / (hours / 24), rel=1e-3)


def test_a_drive_that_was_read_on_another_day_is_due_after_that_day() -> None:
    readings = {
        n: read_measurements(SAMPLES / "nvme_v2.11_smart-log.json") for n in ("a/nvme0.json", "b/nvme0.json")
    }
    found = as_built(PLAN, readings, measured_on=DAY, days={"a/nvme0.json": DAY - timedelta(days=300)})
    due = {drive.node: drive.replace_by for drive in found.wear}
    assert due["a"] is not None
    assert due["b"] is not None
    assert (due["b"] - due["a"]).days == 300


def test_writes_to_flash_come_from_the_endurance_log_of_the_same_drive() -> None:
    files = {
        "n1/nvme0-smart-log.json": smart(),
        "n1/nvme0-endurance-log.json": json.dumps(ENDURANCE_LOG).encode(),
    }
    (drive,) = built(files).wear
    assert drive.waf_ratio.number == pytest.approx(5040 / 4200)
    assert drive.waf_over_design_ratio.number == pytest.approx(
        5040 / 4200 / PLAN.scenario.storage.actual_waf_ratio
    )
    assert drive.waf_origin == "writes to flash, counted by the drive"
    assert drive.used_fraction.number == 0.02  # the health log's, not the group's


def test_little_wear_says_nothing_of_the_amplification() -> None:
    (drive,) = built({"n1/nvme0.json": smart()}).wear
    assert not drive.waf_ratio.known
    assert drive.waf_origin.startswith("less than 5 %")


def test_amplification_by_wear_against_a_calculation_by_hand() -> None:
    """Of a 6.4 TB drive at 3 DWPD for 5 years 35.04 PB may be written; at an amplification of 2.3 inside the rating."""
    written_pb = 4
    log = smart(percent_used=12, data_units_written=int(written_pb * 1e15 / 512_000))
    (drive,) = built({"n1/nvme0.json": log}).wear
    assert drive.waf_ratio.number == pytest.approx(0.12 / (written_pb / 35.04) * 2.3, rel=1e-6)
    assert "states no capacity" in drive.waf_origin


def test_the_odd_drive_of_a_group_is_named() -> None:
    files = {f"n{n}/nvme0.json": smart(percent_used=40 if n == 4 else 8) for n in range(8)}
    odd = {drive.node: drive.odd for drive in built(files).wear if drive.odd}
    assert odd == {"n4": "wears 5× as fast as the median of its group"}


def test_a_drive_of_another_size_is_no_drive_of_the_design() -> None:
    files = {"n1/smartctl.json": (SAMPLES / "smartctl_7.4_nvme.json").read_bytes()}
    (drive,) = built(files).wear
    assert drive.group == "other drives"
    assert not drive.designed_write_bytes_per_day.known


def test_a_used_drive_fails_when_the_design_does_not_explain_it() -> None:
    files = {
        "n1/nvme0.json": smart(percent_used=5, power_on_hours=10),
        "n2/nvme0.json": smart(percent_used=1),
    }
    results = {o.node: o.result for o in built(files).outcomes if o.promise.id == "drive-used"}
    assert results == {"n1": "fail", "n2": "pass"}


# --- alarms, and what to take over ------------------------------------------------------------------


def test_alarms_stand_beside_the_worst_of_today() -> None:
    states = {watch.subject: watch for watch in built(folder(PLAN)).watches}
    spare = states["available spare"]
    assert spare.today is not None
    assert (spare.today.number, spare.state, spare.where) == (0.08, "alarm", f"nvme0 · {WORN}")
    assert states["media errors"].state == "alarm"
    assert states["composite temperature"].state == "within"
    live = states["live paths of each node"]
    assert live.state == "alarm"
    assert live.where.startswith(DARK)
    yearly = states["endurance used per year"]
    assert yearly.today is not None
    assert yearly.today.number == pytest.approx(1.04 / 17_520 * 8_760)
    assert states["paths to the pool, all nodes"].note == "paths of 12 nodes of 64 were listed"
    assert len(states) == len(PLAN.monitoring)


def test_every_path_of_every_node_is_counted_once_all_are_listed() -> None:
    lab = planned("lab-8-nodes", {})
    files = {f"n{n}/list.json": subsystems(2) for n in range(8)}
    (watch,) = [w for w in built(files, lab).watches if w.subject == "paths to the pool, all nodes"]
    assert watch.today is not None
    assert (watch.today.number, watch.state) == (16, "within")


def test_nothing_measured_says_so() -> None:
    found = built({})
    assert (found.outcomes, found.short, found.saves, found.paths, found.wear, found.feedback) == ((),) * 6
    assert {watch.state for watch in found.watches} == {"open"}


def test_what_drives_amplify_can_be_taken_over() -> None:
    log: dict[str, Any] = {**ENDURANCE_LOG, "media_units_written": 8_400_000}
    files = {}
    for number in range(3):
        files[f"n{number}/nvme0-smart-log.json"] = smart()
        files[f"n{number}/nvme0-endurance-log.json"] = json.dumps(log).encode()
    (item,) = built(files).feedback
    assert (item.path, item.value.number) == ("storage.actual_waf_ratio", 2.0)
    assert item.origin == "3 drives, writes to flash, counted by the drive"


def test_a_node_behind_its_peers_is_named_though_it_passes() -> None:
    needed = CHECKPOINT.node_write_bytes_per_s.number
    found = built({f"n{n}.json": fio(needed * (1.1 if n == 2 else 2.0)) for n in range(6)})
    (node,) = found.short
    assert (node.node, node.count) == ("n2", 0)
    assert node.behind.number == pytest.approx(0.45, abs=1e-3)
    assert found.failed == ()


@pytest.mark.parametrize(("name", "words"), [("2.3", "Node 2.3"), ("node03", "node03"), ("", "")])
def test_a_machine_that_is_called_by_a_number_alone_is_said_to_be_one(name: str, words: str) -> None:
    assert node_words(name) == words
