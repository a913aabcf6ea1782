"""The command line: everything that a page does, without a browser.

Exit status: 0 done; 1 under `check` if the plan has a blocker, under `checks` if a value is missed, under `verify`
if a measurement falls short, under `best` if no design keeps all limits; 2 if the request cannot be met, with one
line on standard error.
"""

from __future__ import annotations

import argparse
import importlib
import io
import os
import re
import sys
from collections.abc import Sequence
from typing import NoReturn

from planner import __version__
from planner.commands.common import FAILED
from planner.core.errors import PlannerError, nearest, shorten

_SUBJECTS = {
    "design": ("template", "plan", "check", "schema"),
    "documents": ("pdf", "xlsx", "document", "why", "bundle"),
    "reference": ("checks", "rules", "params"),
    "measured": ("measure", "verify"),
    "exploring": ("limits", "best", "growth", "sweep", "flips", "sensitivity", "uncertainty"),
    "database": ("backup", "restore", "role", "audit", "catalogue"),
}
"""The commands of each file of `planner.commands`; a command loads its own file alone, because all take a second."""
_NO_COMMAND = re.compile(r"argument COMMAND: invalid choice: '(.*)' \(choose from (.*)\)", re.DOTALL)


class _Parser(argparse.ArgumentParser):
    """A parser that refuses in one line, as everything else does."""

    def error(self, message: str) -> NoReturn:
        """End with the reason on standard error."""
        wrong = _NO_COMMAND.match(message)
        if wrong:
            known = re.findall(r"[a-z-]+", wrong.group(2))
            message = f"no command “{shorten(wrong.group(1))}”{nearest(wrong.group(1), known)}"
        self.exit(FAILED, f"{shorten(message, 300)}; `{self.prog} --help` lists what can be asked\n")

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Refuse what a command does not know in its own words: the top would point to the list of commands."""
        chosen, rest = super().parse_known_args(args, namespace)
        if rest:
            self.error(f"unrecognized arguments: {' '.join(rest)}")
        return chosen, rest


def parser(named: str = "") -> argparse.ArgumentParser:
    """The commands and their arguments: those of the file that has the named command, or all if none has."""
    top = _Parser(prog="python -m planner", description=__doc__.partition("\n")[0])
    top.add_argument("--version", action="version", version=__version__)
    commands = top.add_subparsers(required=True, metavar="COMMAND")
    own = [subject for subject, names in _SUBJECTS.items() if named in names]
    for subject in own or _SUBJECTS:
        importlib.import_module(f"planner.commands.{subject}").add_commands(commands)
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="replace")
    given = sys.argv[1:] if arguments is None else list(arguments)
    chosen = parser(*given[:1]).parse_args(given)
    try:
        status: int = chosen.run(chosen)
        sys.stdout.flush()
    except PlannerError as error:
        print(error.message, file=sys.stderr)
        return FAILED
    except BrokenPipeError:
        # Whoever read the output has had enough; nothing is left to flush at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except OSError as error:
        print(f"the output cannot be written: {error.strerror or error}", file=sys.stderr)
        return FAILED
    return status


if __name__ == "__main__":
    sys.exit(main())
