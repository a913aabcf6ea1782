"""From values to text: templates that no value can break out of, JSON and YAML."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Mapping
from typing import Any

import jinja2

from planner.catalogue import default_folder
from planner.core.errors import shorten
from planner.core.quantity import Quantity
from planner.core.units import THIN_SPACE, counted

_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_./-]*\Z")
_YAML_WORDS = {"y", "n", "yes", "no", "on", "off", "true", "false", "null"}
_LINE_LENGTH = 120


def _one_line(value: object) -> object:
    """Refuse what would start a new line: every value of a template passes here.

    The spaces that keep a number and its unit together become plain ones.
    """
    if not isinstance(value, str | Quantity):
        return value
    value = str(value).replace("\u00a0", " ").replace(THIN_SPACE, " ")
    if not value.isprintable():
        raise ValueError(f"a value with control characters: {value[:40]!r}")
    return value


def line(value: object) -> str:
    """A free text as it may stand in a comment or a table: one line, no control characters."""
    return shorten(value, _LINE_LENGTH)


def quoted(value: object) -> str:
    """A text in double quotes, as JSON, YAML and Python all read it."""
    return json.dumps(str(value))


def cell(value: object, limit: int = _LINE_LENGTH) -> str:
    """A free text in a table of a Markdown page, cut to so many characters: no bar, no markup."""
    return re.sub(r"([\\`*_{}\[\]<>|#])", r"\\\1", shorten(value, limit))


@functools.cache
def _environment() -> jinja2.Environment:
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(default_folder() / "templates" / "deploy"),
        undefined=jinja2.StrictUndefined,
        # Nothing here is read by a browser; what protects a file is `finalize`.
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=_one_line,
    )
    made.filters.update(line=line, quoted=quoted, cell=cell, counted=counted)
    return made


@functools.cache
def _template(name: str) -> jinja2.Template:
    return _environment().get_template(f"{name}.j2")


def render(name: str, /, **values: object) -> str:
    """The text of a template of `data/templates/deploy`.

    Raises:
        ValueError: A value holds a control character; values that people type are checked before.
    """
    return _template(name).render(**values)


def json_text(data: object) -> str:
    """JSON for people: indented by two."""
    return json.dumps(data, indent=2) + "\n"


def json_tables(data: Mapping[str, Mapping[str, object]]) -> str:
    """JSON of tables with an entry a line, as configuration databases are easiest to compare."""
    tables = []
    for name, entries in data.items():
        rows = ",\n".join(f"    {json.dumps(key)}: {json.dumps(entry)}" for key, entry in entries.items())
        tables.append(f"  {json.dumps(name)}: {{\n{rows}\n  }}" if rows else f"  {json.dumps(name)}: {{}}")
    return "{\n" + ",\n".join(tables) + "\n}\n"


def yaml_text(data: Mapping[str, Any], indent: int = 0) -> str:
    """Nested mappings as YAML; every text that YAML could take for something else is quoted."""
    lines = []
    for key, value in data.items():
        start = " " * indent + _scalar(str(key)) + ":"
        if isinstance(value, Mapping) and value:
            lines.append(f"{start}\n{yaml_text(value, indent + 2)}")
        else:
            lines.append(f"{start} {_scalar(value)}\n")
    return "".join(lines)


def _scalar(value: object) -> str:
    """One value; "on" and "off" are texts here, though YAML 1.1 takes them for true and false."""
    if isinstance(value, str):
        plain = _PLAIN.match(value) and value.casefold() not in _YAML_WORDS
        return value if plain else json.dumps(value)
    return json.dumps(value)
