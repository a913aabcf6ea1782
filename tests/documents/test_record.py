"""The review in the document: every part of it, hostile text to the letter, and a signature only for its own hash."""

from __future__ import annotations

import io
from dataclasses import replace
from datetime import UTC, date, datetime

import pypdf

from planner.documents import Issue
from planner.documents.cover import signatures
from planner.documents.record import LONGEST_TEXT, review_record
from planner.review import Decision, RegisterItem, ReviewRecord
from planner.review.record import Remark, Signed, Step, Written
from tests.documents.printed import (
    GUIDE,
    HASH,
    STAMP,
    UNREVIEWED,
    laid_out,
    pages_in,
    planned,
    rendered,
    squeezed,
    words_of,
)

THEN = datetime(2026, 9, 23, 8, 30, tzinfo=UTC)
HOSTILE = "<b>x</b> <a href='http://evil.example'>y</a> =1+1 &amp; {{7*7}}"
RECORD = ReviewRecord(
    state="approved",
    signed=Signed(name="Ann Approver", created=THEN, signed_hash=HASH),
    requirements=(
        {"ref": "R-7", "text": HOSTILE, "level": "must", "verdict": "waived", "outcome": "at most 10 s"},
    ),
    waivers=(
        {"code": "END-1", "subject": "endurance", "message": "blocker: too much is written", "reason": "pilot",
         "name": "Ann", "date": "2026-09-23"},
    ),
    steps=(Step(created=THEN, name="Bob", action="submit", target="in review", note="please look"),),
    decisions=(
        Written(
            number=3, version=2, name="Bob", created=THEN,
            content=Decision(
                problem="Which transport", options="RDMA\nTCP", choice="RDMA", reason="faster", consequence="PFC"
            ),
        ),
    ),
    register=(
        Written(
            number=4, version=1, name="Bob", created=THEN,
            content=RegisterItem(kind="risk", text="Drives are late", owner="Eve", due=date(2027, 1, 31)),
        ),
        Written(
            number=9, version=1, name="Bob", created=THEN,
            content=RegisterItem(
                kind="assumption", text="Client stack 45 % as measured on 1 save: run.json; 90 % before"
            ),
        ),
    ),
    remarks=(Remark(kind="result", key="Key figures / Stall", open=False, said=(("Ann", THEN, "measured?"),)),),
)  # fmt: skip


def file_with(record, **changes):
    """The pages on the review alone, and the page to sign."""
    stamp = replace(STAMP, status="approved", **changes)
    parts = (*review_record(record, hash_text=stamp.hash_text), *signatures(stamp, record.signed))
    return laid_out(*parts, stamp=stamp)


def text_of(record, **changes):
    return squeezed(" ".join(pages_in(file_with(record, **changes))))


def test_the_document_has_the_review_where_there_is_one():
    saved = Issue(number=7, created=THEN, author="Ann", state="approved", note="more drives")
    file = rendered(planned(GUIDE), status="approved", reviewed=RECORD, history=(saved,))
    whole = squeezed(" ".join(pages_in(file)))
    assert squeezed("7 2026-09-23 Ann approved more drives") in whole  # document control
    assert squeezed("Risk 4 of the register: Drives are late") in whole  # the summary
    assert squeezed("risk 4 Drives are late Eve") in whole  # the risks
    for words in ("Steps of the review", "Findings that were accepted", "approved in the planner"):
        assert squeezed(words) in whole
        assert squeezed(words) not in words_of(GUIDE)
    # a measured figure that was taken over stands with the assumptions, with where it is from
    assumed = whole.partition(squeezed("Assumptions in the register of the review"))[2]
    assert squeezed("Client stack 45 % as measured on 1 save: run.json; 90 % before") in assumed[:300]


def test_every_part_of_the_review_is_printed():
    text = text_of(RECORD)
    for words in (
        "Acceptance and review record", "Ann Approver", "2026-09-23 08:30 UTC", "has the signed hash", "R-7",
        "WAIVED", "at most 10 s", "END-1 endurance", "blocker: too much is written", "pilot",
        "3. Which transport", "RDMA; TCP", "faster", "PFC", "risk 4", "Drives are late", "Eve", "2027-01-31",
        "result Key figures / Stall", "measured?", "resolved", "submit", "please look", "approved in the planner",
    ):  # fmt: skip
        assert squeezed(words) in text, words


def test_what_people_wrote_is_printed_to_the_letter_and_links_nowhere():
    file = file_with(RECORD)
    assert squeezed(HOSTILE) in squeezed(" ".join(pages_in(file)))
    notes = [
        note.get_object()
        for page in pypdf.PdfReader(io.BytesIO(file)).pages
        for note in page.get("/Annots", [])
    ]
    assert {note.get("/A", {}).get("/S") for note in notes} <= {None, "/GoTo"}


def test_a_signature_is_filled_in_only_for_the_hash_that_was_signed():
    text = text_of(RECORD, hash_text="f" * 64)
    assert "approvedintheplanner" not in text
    assert "itwasnotsigned" in text


def test_an_empty_review_says_so_and_a_long_text_ends():
    text = text_of(UNREVIEWED)
    for words in (
        "No requirement was recorded.",
        "No finding was waived.",
        "Nobody commented.",
        "Signature none",
    ):
        assert squeezed(words) in text
    long = replace(RECORD, steps=(replace(RECORD.steps[0], note="x" * (2 * LONGEST_TEXT)),))
    assert LONGEST_TEXT - 100 < text_of(long).count("x") < LONGEST_TEXT + 100


def test_every_comment_of_a_thread_is_printed_whole():
    said = tuple(
        (name, THEN, f"{name} asks: {'why ' * 200}the end of {name}") for name in ("Ann", "Bob", "Cid")
    )
    text = text_of(replace(RECORD, remarks=(replace(RECORD.remarks[0], said=said),)))
    assert sum(len(words) for _, _, words in said) > LONGEST_TEXT
    for name in ("Ann", "Bob", "Cid"):
        assert f"theendof{name}" in text
    assert text.count("resultKeyfigures/Stall") == 1
