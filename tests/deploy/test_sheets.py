"""Sheets that no tool here can check: their text is fixed, with the syntax of the reference."""

from __future__ import annotations

import json
import re
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml

from planner.deploy import schedules
from planner.deploy.access import job_slugs
from planner.deploy.addressing import Addressing
from planner.deploy.bundle import contents
from tests.deploy.conftest import changed

GOLDEN = Path(__file__).parent / "golden"
FIXED = {
    "arista-eos.md": "switches/arista-eos.md",
    "cisco-nxos.md": "switches/cisco-nxos.md",
    "storage-values.md": "storage/values.md",
    "minio-lifecycle.json": "storage/minio-lifecycle.json",
    "71-nvme-storage.rules": "hosts/common/udev/rules.d/71-nvme-storage.rules",
    "storage-qos.sh": "hosts/common/sbin/storage-qos",
    "20-st0.network": "hosts/gpu-01/systemd/network/20-st0.network",
    "10-st0.link": "hosts/common/systemd/network/10-st0.link",
    "nvme-fabrics.conf": "hosts/gpu-01/nvme/nvme-fabrics.conf",
    "leaf-01.json": "switches/sonic/leaf-01.json",
}


@pytest.mark.parametrize(("golden", "path"), FIXED.items())
def test_the_text_is_the_fixed_one(golden, path, roce_lab):
    assert roce_lab.files[path] == (GOLDEN / golden).read_text(encoding="utf-8")


@pytest.mark.parametrize(("mtu", "told"), [(9000, False), (9214, False), (9216, True)])
def test_a_host_mtu_beyond_the_switch_is_said_on_its_sheet(mtu, told):
    files = contents(changed("lab-8-nodes", network__mtu_bytes=mtu), Addressing()).files
    assert ("an MTU of 9216, and EOS carries 9214 at most" in files["switches/arista-eos.md"]) is told
    assert "at most:**" not in files["switches/cisco-nxos.md"]


SYNTAX = {
    "switches/arista-eos.md": [
        r"qos map dscp 26 to traffic-class 3",
        r"qos map traffic-class 3 to tx-queue 3",
        r"   priority-flow-control on",
        r"   priority-flow-control priority 3 no-drop",
        r"   uc-tx-queue 3",
        r"      bandwidth percent \d+",
        r"      random-detect ecn minimum-threshold \d+ kbytes maximum-threshold \d+ kbytes max-mark-probability \d+",
        r"      priority strict",
        r"   qos trust dscp",
        r"   mtu 9214",
    ],
    "switches/cisco-nxos.md": [
        r"  match dscp 26",
        r"    set qos-group 3",
        r"  class type queuing c-out-8q-q3",
        r"    bandwidth remaining percent \d+",
        r"    random-detect minimum-threshold \d+ kbytes maximum-threshold \d+ kbytes drop-probability \d+ weight 0 ecn",
        r"    priority level 1",
        r"  class type network-qos c-8q-nq3",
        r"    pause pfc-cos 3",
        r"  priority-flow-control mode on",
        r"  priority-flow-control watch-dog-interval on",
    ],
    "storage/values.md": [
        r"zpool create -o ashift=12 ckpt raidz2( d\d+){10}",
        r"zfs create -o recordsize=1M -o logbias=throughput -o atime=off \S+",
        r"lfs setstripe -c -1 -S 4M \S+",
        r"%nsd:",
        r"mmcrfs training -F stanza -B 16M -m 2 -M 3 -r 2 -R 3 -T \S+ -A yes",
        r'mc ilm rule add --prefix "[a-z0-9-]+/" --expire-days \d+ ALIAS/checkpoints',
    ],
}


@pytest.mark.parametrize(("path", "line"), [(path, line) for path, lines in SYNTAX.items() for line in lines])
def test_commands_have_the_syntax_of_the_reference(path, line, roce_lab):
    assert any(re.fullmatch(line, text) for text in roce_lab.files[path].splitlines())


def test_headroom_and_thresholds_of_the_sheet_are_those_of_the_database(roce_lab):
    tables = json.loads(roce_lab.files["switches/sonic/leaf-01.json"])
    sheet = roce_lab.files["switches/arista-eos.md"]
    for name, profile in tables["BUFFER_PROFILE"].items():
        match = re.fullmatch(r"pg_lossless_(\d+)000_(\d+)m_profile", name)
        if match:
            assert f"| {match[1]} Gb/s, {match[2]} m | headroom {profile['xoff']} bytes" in sheet


def test_fibre_channel_gets_zones_and_no_addresses(fc_lab):
    made = fc_lab
    assert not [path for path in made.files if path.startswith(("hosts/", "targets/"))]
    assert "addresses.csv" not in made.files
    sheet = made.files["switches/zoning.md"]
    table = made.files["README.md"].split("## Files")[1].split("## Order")[0]
    named = re.findall(r"^\| `([^`]+)` \|", table, flags=re.MULTILINE)
    assert "cables.csv" in named
    assert all(any(path.startswith(name) for path in made.files) for name in named)
    rows = [line for line in sheet.splitlines() if line.startswith("| gpu_")]
    assert len(rows) == made.site.plan.network.node_port_count.number
    for row in rows:
        zone, initiator, targets = (cell.strip() for cell in row.strip("|").split("|"))
        side = zone.rpartition("_")[2]
        assert re.fullmatch(r"@WWPN_GPU_\d+_\d+@", initiator)
        assert len(targets.split(", ")) == sum(len(target.on(side)) for target in made.site.targets)
    assert "`@WWPN_name_n@`" in made.files["README.md"]


