"""The command line: rows out to a file and in again, and plans with them only where that is asked for."""

from __future__ import annotations

import csv
import io
import json
import shutil
from datetime import datetime, tzinfo
from pathlib import Path
from typing import Self

import pytest

from planner import load_catalogue
from planner.__main__ import main, parser
from planner.catalogue import GRADES
from planner.catalogue.own_csv import column_names, shipped_cells
from planner.store import base, catalogue_command, open_store

DRIVE = "m9550max-6400"
SAMPLES = Path(__file__).parents[1] / "telemetry" / "samples"
TODAY = "2026-11-30"


class Noon(datetime):
    """The time at noon of that day: a test that began before midnight could end on another."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> Self:
        """Noon."""
        return cls(2026, 11, 30, 12, tzinfo=tz)


@pytest.fixture
def folder(tmp_path: Path, empty_database: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a scenario and a database of its own."""
    for module in (base, catalogue_command):
        monkeypatch.setattr(module, "datetime", Noon)
    shutil.copy(empty_database, tmp_path / "planner.db")
    monkeypatch.setenv("PLANNER_DATABASE_URL", f"sqlite:///{tmp_path}/planner.db")
    monkeypatch.delenv("PLANNER_USER", raising=False)
    (tmp_path / "s.json").write_text("{}", encoding="utf-8")
    return tmp_path


def said(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    """Status and both outputs of a command."""
    status = main([str(argument) for argument in arguments])
    out, err = capsys.readouterr()
    return status, out, err


def rows_file(folder: Path, *rows: dict[str, str]) -> Path:
    """A file of drives."""
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, column_names("drives"))
    writer.writeheader()
    writer.writerows(rows)
    path = folder / "rows.csv"
    path.write_text(out.getvalue(), encoding="utf-8")
    return path


def drive(row_id: str = DRIVE, **cells: str) -> dict[str, str]:
    """The default drive restated."""
    return {**shipped_cells("drives")[DRIVE], "id": row_id, "source": "Quote 1", **cells}


BY = ("--organisation", "ACME", "--author", "ann")


