"""The command `document`: a scenario as the file that the ending of its name asks for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import PurePath

from planner.core.errors import PlannerError, nearest, shorten
from planner.documents.beside import Beside
from planner.documents.design import pdf, short_form
from planner.documents.letterhead import Letterhead
from planner.documents.package import Identity, bill_csv, marked_json, package, workbook
from planner.documents.page import Stamp
from planner.plan import Plan

DRAFT = "draft"
ENDINGS = {
    ".pdf": "the design document",
    ".xlsx": "the workbook with live bill, power and cost",
    ".csv": "the bill of materials",
    ".json": "the plan, after the published schema",
    ".zip": "all of them, with the short form, the drawings, the cable schedule and the bundle of configuration",
}
"""What a file holds, by the ending of its name."""


def document(
    plan: Plan,
    identity: Identity,
    *,
    name: str,
    author: str,
    scenario_json: str,
    handover: Callable[[], Mapping[str, bytes]],
    beside: Beside,
) -> bytes:
    """A file of a design that is not saved.

    Args:
        plan: The plan.
        identity: What is printed of the design; its state is `DRAFT`.
        name: Name of the file to write, whose ending says what it holds.
        author: Who made the design.
        scenario_json: The inputs, which the ZIP holds.
        handover: Makes the files that the ZIP holds beside the documents, by the end of their name.
        beside: What is known beside the plan: addresses, years of growth.

    Raises:
        PlannerError: The ending stands for nothing.
    """
    ending = ending_of(name)
    made: dict[str, Callable[[], bytes]] = {
        ".pdf": lambda: pdf(plan, _stamp(identity, author), beside=beside),
        ".xlsx": lambda: workbook(plan, identity, beside),
        ".csv": lambda: bill_csv(plan, identity),
        ".json": lambda: marked_json(plan, identity).encode(),
        ".zip": lambda: _whole(plan, identity, author, scenario_json, handover, beside),
    }
    return made[ending]()


def _whole(
    plan: Plan,
    identity: Identity,
    author: str,
    scenario_json: str,
    handover: Callable[[], Mapping[str, bytes]],
    beside: Beside,
) -> bytes:
    """Everything in one ZIP; what cannot be handed over is named in it."""
    documents = {
        ".pdf": pdf(plan, _stamp(identity, author), beside=beside),
        "-short.pdf": short_form(plan, _stamp(identity, author)),
    }
    lacking = ""
    try:
        documents |= handover()
    except PlannerError as error:
        lacking = f"cable schedule and bundle: {error.message}"
    return package(
        plan, identity, documents=documents, scenario_json=scenario_json, lacking=lacking, beside=beside
    )


def ending_of(name: str) -> str:
    """The ending of a file's name that says what it holds.

    Raises:
        PlannerError: It stands for nothing.
    """
    ending = PurePath(name).suffix.lower()
    if ending not in ENDINGS:
        raise PlannerError(
            f"--output: {shorten(name)} does not end with one of {', '.join(ENDINGS)}{nearest(ending, ENDINGS)}",
            field="output",
        )
    return ending


def _stamp(identity: Identity, author: str) -> Stamp:
    """What a document says about a design that is not saved."""
    return Stamp(
        title=identity.title,
        revision=identity.revision,
        author=author,
        created=identity.created,
        hash_text=identity.hash_text,
        draft=True,
        letterhead=Letterhead(customer=identity.customer, classification=identity.classification),
    )
