"""The catalogue: every row by kind and id, read once; the only reader of the folder `data`."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from planner.catalogue.checks import check_rows
from planner.catalogue.hardware import (
    Drive,
    DriveSize,
    FcRate,
    Gpu,
    GpuNode,
    Nic,
    Optic,
    Platform,
    PowerRule,
    Receptacle,
    Switch,
    Transport,
)
from planner.catalogue.prices import PriceRow, PriceSet
from planner.catalogue.reading import Place, Row, read_rows, read_table
from planner.catalogue.rules import (
    Assumption,
    ClientStack,
    FailureRate,
    GuideFigure,
    GuideModel,
    IngestPreset,
    MeasuredRead,
    ProtectionScheme,
    ReadGuideline,
    Recipe,
    ScalingPoint,
)
from planner.core.errors import PlannerError, must_be, nearest, shorten
from planner.core.quantity import Quantity
from planner.core.units import BITS_PER_BYTE, GIGA

FILES: dict[str, tuple[str, type[Row]]] = {
    "gpus": ("hardware/gpus.csv", Gpu),
    "gpu_nodes": ("hardware/gpu_nodes.csv", GpuNode),
    "drives": ("hardware/nvme_drives.csv", Drive),
    "drive_sizes": ("hardware/nvme_drive_sizes.csv", DriveSize),
    "platforms": ("hardware/storage_platforms.csv", Platform),
    "switches": ("hardware/switches.csv", Switch),
    "nics": ("hardware/nics.csv", Nic),
    "optics": ("hardware/optics.csv", Optic),
    "transports": ("hardware/transports.csv", Transport),
    "fc_rates": ("hardware/fc_rates.csv", FcRate),
    "power_rules": ("hardware/power_rules.csv", PowerRule),
    "receptacles": ("rules/receptacles.csv", Receptacle),
    "recipes": ("rules/recipes.csv", Recipe),
    "guide_models": ("rules/guide_models.csv", GuideModel),
    "protection": ("rules/protection.csv", ProtectionScheme),
    "guide": ("rules/guide.csv", GuideFigure),
    "failure_rates": ("rules/failure_rates.csv", FailureRate),
    "client_stacks": ("rules/client_stacks.csv", ClientStack),
    "assumptions": ("rules/assumptions.csv", Assumption),
    "guidelines": ("rules/guidelines.csv", ReadGuideline),
    "ingest_presets": ("rules/ingest_presets.csv", IngestPreset),
    "scaling": ("hardware/platform_scaling.csv", ScalingPoint),
    "measured": ("hardware/measured_reads.csv", MeasuredRead),
}
"""File and row type of each kind of row."""

SHORTEST_REACH_M = 30.0
"""Reach that every optic must have at least: within a hall the next rack row is that far."""

_SINGULAR = {
    "gpus": "GPU", "gpu_nodes": "GPU node", "drives": "drive", "platforms": "platform", "switches": "switch",
    "nics": "NIC", "optics": "optic", "transports": "transport", "recipes": "recipe",
    "protection": "protection scheme", "ingest_presets": "benchmark", "guide": "guide figure", "price_sets": "price set",
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalogue:
    """All rows, by kind and then by id.

    `hash` changes with any byte of the files that were read, so that a stored result can say which
    catalogue it was computed with.
    """

    gpus: Mapping[str, Gpu]
    gpu_nodes: Mapping[str, GpuNode]
    drives: Mapping[str, Drive]
    drive_sizes: Mapping[str, DriveSize]
    platforms: Mapping[str, Platform]
    switches: Mapping[str, Switch]
    nics: Mapping[str, Nic]
    optics: Mapping[str, Optic]
    transports: Mapping[str, Transport]
    fc_rates: Mapping[str, FcRate]
    power_rules: Mapping[str, PowerRule]
    receptacles: Mapping[str, Receptacle]
    recipes: Mapping[str, Recipe]
    guide_models: Mapping[str, GuideModel]
    protection: Mapping[str, ProtectionScheme]
    guide: Mapping[str, GuideFigure]
    failure_rates: Mapping[str, FailureRate]
    client_stacks: Mapping[str, ClientStack]
    assumptions: Mapping[str, Assumption]
    guidelines: Mapping[str, ReadGuideline]
    ingest_presets: Mapping[str, IngestPreset]
    scaling: Mapping[str, ScalingPoint]
    measured: Mapping[str, MeasuredRead]
    price_sets: Mapping[str, PriceSet]
    sources: Mapping[str, str]
    hash: str
    own: Mapping[str, str] = field(default_factory=dict)
    """Whose each row is that was not shipped, by kind and id: "drives/x": "added by ACME on 2026-11-30"."""
    _optics_found: dict[tuple[int, bool, float], Optic | None] = field(
        init=False, repr=False, compare=False, default_factory=dict
    )
    """What `optic_for` found before: every plan asks for the same few speeds."""
    _splits_found: dict[tuple[int, int, int, float], Optic | None] = field(
        init=False, repr=False, compare=False, default_factory=dict
    )
    """The same of `split_optic_for`."""
    _coppers_found: dict[tuple[int, int, int], tuple[Optic, ...]] = field(
        init=False, repr=False, compare=False, default_factory=dict
    )
    """What `copper_for` chooses by length from, the shortest first."""

    def copper_for(
        self, speed_gbps: int, *, cage_gbps: int, lane_count: int, length_m: float
    ) -> Optic | None:
        """The copper cable between a switch and ports of that speed; None if none is long enough.

        Args:
            speed_gbps: Speed of the ports.
            cage_gbps: Speed of the switch's cage.
            lane_count: Ports that one cage serves; above 1 the cable is split.
            length_m: Length that it must have.
        """
        key = (speed_gbps, cage_gbps, lane_count)
        if key not in self._coppers_found:
            wanted = (speed_gbps, 0, 0) if lane_count == 1 else (cage_gbps, lane_count, speed_gbps)
            fitting = [
                optic
                for optic in self.optics.values()
                if optic.cable
                and optic.media == "twinax"
                and optic.speed_bytes_per_s is not None
                and wanted
                == (
                    _gbps(optic.speed_bytes_per_s),
                    optic.breakout_count or 0,
                    _gbps(optic.breakout_bytes_per_s) if optic.breakout_bytes_per_s is not None else 0,
                )
            ]
            self._coppers_found[key] = tuple(sorted(fitting, key=lambda optic: optic.reach_m.number))
        # A length under study is compared: as a key it would be a case of its own for each value.
        return next((optic for optic in self._coppers_found[key] if length_m <= optic.reach_m.number), None)

    def optic_for(
        self, speed_gbps: int, *, fibre_channel: bool, reach_m: float = SHORTEST_REACH_M
    ) -> Optic | None:
        """The optic of that speed with the shortest sufficient reach; None if there is none.

        A Fibre Channel port's payload is below the speed in its name, so the next speed above it is meant.
        """
        key = (speed_gbps, fibre_channel, reach_m)
        if key not in self._optics_found:
            self._optics_found[key] = min(
                (
                    (excess, optic.reach_m.number, optic)
                    for optic in self.optics.values()
                    if (excess := _excess_gbps(optic, speed_gbps, fibre_channel=fibre_channel)) is not None
                    and optic.reach_m is not None
                    and optic.reach_m.number >= reach_m
                ),
                key=lambda found: found[:2],
                default=(0.0, 0.0, None),
            )[2]
        return self._optics_found[key]

    def split_optic_for(
        self, speed_gbps: int, *, cage_gbps: int, lane_count: int, reach_m: float
    ) -> Optic | None:
        """The optic of a switch's cage that serves several slower links; None if there is none.

        Args:
            speed_gbps: Speed of the links.
            cage_gbps: Speed of the switch's cage.
            lane_count: Links that one cage serves; the optic may have lanes for more.
            reach_m: Length that both ends must reach.
        """
        key = (speed_gbps, cage_gbps, lane_count, reach_m)
        if key not in self._splits_found:
            fitting = [
                optic
                for optic in self.optics.values()
                if optic.far_end
                and optic.speed_bytes_per_s is not None
                and optic.breakout_bytes_per_s is not None
                and (_gbps(optic.speed_bytes_per_s), _gbps(optic.breakout_bytes_per_s))
                == (cage_gbps, speed_gbps)
                and (optic.breakout_count or 0) >= lane_count
                and min(optic.reach_m.number, self.optics[optic.far_end].reach_m.number) >= reach_m
            ]
            self._splits_found[key] = min(fitting, key=lambda optic: optic.reach_m.number, default=None)
        return self._splits_found[key]

    def find(self, kind: str, row_id: str, *, field: str = "") -> Any:
        """The row of that id.

        Args:
            kind: Name of a part of the catalogue, such as "drives".
            row_id: Id of the row.
            field: Path of the input that holds the id, for the error line.

        Raises:
            PlannerError: There is no such row; the line names the field, the id and the closest one.
            KeyError: There is no such kind.
        """
        if kind not in FILES and kind != "price_sets":
            raise KeyError(kind)
        rows: Mapping[str, Any] = getattr(self, kind)
        row = rows.get(row_id)
        if row is None:
            what = _SINGULAR.get(kind, kind.replace("_", " "))
            known = nearest(row_id, rows) or f"; one of {', '.join(list(rows)[:6])} …"
            where = f"{field}: " if field else ""
            raise PlannerError(f"{where}no {what} “{shorten(row_id)}” in the catalogue{known}", field=field)
        return row

    def sizes_of_drive(self, drive_id: str) -> tuple[float, ...]:
        """Bytes of each capacity in which the drive's family is listed, ascending; its own always."""
        listed = {s.capacity_bytes.number for s in self.drive_sizes.values() if s.drive_id == drive_id}
        return tuple(sorted(listed | {self.drives[drive_id].capacity_bytes.number}))

    def guide_model(self, parameter_count: float) -> GuideModel:
        """Row of the guide's table whose model is closest in size, on a logarithmic scale."""

        def times(model: GuideModel) -> float:
            """How many times as large as the other the larger of the two is."""
            size = model.parameter_count.number
            return max(parameter_count / size, size / parameter_count)

        return min(self.guide_models.values(), key=times)

    def extended(self, kind: str, rows: Mapping[str, Any]) -> Catalogue:
        """A catalogue with a user's own rows added to one kind.

        Raises:
            PlannerError: A row has the id of a shipped one, or does not hold together.
        """
        shipped: Mapping[str, Any] = getattr(self, kind)
        for row_id in rows:
            if row_id in shipped:
                raise PlannerError(f"{kind}: “{shorten(row_id)}” is already in the catalogue", field=kind)
        added: dict[str, Any] = {kind: {**shipped, **rows}}
        digest = hashlib.sha256(self.hash.encode())
        digest.update("".join(f"{kind}{row_id}{rows[row_id]!r}" for row_id in sorted(rows)).encode())
        wider = replace(self, **added, hash=digest.hexdigest())
        check_rows(wider)
        return wider


