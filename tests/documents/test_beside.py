"""What a document tells beside the plan: addresses as in the bundle, years of growth, failures with their times."""

import csv
import io
import re
from dataclasses import replace

import openpyxl
import pytest

from planner.catalogue import load_catalogue
from planner.deploy.address_plan import address_plan
from planner.deploy.addressing import Addressing
from planner.deploy.schedules import addresses
from planner.deploy.site import site
from planner.documents import Beside, Identity
from planner.documents.beside import growth_tables
from planner.documents.control import control
from planner.documents.decisions import availability
from planner.documents.drawings import drawings
from planner.documents.engineering import network
from planner.documents.letterhead import Letterhead
from planner.documents.package import workbook
from planner.documents.racks import racks
from planner.documents.review import materials
from planner.documents.tables import bill_table
from planner.explore.growth import Demand, Growth, growth
from planner.plan import plan
from planner.scenario_json import with_value
from planner.templates import template
from tests.documents.printed import (
    CREATED,
    HASH,
    LARGEST,
    SMALLEST,
    STAMP,
    pages_in,
    planned,
    rendered,
    squeezed,
    text_of,
    words_of,
)

IDENTITY = Identity(title="A", revision="1", state="draft", created=CREATED, hash_text=HASH)
DEMAND = Demand(2, 4.0, 1.0, 8.0)


@pytest.mark.parametrize("name", [SMALLEST, LARGEST])
def test_first_and_last_addresses_are_those_of_the_bundle(name):
    result, named = planned(name), Addressing(node_prefix="box", fabric_a="10.64.0.0/15")
    found = address_plan(result, named)
    ports = [row for row in csv.DictReader(io.StringIO(addresses(site(result, named)))) if row["side"]]
    own = {}
    for row in ports:
        if row["device"].partition("-")[0] == "box":
            own.setdefault(row["side"], []).append(row["address"])
    rows = {row[2]: row for row in found["addresses"][1] if row[1].startswith("box-")}
    assert set(rows) == set(own)
    for side, held in own.items():
        ends = sorted(held, key=lambda text: [int(part) for part in text.split(".")])
        assert [end.partition("/")[0] for end in rows[side][3:5]] == [ends[0], ends[-1]]
        assert rows[side][5] == f"{len(held):,}"
    beside = Beside(**found)
    told = text_of(*network(result, beside=beside), *availability(result, beside=beside))
    for row in (*found["subnets"][1], *found["addresses"][1]):
        assert squeezed("".join(row)) in told
    assert squeezed("at most 5 s: keep-alive") in told


@pytest.mark.parametrize("name", [SMALLEST, "two-jobs"])
def test_racks_are_labelled_with_the_names_of_the_site(name):
    named = Addressing(hot_prefix="flash", leaf_prefix="tor", object_prefix="bucket", metadata_prefix="meta")
    result = planned(name)
    made = site(result, named)
    own = {machine.name for machines in made.units.values() for machine in machines}
    own |= {switch.name for switch in made.switches}
    beside = Beside(**address_plan(result, named))
    pictures = "".join(drawings(result, prefixes=beside.prefixes).values())
    printed = text_of(*racks(result, beside=beside))
    book = openpyxl.load_workbook(io.BytesIO(workbook(result, IDENTITY, beside)))
    assert {row[3] for row in book["Places"].iter_rows(min_row=2, values_only=True)} == own
    for label in own:
        assert f">{label} " in pictures
        assert label in printed
    assert {label.partition("-")[0] for label in own} >= {"flash", "tor"}
    assert not re.search(r"\b(nvme|leaf|obj|mds)-\d", pictures + printed)


def test_fibre_channel_has_no_addresses_and_too_small_a_subnet_says_so():
    scenario = with_value(template("guide-256-guide").scenario, "network.transport", "fc")
    over_fc = plan(scenario, load_catalogue())
    assert address_plan(over_fc, Addressing())["addresses"][1] == ()
    beside = Beside(**address_plan(over_fc, Addressing()))
    assert squeezed("no addresses; zones") in text_of(*network(over_fc, beside=beside))
    small = address_plan(planned(LARGEST), Addressing(fabric_a="10.64.0.0/24"))
    assert "fabric_a" in small["lacking"]
    assert squeezed(f"Not planned: {small['lacking']}") in text_of(
        *network(planned(LARGEST), beside=Beside(**small))
    )


