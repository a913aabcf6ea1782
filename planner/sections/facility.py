"""Power, cooling and space of the storage: drive, node, switch and rack."""

from __future__ import annotations

from planner.catalogue import Nic
from planner.core.checks import Check
from planner.core.errors import PlannerError
from planner.core.quantity import Quantity, derive, given, total
from planner.core.record import record
from planner.core.units import scalar
from planner.sections.cages import cage_optics, optic_words, split_words
from planner.sections.context import Context, or_unknown, stated
from planner.sections.drive_power import DrivePower, busy_w
from planner.sections.links import NO_ENDS, card_of
from planner.sections.network import NetworkPlan
from planner.sections.tiers import TierPlan, metadata_drives, metadata_name, ports_per_unit
from planner.sizing import cost, economics, facility, feeds


@record(frozen=True, slots=True)
class PowerRow:
    """One kind of part: how many, how much power and space each takes."""

    name: str
    count: Quantity
    typical_w: Quantity
    max_w: Quantity
    rack_units_ru: Quantity
    total_typical_w: Quantity
    total_max_w: Quantity
    total_ru: Quantity


@record(frozen=True, slots=True)
class FacilityPlan:
    """All parts together, in racks, on circuits.

    Attributes:
        drive_w: Power of a drive of the hot tier over its duty cycle, which its node's typical power counts.
        drive_max_w: Its highest, which its node's maximum counts.
        rack_count: Racks that height and power ask for at least; where machines are placed one by one
            (`planner.sections.racks`) whole machines, weight and the switches' place may need more.
    """

    rows: tuple[PowerRow, ...]
    drive_w: Quantity
    drive_write_w: Quantity
    drive_read_w: Quantity
    drive_idle_w: Quantity
    drive_max_w: Quantity
    drive_write_fraction: Quantity
    drive_read_fraction: Quantity
    typical_w: Quantity
    max_w: Quantity
    rack_units_ru: Quantity
    rack_count: Quantity
    rack_typical_w: Quantity
    rack_max_w: Quantity
    btu_per_hour: Quantity
    cooling_tons: Quantity
    airflow_m3_per_hour: Quantity
    airflow_cfm: Quantity
    circuit_w: Quantity
    energy_kwh_per_year: Quantity
    energy_usd_per_year: Quantity
    rack_check: Check
    feed_check: Check


def facility_plan(
    context: Context, tiers: tuple[TierPlan, ...], network: NetworkPlan, drive: DrivePower
) -> FacilityPlan:
    """Sum of the parts; a limit never replaces a sum.

    Args:
        context: Scenario and catalogue.
        tiers: The tiers; drives are named for the hot one alone.
        network: Switches, and links with their optics.
        drive: What a drive of the hot tier draws.

    Raises:
        PlannerError: The reserved height leaves no room in a rack.
    """
    _check_height(context)
    site = context.scenario.site
    fibre_channel = network.option.name == "fc"
    of_tiers = tuple(_tier_row(context, tier, drive, fibre_channel=fibre_channel) for tier in tiers)
    machines = (
        *of_tiers,
        *_metadata_rows(context, tiers, of_tiers, fibre_channel=fibre_channel),
        _switch_row(context, network),
    )
    rows = (*machines, *_optic_rows(network))
    typical = _known([row.total_typical_w for row in rows], "Power, typical", "W")
    peak = _known([row.total_max_w for row in rows], "Power, maximum", "W")
    units = _known([row.total_ru for row in machines], "Rack units", "RU")
    racks = _racks(context, machines, units, peak)
    return FacilityPlan(
        rows=rows,
        drive_w=drive.mean_w,
        drive_write_w=drive.write_w,
        drive_read_w=drive.read_w,
        drive_idle_w=drive.idle_w,
        drive_max_w=drive.max_w,
        drive_write_fraction=drive.write_fraction,
        drive_read_fraction=drive.read_fraction,
        typical_w=typical,
        max_w=peak,
        rack_units_ru=units,
        rack_count=racks.count,
        rack_typical_w=derive(
            feeds.rack_share_w, load_w=typical, rack_count=racks.count, label="Power of a rack, typical"
        ),
        rack_max_w=racks.max_w,
        btu_per_hour=derive(facility.btu_per_hour, load_w=peak),
        cooling_tons=derive(facility.cooling_tons, load_w=peak),
        airflow_m3_per_hour=derive(
            facility.airflow_m3_per_hour, load_w=peak, rise_kelvin=site.air_rise_kelvin
        ),
        airflow_cfm=derive(facility.airflow_cfm, load_w=peak, rise_kelvin=site.air_rise_kelvin),
        circuit_w=racks.circuit_w,
        energy_kwh_per_year=derive(facility.energy_kwh_per_year, load_w=typical, pue_ratio=site.pue_ratio),
        energy_usd_per_year=_energy(context, typical),
        rack_check=racks.limit_check,
        feed_check=racks.feed_check,
    )


