"""What a value of an input is called wherever people read it: screens, documents, the command line."""

from __future__ import annotations

from typing import Any

import pytest

from planner.catalogue import load_catalogue
from planner.inputs import choice_words, input_at, inputs_for, value_words


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        ("cluster.node_id", "dgx-h100", "DGX H100"),
        ("cluster.node_id", "no-such-node", "no-such-node"),
        ("storage.hot.platform_id", None, "AUTO"),
        ("network.lossless_possible", True, "yes"),
        ("jobs.0.checkpoint.interval_s", 1800.0, "30\u00a0min"),
        ("jobs.0.checkpoint.async_stall_s", 6.25, "6.25\u00a0s"),
        ("site.region", "asia-pacific", "Asia-Pacific"),
        ("prices.term_years", 5.0, "5 years"),
        ("name", "", "empty"),
    ],
)
def test_a_value_is_told_by_its_name(path: str, value: Any, words: str) -> None:
    item = input_at(path)
    assert item is not None
    assert value_words(item, value, load_catalogue()) == words


def test_no_two_choices_of_an_input_are_called_the_same() -> None:
    for item in inputs_for(1):
        words = [choice_words(choice) for choice in item.choices]
        assert len(set(words)) == len(words), item.path


def test_rows_of_the_catalogue_have_a_name_each() -> None:
    catalogue = load_catalogue()
    for item in inputs_for(1):
        rows = getattr(catalogue, item.catalogue) if item.catalogue else {}
        words = [value_words(item, row_id, catalogue) for row_id in rows]
        assert all(words), item.path
        assert len(set(words)) == len(words), (item.path, [w for w in words if words.count(w) > 1])
