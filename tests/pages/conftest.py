"""Each test has its own database, and visitors who meet the application as a warm server serves it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from streamlit.runtime.pages_manager import PagesManager

from pages._ui import answers


@pytest.fixture(autouse=True)
def _own_store(tmp_path: Path, empty_database: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    shutil.copy(empty_database, tmp_path / "planner.db")
    monkeypatch.setenv("PLANNER_DATABASE_URL", f"sqlite:///{tmp_path}/planner.db")
    answers.opened_store.clear()
    yield
    answers.store().close()
    answers.opened_store.clear()


@pytest.fixture(autouse=True)
def _own_navigation(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run every page through app.py.

    A server remembers that the application has its own navigation; AppTest forgets it before each
    run, and would run the files of the folder `pages` by themselves.
    """
    original = PagesManager.__init__

    def remembering(self: PagesManager, *args: Any, **kwargs: Any) -> None:
        PagesManager.uses_pages_directory = False
        original(self, *args, **kwargs)

    monkeypatch.setattr(PagesManager, "__init__", remembering)