def test_paths_of_fibre_channel_are_the_pairs_that_are_zoned():
    plan = changed("guide-256-evidence", network__transport="fc", network__fc_switch_id="g720")
    made = contents(plan, Addressing())
    # 64 nodes with a port on each side, and half of the targets' ports there.
    targets = int(plan.network.target_port_count.number)
    readme, sheet = made.files["README.md"], made.files["switches/zoning.md"]
    assert "| Zones | 128 |" in readme
    assert f"| Paths of all nodes, by zoning | {128 * targets // 2} |" in readme
    assert "Paths come about by zoning" in readme
    assert f"128 zones with {128 * targets // 2} pairs" in sheet
    assert (plan.san.zone_count.number, plan.san.pair_count.number) == (128, 128 * targets / 2)
    assert "single-target" not in plan.san.pair_count.formula.source


def test_mounted_checkpoints_have_no_count_of_paths():
    made = contents(changed("lab-8-nodes", storage__access="array-front-end"), Addressing())
    assert "Paths of all nodes" not in made.files["README.md"]


# --- the training side --------------------------------------------------------------------------------------

DATALOADER = {
    *("batch_size", "num_workers", "pin_memory", "prefetch_factor", "persistent_workers", "drop_last"),
}
WEBDATASET = {"urls", "resampled", "shardshuffle", "cache_dir", "cache_size"}
STREAMING = {
    *("remote", "local", "batch_size", "cache_limit", "predownload", "num_canonical_nodes"),
    *("shuffle", "shuffle_algo", "shuffle_block_size"),
}
DLIO = {
    "model": {"name", "model_size_bytes"},
    "workflow": {"generate_data", "train", "checkpoint"},
    "dataset": {"data_folder", "format", "num_files_train", "num_samples_per_file", "record_length_bytes"},
    "reader": {
        *("data_loader", "batch_size", "read_threads", "prefetch_size", "file_shuffle", "sample_shuffle"),
    },
    "train": {"epochs", "computation_time", "total_training_steps"},
    "checkpoint": {"checkpoint_folder", "steps_between_checkpoints", "fsync"},
}
"""Keys that the libraries and DLIO read."""


@pytest.mark.parametrize("case", ["lab", "vision"])
def test_loader_settings_are_python_with_known_names(case, request):
    made = request.getfixturevalue(case)
    for path, text in made.files.items():
        if path.endswith("loaders.py"):
            names: dict[str, object] = {}
            exec(compile(text, path, "exec"), names)
            stream = made.site.plan.main.job.stream
            assert set(names["DATALOADER"]) <= DATALOADER
            assert names["DATALOADER"]["num_workers"] == stream.worker_count
            assert set(names["WEBDATASET"]) <= WEBDATASET
            assert names["WEBDATASET_SPLITTERS"]["nodesplitter"] == "split_by_node"
            assert set(names["STREAMING"]) <= STREAMING
            assert names["STREAMING"]["num_canonical_nodes"] == len(made.site.nodes)


def test_no_workers_means_no_prefetch():
    made = contents(changed("lab-8-nodes", jobs=[{"ingest": {"worker_count": 0}}]), Addressing())
    names: dict[str, object] = {}
    exec(made.files["training/training/loaders.py"], names)
    assert "prefetch_factor" not in names["DATALOADER"]


@pytest.mark.parametrize("case", ["lab", "vision"])
def test_the_benchmark_reads_at_the_rate_of_the_design(case, request):
    made = request.getfixturevalue(case)
    for path, text in made.files.items():
        if path.endswith("dlio-workload.yaml"):
            workload = yaml.safe_load(text)
            assert workload.pop("framework") == "pytorch"
            assert {name: set(part) for name, part in workload.items()} == DLIO
            job = made.site.plan.main.job
            rate = (
                workload["reader"]["batch_size"]
                * workload["dataset"]["record_length_bytes"]
                / workload["train"]["computation_time"]
            )
            assert rate == pytest.approx(job.ingest.gpu_read_bytes_per_s.number, rel=1e-3)
            steps = workload["train"]["total_training_steps"]
            assert 1 <= workload["checkpoint"]["steps_between_checkpoints"] <= steps


def test_one_of_a_thing_is_told_as_one():
    made = contents(
        changed("lab-8-nodes", cluster__node_count=1, cluster__gpus_per_node_count=1), Addressing()
    )
    assert "a plan for 1 GPU node with" in made.files["README.md"]
    (loaders,) = (text for path, text in made.files.items() if path.endswith("loaders.py"))
    assert ": 1 node of 1 GPU, " in loaders.splitlines()[0]


@pytest.mark.parametrize(
    ("names", "slugs"),
    [
        (("a", "a"), ("a", "a-2")),
        (("a-3", "a", "a"), ("a-3", "a", "a-4")),
        (("", "Ü", "job-2"), ("job", "u", "job-2")),
        (("x" * 30, "x" * 30), ("x" * 20, "x" * 16 + "-2")),
    ],
)
def test_every_job_has_a_name_of_its_own_in_files(names, slugs):
    jobs = [SimpleNamespace(job=SimpleNamespace(name=name)) for name in names]
    assert job_slugs(SimpleNamespace(jobs=jobs)) == slugs


def test_a_catalogue_row_is_no_formula_in_a_schedule():
    assert schedules.table(("type", "length_m"), [("=1+1", 5)]) == "type,length_m\n'=1+1,5\n"
