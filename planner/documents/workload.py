"""The workload in the document: what the data asks for, where the time goes, and what more would be worth."""

from __future__ import annotations

import math

from reportlab.platypus import Flowable, KeepTogether

from planner.core.units import counted
from planner.documents.curves import goodput_picture, goodput_words
from planner.documents.parts import bullets, chart, pairs, section, table, text, topic
from planner.documents.text import LONGEST, clean
from planner.plan import JobResult, Plan
from planner.sections.pipeline import PipelinePlan
from planner.sections.worth import Alternative


def pipeline(plan: Plan) -> list[Flowable]:
    """Each job's data: import, preparation, reads, files, caches, and its loaders."""
    found = section("Data pipeline", "pipeline")
    for result in plan.jobs:
        reads, data = result.job.ingest, result.pipeline
        rows: list[tuple[object, object]] = [
            ("Raw data", f"{reads.raw_dataset_bytes}, imported in {data.import_s}"),
            (
                "Preparation",
                f"{counted(data.preprocess_core_count.number, 'core')}, {counted(data.preprocess_node_count.number, 'node')}; "
                f"{reads.staging_write_bytes_per_s} written",
            ),
            (
                "Active dataset",
                f"{reads.dataset_bytes} in {counted(data.file_count.number, 'file')} of {data.file_bytes}",
            ),
            (
                "Read demand",
                f"{reads.read_bytes_per_s}; a node {reads.node_read_bytes_per_s}, a GPU {reads.gpu_read_bytes_per_s}",
            ),
            ("Files opened", data.open_per_s.text()),
            ("Epoch", f"{data.epoch_s}; {data.epoch_count} in the run"),
            (
                "Local cache",
                f"{data.cached_fraction} of the dataset; warm reads {data.warm_read_bytes_per_s}; {_first_epoch(data)}",
            ),
            (
                "Memory of a node",
                f"{reads.prefetch_bytes} for prefetch, {result.job.checkpoint.host_memory_bytes} for saves, "
                f"{data.page_cache_bytes} left for the page cache",
            ),
        ]
        levels = [
            (level.label, level.read_bytes_per_s.text(), level.write_bytes_per_s.text())
            for level in data.levels
        ]
        found += [
            *topic(_name(plan, result), f"pipeline-{result.job.path}"),
            *pairs(rows),
            *bullets(result.advice),
            text("What is sold for so many GPUs, for reference; it is no requirement:"),
            *table(("Level", "Read", "Write"), levels, (0.5, 0.25, 0.25)),
        ]
    return found


def _first_epoch(data: PipelinePlan) -> str:
    """How long the first epoch takes that fills the cache, or that storage has to be sized for it."""
    if math.isinf(data.cold_epoch_s.number):
        return "later epochs read nothing from storage, which is sized for the first one"
    return f"the first epoch takes {data.cold_epoch_s} if storage is sized for the later ones"


def worth(plan: Plan) -> list[Flowable]:
    """Where each job's time goes, what other ways of saving give, and the price of waste in bandwidth."""
    found = section("Training time and what it is worth", "worth")
    if len(plan.jobs) > 1:
        found += _together(plan)
    whose = f" of {clean(plan.main.job.name, limit=LONGEST)}" if len(plan.jobs) > 1 else ""
    picture = chart(
        f"Goodput over the interval{whose}", "goodput-chart", goodput_words(plan), goodput_picture(plan)
    )
    # a heading alone would stay behind where its drawing moves to the next page
    found = [*found, *picture] if len(plan.jobs) > 1 else [KeepTogether([*found, *picture])]
    for result in plan.jobs:
        good, value = result.goodput, result.worth
        rows: list[tuple[object, object]] = [
            ("Goodput", f"{good.goodput_fraction}; at the best interval {good.best_goodput_fraction}"),
            (
                "Time lost",
                f"stalls {value.stalled_fraction}, repeated work {value.lost_work_fraction}, restarts "
                f"{value.restart_fraction}",
            ),
            ("In money", f"{good.lost_usd_per_year} of {value.job_usd_per_year}"),
            (
                "Interval by Young, by Daly",
                f"{good.young_interval_s}, {value.daly_work_s}; ETTR by Meta {value.ettr_fraction}",
            ),
            (
                "One GB/s more is worth",
                f"saving synchronously {value.worth_fixed_usd_per_year} at this interval, {value.worth_best_usd_per_year} "
                f"at the best; {value.worth_async_usd_per_year} asynchronously; it costs {value.step_usd_per_year}",
            ),
            (
                "Bandwidth worth buying",
                f"saving synchronously {value.best_fixed_bytes_per_s} at this interval, {value.best_bytes_per_s} at the "
                f"best; {value.best_async_bytes_per_s} asynchronously; a save sees {value.array_bytes_per_s}",
            ),
        ]
        found += [
            *topic(_name(plan, result), f"worth-{result.job.path}"),
            *pairs(rows),
            *_alternatives(result),
            *_budgets(result),
        ]
    return found


def _name(plan: Plan, result: JobResult) -> str:
    name = clean(result.job.name, limit=LONGEST)
    return f"{name} ({plan.jobs.index(result) + 1})" if len(plan.jobs) > 1 else name


def _together(plan: Plan) -> list[Flowable]:
    both = plan.together
    rows = [
        (_name(plan, result), result.save.save_s.text(), at_once.text())
        for result, at_once in zip(plan.jobs, both.coinciding_s, strict=True)
    ]
    return [
        *topic("All jobs together", "together"),
        text(
            f"{counted(both.gpu_count.number, 'GPU')} at a goodput of {both.goodput_fraction}; {both.lost_usd_per_year} lost; "
            f"{both.daily_write_bytes_per_day} written."
        ),
        *table(("Job", "Save alone", "Save when all save at once"), rows, (0.5, 0.25, 0.25)),
    ]


def _alternatives(result: JobResult) -> list[Flowable]:
    rows = [
        (
            row.name,
            row.work_s.text(),
            row.stall_s.text(),
            row.goodput_fraction.text(),
            row.saved_usd_per_year.text(),
            row.extra_usd.text() if row.extra_usd else "nothing",
            _pays(row),
            row.remark,
        )
        for row in result.worth.alternatives
    ]
    head = ("Alternative", "Work between saves", "Stall", "Goodput", "Saved", "Costs", "Pays after", "Remark")
    return table(head, rows, (0.2, 0.1, 0.08, 0.09, 0.12, 0.1, 0.1, 0.21))


def _pays(row: Alternative) -> str:
    if row.pays_back_s is not None:
        return row.pays_back_s.text()
    return "at once" if row.saved_usd_per_year.number > 0 else "never"


def _budgets(result: JobResult) -> list[Flowable]:
    rows = [
        (
            row.budget_fraction.text(),
            row.fixed_bytes_per_s.text(),
            row.stall_s.text() if row.stall_s.number else "none left",
            row.best_bytes_per_s.text() if row.best_bytes_per_s.known else "not attainable",
        )
        for row in result.worth.budgets
    ]
    head = ("Waste", "Bandwidth, stalls at this interval", "Stall, best interval", "Bandwidth, best interval")
    return [
        text("What a budget of waste asks for, saving synchronously:"),
        *table(head, rows, (0.16, 0.3, 0.26, 0.28)),
    ]
