"""The sections of a plan: picture, table and "why" of each; only the one in view is built."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import streamlit as st

from pages._ui import answers, training
from pages._ui.figures import picture, quantity_rows, table, text, why_one
from pages._ui.markup import bold, escaped
from planner import charts
from planner.core.checks import Check
from planner.core.quantity import Quantity
from planner.core.units import BITS_PER_BYTE, format_number, format_range, format_value, sentence
from planner.plan import JobResult, Plan
from planner.sections.architecture import WEIGHTS
from planner.summary import figures as all_figures

_VERDICTS = {
    "pass": ":green[✔] pass",
    "warning": ":orange[▲] warning",
    "fail": ":red[■] fail",
    "unknown": "? unknown",
    "inside": ":green[✔] inside",
    "outside": ":orange[▲] outside",
}


_Every = Mapping[str, Mapping[str, Quantity]]


def _merged(every: _Every, *sections: str) -> dict[str, Quantity]:
    """Figures of the sections whose names begin so, with the name in front where there are several."""
    found = {name: rows for name, rows in every.items() if name.partition(" · ")[0] in sections}
    if len(found) == 1:
        return dict(next(iter(found.values())))
    return {
        f"{name.partition(' · ')[2] or name}: {label}": q
        for name, rows in found.items()
        for label, q in rows.items()
    }


def _check(check: Check) -> str:
    """A check in one line: verdict, what is provided, what is required."""
    return (
        f"{_VERDICTS[check.verdict]} · {escaped(check.name)}: {text(check.provided)} provided, "
        f"{text(check.required)} required ({escaped(check.source)})"
    )


def _job(plan: Plan, index: int) -> str:
    """Name of a job as a column's head; a number keeps two of one name apart."""
    return plan.jobs[index].job.name + (f" ({index + 1})" if len(plan.jobs) > 1 else "")


def checkpoints(plan: Plan) -> None:
    """Size, save, stall and goodput of each job."""
    picture(charts.save_time_chart, plan, "chart.saves")
    columns: dict[str, Mapping[str, Quantity]] = {}
    for index, result in enumerate(plan.jobs):
        own, good = result.job.checkpoint, result.goodput
        shown = (
            own.size_bytes,
            own.bytes_per_parameter_bytes,
            own.shard_bytes,
            own.interval_s,
            own.saves_per_day,
            own.target_s,
            own.required_write_bytes_per_s,
            good.stall_s,
            good.flush_s,
            good.load_s,
            good.restart_s,
            good.interruption_s,
            good.goodput_fraction,
            good.best_work_s,
            good.best_goodput_fraction,
            own.retained_bytes,
            own.daily_write_bytes_per_day,
            own.drain_bytes_per_s,
            own.archived_bytes,
            good.lost_usd_per_year,
        )
        named = {q.label: q for q in (result.save.save_s, *shown)}
        named |= {f"Save, {case}": save.save_s for case, save in result.degraded.items()}
        columns[_job(plan, index)] = named
        st.markdown(
            f"{escaped(result.job.name)}: the slowest stage is {bold(result.save.binding)}, "
            f"then {escaped(result.save.following)}."
        )
    table(quantity_rows(columns), alt="Checkpoints by job")
    why_one("checkpoints", _merged(all_figures(plan), "Checkpoints"))


def pipeline(plan: Plan) -> None:
    """Reads of each job, and how to set its data loader."""
    every = all_figures(plan)
    columns = {
        _job(plan, index): rows
        for index, rows in enumerate(r for n, r in every.items() if n.startswith("Data pipeline"))
    }
    table(quantity_rows(columns), alt="Reads by job")
    for index, result in enumerate(plan.jobs):
        _levels(result, _job(plan, index))
    for result in plan.jobs:
        st.markdown(bold(f"Data loader of {result.job.name}"))
        st.markdown("\n".join(f"- {escaped(sentence(line))}" for line in result.advice))
    st.markdown("**Local NVMe alone**")
    table(
        quantity_rows({"Per node or cluster": every["Local NVMe"]}),
        alt="What the nodes' own drives can hold",
    )
    why_one("pipeline", _merged(every, "Data pipeline", "Local NVMe"))


def _levels(result: JobResult, name: str) -> None:
    """A vendor's published levels beside what the job asks for: what is sold, not what is needed."""
    if not result.pipeline.levels:
        return
    st.markdown(bold(f"Published supply levels for the GPUs of {name}, for reference"))
    needed = {
        "Level": "This job needs",
        "Reads": text(result.job.ingest.read_bytes_per_s),
        "Writes": text(result.job.checkpoint.required_write_bytes_per_s),
    }
    levels = [
        {
            "Level": escaped(level.label),
            "Reads": text(level.read_bytes_per_s),
            "Writes": text(level.write_bytes_per_s),
        }
        for level in result.pipeline.levels
    ]
    table([needed, *levels], alt=f"Published supply levels beside the need of {name}")


