"""The command: arguments, a file of names and subnets, and the bundle that comes out."""

from __future__ import annotations

import argparse
import io
import zipfile

import pytest

from planner.catalogue import load_catalogue
from planner.core.errors import PlannerError
from planner.deploy import Addressing
from planner.deploy.bundle import bundle
from planner.deploy.command import add_arguments, bundle_of, read_addressing
from planner.templates import template
from tests.deploy.conftest import changed


def test_arguments():
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    chosen = parser.parse_args(["design.json", "-o", "bundle.zip", "--addressing", "site.json"])
    assert (chosen.file, chosen.output, chosen.addressing) == ("design.json", "bundle.zip", "site.json")
    with pytest.raises(SystemExit):
        parser.parse_args(["design.json"])


def test_names_of_a_file_are_in_the_bundle(tmp_path):
    path = tmp_path / "site.json"
    path.write_text('{"node_prefix": "train", "fabric_a": "172.16.0.0/20"}')
    content = bundle_of(template("lab-8-nodes").scenario, read_addressing(str(path)), load_catalogue())
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert "hosts/train-08/nvme/config.json" in archive.namelist()
        assert b"172.16.0." in archive.read("hosts/train-08/nvme/config.json")


def test_no_file_is_the_defaults():
    assert read_addressing(None) == Addressing()


@pytest.mark.parametrize("name", ["missing.json", ".", "a\0b"])
def test_a_file_that_cannot_be_read_is_one_line(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(PlannerError) as caught:
        read_addressing(name)
    assert caught.value.message.startswith("--addressing")
    assert "\n" not in caught.value.message


@pytest.mark.parametrize(
    ("transport", "field", "switch"),
    [("tcp", "switch_id", "qm9700"), ("rdma", "switch_id", "g720"), ("fc", "fc_switch_id", "sn5600")],
)
def test_a_switch_of_another_medium_is_refused_by_name(transport, field, switch):
    plan = changed("lab-8-nodes", network__transport=transport, **{f"network__{field}": switch})
    with pytest.raises(PlannerError, match=f"network.{field}: .* is a switch for ") as caught:
        bundle(plan)
    assert caught.value.message.isprintable()
