"""JSON documents inside a text: several in a row, with other text around them, and cut off at the end.

The text is looked through once, a piece at a time. Elements of the lists directly inside a document (jobs,
devices, tests) are parsed one by one as they end, so that neither a long document nor a broken element
costs more than itself.
"""

from __future__ import annotations

import functools
import json
import math
import re
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass, field

from planner.core.errors import shorten
from planner.telemetry.records import Doubt

MAX_PART_CHARACTERS = 10 * 10**6
"""Largest single element, or rest of a document without its elements, that is parsed."""
MAX_LINE_CHARACTERS = 10_000
"""Longer lines are no tool's; what stands beyond is passed over."""
MAX_STRING_CHARACTERS = 100_000
"""No tool prints a longer string: one that goes on has lost its end."""
MAX_DEPTH = 64

_TOKEN = re.compile(r'"[^"\\\n]*(?:\\[^\n][^"\\\n]*)*(?P<closed>")?|[{}\[\]]')
_START = re.compile(r'\{\s{0,999}["}]|\[\s{0,999}[{\]]')
_UNDECIDED = re.compile(r"[{\[]\s{0,999}\Z")
_CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_INSIDE = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"?|[{}\[\],]', re.DOTALL)
_BARE = re.compile(
    r'"[^"\\]*(?:\\.[^"\\]*)*"?|[-+]?\b(?:nan|inf(?:inity)?)\b|\(null\)', re.IGNORECASE | re.DOTALL
)
_PAIRS = {"{": "}", "[": "]"}

Shrink = Callable[[object], object]


@dataclass(frozen=True, slots=True)
class Document:
    """One JSON document.

    Attributes:
        value: What it holds, as far as it is complete.
        flaws: What is missing from it or broken in it; empty for a whole one.
    """

    value: object
    flaws: tuple[str, ...] = ()


