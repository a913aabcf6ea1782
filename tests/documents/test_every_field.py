"""One design, one set of figures: the plan, the command line, the exchanged file, the workbook and the document."""

from __future__ import annotations

import dataclasses
import functools
import io
import json
import math

import openpyxl
import pytest

from planner import charts
from planner.__main__ import main
from planner.catalogue import load_catalogue
from planner.core.quantity import Quantity
from planner.core.units import UNITS, format_range, unit_of_name
from planner.documents.text import LONGEST, clean
from planner.documents.workbook import plan_xlsx
from planner.plan import plan
from planner.scenario_json import scenario_from_json, scenario_to_json
from planner.summary import figures, headline, key_figures
from tests.documents import printed as documents
from tests.documents.printed import CREATED, GUIDE, LARGEST, SMALLEST, body_of, pages_in, rendered, squeezed
from tests.plan.changes import changed

ODD = {
    # Fibre Channel, asynchronous saves, an all-in price of power, odd counts and GPU nodes in the racks.
    "odd-fc": ("guide-256-evidence", {
        "network.transport": "fc", "network.fc_san_present": True, "jobs.0.checkpoint.mode": "async",
        "cluster.node_count": 13, "site.energy_basis": "all-in", "site.place_gpu_nodes": True,
        "site.rack_limit_w": 9_000.0, "prices.term_years": 3,
    }),
    # Two jobs under hostile names, the dataset on a hot tier of an array whose watts nobody has published.
    "odd-array": ("two-jobs", {
        "name": "=SUM(A1:A9)", "jobs.0.name": "<b>模型</b>", "jobs.1.name": "=1+1", "storage.dataset_on": "hot",
        "storage.hot.architecture": "all-flash-array", "storage.hot.platform_id": "vast-ceres-3015",
        "jobs.0.checkpoint.interval_s": 777.0, "burst_coincidence": "all", "prices.price_set_id": "guide",
    }),
}  # fmt: skip
NAMES = [GUIDE, SMALLEST, LARGEST, *ODD]
each_design = pytest.mark.parametrize("name", NAMES)


@functools.cache
def scenario(name):
    return changed(*ODD[name]) if name in ODD else changed(name, {})


@functools.cache
def planned(name):
    return plan(scenario(name), load_catalogue()) if name in ODD else documents.planned(name)


def same(number, item):
    """Whether a number that was written is the figure; what is unknown or unlimited is written as nothing."""
    if not math.isfinite(item.number):
        return number is None
    return number == item.number


def key_of(name, item):
    return (
        name
        if unit_of_name(name) == item.unit or name == UNITS[item.unit].suffix[1:]
        else name + UNITS[item.unit].suffix
    )


def own_figures(section):
    """Figures of a part of a plan by attribute."""
    found = [(field.name, getattr(section, field.name)) for field in dataclasses.fields(section)]
    return [(name, item) for name, item in found if isinstance(item, Quantity)]


def differences(section, written):
    """Attributes of a part of a plan that are written otherwise."""
    return [
        (name, item.number, written.get(key_of(name, item), "missing"))
        for name, item in own_figures(section)
        if not same(written.get(key_of(name, item), "missing"), item)
    ]


# --- the command line ---------------------------------------------------------------------------------------------


@pytest.fixture
def told(request, capsys, tmp_path_factory):
    """What the command line prints of a design as JSON."""
    name = request.getfixturevalue("name")
    file = tmp_path_factory.mktemp("design") / "scenario.json"
    file.write_text(scenario_to_json(scenario(name)), encoding="utf-8")
    assert main(["plan", str(file), "--json"]) in (0, 1)
    return json.loads(capsys.readouterr().out)


@each_design
def test_the_command_line_prints_every_figure(name, told):
    result = planned(name)
    wrong = []
    for part in ("cluster", "local", "network", "endurance", "facility", "cost", "together", "retention"):
        wrong += [(part, *found) for found in differences(getattr(result, part), told[part])]
    for tier, written in zip(result.tiers, told["tiers"], strict=True):
        wrong += differences(tier, written) + differences(tier.demand, written["demand"])
    for row, written in zip(result.facility.rows, told["facility"]["rows"], strict=True):
        assert written["name"] == row.name
        wrong += differences(row, written)
    for job, written in zip(result.jobs, told["jobs"], strict=True):
        wrong += differences(job.job.checkpoint, written["checkpoint"]) + differences(
            job.save, written["checkpoint"]
        )
        wrong += differences(job.goodput, written["goodput"]) + differences(job.pipeline, written["pipeline"])
        wrong += differences(job.job.ingest, written["ingest"]) + differences(job.worth, written["worth"])
        wrong += differences(job.layout, written["checkpoint"]["layout"])
    assert wrong == []
    assert told["headline"] == headline(result)
    assert [found["message"] for found in told["findings"]] == [found.message for found in result.findings]


