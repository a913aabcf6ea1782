"""The guide check: each figure of the guide on which a design has one too, side by side, with the reason."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from planner.catalogue import Catalogue, GuideFigure
from planner.core.quantity import Quantity, derive, given, total
from planner.core.units import BITS_PER_BYTE, format_range, format_value, in_binary
from planner.scenario import Ingest
from planner.sections.demand import STEADY_LIMIT_FRACTION
from planner.sections.saves import latency_of
from planner.sections.topology import SINGLE_LEAF_NODES
from planner.sizing import cost, endurance, tier_capacity, tier_rates

if TYPE_CHECKING:
    from planner.plan import Plan

LINE_RATES = ("Gb/s", "Tb/s")
"""Units in which the guide states the speed of links, and in which they are shown beside it."""
Verdict = Literal["inside", "outside", "unknown"]
TOLERANCE = 1e-3
"""A design's figure that leaves the guide's range by less than its rounding is inside."""


@dataclass(frozen=True, slots=True)
class GuideRow:
    """One figure of the guide beside this design's.

    Attributes:
        figure: What the guide says.
        design: What this design has.
        ratio: This design over the nearer end of the guide's range; 1 inside it.
        remark: Whether a difference is worth a note in the review.
    """

    figure: GuideFigure
    design: Quantity
    ratio: float
    verdict: Verdict
    reason: str
    remark: bool

    @property
    def id(self) -> str:
        """Number of the figure in the list of the guide's figures."""
        return self.figure.id

    @property
    def section(self) -> str:
        """Section of the guide."""
        return self.figure.section

    @property
    def quantity(self) -> str:
        """What is compared, with the guide's conditions."""
        return self.figure.quantity + (f" ({self.figure.conditions})" if self.figure.conditions else "")

    @property
    def guide_text(self) -> str:
        """The guide's figure as it is printed."""
        return guide_text(self.figure)

    @property
    def design_text(self) -> str:
        """This design's figure as it is printed."""
        if self.figure.unit in LINE_RATES:
            return format_value(self.design.number * BITS_PER_BYTE, "bits/s")
        return self.design.text()

    @property
    def source(self) -> str:
        """Where the guide says it."""
        return f"the guide, '{self.figure.section}'"


Subject = Callable[["Plan"], Quantity | None]


def _ingest(plan: Plan) -> Ingest:
    """What the main job states of its reads."""
    return plan.scenario.jobs[plan.jobs.index(plan.main)].ingest


def _text(model: str) -> Subject:
    """Checkpoint of the main job, if the guide's row is the one nearest to its model."""
    # Between two rows of the table the geometric mean of their sizes parts what is nearer to which.
    bounds = {"7B": (0, 22e9), "70B": (22e9, 111e9), "175B": (111e9, 266e9), "405B": (266e9, float("inf"))}[
        model
    ]

    def subject(plan: Plan) -> Quantity | None:
        """Size of a plan's checkpoint; None for a model nearer to another row."""
        checkpoint = plan.main.job.checkpoint
        return checkpoint.size_bytes if bounds[0] <= checkpoint.parameter_count.number < bounds[1] else None

    return subject


def _of(subject: Subject, other: Subject) -> Subject:
    """The other figure, where there is the first one."""
    return lambda plan: other(plan) if subject(plan) is not None else None


def _retained(plan: Plan) -> Quantity | None:
    """Checkpoints kept, if they are five as in the guide's table."""
    job = plan.main.job
    if job.policy.retained_count != 5:
        return None
    return derive(tier_capacity.kept_bytes, checkpoint_bytes=job.checkpoint.size_bytes, retained_count=5.0)


def _usable(plan: Plan) -> Quantity | None:
    """Capacity of the hot tier: the guide's recommendation on its basis, else what is planned."""
    if plan.scenario.basis == "guide" and plan.scenario.storage.hot.usable_bytes is None:
        return plan.main.job.checkpoint.guide_capacity_bytes
    return plan.hot.usable_bytes


