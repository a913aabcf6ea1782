"""The whole story in a browser: state, see, save, compare, print, share; and nothing typed is lost."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.screen import WAIT_MS, assert_clean, click, settle, shoot, visit, watch
from tests.pdf_text import words_in

START_CHECKPOINT = "988\u00a0GB"
KEY_FIGURES = 8
PHONE = {"width": 390, "height": 844}
SCREENS = ("Plan", "Designs", "Compare", "Export", "Catalogue", "Method")


def figures(page: Page) -> dict[str, str]:
    """Key figures on the screen by their labels, once all of them have arrived."""
    settle(page)
    expect(page.get_by_test_id("stMetric")).to_have_count(KEY_FIGURES, timeout=WAIT_MS)
    pairs = [text.split("\n\n") for text in page.get_by_test_id("stMetric").all_inner_texts()]
    return {pair[0]: pair[1] for pair in pairs}


def type_into(page: Page, path: str, text: str) -> None:
    """Type into the field of an input and leave it."""
    field = page.locator(f".st-key-{path.replace('.', '-')} input")
    field.fill(text)
    field.press("Tab")
    settle(page)


def sentence(page: Page) -> Locator:
    """The answer in one sentence."""
    return page.get_by_test_id("stMain").get_by_role("heading", level=3).first


def go(page: Page, screen: str) -> None:
    """Go to a screen by the menu."""
    click(page.get_by_role("link", name=screen, exact=True))
    expect(page.get_by_role("heading", name=screen, level=1)).to_be_visible(timeout=WAIT_MS)
    settle(page)


def choose(page: Page, control: str, option: str) -> None:
    """Choose in a segmented control."""
    click(page.locator(f".st-key-{control}").get_by_text(option, exact=True))


def save(page: Page, name: str) -> None:
    """Save what is open under a name."""
    click(page.get_by_role("button", name="Save", exact=True))
    field = page.get_by_role("textbox", name="Name of the design")
    expect(field).to_be_visible(timeout=WAIT_MS)
    field.fill(name)
    field.press("Tab")
    settle(page)
    click(page.locator(".st-key-save-do button"))
    expect(page.get_by_text(re.compile("Saved as design"))).to_be_visible(timeout=WAIT_MS)
    expect(page).to_have_url(re.compile(r"/plan\?design=\d+&rev=1$"), timeout=WAIT_MS)
    settle(page)


def assert_stranger_sees(browser: Browser, link: str, shown: dict[str, str]) -> None:
    """Fail if a visitor without a past sees other figures under a link, or anything goes wrong there."""
    other = browser.new_context(viewport={"width": 1280, "height": 900})
    seen = watch(other)
    stranger = other.new_page()
    visit(stranger, link)
    assert figures(stranger) == shown
    assert_clean(stranger)
    other.close()
    assert seen.outside == []


def test_story(page: Page, app_url: str, browser: Browser, tmp_path: Path) -> None:
    visit(page, app_url)
    before = figures(page)
    assert before["Checkpoint"] == START_CHECKPOINT
    said = sentence(page).inner_text()
    type_into(page, "cluster.node_count", "128")
    expect(sentence(page)).not_to_have_text(said, timeout=WAIT_MS)
    after = figures(page)
    assert after["Goodput"] != before["Goodput"]
    assert after["Power"] != before["Power"]
    save(page, "First design")
    link, shown = page.url, figures(page)
    said = sentence(page).inner_text()
    shoot(page, "story_saved")

    go(page, "Designs")
    choose(page, "designs-view", "New from a template")
    click(page.locator(".st-key-template-vision-1024 button"))
    expect(page.get_by_role("heading", name="Plan", level=1)).to_be_visible(timeout=WAIT_MS)
    expect(sentence(page)).not_to_have_text(said, timeout=WAIT_MS)
    assert figures(page)["Checkpoint"] != START_CHECKPOINT
    save(page, "Second design")
    second = figures(page)

    go(page, "Compare")
    table = page.get_by_role("table").nth(1)
    row = table.get_by_role("row").filter(has_text=re.compile("^Checkpoint"))
    expect(row).to_contain_text(START_CHECKPOINT, timeout=WAIT_MS)
    expect(row).to_contain_text(second["Checkpoint"], timeout=WAIT_MS)
    shoot(page, "story_compare")
    assert_clean(page)

    visit(page, link)
    assert figures(page) == shown
    go(page, "Export")
    digest = page.get_by_text(re.compile("^Hash [0-9a-f]{64}")).inner_text().split("Hash ")[1]
    expect(page.get_by_role("button", name="Download PDF")).to_be_visible(timeout=WAIT_MS)
    settle(page)
    text_before = page.get_by_test_id("stMain").inner_text()
    with page.expect_download() as download:
        click(page.get_by_role("button", name="Download PDF"))
    download.value.save_as(tmp_path / "design.pdf")
    assert page.get_by_test_id("stMain").inner_text() == text_before
    printed = words_in(tmp_path / "design.pdf")
    assert "First design" in printed
    assert digest in printed.replace(" ", "")
    assert shown["Checkpoint"].replace("\u00a0", " ") in printed.replace("\u00a0", " ")
    assert shown["Power"].replace("\u00a0", " ") in printed.replace("\u00a0", " ")

    assert_stranger_sees(browser, link, shown)
    assert_clean(page)


def test_a_reload_keeps_what_was_typed(page: Page, app_url: str) -> None:
    visit(page, app_url)
    type_into(page, "cluster.node_count", "96")
    choose(page, "ui-group", "Workload")
    type_into(page, "jobs.0.checkpoint.interval_s", "12 min")
    shown = figures(page)
    page.reload()
    settle(page)
    assert figures(page) == shown
    expect(page.locator(".st-key-cluster-node_count input")).to_have_value("96", timeout=WAIT_MS)
    assert_clean(page)


def test_fast_typing_keeps_every_value(page: Page, app_url: str) -> None:
    visit(page, app_url)
    choose(page, "ui-group", "Workload")
    paths = (
        "jobs.0.checkpoint.interval_s",
        "jobs.0.checkpoint.waste_budget_fraction",
        "jobs.0.checkpoint.run_days",
    )
    typed: dict[str, str] = {}
    for burst in range(4):
        for number, path in enumerate(paths):
            text = ("20 min", "3 %", "60 days")[number].replace("0", str(burst + 1) if number != 1 else "0")
            field = page.locator(f".st-key-{path.replace('.', '-')} input")
            field.click()
            field.press("ControlOrMeta+a")
            page.keyboard.type(text, delay=5)
            page.keyboard.press("Tab")
            typed[path] = text
    settle(page)
    for path, text in typed.items():
        expect(page.locator(f".st-key-{path.replace('.', '-')} input")).to_have_value(text, timeout=WAIT_MS)
    assert_clean(page)


def test_typing_and_leaving_at_once_keeps_the_value(page: Page, app_url: str) -> None:
    visit(page, app_url)
    page.locator(".st-key-cluster-node_count input").fill("77")
    click(page.get_by_role("link", name="Designs", exact=True))
    go(page, "Plan")
    expect(page.locator(".st-key-cluster-node_count input")).to_have_value("77", timeout=WAIT_MS)
    assert_clean(page)


def test_cold_and_warm_links_open_every_screen(page: Page, app_url: str) -> None:
    for screen in SCREENS:
        visit(page, f"{app_url}/{screen.lower()}")
        expect(page.get_by_role("heading", name=screen, level=1)).to_be_visible(timeout=WAIT_MS)
        expect(page.get_by_text("Page not found")).to_have_count(0)
    assert_clean(page)


def test_every_screen_fits_a_phone(page: Page, app_url: str) -> None:
    page.set_viewport_size(PHONE)
    for screen in SCREENS:
        visit(page, f"{app_url}/{screen.lower()}")
        expect(page.get_by_role("heading", name=screen, level=1)).to_be_visible(timeout=WAIT_MS)
        assert page.evaluate("document.scrollingElement.scrollWidth") == PHONE["width"]
        shoot(page, f"phone_{screen}")
    assert_clean(page)


OUTSIDE = """chart => {
    const box = chart.getBoundingClientRect();
    return [...chart.querySelectorAll("text")]
        .filter(text => text.getBoundingClientRect().width > 0)
        .filter(text => {
            const place = text.getBoundingClientRect();
            return place.left < box.left - 1 || place.right > box.right + 1;
        })
        .map(text => text.textContent);
}"""
"""Texts of a chart that its edges cut."""


def test_no_text_of_a_chart_is_cut_on_a_phone(page: Page, app_url: str) -> None:
    page.set_viewport_size(PHONE)
    visit(page, app_url)
    for section in (
        "Checkpoints",
        "Checkpoint files",
        "Tiers",
        "Endurance and protection",
        "Power and racks",
        "Cost",
    ):
        choose(page, "ui-section", section)
        chart = page.get_by_test_id("stPlotlyChart").first
        expect(chart.locator("text").first).to_be_visible(timeout=WAIT_MS)
        assert chart.evaluate(OUTSIDE) == [], section
    assert_clean(page)


def test_names_are_read_aloud_as_they_are_shown(page: Page, app_url: str) -> None:
    visit(page, app_url)
    switches = page.get_by_role("switch")
    for group in ("Cluster", "Workload", "Storage", "Network"):
        choose(page, "ui-group", group)
        names = page.locator("[aria-label]").evaluate_all("all => all.map(one => one.ariaLabel)")
        assert [name for name in names if "\\" in name] == []
        called = [name for name in names if name.startswith("AUTO, ")]
        assert len(set(called)) == len(called)
        for name in called:
            expect(switches.and_(page.get_by_label(name, exact=True))).to_have_count(1)
    assert_clean(page)


def test_a_count_is_typed_as_a_number_is_written(page: Page, app_url: str) -> None:
    visit(page, app_url)
    type_into(page, "cluster.node_count", "128")
    shown = figures(page)
    type_into(page, "cluster.node_count", "1.28e2")
    assert figures(page) == shown
    type_into(page, "cluster.node_count", "32.5")
    expect(page.get_by_test_id("stAlert")).to_have_count(1, timeout=WAIT_MS)
    expect(page.get_by_test_id("stAlert")).to_contain_text("the nearest are 32 and 33", timeout=WAIT_MS)
    assert_clean(page)


def test_the_last_good_answer_stays_beside_what_is_wrong(page: Page, app_url: str) -> None:
    visit(page, app_url)
    choose(page, "ui-group", "Workload")
    type_into(page, "jobs.0.checkpoint.interval_s", "half an hour")
    expect(page.get_by_text("last good answer").first).to_be_visible(timeout=WAIT_MS)
    expect(page.get_by_test_id("stAlert").first).to_contain_text("half an hour", timeout=WAIT_MS)
    assert figures(page)["Checkpoint"] == START_CHECKPOINT
    shoot(page, "story_wrong")
    assert_clean(page)
