"""IOR, mdtest, elbencho and DLIO: units that are called otherwise, tables that must not be mixed up."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from planner.telemetry import Reading, read_measurements
from tests.telemetry.shapes import ELBENCHO, IOR_CSV, IOR_SUMMARY, IOR_TEXT, MDTEST_OLD, figures

SAMPLES = Path(__file__).parent / "samples"
MIB = 2**20
GIB = 2**30


def read(value: object) -> Reading:
    return read_measurements((value if isinstance(value, str) else json.dumps(value)).encode())


# --- IOR ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [IOR_TEXT, IOR_TEXT + IOR_SUMMARY], ids=["rows", "summary"])
def test_the_text_of_ior_gives_means_with_their_extremes(text: str) -> None:
    reading = read(text)
    found = {record.quantity: (record.value, record.low, record.high) for record in reading.records}
    assert found["write_bandwidth"] == pytest.approx((590 * MIB, 580 * MIB, 600 * MIB))
    assert found["read_bandwidth"] == pytest.approx((1201.51 * MIB,) * 3)
    assert found["write_iops"] == pytest.approx((590, 580, 600), rel=1e-4)
    assert len(found) == 4
    assert {(r.version, r.host) for r in reading.records} == {("4.0.0", "node01")}
    assert reading.remarks == ()


def test_of_a_cut_off_summary_the_complete_rows_count() -> None:
    text = IOR_TEXT + IOR_SUMMARY[: IOR_SUMMARY.index("read ") + 25] + "\n"
    reading = read(text)
    assert set(figures(reading)) == {"write_bandwidth", "write_iops"}
    assert reading.remarks == ("test 0: the read row of the summary is incomplete and is left out",)


def test_the_maxima_alone_are_taken_and_named() -> None:
    reading = read("".join(line for line in IOR_TEXT.splitlines(True) if line.startswith(("IOR", "Max"))))
    assert figures(reading)["write_bandwidth"] == pytest.approx(600 * MIB)
    assert reading.remarks == ("test: only the best repetition is given, no mean",)
    wrong = "Max Write: 600.00 MiB/sec (600.00 MB/sec)\n"
    assert read(wrong).remarks == ("test: write_bandwidth is refused: its MiB and its MB differ",)


def test_a_run_without_a_result_is_named() -> None:
    assert read("IOR-4.0.0: MPI Coordinated Test of Parallel I/O\n").remarks == (
        "ior: a run without a result",
    )


def test_the_csv_of_ior_is_read_by_its_header() -> None:
    found = figures(read(IOR_CSV))
    assert found["write_bandwidth"] == pytest.approx(31.312 * MIB)
    assert found["write_iops"] == pytest.approx(31.3795)
    lines = IOR_CSV.splitlines()
    older = "".join(",".join(line.split(",")[:2] + line.split(",")[4:]) + "\n" for line in lines)
    assert figures(read(older)) == {k: v for k, v in found.items() if k.endswith("bandwidth")}
    assert figures(read(IOR_CSV.replace("bw(MiB/s)", "bw(MB/s)")))["write_bandwidth"] == pytest.approx(
        31.312e6
    )


def test_a_table_in_a_unit_that_is_not_known_is_refused() -> None:
    reading = read(IOR_CSV.replace("bw(MiB/s)", "bw(blocks/s)"))
    assert reading.records == ()
    assert reading.remarks == ("ior: a table in “blocks” is refused: the unit is not known",)


def test_an_incomplete_line_of_the_csv_is_left_out() -> None:
    reading = read(IOR_CSV[:-20] + "\n")
    assert figures(reading)["write_bandwidth"] == pytest.approx(30.312 * MIB)
    assert reading.remarks == ("ior: a line of the table is incomplete and is left out",)


def test_without_its_summary_the_json_of_ior_gives_the_mean_of_its_repetitions() -> None:
    text = (SAMPLES / "ior_4.1_summary.json").read_text()
    whole, cut = read(text), read(text[: text.index('"summary"')])
    for record in cut.records:
        (same,) = [r for r in whole.records if r.quantity == record.quantity]
        assert record.value == pytest.approx(same.value)
        assert (record.low, record.high) == pytest.approx((same.low, same.high))
    assert {record.quantity for record in cut.records} == {"read_bandwidth", "write_bandwidth"}
    assert cut.remarks[0] == "ior: truncated at or after “tests”"


def test_a_summary_of_ior_that_contradicts_itself_is_refused() -> None:
    value = json.loads((SAMPLES / "ior_4.1_summary.json").read_text())
    value["summary"][0]["bwMeanMIB"] *= 1.048576
    reading = read(value)
    assert set(figures(reading)) == {"read_bandwidth", "read_iops"}
    assert "operations times their size are another bandwidth" in reading.remarks[0]
    value["summary"][0]["bwMeanMIB"] /= 1.048576
    value["summary"][0]["bwMaxMIB"] = 1.0
    assert "is not between its smallest and largest repetition" in read(value).remarks[0]


# --- mdtest ---------------------------------------------------------------------------------------


def test_rates_of_mdtest_are_not_its_times() -> None:
    reading = read(MDTEST_OLD)
    found = {record.quantity: (record.value, record.low, record.high) for record in reading.records}
    assert found == {
        "file_creation_rate": (422.661, 404.632, 439.763),
        "tree_creation_rate": (456.378, 450.048, 465.711),
    }
    assert {record.version for record in reading.records} == {"1.9.3"}
    assert reading.remarks == ("mdtest: File read was not run",)


def test_a_table_of_mdtest_with_other_columns_is_refused() -> None:
    reading = read(MDTEST_OLD.replace("Max            Min", "Min            Max", 1))
    assert reading.records == ()
    assert reading.remarks == ("mdtest: a rate table is refused: its columns are not known",)


def test_a_cut_off_table_of_mdtest_gives_its_complete_rows() -> None:
    text = (SAMPLES / "mdtest_4.1.txt").read_text()
    reading = read(text[: text.index("49887.648") + 20] + "\n")
    assert figures(reading) == {"directory_creation_rate": 24967.21}
    assert reading.remarks == (
        "mdtest: the row “Directory stat” is incomplete and is left out",
        "mdtest: a rate table has no end: rows may be missing",
    )
    assert read(text[: text.index("SUMMARY")]).remarks == ("mdtest: a run without a rate table",)


def test_a_row_of_mdtest_with_a_broken_number_is_left_out() -> None:
    reading = read(MDTEST_OLD.replace("422.661", "422..66"))
    assert set(figures(reading)) == {"tree_creation_rate"}
    assert reading.remarks[0] == "mdtest: the row “File creation” is incomplete and is left out"


# --- elbencho -------------------------------------------------------------------------------------


def test_elbencho_counts_what_is_last_done_in_the_unit_of_the_label() -> None:
    reading = read(ELBENCHO)
    found = {(r.subject, r.quantity): r.value for r in reading.records}
    assert found == pytest.approx(
        {
            ("WRITE", "write_iops"): 33352,
            ("WRITE", "write_bandwidth"): 33352 * MIB,
            ("WRITE", "write_latency_p50"): 4096e-6,
            ("WRITE", "write_latency_p99"): 6889e-6,
            ("WRITE", "write_latency_p999"): 8192e-6,
            ("RWMIX70", "write_iops"): 300,
            ("RWMIX70", "read_iops"): 700,
            ("RWMIX70", "write_bandwidth"): 37e6,
            ("RWMIX70", "read_bandwidth"): 87e6,
            ("RWMIX70", "write_latency_p50"): 20e-6,
            ("RWMIX70", "write_latency_p99"): 40e-6,
            ("RWMIX70", "read_latency_p50"): 21e-6,
            ("RWMIX70", "read_latency_p99"): 41e-6,
        }
    )
    assert (reading.kind, reading.remarks) == ("elbencho", ())


def test_the_older_table_of_elbencho() -> None:
    text = ELBENCHO.replace("Elapsed time ", "Elapsed ms   ").replace("IO lat % us  ", "IO lat %ile  ")
    assert figures(read(text)) == figures(read(ELBENCHO))


@pytest.mark.parametrize(
    ("before", "after", "remark"),
    [
        ("33395       33352\n            Total", "33395\n            Total", "it has not two whole numbers"),
        ("WRITE       Elapsed", "STAT        Elapsed", "of a phase that neither reads nor writes is refused"),
        ("50%<=4096", "50%<=huge", "“huge” is no number"),
    ],
)
def test_a_row_of_elbencho_that_is_not_understood_is_refused(before: str, after: str, remark: str) -> None:
    assert before in ELBENCHO
    assert any(remark in line for line in read(ELBENCHO.replace(before, after)).remarks)


# --- DLIO and MLPerf Storage ----------------------------------------------------------------------


def summary(**metric: object) -> dict[str, object]:
    return {"num_accelerators": 8, "hostname": "node01", "metric": metric}


def test_what_dlio_calls_gb_is_gib() -> None:
    reading = read(
        summary(
            save_checkpoint_io_mean_GB_per_second=2.0,
            save_checkpoint_duration_mean_seconds=10.0,
            load_checkpoint_io_mean_GB_per_second=3.5,
            checkpoint_size_GB=20.0,
        )
    )
    assert figures(reading) == {
        "checkpoint_write_bandwidth": 2 * GIB,
        "checkpoint_read_bandwidth": 3.5 * GIB,
    }
    assert {(r.subject, r.host, r.detail) for r in reading.records} == {
        ("checkpoint", "node01", "8 accelerators")
    }


def test_one_accelerator_on_one_host_is_told_as_one() -> None:
    reading = read(
        {"num_accelerators": 1, "num_hosts": 1, "metric": {"save_checkpoint_io_mean_GB_per_second": 2.0}}
    )
    assert [record.detail for record in reading.records] == ["1 accelerator, 1 host"]


def test_a_mean_of_no_checkpoint_is_refused() -> None:
    """Where nothing is saved the tool writes the mean of nothing, which is NaN."""
    reading = read(
        summary(save_checkpoint_io_mean_GB_per_second=float("nan"), load_checkpoint_io_mean_GB_per_second=1.0)
    )
    assert figures(reading) == {"checkpoint_read_bandwidth": GIB}
    assert reading.remarks == (
        "checkpoint: checkpoint_write_bandwidth is refused: “nan” is no finite number",
    )


def test_an_old_summary_without_means_gives_the_mean_of_its_epochs() -> None:
    epochs = {
        "train_au_percentage": [90.0, 94.0],
        "train_throughput_samples_per_second": [700.0, 702.0],
        "train_io_mean_MB_per_second": 100.0,
    }
    reading = read(summary(**epochs))
    found = {record.quantity: (record.value, record.low, record.high) for record in reading.records}
    assert found["accelerator_utilisation"] == pytest.approx((0.92, 0.9, 0.94))
    assert found["samples_rate"] == (701.0, 700.0, 702.0)
    assert found["read_bandwidth"] == (100 * MIB, None, None)
    assert reading.remarks[0] == "training: no mean of accelerator_utilisation; it is made of 2 epochs"


def test_more_than_all_of_an_accelerator_is_refused() -> None:
    reading = read(summary(train_au_mean_percentage=112.0))
    assert reading.records == ()
    assert "112 is outside 0 to 100" in reading.remarks[0]


def test_a_run_that_failed_or_may_be_cached_is_named() -> None:
    value = summary(
        train_au_mean_percentage=50.0,
        train_throughput_mean_samples_per_second=1.0,
        train_io_mean_MB_per_second=1.0,
        train_au_meet_expectation="fail",
    )
    assert read(value | {"potential_caching": [0, 1]}).remarks == (
        "training: the accelerators are used less than the benchmark asks for",
        "training: the data fits a host's memory, so that reads may come from there",
    )


# --- cut off between two lines --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "kept_lines", "told"),
    [
        (
            (SAMPLES / "mdtest_4.1.txt").read_text(),
            16,
            "mdtest: a rate table has no end: rows may be missing",
        ),
        (IOR_TEXT, 14, "ior: the run has no end: repetitions may be missing"),
        (IOR_TEXT + IOR_SUMMARY, 23, "ior: no read row in the summary, which may be cut off"),
        (ELBENCHO, 11, "elbencho: the phase WRITE has no end: figures may be missing"),
    ],
)
def test_a_text_that_was_cut_off_between_two_lines_says_so(text: str, kept_lines: int, told: str) -> None:
    """Every line that is left is whole, so nothing but the missing end tells."""
    assert told not in read(text).remarks
    cut = read("".join(text.splitlines(keepends=True)[:kept_lines]))
    assert 0 < len(cut.records) < len(read(text).records) or "ior: the run" in told
    assert told in cut.remarks


def test_a_file_of_a_known_tool_without_a_figure_says_so() -> None:
    other_unit = "WRITE       Elapsed time     :  1s  1s\n            Throughput GiB/s :  1  1\n---\n"
    reading = read(other_unit)
    assert reading.kind == "elbencho"
    assert reading.records == ()
    assert reading.remarks == ("no figure in it that is read",)
