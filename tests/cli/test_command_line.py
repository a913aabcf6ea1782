"""The command line as another program sees it: output, standard error, exit status."""

import argparse
import importlib
import json
import subprocess
import sys
import zipfile

import pytest
from openpyxl import load_workbook

from planner.__main__ import _SUBJECTS
from planner.scenario_json import scenario_to_json
from planner.templates import template, templates
from tests.cli.commands import run, started
from tests.pdf_text import pages_in

SMALL = scenario_to_json(template("lab-8-nodes").scenario)


def test_templates_are_listed_with_their_purpose():
    shown = run("template")
    assert shown.returncode == 0
    assert [line.split("  ")[0] for line in shown.stdout.splitlines()] == [item.id for item in templates()]


def test_a_template_goes_through_plan_json():
    text = started("template", "guide-256-guide").stdout
    shown = started("plan", "-", "--json", stdin=text)
    assert shown.returncode == 0, shown.stderr
    figures = json.loads(shown.stdout)
    sections = {
        "checkpoint",
        "ingest",
        "goodput",
        "tiers",
        "transport",
        "network",
        "endurance",
        "protection",
        "facility",
        "cost",
        "monitoring",
        "findings",
        "bom",
    }
    assert sections <= set(figures)
    # The guide: 48 saves a day of 280 GB are 13.44 TB, and the three tiers cost 12,100 to 31,000 USD.
    assert figures["endurance"]["daily_write_bytes_per_day"] == pytest.approx(48 * 280e9)
    assert figures["cost"]["capital_low_usd"] == pytest.approx(3 * 200 + 50 * 150 + 200 * 20)
    assert figures["cost"]["capital_high_usd"] == pytest.approx(3 * 500 + 50 * 350 + 200 * 60)


def test_check_exits_with_one_on_a_blocker_only(tmp_path):
    for name, status, start in (("guide-256-guide", 1, started), ("guide-256-evidence", 0, run)):
        file = tmp_path / "scenario.json"
        file.write_text(scenario_to_json(template(name).scenario), encoding="utf-8")
        shown = start("check", str(file))
        assert shown.returncode == status, shown.stdout
        assert ("blocker END-1" in shown.stdout) == (status == 1)


@pytest.mark.parametrize(
    ("ending", "begins"),
    [(".pdf", b"%PDF"), (".xlsx", b"PK"), (".zip", b"PK"), (".csv", b"\xef\xbb\xbf"), (".json", b"{")],
)
def test_a_document_is_what_its_ending_says(tmp_path, ending, begins):
    out = tmp_path / f"design{ending}"
    told = ("--date", "2026-01-02", "--customer", "株式会社", "--classification", "internal")
    shown = (started if ending == ".csv" else run)("document", "-", "-o", str(out), *told, stdin=SMALL)
    assert (shown.returncode, shown.stderr) == (0, "")
    content = out.read_bytes()
    assert content.startswith(begins)
    if ending == ".pdf":
        cover = pages_in(out)[0]
        assert "株式会社" in cover
        assert "INTERNAL" in cover
    if ending == ".zip":
        ends = (".pdf", "-short.pdf", ".xlsx", "-bill.csv", "-cables.csv", "-bundle.zip")
        with zipfile.ZipFile(out) as archive:
            assert {f"laboratory-8-nodes-unsaved{end}" for end in ends} <= set(archive.namelist())
            assert "Customer: 株式会社" in archive.read("README.txt").decode()


def test_a_document_without_a_known_ending_is_refused(tmp_path):
    out = tmp_path / "design.docx"
    shown = run("document", "-", "-o", str(out), stdin=SMALL)
    assert shown.returncode == 2
    assert "does not end with one of .pdf, .xlsx, .csv, .json, .zip" in shown.stderr
    assert not out.exists()


def test_pdf_is_written_whole(tmp_path):
    out = tmp_path / "design.pdf"
    shown = started("pdf", "-", "-o", str(out), stdin=SMALL)
    assert shown.returncode == 0, shown.stderr
    content = "".join(pages_in(out))
    assert "Laboratory, 8 nodes" in content
    assert list(tmp_path.iterdir()) == [out]


