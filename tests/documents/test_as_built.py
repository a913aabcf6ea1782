"""The section on what was built: there only where something was measured, and safe from what is in the files."""

from __future__ import annotations

import dataclasses
from datetime import date

import pytest

from planner.documents import as_built_page
from planner.documents.direction import runs_right
from planner.telemetry.as_built import as_built
from planner.telemetry.reading import read_measurements
from tests.documents.printed import GUIDE, STAMP, pages_in, planned, rendered, squeezed, stamped, words_of
from tests.telemetry.delivered import ODD, fio_output, folder

PLAN = planned(GUIDE)


def built(files):
    readings = {
        name: read_measurements(content, name=name)
        for name, content in files.items()
        if not name.endswith("notes.txt")
    }
    return as_built(PLAN, readings, measured_on=date(2026, 11, 30))


def text_of(found, **words):
    page = as_built_page(PLAN, found, stamped(**words))
    return squeezed(" ".join(pages_in(page)))


def test_the_document_has_the_section_only_where_something_was_measured():
    nothing = squeezed(" ".join(pages_in(rendered(PLAN, built=built({})))))
    with_it = squeezed(" ".join(pages_in(rendered(PLAN, built=built(folder(PLAN))))))
    assert "Asbuilt" not in words_of(GUIDE)
    assert "Asbuilt" not in nothing
    assert with_it.count("Asbuilt") == 2  # in the contents and above the section
    assert "3of12nodesfallshortofthedesign" in with_it


def test_the_page_alone_has_who_falls_short_by_how_much_and_what_that_does():
    found = built(folder(PLAN))
    text = text_of(found)
    for node in ODD:
        assert node in text
    (effect,) = found.saves
    assert squeezed(f"a save takes {effect.measured_s} instead of {effect.designed_s}") in text
    for heading in (
        "Nodes that fall short", "What it does to the checkpoint time", "Verdict, promise by promise", "Paths",
        "Not measured yet", "Wear of the drives", "Alarms of the design beside what was measured",
        "Files that were read",
    ):  # fmt: skip
        assert squeezed(heading) in text


def test_the_page_is_marked_as_a_draft_where_the_design_is_one():
    assert "DRAFT" in text_of(built(folder(PLAN)), draft=True)
    assert "DRAFT" not in text_of(built(folder(PLAN)))


@pytest.mark.parametrize("name", ["<b>node</b>&amp;", "نود ٧", "节点七", "=1+1|`x`", "n" * 300])
def test_names_from_files_print_as_they_are(name):
    needed = PLAN.main.job.checkpoint.node_write_bytes_per_s.number
    found = built({f"{name}/fio.json": fio_output(needed / 2), "other/fio.json": fio_output(needed)})
    page = as_built_page(PLAN, found, STAMP)
    assert page.startswith(b"%PDF-")
    if not runs_right(name) and len(name) < 100:
        assert squeezed(name.partition("/")[0]) in squeezed(" ".join(pages_in(page)))


def test_long_lists_say_how_many_rows_are_left():
    needed = PLAN.main.job.checkpoint.node_write_bytes_per_s.number
    files = {f"node{number:03}/fio.json": fio_output(needed / 2) for number in range(70)}
    text = text_of(built(files))
    assert squeezed("And 10 more rows") in text
    assert "node059" in text
    assert "node069" not in text


def test_identical_bytes_for_identical_results():
    found = built(folder(PLAN))
    again = dataclasses.replace(found)
    pages = [as_built_page(PLAN, each, STAMP) for each in (found, again)]
    assert pages[0] == pages[1]
