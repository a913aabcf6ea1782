"""From a scenario to the figures that its design is made of: look up, and calculate in order."""

from __future__ import annotations

from dataclasses import dataclass, replace

from planner.catalogue import Catalogue, must_be_catalogue
from planner.core.quantity import Quantity, given
from planner.scenario import Scenario
from planner.scenario_json import must_be_scenario
from planner.sections.architecture import Score, choose_architecture
from planner.sections.cluster import ClusterPlan, cluster_plan
from planner.sections.context import Choice, Context
from planner.sections.demand import file_system_demand, hot_demand, object_demand
from planner.sections.drive_power import drive_power
from planner.sections.facility import FacilityPlan, facility_plan
from planner.sections.goodput import GoodputPlan, goodput_plan
from planner.sections.jobs import JobPlan, job_plan, main_job
from planner.sections.links import in_one_rack
from planner.sections.machines import weight_in_one_rack
from planner.sections.network import NetworkPlan, has_cages_for, network_plan
from planner.sections.pool import hot_tier
from planner.sections.protection import EndurancePlan, endurance_plan
from planner.sections.saves import job_save, slowest_node
from planner.sections.tiers import TierPlan, unit_tier
from planner.sections.transport import SavePlan, TransportOption, choose_transport, transport_options


@dataclass(frozen=True, slots=True)
class JobFigures:
    """A job with its save and its goodput on the planned tiers."""

    job: JobPlan
    jitter_ratio: Quantity
    save: SavePlan
    goodput: GoodputPlan


@dataclass(frozen=True, slots=True)
class Calculation:
    """What the plan is made of: demands, tiers, network, saves, goodput, endurance, power and racks.

    All that explains it comes after: degraded saves, the comparison of schemes and transports, local
    drives, access, remarks, guide check, bill of materials and cost.
    """

    context: Context
    cluster: ClusterPlan
    jobs: tuple[JobFigures, ...]
    architecture: tuple[Choice, tuple[Score, ...]]
    options: dict[str, TransportOption]
    tiers: tuple[TierPlan, ...]
    network: NetworkPlan
    endurance: EndurancePlan
    facility: FacilityPlan

    @property
    def main(self) -> JobFigures:
        """The job with the largest checkpoint."""
        chosen = main_job([result.job for result in self.jobs])
        return next(result for result in self.jobs if result.job is chosen)


def calculate(scenario: Scenario, catalogue: Catalogue) -> Calculation:
    """The calculation alone: every figure that the design is made of, and that a sweep would vary.

    Raises:
        PlannerError: A catalogue id is unknown, or a figure that the sizing needs is missing.
    """
    must_be_scenario(scenario)
    must_be_catalogue(catalogue)
    context = Context(scenario, catalogue)
    cluster = cluster_plan(context)
    jobs = tuple(job_plan(context, cluster, index) for index in range(len(scenario.jobs)))
    main = main_job(jobs)
    options = transport_options(context, cluster, main.policy.block_bytes)
    choice = choose_transport(context, cluster, options, main)
    option = options[choice.value]
    architecture = choose_architecture(context)
    tiers = _tiers(context, jobs, architecture[0], option)
    network = network_plan(context, cluster, jobs, tiers, choice, option)
    results = tuple(_result(context, cluster, job, tiers[0], network) for job in jobs)
    saves = [(result.save.save_s, result.job.checkpoint.interval_s) for result in results]
    drive = drive_power(context, tiers[0], saves)
    facility = facility_plan(context, tiers, network, drive)
    alone = facility.rack_count.number == 1 and weight_in_one_rack(context, facility).verdict != "fail"
    if alone and option.name != "fc":  # copper reaches within a rack
        links = in_one_rack(context, network.links, network.switch)
        if links != network.links and has_cages_for(network, links):
            network = replace(network, links=links)
            facility = facility_plan(context, tiers, network, drive)
    return Calculation(
        context=context,
        cluster=cluster,
        jobs=results,
        architecture=architecture,
        options=options,
        tiers=tiers,
        network=network,
        endurance=endurance_plan(context, tiers[0]),
        facility=facility,
    )


def _tiers(
    context: Context, jobs: tuple[JobPlan, ...], architecture: Choice, option: TransportOption
) -> tuple[TierPlan, ...]:
    storage = context.scenario.storage
    planned = [hot_tier(context, hot_demand(context, jobs), architecture, option)]
    posix = given(
        context.scenario.network.posix_stack_fraction,
        "fraction",
        "Client stack, parallel file system",
        source="rules of the calculation",
        grade="inferred",
    )
    http = given(
        context.scenario.network.tcp_stack_fraction,
        "fraction",
        "Client stack, S3 over TCP",
        source="rules of the calculation",
        grade="inferred",
    )
    reads = file_system_demand(context, jobs)
    if reads is not None:
        platform = context.catalogue.find(
            "platforms", storage.file_system.platform_id, field="storage.file_system.platform_id"
        )
        planned.append(
            unit_tier(
                context, "file-system", "Parallel file system", platform, reads, posix, storage.file_system
            )
        )
    platform = context.catalogue.find(
        "platforms", storage.object_store.platform_id, field="storage.object_store.platform_id"
    )
    planned.append(
        unit_tier(
            context, "object", "Object store", platform, object_demand(jobs), http, storage.object_store
        )
    )
    return tuple(planned)


def _result(
    context: Context, cluster: ClusterPlan, job: JobPlan, hot: TierPlan, network: NetworkPlan
) -> JobFigures:
    option = network.option
    jitter = slowest_node(context, job)
    save = job_save(context, job, hot, option, network, jitter=jitter)
    return JobFigures(job, jitter, save, goodput_plan(context, cluster, job, hot, option, save))
