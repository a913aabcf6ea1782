"""The review: each rule looks at a plan and says what is wrong, with numbers, limit, source and remedy."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from planner.core.checks import Finding, Fix, ordered
from planner.core.units import DAY_S, format_value
from planner.guide import GuideRow

if TYPE_CHECKING:
    from planner.plan import JobResult, Plan
    from planner.sections.tiers import TierPlan

Rule = Callable[["Plan"], Iterator[Finding]]
RULES: list[Rule] = []
TOLERANCE = 1 + 1e-9
STEADY_LIMIT_FRACTION = 0.8
GENEROUS_RATIO = 8.0
"""A fabric this many times larger than needed is remarked."""
CHECKPOINT_DWPD = 3.0
GUIDE_ENDURANCE = "the guide, 'Write Endurance Planning'"
RULES_PAGE = "rules of the calculation"


def rule(function: Rule) -> Rule:
    """Put a rule on the list that `review` goes through."""
    RULES.append(function)
    return function


def review(plan: Plan, guide_rows: Sequence[GuideRow] = ()) -> tuple[Finding, ...]:
    """All remarks on a plan, blockers first."""
    found = [finding for each in RULES for finding in each(plan)]
    return ordered([*found, *_guide_notes(guide_rows)])


def _guide_notes(rows: Sequence[GuideRow]) -> Iterator[Finding]:
    for row in rows:
        if row.verdict == "outside" and row.remark:
            yield Finding(
                f"GDE-{row.id[1:]}",
                "note",
                f"{row.quantity}: {row.design_text}; the guide says {row.guide_text}. {row.reason}",
                "No change is needed if the reason holds.",
                row.source,
                "guide",
            )


# --- endurance -----------------------------------------------------------------------------------


@rule
def daily_writes(plan: Plan) -> Iterator[Finding]:
    """END-1: daily writes above what the rating allows."""
    wear, ratio = plan.endurance, plan.hot.protection_ratio
    if wear.check.verdict == "fail":
        yield Finding(
            "END-1",
            "blocker",
            f"Daily writes of {wear.daily_write_bytes_per_day} exceed the allowance of "
            f"{format_value(plan.hot.raw_bytes.number * wear.endurance_dwpd.number / ratio.number, 'bytes/day')} "
            f"({plan.hot.usable_bytes} usable at {wear.endurance_dwpd}). On the drives, {ratio} with protection, "
            f"{wear.drive_write_bytes_per_day} meet {wear.allowance_bytes_per_day} ({plan.hot.raw_bytes} raw); "
            f"the rated life is {wear.rated_life_s}.",
            f"Provide at least {wear.needed_usable_bytes} usable ({wear.needed_raw_bytes} raw with {plan.protection.scheme_label}), "
            "a drive with a higher rating, or a longer interval."
            + (" The guide's 5+ TB hold as usable capacity only." if plan.scenario.basis == "guide" else ""),
            GUIDE_ENDURANCE,
            "endurance",
            _endurance_fixes(plan),
        )


def _endurance_fixes(plan: Plan) -> tuple[Fix, ...]:
    """A stated capacity grows to what the writes need; a stated number of drives is given up."""
    hot, needed = plan.scenario.storage.hot, plan.endurance.needed_usable_bytes
    found = []
    if hot.usable_bytes is not None:
        # A millionth more, so that rounding does not leave the pool short.
        found.append(
            Fix("storage.hot.usable_bytes", needed.number * 1.000001, f"make the pool {needed} usable")
        )
    if hot.drive_count is not None:
        found.append(Fix("storage.hot.drive_count", None, "let the planner size the pool"))
    return tuple(found)


@rule
def low_rating(plan: Plan) -> Iterator[Finding]:
    """END-2: a rating below 3 DWPD, on the guide's basis."""
    rating = plan.endurance.endurance_dwpd
    if plan.scenario.basis == "guide" and rating.known and rating.number < CHECKPOINT_DWPD:
        yield Finding(
            "END-2",
            "warning",
            f"The drives of the checkpoint tier are rated {rating}; the guide asks for 3 DWPD or higher.",
            "Choose a write-intensive or mixed-use drive.",
            GUIDE_ENDURANCE,
            "endurance",
        )