def _pairs(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """An object; a key that is there twice with two values is marked as such."""
    found: dict[str, object] = {}
    for key, value in pairs:
        if key in found and found[key] != value and not isinstance(value, dict | list):
            found[key] = Doubt(f"it is given twice, as {shorten(found[key], 30)} and {shorten(value, 30)}")
        else:
            found[key] = value
    return found


def _not_finite(_: str) -> float:
    return math.nan


def _as_json(match: re.Match[str]) -> str:
    """What a tool prints of a number that is none, or of a text that is none, as JSON has it."""
    text = match.group()
    return text if text[0] == '"' else "null" if text[0] == "(" else "NaN"


def _parse(text: str) -> object:
    """The value of a JSON text, in which bare nan, inf and (null) may stand.

    Raises:
        ValueError: It is no JSON.
    """
    load = functools.partial(json.loads, strict=False, object_pairs_hook=_pairs, parse_constant=_not_finite)
    try:
        return load(text)
    except ValueError:
        return load(_BARE.sub(_as_json, text))


def _cut_back(text: str) -> str:
    """The part of a cut-off document up to its last complete member, closed again."""
    depth, safe, opening = 0, 0, ""
    for token in _INSIDE.finditer(text):
        sign = token.group()
        if sign in _PAIRS:
            depth += 1
            if depth == 1:
                opening, safe = sign, token.end()
        elif sign in "]}":
            depth -= 1
        elif sign == "," and depth == 1:
            safe = token.start()
    return text[:safe] + _PAIRS.get(opening, "")


@dataclass(frozen=True, slots=True)
class Unfinished:
    """The last line of a text that does not end with one: it may have been cut within a number."""

    text: str


Part = Document | Unfinished | str


@dataclass(slots=True)
class _Open:
    """A document that has begun and not ended.

    Attributes:
        stack: Brackets that are open.
        skeleton: The document's text, with `null` for each element that is taken out.
        element: Text of the element that is being read, if any.
        skeleton_size: Characters of the skeleton, those beyond the most that is kept included.
        element_size: The same of the element.
        key: The member that is being read.
        lists: Elements by the member that they belong to.
        counts: How many there were, broken ones included.
        flaws: What is wrong so far.
        gap: Text since the last token.
        previous: First character of that token.
    """

    stack: list[str] = field(default_factory=list)
    skeleton: list[str] = field(default_factory=list)
    element: list[str] | None = None
    skeleton_size: int = 0
    element_size: int = 0
    key: str = ""
    lists: dict[str, list[object]] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    flaws: list[str] = field(default_factory=list)
    gap: str = ""
    previous: str = ""

    def where(self) -> str:
        """The entry that is being read, in words."""
        place = f"“{shorten(self.key, 40)}”" if self.key else "the list"
        return f"entry {self.counts.get(self.key, 0) + 1} of {place}"

    def add(self, text: str) -> None:
        """Put text to the part that is being read; of one that grows too large nothing more is kept."""
        if self.element is None:
            self.skeleton_size += len(text)
            if self.skeleton_size <= MAX_PART_CHARACTERS:
                self.skeleton.append(text)
        else:
            self.element_size += len(text)
            if self.element_size <= MAX_PART_CHARACTERS:
                self.element.append(text)

    def in_own_list(self) -> bool:
        """Whether what begins or has just ended here is an element of one of the document's own lists."""
        return self.stack in (["["], ["{", "["])

    def begins_anew(self) -> bool:
        """Whether a bracket here, at the start of a line, can only be the next document's.

        A document that was cut off never ends, so its successor would be taken for a part of it.
        """
        if not self.gap.endswith("\n"):
            return False
        before = self.gap.rstrip()
        return before[-1] not in "[,:" if before else self.previous not in "[,:"

    def end_element(self, shrink: Shrink) -> None:
        """Parse the element that has just ended."""
        text, where = "".join(self.element or ()), self.where()
        too_large = self.element_size > MAX_PART_CHARACTERS
        self.element, self.element_size = None, 0
        self.counts[self.key] = self.counts.get(self.key, 0) + 1
        items = self.lists.setdefault(self.key, [])
        if too_large:
            self.flaws.append(f"{where} is larger than {MAX_PART_CHARACTERS // 10**6} MB and is left out")
            return
        try:
            items.append(shrink(_parse(text)))
        except (ValueError, RecursionError):
            self.flaws.append(f"{where} is broken and is left out")

    def close(self, *, whole: bool) -> Document:
        """The document as far as it goes."""
        if not whole:
            inside = f"inside {self.where()}" if self.element is not None else self._after()
            self.flaws.append(f"truncated {inside}")
        text = "".join(self.skeleton)
        value: object = {} if text[:1] == "{" else []
        try:
            if self.skeleton_size > MAX_PART_CHARACTERS:
                raise ValueError
            value = _parse(text if whole else _cut_back(text))
        except (ValueError, RecursionError):
            self.flaws.append("broken outside its lists")
        if isinstance(value, dict):
            value.update(self.lists)
        elif self.lists:
            value = self.lists.get("", [])
        return Document(value, tuple(self.flaws))

    def _after(self) -> str:
        return f"at or after “{shorten(self.key, 40)}”" if self.key else "near its beginning"


class Splitter:
    """Takes text piece by piece and hands out documents, and the lines of text around them."""

    def __init__(self, shrink: Shrink = lambda value: value) -> None:
        """Begin; `shrink` leaves of each list element what its reader needs."""
        self._shrink = shrink
        self._pending = ""
        self._open: _Open | None = None

    def feed(self, piece: str, *, last: bool = False) -> Iterator[Part]:
        """Documents and lines that end within this piece.

        Args:
            piece: The next piece of the text.
            last: Whether the text ends with it.
        """
        data, position = self._pending + piece, 0
        self._pending = ""
        while position < len(data):
            if self._open is None:
                position = yield from self._outside(data, position, last=last)
            else:
                position = yield from self._inside(self._open, data, position, last=last)
        if last and self._open is not None:
            yield self._open.close(whole=False)
            self._open = None

    def _outside(self, data: str, position: int, *, last: bool) -> Generator[Part, None, int]:
        """Hand out lines up to the next document; returns where that begins."""
        start = _START.search(data, position)
        if start:
            yield from _lines(data[position : start.start()])
            self._open = _Open()
            return start.start()
        end = data.rfind("\n", position) + 1 or position
        if last and data[end:].strip():
            yield from _lines(data[position:end])
            yield Unfinished(data[end:][:MAX_LINE_CHARACTERS])
            return len(data)
        too_long = len(data) - end > MAX_LINE_CHARACTERS
        end = len(data) if too_long else end
        undecided = None if last else _UNDECIDED.search(data, position)
        if undecided:
            line = data.rfind("\n", position, undecided.start()) + 1 or position
            end = min(end, undecided.start() if too_long else line)
        self._pending = data[end:]
        yield from _lines(data[position:end])
        return len(data)

    def _inside(self, document: _Open, data: str, position: int, *, last: bool) -> Generator[Part, None, int]:
        """Read on in a document; returns where it ended, or where the data does."""
        done = after = position
        for token in _TOKEN.finditer(data, position):
            begin, end = token.span()
            is_string = data[begin] == '"'
            if end - begin > MAX_STRING_CHARACTERS:
                document.flaws.append(_BROKEN)
                return (yield from self._end(document, data[done:begin], end, whole=False))
            if is_string and not token.group("closed"):
                if not last and end >= len(data) - 1:
                    return self._hold(document, data, done, after, begin)
                continue  # a string that a line's end breaks off
            document.gap = (document.gap + data[max(after, begin - 200) : begin])[-200:]
            if document.stack and data[begin] == "{" and document.begins_anew():
                return (yield from self._end(document, data[done:begin], begin, whole=False))
            if is_string:
                document.key = _key(token.group()) if document.stack == ["{"] else document.key
            else:
                done = self._bracket(document, data, done, token)
            document.gap, document.previous, after = "", data[begin], end
            if not document.stack:
                whole = _BROKEN not in document.flaws
                return (yield from self._end(document, data[done:end], end, whole=whole))
        return self._hold(document, data, done, after, len(data))

    def _end(self, document: _Open, rest: str, end: int, *, whole: bool) -> Generator[Part, None, int]:
        """Hand out a document that ends with a rest of text; returns where it ends."""
        document.add(rest)
        self._open = None
        yield document.close(whole=whole)
        return end

    def _hold(self, document: _Open, data: str, done: int, after: int, begin: int) -> int:
        """Keep what stands from `begin` on for the next piece; returns where the data ends."""
        document.add(data[done:begin])
        document.gap = (document.gap + data[max(after, begin - 200) : begin])[-200:]
        self._pending = data[begin:]
        return len(data)

    def _bracket(self, document: _Open, data: str, done: int, token: re.Match[str]) -> int:
        """Take a bracket; returns up to where the data is in the document."""
        sign, begin, end = token.group(), token.start(), token.end()
        if sign in _PAIRS:
            if sign == "{" and document.element is None and document.in_own_list():
                document.add(data[done:begin] + "null")
                document.element, done = [], begin
            document.stack.append(sign)
            if len(document.stack) > MAX_DEPTH:
                document.flaws.append(_BROKEN)
                document.stack.clear()
            return done
        if not document.stack or _PAIRS[document.stack.pop()] != sign:
            document.flaws.append(_BROKEN)
            document.stack.clear()
            return done
        if document.element is not None and document.in_own_list():
            document.add(data[done:end])
            document.end_element(self._shrink)
            return end
        return done


_BROKEN = "broken: its quotes or brackets do not match, or nest too deep"


def _key(sign: str) -> str:
    """A member's name as the parser will see it."""
    if "\\" not in sign:
        return sign[1:-1]
    try:
        return str(_parse(sign))
    except ValueError:
        return sign[1:-1]


def _lines(text: str) -> Iterator[str]:
    """Lines with something on them, without the codes that move a terminal's cursor."""
    for line in _CONTROL.sub("", text).splitlines():
        if line.strip():
            yield line[:MAX_LINE_CHARACTERS]


def split(pieces: Iterable[str], *, shrink: Shrink = lambda value: value) -> Iterator[Part]:
    """All documents of a text and the lines around them, in order.

    Args:
        pieces: The text, a piece at a time.
        shrink: Leaves of each list element what its reader needs.
    """
    splitter = Splitter(shrink)
    for piece in pieces:
        yield from splitter.feed(piece)
    yield from splitter.feed("", last=True)
