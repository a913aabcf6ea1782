"""From a scenario to its plan: the calculation, its bill and cost, what explains it, and the remarks on it."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TypeVar

from planner.bom import Bill, BomLine, bill_of_materials, full_bill, group_sums, sums_of
from planner.calculation import Calculation, JobFigures, calculate
from planner.catalogue import Catalogue
from planner.core.checks import Finding
from planner.core.errors import PlannerError
from planner.core.parts import Later
from planner.core.quantity import Quantity, derive, given, total
from planner.findings import review, review_late
from planner.guide import GuideRow, guide_check
from planner.scenario import Scenario
from planner.sections.architecture import ArchitecturePlan, architecture_plan
from planner.sections.cabling import Cabling, cabling_plan
from planner.sections.cluster import ClusterPlan, LocalPlan, local_plan
from planner.sections.completeness import Gap, gaps_of
from planner.sections.context import Choice, Context
from planner.sections.cost import CostPlan, cost_plan
from planner.sections.day import DrainDay, drain_day
from planner.sections.demand import cold_fixed, cold_growth, job_names
from planner.sections.durability import DurabilityPlan, durability_plan
from planner.sections.fabric_drawing import fabric_drawing
from planner.sections.fabric_load import FabricLoad, fabric_load
from planner.sections.fabric_shapes import FabricDrawing
from planner.sections.facility import FacilityPlan
from planner.sections.ingest import loader_advice
from planner.sections.jobs import main_job
from planner.sections.ladder import Ladder, SchemeOnDrives, ladder_plan, schemes_plan
from planner.sections.layout import LayoutBasis, LayoutPlan, layout_basis, layout_plan
from planner.sections.lengths import measured
from planner.sections.lifetime import LifetimePlan, lifetime_plan
from planner.sections.lossless import LosslessPlan, lossless_plan
from planner.sections.monitoring import Watch, monitoring_plan
from planner.sections.network import NetworkPlan
from planner.sections.pipeline import PipelinePlan, file_size, pipeline_plan
from planner.sections.protection import (
    EndurancePlan,
    ProtectionPlan,
    StripePlan,
    protection_plan,
    stripe_plan,
)
from planner.sections.provider import SiteLine, site_lines
from planner.sections.racks import RackLayout, rack_layout
from planner.sections.rails import PortOption, port_options
from planner.sections.rows import RackRow, rack_rows
from planner.sections.san import SanPlan, san_plan
from planner.sections.saves import (
    Flip,
    TransportRow,
    degraded_saves,
    flips,
    nfs_row,
    path_lost_save,
    transport_rows,
)
from planner.sections.term import GuideBeside, TermPlan, guide_beside, saves_of, term_plan
from planner.sections.tiers import TierPlan, ports_per_unit
from planner.sections.together import TogetherPlan, together_plan
from planner.sections.transport import SavePlan
from planner.sections.transport_case import TransportCase, transport_case
from planner.sections.transport_model import TransportModel, transport_models
from planner.sections.worth import Setting, WorthPlan, worth_plan
from planner.sizing import tier_capacity

__all__ = [
    "Calculation",
    "JobFigures",
    "JobResult",
    "Means",
    "Plan",
    "RetentionPlan",
    "calculate",
    "draft",
    "plan",
]

T = TypeVar("T")
MOST_CABLES = 100_000
"""Endpoints whose cables are listed one by one."""


@dataclass(frozen=True, slots=True)
class Means:
    """What all that explains a job is made from.

    Attributes:
        done: The calculation.
        basis: Shares of the checkpoint and GPU memory beside them.
        hot_usd: Price of the hot tier's parts at the high end.
    """

    done: Calculation
    basis: LayoutBasis
    hot_usd: Quantity


@dataclass(frozen=True)
class JobResult(JobFigures):
    """The same with what a lost part makes of the save, its files, its data and advice for the loader.

    All that is made when it is first asked for: many plans of a search never ask.

    Attributes:
        means: Gives what it is made from.
    """

    means: Callable[[], Means] = field(repr=False)

    @property
    def basis(self) -> LayoutBasis:
        """Shares of the checkpoint and GPU memory beside them, of which `layout` is made."""
        return self.means().basis

    @functools.cached_property
    def path_lost(self) -> SavePlan | None:
        """The save with one path of every node lost, as in `degraded`; None where nodes have one path alone."""
        done = self.means().done
        return path_lost_save(done.context, self.job, done.tiers[0], done.network, self.jitter_ratio)

    @Later
    def degraded(self) -> dict[str, SavePlan]:
        """The save after each loss that the design can have, by what is lost."""
        done, jitter = self.means().done, self.jitter_ratio
        return degraded_saves(done.context, self.job, done.tiers[0], done.network, jitter, self.path_lost)

    @Later
    def advice(self) -> tuple[str, ...]:
        """What to set in the data loader."""
        job = self.job
        return loader_advice(self.means().done.context, job.stream, job.ingest, job.node_count)

    @Later
    def pipeline(self) -> PipelinePlan:
        """Import, preparation, files and cache of the job's data."""
        done = self.means().done
        return pipeline_plan(done.context, done.cluster, self.job)

    @Later
    def layout(self) -> LayoutPlan:
        """Files of a checkpoint, who writes and reads them, and GPU memory beside them."""
        return layout_plan(self.job, self.basis)

    @functools.cached_property
    def worth(self) -> WorthPlan:
        """Where the job's time goes, and what other cadences, levels and tiers are worth."""
        means = self.means()
        done = means.done
        option = done.network.option
        return worth_plan(
            Setting(done.context, self.job, done.tiers[0], option, self.save, self.goodput, means.hot_usd)
        )


