"""What belongs together stands on one page: headings, leads, and the first and last rows of tables."""

import io

import pypdf
import pytest
from reportlab.platypus import CondPageBreak, KeepTogether, Spacer

from planner.catalogue import load_catalogue
from planner.deploy.address_plan import address_plan
from planner.deploy.addressing import Addressing
from planner.documents import Beside
from planner.documents.engineering import network
from planner.documents.keeping import MOST_PT, together
from planner.documents.lines import Lines
from planner.documents.page import FOOT_PT
from planner.documents.parts import Grid, chart, inside, section, table, text, topic
from planner.documents.sections import whole
from planner.documents.text import fonts
from planner.documents.topology import network_picture
from planner.explore.growth import Demand, growth
from planner.plan import plan
from planner.scenario_json import with_value
from planner.templates import template
from tests.documents.printed import (
    LARGEST,
    SMALLEST,
    STAMP,
    file_of,
    laid_out,
    pages_in,
    pages_of,
    planned,
    squeezed,
    text_of,
)
from tests.plan.changes import UNLIKE


def rows(count):
    return [(f"first{number:03d}", f"second{number:03d}") for number in range(count)]


def printed(*parts):
    """Text of each page of a story."""
    return pages_in(laid_out(*parts))


def rows_on(page):
    return sum(f"first{number:03d}" in page for number in range(200))


@pytest.mark.parametrize("room", range(20, 300, 7))
def test_no_row_of_a_table_stands_alone(room):
    pages = printed(Spacer(1, STAMP.room_pt - room), *table(("A", "B"), rows(30), (1, 1)))
    counts = [rows_on(page) for page in pages]
    assert sum(counts) == 30
    assert 1 not in counts


@pytest.mark.parametrize("room", range(20, 300, 7))
def test_a_short_table_is_not_broken_and_has_its_heading_and_lead(room):
    parts = [
        *section("The heading", "h"),
        *topic("The topic", "t"),
        text("The lead:"),
        *table(("A", "B"), rows(6), (1, 1)),
    ]
    pages = printed(Spacer(1, STAMP.room_pt - room), *parts)
    (page,) = [page for page in pages if rows_on(page)]
    assert rows_on(page) == 6
    assert "The heading" in page
    assert "The topic" in page
    assert "The lead:" in page


@pytest.mark.parametrize("room", range(20, 400, 13))
def test_a_chart_has_the_heading_of_its_section(room):
    drawing = network_picture(planned(SMALLEST))
    pages = printed(
        Spacer(1, STAMP.room_pt - room),
        *section("Above", "a"),
        *chart("The chart", "c", "It tells.", drawing),
    )
    (page,) = [page for page in pages if "It tells." in page]
    assert "Above" in page
    assert "The chart" in page


def test_what_is_longer_than_a_page_is_still_printed():
    tall = table(("A", "B"), [("word " * 9_000, "x"), *rows(3)], (1, 1))
    pages = printed(*section("Above", "a"), text("lead"), *tall)
    assert sum(map(rows_on, pages)) == 3
    assert sum(page.count("word") for page in pages) == 9_000
    assert all(
        part.height <= MOST_PT
        for part in together([*section("A", "a"), *tall])
        if isinstance(part, CondPageBreak)
    )


def test_the_height_of_a_table_is_known_before_it_is_placed():
    (made, _) = table(("A", "B"), rows(6), (1, 1))
    assert isinstance(made, Grid)
    assert made.wrap(500, 700)[1] == pytest.approx(made.least_pt)


@pytest.mark.parametrize("name", UNLIKE)
def test_no_heading_stands_at_the_foot_of_a_page(name):
    reader = pypdf.PdfReader(io.BytesIO(file_of(name)))
    entries = [entry for part in reader.outline for entry in (part if isinstance(part, list) else [part])]
    assert len(entries) > 60
    assert [entry.title for entry in entries if entry.top < FOOT_PT + 45] == []


def grids(story):
    for part in story:
        if isinstance(part, KeepTogether):
            yield from grids(inside(part, "_content"))
        elif isinstance(part, Grid):
            yield part


@pytest.mark.parametrize("name", [SMALLEST, LARGEST, "two-jobs"])
def test_no_title_of_a_column_is_broken_inside_a_word(name):
    fonts()
    grown = growth(template(SMALLEST).scenario, Demand(1), catalogue=load_catalogue())
    beside = Beside(**address_plan(planned(name), Addressing()), grown=grown)
    for _, _, make in whole(beside):
        for grid in grids(make(planned(name))):
            titles = inside(grid, "_cellvalues")[0] if grid.repeatRows else []
            for title in titles:
                if isinstance(title, Lines):
                    assert " ".join(title.rows) == title.words


@pytest.mark.parametrize("name", UNLIKE)
def test_no_page_is_empty(name):
    for page in pages_of(name):
        assert len(squeezed(page)) > 150


def test_a_single_rack_is_seen_from_both_sides_on_one_page():
    titles = [page for page in pages_of(SMALLEST) if "Elevations, front and rear" in page]
    assert len(titles) == 1
    assert "front view" in titles[0]
    assert "rear view" in titles[0]


def test_infiniband_has_no_table_of_headroom():
    stated = template("guide-256-evidence").scenario
    scenario = with_value(with_value(stated, "network.transport", "rdma"), "network.switch_id", "qm9700")
    words = text_of(*network(plan(scenario, load_catalogue())))
    assert squeezed("NVMe-oF over RDMA, InfiniBand") in words
    assert squeezed("Headroom and marking") not in words
    assert squeezed("Headroom and marking") in text_of(*network(planned("guide-256-evidence")))
