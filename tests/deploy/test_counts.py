"""The bundle, the plan's network and the bill of materials count the same; and it is written quickly."""

from __future__ import annotations

import csv
import io
import json
import re
import time
import zipfile

import pytest

from planner.deploy.addressing import Addressing
from planner.deploy.bundle import bundle
from planner.deploy.readme import counts
from planner.sections.tiers import metadata_name
from tests.deploy.conftest import planned

DESIGNS = {"lab-8-nodes": 8, "vision-1024": 128, "frontier-16384": 2048}


def table(made, name):
    return list(csv.DictReader(io.StringIO(made.files[name])))


def bought(plan, group, part_id):
    return sum(line.quantity.number for line in plan.bom if (line.group, line.part_id) == (group, part_id))


@pytest.mark.parametrize(("name", "nodes"), DESIGNS.items())
def test_bundle_plan_and_bill_of_materials_agree(name, nodes, design):
    made = design(name)
    plan, network = made.site.plan, made.site.plan.network
    assert len(made.site.nodes) == nodes
    found = counts(made.site, made.paths)

    # the plan
    assert found["Ports of GPU nodes"] == network.node_port_count.number
    assert found["Ports of targets"] == network.target_port_count.number
    assert found["Leaves"] == network.leaf_count.number
    assert found["Spines"] == network.spine_count.number
    assert found["Leaf to spine links"] == network.uplink_count.number
    assert found["Cables"] == sum(group.count.number for group in network.links)
    assert found["Paths of all nodes"] == network.path_count.number * nodes
    for tier in plan.tiers:
        assert found[tier.name] == tier.unit_count.number

    # the bill of materials
    assert found["Leaves"] + found["Spines"] == bought(plan, "Network", network.switch.id)
    copper = {group.name: group for group in network.links if group.copper}
    fibres = ("trunk-om4-mtp12", "trunk-os2-mtp12", "patch-os2-lc")
    over_copper = sum(group.count.number for group in copper.values())
    assert found["Cables"] == sum(bought(plan, "Network", part) for part in fibres) + over_copper
    plugs = {(cable.group, cable.finish.switch, cable.finish.cage) for cable in made.site.cabling.endpoints}
    for part in {group.optic.id for group in copper.values()}:
        ours = [name for name, group in copper.items() if group.optic.id == part]
        assert sum(group in ours for group, *_ in plugs) == bought(plan, "Network", part)
    for tier in plan.tiers:
        metadata = made.site.namer.counts.get(metadata_name(tier), 0)
        assert found[tier.name] + metadata == bought(plan, tier.name, tier.platform.id)

    # the files
    cables, addresses = table(made, "cables.csv"), table(made, "addresses.csv")
    assert len(cables) == found["Cables"]
    assert len({row["label"] for row in cables}) == len(cables)
    ends = [(row["from"], row["from_port"]) for row in cables] + [
        (row["to"], row["to_port"]) for row in cables
    ]
    assert len(set(ends)) == len(ends)
    per_group = {group.name: group.count.number for group in network.links}
    assert {
        group.name: sum(cable.group == group.name for cable in made.site.cabling.cables)
        for group in network.links
    } == per_group
    given = [row["address"] for row in addresses]
    assert len(set(given)) == len(given)
    endpoints = [row for row in addresses if row["switch"] and row["side"]]
    assert len(endpoints) == found["Ports of GPU nodes"] + found["Ports of targets"]
    for folder in ("sonic", "cumulus"):
        files = [path for path in made.files if path.startswith(f"switches/{folder}/")]
        assert len(files) == found["Leaves"] + found["Spines"]
    ports = sum(
        len(json.loads(text)["PORT"])
        for path, text in made.files.items()
        if path.startswith("switches/sonic/")
    )
    assert ports == len(endpoints) + 2 * found["Leaf to spine links"]
    connected = sum(
        len(subsystem["ports"])
        for path, text in made.files.items()
        if path.endswith("nvme/config.json")
        for host in json.loads(text)
        for subsystem in host["subsystems"]
    )
    assert connected == found["Paths of all nodes"]
    exported = [
        space["device"]["uuid"]
        for path, text in made.files.items()
        if path.endswith("nvmet/config.json")
        for subsystem in json.loads(text)["subsystems"]
        for space in subsystem["namespaces"]
    ]
    assert len(exported) == len(set(exported)) == sum(n.count.number for n in plan.architecture.namespaces)

    # the README says so
    for label, count in found.items():
        assert f"| {label} | {count} |" in made.files["README.md"]


def test_the_same_design_gives_the_same_bytes():
    plan = planned("lab-8-nodes")
    content = bundle(plan)
    assert content == bundle(plan, Addressing())
    assert content != bundle(plan, Addressing(node_prefix="host"))
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert archive.testzip() is None
        names = archive.namelist()
        assert names == sorted(set(names))
        assert {info.date_time for info in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        runnable = {info.filename for info in archive.infolist() if info.external_attr >> 16 & 0o111}
        assert runnable == {name for name in names if archive.read(name).startswith(b"#!")}


def test_the_largest_bundle_is_written_in_a_few_seconds():
    plan = planned("frontier-16384")
    began = time.process_time()
    content = bundle(plan)
    # A laptop takes three; the limit is for a busy machine.
    assert time.process_time() - began < 15
    assert len(content) < 20e6


@pytest.mark.parametrize("name", DESIGNS)
def test_no_secret_is_in_it_and_each_placeholder_is_named_once(name, design):
    made = design(name)
    head = made.files["README.md"]
    listed = head[head.index("## Placeholders") : head.index("## What there is")]
    used = {
        token
        for path, text in made.files.items()
        if path != "README.md"
        for token in re.findall(r"@[A-Z]+(?:_[A-Za-z0-9]+)*@", text)
    }
    assert used
    for token in used:
        general = re.sub(r"_[0-9]+@$", "_n@", token)
        assert listed.count(f"{general}") == 1, token
    everything = "\n".join(made.files.values()).casefold()
    for word in ("password", "passwd", "dhchap-secret", "psk=", "begin private key", "tls_key"):
        assert word not in everything


def test_the_readme_names_every_folder_and_its_checker(vision):
    readme = vision.files["README.md"]
    folders = {path.split("/")[0] for path in vision.files if "/" in path}
    for folder in folders:
        assert f"| `{folder}/" in readme
    for sheet in ("arista-eos.md", "cisco-nxos.md"):
        assert f"| `switches/{sheet}` | values and commands | not machine-checked |" in readme
        assert "**Not machine-checked.**" in vision.files[f"switches/{sheet}"]
