"""Cost over the term as a sheet: it follows the bill, the power and the prices that are typed over."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from planner.core.quantity import Quantity
from planner.core.units import TB
from planner.documents.appendix import computed_from
from planner.documents.bill_sheet import COUNTED, LOW, SPARES_LOW, BillCells
from planner.documents.formulas import plain_formula
from planner.documents.power_sheet import HOURS_PER_YEAR, PowerCells
from planner.documents.spreadsheet import Book, Sheet, Styles, heads, print_wide, write
from planner.documents.tables import NOT_PRICED, UNKNOWN, Cell
from planner.plan import Plan

NAME = "Cost"
_HEAD = ("Cost over the term", "Low, USD", "High, USD", "How", "Formula", "With", "Source")
_WIDTHS = (34, 18, 18, 44, 40, 60, 40)


@dataclass(frozen=True, slots=True)
class _Places:
    """Where a formula finds what it needs: typed values by name, the other sheets, its own rows.

    Attributes:
        guide: First and last row of the guide's prices, counted from 1; None on part prices.
        first: Row of the first kind of cost, counted from 1: the equipment.
    """

    typed: Mapping[str, str]
    bill: BillCells
    power: PowerCells
    guide: tuple[int, int] | None
    first: int


def cost_sheet(book: Book, styles: Styles, plan: Plan, bill: BillCells, power: PowerCells) -> None:
    """What is stated, then each kind of cost over the term, the sum, and what it comes to for each unit."""
    sheet = book.add_worksheet(NAME)
    for column, width in enumerate(_WIDTHS):
        sheet.set_column(column, column, width)
    stated = _stated(plan)
    heads(sheet, ("Stated", "Value", "Unit"), styles)
    typed = {}
    for at, (key, (name, value, unit)) in enumerate(stated.items(), start=1):
        write(sheet, (at, 0), name, styles)
        write(sheet, (at, 1), value, styles, "input")
        write(sheet, (at, 2), unit, styles)
        typed[key] = f"$B${at + 1}"
    at = len(stated) + 2
    guide = None
    if plan.cost.price_set.value == "guide":
        guide = _guide_rows(sheet, styles, plan, at)
        at = guide[1] + 1
    heads(sheet, _HEAD, styles, row=at)
    _kinds(sheet, styles, plan, _Places(typed, bill, power, guide, at + 2))
    print_wide(sheet)


def _stated(plan: Plan) -> dict[str, tuple[str, Cell, str]]:
    """Name, value and unit of what may be typed over, by a key of its own."""
    prices, site, found = plan.scenario.prices, plan.scenario.site, plan.term
    metered = site.energy_basis == "metered"
    rows: dict[str, tuple[str, Cell, str]] = {
        "years": ("Term", float(prices.term_years), "years"),
        "support": ("Support in a year", float(prices.support_fraction), "share of the equipment"),
        "pue": ("PUE", float(site.pue_ratio), "ratio"),
        "energy": ("Price of energy", float(site.usd_per_kwh), "USD/kWh")
        if metered
        else ("All-in price of power", float(site.usd_per_kw_month), "USD a kW and month"),
        "racks": ("Racks", _number(plan.racks.rack_count), "count"),
        "rent": (
            "Price of a rack and month",
            NOT_PRICED if site.rack_usd_per_month is None else float(site.rack_usd_per_month),
            "USD",
        ),
        "sets": ("Sets of worn drives replaced", _input_of(found.lines[-1].low_usd, "set_count"), "count"),
        "usable": ("Usable of all tiers", _input_of(found.per_tb_low_usd, "usable_bytes", TB), "TB"),
        "effective": (
            "Effective of all tiers",
            _input_of(found.effective_low_usd_per_tb_month, "effective_bytes", TB),
            "TB",
        ),
        "gpus": ("GPUs", _number(plan.together.gpu_count), "count"),
        "saves": ("Saves over the term", _input_of(found.per_save_low_usd, "part_count"), "count"),
    }
    return rows


def _number(item: Quantity, scale: float = 1.0) -> Cell:
    return item.number / scale if math.isfinite(item.number) else UNKNOWN


def _input_of(item: Quantity, name: str, scale: float = 1.0) -> Cell:
    """A figure that another one was computed from."""
    value = (item.inputs or {}).get(name)
    return _number(value, scale) if isinstance(value, Quantity) else UNKNOWN


def _guide_rows(sheet: Sheet, styles: Styles, plan: Plan, at: int) -> tuple[int, int]:
    """The guide's price per TB of each tier; first and last row, counted from 1."""
    head = (
        "Tier by the guide's prices",
        "Low, USD",
        "High, USD",
        "Usable, TB",
        "Low, USD/TB",
        "High, USD/TB",
    )
    heads(sheet, head, styles, row=at)
    for row, tier in enumerate(plan.cost.tiers, start=at + 1):
        write(sheet, (row, 0), tier.tier, styles)
        write(sheet, (row, 3), _number(tier.usable_bytes, TB), styles, "input")
        for column, item in ((1, tier.low_usd), (2, tier.high_usd)):
            price = (item.inputs or {}).get("price_usd_per_tb")
            write(
                sheet,
                (row, column + 3),
                _number(price) if isinstance(price, Quantity) else UNKNOWN,
                styles,
                "input",
            )
            formula = f"=D{row + 1}*{'EF'[column - 1]}{row + 1}"
            sheet.write_formula(row, column, formula, styles["money"], _number(item))
    return at + 2, at + 1 + len(plan.cost.tiers)


