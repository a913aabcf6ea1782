"""What the search for the best design may choose: candidates of the catalogue and steps of the inputs, counted first."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from planner.catalogue import Catalogue, Drive, Platform, PriceSet
from planner.core.errors import PlannerError, must_be, nearest, shorten
from planner.core.units import BITS_PER_BYTE, DAY_S, GBIT_PER_S, TB, format_number, format_value
from planner.explore.axes import NUMBERS, listed_values, space_of
from planner.explore.space import Dimension, Option, Part, Space
from planner.inputs import Input, flatten, inputs_for, nest
from planner.plan import Plan
from planner.scenario import Scenario
from planner.scenario_json import scenario_from_dict
from planner.sections.cost import parts_price_set

MOST_DESIGNS = 2_000_000
"""Designs of the largest space that is searched at all."""
LINK_GBPS = (25, 100, 200, 400, 800)
"""Speeds at which Ethernet ports are sold."""
INTERVAL_RATIOS = (0.5, 1.0, 2.0)
"""Intervals that are tried, as shares of today's."""
SHORTEST_S, LONGEST_S = 5.0, 30 * DAY_S
SIZES = ("storage.hot.usable_bytes", "storage.hot.drive_count", "storage.hot.unit_count")
"""Stated sizes of the hot tier, which the search gives up: AUTO sizes every candidate."""
COLD_SIZES = tuple(
    f"storage.{tier}.{name}"
    for tier in ("file_system", "object_store")
    for name in ("usable_bytes", "unit_count")
)
VENDOR_FIGURES = tuple(
    f"storage.hot.manual_{name}" for name in ("write_bytes_per_s", "read_bytes_per_s", "usable_bytes")
)
ARCHITECTURES = {
    "all-flash": "all-flash-array",
    "software-defined": "software-defined",
    "pfs": "parallel-file-system",
}
"""Architecture of each category of platforms that can be a hot tier."""
ENDED = "end of life"
"""What the catalogue notes of a drive that is not made any more."""
AT_DRIVES = ":drive"
"""End of a protection that works over the drives of a node: "8+2:drive"."""


def space_for(
    scenario: Scenario,
    done: Plan,
    choices: Mapping[str, Sequence[Any]],
    catalogue: Catalogue,
    *,
    over_nodes: bool = True,
    wide: bool = False,
) -> Space:
    """The space around a design.

    Args:
        scenario: The design.
        done: Its plan: today's link speed, interval and transport come from it.
        choices: Values by the name of a dimension ("platform", "drive", "protection", "transport", "link",
            "interval") or by the path of any input; a dimension that is not named has the candidates that the
            catalogue offers, and one with a single value is held.
        catalogue: The rows to choose from.
        over_nodes: Protection that is not stated works over nodes alone: inside one node its loss takes every
            checkpoint away.
        wide: Of drives that are not named, try also those that another one of their size is as good as in every
            figure. That is no proof: where few drives are needed, the slower ones may round up to more of them.

    Raises:
        PlannerError: A dimension is not known, is empty or holds a value that is not allowed, or the space is too
            large; nothing has been computed then.
    """
    must_be(
        choices, Mapping, field="choices", form="values by the name of a dimension or the path of an input"
    )
    maker = _Maker(scenario, done, catalogue, over_nodes=over_nodes, wide=wide)
    known = {item.path: item for item in inputs_for(len(scenario.jobs))}
    for name in choices:
        if name not in maker.makers and name not in known:
            raise PlannerError(
                f"no dimension “{shorten(name)}”{nearest(str(name), [*maker.makers, *known])}; "
                f"use one of {', '.join(maker.makers)} or the path of an input",
                field=str(name),
            )
    found = {name: make(_listed(name, choices.get(name))) for name, make in maker.makers.items()}
    extras = [maker.extra(known[name], values) for name, values in choices.items() if name in known]
    parts = tuple(_parts(found, extras, catalogue))
    base = scenario
    released = tuple(path for path in SIZES if flatten(scenario)[path] is not None)
    if released:
        base = scenario_from_dict(nest({**flatten(scenario), **dict.fromkeys(released)}))
    space = Space(base, parts, released, tuple(maker.left_out))
    _limit(space)
    _check(space)
    return space