@rule
def unclear_rating(plan: Plan) -> Iterator[Finding]:
    """END-3: a rating without its basis or its years."""
    wear = plan.endurance
    if not wear.endurance_dwpd.known or not wear.basis or not wear.warranty_s.known:
        yield Finding(
            "END-3",
            "note",
            f"The endurance of {(plan.hot.drive or plan.hot.platform).name} is not known with its basis and years.",
            "Ask the vendor for DWPD, its workload (4K random or large sequential) and the warranty in years.",
            "reliability models, E1",
            "endurance",
        )


# --- capacity ------------------------------------------------------------------------------------


@rule
def hot_capacity(plan: Plan) -> Iterator[Finding]:
    """CAP-1: safe capacity below what must lie on the hot tier."""
    hot = plan.hot
    if hot.safe_bytes.number * TOLERANCE < hot.demand.content_bytes.number:
        yield Finding(
            "CAP-1",
            "blocker",
            f"The hot tier may safely hold {hot.safe_bytes} of its {hot.usable_bytes} usable; it must hold "
            f"{hot.demand.content_bytes} (retained checkpoints and the one in flight).",
            f"Provide {hot.needed_bytes} usable, or keep fewer checkpoints.",
            RULES_PAGE + ", 'Retention'",
            "tiers",
            _resize(plan, hot),
        )


_PLACES = {"hot": "storage.hot", "file-system": "storage.file_system", "object": "storage.object_store"}


def _resize(plan: Plan, tier: TierPlan) -> tuple[Fix, ...]:
    """What to give up so that the planner sizes a tier: each size of it that is stated."""
    part = {
        "hot": plan.scenario.storage.hot,
        "file-system": plan.scenario.storage.file_system,
        "object": plan.scenario.storage.object_store,
    }[tier.role]
    return tuple(
        Fix(f"{_PLACES[tier.role]}.{name}", None, "let the planner size it")
        for name in ("usable_bytes", "drive_count", "unit_count")
        if getattr(part, name, None) is not None
    )


@rule
def bays(plan: Plan) -> Iterator[Finding]:
    """CAP-3: more drives or capacity than the stated number of units holds."""
    for tier in plan.tiers:
        bay_count, unit_bytes = tier.platform.drives_per_unit_count, tier.platform.usable_bytes_per_unit
        if tier.drive is not None and bay_count is not None:
            drives, room = tier.drive_count, bay_count.number * tier.unit_count.number
            if drives.number > room * TOLERANCE:
                yield _does_not_fit(plan, tier, f"{drives} drives", f"{room:.0f} bays")
        elif tier.drive is None and unit_bytes is not None:
            space = unit_bytes.number * tier.unit_count.number
            if tier.usable_bytes.number > space * TOLERANCE:
                yield _does_not_fit(plan, tier, f"{tier.usable_bytes}", format_value(space, "bytes"))


def _does_not_fit(plan: Plan, tier: TierPlan, what: str, room: str) -> Finding:
    return Finding(
        "CAP-3",
        "blocker",
        f"{what} do not fit into the {room} of {tier.unit_count} × {tier.platform.name}.",
        "Provide more units, or larger ones.",
        "catalogue: what one unit holds",
        "tiers",
        tuple(fix for fix in _resize(plan, tier) if fix.path.endswith("unit_count")),
    )


@rule
def bulk_capacity(plan: Plan) -> Iterator[Finding]:
    """CAP-2: a file system or cold tier that is full before the run ends."""
    for tier in plan.tiers[1:]:
        if tier.safe_bytes.number * TOLERANCE < tier.demand.content_bytes.number:
            yield Finding(
                "CAP-2",
                "warning",
                f"The {tier.name} may safely hold {tier.safe_bytes}; at the end of the run {tier.demand.content_bytes} lie there.",
                f"Provide {tier.needed_bytes} usable, or keep less.",
                RULES_PAGE + ", 'Retention'",
                "tiers",
                _resize(plan, tier),
            )


# --- bandwidth -----------------------------------------------------------------------------------


