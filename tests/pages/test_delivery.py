"""The Delivery screen: files in, verdicts out, a measured figure taken into the design."""

from __future__ import annotations

from pathlib import Path

from streamlit.testing.v1 import AppTest

from planner.telemetry.acceptance import promises
from tests.pages.visitor import cells, clean, go, lines, visit
from tests.plan.changes import EVIDENCE, planned
from tests.telemetry.test_acceptance import fio

SAMPLES = Path(__file__).parents[1] / "telemetry" / "samples"


def drop(at: AppTest, files: dict[str, bytes]) -> AppTest:
    return clean(
        at.file_uploader(key="delivery.files")
        .set_value([(name, content, "application/json") for name, content in files.items()])
        .run()
    )


def test_without_files_every_promise_is_open() -> None:
    at = go(visit(), "delivery")
    assert at.title[0].value == "Delivery"
    assert len(cells(at, 0)) == len(promises(planned(EVIDENCE, {})))


def test_twelve_nodes_of_which_three_are_odd_are_named_with_what_that_means() -> None:
    plan = planned(EVIDENCE, {})
    needed = plan.main.job.checkpoint.node_write_bytes_per_s.number
    files = {
        f"node{n:02}.json": fio(needed * (0.6 if n in (3, 7, 11) else 1.3 + n / 1000)) for n in range(12)
    }
    at = drop(go(visit(), "delivery"), files)
    assert lines(at) == []
    assert "3 subjects short of the design" in at.subheader[0].value
    short = [row for row in cells(at, 0) if "falls short" in row["Verdict"]]
    assert {row["Of"] for row in short} == {"node03", "node07", "node11"}
    told = " ".join(str(item.value) for item in at.markdown)
    assert "With the slowest node that was measured a save takes" in told
    clean(at.button(key="delivery.network.node_variation_fraction").click().run())
    held = at.session_state["_inputs"]
    assert held["network.node_variation_fraction"] != "10\u00a0%"


def test_mixed_outputs_and_a_file_of_no_known_kind() -> None:
    names = ("fio_3.33_numjobs4.json", "nvme_v2.11_smart-log.json", "nvme_list-subsys_2.3.json")
    files = {name: (SAMPLES / name).read_bytes() for name in names}
    at = drop(go(visit(), "delivery"), {**files, "notes.txt": b"hello"})
    (line,) = lines(at)
    assert "notes.txt" in line
    assert len(at.expander) == len(names)
