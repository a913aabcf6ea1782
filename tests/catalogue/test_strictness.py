"""A broken data file is refused with file, line and column, and nothing is read by halves."""

import csv
import io
import re
import shutil
from pathlib import Path

import pytest

from planner.catalogue import Drive, Place, default_folder, load_catalogue, read_row
from planner.core.errors import PlannerError

DRIVES = "hardware/nvme_drives.csv"
DRIVE = "m9550max-6400"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    for folder in ("hardware", "rules", "prices"):
        shutil.copytree(default_folder() / folder, tmp_path / folder)
    shutil.copy(default_folder() / "sources.csv", tmp_path / "sources.csv")
    return tmp_path


def table(path: Path) -> list[list[str]]:
    return list(csv.reader(io.StringIO(path.read_text(encoding="utf-8"))))


def write(path: Path, rows: list[list[str]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)


def set_cell(data: Path, file: str, row_id: str, column: str, value: str) -> int:
    """Change one cell and return its line."""
    rows = table(data / file)
    line = next(number for number, row in enumerate(rows) if row[0] == row_id)
    rows[line][rows[0].index(column)] = value
    write(data / file, rows)
    return line + 1


def refusal(data: Path) -> str:
    with pytest.raises(PlannerError) as caught:
        load_catalogue(data)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_untouched_copy_loads_with_the_same_hash(data):
    assert load_catalogue(data).hash == load_catalogue().hash


@pytest.mark.parametrize(
    ("file", "row_id", "column", "value", "reason"),
    [
        (DRIVES, DRIVE, "write_gb_per_s", "fast", "“fast” is not a number"),
        (DRIVES, DRIVE, "write_gb_per_s", "10;20", "“10;20” is not a number"),
        (DRIVES, DRIVE, "write_gb_per_s", "nan", "“nan” is not a number"),
        (DRIVES, DRIVE, "write_gb_per_s", "inf", "“inf” is not a number"),
        (DRIVES, DRIVE, "write_gb_per_s", "10000", "10000 is outside the plausible range 0.2 to 60"),
        (DRIVES, DRIVE, "write_gb_per_s", "-1", "-1 is outside the plausible range 0.2 to 60"),
        (DRIVES, DRIVE, "max_w", "250", "250 is outside the plausible range 5 to 80"),
        (DRIVES, DRIVE, "capacity_tb", "", "the cell is empty"),
        (DRIVES, DRIVE, "pcie_gen", "5.0", "“5.0” is not a whole number"),
        (DRIVES, DRIVE, "nand_class", "TLCC", "did you mean TLC?"),
        (DRIVES, DRIVE, "dual_port", "y", "“y” is neither yes nor no"),
        (DRIVES, DRIVE, "source", "", "the source is missing"),
        (DRIVES, DRIVE, "source", "ET9;GOSSIP", "“GOSSIP” is not in sources.csv"),
        (DRIVES, DRIVE, "confidence", "sure", "“sure” is none of seen"),
        (DRIVES, DRIVE, "as_of", "last week", "“last week” is no date"),
        (DRIVES, DRIVE, "unverified_fields", "write", "“write” is no column"),
        (DRIVES, DRIVE, "form_factors", "U.2;U.2", "has an empty or repeated part"),
        ("hardware/switches.csv", "sn5600", "fabric", "Ethernet", "did you mean ethernet?"),
        ("hardware/storage_platforms.csv", "vast-ebox-15", "categories", "flash", "did you mean all-flash?"),
        ("rules/protection.csv", "8+2", "local", "", "the cell is empty"),
        ("prices/guide.csv", "object", "metric", "per TiB", "did you mean per TB?"),
    ],
)
def test_bad_cell_names_file_line_and_column(data, file, row_id, column, value, reason):
    line = set_cell(data, file, row_id, column, value)
    message = refusal(data)
    assert message.startswith(f"{file}:{line} {column}: ")
    assert reason in message


def test_unknown_column_is_refused_with_the_closest_one(data):
    rows = table(data / DRIVES)
    rows[0][rows[0].index("write_gb_per_s")] = "write_gb_s"
    write(data / DRIVES, rows)
    assert refusal(data) == f"{DRIVES}:1 write_gb_s: the column is not known; did you mean write_gb_per_s?"


def test_missing_column_is_refused(data):
    rows = table(data / DRIVES)
    at = rows[0].index("max_w")
    write(data / DRIVES, [row[:at] + row[at + 1 :] for row in rows])
    assert refusal(data) == f"{DRIVES}:1 max_w: the column is missing"


def test_repeated_column_is_refused(data):
    rows = table(data / DRIVES)
    at = rows[0].index("max_w")
    write(data / DRIVES, [[*row[:at], row[at], *row[at:]] for row in rows])
    assert refusal(data) == f"{DRIVES}:1 max_w: the column is there twice"


def test_source_columns_must_come_last(data):
    rows = table(data / DRIVES)
    write(data / DRIVES, [[row[0], row[-1], *row[1:-1]] for row in rows])
    assert re.match(rf"{DRIVES}:1: id must be the first column", refusal(data))


def test_repeated_id_is_refused(data):
    rows = table(data / DRIVES)
    write(data / DRIVES, [*rows, rows[1]])
    assert refusal(data) == f"{DRIVES}:{len(rows) + 1} id: “{rows[1][0]}” is there twice"


def test_short_row_is_refused(data):
    rows = table(data / DRIVES)
    rows[3] = rows[3][:-2]
    write(data / DRIVES, rows)
    assert refusal(data) == f"{DRIVES}:4: {len(rows[3])} cells where the header has {len(rows[0])} columns"


def test_empty_file_is_refused(data):
    (data / DRIVES).write_text("")
    assert refusal(data).startswith(f"{DRIVES}:1: the file is empty")


def test_missing_file_is_refused(data):
    (data / DRIVES).unlink()
    assert refusal(data) == f"{DRIVES}: the file is missing from the data folder"


def test_folder_without_prices_is_refused(data):
    shutil.rmtree(data / "prices")
    assert refusal(data) == "prices: the folder holds no price set"


def test_bytes_that_are_no_text_are_refused(data):
    (data / DRIVES).write_bytes(b"id,\xff\n")
    assert refusal(data) == f"{DRIVES}: byte 3 is not UTF-8"


@pytest.mark.parametrize(
    ("file", "row_id", "column", "value", "message"),
    [
        (
            DRIVES,
            "m9550pro-7680",
            "active_write_w",
            "30",
            "drives m9550pro-7680: active_write_w 30 is above max_w 25",
        ),
        (DRIVES, "p5520-7680", "idle_w", "19", "drives p5520-7680: idle_w 19 is above active_read_w 18"),
        (
            "hardware/switches.csv",
            "g720",
            "typical_w",
            "800",
            "switches g720: typical_w 800 is above max_w 700",
        ),
        (
            "hardware/gpu_nodes.csv",
            "dgx-b200",
            "local_drives",
            "4",
            "gpu_nodes dgx-b200: local_raw_tb is not drives",
        ),
        (
            "hardware/storage_platforms.csv",
            "spdk-2u24-gen5",
            "drive_tb",
            "15.36",
            "platforms spdk-2u24-gen5: raw_bytes_per_unit 1.8432e+14 is not drives_per_unit_count × drive_bytes",
        ),
        (
            "hardware/switches.csv",
            "sn5600",
            "capacity_tbps_one_way",
            "25.6",
            "is not port_count × port_bytes_per_s",
        ),
        (
            "hardware/nics.csv",
            "cx7-2x200",
            "total_gbps",
            "200",
            "nics cx7-2x200: total_bytes_per_s 2.5e+10 is not",
        ),
        (
            "hardware/optics.csv",
            "dr4-400g",
            "breakout_gbps",
            "200",
            "optics dr4-400g: speed_bytes_per_s 5e+10 is not",
        ),
        (DRIVES, "m9550max-6400", "dwpd", "1", "drives m9550max-6400: rated_write_bytes 3.504e+16 is not"),
        (
            "hardware/switches.csv",
            "sn4700",
            "max_w",
            "9000",
            "switches sn4700: max_w 9000 is more than 8000 W in each of 1 rack units",
        ),
        ("rules/receptacles.csv", "nema-l6-30r", "volts_low", "260", "low_volts 260 is above high_volts 250"),
        ("hardware/gpu_nodes.csv", "dgx-b200", "gpu_id", "b20-sxm", "did you mean b200-sxm?"),
        ("rules/recipes.csv", "adamw-mixed", "total", "16", "total is not the sum 14 of its parts"),
        ("rules/recipes.csv", "guide-low", "guide_bound", "", "neither a total nor the guide's bound"),
        ("prices/guide.csv", "object", "low_usd", "70", "low_usd is above high_usd"),
        (
            "prices/catalogue-2026.csv",
            "switch-32x400",
            "applies_to",
            "sn4700;sn4701",
            "“sn4701” is not in the catalogue",
        ),
        (
            "prices/catalogue-2026.csv",
            "switch-32x400",
            "applies_to",
            "sn5600",
            "a second price for switches sn5600",
        ),
        ("prices/catalogue-2026.csv", "drive-m6550", "applies_to", "", "a second price for all drives"),
    ],
)
def test_rows_that_contradict_themselves_are_refused(data, file, row_id, column, value, message):
    set_cell(data, file, row_id, column, value)
    assert message in refusal(data)


def test_any_change_of_a_file_changes_the_hash(data):
    set_cell(data, DRIVES, DRIVE, "notes", "another note")
    assert load_catalogue(data).hash != load_catalogue().hash


def test_repeated_source_key_is_refused(data):
    path = data / "sources.csv"
    rows = table(path)
    write(path, [*rows, rows[1]])
    assert refusal(data) == f"sources.csv:{len(rows) + 1} key: “{rows[1][0]}” is there twice"


def test_find_names_field_id_and_the_closest_row():
    with pytest.raises(PlannerError) as caught:
        load_catalogue().find("drives", "m9550max-640", field="storage.drive_id")
    expected = "storage.drive_id: no drive “m9550max-640” in the catalogue; did you mean m9550max-6400?"
    assert str(caught.value) == expected
    assert caught.value.field == "storage.drive_id"


def test_find_of_an_unknown_kind_is_a_defect_not_a_message():
    with pytest.raises(KeyError):
        load_catalogue().find("hash", "x")


def own_drive(**changes: str) -> dict[str, str]:
    cells = {
        "id": "own-1",
        "vendor": "Own",
        "model": "One",
        "nand_class": "TLC",
        "endurance_class": "mixed",
        "capacity_tb": "3.2",
        "pcie_gen": "5",
        "lanes": "4",
        "write_gb_per_s": "8",
        "source": "our lab",
        "confidence": "seen",
        "as_of": "2026-09",
    }
    return cells | changes


def test_own_row_joins_the_catalogue_and_changes_its_hash():
    row = read_row(Drive, own_drive(), place=Place("own drives", 1))
    wider = load_catalogue().extended("drives", {row.id: row})
    assert wider.find("drives", "own-1").write_bytes_per_s.number == 8e9
    assert wider.find("drives", "own-1").source == "our lab"
    assert wider.hash != load_catalogue().hash
    assert "own-1" not in load_catalogue().drives


def test_own_row_is_read_as_strictly():
    with pytest.raises(PlannerError, match=r"^own drives:1 capacity_tb: 0 is outside the plausible range"):
        read_row(Drive, own_drive(capacity_tb="0"), place=Place("own drives", 1))
    with pytest.raises(PlannerError, match=r"^own drives:1 colour: the column is not known"):
        read_row(Drive, own_drive(colour="red"), place=Place("own drives", 1))
    with pytest.raises(PlannerError, match=r"^own drives:1 id: “a b” is not an id"):
        read_row(Drive, own_drive(id="a b"), place=Place("own drives", 1))


def test_own_row_cannot_replace_a_shipped_one():
    row = read_row(Drive, own_drive(id=DRIVE), place=Place("own drives", 1))
    with pytest.raises(PlannerError, match=f"^drives: “{DRIVE}” is already in the catalogue$"):
        load_catalogue().extended("drives", {row.id: row})
