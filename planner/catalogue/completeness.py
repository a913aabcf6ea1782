"""How complete a row is: the figures that a plan needs of it, and which of them nobody stated."""

from __future__ import annotations

from dataclasses import dataclass

from planner.catalogue.columns import columns_of
from planner.catalogue.hardware import Optic, Platform, Switch
from planner.catalogue.reading import Row

NEEDED: dict[str, tuple[str, ...]] = {
    "gpus": ("memory_bytes", "bf16_flops", "max_w"),
    "gpu_nodes": (
        "gpu_count", "gpu_memory_bytes", "host_memory_bytes", "local_drive_count", "local_drive_bytes",
        "storage_port_count", "storage_port_bytes_per_s", "max_w", "rack_units_ru",
    ),
    "drives": (
        "capacity_bytes", "read_bytes_per_s", "write_bytes_per_s", "endurance_dwpd", "warranty_s",
        "active_read_w", "active_write_w", "max_w",
    ),
    "drive_sizes": ("drive_id", "capacity_bytes"),
    "platforms": (
        "drives_per_unit_count", "drive_bytes", "usable_bytes_per_unit", "read_bytes_per_s", "write_bytes_per_s",
        "rack_units_ru", "typical_w", "max_w", "front_end_port_count", "front_end_bytes_per_s",
    ),
    "switches": (
        "port_count", "port_bytes_per_s", "buffer_bytes", "typical_w", "max_w", "rack_units_ru", "pfc", "ecn",
    ),
    "nics": ("port_count", "port_bytes_per_s", "total_bytes_per_s", "typical_w", "max_w"),
    "optics": ("speed_bytes_per_s", "media", "reach_m", "end_w"),
    "prices": ("kind", "metric", "read_low_usd", "read_high_usd"),
}  # fmt: skip
"""Attributes of each kind without which a figure of the plan is unknown or a class assumption."""
_ETHERNET_ONLY = ("buffer_bytes", "pfc", "ecn")


@dataclass(frozen=True, slots=True)
class Completeness:
    """What a plan needs of a row and what is there.

    Attributes:
        needed: Columns that a plan needs of the row.
        missing: Those of them that are empty.
    """

    needed: tuple[str, ...]
    missing: tuple[str, ...]

    @property
    def filled_count(self) -> int:
        """How many of the needed columns are filled."""
        return len(self.needed) - len(self.missing)

    @property
    def complete(self) -> bool:
        """Whether nothing that a plan needs is missing."""
        return not self.missing

    @property
    def text(self) -> str:
        """Filled of needed, and what is missing."""
        told = f"{self.filled_count} of {len(self.needed)}"
        return told if self.complete else f"{told}; missing: {', '.join(self.missing)}"


def completeness(kind: str, row: Row) -> Completeness | None:
    """How complete a row is; None of a kind of which a plan needs no figures.

    Args:
        kind: Kind of the row, as `Catalogue` calls it, or "prices".
        row: The row.
    """
    if kind not in NEEDED:
        return None
    columns = columns_of(type(row))
    wanted = [name for name in NEEDED[kind] if _applies(row, name)]
    empty = [columns[name].name for name in wanted if getattr(row, name) in (None, "", ())]
    return Completeness(tuple(columns[name].name for name in wanted), tuple(empty))


def _applies(row: Row, attribute: str) -> bool:
    """Whether a thing of that sort has the figure at all."""
    if isinstance(row, Switch) and row.fabric != "ethernet":
        return attribute not in _ETHERNET_ONLY
    if isinstance(row, Optic) and not row.end_w.number and row.speed_bytes_per_s is None:
        return attribute != "speed_bytes_per_s"  # bare fibre has no rate
    if isinstance(row, Platform) and row.generic:
        return attribute != "usable_bytes_per_unit"  # worked out from its drives and their protection
    return True