def test_a_workbook_is_written_under_any_name_and_with_the_names_of_the_site(tmp_path):
    out = tmp_path / "workbook"
    names = tmp_path / "names.json"
    names.write_text('{"hot_prefix": "flash"}', encoding="utf-8")
    shown = started("xlsx", "-", "-o", str(out), "--addressing", str(names), stdin=SMALL)
    assert shown.returncode == 0, shown.stderr
    with out.open("rb") as file:
        book = load_workbook(file)
    assert "Bill of materials" in book.sheetnames
    assert "flash-01" in {row[3] for row in book["Places"].iter_rows(values_only=True)}
    assert sorted(tmp_path.iterdir()) == [names, out]


@pytest.mark.parametrize("subject", _SUBJECTS)
def test_the_list_of_commands_is_that_of_their_files(subject):
    commands = argparse.ArgumentParser().add_subparsers()
    importlib.import_module(f"planner.commands.{subject}").add_commands(commands)
    assert tuple(commands.choices) == _SUBJECTS[subject]


def test_a_plan_to_read_loads_neither_database_nor_documents_nor_what_takes_many_plans():
    heavy = {"sqlalchemy", "reportlab", "xlsxwriter", "pandas", "planner.store", "planner.explore"}
    code = (
        "import sys; from planner.__main__ import main; "
        f"print(main(['plan', '-']), sorted({heavy} & set(sys.modules)))"
    )
    shown = subprocess.run(
        [sys.executable, "-c", code], input="{}", capture_output=True, text=True, check=True
    )
    assert shown.stdout.splitlines()[-1] == "0 []"


def test_schema_names_every_part():
    assert set(json.loads(started("schema").stdout)["properties"]) >= {
        "cluster",
        "jobs",
        "storage",
        "network",
        "site",
    }


@pytest.mark.parametrize(
    ("arguments", "stdin", "words"),
    [
        (("plan", "missing.json"), "", ("missing.json", "No such file")),
        (("template", "guide-256-gude"), "", ("guide-256-g", "did you mean")),
        (
            ("plan", "-"),
            '{"cluster": {"node_count": -3}}',
            ("cluster.node_count", "-3", "1 to", "nearest is 1"),
        ),
        (("plan", "-"), '{"cluster": {"node_cuont": 3}}', ("node_cuont", "did you mean node_count")),
        (("plan", "-"), '{"schema_version": 2}', ("schema_version", "2", "newer")),
        (
            ("plan", "-"),
            '{"storage": {"hot": {"drive_id": "m9550max"}}}',
            ("storage.hot.drive_id", "m9550max-6400"),
        ),
        (("plan", "-"), '{"cluster": ', ("line 1", "no JSON")),
        (("plan", "-"), "[" * 100_000, ("nested deeper",)),
        (("plan", "-"), '{"name": ' + "9" * 10_000 + "}", ("name: 999", "digits")),
        (("plan", "-"), " " * 6_000_000, ("too large", "at most 5\u00a0MB")),
        (("plan", "-"), '{"site": {"pue_ratio": NaN}}', ("site.pue_ratio", "NaN", "1× to 3×")),
        (
            ("plan", "-"),
            '{"jobs": [{"model": {"parameter_count": ' + "9" * 5000 + "}}]}",
            ("jobs.0.model.parameter_count: 999", "5000 digits"),
        ),
        (("plan", "-"), "null", ("not null",)),
        (("plan", "-"), "[]", ("not a list",)),
        (("plan", "-"), '{"schema_version": "1"}', ("“1” is a text", "without quotes")),
        (("plan", "data/templates/01-guide-256-evidence.json"), "", ("template NAME",)),
        ((), "", ("COMMAND", "--help")),
        (("plna", "x"), "", ("no command “plna”", "did you mean plan?")),
        (("plan",), "", ("file", "planner plan --help")),
        (("pdf", "x.json"), "", ("-o/--output",)),
        (("plan", "x\ny", "z\nz"), "", ("unrecognized",)),
        (("plan", "x.json", "--nope"), "", ("--nope", "planner plan --help")),
        (("catalogue", "export", "drives", "--nope"), "", ("--nope", "planner catalogue export --help")),
        (("measure", "README.md"), "", ("README.md",)),
    ],
)
def test_a_bad_request_is_one_line_and_status_two(arguments, stdin, words):
    shown = run(*arguments, stdin=stdin)
    assert shown.returncode == 2
    assert shown.stdout == ""
    assert len(shown.stderr.splitlines()) == 1
    for word in words:
        assert word in shown.stderr
