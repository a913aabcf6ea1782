"""The drawing of the network: inside its frame, readable without colour, and an SVG that nothing can break out of."""

from __future__ import annotations

import csv
import dataclasses
import io
import itertools
import xml.etree.ElementTree as ET
from functools import cache

import pytest

from planner.deploy.addressing import Addressing
from planner.deploy.bundle import contents
from planner.sections.cabling import sides_of
from planner.sections.fabric_drawing import LEVELS, fabric_drawing, level_of, side_of
from planner.sections.fabric_svg import COLOURS, DASHES, FILLS, WIDTHS, fabric_svg
from planner.sections.links import machines, speed_text
from planner.templates import templates
from tests.deploy.conftest import changed
from tests.plan.changes import shipped

SVG = "{http://www.w3.org/2000/svg}"
WIDTHS_TRIED = (400.0, 640.0)


@cache
def designs():
    return [
        *(shipped(item.id) for item in templates()),
        changed("guide-256-evidence", network__transport="fc", network__fc_san_present=True),
        changed("vision-1024", network__client_oversubscription_ratio=3.0),
        changed("frontier-16384", network__client_oversubscription_ratio=16.0),
    ]


@pytest.mark.parametrize("width", WIDTHS_TRIED)
def test_everything_stays_inside_and_boxes_do_not_overlap(width):
    for plan in designs():
        drawing = plan.fabric_drawing(width=width)
        for box in drawing.boxes:
            assert box.x >= 0
            assert box.x + box.width <= width
            assert box.y + box.height <= drawing.height
        for wire in drawing.wires:
            assert all(0 <= x <= width and 0 <= y <= drawing.height for x, y in wire.points)
        for label in drawing.labels:
            assert label.y <= drawing.height
            assert label.size >= 10
        for place, box in enumerate(drawing.boxes):
            for other in drawing.boxes[place + 1 :]:
                apart = (
                    box.x + box.width <= other.x
                    or other.x + other.width <= box.x
                    or box.y + box.height <= other.y
                    or other.y + other.height <= box.y
                )
                assert apart


def test_thousands_of_nodes_are_one_group():
    drawing = shipped("frontier-16384").fabric_drawing()
    words = [label.words for label in drawing.labels]
    assert "2\u202f048 machines" in words
    assert "… Leaf 66, B" in words
    assert "… Spine 64" in words
    assert len(drawing.boxes) < 20


def test_leaves_serve_the_sides_that_the_cables_say():
    for plan in designs():
        if plan.cabling is None or plan.network.leaves_split:
            continue
        numbers = range(1, len(plan.cabling.leaf_sides) + 1)
        assert tuple(side_of(number, 2) for number in numbers) == plan.cabling.leaf_sides


ONE_STORE = {"storage__object_store__unit_count": 1}
RAILED = {"network__topology": "rails", "cluster__storage_port_count": 4}


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("guide-256-evidence", {}),
        ("lab-8-nodes", ONE_STORE),
        ("guide-256-nodes", RAILED),
        ("lab-8-nodes", {**RAILED, **ONE_STORE}),
        ("vision-1024", {**RAILED, "network__client_oversubscription_ratio": 4.0}),
        ("guide-256-evidence", {"network__transport": "fc"}),
    ],
)
def test_a_box_hangs_on_the_sides_that_its_cables_are_on(name, changes):
    plan = changed(name, **changes)
    cabled = {}
    for cable in plan.cabling.endpoints:
        cabled.setdefault(cable.start.role, set()).add(cable.side)
    groups = [group for group in plan.network.links if group.name != "leaf to spine"]
    units = machines(plan.tiers, plan.scenario.cluster.node_count)
    assert sides_of(groups, units, plan.cabling.side_count) == cabled
    made = plan.fabric_drawing()
    boxes = [box for box in made.boxes if box.fill != "switch"]
    assert len(boxes) == len(cabled)
    ends = {}
    for wire in made.wires:
        at = wire.points[-1]
        for box in boxes:
            if wire.side and at[1] == box.y and box.x <= at[0] <= box.x + box.width:
                ends.setdefault((box.x, box.y), set()).add(wire.side)
    assert sorted(map(sorted, ends.values())) == sorted(map(sorted, cabled.values()))


def test_split_leaves_are_drawn_for_nodes_and_for_targets():
    plan = changed("vision-1024", network__client_oversubscription_ratio=3.0)
    network = plan.network
    assert network.leaves_split
    words = [label.words for label in plan.fabric_drawing().labels]
    assert f"Leaves of nodes: {network.client_leaves.count}" in words
    assert f"Leaves of targets: {network.target_leaves.count}" in words
    assert any("over uplinks: nodes" in line for line in words)


FC_PORTS = {3.2e9: 32, 6.4e9: 64, 12.8e9: 128}
"""FCIA roadmap: what a port carries one way, and the name of its speed."""


@pytest.mark.parametrize(("port", "name"), FC_PORTS.items())
def test_fibre_channel_speeds_are_names_and_the_same_everywhere(port, name):
    plan = changed(
        "guide-256-evidence",
        network__transport="fc",
        network__fc_switch_id="g720",
        network__fc_port_bytes_per_s=port,
    )
    drawing = plan.fabric_drawing()
    words = " ".join([drawing.words, *(label.words for label in drawing.labels)])
    assert f" {name}G FC" in words
    assert "Gb/s" not in words
    assert {cable.gbps for cable in plan.cabling.cables} == {name}
    files = contents(plan, Addressing()).files
    told = {row["speed_gbps"] for row in csv.DictReader(io.StringIO(files["cables.csv"]))}
    assert told == {str(name)}
    links = [
        line for line in plan.bill.lines if line.kind == "optic" or line.description.startswith("fibre ")
    ]
    assert links
    assert all(f"{name}G FC" in line.description for line in links)
    assert {speed_text(group) for group in plan.network.links} == {f"{name}G FC"}


