"""What the tests of documents share: plans of the templates, their PDFs, and the text of those."""

import functools
import io
import re
from dataclasses import fields, replace
from datetime import UTC, datetime

import pypdf

from planner.catalogue import load_catalogue
from planner.documents import pdf, short_form
from planner.documents.keeping import together
from planner.documents.page import Stamp, build
from planner.documents.text import clean, fonts
from planner.plan import plan
from planner.review.record import ReviewRecord
from planner.templates import template, templates
from tests.pdf_text import pages_in

NAMES = tuple(item.id for item in templates())
SMALLEST, LARGEST, GUIDE = "lab-8-nodes", "frontier-16384", "guide-256-evidence"
CREATED = datetime(2026, 9, 22, 10, 5, tzinfo=UTC)
HASH = "0123456789abcdef" * 4
STAMP = Stamp(title="A design", revision=7, author="A. Author", created=CREATED, hash_text=HASH, draft=False)
STAMP_WORDS = {field.name for field in fields(Stamp)}
UNREVIEWED = ReviewRecord(
    state="draft", signed=None, requirements=(), waivers=(), steps=(), decisions=(), register=(), remarks=()
)


@functools.cache
def planned(name):
    return plan(template(name).scenario, load_catalogue())


def stamped(**words):
    """What a document of the tests says about itself, but for these words."""
    return replace(STAMP, **words)


def rendered(result, **words):
    """The whole document: words of its stamp, and what is known beside the plan."""
    of_stamp = {name: words.pop(name) for name in list(words) if name in STAMP_WORDS}
    return pdf(result, stamped(**of_stamp), **words)


def shortly(result, **words):
    """The short form: its cover, footers and settings are made by what makes those of the whole document."""
    return short_form(result, stamped(**words))


def laid_out(*parts, stamp=STAMP):
    """Some parts of a document alone: a section takes a fiftieth of the time of all of them."""
    fonts()
    return build(list(together(list(parts))), stamp)


def text_of(*parts, stamp=STAMP):
    """Text of some parts of a document, without blanks and footers."""
    return body_of(pages_in(laid_out(*parts, stamp=stamp)))


@functools.cache
def file_of(name):
    return rendered(planned(name), title=template(name).name)


def glyphs_in(file):
    """Text of each page in the forms and in the order in which it is drawn: slow, and what Arabic beside Latin needs."""
    return tuple(page.extract_text() for page in pypdf.PdfReader(io.BytesIO(file)).pages)


@functools.cache
def pages_of(name):
    return pages_in(file_of(name))


def body_of(pages, title=STAMP.title):
    """Text of pages without blanks and footers: a cell may be broken anywhere, by a page too."""
    footer = squeezed(f"{clean(title)}Revision7·saved,notsignedoff·{HASH}Budgetary,notanoffer")
    return re.sub(r"Page\d+of\d+", "", squeezed("".join(pages)).replace(footer, ""))


@functools.cache
def words_of(name):
    return body_of(pages_of(name), template(name).name)


def sections_in(file):
    """Title of each section, and the page on which it begins, from 0: the top of the outline."""
    reader = pypdf.PdfReader(io.BytesIO(file))
    tops = [entry for entry in reader.outline if not isinstance(entry, list)]
    return [(entry.title, reader.get_destination_page_number(entry)) for entry in tops]


def squeezed(text):
    return re.sub(r"\s", "", text)
