"""For each rule of the review: a design that breaks it, what must be said of it, and the same design mended."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from planner.core.checks import Severity
from tests.plan.changes import EVIDENCE, GUIDE


@dataclass(frozen=True)
class Case:
    """A design that breaks one rule, what must be said of it, and the same design mended.

    Attributes:
        breaks: Inputs changed on the template.
        says: Texts that the finding's message or remedy must hold; numbers worked out by hand.
        mends: Inputs changed further, after which the rule is silent.
        fixes: Paths of the inputs that the finding offers to change.
    """

    code: str
    severity: Severity
    template: str = EVIDENCE
    breaks: dict[str, Any] = field(default_factory=dict)
    says: tuple[str, ...] = ()
    mends: dict[str, Any] = field(default_factory=dict)
    fixes: tuple[str, ...] = ()
    name: str = ""


VAST = {
    "storage.hot.architecture": "all-flash-array",
    "storage.hot.platform_id": "vast-ceres-3015",
    "jobs.0.model.recipe_id": "guide-high",
}
"""4 bytes for each of 70.55e9 parameters: checkpoints of 282.2 GB."""

TWO = {"storage.hot.protection_id": "2-way"}
PARALLEL = {"jobs.0.parallelism.tensor_parallel_count": 8}

WORKLOAD = (
    # 96 and 70 nodes on a cluster of 128.
    Case(
        "JOB-1", "blocker", "two-jobs", {"jobs.0.node_count": 96, "jobs.1.node_count": 70},
        says=("use 166 nodes together", "the cluster has 128"), mends={"jobs.1.node_count": 32},
        fixes=("cluster.node_count", "jobs.1.node_count"),
    ),
    # The fleet's 0.474 per 1,000 GPU-days let 256 GPUs run 8.24 days.
    Case(
        "FLR-1", "warning", says=("256 GPUs", "8.24 days", "3.7 times"),
        mends={"cluster.failure_rate_id": "rsc-1024"}, fixes=("cluster.failure_rate_id",),
    ),
    Case(
        "FLR-1", "warning", mends={"cluster.failures_per_1000_gpu_days": 0.474},
        fixes=("cluster.failure_rate_id",), name="stated",
    ),
    Case(
        "FLR-1", "warning", mends={"cluster.node_count": 1000},
        fixes=("cluster.failure_rate_id",), name="large",
    ),
    # 8 x 12 = 96 of 256 GPUs: two replicas are 192. 256 / 8 = 32 has the divisors 8 and 16 beside 12.
    Case(
        "LAY-1", "blocker", breaks={**PARALLEL, "jobs.0.parallelism.pipeline_parallel_count": 12},
        says=("tensor 8 × pipeline 12 × expert 1 do not divide the 256 GPUs", "64 GPUs would stay idle",
              "tensor 8, pipeline 16, expert 1, with data parallelism 2"),
        mends={"jobs.0.parallelism.pipeline_parallel_count": 16},
        fixes=("jobs.0.parallelism.pipeline_parallel_count",),
    ),
    Case(
        "LAY-1", "blocker",
        breaks={"jobs.0.parallelism.tensor_parallel_count": 3, "jobs.0.parallelism.pipeline_parallel_count": 5},
        says=("1 GPU would stay idle", "tensor 4, pipeline 4, expert 1, with data parallelism 16"),
        mends={"jobs.0.parallelism.tensor_parallel_count": 4, "jobs.0.parallelism.pipeline_parallel_count": 4},
        fixes=("jobs.0.parallelism.tensor_parallel_count", "jobs.0.parallelism.pipeline_parallel_count"),
        name="two degrees",
    ),
    Case(
        "LAY-1", "blocker", breaks={**PARALLEL, "jobs.0.parallelism.data_parallel_count": 64},
        says=("tensor 8 × pipeline 1 × data 64", "need 512 GPUs; the job has 256", "data parallelism 32"),
        mends={"jobs.0.parallelism.data_parallel_count": 32},
        fixes=("jobs.0.parallelism.data_parallel_count",), name="stated replicas",
    ),
    # 70.55e9 parameters x 16 to 18 bytes; a GB200 has 186 GB. Over 256 ranks: 18 x 70.55e9 / 256.
    Case(
        "LAY-2", "blocker", breaks={"jobs.0.parallelism.sharding_stage": 0},
        says=("takes 1.13 TB to 1.27 TB of each GPU's 186 GB", "the checkpoint has 988 GB", "all replicas: 4.96 GB"),
        mends={"jobs.0.parallelism.sharding_stage": 3}, fixes=("jobs.0.parallelism.sharding_stage",),
    ),
    # 16 x 70.55e9 / 8 are 141 GB; with 32-bit gradients 18 are 159; an A100 has 80 and 8 GPUs can shard no further.
    Case(
        "LAY-2", "warning", breaks={"cluster.node_count": 1, "cluster.node_id": "dgx-a100-640"},
        says=("141 GB to 159 GB of each GPU's 80 GB", "Use more GPUs"), mends={"cluster.node_count": 2}, name="whole",
    ),
    # 987.75 GB at 20 GB / 38 s are 1,877 s, stretched by the slowest node.
    Case(
        "LAY-3", "warning", breaks={"jobs.0.parallelism.file_layout": "rank-0"},
        says=("one rank writes all 988 GB at 526 MB/s", "15.4 GB for each node"),
        mends={"jobs.0.parallelism.file_layout": "even-shards"}, fixes=("jobs.0.parallelism.file_layout",),
    ),
    # Four tensor ranks of one node hold the weights: 2 x 70.55e9 and a 64th of the rest, 12 x 70.55e9.
    Case(
        "LAY-4", "warning",
        breaks={"jobs.0.parallelism.tensor_parallel_count": 4, "jobs.0.parallelism.sharding_stage": 1,
                "cluster.storage_port_bytes_per_s": 1.25e9},
        says=("the busiest node writes 154 GB", "the average one 15.4 GB"),
        mends={"jobs.0.parallelism.file_layout": "even-shards"}, fixes=("jobs.0.parallelism.file_layout",),
    ),
    Case(
        "LAY-5", "blocker",
        breaks={"jobs.0.parallelism.pipeline_parallel_count": 128, "jobs.0.model.layer_count": 80},
        says=("128 stages cannot be cut from 80 layers", "at most 64"),
        mends={"jobs.0.parallelism.pipeline_parallel_count": 64},
        fixes=("jobs.0.parallelism.pipeline_parallel_count",),
    ),
    Case(
        "LAY-6", "note",
        breaks={"jobs.0.parallelism.pipeline_parallel_count": 2, "jobs.0.parallelism.sharding_stage": 3},
        says=("pipeline of 2 stages",), mends={"jobs.0.parallelism.sharding_stage": None},
        fixes=("jobs.0.parallelism.sharding_stage",),
    ),
    Case(
        "LAY-7", "blocker",
        breaks={"jobs.0.model.expert_parameter_count": 70e9, "jobs.0.model.embedding_parameter_count": 2e9},
        says=("more parameters than the model",), mends={"jobs.0.model.expert_parameter_count": 60e9},
        fixes=("jobs.0.model.expert_parameter_count",),
    ),
    Case(
        "LAY-8", "note", breaks={"jobs.0.parallelism.expert_parallel_count": 8}, says=("over 8 replicas",),
        mends={"jobs.0.model.expert_parameter_count": 60e9},
    ),
    # 0.6 % of 70.55e9.
    Case(
        "LAY-9", "note", breaks={"jobs.0.model.recipe_id": "lora"}, says=("423 322 239 of 70 553 706 496",),
        mends={"jobs.0.model.layer_count": 80, "jobs.0.model.hidden_count": 8192},
    ),
)  # fmt: skip
"""Jobs, failures, and how a checkpoint is laid out."""

STORAGE = (
    Case(
        "BW-1", "blocker", breaks={"jobs.0.checkpoint.mode": "async", "jobs.0.checkpoint.interval_s": 5.0},
        says=("training stands still for 6 s at each save", "no time is left to train"),
        mends={"jobs.0.checkpoint.interval_s": 600.0}, fixes=("jobs.0.checkpoint.interval_s",), name="stall",
    ),
    # 4 drives write 10 GB/s as two copies, the client stack reaches 0.9: 18 GB/s. They read 14: 50.4. A copy each
    # 30 s is read at 32.9, which leaves 18 x (1 - 32.9 / 50.4) = 6.24 GB/s; 987.75 GB take 158 s. At 80 s: 72.7.
    Case(
        "BW-1", "blocker", breaks={"jobs.0.checkpoint.interval_s": 30.0, "storage.hot.drive_count": 4, **TWO},
        says=("a save takes 2.64 min", "interval of 30 s", "the slowest stage: drives"),
        mends={"jobs.0.checkpoint.interval_s": 80.0}, fixes=("jobs.0.checkpoint.interval_s",),
    ),
    Case(
        "BW-1", "blocker",
        breaks={"jobs.0.checkpoint.interval_step_count": 15, "jobs.0.checkpoint.step_s": 2.0,
                "storage.hot.drive_count": 4, **TWO},
        says=("a save takes 2.64 min", "interval of 30 s"),
        mends={"jobs.0.checkpoint.interval_step_count": 40},
        fixes=("jobs.0.checkpoint.interval_step_count",), name="steps",
    ),
    # A copy each 1800 s is read at 0.549 GB/s: 18 x (1 - 0.549 / 50.4) = 17.8 GB/s.
    Case(
        "BW-2", "warning", breaks={"jobs.0.checkpoint.target_s": 30.0, "storage.hot.drive_count": 4, **TWO},
        says=("a save takes 55.5 s", "target of 30 s", "needs 32.9 GB/s",
              "the slowest stage: drives, then target ports", "widen drives"),
        mends={"jobs.0.checkpoint.target_s": 56.0}, fixes=("jobs.0.checkpoint.target_s",),
    ),
    # Two units read 40 GB/s and write 20, at the client stack's 0.7: 56 and 28. 50 / 56 are 89.3 %; 50 TB staged
    # anew each 30 days are 19.3 MB/s of writes, another 0.07 %.
    Case(
        "BW-3", "warning",
        breaks={"jobs.0.ingest.basis": "rate", "jobs.0.ingest.read_bytes_per_s": 50e9,
                "storage.file_system.unit_count": 2},
        says=("50 GB/s", "89.4 %", "56 GB/s", "80 %"),
        mends={"jobs.0.ingest.read_bytes_per_s": 44e9}, fixes=("storage.file_system.unit_count",),
    ),
    # 987.75 GB in 10 s are 98.8 GB/s.
    Case(
        "BW-4", "blocker", breaks={"jobs.0.checkpoint.target_s": 10.0, "storage.hot.drive_count": 4, **TWO},
        says=("takes 18 GB/s", "98.8 GB/s are asked", "4 drives"),
        mends={"jobs.0.checkpoint.target_s": 60.0}, fixes=("storage.hot.drive_count",),
    ),
    # Reads of the dataset and of the copies go on: (27.44 x 2 / 10 + 60.55 / 14) / 0.9 are 10.9 drives.
    Case(
        "BW-4", "blocker",
        breaks={"storage.dataset_on": "hot", "jobs.0.ingest.basis": "rate", "storage.hot.drive_count": 9,
                "jobs.0.ingest.read_bytes_per_s": 60e9, **TWO},
        says=("takes 40.5 GB/s when nothing is read", "27.4 GB/s are asked", "beside 60.5 GB/s of reads",
              "needs 10.9 drives"),
        mends={"storage.hot.drive_count": 11}, fixes=("storage.hot.drive_count",), name="beside reads",
    ),
    # Two units write 8.5 GB/s each at rest and 20 in a burst; 282.2 GB in 12 s are 23.5.
    Case(
        "BW-5", "warning",
        breaks={**VAST, "storage.hot.unit_count": 2, "jobs.0.checkpoint.target_s": 12.0},
        says=("20 GB/s a unit", "23.5 GB/s"), mends={"jobs.0.checkpoint.target_s": 30.0},
    ),
    Case(
        "BW-6", "blocker", breaks={"storage.hot.drive_id": "m6600ion-245760"},
        says=("rate of Micron 6600 ION",), mends={"storage.hot.drive_id": "m6550ion-61440"},
    ),
    # Six checkpoints of 14 x 70.55e9 B are 5.93 TB; 80 % of 5 TB are 4; 5.93 / 0.8 are 7.41.
    Case(
        "CAP-1", "blocker", breaks={"storage.hot.usable_bytes": 5e12},
        says=("safely hold 4 TB of its 5 TB", "must hold 5.93 TB", "Provide 7.41 TB"),
        mends={"storage.hot.usable_bytes": 7.41e12}, fixes=("storage.hot.usable_bytes",),
    ),
    Case(
        "CAP-1", "blocker", breaks={"storage.hot.drive_count": 2},
        says=("safely hold 5.12 TB of its 6.4 TB",), mends={"storage.hot.drive_count": 3},
        fixes=("storage.hot.drive_count",), name="drives",
    ),
    # 60 TB raw, 48 a day kept one day and one a day kept 90: (48 + 89) x 0.98775 TB = 135.3; together 196 TB.
    Case(
        "CAP-2", "warning", breaks={"storage.object_store.usable_bytes": 60e12},
        says=("Object store may safely hold 48 TB", "Provide 2"),
        mends={"storage.object_store.usable_bytes": 260e12}, fixes=("storage.object_store.usable_bytes",),
    ),
    # 50 TB of data on one unit of 132.1 TB is fine; on a stated 60 TB, 48 are safe.
    Case(
        "CAP-2", "warning", breaks={"storage.file_system.usable_bytes": 60e12},
        says=("file system may safely hold 48 TB", "50 TB lie there", "Provide 62.5 TB"),
        mends={"storage.file_system.usable_bytes": 63e12}, fixes=("storage.file_system.usable_bytes",),
        name="file system",
    ),
    # One node has 24 bays.
    Case(
        "CAP-3", "blocker", breaks={"storage.hot.drive_count": 30, "storage.hot.unit_count": 1},
        says=("30 drives do not fit into the 24 bays",), mends={"storage.hot.unit_count": 2},
        fixes=("storage.hot.unit_count",),
    ),
    # Two units of 245.66 TB; 13 hold 3.19 PB.
    Case(
        "CAP-3", "blocker",
        breaks={**VAST, "storage.hot.usable_bytes": 3e15, "storage.hot.unit_count": 2},
        says=("3 PB do not fit into the 491 TB of 2 × VAST",), mends={"storage.hot.unit_count": 13},
        fixes=("storage.hot.unit_count",), name="array",
    ),
    # 20 PB of data are 25 PB usable, in units of 89.33 TB; a cluster has 250 of them at most.
    Case(
        "CAP-4", "warning", breaks={"jobs.0.ingest.dataset_bytes": 20e15, "storage.file_system.platform_id": "vast-ebox-15"},
        says=("Parallel file system takes 280 units", "one cluster has 250 at most"),
        mends={"jobs.0.ingest.dataset_bytes": 15e15},
    ),
    # 987.75 GB every 60 s are 16.5 GB/s; one server writes 5.5 at the client stack's 0.8.
    Case(
        "DRN-1", "blocker",
        breaks={"jobs.0.checkpoint.interval_s": 60.0, "storage.object_store.unit_count": 1},
        says=("arrive at 16.5 GB/s", "takes 4.4 GB/s"), mends={"storage.object_store.unit_count": 5},
        fixes=("storage.object_store.unit_count",),
    ),
    Case(
        "DRN-1", "blocker",
        breaks={"jobs.0.checkpoint.interval_s": 40.0, "storage.object_store.usable_bytes": 138e12},
        says=("takes 17.6 GB/s",), mends={"storage.object_store.usable_bytes": 960e12},
        fixes=("storage.object_store.usable_bytes",), name="capacity",
    ),
    Case(
        "DRN-2", "blocker",
        breaks={"jobs.0.checkpoint.interval_s": 30.0, "jobs.0.checkpoint.mode": "async",
                "storage.hot.drive_count": 4, **TWO},
        says=("a save takes 2.64 min", "interval of 30 s", "provide 32.9 GB/s"),
        mends={"jobs.0.checkpoint.interval_s": 80.0}, fixes=("jobs.0.checkpoint.interval_s",),
    ),
    # A shard of 15.4 GB; 4 GPUs x 4 workers x 2 batches x 32 samples x 1 MB are 1.02 GB.
    Case(
        "MEM-1", "blocker", breaks={"cluster.host_memory_bytes": 16e9, "jobs.0.checkpoint.mode": "async"},
        says=("15.4 GB for checkpoint buffers", "1.02 GB for prefetch", "it has 16 GB"),
        mends={"cluster.host_memory_bytes": 17e9},
    ),
    # 48 saves of 280 GB are 13.44 TB; 3 TB at 3 DWPD allow 9; 8+2 makes them 16.8 and 11.25 on the drives.
    Case(
        "END-1", "blocker", GUIDE,
        says=("13.4 TB/day", "9 TB/day (3 TB usable at 3 DWPD)", "16.8 TB/day", "11.2 TB/day (3.75 TB raw)",
              "3.35 years", "4.48 TB usable", "5.6 TB raw", "5+ TB"),
        mends={"storage.hot.usable_bytes": 4.49e12},
        fixes=("storage.hot.usable_bytes",),
    ),
    # Two drives of 6.4 TB as two copies: 6.4 TB usable at 3 DWPD are 19.2 TB a day; 48 x 987.75 GB are 47.4.
    Case(
        "END-1", "blocker", breaks={"storage.hot.drive_count": 2},
        says=("47.4 TB/day", "19.2 TB/day (6.4 TB usable at 3 DWPD)", "15.8 TB usable", "31.6 TB raw"),
        mends={"storage.hot.drive_count": 5},
        fixes=("storage.hot.drive_count",), name="drives",
    ),
    Case(
        "END-2", "warning", "guide-70b", {"storage.hot.drive_id": "m9550pro-7680"},
        says=("rated 1 DWPD", "3 DWPD or higher"), mends={"storage.hot.drive_id": "m9550max-6400"},
    ),
    Case(
        "END-3", "note", breaks={"storage.hot.drive_id": "pm1763-16000"},
        says=("endurance of Samsung PM1763",), mends={"storage.hot.drive_id": "m9550max-6400"},
    ),
    Case(
        "DRV-1", "note", breaks={"storage.hot.drive_bytes": 3.2e12},
        says=("planned at 3.2 TB", "of its 6.4 TB size"), mends={"storage.hot.drive_bytes": 6.4e12},
    ),
    Case(
        "DRV-1", "note", breaks={"storage.hot.drive_bytes": 5e12}, name="not sold",
        says=("The catalogue lists the family in 3.2 TB, 6.4 TB",), mends={"storage.hot.drive_bytes": 6.4e12},
    ),
    Case(
        "ACC-1", "blocker", breaks={"storage.access": "shared-namespace"}, says=("64 nodes would write one",),
        mends={"storage.access": "cluster-file-system"}, fixes=("storage.access",),
    ),
    Case(
        "ACC-1", "blocker", "two-jobs", {"jobs.0.node_count": 1, "storage.access": "shared-namespace"},
        says=("32 nodes would write one",), mends={"jobs.1.node_count": 1}, fixes=("storage.access",),
        name="second job",
    ),
    Case(
        "ACC-2", "blocker", breaks={"storage.access": "array-front-end"}, says=("no NFS or S3 front end",),
        mends=VAST, fixes=("storage.access",),
    ),
    Case(
        "ACC-3", "blocker",
        breaks={"storage.hot.architecture": "all-flash-array", "storage.hot.platform_id": "pure-fb-s500",
                "storage.hot.manual_write_bytes_per_s": 30e9, "storage.hot.manual_read_bytes_per_s": 60e9},
        says=("FlashBlade//S500", "no NVMe namespaces"), mends={"storage.access": "array-front-end"},
        fixes=("storage.access",),
    ),
    # Nobody says that a filer, or an iSCSI array, has namespaces.
    Case(
        "ACC-3", "warning", "lab-8-nodes",
        {"storage.hot.platform_id": "nfs-legacy", "storage.hot.manual_usable_bytes": 200e12},
        says=("NFSv3 TCP filer", "does not say"), mends={"storage.hot.platform_id": "spdk-2u24-gen5"},
        fixes=("storage.access",), name="unknown",
    ),
    # 8 chunks of 512 KiB are a stripe of 4.19 MB; 8 MB hold one, and 4.19 / 8 of the block.
    Case(
        "STR-1", "note", "guide-70b", {"jobs.0.checkpoint.block_bytes": 8e6},
        says=("8 MB", "4.19 MB", "52.4 %"), mends={"jobs.0.checkpoint.block_bytes": 2.0**22},
        fixes=("jobs.0.checkpoint.block_bytes",),
    ),
    Case(
        "STR-2", "blocker", breaks={"storage.hot.power_loss_protection": False},
        says=("without power-loss protection",), mends={"storage.hot.write_back_cache": False},
        fixes=("storage.hot.power_loss_protection",),
    ),
    Case(
        "PRT-1", "blocker", breaks={"storage.hot.protection_id": "8+2", "storage.hot.unit_count": 9},
        says=("needs 10 nodes", "has 9"), mends={"storage.hot.unit_count": 11},
        fixes=("storage.hot.unit_count",),
    ),
    Case(
        "PRT-1", "warning", breaks={"storage.hot.protection_id": "8+2", "storage.hot.unit_count": 10},
        says=("all 10 nodes",), mends={"storage.hot.unit_count": 11}, fixes=("storage.hot.unit_count",),
        name="exactly",
    ),
    Case(
        "PRT-1", "blocker", GUIDE, says=("needs 10 drives", "has 5"),
        mends={"storage.hot.usable_bytes": 6.5e12}, fixes=("storage.hot.usable_bytes",), name="guide",
    ),
    # Three nodes in two racks: both copies survive a lost rack, and there is no third to copy to.
    Case(
        "PRT-1", "warning", breaks={"storage.hot.protection_domain": "rack", "site.rack_limit_w": 10_000.0, **TWO},
        says=("Two copies use all 2 racks",), mends={"site.rack_limit_w": 5000.0},
        fixes=("storage.hot.protection_domain",), name="racks",
    ),
    # Two servers of six drives each: no stripe of ten fits in one of them.
    Case(
        "PRT-1", "blocker", name="inside",
        breaks={"storage.hot.architecture": "parallel-file-system", "storage.hot.drive_count": 12,
                "storage.hot.unit_count": 2},
        says=("needs 10 drives; a node has 6",), mends={"storage.hot.drive_count": 24}, fixes=("storage.hot.drive_count", "storage.hot.unit_count"),
    ),
    Case(
        "PRT-1", "blocker", name="inside, on average",
        breaks={"storage.hot.architecture": "parallel-file-system", "storage.hot.drive_count": 19,
                "storage.hot.unit_count": 2},
        says=("needs 10 drives; a node has 9.5",), mends={"storage.hot.drive_count": 24},
        fixes=("storage.hot.drive_count", "storage.hot.unit_count"),
    ),
    # Ten chunks over three nodes: one of them holds four.
    Case(
        "PRT-2", "blocker",
        breaks={"storage.hot.protection_id": "8+2", "storage.hot.protection_domain": "drive",
                "storage.hot.protection_at": "server", "storage.hot.unit_count": 3},
        says=("3 nodes", "takes 4 chunks", "survives 2"), mends={"storage.hot.unit_count": 5},
        fixes=("storage.hot.protection_domain",),
    ),
    Case(
        "PRT-3", "warning", "guide-70b", says=("inside a storage node", "every checkpoint unreachable"),
        mends={"storage.hot.protection_domain": "node"}, fixes=("storage.hot.protection_domain",),
    ),
    # 27.44 / 10 of writes and 0.549 / 14 of reads, at 0.9: 3.1 drives.
    Case(
        "PRT-4", "warning", breaks={"storage.hot.protection_id": "none"},
        says=("no redundancy", "one of its 4 drives"), mends=TWO, fixes=("storage.hot.protection_id",),
    ),
    # The storage fills one rack of 30 kW and several of 5.
    Case(
        "PRT-5", "blocker", breaks={"storage.hot.protection_domain": "rack", "site.rack_limit_w": 30_000.0, "site.feed_amps": 60.0, **TWO},
        says=("Two copies over racks need 2 racks", "fills 1."), mends={"site.rack_limit_w": 5000.0},
        fixes=("storage.hot.protection_domain",),
    ),
    Case(
        "PRT-6", "blocker", breaks={"storage.hot.protection_at": "controller"},
        says=("inside one node cannot protect over nodes",), mends={"storage.hot.protection_domain": "drive"},
        fixes=("storage.hot.protection_at",),
    ),
    # RAID-Z2 ten wide: 24 drives are two groups and four more, which hold nothing in ZFS; one of them is wanted as a spare.
    Case(
        "PRT-7", "note", breaks={"storage.hot.protection_id": "raid-z2", "storage.hot.drive_count": 24},
        says=("24 drives make 2 groups of 10", "4 drives are left over", "count none of them"),
        mends={"storage.hot.drive_count": 21},
    ),
    # The guide divides by the overhead alone: 2 of 12 drives are a sixth of what it counts.
    Case(
        "PRT-7", "note", template=GUIDE, breaks={"storage.hot.drive_count": 12},
        says=("12 drives make 1 group of 10", "16.7 % of the usable capacity"), mends={"storage.hot.drive_count": 20},
    ),
)  # fmt: skip
"""Bandwidth, capacity, endurance, access and protection of the tiers."""

NETWORK = (
    Case(
        "NET-1", "warning", breaks={"network.separate_network": False, "cluster.node_count": 33},
        says=("33 nodes", "above 32"), mends={"cluster.node_count": 32}, fixes=("network.separate_network",),
    ),
    # 300 nodes with 2 ports and more for targets, against 2 x 256.
    Case(
        "NET-2", "blocker", breaks={"network.topology": "single-leaf", "cluster.node_count": 300},
        says=("618 endpoints take 316 ports on a side; one leaf has 256.",), mends={"network.topology": "leaf-spine"},
        fixes=("network.topology",),
    ),
    Case(
        "NET-2", "warning", breaks={"network.topology": "single-leaf", "cluster.node_count": 65},
        says=("65 nodes", "stops at 64"), mends={"cluster.node_count": 64}, fixes=("network.topology",),
        name="nodes",
    ),
    Case(
        "NET-3", "blocker", breaks={"network.target_oversubscription_ratio": 2.0}, says=("2 to 1",),
        mends={"network.target_oversubscription_ratio": 1.0},
        fixes=("network.target_oversubscription_ratio",),
    ),
    Case(
        "NET-4", "warning", breaks={"network.path_count": 1}, says=("2 storage ports and 1 path", "2 to 4"),
        mends={"network.path_count": 2}, fixes=("network.path_count",),
    ),
    Case(
        "NET-4", "warning", breaks={"network.path_count": 4}, says=("2 storage ports and 4 paths", "a port for each"),
        mends={"cluster.storage_port_count": 4}, fixes=("network.path_count",), name="paths above ports",
    ),
    Case(
        "NET-4", "warning",
        breaks={"cluster.storage_port_count": 4, "network.topology": "rails", "network.path_count": 3},
        says=("4 storage ports, of which 2 meet one target on its rails, and 3 paths",),
        mends={"network.topology": None}, fixes=("network.path_count",), name="paths above rails that meet",
    ),
    Case(
        "NET-4", "warning", breaks={"cluster.storage_port_count": 1},
        says=("1 storage port", "Give each node two ports"), mends={"cluster.storage_port_count": 2},
        fixes=("cluster.storage_port_count",), name="one port",
    ),
    # 64 nodes x 2 ports x 5 Gb/s: 15.4 GB take 12.4 s over two ports and 24.7 over one, stretched by the slowest.
    Case(
        "NET-4", "warning",
        breaks={"cluster.storage_port_bytes_per_s": 6.25e8, "jobs.0.checkpoint.target_s": 30.0},
        says=("with one path lost", "longer than its target of 30 s"),
        mends={"cluster.storage_port_bytes_per_s": 1.25e9}, name="lost",
    ),
    Case(
        "NET-5", "warning", breaks={"network.pfc": False, "network.dscp": False},
        says=("without PFC, DSCP mapping",), mends={"network.pfc": True, "network.dscp": True},
        fixes=("network.pfc", "network.dscp"),
    ),
    Case(
        "NET-6", "warning", breaks={"network.switches_shared": True, "network.transport": "rdma"},
        says=("other traffic",), mends={"network.transport": None}, fixes=("network.transport",),
    ),
    # A cable of 2 km holds 2 x 2 km x 50 GB/s / 1.98e8 m/s: 1.01 MB, which small packets treble, for each of 64 ports.
    Case(
        "NET-7", "blocker", "vision-1024", {"site.gpu_distance_m": 2000.0},
        says=("128 ports of a leaf", "has a buffer of 160 MB", "would be lost although PFC is on"),
        mends={"site.gpu_distance_m": 500.0}, fixes=("network.transport",),
    ),
    # 128 ports at 400 Gb/s, half of them at 20 m and half at 40: 64 x (416 + 446) kB of a pool of 29.5 MB.
    Case(
        "NET-7", "warning", "vision-1024", {"network.switch_id": "z9864f"},
        says=("128 ports of a leaf takes 55.2 MB", "set aside 29.5 MB"), mends={"network.switch_id": "sn5600"},
        name="pool",
    ),
    Case(
        "NET-7", "note", breaks={"network.switch_id": "z9964f"}, says=("is not in the catalogue",),
        mends={"network.switch_id": "sn5600"}, name="unknown",
    ),
    Case(
        "NET-8", "note", breaks={"network.transport": "fc"}, says=("6.4 GB/s a port",),
        mends={"network.transport": "rdma"},
    ),
    Case(
        "NET-9", "blocker",
        breaks={"storage.hot.platform_id": "lightbits-3node", "storage.hot.manual_write_bytes_per_s": 20e9},
        says=("does not serve NVMe-oF over RoCEv2", "it serves tcp"), mends={"network.transport": "tcp"},
        fixes=("network.transport",),
    ),
    # 20 TB/s for 128 nodes are 156 GB/s a node; two ports of 50 carry 98 % of 100.
    Case(
        "NET-10", "blocker", "vision-1024",
        {"jobs.0.ingest.basis": "rate", "jobs.0.ingest.read_bytes_per_s": 2e13},
        says=("A node reads 156 GB/s", "carry 98 GB/s"), mends={"jobs.0.ingest.read_bytes_per_s": 1e12},
    ),
    # 128 ports at 400 Gb/s, 16 to 1: 120 down and 8 up of 50 GB/s x 0.98. A leaf of 120 of the 256 ports of nodes
    # has 47 % of the traffic: 392 GB/s / 0.469.
    Case(
        "NET-10", "blocker", "vision-1024",
        {"jobs.0.ingest.basis": "rate", "jobs.0.ingest.read_bytes_per_s": 2e12,
         "network.client_oversubscription_ratio": 16.0},
        says=("The fabric carries 837 GB/s", "2 TB/s are needed"),
        mends={"network.client_oversubscription_ratio": 4.0},
        fixes=("network.client_oversubscription_ratio",), name="fabric",
    ),
    # Two tiers of 128 ports reach 128 x 128 / 2 = 8 192 endpoints; 4 100 nodes alone have 8 200.
    Case(
        "NET-11", "blocker", "frontier-16384", {"cluster.node_count": 4100},
        says=("exceed two tiers of NVIDIA SN5600 (128 ports each",), mends={"cluster.node_count": 4000},
    ),
    Case(
        "NET-12", "warning", breaks={"network.transport": "fc"},
        says=("checkpoints alone", "Parallel file system and Object store need an Ethernet network"),
        mends={"network.transport": "tcp"},
    ),
    Case(
        "NET-13", "blocker", breaks={"network.switch_id": "s5232f"},
        says=("ports of 100 Gb/s", "needs Ethernet at 200 Gb/s"), mends={"network.switch_id": "sn4700"},
        fixes=("network.switch_id",),
    ),
    Case(
        "NET-13", "blocker", breaks={"network.switch_id": "sn4600"},
        says=("NVMe-oF hot tier: ports of 400 Gb/s", "NVIDIA SN4600 run at 200 Gb/s"), mends={"network.switch_id": "sn4700"},
        fixes=("network.switch_id",), name="targets",
    ),
    Case(
        "NET-13", "blocker", breaks={"network.transport": "tcp", "network.switch_id": "qm9700"},
        says=("a switch for infiniband",), mends={"network.switch_id": "sn5600"},
        fixes=("network.switch_id",), name="InfiniBand",
    ),
    Case(
        "NET-13", "blocker", breaks={"network.transport": "fc", "network.fc_switch_id": "sn5600"},
        says=("a switch for ethernet", "needs Fibre Channel"), mends={"network.fc_switch_id": "g730"},
        fixes=("network.fc_switch_id",), name="Fibre Channel",
    ),
    Case(
        "NET-13", "blocker", breaks={"network.nic_id": "lpe36002"},
        says=("LPe36002", "is an adapter for Fibre Channel"), mends={"network.nic_id": "cx7-400"},
        fixes=("network.nic_id",), name="adapter",
    ),
    # 1024 GPUs x 1786 images of 114 660 bytes are 210 GB/s; 256 ports of nodes are on leaves of 64,
    # with 64 uplinks of 50 GB/s x 0.98 for a quarter of them: 12.5 TB/s. Sixteen to one is as far as it may go.
    Case(
        "NET-14", "note", "vision-1024", says=("carries 12.5 TB/s", "60 times the 210 GB/s", "16 to 1"),
        mends={"network.client_oversubscription_ratio": 16.0},
        fixes=("network.client_oversubscription_ratio",),
    ),
    # Two ports of 1 Gb/s, 98 % of them payload: 245 MB/s of the 429 MB/s that a node writes.
    Case(
        "NET-15", "warning", breaks={"cluster.storage_port_bytes_per_s": 1.25e8},
        says=("Storage ports of a GPU node", "asks for 429 MB/s, 175 % of the 245 MB/s"),
        mends={"cluster.storage_port_bytes_per_s": 2.5e8}, fixes=("cluster.storage_port_count",),
    ),
    # (160 MB - 31.6 MB) / 129 are left for each of 128 ports.
    Case(
        "NET-16", "note", "vision-1024", says=("all 128 ports of a leaf busy", "pauses from 971 KB", "1.5 MB only, after PFC"),
        mends={"network.transport": "tcp"},
    ),
    Case(
        "NET-17", "warning", breaks={"network.mtu_bytes": 1500},
        says=("carries 1024 bytes", "92.6 % to payload instead of 98 %"), mends={"network.mtu_bytes": 4200},
        fixes=("network.mtu_bytes",),
    ),
    Case(
        "NET-18", "note", says=(
            "4 machines of the object store have one port each and stand on 2 leaves", "each reaches only those on its own leaf",
        ),
        mends={"network.topology": "leaf-spine"},
    ),
    # 4 x 3.84 TB less 0.5 TB are 14.86 TB, 29.7 % of 50 TB; 63 further copies of it are 3.15 PB.
    Case(
        "LOC-1", "note",
        says=("14.9 TB", "29.7 % of the dataset", "3.15 PB", "10.9 failures", "stranded"),
        mends={"jobs.0.ingest.dataset_bytes": 10e12},
    ),
    # 98.03 % of 200 Gb/s are 24.5 GB/s: 8 MB take 326 µs, and 2.5 MB 102.
    Case(
        "TRN-1", "note", breaks={"jobs.0.checkpoint.block_bytes": 8e6}, says=("8 MB", "326 µs", "100 µs"), mends={"jobs.0.checkpoint.block_bytes": 2.4e6},
    ),
)  # fmt: skip
"""The storage network, local drives and transports."""

SITE = (
    Case(
        "PWR-1", "blocker", breaks={"site.rack_limit_w": 1000.0}, says=("the site allows 1 kW",),
        mends={"site.rack_limit_w": 17_000.0},
    ),
    # A DGX B200 draws 14.3 kW, more than the 12 kW that the site gives a rack.
    Case(
        "PWR-1", "blocker", breaks={"cluster.node_id": "dgx-b200", "site.place_gpu_nodes": True, "site.rack_limit_w": 12_000.0},
        says=("DGX B200: one draws up to 14.3 kW", "the site allows 12 kW"), mends={"site.rack_limit_w": 15_000.0},
        fixes=("site.place_gpu_nodes",), name="GPU nodes",
    ),
    # 415 V x 30 A x 1.732 x 0.8 x 0.95 are 16.4 kW: a rack of 72 GPUs draws 120.
    Case(
        "PWR-2", "blocker", breaks={"cluster.node_id": "gb200-nvl72", "cluster.node_count": 4, "site.place_gpu_nodes": True},
        says=("must carry 120 kW", "may carry 16.4 kW"), mends={"site.place_gpu_nodes": False},
        fixes=("site.place_gpu_nodes",), name="GPU racks",
    ),
    # 208 V x 5 A x 0.8 x 0.95 are 790 W, less than a single node draws.
    Case(
        "PWR-2", "blocker",
        breaks={"site.feed_amps": 5.0, "site.feed_volts": 208.0, "site.feed_phase_count": 1},
        says=("it may carry 790 W",), mends={"site.feed_amps": 40.0},
    ),
    Case(
        "PWR-3", "warning", breaks={"storage.hot.architecture": "all-flash-array", **VAST},
        says=("NVMe-oF hot tier: the catalogue has no watts", "2 in number", "leaves them out"), mends={"storage.hot.platform_id": "spdk-2u24-gen5"},
    ),
    # A PCIe Gen4 drive without watts at work: its class has 11 W, idle 5 W.
    Case(
        "PWR-4", "note", breaks={"storage.hot.drive_id": "m7450max-6400"},
        says=("Micron 7450 MAX: the catalogue has no watts", "11 W while writing, 11 W while reading, 5 W idle"),
        mends={"storage.hot.drive_id": "m9550max-6400"},
    ),
    # 11 servers of 32 kg and two switches of 22 in racks of 300 kg, 160 of it their own: a switch and three servers,
    # or four servers, fill one.
    Case(
        "RCK-1", "note", breaks={"site.rack_limit_kg": 300.0},
        says=("stand in 4 racks", "height and power alone ask for 1"),
        mends={"site.rack_limit_kg": 1500.0},
    ),
    # Such a rack weighs 1,360 kg with its own frame: class assumption of the catalogue.
    Case(
        "RCK-2", "blocker", breaks={"cluster.node_id": "gb200-nvl72", "cluster.node_count": 4, "site.place_gpu_nodes": True},
        says=("one weighs 1.36 t", "takes 1 t"), mends={"site.rack_limit_kg": 1400.0},
    ),
    # A rack of 24 U with 4 reserved, and a platform of 42 U.
    Case(
        "RCK-2", "blocker",
        breaks={"storage.hot.platform_id": "pure-fb-exa", "site.rack_height_ru": 24,
                "storage.hot.manual_write_bytes_per_s": 20e9, "storage.hot.manual_usable_bytes": 200e12},
        says=("42 U high", "takes 20 U"), mends={"site.rack_height_ru": 48}, name="height",
    ),
    # Servers with disks of 65 kg in racks of 200 kg that weigh 160 themselves.
    Case(
        "RCK-2", "blocker", breaks={"site.rack_limit_kg": 200.0, "storage.object_store.platform_id": "s3-hdd-32"},
        says=("weighs 65 kg", "takes 40 kg beside itself"), mends={"site.rack_limit_kg": 300.0}, name="weight",
    ),
    Case(
        "RCK-3", "note", says=("All leaves stand in one rack",), mends={"site.rack_limit_w": 10_000.0}, name="one",
    ),
    # Three rails in two racks: targets of two ports take turns on rails A and B, C and A, B and C.
    Case(
        "RCK-3", "note", name="rails",
        breaks={"network.topology": "rails", "cluster.storage_port_count": 3, "site.rack_limit_w": 14_000.0},
        says=("2 machines of 71 have all their leaves in one rack",), mends={"cluster.storage_port_count": 4},
    ),
    # A 200 Gb/s switch has no port for targets of 400 Gb/s.
    Case(
        "BOM-1", "warning", breaks={"network.switch_id": "sn3700"},
        says=("NVMe-oF hot tier: 6 links of 400 Gb/s: ports of NVIDIA SN3700 run at 200 Gb/s",),
        mends={"network.switch_id": "sn5600"},
    ),
    # 20 PB of data are 25 PB usable; 2 % of it mirrored is 1 PB, more than 48 drives of 7.68 TB in two servers.
    Case(
        "BOM-1", "warning", "lab-8-nodes", {"jobs.0.ingest.dataset_bytes": 20e15},
        says=("Metadata servers, Parallel file system: 132 drives and 48 bays", "Plan more metadata servers"),
        mends={"jobs.0.ingest.dataset_bytes": 5e15}, name="metadata",
    ),
    # Two links of 100 Gb/s in a cage of 200: no optic of the catalogue splits so.
    Case(
        "BOM-1", "note", name="split", breaks={"network.switch_id": "sn4600"},
        says=("NVIDIA SN4600: cages of 200 Gb/s are split", "Object store (100 Gb/s)"),
        mends={"network.switch_id": "sn5600"},
    ),
    # Rows 20 m apart with two racks each: the way from the first to the last of 19 racks is 180 m and more.
    Case(
        "BOM-2", "note", "frontier-16384", {"site.row_pitch_m": 20.0, "site.row_rack_count": 2},
        says=("cables of 200 m, optics that reach 50 m", "Place racks closer"), mends={"site.row_pitch_m": 2.4, "site.row_rack_count": 10},
    ),
    # 1,400 W of one supply at 120 V: a C19 carries 16 A, 80 % of it for long.
    Case(
        "BOM-2", "note", "lab-8-nodes", {"site.feed_volts": 110.0, "site.feed_amps": 20.0, "site.feed_phase_count": 1},
        says=("a C19 cord carries 1.41 kW at 110 V",), mends={"site.feed_volts": 208.0}, name="cords",
    ),
    Case("CST-1", "note", says=("lines of the bill are not priced", "“SR4/VR4 optic, 400 Gb/s, run at 200 Gb/s”"),
         mends={"prices.price_set_id": "guide"}),
    Case(
        "SRC-1", "note", "guide-256-nodes", says=("Read bandwidth of a storage unit", "from memory"),
        mends={"storage.file_system.unit_count": 9, "prices.price_set_id": "guide"},
    ),
    Case(
        "SRC-1", "note", "frontier-16384", says=("price of NVIDIA SN5600", "from memory"),
        mends={"prices.price_set_id": "guide"}, name="price",
    ),
)  # fmt: skip
"""Power, racks, the bill, prices and sources."""

CASES = (*WORKLOAD, *STORAGE, *NETWORK, *SITE)
