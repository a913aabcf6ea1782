"""Loaded figures against the published ones; the numbers are those of the reference, not of our files."""

import os
from pathlib import Path

import pytest

from planner.catalogue import Catalogue, load_catalogue
from planner.core.quantity import Quantity

TB, GB, GBIT = 1e12, 1e9, 1e9 / 8


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue()


FIGURES = [
    # kind, id, attribute, value, unit, grade
    ("drives", "m9550max-6400", "rated_write_bytes", 35.04e15, "bytes", "seen"),
    ("drives", "m9550max-6400", "write_bytes_per_s", 10 * GB, "bytes/s", "seen"),
    ("drives", "m9550max-6400", "read_bytes_per_s", 14 * GB, "bytes/s", "seen"),
    ("drives", "m9550max-6400", "max_w", 25, "W", "from memory"),
    ("drives", "m9550max-6400", "active_write_w", 16, "W", "seen"),
    ("drives", "m9550max-6400", "endurance_dwpd", 3, "DWPD", "seen"),
    ("drives", "m9550max-6400", "warranty_s", 5 * 365 * 86_400, "s", "seen"),
    ("drives", "m9550max-6400", "read_latency_s", 60e-6, "s", "seen"),
    ("drives", "p5620-6400", "write_bytes_per_s", 4.2 * GB, "bytes/s", "from memory"),
    ("drives", "p5800x-1600", "endurance_dwpd", 100, "DWPD", "seen"),
    ("drives", "p5800x-1600", "read_bytes_per_s", 7.2 * GB, "bytes/s", "from memory"),
    ("drives", "m6550ion-61440", "random_endurance_dwpd", 0.25, "DWPD", "seen"),
    ("drives", "bm1743-61440", "random_read_per_s", 1.6e6, "per s", "from memory"),
    ("platforms", "wekapod-nitro-155", "usable_bytes_per_unit", 60.5 * TB, "bytes", "seen"),
    ("platforms", "wekapod-nitro-155", "min_units_count", 8, "count", "seen"),
    ("platforms", "vast-ebox-30", "burst_write_bytes_per_s", 10 * GB, "bytes/s", "seen"),
    ("platforms", "vast-ebox-30", "write_bytes_per_s", 2.6 * GB, "bytes/s", "seen"),
    ("platforms", "spdk-2u24-gen5", "typical_w", 1150, "W", "from memory"),
    ("platforms", "ddn-ai400x2t", "write_bytes_per_s", 75 * GB, "bytes/s", "from memory"),
    ("platforms", "ddn-ai400x2t", "read_bytes_per_s", 103.8 * GB, "bytes/s", "seen"),
    ("platforms", "gpfs-ece-24", "front_end_bytes_per_s", 200 * GBIT, "bytes/s", "seen"),
    ("gpu_nodes", "gb200-tray", "gpu_count", 4, "count", "seen"),
    ("gpu_nodes", "gb200-tray", "host_memory_bytes", 0.96 * TB, "bytes", "from memory"),
    ("gpu_nodes", "dgx-b200", "storage_port_bytes_per_s", 400 * GBIT, "bytes/s", "seen"),
    ("gpu_nodes", "gb200-nvl72", "max_w", 120e3, "W", "seen"),
    ("gpus", "gb200", "bf16_flops", 2500e12, "FLOP/s", "seen"),
    ("gpus", "h100-sxm", "rental_high_usd_per_hour", 6.88, "USD/h", "seen"),
    ("switches", "sn5600", "port_count", 64, "count", "seen"),
    ("switches", "sn5600", "buffer_bytes", 160e6, "bytes", "seen"),
    ("switches", "sn4700", "buffer_bytes", 64e6, "bytes", "from memory"),
    ("switches", "g720", "max_w", 700, "W", "seen"),
    ("nics", "cx7-400", "typical_w", 25, "W", "from memory"),
    ("optics", "dr4-400g", "end_w", 9, "W", "seen"),
    ("transports", "rdma", "guide_latency_high_s", 30e-6, "s", "guide"),
    ("fc_rates", "fc-32", "payload_bytes_per_s", 3.306 * GB, "bytes/s", "inferred"),
    ("recipes", "adamw-mixed", "total_bytes", 14, "bytes", "seen"),
    ("failure_rates", "llama3", "failures_per_1000_gpu_days", 0.474, "per 1,000 GPU-days", "seen"),
    ("guide", "G46", "low", 0.875 * GBIT, "bytes/s", "guide"),
    ("guide", "G61", "high", 13.44 * TB, "bytes/day", "guide"),
    ("guide", "G29", "low", 0.3, "fraction", "guide"),
    ("guide", "G39", "high", 100e-6, "s", "guide"),
    ("client_stacks", "nfs", "low_fraction", 0.16, "fraction", "class assumption"),
    ("assumptions", "rebuild-detect", "typical", 900, "s", "seen"),
    ("assumptions", "drive-gen5-active-w", "high", 29, "W", "class assumption"),
]


