"""Who sits at the screen: what a provider may say of a person, and secrets that cannot be read."""

from __future__ import annotations

from pathlib import Path

import pytest
import streamlit as st
from streamlit.runtime.secrets import secrets_singleton

from pages._ui import answers, people
from planner.review import LOCAL, Actor
from planner.store import open_store
from tests.pages.visitor import clean, lines, visit

ANN = "ann@example.com"
Claims = dict[str, object]


def said(monkeypatch: pytest.MonkeyPatch, **claims: object) -> None:
    """Let the provider say this of who signed in."""
    monkeypatch.setattr(people, "claims", lambda: {"is_logged_in": True, **claims})


@pytest.mark.parametrize(
    ("claims", "subject"),
    [
        ({"email": ANN, "email_verified": True, "sub": "7"}, ANN),
        ({"email": f" {ANN} ", "email_verified": "True"}, ANN),
        ({"email": ANN, "email_verified": False, "sub": "7", "iss": "https://a"}, "https://a 7"),
        ({"email": ANN, "email_verified": "false", "sub": "7", "iss": "https://a"}, "https://a 7"),
        ({"email": ANN, "sub": "7", "iss": "https://b"}, "https://b 7"),
        ({"email": ANN, "email_verified": False, "sub": ANN}, f"sub {ANN}"),
        ({"sub": ANN, "iss": "https://a"}, f"https://a {ANN}"),
    ],
)
def test_only_a_verified_address_is_the_persons(
    monkeypatch: pytest.MonkeyPatch, claims: Claims, subject: str
) -> None:
    said(monkeypatch, **claims)
    assert people.actor() == Actor(subject)


@pytest.mark.parametrize(
    "claims",
    [
        {},
        {"email": "", "email_verified": True, "sub": ""},
        {"email": "a" * 10_000, "email_verified": True},
        {"email": f"{ANN}\n", "email_verified": False},
        {"email": "ann\x00@example.com", "email_verified": True},
        {"email": "ann\u2028@example.com", "email_verified": True},
        {"email": "\u200b", "email_verified": True},
        {"email": "\ud800", "email_verified": True},
    ],
)
def test_who_can_have_no_account_is_a_guest(monkeypatch: pytest.MonkeyPatch, claims: Claims) -> None:
    said(monkeypatch, **claims, name="Ann")
    who = people.actor()
    assert (who.local, who.signed_in) == (False, False)
    at = clean(visit("plan"))
    assert any("names nobody who could have an account" in str(item.value) for item in at.caption)
    assert "people.out" in {button.key for button in at.button}
    assert "draft" not in at.query_params


def test_a_name_that_cannot_be_stored_does_not_lock_its_owner_out(monkeypatch: pytest.MonkeyPatch) -> None:
    said(monkeypatch, email=ANN, email_verified=True, name="An\nn \x00" + "x" * 10_000)
    answers.opened_store().set_account(ANN, "approver")
    at = clean(visit("plan"))
    assert at.session_state["_role"] == "approver"
    assert people.actor().name.isprintable()


def test_a_viewer_reads_what_an_approver_has_to_be_told(monkeypatch: pytest.MonkeyPatch) -> None:
    said(monkeypatch, email=ANN, sub="<b>7</b>", iss="https://a")
    at = clean(visit("plan"))
    told = next(str(item.value) for item in at.caption if "You are a viewer" in str(item.value))
    assert told.replace("\\", "").replace("\u2060", "").endswith("editor to https://a <b>7</b>.")


@pytest.mark.parametrize(
    "content",
    [
        "[auth\n", "\xff", "[auth]\n", 'auth = "x"\n', "auth = []\n", '[auth]\ncookie_secret = "x"\n',
        '[auth]\nclient_id = "x"\n', '[auth.my_company]\nclient_id = "x"\n',
    ],
)  # fmt: skip
def test_secrets_with_a_mistake_let_nobody_in(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, content: str
) -> None:
    file = tmp_path / "secrets.toml"
    file.write_bytes(content.encode("latin-1"))
    before = st.config.get_option("secrets.files")
    st.config.set_option("secrets.files", [str(file)])
    secrets_singleton._reset()
    try:
        at = clean(visit("plan"))
        who = people.actor()
        assert (who.local, who.signed_in) == (False, False)
        assert at.session_state["_role"] == "viewer"
        for button in [item for item in at.button if str(item.key).startswith("people.in.")]:
            told = lines(clean(button.click().run()))
            assert any("Nobody can sign in" in line for line in told), told
    finally:
        st.config.set_option("secrets.files", before)
        secrets_singleton._reset()


def test_without_secrets_one_is_the_trusted_user() -> None:
    assert people.actor() == LOCAL
    assert clean(visit("plan")).session_state["_role"] == "approver"


def test_a_database_that_cannot_say_gives_a_stranger_no_role(monkeypatch: pytest.MonkeyPatch) -> None:
    said(monkeypatch, email=ANN, email_verified=True)
    monkeypatch.setenv("PLANNER_DATABASE_URL", "sqlite:////nowhere/at/all.db")
    answers.opened_store.clear()
    at = clean(visit("plan"))
    assert at.session_state["_role"] == "viewer"
    monkeypatch.setenv("PLANNER_DATABASE_URL", "sqlite://")
    answers.opened_store.clear()
    assert open_store().role() == "approver"
