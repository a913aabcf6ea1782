"""Outputs in the shapes of versions that no sample shows, built from the description of those versions."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from planner.telemetry import Reading

FIO_VERSIONS = ("2.1.14", "2.21", "3.1", "3.7", "3.33", "3.41")
MARKS = {"50.000000": 0, "99.000000": 1, "99.900000": 2}


@dataclass(frozen=True)
class Job:
    """One direction of one fio job, in base units; the bandwidth is a whole number of KiB/s."""

    way: str = "read"
    kib_per_s: int = 1_000_000
    iops: float = 8000.0
    latency_us: tuple[int, int, int] = (100, 900, 2500)
    name: str = "job"
    group: int = 0
    error: int = 0
    runtime_ms: int = 2000
    host: str = ""


def fio_job(version: str, job: Job) -> dict[str, Any]:
    sides = {way: fio_side(version, job if way == job.way else None) for way in ("read", "write", "trim")}
    host = {"hostname": job.host, "port": 8765} if job.host else {}
    return {
        "jobname": job.name,
        "groupid": job.group,
        "error": job.error,
        "job options": {"rw": job.way},
        **sides,
        **host,
    }


def fio_side(version: str, job: Job | None) -> dict[str, Any]:
    """A direction as a version prints it; None is one that was not used."""
    numbers = tuple(int(part) for part in version.split("."))
    kib = job.kib_per_s if job else 0
    moved = kib * (job.runtime_ms if job else 0) // 1000
    iops = job.iops if job else 0.0
    side: dict[str, Any] = {"bw": kib, "runtime": job.runtime_ms if job else 0}
    side["iops"] = int(iops) if numbers < (2, 2) else iops
    side["io_bytes"] = moved if numbers < (2, 2) else moved * 1024
    if numbers >= (2, 21):
        side["io_kbytes"] = moved
    if numbers >= (3, 7):
        side["bw_bytes"] = kib * 1024
    nano = numbers >= (3, 0)
    marks = {mark: (job.latency_us[i] if job else 0) * (1000 if nano else 1) for mark, i in MARKS.items()}
    latency: dict[str, Any] = {"min": 0, "max": 0, "mean": 0.0, "percentile": marks}
    if numbers < (3, 0):
        latency["percentile"] |= {"0.00": 0}
    if numbers >= (3, 20):
        latency["N"] = int(bool(job))
        if not job:
            del latency["percentile"]
    side["clat_ns" if nano else "clat"] = latency
    return side


def fio(version: str, *jobs: Job, time_ms: int = 1_795_966_081_360, client: bool = False, **more: Any) -> str:
    head = {"fio version": f"fio-{version}", "timestamp": time_ms // 1000, "timestamp_ms": time_ms}
    key = "client_stats" if client else "jobs"
    return json.dumps({**head, key: [fio_job(version, job) for job in jobs], **more}, indent=2)


SMART = {
    "critical_warning": 5,
    "temperature": 331,
    "avail_spare": 8,
    "spare_thresh": 10,
    "percent_used": 104,
    "data_units_read": 61234567890,
    "data_units_written": 98765432109,
    "power_on_hours": 17520,
    "media_errors": 3,
}
"""The drive of the two samples "failing"."""

SMART_TEXT = """\
Smart Log for NVME device:nvme0n1 namespace-id:ffffffff
critical_warning                        : 0x5
temperature                             : 58°C (331 Kelvin)
available_spare                         : 8%
available_spare_threshold               : 10%
percentage_used                         : 104%
endurance group critical warning summary: 0
Data Units Read                         : 61,234,567,890 (31.35 PB)
Data Units Written                      : 98,765,432,109 (50.57 PB)
host_read_commands                      : 1,234,567,890,123
power_on_hours                          : 17,520
unsafe_shutdowns                        : 7
media_errors                            : 3
Temperature Sensor 1           : 58°C (331 Kelvin)
Temperature Sensor 2           : 66°C (339 Kelvin)
"""

ENDURANCE_LOG: dict[str, Any] = {
    "critical_warning": 0,
    "endurance_group_features": 0,
    "avl_spare": 100,
    "avl_spare_threshold": 10,
    "percent_used": 12,
    "domain_identifier": 0,
    "endurance_estimate": 35040000,
    "data_units_read": 1500,
    "data_units_written": 4200000,
    "media_units_written": 5040000,
    "host_read_cmds": 1,
    "host_write_cmds": 1,
    "media_data_integrity_err": 0,
    "num_err_info_log_entries": 0,
}
"""The fields of nvme-cli 2.x, in its order (nvme-print-json.c); the values are made up."""
ENDURANCE_TEXT = """Endurance Group Log for NVME device:nvme3 Group ID:1
critical_warning\t: 0
avl_spare\t\t: 100
avl_spare_threshold\t: 10
percent_used\t\t: 12%
endurance_estimate\t: 35,040,000
data_units_read\t: 1,500
data_units_written\t: 4,200,000
media_units_written\t: 5,040,000
host_read_cmds\t: 1
"""

IOR_TEXT = """\
IOR-4.0.0: MPI Coordinated Test of Parallel I/O
Began               : Tue Apr 29 14:12:28 2025
Machine             : Linux node01

