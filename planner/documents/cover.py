"""The cover: what the document is, of which revision, and who answers for it; and the page to sign."""

from __future__ import annotations

import io

from reportlab.platypus import Flowable, Image, KeepTogether, Spacer

import planner
from planner.documents.letterhead import Letterhead, logo_size
from planner.documents.lines import Lines
from planner.documents.page import APPROVED, Stamp
from planner.documents.parts import CELL, COVER, LEAD, Row, pairs, section, table, text
from planner.documents.text import LONGEST, clean
from planner.plan import Plan
from planner.review.record import Signed

BASES = {"evidence": "published runs and benchmarks", "guide": "the founding guide's own figures"}
LOGO_WIDE_PT, LOGO_HIGH_PT = 170.0, 60.0
SIGNERS = ("Author", "Storage architect", "Network architect", "Facility", "Customer")


def cover(plan: Plan, stamp: Stamp, *, kind: str = "Storage design for AI training") -> list[Flowable]:
    """Logo, title, and what identifies the document."""
    return [
        *_logo(stamp.letterhead),
        text(kind, LEAD),
        text(stamp.title or "Untitled design", COVER),
        *pairs(identity(plan, stamp), split=0.25),
    ]


def identity(plan: Plan, stamp: Stamp) -> list[tuple[object, object]]:
    """What tells this document from another one, as rows; what was not given is left out."""
    letterhead = stamp.letterhead
    rows = [
        ("Customer", clean(letterhead.customer, limit=LONGEST)),
        ("Classification", clean(letterhead.classification, limit=LONGEST)),
        ("Design", clean(plan.scenario.name, limit=LONGEST)),
        ("Revision", stamp.revision),
        ("State", _state(stamp)),
        ("Author", stamp.author),
        ("Date", stamp.created.strftime("%Y-%m-%d %H:%M %Z").strip()),
        ("Valid until", f"{letterhead.valid_until:%Y-%m-%d}" if letterhead.valid_until else ""),
        ("Contact", clean(letterhead.contact, limit=LONGEST)),
        ("Basis of the figures", BASES[plan.scenario.basis]),
        ("Prices", f"{plan.cost.price_set.label}; {_price_dates(plan)}"),
        ("Catalogue", plan.calculation().context.catalogue.hash),
        ("Made by", f"planner {planner.__version__}"),
        ("Hash", stamp.hash_text),
        ("", clean(letterhead.disclaimer, limit=LONGEST)),
    ]
    return [(name, value) for name, value in rows if value]


def _state(stamp: Stamp) -> str:
    if stamp.draft:
        return "draft, not saved as it stands"
    if not stamp.status:
        return "saved revision, not signed off"
    return stamp.status if stamp.status == APPROVED else f"{stamp.status}; not approved"


def _price_dates(plan: Plan) -> str:
    """From when the prices in the bill are."""
    dates = sorted({line.price_as_of for line in plan.bill.lines if line.priced and line.price_as_of})
    if not dates:
        return "undated"
    return f"from {dates[0]}" if dates[0] == dates[-1] else f"from {dates[0]} to {dates[-1]}"


def _logo(letterhead: Letterhead) -> list[Flowable]:
    """The logo in its own proportions, in the upper left corner."""
    if not letterhead.logo:
        return [Spacer(1, 90)]
    width, height = logo_size(letterhead.logo)
    scale = min(LOGO_WIDE_PT / width, LOGO_HIGH_PT / height)
    image = Image(io.BytesIO(letterhead.logo), width * scale, height * scale, mask="auto", hAlign="LEFT")
    return [image, Spacer(1, 90 - min(height * scale, 60.0))]


def signatures(stamp: Stamp, signed: Signed | None = None) -> list[Flowable]:
    """Who signs what, with room to do so; an approval that was given in the planner is filled in.

    Args:
        stamp: What the document says about itself.
        signed: The approval; it stands only where its hash is the one that the document prints.
    """
    room = Lines(("", "", ""), CELL)
    rows: list[Row] = [(role, stamp.author if role == "Author" else "", "", room) for role in SIGNERS]
    if signed is not None and signed.signed_hash == stamp.hash_text:
        name = clean(signed.name or "the trusted user", limit=LONGEST)
        rows.append(("Approver", name, f"{signed.created:%Y-%m-%d}", "approved in the planner"))
    told = (
        f"The signatures are for {stamp.revision_words} with the hash {stamp.hash_text}; "
        "any other hash is another design."
    )
    return [
        KeepTogether(
            [
                *section("Sign-off", "sign-off"),
                text(told),
                *table(("Role", "Name", "Date", "Signature"), rows, (0.22, 0.28, 0.15, 0.35)),
            ]
        )
    ]
