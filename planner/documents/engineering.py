"""Second part of the document: tiers, network, endurance and protection, power and cooling, cost."""

from __future__ import annotations

from reportlab.platypus import Flowable, KeepTogether, Spacer

from planner.core.checks import Check
from planner.core.quantity import Quantity
from planner.core.units import counted, format_range
from planner.documents.bars import cost_picture, rack_power_picture
from planner.documents.beside import NOTHING, Beside, address_tables
from planner.documents.curves import endurance_picture, endurance_words
from planner.documents.executive import capital
from planner.documents.fabric import fabric_tables
from planner.documents.parts import bullets, chart, pairs, section, table, text, topic
from planner.documents.physical import ladders, lifetime, protection_words, term_text
from planner.documents.pictures import save_picture, save_words, tiers_picture
from planner.documents.term import over_term
from planner.documents.text import LONGEST, clean
from planner.documents.topology import network_picture, network_words
from planner.plan import Plan
from planner.sections.cost import RUN
from planner.sections.facility import FacilityPlan
from planner.sections.rows import fullest_words, power_checks
from planner.sections.tiers import TierPlan


def tiers(plan: Plan) -> list[Flowable]:
    """Each tier with its parts and capacities, what decides its size, and what comes next."""
    choice = plan.architecture.choice
    names = [tier.name for tier in plan.tiers]
    columns = [_tier_column(tier) for tier in plan.tiers]
    rows = [(label, *(column[label] for column in columns)) for label in columns[0]]
    widths = (0.26, *([0.74 / len(names)] * len(names)))
    contents = [
        (tier.name, clean(name, limit=LONGEST), item.text())
        for tier in plan.tiers
        for name, item in tier.demand.contents.items()
    ]
    terms = [
        (tier.name, name, term_text(tier, name), _role(tier, name))
        for tier in plan.tiers
        for name in tier.terms
    ]
    return [
        KeepTogether(
            [
                *section("Storage tiers", "tiers"),
                text(f"Architecture of the hot tier: {choice.label}; {choice.reason}."),
                *table(("", *names), rows, widths),
            ]
        ),
        *topic("What lies where", "contents"),
        *table(("Tier", "Contents", "Size"), contents, (0.3, 0.5, 0.2)),
        *chart(
            "Capacity of the tiers",
            "capacity",
            "Contents: checkpoints blue, data green.",
            tiers_picture(plan),
        ),
        *ladders(plan),
        *topic("What decides the size of each tier", "binding"),
        *table(("Tier", "Demand", "Needs", "Rank"), terms, (0.3, 0.3, 0.2, 0.2)),
        *_access(plan),
    ]


def _access(plan: Plan) -> list[Flowable]:
    return [
        *topic("Access and namespaces", "access"),
        text(plan.architecture.access),
        *table(
            ("Purpose", "Namespaces", "Size of each", "Mounted by", "File system"),
            [
                (clean(n.purpose, limit=LONGEST), n.count.text(), n.size_bytes.text(), n.hosts, n.file_system)
                for n in plan.architecture.namespaces
            ],
            (0.3, 0.14, 0.16, 0.2, 0.2),
        ),
    ]


def _role(tier: TierPlan, name: str) -> str:
    return "decides" if name == tier.binding else "next" if name == tier.following else ""


def _tier_column(tier: TierPlan) -> dict[str, str]:
    demand = tier.demand
    scheme = tier.scheme.label if tier.scheme else tier.platform.protection or "the platform's own"
    kind = f", {tier.drive.name}" if tier.drive else ""
    size = f" ({term_text(tier, tier.binding)})" if tier.binding in tier.terms else ""
    stands = tier.working_count.number < tier.drive_count.number
    standing = f"; {tier.working_count} in groups, the rest stand by" if stands else ""
    return {
        "Platform": f"{tier.platform.vendor} {tier.platform.name}".strip(),
        "Units": tier.unit_count.text(),
        "Drives": f"{tier.drive_count} × {tier.drive_bytes}{kind}{standing}",
        "Protection": f"{scheme} over {tier.domain}s" if tier.scheme else scheme,
        "Contents": demand.content_bytes.text(),
        "Raw": tier.raw_bytes.text(),
        "Usable": tier.usable_bytes.text(),
        "Safe": tier.safe_bytes.text(),
        "Write, provided": tier.write_bytes_per_s.text(),
        "Write, asked": demand.write_bytes_per_s.text(),
        "Read, provided": tier.read_bytes_per_s.text(),
        "Read, asked": demand.read_bytes_per_s.text(),
        "Steady load": tier.steady_fraction.text(),
        "Binding constraint": f"{tier.binding}{size}",
        "Next constraint": tier.following or "none",
    }