@dataclass(frozen=True, slots=True)
class RetentionPlan:
    """How the cold tier fills: what is there, what is added each day, and when it is full."""

    fixed_bytes: Quantity
    growth_bytes_per_day: Quantity
    full_after_s: Quantity


@dataclass(frozen=True)
class Plan:
    """All that is computed from a scenario; sections are named after their subjects.

    What explains the design further (racks, the whole bill) is made when it is first asked for: many plans of
    a search never ask.

    Attributes:
        auto: What AUTO derived, by the path of the input, whether or not it was overridden.
        bom: Lines of equipment, which the cost counts; `bill` has everything that a quotation needs.
        gaps: What the parts lack, as far as it shows before they are placed; `bill.gaps` has all of it.
        reviewed: Remarks that were found with the plan; `findings` has those on its bill and its racks as well.
        calculation: Gives the calculation that the plan explains.
    """

    scenario: Scenario
    auto: dict[str, Quantity | Choice]
    cluster: ClusterPlan
    jobs: tuple[JobResult, ...]
    local: LocalPlan
    architecture: ArchitecturePlan
    tiers: tuple[TierPlan, ...]
    network: NetworkPlan
    endurance: EndurancePlan
    facility: FacilityPlan
    cost: CostPlan
    bom: tuple[BomLine, ...]
    guide: tuple[GuideRow, ...]
    reviewed: tuple[Finding, ...]
    retention: RetentionPlan
    together: TogetherPlan
    gaps: tuple[Gap, ...]
    calculation: Callable[[], Calculation] = field(repr=False, compare=False)

    @property
    def _context(self) -> Context:
        return self.calculation().context

    @functools.cached_property
    def nfs(self) -> TransportRow:
        """The save over NFS or iSCSI, the last row of `transport`."""
        return nfs_row(self._context, self.main.job)

    @Later
    def transport(self) -> tuple[TransportRow, ...]:
        """The same save on the same design over each transport."""
        done, main = self.calculation(), self.main
        return transport_rows(
            done.context, main.job, self.hot, self.network, done.options, main.jitter_ratio, self.nfs
        )

    @Later
    def flips(self) -> tuple[Flip, ...]:
        """For each other transport: where the choice would change."""
        return flips(self.transport, self.main.job, self.network.transport.value)

    @functools.cached_property
    def stripe(self) -> StripePlan | None:
        """How the main job's writes meet the stripes of the pool; None where the platform makes its own."""
        return stripe_plan(self._context, self.hot, self.main.job)

    @Later
    def protection(self) -> ProtectionPlan:
        """The chosen scheme, what it survives, and the others beside it."""
        return protection_plan(self._context, self.hot, self.stripe)

    @Later
    def monitoring(self) -> tuple[Watch, ...]:
        """What to watch in operation, with this design's thresholds."""
        return monitoring_plan(self.tiers, self.network, self.cluster.node_count, self.endurance)

    @functools.cached_property
    def racks(self) -> RackLayout:
        """Where every machine stands, and what each rack draws, weighs and gives off."""
        return rack_layout(self._context, self.tiers, self.network, self.facility)

    @functools.cached_property
    def cabling(self) -> Cabling | None:
        """Every cable with its length; None where ports do not fit the planned leaves, or there are too many to list."""
        if not self.network.endpoint_count.number <= MOST_CABLES:
            return None
        try:
            ports = cabling_plan(self.network, self.tiers, self.scenario.cluster.node_count)
        except PlannerError:
            return None
        return measured(self._context, ports, self.racks)

    @functools.cached_property
    def transport_case(self) -> TransportCase:
        """Scores of the transports with their weights, where the choice turns, and RoCEv2 without lossless set-up."""
        done = self.calculation()
        return transport_case(done.context, self.cluster, done.options, self.main.job, self.transport)

    @functools.cached_property
    def fabric_load(self) -> FabricLoad:
        """What every hop of the network carries, which is the bottleneck, and the same after each loss."""
        saves = [{"as designed": result.save, **result.degraded} for result in self.jobs]
        return fabric_load(self._context, self.network, self.tiers, saves)

    @functools.cached_property
    def lossless(self) -> LosslessPlan | None:
        """Headroom and marking of every kind of switch port; None where the cables are not listed."""
        return None if self.cabling is None else lossless_plan(self.network, self.cabling)

    @functools.cached_property
    def transport_models(self) -> tuple[TransportModel, ...]:
        """Every way from a node to its storage with wire, latency, cores, queue depth, sessions and ports."""
        block = self.main.job.policy.block_bytes
        return transport_models(self._context, self.cluster, self.network, self.hot, block)

    @functools.cached_property
    def san(self) -> SanPlan | None:
        """Zones, links between switches and port licences; None where the network is not Fibre Channel."""
        return san_plan(self.network)

    @functools.cached_property
    def port_options(self) -> tuple[PortOption, ...]:
        """How the ports of nodes are spread over leaves: sides A and B, and rails beside them."""
        return port_options(self._context, self.network, ports_per_unit(self.hot.platform))

    def fabric_drawing(self, *, width: float = 400.0) -> FabricDrawing:
        """The network as boxes, lines and words with the load of every hop, in a width of one's own choice."""
        nodes = self.scenario.cluster.node_count
        load = self.fabric_load
        return fabric_drawing(self.network, self.tiers, nodes, load, width=width)

    @functools.cached_property
    def bill(self) -> Bill:
        """Everything that a quotation is asked with, and what is missing for it."""
        return full_bill(self._context, self.bom, self.network, self.racks, self.cabling, self.gaps)

    @functools.cached_property
    def findings(self) -> tuple[Finding, ...]:
        """All remarks on the plan, blockers first."""
        return review_late(self)

    @property
    def unpriced(self) -> tuple[BomLine, ...]:
        """Lines of the bill that the capital cost leaves out; prices per TB leave none out."""
        return () if self.cost.price_set.value == "guide" else self.bill.not_priced

    @functools.cached_property
    def ladders(self) -> tuple[Ladder, ...]:
        """From raw to safe capacity of each tier, with every deduction."""
        return tuple(ladder_plan(self._context, tier) for tier in self.tiers)

    @functools.cached_property
    def schemes(self) -> tuple[SchemeOnDrives, ...]:
        """Protection schemes on the hot tier's drives; empty where the platform has its own."""
        return schemes_plan(self._context, self.hot, interval=self.main.job.checkpoint.interval_s)

    def drain_day(self, index: int = 0) -> DrainDay:
        """A day of saves and copies to the cold tier of one job, as lines for a chart."""
        result = self.jobs[index]
        return drain_day(
            result.job,
            self.scenario.jobs[index].checkpoint,
            self.tiers,
            save=result.save.save_s,
            growth=self.retention.growth_bytes_per_day,
        )

    @functools.cached_property
    def lifetime(self) -> LifetimePlan | None:
        """How long the hot tier's drives serve; None where the platform does not say which it has."""
        return lifetime_plan(self._context, self.hot, self.main.job, self.endurance)

    @functools.cached_property
    def durability(self) -> DurabilityPlan | None:
        """How likely a loss is, and what it costs; None where the platform has protection of its own."""
        day = self.drain_day(self.jobs.index(self.main))
        return durability_plan(self._context, self.hot, day, self.together.gpu_count)

    @functools.cached_property
    def rack_rows(self) -> tuple[RackRow, ...]:
        """Rows of racks as they stand on the floor."""
        return rack_rows(self.racks, self.scenario.site.row_rack_count)

    @functools.cached_property
    def term(self) -> TermPlan:
        """What the storage costs over its term, for each TB, GPU and save, against idle GPUs."""
        return term_plan(
            self._context,
            self.tiers,
            self.cost,
            sums_of(self.bill, self.hot.name),
            self.racks,
            self.endurance,
            gpu_count=self.together.gpu_count,
            saves_per_day=saves_of([result.job.checkpoint.interval_s for result in self.jobs]),
            lost_usd_per_year=self.together.lost_usd_per_year,
        )

    @functools.cached_property
    def guide_beside(self) -> tuple[GuideBeside, ...]:
        """Each tier by the guide's price per TB, beside the parts that it takes."""
        return guide_beside(
            self._context, self.tiers, self.cost, group_sums(self.bill, [tier.name for tier in self.tiers])
        )

    @functools.cached_property
    def site_lines(self) -> tuple[SiteLine, ...]:
        """What the provider of the site allows against what the design needs in its racks."""
        return site_lines(self._context, self.racks)

    @functools.cached_property
    def main(self) -> JobResult:
        """The job with the largest checkpoint."""
        chosen = main_job([result.job for result in self.jobs])
        return next(result for result in self.jobs if result.job is chosen)

    def name_of(self, result: JobResult) -> str:
        """The name of a job of this plan, with its number where another one is called alike."""
        names = job_names(tuple(other.job for other in self.jobs))
        return next(name for name, other in zip(names, self.jobs, strict=True) if other is result)

    @property
    def hot(self) -> TierPlan:
        """The NVMe-oF tier."""
        return self.tiers[0]

    def tier(self, role: str) -> TierPlan | None:
        """The tier of that role, if the design has one."""
        return next((tier for tier in self.tiers if tier.role == role), None)


