"""Each test has its own database, and visitors who meet the application as a warm server serves it."""

from __future__ import annotations

import functools
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from streamlit.components.v2 import manifest_scanner
from streamlit.runtime.pages_manager import PagesManager

from pages._ui import answers
from planner.store import Store, open_store


@pytest.fixture(autouse=True)
def _own_store(tmp_path: Path, empty_database: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    made: list[Store] = []

    def opened() -> Store:
        made.append(open_store())
        return made[-1]

    shutil.copy(empty_database, tmp_path / "planner.db")
    monkeypatch.setenv("PLANNER_DATABASE_URL", f"sqlite:///{tmp_path}/planner.db")
    monkeypatch.setattr(answers, "open_store", opened)
    answers.opened_store.clear()
    yield
    for store in made:
        store.close()
    answers.opened_store.clear()


@pytest.fixture(autouse=True, scope="session")
def _packages_looked_through_once() -> Iterator[None]:
    """A server looks once for components in the installed packages; AppTest does for each visitor, and takes long."""
    with pytest.MonkeyPatch.context() as patch:
        once = functools.cache(manifest_scanner.scan_component_manifests)
        patch.setattr(manifest_scanner, "scan_component_manifests", once)
        yield


@pytest.fixture(autouse=True, scope="session")
def _own_navigation() -> Iterator[None]:
    """Run every page through app.py.

    A server remembers that the application has its own navigation; AppTest forgets it before each
    run, and would run the files of the folder `pages` by themselves.
    """
    original = PagesManager.__init__

    def remembering(self: PagesManager, *args: Any, **kwargs: Any) -> None:
        PagesManager.uses_pages_directory = False
        original(self, *args, **kwargs)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(PagesManager, "__init__", remembering)
        yield
