"""The signed hash: what moves it, and what leaves it alone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from planner import Catalogue, Scenario, load_catalogue
from planner.review import basis, signed_hash
from planner.scenario_json import scenario_from_json, scenario_to_json, with_value

CATALOGUE = load_catalogue()
BASE = Scenario()


def _hash(scenario: Scenario = BASE, catalogue: Catalogue = CATALOGUE, engine_version: str = "1") -> str:
    return signed_hash(scenario, catalogue, engine_version=engine_version)


def _with_row(kind: str, row_id: str, **changes: Any) -> Catalogue:
    rows = dict(getattr(CATALOGUE, kind))
    rows[row_id] = replace(rows[row_id], **changes)
    changed: dict[str, Any] = {kind: rows}
    return replace(CATALOGUE, **changed)


def test_same_design_gives_the_same_hash_and_survives_a_file() -> None:
    assert _hash() == _hash(scenario_from_json(scenario_to_json(BASE)))
    assert len(_hash()) == 64
    assert set(_hash()) <= set("0123456789abcdef")


@pytest.mark.parametrize(
    ("path", "value"),
    [("name", "x"), ("cluster.node_count", 65), ("jobs.0.checkpoint.interval_s", 1_801.0)],
)
def test_every_input_counts(path: str, value: object) -> None:
    assert _hash(with_value(BASE, path, value)) != _hash()


def test_engine_counts() -> None:
    assert _hash(engine_version="2") != _hash()


def test_row_that_is_used_counts_and_another_does_not() -> None:
    used = basis(BASE, CATALOGUE, engine_version="1").rows["drives"]
    unused = next(row_id for row_id in CATALOGUE.drives if row_id not in used)
    assert len(used) >= 1
    for row_id in used:
        assert _hash(catalogue=_with_row("drives", row_id, notes="changed")) != _hash()
    assert _hash(catalogue=_with_row("drives", unused, notes="changed")) == _hash()


def test_a_figure_counts_and_so_do_its_source_and_grade() -> None:
    drive = CATALOGUE.drives[basis(BASE, CATALOGUE, engine_version="1").rows["drives"][0]]
    figure = drive.capacity_bytes
    for other in ({"source": "x"}, {"grade": "inferred" if figure.grade != "inferred" else "seen"}):
        changed = replace(figure, **other)
        assert _hash(catalogue=_with_row("drives", drive.id, capacity_bytes=changed)) != _hash()


def test_prices_that_are_used_count_and_others_do_not() -> None:
    used = basis(BASE, CATALOGUE, engine_version="1").price_sets
    assert set(used) < set(CATALOGUE.price_sets)
    for set_id, prices in CATALOGUE.price_sets.items():
        first = next(iter(prices.rows.values()))
        rows = {**prices.rows, first.id: replace(first, notes="changed")}
        other = replace(CATALOGUE, price_sets={**CATALOGUE.price_sets, set_id: replace(prices, rows=rows)})
        assert (_hash(catalogue=other) != _hash()) == (set_id in used), set_id


def test_rows_are_what_the_design_names_and_what_the_planner_chose() -> None:
    found = basis(with_value(BASE, "storage.hot.drive_id", "pm1753-15360"), CATALOGUE, engine_version="1")
    assert "pm1753-15360" in found.rows["drives"]
    assert BASE.cluster.node_id in found.rows["gpu_nodes"]
    assert found.rows["optics"]  # chosen by speed, named by nobody


def test_looking_does_not_change_the_catalogue() -> None:
    before = CATALOGUE.drives, CATALOGUE.hash
    basis(BASE, CATALOGUE, engine_version="1")
    assert (CATALOGUE.drives, CATALOGUE.hash) == before
    assert type(CATALOGUE.drives) is dict
