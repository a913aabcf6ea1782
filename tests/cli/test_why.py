"""The command `why`: a figure opens to its formula, its inputs and their sources."""

from __future__ import annotations

import pytest

from planner.documents.explained import every_figure
from tests.cli.commands import run, started
from tests.plan.changes import shipped


@pytest.fixture(scope="module")
def guide(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The inputs of the evidence example as a file."""
    path = tmp_path_factory.mktemp("why") / "guide.json"
    path.write_text(run("template", "guide-256-evidence").stdout, encoding="utf-8")
    return str(path)


def test_a_figure_opens_to_what_it_was_made_of(guide: str) -> None:
    shown = started("why", guide, "mean", "time", "to", "interruption")
    assert shown.returncode == 0, shown.stderr
    assert "M = (86 400 · 1000) / (N_g r)" in shown.stdout
    # 86 400 s x 1,000 over 256 GPUs at 0.474 a day: 8.24 days.
    assert "Mean time to interruption = 8.24\u00a0days" in shown.stdout
    assert "The Llama 3 Herd of Models, arXiv 2407.21783" in shown.stdout
    assert "GPUs of the job = 256 (computed by counts.product_count)" in shown.stdout


def test_depth_opens_what_was_computed_and_tells_nothing_twice(guide: str) -> None:
    flat, deep = (
        run("why", guide, "usable capacity", "hot", "--depth", depth).stdout for depth in ("0", "3")
    )
    assert len(flat.splitlines()) < len(deep.splitlines())
    sources = [line for line in deep.splitlines() if "Formula " in line]
    assert len(set(sources)) == len(sources)


def test_several_are_named_and_none_is_one_line(guide: str) -> None:
    listed = run("why", guide).stdout.splitlines()
    count = sum(len(members) for members in every_figure(shipped("guide-256-evidence")).values())
    assert listed[-1].startswith(f"{count} figures: ")
    wrong = run("why", guide, "gooodput")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert wrong.stderr == "figure: none bears the words “gooodput”; did you mean Goodput?\n"
