"""Paths of a host, read by nvme-cli: it drops what it does not know without a word, so dumps are compared."""

from __future__ import annotations

import configparser
import json
import shlex

import pytest

from planner.deploy.hosts import IGNORED_KEYS, settings
from tests.deploy.tools import run

NODES = {"lab": "gpu-08", "vision": "gpu-128"}


def host_file(made, node, name):
    return made.files[f"hosts/{node}/nvme/{name}"]


def dumped(path):
    """What nvme-cli understood of a file, in an order of our own; a file that it cannot read is an empty list."""
    return ordered(json.loads(run("nvme", "config", f"--config={path}", "--dump").stdout))


def ordered(hosts):
    for host in hosts:
        host["subsystems"].sort(key=lambda subsystem: subsystem["nqn"])
        for subsystem in host["subsystems"]:
            subsystem["ports"].sort(key=lambda port: port["host_traddr"])
    return hosts


@pytest.fixture(params=["lab", "vision"])
def case(request):
    return request.getfixturevalue(request.param), NODES[request.param]


def test_nvme_cli_keeps_every_key_of_the_configuration(case, tmp_path):
    made, node = case
    path = tmp_path / "config.json"
    path.write_text(host_file(made, node, "config.json"))
    assert dumped(path) == ordered(json.loads(path.read_text())) != []


@pytest.mark.parametrize("key", [*IGNORED_KEYS, "no_such_key"])
def test_a_key_that_nvme_cli_drops_is_seen_in_the_dump(key, lab, tmp_path):
    data = json.loads(host_file(lab, "gpu-01", "config.json"))
    data[0]["subsystems"][0]["ports"][0][key] = 104
    path = tmp_path / "config.json"
    path.write_text(json.dumps(data))
    found = dumped(path)
    assert found != ordered(data)
    data[0]["subsystems"][0]["ports"][0].pop(key)
    assert found == ordered(data)


def test_a_truncated_file_is_seen_in_the_dump(lab, tmp_path):
    text = host_file(lab, "gpu-01", "config.json")
    path = tmp_path / "config.json"
    path.write_text(text[: len(text) // 2])
    assert dumped(path) == []


@pytest.mark.parametrize("key", ["transport", "traddr"])
def test_ports_without_an_address_are_never_written(key, vision):
    for path, text in vision.files.items():
        if path.endswith("nvme/config.json"):
            (host,) = json.loads(text)
            ports = [port for subsystem in host["subsystems"] for port in subsystem["ports"]]
            assert host["hostnqn"]
            assert all(port[key] for port in ports)
            assert all(subsystem["nqn"] for subsystem in host["subsystems"])


def option_lines(text):
    return [shlex.split(line) for line in text.splitlines() if line and not line.startswith("#")]


def parsed(options):
    """Let nvme-cli parse a line; no transport of that name exists, so nothing is connected."""
    arguments = ["--transport=none" if option.startswith("--transport=") else option for option in options]
    return run("nvme", "connect-all", *arguments)


def test_every_discovery_line_is_understood(case):
    made, node = case
    lines = option_lines(host_file(made, node, "discovery.conf"))
    assert len(lines) == 2
    for options in lines:
        result = parsed(options)
        assert "unrecognized option" not in result.stderr
        assert "Usage:" not in result.stderr
        assert "Failed to scan topology" in result.stderr or "nvme-fabrics" in result.stderr


@pytest.mark.parametrize("option", ["--fast-io-fail-tmo=15", "--fast_io_fail_tmo=15", "--queue_size=128"])
def test_an_unknown_option_is_refused(option, lab):
    (options, *_) = option_lines(host_file(lab, "gpu-01", "discovery.conf"))
    result = parsed([*options, option])
    assert result.returncode != 0
    assert "unrecognized option" in result.stderr


def test_what_the_json_would_lose_stands_in_the_lines_and_in_udev(case):
    made, node = case
    wanted = settings(made.site)
    for options in option_lines(host_file(made, node, "discovery.conf")):
        assert f"--ctrl-loss-tmo={wanted['ctrl-loss-tmo']}" in options
        assert f"--tos={wanted['tos']}" in options
    rules = made.files["hosts/common/udev/rules.d/71-nvme-storage.rules"]
    assert f'ATTR{{ctrl_loss_tmo}}="{wanted["ctrl-loss-tmo"]}"' in rules
    for key in IGNORED_KEYS:
        assert f'"{key}"' not in host_file(made, node, "config.json")


def test_the_new_form_says_the_same(case):
    """Sections and keys of nvme-cli 3.0, which spells all of them with hyphens and repeats `controller`."""
    made, node = case
    text = host_file(made, node, "nvme-fabrics.conf")
    (host,) = json.loads(host_file(made, node, "config.json"))
    sections = text.count("\n[Subsystem]\n")
    assert sections == len(host["subsystems"])
    parser = configparser.ConfigParser(strict=False, delimiters=("=",))
    parser.read_string(text)
    assert dict(parser["Host"]) == {"hostnqn": host["hostnqn"], "hostid": host["hostid"]}
    defaults = dict(parser["I/O Controller Defaults"])
    assert defaults == {key: str(value) for key, value in settings(made.site).items()}
    assert not [key for key in defaults if "_" in key]
    controllers = [
        dict(part.split("=") for part in line.removeprefix("controller = ").split(";"))
        for line in text.splitlines()
        if line.startswith("controller = ")
    ]
    ports = [port for subsystem in host["subsystems"] for port in subsystem["ports"]]
    assert [c["traddr"] for c in controllers] == [port["traddr"] for port in ports]
    assert [c["host-iface"] for c in controllers] == [port["host_iface"] for port in ports]


def test_paths_join_ports_of_one_side_and_are_as_many_as_designed(vision):
    designed = int(vision.site.plan.network.path_count.number)
    for node, own in vision.paths.items():
        assert len(own) == designed
        assert len({(path.host.address, path.target.address) for path in own}) == designed
        for path in own:
            assert path.host.side == path.target.side
            assert path.host.device == vision.site.nodes[node].name
