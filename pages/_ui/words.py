"""The glossary: one word, one meaning, one unit."""

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

LIMITS = (
    "Random small I/O, metadata rates and inference serving are not sized.",
    "Vendors' discounts, taxes, freight and labour are not in any price.",
    "The network is checked for bandwidth, ports and paths; cable lengths and routing tables are not.",
    "Failures are independent but for the stated hazard after a first one; no site failures.",
)
"""What the planner does not model."""