@pytest.mark.parametrize(
    ("fraction", "level"),
    [
        (float("nan"), "none"),
        (0.0, "none"),
        (0.5, "low"),
        (0.51, "busy"),
        (0.8, "busy"),
        (1.0, "high"),
        (1.01, "over"),
    ],
)
def test_loads_have_classes(fraction, level):
    assert level_of(fraction) == level


def test_a_load_shows_without_its_colour():
    assert set(COLOURS) == set(DASHES) == set(WIDTHS) == set(LEVELS)
    looks = {(DASHES[level], WIDTHS[level]) for level in LEVELS}
    assert len(looks) == len(LEVELS)
    assert [WIDTHS[level] for level in ("none", "low", "busy", "high", "over")] == sorted(WIDTHS.values())
    for side in (0, 1):
        assert len({pair[side] for pair in COLOURS.values()}) == len(COLOURS)


def luminance(code):
    parts = [int(code[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(first, second):
    light, dark = sorted((luminance(first), luminance(second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("level", LEVELS)
def test_lines_stand_off_the_ground(level):
    """WCAG 1.4.11: graphics need a contrast of 3 to 1."""
    light, dark = COLOURS[level]
    assert contrast(light, "#FFFFFF") >= 3
    assert contrast(dark, "#0E1117") >= 3


@pytest.mark.parametrize("fill", FILLS.values())
def test_words_on_boxes_can_be_read(fill):
    assert contrast("#1F1F1F", fill) >= 7


def test_the_drawn_load_is_that_of_the_hops():
    plan = shipped("guide-256-evidence")
    hop = plan.fabric_load.whole.hop("target writes hot").loads["both"].fraction.number
    assert f"{hop:.0%}".replace("%", "\u00a0%") + " loaded" in [
        label.words for label in plan.fabric_drawing().labels
    ]
    network, tiers, nodes = plan.network, plan.tiers, plan.scenario.cluster.node_count
    bare = fabric_drawing(network, tiers, nodes, None)
    assert {wire.level for wire in bare.wires} == {"none"}
    assert not any("loaded" in label.words for label in bare.labels)


@pytest.mark.parametrize("dark", [False, True])
def test_the_file_is_plain_svg_with_its_words(dark):
    for plan in designs():
        text = fabric_svg(plan.fabric_drawing(), dark=dark, ground=True)
        root = ET.fromstring(text)
        assert {element.tag.removeprefix(SVG) for element in root.iter()} == {
            "svg", "title", "desc", "rect", "polyline", "text",
        }  # fmt: skip
        for element in root.iter():
            assert not [name for name in element.attrib if "href" in name or name.startswith("on")]
        assert root.get("aria-label") == root.findtext(f"{SVG}desc")
        assert all(c == "\n" or c.isprintable() for c in text)


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", '"/><image href="x"/>', "a\n]]>&\u202eb"])
def test_no_name_breaks_out_of_the_file(name):
    plan = shipped("lab-8-nodes")
    network = plan.network
    hostile = dataclasses.replace(
        network,
        switch=dataclasses.replace(network.switch, model=name),
        links=tuple(dataclasses.replace(group, name=f"{group.name} {name}") for group in network.links),
    )
    drawing = fabric_drawing(hostile, plan.tiers, 8, plan.fabric_load)
    root = ET.fromstring(fabric_svg(drawing))
    assert not list(root.iter(f"{SVG}script"))
    assert not list(root.iter(f"{SVG}image"))


def test_words_say_what_the_drawing_shows():
    words = shipped("frontier-16384").fabric_drawing().words.replace("\u202f", ",").replace("\u00a0", " ")
    for told in (
        "66 leaves in turn on sides A and B",
        "64 spines, 4,224 links of 400 Gb/s",
        "GPU nodes on 4,096 ports",
    ):
        assert told in words
    assert "Fullest in a burst beside steady traffic: " in words


@pytest.mark.parametrize("width", WIDTHS_TRIED)
@pytest.mark.parametrize("ratio", [1.0, 4.0])
def test_no_line_runs_through_the_name_of_a_rail_or_under_a_box(width, ratio):
    made = changed(
        "vision-1024",
        cluster__storage_port_count=8,
        network__topology="rails",
        network__client_oversubscription_ratio=ratio,
    ).fabric_drawing(width=width)
    names = [label for label in made.labels if label.words in set("ABCDEFGH")]
    assert {label.words for label in names} == set("ABCDEFGH")
    upright = [
        (x, *sorted((top, bottom)))
        for wire in made.wires
        for (x, top), (end, bottom) in itertools.pairwise(wire.points)
        if x == end
    ]
    for x, top, bottom in upright:
        assert not [n.words for n in names if n.x <= x <= n.x + 7 and top < n.y and n.y - 8 < bottom]
        assert not [
            b for b in made.boxes if b.x < x < b.x + b.width and top < b.y and b.y + b.height < bottom
        ]