def test_export_is_a_template_of_what_counts(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = said(capsys, "catalogue", "export", "drives")
    table = list(csv.DictReader(io.StringIO(out)))
    assert status == 0
    assert [row["id"] for row in table] == list(load_catalogue().drives)
    assert all(row["confidence"] in GRADES for row in table)
    said(capsys, "catalogue", "import", "drives", rows_file(folder, drive("acme-1")), *BY)
    said(capsys, "catalogue", "export", "drives", "--own", "-o", folder / "own.csv")
    own = list(csv.DictReader(io.StringIO((folder / "own.csv").read_text(encoding="utf-8"))))
    assert [(row["id"], row["valid_from"], row["valid_to"]) for row in own] == [("acme-1", TODAY, "")]


def test_import_list_and_plan_with_and_without(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shipped = said(capsys, "plan", folder / "s.json", "--json")[1]
    path = rows_file(folder, drive(write_gb_per_s="2.5"), drive("acme-1"))
    status, out, err = said(capsys, "catalogue", "import", "drives", path, *BY, "--valid-from", "2026-01-01")
    assert (status, out.splitlines(), err) == (0, [f"override {DRIVE}", "add acme-1", "2 rows written"], "")
    assert said(capsys, "catalogue", "list")[1].splitlines() == [
        f"drives/acme-1 version 1, valid from 2026-01-01, ACME, ann on {TODAY}",
        f"drives/{DRIVE} version 1, valid from 2026-01-01, ACME, ann on {TODAY}",
    ]
    assert said(capsys, "plan", folder / "s.json", "--json")[1] == shipped
    assert said(capsys, "plan", folder / "s.json", "--json", "--own", "--on", "2025-12-31")[1] == shipped
    own = said(capsys, "plan", folder / "s.json", "--json", "--own", "--on", "2026-01-01")[1]
    assert json.loads(own)["tiers"] != json.loads(shipped)["tiers"]
    assert said(capsys, "check", folder / "s.json", "--own")[0] in (0, 1)
    again = said(capsys, "catalogue", "import", "drives", path, *BY, "--valid-from", "2026-01-01")
    assert again == (0, "nothing was written\n", "")


def test_every_command_that_plans_takes_the_organisations_rows(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A command that names a design and lacks the option would plan with other rows than the page."""
    commands = next(iter(parser()._subparsers._group_actions)).choices  # type: ignore[union-attr]
    plans = {
        name: {option for action in command._actions for option in action.option_strings}
        for name, command in commands.items()
        if any(action.dest == "file" for action in command._actions) and name not in ("backup", "restore")
    }
    assert {"plan", "verify", "bundle", "limits"} <= plans.keys()
    assert [name for name, options in plans.items() if not {"--own", "--on", "--user"} <= options] == []


def test_verify_and_bundle_plan_with_the_organisations_rows(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = rows_file(folder, drive(dwpd="60", dwpd_4k_random="", endurance_pbw=""))
    said(capsys, "catalogue", "import", "drives", path, *BY)
    log = SAMPLES / "nvme_v2.3_smart-log.json"
    verify = ("verify", folder / "s.json", log, "--json", "--measured-on", "2026-11-30")
    shipped, own = (json.loads(said(capsys, *verify, *more)[1]) for more in ((), ("--own",)))
    assert shipped["monitoring"] != own["monitoring"]
    for name, more in (("shipped.zip", ()), ("own.zip", ("--own",))):
        assert said(capsys, "bundle", folder / "s.json", "-o", folder / name, *more)[0] == 0
    assert (folder / "shipped.zip").read_bytes() != (folder / "own.zip").read_bytes()
    refused = said(capsys, "bundle", folder / "s.json", "-o", folder / "b.zip", "--on", "2026-11-30")
    assert refused[0] == 2
    assert "add --own" in refused[2]


def test_a_refused_line_keeps_the_file_out_unless_the_rest_is_asked_for(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = rows_file(folder, drive("a"), drive("b", capacity_tb="6400"))
    refused = "rows.csv:3 capacity_tb: 6400 is outside the plausible range 0.1 to 1000; did you mean 6.4, in the column's unit?\n"
    assert said(capsys, "catalogue", "import", "drives", path, *BY) == (
        2,
        "add a\nnothing was written\n",
        refused,
    )
    assert said(capsys, "catalogue", "import", "drives", path, *BY, "--accepted", "--dry-run")[1] == (
        "add a\nnothing was written\n"
    )
    assert said(capsys, "catalogue", "list") == (0, "", "")
    assert said(capsys, "catalogue", "import", "drives", path, *BY, "--accepted") == (
        2,
        "add a\n1 row written\n",
        refused,
    )
    with open_store() as store:
        assert [version.row.id for version in store.catalogue_rows()] == ["a"]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("catalogue", "export", "drive"), "kind: “drive” is not one of"),
        (("catalogue", "export", "prices"), "--price-set: no prices in “”; one of"),
        (("catalogue", "export", "prices", "--price-set", "catalogue-2025"), "did you mean"),
        (("catalogue", "import", "drives", "nowhere.csv", *BY), "nowhere.csv: No such file"),
        (("catalogue", "import", "drives", "s.json", "--organisation", "ACME"), "s.json:1"),
        (("catalogue", "import", "drives", "s.json", *BY, "--valid-from", "1.1.2026"), "--valid-from: “1.1.2026” is no day"),
        (("catalogue", "list", "drive"), "kind: “drive” is not one of"),
        (("plan", "s.json", "--on", "2026-01-01"), "--on: a day says which rows"),
        (("plan", "s.json", "--own", "--on", "soon"), "--on: “soon” is no day"),
    ],
)  # fmt: skip
def test_refusals_are_one_line(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...], reason: str,
) -> None:  # fmt: skip
    monkeypatch.chdir(folder)
    status, out, err = said(capsys, *arguments)
    assert (status, out) == (2, "")
    assert reason in err
    assert err.count("\n") == 1


def test_viewer_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said(capsys, "role", "ann@x", "approver")
    path = rows_file(folder, drive("a"))
    assert said(capsys, "catalogue", "import", "drives", path, *BY)[2].startswith(
        "role: this database has accounts"
    )
    assert said(capsys, "catalogue", "import", "drives", path, *BY, "--user", "ann@x")[0] == 0