def _each(plan: Plan) -> Iterator[tuple[JobResult, str]]:
    for result in plan.jobs:
        yield result, (f"{result.job.name}: " if len(plan.jobs) > 1 else "")


@rule
def save_times(plan: Plan) -> Iterator[Finding]:
    """BW-1, BW-2 and DRN-2: a save against its interval and its target."""
    for result, who in _each(plan):
        save, target = result.save.save_s, result.job.checkpoint.target_s
        interval = result.job.checkpoint.interval_s
        asynchronous = result.job.policy.mode == "async"
        if save.number > interval.number:
            yield Finding(
                "DRN-2" if asynchronous else "BW-1",
                "blocker",
                f"{who}a save takes {save}, longer than the interval of {interval}; the slowest stage: {result.save.binding}.",
                f"Lengthen the interval above {save}, or provide {result.job.checkpoint.required_write_bytes_per_s}.",
                RULES_PAGE + ", 'Interval'",
                "checkpoint",
                _longer_interval(result),
            )
        elif save.number > target.number * TOLERANCE and not asynchronous:
            yield Finding(
                "BW-2",
                "warning",
                f"{who}a save takes {save}, longer than its target of {target}; the slowest stage: {result.save.binding}, then {result.save.following}.",
                f"The target needs {result.job.checkpoint.required_write_bytes_per_s}: widen {result.save.binding}, or relax the target.",
                RULES_PAGE + ", 'Save target'",
                "checkpoint",
                (
                    Fix(
                        f"{result.job.path}.checkpoint.target_s",
                        save.number * 1.001,
                        f"accept a target of {save}",
                    ),
                )
                if save.number * 1.001 <= DAY_S
                else (),
            )


def _longer_interval(result: JobResult) -> tuple[Fix, ...]:
    """The interval that a save just fits into, in the form in which the interval is stated."""
    policy, seconds = result.job.policy, result.save.save_s.number * 1.05
    words = f"save every {format_value(seconds, 's')}"
    path = f"{result.job.path}.checkpoint"
    if policy.interval_step_count is not None and policy.step_s is not None:
        return (Fix(f"{path}.interval_step_count", math.ceil(seconds / policy.step_s), words),)
    return (Fix(f"{path}.interval_s", seconds, words),) if seconds <= 30 * DAY_S else ()


@rule
def steady_load(plan: Plan) -> Iterator[Finding]:
    """BW-3: steady traffic above 80 % of what is provisioned; bursts are exempt."""
    for tier in plan.tiers:
        if tier.steady_fraction.known and tier.steady_fraction.number > STEADY_LIMIT_FRACTION:
            yield Finding(
                "BW-3",
                "warning",
                f"Steady traffic of {tier.demand.steady_bytes_per_s} takes {tier.steady_fraction} of the {tier.read_bytes_per_s} of the {tier.name}; the limit is 80 %.",
                "Provide more units or drives.",
                "the guide, 'Monitoring and Alerting'",
                "tiers",
                _resize(plan, tier),
            )


@rule
def pool_bandwidth(plan: Plan) -> Iterator[Finding]:
    """BW-4: a tier whose own drives or units cannot supply the bandwidth asked of it."""
    for tier in plan.tiers:
        provided, required = tier.write_bytes_per_s, tier.demand.write_bytes_per_s
        need = tier.terms["write bandwidth"]
        parts = tier.drive_count if tier.term_unit == "drives" else tier.unit_count
        short = need.known and parts.number * TOLERANCE < need.number
        if short or (provided.known and provided.number * TOLERANCE < required.number):
            yield Finding(
                "BW-4",
                "blocker",
                f"The {tier.name} takes {provided} when nothing is read; {required} are asked of it beside {tier.demand.read_bytes_per_s} of reads. It has {tier.drive_count} drives; nodes or units: {tier.unit_count}.",
                f"Write bandwidth alone needs {need} {tier.term_unit}.",
                "design, 'The binding constraint is always named'",
                "tiers",
                _resize(plan, tier),
            )


