"""Who sits at the screen: what a provider may say of a person, and secrets that cannot be read."""

from __future__ import annotations

from pathlib import Path

import pytest
import streamlit as st
from streamlit.runtime.secrets import secrets_singleton
from streamlit.web.server.starlette.starlette_app_utils import generate_xsrf_token_string

from pages._ui import answers, coming_back, people
from pages._ui.address import Link
from planner.review import LOCAL, Actor
from planner.store import open_store
from tests.pages.visitor import clean, go, lines, save, type_number, visit

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


def came_from(monkeypatch: pytest.MonkeyPatch, cookie: str) -> None:
    """Let the browser send this as its token against forged requests."""
    monkeypatch.setattr(coming_back, "cookie", lambda: cookie)


def token(secret: bytes, mask: bytes) -> str:
    """A token as Streamlit writes it: another mask each time, the same secret behind it."""
    return generate_xsrf_token_string(secret, 1) if not mask else _masked(secret, mask)


def _masked(secret: bytes, mask: bytes) -> str:
    hidden = bytes(byte ^ mask[place % 4] for place, byte in enumerate(secret))
    return f"2|{mask.hex()}|{hidden.hex()}|1"


def test_the_note_of_a_browser_is_told_to_it_once_and_to_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    own, other = b"a" * 16, b"b" * 16
    monkeypatch.setattr(st, "session_state", {})
    came_from(monkeypatch, token(own, b""))
    coming_back.asks(Link(design=3))
    coming_back.note()
    for stranger in (token(other, b""), "", "2|zz|zz|1", "2||6161|1", "x", "2|00000000||1"):
        came_from(monkeypatch, stranger)
        assert coming_back.take() == (Link(), "")
        coming_back.note()  # without a token of its own nothing is kept under none
    came_from(monkeypatch, token(own, b"1234"))
    assert coming_back.take()[0] == Link(design=3)
    assert coming_back.take() == (Link(), "")


def test_a_note_is_kept_for_some_minutes_and_for_so_many(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(coming_back, "clock", lambda: now[0])
    monkeypatch.setattr(st, "session_state", {})
    coming_back.asks(Link(design=3))
    first, last = (number.to_bytes(16, "big") for number in (0, coming_back.MOST))
    for number in range(coming_back.MOST + 1):
        came_from(monkeypatch, token(number.to_bytes(16, "big"), b"mask"))
        coming_back.note()
    came_from(monkeypatch, token(first, b""))
    assert coming_back.take() == (Link(), "")
    now[0] = coming_back.KEPT_S + 1
    came_from(monkeypatch, token(last, b""))
    assert coming_back.take() == (Link(), "")


def test_a_guest_opens_a_draft_of_a_saved_design_and_changes_nothing_of_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    editor = visit()
    save(editor, "Pod")
    type_number(editor, "cluster.node_count", 32)
    key = str(editor.query_params["draft"])
    before = answers.opened_store().draft(key)
    monkeypatch.setattr(people, "claims", lambda: {"is_logged_in": False})
    guest = visit(draft=key)
    assert lines(guest) == []
    assert guest.text_input(key="cluster.node_count").value == "32"
    type_number(guest, "cluster.node_count", 16)
    assert answers.opened_store().draft(key) == before
    for screen in ("review", "delivery", "export", "explore"):
        assert lines(go(guest, screen)) == []
    told = [str(item.value) for item in go(guest, "review").markdown]
    assert any(line.startswith("What is open is a draft") for line in told)
