"""The README names what is there: commands, files, and one version."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from planner import __version__
from planner.__main__ import parser
from planner.core.formula import FORMULAS

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
TEXT = re.sub(r"```.*?```", "", README, flags=re.DOTALL)
QUOTED = re.findall(r"`([^`\n]+)`", TEXT)
FOLDERS = tuple(f"{path.name}/" for path in ROOT.iterdir() if path.is_dir())
WRITTEN = {".streamlit/secrets.toml"}
"""Files that whoever runs the application writes."""
PATHS = sorted({word for word in QUOTED if word.startswith(FOLDERS) and " " not in word} - WRITTEN)


def commands() -> set[str]:
    """Names of the commands of `python -m planner`."""
    return set(next(action.choices for action in parser()._actions if action.choices))


def test_each_command_has_its_row() -> None:
    table = TEXT.partition("## Command line")[2].partition("\n## ")[0]
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    words = {word for row in rows for word in re.findall(r"[a-z]+", row)}
    assert commands() - words == set()
    heads = [re.match(r" `python -m planner ([a-z]+)", row) for row in rows]
    assert sorted({head[1] for head in heads if head}) == sorted(head[1] for head in heads if head)
    assert {head[1] for head in heads if head} <= commands()


@pytest.mark.parametrize("path", PATHS)
def test_each_path_is_there(path: str) -> None:
    assert (ROOT / path).exists()


def test_files_that_stand_without_their_folder_are_there() -> None:
    names = {word for word in QUOTED if re.fullmatch(r"\w+\.(py|csv)", word)} - {"app.py"}
    known = {path.name for folder in ("planner", "data") for path in (ROOT / folder).rglob("*.*")}
    assert names - known == set()
    assert names


def test_paths_and_pictures_were_found() -> None:
    pictures = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", README)
    assert len(PATHS) > 20
    assert len(pictures) >= 3
    assert [name for name in pictures if not (ROOT / name).exists()] == []


def test_the_formula_that_is_named_is_one() -> None:
    named = {word for word in QUOTED if re.fullmatch(r"[a-z_]+\.[a-z_]+_s", word)}
    assert named <= {rule.name for rule in FORMULAS.values()}
    assert named


def test_there_is_one_version() -> None:
    stated = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    assert stated == __version__
