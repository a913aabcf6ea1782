"""What the tests of documents share: plans of the templates, their PDFs, and the text of those."""

import functools
import io
import re
from datetime import UTC, datetime

import pypdf

from planner.catalogue import load_catalogue
from planner.documents import pdf, short_form
from planner.plan import plan
from planner.templates import template, templates
from tests.pdf_text import pages_in

NAMES = tuple(item.id for item in templates())
SMALLEST, LARGEST, GUIDE = "lab-8-nodes", "frontier-16384", "guide-256-evidence"
CREATED = datetime(2026, 9, 22, 10, 5, tzinfo=UTC)
HASH = "0123456789abcdef" * 4


@functools.cache
def planned(name):
    return plan(template(name).scenario, load_catalogue())


def rendered(result, **words):
    told = {"title": "A design", "revision": 7, "author": "A. Author", "created": CREATED, "hash_text": HASH}
    return pdf(result, **{**told, "draft": False, **words})


def shortly(result, **words):
    told = {"title": "A design", "revision": 7, "author": "A. Author", "created": CREATED, "hash_text": HASH}
    return short_form(result, **{**told, "draft": False, **words})


@functools.cache
def file_of(name, draft=False):
    return rendered(planned(name), title=template(name).name, draft=draft)


def glyphs_in(file):
    """Text of each page in the forms and in the order in which it is drawn: slow, and what Arabic beside Latin needs."""
    return tuple(page.extract_text() for page in pypdf.PdfReader(io.BytesIO(file)).pages)


@functools.cache
def pages_of(name, draft=False):
    return pages_in(file_of(name, draft))


def sections_in(file):
    """Title of each section, and the page on which it begins, from 0: the top of the outline."""
    reader = pypdf.PdfReader(io.BytesIO(file))
    tops = [entry for entry in reader.outline if not isinstance(entry, list)]
    return [(entry.title, reader.get_destination_page_number(entry)) for entry in tops]


def squeezed(text):
    return re.sub(r"\s", "", text)
