"""Whether the parts fit together: every port an optic and a cable, every drive a bay, every supply an outlet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from planner.core.units import counted
from planner.sections.context import Context
from planner.sections.facility import FacilityPlan
from planner.sections.links import LinkGroup, card_of, gbps_text, speed_text
from planner.sections.network import NetworkPlan
from planner.sections.tiers import TierPlan, metadata_drives, metadata_name

_SAME = 1 + 1e-6


@dataclass(frozen=True, slots=True)
class Gap:
    """One thing that a bill lacks before it can be quoted.

    Attributes:
        part: What lacks it.
        text: What is missing, with the numbers.
        ask: What would close it.
        minor: Whether a quotation can be asked with it, the vendor being told to fill it in.
    """

    part: str
    text: str
    ask: str
    minor: bool = False


def gaps_words(gaps: Sequence[Gap]) -> str:
    """How many gaps there are, and how many of them can be left to the vendor, in the words of pages and documents."""
    if not gaps:
        return "nothing is missing before it can be quoted"
    minor = sum(gap.minor for gap in gaps)
    which = "which" if minor == len(gaps) else f"of which {minor}"
    left = f", {which} can be left to the vendor" if minor else ""
    return f"{counted(len(gaps), 'gap')} before it can be quoted{left}"


def gaps_of(
    context: Context, tiers: tuple[TierPlan, ...], network: NetworkPlan, facility: FacilityPlan
) -> tuple[Gap, ...]:
    """Everything that is missing from the parts of a design, as far as it shows before they are placed."""
    return (
        *(gap for group in network.links for gap in _link(network, group)),
        *(gap for tier in tiers for gap in _tier(context, tier, network)),
        *_heights(facility),
        *_switches(network),
        *_cages(network),
    )


def _link(network: NetworkPlan, group: LinkGroup) -> Iterator[Gap]:
    """A link needs an optic at each end and a port that runs at its speed."""
    if group.optic is None:
        yield Gap(
            group.name,
            f"{counted(group.count.number, 'link')} of {speed_text(group)}: the catalogue has no optic or cable for them",
            "choose ports of another speed, or add the optic to the catalogue",
        )
    port = network.switch.port_bytes_per_s
    if network.option.name != "fc" and group.speed_bytes_per_s.number > port.number * _SAME:
        yield Gap(
            group.name,
            f"{counted(group.count.number, 'link')} of {speed_text(group)}: ports of {network.switch.name} run at {gbps_text(port.number)}",
            "choose a faster switch",
        )


def _cages(network: NetworkPlan) -> Iterator[Gap]:
    """Optics at the switch sit in its cages: where one cage serves several links it takes one that splits."""
    if network.option.name == "fc":
        return
    split = [
        f"{group.name} ({speed_text(group)})"
        for group in network.links
        if group.optic is not None
        and not group.copper
        and group.cage_optic is None
        and group.cage_lane_count > 1
    ]
    if split:
        yield Gap(
            network.switch.name,
            f"cages of {gbps_text(network.switch.port_bytes_per_s.number)} are split for the links of {', '.join(split)}, and the catalogue "
            "has no optic that splits so; optics of the links' own speed stand for it",
            "have the switch's maker name the split optics for its cages",
            minor=True,
        )


def _tier(context: Context, tier: TierPlan, network: NetworkPlan) -> Iterator[Gap]:
    """Bays for the drives, cards for the ports, metadata servers where the file system needs them."""
    platform = tier.platform
    bays = platform.drives_per_unit_count
    if tier.drive is not None and bays is not None:
        held = bays.number * tier.unit_count.number
        if tier.drive_count.number > held:
            yield Gap(
                tier.name,
                f"{counted(tier.drive_count.number, 'drive')} and {counted(held, 'bay')}: {tier.unit_count} × {platform.name}",
                "let the planner choose the number of nodes",
            )
    if tier.drive is not None and bays is None:
        yield Gap(
            tier.name,
            f"bays of {platform.name} are not in the catalogue; {counted(tier.drive_count.number, 'drive')} for "
            f"{counted(tier.unit_count.number, 'unit')} are planned",
            "ask the vendor how many drives a unit takes",
            minor=True,
        )
    if (tier.drive is not None or platform.generic) and network.option.name != "fc":
        speed = platform.front_end_bytes_per_s
        card = card_of(context, tier, fibre_channel=False)
        if speed is not None and card.port_bytes_per_s.number * _SAME < speed.number:
            yield Gap(
                tier.name,
                f"ports of {gbps_text(speed.number)}, cards of {gbps_text(card.port_bytes_per_s.number)} ({card.name})",
                "choose a faster card",
            )
        yield from _plug(context, tier, network)
    yield from _metadata(context, tier)
    yield from _from_vendor(tier)
    if "Lustre OSS" in platform.approach and platform.metadata_units_count is None:
        yield Gap(
            tier.name,
            f"{platform.name} needs metadata servers; the catalogue does not say how many",
            "ask the vendor for the metadata unit",
        )


CAGES: dict[str, tuple[str, ...]] = {
    "OSFP": ("OSFP",),
    "QSFP112": ("QSFP112", "QSFP56", "QSFP28"),
    "QSFP56": ("QSFP56", "QSFP28"),
    "QSFP28": ("QSFP28",),
}
"""Plugs that the cages of a card take: those of its own form, and slower ones of the same width."""


def _plug(context: Context, tier: TierPlan, network: NetworkPlan) -> Iterator[Gap]:
    """A card whose cage takes another plug than the optic or cable that is planned for its links."""
    card = card_of(context, tier, fibre_channel=False)
    cage = next((form for form in CAGES if form in card.name), None)
    group = next((group for group in network.links if group.name == tier.name), None)
    if cage is None or group is None or group.optic is None:
        return
    plug = group.optic.form_factor.rpartition("->")[2]
    if not any(form in plug for form in CAGES[cage]):
        yield Gap(
            tier.name,
            f"cages of {card.name} take {' or '.join(CAGES[cage])}; the {group.optic.type} that is planned has {plug}",
            "have the switch's maker name the cable for both cages, or choose a card with that cage",
            minor=True,
        )


def _metadata(context: Context, tier: TierPlan) -> Iterator[Gap]:
    """Bays for the drives of metadata servers, of which there are as many as a file system has, whatever its size."""
    count, bays = tier.platform.metadata_units_count, tier.platform.drives_per_unit_count
    if count is None or bays is None:
        return
    drives, held = metadata_drives(context, tier, count), bays.number * count.number
    if drives.number > held:
        yield Gap(
            metadata_name(tier),
            f"{counted(drives.number, 'drive')} and {counted(held, 'bay')}: {count} × {tier.platform.name}",
            "plan more metadata servers, or larger drives for them",
        )


def _from_vendor(tier: TierPlan) -> Iterator[Gap]:
    """What the catalogue does not say of a platform and the bill takes by class: its ports and its supplies."""
    platform = tier.platform
    if platform.front_end_port_count is None:
        yield Gap(
            tier.name,
            f"client ports of {platform.name} are not in the catalogue; two a unit are counted",
            "ask the vendor for number and speed of its ports",
            minor=True,
        )
    if not platform.generic:
        yield Gap(
            tier.name,
            f"power supplies of {platform.name} are not in the catalogue; two a unit are counted",
            "ask the vendor for number and plugs of its power supplies",
            minor=True,
        )


def _heights(facility: FacilityPlan) -> Iterator[Gap]:
    for row in facility.rows:
        if not row.rack_units_ru.known:
            yield Gap(row.name, "rack units are not in the catalogue", "ask the vendor for the height")


def _switches(network: NetworkPlan) -> Iterator[Gap]:
    if not (network.leaf_count.known and network.spine_count.known):
        yield Gap(
            "Switches",
            f"{network.endpoint_count} endpoints need more than two tiers of {network.switch.name}",
            "choose a switch with more ports, or oversubscribe client leaves",
        )
