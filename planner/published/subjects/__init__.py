"""The calculations of the published cases, a subject a file; importing this files them all."""

from planner.published.methods import METHODS
from planner.published.subjects import (
    bursts,
    cadence,
    durability,
    economics,
    endurance,
    fabric,
    facility,
    goodput,
    queueing,
    reads,
    saves,
    sizes,
    tiers,
    tokens,
    uncertainty,
    wear,
    wire,
)

__all__ = [
    "METHODS",
    "bursts",
    "cadence",
    "durability",
    "economics",
    "endurance",
    "fabric",
    "facility",
    "goodput",
    "queueing",
    "reads",
    "saves",
    "sizes",
    "tiers",
    "tokens",
    "uncertainty",
    "wear",
    "wire",
]
