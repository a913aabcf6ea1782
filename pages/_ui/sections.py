"""The sections of a plan: picture, table and "why" of each; only the one in view is built."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import streamlit as st

from pages._ui import fabric, kit, kit_endurance, money, power, training
from pages._ui.figures import picture, quantity_rows, table, text, why_one
from pages._ui.markup import bold, escaped
from pages._ui.verdicts import VERDICTS, merged, named_jobs
from planner import charts
from planner.core.quantity import Quantity
from planner.core.units import format_number, sentence
from planner.plan import JobResult, Plan
from planner.summary import figures as all_figures


def checkpoints(plan: Plan) -> None:
    """Size, save, stall and goodput of each job."""
    picture(charts.save_time_chart, plan, "chart.saves")
    columns: dict[str, Mapping[str, Quantity]] = {}
    for name, result in named_jobs(plan):
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
        columns[name] = named
        st.markdown(
            f"{escaped(name)}: the slowest stage is {bold(result.save.binding)}, "
            f"then {escaped(result.save.following)}."
        )
    table(quantity_rows(columns), alt="Checkpoints by job")
    why_one("checkpoints", merged(all_figures(plan), "Checkpoints"))


def pipeline(plan: Plan) -> None:
    """Reads of each job, and how to set its data loader."""
    every, jobs = all_figures(plan), named_jobs(plan)
    reads = [rows for section, rows in every.items() if section.startswith("Data pipeline")]
    columns = {name: rows for (name, _), rows in zip(jobs, reads, strict=True)}
    table(quantity_rows(columns), alt="Reads by job")
    for name, result in jobs:
        _levels(result, name)
    for name, result in jobs:
        st.markdown(bold(f"Data loader of {name}"))
        st.markdown("\n".join(f"- {escaped(sentence(line))}" for line in result.advice))
    st.markdown("**Local NVMe alone**")
    table(
        quantity_rows({"Per node or cluster": every["Local NVMe"]}),
        alt="What the nodes' own drives can hold",
    )
    why_one("pipeline", merged(every, "Data pipeline", "Local NVMe"))


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


def guide(plan: Plan) -> None:
    """Each figure of the guide beside this design's."""
    outside = sum(row.verdict == "outside" for row in plan.guide)
    st.markdown(
        f"{len(plan.guide)} figures of the guide speak of this design; {outside} {'is' if outside == 1 else 'are'} "
        "outside its ranges."
    )
    table(
        [
            {
                "Figure": escaped(row.quantity),
                "Guide": escaped(row.guide_text),
                "This design": escaped(row.design_text),
                "Ratio": escaped(format_number(row.ratio)),
                "Verdict": VERDICTS[row.verdict],
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
                "Watch": escaped(sentence(w.subject)),
                "Group": escaped(w.group),
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
    "Tiers": kit.tiers,
    "Network": fabric.network,
    "Endurance and protection": kit_endurance.endurance,
    "Power and racks": power.power,
    "Cost": money.cost,
    "Guide check": guide,
    "Monitoring": monitoring,
    "Limits": training.limits,
}