Options:
access              : file-per-process
xfersize            : 1 MiB

Results:

access    bw(MiB/s)  IOPS       Latency(s)  block(KiB) xfer(KiB)  open(s)    wr/rd(s)   close(s)   total(s)   iter
------    ---------  ----       ----------  ---------- ---------  --------   --------   --------   --------   ----
Commencing write performance test: Tue Apr 29 14:12:28 2025
write     580.00     580.01     0.006896    10485760   1024.00    0.000648   70.62      0.000842   70.62      0
read      1201.51    1201.51    0.003329    10485760   1024.00    0.000125   34.09      0.000241   34.09      0
write     600.00     600.01     0.006896    10485760   1024.00    0.000648   70.62      0.000842   70.62      1
remove    -          -          -           -          -          -          -          -          0.000564   0
Max Write: 600.00 MiB/sec (629.15 MB/sec)
Max Read:  1201.51 MiB/sec (1259.87 MB/sec)
"""
IOR_SUMMARY = """\

Summary of all tests:
Operation   Max(MiB)   Min(MiB)  Mean(MiB)     StdDev   Max(OPs)   Min(OPs)  Mean(OPs)     StdDev    Mean(s) Stonewall(s) Stonewall(MiB) Test# #Tasks
write         600.00     580.00     590.00      10.00     600.00     580.00     590.00      10.00   70.62000         NA            NA     0      4
read         1201.51    1201.51    1201.51       0.00    1201.51    1201.51    1201.51       0.00   34.09000         NA            NA     0      4
Finished            : Tue Apr 29 14:14:48 2025
"""
IOR_CSV = """\
access,bw(MiB/s),IOPS,Latency,block(KiB),xfer(KiB),open(s),wr/rd(s),close(s),total(s),numTasks,iter
write,30.3120,30.3795,1.5543,131072.0000,1024.0000,15.0489,202.2413,35.0600,202.6921,48,0
read,2012.0224,2026.8185,0.0158,131072.0000,1024.0000,0.4558,3.0314,1.0307,3.0536,48,0
write,32.3120,32.3795,1.5543,131072.0000,1024.0000,15.0489,202.2413,35.0600,202.6921,48,1
"""

ELBENCHO = """\
ISO DATE: 2026-08-12T16:27:22+0100
COMMAND LINE: "/usr/local/bin/elbencho" "--write" "--read" "--lat" "/mnt/pfs/file"

OPERATION   RESULT TYPE         FIRST DONE   LAST DONE
=========== ================    ==========   =========
MKDIRS      Elapsed time     :        26ms        26ms
            Dirs/s           :          38          38
---
WRITE       Elapsed time     :    2m3.241s    2m5.755s
            IOPS             :       33395       33352
            Throughput MiB/s :       33395       33352
            Total MiB        :     4115703     4194304
            IO latency       : [ min=91us avg=120us max=1.58ms ]
            IO lat % us      : [ 1%<=2896 50%<=4096 75%<=4096 99%<=6889 99.9%<=8192 ]
            IO lat hist      : [ 2896: 100 ]
---
RWMIX70     Elapsed time     :      10.1s      10.2s
            IOPS write       :         291         300
            IOPS read        :         691         700
            IOPS total       :         982        1000
            MB/s write       :          36          37
            MB/s read        :          86          87
            MB/s total       :         122         124
            IO wr lat % us   : [ 1%<=10 50%<=20 75%<=30 99%<=40 ]
            IO rd lat % us   : [ 1%<=11 50%<=21 75%<=31 99%<=41 ]
---
"""

MDTEST_OLD = """\
mdtest-1.9.3 was launched with 4 total task(s) on 1 node(s)
Command line used: mdtest -n 3

4 tasks, 12 files/directories

SUMMARY: (of 3 iterations)
   Operation                      Max            Min           Mean        Std Dev
   ---------                      ---            ---           ----        -------
   File creation     :        439.763        404.632        422.661         14.357
   File read         :          0.000          0.000          0.000          0.000
   Tree creation     :        465.711        450.048        456.378          6.737

SUMMARY time: (of 3 iterations)
   Operation                      Max            Min           Mean        Std Dev
   ---------                      ---            ---           ----        -------
   File creation     :          2.763          2.632          2.661          0.357
-- finished at 11/01/2019 13:22:48 --
"""


def figures(reading: Reading) -> dict[str, float]:
    """The value of each quantity that was read."""
    return {record.quantity: record.value for record in reading.records}


def subsystem(*paths: dict[str, str], nqn: str = "nqn.2026-01.org.example:ckpt-a") -> dict[str, Any]:
    return {"Name": "nvme-subsys1", "NQN": nqn, "Paths": list(paths)}


def path(number: int, state: str = "live", **more: str) -> dict[str, str]:
    return {
        "Name": f"nvme{number}",
        "Transport": "rdma",
        "Address": f"traddr=192.0.2.{number},trsvcid=4420",
        "State": state,
        **more,
    }
