"""What was built, held against what was designed: the promises, what was measured, and what follows.

Only the words and the shapes; `planner.telemetry` reads files and fills them, pages and documents show them.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Literal

from planner.core.quantity import Quantity

Scope = Literal["node", "array", "drive", "fabric"]
Result = Literal["pass", "fail", "open"]
Bound = Literal["at least", "at most", "exactly"]
State = Literal["within", "alarm", "open"]
OF_SMALL = "of small requests, which say little of what large ones reach"
"""Why a bandwidth that falls short proves nothing; stands in the detail of its outcome."""


@dataclass(frozen=True, slots=True)
class Promise:
    """One promise of the design that can be measured.

    Attributes:
        id: Key; of a second job and those after it, with the number of the job.
        scope: What is measured: one node, all of them on the array, a drive, the fabric with its paths.
        what: The promise in words, as it begins a line.
        quantity: What a record has to be of, a key of `planner.telemetry.records.QUANTITIES`.
        expected: The value of the design.
        bound: Whether the measured value has to be at least, at most or exactly that.
        tolerance_fraction: How far it may be missed.
        command: How to measure it.
        proves: What a pass means.
        tools: Tools whose records count; empty for any.
        job: Number of the job that it is of, from 0; -1 for all of them.
        also: Quantity that counts too where several machines measured it together.
    """

    id: str
    scope: Scope
    what: str
    quantity: str
    expected: Quantity
    bound: Bound
    tolerance_fraction: float
    command: str
    proves: str
    tools: tuple[str, ...] = ()
    job: int = -1
    also: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one subject reached in one promise.

    Attributes:
        promise: What was promised.
        subject: Node, drive or subsystem.
        measured: Its value.
        ratio: Measured over expected; NaN where nothing is expected.
        result: Whether it passes; open where the design itself does not know, not all machines took part, or requests
            were small.
        source: File that it was read from.
        node: Machine that it is of.
        detail: What else a reader should know of the value.
        node_count: Machines that took part together; 0 where it is one, or where the file does not say.
    """

    promise: Promise
    subject: str
    measured: Quantity
    ratio: float
    result: Result
    source: str
    node: str = ""
    detail: str = ""
    node_count: int = 0


@dataclass(frozen=True, slots=True)
class ShortNode:
    """A node that falls short of its design, or clearly behind its peers.

    Attributes:
        node: The machine.
        outcome: The promise that it misses most, or in which it is behind.
        missing: Share of that promise that is not there; of a node that is only behind its peers within the tolerance.
        behind: Share by which it is behind the median of its peers; unknown where it has too few.
        save_s: Save time of its job if all others were as designed; None where it does not write checkpoints.
        count: Promises that it misses.
    """

    node: str
    outcome: Outcome
    missing: Quantity
    behind: Quantity
    save_s: Quantity | None
    count: int


@dataclass(frozen=True, slots=True)
class SaveEffect:
    """What the slowest node does to the checkpoints of a job.

    Attributes:
        job: Name of the job.
        node: The slowest node that was measured.
        designed_s: Save time of the design.
        measured_s: Save time with that node.
        target_s: Time that a save may take.
        added_day_s: Longer saves of a day, together.
        node_count: Nodes that were measured.
        nodes_of_job: Nodes that the job has.
    """

    job: str
    node: str
    designed_s: Quantity
    measured_s: Quantity
    target_s: Quantity
    added_day_s: Quantity
    node_count: int
    nodes_of_job: Quantity


@dataclass(frozen=True, slots=True)
class PathState:
    """The paths from one machine to one subsystem.

    Attributes:
        node: The machine.
        subsystem: The subsystem.
        designed: Paths of the design.
        listed: Paths that the machine lists; one that was lost for long is not among them.
        live: Paths that are live.
        usable: Paths that carry data.
        save_s: Save time with the paths that are left; None where none is, or where nothing is lost.
        source: File that it was read from.
    """

    node: str
    subsystem: str
    designed: Quantity
    listed: Quantity
    live: Quantity
    usable: Quantity
    save_s: Quantity | None
    source: str

    @property
    def lost_count(self) -> int:
        """Paths of the design that carry no data."""
        return max(0, round(self.designed.number) - round(self.usable.number))