@rule
def burst_rating(plan: Plan) -> Iterator[Finding]:
    """BW-5: only a platform's burst rating would meet the need, and its buffer is not known."""
    hot = plan.hot
    burst = hot.platform.burst_write_bytes_per_s
    if hot.drive is None and burst is not None:
        reach = burst.number * hot.unit_count.number * hot.stack_fraction.number
        if hot.write_bytes_per_s.number < hot.demand.write_bytes_per_s.number <= reach:
            yield Finding(
                "BW-5",
                "warning",
                f"Only the burst rating of {hot.platform.name} ({burst} a unit) meets {hot.demand.write_bytes_per_s}, and its buffer is not known.",
                "Ask the vendor for the size of the write buffer and its refill time.",
                RULES_PAGE + ", 'Burst and sustained'",
                "tiers",
            )


@rule
def unknown_rates(plan: Plan) -> Iterator[Finding]:
    """BW-6: a drive whose rates nobody has published, so that it takes no part in the save time."""
    drive = plan.hot.drive
    if drive is not None and (drive.write_bytes_per_s is None or drive.read_bytes_per_s is None):
        yield Finding(
            "BW-6",
            "blocker",
            f"The write or read rate of {drive.name} is not in the catalogue: the save of {plan.main.save.save_s} leaves the drives out.",
            "Choose a drive whose rates are known, or ask the vendor.",
            RULES_PAGE + ", 'When the catalogue is silent'",
            "tiers",
        )


@rule
def drain(plan: Plan) -> Iterator[Finding]:
    """DRN-1: checkpoints arrive faster than they leave for the colder tier."""
    cold = plan.tiers[-1]
    if cold.write_bytes_per_s.number < cold.demand.write_bytes_per_s.number:
        yield Finding(
            "DRN-1",
            "blocker",
            f"Checkpoints arrive at {cold.demand.write_bytes_per_s}, the {cold.name} takes {cold.write_bytes_per_s}: the backlog grows without end.",
            "Copy fewer checkpoints, or provide more units.",
            "reliability models, B4",
            "tiers",
            _resize(plan, cold),
        )


@rule
def host_memory(plan: Plan) -> Iterator[Finding]:
    """MEM-1: asynchronous buffers and prefetch above what a node has."""
    memory = plan.cluster.host_memory_bytes
    for result, who in _each(plan):
        buffers, prefetch = result.job.checkpoint.host_memory_bytes, result.job.ingest.prefetch_bytes
        if memory.known and buffers.number + prefetch.number > memory.number:
            yield Finding(
                "MEM-1",
                "blocker",
                f"{who}a node needs {buffers} for checkpoint buffers and {prefetch} for prefetch; it has {memory}.",
                "Use fewer loader workers, a smaller prefetch or a synchronous save.",
                RULES_PAGE,
                "ingest",
            )


# --- protection and access -----------------------------------------------------------------------


