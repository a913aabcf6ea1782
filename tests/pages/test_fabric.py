"""The network section of a plan: drawing, loads, losses, scores with weights, lossless values, zones and cables."""

from __future__ import annotations

import csv
import io
import zipfile
from datetime import UTC, datetime

import pytest
from streamlit.testing.v1 import AppTest

from pages._ui import answers, exports, site_names
from planner.catalogue import load_catalogue
from planner.deploy.schedules import CABLE_COLUMNS, table
from planner.plan import Plan, plan
from planner.scenario_json import scenario_to_json
from planner.sections.traffic import CASES
from planner.sections.transport_scores import CRITERIA
from planner.templates import template
from tests.pages.visitor import clean, lines, open_panel, open_template, rows_of, show, type_number, visit


def network_of(name: str) -> tuple[AppTest, Plan]:
    """A visitor who reads the network of a template, and the plan of it."""
    return show(open_template(name), "ui.section", "Network"), plan(template(name).scenario, load_catalogue())


@pytest.mark.parametrize("name", ["guide-256-evidence", "lab-8-nodes", "frontier-16384"])
def test_the_loads_are_those_of_the_plan_with_the_fullest_marked(name: str) -> None:
    at, result = network_of(name)
    load = result.fabric_load
    rows = rows_of(at, "Hop")
    assert len(rows) == len(load.hops)
    columns = [title for title in rows[0] if title not in ("Hop", "Links", "Carries")]
    for case, title in zip(CASES, columns, strict=True):
        for hop, row in zip(load.hops, rows, strict=True):
            marked = load.whole.bottleneck[case] == hop.key
            assert (" (fullest)" in row[title]) == marked
            assert hop.loads[case].fraction.text() in row[title]
    lost = rows_of(at, "Lost")
    assert len(lost) == 1 + len(load.losses)
    assert lost[0]["Save"] == result.main.save.save_s.text()
    for row, state in zip(lost[1:], load.losses, strict=True):
        assert row["Save"] == state.saves[0].save_s.text()


def test_scores_show_points_weights_and_sums() -> None:
    at, result = network_of("guide-256-evidence")
    case = result.transport_case
    rows = rows_of(at, "Criterion")
    assert [row["Criterion"] for row in rows] == [*CRITERIA.values(), "**Sum**"]
    for row, (name, weight) in zip(rows, case.weights.items(), strict=False):
        assert row["Weight"] == weight.text()
        assert row["RoCEv2"] == case.score("rdma").of(name).weighted.text()
    assert rows[-1]["Fibre Channel"].endswith("not possible: no SAN is there")
    said = " ".join(item.value for item in at.markdown).replace("\\", "")
    assert "GB/s a rack" in said.replace("\u00a0", " ")
    assert case.turns
    for turn in case.turns:
        assert turn.words in said


def test_weights_are_changed_on_the_page_and_turn_the_choice() -> None:
    at, _ = network_of("guide-256-evidence")
    assert any(item.value.startswith("**NVMe-oF over RoCEv2**") for item in at.markdown)
    open_panel(at, "ui.fabric.weights")
    type_number(at, "network.transport_weights.cost_weight_count", 10)
    assert any(item.value.startswith("**NVMe-oF over TCP**") for item in at.markdown)
    at = clean(at.text_input(key="network.transport_weights.cost_weight_count").set_value("11").run())
    assert any("Weight of cost" in item.value for item in at.error)


def test_roce_without_lossless_set_up_stands_beside_the_others_with_its_risk() -> None:
    at, result = network_of("guide-256-evidence")
    rows = rows_of(at, "Transport")
    row = next(row for row in rows if "without lossless" in row["Transport"])
    assert result.transport_case.lossy is not None
    assert row["Save"].endswith(result.transport_case.lossy.save_high_s.text())
    assert {row["Transport"].split(" (")[0]: row["GPUDirect Storage"] for row in rows}[
        "NVMe-oF over TCP"
    ] == "no"
    assert any("byteps" in item.value for item in at.caption)


@pytest.mark.parametrize("name", ["guide-256-evidence", "lab-8-nodes"])
def test_lossless_values_of_every_kind_of_port(name: str) -> None:
    at, result = network_of(name)
    open_panel(at, "ui.fabric.lossless")
    values = result.lossless
    assert values is not None
    rows = rows_of(at, "Switch")
    assert len(rows) == sum(len(buffer.profiles) for buffer in values.buffers)
    assert rows[0]["Headroom (PFC)"] == values.buffers[0].profiles[0].headroom.text()
    said = " ".join(item.value for item in at.markdown)
    for word in ("PFC on priority 3", "DSCP 26", "PCP 3", "ETS share", "watchdog"):
        assert word in said
    assert ("needs no lossless Ethernet" in said) == (result.network.transport.value != "rdma")


