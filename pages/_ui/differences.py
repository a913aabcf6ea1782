"""What two to four designs have in common and where they part: lines of text, no widgets."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from pages._ui import figures, session
from pages._ui.markup import escaped
from planner.bom import BomLine
from planner.core.quantity import Quantity
from planner.core.units import format_number
from planner.plan import Plan
from planner.summary import difference, key_figures
from planner.summary import figures as all_figures

Row = dict[str, str]


def results(plans: Mapping[str, Plan], section: str) -> list[Row]:
    """Figures of a section, a line each, with the change of each design against the first.

    Each design's name begins with the letter that the column of its changes is called by.
    """
    pick: Callable[[Plan], Mapping[str, Quantity]] = (
        key_figures if section == KEY_FIGURES else lambda plan: all_figures(plan).get(section, {})
    )
    columns = {name: pick(plan) for name, plan in plans.items()}
    first = next(iter(columns.values()))
    labels = dict.fromkeys(label for column in columns.values() for label in column)
    return [_result(label, columns, first) for label in labels]


KEY_FIGURES = "Key figures"


def _result(label: str, columns: Mapping[str, Mapping[str, Quantity]], first: Mapping[str, Quantity]) -> Row:
    row = {"Figure": escaped(label)}
    for number, (name, column) in enumerate(columns.items()):
        item = column.get(label)
        row[escaped(name)] = "" if item is None else figures.text(item)
        if number:
            base = first.get(label)
            row[f"Change in {name[0]}"] = (
                escaped(difference(item, base, binary=session.binary())) if item and base else ""
            )
    return row


def sections(plans: Mapping[str, Plan]) -> list[str]:
    """Names of all sections that any of the plans has, the key figures first."""
    return [KEY_FIGURES, *dict.fromkeys(name for plan in plans.values() for name in all_figures(plan))]


def finding_rows(plans: Mapping[str, Plan]) -> list[Row]:
    """Every finding of any design, and which designs have it."""
    rows: dict[tuple[str, str], Row] = {}
    for name, plan in plans.items():
        for finding in plan.findings:
            row = rows.setdefault(
                (finding.severity, finding.code),
                {"Finding": f"{finding.severity} {escaped(finding.code)}"}
                | {escaped(other): "" for other in plans},
            )
            row[escaped(name)] = f"{row[escaped(name)]} {escaped(finding.message)}".strip()
    order = {"blocker": 0, "warning": 1, "note": 2}
    return [rows[key] for key in sorted(rows, key=lambda key: (order[key[0]], key[1]))]


def bom_rows(plans: Mapping[str, Plan]) -> list[Row]:
    """The bill of materials line by line: quantity in each design, and added, removed or changed."""
    names = list(plans)
    counts = {name: _counts(plan.bill.lines) for name, plan in plans.items()}
    keys = dict.fromkeys(key for column in counts.values() for key in column)
    rows = []
    for key in keys:
        held = [counts[name].get(key) for name in names]
        row = {"Part": escaped(key[1]), "Group": escaped(key[0])}
        row |= {
            escaped(name): "none" if line is None else figures.text(line.quantity)
            for name, line in zip(names, held, strict=True)
        }
        rows.append(row | {"Change": bom_change(held)})
    return rows


def differs(row: Row) -> bool:
    """Whether a row of findings or of the bill is not the same in all designs."""
    told = row.get("Change")
    if told is not None:
        return told != "same"
    _, *held = row.values()
    return len(set(held)) > 1


def _counts(lines: Sequence[BomLine]) -> dict[tuple[str, str], BomLine]:
    return {(line.group, line.title): line for line in lines}


def bom_change(held: Sequence[BomLine | None]) -> str:
    """How the last design differs from the first in one line; "differs" if only one between does."""
    first, last = held[0], held[-1]
    if first is None and last is None:
        return "differs"
    if first is None:
        return "added"
    if last is None:
        return "removed"
    if first.quantity.number != last.quantity.number:
        sign = "+" if last.quantity.number > first.quantity.number else "-"
        return escaped(f"{sign}{format_number(abs(last.quantity.number - first.quantity.number), None)}")
    return (
        "same"
        if all(line is not None and line.quantity.number == first.quantity.number for line in held)
        else "differs"
    )
