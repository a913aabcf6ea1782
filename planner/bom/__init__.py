"""The bill of materials: what to buy, with price range, source, watts, place and the demand that caused it."""

from planner.bom.bill import Bill, full_bill, group_sums, sums_of
from planner.bom.equipment import bill_of_materials
from planner.bom.lines import NOT_PRICED, BomLine, Price, cost_by_group

__all__ = [
    "NOT_PRICED",
    "Bill",
    "BomLine",
    "Price",
    "bill_of_materials",
    "cost_by_group",
    "full_bill",
    "group_sums",
    "sums_of",
]
