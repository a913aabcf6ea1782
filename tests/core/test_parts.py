"""Parts that are made later belong to a result like its fields; results cannot be changed, and compare by what they hold."""

from __future__ import annotations

import dataclasses

from planner import Scenario, calculate, load_catalogue, plan
from planner.core.checks import Fix
from planner.core.parts import Later, part_names
from planner.plan import JobResult, Plan
from planner.sections.context import Choice


@dataclasses.dataclass(frozen=True)
class Box:
    side: float
    made: list[str]

    @Later
    def volume(self) -> float:
        """Made once."""
        self.made.append("volume")
        return self.side**3


class Crate(Box):
    @Later
    def label(self) -> str:
        """Made once."""
        return f"{self.volume}"


def test_a_later_part_is_made_when_it_is_first_asked_for_and_only_then() -> None:
    box = Box(2.0, [])
    assert part_names(box) == ("side", "made", "volume")
    assert box.made == []
    assert (box.volume, box.volume) == (8.0, 8.0)
    assert box.made == ["volume"]


def test_a_subclass_has_the_later_parts_of_its_base_first() -> None:
    assert part_names(Crate(2.0, [])) == ("side", "made", "volume", "label")


def test_a_plan_has_its_explaining_sections_as_parts() -> None:
    done = plan(Scenario(), load_catalogue())
    assert {"transport", "flips", "protection", "monitoring"} <= set(part_names(done))
    assert {"degraded", "advice", "pipeline", "layout"} <= set(part_names(done.main))
    assert not {"transport", "flips", "monitoring", "degraded", "pipeline", "layout"} & (
        vars(done).keys() | vars(done.main).keys()
    )


def test_what_the_review_asked_for_is_not_made_twice() -> None:
    done = plan(Scenario(), load_catalogue())
    assert isinstance(vars(done)["main"], JobResult)
    assert isinstance(done, Plan)
    assert vars(done)["nfs"] is done.transport[-1]


def test_a_lost_path_is_one_save_wherever_it_stands() -> None:
    job = plan(Scenario(), load_catalogue()).main
    assert job.path_lost is job.degraded["one path lost"]


def test_records_compare_and_hash_by_what_they_hold() -> None:
    first, second = Choice("tcp", "TCP", "why"), Choice("tcp", "TCP", "why")
    assert first == second
    assert len({first, second, Choice("fc", "FC", "why")}) == 2
    assert dataclasses.replace(first, value="fc") == Choice("fc", "TCP", "why")
    assert {Fix("a", 1, "b")} == {Fix("a", 1, "b")}


def test_no_record_of_a_calculation_has_room_for_more() -> None:
    done = calculate(Scenario(), load_catalogue())
    for item in (
        done.network,
        done.facility,
        done.tiers[0],
        done.main.job.checkpoint,
        done.network.transport,
    ):
        assert not hasattr(item, "__dict__")
