"""The worked example of a formula, as its function's own text has it and the tests run it."""

from __future__ import annotations

import doctest
import functools
from collections.abc import Callable
from typing import Any

_PARSER = doctest.DocTestParser()


@functools.lru_cache(maxsize=1024)
def example_of(function: Callable[..., Any]) -> tuple[tuple[str, str], ...]:
    """Calls with what each gives, in the order of the function's docstring; empty if it has no example."""
    found = _PARSER.get_examples(function.__doc__ or "")
    return tuple((example.source.strip(), example.want.strip()) for example in found)
