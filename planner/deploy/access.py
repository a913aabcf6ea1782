"""Who reaches what: namespaces on targets, the hosts that may use them, and the designed paths."""

from __future__ import annotations

import itertools
import math
import re
import unicodedata
import uuid
from collections.abc import Iterator
from dataclasses import dataclass

from planner.deploy.site import Machine, Port, Site
from planner.plan import Plan
from planner.sections.kit import CLIENT_SIDE

_NAMESPACE = uuid.UUID("5f0c1f6e-4f43-5d0a-9a3e-6f2b8f0d7c11")
"""Root of all identifiers here, so that the same site always gets the same ones."""
MIB = 2**20
"""Whole bytes: sizes here are exact."""


@dataclass(frozen=True, slots=True)
class Export:
    """One namespace of a subsystem: where it lies and who may use it.

    Attributes:
        subsystem: Qualified name of the subsystem.
        nsid: Number of the namespace in it, from 1.
        volume: Name of the volume behind it on the target.
        size_bytes: Its size, in whole mebibytes.
        uuid: What hosts know it by.
        target: Unit of the hot tier that has it.
        hosts: Nodes that may connect.
        peer: Target that holds the second copy, if copies are made between targets.
    """

    subsystem: str
    nsid: int
    volume: str
    size_bytes: int
    uuid: str
    target: int
    hosts: tuple[int, ...]
    peer: int | None


@dataclass(frozen=True, slots=True)
class Path:
    """One path of a node to a subsystem."""

    subsystem: str
    host: Port
    target: Port


