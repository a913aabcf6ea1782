"""The library: saving, conflicts, copies, the archive, files."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from streamlit.testing.v1 import AppTest

from pages._ui import answers, library, saving
from planner.core.errors import PlannerError
from planner.scenario_json import scenario_from_json, scenario_to_json, with_value
from planner.store import Store
from planner.store.database import Database
from planner.templates import Template, template, templates
from tests.pages.visitor import (
    cells,
    clean,
    figure,
    go,
    lines,
    open_panel,
    open_template,
    press,
    press_named,
    save,
    show,
    stored,
    type_number,
    type_text,
    visit,
)


def test_saving_keeps_name_author_note_and_results() -> None:
    at = open_panel(visit(), "save.open")
    at.text_input(key="name").set_value("Cluster A")
    at.text_input(key="save.author").set_value("Ann")
    at.text_area(key="save.note").set_value("first")
    press(at, "save.do")
    saved = answers.store().revision(1, 1)
    assert (stored(), saved.author, saved.note) == (["Cluster A"], "Ann", "first")
    assert saved.key_results["Checkpoint"] == pytest.approx(987.75e9, rel=1e-4)
    assert len(saved.scenario_hash) == 64
    assert scenario_from_json(saved.scenario_json).name == "Cluster A"


def test_drafts_that_nobody_touched_for_90_days_are_gone_after_a_start(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def at_day(day: int) -> Store:
        """The store as a server opens it that starts so many days after the new year."""
        moment = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=day)
        answers.opened_store.clear()
        monkeypatch.setattr(answers, "open_store", lambda: Store(Database(), clock=lambda: moment))
        return answers.store()

    keys = [Store.new_draft_key() for _ in range(2)]
    for day, key in enumerate(keys):
        at_day(day).save_draft(key, "{}")
        answers.store().close()
    kept = [at_day(91).draft(key) is not None for key in keys]
    assert kept == [False, True]


def test_a_saved_draft_is_gone() -> None:
    at = visit()
    key = at.query_params["draft"]
    save(at, "Once")
    assert answers.store().draft(key) is None
    assert "draft" not in at.query_params


def test_what_cannot_be_computed_is_not_saved() -> None:
    at = show(visit(), "ui.group", "Workload")
    type_text(at, "jobs.0.checkpoint.interval_s", "soon")
    open_panel(at, "save.open")
    press(at, "save.do")
    assert any(line.startswith("Not saved") for line in lines(at))
    assert stored() == []


def someone_saves(design: int, path: str, value: object) -> None:
    """Another person saves a revision on top of the latest, with one input changed."""
    store = answers.store()
    latest = store.design(design).latest_revision
    scenario = with_value(scenario_from_json(store.revision(design, latest).scenario_json), path, value)
    content = saving.content(scenario_to_json(scenario), author="", note="")
    store.add_revision(design, content, base_revision=latest)


def conflict() -> tuple[AppTest, int]:
    """A visitor who saves on revision 1 after someone else did, and sees the conflict."""
    at = visit()
    design, _ = save(at, "Shared")
    type_number(at, "cluster.node_count", 90)
    someone_saves(design, "cluster.node_count", 80)
    open_panel(at, "save.open")
    press(at, "save.do")
    return at, design


def test_a_conflict_shows_both_and_saves_on_top() -> None:
    at, design = conflict()
    shown = [
        (row["Changed by"], row["Started from"], row["Mine"], row["Theirs (revision 2)"])
        for row in cells(at, 0)
    ]
    assert shown == [("both, differently", "64", "90", "80")]
    press(at, "conflict.top")
    counts = [
        scenario_from_json(answers.store().revision(design, n).scenario_json).cluster.node_count
        for n in (1, 2, 3)
    ]
    assert counts == [64, 80, 90]


def test_a_conflict_can_keep_the_changes_of_both() -> None:
    design, _ = save(visit(), "Shared")
    first, second = (visit(design=str(design), rev="1") for _ in range(2))
    type_number(first, "cluster.node_count", 80)
    show(first, "ui.group", "Workload")
    type_text(first, "jobs.0.checkpoint.interval_s", "20 min")
    save(first, "Shared")
    type_number(second, "cluster.node_count", 90)
    show(second, "ui.group", "Workload")
    type_number(second, "jobs.0.checkpoint.retained_count", 4)
    open_panel(second, "save.open")
    press(second, "save.do")
    sides = {row["Input"].rpartition("(")[2]: row["Changed by"] for row in cells(second, 0)}
    assert sides == {
        "cluster.node_count)": "both, differently",
        "jobs.0.checkpoint.interval_s)": "they",
        "jobs.0.checkpoint.retained_count)": "you",
    }
    choice = second.segmented_control(key="conflict.choice.cluster.node_count")
    assert list(choice.options) == ["Mine: 90", "Theirs: 80"]
    show(second, "conflict.choice.cluster.node_count", "Theirs")
    press(second, "conflict.both")
    saved = scenario_from_json(answers.store().revision(design, 3).scenario_json)
    kept = saved.jobs[0].checkpoint
    assert (saved.cluster.node_count, kept.interval_s, kept.retained_count) == (80, 1200.0, 4)
    assert second.text_input(key="jobs.0.checkpoint.retained_count").value == "4"


def test_a_conflict_can_open_the_other_revision() -> None:
    at, design = conflict()
    press(at, "conflict.open")
    assert at.text_input(key="cluster.node_count").value == "80"
    assert answers.store().design(design).latest_revision == 2


def test_a_conflict_can_become_a_new_design() -> None:
    at, design = conflict()
    press(at, "conflict.new")
    assert int(at.query_params["design"]) != design
    assert answers.store().design(design).latest_revision == 2


def test_what_is_typed_after_a_conflict_is_saved_with_the_rest() -> None:
    at, design = conflict()
    show(at, "ui.group", "Workload")
    at.text_input(key="jobs.0.checkpoint.retained_count").set_value("4")
    press(at, "conflict.both")  # together with the press that leaves the field
    saved = scenario_from_json(answers.store().revision(design, 3).scenario_json)
    assert (saved.cluster.node_count, saved.jobs[0].checkpoint.retained_count) == (90, 4)


def test_what_cannot_be_read_after_a_conflict_is_not_left_behind() -> None:
    at, design = conflict()
    show(at, "ui.group", "Workload")
    type_text(at, "jobs.0.checkpoint.interval_s", "soon")
    assert any(line.startswith("The two do not go together") for line in lines(at))
    assert "conflict.both" not in {button.key for button in at.button}
    press(at, "conflict.top")
    assert any(line.startswith("Not saved") for line in lines(at))
    assert answers.store().design(design).latest_revision == 2


def counts_of(design: int, number: int) -> tuple[int, int]:
    """Nodes and retained checkpoints of a revision."""
    saved = scenario_from_json(answers.store().revision(design, number).scenario_json)
    return saved.cluster.node_count, saved.jobs[0].checkpoint.retained_count


@pytest.mark.parametrize("way", ["conflict.both", "conflict.top"])
def test_a_third_person_makes_a_conflict_of_a_conflict_and_nothing_is_lost(way: str) -> None:
    at, design = conflict()
    show(at, "conflict.choice.cluster.node_count", "Theirs")
    show(at, "ui.group", "Workload")
    type_number(at, "jobs.0.checkpoint.retained_count", 4)
    someone_saves(design, "jobs.0.checkpoint.interval_s", 1200.0)
    press(at, "conflict.both")
    assert any("revision 3" in line for line in lines(at))
    assert at.text_input(key="jobs.0.checkpoint.retained_count").value == "4"
    assert {row["Input"].rpartition("(")[2]: row["Changed by"] for row in cells(at, 0)} == {
        "jobs.0.checkpoint.interval_s)": "they",
        "jobs.0.checkpoint.retained_count)": "you",
    }
    press(at, way)
    assert counts_of(design, 4) == (80, 4)  # of the second person, and one's own
    kept = scenario_from_json(answers.store().revision(design, 4).scenario_json).jobs[0].checkpoint
    assert (kept.interval_s == 1200.0) == (way == "conflict.both")


def test_a_design_that_was_put_away_in_a_conflict_can_still_be_saved_as_a_new_one() -> None:
    at, design = conflict()
    answers.store().archive_design(design)
    for way in ("conflict.both", "conflict.top"):
        press(at, way)
        assert any(f"{design} is archived; bring it back first" in line for line in lines(at))
    press(at, "conflict.new")
    other = int(at.query_params["design"])
    assert other != design
    assert counts_of(other, 1)[0] == 90


@pytest.mark.parametrize("item", templates(), ids=lambda item: item.id)
def test_a_template_opens_as_a_draft_that_is_equal_to_it(item: Template) -> None:
    at = visit("designs")
    show(at, "designs.view", "New from a template")
    press(at, f"template.{item.id}")
    assert at.title[0].value == "Plan"
    go(at, "plan")
    save(at, item.name)
    assert scenario_from_json(answers.store().revision(1, 1).scenario_json) == item.scenario


def test_copy_rename_archive_and_bring_back() -> None:
    save(visit(), "Original")
    at = visit("designs")
    press(at, "copy.1")
    assert stored() == ["Original (copy)", "Original"]
    open_panel(at, "more.2")
    at.text_input(key="designs.name.2").set_value("Second")
    press(at, "rename.2")
    assert stored() == ["Second", "Original"]
    press(at, "archive.2")
    assert stored() == ["Original"]
    clean(at.toggle(key="designs.archived").set_value(True).run())
    open_panel(at, "more.2")
    press(at, "archive.2")
    assert stored() == ["Second", "Original"]


def test_search_and_pages() -> None:
    scenario = scenario_to_json(template("lab-8-nodes").scenario)
    kept = saving.content(scenario, author="", note="")
    for number in range(23):
        answers.store().create_design(f"Design {number:02}", replace(kept, note=str(number)))
    at = visit("designs")
    assert len([item for item in at.button if item.label == "Open"]) == library.ROWS
    clean(at.number_input(key="designs.page").set_value(3).run())
    assert len([item for item in at.button if item.label == "Open"]) == 3
    type_text(at, "designs.search", "design 07")
    assert [item.label for item in at.button].count("Open") == 1
    press_named(at, "Open")
    assert at.query_params["design"] == "8"
    assert at.title[0].value == "Plan"


@pytest.mark.parametrize(
    ("content", "part"),
    [
        (b"\x89PNG\r\n\x1a\n\xff", "not UTF-8"),
        (b'{"cluster": {"node_count": 6', "this is no JSON"),
        (b"a,b\n1,2\n", "this is no JSON"),
        (b"[1]", "not a list"),
        (b'{"cluster": {"node_count": 0}}', "GPU nodes"),
        (b'{"clusters": {}}', "did you mean cluster"),
        (b"{" * 100_000, "deeper"),
    ],
    ids=["picture", "truncated", "table", "list", "out of range", "unknown field", "nested"],
)
def test_a_file_that_is_no_design_gets_one_line(content: bytes, part: str) -> None:
    with pytest.raises(PlannerError, match=part) as caught:
        library.scenario_of_file("file.json", len(content), content)
    assert caught.value.message.startswith("file.json: ")
    assert "\n" not in caught.value.message


def test_a_file_of_50_mb_is_refused_unread() -> None:
    with pytest.raises(PlannerError, match=r"50.MB; at most 5.MB"):
        library.scenario_of_file("large.json", 50_000_000, b"")


def test_a_file_is_taken_in_as_a_draft() -> None:
    at = visit("designs")
    show(at, "designs.view", "Import a file")
    text = scenario_to_json(template("vision-1024").scenario)
    clean(
        at.file_uploader(key="designs.file")
        .set_value(("design.json", text.encode(), "application/json"))
        .run()
    )
    press(at, "designs.take")
    assert at.title[0].value == "Plan"
    assert figure(at, "Checkpoint") == figure(open_template("vision-1024"), "Checkpoint")


def test_a_bad_file_gets_its_line_on_the_page() -> None:
    at = visit("designs")
    show(at, "designs.view", "Import a file")
    clean(at.file_uploader(key="designs.file").set_value(("notes.txt", b"hello", "text/plain")).run())
    assert lines(at) == ["notes.txt: line 1, column 1: this is no JSON (Expecting value)"]


def test_export_and_import_give_the_same_design() -> None:
    save(visit(), "There and back")
    text = library.exported(1, 1)
    back = library.scenario_of_file("x.json", len(text), text.encode())
    assert json.loads(scenario_to_json(back)) == json.loads(answers.store().revision(1, 1).scenario_json)
