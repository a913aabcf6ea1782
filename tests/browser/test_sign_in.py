"""Signing in at a real OpenID Connect provider, and what a viewer and a guest cannot do through any path."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from planner.review import Actor
from planner.store import Store, open_store
from tests.browser.conftest import ROOT, Server
from tests.browser.screen import WAIT_MS, assert_clean, click, settle, shoot, visit
from tests.browser.team import ANN, BOB, EVE, UNVERIFIED, come_in, sign_in, sign_out, team_server, visitor
from tests.store.examples import scenario_content


@pytest.fixture(scope="module")
def team(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The application of a team."""
    with team_server(tmp_path_factory.mktemp("team")) as server:
        yield server


@pytest.fixture
def store(team: Server) -> Iterator[Store]:
    """The team's database, opened by the test."""
    with open_store(f"sqlite:///{team.log.parent}/team.db") as opened:
        yield opened


def type_interval(page: Page, text: str) -> None:
    """Change the checkpoint interval."""
    click(page.locator(".st-key-ui-group").get_by_text("Workload", exact=True))
    field = page.locator(".st-key-jobs-0-checkpoint-interval_s input")
    field.fill(text)
    field.press("Tab")
    settle(page)


def test_an_editor_signs_in_saves_under_his_name_and_signs_out(
    team: Server, browser: Browser, store: Store
) -> None:
    with visitor(browser) as context:
        page = context.new_page()
        visit(page, f"{team.url}/plan")
        expect(page.get_by_text("You are a guest")).to_be_visible(timeout=WAIT_MS)
        sign_in(page, team.url, "bob")
        expect(page.get_by_text("Bob · editor")).to_be_visible(timeout=WAIT_MS)
        shoot(page, "signed_in")
        click(page.get_by_role("button", name="Save", exact=True))
        name = page.get_by_role("textbox", name="Name of the design")
        name.fill("Pod of Bob")
        name.press("Tab")
        settle(page)
        expect(page.get_by_label("Author")).to_have_count(0)  # the sign-in says who it is
        click(page.get_by_role("button", name="Save design"))
        expect(page.get_by_text(re.compile(r"Saved as design \d+, revision 1"))).to_be_visible(
            timeout=WAIT_MS
        )
        saved = store.designs("Pod of Bob").rows[0]
        revision = store.revision(saved.id)
        assert (revision.author, revision.saved_by) == ("Bob", BOB)
        page.reload()
        settle(page)
        expect(page.get_by_text("Bob · editor")).to_be_visible(timeout=WAIT_MS)
        sign_out(page, team.url)
        expect(page.get_by_role("button", name="Sign in")).to_be_visible(timeout=WAIT_MS)
        assert_clean(page)


def test_a_viewer_looks_tries_and_writes_nothing(team: Server, browser: Browser, store: Store) -> None:
    made = store.acting(Actor(BOB, "Bob")).create_design("For looking", scenario_content())
    before = store.acting(Actor(ANN)).audit()
    with visitor(browser) as context:
        page = context.new_page()
        sign_in(page, team.url, "eve")
        visit(page, f"{team.url}/plan?design={made.design_id}&rev=1")
        expect(page.get_by_text("You are a viewer")).to_be_visible(timeout=WAIT_MS)
        type_interval(page, "47 min")
        expect(page.get_by_text("changed, not saved")).to_be_visible(timeout=WAIT_MS)
        assert "draft=" not in page.url
        click(page.get_by_role("button", name="Save", exact=True))
        click(page.get_by_role("button", name="Save as revision 2"))
        expect(page.get_by_text("Eve is a viewer; saving a revision needs an editor")).to_be_visible(
            timeout=WAIT_MS
        )
        assert_clean(page)
    assert store.acting(Actor(ANN)).audit() == before
    assert store.design(made.design_id).latest_revision == 1


def test_a_viewer_writes_nothing_from_the_command_line_either(team: Server, store: Store) -> None:
    made = store.acting(Actor(BOB, "Bob")).create_design("For the shell", scenario_content())
    before = store.acting(Actor(ANN)).audit()
    for user in (EVE, "", "nobody@example.com"):
        for command in (["role", EVE, "approver"], ["backup", str(team.log.parent / "copy")]):
            if command[0] == "backup" and not user:
                continue  # whoever runs the machine has the file anyway
            done = subprocess.run(
                [sys.executable, "-m", "planner", *command],
                cwd=ROOT,
                env={
                    **os.environ,
                    "PLANNER_DATABASE_URL": f"sqlite:///{team.log.parent}/team.db",
                    "PLANNER_USER": user,
                },
                capture_output=True,
                text=True,
                check=False,
            )
            assert (done.returncode, done.stdout) == (2, ""), command
            assert done.stderr.startswith("role: "), done.stderr
            assert done.stderr.count("\n") == 1
    assert store.acting(Actor(ANN)).audit() == before
    assert store.design(made.design_id).latest_revision == 1
    assert not Path(team.log.parent / "copy").exists()


