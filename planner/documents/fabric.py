"""The network in numbers: load of every hop, what a lost part leaves, scores of the transports, lossless values."""

from __future__ import annotations

from collections import Counter

from reportlab.platypus import Flowable

from planner.core.units import sentence
from planner.documents.parts import bullets, table, text, topic
from planner.documents.text import LONGEST, clean
from planner.plan import Plan
from planner.sections.fabric_load import FabricState
from planner.sections.links import speed_text
from planner.sections.traffic import CASE_LABELS, CASES
from planner.sections.transport_case import TransportCase
from planner.sections.transport_scores import CRITERIA


def fabric_tables(plan: Plan) -> list[Flowable]:
    """All tables on the fabric, in the order of the screen."""
    return [*_loads(plan), *_losses(plan), *_scores(plan.transport_case), *_lossless(plan), *_cables(plan)]


def _loads(plan: Plan) -> list[Flowable]:
    load = plan.fabric_load
    rows = [
        (
            clean(sentence(hop.name), limit=LONGEST),
            f"{hop.count} × {hop.link_bytes_per_s}",
            *(_share(load.whole, hop.key, case) for case in CASES),
        )
        for hop in load.hops
    ]
    head = ("Hop", "Links", *(sentence(CASE_LABELS[case]) for case in CASES))
    return [*topic("Load of every hop", "hops"), *table(head, rows, (0.34, 0.18, 0.16, 0.16, 0.16))]


def _share(state: FabricState, key: str, case: str) -> str:
    told = state.hop(key).loads[case].fraction.text()
    return f"{told} (fullest)" if state.bottleneck[case] == key else told


def _losses(plan: Plan) -> list[Flowable]:
    load = plan.fabric_load
    rows = []
    for state in (load.whole, *load.losses):
        key = state.bottleneck["both"]
        fullest = f"{state.hop(key).name}, {state.hop(key).loads['both'].fraction}" if key else "unknown"
        saves = ", ".join(save.save_s.text() for save in state.saves)
        rows.append(
            (sentence(state.name), saves, clean(fullest, limit=LONGEST), state.rebuild_bytes_per_s.text())
        )
    head = ("Lost", "Save" if len(plan.jobs) == 1 else "Save of each job", "Fullest hop", "Rebuild traffic")
    notes = [f"{sentence(state.name)}: {state.note}" for state in load.losses if state.note]
    return [
        *topic("What a lost part leaves", "losses"),
        *table(head, rows, (0.2, 0.2, 0.44, 0.16)),
        *bullets(notes),
    ]


def _scores(case: TransportCase) -> list[Flowable]:
    rows = [
        (
            label,
            case.weights[name].text(),
            *(f"{score.of(name).weighted}: {score.of(name).reason}" for score in case.scores),
        )
        for name, label in CRITERIA.items()
    ]
    sums = (f"{s.total}" + (f", not possible: {s.barred}" if s.barred else "") for s in case.scores)
    lines = [f"{row.words}." for row in case.enough] + [f"{turn.words}." for turn in case.turns]
    if case.lossy is not None:
        lossy = case.lossy
        lines.append(
            f"RoCEv2 without lossless set-up: a save takes {lossy.save_low_s} to {lossy.save_high_s}; {lossy.risk} "
            f"({lossy.source})."
        )
    return [
        *topic("Scores of the transports", "scores"),
        text("Points from 0 to 2 times the weight, with the reason of the points."),
        *table(
            ("Criterion", "Weight", *(score.label for score in case.scores)),
            [*rows, ("Sum", "", *sums)],
            (0.16, 0.09, 0.25, 0.25, 0.25),
        ),
        *bullets(lines),
    ]


def _lossless(plan: Plan) -> list[Flowable]:
    """Headroom and marking of each kind of port, where the transport needs them."""
    values = plan.lossless
    if values is None or plan.network.transport.value != "rdma":
        return []
    rows = [
        (
            buffer.role,
            f"{profile.gbps} Gb/s, {profile.cable_m} m",
            profile.headroom.text(),
            profile.ecn_low.text(),
            profile.ecn_high.text(),
        )
        for buffer in values.buffers
        for profile in buffer.profiles
    ]
    if not rows:  # InfiniBand loses nothing by its own credits
        return []
    head = ("Switch", "Port", "Headroom", "ECN begins", "ECN marks all")
    return [*topic("Headroom and marking", "headroom"), *table(head, rows, (0.16, 0.24, 0.2, 0.2, 0.2))]


def _cables(plan: Plan) -> list[Flowable]:
    """The cable schedule, cables alike together; every single one stands in the configuration bundle."""
    heading = topic("Cable schedule", "cables")
    if plan.cabling is None:
        return [
            *heading,
            text("Not listed: the ports do not fit the planned leaves, or there are too many of them."),
        ]
    speeds = {group.name: speed_text(group) for group in plan.network.links}
    alike = Counter((c.group, c.type, speeds[c.group], c.length_m, c.side) for c in plan.cabling.cables)
    rows = [
        (clean(group, limit=LONGEST), clean(kind), speed, f"{length:g} m", side, str(count))
        for (group, kind, speed, length, side), count in sorted(alike.items())
    ]
    head = ("Links", "Cable", "Speed", "Length", "Side", "Number")
    return [*heading, *table(head, rows, (0.32, 0.28, 0.12, 0.1, 0.08, 0.1))]