def test_years_and_first_passes_are_those_of_growth():
    scenario = template(SMALLEST).scenario
    grown = growth(scenario, DEMAND, catalogue=load_catalogue())
    found = address_plan(planned(SMALLEST), Addressing())
    told = squeezed("".join(pages_in(rendered(planned(SMALLEST), beside=Beside(grown=grown, **found)))))
    assert all(squeezed("".join(row)) in told for row in found["addresses"][1])
    assert squeezed("GPUs × 4, parameters of every model × 1, data × 8") in told
    for year in grown.years:
        assert (
            squeezed(f"{year.figures['GPUs']}{year.figures['Dataset']}{year.figures['Checkpoint']}") in told
        )
        for step in year.expansion.additions if year.expansion else ():
            assert squeezed(str(step)) in told
    for code, (number, _) in grown.first.items():
        assert f"{code}{number or 'today'}" in told
    assert any(year.expansion for year in grown.years)
    book = openpyxl.load_workbook(
        io.BytesIO(workbook(planned(SMALLEST), IDENTITY, Beside(grown=grown))), read_only=True
    )
    cells = {cell for row in book["Capacity and growth"].iter_rows(values_only=True) for cell in row}
    assert {str(step) for year in grown.years if year.expansion for step in year.expansion.additions} <= {
        part for cell in cells if cell for part in str(cell).split("; ")
    }
    assert squeezed("Not asked for.") in words_of(SMALLEST)


@pytest.mark.parametrize(("years", "said"), [(1, "within 1 year."), (3, "within 3 years.")])
def test_a_design_that_passes_no_limit_says_for_how_long(years, said):
    story = growth_tables(Growth(Demand(years, 1.0, 1.0, 1.0), (), {}))
    assert any(getattr(part, "words", "").endswith(said) for part in story)


def test_a_failure_is_told_with_its_times():
    result = planned(LARGEST)
    told = text_of(*availability(result))
    own = next(row for row in result.protection.rows if row.scheme.id == result.hot.scheme.id)
    assert squeezed(f"data {own.rebuild_s}, all of its drives at once") in told
    good = result.main.goodput
    assert squeezed(f"{good.restart_s}, of which {good.load_s} to load") in told
    for state in result.fabric_load.losses:
        assert squeezed(f"a save takes {state.saves[0].save_s} instead of {result.main.save.save_s}") in told
    assert squeezed("unknown: by the hosts' settings") in told  # nobody told how soon a path is noticed


def test_who_gets_a_copy_is_listed():
    names = "Zoë <b>X</b>, ACME\n\nشركة\n=1+1"
    stamp = replace(STAMP, letterhead=Letterhead(distribution=names))
    told = text_of(*control(planned(SMALLEST), stamp=stamp, history=()))
    assert squeezed("1 Zoë <b>X</b>, ACME") in told
    assert squeezed("3 =1+1") in told
    assert squeezed("Distribution: nobody was named.") in words_of(SMALLEST)


def test_every_line_of_the_bill_says_what_a_buyer_has_to_state():
    result = planned(SMALLEST)
    table = bill_table(result)
    for row, line in zip(
        table.rows, (line for lines in result.bill.groups.values() for line in lines), strict=True
    ):
        cells = dict(zip(table.head, row, strict=True))
        assert cells["Condition"] == "unknown"
        assert cells["Approved alternatives"] == "none approved"
        typical = cells["Unit price typical, USD"]
        low, high = cells["Unit price low, USD"], cells["Unit price high, USD"]
        assert typical == ("not priced" if not line.priced else low if low == high else "unknown")
        assert ("5 years" in cells["Support term"]) == (line.kind != "other")
    told = text_of(*materials(result))
    for line in result.bill.lines:
        assert squeezed(f"{line.maker or 'any maker'}, {line.part_id}; delivery") in told
