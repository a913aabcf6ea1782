"""What the open design is called: the library can rename a design, and a revision keeps the name of its day.

A revision never changes, its name neither: it is part of what is signed. So the name to show, and the one under which
the next revision is saved, is the library's, unless another one was typed since.
"""

from __future__ import annotations

from pages._ui import answers, held, session
from planner.core.errors import PlannerError
from planner.templates import templates

BASE_NAME = "_base_name"
"""Where the session keeps the name inside the revision that the work started from."""


def called(stated: str | None = None) -> str:
    """The name of what is open.

    Args:
        stated: The name that a scenario states; what stands in the input if not given.
    """
    name = str(held.get("name")) if stated is None else stated
    opened = session.link()
    if opened.design is None or name != session.get(BASE_NAME):
        return name
    try:
        return answers.store().design(opened.design).name
    except PlannerError:
        return name  # whatever is wrong is said where something is asked of the store


def is_borrowed() -> bool:
    """Whether a draft still bears the name of a template, which says nothing of what was changed since."""
    return session.link().design is None and called() in {item.name for item in templates()}
