"""What a colocation provider asks before quoting: answered as far as the design knows, else a question to ask."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from reportlab.platypus import Flowable

from planner.core.checks import Check
from planner.core.quantity import Quantity
from planner.core.units import counted
from planner.documents.parts import section, table, text, topic
from planner.documents.text import LONGEST, clean
from planner.plan import Plan
from planner.sections.rows import power_checks

REGIONS = {"north-america": "North America", "asia-pacific": "Asia-Pacific", "emea": "EMEA"}


@dataclass(frozen=True, slots=True)
class Answer:
    """One line of the questionnaire.

    Attributes:
        group: Power, cooling, space, connectivity, delivery, operations, commercial or compliance.
        subject: What is asked.
        text: The answer; empty where the design does not know it.
        ask: Who has to be asked what, where the answer or the provider's limit is missing.
        check: The design against the provider's limit, where both are figures.
    """

    group: str
    subject: str
    text: str = ""
    ask: str = ""
    check: Check | None = None

    @property
    def known(self) -> bool:
        """Whether the design answers it."""
        return bool(self.text) and self.text != "unknown"


def questionnaire(plan: Plan) -> tuple[Answer, ...]:
    """Every line that a provider asks for, answered or not."""
    return (
        *_power(plan),
        *_cooling(plan),
        *_space(plan),
        *_connectivity(plan),
        *(Answer(group, subject, ask=ask) for group, subject, ask in _OPEN),
    )


def _stated(value: float | None, unit: str, label: str) -> Quantity:
    return Quantity(
        float("nan") if value is None else float(value), unit, label, source="input", grade="input"
    )


def _limited(
    group: str, subject: str, need: Quantity, limit: float | None, ask: str, *, text: str = ""
) -> Answer:
    """A figure with the provider's limit: checked where there is one, a question where there is none."""
    check = Check(
        subject,
        provided=_stated(limit, need.unit, f"{subject}, allowed"),
        required=need,
        source="the provider",
    )
    missing = limit is None or not need.known
    return Answer(
        group, subject, text or need.text(), ask if missing else "", None if limit is None else check
    )


def _power(plan: Plan) -> Iterator[Answer]:
    layout, site, facility, circuits = plan.racks, plan.scenario.site, plan.facility, plan.racks.circuits
    total = f"{layout.typical_w} typical, {layout.max_w} at most, {layout.startup_w} at start-up"
    yield _limited(
        "Power",
        "Total power",
        layout.max_w,
        site.allowed_w,
        "How much power is free, and from when?",
        text=total,
    )
    fullest = f"{facility.rack_typical_w} on average, the fullest {layout.fullest_w}"
    yield _limited("Power", "Power of a rack", layout.fullest_w, site.rack_limit_w, "", text=fullest)
    yield Answer(
        "Power", "Apparent power", f"{layout.apparent_va} at a power factor of {site.power_factor_fraction:g}"
    )
    carried = (
        "one feed alone carries it" if power_checks(layout)[1].ok else "one feed alone does not carry it"
    )
    yield Answer("Power", "Redundancy", f"A and B in each rack; {carried}")
    yield Answer("Power", "Voltage and phases", f"{circuits.label}, region {REGIONS[site.region]}")
    count = f"{layout.circuit_count} in all, A and B together"
    ask = "How many circuits can be had, and when?"
    yield _limited("Power", "Circuits", layout.circuit_count, site.allowed_circuit_count, ask, text=count)
    yield _one_feed(plan)
    outlet = circuits.receptacle if "agreed" not in circuits.receptacle else ""
    yield Answer("Power", "Outlet", outlet, "" if outlet else "Which outlet comes with this circuit?")
    for subject, ask in (
        ("Rack power strips", "Who supplies them, with which outlets and metering?"),
        ("Feed", "Do cables come from above or from below?"),
        ("Harmonics and transients", "Which limits hold at the feed, also for short peaks?"),
        ("Load steps", "In which steps is power released, and is each confirmed in writing?"),
    ):
        yield Answer("Power", subject, ask=ask)


def _one_feed(plan: Plan) -> Answer:
    (_, check), circuits = power_checks(plan.racks), plan.racks.circuits
    told = f"{check.required} at most; a feed may carry {check.provided} ({circuits.continuous_fraction} of the breaker)"
    return Answer("Power", "One feed alone", told, check=check)


def _cooling(plan: Plan) -> Iterator[Answer]:
    layout, site = plan.racks, plan.scenario.site
    yield Answer("Cooling", "Heat", f"{layout.max_w}, {layout.btu_per_hour}, {layout.cooling_tons}")
    yield Answer("Cooling", "To air and to liquid", f"{layout.air_w} and {layout.liquid_w}")
    yield Answer("Cooling", "Air flow", f"{layout.airflow_m3_per_hour}, {layout.airflow_cfm}, front to back")
    yield Answer("Cooling", "Rise of the air", f"{site.air_rise_kelvin:g} K")
    inlet = _stated(site.inlet_celsius, "°C", "Inlet temperature")
    ask = "" if inlet.known else "Which highest inlet temperature and humidity are guaranteed?"
    yield Answer("Cooling", "Inlet temperature held", inlet.text() if inlet.known else "", ask)
    yield Answer("Cooling", "Containment", ask="Is the aisle contained, and who supplies blanking panels?")
    yield Answer(
        "Cooling", "Redundancy", ask="How is cooling kept when a unit fails, and for how long without power?"
    )
    if layout.liquid_w.number > 0:
        yield Answer("Cooling", "Liquid", ask="Which supply temperature, flow and water quality are given?")


