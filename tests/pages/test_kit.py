"""The sections on the kit show what the plan says, one view at a time, and any site can be put beside it."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from pages._ui import answers
from planner import load_catalogue, plan, scenario_to_json
from planner.core.units import counted
from planner.documents.elevations import elevations
from planner.plan import Plan
from planner.sections.durability import odds
from planner.sections.reasons import because
from planner.store import NewRevision
from planner.templates import template
from tests.pages.visitor import (
    cells,
    clean,
    every_row,
    lines,
    open_scenario,
    open_template,
    press,
    rows_of,
    said,
    show,
    type_text,
    visit,
)

LARGE, START = "frontier-16384", "guide-256-evidence"
VIEWS = {
    ("Tiers", "ui.tiers"): ("Sizes", "Raw to safe", "Drain and retention", "Architecture"),
    ("Endurance and protection", "ui.endurance"): (
        "Wear",
        "Protection schemes",
        "Durability and availability",
    ),
    ("Power and racks", "ui.power"): ("Power", "Racks", "Feeds and site", "Several sites"),
    ("Cost", "ui.cost"): ("Total", "Bill", "Over the term", "Beside the guide"),
}


def opened(name: str) -> tuple[AppTest, Plan]:
    """The Plan screen with a template as a draft, and its plan."""
    return open_template(name), plan(template(name).scenario, load_catalogue())


def at_view(name: str, section: str, key: str, view: str) -> tuple[AppTest, Plan]:
    at, result = opened(name)
    show(at, "ui.section", section)
    return show(at, key, view), result


def figures(at: AppTest) -> dict[str, str]:
    """Labels and texts of every table of figures."""
    rows = [list(row.values()) for row in every_row(at) if "Figure" in row]
    return {label: text for label, text, *_ in rows}


@pytest.mark.parametrize("name", [START, "lab-8-nodes", LARGE])
@pytest.mark.parametrize(("section", "key"), VIEWS)
def test_every_view_is_built_and_no_other_beside_it(name: str, section: str, key: str) -> None:
    at, _ = opened(name)
    show(at, "ui.section", section)
    seen = set()
    for view in VIEWS[section, key]:
        show(at, key, view)
        seen.add((tuple(str(table.value.columns[0]) for table in at.table), said(at)))
        assert len(at.get("plotly_chart")) <= 1
    assert len(seen) == len(VIEWS[section, key])


# --- tiers ------------------------------------------------------------------------------------------------


def test_each_tier_says_what_made_it_so_large() -> None:
    at, result = at_view(LARGE, "Tiers", "ui.tiers", "Sizes")
    for tier in result.tiers:
        assert f"**{tier.name}**: {because(tier)}." in said(at)
    assert "207 drives in 9 nodes because of endurance (205); next write bandwidth (21.2)" in said(at)


def test_the_ladder_shows_every_deduction() -> None:
    at, result = at_view(START, "Tiers", "ui.tiers", "Raw to safe")
    rows = rows_of(at, "Step")
    assert [row["Step"] for row in rows] == ["raw", *(step.name for step in result.ladders[0].steps)]
    assert [row["Leaves"] for row in rows[1:]] == [str(step.left_bytes) for step in result.ladders[0].steps]


def test_the_drain_shows_its_rate_and_what_it_takes() -> None:
    at, result = at_view(START, "Tiers", "ui.tiers", "Drain and retention")
    day, shown = result.drain_day(0), figures(at)
    assert shown["Drain rate needed"] == str(day.needed_bytes_per_s)
    assert shown["Share of the hot tier's reads meanwhile"] == str(day.read_share_fraction)
    assert shown["Kept in 30 days, all jobs"] == str(day.month_bytes)
    assert shown["Full after"] == str(result.retention.full_after_s)


# --- endurance --------------------------------------------------------------------------------------------


def test_lives_end_on_days_that_follow_from_the_first() -> None:
    at, result = at_view(START, "Endurance and protection", "ui.endurance", "Wear")
    clean(at.date_input(key="ui.operation").set_value(date(2026, 1, 15)).run())
    rows = {row["Life"]: row for row in rows_of(at, "Life")}
    assert rows["Warranty ends"]["On"] == "2031-01-15"
    assert rows["Replace by"]["After"] == str(result.endurance.planned_life_s)
    assert rows["Replace by"]["On"].startswith("2035-02")  # 9.11 years
    assert "no drives to add" in said(at)


def test_the_guides_pool_says_how_many_drives_its_term_takes() -> None:
    at, _ = at_view("guide-256-guide", "Endurance and protection", "ui.endurance", "Wear")
    assert "the pool needs **8** drives: **3 drives** more" in said(at)


def test_schemes_stand_on_the_same_drives() -> None:
    at, result = at_view(LARGE, "Endurance and protection", "ui.endurance", "Protection schemes")
    rows = rows_of(at, "Scheme")
    assert [row["Usable"] for row in rows] == [str(row.usable_bytes) for row in result.schemes]
    assert [row["Write, one lost"] for row in rows] == [
        str(row.degraded_write_bytes_per_s) for row in result.schemes
    ]
    assert [row["Domains needed"].endswith("pass") for row in rows] == [row.fits for row in result.schemes]
    assert rows[2]["Chance of loss in a year"] == odds(result.schemes[2].loss_fraction)


def test_durability_is_told_in_words() -> None:
    at, result = at_view(START, "Endurance and protection", "ui.endurance", "Durability and availability")
    assert "a chance of **1 in 280\u202f000** in a year" in said(at)
    assert result.durability is not None
    assert f"{result.durability.away_s} in a year" in said(at)
    assert "×\u202f10⁻" not in "".join(row["Chance in a year"] for row in rows_of(at, "If"))


def test_an_array_is_asked_of_its_vendor() -> None:
    scenario = template(START).scenario
    hot = scenario.storage.hot.model_copy(update={"architecture": "all-flash-array"})
    storage = scenario.storage.model_copy(update={"hot": hot})
    at = open_scenario(scenario.model_copy(update={"storage": storage}))
    show(at, "ui.section", "Endurance and protection")
    assert "ask its vendor" in said(at)
    show(at, "ui.endurance", "Durability and availability")
    assert "its vendor has to state" in said(at)


# --- power and racks --------------------------------------------------------------------------------------


def test_sums_of_all_racks_stand_beside_the_guide() -> None:
    at, result = at_view(START, "Power and racks", "ui.power", "Power")
    shown = figures(at)
    assert shown["Apparent power"] == str(result.racks.apparent_va)
    assert shown["At start-up, all at once"] == str(result.racks.startup_w)
    assert shown["Cooling"] == str(result.racks.cooling_tons)
    guide = [row["Guide"] for row in rows_of(at, "The guide says")]
    assert "10 to 25\u00a0W" in guide
    assert any(text.startswith("500\u00a0W to 1\u00a0kW") for text in guide)


def _pictures(item: Any) -> list[Any]:
    return list(getattr(item.proto, "imgs", None) or [item.proto])


def test_a_rack_is_seen_from_both_sides_with_its_contents_in_words() -> None:
    at, result = at_view(LARGE, "Power and racks", "ui.power", "Racks")
    rows = rows_of(at, "Rack")
    assert len(rows) == len(elevations(result, "front")) < result.racks.rack_count.number
    assert any("(×" in row["Rack"] for row in rows)
    clean(at.selectbox(key="ui.rack").set_value(rows[2]["Rack"]).run())
    pictures = [str(picture.alt) for item in at.get("image") for picture in _pictures(item)]
    assert pictures == [elevations(result, side)[2].alt for side in ("front", "rear")]
    assert rows_of(at, "Row")[0]["Racks"] == "1 to 10"


def test_each_limit_of_the_site_has_a_verdict_or_a_question() -> None:
    at, result = at_view(START, "Power and racks", "ui.power", "Feeds and site")
    rows = rows_of(at, "Limit")
    assert [row["Verdict"].split()[-1] for row in rows] == [line.verdict for line in result.site_lines]
    for line in result.site_lines:
        assert (f"- {line.ask}" in said(at)) == (line.verdict == "question")
    inlet = next(row for row in rows if row["Limit"] == "Inlet temperature")
    assert (inlet["Site"], inlet["Design"]) == ("unknown", "35\u00a0°C")


def sites(at: AppTest) -> dict[str, list[str]]:
    """Cells by row of the table of sites."""
    return {row[""]: list(row.values())[1:] for row in rows_of(at, "")}


def test_a_site_is_added_changed_and_taken_away() -> None:
    at, result = at_view(START, "Power and racks", "ui.power", "Several sites")
    assert len(sites(at)["Verdict"]) == 1
    clean(at.selectbox(key="ui.sites.from").set_value("usual:208 V 30 A three-phase, North America").run())
    press(at, "ui.sites.add")
    first, second = sites(at)["One feed alone"]
    assert str(result.racks.circuits.circuit_w) in first
    assert "fail" not in second
    assert "8.21\u00a0kW" in second  # 8.65 kVA as published, at a power factor of 0.95
    type_text(at, "ui.site.0.site.allowed_w", "9 kW")
    assert sites(at)["Verdict"][1].endswith("fail")
    type_text(at, "ui.site.0.name", "The other hall")
    assert list(at.table[-1].value.columns)[-1] == "The other hall"
    press(at, "ui.site.0.remove")
    assert len(sites(at)["Verdict"]) == 1


def test_a_site_that_says_nonsense_is_told_so_and_left_out() -> None:
    at, _ = at_view(START, "Power and racks", "ui.power", "Several sites")
    press(at, "ui.sites.add")
    type_text(at, "ui.site.0.site.feed_volts", "lots")
    assert len(lines(at)) == 1
    assert "Feed voltage: “lots” is not a number" in lines(at)[0]
    assert len(sites(at)["Verdict"]) == 1
    press(at, "ui.sites.add")  # the second one is good, and the first one is still told
    assert len(sites(at)["Verdict"]) == 2
    assert len(lines(at)) == 1
    clean(at.selectbox(key="ui.sites.shown").set_value("Added site 1").run())
    type_text(at, "ui.site.0.site.feed_volts", "5 V")
    assert "is not allowed; use 100" in lines(at)[0]


def test_the_site_of_a_saved_design_can_be_taken() -> None:
    scenario = template("lab-8-nodes").scenario
    site = scenario.site.model_copy(update={"allowed_w": 11e3})
    other = scenario.model_copy(update={"site": site})
    made = answers.store().create_design("Hall 7", NewRevision(scenario_json=scenario_to_json(other)))
    at, _ = at_view(START, "Power and racks", "ui.power", "Several sites")
    clean(at.selectbox(key="ui.sites.from").set_value(f"design:{made.design_id}").run())
    press(at, "ui.sites.add")
    assert "of 11\u00a0kW" in sites(at)["Power of all racks"][1]


def test_added_sites_are_kept_in_the_draft() -> None:
    at, _ = at_view(START, "Power and racks", "ui.power", "Several sites")
    clean(at.selectbox(key="ui.sites.from").set_value("usual:208 V 30 A three-phase, North America").run())
    press(at, "ui.sites.add")
    type_text(at, "ui.site.0.site.allowed_w", "9 kW")
    type_text(at, "ui.site.0.name", "The other hall")
    before = sites(at)
    other = visit(draft=at.query_params["draft"])
    show(other, "ui.section", "Power and racks")
    show(other, "ui.power", "Several sites")
    assert sites(other) == before
    assert other.text_input(key="ui.site.0.name").value == "The other hall"
    assert other.text_input(key="ui.site.0.site.allowed_w").value == "9\u00a0kW"


def test_sites_of_a_draft_that_are_none_are_left_out() -> None:
    key = answers.store().new_draft_key()
    scenario = json.loads(scenario_to_json(template(START).scenario))
    good = {"name": "Hall", "site": {"allowed_w": 9e3}}
    wrong = [{"name": "no site"}, {"name": "x", "site": {"feed_volts": -1}}, 7, {"name": "y", "site": None}]
    content = json.dumps({"scenario": scenario, "sites": [*wrong, good]})
    answers.store().save_draft(key, content)
    at = visit(draft=key)
    show(at, "ui.section", "Power and racks")
    show(at, "ui.power", "Several sites")
    assert len(sites(at)["Verdict"]) == 2
    assert sites(at)["Verdict"][1].endswith("fail")


# --- cost -------------------------------------------------------------------------------------------------


def test_the_total_says_what_it_leaves_out() -> None:
    at, result = at_view(START, "Cost", "ui.cost", "Total")
    assert f"**{result.bill.total_text}**" in said(at)
    for gap in result.bill.gaps:
        assert gap.text in said(at)


def test_the_bill_is_folded_by_group() -> None:
    at, result = at_view(START, "Cost", "ui.cost", "Bill")
    bill = result.bill
    heads = [item.label.replace("\\", "") for item in at.expander]
    assert [head for head in heads if head.partition(":")[0] in bill.groups] == [
        f"{name}: {bill.group_text(name)} ({counted(len(lines), 'line')})"
        for name, lines in bill.groups.items()
    ]
    assert len(at.table) == 0
    at.session_state["ui.bill.Network"] = True
    clean(at.run())
    money, parts = (cells(at, number) for number in range(2))
    lines_of = bill.groups["Network"]
    assert [row["Part"] for row in money] == [line.title for line in lines_of]
    assert [row["Because of"] for row in parts] == [line.cause for line in lines_of]
    assert [row["Together"] == "not priced" for row in money] == [not line.priced for line in lines_of]


def test_the_term_stands_against_idle_gpus() -> None:
    at, result = at_view(LARGE, "Cost", "ui.cost", "Over the term")
    rows = {row["Cost"]: row for row in rows_of(at, "Cost")}
    for line in result.term.lines:
        assert rows[line.name]["High"] == (str(line.high_usd) if line.priced else "not priced")
    total = rows[f"**Together over {result.term.term_s}**"]
    assert [total[head] for head in ("Low", "Middle", "High")] == [
        str(item) for item in (result.term.low_usd, result.term.middle_usd, result.term.high_usd)
    ]
    units = {row["Storage"]: row for row in rows_of(at, "Storage")}
    assert units["For each checkpoint"]["Idle GPUs"] == str(result.term.idle_per_save_usd)
    assert f"**{result.term.idle_usd}**" in said(at)


def test_the_guides_prices_stand_beside_the_parts() -> None:
    at, result = at_view(START, "Cost", "ui.cost", "Beside the guide")
    rows = rows_of(at, "Tier")
    assert [row["Times, low ends"] for row in rows] == [
        str(row.times_low_ratio) for row in result.guide_beside
    ]
    for row in result.guide_beside:
        assert row.reason in said(at)