def _check_height(context: Context) -> None:
    """Refuse a reserve that leaves no room in a rack."""
    site = context.scenario.site
    if site.rack_reserved_ru >= site.rack_height_ru:
        raise PlannerError(
            f"site.rack_reserved_ru (Reserved in each rack): {site.rack_reserved_ru} U leave nothing of a rack of "
            f"{site.rack_height_ru} U; use at most {site.rack_height_ru - 1}",
            field="site.rack_reserved_ru",
        )


@record(frozen=True, slots=True)
class _Racks:
    """How many racks height and power ask for, and what one of them draws against what it may."""

    count: Quantity
    max_w: Quantity
    circuit_w: Quantity
    limit_check: Check
    feed_check: Check


def _racks(context: Context, machines: tuple[PowerRow, ...], units: Quantity, peak: Quantity) -> _Racks:
    """Racks for so many rack units and watts; whole machines fill them, so the largest one counts."""
    site = context.scenario.site
    circuit = derive(
        feeds.circuit_w,
        feed_volts=site.feed_volts,
        feed_amps=site.feed_amps,
        phase_count=scalar(site.feed_phase_count),
        continuous_fraction=continuous_fraction(context),
        power_factor_fraction=site.power_factor_fraction,
    )
    limit = stated(site.rack_limit_w, "rack_limit_w", "Power limit of a rack")
    largest = max(
        [row.max_w for row in machines if row.max_w.known],
        key=lambda watts: watts.number,
        default=given(0.0, "W", "Heaviest unit", source="no watts are known", grade="unknown"),
    )
    budget = derive(feeds.rack_budget_w, rack_limit_w=limit, circuit_w=circuit)
    count = derive(
        feeds.rack_count,
        rack_units_ru=units,
        rack_height_ru=scalar(site.rack_height_ru),
        reserved_ru=scalar(site.rack_reserved_ru),
        load_w=peak,
        rack_limit_w=derive(feeds.rack_fill_w, budget_w=budget, unit_w=largest),
    )
    rack_max = derive(feeds.rack_load_w, load_w=peak, rack_count=count, unit_w=largest)
    return _Racks(
        count=count,
        max_w=rack_max,
        circuit_w=circuit,
        limit_check=Check("Rack power", provided=limit, required=rack_max, source="the site's limit"),
        feed_check=Check(
            "One feed alone",
            provided=circuit,
            required=rack_max,
            source="a pair of feeds must carry the rack when one is lost",
        ),
    )


REGIONS = {
    region: given(
        share,
        "fraction",
        "Continuous share of a breaker",
        source="80 % in North America and Asia-Pacific, 100 % in EMEA: rules of colocation providers",
        grade="seen",
    )
    for region, share in (("north-america", 0.8), ("asia-pacific", 0.8), ("emea", 1.0))
}
"""Share of a breaker's rating that may flow continuously, by the providers' rule for each region."""


def continuous_fraction(context: Context) -> Quantity:
    """Share of a breaker that may flow continuously: by the region's rule, or as stated."""
    site = context.scenario.site
    return context.pick("site.continuous_fraction", site.continuous_fraction, REGIONS[site.region])


def _energy(context: Context, typical: Quantity) -> Quantity:
    site = context.scenario.site
    if site.energy_basis == "all-in":
        return derive(cost.all_in_usd_per_year, load_w=typical, price_usd_per_kw_month=site.usd_per_kw_month)
    return derive(
        economics.energy_usd_per_year, load_w=typical, pue_ratio=site.pue_ratio, usd_per_kwh=site.usd_per_kwh
    )


def _tier_row(context: Context, tier: TierPlan, drive: DrivePower, *, fibre_channel: bool) -> PowerRow:
    """A tier's units; drives are named for the hot tier alone, so those watts are its drives'."""
    if tier.drive is not None:
        typical, peak = _node_watts(context, tier, drive, card_of(context, tier, fibre_channel=fibre_channel))
    else:
        typical, peak = _both_watts(context, tier.platform.typical_w, tier.platform.max_w, tier.platform.name)
    units = or_unknown(tier.platform.rack_units_ru, "RU", f"Rack units of {tier.platform.name}")
    return _row(tier.name, tier.unit_count, typical, peak, units)


def _metadata_rows(
    context: Context, tiers: tuple[TierPlan, ...], rows: tuple[PowerRow, ...], *, fibre_channel: bool
) -> list[PowerRow]:
    """Metadata servers beside a tier's units: the same server with few drives, which are busy all day."""
    found = []
    for tier, row in zip(tiers, rows, strict=True):
        count = tier.platform.metadata_units_count
        if count is None:
            continue
        typical, peak = _server_watts(
            context,
            tier,
            (metadata_drives(context, tier, count), count),
            busy_w(context, tier.drive),
            (card_of(context, tier, fibre_channel=fibre_channel), "a metadata server"),
        )
        found.append(_row(metadata_name(tier), count, typical, peak, row.rack_units_ru))
    return found


