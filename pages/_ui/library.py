"""What the library does with a design: open, copy, rename, put away, take in from a file."""

from __future__ import annotations

from pages._ui import answers, opening, session
from pages._ui.session import guarded
from planner.core.errors import PlannerError, shorten
from planner.core.units import format_value
from planner.scenario import Scenario
from planner.scenario_json import MAX_JSON_BYTES, read_json, scenario_from_dict, scenario_to_json
from planner.templates import template

ROWS = 10
"""Designs on a page of the list."""


@guarded
def open_design(design: int, revision: int | None = None) -> None:
    """Open a design on the Plan screen."""
    opening.open_revision(design, revision)
    session.put("_go", "pages/plan.py")


@guarded
def open_template(template_id: str) -> None:
    """Start a new draft from a template."""
    opening.open_new(template(template_id).scenario)
    session.put("_go", "pages/plan.py")


@guarded
def duplicate(design: int) -> None:
    """Copy a design; the copy is listed on top."""
    copy = answers.store().duplicate_design(design, author=str(session.get("save.author")))
    session.put("designs.page", 1)
    session.put("_saved", f"Copied as design {copy.design_id}.")


@guarded
def rename(design: int) -> None:
    """Give a design the name that was typed."""
    named = answers.store().rename_design(design, str(session.get(f"designs.name.{design}")))
    session.put("_saved", f"Design {design} is now called {named.name}.")


@guarded
def archive(design: int, *, away: bool) -> None:
    """Put a design away, or bring it back."""
    if away:
        answers.store().archive_design(design)
    else:
        answers.store().unarchive_design(design)
    session.put("designs.page", 1)
    session.put("_saved", f"Design {design} is " + ("archived." if away else "back in the list."))


@guarded
def take_in(name: str, size: int, content: bytes) -> None:
    """Start a new draft from an uploaded file: a scenario, or an exported plan that holds one."""
    opening.open_new(scenario_of_file(name, size, content))
    session.put("_go", "pages/plan.py")


def scenario_of_file(name: str, size: int, content: bytes) -> Scenario:
    """The scenario of an uploaded file.

    Raises:
        PlannerError: The file is too large, no JSON, or no valid scenario.
    """
    if size > MAX_JSON_BYTES:
        limit = format_value(float(MAX_JSON_BYTES), "bytes")
        raise PlannerError(
            f"{shorten(name)}: the file has {format_value(float(size), 'bytes')}; at most {limit} are read",
            field="file",
        )
    try:
        data = read_json(content)
        inner = data.get("scenario") if isinstance(data, dict) else None
        return scenario_from_dict(inner if isinstance(inner, dict) else data)
    except PlannerError as error:
        raise PlannerError(f"{shorten(name)}: {error.message}", field=error.field) from None


def exported(design: int, revision: int) -> str:
    """The inputs of a revision as a file that can be taken in again.

    Raises:
        PlannerError: The revision does not exist.
    """
    return scenario_to_json(
        scenario_from_dict(read_json(answers.store().revision(design, revision).scenario_json))
    )
