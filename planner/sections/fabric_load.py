"""Load of the whole network: every hop as designed and after each loss, the bottleneck, and the saves that result."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from planner.core.quantity import Quantity
from planner.sections.context import Context
from planner.sections.hops import Hop, hops_after, reached_tiers
from planner.sections.losses import Loss, losses_of, nothing_lost
from planner.sections.network import NetworkPlan
from planner.sections.tiers import TierPlan
from planner.sections.traffic import CASES
from planner.sections.transport import SavePlan


@dataclass(frozen=True, slots=True)
class FabricState:
    """All hops with everything in place, or with something lost.

    Attributes:
        key: "whole", "path", "leaf", "spine", "target" or "drive".
        name: What is lost, in the words of `JobResult.degraded` ("one path lost").
        hops: From the GPU nodes to the drives.
        bottleneck: Key of the fullest hop, by case.
        saves: Save of each job that results, in the order of `Plan.jobs`.
        rebuild_bytes_per_s: What rebuilding moves between machines meanwhile; 0 where nothing is rebuilt
            over the network.
        note: What this supposes, in one sentence.
    """

    key: str
    name: str
    hops: tuple[Hop, ...]
    bottleneck: dict[str, str]
    saves: tuple[SavePlan, ...]
    rebuild_bytes_per_s: Quantity
    note: str

    def hop(self, key: str) -> Hop:
        """The hop of that key."""
        return next(hop for hop in self.hops if hop.key == key)


@dataclass(frozen=True)
class FabricLoad:
    """The load of every hop as designed, and the same after each loss that the design can have.

    Attributes:
        whole: With everything in place.
        hash_loss_fraction: Share of a leaf's uplinks that hashing leaves idle; 0 with adaptive routing.
        others: Makes `losses`, which the review never asks for.
    """

    whole: FabricState
    hash_loss_fraction: Quantity
    others: Callable[[], tuple[FabricState, ...]] = field(repr=False, compare=False)

    @functools.cached_property
    def losses(self) -> tuple[FabricState, ...]:
        """One path, leaf, spine, target lost, one drive rebuilding: those that the design has."""
        return self.others()

    @property
    def hops(self) -> tuple[Hop, ...]:
        """Hops with everything in place."""
        return self.whole.hops

    @property
    def bottleneck(self) -> Hop:
        """The fullest hop of a burst beside steady traffic."""
        return self.whole.hop(self.whole.bottleneck["both"])

    def after(self, key: str) -> FabricState | None:
        """The state after that loss; None where the design has no such part to lose."""
        return next((state for state in self.losses if state.key == key), None)


def fabric_load(
    context: Context,
    network: NetworkPlan,
    tiers: tuple[TierPlan, ...],
    saves: Sequence[Mapping[str, SavePlan]],
) -> FabricLoad:
    """Load of every hop, whole and after each loss.

    Args:
        context: Scenario and catalogue.
        network: The planned network.
        tiers: All tiers, the hot one first; over Fibre Channel or InfiniBand only that one counts.
        saves: For each job its saves by what is lost, as `JobResult.degraded`, and "as designed".
    """
    reached = reached_tiers(network, tiers)
    hot = reached[0]

    def state(loss: Loss) -> FabricState:
        """Hops, bottlenecks and saves after a loss."""
        own = hops_after(network, reached, loss)
        return FabricState(
            key=loss.key,
            name=loss.name,
            hops=own,
            bottleneck={case: _fullest(own, case) for case in CASES},
            saves=tuple(of_job[loss.name] for of_job in saves if loss.name in of_job),
            rebuild_bytes_per_s=loss.rebuild_bytes_per_s,
            note=loss.note,
        )

    def others() -> tuple[FabricState, ...]:
        """The state after each loss that this network can have; made when it is first asked for."""
        return tuple(state(loss) for loss in losses_of(context, network, reached))

    return FabricLoad(state(nothing_lost(network, hot)), network.hash_loss_fraction, others)


def _fullest(own: tuple[Hop, ...], case: str) -> str:
    """Key of the fullest hop; traffic between targets is part of their ports' already."""
    known = [hop for hop in own if hop.kind != "back end" and hop.loads[case].fraction.known]
    return max(known, key=lambda hop: hop.loads[case].fraction.number).key if known else ""
