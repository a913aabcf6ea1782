"""What the figures do not cover, told in the document itself, so that nobody has to find out."""

from __future__ import annotations

from reportlab.platypus import Flowable

from planner.documents.parts import section, table, text
from planner.plan import Plan

NOT_MODELLED: tuple[tuple[str, str, str], ...] = (
    (
        "Small random I/O and metadata",
        "Tiers are sized by bytes and bandwidth; operations on small files and directory rates are not.",
        "Measure with a metadata benchmark on the chosen file system.",
    ),
    (
        "Inference and other tenants",
        "Only the jobs of the scenario load the tiers and the network.",
        "Add their traffic as a job, or keep them on other equipment.",
    ),
    (
        "Contention in time",
        "Bandwidths are shared as averages; queues are estimated, single packets are not simulated.",
        "Hold the acceptance test with all jobs running.",
    ),
    (
        "Failures that come together",
        "Failures are independent, with a stated higher rate after a first one; loss of a site is not counted.",
        "Keep a copy of what must survive elsewhere.",
    ),
    (
        "Software faults and operators",
        "The failure rate counts interruptions as published fleets counted them; a new stack has its own.",
        "Put in the measured rate after the first weeks.",
    ),
    (
        "Routing and tuning of the network",
        "Ports, bandwidth, paths and the lossless settings are checked; routes and buffers of each hop are not.",
        "Have the vendor confirm the configuration.",
    ),
    (
        "Air flow inside the room",
        "Heat and air are summed for each rack; hot spots and recirculation are not computed.",
        "Ask the site for its limits at the place of the racks.",
    ),
    (
        "Discounts, taxes, freight and labour",
        "Prices are dated list or street prices as a range; what is negotiated is not in them.",
        "Ask for quotations by the bill of materials.",
    ),
    (
        "Residual value and financing",
        "Cost over the term is capital, support and running cost, without interest.",
        "Let finance put in its own rate.",
    ),
)
"""Subject, what is left out, and what to do about it."""


def limits(plan: Plan) -> list[Flowable]:
    """Out of scope: what is not modelled, and what of this design nobody knows."""
    unknown = [f"{gap.part}: {gap.text}" for gap in plan.bill.gaps if not gap.minor]
    told = (
        f"Of this design {len(unknown)} open points are listed under “Bill of materials”."
        if unknown
        else "Of this design nothing is open in the bill of materials."
    )
    return [
        *section("Out of scope: what is not modelled", "limits"),
        text(told),
        *table(("Subject", "What is left out", "What to do"), NOT_MODELLED, (0.22, 0.46, 0.32)),
    ]
