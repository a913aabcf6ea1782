"""Designs that differ in their drive, computed together: each is what it is by itself."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from planner import load_catalogue, plan
from planner.catalogue import Catalogue
from planner.core.tracing import TraceError
from planner.explore.candidates import space_for
from planner.explore.lineup import DRIVE, FEWEST, Lineup, lineups, tables_of
from planner.explore.ranking import COLUMNS, Group, groups, table_of
from planner.explore.space import Space
from planner.templates import templates

CATALOGUE = load_catalogue()
MINUTE = 60.0
DESIGNS = {item.id: item.scenario for item in templates()}


def space_of(name: str, catalogue: Catalogue = CATALOGUE, **choices: list[Any]) -> Space:
    scenario = DESIGNS[name]
    return space_for(scenario, plan(scenario, catalogue), choices, catalogue, wide=True)


def together(space: Space, catalogue: Catalogue = CATALOGUE) -> list[tuple[Group, ...]]:
    return lineups(groups(space), space.base, catalogue)


@pytest.mark.parametrize("name", DESIGNS)
def test_every_design_of_a_lineup_is_what_it_is_by_itself(name: str) -> None:
    space = space_of(name, protection=["8+2"], transport=["rdma"], interval=[15 * MINUTE, 60 * MINUTE])
    line = max(together(space), key=len)
    assert len(line) >= FEWEST
    for group, table in zip(line, tables_of(space, line, CATALOGUE), strict=True):
        alone = table_of(space, group, CATALOGUE)
        for column in COLUMNS:
            np.testing.assert_allclose(table.figures[column], alone.figures[column], rtol=1e-9, atol=0)
        assert ((table.texts["reason"] != 0) == (alone.texts["reason"] != 0)).all()


def test_a_lineup_is_computed_by_one_calculation() -> None:
    space = space_of("guide-256-evidence", protection=["8+2"], transport=["rdma"])
    line = max(together(space), key=len)
    designs = Lineup(space.base, CATALOGUE, line)
    table = designs.table(designs.numbers, designs.count)
    assert designs.count == len(line) * line[0].count
    assert np.isfinite(table.figures["capital_high_usd"]).all()
    assert len(np.unique(table.figures["drive_count"])) > 1


def test_every_design_of_a_space_is_in_one_lineup() -> None:
    space = space_of("guide-256-guide")
    found = sorted((group.first, group.count) for line in together(space) for group in line)
    assert found == [(group.first, group.count) for group in groups(space)]


def test_drives_with_a_price_of_their_own_stand_apart() -> None:
    rows = CATALOGUE.price_sets["catalogue-2026"].rows.values()
    priced = {part for row in rows if row.kind == "drives" for part in row.applies_to}
    assert priced
    for line in together(space_of("guide-256-evidence")):
        drives = {group.fixed[DRIVE] for group in line if DRIVE in group.fixed}
        assert not drives & priced or len(drives) == 1


def test_a_word_that_differs_between_the_drives_cannot_be_read() -> None:
    space = space_of("guide-256-evidence")
    line = max(together(space), key=len)
    drive = Lineup(space.base, CATALOGUE, line).rows.drives[line[0].fixed[DRIVE]]
    assert drive.name
    with pytest.raises(TraceError, match="form_factors differs"):
        drive.form_factors  # noqa: B018 - reading it is what is refused


def test_a_drive_without_a_rating_is_not_followed_with_the_others() -> None:
    drives = dict(CATALOGUE.drives)
    bare = replace(drives["m7450max-6400"], read_bytes_per_s=None)
    other = replace(CATALOGUE, drives={**drives, bare.id: bare})
    for line in together(space_of("guide-256-evidence", other), other):
        ids = {group.fixed[DRIVE] for group in line if DRIVE in group.fixed}
        assert bare.id not in ids or len(ids) == 1


def test_what_the_open_drive_does_not_say_rightly_is_computed_one_by_one(monkeypatch: Any) -> None:
    space = space_of("guide-256-evidence", protection=["8+2"], transport=["rdma"])
    line = max(together(space), key=len)
    wrong = {"write_bytes_per_s": np.full(len(line), 1e9)}
    monkeypatch.setattr("planner.explore.lineup._figures", lambda _: wrong)
    for group, table in zip(line, tables_of(space, line, CATALOGUE), strict=True):
        alone = table_of(space, group, CATALOGUE)
        np.testing.assert_array_equal(table.figures["drive_count"], alone.figures["drive_count"])
