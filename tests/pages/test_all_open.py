"""Everything that can be opened on a screen, open at once: widgets keep apart, and nothing fails."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from pages._ui.sections import SECTIONS
from tests.pages.visitor import clean, go, save, show, type_number, visit

MOST_ROUNDS = 2
"""What is opened shows more to open; a formula behind a formula is enough."""
VIEWS = {
    "explore": (
        "explore.view",
        ("Sweep", "Flip points", "Sensitivity", "Uncertainty", "Best design", "Steppers", "Growth"),
    ),
    "review": (
        "review.view",
        ("State", "Findings and waivers", "Comments", "Requirements", "Decisions", "Register", "Trail"),
    ),
    "method": (
        "method.view",
        ("Formulas", "Constants", "Checks", "Rules", "Inputs", "Glossary", "Not modelled"),
    ),
    "designs": ("designs.view", ("Saved designs", "New from a template", "Import a file")),
}


def closed(at: AppTest, seen: set[str]) -> set[str]:
    """Keys of what can be opened and was not yet."""
    blocks = [block for kind in ("expander", "popover") for block in at.get(kind)]
    return {block.proto.id.split("-", 2)[2] for block in blocks if block.proto.id} - seen


def open_all(at: AppTest) -> int:
    """Open everything, and what that shows; how many there were."""
    seen: set[str] = set()
    for _ in range(MOST_ROUNDS):
        found = closed(at, seen)
        if not found:
            break
        seen |= found
        for key in found:
            at.session_state[key] = True
        clean(at.run())
    return len(seen)


@pytest.fixture(scope="module")
def visitor() -> AppTest:
    """A visitor with a saved design and a change to it."""
    at = visit()
    save(at, "All open")
    type_number(at, "cluster.node_count", 96)
    return at


def test_every_section_with_everything_open(visitor: AppTest) -> None:
    at = go(visitor, "plan")
    opened = sum(open_all(show(at, "ui.section", section)) for section in SECTIONS)
    assert opened > 8 * len(SECTIONS)


@pytest.mark.parametrize("screen", ["catalogue", "compare", "export", "delivery", *VIEWS])
def test_every_screen_with_everything_open(visitor: AppTest, screen: str) -> None:
    at = go(visitor, screen)
    key, views = VIEWS.get(screen, ("", ("",)))
    opened = sum(open_all(show(at, key, view) if key else at) for view in views)
    # Expanders without a key are built whether they are open or not; these screens have some with one.
    assert opened >= {"catalogue": 3, "method": 6}.get(screen, 0)
