"""The planner's own words: the glossary, how numbers are written, and what is not modelled.

Screens and documents show these lists and no others.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass

from planner.catalogue import default_folder
from planner.catalogue.reading import Place, read_table

_GLOSSARY, _LIMITS = "rules/glossary.csv", "rules/not_modelled.csv"

UNITS_STATED = (
    "Sizes are decimal: 1 TB is 10¹² bytes and 1 GB/s is 10⁹ bytes a second; speeds of links are bits: 1 Gb/s is 10⁹ bit/s.",
    "TiB and GiB, where they stand, are binary: 1 TiB is 2⁴⁰ bytes; no table has both.",
    "Money is US dollars before taxes; a range is the low and the high end of what a part costs.",
    "A year has 365 days. Power is at the feed of a rack; typical is in operation, the highest is what a supply must carry.",
    "Figures are rounded to three digits where they are read; the JSON and spreadsheet files have all of them.",
    "“unknown” is a figure that nobody has stated: it is never counted as zero.",
)
"""How numbers are written, so that nobody has to guess."""

SUBJECTS: Mapping[str, str] = {
    "checkpoint": "Checkpoint size",
    "recipes": "Bytes per parameter",
    "layout": "Checkpoint files",
    "burst": "Save time",
    "stragglers": "Slowest writer",
    "cadence": "When to save",
    "failure_rates": "Failure rates",
    "lost_time": "Lost time",
    "worth": "What more is worth",
    "ingest": "Reading the dataset",
    "dataset": "Dataset files",
    "token_rates": "Training rate",
    "local": "Local drives",
    "counts": "Counts",
    "tier_capacity": "Tiers: capacity",
    "tier_counts": "Tiers: drives and units",
    "tier_rates": "Tiers: bandwidth",
    "ladder": "Raw to safe",
    "degraded": "Degraded operation",
    "stripes": "Stripes",
    "endurance": "Endurance",
    "wear": "Wear in use",
    "service": "Life and spares",
    "durability": "Durability",
    "rebuilds": "Rebuild",
    "transport": "Transport",
    "scoring": "Choice of transport",
    "bandwidth": "Links",
    "fabric": "Switches",
    "hops": "Load of hops",
    "lossless": "Lossless Ethernet",
    "san": "Fibre Channel",
    "queueing": "Queueing",
    "facility": "Power and cooling",
    "feeds": "Feeds and racks",
    "racks": "Racks and cables",
    "cost": "Cost of parts",
    "economics": "Running cost",
    "term": "Cost over a term",
    "delivery": "Delivered",
}
"""What each file of formulas is about, in the order in which a design is made."""


@dataclass(frozen=True, slots=True)
class Limit:
    """One thing that the planner does not model.

    Attributes:
        subject: What it is about.
        left_out: What is left out, and what is done instead.
        remedy: What to do about it.
    """

    subject: str
    left_out: str
    remedy: str


def read_words(content: str, *, file: str, columns: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Rows of a list of words, in the order of the file.

    Raises:
        PlannerError: Columns are not these, a cell is empty, or a word is there twice; the line names the place.
    """
    rows = []
    seen: set[str] = set()
    for line, cells in read_table(content, file=file):
        if tuple(cells) != columns:
            raise Place(file, 1).refusal(f"the columns are {', '.join(columns)}")
        for name, cell in cells.items():
            if not cell:
                raise Place(file, line, name).refusal("the cell is empty")
        word = cells[columns[0]].casefold()
        if word in seen:
            raise Place(file, line, columns[0]).refusal(f"“{cells[columns[0]]}” is there twice")
        seen.add(word)
        rows.append(tuple(cells.values()))
    return rows


def _read(file: str, columns: tuple[str, ...]) -> list[tuple[str, ...]]:
    return read_words((default_folder() / file).read_text(encoding="utf-8"), file=file, columns=columns)


@functools.lru_cache(maxsize=1)
def glossary() -> Mapping[str, str]:
    """Meaning of each word, by the alphabet."""
    rows = _read(_GLOSSARY, ("word", "meaning"))
    return {row[0]: row[1] for row in sorted(rows, key=lambda row: row[0].casefold())}


@functools.lru_cache(maxsize=1)
def not_modelled() -> tuple[Limit, ...]:
    """What the planner leaves out, and what to do about it."""
    return tuple(Limit(*row) for row in _read(_LIMITS, ("subject", "left_out", "remedy")))
