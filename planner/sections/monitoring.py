"""What to watch in operation, with this design's thresholds."""

from __future__ import annotations

from dataclasses import dataclass

from planner.core.quantity import Quantity, derive, given
from planner.sections.network import NetworkPlan
from planner.sections.protection import EndurancePlan
from planner.sections.tiers import TierPlan
from planner.sizing import tiers as sizing

GUIDE = "the guide, 'Monitoring and Alerting'"
ALARM_FRACTION = 0.8
"""Steady use above this share of what is provisioned calls for more bandwidth."""


@dataclass(frozen=True, slots=True)
class Watch:
    """One thing to watch: what, where the alarm is set, and why."""

    group: str
    subject: str
    threshold: Quantity
    meaning: str


def monitoring_plan(
    hot: TierPlan, tiers: tuple[TierPlan, ...], network: NetworkPlan, endurance: EndurancePlan
) -> tuple[Watch, ...]:
    """The guide's four groups for this design."""
    watches = [
        Watch(
            "Latency",
            f"{kind} latency {percentile}",
            given(limit, "s", f"{kind} {percentile}", source=GUIDE, grade="guide"),
            why,
        )
        for kind, limit, why in (
            ("write", 100e-6, "first byte of a checkpoint write; large blocks add their transfer time"),
            ("read", 200e-6, "first byte of a data loader's read"),
        )
        for percentile in ("p50", "p99", "p99.9")
    ]
    for tier in tiers:
        limit = derive(
            sizing.alarm_bytes_per_s,
            provisioned_bytes_per_s=tier.read_bytes_per_s,
            alarm_fraction=ALARM_FRACTION,
            label=f"Steady traffic of the {tier.name}",
        )
        watches.append(
            Watch("Throughput", tier.name, limit, "80 % of what is provisioned; bursts are exempt")
        )
    watches += [
        Watch(
            "Drive health",
            "endurance used per year",
            derive(
                sizing.yearly_wear_fraction,
                drive_write_bytes_per_day=endurance.drive_write_bytes_per_day,
                allowance_bytes_per_day=endurance.allowance_bytes_per_day,
                warranty_s=endurance.warranty_s,
            ),
            "a faster rise of percentage_used means more writes than planned",
        ),
        Watch(
            "Drive health",
            "available spare",
            given(0.1, "fraction", "Available spare", source="NVMe threshold", grade="from memory"),
            "replace the drive",
        ),
        Watch(
            "Drive health",
            "media errors",
            given(0.0, "count", "Media errors", source=GUIDE, grade="guide"),
            "any increase",
        ),
        Watch(
            "Drive health",
            "composite temperature",
            given(70.0, "°C", "Temperature", source="drive warning threshold", grade="seen"),
            "warning threshold",
        ),
        Watch(
            "Paths",
            "live paths of each node",
            network.path_count,
            "fewer than designed: bandwidth is reduced",
        ),
        Watch(
            "Paths",
            "paths to the pool, all nodes",
            derive(
                sizing.drives_of_units_count,
                unit_count=network.node_port_count,
                drives_per_unit_count=1.0,
                label="Paths of all nodes",
            ),
            f"targets: {hot.unit_count}",
        ),
    ]
    return tuple(watches)