def _reads(modality: str) -> Subject:
    """Reads of the main job as of 256 GPUs, if its data are of that kind."""

    def subject(plan: Plan) -> Quantity | None:
        """Reads of a plan scaled to 256 GPUs; None for data of another kind."""
        job = plan.main.job
        if _ingest(plan).modality != modality:
            return None
        return derive(
            tier_rates.per_256_bytes_per_s,
            read_bytes_per_s=job.ingest.read_bytes_per_s,
            gpu_count=job.gpu_count,
        )

    return subject


def _latency(name: str) -> Subject:
    """Latency of a small request over a transport, at its high end."""
    return lambda plan: latency_of(plan.calculation().context, name)[1]


def _port(name: str) -> Subject:
    """Speed of a node's port, if that transport is planned."""

    def subject(plan: Plan) -> Quantity | None:
        """Speed of a plan's client port; None over another transport."""
        return plan.network.option.client_port_bytes_per_s if plan.network.transport.value == name else None

    return subject


def _price(role: str) -> Subject:
    """Low price of a tier, where the guide's prices per TB are in use."""

    def subject(plan: Plan) -> Quantity | None:
        """Low price of a plan's tier; None without it, or on other prices."""
        if plan.cost.price_set.value == "guide":
            row = next(
                (r for r in plan.cost.tiers for t in plan.tiers if t.role == role and t.name == r.tier), None
            )
            return None if row is None else row.low_usd
        return None

    return subject


def _tier(role: str) -> Subject:
    """Priced parts of a tier for each usable TB."""

    def subject(plan: Plan) -> Quantity | None:
        """Priced parts of a plan's tier over its usable TB; None without the tier, or without a price."""
        tier = plan.tier(role)
        if tier is None:
            return None
        lines = [line for line in plan.bom if line.group == tier.name and line.priced]
        if not lines:
            return None
        value = total([line.extended_low_usd for line in lines], "Priced parts", unit="USD")
        return derive(cost.per_usable_usd_per_tb, capital_usd=value, usable_bytes=tier.usable_bytes)

    return subject


def _overhead(scheme_id: str) -> Subject:
    """Raw over usable, if that scheme protects the hot tier."""

    def subject(plan: Plan) -> Quantity | None:
        """A plan's raw over usable; None under another scheme."""
        chosen = plan.hot.scheme
        return plan.hot.protection_ratio if chosen is not None and chosen.id == scheme_id else None

    return subject


def _allowance(plan: Plan) -> Quantity | None:
    """Allowance in checkpoint data, as the guide counts it: parity is in neither figure."""
    if not plan.endurance.endurance_dwpd.known:
        return None
    return derive(
        endurance.daily_allowance_bytes_per_day,
        raw_bytes=plan.hot.usable_bytes,
        endurance_dwpd=plan.endurance.endurance_dwpd,
        label="Daily allowance of checkpoint data",
    )


FULL_NODE_DRIVES = 20
"""From here a storage node counts as the guide's node of 24 drives."""


def _full_node(plan: Plan) -> Quantity | None:
    """Most power of the first kind of storage node that has about 24 drives."""
    for tier, row in zip(plan.tiers, plan.facility.rows, strict=False):
        if tier.drive_count.known and tier.drive_count.number >= FULL_NODE_DRIVES * tier.unit_count.number:
            return row.max_w
    return None


def _alarm(_: Plan) -> Quantity:
    return given(STEADY_LIMIT_FRACTION, "fraction", "Alarm", source="every tier's alarm", grade="guide")


def _reserve(plan: Plan) -> Quantity:
    """Reserve over what is stored, as a share."""
    return derive(tier_capacity.reserve_fraction, reserve_ratio=plan.hot.reserve_ratio)


def _tiers_of_leaves(*, small: bool) -> Subject:
    """Tiers of switches of a cluster up to the guide's 64 nodes, or of a larger one."""

    def subject(plan: Plan) -> Quantity | None:
        """Tiers of a plan's switches; None for a cluster of the other size."""
        if (plan.cluster.node_count.number <= SINGLE_LEAF_NODES) != small:
            return None
        tiers = 1.0 if plan.network.topology.value == "single-leaf" else 2.0
        return given(tiers, "count", "Switch tiers", source=plan.network.topology.reason, grade="seen")

    return subject