def slug(text: str, *, fallback: str) -> str:
    """A free text as a name in configuration files: small letters, digits and hyphens, at most 20."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().casefold()
    return re.sub(r"[^a-z0-9]+", "-", plain[:80]).strip("-")[:20].strip("-") or fallback


def job_slugs(plan: Plan) -> tuple[str, ...]:
    """Names of the jobs for configuration files, each once: of two alike the second has a number behind it."""
    found: list[str] = []
    for index, result in enumerate(plan.jobs, start=1):
        name = slug(result.job.name, fallback="job")
        numbered = (f"{name[:16]}-{number}" for number in itertools.count(index))
        found.append(next(free for free in (name, *itertools.islice(numbered, index)) if free not in found))
    return tuple(found)


def serves_namespaces(plan: Plan) -> bool:
    """Whether GPU nodes attach NVMe namespaces; file systems and array front ends are mounted instead."""
    if plan.scenario.storage.access == "array-front-end" or plan.hot.platform.category == "pfs":
        return False
    return bool(plan.hot.platform.host_nvme_namespace)


def nodes_of_jobs(plan: Plan) -> tuple[tuple[int, ...], ...]:
    """Nodes of each job, in order from the first; jobs that do not fit beside each other start over."""
    count = plan.scenario.cluster.node_count
    found, first = [], 0
    for result in plan.jobs:
        own = min(int(result.job.node_count.number), count)
        found.append(tuple((first + index) % count for index in range(own)))
        first = (first + own) % count
    return tuple(found)


def identifier(site: Site, *parts: str) -> str:
    """A UUID that this site always gets for the same thing."""
    return str(uuid.uuid5(_NAMESPACE, "/".join((site.addressing.domain, site.addressing.nqn_prefix, *parts))))


def host_nqn(site: Site, machine: Machine) -> str:
    """Name under which a host connects."""
    return f"nqn.2014-08.org.nvmexpress:uuid:{identifier(site, 'host', machine.name)}"


def exports(site: Site) -> tuple[Export, ...]:
    """All namespaces of the hot tier; none where nodes do not attach any."""
    plan = site.plan
    if not serves_namespaces(plan):
        return ()
    per_node = plan.scenario.storage.access == "namespace-per-node"
    return tuple(_per_node(site) if per_node else _shared(site))


def _peer(site: Site, target: int) -> int | None:
    """The next target where two copies are kept by the targets themselves."""
    scheme = site.plan.hot.scheme
    copies = scheme is not None and scheme.data_chunk_count == 1 and scheme.parity_chunk_count == 1
    if not copies or site.plan.hot.protection_at != "server" or len(site.targets) < 2:
        return None
    return (target + 1) % len(site.targets)


def joined_by_hosts(plan: Plan) -> int:
    """Namespaces, each on another target, that a node joins into one volume; 1 where targets make the protection."""
    hot = plan.hot
    if hot.scheme is None or hot.protection_at not in CLIENT_SIDE:
        return 1
    return hot.scheme.width_count


def _per_node(site: Site) -> Iterator[Export]:
    """A namespace for each job that runs on a node, all of a node on one target.

    Where the node makes copies or parity itself: one for each chunk, on as many targets as there are.
    """
    jobs, spaces = nodes_of_jobs(site.plan), site.plan.architecture.namespaces
    width, scheme = joined_by_hosts(site.plan), site.plan.hot.scheme
    data = scheme.data_chunk_count if scheme is not None and width > 1 else 1
    numbers: dict[int, int] = {}
    for name, nodes, space in zip(job_slugs(site.plan), jobs, spaces, strict=True):
        size = _mebibytes(space.size_bytes.number / data)
        for node in nodes:
            numbers[node] = numbers.get(node, 0) + 1
            machine = site.nodes[node]
            for part in range(width):
                # A subsystem of its own on every target: one name on two targets would pass for two paths to one.
                which = f".{part + 1}" if width > 1 else ""
                target = (node + part) % len(site.targets)
                volume = f"{machine.name}-{name}{which}"
                yield Export(
                    subsystem=f"{site.addressing.nqn_prefix}:ckpt:{machine.name}{which}",
                    nsid=numbers[node],
                    volume=volume,
                    size_bytes=size,
                    uuid=identifier(site, "namespace", volume),
                    target=target,
                    hosts=(node,),
                    peer=_peer(site, target),
                )


def _shared(site: Site) -> Iterator[Export]:
    """An equal part of each job's space on every target, for all nodes of the job."""
    jobs, spaces = nodes_of_jobs(site.plan), site.plan.architecture.namespaces
    for name, nodes, space in zip(job_slugs(site.plan), jobs, spaces, strict=True):
        ratio = site.plan.hot.protection_ratio.number if joined_by_hosts(site.plan) > 1 else 1.0
        size = _mebibytes(space.size_bytes.number * ratio / len(site.targets))
        for target in site.targets:
            volume = f"{name}-{target.name}"
            yield Export(
                subsystem=f"{site.addressing.nqn_prefix}:shared:{volume}",
                nsid=1,
                volume=volume,
                size_bytes=size,
                uuid=identifier(site, "namespace", volume),
                target=target.unit,
                hosts=nodes,
                peer=_peer(site, target.unit),
            )


def _mebibytes(size_bytes: float) -> int:
    return max(math.ceil(size_bytes / MIB), 1) * MIB


def machine_paths(host: Machine, target: Machine, count: int) -> list[tuple[Port, Port]]:
    """Pairs of ports on the same side, up to a number: every host port once before any is used again."""
    pairs: list[tuple[Port, Port]] = []
    rounds = max((len(target.on(side)) for side in {port.side for port in target.ports}), default=0)
    for turn in range(rounds):
        for port in host.ports:
            facing = target.on(port.side)
            if turn < len(facing) and len(pairs) < count:
                pairs.append((port, facing[(turn + host.unit) % len(facing)]))
    return pairs


def paths(site: Site, found: tuple[Export, ...]) -> dict[int, list[Path]]:
    """Paths of every node to each subsystem that it may use, by node."""
    count = int(site.plan.network.path_count.number)
    result: dict[int, list[Path]] = {node.unit: [] for node in site.nodes}
    seen: set[tuple[int, str]] = set()
    for export in found:
        for node in export.hosts:
            if (node, export.subsystem) in seen:
                continue
            seen.add((node, export.subsystem))
            pairs = machine_paths(site.nodes[node], site.targets[export.target], count)
            result[node].extend(Path(export.subsystem, host, target) for host, target in pairs)
    return result
