"""Acceptance tests: fio reads the job files, and runs them on a file."""

from __future__ import annotations

import csv
import io
import json

import pytest

from planner.deploy.acceptance import expected
from tests.deploy.tools import lay_out, run


@pytest.fixture
def jobs(lab, tmp_path):
    return lay_out(lab.files, tmp_path, "acceptance/")


def fio(*arguments, cwd, size="4194304"):
    return run("fio", *arguments, cwd=cwd, DIRECTORY=str(cwd), SIZE=size)


@pytest.mark.parametrize("test", ["fine-tuning-8b/checkpoint", "fine-tuning-8b/dataset", "latency"])
def test_fio_parses_every_job(test, jobs):
    parsed = fio("--parse-only", f"{test}.fio", cwd=jobs)
    assert parsed.returncode == 0, parsed.stderr


@pytest.mark.parametrize(("old", "new"), [("rw=", "rww="), ("bs=", "bs=x"), ("iodepth=", "iodepth=deep")])
def test_a_broken_job_is_refused(old, new, jobs):
    path = jobs / "fine-tuning-8b/checkpoint.fio"
    path.write_text(path.read_text().replace(f"\n{old}", f"\n{new}", 1))
    assert fio("--parse-only", path, cwd=jobs).returncode == 1


@pytest.mark.parametrize(("test", "wanted"), [("checkpoint", "write"), ("dataset", "read")])
def test_fio_runs_the_job_on_a_file(test, wanted, jobs, lab):
    (figure,) = (f for f in expected(lab.site) if f.test == test)
    size = str(max(figure.block_bytes, 1 << 20))
    ran = fio("--output-format=json", f"fine-tuning-8b/{test}.fio", cwd=jobs, size=size)
    assert ran.returncode == 0, ran.stderr
    (job,) = json.loads(ran.stdout)["jobs"]
    assert job["error"] == 0
    assert (
        job[wanted]["io_bytes"]
        == figure.process_count * (int(size) // figure.block_bytes) * figure.block_bytes
    )
    assert list(jobs.glob("checkpoint.*")) == []


def test_latency_is_measured_of_one_small_request_at_a_time(jobs):
    path = jobs / "latency.fio"
    path.write_text(path.read_text().replace("runtime=30", "runtime=200ms"))
    ran = fio("--output-format=json", "latency.fio", cwd=jobs)
    assert ran.returncode == 0, ran.stderr
    written, read = json.loads(ran.stdout)["jobs"]
    assert (written["error"], read["error"]) == (0, 0)
    for job, way in ((written, "write"), (read, "read")):
        side = job[way]
        assert side["io_bytes"] == side["total_ios"] * 4096
        # one request at a time: their latencies together are no longer than the run
        assert side["lat_ns"]["mean"] * side["total_ios"] <= side["runtime"] * 1e6 * 1.05
        assert {"50.000000", "99.000000", "99.900000"} <= set(side["clat_ns"]["percentile"])
    assert written["groupid"] != read["groupid"]
    assert list(jobs.glob("latency-*")) == []


def test_the_latency_to_reach_is_the_guides(vision):
    rows = {
        (row["test"], row["percentile"]): float(row["at_most_us"])
        for row in csv.DictReader(io.StringIO(vision.files["acceptance/expected-latency.csv"]))
    }
    assert len(rows) == 6
    # the guide, "Monitoring and Alerting": 100 us for writes, 200 us for reads
    assert (rows["latency-write", "p50"], rows["latency-read", "p50"]) == (100.0, 200.0)
    assert rows["latency-write", "p99"] < rows["latency-write", "p99.9"]
    assert "latency.fio" in vision.files["acceptance/run.sh"]


def test_sizes_and_figures_are_the_plans(vision):
    job = vision.site.plan.main.job
    rows = list(csv.DictReader(io.StringIO(vision.files["acceptance/expected.csv"])))
    burst = next(row for row in rows if row["test"] == "checkpoint")
    assert float(burst["needed_gb_per_s"]) == pytest.approx(
        job.checkpoint.node_write_bytes_per_s.number / 1e9, rel=1e-3
    )
    figures = {figure.test: figure for figure in expected(vision.site)}
    written = figures["checkpoint"].process_bytes * figures["checkpoint"].process_count
    shard = job.checkpoint.shard_bytes.number
    assert shard <= written < shard + figures["checkpoint"].process_count * figures["checkpoint"].block_bytes
    assert figures["checkpoint"].process_count == job.gpus_per_node_count.number
    assert figures["dataset"].needed_bytes_per_s == job.ingest.node_read_bytes_per_s.number
    for figure in figures.values():
        assert figure.needed_bytes_per_s <= figure.ports_bytes_per_s
        assert figure.block_bytes % 4096 == 0
    script = vision.files["acceptance/run.sh"]
    assert f"SIZE={figures['checkpoint'].process_bytes} " in script
