"""The README of a bundle: placeholders, counts, folders, the order of steps, and what to know."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from planner.core.units import counted
from planner.deploy import alerts, targets
from planner.deploy.access import Path, joined_by_hosts
from planner.deploy.rendering import render
from planner.deploy.sheets import zones
from planner.deploy.site import Site
from planner.sections.machines import METADATA


def counts(made: Site, ways: dict[int, list[Path]]) -> dict[str, int]:
    """What the bundle holds, for comparison with the plan and its bill of materials."""
    found = {"GPU nodes": len(made.nodes)}
    found |= {tier.name: len(made.units[tier.role]) for tier in made.plan.tiers}
    if METADATA in made.units:
        found["Metadata servers"] = len(made.units[METADATA])
    found |= {
        "Ports of GPU nodes": sum(len(node.ports) for node in made.nodes),
        "Ports of targets": sum(len(unit.ports) for units in made.units.values() for unit in units),
        "Leaves": made.cabling.leaf_count,
        "Spines": made.cabling.spine_count,
        "Leaf to spine links": len(made.cabling.uplinks),
        "Cables": len(made.cabling.cables),
    }
    if made.medium == "fc":
        made_zones = zones(made)
        found["Zones"] = len(made_zones)
        found["Paths of all nodes, by zoning"] = sum(len(zone["targets"]) for zone in made_zones)
    elif any(ways.values()):
        found["Paths of all nodes"] = sum(len(own) for own in ways.values())
    return found


_FOLDERS: tuple[tuple[str, str, str], ...] = (
    ("addresses.csv", "every address", "the plan's own counts"),
    ("cables.csv", "every cable with type, length and label", "the plan's own counts"),
    ("topology.svg", "the network as a drawing, with the load of every hop", "the plan's own counts"),
    ("switches/sonic/", "a configuration database for each switch", "a schema of its own and a sample"),
    ("switches/cumulus/", "an NVUE document for each switch", "nvueschema, in the words of the release"),
    ("switches/arista-eos.md", "values and commands", "not machine-checked"),
    ("switches/cisco-nxos.md", "values and commands", "not machine-checked"),
    ("switches/zoning.md", "zones and their members", "not machine-checked"),
    ("switches/infiniband.md", "subnet manager, partition, addresses", "not machine-checked"),
    (
        "hosts/",
        "interfaces, paths, multipath policy and marks; `common` is for every node",
        "nvme-cli, systemd",
    ),
    (
        "targets/",
        "interfaces of all storage units; kernel target and SPDK of the hot tier; `access.csv`: who may use what",
        "spdk-rpc, a schema of its own",
    ),
    ("storage/", "values for ZFS, Lustre, Storage Scale and MinIO", "not machine-checked"),
    ("training/", "data loaders and a benchmark for each job", "Python, and a schema of its own"),
    ("monitoring/", "alert rules with tests, what to scrape, a dashboard", "promtool"),
    ("acceptance/", "tests of one node with the figures to reach", "fio"),
)


def _placeholders(text: str) -> Iterator[tuple[str, str]]:
    """Each placeholder that occurs, with what has to stand there; one pattern for each kind."""
    path = "path of storage port n, from 0, as `udevadm info` shows ID_PATH"
    kinds: tuple[tuple[str, str, str], ...] = (
        ("@NODE_PCI_", "@NODE_PCI_n@", f"{path}, of a node"),
        ("@TARGET_PCI_", "@TARGET_PCI_n@", f"{path}, of a storage unit"),
        ("@TARGET_DRIVE_PCI_", "@TARGET_DRIVE_PCI_n@", "PCI address of drive n of a target: 0000:01:00.0"),
        ("@TARGET_DRIVE_ID_", "@TARGET_DRIVE_ID_n@", "name of drive n of a target under /dev/disk/by-id"),
        ("@DATASET_SOURCE@", "@DATASET_SOURCE@", "what nodes mount for the dataset: server:/export"),
        ("@CHECKPOINT_SOURCE@", "@CHECKPOINT_SOURCE@", "what nodes mount for checkpoints: server:/export"),
        ("@WWPN_", "@WWPN_name_n@", "world wide name of port n of a node or target"),
        ("@MINIO_", "@MINIO_ACCESS@, @MINIO_SECRET@", "credentials of an older tier, if there is one"),
    )
    for start, name, meaning in kinds:
        if start in text:
            yield name, meaning


def _steps(files: Iterable[str]) -> Iterator[str]:
    """What to do first, and then; only steps for which there are files."""
    names = list(files)

    def there(part: str) -> bool:
        """Whether a file has that part in its name."""
        return any(part in name for name in names)

    yield "Plug in by `cables.csv`; both ends of a cable carry its label."
    steps: tuple[tuple[str, str], ...] = (
        (
            "switches/sonic/",
            "Switches: break out the ports (`BREAKOUT_CFG`), then `config load` merges the tables of SONiC; "
            "under Cumulus `nv config replace` and `nv config apply`.",
        ),
        (
            "switches/zoning.md",
            "Fibre Channel: replace the world wide names, then create and enable the zones.",
        ),
        (
            "switches/infiniband.md",
            "InfiniBand: start the subnet managers with the values of the sheet before any host.",
        ),
        (
            "hosts/common/",
            "Nodes: `hosts/common` goes to /etc (scripts of `sbin` to /usr/local/sbin), then the folder of the node.",
        ),
        ("storage-qos@", "Nodes and targets: enable `storage-qos@` for each storage interface."),
        (
            "spdk/target.json",
            "Targets: either `spdk/target.json` or `nvmet/config.json`, not both; `volumes.sh` makes the volumes once.",
        ),
        (
            "spdk/mirror.json",
            "When every target runs, `spdk-rpc load_config -j spdk/mirror.json` joins the copies and exports to nodes.",
        ),
        (
            "nvme/config.json",
            "Paths: `discovery.conf` for nvme-cli 2.x carries all options; `config.json` is the static form, whose "
            "ctrl_loss_tmo and mark nvme-cli 2.x would ignore, so udev sets the first; `nvme-fabrics.conf` is for 3.0.",
        ),
        ("monitoring/", "Monitoring: `promtool check rules`, `promtool test rules`, then load them."),
        (
            "acceptance/",
            "Accept node by node: `acceptance/run.sh`, against `expected.csv` and `expected-latency.csv`.",
        ),
    )
    yield from (step for part, step in steps if there(part))


def _notes(made: Site, ways: dict[int, list[Path]]) -> Iterator[str]:
    """What a reader has to know that no file says."""
    plan = made.plan
    yield f"Access to checkpoints: {plan.architecture.access}"
    designed = int(plan.network.path_count.number)
    found = alerts.designed_paths(ways)[0]
    if found and found < designed:
        yield f"{designed} paths are designed, and the ports of nodes and targets make {found}; alerts expect {found}."
    if made.medium == "fc":
        yield (
            "Paths come about by zoning: a node's port logs in to every target port in its zone, so `switches/zoning.md` "
            "says which paths a node has; nothing on the node lists them."
        )
    if made.switches:
        yield from _switch_notes(made)
    yield from _protection_notes(made)


def _protection_notes(made: Site) -> Iterator[str]:
    """Who makes copies or parity, where a target does not by itself."""
    hot, width = made.plan.hot, joined_by_hosts(made.plan)
    scheme = hot.scheme
    if scheme is None or not scheme.parity_chunk_count:
        return
    if targets.local_parity(made):
        if spares := len(targets.drive_groups(made)[1]):
            yield (
                f"{counted(spares, 'drive')} of each target {'is' if spares == 1 else 'are'} left over from groups of "
                f"{scheme.width_count} and {'stands' if spares == 1 else 'stand'} by as spare; the plan counts "
                f"{'its' if spares == 1 else 'their'} capacity with the others'."
            )
        return
    if width == 1:
        yield (
            f"{scheme.label} over {hot.domain}s: SPDK joins two copies by itself; the kernel target, and any wider "
            "code, need software that makes the block devices which the files name."
        )
    elif made.plan.scenario.storage.access == "namespace-per-node":
        yield (
            f"{scheme.label}, made by the nodes: targets protect nothing. A node attaches {width} namespaces on as many "
            f"targets; software on it (mdadm, or a file system) joins them before {made.addressing.mount_point} is "
            "mounted, so no mount unit is written for it."
        )
    else:
        yield (
            f"{scheme.label}, made by the nodes: targets protect nothing. The clustered file system has to keep "
            "copies or parity over the namespaces of all targets."
        )


def _switch_notes(made: Site) -> Iterator[str]:
    """Whether headroom fits, how well it is known, and what the design leaves out."""
    network = made.plan.network
    for buffer in made.lossless.buffers:
        if buffer.fits.verdict == "fail":
            known = f"{buffer.reserved} of {buffer.fits.provided}"
            yield f"Headroom of a {buffer.role} does not fit its buffer: {known}."
        elif buffer.fits.verdict == "unknown":
            yield f"The buffer of the switch is unknown: whether {buffer.reserved} of headroom fit is not checked."
    if not made.lossless.measured:
        yield f"No figures of {network.switch.name} are published: headroom is that of a Tomahawk 5, the largest."
    if network.transport.value == "rdma" and not made.plan.scenario.network.pfc:
        yield "The design leaves pauses (PFC) out, so RoCE runs without lossless set-up: loss costs throughput."


def readme(made: Site, ways: dict[int, list[Path]], files: dict[str, str]) -> str:
    """The text of the README.

    Args:
        made: The site.
        ways: Paths of every node.
        files: All other files of the bundle, by path.
    """
    text = "".join(value for path, value in files.items() if "@" in value and "/cumulus/" not in path)
    return render(
        "README.md",
        plan=made.plan,
        nodes=len(made.nodes),
        blockers=[finding for finding in made.plan.findings if finding.severity == "blocker"],
        placeholders=list(_placeholders(text)),
        counts=counts(made, ways),
        folders=[row for row in _FOLDERS if any(path.startswith(row[0]) for path in files)],
        steps=list(_steps(files)),
        notes=list(_notes(made, ways)),
    )
