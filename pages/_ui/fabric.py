"""The network of a plan: its drawing, the load of every hop, transports and their scores, lossless values, cables."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from pages._ui import fields, site_names, stating
from pages._ui.figures import dark, quantity_rows, table, text, why_one
from pages._ui.markup import bold, escaped
from pages._ui.verdicts import VERDICTS, merged, named_jobs
from planner.core.errors import PlannerError
from planner.core.quantity import Quantity
from planner.core.units import counted, format_range, sentence
from planner.deploy import schedules
from planner.inputs import input_at
from planner.plan import Plan
from planner.scenario_json import scenario_to_json
from planner.sections.fabric_load import FabricLoad, FabricState
from planner.sections.fabric_svg import fabric_svg
from planner.sections.lossless import CNP_DSCP, CNP_PRIORITY, DATA_DSCP, MARK_PERCENT, PRIORITY, WATCHDOG_MS
from planner.sections.traffic import CASE_LABELS, CASES
from planner.sections.transport_case import DIRECT_SOURCE, TransportCase
from planner.sections.transport_scores import CRITERIA
from planner.summary import figures as all_figures

PICTURE_PX = 640
FIRST_ROWS = 20
"""Cables and zones that are shown; all of them are in the file."""
SHORT = {"rdma": "RoCEv2", "fc": "Fibre Channel", "tcp": "TCP"}
YES = {True: "yes", False: "no"}
WITHOUT_LOSS = {
    "infiniband": "InfiniBand is lossless by credits: it needs no PFC, no ECN and no headroom, but a subnet manager.",
    "fc": "Fibre Channel is lossless by credits: it needs no PFC, no ECN and no headroom, but zones.",
}
"""Media on which nothing of lossless Ethernet is set up."""


def network(plan: Plan) -> None:
    """Drawing, loads, transports, switches and cables."""
    net = plan.network
    for choice in (net.transport, net.topology, net.separate):
        st.markdown(f"{bold(sentence(choice.label))}: {escaped(choice.reason)}.")
    _drawing(plan)
    _loads(plan)
    _transports(plan)
    _scores(plan)
    st.markdown("**Switches and links**")
    table(quantity_rows({net.switch.model: all_figures(plan)["Network"]}), alt="Links, ports and switches")
    for subject, done, remark in net.checklist:
        st.markdown(f"{VERDICTS['pass' if done else 'fail']} · {escaped(subject)}: {escaped(remark)}")
    _port_options(plan)
    if net.option.medium in WITHOUT_LOSS:
        st.markdown(WITHOUT_LOSS[net.option.medium])
    else:
        _opened("Lossless Ethernet: the values of each port", "lossless", _lossless, plan)
    if net.option.medium == "fc":
        _san(plan)
        _opened("Fibre Channel zones", "zones", _zones, plan)
    _opened("Cable schedule", "cables", _cables, plan)
    why_one("network", _openable(plan))


def _opened(title: str, key: str, show: Callable[[Plan], None], plan: Plan) -> None:
    """A part that is made when it is opened."""
    expander = st.expander(title, key=f"ui.fabric.{key}", on_change="rerun")
    if expander.open:
        with expander:
            show(plan)


def _openable(plan: Plan) -> dict[str, Quantity]:
    """Every figure of the section that can be opened."""
    found = dict(merged(all_figures(plan), "Network"))
    for hop in plan.fabric_load.hops:
        found |= {f"{sentence(hop.name)}, {CASE_LABELS[key]}": hop.loads[key].fraction for key in CASES}
    case = plan.transport_case
    for score in case.scores:
        found[f"Points of {score.label}"] = score.total
    for row in case.enough:
        found |= {q.label: q for q in (row.node_bytes_per_s, row.rack_bytes_per_s)}
    for turn in case.turns:
        found[f"{turn.label}: weight of {turn.criterion.lower()}"] = turn.threshold
    if case.lossy is not None:
        found["Save over RoCEv2 without lossless set-up"] = case.lossy.save_high_s
    return found


# --- drawing and loads --------------------------------------------------------------------------------------


def _drawing(plan: Plan) -> None:
    picture = plan.fabric_drawing()
    st.image(fabric_svg(picture, dark=dark()), width=PICTURE_PX, alt=escaped(picture.words))


def _loads(plan: Plan) -> None:
    """Every hop in each case with the fullest marked, and the same after each loss."""
    load = plan.fabric_load
    name, share = _fullest(load.whole)
    st.markdown(
        f"**Load of every hop**: the fullest in a burst beside steady traffic is **{name}**, {share}."
        if name
        else "**Load of every hop**"
    )
    table(
        [
            {
                "Hop": escaped(sentence(hop.name)),
                "Links": f"{text(hop.count)} × {text(hop.link_bytes_per_s)}",
                "Carries": text(hop.capacity_bytes_per_s),
            }
            | {sentence(CASE_LABELS[case]): _share(load, hop.key, case) for case in CASES}
            for hop in load.hops
        ],
        alt="Load of every hop in each case",
    )
    _losses(plan, load)


def _share(load: FabricLoad, key: str, case: str) -> str:
    """Share of a hop in a case; the fullest of the case is marked in words."""
    share = load.whole.hop(key).loads[case].fraction
    mark = " (fullest)" if load.whole.bottleneck[case] == key else ""
    return f"**{text(share)}{mark}**" if mark else text(share)


def _fullest(state: FabricState) -> tuple[str, str]:
    """Name and load of the fullest hop in a burst beside steady traffic; empty where no load is known."""
    key = state.bottleneck["both"]
    if not key:
        return "", ""
    hop = state.hop(key)
    return escaped(hop.name), text(hop.loads["both"].fraction)


def _losses(plan: Plan, load: FabricLoad) -> None:
    """The save of each job and the fullest hop, as built and after each loss."""
    rows, jobs = [], named_jobs(plan)
    for state in (load.whole, *load.losses):
        name, share = _fullest(state)
        rows.append(
            {"Lost": escaped(sentence(state.name))}
            | {
                escaped(f"Save, {job}") if len(jobs) > 1 else "Save": text(save.save_s)
                for (job, _), save in zip(jobs, state.saves, strict=True)
            }
            | {
                "Fullest hop": name,
                "Its load": share,
                "Rebuild traffic": text(state.rebuild_bytes_per_s),
            }
        )
    st.markdown("**What a lost part leaves**")
    table(rows, alt="Save and fullest hop after each loss")
    notes = [f"{sentence(state.name)}: {state.note}" for state in load.losses if state.note]
    if notes:
        st.caption("  \n".join(escaped(note) for note in notes))


def _port_options(plan: Plan) -> None:
    """Sides and rails beside each other, where a node has ports for both."""
    found = plan.port_options
    if len(found) < 2:
        return
    st.markdown("**Ports of a node**: on two sides, or each on a rail of its own")
    table(
        [
            {
                "Ports": escaped(sentence(option.label)) + (" (planned)" if option.planned else ""),
                "Leaves": text(option.leaf_count),
                "Ports lost with a leaf": text(option.ports_lost_fraction),
                "Ports that meet a target": text(option.local_fraction),
            }
            for option in found
        ],
        alt="Sides and rails",
    )
    st.caption("  \n".join(escaped(f"{sentence(option.name)}: {option.note}") for option in found))


# --- transports ---------------------------------------------------------------------------------------------


def _transports(plan: Plan) -> None:
    """The same save over each transport, and RoCEv2 without lossless set-up."""
    case, net = plan.transport_case, plan.network
    direct: dict[str, str] = {score.name: YES[score.direct] for score in case.scores}
    rows = [
        {
            "Transport": escaped(row.label) + (" (chosen)" if row.name == net.transport.value else ""),
            "Save": escaped(format_range(row.save_low_s.number, row.save_high_s.number, "s")),
            "Meets the target": VERDICTS["pass" if row.meets_target else "fail"],
            "Decided by": escaped(row.binding),
            "Bandwidth": text(row.bandwidth_bytes_per_s),
            "CPU cores": text(row.core_count),
            "GPUDirect Storage": direct.get(row.name, "over RDMA alone"),
        }
        for row in plan.transport
    ]
    lossy = case.lossy
    if lossy is not None:
        rows.insert(1, {
            "Transport": "NVMe-oF over RoCEv2 without lossless set-up",
            "Save": escaped(format_range(lossy.save_low_s.number, lossy.save_high_s.number, "s")),
            "Meets the target": VERDICTS["warning" if lossy.meets_target else "fail"],
            "Decided by": "lost packets",
            "Bandwidth": "", "CPU cores": "", "GPUDirect Storage": "yes",
        })  # fmt: skip
    st.markdown("**The same save over each transport**")
    table(rows, alt="The same save over each transport")
    if lossy is not None:
        st.caption(escaped(f"RoCEv2 without lossless set-up: {lossy.risk}. Figures: {lossy.source}."))
    st.caption(escaped(f"GPUDirect Storage: {DIRECT_SOURCE}."))


def _scores(plan: Plan) -> None:
    """Points by criterion and weight, and where the choice turns."""
    case = plan.transport_case
    st.markdown("**Scores of the transports**, 0 to 2 points times the weight")
    short = _short(plan)
    rows = [
        {"Criterion": label, "Weight": text(case.weights[name])}
        | {short[score.name]: text(score.of(name).weighted) for score in case.scores}
        for name, label in CRITERIA.items()
    ]
    sums = {short[score.name]: f"**{text(score.total)}**{_barred(score.barred)}" for score in case.scores}
    table([*rows, {"Criterion": "**Sum**", "Weight": "", **sums}], alt="Scores of the transports")
    _opened("Reasons of the points", "reasons", _reasons, plan)
    _opened("Change the weights", "weights", _weights, plan)
    st.markdown("**Where the choice would change**")
    st.markdown("\n".join(f"- {escaped(line)}" for line in _turning(plan, case)))


def _short(plan: Plan) -> dict[str, str]:
    """Names of the transports as heads of columns."""
    return SHORT | ({"rdma": "InfiniBand"} if plan.network.option.medium == "infiniband" else {})


def _reasons(plan: Plan) -> None:
    table(
        [
            {"Criterion": label}
            | {
                _short(plan)[score.name]: f"{text(score.of(name).points)}: {escaped(score.of(name).reason)}"
                for score in plan.transport_case.scores
            }
            for name, label in CRITERIA.items()
        ],
        alt="Points of each transport with their reasons",
    )


def _barred(reason: str) -> str:
    return f", not possible: {escaped(reason)}" if reason else ""


def _turning(plan: Plan, case: TransportCase) -> list[str]:
    """Amounts, conditions and weights at which another transport would do, or be chosen."""
    nodes = case.rack_nodes_count
    rack = f"; a rack of this site takes {counted(nodes.number, 'node')}" if nodes.known else ""
    lines = [f"A node writes {case.need_bytes_per_s}{rack}."]
    lines += [f"{row.words}." for row in case.enough]
    lines += [sentence(flip.condition) for flip in plan.flips]
    lines += [f"{turn.words}." for turn in case.turns]
    if not case.turns:
        lines.append("No single weight between 0 and 10 would turn the choice.")
    return lines


def _weights(plan: Plan) -> None:
    """The weights as fields; what is wrong with one is said under it."""
    wrong = dict(stating.answer().errors)
    with st.container(horizontal=True):
        for name in CRITERIA:
            path = f"network.transport_weights.{name}_weight_count"
            item = input_at(path)
            if item is not None:
                with st.container(width=200):
                    fields.field(item, plan, wrong=path in wrong)
                    if path in wrong:
                        st.error(escaped(wrong[path]))


# --- lossless values, zones and cables ----------------------------------------------------------------------


def _lossless(plan: Plan) -> None:
    """Headroom and thresholds of every kind of port, and the marks that all switches share."""
    if plan.network.transport.value != "rdma":
        st.markdown("This transport needs no lossless Ethernet; with RoCEv2 the values would be these.")
    values = plan.lossless
    if values is None:
        st.markdown("The ports do not fit the switches, so there are no cables to take lengths from.")
        return
    table(
        [
            {
                "Switch": escaped(buffer.role),
                "Port": f"{profile.gbps} Gb/s, {profile.cable_m} m",
                "Headroom (PFC)": text(profile.headroom),
                "ECN begins": text(profile.ecn_low),
                "ECN marks all": text(profile.ecn_high),
            }
            for buffer in values.buffers
            for profile in buffer.profiles
        ],
        alt="Headroom and thresholds of every kind of port",
    )
    for buffer in values.buffers:
        st.markdown(
            f"{VERDICTS[buffer.fits.verdict]} · {escaped(buffer.fits.name)}: {text(buffer.reserved)} for "
            f"{counted(buffer.port_count, 'port')} of {text(buffer.fits.provided)}."
        )
    detect, restore = WATCHDOG_MS
    st.markdown(
        f"PFC on priority {PRIORITY} alone; data DSCP {DATA_DSCP} and PCP {PRIORITY} to priority {PRIORITY}, CNP DSCP "
        f"{CNP_DSCP} to priority {CNP_PRIORITY}, strict; ETS share of storage {text(values.share)}; ECN marks up to "
        f"{MARK_PERCENT} %; watchdog: pauses of {detect} ms are broken, for {restore} ms."
    )


def _san(plan: Plan) -> None:
    """Zones, links between switches and licences in numbers."""
    san = plan.san
    if san is None:
        return
    figures = (
        san.zone_count, san.pair_count, san.isl_count, san.edge_port_count, san.core_port_count,
        san.included_count, san.pack_port_count, san.licence_count,
    )  # fmt: skip
    table(
        quantity_rows({"SAN": {figure.label: figure for figure in figures}}), alt="Zones, links and licences"
    )


def _zones(plan: Plan) -> None:
    """The first zones, or why there are none."""
    try:
        found = site_names.zone_rows(scenario_to_json(plan.scenario))
    except PlannerError as error:
        st.error(escaped(error.message))
        return
    st.caption(f"{min(len(found), FIRST_ROWS)} of {counted(len(found), 'zone')}; all are in the bundle.")
    table(
        [
            {"Zone": escaped(name), "Side": side, "Initiator": escaped(start), "Targets": escaped(ends)}
            for name, side, start, ends in found[:FIRST_ROWS]
        ],
        alt="Fibre Channel zones",
    )


def _cables(plan: Plan) -> None:
    """The first cables that match what is looked for, and all of them as a file."""
    scenario_json = scenario_to_json(plan.scenario)
    try:
        rows = site_names.cable_rows(scenario_json)
    except PlannerError as error:
        st.error(escaped(error.message))
        return
    wanted = st.text_input(
        "Find cables", key="ui.fabric.find", persist_state="session",
        placeholder="e.g. leaf-01, uplink, 400, side B", icon=":material/search:",
    )  # fmt: skip
    found = schedules.matching(rows, wanted or "")
    st.caption(
        f"{min(len(found), FIRST_ROWS)} of {counted(len(found), 'cable')} that match; the file has all {len(rows)}."
    )
    if not found:
        st.info(
            "No cable matches. Search for a device, a port, a use or a side, or clear the search.",
            icon=":material/search_off:",
        )
    else:
        shown = [
            {name.replace("_", " ").capitalize(): escaped(f"Cable {cell}" if name == "cable" else str(cell))
             for name, cell in zip(schedules.CABLE_COLUMNS, row, strict=True)}
            for row in found[:FIRST_ROWS]
        ]  # fmt: skip
        table(shown, alt="Cable schedule")
    st.download_button(
        "Download cable schedule (CSV)",
        data=lambda: schedules.table(schedules.CABLE_COLUMNS, rows),
        file_name="cables.csv",
        mime="text/csv",
        on_click="ignore",
        icon=":material/download:",
        key="ui.fabric.cables.csv",
    )