@dataclass(frozen=True, slots=True)
class DriveState:
    """The wear of one drive; what cannot be known is NaN, which prints as "unknown".

    Attributes:
        node: Machine that it is in.
        drive: Its name.
        group: Drives that it is compared with: the tier of the design that it belongs to.
        used_fraction: Share of its life that is used.
        written_bytes: All that hosts have written.
        powered_s: Time with power.
        write_bytes_per_day: What hosts write in a day.
        designed_write_bytes_per_day: What the design writes to a drive of its group in a day.
        waf_ratio: Write amplification in use.
        waf_over_design_ratio: The same over what the design assumed.
        waf_origin: Whether the drive counts its writes to flash, or its wear speaks of them.
        life_left_low_s: Time with power that is left at least, by wear.
        life_left_s: The same, most likely.
        life_left_high_s: The same at most.
        rating_life_left_s: Time until the rated writes are used up.
        replace_from: First day on which it may be due.
        replace_by: Day on which it is most likely due; None where none can be named.
        odd: How it deviates from its group; empty if it does not.
        source: File that it was read from.
    """

    node: str
    drive: str
    group: str
    used_fraction: Quantity
    written_bytes: Quantity
    powered_s: Quantity
    write_bytes_per_day: Quantity
    designed_write_bytes_per_day: Quantity
    waf_ratio: Quantity
    waf_over_design_ratio: Quantity
    waf_origin: str
    life_left_low_s: Quantity
    life_left_s: Quantity
    life_left_high_s: Quantity
    rating_life_left_s: Quantity
    replace_from: date | None
    replace_by: date | None
    odd: str
    source: str


@dataclass(frozen=True, slots=True)
class WatchState:
    """One alarm of the design beside what was measured.

    Attributes:
        group: Group of the design's monitoring.
        subject: What is watched.
        threshold: Where the alarm is set.
        today: The worst value that was measured; None if none was.
        where: Whose it is.
        state: Whether the alarm would ring.
        note: Why nothing is there, or what is worth knowing.
    """

    group: str
    subject: str
    threshold: Quantity
    today: Quantity | None
    where: str
    state: State
    note: str = ""


@dataclass(frozen=True, slots=True)
class Feedback:
    """One input with the value that was measured.

    Attributes:
        path: Path of the input.
        label: What it is called.
        value: What to set.
        today: What the design has.
        origin: What it was measured on.
    """

    path: str
    label: str
    value: Quantity
    today: Quantity
    origin: str


@dataclass(frozen=True, slots=True)
class FileState:
    """One file that was read.

    Attributes:
        name: Its name as given.
        node: Machine that it is taken to be of.
        kind: Tools that it is of.
        record_count: Figures in it.
        remarks: What was refused, is missing, or is odd.
    """

    name: str
    node: str
    kind: str
    record_count: int
    remarks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AsBuilt:
    """Everything that the measurements say of a design.

    Attributes:
        measured_on: Day on which the counters were read.
        files: What was read.
        outcomes: Every subject that was measured, promise by promise, the worst first.
        open: Promises of which nothing was measured.
        short: Nodes that fall short of their design or clearly behind their peers, the worst first.
        saves: What the slowest node does to the checkpoints of each job that was measured.
        paths: Paths of each machine to each subsystem, the worst first.
        one_path_lost_s: Save time of the main job with one path of every node lost; None with a single path.
        designed_save_s: Save time of the main job as designed.
        wear: Drives, those due first at the top.
        watches: The design's alarms beside what was measured.
        feedback: Inputs that the measurements speak of.
        replaced: What was measured again later and counts no longer, promise by promise.
    """

    measured_on: date
    files: tuple[FileState, ...]
    outcomes: tuple[Outcome, ...]
    open: tuple[Promise, ...]
    short: tuple[ShortNode, ...]
    saves: tuple[SaveEffect, ...]
    paths: tuple[PathState, ...]
    one_path_lost_s: Quantity | None
    designed_save_s: Quantity
    wear: tuple[DriveState, ...]
    watches: tuple[WatchState, ...]
    feedback: tuple[Feedback, ...]
    replaced: tuple[Outcome, ...] = ()

    @property
    def failed(self) -> tuple[Outcome, ...]:
        """Everything that falls short."""
        return tuple(outcome for outcome in self.outcomes if outcome.result == "fail")

    @property
    def nodes(self) -> tuple[str, ...]:
        """Machines that something was measured on, by name."""
        return tuple(sorted({outcome.node for outcome in self.outcomes if outcome.node}))