def test_an_address_that_is_not_verified_is_nobodys(team: Server, browser: Browser) -> None:
    with visitor(browser) as context:
        page = context.new_page()
        sign_in(page, team.url, UNVERIFIED)
        expect(page.get_by_text("Ann · viewer")).to_be_visible(timeout=WAIT_MS)


@pytest.mark.parametrize("screen", ["plan", "review"])
def test_what_a_guest_asked_for_is_open_once_he_signed_in(
    team: Server, browser: Browser, store: Store, screen: str
) -> None:
    made = store.acting(Actor(BOB, "Bob")).create_design(f"Asked for on {screen}", scenario_content())
    with visitor(browser) as context, visitor(browser) as other:
        page = context.new_page()
        visit(page, f"{team.url}/{screen}?design={made.design_id}&rev=1")
        expect(page.get_by_text("a guest sees what a link shows").first).to_be_visible(timeout=WAIT_MS)
        come_in(page, team.url, "eve")
        expect(page.get_by_text(f"design {made.design_id} · revision 1")).to_be_visible(timeout=WAIT_MS)
        expect(page).to_have_url(re.compile(rf"/{screen}\?.*design={made.design_id}"), timeout=WAIT_MS)
        assert_clean(page)
        stranger = other.new_page()
        sign_in(stranger, team.url, "eve")  # the note is of the one browser, and told once
        assert "design=" not in stranger.url
        sign_out(page, team.url)
        sign_in(page, team.url, "eve")
        assert "design=" not in page.url


def test_a_guest_sees_his_link_and_nothing_else(team: Server, browser: Browser, store: Store) -> None:
    bob = store.acting(Actor(BOB, "Bob"))
    shown = bob.create_design("Shown to the provider", scenario_content())
    hidden = bob.create_design("Of another customer", scenario_content())
    key = bob.share(shown.design_id, 1, note="provider")
    with visitor(browser) as context:
        page = context.new_page()
        visit(page, f"{team.url}/plan?share={key}")
        expect(page.get_by_text("You see what the link shows")).to_be_visible(timeout=WAIT_MS)
        expect(page.get_by_text(f"design {shown.design_id} · revision 1")).to_be_visible(timeout=WAIT_MS)
        assert "design=" not in page.url
        type_interval(page, "47 min")
        expect(page.get_by_text("changed, not saved")).to_be_visible(timeout=WAIT_MS)
        for screen in ("Export", "Review", "Compare", "Explore", "Delivery", "Catalogue", "Method"):
            click(page.get_by_role("link", name=screen, exact=True))
            settle(page)
            assert "Of another customer" not in page.inner_text("body"), screen
            assert f"share={key}" in page.url, screen
            assert_clean(page)
        click(page.get_by_role("link", name="Designs", exact=True))
        expect(page.get_by_text("a guest sees what a link shows").first).to_be_visible(timeout=WAIT_MS)
        assert "Of another customer" not in page.inner_text("body")
        shoot(page, "guest_designs")
        visit(page, f"{team.url}/plan?design={hidden.design_id}&rev=1")
        expect(page.get_by_text("a guest sees what a link shows").first).to_be_visible(timeout=WAIT_MS)
        assert "Of another customer" not in page.inner_text("body")
        bob.add_revision(shown.design_id, scenario_content(note="newer"), base_revision=1)
        visit(page, f"{team.url}/plan?share={key}")
        expect(page.get_by_text("Revision 2 of this design was saved by Bob")).to_be_visible(timeout=WAIT_MS)
        bob.withdraw_share(bob.shares(shown.design_id)[0].id)
        visit(page, f"{team.url}/plan?share={key}")
        expect(page.get_by_text("this link shows nothing any more").first).to_be_visible(timeout=WAIT_MS)


def test_a_link_that_an_editor_makes_on_the_page_opens_for_a_guest_until_it_is_withdrawn(
    team: Server, browser: Browser, store: Store
) -> None:
    shown = store.acting(Actor(BOB, "Bob")).create_design("Made for a guest", scenario_content())
    with visitor(browser) as editors, visitor(browser) as guests:
        page, guest = editors.new_page(), guests.new_page()
        visit(page, f"{team.url}/plan")
        come_in(page, team.url, "bob")
        visit(page, f"{team.url}/plan?design={shown.design_id}&rev=1")
        click(page.get_by_role("button", name="Share", exact=True))
        page.get_by_label("For whom").fill("Colocation provider")
        page.get_by_label("For whom").press("Tab")
        settle(page)
        click(page.get_by_role("button", name="Make a link"))
        settle(page)
        address = next(
            text for text in page.locator("code").all_inner_texts() if re.search(r"\?share=\S{20,}", text)
        )
        shoot(page, "link_made")
        visit(guest, address.strip())
        expect(guest.get_by_text("You see what the link shows")).to_be_visible(timeout=WAIT_MS)
        expect(guest.get_by_text("Made for a guest").first).to_be_visible(timeout=WAIT_MS)
        shoot(guest, "link_opened")
        click(page.get_by_role("button", name="Withdraw"))
        settle(page)
        expect(page.get_by_text(address.strip())).to_have_count(0)
        visit(guest, address.strip())
        expect(guest.get_by_text("Made for a guest")).to_have_count(0)
        assert_clean(page)
