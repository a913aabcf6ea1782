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
from planner.catalogue import OWN_KINDS, Catalogue, load_catalogue
from planner.core.errors import PlannerError, nearest, shorten
from planner.core.units import parse_count
from planner.deploy import command as deploy
from planner.documents import Identity, as_built_page, plan_json
from planner.documents import command as documents
from planner.explore import all_limits
from planner.explore.best import AVOIDED
from planner.explore.best_command import (
    best_json,
    best_lines,
    growth_json,
    growth_lines,
    optimum_json,
    ratio_of,
    request_of,
    search,
)
from planner.explore.command import FORM, sweep_csv
from planner.explore.growth import Demand, growth
from planner.explore.own_ranges import FORM as RANGE_FORM
from planner.explore.ranking import OBJECTIVES
from planner.explore.study_command import (
    RESULT,
    Question,
    study_json,
    study_lines,
    study_of,
    tornado_json,
    tornado_lines,
    tornado_of,
)
from planner.inputs import MAX_JSON_BYTES, scenario_from_json, scenario_to_json, schema
from planner.model_import import check_size, library_architecture, model_of_files, models_by_group
from planner.plan import Plan, plan
from planner.published.report import report
from planner.review import signed_hash
from planner.review.as_built import AsBuilt
from planner.scenario import Scenario
from planner.store import catalogue_command
from planner.store import command as store
from planner.summary import headline
from planner.telemetry.as_built import as_built
from planner.telemetry.report import failures, measure, report_json, report_lines
from planner.telemetry.verdict import verdict_json, verdict_lines
from planner.templates import template, templates

FAILED = 2
BLOCKED = 1
WITH_OWN = (
    "plan",
    "check",
    "pdf",
    "document",
    "limits",
    "best",
    "growth",
    "sweep",
    "sensitivity",
    "uncertainty",
)
"""Commands that plan with an organisation's catalogue rows where they are asked to."""
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


def _planned(name: str, catalogue: Catalogue | None = None) -> Plan:
    return plan(read_scenario(name), catalogue or load_catalogue())


def _catalogue(arguments: argparse.Namespace) -> Catalogue:
    """The shipped catalogue, or with the organisation's rows where they are asked for."""
    return catalogue_command.catalogue_of(own=arguments.own, on=arguments.on, user=arguments.user)


def _template(arguments: argparse.Namespace) -> int:
    if arguments.name is None:
        for item in templates():
            print(f"{item.id}  {item.name}: {item.purpose}")
        return 0
    print(scenario_to_json(template(arguments.name).scenario), end="")
    return 0


def _plan(arguments: argparse.Namespace) -> int:
    result = _planned(arguments.file, _catalogue(arguments))
    if arguments.json:
        print(json.dumps(plan_json(result), ensure_ascii=False, indent=2, allow_nan=False))
        return 0
    print(headline(result))
    for finding in result.findings:
        print(f"{finding.severity} {finding.code}: {finding.message} {finding.remedy}")
    return 0


def _check(arguments: argparse.Namespace) -> int:
    result = _planned(arguments.file, _catalogue(arguments))
    for finding in result.findings:
        print(f"{finding.severity} {finding.code}: {finding.message}")
    return BLOCKED if any(finding.severity == "blocker" for finding in result.findings) else 0


def _document(arguments: argparse.Namespace) -> int:
    name = "design.pdf" if arguments.always_pdf else arguments.output
    documents.ending_of(name)
    scenario = read_scenario(arguments.file)
    catalogue = _catalogue(arguments)
    digest = signed_hash(scenario, catalogue, engine_version=__version__)
    content = documents.document(
        plan(scenario, catalogue),
        Identity(
            title=scenario.name,
            revision="unsaved",
            state=documents.DRAFT,
            created=_date(arguments.date),
            hash_text=digest,
        ),
        name=name,
        author=arguments.author,
        scenario_json=scenario_to_json(scenario),
    )
    write_file(arguments.output, content)
    return 0


