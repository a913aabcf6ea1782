"""The baseline: a scenario that was pinned, against which later changes are shown."""

from __future__ import annotations

from pages._ui import answers, held, stating
from pages._ui.session import binary, changed, get, notify, put
from planner.core.errors import PlannerError
from planner.plan import Plan


def pinned() -> str:
    """Scenario of the pinned baseline; empty if there is none."""
    text: str = get("_pinned", "")
    return text


def plan() -> Plan | None:
    """Plan of the pinned baseline; None if there is none, or if it can no longer be computed."""
    try:
        return answers.plan_of(pinned(), binary=binary()) if pinned() else None
    except PlannerError as error:
        notify(f"The pinned baseline cannot be computed: {error.message}")
        pin("", "")
        return None


def pin_now() -> None:
    """Keep what the inputs say now as the baseline."""
    label = str(held.get("name"))
    pin(
        stating.answer(afresh=True).scenario_json,
        f"{label}, as it stood when it was pinned" if changed() else label,
    )


def pin(scenario_json: str, label: str) -> None:
    """Keep a scenario as the baseline that changes are shown against; an empty one clears it."""
    put("_pinned", scenario_json)
    put("_pinned_label", label)
    held.touch()
