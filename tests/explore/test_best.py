"""The best design: the front against brute force, what is set aside and why, large spaces, and refusals."""

from __future__ import annotations

import functools
import itertools
import math
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

import pytest

from planner import PlannerError, load_catalogue, plan
from planner.explore.best import AVOIDED, DEFAULT_OBJECTIVES, FAILED, Best, Request, best
from planner.explore.candidates import MOST_DESIGNS
from planner.explore.neighbours import neighbours
from planner.explore.ranking import COLUMNS, MEASURES, sized
from planner.explore.results import figures_of
from planner.inputs import flatten, nest
from planner.plan import Plan
from planner.scenario import Scenario
from planner.scenario_json import scenario_from_dict
from planner.templates import template, templates

CATALOGUE = load_catalogue()
GUIDE = template("guide-256-guide").scenario
EVIDENCE = template("guide-256-evidence").scenario
MINUTE = 60.0
GBPS = 1.25e8
OBJECTIVES = ("cost", "power", "stall", "rack-units")
SMALL: dict[str, list[Any]] = {
    "platform": ["spdk-2u24-gen5", "nvmet-2u24-gen4"],
    "drive": ["m7450max-6400", "m9550max-6400", "cd8-7680"],
    "protection": ["8+2", "2-way", "8+2:drive"],
    "transport": ["rdma", "tcp"],
    "link": [100 * GBPS, 200 * GBPS],
    "interval": [15 * MINUTE, 60 * MINUTE],
}
WHOLE: dict[str, list[Any]] = {
    **SMALL,
    "drive": ["m9550max-6400"],
    "platform": ["spdk-2u24-gen5", "lustre-oss-generic", "vast-ceres-3015", "pure-fb-s500"],
}
ARCHITECTURE = {
    "spdk-2u24-gen5": "software-defined",
    "nvmet-2u24-gen4": "software-defined",
}


def changed(scenario: Scenario, edits: dict[str, Any]) -> Plan:
    return plan(scenario_from_dict(nest({**flatten(scenario), **edits})), CATALOGUE)


@functools.cache
def every_design(scenario: Scenario) -> list[tuple[dict[str, Any], Plan]]:
    """All designs of the small space, each planned by itself, without the search's own code."""
    released = {f"storage.hot.{name}": None for name in ("usable_bytes", "drive_count", "unit_count")}
    flat = flatten(scenario)
    colder = {
        f"storage.{tier}.{name}": flat[f"storage.{tier}.{name}"]
        for tier in ("file_system", "object_store")
        for name in ("usable_bytes", "unit_count")
    }
    sizes = [colder, dict.fromkeys(colder)] if any(colder.values()) else [{}]
    found = []
    for platform, drive, protection, transport, cold, link, interval in itertools.product(
        SMALL["platform"],
        SMALL["drive"],
        SMALL["protection"],
        SMALL["transport"],
        sizes,
        SMALL["link"],
        SMALL["interval"],
    ):
        code, _, inside = protection.partition(":")
        edits = {
            **released,
            **cold,
            "storage.hot.platform_id": platform,
            "storage.hot.architecture": ARCHITECTURE[platform],
            "storage.hot.drive_id": drive,
            "storage.hot.drive_bytes": flat["storage.hot.drive_bytes"]
            if drive == flat["storage.hot.drive_id"]
            else None,
            "storage.hot.protection_id": code,
            "storage.hot.protection_domain": "drive" if inside else "node",
            "network.transport": transport,
            "cluster.storage_port_bytes_per_s": link,
            "jobs.0.checkpoint.interval_s": interval,
        }
        found.append((edits, changed(scenario, edits)))
    return found


@functools.cache
def small(scenario: Scenario, names: tuple[str, ...] = DEFAULT_OBJECTIVES) -> Best:
    """The search of the small space."""
    return best(scenario, Request(names, choices=SMALL))


def figures(done: Plan, names: tuple[str, ...]) -> tuple[float, ...]:
    return tuple(float(f"{MEASURES[name].figure(done).number:.10g}") for name in names)


