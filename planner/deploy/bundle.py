"""The whole hand-over of a design: one ZIP with a README of its own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from planner.deploy import acceptance, alerts, hosts, schedules, sheets, targets, training
from planner.deploy.access import Export, Path, exports, paths
from planner.deploy.addressing import Addressing
from planner.deploy.archive import packed
from planner.deploy.cumulus import nvue
from planner.deploy.readme import readme
from planner.deploy.rendering import json_tables, yaml_text
from planner.deploy.site import Site, site
from planner.deploy.switches import quality, sonic
from planner.plan import Plan
from planner.sections.fabric_svg import fabric_svg
from planner.sections.links import gbps_of

NVIDIA = "NVIDIA"
DRAWING_WIDTH = 640.0
"""Width of the drawing as a file, in pixels of its own."""


@dataclass(frozen=True, slots=True)
class Contents:
    """Files of a bundle by path, and what they were made from."""

    site: Site
    exports: tuple[Export, ...]
    paths: dict[int, list[Path]]
    files: dict[str, str]


def bundle(plan: Plan, addressing: Addressing | None = None, *, mark: str = "") -> bytes:
    """The bundle of a plan as a ZIP; the same plan and names give the same bytes.

    Args:
        plan: A finished plan.
        addressing: Names and subnets of the site; None takes the defaults.
        mark: Design, revision and hash on one line, for the README; empty for a plan on its own.

    Raises:
        PlannerError: A subnet is too small, or the planned switch cannot connect the planned ports.
    """
    files = contents(plan, addressing or Addressing()).files
    if mark:
        title, _, rest = files["README.md"].partition("\n")
        files["README.md"] = f"{title}\n\n{_plain(mark)}\n{rest}"
    return packed(files)


def _plain(mark: str) -> str:
    """A line that someone's words are in, as Markdown shows it unchanged."""
    ground = "`" * (max((len(run) for run in re.findall("`+", mark)), default=0) + 1)
    return f"{ground} {' '.join(mark.split())} {ground}"


def contents(plan: Plan, addressing: Addressing) -> Contents:
    """The files of the bundle before they are packed.

    Raises:
        PlannerError: As `bundle`.
    """
    made = site(plan, addressing)
    if made.medium != "fc":
        found = exports(made)
        ways = paths(made, found)
    else:
        found, ways = (), {node.unit: [] for node in made.nodes}
    files: dict[str, str] = {
        "cables.csv": schedules.cables(made),
        "topology.svg": fabric_svg(plan.fabric_drawing(width=DRAWING_WIDTH), ground=True),
    }
    if found:
        files["targets/access.csv"] = schedules.access(made, found)
    if made.medium != "fc":
        files["addresses.csv"] = schedules.addresses(made)
        files.update(_ethernet(made) if made.switches else _under("switches", sheets.infiniband_sheets(made)))
        files.update(_hosts(made, found, ways))
        files.update(_targets(made, found))
    else:
        files["switches/zoning.md"] = sheets.zoning_sheet(made)
    files.update(_under("storage", sheets.storage_files(made)))
    files.update(_under("training", training.training_files(made)))
    files.update(_under("monitoring", alerts.monitoring_files(made, ways)))
    files.update(_under("acceptance", acceptance.acceptance_files(made)))
    files["README.md"] = readme(made, ways, files)
    return Contents(made, found, ways, files)


def _under(folder: str, files: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    for path, text in files:
        yield f"{folder}/{path}", text


def _ethernet(made: Site) -> Iterator[tuple[str, str]]:
    """Every leaf and spine, in each form that its maker's switches take."""
    treatment = quality(made)
    switch = made.plan.network.switch
    port_gbps = gbps_of(switch.port_bytes_per_s.number)
    buffer_bytes = switch.buffer_bytes.number if switch.buffer_bytes else float("nan")
    for unit in made.switches:
        tables = sonic(unit, treatment, port_gbps=port_gbps, buffer_bytes=buffer_bytes)
        yield f"switches/sonic/{unit.name}.json", json_tables(tables)
        if switch.vendor == NVIDIA:
            document = f"- set:\n{yaml_text(nvue(made, unit, treatment), 4)}"
            yield f"switches/cumulus/{unit.name}.yaml", document
    yield from _under("switches", sheets.switch_sheets(made, treatment))


def _hosts(made: Site, found: tuple[Export, ...], ways: dict[int, list[Path]]) -> Iterator[tuple[str, str]]:
    yield from _under("hosts/common", hosts.common_files(made, attached=bool(found)))
    spaces: dict[int, list[Export]] = {}
    for export in found:
        for host in export.hosts:
            spaces.setdefault(host, []).append(export)
    for node in made.nodes:
        own = hosts.node_files(made, node, ways[node.unit], spaces.get(node.unit, []))
        yield from _under(f"hosts/{node.name}", own)


def _targets(made: Site, found: tuple[Export, ...]) -> Iterator[tuple[str, str]]:
    yield from _under("targets/common", hosts.target_common_files(made))
    for units in made.units.values():
        for unit in units:
            yield from _under(f"targets/{unit.name}", hosts.interface_files(made, unit))
    for target in made.targets:
        yield from _under(f"targets/{target.name}", targets.target_files(made, target, found))
