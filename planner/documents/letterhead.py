"""What the sender of a document puts on it: logo, customer, classification, contact, validity, and that it is no offer."""

from __future__ import annotations

import io
import struct
from dataclasses import dataclass
from datetime import date

from reportlab.lib.utils import ImageReader

from planner.core.errors import PlannerError
from planner.core.units import format_number

CLASSIFICATIONS = ("public", "internal", "confidential", "strictly confidential")
"""Words that are offered for who may read a document; an organisation may have its own."""
MOST_LOGO_BYTES = 500_000
MOST_LOGO_PIXELS = 4_000_000
"""Larger than any print needs, small enough that no file can fill the memory when it is unpacked."""
LEAST_LOGO_SIDE, MOST_LOGO_ASPECT = 8, 12.0
_PNG_START = b"\x89PNG\r\n\x1a\n"


@dataclass(frozen=True, slots=True)
class Letterhead:
    """Settings of whoever sends the document; all may be left out.

    Attributes:
        logo: Bytes of a PNG, shown on the cover.
        contact: Whom to ask: name, mail, telephone; any text prints.
        valid_until: Last day on which the figures and prices hold.
        disclaimer: Line at the foot of each page; empty leaves it out.
        customer: For whom the document is; on the cover. Any text prints.
        distribution: Who gets a copy, one a line; any text prints.
        classification: Who may read it: one of `CLASSIFICATIONS` or another word; on the cover and on each page.
    """

    logo: bytes = b""
    contact: str = ""
    valid_until: date | None = None
    disclaimer: str = "Budgetary, not an offer"
    customer: str = ""
    classification: str = ""
    distribution: str = ""

    def __post_init__(self) -> None:
        """Refuse a logo that cannot be printed."""
        if self.logo:
            logo_size(self.logo)


def logo_size(logo: bytes) -> tuple[int, int]:
    """Width and height of a logo in pixels.

    Raises:
        PlannerError: It is no PNG, or too large, too small or too narrow.
    """
    if len(logo) > MOST_LOGO_BYTES:
        raise _refused(
            f"{format_number(len(logo), None)} bytes are more than {format_number(MOST_LOGO_BYTES, None)}; scale it to 600 pixels of width"
        )
    if not logo.startswith(_PNG_START) or logo[12:16] != b"IHDR" or len(logo) < 33:
        raise _refused("the file is not a PNG; save the picture as PNG")
    width, height = struct.unpack(">II", logo[16:24])
    if width * height > MOST_LOGO_PIXELS:
        raise _refused(
            f"{width} × {height} pixels are more than {MOST_LOGO_PIXELS / 1e6:.0f} million; scale it to 600 × 200"
        )
    if min(width, height) < LEAST_LOGO_SIDE:
        raise _refused(f"{width} × {height} pixels are too few; use at least {LEAST_LOGO_SIDE} on each side")
    if max(width, height) > MOST_LOGO_ASPECT * min(width, height):
        raise _refused(f"{width} × {height} is longer than {MOST_LOGO_ASPECT:.0f} to 1; crop it")
    logo_image(logo)
    return width, height


def logo_image(logo: bytes) -> ImageReader:
    """The logo as it can be drawn.

    Raises:
        PlannerError: The file says that it is a PNG and cannot be read.
    """
    try:
        image = ImageReader(io.BytesIO(logo))
        image.getRGBData()  # type: ignore[no-untyped-call]
    except Exception as error:  # the image library raises what it likes on a broken file
        raise _refused("the file is damaged; save the picture as PNG again") from error
    return image


def _refused(why: str) -> PlannerError:
    return PlannerError(f"letterhead.logo (Logo): {why}", field="letterhead.logo")
