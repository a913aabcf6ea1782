"""Paths to subsystems from `nvme list-subsys`, in the shapes of nvme-cli 1.x, 2.x and 3.0.

A path that has been dead for longer than `ctrl_loss_tmo` (600 s) is no longer listed, so a full count of
live paths is no proof: it has to be held against the number that was designed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from planner.telemetry.documents import Document
from planner.telemetry.records import Origin, Sheet, name_of

TOOL = "nvme list-subsys"
_UNUSABLE = ("inaccessible", "persistent-loss", "change")
LOCAL = "inside the machine, over PCIe"
"""Said of a subsystem that is no part of the fabric: the machine's own drives are listed too."""
_LISTED = "as listed: a path lost for longer than ctrl_loss_tmo is not"


def is_list_subsys(value: object) -> bool:
    """Whether a document lists subsystems with their paths: an object in 1.x, a list of hosts later."""
    hosts = value if isinstance(value, list) else [value]
    return any(isinstance(host, Mapping) and isinstance(host.get("Subsystems"), list) for host in hosts)


def read(document: Document, sheet: Sheet, *, run: int = 1) -> None:
    """Record for each subsystem how many paths are listed, are live, and can carry data.

    Args:
        document: One that `is_list_subsys`.
        sheet: Where to.
        run: Which document of its kind this is.
    """
    for flaw in document.flaws:
        sheet.remark(TOOL, flaw)
    hosts = document.value if isinstance(document.value, list) else [document.value]
    for host in hosts:
        if isinstance(host, Mapping):
            for subsystem, paths in _subsystems(host.get("Subsystems")):
                nqn = name_of(subsystem.get("NQN")) or name_of(
                    subsystem.get("Name"), "subsystem without a name"
                )
                _read_subsystem(sheet, Origin(TOOL, "", nqn, name_of(host.get("HostNQN")), run), paths)


def _subsystems(items: object) -> Iterator[tuple[Mapping[str, object], Sequence[object]]]:
    """Subsystems with their paths; early versions give the paths in an object of their own, after the name."""
    named: Mapping[str, object] | None = None
    for item in items if isinstance(items, list) else ():
        if not isinstance(item, Mapping):
            continue
        paths = item.get("Paths", item.get("Ctrls"))
        alone = "NQN" not in item and "Name" not in item
        if not alone and named is not None:
            yield named, ()
        named = None if alone and named is None else named if alone else item
        if isinstance(paths, list):
            yield named if named is not None else item, paths
            named = None
    if named is not None:
        yield named, ()


def _read_subsystem(sheet: Sheet, origin: Origin, paths: Sequence[object]) -> None:
    live = usable = 0
    local = bool(paths) and all(_transport(path) == "pcie" for path in paths)
    known: set[tuple[str, str]] = set()
    for path in paths:
        if not isinstance(path, Mapping):
            sheet.remark(origin, "an entry of its paths is none")
            continue
        name, state = name_of(path.get("Name"), "a path"), name_of(path.get("State"), "(null)")
        ana = name_of(path.get("ANAState")).lower()
        if (name, name_of(path.get("Address"))) in known:
            sheet.remark(origin, f"{name} is listed twice and counts once")
            continue
        known.add((name, name_of(path.get("Address"))))
        is_live = state.lower() == "live"
        live += is_live
        usable += is_live and ana not in _UNUSABLE
        if not is_live:
            sheet.remark(origin, f"{name} is {'in an unknown state' if state == '(null)' else state}")
        elif ana in _UNUSABLE:
            sheet.remark(origin, f"{name} is live but {ana}")
    sheet.take(origin, "paths", len(known), detail=LOCAL if local else _LISTED)
    sheet.take(origin, "paths_live", live, detail=LOCAL if local else "")
    sheet.take(origin, "paths_usable", usable, detail=LOCAL if local else "")


def _transport(path: object) -> str:
    return name_of(path.get("Transport")).lower() if isinstance(path, Mapping) else ""