def _date(text: str | None, option: str = "--date") -> datetime:
    """The date to print: the stated one, or now.

    Raises:
        PlannerError: It is no date.
    """
    if text is None:
        return datetime.now(UTC)
    try:
        stated = datetime.fromisoformat(text)
    except ValueError:
        raise PlannerError(f"{option}: {shorten(text)} is no date; write it as 2026-11-29") from None
    return stated if stated.tzinfo else stated.replace(tzinfo=UTC)


def _checks(arguments: argparse.Namespace) -> int:
    text, status = report(arguments.subject, machine=arguments.json)
    print(text)
    return status


def _limits(arguments: argparse.Namespace) -> int:
    for limit in all_limits(read_scenario(arguments.file), _catalogue(arguments)):
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


def _count(done: int, count: int) -> None:
    """How far long work is, where somebody watches."""
    if sys.stderr.isatty():
        print(f"\r{done} of {count}", end="" if done < count else "\n", file=sys.stderr)


def _best(arguments: argparse.Namespace) -> int:
    scenario = read_scenario(arguments.file)
    asked = request_of(
        scenario,
        objectives=arguments.objective,
        limits=arguments.limit,
        searched=arguments.search,
        avoid=arguments.avoid,
        wide=arguments.wide,
    )
    found, around = search(scenario, asked, catalogue=_catalogue(arguments), progress=_count)
    if arguments.output:
        write_file(arguments.output, optimum_json(found).encode())
    if arguments.json:
        print(json.dumps(best_json(found, around), ensure_ascii=False, indent=2, allow_nan=False))
    else:
        print("\n".join(best_lines(found, around)))
    return 0 if found.front else BLOCKED


def _growth(arguments: argparse.Namespace) -> int:
    ratios = (ratio_of(getattr(arguments, name), name) for name in ("gpus", "parameters", "dataset"))
    found = growth(
        read_scenario(arguments.file), Demand(arguments.years, *ratios), catalogue=_catalogue(arguments)
    )
    if arguments.json:
        print(json.dumps(growth_json(found), ensure_ascii=False, indent=2, allow_nan=False))
    else:
        print("\n".join(growth_lines(found)))
    return 0


def _sweep(arguments: argparse.Namespace) -> int:
    content = sweep_csv(
        read_scenario(arguments.file), arguments.axis, catalogue=_catalogue(arguments), progress=_count
    )
    if arguments.output:
        write_file(arguments.output, content)
    else:
        print(content.decode(), end="")
    return 0


def _sensitivity(arguments: argparse.Namespace) -> int:
    question = Question(
        typed=tuple(arguments.range), column=arguments.result, storage_fixed=arguments.storage_fixed
    )
    found = tornado_of(read_scenario(arguments.file), question, catalogue=_catalogue(arguments))
    return _told(tornado_json(found) if arguments.json else tornado_lines(found))


def _uncertainty(arguments: argparse.Namespace) -> int:
    question = Question(
        typed=tuple(arguments.range),
        column=arguments.result,
        storage_fixed=arguments.storage_fixed,
        seed=parse_count(arguments.seed, field="--seed"),
        count=parse_count(arguments.samples, field="--samples"),
    )
    other = read_scenario(arguments.against) if arguments.against else None
    answer = study_of(read_scenario(arguments.file), question, other=other, catalogue=_catalogue(arguments))
    return _told(study_json(answer) if arguments.json else study_lines(answer))


def _told(told: dict[str, Any] | list[str]) -> int:
    """Print an answer: lines to read, or one JSON object."""
    if isinstance(told, list):
        print("\n".join(told))
    else:
        print(json.dumps(told, ensure_ascii=False, indent=2, allow_nan=False))
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


def _export_rows(arguments: argparse.Namespace) -> int:
    content = catalogue_command.export(
        arguments.kind, price_set=arguments.price_set, own=arguments.own, user=arguments.user
    )
    if arguments.output:
        write_file(arguments.output, content.encode())
    else:
        sys.stdout.write(content)
    return 0


def _import_rows(arguments: argparse.Namespace) -> int:
    asked = catalogue_command.Importing(
        organisation=arguments.organisation,
        author=arguments.author,
        price_set=arguments.price_set,
        valid_from=arguments.valid_from,
        valid_to=arguments.valid_to,
        dry_run=arguments.dry_run,
        accepted=arguments.accepted,
        note=arguments.note,
    )
    done = catalogue_command.bring_in(arguments.kind, arguments.file, asked, user=arguments.user)
    print("\n".join(done.lines))
    for line in done.refused:
        print(line, file=sys.stderr)
    return FAILED if done.refused else 0


