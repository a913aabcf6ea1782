"""Everything in one ZIP: each file is whole, of the same design, and says so."""

from __future__ import annotations

import csv
import functools
import hashlib
import io
import json
import zipfile
from dataclasses import replace
from xml.etree import ElementTree

import jsonschema
import openpyxl
import pytest

from planner.catalogue import load_catalogue
from planner.deploy.addressing import Addressing
from planner.deploy.handover import handover
from planner.documents import Identity, package, plan_schema
from planner.documents.drawings import drawings
from planner.documents.package import marked_json
from planner.plan import plan
from planner.scenario_json import scenario_from_json, scenario_to_json
from planner.templates import template
from tests.documents.printed import CREATED, HASH, LARGEST, NAMES, SMALLEST, planned, rendered, shortly

TITLE = "<b>شركة 設計</b> & Sons"
REVISION = "design 12, revision 3"
IDENTITY = Identity(title=TITLE, revision=REVISION, state="in review", created=CREATED, hash_text=HASH)
STEM = "b-شركة-設計-b-sons-design-12-revision-3"
SVG = "{http://www.w3.org/2000/svg}"


@functools.cache
def packed():
    told = {"title": TITLE, "revision": REVISION, "status": "in review"}
    documents = {
        ".pdf": rendered(planned(SMALLEST), **told),
        "-short.pdf": shortly(planned(SMALLEST), **told),
        **handover(planned(SMALLEST), Addressing(), mark=IDENTITY.mark, revision=REVISION, hash_text=HASH),
    }
    return package(
        planned(SMALLEST), IDENTITY, documents=documents,
        scenario_json=scenario_to_json(template(SMALLEST).scenario),
    )  # fmt: skip


def files():
    with zipfile.ZipFile(io.BytesIO(packed())) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


def test_the_archive_has_every_kind_of_file():
    names = set(files())
    ends = {
        ".pdf",
        "-short.pdf",
        ".xlsx",
        "-bill.csv",
        "-plan.json",
        "-inputs.json",
        "-cables.csv",
        "-bundle.zip",
    }
    pictures = {"network", "racks-front-1", "cost"}
    assert names >= {f"{STEM}{end}" for end in ends} | {f"drawings/{STEM}-{name}.svg" for name in pictures}
    assert names >= {"plan.schema.json", "README.txt"}


def test_each_file_names_the_revision_and_the_hash():
    found = files()
    book = openpyxl.load_workbook(io.BytesIO(found[f"{STEM}.xlsx"]))
    first = dict(book["Design"].iter_rows(values_only=True))
    assert (first["Revision"], first["Hash"]) == (REVISION, HASH)
    rows = list(csv.DictReader(io.StringIO(found[f"{STEM}-bill.csv"].decode("utf-8-sig"))))
    assert {(row["Revision"], row["Hash"]) for row in rows} == {(REVISION, HASH)}
    told = json.loads(found[f"{STEM}-plan.json"])["document"]
    assert (told["revision"], told["hash"], told["state"]) == (REVISION, HASH, "in review")
    cables = list(csv.DictReader(io.StringIO(found[f"{STEM}-cables.csv"].decode())))
    assert {(row["revision"], row["hash"]) for row in cables} == {(REVISION, HASH)}
    with zipfile.ZipFile(io.BytesIO(found[f"{STEM}-bundle.zip"])) as bundle:
        assert f"` {IDENTITY.mark} `" in bundle.read("README.md").decode()
    for name, content in found.items():
        if name.endswith(".svg"):
            mark = ElementTree.fromstring(content).find(f"{SVG}metadata")
            assert f"Revision: {REVISION}" in mark.text
            assert f"Hash: {HASH}" in mark.text
            assert "<b>" in mark.text
    assert HASH in found["README.txt"].decode()
    assert all(name in found["README.txt"].decode() for name in found if name != "README.txt")


def test_the_inputs_give_the_same_plan_again():
    again = plan(scenario_from_json(files()[f"{STEM}-inputs.json"].decode()), load_catalogue())
    told = json.loads(files()[f"{STEM}-plan.json"])
    del told["document"]
    assert json.loads(marked_json(again, IDENTITY))["cost"] == told["cost"]


def test_what_could_not_be_made_is_named_in_the_archive():
    made = package(
        planned(SMALLEST),
        IDENTITY,
        documents={},
        scenario_json="{}",
        lacking="cable schedule: too many ports",
    )
    with zipfile.ZipFile(io.BytesIO(made)) as archive:
        assert "Missing: cable schedule: too many ports" in archive.read("README.txt").decode()


def test_customer_and_classification_are_told_where_they_are_given():
    told = replace(IDENTITY, customer="株式会社 <b>", classification="confidential")
    assert told.mark.endswith("; Customer: 株式会社 <b>; Classification: confidential")
    assert {"Customer", "Classification"} & set(IDENTITY.rows) == set()
    assert json.loads(marked_json(planned(SMALLEST), told))["document"]["customer"] == "株式会社 <b>"


def test_the_same_design_gives_the_same_archive():
    first = packed()
    packed.cache_clear()
    assert packed() == first


# --- schema ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_every_plan_is_as_the_schema_says(name):
    schema = plan_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(
        json.loads(marked_json(planned(name), IDENTITY)), schema, jsonschema.Draft202012Validator
    )


@pytest.mark.parametrize(
    "spoil",
    [
        lambda told: told["cost"].update(surprise=1.0),
        lambda told: told["tiers"][0].update({"no word": "x"}),
        lambda told: told.pop("findings"),
        lambda told: told.update(extra={}),
        lambda told: told["cost"].update(capital_low_usd="much"),
        lambda told: told.update(format="another"),
    ],
    ids=["a number without a unit", "a key of two words", "a section is missing", "one more section",
         "words for a number", "another format"],
)  # fmt: skip
def test_what_is_not_as_the_schema_says_is_refused(spoil):
    told = json.loads(marked_json(planned(SMALLEST), IDENTITY))
    spoil(told)
    found = list(jsonschema.Draft202012Validator(plan_schema()).iter_errors(told))
    assert found


# --- drawings -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [SMALLEST, LARGEST])
def test_drawings_are_whole_and_name_no_font_that_nobody_has(name):
    made = drawings(planned(name))
    assert {"network.svg", "racks-front-1.svg", "racks-rear-1.svg", "tiers.svg", "save-time.svg", "goodput.svg",
            "endurance.svg", "rack-power.svg", "cost.svg"} <= set(made)  # fmt: skip
    for content in made.values():
        root = ElementTree.fromstring(content)
        assert root.tag == f"{SVG}svg"
        assert len(list(root.iter())) > 10
        assert not any(f"font-family: {own}" in content for own in ("Body", "Wide"))
        assert "<script" not in content


def test_the_manifest_names_design_and_checksum_of_every_other_file():
    found = files()
    told = json.loads(found.pop("manifest.json"))
    assert told["document"]["hash"] == HASH
    assert told["document"]["revision"] == REVISION
    assert {name: item["sha256"] for name, item in told["files"].items()} == {
        name: hashlib.sha256(content).hexdigest() for name, content in found.items()
    }
