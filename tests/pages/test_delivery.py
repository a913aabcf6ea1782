"""The Delivery screen: files in, verdicts out, results kept with a revision, a measured figure taken into the design."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

from streamlit.testing.v1 import AppTest

from pages._ui import answers, exports
from planner.review import RegisterItem
from planner.telemetry.as_built import as_built
from planner.telemetry.kept import readings_of
from planner.telemetry.promises import promises
from tests.pages.visitor import cells, clean, every_row, go, lines, open_panel, press, said, save, visit
from tests.pdf_text import words_in
from tests.plan.changes import EVIDENCE, planned
from tests.telemetry.delivered import ODD, fio, folder

SAMPLES = Path(__file__).parents[1] / "telemetry" / "samples"


def drop(at: AppTest, files: dict[str, bytes], key: str = "delivery.files") -> AppTest:
    return clean(
        at.file_uploader(key=key)
        .set_value([(name, content, "application/json") for name, content in files.items()])
        .run()
    )


def test_without_files_every_promise_is_open() -> None:
    at = go(visit(), "delivery")
    assert at.title[0].value == "Delivery"
    promised = promises(planned(EVIDENCE, {}))
    assert len(every_row(at)) == len(promised)
    assert len(at.table) == len({promise.command for promise in promised})  # each way to measure is told once


def test_twelve_nodes_of_which_three_are_odd_are_named_with_what_that_means() -> None:
    plan = planned(EVIDENCE, {})
    needed = plan.main.job.checkpoint.node_write_bytes_per_s.number
    files = {
        f"node{n:02}.json": fio(needed * (0.6 if n in (3, 7, 11) else 1.3 + n / 1000)) for n in range(12)
    }
    at = drop(go(visit(), "delivery"), files)
    assert lines(at) == []
    assert "3 of 12 nodes fall short of the design" in at.subheader[0].value
    short = cells(at, 0)
    assert [row["Node"] for row in short] == ["node03", "node07", "node11"]
    assert {row["Missing"].replace("\u00a0", " ") for row in short} == {"40 %"}
    assert "a save takes 1\u00a0min instead of 24.5\u00a0s, because all wait for node" in said(at)
    clean(at.button(key="delivery.network.node_variation_fraction").click().run())
    held = at.session_state["_inputs"]
    assert held["network.node_variation_fraction"] != "10\u00a0%"
    assert "as measured on 12 nodes" in at.session_state["save.note"]
    assert at.session_state["_pinned"] != ""  # the Plan screen shows what changed against it


def test_a_dropped_folder_of_mixed_outputs_names_the_three_odd_nodes_each_for_its_reason() -> None:
    at = drop(go(visit(), "delivery"), folder(planned(EVIDENCE, {})), "delivery.folder")
    assert "3 of 12 nodes fall short of the design" in at.subheader[0].value
    short = {row["Node"]: row for row in cells(at, 0)}
    assert set(short) == set(ODD)
    for node, promise in ODD.items():
        assert promise in short[node]["Promise"]
    # The one file of no tool is named, and keeps nothing from being read.
    assert "notes.txt" in " ".join(lines(at))


def test_the_tables_are_safe_from_names_in_the_files() -> None:
    hostile = "<script>alert(1)</script>[x](http://evil) **b** $x$ :smile:"
    content = fio(1e6, host=hostile)
    at = drop(go(visit(), "delivery"), {f"{hostile}.json": content})
    row = at.table[0].value.to_dict("records")[0]
    assert "\\<script" in row["Node"]
    assert "http://" not in row["Node"]
    assert "\\*\\*b" in row["Node"]


def test_mixed_outputs_and_a_file_of_no_known_kind() -> None:
    names = ("fio_3.33_numjobs4.json", "nvme_v2.11_smart-log.json", "nvme_list-subsys_2.3.json")
    files = {name: (SAMPLES / name).read_bytes() for name in names}
    at = drop(go(visit(), "delivery"), {**files, "notes.txt": b"hello"})
    (line,) = lines(at)
    assert "notes.txt" in line
    chosen = at.selectbox(key="delivery.records")
    assert list(chosen.options) == sorted(names)
    clean(chosen.set_value(names[0]).run())
    last = at.table[len(at.table) - 1].value.to_dict("records")
    assert len(last) == 20


def test_an_unsaved_design_is_asked_to_be_saved_first() -> None:
    at = drop(go(visit(), "delivery"), {"n.json": fio(1e9)})
    assert "save the design on the Plan screen first" in said(at)
    assert [button.key for button in at.button if button.key == "delivery.keep"] == []


def test_results_are_kept_with_the_revision_printed_with_it_and_can_be_withdrawn() -> None:
    at = visit()
    design, revision = save(at, "Pod")
    at = drop(go(at, "delivery"), folder(planned(EVIDENCE, {})), "delivery.folder")
    at.text_input(key="delivery.note").set_value("row 7 <b>")
    press(at, "delivery.keep")
    (kept,) = answers.store().measurements(design, revision)
    assert kept.note == "row 7 <b>"
    assert len(json.loads(kept.content_json)["files"]) == 61
    assert [e.action for e in answers.store().audit(design)][-1] == "keep measurements"
    # another visitor sees them without a file
    other = go(visit(design=str(design), rev=str(revision)), "delivery")
    assert "3 of 12 nodes fall short of the design" in other.subheader[0].value
    plan = answers.plan_of(answers.store().revision(design, revision).scenario_json)
    head = exports.Heading("Pod", "1", "", kept.created, "0" * 64, draft=False)
    built = as_built(plan, readings_of(kept.content_json), measured_on=kept.measured_on)
    page = exports.as_built_bytes(exports.Order("", "", head), plan, built)
    words = words_in(page)
    assert all(node in words for node in ODD)
    press(other, f"delivery.withdraw.{kept.id}")
    assert answers.store().measurements(design, revision) == ()
    assert "Nothing is measured yet" in said(other)


def test_a_promise_opens_to_every_outcome_and_how_it_is_measured() -> None:
    at = drop(go(visit(), "delivery"), {f"n{n}.json": fio(1e9 + n) for n in range(4)})
    open_panel(at, "delivery.promise.node-write")
    tables = [cells(at, number) for number in range(len(at.table))]
    (outcomes,) = [rows for rows in tables if rows and "Ratio" in rows[0]]
    assert [row["Of"] for row in outcomes] == ["n0", "n1", "n2", "n3"]
    assert "Tolerance 5\u00a0%" in said(at)


def test_a_figure_that_is_taken_over_is_offered_no_more_and_the_document_says_where_it_is_from() -> None:
    at = visit()
    design, _ = save(at, "Pod")
    needed = planned(EVIDENCE, {}).main.job.checkpoint.node_write_bytes_per_s.number
    at = drop(go(at, "delivery"), {f"node{n:02}.json": fio(needed * (1 + n / 10)) for n in range(5)})
    press(at, "delivery.network.node_variation_fraction")
    assert "The design has it." in said(at)
    assert [
        button.key for button in at.button if button.key == "delivery.network.node_variation_fraction"
    ] == []
    (item,) = answers.store().entries(design)
    assert isinstance(item.content, RegisterItem)
    assert item.content.kind == "assumption"
    assert "as measured on 5 nodes; 10\u00a0% before" in item.content.text
    assert item.content.subject == "network.node_variation_fraction"


def test_two_kept_sets_with_files_of_the_same_name_both_count() -> None:
    """One rack's output, and the next rack's under the same name: neither hides the other."""
    at = visit()
    design, revision = save(at, "Pod")
    needed = planned(EVIDENCE, {}).main.job.checkpoint.node_write_bytes_per_s.number
    at = go(at, "delivery")
    for share, uploader in ((0.5, "delivery.files"), (1.5, "delivery.files.1")):
        at = drop(at, {"fio.json": fio(needed * share)}, uploader)
        press(at, "delivery.keep")
    first, _ = answers.store().measurements(design, revision)
    assert "1 of 2 nodes falls short of the design" in at.subheader[0].value
    at = drop(at, {"fio.json": fio(needed * 0.4)}, "delivery.files.2")
    assert "2 of 3 nodes fall short of the design" in at.subheader[0].value
    press(at, f"delivery.withdraw.{first.id}")
    press(at, "delivery.keep")
    assert "1 of 2 nodes falls short of the design" in at.subheader[0].value


def test_kept_measurements_that_are_damaged_can_be_withdrawn() -> None:
    at = visit()
    design, revision = save(at, "Pod")
    kept = answers.store().add_measurements(design, revision, "{}", measured_on=date(2026, 1, 1))
    at = go(at, "delivery")
    assert "what is kept is damaged" in " ".join(lines(at))
    press(at, f"delivery.withdraw.{kept.id}")
    assert "Nothing is measured yet" in said(clean(at.run()))
    assert lines(at) == []
