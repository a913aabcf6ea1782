"""Settings of documents as they are kept: the organisation's for all of its documents, a design's for its own."""

from __future__ import annotations

import base64
import binascii
import json
from datetime import date

from planner.core.errors import PlannerError, shorten
from planner.documents.letterhead import Letterhead
from planner.documents.page import Paper, paper_of

_WHAT = "document settings"


def organisation_json(paper: Paper, letterhead: Letterhead) -> str:
    """What all documents of an organisation have alike: paper, logo, and the line at the foot."""
    return _text(
        {
            "paper": paper,
            "logo": base64.b64encode(letterhead.logo).decode("ascii"),
            "disclaimer": letterhead.disclaimer,
        }
    )


def design_json(letterhead: Letterhead) -> str:
    """What the documents of one design have: customer, classification, contact, distribution and validity."""
    valid = letterhead.valid_until
    return _text(
        {
            "customer": letterhead.customer,
            "classification": letterhead.classification,
            "contact": letterhead.contact,
            "distribution": letterhead.distribution,
            "valid_until": valid.isoformat() if valid else "",
        }
    )


def settings_of(organisation: str, design: str) -> tuple[Paper, Letterhead]:
    """Paper and letterhead out of what was kept; the defaults stand for what was not.

    Args:
        organisation: What `organisation_json` gave; "{}" where nothing was kept.
        design: What `design_json` gave; "{}" where nothing was kept.

    Raises:
        PlannerError: What was kept is none of it: it was written by something else.
    """
    told = {**_read(organisation), **_read(design)}
    valid = told.get("valid_until", "")
    try:
        logo = base64.b64decode(told.get("logo", ""), validate=True)
        day = date.fromisoformat(valid) if valid else None
    except (binascii.Error, ValueError) as error:
        raise PlannerError(f"{_WHAT}: {shorten(error)}; keep them anew on the Export screen") from None
    return paper_of(told.get("paper", "A4")), Letterhead(
        logo=logo,
        contact=told.get("contact", ""),
        distribution=told.get("distribution", ""),
        valid_until=day,
        disclaimer=told.get("disclaimer", Letterhead().disclaimer),
        customer=told.get("customer", ""),
        classification=told.get("classification", ""),
    )


def _text(told: dict[str, str]) -> str:
    return json.dumps(told, ensure_ascii=False, sort_keys=True)


def _read(content_json: str) -> dict[str, str]:
    try:
        told = json.loads(content_json)
    except (ValueError, RecursionError) as error:
        raise PlannerError(f"{_WHAT}: {shorten(error)}; keep them anew on the Export screen") from None
    if not isinstance(told, dict) or not all(isinstance(value, str) for value in told.values()):
        raise PlannerError(
            f"{_WHAT}: “{shorten(content_json, 30)}” is no object of texts; keep them anew on the Export screen"
        )
    return told