@pytest.mark.parametrize(("kind", "row_id", "attribute", "value", "unit", "grade"), FIGURES)
def test_figure_is_the_published_one(catalogue, kind, row_id, attribute, value, unit, grade):
    quantity = getattr(catalogue.find(kind, row_id), attribute)
    assert quantity.number == pytest.approx(value, rel=1e-12)
    assert (quantity.unit, quantity.grade) == (unit, grade)
    assert row_id in quantity.source


@pytest.mark.parametrize(
    ("kind", "row_id", "attribute"),
    [
        ("drives", "m9550max-6400", "idle_w"),
        ("drives", "pm1763-16000", "endurance_dwpd"),
        ("platforms", "pure-fb-s500", "write_bytes_per_s"),
        ("platforms", "netapp-a90", "read_bytes_per_s"),
        ("platforms", "hpe-x10000", "typical_w"),
        ("platforms", "vast-ebox-30", "burst_buffer_bytes"),
        ("switches", "z9432f", "typical_w"),
        ("nics", "pollara-400", "max_w"),
    ],
)
def test_what_the_sources_leave_open_stays_open(catalogue, kind, row_id, attribute):
    assert getattr(catalogue.find(kind, row_id), attribute) is None


def test_whole_file_can_be_from_memory(catalogue):
    row = catalogue.drives["p5520-7680"]
    graded = {
        getattr(row, name).grade
        for name in ("capacity_bytes", "write_bytes_per_s", "max_w", "endurance_dwpd")
    }
    assert graded == {"from memory"}


NAMED_BY_THE_GUIDE = {
    "vast-ceres-3015": "all-flash",
    "pure-fb-s500": "all-flash",
    "netapp-a900": "all-flash",
    "spdk-2u24-gen5": "software-defined",
    "nvmet-2u24-gen4": "software-defined",
    "wekafs-generic-12": "pfs",
    "lustre-oss-generic": "pfs",
    "ibm-sss6000": "pfs",
    "gpfs-ece-24": "pfs",
    "minio-2u24": "object",
    "s3-hdd-32": "object",
    "zfs-raidz2-generic": "software-defined",
    "nfs-legacy": "baseline",
    "iscsi-legacy": "baseline",
}


@pytest.mark.parametrize(("row_id", "category"), NAMED_BY_THE_GUIDE.items())
def test_every_platform_that_the_guide_names_can_be_chosen(catalogue, row_id, category):
    assert catalogue.find("platforms", row_id).category == category


def test_wekafs_counts_as_both_kinds_that_the_guide_puts_it_in(catalogue):
    assert catalogue.platforms["wekafs-generic-12"].categories == ("pfs", "software-defined")


def test_generic_kit_is_marked_and_has_what_sizing_needs(catalogue):
    generic = {row.id: row for row in catalogue.platforms.values() if row.generic}
    assert set(generic) == {
        "spdk-2u24-gen5",
        "nvmet-2u24-gen4",
        "lustre-oss-generic",
        "minio-2u24",
        "s3-hdd-32",
    }
    needed = (
        "drives_per_unit_count",
        "drive_bytes",
        "raw_bytes_per_unit",
        "read_bytes_per_s",
        "write_bytes_per_s",
        "rack_units_ru",
        "typical_w",
        "front_end_port_count",
        "front_end_bytes_per_s",
    )
    missing = [(row.id, name) for row in generic.values() for name in needed if getattr(row, name) is None]
    assert missing == []


