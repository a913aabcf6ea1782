"""Commands of the planner as another program sees them: exit status, standard output, standard error."""

from __future__ import annotations

import contextlib
import io
import subprocess
import sys
from unittest import mock

from planner.__main__ import main


def started(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """A command started as a program: once for each, since a start takes longer than most commands."""
    return subprocess.run(
        [sys.executable, "-m", "planner", *arguments],
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
    )


def run(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """The same in this process."""
    out, err, given = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(3))
    given.buffer.write(stdin.encode())
    given.seek(0)
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), mock.patch("sys.stdin", given):
        try:
            status = main(arguments)
        except SystemExit as end:
            status = int(end.code or 0)
    for stream in (out, err):
        stream.seek(0)
    return subprocess.CompletedProcess(arguments, status, out.read(), err.read())
