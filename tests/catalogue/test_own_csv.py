"""A file of own rows: each line is accepted, or refused with file, line, column, value and what is allowed."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.catalogue import OWN_KINDS, OwnRow, load_catalogue
from planner.catalogue.own import PRICES
from planner.catalogue.own_csv import (
    MAX_BYTES,
    MAX_LINES,
    CheckedLine,
    column_names,
    own_csv,
    read_own_csv,
    shipped_cells,
)
from planner.core.errors import PlannerError

DRIVE = "m9550max-6400"
SHIPPED = load_catalogue()
BASE = OwnRow(
    kind="drives", cells={}, valid_from=date(2026, 1, 1), organisation="ACME", author="ann", entered=date(2026, 1, 2)
)  # fmt: skip


def cells(row_id: str = "acme-1", **others: str) -> dict[str, str]:
    """The default drive under an id of one's own."""
    return {**shipped_cells("drives")[DRIVE], "id": row_id, "source": "Quote 1", **others}


def text_of(*rows: dict[str, str], names: tuple[str, ...] = ()) -> str:
    """Rows as a file."""
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, names or column_names("drives"), extrasaction="ignore")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def read(content: str | bytes, template: OwnRow = BASE, **others: Any) -> tuple[CheckedLine, ...]:
    """The lines of a file."""
    raw = content.encode() if isinstance(content, str) else content
    return read_own_csv(raw, template, catalogue=SHIPPED, file="rows.csv", **others)


@pytest.mark.parametrize("kind", OWN_KINDS)
def test_the_download_uploaded_again_changes_nothing(kind: str) -> None:
    sets = ("guide", "catalogue-2026") if kind == PRICES else ("",)
    for price_set in sets:
        shipped = shipped_cells(kind, price_set)
        lines = read(
            own_csv(kind, [], shipped=shipped),
            replace(BASE, kind=kind, price_set="mine" if price_set else ""),
        )
        wanted = "add" if kind == PRICES else "unchanged"
        assert [(line.status, line.said) for line in lines] == [(wanted, row_id) for row_id in shipped]


def test_what_each_line_would_do() -> None:
    known = replace(BASE, cells={k: v for k, v in cells("acme-2").items() if v})
    lines = read(
        text_of(cells(), cells(DRIVE, max_w="20"), cells("acme-2", max_w="20"), cells("acme-2x")),
        counting=[known],
    )
    assert [line.status for line in lines] == ["add", "override", "change", "add"]
    assert [line.line for line in lines] == [2, 3, 4, 5]
    assert read(text_of(cells("acme-2")), counting=[known])[0].status == "unchanged"
    later = replace(BASE, valid_to=date(2026, 12, 31))
    assert read(text_of(cells("acme-2")), later, counting=[known])[0].status == "change"


def test_every_refusal_is_one_line_with_its_place() -> None:
    lines = read(
        text_of(
            cells("a", capacity_tb="6400"), cells("b", max_w="nan"), cells("c", max_w="-1"), cells("d"), cells("d"),
            cells("e", nand_class="TLCC"), cells("f", notes="=1+1"), cells("g", idle_w="25"), cells("h", source=""),
            cells("i", dual_port="y"),
        )
    )  # fmt: skip
    said = {line.line: line.said for line in lines if line.status == "refused"}
    assert said == {
        2: "rows.csv:2 capacity_tb: 6400 is outside the plausible range 0.1 to 1000; did you mean 6.4, in the column's unit?",
        3: "rows.csv:3 max_w: “nan” is not a number",
        4: "rows.csv:4 max_w: -1 is outside the plausible range 5 to 80; the nearest is 5",
        6: "rows.csv:6 id: “d” is there twice, on line 5 too",
        7: "rows.csv:7 nand_class: “TLCC” is none of TLC, QLC, pSLC, 3DXP; did you mean TLC?",
        8: "rows.csv:8 notes: “=1+1” begins like a formula of a spreadsheet; begin with a letter or a digit",
        9: said[9],
        10: "rows.csv:10 source: the source is missing",
        11: "rows.csv:11 dual_port: “y” is neither yes nor no",
    }
    assert said[9].startswith("rows.csv:9: drives g: idle_w 25 is above ")
    assert [line.said for line in lines if line.counts] == ["d"]