def plan(scenario: Scenario, catalogue: Catalogue) -> Plan:
    """The whole plan: the calculation, its bill of materials, cost, guide check and remarks.

    Raises:
        PlannerError: A catalogue id is unknown, or a figure that the sizing needs is missing.
    """
    unreviewed = draft(scenario, catalogue)
    checked = guide_check(unreviewed, catalogue)
    done = replace(unreviewed, guide=checked, reviewed=review(unreviewed, checked))
    for name in vars(unreviewed).keys() - vars(done).keys():  # what the review asked for is not made twice
        vars(done)[name] = vars(unreviewed)[name]
    return done


def draft(scenario: Scenario, catalogue: Catalogue) -> Plan:
    """The plan before it is looked at: without guide check and remarks.

    Raises:
        PlannerError: A catalogue id is unknown, or a figure that the sizing needs is missing.
    """
    done = calculate(scenario, catalogue)
    context = done.context
    lines = bill_of_materials(context, done.tiers, done.network, done.facility)
    priced = [line for line in lines if line.priced]
    money = cost_plan(
        context,
        done.tiers,
        done.facility,
        (
            [line.extended_low_usd for line in priced],
            [line.extended_high_usd for line in priced],
            len(lines) - len(priced),
        ),
    )
    hot_usd = _price_of(done.tiers[0], lines)
    jobs = tuple(result.job for result in done.jobs)
    return Plan(
        scenario=scenario,
        auto=context.auto,
        cluster=done.cluster,
        jobs=tuple(_explained(done, result, hot_usd) for result in done.jobs),
        local=local_plan(context, done.cluster, jobs),
        architecture=architecture_plan(context, *done.architecture, jobs),
        tiers=done.tiers,
        network=done.network,
        endurance=done.endurance,
        facility=done.facility,
        cost=money,
        together=together_plan(done.jobs),
        bom=lines,
        guide=(),
        reviewed=(),
        retention=_retention(context, done),
        gaps=gaps_of(context, done.tiers, done.network, done.facility),
        calculation=functools.partial(_same, done),
    )


