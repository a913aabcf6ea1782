"""Growth from the command line: rates as they are typed, the years as lines and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from planner.core.units import UNITS, format_range, parse_value
from planner.explore.growth import Growth, Year
from planner.explore.results import plain_number


def ratio_of(text: str, name: str) -> float:
    """Growth of a year as it is typed: "30 %" is 1.3 times, "1.3" is too.

    Raises:
        PlannerError: It is no number.
    """
    return (
        1 + parse_value(text, "fraction", field=name)
        if "%" in text
        else parse_value(text, "count", field=name)
    )


def growth_lines(found: Growth) -> Iterator[str]:
    """Years of growth, a line each, and the first year of each limit."""
    for year in found.years:
        figures = ", ".join(f"{name} {item}" for name, item in year.figures.items())
        passed = year.reason or ", ".join(found.limit(f) for f in year.passed) or "nothing"
        yield f"{_when(year.number)}: {figures}; passed: {passed}{_added(year)}"
    for number, finding in found.first.values():
        yield f"first passed {_when(number)} as built today: {found.limit(finding)}: {finding.message}"


def _when(number: int) -> str:
    return "today" if number == 0 else f"year {number}"


def _added(year: Year) -> str:
    step = year.expansion
    if step is None:
        return ""
    added = "; ".join(map(str, step.additions)) or "more of the same does not mend it"
    money = format_range(step.low_usd.number, step.high_usd.number, "USD")
    left = f"; left: {' '.join(f.code for f in step.left)}" if step.left else ""
    return f"; add {added} ({money}){left}"


def growth_json(found: Growth) -> dict[str, Any]:
    """Years of growth as plain data."""
    return {
        "years": [_year(year) for year in found.years],
        "first_years": [
            {"code": code, "year": number, "message": finding.message}
            for code, (number, finding) in found.first.items()
        ],
    }


def _year(year: Year) -> dict[str, Any]:
    step = year.expansion
    figures = {
        name.lower() + UNITS[item.unit].suffix: plain_number(item.number)
        for name, item in year.figures.items()
    }
    return {
        "year": year.number,
        **figures,
        "passed": [finding.code for finding in year.passed],
        "limits": {gauge.check.name: plain_number(gauge.used_fraction) for gauge in year.gauges},
        "reason": year.reason,
        "expansion": None
        if step is None
        else {
            "additions": [
                {"path": a.path, "name": a.label, "before_count": a.before, "after_count": a.after}
                for a in step.additions
            ],
            "low_usd": plain_number(step.low_usd.number),
            "high_usd": plain_number(step.high_usd.number),
            "left": [finding.code for finding in step.left],
        },
    }