def accepted(done: Plan, avoid: tuple[str, ...]) -> bool:
    return not any(
        f.severity == "blocker" or (f.severity == "warning" and f.code in avoid) for f in done.findings
    )


def brute_front(
    designs: list[tuple[dict[str, Any], Plan]], names: tuple[str, ...], lost: float
) -> set[tuple[float, ...]]:
    """Figures of the designs that keep all limits and that no other one beats."""
    kept = {
        figures(done, names)
        for _, done in designs
        if accepted(done, AVOIDED) and done.together.lost_usd_per_year.number <= lost * (1 + 1e-9)
    }
    return {
        one
        for one in kept
        if not any(other != one and all(a <= b for a, b in zip(other, one, strict=True)) for other in kept)
    }


def front_of(found: Best) -> list[tuple[float, ...]]:
    return [
        tuple(float(f"{item.number:.10g}") for item in entry.objectives.values()) for entry in found.front
    ]


@pytest.mark.parametrize("scenario", [GUIDE, EVIDENCE], ids=["guide", "evidence"])
def test_the_front_of_a_small_space_is_that_of_brute_force(scenario: Scenario) -> None:
    designs = every_design(scenario)
    lost = plan(scenario, CATALOGUE).together.lost_usd_per_year.number
    for names in (("cost",), ("stall", "cost"), OBJECTIVES):
        found = small(scenario, names)
        assert found.space.count == found.computed == len(designs)
        assert found.exact
        assert found.gap_fraction == 0
        expected = brute_front(designs, names, lost)
        assert expected
        assert set(front_of(found)) == expected
        assert len(found.front) == len(expected)
        assert front_of(found) == sorted(front_of(found))
    assert sum(found.rejected.values()) + len(found.front) == found.space.count


def test_every_design_of_the_front_is_a_plan_without_blocker() -> None:
    found = small(GUIDE)
    for entry in found.front:
        done = plan(entry.scenario, CATALOGUE)
        assert entry.faults == ()
        assert accepted(done, AVOIDED)
        for name, item in entry.objectives.items():
            assert item.number == MEASURES[name].figure(done).number
        assert entry.candidate is not None
        assert flatten(entry.scenario).items() >= entry.candidate.edits.items()


def test_no_design_of_the_front_beats_another() -> None:
    scores = front_of(small(EVIDENCE))
    for one, other in itertools.permutations(scores, 2):
        assert any(a > b for a, b in zip(one, other, strict=True))


def test_the_same_request_finds_the_same_designs() -> None:
    first, second = small(GUIDE), best(GUIDE, Request(choices=SMALL))
    assert [e.scenario for e in first.front] == [e.scenario for e in second.front]
    assert first.rejected == second.rejected


def test_the_search_mends_the_guides_example_and_says_what_it_costs() -> None:
    choices: dict[str, list[Any]] = {
        "drive": ["m7450max-6400", "p5620-6400", "m9550max-6400"],
        "link": [200 * GBPS],
    }
    found = best(GUIDE, Request(choices=choices))
    assert {"END-1", "BW-4", "PRT-1", "BW-2", "CAP-2", "PRT-3"} <= set(found.today.faults)
    assert found.optimum is not None
    assert found.optimum.faults == ()
    assert found.space.released == ("storage.hot.usable_bytes",)
    # The guide's own totals for its example: $12,000 to $31,000.
    cost = found.today.objectives["cost"].number
    assert cost == pytest.approx(31_000, rel=0.01)
    more = found.optimum.objectives["cost"].number - cost
    assert 0 < more < 0.1 * cost
    done = plan(found.optimum.scenario, CATALOGUE)
    assert done.endurance.check.verdict == "pass"
    assert [f.code for f in done.findings if f.severity == "blocker"] == []


@pytest.mark.parametrize("item", templates(), ids=lambda item: item.id)
def test_ranked_figures_are_those_of_the_plan(item: Any) -> None:
    done, ranked = plan(item.scenario, CATALOGUE), sized(item.scenario, CATALOGUE)
    planned = {name: figure.number for name, figure in figures_of(done).items()}
    assert set(ranked) == set(COLUMNS)
    for name, value in ranked.items():
        assert value == pytest.approx(planned[name], rel=1e-9, nan_ok=True)
    assert {measure.column: measure.figure(done).number for measure in MEASURES.values()} == pytest.approx(
        {name: planned[name] for name in COLUMNS}, nan_ok=True
    )


