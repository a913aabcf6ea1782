"""Remarks on protection, stripes and access."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from planner.core.checks import Finding, Fix
from planner.core.units import counted, format_value, scalar
from planner.findings.rules import RULES_PAGE, TOLERANCE, note_rule, resize, rule
from planner.sections.kit import CLIENT_SIDE, SPARES_COUNT, domains_of_a_stripe, made_inside
from planner.sizing import tier_counts

if TYPE_CHECKING:
    from planner.plan import Plan


def _verb(plan: Plan, verb: str) -> str:
    """A verb as it stands after the name of the scheme: "Two copies need", "Erasure code 8+2 needs"."""
    scheme = plan.hot.scheme
    return verb.removesuffix("s") if scheme is not None and scheme.label.endswith("copies") else verb


def _one_drive(count: float) -> str:
    return "its only drive" if count == 1 else f"one of its {counted(count, 'drive')}"


@rule
def protection_domains(plan: Plan) -> Iterator[Finding]:
    """PRT-1: fewer domains than the scheme is wide, or exactly as many; PRT-2: a node takes too many chunks."""
    hot = plan.hot
    if hot.scheme is None:
        return
    width = hot.scheme.width_count
    inside = made_inside(hot.domain, hot.protection_at) and hot.unit_count.number > 1
    have = domains_of_a_stripe(hot).number
    things = f"{hot.domain}s" + (" of a node" if inside else "")
    if have < width:
        yield Finding(
            "PRT-1",
            "blocker",
            f"{hot.scheme.label} {_verb(plan, 'needs')} {counted(width, hot.domain)}; {f'a node has {have:.3g}' if inside else f'the pool has {have:.0f}'}.",
            "Provide more, choose a narrower scheme, or use smaller drives.",
            RULES_PAGE + ", 'Protection domain'",
            "protection",
            resize(plan, hot),
        )
    elif have < width + 1 and width > 1:
        yield Finding(
            "PRT-1",
            "warning",
            f"{hot.scheme.label} {_verb(plan, 'uses')} all {width} {things}: nothing is left to rebuild in after a loss.",
            "Add one.",
            RULES_PAGE + ", 'Protection domain'",
            "protection",
            resize(plan, hot),
        )
    nodes = hot.unit_count.number
    if hot.domain == "drive" and hot.protection_at != "controller" and width > 1:
        chunks = -(-width // nodes)
        if chunks > hot.scheme.parity_chunk_count:
            yield Finding(
                "PRT-2",
                "blocker",
                f"Stripes span {counted(nodes, 'node')} by drives: the loss of a node takes {counted(chunks, 'chunk')}, "
                f"{hot.scheme.label} {_verb(plan, 'survives')} {hot.scheme.parity_chunk_count}.",
                "Protect over nodes, or spread the pool over more nodes.",
                "reliability models, D7",
                "protection",
                (Fix("storage.hot.protection_domain", "node", "protect over nodes"),),
            )
    elif hot.domain == "drive":
        one = nodes == 1
        lost = "the loss of the only one" if one else f"the loss of one of {nodes:.0f}"
        share = "every checkpoint" if one else "the checkpoints on it"
        yield Finding(
            "PRT-3",
            "warning",
            f"Protection works inside a storage node: {lost} makes {share} unreachable until it is repaired.",
            "Protect over nodes, or accept it and say so.",
            "the guide, 'Data Protection': drive and node failures",
            "protection",
            () if hot.scheme.local else (Fix("storage.hot.protection_domain", "node", "protect over nodes"),),
        )


@rule
def shared_namespace(plan: Plan) -> Iterator[Finding]:
    """ACC-1 to ACC-3: one writable namespace on several nodes; access that the platform does not give."""
    storage = plan.scenario.storage
    widest = max((result.job.node_count for result in plan.jobs), key=lambda count: count.number)
    if storage.access == "shared-namespace" and widest.number > 1:
        yield Finding(
            "ACC-1",
            "blocker",
            f"{widest} nodes would write one namespace without a clustered file system; it will be corrupted.",
            "Use a namespace for each node, a clustered file system, or the array's front end.",
            RULES_PAGE + ", 'Access'",
            "architecture",
            (Fix("storage.access", "namespace-per-node", "one namespace for each node"),),
        )
    if storage.access == "array-front-end" and not ({"nfs", "s3"} & plan.hot.platform.protocols):
        yield Finding(
            "ACC-2",
            "blocker",
            f"{plan.hot.platform.name} has no NFS or S3 front end of its own.",
            "Use a namespace for each node, or another platform.",
            "catalogue",
            "architecture",
            (Fix("storage.access", "namespace-per-node", "one namespace for each node"),),
        )
    yield from _no_namespaces(plan)


def _no_namespaces(plan: Plan) -> Iterator[Finding]:
    """ACC-3: hosts attach namespaces that the platform has not, or of which nobody says that it has them."""
    platform = plan.hot.platform
    attached = plan.scenario.storage.access == "namespace-per-node"
    if (
        not attached
        or platform.host_nvme_namespace
        or plan.architecture.choice.value == "parallel-file-system"
    ):
        return
    unknown = platform.host_nvme_namespace is None
    yield Finding(
        "ACC-3",
        "warning" if unknown else "blocker",
        f"The catalogue does not say that {platform.name} presents NVMe namespaces to hosts, which this design attaches."
        if unknown
        else f"{platform.name} presents no NVMe namespaces to hosts.",
        "Ask the vendor, or use its file or object front end."
        if unknown
        else "Use its file or object front end, or another platform.",
        "catalogue; hardware facts 6",
        "architecture",
        (Fix("storage.access", "array-front-end", "use the array's front end"),),
    )


@rule
def stripes(plan: Plan) -> Iterator[Finding]:
    """STR-1 and STR-2: writes that do not fill stripes; a write-back cache that power can empty."""
    stripe, hot = plan.stripe, plan.scenario.storage.hot
    if (
        stripe is not None
        and stripe.aligned_fraction.number < 1 / TOLERANCE
        and stripe.unaligned_ratio.number > 1
    ):
        yield Finding(
            "STR-1",
            "note",
            f"A write block of {stripe.block_bytes} is not a multiple of the full stripe of {stripe.full_stripe_bytes}: "
            f"{stripe.aligned_fraction} of it fills whole stripes; unaligned writes cost up to {stripe.unaligned_ratio} on the drives.",
            f"Write blocks of {stripe.aligned_block_bytes}, or choose a smaller chunk.",
            "reliability models, E4; the guide, 'Checkpoint Storage Design Pattern'",
            "protection",
            (
                Fix(
                    "jobs.0.checkpoint.block_bytes",
                    stripe.aligned_block_bytes.number,
                    f"write blocks of {stripe.aligned_block_bytes}",
                ),
            ),
        )
    if hot.write_back_cache and not hot.power_loss_protection:
        yield Finding(
            "STR-2",
            "blocker",
            "Write-back caching without power-loss protection: a checkpoint that was reported complete can be lost.",
            "Use drives and targets with power-loss protection, or switch the cache off.",
            "the guide, 'Checkpoint Storage Design Pattern': write-back caching",
            "protection",
            (Fix("storage.hot.power_loss_protection", True, "state power-loss protection"),),
        )


@rule
def protection_kind(plan: Plan) -> Iterator[Finding]:
    """PRT-1 and PRT-4 to PRT-6: no redundancy, racks that are not there or just enough, a controller alone."""
    hot = plan.hot
    if hot.scheme is None:
        return
    if hot.scheme.parity_chunk_count == 0:
        yield Finding(
            "PRT-4",
            "warning",
            f"The hot tier has no redundancy: the loss of {_one_drive(hot.drive_count.number)} loses checkpoints.",
            "Choose a protection scheme, or write every checkpoint to a second target.",
            "the guide, 'Data Protection'",
            "protection",
            (Fix("storage.hot.protection_id", None, "let the planner choose"),),
        )
    racks, width = plan.facility.rack_count.number, hot.scheme.width_count
    if hot.domain == "rack" and racks == width > 1 and hot.unit_count.number > width:
        yield Finding(
            "PRT-1",
            "warning",
            f"{hot.scheme.label} {_verb(plan, 'uses')} all {width} racks: nothing is left to rebuild in after the loss of one.",
            "Place the nodes in one rack more, or protect over nodes.",
            RULES_PAGE + ", 'Protection domain'",
            "protection",
            (Fix("storage.hot.protection_domain", "node", "protect over nodes"),),
        )
    if hot.domain == "rack" and racks < width:
        yield Finding(
            "PRT-5",
            "blocker",
            f"{hot.scheme.label} over racks {_verb(plan, 'needs')} {counted(width, 'rack')}; the storage fills {plan.facility.rack_count}.",
            "Protect over nodes, or place the nodes in as many racks and say so at the site.",
            RULES_PAGE + ", 'Protection domain'",
            "protection",
            (Fix("storage.hot.protection_domain", "node", "protect over nodes"),),
        )
    if hot.domain != "drive" and hot.protection_at == "controller":
        yield Finding(
            "PRT-6",
            "blocker",
            f"A controller inside one node cannot protect over {hot.domain}s.",
            "Make protection in the servers, or protect over drives.",
            RULES_PAGE + ", 'Where protection is made'",
            "protection",
            (Fix("storage.hot.protection_at", None, "let the planner choose"),),
        )


@note_rule
def left_over_drives(plan: Plan) -> Iterator[Finding]:
    """PRT-7: drives of a server that fill no group of the scheme, beyond the one that stands by for a lost drive."""
    hot = plan.hot
    if hot.scheme is None or hot.domain != "drive" or hot.protection_at in CLIENT_SIDE:
        return
    if not (hot.platform.generic and hot.drive_count.known and hot.scheme.data_chunk_count > 1):
        return
    each, width = round(hot.drive_count.number / hot.unit_count.number), float(hot.scheme.width_count)
    rest = scalar(tier_counts.left_over_drives_count(float(each), width_count=width))
    counted_too = hot.group_width_count is None
    if rest > (0 if counted_too else SPARES_COUNT):
        told, remedy = _left_over_words(rest / each, counted_too)
        yield Finding(
            "PRT-7",
            "note",
            f"{hot.scheme.label} inside a server: {each} drives make {counted((each - rest) / width, 'group')} of "
            f"{width:g}, and {counted(rest, 'drive')} {'is' if rest == 1 else 'are'} left over. In groups of one width, "
            f"as ZFS has them, {'it stands' if rest == 1 else 'they stand'} by: {told}",
            remedy,
            "OpenZFS, RAID-Z",
            "protection",
        )


def _left_over_words(share: float, counted_too: bool) -> tuple[str, str]:
    """What drives in no group mean, and what to do about them."""
    if counted_too:
        return (
            f"{format_value(share, 'fraction')} of the usable capacity is not there.",
            "Take them as spares and state the capacity without them, or use software that spreads stripes over any drives.",
        )
    return (
        "one takes the place of a lost drive; capacity and bandwidth count none of them.",
        "Provide whole groups and one drive, or use software that spreads stripes over any drives.",
    )


@note_rule
def other_size(plan: Plan) -> Iterator[Finding]:
    """DRV-1: a stated drive size keeps the rates of the catalogue's size; it may be none that is sold."""
    hot = plan.hot
    if hot.drive is not None and abs(hot.drive_bytes.number / hot.drive.capacity_bytes.number - 1) > 1e-9:
        sizes = plan.calculation().context.catalogue.sizes_of_drive(hot.drive.id)
        listed = len(sizes) == 1 or any(abs(hot.drive_bytes.number / size - 1) <= 1e-9 for size in sizes)
        sold = ", ".join(format_value(size, "bytes") for size in sizes)
        yield Finding(
            "DRV-1",
            "note",
            f"{hot.drive.name} is planned at {hot.drive_bytes} with the rates and watts of its {hot.drive.capacity_bytes} size; "
            "smaller drives of a family often write slower."
            + ("" if listed else f" The catalogue lists the family in {sold}."),
            "Check the data sheet of that size.",
            "catalogue",
            "tiers",
        )