def _gbps(speed: Quantity) -> int:
    return round(speed.number * BITS_PER_BYTE / GIGA)


def _excess_gbps(optic: Optic, speed_gbps: int, *, fibre_channel: bool) -> float | None:
    """How much faster a plain optic is than asked for; None if it does not fit."""
    if optic.cable or optic.speed_bytes_per_s is None or optic.id.startswith("fc-") != fibre_channel:
        return None
    excess = optic.speed_bytes_per_s.number * BITS_PER_BYTE / GIGA - speed_gbps
    return excess if (excess > -1 if fibre_channel else abs(excess) < 1) else None


def default_folder() -> Path:
    """The shipped `data` folder, beside the package and independent of the working directory."""
    return Path(__file__).resolve().parents[2] / "data"


def load_catalogue(folder: Path | None = None) -> Catalogue:
    """The catalogue of a folder; the shipped one is read once and kept.

    Raises:
        PlannerError: A file is missing or not as declared; the line names file, line and column.
    """
    return _shipped() if folder is None else _load(folder)


def chosen_catalogue(catalogue: Catalogue | None) -> Catalogue:
    """The catalogue that a caller gives, or the shipped one.

    Raises:
        PlannerError: What is given is no catalogue.
    """
    if catalogue is None:
        return load_catalogue()
    must_be_catalogue(catalogue)
    return catalogue