def network(plan: Plan, *, beside: Beside = NOTHING) -> list[Flowable]:
    """Transport, links and switches, the save over every transport, and the addresses.

    Args:
        plan: The plan.
        beside: What is known beside it: subnets, VLANs and addresses.
    """
    net = plan.network
    rows: list[tuple[object, object]] = [
        ("Transport", f"{net.transport.label}: {net.transport.reason}"),
        ("Topology", f"{net.topology.label}: {net.topology.reason}"),
        ("Separation", f"{net.separate.label}: {net.separate.reason}"),
        ("Switches", f"{net.switch_count} × {net.switch.vendor} {net.switch.model}"),
        ("Leaves, spines, uplinks", f"{net.leaf_count}, {net.spine_count}, {net.uplink_count}"),
        ("Ports of nodes and of targets", f"{net.node_port_count} and {net.target_port_count}"),
        ("Payload of a node", f"{net.node_bytes_per_s}, of which a save needs {net.node_need_bytes_per_s}"),
        (
            "With one path lost",
            f"{net.after_path_loss_bytes_per_s} of {counted(net.path_count.number, 'path')}",
        ),
        (
            "Fabric",
            f"{net.fabric_bytes_per_s}; the burst is {net.aggregate_bytes_per_s} ({net.fabric_bits_per_s})",
        ),
    ]
    transports = [
        (
            row.label,
            format_range(row.save_low_s.number, row.save_high_s.number, "s"),
            row.binding,
            row.bandwidth_bytes_per_s.text(),
            _span(row.latency_low_s, row.latency_high_s),
            row.core_count.text(),
            "yes" if row.meets_target else "no",
        )
        for row in plan.transport
    ]
    return [
        *section("Network", "network"),
        *pairs(rows),
        *chart("Topology", "topology", network_words(plan), network_picture(plan)),
        *chart("Save time over each transport", "transports", save_words(plan), save_picture(plan)),
        *table(
            (
                "Transport",
                "Save",
                "Decided by",
                "Bandwidth",
                "Latency, guide",
                "Cores of a node",
                "In target",
            ),
            transports,
            (0.24, 0.15, 0.16, 0.12, 0.13, 0.11, 0.09),
        ),
        *_checklist(plan),
        *fabric_tables(plan),
        *address_tables(beside),
    ]


def _span(low: Quantity | None, high: Quantity | None) -> str:
    """A range of two catalogue cells, either of which may be empty."""
    known = [item for item in (low, high) if item is not None]
    return format_range(known[0].number, known[-1].number, known[0].unit) if known else "unknown"


def _checklist(plan: Plan) -> list[Flowable]:
    if not plan.network.checklist:
        return []
    rows = [(what, "stated" if done else "MISSING", how) for what, done, how in plan.network.checklist]
    return [
        *topic("Lossless Ethernet", "lossless"),
        *table(("Item", "State", "How"), rows, (0.34, 0.12, 0.54)),
    ]


def endurance(plan: Plan) -> list[Flowable]:
    """Writes against the rating, and what a failure leaves."""
    wear, protection = plan.endurance, plan.protection
    rows: list[tuple[object, object]] = [
        (
            "Written each day",
            f"{wear.daily_write_bytes_per_day}; with protection {wear.drive_write_bytes_per_day}",
        ),
        ("Written each year", wear.yearly_write_bytes_per_year.text()),
        (
            "Allowance",
            f"{wear.allowance_bytes_per_day} at {wear.endurance_dwpd}: {wear.check.verdict.upper()}"
            if wear.allowance_bytes_per_day.known
            else "unknown: ask the vendor for the rating",
        ),
        ("Basis of the rating", wear.basis or "unknown"),
        ("Rating used up after", wear.rated_life_s.text()),
        ("Worn after", wear.wear_life_s.text()),
        ("Warranty", wear.warranty_s.text()),
        (
            "Least pool for these writes",
            f"{wear.needed_usable_bytes} usable, {wear.needed_raw_bytes} raw; {wear.sized_raw_bytes} raw with the margin",
        ),
        ("Protection", protection_words(plan)),
        ("What may fail", protection.survives),
    ]
    schemes = [
        (
            row.scheme.label,
            row.protection_ratio.text(),
            row.raw_bytes.text(),
            str(row.failures_count),
            str(row.width_count),
            row.rebuild_s.text(),
            row.loss_fraction.text(),
        )
        for row in protection.rows
    ]
    head = ("Scheme", "Raw/usable", "Raw", "Failures", "Width", "Rebuild", "Loss in a year")
    return [
        *section("Endurance and protection", "endurance"),
        *pairs(rows),
        *chart("Endurance", "endurance-chart", endurance_words(plan), endurance_picture(plan)),
        *lifetime(plan),
        *topic("Schemes on the same usable capacity", "schemes"),
        *table(head, schemes, (0.26, 0.13, 0.13, 0.11, 0.09, 0.12, 0.16)),
    ]