@each_design
def test_the_command_line_prints_the_bill_and_the_racks(name, told):
    result = planned(name)
    wrong = differences(result.bill, told["bill"]) + differences(result.racks, told["racks"])
    for line, written in zip(result.bill.lines, told["bill"]["lines"], strict=True):
        assert (written["group"], written["part_id"], written["description"]) == (
            line.group,
            line.part_id,
            line.description,
        )
        wrong += differences(line, written)
    for rack, written in zip(result.racks.racks, told["racks"]["racks"], strict=True):
        wrong += differences(rack, written)
        assert [place["name"] for place in written["places"]] == [place.name for place in rack.places]
    assert wrong == []
    assert told["bill"]["not_priced_count"] == len(result.bill.not_priced)


# --- the file that designs are exchanged in -----------------------------------------------------------------------


@each_design
def test_an_exported_and_imported_design_has_every_figure_again(name):
    result = planned(name)
    again = plan(scenario_from_json(scenario_to_json(scenario(name))), load_catalogue())
    before, after = figures(result), figures(again)
    assert list(before) == list(after)
    for section, members in before.items():
        told = {label: (item.unit, item.text(digits=None)) for label, item in members.items()}
        assert told == {label: (item.unit, item.text(digits=None)) for label, item in after[section].items()}
    assert [line.title for line in again.bill.lines] == [line.title for line in result.bill.lines]
    assert again.bill.total_text == result.bill.total_text
    assert headline(again) == headline(result)


# --- the workbook -------------------------------------------------------------------------------------------------


@functools.cache
def book(name):
    content = plan_xlsx(planned(name), created=CREATED)
    return openpyxl.load_workbook(io.BytesIO(content), data_only=True)


def rows_of(name, sheet):
    head, *rows = book(name)[sheet].iter_rows(values_only=True)
    return [dict(zip(head, row, strict=True)) for row in rows]


def cell(item):
    return item.number if item.known else "unknown"


def printed(value):
    return clean(value, limit=2000) if isinstance(value, str) else value


def close(written, wanted):
    return written == wanted or (
        isinstance(written, int | float)
        and isinstance(wanted, int | float)
        and written == pytest.approx(wanted)
    )


@each_design
def test_the_workbook_holds_every_line_of_the_bill(name):
    bill = planned(name).bill
    lines = [row for row in rows_of(name, "Bill of materials") if row["No."]]
    assert len(lines) == len(bill.lines)
    for row, line in zip(lines, bill.lines, strict=True):
        assert row["Description"] == printed(line.description)
        wanted = {
            "Group": line.group, "Rack": line.racks or None, "Part": line.part_id, "Unit": line.unit,
            "Maker": line.maker or None, "Required by": line.cause, "Lead time": line.lead_time or "unknown",
            "Quantity": cell(line.quantity), "Spares": cell(line.spare_count),
            "Weight each, kg": cell(line.weight_kg) or None, "Height each, U": cell(line.rack_units_ru) or None,
            "Power each, W": cell(line.watts_w) or None,
        }  # fmt: skip
        prices = (line.price_low_usd, line.price_high_usd, line.extended_low_usd, line.extended_high_usd,
                  line.spares_low_usd, line.spares_high_usd)  # fmt: skip
        titles = ("Unit price low, USD", "Unit price high, USD", "Price low, USD", "Price high, USD",
                  "Spares low, USD", "Spares high, USD")  # fmt: skip
        wanted |= {
            title: item.number if line.priced else "not priced"
            for title, item in zip(titles, prices, strict=True)
        }
        wanted |= {
            "Price as of": line.price_as_of or None,
            "Price source": line.price_source if line.priced else None,
        }
        assert {
            title: row[title]
            for title in wanted
            if not close(row[title] or None, printed(wanted[title]) or None)
        } == {}
    total = next(row for row in rows_of(name, "Bill of materials") if row["Group"] == "Total")
    for title, item in (("Price low, USD", bill.low_usd), ("Price high, USD", bill.high_usd),
                        ("Spares low, USD", bill.spares_low_usd), ("Spares high, USD", bill.spares_high_usd)):  # fmt: skip
        assert total[title] == pytest.approx(item.number)


