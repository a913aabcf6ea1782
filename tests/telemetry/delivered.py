"""A folder of mixed outputs of twelve nodes, of which three are odd, each in its own way; made of real outputs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from planner.core.units import MIB
from planner.plan import Plan

SAMPLES = Path(__file__).parent / "samples"
SLOW, DARK, WORN = "node03", "node07", "node11"
ODD = {
    SLOW: "Checkpoint writes of one node",
    DARK: "paths of a subsystem",
    WORN: "No media errors",
}
"""The odd nodes, and what is to be said of each: too slow, a path short, a drive that is failing."""
SLOW_FRACTION = 0.6
OTHERS_FRACTION = 1.25


def fio_output(bytes_per_s: float) -> bytes:
    """The real output of fio 3.33 with group reporting, turned to writes of so much bandwidth."""
    document = json.loads((SAMPLES / "fio_3.33_numjobs4_group.json").read_text(encoding="utf-8"))
    (job,) = document["jobs"]
    side: dict[str, Any] = job["read"]
    seconds = side["runtime"] / 1000
    side |= {
        "bw_bytes": int(bytes_per_s),
        "bw": int(bytes_per_s) // 1024,
        "iops": bytes_per_s / MIB,
        "io_bytes": int(bytes_per_s * seconds),
        "io_kbytes": int(bytes_per_s * seconds) // 1024,
    }
    job["write"], job["read"] = side, {"io_bytes": 0, "bw": 0, "iops": 0.0}
    return json.dumps(document).encode()


def fio(bytes_per_s: float, *, host: str = "", way: str = "write", jobs: int = 1) -> bytes:
    """Output of fio 3.33 with so much bandwidth in all, shaped as the real samples are."""
    entries = []
    for _ in range(jobs):
        side = {
            "io_bytes": int(bytes_per_s / jobs * 60),
            "io_kbytes": int(bytes_per_s / jobs * 60) // 1024,
            "bw_bytes": int(bytes_per_s / jobs),
            "bw": int(bytes_per_s / jobs) // 1024,
            "iops": bytes_per_s / jobs / 1048576,
            "runtime": 60000,
            "total_ios": 100,
        }
        entries.append(
            {"jobname": "checkpoint-burst", "groupid": 0, "error": 0, "eta": 0, "elapsed": 61, way: side}
        )
    found: dict[str, Any] = {"fio version": "fio-3.33", "timestamp": 1, "jobs": entries}
    if host:
        found["jobs"] = [entry | {"hostname": host} for entry in entries]
    return json.dumps(found).encode()


def subsystems(paths: int) -> bytes:
    """The real list of nvme-cli 2.3 with one subsystem of so many live paths, and the node's own drive."""
    hosts = json.loads((SAMPLES / "nvme_list-subsys_2.3.json").read_text(encoding="utf-8"))
    pool = next(s for s in hosts[0]["Subsystems"] if len(s["Paths"]) > 1)
    pool["Paths"] = [path for path in pool["Paths"] if path["State"] == "live"][:paths]
    own = {
        "Name": "nvme-subsys9",
        "NQN": "nqn.2014.08.org.nvmexpress:own-drive",
        "Paths": [{"Name": "nvme9", "Transport": "pcie", "Address": "0000:01:00.0", "State": "live"}],
    }
    hosts[0]["Subsystems"] = [pool, own]
    return json.dumps(hosts).encode()


def smart_log(*, failing: bool) -> bytes:
    """A real health log: of a young drive, or of a failing one."""
    name = "nvme_smart-log_2.3_failing.json" if failing else "nvme_v2.3_smart-log.json"
    return (SAMPLES / name).read_bytes()


def folder(plan: Plan) -> dict[str, bytes]:
    """The files by name, as a browser names what is in a dropped folder."""
    needed = plan.main.job.checkpoint.node_write_bytes_per_s.number
    files: dict[str, bytes] = {"delivery/notes.txt": b"measured on Monday, rack 7 first\n"}
    for number in range(12):
        node = f"node{number:02}"
        at = f"delivery/{node}"
        speed = SLOW_FRACTION if node == SLOW else OTHERS_FRACTION + number / 1000
        files |= {
            f"{at}/training-70b-checkpoint.json": fio_output(needed * speed),
            f"{at}/list-subsys.json": subsystems(1 if node == DARK else 2),
            f"{at}/nvme0-smart-log.json": smart_log(failing=node == WORN),
            f"{at}/nvme1-smart-log.json": smart_log(failing=False),
            f"{at}/nvme-list.json": (SAMPLES / "nvme_v2.3_list.json").read_bytes(),
        }
    files["delivery/mlperf/summary.json"] = (SAMPLES / "mlperf1.0_unet3d_summary.json").read_bytes()
    return files