def _listed(name: str, values: Sequence[Any] | None) -> list[Any] | None:
    if values is None:
        return None
    return list(dict.fromkeys(listed_values(name, values, what="list of choices")))


def _parts(found: dict[str, Dimension | None], extras: list[Dimension], catalogue: Catalogue) -> list[Part]:
    """Kits with their drives and codes; file-system kits, whose codes are their own; platforms that come whole."""
    platform, drive, protection = found["platform"], found["drive"], found["protection"]
    assert platform is not None
    assert drive is not None
    assert protection is not None
    others = [found[name] for name in ("transport", "cold", "link", "interval")]
    rest = _numbers_last([d for d in [*others, *extras] if d is not None])
    rows = [(option, catalogue.platforms[option.key]) for option in platform.options]
    local = tuple(o for o in protection.options if catalogue.protection[o.key.removesuffix(AT_DRIVES)].local)
    kits = [option for option, row in rows if row.generic and row.category != "pfs"]
    servers = [option for option, row in rows if row.generic and row.category == "pfs"]
    whole = [option for option, row in rows if not row.generic]

    def of(options: list[Option]) -> Dimension:
        """The dimension of platforms with some of its options alone."""
        return Dimension(platform.name, platform.label, tuple(options))

    own = Dimension(protection.name, protection.label, local or protection.options)
    return [
        Part((of(options), *own_dimensions, *rest))
        for options, own_dimensions in ((kits, (drive, protection)), (servers, (drive, own)), (whole, ()))
        if options
    ]


def _numbers_last(dimensions: list[Dimension]) -> list[Dimension]:
    return sorted(dimensions, key=lambda dimension: bool(dimension.number_path))


def _limit(space: Space) -> None:
    if space.count <= MOST_DESIGNS:
        return
    longest = max(space.dimensions, key=lambda dimension: len(dimension.options))
    raise PlannerError(
        f"{format_number(space.count, None)} designs are more than one search takes "
        f"({format_number(MOST_DESIGNS, None)}): give {longest.name} fewer than its {len(longest.options)} choices, "
        "or hold another dimension at one",
        field=longest.name,
    )


def _check(space: Space) -> None:
    """Refuse the first option that the scenario refuses by itself."""
    flat = flatten(space.base)
    for dimension in space.dimensions:
        for option in dimension.options:
            try:
                scenario_from_dict(nest({**flat, **option.edits}))
            except PlannerError as error:
                raise PlannerError(f"{dimension.name}: {error.message}", field=error.field) from None