BYTES = "The guide counts 2 to 4 bytes per parameter (4 to 8 for 7B); mixed-precision AdamW saves 14."
RATE = "Published token and sample rates differ from the guide's ranges by large factors in both directions."
LEVEL = "Required bandwidth follows from checkpoint size and save target, not from a class of cluster."
PRICE = "Parts bought as whole servers and drives at 2026 prices; the guide's prices are for media inside a large array."
FACT = "From the design's own parts."
LATENCY = "The design reckons with the guide's own range, of which this is the high end."

SUBJECTS: dict[str, tuple[Subject, str, bool]] = {
    "G17": (_text("7B"), BYTES, True),
    "G18": (_of(_text("7B"), _retained), BYTES, False),
    "G19": (_of(_text("7B"), _usable), BYTES, False),
    "G20": (_text("70B"), BYTES, True),
    "G21": (_of(_text("70B"), _retained), BYTES, False),
    "G22": (_of(_text("70B"), _usable), BYTES, False),
    "G23": (_text("175B"), BYTES, True),
    "G24": (_of(_text("175B"), _retained), BYTES, False),
    "G25": (_of(_text("175B"), _usable), BYTES, False),
    "G26": (_text("405B"), BYTES, True),
    "G27": (_of(_text("405B"), _retained), BYTES, False),
    "G28": (_of(_text("405B"), _usable), BYTES, False),
    "G03": (lambda plan: plan.nfs.save_high_s, "For this checkpoint; the guide speaks of 280 GB.", False),
    "G04": (lambda plan: plan.main.save.save_s, "For this checkpoint; the guide speaks of 280 GB.", True),
    "G05": (_latency("rdma"), LATENCY, False),
    "G06": (_port("rdma"), "Ports of the chosen node.", False),
    "G07": (_latency("tcp"), LATENCY, False),
    "G08": (_port("tcp"), "Ports of the chosen node; 400 Gb/s NICs run TCP too.", False),
    "G10": (_port("fc"), "Nominal payload of the port, not its name.", False),
    "G14": (lambda plan: plan.cluster.local_drive_count, "Drives of the chosen node.", False),
    "G75": (
        lambda plan: derive(
            tier_capacity.raw_of_drives_bytes,
            drive_count=plan.cluster.local_drive_count,
            drive_bytes=plan.cluster.local_drive_bytes,
        ),
        "Drives of the chosen node.",
        False,
    ),
    "G31": (lambda plan: plan.network.path_count, "Ports of the chosen node.", True),
    "G16": (
        lambda plan: given(
            plan.main.job.policy.block_bytes, "bytes", "Write block", source="input", grade="input"
        ),
        "Stated.",
        False,
    ),
    "G32": (_reads("text"), RATE, True),
    "G33": (_reads("vision"), RATE, True),
    "G34": (_reads("multimodal"), RATE, True),
    "G36": (
        lambda plan: given(
            float(_ingest(plan).worker_count),
            "count",
            "Loader workers",
            source="input",
            grade="input",
        ),
        "Stated.",
        False,
    ),
    "G41": (lambda plan: plan.main.job.checkpoint.node_write_bytes_per_s, LEVEL, False),
    "G42": (lambda plan: plan.main.job.ingest.node_read_bytes_per_s, RATE, False),
    "G43": (lambda plan: plan.hot.demand.write_bytes_per_s, LEVEL, True),
    "G44": (lambda plan: plan.main.job.ingest.read_bytes_per_s, RATE, False),
    "G47": (
        lambda plan: plan.network.aggregate_bytes_per_s,
        "For this design's burst; the guide speaks of 200 GB/s.",
        False,
    ),
    "G60": (lambda plan: plan.main.job.checkpoint.saves_per_day, "By the stated interval.", False),
    "G61": (
        lambda plan: plan.main.job.checkpoint.daily_write_bytes_per_day,
        "Linear in the checkpoint's size and rate.",
        True,
    ),
    "G62": (
        lambda plan: plan.main.job.checkpoint.yearly_write_bytes_per_year,
        "Linear in the checkpoint's size and rate.",
        False,
    ),
    "G63": (_allowance, "Usable capacity times the rating: parity wears and carries alike.", False),
    "G64": (lambda plan: plan.endurance.needed_usable_bytes, "Daily writes over the rating.", False),
    "G74": (lambda plan: plan.endurance.endurance_dwpd, "Rating of the chosen drive.", True),
    "G65": (_overhead("8+2"), FACT, False),
    "G66": (_overhead("12+3"), FACT, False),
    "G67": (_overhead("2-way"), FACT, False),
    "G68": (lambda plan: plan.facility.drive_write_w, "Gen5 drives draw 18 to 29 W.", True),
    "G69": (
        _full_node,
        "Drives, NICs and base of this node; Gen5 kit draws more than the guide allows for.",
        True,
    ),
    "G09": (_latency("fc"), LATENCY, False),
    "G29": (_reserve, "The fill limit on evidence, the guide's headroom on its basis; never both.", False),
    "G30": (
        lambda plan: plan.stripe.chunk_bytes if plan.stripe is not None else None,
        "Chunk of a stripe, stated.",
        False,
    ),
    "G38": (
        lambda plan: given(_ingest(plan).block_bytes, "bytes", "Read block", source="input", grade="input"),
        "Stated.",
        False,
    ),
    "G46": (
        lambda plan: plan.network.node_write_bytes_per_s,
        "For this checkpoint, target and number of nodes.",
        False,
    ),
    "G48": (_tiers_of_leaves(small=True), FACT, True),
    "G49": (_tiers_of_leaves(small=False), FACT, True),
    "G59": (_alarm, "Every tier's alarm stands there.", False),
    "G73": (lambda plan: plan.network.option.client_port_bytes_per_s, "Ports of the chosen node.", False),
    "G76": (lambda plan: plan.network.path_count, "Ports of the chosen node.", False),
    "G77": (
        lambda plan: given(
            plan.scenario.network.target_oversubscription_ratio,
            "1",
            "Oversubscription of target leaves",
            source="input",
            grade="input",
        ),
        "Stated.",
        True,
    ),
    "G51": (_tier("hot"), PRICE, True),
    "G52": (_tier("file-system"), PRICE, False),
    "G54": (_tier("object"), PRICE, False),
    "G55": (_price("hot"), PRICE, False),
    "G56": (_price("file-system"), PRICE, False),
    "G57": (_price("object"), PRICE, False),
    "G58": (lambda plan: plan.cost.capital_low_usd, PRICE, True),
}
"""What of a plan each of the guide's figures is compared with, why it may differ, and whether to remark it."""


