"""Power and heat as a sheet: watts or numbers of a part may be typed over, and the sums, heat and energy follow."""

from __future__ import annotations

from dataclasses import dataclass

from xlsxwriter.utility import xl_rowcol_to_cell  # type: ignore[import-untyped]

from planner.core.quantity import Quantity
from planner.documents.appendix import computed_from
from planner.documents.formulas import plain_formula
from planner.documents.spreadsheet import Book, Sheet, Styles, heads, print_wide, write
from planner.documents.tables import UNKNOWN, power_table
from planner.plan import Plan

NAME = "Power"
HOURS_PER_YEAR, BTU_PER_WATT_HOUR = 8760, 3.412142
"""Hours of a year of 365 days, and BTU an hour for each watt: the figures of the formulas beside them."""
_COUNT, _EACH, _SUMS = 1, (2, 3, 4), (5, 6, 7)


@dataclass(frozen=True, slots=True)
class PowerCells:
    """Where the cost finds the load: the cell of the typical watts, as a reference from another sheet."""

    typical_w: str


def power_sheet(book: Book, styles: Styles, plan: Plan) -> PowerCells:
    """Parts with their watts, the sums, and what follows from them."""
    table, site = power_table(plan), plan.facility
    sheet = book.add_worksheet(NAME)
    sheet.freeze_panes(1, 1)
    heads(sheet, table.head, styles)
    for column, width in enumerate((44, 12, 14, 14, 12, 14, 14, 12, 40, 60, 40)):
        sheet.set_column(column, column, width)
    for at, row in enumerate(table.rows, start=1):
        write(sheet, (at, 0), row[0], styles)
        for column in (_COUNT, *_EACH):
            write(sheet, (at, column), row[column], styles, "input")
        for each, whole in zip(_EACH, _SUMS, strict=True):
            count, one = xl_rowcol_to_cell(at, _COUNT), xl_rowcol_to_cell(at, each)
            formula = f'=IF(AND(ISNUMBER({count}),ISNUMBER({one})),{count}*{one},"{UNKNOWN}")'
            sheet.write_formula(at, whole, formula, styles["number"], row[whole])
    last = len(table.rows)
    at = last + 1
    sheet.write_string(at, 0, "All", styles["group"])
    for column, item in zip(_SUMS, (site.typical_w, site.max_w, site.rack_units_ru), strict=True):
        span = f"{xl_rowcol_to_cell(1, column)}:{xl_rowcol_to_cell(last, column)}"
        sheet.write_formula(at, column, f"=SUM({span})", styles["sum"], _shown(item))
    _follows(sheet, styles, plan, at)
    print_wide(sheet)
    return PowerCells(f"'{NAME}'!{xl_rowcol_to_cell(at, _SUMS[0], True, True)}")


def _follows(sheet: Sheet, styles: Styles, plan: Plan, total: int) -> None:
    """Heat, air and energy out of the sums, each with its printed formula, its values and its source."""
    site = plan.facility
    typical, peak = (f"${column}${total + 1}" for column in ("F", "G"))
    at = total + 2
    heads(sheet, ("Site", "Value", "Unit"), styles, row=at)
    pue, rise = f"$B${at + 2}", f"$B${at + 3}"
    for offset, (name, value, unit) in enumerate(
        (
            ("PUE, cooling inside", plan.scenario.site.pue_ratio, "ratio"),
            ("Rise of the air", plan.scenario.site.air_rise_kelvin, "K"),
        ),
        start=1,
    ):
        write(sheet, (at + offset, 0), name, styles)
        write(sheet, (at + offset, 1), float(value), styles, "input")
        write(sheet, (at + offset, 2), unit, styles)
    rows: tuple[tuple[str, str, Quantity], ...] = (
        ("Heat", f"={peak}*{BTU_PER_WATT_HOUR}", site.btu_per_hour),
        ("Cooling", f"={peak}*{BTU_PER_WATT_HOUR}/12000", site.cooling_tons),
        ("Air", f"=2.994*{peak}/{rise}", site.airflow_m3_per_hour),
        ("Air", f"=3.16*{peak}/(1.8*{rise})", site.airflow_cfm),
        ("Energy of a year", f"={typical}*{pue}/1000*{HOURS_PER_YEAR}", site.energy_kwh_per_year),
    )
    at += 4
    heads(
        sheet, ("Follows", "Value", "Unit", "As printed", "Formula", "With", "", "", "Source"), styles, row=at
    )
    for number, (name, formula, item) in enumerate(rows, start=at + 1):
        write(sheet, (number, 0), name, styles)
        sheet.write_formula(number, 1, formula, styles["number"], _shown(item))
        source = item.formula.source if item.formula is not None else item.source
        printed = plain_formula(item.formula.latex) if item.formula is not None else ""
        for column, words in (
            (2, item.unit),
            (3, item.text()),
            (4, printed),
            (5, computed_from(item)),
            (8, source),
        ):
            write(sheet, (number, column), words, styles)


def _shown(item: Quantity) -> float | str:
    """What a viewer shows that does not calculate."""
    return item.number if item.known else UNKNOWN