def _list_rows(arguments: argparse.Namespace) -> int:
    for line in catalogue_command.listing(arguments.kind, user=arguments.user):
        print(line)
    return 0


def _audit(arguments: argparse.Namespace) -> int:
    print(store.audit(arguments.format, design_id=arguments.design, user=arguments.user), end="")
    return 0


def _verify(arguments: argparse.Namespace) -> int:
    result = _planned(arguments.file)
    files = measure(arguments.files)
    readings = {file.name: file.reading for file in files if file.reading is not None}
    built = as_built(result, readings, measured_on=_date(arguments.measured_on, "--measured-on").date())
    if arguments.json:
        print(json.dumps(verdict_json(built), ensure_ascii=False, indent=2, allow_nan=False))
    else:
        print("\n".join(verdict_lines(built)))
    if arguments.output:
        write_file(arguments.output, _report_page(result, built))
    refused = failures(files)
    for line in refused:
        print(line, file=sys.stderr)
    # What falls short is the answer; a file that cannot be read is only a part of it that is missing.
    return BLOCKED if built.failed else FAILED if refused else 0


def _report_page(result: Plan, built: AsBuilt) -> bytes:
    """What was built, as a page of its own for a report."""
    return as_built_page(
        result,
        built,
        title=result.scenario.name,
        revision="unsaved",
        author="",
        created=datetime.combine(built.measured_on, datetime.min.time(), UTC),
        hash_text=signed_hash(result.scenario, load_catalogue(), engine_version=__version__),
        draft=True,
    )


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
    for name, told, ends in (
        ("pdf", "write the design document", "file to write"),
        ("document", "write a file of the design: document, workbook, bill, plan, or all", ", ".join(
            f"{ending}: {what}" for ending, what in documents.ENDINGS.items()
        )),
    ):  # fmt: skip
        command = commands.add_parser(name, help=told)
        command.add_argument("file")
        command.add_argument("-o", "--output", required=True, help=ends)
        command.add_argument("--author", default="")
        command.add_argument("--date", help="date to print on the cover, 2026-11-29; now if not given")
        command.set_defaults(run=_document, always_pdf=name == "pdf")
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
        "files",
        nargs="+",
        metavar="FILE",
        help="output of fio, nvme, smartctl, IOR, mdtest, elbencho, DLIO, or a folder",
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
    command.add_argument(
        "files", nargs="+", metavar="MEASURED", help="outputs of storage tools, or folders of them"
    )
    command.add_argument("--json", action="store_true", help="the verdict as one JSON object")
    command.add_argument(
        "--measured-on", help="day on which the counters were read, 2026-11-29; today if not given"
    )
    command.add_argument("-o", "--output", help="write the page for the report (PDF) here too")
    command.set_defaults(run=_verify)
    _add_questions(commands)
    _add_store(commands)
    _add_catalogue(commands)
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
    command = commands.add_parser(
        "best", help="search for the best design; exit status 1 if none keeps all limits"
    )
    command.add_argument("file")
    command.add_argument(
        "--objective", action="append", default=[], help=f"the leading one first: {', '.join(OBJECTIVES)}"
    )
    command.add_argument(
        "--limit",
        action="append",
        default=[],
        help="power<=20 kW, goodput>=97 %%, or as-today for lost GPU time",
    )
    command.add_argument(
        "--search", action="append", default=[], help="drive=id,id, interval=15min,1h, or an axis of a sweep"
    )
    command.add_argument(
        "--wide",
        action="store_true",
        help="try also drives that another one of their size is as good as in every figure",
    )
    command.add_argument(
        "--avoid", help=f"warnings that no design may have; {','.join(AVOIDED)} if not given"
    )
    command.add_argument(
        "--json", action="store_true", help="front, neighbours and reasons as one JSON object"
    )
    command.add_argument("-o", "--output", help="file to write the best design to, as a scenario")
    command.set_defaults(run=_best)
    command = commands.add_parser(
        "growth", help="years of growth: when each limit is passed, and what to add"
    )
    command.add_argument("file")
    command.add_argument("--years", type=int, default=5)
    for name in ("gpus", "parameters", "dataset"):
        command.add_argument(f"--{name}", default="1", help="growth of a year: 30 %% or 1.3")
    command.add_argument("--json", action="store_true", help="all years as one JSON object")
    command.set_defaults(run=_growth)
    command = commands.add_parser("sweep", help="plan every combination of some inputs' values, as CSV")
    command.add_argument("file")
    command.add_argument("--axis", action="append", required=True, help=FORM)
    command.add_argument("-o", "--output", help="file to write; standard output if not given")
    command.set_defaults(run=_sweep)
    command = commands.add_parser(
        "sensitivity", help="how far each uncertain input alone moves a result, and what to measure first"
    )
    _add_ranges(command)
    command.set_defaults(run=_sensitivity)
    command = commands.add_parser(
        "uncertainty", help="P10, P50 and P90 of every result over draws of all uncertain inputs"
    )
    _add_ranges(command)
    command.add_argument("--seed", default="1", help="what the draws follow from")
    command.add_argument("--samples", default="10000", help="how many draws")
    command.add_argument("--against", metavar="FILE", help="a second design, on the same draws")
    command.set_defaults(run=_uncertainty)


