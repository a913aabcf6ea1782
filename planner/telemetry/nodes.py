"""Which machine a file is of: told by its folder, or by what is left of its name without the tool's words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from planner.core.errors import shorten
from planner.plan import Plan

_WORDS = frozenset(
    (
        *(
            "fio",
            "nvme",
            "smart",
            "smartctl",
            "smartlog",
            "log",
            "ior",
            "mdtest",
            "elbencho",
            "dlio",
            "mlperf",
        ),
        *("mlpstorage", "list", "subsys", "endurance", "subsystem", "subsystems", "paths", "path", "health"),
        *("checkpoint", "checkpointing", "dataset", "burst", "read", "write", "randread", "randwrite", "seq"),
        *("output", "outputs", "out", "result", "results", "summary", "test", "acceptance", "training"),
        *("latency", "run", "measured", "measurements", "json", "txt", "csv", "bw", "rand", "report", "raw"),
    )
)
_DEVICE = re.compile(r"(?:nvme\d+(?:[cn]\d+)*(?:p\d+)?|sd[a-z]+)\Z")
_ENDING = re.compile(r"\.(?:json|txt|out|log|csv|text)\Z", re.IGNORECASE)
_COPY = re.compile(r" \(\d{1,4}\)\Z")
"""What tells a second file of the same name from the first: it is of the same machine if the name tells one."""
_SPLIT = re.compile(r"[\s_.\-]+")
_FOLDERS = re.compile(r"[/\\]+")
_PORT = re.compile(r":\d{1,5}\Z")
_CONTROLLER = re.compile(r"nvme\d+")
LONGEST_NODE = 60


def node_names(names: Sequence[str], *, plan: Plan) -> dict[str, str]:
    """A machine for each file.

    Args:
        names: Names of the files as given, with the folders that were dropped with them.
        plan: The design: its jobs' names are no machine's.

    Returns:
        Machine by name of file. In `node07/fio.json` and in `node07-smart-log.json` alike it is "node07"; a
        name that says nothing but the tool stands for itself.
    """
    jobs = frozenset(word for result in plan.jobs for word in _words(result.job.name))
    split = {name: tuple(part for part in _FOLDERS.split(name) if part) for name in names}
    shared = _shared(split.values())
    return {name: _node(parts, jobs, shared) or shorten(name, LONGEST_NODE) for name, parts in split.items()}


def _words(name: str) -> list[str]:
    return [word for word in _SPLIT.split(name.lower()) if word]


def _shared(paths: Iterable[tuple[str, ...]]) -> int:
    """How many folders all files have in common; that they were dropped in says nothing of them."""
    every = list(paths)
    count = 0
    while all(len(path) > count + 1 for path in every) and len({path[count] for path in every}) == 1:
        count += 1
    return count if len(every) > 1 else max((len(path) - 1 for path in every), default=0)


def _node(parts: Sequence[str], jobs: frozenset[str], shared: int) -> str:
    """The first folder that names something, else what is left of the file's own name, else a folder of all."""
    stem = _ENDING.sub("", parts[-1]) if parts else ""
    for name in (*parts[shared:-1], _COPY.sub("", stem), *reversed(parts[:shared])):
        if kept := _kept(name, jobs):
            return shorten(kept, LONGEST_NODE)
    return shorten(stem, LONGEST_NODE)


def _kept(name: str, jobs: frozenset[str]) -> str:
    """A name without the words of tools, devices and jobs at its ends; empty if nothing else is in it."""
    words = [word for word in re.split(r"[\s_\-]+|\.(?=[A-Za-z])", name) if word]
    dull = [_is_dull(word, jobs) for word in words]
    if all(dull):
        return ""
    first, last = dull.index(False), len(dull) - dull[::-1].index(False)
    inner = words[first:last]
    begin = name.index(inner[0])
    return name[begin : name.rindex(inner[-1]) + len(inner[-1])]


def _is_dull(word: str, jobs: frozenset[str]) -> bool:
    lower = word.lower()
    return lower in _WORDS or lower in jobs or bool(_DEVICE.match(lower))


def job_of(name: str, plan: Plan) -> int:
    """Number of the job that a file speaks of: the one whose name is in the file's, else the largest.

    Args:
        name: Name of the file; the bundle's script calls it after the job.
        plan: The design.
    """
    words_of_file = _words(_FOLDERS.split(name)[-1])
    told = f"-{'-'.join(words_of_file)}-"
    found = [
        (len(words), number)
        for number, result in enumerate(plan.jobs)
        if f"-{(words := '-'.join(_words(result.job.name)))}-" in told and words
    ]
    return max(found)[1] if found else main_job(plan)


def main_job(plan: Plan) -> int:
    """Number of the job with the largest checkpoint."""
    return next(number for number, result in enumerate(plan.jobs) if result is plan.main)


def controller(subject: str, name: str) -> str:
    """What tells one drive of a machine from another: nvme3 of "nvme3n1", or of the file's name, else the subject.

    Args:
        subject: What the record calls the drive.
        name: Name of the file that it is from.
    """
    for text in (subject, _ENDING.sub("", _FOLDERS.split(name)[-1])):
        if match := _CONTROLLER.search(text.lower()):
            return match.group()
    return subject


def of_host(host: str, names: Mapping[str, str], name: str) -> str:
    """The machine that a record itself names, without its port; else that of its file."""
    return shorten(machine(host), LONGEST_NODE) or names[name]


def machine(host: str) -> str:
    """A host without the port by which one of its servers is known."""
    return _PORT.sub("", host)
