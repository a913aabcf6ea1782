"""Formulas on failures, bursts, endurance, queues and money: arrays give what numbers give."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from planner.core.formula import FORMULAS
from planner.sizing import (
    burst,
    cadence,
    durability,
    economics,
    endurance,
    failure_rates,
    lost_time,
    queueing,
)

MODULES = (burst, cadence, durability, economics, endurance, failure_rates, lost_time, queueing)
FORMULAS_HERE = [
    function
    for function in FORMULAS
    if function.__module__ in {module.__name__ for module in MODULES}
    and function is not burst.max_min_allocation
]
"""All but the one whose last axis holds flows, not designs; `test_burst.py` tests it."""
INTEGERS = {"parity_count": 2, "width_count": 10}
"""Arguments that some formulas loop over: one whole number for all designs."""
LOOPED = {
    "loss_time_s",
    "parallel_loss_time_s",
    "group_loss_time_s",
    "declustered_loss_time_s",
    "critical_rebuild_s",
    "lost_stripe_fraction",
    "outage_loss_fraction",
}
SPANS = {
    "_fraction": (0.05, 0.6),
    "_ratio": (1.1, 2.5),
    "_count": (20.0, 60.0),
    "_bytes_per_s": (1e9, 9e10),
    "_per_day": (1e12, 4e13),
    "_bytes": (1e11, 9e12),
    "_usd_per_kwh": (0.05, 0.2),
    "_per_s": (1e-8, 1e-6),
    "_s": (10.0, 3000.0),
    "_dwpd": (1.0, 3.0),
}
"""Values to try by the end of an argument's name; others lie between 1 and 5."""
NARROW = {
    "domain_chunk_count": (1.0, 4.0),
    "parity_count": (2.0, 5.0),
    "data_count": (8.0, 12.0),
    "tolerated_count": (1.0, 4.0),
    "changed_count": (1.0, 4.0),
    "width_count": (10.0, 15.0),
    "lost_node_count": (2.0, 6.0),
    "lost_count": (1.0, 4.0),
    "shared_stall_s": (3000.0, 4000.0),
    "after_fraction": (0.6, 0.9),
    "quantile_fraction": (0.9, 0.99),
    "mean_life_s": (1e7, 1e9),
    "slow_fraction": (1e-4, 1e-3),
    "bit_error_ratio": (1e-17, 1e-16),
}


def values(name: str, rng: np.random.Generator) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Six values that an argument of this name may have."""
    by_suffix = next((span for suffix, span in SPANS.items() if name.endswith(suffix)), (1.0, 5.0))
    low, high = NARROW.get(name, by_suffix)
    drawn = rng.uniform(low, high, 6)
    return np.floor(drawn) if name.endswith("_count") else drawn


@pytest.mark.parametrize("function", FORMULAS_HERE, ids=lambda function: FORMULAS[function].name)
def test_arrays_give_what_numbers_give(function: Callable[..., Any]) -> None:
    """One call with arrays equals a call for each design, and has their shape."""
    rng = np.random.default_rng(1)
    fixed = INTEGERS if function.__name__ in LOOPED else {}
    names = FORMULAS[function].symbols
    arrays = {name: values(name, rng) for name in names if name not in fixed}
    constants = {name: fixed[name] for name in names if name in fixed}
    together = function(**arrays, **constants)
    singly = [
        function(**{name: float(column[i]) for name, column in arrays.items()}, **constants) for i in range(6)
    ]
    assert np.shape(together) == (6,)
    assert np.asarray(together).tolist() == pytest.approx([float(value) for value in singly], rel=1e-12)
    assert all(np.ndim(value) == 0 for value in singly)
    assert len(set(np.asarray(together).tolist())) > 1
