"""The one page for who decides: the answer, what it costs, what stands against it, and what is asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import Flowable, PageBreak

from planner.bom.lines import not_priced
from planner.core.checks import SEVERITIES, Finding
from planner.core.units import counted, every, format_range
from planner.documents.drawing import VERDICTS
from planner.documents.exposure import exposure
from planner.documents.lines import Lines
from planner.documents.page import APPROVED, WIDTH_PT, Stamp
from planner.documents.parts import BULLET, LEAD, TEXT, Heading, bullets, pairs, table, text
from planner.documents.physical import term_text
from planner.documents.text import BOLD, LONGEST, clean
from planner.plan import Plan
from planner.review.record import ReviewRecord
from planner.sections.tiers import TierPlan
from planner.summary import key_figures

MOST_FINDINGS, LEAST_FINDINGS = 8, 3
"""Findings that are told at most, and before the risks beside them are left out for want of room."""
MESSAGE_CHARACTERS = 230
ANSWER = ParagraphStyle("answer", parent=LEAD, fontName=BOLD, fontSize=11.5, leading=16.5)
TOPIC = ParagraphStyle(
    "small topic", parent=TEXT, fontName=BOLD, fontSize=10, leading=14, spaceBefore=5, spaceAfter=3
)
COLOURS = {"blocker": VERDICTS["fail"], "warning": VERDICTS["warning"], "note": VERDICTS["unknown"]}
SIGNS = {"blocker": "■", "warning": "▲", "note": "●"}
"""A sign of its own for each severity, so that it also tells in black and white."""
MEANINGS = {
    "Checkpoint": "what one save writes",
    "Stall": "training stands still for each save",
    "Goodput": "share of the time in which training moves on",
    "Write bandwidth": "what the hot tier takes in",
    "Hot tier, usable": "after protection, before headroom",
    "Power": "storage and its network, typical",
    "Cost, low": "capital cost, priced lines",
    "Cost, high": "capital cost, priced lines",
}


def summary(plan: Plan, stamp: Stamp, reviewed: ReviewRecord | None = None) -> list[Flowable]:
    """The executive summary on one page: as many findings as fit are told, the others are counted.

    Args:
        plan: The plan.
        stamp: What the document says about itself.
        reviewed: The review of a saved revision: open risks in its register are told as well.
    """
    beside = list(exposure(plan, reviewed))
    for count, lines in _lengths(plan, len(beside)):
        story = _page(plan, stamp, count, beside[:lines])
        if _height(story) <= stamp.room_pt:
            break
    return [PageBreak(), *story, PageBreak()]


def _lengths(plan: Plan, beside: int) -> Iterator[tuple[int, int]]:
    """How many findings and how many further risks to try, the most first; the worst findings go last."""
    told = sum(finding.severity != "note" for finding in plan.findings)
    most, least = min(told, MOST_FINDINGS), min(told, LEAST_FINDINGS)
    yield from ((count, lines) for lines in range(beside, -1, -1) for count in range(most, least - 1, -1))
    yield from ((count, 0) for count in range(least - 1, -1, -1))


def _height(story: Sequence[Flowable]) -> float:
    """Height of the story on a page: what is between two parts is the larger of their spaces."""
    height, last = 0.0, 0.0
    for part in story:
        space = max(part.getSpaceBefore(), last) if height else 0.0
        height += space + part.wrap(WIDTH_PT, 1e6)[1]
        last = part.getSpaceAfter()
    return height


def _page(plan: Plan, stamp: Stamp, findings: int, beside: Sequence[str]) -> list[Flowable]:
    figures = [(name, item.text(), MEANINGS.get(name, "")) for name, item in key_figures(plan).items()]
    return [
        Heading("Summary", key="summary", level=0),
        text(answer(plan), ANSWER),
        *table(("Key figure", "Value", "What it is"), figures, (0.25, 0.22, 0.53)),
        text("What decides the size", TOPIC),
        *[Lines(f"–\u00a0{clean(_decides(tier))}", BULLET) for tier in plan.tiers],
        text("What it costs, and what waiting costs", TOPIC),
        *pairs(_money(plan), split=0.32),
        text("What stands against it", TOPIC),
        *_against(plan, findings),
        *bullets(beside),
        text("What is asked", TOPIC),
        text(decision(plan, stamp)),
    ]


def answer(plan: Plan) -> str:
    """What to build and what it gives, in one sentence."""
    main, hot = plan.main, plan.hot
    kit = (
        f"{counted(hot.unit_count.number, 'storage node')} with {counted(hot.drive_count.number, 'drive')} of {hot.drive_bytes}"
        if hot.drive is not None
        else f"{counted(hot.unit_count.number, 'unit')} of {clean(hot.platform.name)}"
    )
    job = f" of {clean(main.job.name, limit=60)}" if len(plan.jobs) > 1 else ""
    money, racks = capital(plan), counted(plan.racks.storage_rack_count.number, "rack")
    gpus = plan.cluster.gpu_count.number
    return (
        f"{kit} {'lets' if hot.unit_count.number == 1 else 'let'} {counted(gpus, 'GPU')} train for "
        f"{main.goodput.goodput_fraction} of the time: a save{job} of {main.job.checkpoint.size_bytes} "
        f"{every(main.job.checkpoint.interval_s.number)} stops {'it' if gpus == 1 else 'them'} for {main.goodput.stall_s}; "
        f"all storage and its network cost {money} and draw {plan.facility.typical_w} in {racks}."
    )


def capital(plan: Plan) -> str:
    """Range of the capital cost, with how many lines it leaves out."""
    cost = plan.cost
    span = format_range(cost.capital_low_usd.number, cost.capital_high_usd.number, "USD")
    return span + (f" + {not_priced(len(plan.unpriced))}" if plan.unpriced else "")


def _decides(tier: TierPlan) -> str:
    """The demand that decides the size of a tier, and the next one."""
    words = [
        f"{name} ({term_text(tier, name)})" for name in (tier.binding, tier.following) if name in tier.terms
    ]
    if tier.binding not in tier.terms:
        return f"{tier.name}: stated by the architect; it would need {words[0] if words else 'unknown'}."
    return f"{tier.name}: {', next '.join(words)}; {tier.usable_bytes} usable, {tier.demand.content_bytes} in use."


def _money(plan: Plan) -> list[tuple[object, object]]:
    cost, good = plan.cost, plan.main.goodput
    years = counted(plan.scenario.prices.term_years, "year")
    term = format_range(cost.term_low_usd.number, cost.term_high_usd.number, "USD")
    whose = f", {clean(plan.main.job.name, limit=60)} alone" if len(plan.jobs) > 1 else ""
    return [
        ("To buy", f"{capital(plan)}, by {cost.price_set.label}"),
        ("To run", f"{cost.running_usd_per_year}; with equipment and support over {years} {term}"),
        ("GPUs idle during saves", f"{good.idle_usd_per_year}{whose}"),
        (
            "All GPU time lost",
            f"{plan.together.lost_usd_per_year}; at the best interval {good.best_lost_usd_per_year}{whose}",
        ),
    ]


def _against(plan: Plan, most: int) -> list[Flowable]:
    """Blockers and warnings, the worst first, each cut to a few lines; the others are counted."""
    told = [finding for finding in plan.findings if finding.severity != "note"]
    counts = Counter(finding.severity for finding in plan.findings)
    head = ", ".join(counted(counts[severity], severity) for severity in SEVERITIES)
    rest = len(told) - most
    more = f" {rest} more: see “Findings”." if rest > 0 else ""
    return [text(f"The review found {head}.{more}"), *[finding_line(finding) for finding in told[:most]]]


def finding_line(finding: Finding, limit: int = MESSAGE_CHARACTERS) -> Lines:
    """A finding on a line: its sign, its severity as a word, its code, what it says."""
    style = ParagraphStyle(f"finding {finding.severity}", parent=BULLET, textColor=COLOURS[finding.severity])
    words = f"{SIGNS[finding.severity]} {finding.severity.upper()} {finding.code}: {finding.message}"
    return Lines(_cut(clean(words), limit), style)


def _cut(words: str, limit: int) -> str:
    """The sentences that fit into so many characters; else its clauses, or whole words, with an ellipsis."""
    if len(words) <= limit:
        return words
    end = words.rfind(". ", 0, limit)
    if end >= limit // 2:
        return words[: end + 1]
    part = max(words.rfind(mark, 0, limit - 1) for mark in ("; ", ", "))
    if part < limit // 2:
        part = words.rfind(" ", 0, limit - 1)
    return words[:part].rstrip(" ,;:") + "…"


def decision(plan: Plan, stamp: Stamp) -> str:
    """What the reader is asked to decide, by what stands against the design."""
    counts = Counter(finding.severity for finding in plan.findings)
    name = clean(stamp.revision_words, limit=LONGEST)
    missing = len(plan.bill.not_priced)
    lack = "has" if missing == 1 else "have"
    quotes = (
        f" and ask for quotations: {counted(missing, 'line')} of the bill {lack} no price yet"
        if missing
        else ""
    )
    if stamp.status == APPROVED and not stamp.draft:
        waived = (
            f", {counted(counts['blocker'], 'blocker')} waived with a reason" if counts["blocker"] else ""
        )
        return f"Nothing: {name} is approved{waived}. Order by its bill of materials."
    if counts["blocker"]:
        return (
            f"Do not order yet. Decide for each of the {counted(counts['blocker'], 'blocker')} whether it is mended or "
            f"waived with a reason; {name} cannot be signed before."
        )
    approve = f"save the design, approve the revision{quotes}" if stamp.draft else f"approve {name}{quotes}"
    if counts["warning"]:
        them = "it" if counts["warning"] == 1 else "them"
        return f"Accept {counted(counts['warning'], 'warning')}, or have {them} mended; then {approve}."
    return f"{approve[0].upper()}{approve[1:]}."
