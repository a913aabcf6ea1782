"""Axes as they are typed, and the table as CSV."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pandas as pd
import pytest

from planner import PlannerError, Scenario, sweep
from planner.explore.command import axes_of, sweep_csv

INTERVAL = "jobs.0.checkpoint.interval_s"


@pytest.mark.parametrize(
    ("text", "values"),
    [
        (f"{INTERVAL}=600:1200:3", [600.0, 900.0, 1200.0]),
        (f"{INTERVAL}=10 min : 1 h : 2", [600.0, 3600.0]),
        (f"{INTERVAL}=60:6000:3:log", pytest.approx([60.0, 600.0, 6000.0])),
        (f"{INTERVAL}=30min,1h", [1800.0, 3600.0]),
        ("cluster.node_count=1:4:7", [1, 2, 3, 4]),
        ("cluster.node_count=1024,2e3", [1024, 2000]),
        ("storage.hot.protection_id=auto,8+2", [None, "8+2"]),
        ("storage.hot.drive_count=auto,24", [None, 24]),
        ("network.lossless_possible=true,no", [True, False]),
        ("jobs.0.parallelism.sharding_stage=0,3", [0, 3]),
        ("site.rack_limit_w=17 kW,40 kW", [17_000.0, 40_000.0]),
    ],
)
def test_axes_are_read(text: str, values: Any) -> None:
    path = text.partition("=")[0]
    assert axes_of(Scenario(), [text]) == {path: values}


@pytest.mark.parametrize(
    ("texts", "line"),
    [
        ([INTERVAL], "write it as path=low:high:count"),
        (["jobs.0.interval=1:2:3"], "no input “jobs.0.interval”"),
        ([f"{INTERVAL}=600:1200:3", f"{INTERVAL}=600:1200:3"], "the axis is there twice"),
        ([f"{INTERVAL}="], "the axis is empty"),
        ([f"{INTERVAL}=600:1200"], "is no range"),
        ([f"{INTERVAL}=600:1200:3:lin"], "is no range"),
        ([f"{INTERVAL}=600:1200:3:log:2"], "is no range"),
        ([f"{INTERVAL}=600:1200:1"], "a range of 1 values"),
        ([f"{INTERVAL}=600:1200:2.5"], "is not a whole number"),
        ([f"{INTERVAL}=1200:600:3"], "its low end comes first"),
        ([f"{INTERVAL}=600:1200:3000000"], "a range of 3000000 values"),
        ([f"{INTERVAL}=600:fast:3"], "“fast” is not a number"),
        (
            ["cluster.node_count=1:1e30:3"],
            r"cluster.node_count \(GPU nodes\): 1e\+30 is not allowed; use 1 to 200.000",
        ),
        (
            ["network.posix_stack_fraction=1e-300:0.5:3"],
            "1e-300 is not allowed; use 0.01.% to 100.%; the nearest is 0.01.%",
        ),
        (["storage.hot.usable_bytes=5e-324:1e12:3:log"], "is not allowed; use 1.B to 1.EB"),
        (["prices.gpu_usd_per_hour=5e-324:4:3:log", "prices.term_years=0:1e308:2"], "prices.term_years"),
        (["prices.gpu_usd_per_hour=0:4:3:log"], "equal ratios cannot begin at 0"),
    ],
)
def test_what_cannot_be_read_is_refused(texts: list[str], line: str) -> None:
    with pytest.raises(PlannerError, match=line):
        axes_of(Scenario(), texts)


def test_words_that_do_not_exist_are_left_to_the_sweep() -> None:
    with pytest.raises(PlannerError, match=r"jobs\.0\.checkpoint\.mode .* did you mean async"):
        sweep_csv(Scenario(), ["jobs.0.checkpoint.mode=asynch"])


def test_the_table_is_written_to_the_last_digit() -> None:
    text = sweep_csv(Scenario(), [f"{INTERVAL}=600:6000:12", "storage.hot.protection_id=auto,8+2"])
    read = pd.read_csv(io.BytesIO(text), keep_default_na=False, na_values={"storage.hot.protection_id": [""]})
    table = sweep(
        Scenario(), {INTERVAL: np.linspace(600, 6000, 12), "storage.hot.protection_id": [None, "8+2"]}
    )
    assert list(read.columns) == list(table.columns)
    assert len(read) == 24
    for name in ("stall_s", "capital_high_usd", "goodput_fraction"):
        assert read[name].tolist() == table[name].tolist()
    assert read["binding"].tolist() == table["binding"].tolist()