@pytest.mark.parametrize(
    ("row_id", "namespace", "nvme_transports"),
    [
        ("vast-ebox-15", True, ("tcp",)),
        ("pure-fb-s500", False, ()),
        ("netapp-a900", True, ("fc", "tcp")),
        ("netapp-ef600", True, ("rdma", "ib", "fc")),
        ("spdk-2u24-gen5", True, ("rdma", "ib", "tcp", "fc")),
        ("wekapod-nitro-155", False, ()),
        ("dell-f710", False, ()),
        ("iscsi-legacy", None, ()),
    ],
)
def test_which_platforms_export_namespaces_and_how(catalogue, row_id, namespace, nvme_transports):
    row = catalogue.platforms[row_id]
    assert (row.host_nvme_namespace, row.nvme_transports) == (namespace, nvme_transports)


def test_transports_and_protocols_hold_only_what_is_stated(catalogue):
    row = catalogue.platforms["netapp-a900"]
    assert row.transports == {"tcp", "fc"}
    assert row.protocols == {"nfs", "nfs_rdma", "smb", "s3", "iscsi"}
    assert catalogue.platforms["pure-fb-s200"].transports == frozenset()
    assert catalogue.platforms["pure-fb-s200"].rdma is None


def test_namespace_is_exported_by_every_transport_that_the_row_lists_for_it(catalogue):
    wrong = [row.id for row in catalogue.platforms.values() if not set(row.nvme_transports) <= row.transports]
    assert wrong == []


def test_front_end_was_split_into_ports_and_rate(catalogue):
    row = catalogue.platforms["spdk-2u24-gen5"]
    assert (row.front_end_port_count.number, row.front_end_bytes_per_s.number) == (2, 400 * GBIT)


def test_ports_by_rate(catalogue):
    assert catalogue.switches["sn5600"].ports_by_gbps == {100: 256, 200: 256, 400: 128, 800: 64}
    assert catalogue.switches["sn4600c"].ports_by_gbps == {100: 64}
    assert catalogue.switches["g720"].ports_by_gbps == {64: 64}


@pytest.mark.parametrize(
    ("row_id", "data", "parity", "copies", "local", "ratio"),
    [
        ("8+2", 8, 2, 1, False, 1.25),
        ("12+3", 12, 3, 1, False, 1.25),
        ("raid-z2", 8, 2, 1, True, 1.25),
        ("2-way", 1, 1, 2, False, 2),
        ("3-way", 1, 2, 3, False, 3),
        ("none", 1, 0, 1, False, 1),
    ],
)
def test_protection(catalogue, row_id, data, parity, copies, local, ratio):
    row = catalogue.protection[row_id]
    assert (row.data_chunk_count, row.parity_chunk_count, row.copy_count, row.local) == (
        data,
        parity,
        copies,
        local,
    )
    assert (row.raw_per_usable_ratio, row.width_count) == (ratio, data + parity)


@pytest.mark.parametrize(
    ("billion", "row_id", "low", "high"),
    [
        (7, "7b", 4, 8),
        (8, "7b", 4, 8),
        (30, "70b", 2, 4),
        (70, "70b", 2, 4),
        (671, "405b", 2, 4),
        (175, "175b", 2, 4),
    ],
)
def test_nearest_row_of_the_guide_is_in_log_size(catalogue, billion, row_id, low, high):
    row = catalogue.guide_model(billion * 1e9)
    assert (row.id, row.low_bytes.number, row.high_bytes.number) == (row_id, low, high)


def test_every_row_of_the_guide_is_there(catalogue):
    assert list(catalogue.guide) == [f"G{number:02d}" for number in range(1, 79)]


def test_guide_can_be_printed_in_its_own_units(catalogue):
    assert catalogue.guide["G06"].printed == "100 to 400 Gb/s"
    assert catalogue.guide["G61"].printed == "13.44 TB/day"
    assert catalogue.guide["G39"].printed == "up to 100 us"
    assert catalogue.guide["G72"].printed == "from 100 Gb/s"
    assert (catalogue.guide["G11"].choice, catalogue.guide["G11"].printed) == ("rdma", "rdma")


