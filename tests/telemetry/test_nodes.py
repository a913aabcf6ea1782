"""Which machine a file is of: by its folder, or by its name without the tool's words."""

from __future__ import annotations

import pytest

from planner.telemetry.nodes import controller, job_of, node_names
from tests.plan.changes import EVIDENCE, planned

PLAN = planned(EVIDENCE, {})
TWO = planned("two-jobs", {})


@pytest.mark.parametrize(
    ("name", "node"),
    [
        ("node07.json", "node07"),
        ("node07-fio.json", "node07"),
        ("fio_node07.out", "node07"),
        ("node07-nvme0n1-smart-log.json", "node07"),
        ("gpu-07.rack-2.example_smartctl.json", "gpu-07.rack-2.example"),
        ("training-70b-checkpoint-node07.json", "node07"),
        ("node07-fio (2).json", "node07"),
        ("fio (2).json", "fio (2)"),
        ("smart-log.json", "smart-log"),
        ("summary.json", "summary"),
        ("", ""),
    ],
)
def test_a_single_file(name: str, node: str) -> None:
    assert node_names([name], plan=PLAN)[name] == node


def test_the_folder_names_the_node_whatever_lies_above_it() -> None:
    names = ["drop/node1/fio.json", "drop/node1/nvme0.json", "drop/node2/fio.json", "drop/node3-list.json"]
    assert list(node_names(names, plan=PLAN).values()) == ["node1", "node1", "node2", "node3"]


def test_one_folder_alone_names_its_node() -> None:
    names = ["drop/node1/fio.json", "drop/node1/nvme0-smart-log.json"]
    assert set(node_names(names, plan=PLAN).values()) == {"node1"}


def test_a_second_file_of_a_name_is_of_the_same_machine_if_the_name_tells_one() -> None:
    names = ["node1/fio.json", "node1/fio (2).json", "node2/fio.json", "node2-fio (2).json", "fio (3).json"]
    told = ["node1", "node1", "node2", "node2", "fio (3)"]
    assert list(node_names(names, plan=PLAN).values()) == told


def test_a_folder_for_each_tool_names_no_node() -> None:
    names = ["fio/node1.json", "smart-log/node1.json", "smart-log/node2.json"]
    assert list(node_names(names, plan=PLAN).values()) == ["node1", "node1", "node2"]


def test_folders_of_windows_are_folders() -> None:
    names = ["drop\\node1\\fio.json", "drop\\node2\\fio.json"]
    assert list(node_names(names, plan=PLAN).values()) == ["node1", "node2"]


def test_a_file_speaks_of_the_job_in_its_name_else_of_the_largest() -> None:
    first = [result.job.name for result in TWO.jobs].index("Pre-training 70B")
    other = 1 - first
    assert job_of("n1/vision-2b-checkpoint.json", TWO) == other
    assert job_of("n1/pre-training-70b-checkpoint.json", TWO) == first
    assert job_of("n1/fio.json", TWO) == first
    assert job_of("", TWO) == first


@pytest.mark.parametrize(
    ("subject", "name", "drive"),
    [
        ("nvme0n1", "x.json", "nvme0"),
        ("drive", "node1/nvme12-smart-log.json", "nvme12"),
        ("drive", "x.json", "drive"),
        ("/dev/sda", "x", "/dev/sda"),
    ],
)
def test_one_drive_has_one_name_in_all_its_logs(subject: str, name: str, drive: str) -> None:
    assert controller(subject, name) == drive
