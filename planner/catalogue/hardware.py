"""Row types of `data/hardware`: what can be bought, with the figures that the plan needs.

Every number is a `Quantity` in the planner's unit, or None where nobody knows it. Column bounds are
what is plausible for the class; a figure outside them is more likely a slip of the keyboard.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from planner.catalogue.columns import (
    Derived,
    choice,
    derived,
    figure,
    flag,
    identifier,
    measure,
    text,
    whole,
    words,
)
from planner.catalogue.reading import Row
from planner.core.quantity import Quantity, value_of
from planner.core.units import GB, GBIT_PER_S, KW, MB, PB, TB, TERA, US, YEAR_S

CATEGORIES = ("all-flash", "software-defined", "pfs", "object", "baseline")
TRANSPORTS = ("rdma", "tcp", "fc", "ib")
PROTOCOLS = ("nfs", "nfs_rdma", "smb", "s3", "iscsi")
FABRICS = ("ethernet", "infiniband", "fc")
NAND_CLASSES = ("TLC", "QLC", "pSLC", "3DXP")


def _flags(*names: str) -> Derived:
    """The names of those columns that say yes, worked out when the row is built."""

    def make(values: Mapping[str, Any]) -> frozenset[str]:
        """From the values of a row, the columns that say yes."""
        return frozenset(name for name in names if values[name])

    return derived(make)


def _name(values: Mapping[str, Any]) -> str:
    vendor, model = values["vendor"], values["model"]
    named = model.casefold().startswith(vendor.casefold())  # "MinIO" is in "MinIO/AIStor server" already
    return model if vendor == "generic" or named else f"{vendor} {model}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Gpu(Row):
    """A GPU, per package as software sees it."""

    name: Annotated[str, text("name", required=True)]
    vendor: Annotated[str, text("vendor", required=True)]
    memory_type: Annotated[str, text("memory_type")]
    memory_bytes: Annotated[Quantity, figure("memory_gb", GB, "GPU memory", low=8, high=2000, required=True)]
    memory_bytes_per_s: Annotated[
        Quantity | None, figure("memory_tb_per_s", TB, "Bandwidth of GPU memory", low=0.1, high=100)
    ]
    bf16_flops: Annotated[
        Quantity | None, figure("bf16_dense_tflops", TERA, "Dense BF16 rate", low=10, high=1e5)
    ]
    fp8_flops: Annotated[
        Quantity | None, figure("fp8_dense_tflops", TERA, "Dense FP8 rate", low=10, high=1e5)
    ]
    max_w: Annotated[Quantity | None, figure("tdp_w", 1, "Design power of the GPU", low=50, high=5000)]
    rental_low_usd_per_hour: Annotated[
        Quantity | None,
        figure("rental_low_usd_per_hour", 1, "Lowest rental per GPU-hour", low=0.05, high=200),
    ]
    rental_high_usd_per_hour: Annotated[
        Quantity | None,
        figure("rental_high_usd_per_hour", 1, "Highest rental per GPU-hour", low=0.05, high=200),
    ]
    rental_as_of: Annotated[str, text("rental_as_of")]


@dataclass(frozen=True, slots=True, kw_only=True)
class GpuNode(Row):
    """A GPU server, compute tray or whole rack: the client side of storage."""

    name: Annotated[str, text("name", required=True)]
    gpu_id: Annotated[str, identifier("gpu_id")]
    gpu_count: Annotated[Quantity, figure("gpus", 1, "GPUs per node", low=1, high=144, required=True)]
    gpu_memory_bytes: Annotated[
        Quantity | None, figure("gpu_memory_gb", GB, "GPU memory per node", low=8, high=1e5)
    ]
    host_memory_bytes: Annotated[
        Quantity | None, figure("host_memory_tb", TB, "Host memory", low=0.05, high=100)
    ]
    local_drive_count: Annotated[
        Quantity | None, figure("local_drives", 1, "Local NVMe drives per node", low=0, high=288)
    ]
    local_drive_bytes: Annotated[
        Quantity | None, figure("local_drive_tb", TB, "Capacity of a local NVMe drive", low=0.1, high=300)
    ]
    local_raw_bytes: Annotated[
        Quantity | None, figure("local_raw_tb", TB, "Local NVMe per node, raw", low=0, high=1e4)
    ]
    compute_nic: Annotated[str, text("compute_nic")]
    compute_port_count: Annotated[
        Quantity | None, figure("compute_ports", 1, "Network ports per node between GPUs", low=1, high=300)
    ]
    compute_port_bytes_per_s: Annotated[
        Quantity | None,
        figure("compute_port_gbps", GBIT_PER_S, "Rate of a port between GPUs", low=10, high=3200),
    ]
    storage_port_count: Annotated[
        Quantity, figure("storage_ports", 1, "Storage ports per node", low=1, high=144, required=True)
    ]
    storage_port_bytes_per_s: Annotated[
        Quantity,
        figure("storage_port_gbps", GBIT_PER_S, "Rate of a storage port", low=1, high=3200, required=True),
    ]
    max_w: Annotated[Quantity | None, figure("max_kw", KW, "Maximum power of a node", low=0.3, high=300)]
    rack_units_ru: Annotated[Quantity | None, figure("rack_units", 1, "Rack units of a node", low=1, high=60)]
    cooling: Annotated[str, text("cooling")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Drive(Row):
    """An NVMe drive at a reference capacity."""

    vendor: Annotated[str, text("vendor", required=True)]
    model: Annotated[str, text("model", required=True)]
    name: Annotated[str, derived(_name)]
    nand_class: Annotated[str, choice("nand_class", NAND_CLASSES, required=True)]
    endurance_class: Annotated[
        str, choice("endurance_class", ("read", "mixed", "write", "capacity"), required=True)
    ]
    capacity_bytes: Annotated[
        Quantity, figure("capacity_tb", TB, "Capacity of a drive", low=0.1, high=1000, required=True)
    ]
    smallest_capacity_bytes: Annotated[
        Quantity | None, figure("smallest_tb", TB, "Smallest capacity of the family", low=0.1, high=1000)
    ]
    largest_capacity_bytes: Annotated[
        Quantity | None, figure("largest_tb", TB, "Largest capacity of the family", low=0.1, high=1000)
    ]
    pcie_gen: Annotated[int, whole("pcie_gen", low=3, high=8, required=True)]
    lane_count: Annotated[int, whole("lanes", low=1, high=16, required=True)]
    read_bytes_per_s: Annotated[
        Quantity | None, figure("read_gb_per_s", GB, "Sequential read of a drive", low=0.5, high=60)
    ]
    write_bytes_per_s: Annotated[
        Quantity | None, figure("write_gb_per_s", GB, "Sequential write of a drive", low=0.2, high=60)
    ]
    random_read_per_s: Annotated[
        Quantity | None, figure("random_read_kiops", 1e3, "Random 4K reads of a drive", low=10, high=50_000)
    ]
    random_write_per_s: Annotated[
        Quantity | None, figure("random_write_kiops", 1e3, "Random 4K writes of a drive", low=1, high=20_000)
    ]
    read_latency_s: Annotated[
        Quantity | None, figure("read_latency_us", US, "Read latency of a drive", low=1, high=1000)
    ]
    write_latency_s: Annotated[
        Quantity | None, figure("write_latency_us", US, "Write latency of a drive", low=1, high=1000)
    ]
    endurance_dwpd: Annotated[
        Quantity | None, figure("dwpd", 1, "Endurance rating of a drive", low=0.01, high=200, unit="DWPD")
    ]
    endurance_basis: Annotated[str, text("dwpd_basis")]
    random_endurance_dwpd: Annotated[
        Quantity | None,
        figure("dwpd_4k_random", 1, "Endurance rating at 4K random writes", low=0.01, high=200, unit="DWPD"),
    ]
    warranty_s: Annotated[
        Quantity | None, figure("warranty_years", YEAR_S, "Years of the endurance rating", low=1, high=10)
    ]
    rated_write_bytes: Annotated[
        Quantity | None, figure("endurance_pbw", PB, "Rated writes over the warranty", low=0.1, high=5000)
    ]
    rated_write_basis: Annotated[str, choice("endurance_pbw_basis", ("published", "derived"))]
    active_read_w: Annotated[
        Quantity | None, figure("active_read_w", 1, "Drive power while reading", low=1, high=80)
    ]
    active_write_w: Annotated[
        Quantity | None, figure("active_write_w", 1, "Drive power while writing", low=1, high=80)
    ]
    max_w: Annotated[Quantity | None, figure("max_w", 1, "Maximum power of a drive", low=5, high=80)]
    idle_w: Annotated[Quantity | None, figure("idle_w", 1, "Idle power of a drive", low=0.5, high=30)]
    form_factors: Annotated[tuple[str, ...], words("form_factors")]
    dual_port: Annotated[bool | None, flag("dual_port")]


@dataclass(frozen=True, slots=True, kw_only=True)
class DriveSize(Row):
    """One capacity in which a family of drives is sold."""

    drive_id: Annotated[str, identifier("drive_id")]
    capacity_bytes: Annotated[
        Quantity, figure("capacity_tb", TB, "Capacity of a drive", low=0.1, high=1000, required=True)
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Platform(Row):
    """A storage product, or generic kit, by the unit in which it grows.

    `transports` are the networks on which it serves clients by any protocol; `nvme_transports` those
    on which it exports NVMe namespaces to hosts. A flag of None means that nobody said.
    """

    vendor: Annotated[str, text("vendor", required=True)]
    model: Annotated[str, text("model", required=True)]
    name: Annotated[str, derived(_name)]
    approach: Annotated[str, text("approach", required=True)]
    categories: Annotated[tuple[str, ...], words("categories", CATEGORIES)]
    category: Annotated[str, derived(lambda values: values["categories"][0] if values["categories"] else "")]
    generic: Annotated[bool | None, flag("generic")]
    host_nvme_namespace: Annotated[bool | None, flag("host_nvme_namespace")]
    host_nvme_note: Annotated[str, text("host_nvme_note")]
    nvme_transports: Annotated[tuple[str, ...], words("nvme_transports", TRANSPORTS)]
    rdma: Annotated[bool | None, flag("rdma")]
    ib: Annotated[bool | None, flag("ib")]
    tcp: Annotated[bool | None, flag("tcp")]
    fc: Annotated[bool | None, flag("fc")]
    transports: Annotated[frozenset[str], _flags(*TRANSPORTS)]
    nfs: Annotated[bool | None, flag("nfs")]
    nfs_rdma: Annotated[bool | None, flag("nfs_rdma")]
    smb: Annotated[bool | None, flag("smb")]
    s3: Annotated[bool | None, flag("s3")]
    iscsi: Annotated[bool | None, flag("iscsi")]
    protocols: Annotated[frozenset[str], _flags(*PROTOCOLS)]
    posix: Annotated[bool | None, flag("posix")]
    snapshots: Annotated[bool | None, flag("snapshots")]
    replication: Annotated[bool | None, flag("replication")]
    encryption: Annotated[bool | None, flag("encryption")]
    operations_effort: Annotated[str, choice("operations_effort", ("low", "medium", "high"))]
    unit: Annotated[str, text("unit", required=True)]
    drives_per_unit_count: Annotated[
        Quantity | None, figure("drives_per_unit", 1, "Drives per storage unit", low=1, high=500)
    ]
    drive_bytes: Annotated[
        Quantity | None, figure("drive_tb", TB, "Capacity of a drive of the storage unit", low=0.1, high=1000)
    ]
    raw_bytes_per_unit: Annotated[
        Quantity | None,
        figure("raw_tb_per_unit", TB, "Raw capacity of a storage unit", low=1, high=1e5, unit="bytes"),
    ]
    usable_bytes_per_unit: Annotated[
        Quantity | None,
        figure("usable_tb_per_unit", TB, "Usable capacity of a storage unit", low=1, high=1e5, unit="bytes"),
    ]
    read_bytes_per_s: Annotated[
        Quantity | None, figure("read_gb_per_s", GB, "Read bandwidth of a storage unit", low=0.1, high=10_000)
    ]
    write_bytes_per_s: Annotated[
        Quantity | None,
        figure("write_gb_per_s", GB, "Sustained write bandwidth of a storage unit", low=0.1, high=10_000),
    ]
    burst_write_bytes_per_s: Annotated[
        Quantity | None,
        figure("burst_write_gb_per_s", GB, "Burst write bandwidth of a storage unit", low=0.1, high=10_000),
    ]
    burst_buffer_bytes: Annotated[
        Quantity | None,
        figure("burst_buffer_tb", TB, "Write buffer behind the burst rating", low=0.01, high=1e4),
    ]
    random_read_per_s: Annotated[
        Quantity | None, figure("read_kiops", 1e3, "Random reads of a storage unit", low=1, high=1e6)
    ]
    random_write_per_s: Annotated[
        Quantity | None, figure("write_kiops", 1e3, "Random writes of a storage unit", low=1, high=1e6)
    ]
    rack_units_ru: Annotated[
        Quantity | None, figure("rack_units", 1, "Rack units of a storage unit", low=1, high=60)
    ]
    typical_w: Annotated[
        Quantity | None, figure("typical_w", 1, "Typical power of a storage unit", low=50, high=60_000)
    ]
    max_w: Annotated[
        Quantity | None, figure("max_w", 1, "Maximum power of a storage unit", low=50, high=60_000)
    ]
    min_units_count: Annotated[
        Quantity | None, figure("min_units", 1, "Fewest units of a cluster", low=1, high=1000)
    ]
    max_units_count: Annotated[
        Quantity | None, figure("max_units", 1, "Most units of a cluster", low=1, high=100_000)
    ]
    metadata_units_count: Annotated[
        Quantity | None,
        figure("metadata_units", 1, "Metadata servers beside the storage units", low=1, high=64),
    ]
    protection: Annotated[str, text("protection")]
    front_end_port_count: Annotated[
        Quantity | None, figure("front_end_ports", 1, "Client ports of a storage unit", low=1, high=256)
    ]
    front_end_bytes_per_s: Annotated[
        Quantity | None, figure("front_end_port_gbps", GBIT_PER_S, "Rate of a client port", low=1, high=3200)
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Switch(Row):
    """A switch, or one line card of a modular one where the row says so."""

    vendor: Annotated[str, text("vendor", required=True)]
    model: Annotated[str, text("model", required=True)]
    name: Annotated[str, derived(_name)]
    asic: Annotated[str, text("asic")]
    fabric: Annotated[str, choice("fabric", FABRICS, required=True)]
    port_count: Annotated[Quantity, figure("ports", 1, "Ports of a switch", low=8, high=1024, required=True)]
    port_bytes_per_s: Annotated[
        Quantity, figure("port_gbps", GBIT_PER_S, "Rate of a switch port", low=1, high=3200, required=True)
    ]
    port_form: Annotated[str, text("port_form")]
    breakout: Annotated[tuple[str, ...], words("breakout")]
    ports_400g_count: Annotated[
        Quantity | None, figure("ports_400g", 1, "Ports at 400 Gb/s", low=0, high=2048)
    ]
    ports_200g_count: Annotated[
        Quantity | None, figure("ports_200g", 1, "Ports at 200 Gb/s", low=0, high=2048)
    ]
    ports_100g_count: Annotated[
        Quantity | None, figure("ports_100g", 1, "Ports at 100 Gb/s", low=0, high=2048)
    ]
    ports_by_gbps: Annotated[Mapping[int, int], derived(_ports_by_gbps)]
    capacity_bytes_per_s: Annotated[
        Quantity | None,
        figure("capacity_tbps_one_way", 1e3 * GBIT_PER_S, "Switching capacity one way", low=0.1, high=1000),
    ]
    buffer_bytes: Annotated[
        Quantity | None, figure("buffer_mb", MB, "Packet buffer of a switch", low=1, high=1e5)
    ]
    typical_w: Annotated[
        Quantity | None, figure("typical_w", 1, "Typical power of a switch", low=20, high=20_000)
    ]
    max_w: Annotated[Quantity | None, figure("max_w", 1, "Maximum power of a switch", low=20, high=20_000)]
    rack_units_ru: Annotated[
        Quantity | None, figure("rack_units", 1, "Rack units of a switch", low=1, high=40)
    ]
    pfc: Annotated[bool | None, flag("pfc")]
    ecn: Annotated[bool | None, flag("ecn")]
    role: Annotated[str, text("role")]


def _ports_by_gbps(values: Mapping[str, Any]) -> dict[int, int]:
    """How many ports the switch offers at each rate, its own rate included; rates without ports left out."""
    listed = {speed: values[f"ports_{speed}g_count"] for speed in (100, 200, 400)}
    ports = {
        speed: int(count.number) for speed, count in listed.items() if count is not None and count.number
    }
    own = round(float(value_of(values["port_bytes_per_s"])) / GBIT_PER_S)
    return ports | {own: int(values["port_count"].number)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Nic(Row):
    """A network card, DPU or Fibre Channel adapter."""

    vendor: Annotated[str, text("vendor", required=True)]
    model: Annotated[str, text("model", required=True)]
    name: Annotated[str, derived(_name)]
    kind: Annotated[str, choice("kind", ("NIC", "SuperNIC", "DPU", "FC HBA"), required=True)]
    port_count: Annotated[Quantity, figure("ports", 1, "Ports of a card", low=1, high=8, required=True)]
    port_bytes_per_s: Annotated[
        Quantity, figure("port_gbps", GBIT_PER_S, "Rate of a port of a card", low=1, high=3200, required=True)
    ]
    total_bytes_per_s: Annotated[
        Quantity, figure("total_gbps", GBIT_PER_S, "Rate of a card", low=1, high=3200, required=True)
    ]
    pcie_gen: Annotated[int, whole("pcie_gen", low=3, high=8, required=True)]
    lane_count: Annotated[int, whole("pcie_lanes", low=1, high=32, required=True)]
    rdma: Annotated[tuple[str, ...], words("rdma", ("RoCEv2", "IB", "iWARP", "UEC", "NVMe/FC"))]
    nvme_tcp_offload: Annotated[bool | None, flag("nvme_tcp_offload")]
    typical_w: Annotated[Quantity | None, figure("typical_w", 1, "Typical power of a card", low=1, high=300)]
    max_w: Annotated[Quantity | None, figure("max_w", 1, "Maximum power of a card", low=1, high=300)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Optic(Row):
    """A transceiver, a cable with its ends, or bare fibre, which has no rate; watts are per end.

    Attributes:
        breakout_count: Links that a split transceiver or cable serves, or legs of a split fibre.
        far_end: Id of the transceiver at the other end of each link of a split one; empty where none is named.
        fibre: Id of the split fibre between them; empty for straight ones.
    """

    type: Annotated[str, text("type", required=True)]
    speed_bytes_per_s: Annotated[
        Quantity | None, figure("speed_gbps", GBIT_PER_S, "Rate of a link", low=1, high=3200)
    ]
    form_factor: Annotated[str, text("form_factor")]
    media: Annotated[str, text("media")]
    cable: Annotated[bool | None, flag("cable")]
    reach_m: Annotated[
        Quantity, figure("reach_m", 1, "Reach of a link", low=0.5, high=200_000, required=True)
    ]
    end_w: Annotated[
        Quantity, figure("power_w_per_end", 1, "Power of one end", low=0, high=40, required=True)
    ]
    breakout_count: Annotated[int | None, whole("breakout_ports", low=2, high=8)]
    breakout_bytes_per_s: Annotated[
        Quantity | None, figure("breakout_gbps", GBIT_PER_S, "Rate of a broken-out port", low=1, high=3200)
    ]
    far_end: Annotated[str, text("far_end")]
    fibre: Annotated[str, text("fibre")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Transport(Row):
    """A way from host to storage with the guide's latency and rate per port."""

    name: Annotated[str, text("name", required=True)]
    guide_latency_low_s: Annotated[
        Quantity | None,
        figure("guide_latency_low_us", US, "Latency, low end", low=1, high=10_000, grade="guide"),
    ]
    guide_latency_high_s: Annotated[
        Quantity | None,
        figure("guide_latency_high_us", US, "Latency, high end", low=1, high=10_000, grade="guide"),
    ]
    guide_port_low_bytes_per_s: Annotated[
        Quantity | None,
        figure("guide_port_low_gbps", GBIT_PER_S, "Rate per port, low end", low=1, high=3200, grade="guide"),
    ]
    guide_port_high_bytes_per_s: Annotated[
        Quantity | None,
        figure(
            "guide_port_high_gbps", GBIT_PER_S, "Rate per port, high end", low=1, high=3200, grade="guide"
        ),
    ]
    lossless: Annotated[bool | None, flag("lossless")]
    shipping_port_bytes_per_s: Annotated[
        Quantity | None, figure("shipping_port_gbps", GBIT_PER_S, "Fastest port that ships", low=1, high=3200)
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class FcRate(Row):
    """A Fibre Channel speed: its name is no rate."""

    name: Annotated[str, text("name", required=True)]
    named_bytes_per_s: Annotated[
        Quantity, figure("named_gbps", GBIT_PER_S, "Rate in the name", low=1, high=256, required=True)
    ]
    nominal_bytes_per_s: Annotated[
        Quantity, figure("nominal_mb_per_s", MB, "Nominal rate one way", low=100, high=30_000, required=True)
    ]
    payload_bytes_per_s: Annotated[
        Quantity | None, figure("payload_gb_per_s", GB, "Payload one way in full frames", low=0.1, high=30)
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Receptacle(Row):
    """The outlet of a circuit: which one a provider usually gives for a voltage, a breaker and phases."""

    label: Annotated[str, text("label", required=True)]
    low_volts: Annotated[Quantity, figure("volts_low", 1, "Voltage, low", low=100, high=1000, required=True)]
    high_volts: Annotated[
        Quantity, figure("volts_high", 1, "Voltage, high", low=100, high=1000, required=True)
    ]
    breaker_amps: Annotated[Quantity, figure("amps", 1, "Breaker", low=5, high=1000, required=True)]
    phase_count: Annotated[int, whole("phases", low=1, high=3, required=True)]
    wires: Annotated[str, text("wires", required=True)]


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerRule(Row):
    """A rule of power, cooling or rack with its value or range."""

    topic: Annotated[str, text("topic", required=True)]
    label: Annotated[str, text("label", required=True)]
    unit: Annotated[str, text("unit")]
    low: Annotated[Quantity | None, measure("low", "low", label_column="label")]
    high: Annotated[Quantity | None, measure("high", "high", label_column="label")]