def _space(plan: Plan) -> Iterator[Answer]:
    layout, site = plan.racks, plan.scenario.site
    ask = "How many racks side by side are free?"
    yield _limited("Space", "Racks", layout.rack_count, site.allowed_rack_count, ask)
    room = f"{site.rack_height_ru} U, of which {site.rack_reserved_ru} U stay free"
    yield Answer("Space", "Height of a rack", room)
    yield _limited("Space", "Weight of a rack", layout.heaviest_kg, site.rack_limit_kg, "")
    ask = "Which floor load is allowed at the place and on the way to it?"
    yield _limited("Space", "Floor load", layout.floor_kg_per_m2, site.floor_limit_kg_per_m2, ask)
    for subject, ask in (
        ("Racks supplied by", "Own racks or the provider's; which rails, locks and hole type?"),
        (
            "Footprint and clearance",
            "Which width and depth may a rack have, with which clearance in front and behind?",
        ),
        ("Raised floor, seismic", "Is the floor raised, and which anchoring is asked for?"),
    ):
        yield Answer("Space", subject, ask=ask)


def _connectivity(plan: Plan) -> Iterator[Answer]:
    site = plan.scenario.site
    need = _stated(site.cross_connect_count, "count", "Cross-connects")
    ask = "How many can be had, of which fibre and connector, and how soon?"
    text = f"{need}, by two ways" if site.cross_connect_count > 1 else need.text()
    yield _limited("Connectivity", "Cross-connects", need, site.allowed_cross_connect_count, ask, text=text)
    distance = _stated(site.gpu_distance_m, "m", "Distance")
    yield Answer("Connectivity", "Storage to GPU racks", f"{distance} of cable at most")
    cables = plan.cabling
    told = counted(len(cables.cables), "cable") if cables is not None else ""
    ask = "" if told else "The ports do not fit the planned leaves: mend the network first."
    yield Answer("Connectivity", "Cables inside the hall", told, ask)
    for subject, ask in (
        (
            "Uplinks",
            "Which speed, number, fibre and optical standard do the uplinks have (A and Z end, LOA-CFA)?",
        ),
        ("Carriers", "Which carriers are in the building, and by how many entries?"),
        ("Addresses and routing", "Which addresses and BGP sessions are needed and given?"),
    ):
        yield Answer("Connectivity", subject, ask=ask)


_OPEN: tuple[tuple[str, str, str], ...] = (
    ("Delivery", "Dock, lift and way", "Which crate and weight pass the dock, the lift and the doors?"),
    (
        "Delivery",
        "Storage and packaging",
        "Where are parts kept until they are built in, and who removes the packaging?",
    ),
    ("Delivery", "Notice and insurance", "How long before must a delivery be announced, and who insures it?"),
    ("Operations", "Remote hands", "What do they do, at which hours and rates; do they swap drives?"),
    ("Operations", "Media", "How are worn drives destroyed, and is it certified?"),
    ("Operations", "Access", "Who may come in, with which escort and notice?"),
    ("Operations", "Monitoring", "Which readings of power and climate are given, and how?"),
    ("Operations", "Maintenance and escalation", "When are maintenance windows, and who is called at night?"),
    ("Operations", "Spare parts", "Can spare parts be kept on site, and how many?"),
    ("Commercial", "Term and start", "How long, from when, and in which steps does it go live?"),
    ("Commercial", "Service levels", "What is promised for power, cooling and humidity, with which penalty?"),
    ("Commercial", "Growth and exit", "Is there a first right on more room, and what does leaving cost?"),
    ("Compliance", "Certificates", "Which certificates does the site hold?"),
    ("Compliance", "Place of the data", "In which country and under which law does it lie?"),
    ("Compliance", "Names", "May the customer be named in documents?"),
)
"""What no design can know: group, subject, question."""


def sheet(plan: Plan) -> list[Flowable]:
    """The questionnaire as it is sent: answers with the provider's limits, then what has to be asked."""
    answers = questionnaire(plan)
    known = [answer for answer in answers if answer.known]
    asked = [(answer.group, answer.subject, answer.ask) for answer in answers if answer.ask]
    told = f"{counted(len(known), 'answer')} from the design, {counted(len(asked), 'question')} to ask."
    return [
        *section("Questionnaire of the provider", "questionnaire"),
        text(told),
        *topic("What the design answers", "answers"),
        *table(
            ("Group", "Subject", "Answer", "Limit", "Verdict"),
            [_row(answer) for answer in known],
            (0.12, 0.2, 0.42, 0.14, 0.12),
        ),
        *topic("Questions to ask", "questions"),
        *table(("Group", "Subject", "Question"), asked, (0.14, 0.26, 0.6)),
    ]


def _row(answer: Answer) -> tuple[object, ...]:
    check = answer.check
    limit = check.provided.text() if check is not None else "ask" if answer.ask else ""
    verdict = check.verdict.upper() if check is not None else ""
    return answer.group, answer.subject, clean(answer.text, limit=LONGEST), limit, verdict
