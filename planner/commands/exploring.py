"""Commands that take many plans: limits, the best design, growth, sweeps, sensitivity and uncertainty."""

from __future__ import annotations

import argparse
from typing import Any

from planner.commands.common import (
    BLOCKED,
    GROWING,
    add_own,
    catalogue_for,
    read_scenario,
    show,
    show_progress,
    write_file,
)
from planner.core.units import parse_count
from planner.explore import all_limits
from planner.explore.best import AVOIDED
from planner.explore.best_command import best_json, best_lines, request_of, search
from planner.explore.command import FORM, sweep_csv
from planner.explore.flips_command import holding_json, holding_lines
from planner.explore.growth import Demand, growth
from planner.explore.growth_command import growth_json, growth_lines, ratio_of
from planner.explore.holding import holding
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
from planner.scenario_json import scenario_to_json


def add_commands(commands: Any) -> None:  # noqa: ANN401 - argparse does not name its type
    """Commands that take many plans."""
    command = commands.add_parser(
        "limits", help="how far the planned storage reaches: the model, the interval, the GPUs"
    )
    command.add_argument("file")
    add_own(command)
    command.set_defaults(run=_limits)
    _add_best(commands)
    _add_growth(commands)
    command = commands.add_parser("sweep", help="plan every combination of some inputs' values, as CSV")
    command.add_argument("file")
    command.add_argument("--axis", action="append", required=True, help=FORM)
    command.add_argument("-o", "--output", help="file to write; standard output if not given")
    add_own(command)
    command.set_defaults(run=_sweep)
    command = commands.add_parser(
        "flips", help="between which values of each input every choice of the planner is right"
    )
    command.add_argument("file")
    command.add_argument("--json", action="store_true", help="all of them as one JSON object")
    add_own(command)
    command.set_defaults(run=_flips)
    _add_ranged(commands)


def _add_best(commands: Any) -> None:  # noqa: ANN401 - argparse does not name its type
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
    command.add_argument(
        "-o", "--output", help="file to write the best design to, as a scenario; none if there is none"
    )
    add_own(command)
    command.set_defaults(run=_best)


def _add_growth(commands: Any) -> None:  # noqa: ANN401 - argparse does not name its type
    command = commands.add_parser(
        "growth", help="years of growth: when each limit is passed, and what to add"
    )
    command.add_argument("file")
    command.add_argument("--years", type=int, default=5)
    for name in GROWING:
        command.add_argument(f"--{name}", default="1", help="growth of a year: 30 %% or 1.3")
    command.add_argument("--json", action="store_true", help="all years as one JSON object")
    add_own(command)
    command.set_defaults(run=_growth)


def _add_ranged(commands: Any) -> None:  # noqa: ANN401 - argparse does not name its type
    """Commands on ranges of inputs."""
    command = commands.add_parser(
        "sensitivity", help="how far each uncertain input alone moves a result, and what to measure first"
    )
    _add_ranges(command)
    add_own(command)
    command.set_defaults(run=_sensitivity)
    command = commands.add_parser(
        "uncertainty", help="P10, P50 and P90 of every result over draws of all uncertain inputs"
    )
    _add_ranges(command)
    command.add_argument("--seed", default="1", help="what the draws follow from")
    command.add_argument("--samples", default="10000", help="how many draws")
    command.add_argument("--against", metavar="FILE", help="a second design, on the same draws")
    add_own(command)
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


def _limits(arguments: argparse.Namespace) -> int:
    for limit in all_limits(read_scenario(arguments.file), catalogue_for(arguments)):
        found = limit.finding
        ends = f"{found.code}: {found.message}" if found else "no limit in the allowed range"
        reached = "already beyond" if limit.already else f"{limit.reached} (today {limit.today}). Then"
        print(f"{limit.question}: {reached} {ends}")
    return 0


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
    found, around = search(scenario, asked, catalogue=catalogue_for(arguments), progress=show_progress)
    if arguments.output and found.optimum is not None:
        write_file(arguments.output, scenario_to_json(found.optimum.scenario).encode())
    show(best_json(found, around) if arguments.json else best_lines(found, around))
    return 0 if found.front else BLOCKED


def _growth(arguments: argparse.Namespace) -> int:
    ratios = (ratio_of(getattr(arguments, name), name) for name in GROWING)
    found = growth(
        read_scenario(arguments.file), Demand(arguments.years, *ratios), catalogue=catalogue_for(arguments)
    )
    show(growth_json(found) if arguments.json else growth_lines(found))
    return 0


def _sweep(arguments: argparse.Namespace) -> int:
    content = sweep_csv(
        read_scenario(arguments.file),
        arguments.axis,
        catalogue=catalogue_for(arguments),
        progress=show_progress,
    )
    if arguments.output:
        write_file(arguments.output, content)
    else:
        print(content.decode(), end="")
    return 0


def _flips(arguments: argparse.Namespace) -> int:
    rows = catalogue_for(arguments)
    found = holding(read_scenario(arguments.file), catalogue=rows, progress=show_progress)
    show(holding_json(found) if arguments.json else holding_lines(found, rows))
    return 0


def _sensitivity(arguments: argparse.Namespace) -> int:
    question = Question(
        typed=tuple(arguments.range), column=arguments.result, storage_fixed=arguments.storage_fixed
    )
    found = tornado_of(read_scenario(arguments.file), question, catalogue=catalogue_for(arguments))
    show(tornado_json(found) if arguments.json else tornado_lines(found))
    return 0


def _uncertainty(arguments: argparse.Namespace) -> int:
    question = Question(
        typed=tuple(arguments.range),
        column=arguments.result,
        storage_fixed=arguments.storage_fixed,
        seed=parse_count(arguments.seed, field="--seed"),
        count=parse_count(arguments.samples, field="--samples"),
    )
    other = read_scenario(arguments.against) if arguments.against else None
    answer = study_of(
        read_scenario(arguments.file), question, other=other, catalogue=catalogue_for(arguments)
    )
    show(study_json(answer) if arguments.json else study_lines(answer))
    return 0
