"""The bundle, the plan's network and the bill of materials count the same; and the same design gives the same bytes."""

from __future__ import annotations

import csv
import io
import json
import math
import re
import zipfile
from collections import Counter

import pytest

from planner.catalogue import load_catalogue
from planner.deploy.addressing import Addressing
from planner.deploy.archive import packed
from planner.deploy.bundle import bundle, contents
from planner.deploy.readme import counts
from planner.sections.cabling import cable_type
from planner.sections.fabric_svg import plain
from planner.sections.tiers import metadata_name
from tests.deploy.conftest import changed
from tests.plan.changes import shipped

DESIGNS = {"lab-8-nodes": 8, "vision-1024": 128, "frontier-16384": 2048}


def table(made, name):
    return list(csv.DictReader(io.StringIO(made.files[name])))


def bought(plan, group, part_id):
    return sum(line.quantity.number for line in plan.bom if (line.group, line.part_id) == (group, part_id))


def links_of(groups):
    return sum(group.count.number for group in groups)


def check_plan(made, found):
    plan, network, nodes = made.site.plan, made.site.plan.network, len(made.site.nodes)
    assert found["Ports of GPU nodes"] == network.node_port_count.number
    assert found["Ports of targets"] == network.target_port_count.number
    assert found["Leaves"] == network.leaf_count.number
    assert found["Spines"] == network.spine_count.number
    assert found["Leaf to spine links"] == network.uplink_count.number
    assert found["Cables"] == sum(group.count.number for group in network.links)
    assert found["Paths of all nodes"] == network.path_count.number * nodes
    for tier in plan.tiers:
        assert found[tier.name] == tier.unit_count.number


def check_bill(made, found):
    plan, network = made.site.plan, made.site.plan.network
    assert found["Leaves"] + found["Spines"] == bought(plan, "Network", network.switch.id)
    copper = {group.name: group for group in network.links if group.copper}
    split = [group for group in network.links if group.fibre is not None]
    straight = [group for group in network.links if not group.copper and group.fibre is None]
    fibres = ("trunk-om4-mtp12", "trunk-os2-mtp12", "patch-os2-lc")
    assert sum(bought(plan, "Network", part) for part in fibres) == links_of(straight)
    for part in {group.fibre.id for group in split}:
        legs = load_catalogue().optics[part].breakout_count
        ours = {group.name for group in split if group.fibre.id == part}
        cables = [cable for cable in made.site.cabling.endpoints if cable.group in ours]
        in_cage = Counter((cable.finish.switch, cable.finish.cage) for cable in cables)
        # A splitter does not reach from one cage to another: the last one of a cage may have legs that are free.
        assert bought(plan, "Network", part) == sum(math.ceil(count / legs) for count in in_cage.values())
    assert found["Cables"] == links_of([*copper.values(), *split, *straight])
    plugs = {(cable.group, cable.finish.switch, cable.finish.cage) for cable in made.site.cabling.endpoints}
    for part in {group.optic.id for group in copper.values()}:
        ours = [name for name, group in copper.items() if group.optic.id == part]
        assert sum(group in ours for group, *_ in plugs) == bought(plan, "Network", part)
    for tier in plan.tiers:
        metadata = made.site.namer.counts.get(metadata_name(tier), 0)
        assert found[tier.name] + metadata == bought(plan, tier.name, tier.platform.id)


def check_tables(made, found):
    network = made.site.plan.network
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


def check_files(made, found):
    plan = made.site.plan
    addresses = table(made, "addresses.csv")
    endpoints = [row for row in addresses if row["switch"] and row["side"]]
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

    return exported


def check_drawing(made, found):
    plan, network, nodes = made.site.plan, made.site.plan.network, len(made.site.nodes)
    drawn = [label.words for label in plan.fabric_drawing().labels]
    assert f"Leaves: {network.leaf_count}" in drawn
    assert (f"Spines: {network.spine_count}" in drawn) == (found["Spines"] > 0)
    assert f"{nodes:,} machines".replace(",", "\u202f") in drawn
    for group in network.links:
        count = f"{group.count} {'link' if group.count.number == 1 else 'links'} of "
        if group.name == "leaf to spine":
            assert any(words.startswith(count) for words in drawn)
        else:
            assert any(words.startswith(f"{group.count} × ") for words in drawn), group.name
    assert f">Leaves: {plain(str(network.leaf_count))}<" in made.files["topology.svg"]


def check_access(made, exported):
    reachable = table(made, "targets/access.csv")
    assert len(reachable) == len(exported)
    assert {row["uuid"] for row in reachable} == set(exported)
    assert {host for row in reachable for host in row["hosts"].split()} <= {
        node.name for node in made.site.nodes
    }


@pytest.mark.parametrize(("name", "nodes"), DESIGNS.items())
def test_drawing_plan_cabling_bundle_and_bill_of_materials_agree(name, nodes, design):
    made = design(name)
    assert len(made.site.nodes) == nodes
    found = counts(made.site, made.paths)
    check_plan(made, found)
    check_bill(made, found)
    check_drawing(made, found)
    check_tables(made, found)
    check_access(made, check_files(made, found))
    for label, count in found.items():
        assert f"| {label} | {count} |" in made.files["README.md"]


@pytest.mark.parametrize("name", DESIGNS)
def test_lengths_types_and_labels_of_cables_are_those_of_the_bill(name, design):
    made = design(name)
    plan = made.site.plan
    told = {(row["type"], float(row["length_m"])) for row in table(made, "cables.csv")}
    planned_cables = Counter((cable.group, cable.length_m) for cable in plan.cabling.cables)
    assert {length for _, length in told} == {length for _, length in planned_cables}
    assert {kind for kind, _ in told} == {cable_type(group) for group in plan.network.links}
    fibres = [line for line in plan.bill.lines if line.description.startswith(("fibre trunk", "fibre patch"))]
    straight = {group.name for group in plan.network.links if not group.copper and group.fibre is None}
    listed = Counter()
    for line in fibres:
        length = float(re.search(r", ([0-9.]+) m,", line.description)[1])
        listed[length] += line.quantity.number
    wanted = Counter()
    for (group, length), count in planned_cables.items():
        if group in straight:
            wanted[length] += count
    assert listed == wanted
    for row in table(made, "cables.csv"):
        assert row["label"].endswith(f"{row['from']}:{row['from_port']} - {row['to']}:{row['to_port']}")


def test_the_same_design_gives_the_same_bytes():
    plan = shipped("lab-8-nodes")
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


def test_the_largest_bundle_is_packed_small(design):
    """2,048 nodes with eight files each, and not a megabyte for each hundred of them."""
    files = design("frontier-16384").files
    assert len(files) > 2048 * 7
    assert len(packed(files)) < 20e6


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


def test_the_readme_says_where_ports_make_fewer_paths_than_designed(lab):
    four = contents(changed("lab-8-nodes", network__path_count=4), Addressing()).files["README.md"]
    assert "4 paths are designed, and the ports of nodes and targets make 2; alerts expect 2." in four
    assert "paths are designed, and" not in lab.files["README.md"]


def test_the_readme_names_every_folder_and_its_checker(vision):
    readme = vision.files["README.md"]
    folders = {path.split("/")[0] for path in vision.files if "/" in path}
    for folder in folders:
        assert f"| `{folder}/" in readme
    for sheet in ("arista-eos.md", "cisco-nxos.md"):
        assert f"| `switches/{sheet}` | values and commands | not machine-checked |" in readme
        assert "**Not machine-checked.**" in vision.files[f"switches/{sheet}"]