def _same(item: T) -> T:
    """The item itself: a plan holds its calculation behind a call, so that who goes through a plan does not go through it."""
    return item


def _price_of(tier: TierPlan, lines: tuple[BomLine, ...]) -> Quantity:
    """Price of a tier's parts at the high end; unknown where one of them is not priced."""
    own = [line for line in lines if line.group == tier.name]
    label = f"{tier.name}, parts at the high price"
    if not own or not all(line.priced for line in own):
        return given(None, "USD", label, source="not all of its parts are priced", grade="unknown")
    return total([line.extended_high_usd for line in own], label, unit="USD")


def _retention(context: Context, done: Calculation) -> RetentionPlan:
    jobs = tuple(result.job for result in done.jobs)
    fixed, growth = cold_fixed(context, jobs), cold_growth(context, jobs)
    full = derive(
        tier_capacity.full_after_s,
        capacity_bytes=done.tiers[-1].safe_bytes,
        fixed_bytes=fixed,
        growth_bytes_per_day=growth,
    )
    return RetentionPlan(fixed, growth, full)


def _explained(done: Calculation, result: JobFigures, hot_usd: Quantity) -> JobResult:
    """A job's figures with what a lost part makes of them, and what more would be worth."""
    file_size(done.context, result.job)  # for the record: `pipeline` is made later
    means = Means(done, layout_basis(done.context, result.job), hot_usd)
    return JobResult(
        result.job, result.jitter_ratio, result.save, result.goodput, functools.partial(_same, means)
    )