def test_many_numbers_are_followed_together_and_few_one_by_one() -> None:
    choices: dict[str, list[Any]] = {
        "platform": ["spdk-2u24-gen5"],
        "drive": ["m9550max-6400"],
        "protection": ["2-way"],
        "transport": ["tcp"],
        "link": [gbps * GBPS for gbps in (50, 100, 200, 400)],
        "interval": [minutes * MINUTE for minutes in range(5, 65, 5)],
    }
    found = best(EVIDENCE, Request(("stall", "cost"), as_today=False, choices=choices))
    assert found.computed == 48
    seen = set()
    for seconds in choices["interval"]:
        part = best(
            EVIDENCE, Request(("stall", "cost"), as_today=False, choices={**choices, "interval": [seconds]})
        )
        seen |= set(front_of(part))
    best_of_all = {
        one for one in seen if not any(o != one and o[0] <= one[0] and o[1] <= one[1] for o in seen)
    }
    assert set(front_of(found)) == best_of_all


# --- what cannot be ranked -----------------------------------------------------------------------------------


def test_what_has_no_price_or_cannot_be_computed_is_set_aside_and_said() -> None:
    found = best(EVIDENCE, Request(choices=WHOLE))
    assert found.rejected[FAILED] == 8
    assert found.rejected["no price, watts or height for the platform or drive"] == 8
    assert found.optimum is not None
    told = {item.option: item for item in neighbours(found, found.optimum)}
    assert told[CATALOGUE.platforms["vast-ceres-3015"].name].why == "not known"
    assert "not in the catalogue" in told[CATALOGUE.platforms["pure-fb-s500"].name].reason


def test_figures_of_a_vendor_are_not_taken_for_another_platform() -> None:
    stated = {"storage.hot.platform_id": "pure-fb-s500", "storage.hot.architecture": "all-flash-array"}
    rates = {
        f"storage.hot.manual_{n}": v
        for n, v in (("write_bytes_per_s", 5e10), ("read_bytes_per_s", 9e10), ("usable_bytes", 2e14))
    }
    scenario = scenario_from_dict(nest({**flatten(EVIDENCE), **stated, **rates}))
    found = best(
        scenario,
        Request(
            ("stall",),
            choices={"platform": ["pure-fb-s500", "pure-fb-s200"], "interval": [1800.0]},
            as_today=False,
        ),
    )
    assert found.rejected[FAILED] * 2 == found.space.count


# --- neighbours ------------------------------------------------------------------------------------------------


def test_every_neighbour_has_its_reason() -> None:
    found = small(GUIDE)
    assert found.optimum is not None
    assert found.optimum.candidate is not None
    around = neighbours(found, found.optimum)
    assert len(around) == sum(len(d.options) - 1 for d in found.space.dimensions)
    for item in around:
        assert item.reason
        differing = [
            dimension.name
            for dimension, option in item.candidate.picks
            if (now := found.optimum.candidate.option(dimension.name)) is None or now.key != option.key
        ]
        assert len(differing) == 1
        done = plan(found.space.scenario(item.candidate), CATALOGUE)
        codes = [f.code for f in done.findings]
        if item.why in ("blocker", "warning"):
            assert item.reason.partition(":")[0] in codes
        elif item.why == "worse":
            old, new = front_of(found)[0], figures(done, OBJECTIVES)
            assert all(b >= a for a, b in zip(old, new, strict=True))
            assert new != old


def test_a_limit_that_is_broken_says_by_how_much() -> None:
    found = best(EVIDENCE, Request(("stall",), limits=("power<=12 kW",), choices=SMALL))
    assert found.optimum is not None
    assert found.optimum.faults == ()
    assert plan(found.optimum.scenario, CATALOGUE).facility.typical_w.number <= 12_000
    over = [item for item in neighbours(found, found.optimum) if item.why == "limit"]
    assert over
    assert all("against the limit of" in item.reason for item in over)