def facility(plan: Plan) -> list[Flowable]:
    """Power, heat, space and circuits: what a colocation provider quotes from."""
    site = plan.facility
    parts = [
        (
            row.name,
            row.count.text(),
            row.typical_w.text(),
            row.max_w.text(),
            row.rack_units_ru.text(),
            row.total_typical_w.text(),
            row.total_max_w.text(),
            row.total_ru.text(),
        )
        for row in site.rows
    ]
    total = ("All", "", "", "", "", site.typical_w.text(), site.max_w.text(), site.rack_units_ru.text())
    head = (
        "Part",
        "Count",
        "Each, typical",
        "Each, max.",
        "Space each",
        "All, typical",
        "All, max.",
        "Space",
    )
    rows: list[tuple[object, object]] = [
        ("Racks of storage and network", plan.racks.storage_rack_count.text()),
        *((check.name, _of_limit(check)) for check in power_checks(plan.racks)),
        ("Heat", f"{site.btu_per_hour}, {site.cooling_tons}"),
        ("Air flow", f"{site.airflow_m3_per_hour}, {site.airflow_cfm}"),
        ("Energy", f"{site.energy_kwh_per_year}, {site.energy_usd_per_year}"),
        ("A drive of the hot tier", _drive(site)),
    ]
    return [
        *section("Power and cooling", "facility"),
        *table(head, [*parts, total], (0.22, 0.09, 0.13, 0.12, 0.09, 0.12, 0.12, 0.11)),
        *pairs(rows),
        *chart(
            "Power of the fullest rack",
            "rack-power",
            f"{fullest_words(plan.racks)}; optics count with the machine whose cages they sit in.",
            rack_power_picture(plan),
        ),
    ]


def _of_limit(check: Check) -> str:
    return f"{check.required} at most of {check.provided}: {check.verdict.upper()}"


def _drive(site: FacilityPlan) -> str:
    """Watts of a drive by what it does, with the grade of each figure, and what that comes to over its duty cycle."""
    states = (
        ("while writing", site.drive_write_w),
        ("while reading", site.drive_read_w),
        ("idle", site.drive_idle_w),
        ("at most", site.drive_max_w),
    )
    told = ", ".join(f"{item} {doing} ({item.grade})" for doing, item in states)
    if not site.drive_w.known:
        return told
    busy = f"it writes for {site.drive_write_fraction} of the time and reads for {site.drive_read_fraction}"
    return f"{told}; {site.drive_w} on average: {busy}"


def cost(plan: Plan) -> list[Flowable]:
    """Range of the capital cost, what is not priced, the guide's figures beside it, and the years."""
    money = plan.cost
    run = format_range(money.term_low_usd.number, money.term_high_usd.number, "USD")
    rows: list[tuple[object, object]] = [
        ("Capital cost", capital(plan)),
        ("Prices", f"{money.price_set.label}: {money.price_set.reason}"),
        ("Running", money.running_usd_per_year.text()),
        (RUN, run),
        ("Priced parts", format_range(money.parts_low_usd.number, money.parts_high_usd.number, "USD")),
        (
            "By the guide's prices",
            format_range(money.guide_low_usd.number, money.guide_high_usd.number, "USD"),
        ),
    ]
    tiers_cost = [
        (row.tier, row.usable_bytes.text(), format_range(row.low_usd.number, row.high_usd.number, "USD"))
        for row in money.tiers
    ]
    return [
        *section("Cost", "cost"),
        *pairs(rows),
        *chart(
            "Range of the cost",
            "cost-chart",
            f"{capital(plan)}, by {money.price_set.label}.",
            cost_picture(plan),
        ),
        *over_term(plan),
        *topic("By the guide's prices per TB", "guide-cost"),
        *table(("Tier", "Usable", "Range"), tiers_cost, (0.4, 0.25, 0.35)),
        *bullets(
            [
                "Part prices and prices per TB are two ways to the same cost; they are never added.",
                "A line without a price is left out of the sum and named in the bill of materials.",
            ]
        ),
        Spacer(1, 6),
    ]