def tiers(plan: Plan) -> None:
    """Every tier: size, bandwidth and what decides it."""
    picture(charts.tiers_chart, plan, "chart.tiers")
    columns: dict[str, Mapping[str, Quantity]] = {}
    for tier in plan.tiers:
        named = {
            "Contents": tier.demand.content_bytes,
            "Units": tier.unit_count,
            "Drives": tier.drive_count,
            "Drive": tier.drive_bytes,
            "Raw": tier.raw_bytes,
            "Usable": tier.usable_bytes,
            "Safe to fill": tier.safe_bytes,
            "Usable needed": tier.needed_bytes,
            "Write, needed": tier.demand.write_bytes_per_s,
            "Write, provided": tier.write_bytes_per_s,
            "Read, needed": tier.demand.read_bytes_per_s,
            "Read, provided": tier.read_bytes_per_s,
            "Steady load": tier.steady_fraction,
        }
        columns[tier.name] = named
    rows = quantity_rows(columns)
    rows.append({"Figure": "Platform"} | {escaped(t.name): escaped(t.platform.name) for t in plan.tiers})
    rows.append(
        {"Figure": "Decided by"} | {escaped(t.name): _decided(t.binding, t.following) for t in plan.tiers}
    )
    table(rows, alt="Tiers side by side")
    st.markdown(
        f"Architecture: {bold(plan.architecture.choice.label)}, "
        f"{escaped(plan.architecture.choice.reason)}. "
        f"{escaped(plan.architecture.access)}"
    )
    _architecture(plan)
    every = all_figures(plan)
    why_one("tiers", {f"{t.name}: {label}": q for t in plan.tiers for label, q in every[t.name].items()})


def _architecture(plan: Plan) -> None:
    """Points of each architecture with their reasons, and the namespaces that the access model needs."""
    table(
        [
            {"Architecture": escaped(score.label), "Points": str(score.total)}
            | {
                escaped(f"{name} (×{weight})"): escaped(f"{score.points[name]}: {score.reasons[name]}")
                for name, weight in WEIGHTS.items()
            }
            for score in plan.architecture.scores
        ],
        alt="Architectures by points",
    )
    table(
        [
            {
                "Namespaces for": escaped(item.purpose),
                "Count": text(item.count),
                "Size": text(item.size_bytes),
                "Mounted by": escaped(item.hosts),
                "File system": escaped(item.file_system),
            }
            for item in plan.architecture.namespaces
        ],
        alt="Namespaces",
    )


def _decided(binding: str, following: str) -> str:
    return f"{bold(binding)}" + (f", then {escaped(following)}" if following else "")


def network(plan: Plan) -> None:
    """Ports, switches, transports and the checklist for a lossless network."""
    net, every = plan.network, all_figures(plan)
    for choice in (net.transport, net.topology, net.separate):
        st.markdown(f"{bold(sentence(choice.label))}: {escaped(choice.reason)}.")
    table(
        [
            {
                "Transport": escaped(row.label) + (" (chosen)" if row.name == net.transport.value else ""),
                "Save": escaped(format_range(row.save_low_s.number, row.save_high_s.number, "s")),
                "Meets the target": _VERDICTS["pass" if row.meets_target else "fail"],
                "Decided by": escaped(row.binding),
                "Bandwidth": text(row.bandwidth_bytes_per_s),
                "CPU cores": text(row.core_count),
            }
            for row in plan.transport
        ],
        alt="The same save over each transport",
    )
    st.markdown("**Where the choice would change**")
    st.markdown("\n".join(f"- {escaped(sentence(flip.condition))}" for flip in plan.flips))
    table(quantity_rows({net.switch.model: every["Network"]}), alt="Links, ports and switches")
    for subject, done, remark in net.checklist:
        st.markdown(f"{_VERDICTS['pass' if done else 'fail']} · {escaped(subject)}: {escaped(remark)}")
    why_one("network", _merged(every, "Network"))


def endurance(plan: Plan) -> None:
    """Writes against the rating, and the protection schemes side by side."""
    picture(charts.endurance_chart, plan, "chart.endurance")
    st.markdown(_check(plan.endurance.check))
    st.markdown(
        f"Protection: {bold(plan.protection.scheme_label)} over {escaped(plan.protection.domain)}s; "
        f"{escaped(plan.protection.survives)}."
    )
    table(
        [
            {
                "Scheme": escaped(row.scheme.label),
                "Raw for one usable": text(row.protection_ratio),
                "Raw": text(row.raw_bytes),
                "Failures survived": str(row.failures_count),
                "Width": str(row.width_count),
                "Rebuild": text(row.rebuild_s),
                "Loss in a year": text(row.loss_fraction),
            }
            for row in plan.protection.rows
        ],
        alt="Protection schemes on the same data",
    )
    stripe = plan.protection.stripe
    if stripe is not None:
        st.markdown(
            f"Stripes: chunks of {text(stripe.chunk_bytes)} make a full stripe of {text(stripe.full_stripe_bytes)}; "
            f"{text(stripe.aligned_fraction)} of a write of {text(stripe.block_bytes)} fills whole stripes. Writes that "
            f"begin anywhere cost up to {text(stripe.unaligned_ratio)} on the drives."
        )
    why_one("endurance", _merged(all_figures(plan), "Endurance"))