def test_no_design_is_no_optimum() -> None:
    found = best(EVIDENCE, Request(("cost",), limits=("power<=1 kW",), choices=SMALL))
    assert found.front == ()
    assert found.optimum is None
    assert found.rejected["over the limit: Power at most 1\u00a0kW"] == found.space.count


# --- large spaces ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["cost", "power", "rack-units", "stall"])
def test_a_walk_stays_above_its_floor_and_within_its_gap(name: str) -> None:
    exact = small(EVIDENCE, (name,))
    walk = best(EVIDENCE, Request((name,), choices=SMALL), most_exact=10)
    assert not walk.exact
    assert walk.optimum is not None
    assert exact.optimum is not None
    assert walk.floor is not None
    assert walk.gap_fraction is not None
    least, found = (b.optimum.objectives[name].number for b in (exact, walk) if b.optimum)
    assert walk.floor.value <= least * (1 + 1e-9)
    assert least <= found * (1 + 1e-9)
    assert found == pytest.approx(walk.floor.value * (1 + walk.gap_fraction))


def test_the_floor_is_below_every_design() -> None:
    found = best(GUIDE, Request(OBJECTIVES, choices=SMALL), most_exact=10)
    assert found.floor is not None
    for _, done in every_design(GUIDE)[::7]:
        assert done.cost.capital_high_usd.number >= found.floor.value


def test_there_is_no_bound_where_none_can_be_proved() -> None:
    choices = {**SMALL, "jobs.0.checkpoint.retained_count": [3, 5]}
    found = best(EVIDENCE, Request(("cost",), choices=choices), most_exact=10)
    assert found.floor is None
    assert found.gap_fraction is None
    assert best(EVIDENCE, Request(("lost",), choices=SMALL), most_exact=10).floor is None


def test_a_search_can_be_stopped() -> None:
    found = best(EVIDENCE, Request(choices=SMALL), progress=lambda done, _: done < 20)
    assert found.stopped
    assert not found.exact
    assert 20 <= found.computed < found.space.count


# --- refusals ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({"choices": {"drives": ["m9550max-6400"]}}, "no dimension “drives”; did you mean drive?"),
        ({"choices": {"drive": ["m9550max-6401"]}}, "did you mean m9550max-6400?"),
        ({"choices": {"drive": []}}, "drive: the list of choices is empty"),
        ({"choices": {"drive": "m9550max-6400"}}, "a list, not"),
        ({"choices": {"protection": ["9+9"]}}, "9+9"),
        ({"choices": {"platform": ["minio-2u24"]}}, "cannot be a hot tier"),
        ({"choices": {"transport": ["carrier-pigeon"]}}, "transport"),
        ({"choices": {"interval": [1.0]}}, "interval"),
        ({"choices": {"interval": [math.nan]}}, "interval: “nan” is not a number"),
        ({"choices": {"link": [25e9, "fast"]}}, "link: “fast” is not a number"),
        ({"choices": {"link": [25e9, None]}}, "link: “None” is not a number"),
        ({"choices": {"cold": ["warm"]}}, "use stated or auto"),
        ({"choices": {"cluster.node_count": [0]}}, "cluster.node_count"),
        ({"objectives": ()}, "needs an objective"),
        ({"objectives": ("costs",)}, "no objective “costs”; did you mean cost?"),
        ({"objectives": ("goodput",)}, "no objective “goodput”"),
        ({"objectives": ("cost", "cost")}, "twice"),
        ({"limits": ("power 20 kW",)}, "write it as power<=20 kW"),
        ({"limits": ("powr<=20 kW",)}, "did you mean power?"),
        ({"limits": ("power<=20 apples",)}, "apples"),
        ({"limits": ("power<=-3 kW",)}, "use above 0"),
        ({"limits": ("goodput>=150 %",)}, "above 0 to 100 %"),
        ({"limits": "power<=20 kW"}, "limits: “power<=20 kW” is no list of texts"),
        ({"objectives": (5,)}, "objectives: “(5,)” is no list of texts"),
        ({"choices": ["drive"]}, r"choices: “['drive']” (list) is not allowed"),
        ({"choices": {"drive": [["m9550max-6400"]]}}, "drive: “['m9550max-6400']” is no value of an input"),
        ({"avoid": "BW-2"}, "avoid: “BW-2” is no list of texts"),
        ({"avoid": ("BW-2", "PRT3")}, "avoid: no finding “PRT3”; did you mean PRT-3?"),
        ({"avoid": ("bw-2",)}, "avoid: no finding “bw-2”; did you mean BW-2?"),
        ({"avoid": ("XYZ",)}, "avoid: no finding “XYZ”; usual ones are BW-2"),
    ],
)
def test_a_wrong_request_is_one_line_before_any_work(asked: dict[str, Any], says: str) -> None:
    told: list[int] = []
    with pytest.raises(PlannerError) as refused:
        best(EVIDENCE, Request(**asked), progress=lambda done, _: told.append(done))
    assert says in refused.value.message
    assert "\n" not in refused.value.message
    assert told == []


