"""What every view of the Review screen needs: the revision planned again, and who is at the screen."""

from __future__ import annotations

import functools

import streamlit as st

from pages._ui import answers, people, session
from planner import __version__
from planner.review import Anchor, Role, anchors
from planner.scenario_json import scenario_to_json
from planner.store.assess import Assessment


def assessed(design: int, revision: int) -> Assessment:
    """The revision as it comes out today.

    Raises:
        PlannerError: It does not exist, or can no longer be computed.
    """
    return answers.store().assess(design, revision, catalogue=answers.catalogue(), engine_version=__version__)


def things(found: Assessment) -> frozenset[Anchor]:
    """Everything in the revision that a comment can hang on."""
    return things_of(scenario_to_json(found.plan.scenario))


def things_of(scenario_json: str) -> frozenset[Anchor]:
    """Everything in the plan of a scenario that a comment can hang on.

    Raises:
        PlannerError: The scenario cannot be computed.
    """
    return _things(scenario_json, answers.catalogue().hash)


@functools.lru_cache(maxsize=64)
def _things(scenario_json: str, catalogue_hash: str) -> frozenset[Anchor]:
    del catalogue_hash  # part of the key: another catalogue gives other lines and findings
    return anchors(answers.plan_of(scenario_json))


def author() -> str:
    """The name that is typed; a sign-in's own goes before it."""
    return str(session.get("save.author") or "")


def ask_name() -> None:
    """The field for a name, where no sign-in says it."""
    if not people.actor().signed_in:
        st.text_input("Your name", key="save.author", persist_state="session", width=260)


def able(needed: Role, what: str) -> bool:
    """Whether the visitor may do something; where not, the screen says what it needs.

    Args:
        needed: The least role for it.
        what: What is done, as the start of a sentence: "Commenting".
    """
    if session.may(needed):
        return True
    st.caption(f":material/lock: {what} needs an {needed}; your role is {session.get('_role', 'viewer')}.")
    return False
