"""Who acts, and what each role may do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Role = Literal["viewer", "editor", "approver"]
ROLES: tuple[Role, ...] = ("viewer", "editor", "approver")
"""Each role may do all that the ones before it may: look; edit and comment; sign, waive and give roles."""


@dataclass(frozen=True, slots=True)
class Actor:
    """Who does something. The role is not here: it is read from the database with each write.

    Attributes:
        subject: What the sign-in calls the person, never empty for someone signed in.
        name: What people call the person; may be empty.
        local: The one user of a machine without accounts.
        share: Key of the link that a guest came with; someone signed in needs none.
    """

    subject: str = ""
    name: str = ""
    local: bool = False
    share: str = ""

    @property
    def shown(self) -> str:
        """What stands beside what the person did."""
        return self.name or self.subject

    @property
    def signed_in(self) -> bool:
        """Whether a sign-in vouches for the person."""
        return bool(self.subject) and not self.local


LOCAL = Actor(local=True)
"""The trusted user of a database without accounts."""
GUEST = Actor(name="guest")
"""Someone who follows a link without a sign-in."""


def effective_role(actor: Actor, *, stated: Role | None, has_accounts: bool) -> Role:
    """The role in which an actor acts.

    Args:
        actor: Who acts.
        stated: The role that the table of accounts gives the actor; None if it names none.
        has_accounts: Whether the table has any account.

    Returns:
        The stated role of someone signed in, or viewer. The local user may do everything as long as
        there are no accounts, and nothing but look once there are: then a sign-in has to say who acts.
    """
    if actor.local:
        return "viewer" if has_accounts else "approver"
    return stated if stated is not None and actor.subject else "viewer"


def allows(role: Role, needed: Role) -> bool:
    """Whether a role may do what another is needed for."""
    return ROLES.index(role) >= ROLES.index(needed)