def _both_watts(
    context: Context, typical: Quantity | None, peak: Quantity | None, name: str
) -> tuple[Quantity, Quantity]:
    """Typical and maximum watts of a part; where one is missing the other and the usual ratio give it."""
    if typical is not None and peak is not None:
        return typical, peak
    ratio = or_unknown(context.catalogue.assumptions["nameplate-ratio"].typical, "1", "Maximum over typical")
    if typical is not None and peak is None:
        peak = derive(
            facility.nameplate_w, typical_w=typical, nameplate_ratio=ratio, label=f"Maximum power of {name}"
        )
    elif peak is not None and typical is None:
        typical = derive(
            facility.typical_of_nameplate_w,
            max_w=peak,
            nameplate_ratio=ratio,
            label=f"Typical power of {name}",
        )
    return (
        or_unknown(typical, "W", f"Typical power of {name}"),
        or_unknown(peak, "W", f"Maximum power of {name}"),
    )


def _node_watts(context: Context, tier: TierPlan, drive: DrivePower, card: Nic) -> tuple[Quantity, Quantity]:
    """A generic storage node: drives over their duty cycle or in the burst."""
    return _server_watts(
        context,
        tier,
        (tier.drive_count, tier.unit_count),
        (drive.mean_w, drive.max_w),
        (card, "a storage node"),
    )


def _server_watts(
    context: Context,
    tier: TierPlan,
    counts: tuple[Quantity, Quantity],
    drive_w: tuple[Quantity, Quantity],
    card: tuple[Nic, str],
) -> tuple[Quantity, Quantity]:
    """Typical and maximum watts of a server by its parts: base, drives, the cards that are bought, fans.

    The base is its class's: the typical value, and the high end of its range.

    Args:
        context: Scenario and catalogue.
        tier: The tier that it belongs to.
        counts: Drives of all such servers, and those servers.
        drive_w: A drive's watts, typical and highest.
        card: Its network card, and what the server is called.
    """
    nic, name = card
    base = context.catalogue.assumptions["node-base-w"]
    fan = or_unknown(context.catalogue.assumptions["node-fan-ratio"].typical, "1", "Fans")
    drives = derive(facility.drives_per_node_count, drive_count=counts[0], unit_count=counts[1])
    cards = derive(
        cost.cards_count,
        unit_count=1.0,
        port_count=ports_per_unit(tier.platform),
        ports_per_card_count=nic.port_count,
        label=f"Cards of {name}",
    )
    ends = (
        ("typical", base.typical, drive_w[0], nic.typical_w),
        ("maximum", base.high, drive_w[1], nic.max_w),
    )
    typical, peak = (
        derive(
            facility.node_w,
            base_w=or_unknown(own_w, "W", base.label),
            drive_count=drives,
            drive_w=each_w,
            nic_count=cards,
            nic_w=or_unknown(nic_w, "W", nic.name),
            fan_ratio=fan,
            label=f"Power of {name}, {end}",
        )
        for end, own_w, each_w, nic_w in ends
    )
    return typical, peak


def _switch_row(context: Context, network: NetworkPlan) -> PowerRow:
    switch = network.switch
    typical, peak = _both_watts(context, switch.typical_w, switch.max_w, switch.name)
    units = or_unknown(switch.rack_units_ru, "RU", "Rack units")
    return _row("Switches", network.switch_count, typical, peak, units)


_IN_A_CAGE = given(0.0, "RU", "in a cage", source="optics sit in cages", grade="seen")


def _optic_rows(network: NetworkPlan) -> list[PowerRow]:
    """Optics by type: they draw from the cages of switches and targets, beyond what those are rated for.

    In a split cage one optic serves several links; the other ends have optics of their own.
    """
    found: dict[str, tuple[Quantity, list[Quantity]]] = {}
    for group in network.links:
        if group.ends_count is NO_ENDS:
            continue
        optic = group.optic
        name = f"Optics {optic_words(optic)}" if optic else "Optics without figures"
        if name not in found:
            found[name] = (or_unknown(optic.end_w if optic else None, "W", name), [])
        found[name][1].append(group.ends_count)
    for cages in cage_optics(network):
        found.setdefault(f"Optics {split_words(cages)}", (cages.optic.end_w, []))[1].append(cages.count)
    rows = []
    for name, (each, counts) in found.items():
        count = total(counts, name, unit="count")
        watts = derive(facility.parts_w, part_count=count, part_w=each, label=f"{name}: power")
        rows.append(PowerRow(name, count, each, each, _IN_A_CAGE, watts, watts, _IN_A_CAGE))
    return rows


def _row(name: str, count: Quantity, typical: Quantity, peak: Quantity, units: Quantity) -> PowerRow:
    return PowerRow(
        name,
        count,
        typical,
        peak,
        units,
        derive(facility.parts_w, part_count=count, part_w=typical, label=f"{name}: power, typical"),
        derive(facility.parts_w, part_count=count, part_w=peak, label=f"{name}: power, maximum"),
        derive(feeds.parts_ru, part_count=count, part_ru=units, label=f"{name}: rack units"),
    )


def _known(items: list[Quantity], label: str, unit: str) -> Quantity:
    """Sum of the known parts; what is unknown is named in the findings."""
    return total([item for item in items if item.known], label, unit=unit)
