"""The review of a revision as its document tells it; what was signed is told as it stood then."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

from planner import __version__
from planner.catalogue import Catalogue
from planner.review import Decision, RegisterItem, accepted, anchors, evaluate, unasked
from planner.review.record import Remark, ReviewRecord, Signed, Step, Written
from planner.store.assess import Assessment, signed_record
from planner.store.review_records import Entry, ReviewStep
from planner.store.store import Store


def review_record(
    store: Store, design_id: int, revision: int, *, catalogue: Catalogue, engine_version: str = __version__
) -> ReviewRecord:
    """Everything about the review of a revision that belongs into its document.

    Args:
        store: The store in the hands of who asks.
        design_id: The design.
        revision: The revision.
        catalogue: The catalogue that the document is made with.
        engine_version: Version of this planner.

    Returns:
        The record. Once a revision is approved, later changes of requirements, waivers, decisions and
        register do not reach it: its document says what the signature stands under.

    Raises:
        PlannerError: The revision does not exist or can no longer be computed, or a guest's link does not show it.
    """
    assessed = store.assess(design_id, revision, catalogue=catalogue, engine_version=engine_version)
    signature = store.signature(design_id, revision)
    until = signature.created if signature else None
    kept = signature.record if signature else _now(store, assessed, design_id, revision)
    entries = tuple(_entries(store, design_id, until))
    written = tuple(_written(entries))
    return ReviewRecord(
        state=assessed.revision.state,
        signed=_signed(signature),
        requirements=tuple(kept.get("requirements", ())),
        waivers=tuple(kept.get("waivers", ())),
        steps=tuple(
            Step(created=step.created, name=step.name, action=step.action, target=step.target, note=step.note)
            for step in store.review_steps(design_id, revision)
        ),
        decisions=tuple(item for item in written if isinstance(item.content, Decision)),
        register=tuple(item for item in written if isinstance(item.content, RegisterItem)),
        questions=unasked(assessed.plan, subjects(entries)),
        remarks=tuple(_remarks(store, assessed, design_id, revision, until)),
    )


def _signed(signature: ReviewStep | None) -> Signed | None:
    if signature is None:
        return None
    return Signed(name=signature.name, created=signature.created, signed_hash=signature.signed_hash)


def _now(store: Store, assessed: Assessment, design_id: int, revision: int) -> Mapping[str, Any]:
    """Requirements and waivers as an approval would keep them now; only the waivers that hold."""
    requirements, waivers = store.requirements(design_id), store.waivers(design_id, revision)
    holding = {item.waiver.id for item in accepted(assessed.plan, waivers) if item.holds and item.waiver}
    holding |= {
        check.waiver.id
        for check in evaluate(requirements, assessed.plan, waivers)
        if check.waiver is not None
    }
    return signed_record(assessed, requirements, [item for item in waivers if item.id in holding])


def _entries(store: Store, design_id: int, until: datetime | None) -> Iterator[Entry]:
    """What people wrote, each entry in the version that counted at a time; None for now."""
    for newest in store.entries(design_id, withdrawn=True):
        found = newest if until is None else _version_at(store, newest, until)
        if found is not None:
            yield found


def _written(entries: Iterable[Entry]) -> Iterator[Written]:
    """Decisions and register, without what was withdrawn."""
    for found in entries:
        if found.withdrawn or not isinstance(found.content, Decision | RegisterItem):
            continue
        yield Written(
            number=found.number, version=found.version, content=found.content, name=found.name,
            created=found.created,
        )  # fmt: skip


def subjects(entries: Iterable[Entry]) -> frozenset[str]:
    """What the questions among some entries speak of; one that was withdrawn was asked too."""
    return frozenset(
        entry.content.subject
        for entry in entries
        if isinstance(entry.content, RegisterItem)
        and entry.content.kind == "question"
        and entry.content.subject
    )


def _version_at(store: Store, newest: Entry, until: datetime) -> Entry | None:
    if newest.created <= until:
        return newest
    older = store.entry_history(newest.design_id, newest.kind, newest.number)
    return next((entry for entry in older if entry.created <= until), None)


def _remarks(
    store: Store, assessed: Assessment, design_id: int, revision: int, until: datetime | None
) -> Iterator[Remark]:
    for thread in store.threads(design_id, revision, present=anchors(assessed.plan)):
        said = tuple(
            (comment.name, comment.created, comment.text)
            for comment in thread.comments
            if until is None or comment.created <= until
        )
        if said:
            yield Remark(kind=thread.anchor.kind, key=thread.anchor.key, open=thread.open, said=said)
