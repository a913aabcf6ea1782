"""One review with two people in two browsers: edit, comment, conflict, waiver, approval, and what comes after."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from planner import load_catalogue
from planner.catalogue import OwnRow
from planner.catalogue.own_csv import shipped_cells
from planner.review import Actor
from planner.scenario_json import scenario_from_json
from planner.store import NewCatalogueRow, Revision, Store, open_store
from tests.browser.conftest import Server
from tests.browser.screen import WAIT_MS, assert_clean, click, settle, shoot, visit
from tests.browser.team import BOB, sign_in, team_server, visitor
from tests.pdf_text import pages_in
from tests.store.examples import blocked_content

SAVED = re.compile(r"Saved as design \d+, revision \d+")


@pytest.fixture(scope="module")
def team(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The application of a team."""
    with team_server(tmp_path_factory.mktemp("together")) as server:
        yield server


@pytest.fixture
def store(team: Server) -> Iterator[Store]:
    """The team's database, opened by the test."""
    with open_store(f"sqlite:///{team.log.parent}/team.db") as opened:
        yield opened


def seen(target: Locator) -> Locator:
    """What is on the screen, or is there soon."""
    expect(target.first).to_be_visible(timeout=WAIT_MS)
    return target.first


def type_into(page: Page, path: str, text: str) -> None:
    """Type into the field of an input and leave it."""
    field = page.locator(f".st-key-{path.replace('.', '-')} input")
    field.fill(text)
    field.press("Tab")
    settle(page)


def type_in(page: Page, key: str, text: str) -> None:
    """Type into the field of the Review screen that has this key, and leave it."""
    field = page.locator(f".st-key-{key}").locator("input, textarea").first
    field.fill(text)
    field.press("Tab")
    settle(page)


def work_on(page: Page, link: str) -> None:
    """Open a revision with the inputs of the workload in view."""
    visit(page, link)
    click(page.locator(".st-key-ui-group").get_by_text("Workload", exact=True))


def save(page: Page) -> None:
    """Press Save, and save on what the work started from."""
    click(page.get_by_role("button", name="Save", exact=True))
    click(page.get_by_role("button", name=re.compile(r"^Save as revision \d+$")))


def review(page: Page, url: str, design: int, revision: int, view: str) -> None:
    """Open a view of the review of a revision."""
    visit(page, f"{url}/review?design={design}&rev={revision}")
    show(page, view)


def show(page: Page, view: str) -> None:
    """Choose a view of the Review screen."""
    click(page.locator(".st-key-review-view").get_by_text(view, exact=True))


def interval_and_kept(revision: Revision) -> tuple[float | None, int]:
    """What the two people changed."""
    checkpoint = scenario_from_json(revision.scenario_json).jobs[0].checkpoint
    return checkpoint.interval_s, checkpoint.retained_count


def test_two_people_take_a_design_to_its_signature_and_past_it(
    team: Server, browser: Browser, store: Store, tmp_path: Path
) -> None:
    design = store.acting(Actor(BOB, "Bob")).create_design("Pod of both", blocked_content()).design_id
    with visitor(browser) as of_bob, visitor(browser) as of_ann:
        bob, ann = of_bob.new_page(), of_ann.new_page()
        sign_in(bob, team.url, "bob")
        sign_in(ann, team.url, "ann")
        edit_at_once(bob, ann, f"{team.url}/plan?design={design}&rev=1", store, design)
        comment(bob, ann, team.url, store, design)
        approve(bob, ann, team.url, store, design)
        frozen = store.revision(design, 3)
        take_the_pdf(bob, f"{team.url}/export?design={design}&rev=3", store, design, tmp_path)
        go_on(bob, ann, f"{team.url}/plan?design={design}&rev=3", store, design)
        assert store.revision(design, 3) == frozen
        become_stale(ann, team.url, store, design)
        assert store.revision(design, 3) == frozen
        for page in (bob, ann):
            assert_clean(page)


def edit_at_once(bob: Page, ann: Page, link: str, store: Store, design: int) -> None:
    """Both change revision 1; Bob comes second, loses nothing, and saves both changes together."""
    work_on(bob, link)
    work_on(ann, link)
    type_into(bob, "jobs.0.checkpoint.interval_s", "2 min")
    type_into(ann, "jobs.0.checkpoint.retained_count", "7")
    save(ann)
    seen(ann.get_by_text(SAVED))
    seen(bob.get_by_text("Revision 2 of this design was saved by Ann"))
    seen(bob.get_by_role("link", name="Look at it in a new tab"))
    field = bob.locator(".st-key-jobs-0-checkpoint-interval_s input")
    expect(field).to_have_value(re.compile("^2"))
    save(bob)
    conflict = seen(bob.locator(".st-key-conflict"))
    expect(conflict.get_by_role("table").first).to_contain_text("you")
    expect(conflict.get_by_role("table").first).to_contain_text("they")
    shoot(bob, "together_conflict")
    click(bob.get_by_role("button", name="Save both together"))
    seen(bob.get_by_text(SAVED))
    assert interval_and_kept(store.revision(design, 1)) == (60.0, 5)
    assert interval_and_kept(store.revision(design, 2)) == (60.0, 7)
    assert interval_and_kept(store.revision(design, 3)) == (120.0, 7)


