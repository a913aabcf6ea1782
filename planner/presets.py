"""Named sets of inputs that a planner applies with one step: each figure then stands in its own field."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

Value = float | str | bool


@dataclass(frozen=True, slots=True)
class Preset:
    """Inputs that belong together.

    Attributes:
        id: Key.
        label: What it is called.
        help: When to use it.
        changes: Value of each input, by path.
        source: Where the values come from.
    """

    id: str
    label: str
    help: str
    changes: Mapping[str, Value]
    source: str


_STACKS = ("rdma", "tcp", "fc", "posix")

PRESETS: Mapping[str, Preset] = MappingProxyType(
    {
        preset.id: preset
        for preset in (
            Preset(
                "field-low",
                "Client stacks as low as in the field",
                "63 nodes saving at once reached 16 % of what their array was rated for, while two or four nodes saw "
                "nothing of it. A pessimistic bound: measure before buying by it.",
                MappingProxyType({f"network.{stack}_stack_fraction": 0.16 for stack in _STACKS}),
                "reliability models, section 4: a burst of 40 of 250 GB/s on 63 nodes",
            ),
            Preset(
                "field-middle",
                "Client stacks of a tuned file protocol",
                "60 % of an array's rate, the middle of what was measured through file protocols.",
                MappingProxyType({f"network.{stack}_stack_fraction": 0.6 for stack in _STACKS}),
                "reliability models, section 8: efficiency 0.6, range 0.16 to 0.9",
            ),
            Preset(
                "planned",
                "Client stacks as the planner assumes",
                "RDMA 90 %, TCP 80 %, Fibre Channel 95 %, POSIX parallel file system 70 %.",
                MappingProxyType(
                    {
                        "network.rdma_stack_fraction": 0.90,
                        "network.tcp_stack_fraction": 0.80,
                        "network.fc_stack_fraction": 0.95,
                        "network.posix_stack_fraction": 0.70,
                    }
                ),
                "rules of the calculation, 'Never twice'",
            ),
        )
    }
)
"""Every preset by its key."""
