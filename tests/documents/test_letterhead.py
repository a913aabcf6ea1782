"""Logo, contact, validity, disclaimer: printed where they belong, refused where they cannot be."""

import io
import struct
import unicodedata
import zlib
from collections import Counter
from datetime import date

import pypdf
import pytest

from planner.core.errors import PlannerError
from planner.documents import Letterhead
from planner.documents.direction import runs_right
from planner.documents.letterhead import MOST_LOGO_BYTES, logo_size
from tests.documents.printed import SMALLEST, pages_in, pages_of, planned, rendered, shortly, squeezed


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width, height, *, body=True):
    """A red PNG of that size, by the PNG specification: signature, IHDR, IDAT, IEND."""
    rows = b"".join(b"\0" + b"\xff\0\0" * width for _ in range(height)) if body else b""
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(rows))
        + chunk(b"IEND", b"")
    )


def test_a_logo_stands_on_the_cover_in_its_proportions():
    file = shortly(planned(SMALLEST), letterhead=Letterhead(logo=png(60, 20)))
    reader = pypdf.PdfReader(io.BytesIO(file))
    images = [list(page.images) for page in reader.pages]
    assert [len(found) for found in images[:2]] == [1, 0]
    assert images[0][0].image.size == (60, 20)
    assert shortly(planned(SMALLEST), letterhead=Letterhead(logo=png(60, 20))) == file


@pytest.mark.parametrize(
    ("logo", "why"),
    [
        (b"GIF89a" + b"x" * 40, "not a PNG"),
        (b"\x89PNG\r\n\x1a\n", "not a PNG"),
        (png(4, 40), "too few"),
        (png(200, 10), "longer than 12 to 1"),
        (png(5000, 5000, body=False), "more than 4 million"),
        (png(40, 40)[:60], "damaged"),
        (b"\x89PNG\r\n\x1a\n" + b"0" * MOST_LOGO_BYTES, "more than 500.000"),
    ],
)
def test_a_logo_that_cannot_be_printed_is_refused_in_one_line(logo, why):
    with pytest.raises(PlannerError, match=why) as refused:
        Letterhead(logo=logo)
    assert refused.value.field == "letterhead.logo"
    assert "\n" not in refused.value.message


def test_the_size_is_read_from_the_file():
    assert logo_size(png(60, 20)) == (60, 20)


def test_contact_validity_and_disclaimer_stand_on_the_cover_and_in_every_footer_of_the_whole_document():
    letterhead = Letterhead(
        contact="Ms <b>Ñandú</b>, sales@example.org",
        valid_until=date(2026, 12, 31),
        disclaimer="Kein Angebot",
        classification="confidential",
        distribution="Zoë, ACME",
    )
    pages = pages_in(rendered(planned(SMALLEST), letterhead=letterhead))
    line = "Kein Angebot · valid until 2026-12-31 · Ms <b>Ñandú</b>, sales@example.org"
    assert all(squeezed(line) in squeezed(page) for page in pages)
    assert all("CONFIDENTIAL" in page for page in pages)
    assert any(squeezed("1 Zoë, ACME") in squeezed(page) for page in pages[2:5])
    assert squeezed("Valid until 2026-12-31 Contact Ms <b>Ñandú</b>, sales@example.org") in squeezed(pages[0])


@pytest.mark.parametrize(
    "customer",
    [
        "شركة الاتصالات السعودية للحوسبة السحابية",
        "中国人工智能计算中心存储系统设计方案有限公司",
        "<b>&amp;{x} & Söhne",
        "Ω" * 300,
    ],
)
def test_customer_stands_on_the_cover_and_classification_on_every_page(customer):
    letterhead = Letterhead(customer=customer, classification="confidential")
    file = shortly(planned(SMALLEST), letterhead=letterhead)
    pages = [unicodedata.normalize("NFKC", page) for page in pages_in(file)]
    if runs_right(customer):  # lines come out in the order in which they are drawn
        assert not Counter(squeezed(customer)) - Counter(pages[0])
    else:
        assert squeezed(customer)[:190] in squeezed(pages[0])
    assert "Classification" in pages[0]
    assert all("CONFIDENTIAL" in page for page in pages)
    assert "confidential" in pypdf.PdfReader(io.BytesIO(file)).metadata["/Keywords"]


def test_without_a_customer_the_cover_names_none():
    cover = pages_of(SMALLEST)[0]
    assert "Customer" not in cover
    assert "Classification" not in cover


def test_the_default_is_budgetary_and_may_be_left_out():
    assert all("Budgetary, not an offer" in page for page in pages_of(SMALLEST))
    bare = pages_in(shortly(planned(SMALLEST), letterhead=Letterhead(disclaimer="")))
    assert not any("Budgetary" in page for page in bare)