def test_sizes_of_a_family(catalogue):
    tb = [size / TB for size in catalogue.sizes_of_drive("m9550max-6400")]
    assert tb == pytest.approx([3.2, 6.4, 12.8, 25.6])
    assert [size / TB for size in catalogue.sizes_of_drive("cm7r-7680")] == pytest.approx([7.68])


@pytest.mark.parametrize("basis", ["derived", "published"])
def test_endurance_is_capacity_times_rating_times_five_years(catalogue, basis):
    rows = [row for row in catalogue.drives.values() if row.rated_write_basis == basis and row.endurance_dwpd]
    assert len(rows) > 5
    for row in rows:
        expected = row.capacity_bytes.number * row.endurance_dwpd.number * 1825
        assert row.rated_write_bytes.number == pytest.approx(expected, rel=0.01), row.id


GUIDE_PRICES = [("all-flash", 200, 500), ("pfs-nvme", 150, 350), ("pfs-ssd", 80, 200), ("object", 20, 60)]


@pytest.mark.parametrize(("tier", "low", "high"), GUIDE_PRICES)
def test_prices_of_the_guide(catalogue, tier, low, high):
    row = catalogue.price_sets["guide"].price("tiers", tier)
    assert (row.low.number, row.high.number, row.low.unit, row.low.grade) == (low, high, "USD/TB", "guide")


@pytest.mark.parametrize(
    ("kind", "part", "low", "high", "unit", "as_of", "grade"),
    [
        ("drives", "m9550max-6400", 300, 1172, "USD/TB", "2026-08-23", "seen"),
        ("drives", "cd8pr-30720", 21685.99, 21685.99, "USD", "2026", "seen"),
        ("hdds", "any", 25, 25, "USD/TB", "2026-08-23", "seen"),
        ("servers", "spdk-2u24-gen5", 12000, 25000, "USD", "2025", "from memory"),
        ("servers", "s3-hdd-32", 12000, 25000, "USD", "2025", "class assumption"),
        ("switches", "sn5600", 45000, 75000, "USD", "2025", "from memory"),
        ("nics", "cx7-400", 1599, 2188, "USD", "2026-09", "seen"),
        ("optics", "dr4-400g", 450, 1100, "USD", "2026", "seen"),
        ("facility", "colocation", 150, 300, "USD/kW/month", "2025", "from memory"),
        ("facility", "energy", 0.06, 0.15, "USD/kWh", "2025", "from memory"),
    ],
)
def test_dated_prices(catalogue, kind, part, low, high, unit, as_of, grade):
    row = catalogue.price_sets["catalogue-2026"].price(kind, part)
    assert (row.low.number, row.high.number) == (low, high)
    assert (row.low.unit, row.as_of, row.low.grade) == (unit, as_of, grade)


def test_what_has_no_price_has_none(catalogue):
    prices = catalogue.price_sets["catalogue-2026"]
    assert prices.price("switches", "qm9700") is None
    assert prices.price("nics", "thor2-400") is None
    assert catalogue.price_sets["guide"].price("drives", "m9550max-6400") is None


def test_every_row_has_a_source_and_every_figure_a_grade(catalogue):
    for kind in (
        "gpus",
        "gpu_nodes",
        "drives",
        "platforms",
        "switches",
        "nics",
        "optics",
        "assumptions",
        "guide",
    ):
        for row in getattr(catalogue, kind).values():
            assert row.source, row.id
            figures = [v for name in row.__slots__ if isinstance(v := getattr(row, name), Quantity)]
            assert all(figure.source and figure.grade and figure.label for figure in figures), row.id


def test_reading_does_not_depend_on_the_working_directory(tmp_path, catalogue):
    before = Path.cwd()
    os.chdir(tmp_path)
    try:
        fresh = load_catalogue(Path(__file__).resolve().parents[2] / "data")
    finally:
        os.chdir(before)
    assert fresh.hash == catalogue.hash


def test_shipped_catalogue_is_read_once(catalogue):
    assert load_catalogue() is catalogue
