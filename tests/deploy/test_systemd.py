"""Units and rules of a node, in a tree of their own so that nothing of this machine is asked or touched."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from planner.deploy.addressing import Addressing
from planner.deploy.bundle import contents
from tests.deploy.conftest import changed
from tests.deploy.tools import lay_out, run

UNITS = Path("/lib/systemd/system")


@pytest.fixture
def tree(tmp_path):
    """Lay out a node's files as they lie on the node, with systemd's own units beside them."""

    def build(made, node):
        root = tmp_path / "root"
        assert UNITS.is_dir(), "systemd is not installed: see tests/run"
        shutil.copytree(UNITS, root / "usr/lib/systemd/system", symlinks=True)
        (root / "lib").symlink_to("usr/lib")
        lay_out(made.files, root / "etc", "hosts/common/")
        lay_out(made.files, root / "etc", f"hosts/{node}/")
        for program in ("usr/local/sbin/storage-qos", "usr/sbin/nvme", "sbin/modprobe"):
            place = root / program
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text("#!/bin/sh\n")
            place.chmod(0o755)
        return root

    return build


def units(root):
    """Our own units, the one of interfaces for the first interface."""
    found = [path.name for path in (root / "etc/systemd/system").iterdir()]
    return sorted(name.replace("@.", "@st0.") for name in found)


def complaints(root, *names):
    """What systemd says; its status is 0 even then."""
    return run("systemd-analyze", "verify", f"--root={root}", *names).stderr


@pytest.mark.parametrize(("case", "node"), [("lab", "gpu-01"), ("vision", "gpu-128")])
def test_systemd_takes_every_unit(case, node, request, tree):
    root = tree(request.getfixturevalue(case), node)
    assert units(root) == [
        "mnt-checkpoints.mount",
        "mnt-dataset.mount",
        "storage-connect.service",
        "storage-qos@st0.service",
    ]
    assert complaints(root, *units(root)) == ""


def test_an_array_is_mounted_over_nfs(tree):
    made = contents(changed("lab-8-nodes", storage__access="array-front-end"), Addressing())
    root = tree(made, "gpu-01")
    assert "Type=nfs" in (root / "etc/systemd/system/mnt-checkpoints.mount").read_text()
    assert complaints(root, *units(root)) == ""
    assert not [path for path in made.files if "/nvme/" in path]


@pytest.mark.parametrize(
    ("unit", "old", "new"),
    [
        ("storage-connect.service", "Type=oneshot", "Typo=oneshot"),
        ("storage-connect.service", "/usr/sbin/nvme connect-all", "/usr/sbin/no-such-program"),
        ("storage-qos@.service", "RemainAfterExit=yes", "RemainAfterExit=perhaps"),
        ("mnt-checkpoints.mount", "Where=/mnt/checkpoints", "Where=/mnt/elsewhere"),
    ],
)
def test_a_broken_unit_is_complained_about(unit, old, new, lab, tree):
    root = tree(lab, "gpu-01")
    path = root / "etc/systemd/system" / unit
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    assert complaints(root, unit.replace("@.", "@st0.")) != ""


RULE = re.compile(r'(ACTION|SUBSYSTEM|KERNEL|ATTR\{[a-z_]+\})(==|=)"[^"]*"')


def rule_problems(text):
    """Lines that are no rule: matches and assignments in quotes, parted by commas."""
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [line for line in lines if not all(RULE.fullmatch(part) for part in line.split(", "))]


def test_the_rules_are_rules(lab):
    text = lab.files["hosts/common/udev/rules.d/71-nvme-storage.rules"]
    assert rule_problems(text) == []
    assert rule_problems(text.replace('iopolicy}="', "iopolicy}=")) != []
    assert 'ATTR{subsystype}=="nvm", ATTR{iopolicy}="round-robin"' in text


@pytest.mark.parametrize("case", ["lab", "roce_lab"])
def test_the_scripts_are_shell(case, request, tmp_path):
    made = request.getfixturevalue(case)
    scripts = [text for text in made.files.values() if text.startswith("#!/bin/sh")]
    assert len(scripts) >= 4
    for text in scripts:
        path = tmp_path / "script.sh"
        path.write_text(text)
        checked = run("sh", "-n", path)
        assert (checked.returncode, checked.stderr) == (0, "")
    path.write_text(scripts[0] + "\nif true; then\n")
    assert run("sh", "-n", path).returncode != 0


def test_marks_and_pauses_of_a_host_are_those_of_the_switch(roce_lab, lab):
    script = roce_lab.files["hosts/common/sbin/storage-qos"]
    for line in (
        'mlnx_qos -i "$interface" --pfc 0,0,0,1,0,0,0,0',
        'mlnx_qos -i "$interface" --dscp2prio set,26,3',
        'dcb pfc set dev "$interface" prio-pfc all:off 3:on',
        'dcb app replace dev "$interface" dscp-prio 26:3 48:6',
        'cma_roce_tos -d "$device" -t 106',
    ):
        assert line in script
    assert "pfc" not in lab.files["hosts/common/sbin/storage-qos"]
    assert "MTUBytes=9000" in lab.files["hosts/common/systemd/network/10-st1.link"]
