"""From bytes to one JSON object: what is no JSON is named, what is nearly JSON is mended and said so.

Reading never runs anything that stands in the file, and takes time in proportion to its length.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from planner.architectures.architecture import ArchitectureError
from planner.architectures.config import Notes
from planner.core.errors import shorten

MAX_BYTES = 5_000_000
"""Largest configuration that is read."""
MAX_INDEX_BYTES = 50_000_000
"""Largest index or header that is read; they list every tensor."""
MAX_DEPTH = 32
"""Deepest nesting of a file that is read; the published ones nest three or four deep."""
ACCEPTED = (
    "a Hugging Face config.json, a *.index.json, the header of a safetensors file or an original params.json"
)
MAX_MENDED = 500_000
"""Longest text that is mended; no broken configuration is longer."""
_TOO_DEEP = f"nested more than {MAX_DEPTH} deep, which no model's file is"
_LONGEST_NUMBER = 40
"""Digits of the longest whole number that is read as one."""

_BINARY = (
    (b"GGUF", "a GGUF file; take the config.json of the model that it was made from"),
    (b"PK\x03\x04", "a ZIP archive or a PyTorch file; take the config.json or the index beside it"),
    (b"\x80\x02", "a pickled PyTorch file, which is never opened; take the config.json beside it"),
    (b"\x80\x04", "a pickled Python file, which is never opened; take the config.json beside it"),
    (b"\x89HDF", "an HDF5 file of weights; take the config.json beside it"),
    (b"\x1f\x8b", "a gzip archive; unpack it and take the config.json"),
    (b"%PDF", "a PDF document"),
    (b"\x89PNG", "an image"),
    (b"\xff\xd8\xff", "an image"),
)
_MARKS = re.compile(r"^(<{7} |={7}$|>{7} )", re.MULTILINE)
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f]")


def refusal(reason: str) -> ArchitectureError:
    """The error line for a file that is something else."""
    return ArchitectureError(f"this is {reason}. Wanted: {ACCEPTED}")


def decode(content: bytes, notes: Notes) -> str:
    """Text of a file, whatever it is encoded in.

    Raises:
        ArchitectureError: The file is binary.
    """
    for magic, what in _BINARY:
        if content.startswith(magic):
            raise refusal(what)
    for mark, name in ((b"\xff\xfe\x00\x00", "utf-32"), (b"\x00\x00\xfe\xff", "utf-32"),
                       (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16")):  # fmt: skip
        if content.startswith(mark):
            notes.remark(f"the file is {name.upper()}, not UTF-8")
            return _decoded(content, name)
    if content.startswith(b"\xef\xbb\xbf"):
        notes.remark("the file begins with a byte-order mark")
        content = content[3:]
    head = content[:64]
    if len(head) > 3 and head.count(0) * 3 >= len(head):
        name = "utf-16-le" if head[1] == 0 else "utf-16-be"
        notes.remark("the file is UTF-16 without a byte-order mark, not UTF-8")
        return _decoded(content[: len(content) // 2 * 2], name)
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        notes.remark("the file is not UTF-8; read as Windows-1252")
        return content.decode("cp1252", errors="replace")


def _decoded(content: bytes, name: str) -> str:
    try:
        return content.decode(name)
    except UnicodeDecodeError:
        raise refusal("neither text nor a known binary format") from None


def check_text(text: str) -> None:
    """Refuse what is plainly something else than JSON.

    Raises:
        ArchitectureError: The text is empty, binary, a web page, a pointer or an unfinished merge.
    """
    start = text.lstrip()[:200]
    if not start:
        raise refusal("an empty file")
    if _CONTROL.search(text[:4096]):
        raise refusal("a binary file")
    if start.startswith("version https://git-lfs"):
        raise refusal("a Git LFS pointer, not the file that it points to; fetch it with git lfs pull")
    if ("<<<<<<<" in text or "=======" in text) and _MARKS.search(text):
        raise refusal("an unfinished merge (conflict marks); settle it and try again")
    if start.startswith("<"):
        raise refusal("a web page or XML; use the download link of the raw file")
    if start.startswith(("---\n", "%YAML")) and "{" not in start:
        raise refusal("a YAML file")


def read_object(text: str, notes: Notes) -> dict[str, Any]:
    """The one JSON object in a text.

    Raises:
        ArchitectureError: There is none, it is cut off, or it nests too deep.
    """
    check_text(text)
    reader = _Reader(notes)
    value = reader.read(text)
    if isinstance(value, str) and value.lstrip().startswith("{"):
        notes.remark("the object is wrapped in a string")
        value = reader.read(value)
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], dict):
        notes.remark("the object is wrapped in a list")
        value = value[0]
    if not isinstance(value, dict):
        raise refusal(f"{_named(value)}, not a JSON object")
    _check_depth(value)
    reader.tell()
    return value


def _named(value: object) -> str:
    if isinstance(value, bool) or value is None:
        return "a single word"
    return (
        "a list" if isinstance(value, list) else "a string" if isinstance(value, str) else "a single number"
    )


def _check_depth(value: object) -> None:
    level: list[object] = [value]
    for _ in range(MAX_DEPTH):
        level = [
            item
            for holder in level
            for item in (
                holder.values() if isinstance(holder, dict) else holder if isinstance(holder, list) else ()
            )
            if isinstance(item, dict | list)
        ]
        if not level:
            return
    raise refusal(_TOO_DEEP)


class _Reader:
    """Strict JSON first; if that fails, the text is mended token by token and read again."""

    def __init__(self, notes: Notes) -> None:
        self.notes = notes
        self.repeated: list[str] = []
        self.odd_numbers: list[str] = []

    def read(self, text: str) -> Any:  # noqa: ANN401 - what JSON holds is anything until it is checked
        """The value that the text is, or the first one in it."""
        try:
            return self._strict(text)
        except json.JSONDecodeError as error:
            strict = error
        except RecursionError:
            raise refusal(_TOO_DEEP) from None
        begin = _beginning(text)
        if "{" not in text[begin:]:
            raise refusal(f"plain text, not JSON (“{shorten(text.strip(), 30)}”)")
        try:
            value, end = self._first(text, begin)
        except json.JSONDecodeError:
            if len(text) > MAX_MENDED:
                raise _broken(text, strict, strict) from None
            return self._mended(text, strict)
        self._note_around(text, begin, end)
        return value

    def _mended(self, text: str, strict: json.JSONDecodeError) -> Any:  # noqa: ANN401
        mended, remarks = mend(text)
        try:
            value, end = self._first(mended, 0)
        except json.JSONDecodeError as error:
            raise _broken(mended, error, strict) from None
        for remark in remarks:
            self.notes.remark(remark)
        self._note_around(mended, 0, end)
        return value

    def _first(self, text: str, begin: int) -> tuple[Any, int]:
        """The first value at or after `begin`, and where it ends."""
        self.repeated.clear()
        self.odd_numbers.clear()
        try:
            return self._decoder().raw_decode(text, begin)
        except RecursionError:
            raise refusal(_TOO_DEEP) from None

    def _note_around(self, text: str, begin: int, end: int) -> None:
        for where, left in (("before", text[:begin]), ("after", text[end:])):
            if left.strip():
                self.notes.remark(f"text {where} the object was left out: “{shorten(left.strip(), 30)}”")

    def tell(self) -> None:
        """Add what was odd in the value that was read."""
        if self.repeated:
            names = ", ".join(shorten(name, 30) for name in dict.fromkeys(self.repeated[:5]))
            self.notes.doubt(f"keys given twice, the last one counts: {names}")
        if self.odd_numbers:
            self.notes.remark(f"{', '.join(dict.fromkeys(self.odd_numbers))} is no JSON number")

    def _decoder(self) -> json.JSONDecoder:
        return json.JSONDecoder(
            object_pairs_hook=self._object, parse_int=_whole, parse_constant=self._constant
        )

    def _strict(self, text: str) -> Any:  # noqa: ANN401
        return self._decoder().decode(text)

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        result = dict(pairs)
        if len(result) != len(pairs):
            seen: dict[str, Any] = {}
            for key, value in pairs:
                if key in seen and seen[key] != value:
                    self.repeated.append(key)
                seen[key] = value
        return result

    def _constant(self, name: str) -> float:
        self.odd_numbers.append(name)
        return float(name.replace("Infinity", "inf"))


def _whole(digits: str) -> float:
    """A whole number, or infinity if it has more digits than any size."""
    if len(digits) <= _LONGEST_NUMBER:
        return int(digits)
    return float("-inf") if digits.startswith("-") else float("inf")


def _broken(mended: str, error: json.JSONDecodeError, strict: json.JSONDecodeError) -> ArchitectureError:
    """The error line for what cannot be read even when mended."""
    if error.pos >= len(mended.rstrip()) or "Unterminated" in error.msg:
        return refusal("cut off before its end; fetch the whole file")
    return refusal(f"not valid JSON (line {strict.lineno}, column {strict.colno}: {strict.msg.lower()})")


_TOKEN = re.compile(
    r"""
    (?P<double>"(?:[^"\\]++|\\.?)*+(?:"|\Z))
  | (?P<single>'(?:[^'\\]++|\\.?)*+(?:'|\Z))
  | (?P<comment>//[^\n]*|/\*.*?(?:\*/|\Z)|\#[^\n]*)
  | (?P<word>[A-Za-z_][A-Za-z0-9_.-]*)
  | (?P<number>[-+]?(?:\d[\d_]*(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?)
  | (?P<space>\s+)
  | (?P<other>.)
    """,
    re.VERBOSE | re.DOTALL,
)
_WORDS = {"True": "true", "False": "false", "None": "null", "nan": "NaN", "inf": "Infinity"}
_JSON_WORDS = frozenset(("true", "false", "null", "NaN", "Infinity"))


def mend(text: str) -> tuple[str, list[str]]:
    """The text with what JSON does not allow taken out or put right, and what was done.

    Comments go, trailing commas go, Python's True, False and None and single quotes become JSON's,
    bare keys get quotes, and so does nothing else.
    """
    begin = _beginning(text)
    remarks: list[str] = []
    if begin:
        remarks.append(f"text before the object was left out: “{shorten(text[:begin].strip(), 30)}”")
    out: list[str] = []
    done: set[str] = set()
    for match in _TOKEN.finditer(text, begin):
        kind = match.lastgroup or "other"
        piece, what = _MENDERS.get(kind, _keep)(match.group())
        if piece in ("}", "]") and _drop_comma(out):
            done.add("trailing commas were dropped")
        if what:
            done.add(what)
        out.append(piece)
    return "".join(out), remarks + sorted(done)


def _beginning(text: str) -> int:
    """Where the object begins: at the first brace, unless the text begins with a value already."""
    start = len(text) - len(text.lstrip())
    if text[start : start + 1] in ("{", "[", '"'):
        return start
    brace = text.find("{")
    return brace if brace > 0 else start


def _drop_comma(out: list[str]) -> bool:
    """Take out a comma that stands before the end of a list; blanks may stand between."""
    for i in range(len(out) - 1, -1, -1):
        if out[i] == ",":
            out[i] = ""
            return True
        if out[i].strip():
            return False
    return False


def _keep(piece: str) -> tuple[str, str]:
    return piece, ""


def _single(piece: str) -> tuple[str, str]:
    inside = piece[1:-1].replace("\\'", "'").replace('"', '\\"')
    return f'"{inside}"', "single quotes were read as double ones"


def _comment(_piece: str) -> tuple[str, str]:
    return " ", "comments were left out"


def _word(piece: str) -> tuple[str, str]:
    if piece in _JSON_WORDS:
        return piece, ""
    if piece in _WORDS:
        return _WORDS[piece], "words of Python were read as JSON's"
    return f'"{piece}"', "bare names were read as strings"


def _number(piece: str) -> tuple[str, str]:
    plain = piece.replace("_", "").lstrip("+")
    plain = "0" + plain if plain.startswith(".") else plain + "0" if plain.endswith(".") else plain
    return plain, "" if plain == piece else "numbers were written in JSON's way"


def _double(piece: str) -> tuple[str, str]:
    if "\n" not in piece and "\t" not in piece and "\r" not in piece:
        return piece, ""
    return re.sub(r"[\n\r\t]", " ", piece), "line breaks in strings were read as blanks"


_MENDERS: dict[str, Callable[[str], tuple[str, str]]] = {
    "double": _double,
    "single": _single,
    "comment": _comment,
    "word": _word,
    "number": _number,
}
