"""The scores of the transports: today's rules under the default weights, and where another weight turns the choice."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from planner.scenario import Network, TransportWeights
from planner.sections.transport_case import DIRECT, LOSSY_RATIO
from planner.sections.transport_scores import (
    CORE_BYTES_PER_S,
    CRITERIA,
    MOST_POINTS,
    ORDER,
    Amounts,
    Situation,
    barred,
    best_of,
    points_of,
    situation_of,
    weights_of,
)
from tests.plan.changes import EVIDENCE, on_evidence, shipped

WEIGHTS = weights_of(TransportWeights())
AMPLE = Amounts(2e9, {"rdma": 49e9, "tcp": 49.5e9, "fc": 12.8e9}, 0.5, 8.0)
ALL_STATED = Situation(lossless=True, shared=False, san=False, missing=(), skilled=True)


def by_rules(situation: Situation, amounts: Amounts) -> str:
    """The guide's rules in words: RoCEv2 on lossless switches of its own, else a SAN that carries it, else TCP."""
    if situation.lossless and not situation.shared:
        return "rdma"
    carries = amounts.node_bytes_per_s["fc"] >= amounts.need_bytes_per_s
    return "fc" if situation.san and carries else "tcp"


@pytest.mark.parametrize(
    ("lossless", "shared", "san", "missing"),
    list(itertools.product([True, False], [True, False], [True, False], [(), ("DSCP",), ("ECN", "DSCP")])),
)
@pytest.mark.parametrize("need", [1e6, 5e8, 2e9, 6e9, 12e9, 24e9, 48e9])
def test_the_default_weights_choose_by_the_rules_of_the_guide(
    lossless: bool, shared: bool, san: bool, missing: tuple[str, ...], need: float
) -> None:
    situation = Situation(lossless, shared, san, missing, skilled=True)
    for ports in (1, 2, 4):
        amounts = Amounts(
            need,
            {"rdma": 24.5e9 * ports, "tcp": 24.8e9 * ports, "fc": 6.4e9 * ports},
            (ports - 1) / ports,
            8.0,
        )
        best = best_of(situation, amounts, WEIGHTS)
        assert best == by_rules(situation, amounts)
        points = points_of(situation, amounts)
        sums = {
            name: sum(WEIGHTS[criterion] * cells[name][0] for criterion, cells in points.items())
            for name in ORDER
            if name not in barred(situation, amounts)
        }
        assert best == max(sums, key=lambda name: sums[name])


def test_a_san_is_preferred_to_roce_without_any_lossless_set_up() -> None:
    bare = Situation(lossless=True, shared=False, san=True, missing=("PFC", "ECN", "DSCP"), skilled=True)
    assert best_of(bare, AMPLE, WEIGHTS) == "fc"
    assert best_of(Situation(True, False, True, (), skilled=True), AMPLE, WEIGHTS) == "rdma"


def test_a_team_without_skills_leaves_roce_to_those_who_need_its_cores() -> None:
    unskilled = Situation(lossless=True, shared=False, san=False, missing=(), skilled=False)
    assert best_of(unskilled, AMPLE, WEIGHTS) == "tcp"
    much = Amounts(40e9, {"rdma": 98e9, "tcp": 99e9, "fc": 25.6e9}, 0.75, 8.0)
    assert 40e9 / CORE_BYTES_PER_S["tcp"] > 8
    assert best_of(unskilled, much, WEIGHTS) == "rdma"


def test_points_have_reasons_and_stay_in_their_range() -> None:
    for situation in (ALL_STATED, Situation(False, True, True, ("PFC",), skilled=False)):
        points = points_of(situation, AMPLE)
        assert set(points) == set(CRITERIA)
        for cells in points.values():
            assert set(cells) == set(ORDER)
            for number, reason in cells.values():
                assert 0 <= number <= MOST_POINTS
                assert reason


@pytest.mark.parametrize(
    ("change", "name", "told"),
    [
        ({"lossless": False}, "rdma", "lossless Ethernet is not possible"),
        ({"san": False}, "fc", "no SAN is there"),
    ],
)
def test_what_the_network_does_not_allow_is_never_chosen(
    change: dict[str, bool], name: str, told: str
) -> None:
    base = {"lossless": True, "shared": False, "san": True, "missing": (), "skilled": True}
    situation = Situation(**{**base, **change})  # type: ignore[arg-type]
    assert barred(situation, AMPLE)[name] == told  # type: ignore[index]
    for weights in (dict.fromkeys(CRITERIA, 0), dict.fromkeys(CRITERIA, 10)):
        assert best_of(situation, AMPLE, weights) != name


