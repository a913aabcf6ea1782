"""One implementation for one design and for many: arrays give what their numbers give, in every formula."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from planner.core.formula import FORMULAS, Formula

Values = dict[str, Any]
Numbers = np.ndarray[tuple[int], np.dtype[np.float64]]
SPREAD = sorted(
    (
        (function, rule)
        for function, rule in FORMULAS.items()
        if rule.name != "burst.max_min_allocation"  # over the flows of one design: see test_burst.py
    ),
    key=lambda item: item[1].name,
)
WHOLE = {
    "durability.loss_time_s": ("parity_count",),
    "durability.parallel_loss_time_s": ("parity_count",),
    "durability.group_loss_time_s": ("parity_count",),
    "durability.declustered_loss_time_s": ("parity_count",),
    "rebuilds.critical_rebuild_s": ("parity_count", "width_count"),
    "durability.lost_stripe_fraction": ("parity_count", "width_count"),
    "durability.outage_loss_fraction": ("parity_count", "width_count"),
}
"""Parameters that are one whole number for all designs, because they set the length of a sum or a chain."""
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
"""Values that are likely, by the end of a parameter's name; others lie between 1 and 5."""
NARROW = {
    "domain_chunk_count": (1.0, 4.0),
    "parity_count": (2.0, 5.0),
    "data_count": (8.0, 12.0),
    "tolerated_count": (1.0, 4.0),
    "changed_count": (1.0, 4.0),
    "width_count": (10.0, 15.0),
    "lost_node_count": (2.0, 6.0),
    "lost_count": (1.0, 4.0),
    "fast_stall_s": (1.0, 9.0),
    "shared_stall_s": (20.0, 60.0),
    "fast_interval_s": (100.0, 300.0),
    "shared_interval_s": (1000.0, 3000.0),
    "after_fraction": (0.6, 0.9),
    "quantile_fraction": (0.9, 0.99),
    "mean_life_s": (1e7, 1e9),
    "slow_fraction": (1e-4, 1e-3),
    "bit_error_ratio": (1e-17, 1e-16),
    "port_count": (1.0, 6.0),
    "switch_count": (1.0, 3.0),
    "included_count": (0.0, 2.0),
    "pack_count": (1.0, 3.0),
    "rack_units_ru": (20.0, 200.0),
    "leaf_count": (2.0, 20.0),
    "mtu_bytes": (1500.0, 9000.0),
    "cluster_node_count": (100.0, 200.0),
    "sharing_job_count": (1.0, 4.0),
    "rack_height_ru": (40.0, 50.0),
    "rack_limit_w": (2e4, 6e4),
    "interruption_s": (1e4, 1e6),
    "points_count": (6.0, 9.0),
    "other_points_count": (1.0, 5.0),
}
"""Parameters that make sense beside the others in these bounds alone."""


def likely(name: str, rng: np.random.Generator) -> Numbers:
    """Six values that a design may have."""
    by_suffix = next((span for suffix, span in SPANS.items() if name.endswith(suffix)), (1.0, 5.0))
    drawn = rng.uniform(*NARROW.get(name, by_suffix), 6)
    return np.floor(drawn) if name.endswith("_count") else drawn


def extreme(name: str, rng: np.random.Generator) -> Numbers:
    """Six values of any size, which take a formula to its limits and beyond."""
    if name.endswith("_fraction"):
        return rng.uniform(0.01, 0.99, 6)
    if name.endswith(("_count", "_ru")):
        return np.floor(10 ** rng.uniform(0.0, 2.7, 6))
    return 10 ** rng.uniform(-3.0, 12.0, 6)


def arguments(rule: Formula, draw: Callable[[str, np.random.Generator], Numbers], seed: int) -> Values:
    rng = np.random.default_rng(seed)
    values: Values = {name: draw(name, rng) for name in rule.symbols}
    return values | {name: 2 if name == "parity_count" else 10 for name in WHOLE.get(rule.name, ())}


def row(values: Values, index: int, number: type[float] = float) -> Values:
    """The arguments of one of the designs."""
    return {n: number(v[index]) if isinstance(v, np.ndarray) else v for n, v in values.items()}


@pytest.mark.parametrize(("function", "rule"), SPREAD, ids=[rule.name for _, rule in SPREAD])
def test_an_array_gives_what_its_numbers_give(function: Callable[..., Any], rule: Formula) -> None:
    values = arguments(rule, likely, 1)
    together = np.asarray(function(**values))
    one_by_one = [function(**row(values, index)) for index in range(6)]
    assert together.shape == (6,)
    assert {np.ndim(item) for item in one_by_one} == {0}
    assert together.tolist() == pytest.approx([float(item) for item in one_by_one], rel=1e-12)
    assert len(set(together.tolist())) > 1  # so that what is compared is no limit, and not unknown throughout
    assert np.isfinite(together).all()


def test_arrays_and_numbers_meet_the_same_limits() -> None:
    for function, rule in SPREAD:
        for seed in range(4):
            values = arguments(rule, extreme, seed)
            with np.errstate(all="ignore"):  # where such sizes divide by nothing, both have to say so alike
                together = np.asarray(function(**values), dtype=float)
                one_by_one = [float(function(**row(values, index, np.float64))) for index in range(6)]
            np.testing.assert_allclose(together, one_by_one, rtol=1e-12, err_msg=rule.name)


def test_axes_spread_as_numpy_spreads_them() -> None:
    """A sweep over two inputs is a grid: the first argument as a column, all others as rows."""
    for function, rule in SPREAD:
        values = arguments(rule, likely, 7)
        first = next(iter(rule.symbols))
        column = values[first][:3]
        grid = np.asarray(function(**{**values, first: column.reshape(3, 1)}))
        rows = any(isinstance(value, np.ndarray) for name, value in values.items() if name != first)
        assert grid.shape == ((3, 6) if rows else (3, 1)), rule.name
        for line, value in zip(grid, column, strict=True):
            expected = function(**{**values, first: value})
            np.testing.assert_allclose(line, expected, rtol=1e-12, err_msg=rule.name)


def test_no_formula_changes_its_arguments() -> None:
    for function, rule in SPREAD:
        values = arguments(rule, likely, 3)
        before = {name: np.copy(value) for name, value in values.items()}
        function(**values)
        for name, value in values.items():
            np.testing.assert_array_equal(value, before[name], err_msg=rule.name)