def power(plan: Plan) -> None:
    """Watts, rack units and racks, part by part."""
    picture(charts.rack_power_chart, plan, "chart.power")
    every = all_figures(plan)
    st.markdown(_check(plan.facility.rack_check))
    st.markdown(_check(plan.facility.feed_check))
    table(
        [
            {
                "Part": escaped(_part(row.name)),
                "Count": text(row.count),
                "Typical each": text(row.typical_w),
                "Maximum each": text(row.max_w),
                "Rack units each": text(row.rack_units_ru),
                "Typical": text(row.total_typical_w),
                "Maximum": text(row.total_max_w),
                "Rack units": text(row.total_ru),
            }
            for row in plan.facility.rows
        ],
        alt="Power and space by part",
    )
    table(quantity_rows({"All racks": every["Power and racks"]}), alt="Power, cooling and space")
    why_one("power", _merged(every, "Power and racks"))


def _part(name: str) -> str:
    """A part's name; optics are known by the id of their row."""
    kind, _, row_id = name.partition(" ")
    optic = answers.catalogue().optics.get(row_id) if kind == "Optics" else None
    rate = (
        f", {format_value(optic.speed_bytes_per_s.number * BITS_PER_BYTE, 'bits/s')}"
        if optic and optic.speed_bytes_per_s
        else ""
    )
    return f"{optic.type} optics{rate}" if optic else name


def cost(plan: Plan) -> None:
    """The bill of materials with price ranges, and the totals."""
    picture(charts.cost_chart, plan, "chart.cost")
    every = all_figures(plan)
    st.markdown(f"Prices: {bold(plan.cost.price_set.label)}, {escaped(plan.cost.price_set.reason)}.")
    table(
        [
            {
                "Part": escaped(line.description),
                "Together": _money(line.extended_low_usd, line.extended_high_usd),
                "Quantity": text(line.quantity),
                "Each": _money(line.price_low_usd, line.price_high_usd),
                "Group": escaped(line.group),
                "Price": escaped(", ".join(part for part in (line.price_grade, line.price_as_of) if part)),
                "Because of": escaped(line.cause),
            }
            for line in plan.bom
        ],
        alt="Bill of materials",
    )
    sources = dict.fromkeys(line.price_source for line in plan.bom if line.priced)
    with st.expander(f"Where the prices come from ({len(sources)} sources)"):
        st.markdown("\n".join(f"- {escaped(source)}" for source in sources))
    table(quantity_rows({"Design": every["Cost"]}), alt="Totals")
    why_one("cost", _merged(every, "Cost"))


def _money(low: Quantity, high: Quantity) -> str:
    if not (low.known and high.known):
        return "not priced"
    return escaped(format_range(low.number, high.number, "USD"))


def guide(plan: Plan) -> None:
    """Each figure of the guide beside this design's."""
    outside = sum(row.verdict == "outside" for row in plan.guide)
    st.markdown(
        f"{len(plan.guide)} figures of the guide speak of this design; {outside} are outside its ranges."
    )
    table(
        [
            {
                "Figure": escaped(row.quantity),
                "Guide": escaped(row.guide_text),
                "This design": escaped(row.design_text),
                "Ratio": escaped(format_number(row.ratio)),
                "Verdict": _VERDICTS[row.verdict],
                "Why they differ": escaped(row.reason),
                "Source": escaped(row.source),
            }
            for row in plan.guide
        ],
        alt="Guide check",
    )
    why_one("guide", {row.quantity: row.design for row in plan.guide})


def monitoring(plan: Plan) -> None:
    """What to watch in operation, with this design's thresholds."""
    table(
        [
            {
                "Group": escaped(w.group),
                "Watch": escaped(w.subject),
                "Alarm at": text(w.threshold),
                "Meaning": escaped(w.meaning),
            }
            for w in plan.monitoring
        ],
        alt="What to watch",
    )
    why_one("monitoring", {f"{w.group}: {w.subject}": w.threshold for w in plan.monitoring})


SECTIONS: dict[str, Callable[[Plan], None]] = {
    "Checkpoints": checkpoints,
    "Training time": training.training,
    "Checkpoint files": training.layout,
    "Data pipeline": pipeline,
    "Tiers": tiers,
    "Network": network,
    "Endurance and protection": endurance,
    "Power and racks": power,
    "Cost": cost,
    "Guide check": guide,
    "Monitoring": monitoring,
    "Limits": training.limits,
}
