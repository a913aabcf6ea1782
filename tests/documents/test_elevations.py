"""Rack elevations: every machine in its place, as SVG and on paper."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest
from reportlab.lib.pagesizes import LETTER

from planner.documents.elevations import SIDES, elevation_drawings, elevation_svg, elevations
from planner.documents.page import FOOT_PT, TOP_PT, WIDTH_PT
from planner.templates import templates
from tests.plan.changes import EVIDENCE, planned

NAMES = [item.id for item in templates()]
ALIKE = ("frontier-16384", "guide-256-nodes")
"""Designs with so many racks that one stands for several."""
SVG = "{http://www.w3.org/2000/svg}"


def texts(picture):
    return [node.text or "" for node in ET.fromstring(elevation_svg(picture)).iter(f"{SVG}text")]


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("name", [name for name in NAMES if name not in ALIKE])
def test_every_machine_is_drawn_with_its_name(name, side):
    result = planned(name, {})
    drawn = [words for picture in elevations(result, side) for words in texts(picture)]
    for rack in result.racks.racks:
        for place in rack.places:
            assert sum(words.startswith(f"{place.name} ") for words in drawn) == 1


@pytest.mark.parametrize("name", ALIKE)
def test_racks_that_are_alike_are_drawn_once_and_all_are_named(name):
    result = planned(name, {})
    pictures = elevations(result, "front")
    numbers = []
    for picture in pictures:
        words = picture.title.removesuffix(", alike").removeprefix("Racks ").removeprefix("Rack ")
        for part in words.split(", "):
            first, _, last = part.partition(" to ")
            numbers += range(int(first), int(last or first) + 1)
    assert sorted(numbers) == list(range(1, int(result.racks.rack_count.number) + 1))
    assert len(pictures) < result.racks.rack_count.number


def test_boxes_stand_where_the_layout_says():
    result = planned(EVIDENCE, {})
    picture = elevations(result, "front")[0]
    root = ET.fromstring(elevation_svg(picture))
    frame = next(node for node in root.iter(f"{SVG}rect"))
    top, height = float(frame.get("y")), float(frame.get("height"))
    unit = height / 48
    boxes = {(float(r.get("y")), float(r.get("height"))) for r in root.iter(f"{SVG}rect")}
    for place in result.racks.racks[0].places:
        want = (top + (48 - place.top_ru) * unit, place.device.height_ru * unit)
        assert any(abs(y - want[0]) < 0.05 and abs(h - want[1]) < 0.05 for y, h in boxes)


def test_the_rear_shows_both_feeds_and_where_supplies_go():
    words = texts(elevations(planned(EVIDENCE, {}), "rear")[0])
    assert {"A", "B"} <= set(words)
    assert any("cords: 1 A, 1 B" in text for text in words)


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("name", [*NAMES, "gpu racks"])
def test_no_label_of_a_machine_is_cut_off(name, side):
    changes = {"site.place_gpu_nodes": True, "site.rack_limit_w": 150_000.0} if name == "gpu racks" else {}
    result = planned(EVIDENCE if name == "gpu racks" else name, changes)
    assert [words for picture in elevations(result, side) for words in texts(picture) if "…" in words] == []


def test_a_machine_is_told_by_what_its_part_is_called_in_whole_words():
    words = [words for picture in elevations(planned(EVIDENCE, {}), "front") for words in texts(picture)]
    assert "nvme-01  SPDK nvmf target 2U24 Gen5" in words
    assert any(text.startswith("mds-01  metadata server") for text in words)


def test_screen_readers_get_the_contents_from_the_top_down():
    root = ET.fromstring(elevation_svg(elevations(planned(EVIDENCE, {}), "front")[0]))
    told = root.find(f"{SVG}desc").text
    assert told.startswith("Rack 1, front view, from the top: U43 to U44 leaf-01")
    assert told.rstrip(".").endswith("U1 to U2 oss-01")
    assert root.get("role") == "img"


@pytest.mark.parametrize("height", [10, 42, 48, 60])
def test_three_racks_fit_across_a_page_and_any_height_on_it(height):
    result = planned("vision-1024", {"site.rack_height_ru": height, "site.rack_reserved_ru": 2})
    for drawing in elevation_drawings(result, "front"):
        assert drawing.width == WIDTH_PT
        assert drawing.height <= LETTER[1] - TOP_PT - FOOT_PT - 40  # a heading above; A4 is higher
    sizes = [
        shape.size_pt
        for picture in elevations(result, "front")
        for shape in picture.shapes
        if hasattr(shape, "text")
    ]
    assert min(sizes) >= 5
