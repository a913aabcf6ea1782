"""Alert rules, checked and tested by promtool, and the dashboard that goes with them."""

from __future__ import annotations

import json
import re

import pytest
import yaml

from planner.deploy import alerts
from tests.deploy.tools import lay_out, run

CASES = ["lab", "roce_lab", "vision"]
LIVE = 'node_nvmesubsystem_path_state{transport="%s", state="live"}'


@pytest.fixture
def folder(request, tmp_path):
    made = request.getfixturevalue(request.param)
    return made, lay_out(made.files, tmp_path, "monitoring/")


by_case = pytest.mark.parametrize("folder", ["lab", "vision"], indirect=True)
"""TCP on one leaf pair, and RDMA over leaves and spines."""


@pytest.mark.parametrize("folder", [*CASES, "fc_lab"], indirect=True)
def test_promtool_takes_the_rules_and_their_tests_pass(folder):
    made, path = folder
    checked = run("promtool", "check", "rules", "storage-alerts.yaml", cwd=path)
    assert (checked.returncode, checked.stderr) == (0, "")
    rules = yaml.safe_load(made.files["monitoring/storage-alerts.yaml"])
    assert f"{sum(len(group['rules']) for group in rules['groups'])} rules found" in checked.stdout
    tested = run("promtool", "test", "rules", "storage-alerts-test.yaml", cwd=path)
    assert tested.returncode == 0, tested.stderr


@by_case
def test_a_rule_that_counts_the_nodes_own_drives_fails_its_test(folder):
    """node_exporter lists every subsystem of a machine: a drive inside it has one path, which no network can lose."""
    made, path = folder
    text = made.files["monitoring/storage-alerts.yaml"]
    transport = made.site.plan.network.transport.value
    (path / "storage-alerts.yaml").write_text(text.replace(f'transport="{transport}", ', ""))
    tested = run("promtool", "test", "rules", "storage-alerts-test.yaml", cwd=path)
    assert (tested.returncode, "PathsMissing" in tested.stdout + tested.stderr) == (1, True)


@pytest.mark.parametrize("folder", ["vision"], indirect=True)
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("histogram_quantile(0.5,", "histogram_quantil(0.5,"),
        ("for: 10m", "for: soon"),
        ("expr: sum(", "expr: sum(("),
    ],
)
def test_a_broken_rule_is_refused(folder, old, new):
    made, path = folder
    text = made.files["monitoring/storage-alerts.yaml"]
    assert old in text
    (path / "storage-alerts.yaml").write_text(text.replace(old, new, 1))
    assert run("promtool", "check", "rules", "storage-alerts.yaml", cwd=path).returncode == 1


@by_case
def test_a_rule_that_counts_one_path_too_few_fails_its_test(folder):
    made, path = folder
    text = made.files["monitoring/storage-alerts.yaml"]
    designed = alerts.designed_paths(made.paths)[0]
    rule = f"(instance, subsystem) ({LIVE % made.site.plan.network.transport.value}) < {designed}\n"
    assert rule in text
    (path / "storage-alerts.yaml").write_text(
        text.replace(rule, rule.replace(f"< {designed}", f"< {designed - 1}"))
    )
    tested = run("promtool", "test", "rules", "storage-alerts-test.yaml", cwd=path)
    assert tested.returncode == 1
    assert "PathsMissing" in tested.stderr + tested.stdout


@pytest.mark.parametrize("case", CASES)
def test_thresholds_and_path_counts_are_the_plans(case, request):
    made = request.getfixturevalue(case)
    plan = made.site.plan
    text = made.files["monitoring/storage-alerts.yaml"]
    groups = {group["name"] for group in yaml.safe_load(text)["groups"]}
    assert groups == {"storage-latency", "storage-throughput", "storage-drives", "storage-paths"}
    for watch in plan.monitoring:
        if watch.group == "Latency":
            assert f"> {watch.threshold.number:.9g}\n" in text
        if watch.group == "Throughput":
            assert f"> {watch.threshold.number:.6g}\n" in text
    of_subsystem, of_node, every = alerts.designed_paths(made.paths)
    assert of_subsystem == plan.network.path_count.number
    assert f"(sum({LIVE % plan.network.transport.value}) or vector(0)) < {every}\n" in text
    assert every == of_node * len(made.site.nodes)


@pytest.mark.parametrize("case", CASES)
def test_the_dashboard_asks_what_the_rules_ask(case, request):
    made = request.getfixturevalue(case)
    board = json.loads(made.files["monitoring/dashboard.json"])
    assert {"uid", "title", "schemaVersion", "panels", "templating"} <= set(board)
    assert len({panel["id"] for panel in board["panels"]}) == len(board["panels"])
    rules = made.files["monitoring/storage-alerts.yaml"]
    for panel in board["panels"]:
        assert set(panel["gridPos"]) == {"x", "y", "w", "h"}
        assert panel["type"] in ("timeseries", "stat")
        for query in panel["targets"]:
            names = set(re.findall(r"\b(?:node|smartctl|ebpf)_\w+", query["expr"]))
            assert all(name in rules for name in names)
    (paths,) = (p for p in board["panels"] if p["title"] == "Designed paths")
    assert paths["targets"][0]["expr"] == f"vector({alerts.designed_paths(made.paths)[2]})"


@pytest.mark.parametrize("case", [*CASES, "fc_lab"])
def test_every_query_of_the_dashboard_is_promql(case, request, tmp_path):
    board = json.loads(request.getfixturevalue(case).files["monitoring/dashboard.json"])
    queries = [query["expr"] for panel in board["panels"] for query in panel["targets"]]
    rules = [{"record": f"panel:{number}", "expr": query} for number, query in enumerate(queries)]
    path = tmp_path / "rules.yaml"
    path.write_text(json.dumps({"groups": [{"name": "dashboard", "rules": rules}]}))
    checked = run("promtool", "check", "rules", path)
    assert checked.returncode == 0, checked.stderr


def test_ports_of_fibre_channel_are_watched_by_the_words_that_they_send(fc_lab):
    """6.4 GB/s of a port at 64GFC; a transmission word is four bytes (FC-FS)."""
    text = fc_lab.files["monitoring/storage-alerts.yaml"]
    assert (
        'rate(node_fibrechannel_tx_words_total{instance=~"gpu-[0-9]+([.:].*)?"}[5m]) * 4 / 6400000000 > 0.8'
        in text
    )
    assert "node_network" not in text + fc_lab.files["monitoring/dashboard.json"]


def test_every_machine_is_scraped(vision):
    groups = json.loads(vision.files["monitoring/scrape-targets.json"])
    names = [name for group in groups for name in group["targets"]]
    assert len(names) == len(set(names)) == len(vision.site.machines)
    assert names[0] == "gpu-001.storage.example:9100"