def test_cables_are_found_and_all_of_them_are_in_the_file() -> None:
    at, result = network_of("guide-256-evidence")
    open_panel(at, "ui.fabric.cables")
    assert result.cabling is not None
    scenario_json = scenario_to_json(result.scenario)
    listed = list(csv.DictReader(io.StringIO(table(CABLE_COLUMNS, site_names.cable_rows(scenario_json)))))
    assert len(listed) == len(result.cabling.cables)
    assert len(rows_of(at, "Cable")) == 20
    clean(at.text_input(key="ui.fabric.find").set_value("NVME-01 leaf-02").run())
    found = rows_of(at, "Cable")
    wanted = [row for row in listed if "nvme-01" in row["label"] and "leaf-02" in row["label"]]
    assert [row["Label"] for row in found] == [row["label"] for row in wanted] != []
    clean(at.text_input(key="ui.fabric.find").set_value("nothing like it").run())
    assert any("of 0 cables that match" in item.value for item in at.caption)


def test_screens_have_the_names_of_the_site_as_the_files_have_them() -> None:
    at, _ = network_of("guide-256-evidence")
    at.session_state["export.names"] = '{"hot_prefix": "flash", "leaf_prefix": "tor"}'
    open_panel(at, "ui.fabric.cables")
    clean(at.text_input(key="ui.fabric.find").set_value("flash-01 tor-02").run())
    assert len(rows_of(at, "Cable")) > 0
    show(at, "ui.section", "Power and racks")
    show(at, "ui.power", "Racks")
    drawn = " ".join(str(item.proto) for item in at.get("image"))
    assert "flash-01" in drawn
    assert "nvme-0" not in drawn


def over_fibre_channel() -> AppTest:
    """A visitor who reads the network of a design over Fibre Channel."""
    at, _ = network_of("guide-256-evidence")
    show(at, "ui.group", "Network")
    clean(at.toggle(key="network.transport#auto").set_value(False).run())
    return clean(at.selectbox(key="network.transport").set_value("fc").run())


def test_fibre_channel_has_zones() -> None:
    at = over_fibre_channel()
    open_panel(at, "ui.fabric.zones")
    rows = rows_of(at, "Zone")
    assert rows[0]["Zone"] == "gpu_01_p0_A"
    assert rows[0]["Initiator"].startswith("@WWPN_GPU_01_")
    assert {row["Side"] for row in rows} == {"A", "B"}


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ('{"node_prefix": "gpu\\n[Service]"}', "addressing.node_prefix"),
        ('{"fabric_a": "10.0.0.0/8; reboot"}', "addressing.fabric_a"),
        ('{"node_prefx": "gpu"}', "did you mean node_prefix"),
        ("not json", "addressing: the file is not JSON"),
    ],
)
def test_names_that_could_inject_a_line_are_refused_in_one(typed: str, told: str) -> None:
    at = visit("export")
    clean(at.text_area(key="export.names").set_value(typed).run())
    assert [told in line for line in lines(at)] == [True]


def test_names_of_the_site_are_in_bundle_and_cables() -> None:
    scenario_json = scenario_to_json(template("lab-8-nodes").scenario)
    typed = '{"node_prefix": "blade", "leaf_prefix": "tor"}'
    made = answers.plan_of(scenario_json)
    head = exports.Heading("Lab", "1", "", datetime(2026, 1, 1, tzinfo=UTC), "hash", draft=True)
    order = exports.Order(scenario_json, answers.catalogue().hash, head)
    with zipfile.ZipFile(io.BytesIO(exports.bundle_bytes(order, typed, made))) as archive:
        names = archive.namelist()
        cables = archive.read("cables.csv").decode()
    assert any(name.startswith("hosts/blade-01/") for name in names)
    assert "switches/sonic/tor-01.json" in names
    assert exports.cables_csv_of(order, typed, made) == cables
    assert "gpu-" not in cables


def test_zones_of_ports_that_do_not_fit_are_a_line_and_no_fault() -> None:
    at = show(over_fibre_channel(), "ui.group", "Cluster")
    type_number(at, "cluster.node_count", 5000)
    open_panel(at, "ui.fabric.zones")
    assert any("more than two tiers" in line for line in lines(at))
