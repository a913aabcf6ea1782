"""What a tool says instead of a result, told as what to do about it."""

from __future__ import annotations

import re

_TEXT_OF_FIO = "fio's text output, which is not read; ask fio for --output-format=json"
_REASONS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"^(?:\d;fio-|\S.{0,200}: \(g=\d+\): rw=)"), _TEXT_OF_FIO),
    (
        re.compile(r"failed to scan topology", re.IGNORECASE),
        "nvme found no NVMe subsystem on this machine, or the driver is not loaded",
    ),
    (
        re.compile(r"permission denied|operation not permitted|must be root|euid", re.IGNORECASE),
        "the tool had not the rights to read the device; run it as root",
    ),
    (
        re.compile(r"no such (?:file or directory|device)|does not exist", re.IGNORECASE),
        "the tool did not find the device or the file that it was given",
    ),
    (
        re.compile(r"command not found", re.IGNORECASE),
        "the tool is not installed on this machine",
    ),
    (
        re.compile(r"invalid (?:log page|field|command)|not supported|inappropriate ioctl", re.IGNORECASE),
        "the device does not offer this log",
    ),
)


def explained(line: str) -> str:
    """What an error line of a tool means; empty if it is none that is known.

    Args:
        line: The first line of what was printed instead of a result.
    """
    return next((reason for pattern, reason in _REASONS if pattern.search(line[:1000])), "")
