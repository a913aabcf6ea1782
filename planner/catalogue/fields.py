"""What a form asks for a row: each column with its unit, what is plausible, and the words that are allowed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from planner.catalogue.columns import Column, columns_of
from planner.catalogue.own import row_type_of
from planner.catalogue.own_csv import column_names
from planner.catalogue.reading import GRADES
from planner.core.units import format_number

_UNITS: tuple[tuple[str, str], ...] = (
    ("_gb_per_s", "GB/s"), ("_tb_per_s", "TB/s"), ("_tb_per_unit", "TB"), ("_tbps_one_way", "Tb/s"),
    ("_usd_per_hour", "USD/h"), ("_w_per_end", "W"), ("_gbps", "Gb/s"), ("_tflops", "TFLOP/s"),
    ("_kiops", "1,000 per s"), ("_years", "years"), ("_pbw", "PB"), ("_usd", "USD"), ("_tb", "TB"), ("_gb", "GB"),
    ("_mb", "MB"), ("_us", "µs"), ("_kw", "kW"), ("_w", "W"), ("_m", "m"),
)  # fmt: skip
_WHOLE_NAMES = {"dwpd": "DWPD", "dwpd_4k_random": "DWPD", "rack_units": "U", "ports": "", "gpus": ""}
_SPELT = {
    **{word: word.upper() for word in (
        "nfs", "smb", "s3", "fc", "ib", "tcp", "rdma", "pfc", "ecn", "nic", "gpu", "asic", "posix", "dwpd", "pbw", "nand",
    )},
    "nvme": "NVMe", "pcie": "PCIe", "iscsi": "iSCSI",
}  # fmt: skip
_LABELS = {
    "id": "Id",
    "as_of": "Date of the source",
    "source": "Source",
    "confidence": "How well it is known",
    "unverified_fields": "Columns from memory",
    "applies_to": "Rows that it prices",
    "kind": "Kind",
    "low_usd": "Price, low",
    "high_usd": "Price, high",
}
_HELP = {
    "id": "Letters, digits and . + _ -, at most 60. The id of a shipped row overrides it; another adds a row.",
    "as_of": "2026-09-22, 2026-09, 2026 or undated.",
    "source": "Where the figures come from: data sheet, quote with its number, measurement. Required.",
    "confidence": "Seen in the source, inferred from it, from memory, or assumed for the class.",
    "unverified_fields": "Names of columns parted by ; whose figures are from memory, or all.",
    "applies_to": "Ids of catalogue rows parted by ;. Empty prices every row of the kind without a price of its own.",
    "notes": "Conditions of a figure, conflicts between sources.",
}


@dataclass(frozen=True, slots=True)
class RowField:
    """One field of the form.

    Attributes:
        column: Name of the column that it fills.
        label: What to call it, with the unit.
        help: What is allowed, in one sentence.
        required: Whether it must be filled.
        choices: Words to choose from; empty for a free text.
        unit: People's unit; empty if it has none.
    """

    column: str
    label: str
    help: str
    required: bool
    choices: tuple[str, ...]
    unit: str


def fields_of(kind: str) -> tuple[RowField, ...]:
    """The fields of a row of a kind, in the order of its file: id first, source and dates last.

    Raises:
        PlannerError: No own rows of that kind can be stated.
    """
    by_name = {column.name: column for column in reversed(columns_of(row_type_of(kind)).values())}
    return tuple(_field(by_name[name]) for name in column_names(kind))


def title_of(column: Column) -> str:
    """What to call a column, without its unit."""
    return column.label or _LABELS.get(column.name) or words_of(column.name)


def unit_of_column(name: str) -> str:
    """People's unit that the end of a column's name states; empty if it states none."""
    if name in _WHOLE_NAMES:
        return _WHOLE_NAMES[name]
    return next((unit for ending, unit in _UNITS if name.endswith(ending)), "")


def _field(column: Column) -> RowField:
    unit = unit_of_column(column.name) if column.form == "figure" else ""
    words = title_of(column)
    label = f"{words} ({unit})" if unit else words
    choices = (
        GRADES if column.name == "confidence" else column.known if column.form in ("choice", "flag") else ()
    )
    return RowField(column.name, label, _help(column, unit), column.required, choices, unit)


def words_of(name: str) -> str:
    """A name as words, with the field's own spelling of short forms."""
    parts = [_SPELT.get(part, part) for part in name.split("_")]
    return " ".join([parts[0][:1].upper() + parts[0][1:] if parts[0].islower() else parts[0], *parts[1:]])


def _help(column: Column, unit: str) -> str:
    told = _HELP.get(column.name, "")
    if column.low is not None and column.high is not None:
        told = f"{_plain(column.low)} to {_plain(column.high)} {unit}".strip() + "."
    elif column.form == "words" and column.known:
        told = f"Any of {_listed(column.known)}, parted by ;."
    needed = "Must be filled. " if column.required else ""
    return f"{needed}{told} Column {column.name}.".replace("  ", " ").strip()


def _plain(number: float) -> str:
    return format_number(number, None)


def _listed(words: Sequence[str]) -> str:
    return ", ".join(words)
