"""The command line: everything that a page does, without a browser.

Exit status: 0 done; 1 under `check` if the plan has a blocker, under `checks` if a value is
missed, under `verify` if a measurement falls short; 2 if the request cannot be met, with one line on standard error.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import re
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NoReturn

from planner import __version__
from planner.architectures import MAX_INDEX_BYTES, as_json, describe, library
from planner.catalogue import load_catalogue
from planner.core.errors import PlannerError, nearest, shorten
from planner.deploy import command as deploy
from planner.documents import pdf, plan_json
from planner.explore import all_limits
from planner.explore.command import FORM, sweep_csv
from planner.inputs import MAX_JSON_BYTES, scenario_from_json, scenario_to_json, schema
from planner.model_import import check_size, library_architecture, model_of_files, models_by_group
from planner.plan import Plan, plan
from planner.published.report import report
from planner.review import signed_hash
from planner.scenario import Scenario
from planner.store import command as store
from planner.summary import headline
from planner.telemetry.acceptance import verify
from planner.telemetry.report import failures, measure, report_json, report_lines
from planner.telemetry.verdict import verdict_json, verdict_lines
from planner.templates import template, templates

FAILED = 2
BLOCKED = 1
_NO_COMMAND = re.compile(r"argument COMMAND: invalid choice: '(.*)' \(choose from (.*)\)", re.DOTALL)


def read_scenario(name: str) -> Scenario:
    """The scenario in a file, or on standard input if the name is "-".

    Raises:
        PlannerError: The file cannot be read or holds no valid scenario.
    """
    try:
        if name == "-":
            content = sys.stdin.buffer.read(MAX_JSON_BYTES + 1)
        else:
            with Path(name).open("rb") as file:
                content = file.read(MAX_JSON_BYTES + 1)
    except OSError as error:
        raise PlannerError(f"{name}: {error.strerror or 'the file cannot be read'}") from None
    return scenario_from_json(content)


def write_file(name: str, content: bytes) -> None:
    """Write a result whole, or not at all.

    Raises:
        PlannerError: The file cannot be written.
    """
    if not name.strip():
        raise PlannerError("-o: the name of the file to write is empty")
    try:
        path = Path(name).resolve()
        if path.exists() and not path.is_file():
            path.write_bytes(content)  # a pipe or a device is written to, never replaced
            return
        part = path.with_name(path.name + ".part")
        part.write_bytes(content)
        part.replace(path)
    except OSError as error:
        raise PlannerError(f"{name}: {error.strerror or 'the file cannot be written'}") from None


def _planned(name: str) -> Plan:
    return plan(read_scenario(name), load_catalogue())


def _template(arguments: argparse.Namespace) -> int:
    if arguments.name is None:
        for item in templates():
            print(f"{item.id}  {item.name}: {item.purpose}")
        return 0
    print(scenario_to_json(template(arguments.name).scenario), end="")
    return 0


def _plan(arguments: argparse.Namespace) -> int:
    result = _planned(arguments.file)
    if arguments.json:
        print(json.dumps(plan_json(result), ensure_ascii=False, indent=2, allow_nan=False))
        return 0
    print(headline(result))
    for finding in result.findings:
        print(f"{finding.severity} {finding.code}: {finding.message} {finding.remedy}")
    return 0


def _check(arguments: argparse.Namespace) -> int:
    result = _planned(arguments.file)
    for finding in result.findings:
        print(f"{finding.severity} {finding.code}: {finding.message}")
    return BLOCKED if any(finding.severity == "blocker" for finding in result.findings) else 0


def _pdf(arguments: argparse.Namespace) -> int:
    scenario = read_scenario(arguments.file)
    digest = signed_hash(scenario, load_catalogue(), engine_version=__version__)
    content = pdf(
        plan(scenario, load_catalogue()),
        title=scenario.name,
        revision="unsaved",
        author=arguments.author,
        created=_date(arguments.date),
        hash_text=digest,
        draft=True,
    )
    write_file(arguments.output, content)
    return 0


def _date(text: str | None) -> datetime:
    """The date to print: the stated one, or now.

    Raises:
        PlannerError: It is no date.
    """
    if text is None:
        return datetime.now(UTC)
    try:
        stated = datetime.fromisoformat(text)
    except ValueError:
        raise PlannerError(f"--date: {shorten(text)} is no date; write it as 2026-11-29") from None
    return stated if stated.tzinfo else stated.replace(tzinfo=UTC)


def _checks(arguments: argparse.Namespace) -> int:
    text, status = report(arguments.subject, machine=arguments.json)
    print(text)
    return status


def _limits(arguments: argparse.Namespace) -> int:
    for limit in all_limits(read_scenario(arguments.file), load_catalogue()):
        found = limit.finding
        ends = f"{found.code}: {found.message}" if found else "no limit in the allowed range"
        reached = "already beyond" if limit.already else f"{limit.reached} (today {limit.today}). Then"
        print(f"{limit.question}: {reached} {ends}")
    return 0


def _measure(arguments: argparse.Namespace) -> int:
    files = measure(arguments.files)
    if arguments.json:
        print(json.dumps(report_json(files), ensure_ascii=False, indent=2, allow_nan=False))
    else:
        for line in report_lines(files):
            print(line)
    refused = failures(files)
    for line in refused:
        print(line, file=sys.stderr)
    return FAILED if refused else 0


def _params(arguments: argparse.Namespace) -> int:
    if not arguments.files:
        for group, entries in models_by_group().items():
            print(group)
            for entry, name in entries:
                print(f"  {entry}  {name}")
        return 0
    files = arguments.files
    known = len(files) == 1 and files[0] in library()
    found = library_architecture(files[0]) if known else model_of_files([_model_file(name) for name in files])
    if arguments.json:
        print(json.dumps(as_json(found), ensure_ascii=False, indent=2))
        return 0
    rows = describe(found)
    width = max(len(label) for label, _ in rows)
    print("\n".join(f"{label:{width}}  {value}" for label, value in rows))
    return 0


def _model_file(name: str) -> tuple[str, bytes]:
    """Name and content of a model's file, or standard input if the name is "-".

    Raises:
        PlannerError: The file cannot be read, or is too large to be read whole.
    """
    try:
        if name == "-":
            return "", sys.stdin.buffer.read(MAX_INDEX_BYTES + 1)
        check_size(name, Path(name).stat().st_size)
        return Path(name).name, Path(name).read_bytes()
    except OSError as error:
        raise PlannerError(f"{name}: {error.strerror or 'the file cannot be read'}") from None


def _bundle(arguments: argparse.Namespace) -> int:
    addressing = deploy.read_addressing(arguments.addressing)
    write_file(arguments.output, deploy.bundle_of(read_scenario(arguments.file), addressing))
    return 0


def _sweep(arguments: argparse.Namespace) -> int:
    def told(done: int, count: int) -> None:
        if sys.stderr.isatty():
            print(f"\r{done} of {count}", end="" if done < count else "\n", file=sys.stderr)

    content = sweep_csv(read_scenario(arguments.file), arguments.axis, progress=told)
    if arguments.output:
        write_file(arguments.output, content)
    else:
        print(content.decode(), end="")
    return 0


def _backup(arguments: argparse.Namespace) -> int:
    print(store.backup(arguments.file, user=arguments.user))
    return 0


def _restore(arguments: argparse.Namespace) -> int:
    print(store.restore(arguments.file, user=arguments.user))
    return 0


def _role(arguments: argparse.Namespace) -> int:
    print(store.role(arguments.subject, arguments.role, name=arguments.name, user=arguments.user))
    return 0


def _audit(arguments: argparse.Namespace) -> int:
    print(store.audit(arguments.format, design_id=arguments.design, user=arguments.user), end="")
    return 0


def _verify(arguments: argparse.Namespace) -> int:
    result = _planned(arguments.file)
    files = measure(arguments.files)
    readings = {file.name: file.reading for file in files if file.reading is not None}
    acceptance = verify(result, readings)
    if arguments.json:
        told = verdict_json(result, acceptance)
        print(json.dumps(told, ensure_ascii=False, indent=2, allow_nan=False))
    else:
        print("\n".join(verdict_lines(result, acceptance)))
    refused = failures(files)
    for line in refused:
        print(line, file=sys.stderr)
    return FAILED if refused else BLOCKED if acceptance.failed else 0


def _schema(_: argparse.Namespace) -> int:
    print(json.dumps(schema(), indent=2))
    return 0


class _Parser(argparse.ArgumentParser):
    """A parser that refuses in one line, as everything else does."""

    def error(self, message: str) -> NoReturn:
        """End with the reason on standard error."""
        wrong = _NO_COMMAND.match(message)
        if wrong:
            known = re.findall(r"[a-z-]+", wrong.group(2))
            message = f"no command “{shorten(wrong.group(1))}”{nearest(wrong.group(1), known)}"
        self.exit(FAILED, f"{shorten(message, 300)}; `{self.prog} --help` lists what can be asked\n")


def parser() -> argparse.ArgumentParser:
    """The commands and their arguments."""
    top = _Parser(prog="python -m planner", description=__doc__.partition("\n")[0])
    top.add_argument("--version", action="version", version=__version__)
    commands = top.add_subparsers(required=True, metavar="COMMAND")
    command = commands.add_parser("template", help="print a worked design as JSON; without a name, list them")
    command.add_argument("name", nargs="?")
    command.set_defaults(run=_template)
    command = commands.add_parser("plan", help="plan a scenario")
    command.add_argument("file", help="scenario as JSON, - for standard input")
    command.add_argument("--json", action="store_true", help="all figures as one JSON object")
    command.set_defaults(run=_plan)
    command = commands.add_parser("check", help="print the findings; exit status 1 if there is a blocker")
    command.add_argument("file")
    command.set_defaults(run=_check)
    command = commands.add_parser("pdf", help="write the design document")
    command.add_argument("file")
    command.add_argument("-o", "--output", required=True)
    command.add_argument("--author", default="")
    command.add_argument("--date", help="date to print on the cover, 2026-11-29; now if not given")
    command.set_defaults(run=_pdf)
    command = commands.add_parser(
        "checks",
        help="compare the formulas with published values and with second ways to them; exit status 1 if one is missed",
    )
    command.add_argument(
        "subject", nargs="?", default="", help="a subject or a formula: cadence, cadence.young_interval_s"
    )
    command.add_argument("--json", action="store_true", help="all checks as one JSON list")
    command.set_defaults(run=_checks)
    command = commands.add_parser(
        "params", help="count the parameters of a model; without a file, list the models that come with it"
    )
    command.add_argument(
        "files", nargs="*", metavar="FILE", help="config.json, *.index.json, params.json, or a model's id"
    )
    command.add_argument("--json", action="store_true", help="the counts as one JSON object")
    command.set_defaults(run=_params)
    command = commands.add_parser("measure", help="print what the outputs of storage tools measured")
    command.add_argument(
        "files", nargs="+", metavar="FILE", help="output of fio, nvme, smartctl, IOR, mdtest, elbencho, DLIO"
    )
    command.add_argument("--json", action="store_true", help="all records as one JSON object")
    command.set_defaults(run=_measure)
    command = commands.add_parser(
        "bundle",
        help="write the configuration of switches, hosts, targets, monitoring and acceptance as a ZIP",
    )
    deploy.add_arguments(command)
    command.set_defaults(run=_bundle)
    command = commands.add_parser(
        "verify", help="hold measurements against a design; exit status 1 if one falls short"
    )
    command.add_argument("file", help="the design as JSON")
    command.add_argument("files", nargs="+", metavar="MEASURED", help="outputs of storage tools")
    command.add_argument("--json", action="store_true", help="the verdict as one JSON object")
    command.set_defaults(run=_verify)
    _add_questions(commands)
    _add_store(commands)
    command = commands.add_parser("schema", help="print the JSON schema of a scenario")
    command.set_defaults(run=_schema)
    return top


def _add_questions(commands: Any) -> None:  # noqa: ANN401 - argparse does not name its type
    """Commands that take many plans."""
    command = commands.add_parser(
        "limits", help="how far the planned storage reaches: the model, the interval, the GPUs"
    )
    command.add_argument("file")
    command.set_defaults(run=_limits)
    command = commands.add_parser("sweep", help="plan every combination of some inputs' values, as CSV")
    command.add_argument("file")
    command.add_argument("--axis", action="append", required=True, help=FORM)
    command.add_argument("-o", "--output", help="file to write; standard output if not given")
    command.set_defaults(run=_sweep)


def _add_store(commands: Any) -> None:  # noqa: ANN401 - argparse does not name its type
    """Commands on the database of designs."""
    command = commands.add_parser("backup", help="write the whole database of designs to one file")
    command.add_argument("file")
    command.set_defaults(run=_backup)
    command = commands.add_parser("restore", help="bring a backup into an empty database")
    command.add_argument("file")
    command.set_defaults(run=_restore)
    command = commands.add_parser("role", help="give someone a role: viewer, editor or approver")
    command.add_argument("subject", help="who it is, as the sign-in names them")
    command.add_argument("role")
    command.add_argument("--name", default="", help="name to show")
    command.set_defaults(run=_role)
    command = commands.add_parser("audit", help="print the audit trail")
    command.add_argument("--format", default="csv", help="csv or json")
    command.add_argument("--design", type=int, help="of one design alone")
    command.set_defaults(run=_audit)
    for name in ("backup", "restore", "role", "audit"):
        commands.choices[name].add_argument("--user", help="who acts; PLANNER_USER if not given")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="replace")
    chosen = parser().parse_args(arguments)
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