def test_what_is_no_scenario_and_what_is_no_request_are_refused_in_one_line() -> None:
    wrong: Any = {"cluster": {"node_count": 8}}
    with pytest.raises(PlannerError, match=r"^scenario: “.*” \(dict\) is not allowed; give a Scenario"):
        best(wrong)
    empty: Any = {}
    with pytest.raises(PlannerError, match=r"^request: “\{\}” \(dict\) is not allowed; give a Request"):
        best(EVIDENCE, empty)


def test_a_space_that_is_too_large_says_how_large_and_what_to_reduce() -> None:
    choices = {"interval": [300.0 + second for second in range(MOST_DESIGNS // 1000)]}
    with pytest.raises(
        PlannerError, match=r"designs are more than one search takes \(2.000.000\): give interval fewer"
    ):
        best(EVIDENCE, Request(choices=choices))


def test_a_drive_that_another_of_its_size_is_as_good_as_is_tried_by_a_wider_search_alone() -> None:
    held: dict[str, list[Any]] = {**SMALL, "platform": ["spdk-2u24-gen5"], "protection": ["2-way"]}
    del held["drive"]
    usual, wide = (best(EVIDENCE, Request(choices=held, wide=wide)) for wide in (False, True))
    tried, all_tried = (
        {option.key for d in found.space.dimensions if d.name == "drive" for option in d.options}
        for found in (usual, wide)
    )
    assert tried < all_tried
    # Data sheets, hardware/nvme_drives.csv: 7.68 TB with 3.8 GB/s written at 20 W against 5.6 GB/s at 14 W.
    assert "pm1733-7680" in all_tried - tried
    assert "m7450pro-7680" in tried
    said = dict(usual.space.left_out)
    assert set(said) - {name for name, _ in wide.space.left_out} == {
        CATALOGUE.drives[name].name for name in all_tried - tried
    }
    assert all(
        "of the same size is as good in every figure" in said[CATALOGUE.drives[n].name]
        for n in all_tried - tried
    )
    leading = usual.measures[0].name
    assert usual.optimum is not None
    assert wide.optimum is not None
    assert wide.optimum.objectives[leading].number <= usual.optimum.objectives[leading].number


def test_today_s_drive_is_always_tried() -> None:
    scenario = changed(EVIDENCE, {"storage.hot.drive_id": "pm1733-7680"}).scenario
    held = {**SMALL, "platform": ["spdk-2u24-gen5"], "protection": ["2-way"], "transport": ["rdma"]}
    del held["drive"]
    found = best(scenario, Request(choices=held))
    assert "pm1733-7680" in {o.key for d in found.space.dimensions if d.name == "drive" for o in d.options}


def test_processes_find_the_same_designs() -> None:
    here = small(GUIDE)
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        there = best(GUIDE, Request(choices=SMALL), executor=pool)
    assert [entry.scenario for entry in there.front] == [entry.scenario for entry in here.front]
    assert there.rejected == here.rejected
    assert there.computed == here.computed