def guide_check(plan: Plan, catalogue: Catalogue) -> tuple[GuideRow, ...]:
    """A row for each figure of the guide on which this design has one."""
    rows = []
    for figure_id, (subject, reason, remark) in SUBJECTS.items():
        figure = catalogue.guide.get(figure_id)
        design = subject(plan) if figure is not None else None
        if figure is not None and design is not None:
            rows.append(_row(figure, design, reason, remark))
    return tuple(sorted(rows, key=lambda row: row.id))


def _row(figure: GuideFigure, design: Quantity, reason: str, remark: bool) -> GuideRow:
    low = figure.low.number if figure.low is not None else float("-inf")
    high = figure.high.number if figure.high is not None else float("inf")
    value = design.number
    verdict: Verdict
    if not design.known:
        verdict, ratio = "unknown", float("nan")
    elif value < low * (1 - TOLERANCE):
        verdict, ratio = "outside", value / low if low else float("nan")
    elif value > high * (1 + TOLERANCE):
        verdict, ratio = "outside", value / high if high else float("nan")
    else:
        verdict, ratio = "inside", 1.0
    return GuideRow(figure, design, ratio, verdict, reason, remark)


def guide_text(figure: GuideFigure) -> str:
    """A figure of the guide as it is printed beside a design's, in the same scale."""
    if figure.quoted and not in_binary():
        return figure.quoted
    times, unit = (BITS_PER_BYTE, "bits/s") if figure.unit in LINE_RATES else (1.0, "")
    low, high = figure.low, figure.high
    if low is not None and high is not None:
        return format_range(low.number * times, high.number * times, unit or low.unit)
    if high is not None:
        return "up to " + format_value(high.number * times, unit or high.unit)
    if low is not None:
        return "from " + format_value(low.number * times, unit or low.unit)
    return figure.printed