@rule
def protection_domains(plan: Plan) -> Iterator[Finding]:
    """PRT-1: fewer domains than the scheme is wide, or exactly as many; PRT-2: a node takes too many chunks."""
    hot = plan.hot
    if hot.scheme is None:
        return
    width = hot.scheme.width_count
    have = hot.drive_count.number if hot.domain == "drive" else hot.unit_count.number
    things = f"{hot.domain}s"
    if have < width:
        yield Finding(
            "PRT-1",
            "blocker",
            f"{hot.scheme.label} needs {width} {things}; the pool has {have:.0f}.",
            "Provide more, choose a narrower scheme, or use smaller drives.",
            RULES_PAGE + ", 'Protection domain'",
            "protection",
            _resize(plan, hot),
        )
    elif have == width and width > 1:
        yield Finding(
            "PRT-1",
            "warning",
            f"{hot.scheme.label} uses all {width} {things}: nothing is left to rebuild in after a loss.",
            "Add one.",
            RULES_PAGE + ", 'Protection domain'",
            "protection",
            _resize(plan, hot),
        )
    nodes = int(hot.unit_count.number)
    if hot.domain == "drive" and hot.protection_at != "controller" and width > 1:
        chunks = -(-width // nodes)
        if chunks > hot.scheme.parity_chunk_count:
            yield Finding(
                "PRT-2",
                "blocker",
                f"Stripes span {nodes} nodes by drives: the loss of a node takes {chunks} chunks, {hot.scheme.label} survives {hot.scheme.parity_chunk_count}.",
                "Protect over nodes, or spread the pool over more nodes.",
                "reliability models, D7",
                "protection",
                (Fix("storage.hot.protection_domain", "node", "protect over nodes"),),
            )
    elif hot.domain == "drive":
        share = "every checkpoint" if nodes == 1 else "the checkpoints on it"
        yield Finding(
            "PRT-3",
            "warning",
            f"Protection works inside a storage node: the loss of one of {nodes} makes {share} unreachable until it is repaired.",
            "Protect over nodes, or accept it and say so.",
            "the guide, 'Data Protection': drive and node failures",
            "protection",
            () if hot.scheme.local else (Fix("storage.hot.protection_domain", "node", "protect over nodes"),),
        )


@rule
def shared_namespace(plan: Plan) -> Iterator[Finding]:
    """ACC-1: one writable namespace on several nodes without a cluster file system."""
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
    if (
        plan.architecture.choice.value != "parallel-file-system"
        and plan.hot.platform.host_nvme_namespace is False
        and storage.access == "namespace-per-node"
    ):
        yield Finding(
            "ACC-3",
            "blocker",
            f"{plan.hot.platform.name} presents no NVMe namespaces to hosts.",
            "Use its file or object front end, or another platform.",
            "catalogue; hardware facts 6",
            "architecture",
            (Fix("storage.access", "array-front-end", "use the array's front end"),),
        )


@rule
def stripes(plan: Plan) -> Iterator[Finding]:
    """STR-1 and STR-2: writes that do not fill stripes; a write-back cache that power can empty."""
    stripe, hot = plan.protection.stripe, plan.scenario.storage.hot
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
    """PRT-4 to PRT-6: no redundancy, racks that are not there, a controller that cannot reach other nodes."""
    hot = plan.hot
    if hot.scheme is None:
        return
    if hot.scheme.parity_chunk_count == 0:
        yield Finding(
            "PRT-4",
            "warning",
            f"The hot tier has no redundancy: the loss of one of its {hot.drive_count} drives loses checkpoints.",
            "Choose a protection scheme, or write every checkpoint to a second target.",
            "the guide, 'Data Protection'",
            "protection",
            (Fix("storage.hot.protection_id", None, "let the planner choose"),),
        )
    if hot.domain == "rack" and plan.facility.rack_count.number < hot.scheme.width_count:
        yield Finding(
            "PRT-5",
            "blocker",
            f"{hot.scheme.label} over racks needs {hot.scheme.width_count} racks; the storage fills {plan.facility.rack_count}.",
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


@rule
def other_size(plan: Plan) -> Iterator[Finding]:
    """DRV-1: a stated drive size keeps the rates of the catalogue's size."""
    hot = plan.hot
    if hot.drive is not None and abs(hot.drive_bytes.number / hot.drive.capacity_bytes.number - 1) > 1e-9:
        yield Finding(
            "DRV-1",
            "note",
            f"{hot.drive.name} is planned at {hot.drive_bytes} with the rates and watts of its {hot.drive.capacity_bytes} size; "
            "smaller drives of a family often write slower.",
            "Check the data sheet of that size.",
            "catalogue",
            "tiers",
        )


# --- network -------------------------------------------------------------------------------------


@rule
def network_shape(plan: Plan) -> Iterator[Finding]:
    """NET-1 and NET-2: separation, leaf tier and its ports."""
    network = plan.network
    nodes = plan.cluster.node_count
    topology = "the guide, 'Network Topology'"
    if nodes.number > 32 and network.separate.value == "shared":
        yield Finding(
            "NET-1",
            "warning",
            f"{nodes} nodes share the storage network with GPU traffic; the guide separates them above 32.",
            "Use separate NICs and switches.",
            topology,
            "network",
            (Fix("network.separate_network", None, "separate it"),),
        )
    if network.topology.value == "single-leaf":
        if network.endpoint_count.number > 2 * network.switch_port_count.number:
            yield Finding(
                "NET-2",
                "blocker",
                f"{network.endpoint_count} endpoints do not fit on a leaf pair of {network.switch_port_count} ports each.",
                "Use leaf-spine or a larger switch.",
                topology,
                "network",
                (Fix("network.topology", "leaf-spine", "use leaf-spine"),),
            )
        elif nodes.number > 64:
            yield Finding(
                "NET-2",
                "warning",
                f"{nodes} nodes on one leaf pair; the guide stops at 64.",
                "Use leaf-spine.",
                topology,
                "network",
                (Fix("network.topology", None, "let the planner choose"),),
            )


@rule
def network_paths(plan: Plan) -> Iterator[Finding]:
    """NET-3 and NET-4: oversubscribed target leaves, too few paths, a target missed with one lost."""
    network, stated = plan.network, plan.scenario.network
    if stated.target_oversubscription_ratio > 1:
        yield Finding(
            "NET-3",
            "blocker",
            f"Leaves of the targets are oversubscribed {stated.target_oversubscription_ratio:g} to 1; they must be non-blocking.",
            "Provide uplinks for all target ports.",
            "the guide, 'Bandwidth Planning'",
            "network",
            (Fix("network.target_oversubscription_ratio", 1.0, "make it non-blocking"),),
        )
    ports = plan.cluster.port_count
    if network.path_count.number < 2 or ports.number < network.path_count.number:
        few = ports.number < 2
        yield Finding(
            "NET-4",
            "warning",
            f"A node has {ports} storage ports and {network.path_count} paths to its checkpoints; the guide asks for 2 to 4 "
            "paths, and two on one port fail together.",
            "Give each node two ports or more." if few else "Use a port for each path.",
            "the guide, 'Checkpoint Storage Design Pattern'",
            "network",
            (
                Fix(
                    "cluster.storage_port_count",
                    max(2, int(network.path_count.number)),
                    "give each node a port for each path",
                ),
            )
            if few
            else (Fix("network.path_count", None, "a path for each port"),),
        )
    for result, who in _each(plan):
        lost = result.degraded.get("one path lost")
        if lost and result.save.save_s.number <= result.job.checkpoint.target_s.number < lost.save_s.number:
            yield Finding(
                "NET-4",
                "warning",
                f"{who}with one path lost a save takes {lost.save_s}, longer than its target of {result.job.checkpoint.target_s}.",
                "Add a path or accept it.",
                "the guide, 'Monitoring and Alerting': path health",
                "network",
            )


@rule
def network_bandwidth(plan: Plan) -> Iterator[Finding]:
    """NET-10, NET-11 and NET-14: reads above the ports, a fabric that cannot be built, or far too large a one."""
    network = plan.network
    if network.node_bytes_per_s.number * TOLERANCE < network.node_read_bytes_per_s.number:
        yield Finding(
            "NET-10",
            "blocker",
            f"A node reads {network.node_read_bytes_per_s}; its storage ports carry {network.node_bytes_per_s}.",
            "Use more or faster storage ports, or cache the dataset on the nodes.",
            "the guide, 'Multi-Tier Data Pipeline'",
            "network",
        )
    if network.fabric_bytes_per_s.number * TOLERANCE < network.aggregate_bytes_per_s.number:
        yield Finding(
            "NET-10",
            "blocker",
            f"The fabric carries {network.fabric_bytes_per_s}; {network.aggregate_bytes_per_s} are needed to the targets.",
            "Lower the oversubscription of client leaves.",
            "the guide, 'Bandwidth Planning'",
            "network",
            (Fix("network.client_oversubscription_ratio", 1.0, "make it non-blocking"),)
            if plan.scenario.network.client_oversubscription_ratio > 1
            else (),
        )
    if not network.switch_count.known:
        yield Finding(
            "NET-11",
            "blocker",
            f"{network.endpoint_count} endpoints exceed two tiers of {network.switch.name} ({network.switch_port_count} ports each at this speed).",
            "Use a larger switch, oversubscribed client leaves, or fewer ports for storage.",
            "fabric facts, section 3",
            "network",
        )
    ratio = network.fabric_bytes_per_s.number / max(network.aggregate_bytes_per_s.number, 1.0)
    if network.topology.value == "leaf-spine" and network.switch_count.known and ratio >= GENEROUS_RATIO:
        step = float(min(int(ratio / 2), 16))
        yield Finding(
            "NET-14",
            "note",
            f"The fabric carries {network.fabric_bytes_per_s}, {ratio:.0f} times the {network.aggregate_bytes_per_s} that are needed: "
            "client leaves may be oversubscribed without harm.",
            f"Oversubscribe client leaves {step:g} to 1 and save most of {network.spine_count} spines.",
            "fabric facts, section 3: harmless down to what the targets deliver",
            "network",
            (
                Fix(
                    "network.client_oversubscription_ratio",
                    step,
                    f"oversubscribe client leaves {step:g} to 1",
                ),
            ),
        )


@rule
def network_kind(plan: Plan) -> Iterator[Finding]:
    """NET-12 and NET-13: tiers that Fibre Channel does not reach; a switch of another kind or speed."""
    network = plan.network
    switch = network.switch
    fibre_channel = network.transport.value == "fc"
    if fibre_channel and len(plan.tiers) > 1:
        others = " and ".join(tier.name for tier in plan.tiers[1:])
        yield Finding(
            "NET-12",
            "warning",
            f"Fibre Channel carries checkpoints alone; {others} need an Ethernet network, which is not in this bill of materials.",
            "Plan it beside this design, or use RoCEv2 or TCP for all.",
            "catalogue: file and object platforms serve Ethernet",
            "network",
        )
    gbps = round(network.option.client_port_bytes_per_s.number * 8 / 1e9)
    fits = fibre_channel or gbps in switch.ports_by_gbps
    if (switch.fabric == "fc") != fibre_channel or switch.fabric == "infiniband" or not fits:
        field = "network.fc_switch_id" if fibre_channel else "network.switch_id"
        default = "g720" if fibre_channel else "sn5600"
        yield Finding(
            "NET-13",
            "blocker",
            f"{switch.name} is a switch for {switch.fabric} with ports of {', '.join(f'{s} Gb/s' for s in sorted(switch.ports_by_gbps))}; "
            f"{network.transport.label} needs {'Fibre Channel' if fibre_channel else f'Ethernet at {gbps} Gb/s'}.",
            "Choose another switch, or other ports.",
            "catalogue",
            "network",
            (Fix(field, default, f"use {default}"),)
            if getattr(plan.scenario.network, field.rpartition(".")[2]) != default
            else (),
        )


@rule
def lossless(plan: Plan) -> Iterator[Finding]:
    """NET-5, NET-6 and NET-8: RoCE without its set-up, on shared switches; FC by its name."""
    network, stated = plan.network, plan.scenario.network
    if network.transport.value == "rdma":
        missing = [
            name
            for name, there in (("PFC", stated.pfc), ("ECN", stated.ecn), ("DSCP mapping", stated.dscp))
            if not there
        ]
        if missing:
            yield Finding(
                "NET-5",
                "warning",
                f"RoCEv2 without {', '.join(missing)}: packets are lost under a checkpoint burst.",
                "Configure them on hosts, leaves and spines.",
                "the guide, 'RoCEv2 Configuration'",
                "network",
                tuple(
                    Fix(f"network.{key}", True, f"state that {name} is configured")
                    for key, name in (("pfc", "PFC"), ("ecn", "ECN"), ("dscp", "DSCP mapping"))
                    if name in missing
                ),
            )
        if stated.switches_shared:
            yield Finding(
                "NET-6",
                "warning",
                "RoCEv2 on switches that carry other traffic.",
                "Use TCP, or switches of its own.",
                "the guide, 'Transport Options'",
                "network",
                (Fix("network.transport", "tcp", "use TCP"),),
            )
    if network.transport.value == "fc":
        yield Finding(
            "NET-8",
            "note",
            f"Fibre Channel is sized at its nominal payload of {network.option.client_port_bytes_per_s} a port, not at its name.",
            "Nothing to do.",
            "fabric facts 1.1",
            "network",
        )
    served = plan.hot.platform.transports
    if served and network.transport.value not in served:
        yield Finding(
            "NET-9",
            "blocker",
            f"{plan.hot.platform.name} does not serve {network.transport.label}; it serves {', '.join(sorted(served))}.",
            "Choose another platform or transport.",
            "catalogue",
            "network",
            tuple(
                Fix("network.transport", name, f"use {name}")
                for name in ("rdma", "tcp", "fc")
                if name in served
            )[:1],
        )


@rule
def local_only(plan: Plan) -> Iterator[Finding]:
    """LOC-1: local NVMe alone, with the guide's four reasons in numbers."""
    local = plan.local
    if (
        plan.local.retained_count.number
        < plan.main.job.policy.retained_count + plan.main.job.policy.in_flight_count
        or local.dataset_fraction.number < 1
    ):
        yield Finding(
            "LOC-1",
            "note",
            f"Local NVMe alone would not do: a node holds {local.free_bytes} or {local.dataset_fraction} of the dataset; copies for every node are "
            f"{local.duplicated_bytes} more; {local.failures_count} failures in the run would each make a checkpoint unreadable; "
            f"{local.stranded_fraction} of a node's space would be stranded.",
            "Use it as a cache only.",
            "the guide, 'Why Not Just Use Local NVMe?'",
            "local",
        )


@rule
def latency_target(plan: Plan) -> Iterator[Finding]:
    """TRN-1: the guide's 100 µs cannot hold for large blocks on slow ports."""
    block = plan.main.job.policy.block_bytes
    rate = plan.network.option.client_port_bytes_per_s.number
    if block / rate > 100e-6:
        yield Finding(
            "TRN-1",
            "note",
            f"A block of {format_value(block, 'bytes')} takes {format_value(block / rate, 's')} on one port: the guide's 100 µs is a first-byte figure.",
            "Watch throughput for checkpoints, latency for small reads.",
            "fabric facts 1.2",
            "transport",
        )


# --- facility, cost, sources ---------------------------------------------------------------------


@rule
def power(plan: Plan) -> Iterator[Finding]:
    """PWR-1 to PWR-3: the rack, one feed alone, parts without watts."""
    facility = plan.facility
    if facility.rack_check.verdict == "fail":
        yield Finding(
            "PWR-1",
            "blocker",
            f"A rack draws up to {facility.rack_max_w}; the site allows {facility.rack_check.provided}.",
            "A single unit exceeds the limit of a rack: choose another platform or site.",
            "site limit",
            "facility",
        )
    if facility.feed_check.verdict == "fail":
        yield Finding(
            "PWR-2",
            "blocker",
            f"With one feed lost the other must carry {facility.rack_max_w}; it may carry {facility.circuit_w}.",
            "A single unit exceeds what one feed may carry: use a larger circuit or a second pair.",
            "power rules: A+B feeds",
            "facility",
        )
    for row in facility.rows:
        if (
            row.count.known
            and row.count.number > 0
            and not (row.total_typical_w.known and row.total_max_w.known)
        ):
            yield Finding(
                "PWR-3",
                "warning",
                f"{row.name}: the catalogue has no watts for them ({row.count} in number); the total leaves them out.",
                "Ask the vendor for typical and maximum watts.",
                "catalogue",
                "facility",
            )


@rule
def prices(plan: Plan) -> Iterator[Finding]:
    """CST-1: lines that have no price."""
    count = plan.cost.not_priced_count
    if count:
        names = ", ".join(line.description for line in plan.bom if not line.priced)
        yield Finding(
            "CST-1",
            "note",
            f"{count} {'line is' if count == 1 else 'lines are'} not priced: {names}.",
            "Ask for a quotation; the totals leave them out.",
            "price set",
            "cost",
        )


@rule
def weak_sources(plan: Plan) -> Iterator[Finding]:
    """SRC-1: a figure that decides the design is from memory or a class assumption."""
    weak: dict[str, str] = {}
    for tier in plan.tiers:
        term = tier.terms.get(tier.binding)
        for name, item in (term.inputs or {}).items() if term is not None else ():
            grade = getattr(item, "grade", "")
            if grade in ("from memory", "class assumption"):
                weak[f"{tier.name}: {getattr(item, 'label', name)}"] = grade
    for what, grade in weak.items():
        yield Finding(
            "SRC-1",
            "note",
            f"{what} decides its tier and is graded “{grade}”.",
            "Ask the vendor, or measure.",
            "catalogue",
            "tiers",
        )