# --- kinds of cost ------------------------------------------------------------------------------------------


def _kinds(sheet: Sheet, styles: Styles, plan: Plan, places: _Places) -> None:
    found = plan.term
    at = places.first - 1
    for line in found.lines:
        write(sheet, (at, 0), line.name, styles)
        for end, item in enumerate((line.low_usd, line.high_usd)):
            formula = _FORMULAS[line.name](places, end)
            shown = item.number if math.isfinite(item.number) else NOT_PRICED
            sheet.write_formula(at, end + 1, f"={formula}", styles["money"], shown)
        _origin(sheet, styles, at, line.note, line.low_usd)
        at += 1
    last, total = at, at
    sheet.write_string(total, 0, "Together", styles["group"])
    for end, item in enumerate((found.low_usd, found.high_usd)):
        column = "BC"[end]
        span = f"{column}{places.first}:{column}{last}"
        sheet.write_formula(total, end + 1, f"=SUM({span})", styles["sum"], item.number)
    _origin(sheet, styles, total, "what is not priced is left out", found.low_usd)
    units = (
        ("For each usable TB", "usable", found.per_tb_low_usd, found.per_tb_high_usd),
        (
            "For each effective TB and month",
            "effective",
            found.effective_low_usd_per_tb_month,
            found.effective_high_usd_per_tb_month,
        ),
        ("For each GPU", "gpus", found.per_gpu_low_usd, found.per_gpu_high_usd),
        ("For each checkpoint", "saves", found.per_save_low_usd, found.per_save_high_usd),
    )
    for at, (name, key, low, high) in enumerate(units, start=total + 1):
        write(sheet, (at, 0), name, styles)
        for end, item in enumerate((low, high)):
            months = f"/12/{places.typed['years']}" if key == "effective" else ""
            formula = f"={'BC'[end]}{total + 1}/{places.typed[key]}{months}"
            sheet.write_formula(at, end + 1, formula, styles["money"], _number(item))
        _origin(sheet, styles, at, "", low)


def _origin(sheet: Sheet, styles: Styles, at: int, note: str, item: Quantity) -> None:
    """How a row follows: in words, by its printed formula with values, and the formula's source."""
    printed = plain_formula(item.formula.latex) if item.formula is not None else ""
    source = item.formula.source if item.formula is not None else item.source
    for column, words in enumerate((note, printed, computed_from(item), source), start=3):
        write(sheet, (at, column), words, styles)


def _equipment(places: _Places, end: int) -> str:
    if places.guide is not None:
        first, last = places.guide
        return f"SUM({'BC'[end]}{first}:{'BC'[end]}{last})"
    counted, price = places.bill.column(COUNTED), places.bill.column(LOW + end)
    return f'SUMIF({counted},"yes",{price})'


def _spares(places: _Places, end: int) -> str:
    if places.guide is not None:
        return f'"{NOT_PRICED}"'
    return places.bill.cell(places.bill.total, SPARES_LOW + end)


def _metered(places: _Places, _: int) -> str:
    typed = places.typed
    return f"{places.power.typical_w}/1000*{HOURS_PER_YEAR}*{typed['pue']}*{typed['energy']}*{typed['years']}"


def _all_in(places: _Places, _: int) -> str:
    return f"{places.power.typical_w}/1000*12*{places.typed['energy']}*{places.typed['years']}"


def _space(places: _Places, _: int) -> str:
    typed = places.typed
    rent = f"{typed['racks']}*{typed['rent']}*12*{typed['years']}"
    return f'IF(ISNUMBER({typed["rent"]}),{rent},"{NOT_PRICED}")'


def _support(places: _Places, end: int) -> str:
    return f"{'BC'[end]}{places.first}*{places.typed['support']}*{places.typed['years']}"


def _wear(places: _Places, end: int) -> str:
    """Sets of the hot tier's drives; no set costs nothing, whatever a set costs."""
    sets = places.typed["sets"]
    if places.guide is not None:
        drives = f"{'BC'[end]}{places.guide[0]}"
    else:
        drives = "+".join(places.bill.cell(row, LOW + end) for row in places.bill.drives) or f'"{NOT_PRICED}"'
    return f'IF(ISNUMBER({sets}),IF({sets}=0,0,IFERROR({sets}*({drives}),"{NOT_PRICED}")),"{NOT_PRICED}")'


_FORMULAS: Mapping[str, Callable[[_Places, int], str]] = {
    "Equipment": _equipment,
    "Spare parts": _spares,
    "Energy with cooling": _metered,
    "Power, cooling and space": _all_in,
    "Space": _space,
    "Support": _support,
    "Replacement of worn drives": _wear,
}
"""The live formula of each kind of cost, by its name, for the low and the high end."""