def _add_ranges(command: argparse.ArgumentParser) -> None:
    command.add_argument("file")
    command.add_argument("--range", action="append", default=[], help=RANGE_FORM)
    command.add_argument(
        "--result", default=RESULT, help="result that is asked about: goodput_fraction, stall_s"
    )
    command.add_argument(
        "--storage-fixed", action="store_true", help="keep the storage as planned instead of sizing it anew"
    )
    command.add_argument("--json", action="store_true", help="all figures as one JSON object")


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


def _add_catalogue(commands: Any) -> None:  # noqa: ANN401 - argparse does not name its type
    """Commands on an organisation's catalogue rows, and the options that plan with them."""
    for name in WITH_OWN:
        commands.choices[name].add_argument(
            "--own",
            action="store_true",
            help="with the organisation's catalogue rows; the shipped ones alone if not given",
        )
        commands.choices[name].add_argument(
            "--on", help="with --own: the day on which they count, 2026-11-30"
        )
    command = commands.add_parser("catalogue", help="an organisation's catalogue rows: export, import, list")
    parts = command.add_subparsers(required=True, metavar="ACTION")
    kinds = ", ".join(OWN_KINDS)
    part = parts.add_parser(
        "export", help="print the rows of a kind as CSV: a template to change and bring in"
    )
    part.add_argument("kind", help=kinds)
    part.add_argument("--price-set", default="", help="which prices")
    part.add_argument("--own", action="store_true", help="the organisation's rows alone")
    part.add_argument("-o", "--output", help="file to write; standard output if not given")
    part.set_defaults(run=_export_rows)
    part = parts.add_parser(
        "import", help="write the rows of a CSV file as versions; exit status 2 if a line is refused"
    )
    part.add_argument("kind", help=kinds)
    part.add_argument("file")
    part.add_argument("--organisation", required=True, help="whose rows they are")
    part.add_argument("--author", default="", help="who states them")
    part.add_argument("--price-set", default="", help="the price set of one's own that prices belong to")
    part.add_argument("--valid-from", help="first day, 2026-11-30; today if not given")
    part.add_argument("--valid-to", help="last day; no end if not given")
    part.add_argument("--note", default="", help="why")
    part.add_argument("--dry-run", action="store_true", help="check only")
    part.add_argument(
        "--accepted", action="store_true", help="write the accepted lines although others are refused"
    )
    part.set_defaults(run=_import_rows)
    part = parts.add_parser("list", help="print the organisation's rows with version, days and author")
    part.add_argument("kind", nargs="?", help=kinds)
    part.set_defaults(run=_list_rows)
    for chosen in (*parts.choices.values(), *(commands.choices[name] for name in WITH_OWN)):
        chosen.add_argument("--user", help="who acts; PLANNER_USER if not given")


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
