"""What holds for every test of many plans."""

from __future__ import annotations

import importlib

import pytest


@pytest.fixture(autouse=True)
def _strict(monkeypatch: pytest.MonkeyPatch) -> None:
    """A block that does not agree with its plans is an error here."""
    monkeypatch.setattr(importlib.import_module("planner.explore.sweep"), "STRICT", True)