def test_dates_of_a_line_go_before_those_of_the_upload() -> None:
    names = (*column_names("drives"), "valid_from", "valid_to")
    content = text_of(
        cells("a"), cells("b", valid_from="2027-01-01", valid_to="2027-06-30"), cells("c", valid_from="1.1.2027"),
        cells("d", valid_from="2027-01-01", valid_to="2026-01-01"), names=names,
    )  # fmt: skip
    a, b, c, d = read(content)
    assert a.row is not None
    assert b.row is not None
    assert (a.row.valid_from, a.row.valid_to) == (date(2026, 1, 1), None)
    assert (b.row.valid_from, b.row.valid_to) == (date(2027, 1, 1), date(2027, 6, 30))
    assert c.said == "rows.csv:4 valid_from: “1.1.2027” is no day; write it as 2026-11-30"
    assert d.said.startswith(
        "rows.csv:5 valid_to: “2026-01-01” is before valid_from 2027-01-01; the nearest is"
    )


def test_lines_may_name_each_other_and_rows_that_count_already() -> None:
    template = replace(BASE, kind="drive_sizes")
    names = column_names("drive_sizes")
    row = {
        "id": "s1",
        "drive_id": "acme-1",
        "capacity_tb": "12.8",
        "source": "x",
        "confidence": "seen",
        "as_of": "2026",
    }
    content = text_of(row, {**row, "id": "s2", "drive_id": "nobody"}, names=names)
    known = replace(BASE, cells={k: v for k, v in cells().items() if v})
    assert [line.status for line in read(content, template, counting=[known])] == ["add", "refused"]
    assert [line.status for line in read(content, template)] == ["refused", "refused"]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("", "rows.csv:1: the file is empty"),
        ("\n", "rows.csv:1: the file is empty"),
        ("id;vendor\na;b\n", "rows.csv:1: the columns are not parted by commas"),
        (b"\xff\xfei\x00d\x00", "rows.csv: byte 0 is not UTF-8"),
        (b"id\n\xe9\n", "rows.csv: byte 3 is not UTF-8"),
        ("id,id\n", "rows.csv:1 id: the column is there twice"),
        (text_of(cells()).replace("capacity_tb", "capacity_gb", 1), "rows.csv:1 capacity_gb: the column is not known; did you mean capacity_tb?"),
        ("id,source\na,b\n", "the column is missing; rows of drives need it"),
        (text_of(), "rows.csv:1: the file has a header and no rows"),
        (text_of(cells()) + '"open', "not readable as CSV"),
        (b"x" * (MAX_BYTES + 1), f"at most {MAX_BYTES} are read"),
        ("\n".join([text_of(cells())] + ["x"] * (MAX_LINES + 1)), f"the file has more than {MAX_LINES} rows"),
    ],
)  # fmt: skip
def test_a_file_that_is_none_is_refused_whole(content: str | bytes, reason: str) -> None:
    with pytest.raises(PlannerError) as caught:
        read(content)
    assert reason in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_line_with_other_cells_than_the_header_is_refused_alone() -> None:
    lines = read(text_of(cells("a")) + "b,c\n" + text_of(cells("d")).partition("\n")[2])
    count = len(column_names("drives"))
    assert [line.status for line in lines] == ["add", "refused", "add"]
    assert lines[1].said == f"rows.csv:3: 2 cells where the header has {count} columns"


def test_optional_columns_may_be_left_out_and_order_is_free() -> None:
    names = tuple(
        reversed(
            [name for name in column_names("drives") if name not in ("notes", "unverified_fields", "idle_w")]
        )
    )
    assert [line.status for line in read("\ufeff" + text_of(cells(), names=names))] == ["add"]


def test_name_of_the_file_cannot_break_the_line() -> None:
    lines = read_own_csv(
        text_of(cells(max_w="x")).encode(), BASE, catalogue=SHIPPED, file="a\nb" * 50 + ".csv"
    )
    assert "\n" not in lines[0].said
    assert len(lines[0].said) < 120


def test_an_export_holds_nothing_that_a_spreadsheet_calculates() -> None:
    planted = replace(BASE, cells={**cells(), "notes": "=cmd|' /C calc'!A1"})
    assert "'=cmd" in own_csv("drives", [planted])
    for kind in OWN_KINDS:
        for price_set in ("guide", "catalogue-2026", "budgetary-2025") if kind == PRICES else ("",):
            table = csv.reader(io.StringIO(own_csv(kind, [], shipped=shipped_cells(kind, price_set))))
            assert not [cell for row in table for cell in row if cell[:1] in "=+-@'" and cell]


@given(column=st.sampled_from(column_names("drives")), said=st.text(max_size=40))
def test_any_text_in_any_cell_is_accepted_or_refused_in_one_line(column: str, said: str) -> None:
    for line in read(text_of(cells(**{column: said.replace("\x00", "")}))):
        assert line.said.isprintable()
        assert (line.row is None) == (line.status == "refused")
