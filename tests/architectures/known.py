"""Published models and what is known of them; the counts come from building the classes themselves."""

import csv
import functools
import json
import re
from pathlib import Path

from planner.architectures import Architecture

HERE = Path(__file__).parent
CONFIGS = HERE.parents[1] / "data" / "architectures" / "configs"


def truth() -> list[dict[str, str]]:
    with (HERE / "ground_truth.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def config(model: str) -> bytes:
    return (CONFIGS / f"{model}.json").read_bytes()


def index(name: str) -> bytes:
    return (HERE / "index" / name).read_bytes()


@functools.cache
def class_counts() -> tuple[dict, ...]:
    lines = (HERE / "class_counts.jsonl").read_text(encoding="utf-8").splitlines()
    return tuple(json.loads(line) for line in lines)


def adds_up(found: Architecture) -> bool:
    """Whether the parts are the whole, in all and active, and no part is empty or more active than it is large."""
    parts = found.breakdown
    return (
        sum(part.parameters for part in parts) == found.total_parameters
        and sum(part.active_parameters for part in parts) == found.active_parameters
        and all(0 <= part.active_parameters <= part.parameters > 0 for part in parts)
    )


_LINE = re.compile(r"\s*(\d+) x (\S+) (\[[\d, ]*\])(  \(TIED.*)?")


def header(model: str, *, dtype: str = "BF16", tied: bool = False) -> dict:
    """The header of a safetensors file with the tensors that the model's class has."""
    tensors, place = {}, 0
    for line in (HERE / "inventory" / f"{model}.txt").read_text(encoding="utf-8").splitlines():
        match = _LINE.fullmatch(line)
        assert match, line
        if match.group(4) and not tied:
            continue
        shape = json.loads(match.group(3))
        size = 2
        for side in shape:
            size *= side
        for number in range(int(match.group(1))):
            name = match.group(2).replace(".N.", f".{number}.")
            tensors[name] = {"dtype": dtype, "shape": shape, "data_offsets": [place, place + size]}
            place += size
    return tensors