@each_design
def test_the_workbook_holds_every_rack_and_every_part_that_draws_power(name):
    result = planned(name)
    for row, rack in zip(rows_of(name, "Racks"), result.racks.racks, strict=True):
        wanted = {
            "Used, U": rack.used_ru, "Typical, W": rack.typical_w, "Maximum, W": rack.max_w,
            "Apparent, VA": rack.apparent_va, "Start-up, W": rack.startup_w, "Weight, kg": rack.weight_kg,
            "Floor, kg/m²": rack.floor_kg_per_m2, "Each feed, A": rack.feed_a_amps,
            "One feed alone, A": rack.feed_alone_amps, "Circuits": rack.circuit_count,
            "Heat, BTU/h": rack.btu_per_hour, "To air, W": rack.air_w, "To liquid, W": rack.liquid_w,
            "Air, m³/h": rack.airflow_m3_per_hour, "Air, CFM": rack.airflow_cfm,
        }  # fmt: skip
        assert row["Rack"] == rack.title
        assert {title for title, item in wanted.items() if not close(row[title], cell(item))} == set()
    parts = rows_of(name, "Power")[: len(result.facility.rows)]
    for row, part in zip(parts, result.facility.rows, strict=True):
        wanted = {
            "Number": part.count, "Typical each, W": part.typical_w, "Maximum each, W": part.max_w,
            "Height each, U": part.rack_units_ru, "Typical, W": part.total_typical_w,
            "Maximum, W": part.total_max_w, "Height, U": part.total_ru,
        }  # fmt: skip
        assert row["Part"] == part.name
        assert {title for title, item in wanted.items() if not close(row[title], cell(item))} == set()
    known = [row["Typical, W"] for row in parts if row["Typical, W"] != "unknown"]
    assert sum(known) == pytest.approx(result.facility.typical_w.number)


# --- the document -------------------------------------------------------------------------------------------------


@functools.cache
def words_of(name):
    return body_of(pages_in(rendered(planned(name)))) if name in ODD else documents.words_of(name)


@each_design
def test_the_document_prints_every_figure_beside_its_name(name):
    words = words_of(name)
    missing = []
    for section, members in figures(planned(name)).items():
        for label, item in members.items():
            shown = squeezed(clean(label, limit=LONGEST)) + squeezed(clean(item.text()))
            if shown not in words:
                missing.append((section, label, item.text()))
    assert missing == []
    assert [
        item.text() for item in key_figures(planned(name)).values() if squeezed(item.text()) not in words
    ] == []


@each_design
def test_the_document_prints_the_power_of_the_rack_that_the_page_shows(name):
    words, result = words_of(name), planned(name)
    own = [rack for rack in result.racks.racks if rack.number <= result.racks.storage_rack_count.number]
    full = max(own, key=lambda rack: rack.max_w.number)
    told = charts.rack_power_chart(result).layout.meta["title"]
    assert f"draws {full.typical_w}, at most {full.max_w}" in told
    assert squeezed(told) in words
    limit, feed = result.facility.rack_check.provided, result.racks.circuits.circuit_w
    for name_of, most in (("Power of the fullest rack", limit), ("One feed alone", feed)):
        assert squeezed(f"{name_of} {full.max_w} at most of {most}: PASS") in words  # power and cooling
        assert squeezed(f"{name_of} must {full.max_w} {most} PASS") in words  # asked and provided
    # What is asked of the site: GPU nodes stand in racks of their own, so all racks count there.
    assert (
        squeezed(f"{result.facility.rack_typical_w} on average, the fullest {result.racks.fullest_w}")
        in words
    )


@each_design
def test_the_document_calls_a_cost_by_one_name_wherever_it_stands(name):
    words, result = words_of(name), planned(name)
    money, term = result.cost, result.term
    run = format_range(money.term_low_usd.number, money.term_high_usd.number, "USD")
    assert squeezed(clean(f"Equipment, power and support over the term {run}")) in words
    assert squeezed(clean(f"Over the term {run}")) not in words.replace(
        squeezed(clean(f"support over the term {run}")), ""
    )
    ends = f"{term.low_usd} {term.high_usd}"
    assert squeezed(clean(f"Together over {term.term_s} {ends}")) in words


@each_design
def test_the_document_prints_the_bill_and_the_parts_that_draw_power(name):
    words, result = words_of(name), planned(name)
    for row in result.facility.rows:
        cells = (
            row.count,
            row.typical_w,
            row.max_w,
            row.rack_units_ru,
            row.total_typical_w,
            row.total_max_w,
            row.total_ru,
        )
        assert squeezed(row.name + "".join(item.text() for item in cells)) in words, row.name
    assert squeezed(result.bill.total_text) in words
    for line in result.bill.lines:
        assert squeezed(clean(line.description)) in words, line.description