def test_the_situation_is_what_the_scenario_states() -> None:
    assert situation_of(Network()) == ALL_STATED
    other = Network(pfc=False, dscp=False, operations_skill="low", fc_san_present=True)
    assert situation_of(other) == Situation(True, False, True, ("PFC", "DSCP"), skilled=False)


# --- the case of a plan -------------------------------------------------------------------------------------


def test_sums_are_points_times_weights_and_the_most_lead() -> None:
    case = shipped(EVIDENCE).transport_case
    for score in case.scores:
        assert [own.criterion for own in score.scores] == list(CRITERIA)
        summed = sum(own.points.number * case.weights[own.criterion].number for own in score.scores)
        assert score.total.number == summed
    allowed = [score for score in case.scores if not score.barred]
    assert case.leading == max(allowed, key=lambda score: score.total.number).name == "rdma"
    assert case.score("fc").barred == "no SAN is there"


@pytest.mark.parametrize(
    "changes", [{}, {"network.fc_san_present": True}, {"network.operations_skill": "low"}]
)
def test_the_choice_turns_where_a_weight_says_so(changes: dict[str, Any]) -> None:
    case = on_evidence(changes).transport_case
    assert case.turns
    for turn in case.turns:
        name = next(key for key, label in CRITERIA.items() if label == turn.criterion)
        path = f"network.transport_weights.{name}_weight_count"
        edge = turn.threshold.number
        before = int(edge) if edge != int(edge) else int(edge) - 1
        beyond, within = (before, before + 2) if turn.below else (before + 2, before)
        other = next(score.name for score in case.scores if score.label == turn.label)
        for weight, turned in ((beyond, True), (within, False)):
            if 0 <= weight <= 10:
                again = on_evidence({**changes, path: weight}).transport_case
                assert (again.score(other).total.number > again.score(case.leading).total.number) == turned


def test_a_weight_changes_the_transport_of_the_plan() -> None:
    changed = on_evidence({"network.transport_weights.cost_weight_count": 10})
    assert shipped(EVIDENCE).network.transport.value == "rdma"
    assert changed.network.transport.value == "tcp"
    assert "by the stated weights" in changed.network.transport.reason
    assert changed.network.option.name == "tcp"


def test_tcp_is_enough_up_to_its_ports_or_its_cores() -> None:
    case = shipped(EVIDENCE).transport_case
    tcp = next(row for row in case.enough if row.name == "tcp")
    assert tcp.left_bytes_per_s.number == pytest.approx(tcp.ports_bytes_per_s.number / 2)
    assert tcp.cores_bytes_per_s.number == pytest.approx(8 * CORE_BYTES_PER_S["tcp"])
    assert tcp.node_bytes_per_s.number == min(tcp.left_bytes_per_s.number, tcp.cores_bytes_per_s.number)
    assert tcp.rack_bytes_per_s.number == tcp.node_bytes_per_s.number * case.rack_nodes_count.number
    fewer = on_evidence({"network.transport_core_count": 2}).transport_case.enough
    few = next(row for row in fewer if row.name == "tcp")
    assert few.binding == "processor cores"
    assert few.node_bytes_per_s.number == pytest.approx(2 * CORE_BYTES_PER_S["tcp"])
    assert "GB/s a rack" in few.words.replace("\u00a0", " ")


def test_roce_without_lossless_set_up_slows_what_crosses_the_network() -> None:
    result = shipped(EVIDENCE)
    lossy = result.transport_case.lossy
    row = next(row for row in result.transport if row.name == "rdma")
    assert lossy is not None
    for save, ratio in zip((lossy.save_low_s, lossy.save_high_s), LOSSY_RATIO, strict=True):
        crossing = max(row.stages[name].number for name in ("node ports", "fabric", "target ports"))
        still = max(row.stages[name].number for name in ("copy out of GPU memory", "drives"))
        assert save.number == pytest.approx(max(crossing * ratio, still))
    assert "SIGCOMM 2018" in lossy.source
    assert lossy.slowdown_low.grade == "from memory"


def test_only_rdma_reaches_gpu_memory_by_itself() -> None:
    assert {name for name, (direct, _) in DIRECT.items() if direct} == {"rdma"}
    assert shipped(EVIDENCE).transport_case.score("rdma").direct
