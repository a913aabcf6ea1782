"""What a plan says in one sentence, in a few figures, and in all of them."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

from planner.bom.lines import not_priced
from planner.core.errors import must_be
from planner.core.quantity import Quantity
from planner.core.units import counted, every, format_number, format_range, format_value, words_of_name
from planner.plan import Plan
from planner.sections.demand import job_names
from planner.sections.durability import DurabilityPlan
from planner.sections.layout import LayoutPlan
from planner.sections.tiers import TierPlan


def must_be_plan(value: object) -> None:
    """Refuse what is no plan, such as the scenario that one is made of.

    Raises:
        PlannerError: It is none.
    """
    must_be(value, Plan, field="plan", form="a Plan, as plan() makes it of a scenario")


def headline(plan: Plan, *, binary: bool = False) -> str:
    """The sentence at the top: someone who reads only this knows the answer and what decides it."""
    must_be_plan(plan)
    result, hot = plan.main, plan.hot
    checkpoint = result.job.checkpoint

    def text(item: Quantity) -> str:
        """A figure in the units that were asked for."""
        return item.text(binary=binary)

    stall = (
        f"A {text(checkpoint.size_bytes)} checkpoint {every(checkpoint.interval_s.number)} stalls training for "
        f"{text(result.goodput.stall_s)} ({text(result.goodput.stall_fraction)} of the time)"
    )
    if result.job.policy.mode == "async":
        stall += f" and is on the hot tier after {text(result.goodput.flush_s)}"
    scheme = scheme_words(hot)
    size = (
        f"{counted(hot.drive_count.number, 'drive')} of {text(hot.drive_bytes)} in "
        f"{counted(hot.unit_count.number, 'storage node')} {'hold' if hot.drive_count.number != 1 else 'holds'} it ({scheme})"
        if hot.drive is not None
        else f"{counted(hot.unit_count.number, 'unit')} of {hot.platform.name} "
        f"{'hold' if hot.unit_count.number != 1 else 'holds'} it"
    )
    return f"{stall}. {size}; {_decided(plan)}. {_site(plan)}{_degraded(plan)}"


def scheme_words(tier: TierPlan) -> str:
    """How a tier is protected, inside a sentence: "erasure code 8+2", "RAID-Z2, 10 wide"."""
    if tier.scheme is None:
        return "the platform's protection"
    label = tier.scheme.label
    if label == "None":
        return "no protection"
    return label if label[1:2].isupper() else label[0].lower() + label[1:]


def _decided(plan: Plan) -> str:
    hot = plan.hot
    terms = sorted(((t.number, name) for name, t in hot.terms.items() if t.known), reverse=True)
    part = hot.term_unit.removesuffix("s")
    words = [
        f"{name} ({format_number(number) if place else counted(number, part)})"
        for place, (number, name) in enumerate(terms[:2])
    ]
    head = "decided by" if hot.binding in hot.terms else "the size is stated; it would need"
    return f"{head} {', then '.join(words)}" if words else "the size is stated"


def _site(plan: Plan) -> str:
    cost, facility = plan.cost, plan.facility
    money = format_range(cost.capital_low_usd.number, cost.capital_high_usd.number, "USD")
    more = f" + {not_priced(len(plan.unpriced))}" if plan.unpriced else ""
    if not cost.capital_low_usd.known:
        money, more = "cost unknown", f": {not_priced(len(plan.unpriced))}"
    return f"{facility.typical_w}, {facility.rack_units_ru}, {money}{more}."


def _degraded(plan: Plan) -> str:
    lost = plan.main.degraded.get("one storage node lost")
    scheme = plan.hot.scheme
    if lost is None or scheme is None or not scheme.parity_chunk_count or plan.hot.domain == "drive":
        return ""
    return f" One node may fail: then a save takes {lost.save_s}."


def key_figures(plan: Plan) -> dict[str, Quantity]:
    """The few figures that matter, in order."""
    must_be_plan(plan)
    result = plan.main
    return {
        "Checkpoint": result.job.checkpoint.size_bytes,
        "Stall": result.goodput.stall_s,
        "Goodput": result.goodput.goodput_fraction,
        "Write bandwidth": plan.hot.write_bytes_per_s,
        "Hot tier, usable": plan.hot.usable_bytes,
        "Power": plan.facility.typical_w,
        "Cost, low": plan.cost.capital_low_usd,
        "Cost, high": plan.cost.capital_high_usd,
    }


def key_results(plan: Plan) -> dict[str, float]:
    """The key figures as plain numbers, for the list of designs; unknown ones are left out."""
    return {name: item.number for name, item in key_figures(plan).items() if math.isfinite(item.number)}


def figures(plan: Plan) -> dict[str, dict[str, Quantity]]:
    """Every figure of the plan, by section and label."""
    many = len(plan.jobs) > 1
    found: dict[str, dict[str, Quantity]] = {"Cluster": labelled(plan.cluster)}
    names = job_names(tuple(result.job for result in plan.jobs))
    for name, result in zip(names, plan.jobs, strict=True):
        tail = f" · {name}" if many else ""
        found[f"Checkpoints{tail}"] = {
            **labelled(result.job.checkpoint),
            **labelled(result.save),
            "Save time": result.save.save_s,
            **labelled(result.goodput),
            **(labelled(result.goodput.levels) if result.goodput.levels else {}),
            **{f"Save, {case}": save.save_s for case, save in result.degraded.items()},
        }
        found[f"Checkpoint layout{tail}"] = labelled(result.layout) | _files(result.layout)
        found[f"Data pipeline{tail}"] = {**labelled(result.job.ingest), **labelled(result.pipeline)}
        found[f"Worth of time{tail}"] = labelled(result.worth)
    if many:
        found["All jobs"] = labelled(plan.together)
    found["Local NVMe"] = labelled(plan.local)
    for tier in plan.tiers:
        found[tier.name] = {**labelled(tier.demand), **labelled(tier)}
    found["Retention"] = labelled(plan.retention)
    found["Network"] = labelled(plan.network)
    found["Endurance"] = labelled(plan.endurance)
    if plan.lifetime is not None:
        found["Life of the drives"] = labelled(plan.lifetime)
    if plan.durability is not None:
        found["Durability"] = labelled(plan.durability) | _losses(plan.durability)
    found["Power and racks"] = labelled(plan.facility)
    found["Cost"] = labelled(plan.cost)
    return found


def _files(layout: LayoutPlan) -> dict[str, Quantity]:
    """How many files of each kind a checkpoint has, and how large one is."""
    return {item.label: item for group in layout.files for item in (group.count, group.size_bytes)}


def _losses(found: DurabilityPlan) -> dict[str, Quantity]:
    """Chance and cost of a loss under each assumption."""
    chances = {f"Chance if {case.name}": case.loss_fraction for case in found.cases}
    return chances | {f"Cost if {case.name}": case.cost_usd_per_year for case in found.cases}


def labelled(section: Any) -> dict[str, Quantity]:
    """Quantities of a part of a plan by their labels, those in its mappings too.

    The same figure under the same label stands once; another one gets its attribute's name beside the label.
    """
    found: dict[str, Quantity] = {}
    for field in dataclasses.fields(section):
        item = getattr(section, field.name)
        members = item.items() if isinstance(item, dict) else ((field.name, item),)
        for name, value in members:
            if isinstance(value, Quantity) and not _same(found.get(value.label), value):
                label = value.label if value.label not in found else f"{value.label} ({words_of_name(name)})"
                found[label] = value
    return found


def _same(held: Quantity | None, new: Quantity) -> bool:
    """Whether a figure is there already: as large, in the same unit."""
    return (
        held is not None
        and held.unit == new.unit
        and (held.number == new.number or not (held.known or new.known))
    )


def difference(new: Quantity, old: Quantity, *, binary: bool = False) -> str:
    """How far a figure moved: absolute and in percent; empty if it did not.

    Figures of different units, which happens where a tier changes its kind, have no difference; nor has one that is
    unknown or unlimited: what it was stands instead.
    """
    change = new.number - old.number
    if new.unit != old.unit or not math.isfinite(change):
        return "" if new.text() == old.text() else f"was {old.text(binary=binary)}"
    if change == 0:
        return ""
    sign = "+" if change > 0 else "-"
    size = format_value(abs(change), new.unit, binary=binary)
    if new.unit == "fraction":
        number = size.removesuffix("%").rstrip()
        return f"{sign}{number}\u00a0{'point' if number == '1' else 'points'}"
    share = f" ({sign}{format_number(abs(change / old.number) * 100)} %)" if old.number else ""
    return f"{sign}{size}{share}"
