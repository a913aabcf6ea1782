"""Each test has its own database, and no answer from another test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pages._ui import answers


@pytest.fixture(autouse=True)
def _own_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("PLANNER_DATABASE_URL", f"sqlite:///{tmp_path}/planner.db")
    answers.store.clear()
    yield
    answers.store().close()
    answers.store.clear()