def must_be_catalogue(value: object) -> None:
    """Refuse what is no catalogue, such as the folder that one is read from.

    Raises:
        PlannerError: It is none.
    """
    must_be(value, Catalogue, field="catalogue", form="a Catalogue, as load_catalogue reads it")


@functools.lru_cache(maxsize=1)
def _shipped() -> Catalogue:
    return _load(default_folder())


def _load(folder: Path) -> Catalogue:
    """Every file of a folder, read and held against the others."""
    names = ["sources.csv", *(file for file, _ in FILES.values())]
    prices = sorted(path.relative_to(folder).as_posix() for path in (folder / "prices").glob("*.csv"))
    if not prices:
        raise PlannerError("prices: the folder holds no price set")
    content = {name: _content(folder, name) for name in (*names, *prices)}
    sources = _sources(content["sources.csv"])
    rows: dict[str, Any] = {
        kind: read_rows(row_type, content[file], file=file, sources=sources)
        for kind, (file, row_type) in FILES.items()
    }
    rows["price_sets"] = {
        Path(file).stem: PriceSet(
            Path(file).stem, read_rows(PriceRow, content[file], file=file, sources=sources)
        )
        for file in prices
    }
    catalogue = Catalogue(**rows, sources=sources, hash=_hash(content))
    check_rows(catalogue)
    return catalogue


def _content(folder: Path, name: str) -> str:
    try:
        return (folder / name).read_bytes().decode("utf-8")
    except FileNotFoundError:
        raise PlannerError(f"{name}: the file is missing from the data folder", field=name) from None
    except UnicodeDecodeError as error:
        raise PlannerError(f"{name}: byte {error.start} is not UTF-8", field=name) from None


def _sources(content: str) -> dict[str, str]:
    """Expansion of each source key."""
    sources: dict[str, str] = {}
    for line, cells in read_table(content, file="sources.csv"):
        if set(cells) != {"key", "source"}:
            raise Place("sources.csv", 1).refusal("the columns must be key and source")
        key = cells["key"]
        for column in ("key", "source"):
            if not cells[column]:
                raise Place("sources.csv", line, column).refusal("the cell is empty")
        if key in sources:
            raise Place("sources.csv", line, "key").refusal(f"“{key}” is there twice")
        sources[key] = cells["source"]
    return sources


def _hash(content: Mapping[str, str]) -> str:
    digest = hashlib.sha256()
    for name in sorted(content):
        digest.update(f"{name}\0{len(content[name])}\0{content[name]}".encode())
    return digest.hexdigest()
