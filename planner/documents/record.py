"""The review in the document: what was asked for and accepted, what was decided, what is open, who signed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from reportlab.platypus import Flowable

from planner.documents.parts import Row, pairs, section, table, text, topic
from planner.documents.text import clean
from planner.review.record import Remark, ReviewRecord, Written
from planner.review.register import Decision, RegisterItem

LONGEST_TEXT = 2000
"""Characters that are printed of what someone wrote in the review; the rest stays in the store."""
FROM_THE_DESIGN = "question, from the design"
"""An open question that nobody wrote: the design prints something as unknown."""
NOBODY = "the trusted user"
"""Who acts on a machine without accounts under no name."""


def review_record(record: ReviewRecord, *, hash_text: str) -> list[Flowable]:
    """Acceptance and review of a saved revision.

    Args:
        record: The review.
        hash_text: Hash of what this document prints, held against the one that was signed.
    """
    return [
        *section("Acceptance and review record", "review"),
        *pairs(_standing(record, hash_text)),
        *topic("The customer's requirements", "review-requirements"),
        *_some(
            ("Number", "Requirement", "Level", "Verdict", "With numbers"),
            [_requirement(item) for item in record.requirements],
            (0.1, 0.38, 0.09, 0.11, 0.32),
            none="No requirement was recorded.",
        ),
        *topic("Findings that were accepted", "review-waivers"),
        *_some(
            ("Finding", "What was accepted", "Reason", "By", "Date"),
            [_waiver(item) for item in record.waivers],
            (0.17, 0.35, 0.25, 0.12, 0.11),
            none="No finding was waived.",
        ),
        *topic("Decision log", "review-decisions"),
        *_some(
            ("Decision", "Options", "Choice", "Reason", "Consequence", "By"),
            [_decision(item) for item in record.decisions],
            (0.2, 0.18, 0.15, 0.19, 0.16, 0.12),
            none="No decision was recorded.",
        ),
        *topic("Open questions, assumptions, constraints and risks", "review-register"),
        *_some(
            ("Entry", "What it says", "Owner", "Due", "State"),
            [*map(_item, record.register), *map(_asked, record.questions)],
            (0.14, 0.42, 0.13, 0.11, 0.2),
            none="The register is empty.",
        ),
        *topic("Comments", "review-comments"),
        *_some(
            ("About", "Said", "State"),
            [row for item in record.remarks for row in _thread(item)],
            (0.28, 0.6, 0.12),
            none="Nobody commented.",
        ),
        *topic("Steps of the review", "review-steps"),
        *_some(
            ("When", "Who", "Step", "State after it", "Reason"),
            [
                (when(step.created), told(step.name or NOBODY), step.action, step.target, told(step.note))
                for step in record.steps
            ],
            (0.17, 0.2, 0.14, 0.17, 0.32),
            none="No step was taken: the revision is a draft.",
        ),
    ]  # fmt: skip


def when(moment: datetime) -> str:
    """A moment as it is printed."""
    return f"{moment:%Y-%m-%d %H:%M} UTC"


def told(words: object) -> str:
    """What someone wrote, printable and at most `LONGEST_TEXT` characters long."""
    return clean(words, limit=LONGEST_TEXT)


def _some(
    header: Sequence[str], rows: Sequence[Row], widths: Sequence[float], *, none: str
) -> list[Flowable]:
    return table(header, rows, widths) if rows else [text(none)]


def _standing(record: ReviewRecord, hash_text: str) -> list[tuple[object, object]]:
    rows: list[tuple[object, object]] = [("State", record.state)]
    if record.signed is None:
        return [*rows, ("Signature", "none")]
    same = record.signed.signed_hash == hash_text
    return [
        *rows,
        ("Approved by", told(record.signed.name or NOBODY)),
        ("Approved on", when(record.signed.created)),
        ("Signed hash", record.signed.signed_hash),
        (
            "This document",
            "has the signed hash"
            if same
            else "has another hash: catalogue, prices or planner changed since the signature; it was not signed",
        ),
    ]


def _requirement(item: Mapping[str, str]) -> Row:
    return (
        told(item["ref"]), told(item["text"]), item["level"], item["verdict"].upper(), told(item["outcome"]),
    )  # fmt: skip


def _waiver(item: Mapping[str, str]) -> Row:
    return (
        told(f"{item['code']} {item['subject']}"), told(item["message"]), told(item["reason"]),
        told(item["name"]), item["date"],
    )  # fmt: skip


def _decision(item: Written) -> Row:
    found = item.content
    if not isinstance(found, Decision):
        return ("",) * 6
    return (
        told(f"{item.number}. {found.problem}"), told("; ".join(found.options.splitlines())), told(found.choice), told(found.reason),
        told(found.consequence), told(f"{item.name or NOBODY}, {item.created:%Y-%m-%d}"),
    )  # fmt: skip


def _item(item: Written) -> Row:
    found = item.content
    if not isinstance(found, RegisterItem):
        return ("",) * 5
    state = "open" if found.open else f"closed: {found.outcome}" if found.outcome else "closed"
    return (
        f"{found.kind} {item.number}", told(found.text), told(found.owner),
        f"{found.due:%Y-%m-%d}" if found.due else "", told(state),
    )  # fmt: skip


def _asked(item: RegisterItem) -> Row:
    return (FROM_THE_DESIGN, told(item.text), "", "", "open")


def _thread(item: Remark) -> Iterator[Row]:
    """A row for each comment, so that each is printed whole and from the side on which its reader begins."""
    about, state = told(f"{item.kind} {item.key}"), "open" if item.open else "resolved"
    for name, created, words in item.said:
        yield about, told(f"{name or NOBODY}, {created:%Y-%m-%d}: {words}"), state
        about = state = ""