class _Maker:
    """Makes the options of each dimension, stated or by default."""

    def __init__(
        self, scenario: Scenario, done: Plan, catalogue: Catalogue, *, over_nodes: bool, wide: bool
    ) -> None:
        self.over_nodes = over_nodes
        self.wide = wide
        self.scenario = scenario
        self.done = done
        self.catalogue = catalogue
        self.left_out: list[tuple[str, str]] = []
        self.makers: dict[str, Callable[[list[Any] | None], Dimension | None]] = {
            "platform": self.platforms,
            "drive": self.drives,
            "protection": self.protections,
            "transport": self.transports,
            "link": self.links,
            "interval": self.intervals,
            "cold": self.cold,
        }

    def platforms(self, ids: list[Any] | None) -> Dimension:
        """Platforms to try: the named ones, or all that could carry the hot tier."""
        rows = [self.catalogue.find("platforms", str(i), field="platform") for i in ids or ()]
        options = []
        for row in rows or self.catalogue.platforms.values():
            if not rows and row.generic and row.category == "pfs" and self.over_nodes:
                self.left_out.append(
                    (row.name, "its servers protect their own drives: a lost one takes checkpoints away")
                )
            elif row.category in ARCHITECTURES:
                options.append(self._platform(row))
            elif rows:
                raise PlannerError(
                    f"platform: {row.name} ({row.category}) cannot be a hot tier; use an all-flash array, a "
                    "software-defined target or a parallel file system",
                    field="platform",
                )
        return Dimension("platform", "Platform", tuple(options))

    def _platform(self, row: Platform) -> Option:
        edits: dict[str, Any] = {
            "storage.hot.platform_id": row.id,
            "storage.hot.architecture": ARCHITECTURES[row.category],
        }
        if row.id != self.done.hot.platform.id:
            edits |= dict.fromkeys(VENDOR_FIGURES)  # they were stated for another platform
        return Option(row.id, row.name, edits)

    def drives(self, ids: list[Any] | None) -> Dimension:
        """Drives to try with their sizes: the named ones, or those that are usual."""
        hot = self.scenario.storage.hot
        named = [self.catalogue.find("drives", str(i), field="drive") for i in ids or ()]
        options = []
        for row in named or self._usual_drives():
            size = hot.drive_bytes if row.id == hot.drive_id else None
            capacity = format_value(size or row.capacity_bytes.number, "bytes")
            edits = {"storage.hot.drive_id": row.id, "storage.hot.drive_bytes": size}
            options.append(Option(row.id, f"{row.name}, {capacity}", edits))
        return Dimension("drive", "Drive", tuple(options))

    def _usual_drives(self) -> list[Drive]:
        """Drives that are tried where none is named; today's is always one of them."""
        own = self.scenario.storage.hot.drive_id
        known: list[Drive] = []
        for row in self.catalogue.drives.values():
            if row.write_bytes_per_s is None or row.endurance_dwpd is None:
                self.left_out.append((row.name, "its write rate or its endurance is not in the catalogue"))
            elif ENDED in row.notes and row.id != own:
                self.left_out.append((row.name, ENDED))
            else:
                known.append(row)
        if self.wide:
            return known
        found = []
        for row in known:
            better = next((other for other in known if self._as_good(other, row)), None)
            if better is None or row.id == own:
                found.append(row)
            else:
                told = f"{better.name} of the same size is as good in every figure; a wider search tries it"
                self.left_out.append((row.name, told))
        return found

    def _as_good(self, other: Drive, row: Drive) -> bool:
        """Whether another drive of the same size is nowhere worse; of two that are equal the first counts."""
        if other is row or other.capacity_bytes.number != row.capacity_bytes.number:
            return False
        theirs, own = self._merits(other), self._merits(row)
        return all(a >= b for a, b in zip(theirs, own, strict=True)) and (theirs != own or other.id < row.id)

    def _merits(self, row: Drive) -> tuple[float, ...]:
        """Figures of a drive, more being better; what is not known is worst."""
        read, watts = row.read_bytes_per_s, row.max_w or row.active_write_w
        prices: PriceSet = self.catalogue.price_sets[parts_price_set(self.scenario.prices.price_set_id)]
        price = prices.price("drives", row.id)
        times = row.capacity_bytes.number / TB if price is not None and price.metric == "per TB" else 1.0
        assert row.write_bytes_per_s is not None
        assert row.endurance_dwpd is not None
        return (
            row.write_bytes_per_s.number,
            -math.inf if read is None else read.number,
            row.endurance_dwpd.number,
            -math.inf if watts is None else -watts.number,
            -math.inf if price is None else -price.low.number * times,
            -math.inf if price is None else -price.high.number * times,
        )

    def protections(self, keys: list[Any] | None) -> Dimension:
        """Schemes and where they are made: the named ones, or all that survive a loss."""
        if keys is None:
            # A search never proposes to go without protection.
            safe = [row for row in self.catalogue.protection.values() if row.parity_chunk_count]
            inside = [row.id if row.local else row.id + AT_DRIVES for row in safe]
            keys = [row.id for row in safe if not row.local] + ([] if self.over_nodes else inside)
        return Dimension("protection", "Protection", tuple(self._protection(str(key)) for key in keys))

    def _protection(self, key: str) -> Option:
        row = self.catalogue.find("protection", key.removesuffix(AT_DRIVES), field="protection")
        domain = "drive" if row.local or key.endswith(AT_DRIVES) else "node"
        edits = {"storage.hot.protection_id": row.id, "storage.hot.protection_domain": domain}
        return Option(key, f"{row.label} over {domain}s", edits)

    def transports(self, names: list[Any] | None) -> Dimension:
        """Transports to try: the named ones, or those that the site allows, and today's."""
        network, today = self.scenario.network, self.done.network.transport.value
        allowed = {
            "rdma": network.lossless_possible and not network.switches_shared,
            "tcp": True,
            "fc": network.fc_san_present,
        }
        words = {"rdma": "RoCEv2", "tcp": "TCP", "fc": "Fibre Channel"}
        chosen = names or [name for name, can in allowed.items() if can or name == today]
        return Dimension(
            "transport",
            "Transport",
            tuple(
                Option(str(name), words.get(str(name), str(name)), {"network.transport": name})
                for name in chosen
            ),
        )

    def links(self, speeds: list[Any] | None) -> Dimension:
        """Speeds of a node's storage ports: the named ones, or today's with the next lower and higher of the switch."""
        if speeds is None:
            today = self.done.cluster.port_bytes_per_s.number
            ports = self.done.network.switch.ports_by_gbps
            ladder = sorted({*(g * GBIT_PER_S for g in LINK_GBPS if g in ports), today})
            place = ladder.index(today)
            speeds = ladder[max(place - 1, 0) : place + 2]
        options = []
        for value in sorted(dict.fromkeys(_number("link", speed) for speed in speeds)):
            text = format_value(value * BITS_PER_BYTE, "bits/s")
            options.append(Option(text, text, {"cluster.storage_port_bytes_per_s": value}))
        return Dimension("link", "Link speed", tuple(options))

    def intervals(self, seconds: list[Any] | None) -> Dimension:
        """Intervals of the job with the largest checkpoint."""
        main = self.done.main.job
        if seconds is None:
            today = main.checkpoint.interval_s.number
            seconds = [min(max(today * ratio, SHORTEST_S), LONGEST_S) for ratio in INTERVAL_RATIOS]
        start = f"{main.path}.checkpoint."
        many = f", {main.name}" if len(self.scenario.jobs) > 1 else ""
        stated = {"interval_basis": "stated", "interval_step_count": None, "step_s": None}
        options = []
        for value in sorted(dict.fromkeys(_number("interval", item) for item in seconds)):
            text = format_value(value, "s")
            edits = {**stated, "interval_s": value}
            options.append(Option(text, text, {start + name: item for name, item in edits.items()}))
        return Dimension("interval", f"Interval{many}", tuple(options))

    def cold(self, keys: list[Any] | None) -> Dimension | None:
        """Colder tiers as stated or sized by the planner; nothing to choose where no size is stated."""
        flat = flatten(self.scenario)
        held = {path: flat[path] for path in COLD_SIZES if flat[path] is not None}
        options = [
            Option("stated", "as stated", held),
            Option("auto", "sized by the planner", dict.fromkeys(held)),
        ]
        for key in keys or ():
            if key not in ("stated", "auto"):
                raise PlannerError(f"cold: “{shorten(key)}” is not allowed; use stated or auto", field="cold")
        chosen = tuple(option for option in options if keys is None or option.key in keys)
        return Dimension("cold", "Colder tiers", chosen) if held else None

    def extra(self, entry: Input, values: Sequence[Any]) -> Dimension:
        """Any other input, with the values that are stated."""
        listed = _listed(entry.path, values) or []
        space_of(self.scenario, {entry.path: listed}, self.catalogue)
        unit = entry.unit or "count"

        def text(value: Any) -> str:
            """A value in words."""
            if value is None:
                return "AUTO"
            return format_value(value, unit) if entry.kind in NUMBERS else str(value)

        options = tuple(Option(text(value), text(value), {entry.path: value}) for value in listed)
        return Dimension(entry.path, entry.label, options)


def _number(name: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise PlannerError(f"{name}: “{shorten(value)}” is not a number", field=name)
    return float(value)
