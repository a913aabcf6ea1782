"""The planner's own words: the glossary, how numbers are written, what the review checks, and what is not modelled.

Screens and documents show these lists and no others.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from planner.catalogue import default_folder
from planner.catalogue.reading import Place, read_table
from planner.core.checks import SEVERITIES, Severity
from planner.core.errors import PlannerError, nearest, shorten
from planner.inputs import INPUTS

_GLOSSARY, _LIMITS = "rules/glossary.csv", "rules/not_modelled.csv"
_RULES, _GUIDE = "rules/findings.csv", "rules/guide.csv"
_CODE, _ANY_FIGURE, _ANY_JOB = re.compile(r"[A-Z]{2,4}-(\d+|n)"), "GDE-n", "jobs.*."

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

SECTIONS: Mapping[str, str] = {
    "cluster": "Cluster",
    "goodput": "Training time",
    "checkpoint": "Checkpoints",
    "ingest": "Reads",
    "tiers": "Tiers",
    "endurance": "Endurance",
    "protection": "Protection",
    "architecture": "Access",
    "transport": "Transport",
    "network": "Network",
    "local": "Local drives",
    "facility": "Power and racks",
    "bom": "Bill of materials",
    "cost": "Cost",
    "guide": "Guide check",
}
"""What each section of a plan that a finding speaks of is called, in the order in which a design is made."""


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


@dataclass(frozen=True, slots=True)
class ReviewRule:
    """One rule of the review, as somebody looks it up.

    Attributes:
        code: Code of its findings, "END-1"; "GDE-n" stands for every figure n of the guide.
        severities: What its findings can be, the worst first.
        title: What is wrong, in a few words that can follow the code.
        section: Section of the plan that its findings speak of, one of `SECTIONS`.
        check: What is held against which limit, and what makes it one severity or the other.
        mended_by: What usually mends it: inputs as they are called, or what else helps.
        inputs: Paths of those inputs; "jobs.*." stands for any job.
        source: Where the rule comes from.
    """

    code: str
    severities: tuple[Severity, ...]
    title: str
    section: str
    check: str
    mended_by: str
    inputs: tuple[str, ...]
    source: str

    @property
    def named(self) -> str:
        """The code with its title: "END-1 daily writes above what the rating allows"."""
        return f"{self.code} {self.title}"

    @property
    def told(self) -> str:
        """All that a search looks through."""
        codes = " ".join(_guide_codes()) if self.code == _ANY_FIGURE else ""
        severities = " ".join(self.severities)
        words = (
            self.named,
            codes,
            severities,
            SECTIONS[self.section],
            self.check,
            self.mended_by,
            self.source,
        )
        return " ".join((*words, *self.inputs))


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


def read_rules(content: str, *, file: str = _RULES) -> tuple[ReviewRule, ...]:
    """Rules of a file, in its order.

    Raises:
        PlannerError: As `read_words`; a code has another form, severities are unknown or not the worst first, or a
            section or an input is unknown. The line names file and column.
    """
    columns = ("code", "severities", "title", "section", "check", "mended_by", "source")
    rows = read_words(content, file=file, columns=columns)
    return tuple(_rule(row, file, line) for line, row in enumerate(rows, start=2))


def _rule(row: tuple[str, ...], file: str, line: int) -> ReviewRule:
    code, severities, title, section, check, mended_by, source = row
    if not _CODE.fullmatch(code):
        raise Place(file, line, "code").refusal(f"“{code}” is no code such as END-1")
    names = severities.split(";")
    known = tuple(severity for severity in SEVERITIES if severity in names)
    if list(known) != names:
        raise Place(file, line, "severities").refusal(
            f"“{severities}” is not of {';'.join(SEVERITIES)} in this order"
        )
    if section not in SECTIONS:
        raise Place(file, line, "section").refusal(f"no section “{section}”{nearest(section, SECTIONS)}")
    labels = _labels()
    paths = tuple(re.findall(r"\{([^{}]*)\}", mended_by))
    for path in paths:
        if path not in labels:
            raise Place(file, line, "mended_by").refusal(f"no input “{path}”{nearest(path, labels)}")
    words = re.sub(r"\{([^{}]*)\}", lambda found: labels[found[1]], mended_by)
    return ReviewRule(code, known, title, section, check, words, paths, source)


@functools.lru_cache(maxsize=1)
def _labels() -> Mapping[str, str]:
    """What each input is called, by its path for any job."""
    return {re.sub(r"^jobs\.\d+\.", _ANY_JOB, item.path): item.label for item in INPUTS}


@functools.lru_cache(maxsize=1)
def review_rules() -> tuple[ReviewRule, ...]:
    """Every rule of the review, in the order in which a design is made."""
    return read_rules((default_folder() / _RULES).read_text(encoding="utf-8"))


@functools.lru_cache(maxsize=1)
def _guide_codes() -> tuple[str, ...]:
    """Codes of the figures of the guide, which share a rule."""
    content = (default_folder() / _GUIDE).read_text(encoding="utf-8")
    return tuple(f"GDE-{cells['id'][1:]}" for _, cells in read_table(content, file=_GUIDE))


@functools.lru_cache(maxsize=1)
def _rules_by_code() -> Mapping[str, ReviewRule]:
    rules = {rule.code: rule for rule in review_rules()}
    return rules | dict.fromkeys(_guide_codes(), rules[_ANY_FIGURE])


def find_rules(words: str = "") -> tuple[ReviewRule, ...]:
    """Rules that are named by their code, or else those that have every word; all without words.

    Raises:
        PlannerError: There are none.
    """
    by_code, wanted = _rules_by_code(), words.split()
    codes = {code.casefold(): rule for code, rule in by_code.items()}
    named = [codes[word.casefold()] for word in wanted if word.casefold() in codes]
    if named and len(named) == len(wanted):
        return tuple(dict.fromkeys(named))
    found = tuple(
        rule for rule in review_rules() if all(word.casefold() in rule.told.casefold() for word in wanted)
    )
    if not found:
        raise PlannerError(
            f"rules: none has “{shorten(words)}”{nearest(words.upper(), by_code)}", field="rules"
        )
    return found


def failing(faults: Iterable[str]) -> str:
    """What a design fails, in words: each code with its title, and limits of one's own as they are; or "nothing"."""
    rules = _rules_by_code()
    return (
        "; ".join(f"{fault} {rules[fault].title}" if fault in rules else fault for fault in faults)
        or "nothing"
    )