def comment(bob: Page, ann: Page, url: str, store: Store, design: int) -> None:
    """Bob asks on a result; Ann meets the question on the Plan screen, answers and resolves it."""
    review(bob, url, design, 3, "Comments")
    seen(bob.get_by_text("Nobody has commented on this revision"))
    which = bob.locator(".st-key-review-which input")
    which.fill("Key figures / Stall")
    which.press("Enter")
    settle(bob)
    type_in(bob, "review-text", "Is <b>this</b> *measured*?")
    click(bob.locator(".st-key-review-comment button"))
    seen(bob.get_by_text("Is <b>this</b> *measured*?"))
    visit(ann, f"{url}/plan?design={design}&rev=3")
    click(seen(ann.get_by_role("button", name="1 open comment")))
    seen(ann.get_by_text("Is <b>this</b> *measured*?"))
    (thread,) = store.threads(design, 3)
    assert (thread.anchor.kind, thread.anchor.key) == ("result", "Key figures / Stall")
    type_in(ann, f"review-answer-{thread.id}", "Yes, on rack 7")
    click(ann.get_by_role("button", name="Send"))
    seen(ann.get_by_text("Yes, on rack 7"))
    click(ann.get_by_role("button", name="Resolve"))
    seen(ann.get_by_text("resolved by Ann"))
    (thread,) = store.threads(design, 3)
    assert [item.name for item in thread.comments] == ["Bob", "Ann"]
    assert not thread.open


def approve(bob: Page, ann: Page, url: str, store: Store, design: int) -> None:
    """Bob submits; Ann cannot approve blockers before she waived each with a reason."""
    show(bob, "State")
    seen(bob.get_by_text("Before it can be approved"))
    click(bob.get_by_role("button", name="Submit"))
    seen(bob.get_by_text("“approve” needs an approver"))
    expect(bob.get_by_role("button", name="Approve")).to_have_count(0)
    show(ann, "State")
    click(seen(ann.get_by_role("button", name="Approve")))
    seen(ann.get_by_text(re.compile("stands? in the way; mend (it|each) or waive (it|each) with a reason")))
    assert store.revision(design, 3).state == "in review"
    show(ann, "Findings and waivers")
    catalogue = load_catalogue()
    while blockers := store.assess(design, 3, catalogue=catalogue).blockers(store.waivers(design, 3)):
        row = blockers[0]
        choose = ann.locator(".st-key-review-waive input").first
        choose.fill(f"{row.finding.code} · {row.subject}")
        choose.press("Enter")
        settle(ann)
        type_in(ann, "review-waive-reason", f"Accepted for the pilot: {row.finding.code}")
        click(ann.locator(".st-key-review-waive-do button"))
        seen(ann.get_by_text(f"Accepted for the pilot: {row.finding.code}"))
    shoot(ann, "together_waived")
    show(ann, "State")
    click(ann.get_by_role("button", name="Approve"))
    seen(ann.get_by_text("Approved and signed by Ann"))
    shoot(ann, "together_approved")
    assert store.revision(design, 3).state == "approved"


def take_the_pdf(page: Page, link: str, store: Store, design: int, folder: Path) -> None:
    """The PDF has the signed hash on every page, and tells of the review."""
    visit(page, link)
    with page.expect_download(timeout=WAIT_MS) as taken:
        seen(page.get_by_role("button", name="Download PDF")).click(delay=50)
    path = folder / "signed.pdf"
    taken.value.save_as(path)
    signature = store.signature(design, 3)
    assert signature is not None
    pages = ["".join(page.split()) for page in pages_in(path)]
    assert [number for number, text in enumerate(pages) if signature.signed_hash not in text] == []
    whole = "".join(pages)
    assert "ApprovedbyAnn" in whole
    assert "Acceptedforthepilot:" in whole
    assert "Yes,onrack7" in whole


def go_on(bob: Page, ann: Page, link: str, store: Store, design: int) -> None:
    """A later change is another revision, of which the browser that shows the signed one is told."""
    visit(ann, link)
    work_on(bob, link)
    type_into(bob, "jobs.0.checkpoint.interval_s", "3 min")
    save(bob)
    seen(bob.get_by_text(SAVED))
    seen(ann.get_by_text("Revision 4 of this design was saved by Bob"))
    assert {item.number: item.state for item in store.revisions(design)} == {
        1: "draft", 2: "draft", 3: "approved", 4: "draft",
    }  # fmt: skip


def become_stale(ann: Page, url: str, store: Store, design: int) -> None:
    """A row of the catalogue that the signed design uses changes: the review says what would move."""
    review(ann, url, design, 3, "State")
    expect(ann.get_by_text("would move")).to_have_count(0)
    state_a_slower_drive(store, design)
    review(ann, url, design, 3, "State")
    seen(ann.get_by_text(re.compile(r"key figures? would move")))
    seen(ann.get_by_text("What was signed is not what is computed today"))
    seen(ann.get_by_role("button", name="Recompute as a new revision"))
    shoot(ann, "together_stale")


def state_a_slower_drive(store: Store, design: int) -> None:
    """The organisation states another figure for the drive of the design."""
    drive = scenario_from_json(store.revision(design, 3).scenario_json).storage.hot.drive_id
    cells = {**shipped_cells("drives")[drive], "write_gb_per_s": "2.5", "source": "Quote 4711"}
    day = date(2026, 1, 1)
    row = OwnRow(kind="drives", cells=cells, valid_from=day, organisation="ACME", author="", entered=day)
    store.acting(Actor(BOB, "Bob")).write_catalogue_rows([NewCatalogueRow(row)], shipped=load_catalogue())
