"""The glossary: one word, one meaning, one unit; and how numbers are written."""

from __future__ import annotations

from reportlab.platypus import Flowable

from planner.documents.parts import bullets, section, table, topic
from planner.plan import Plan

GLOSSARY = {
    "Scenario": "What the architect states: cluster, jobs, storage, network, site and prices.",
    "Plan": "Everything that is computed from a scenario and the catalogue.",
    "Finding": "A remark of the review: blocker, warning or note, with numbers, rule and remedy.",
    "Guide": "The founding document; a design can be put on its basis, and is always checked against it.",
    "Evidence": "Published runs, benchmarks and data sheets; the basis of a new design.",
    "AUTO and MANUAL": "AUTO: the planner derives the value and says how. MANUAL: the value is yours.",
    "Raw": "Capacity as bought, in bytes.",
    "Usable": "Capacity after protection, before any reserve.",
    "Safe": "Usable capacity that may be filled, after the reserve.",
    "Interval": "Wall time from the start of one save to the start of the next, in seconds.",
    "Save target": "Time that a save may take; it sets the write bandwidth.",
    "Stall": "Time that training stands still for a save.",
    "Flush": "Time from host memory to the hot tier.",
    "Drain": "Copying from the hot tier to a colder one.",
    "Restart": "Detecting a failure, rescheduling, and reading the last checkpoint.",
    "Goodput": "Share of wall time that makes lasting progress.",
    "Hot tier": "The NVMe-oF tier that holds the active checkpoints.",
    "Leaf and spine": "Switches that endpoints plug into, and the switches that join those.",
    "DWPD": "Drive writes per day that a rating allows over its warranty, in raw capacities.",
    "Write amplification": "Bytes to flash for each byte from the host; a DWPD rating holds it already.",
    "Binding": "The demand that decides a size; the next one is always named beside it.",
    "Not priced": "A line without a published price; it is never counted as zero.",
}
"""Meaning of each word."""

UNITS_STATED = (
    "Sizes are decimal: 1 TB is 10^12 bytes and 1 GB/s is 10^9 bytes a second; speeds of links are bits: 1 Gb/s is 10^9 bit/s.",
    "TiB and GiB, where they stand, are binary: 1 TiB is 2^40 bytes; no table has both.",
    "Money is US dollars before taxes; a range is the low and the high end of what a part costs.",
    "A year has 365 days. Power is at the feed of a rack; typical is in operation, the highest is what a supply must carry.",
    "Printed figures are rounded to three digits; the data files beside this document have all of them.",
    "“unknown” is a figure that nobody has stated: it is never counted as zero.",
)
"""How numbers are written, so that nobody has to guess."""


def glossary(_: Plan) -> list[Flowable]:
    """The words of the document, and its units."""
    return [
        *section("Glossary and units", "glossary"),
        *table(("Word", "Meaning"), list(GLOSSARY.items()), (0.22, 0.78)),
        *topic("Units", "units"),
        *bullets(UNITS_STATED),
    ]
