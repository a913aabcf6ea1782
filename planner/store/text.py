"""Checks of the text that people give the store, and how names are compared."""

from __future__ import annotations

import json
import math
import re
import unicodedata

from planner.core.errors import PlannerError, shorten
from planner.store.records import KeyResults, NewRevision

MAX_NAME_CHARS = 200
MAX_NOTE_CHARS = 10_000
MAX_KEY_CHARS = 500
"""Longest key of what a comment or an entry speaks of: a field, a result, a finding, a line of the bill."""
MAX_JSON_CHARS = 5_000_000
_SHOWN = "letters, digits or signs"
_MAIL = re.compile(r"[^\s@]+@[^\s@]+")
_NUMBERED = re.compile(r"(?:sub|\S*[.:/]\S*) \S.*")
"""A provider's own number of a person, with the provider's address before it."""
_DRAFT_KEY = re.compile(r"[A-Za-z0-9_-]{22,64}")


def checked_text(text: str, *, field: str, max_chars: int) -> str:
    """The text, if a database can keep it.

    Raises:
        PlannerError: It is longer than `max_chars`, or holds NUL or half a surrogate pair.
    """
    if len(text) > max_chars:
        raise PlannerError(
            f"{field}: “{shorten(text, 30)}” has {len(text)} characters; at most {max_chars} are allowed",
            field=field,
        )
    for char in text:
        if char == "\0" or "\ud800" <= char <= "\udfff":
            raise PlannerError(
                f"{field}: “{shorten(text.replace(char, '�'), 30)}” holds the character U+{ord(char):04X}, "
                "which cannot be stored; remove it",
                field=field,
            )
    return text


def checked_line(text: str, *, field: str, max_chars: int = MAX_NAME_CHARS) -> str:
    """The text without blanks around it, if it is one storable line; it may be empty.

    Raises:
        PlannerError: As `checked_text`, or it holds a line break or another control character.
    """
    line = checked_text(text.strip(), field=field, max_chars=max_chars)
    for char in line:
        if unicodedata.category(char) in ("Cc", "Zl", "Zp"):
            raise PlannerError(
                f"{field}: “{shorten(line, 30)}” holds the control character U+{ord(char):04X}; "
                "use one line of plain text",
                field=field,
            )
    return line


def checked_filled(text: str, *, field: str, max_chars: int) -> str:
    """The text without blanks around it, if it says something; it may have several lines.

    Raises:
        PlannerError: As `checked_text`, or nothing of it can be seen.
    """
    said = checked_text(text.strip(), field=field, max_chars=max_chars)
    if all(unicodedata.category(char) in ("Cc", "Cf", "Zs", "Zl", "Zp") for char in said):
        raise PlannerError(
            f"{field}: “{shorten(said, 30)}” is empty; type 1 to {max_chars} characters with {_SHOWN}",
            field=field,
        )
    return said


def checked_subject(subject: str) -> str:
    """Whom an account is for, without blanks around it: a mail address, or a provider and its number of the person.

    Raises:
        PlannerError: It is neither, or as `checked_filled`: nobody could ever sign in to such an account.
    """
    who = checked_filled(checked_line(subject, field="subject"), field="subject", max_chars=MAX_NAME_CHARS)
    if not (_MAIL.fullmatch(who) or _NUMBERED.fullmatch(who)):
        raise PlannerError(
            f"subject: “{shorten(who)}” is no mail address; write one like ann@example.com, or the provider's address "
            "and number of the person as the sign-in shows them",
            field="subject",
        )
    return who


def checked_author(name: str) -> str:
    """The name of who does something, without blanks around it; it may be empty, but not be one that nobody sees.

    Raises:
        PlannerError: As `checked_line`, or it consists of signs that nobody sees.
    """
    line = checked_line(name, field="author")
    return checked_filled(line, field="author", max_chars=MAX_NAME_CHARS) if line else line


def checked_name(name: str) -> str:
    """The name of a design, without blanks around it.

    Raises:
        PlannerError: It shows nothing, has more than 200 characters, or is no plain line.
    """
    return checked_filled(checked_line(name, field="name"), field="name", max_chars=MAX_NAME_CHARS)


def checked_json(text: str, *, field: str) -> str:
    """The text, if it is one JSON object.

    Raises:
        PlannerError: It is no JSON object, or more than 5 million characters long.
    """
    checked_text(text, field=field, max_chars=MAX_JSON_CHARS)
    try:
        parsed = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise PlannerError(
            f"{field}: is not JSON ({shorten(error)}); nothing was saved", field=field
        ) from error
    if not isinstance(parsed, dict):
        raise PlannerError(
            f"{field}: “{shorten(text, 30)}” is not a JSON object like {{…}}; nothing was saved", field=field
        )
    return text


def checked_draft_key(key: str) -> str:
    """The key of a draft, if it can be one.

    Raises:
        PlannerError: It is shorter than a key that cannot be guessed, or has other characters.
    """
    if _DRAFT_KEY.fullmatch(key) is None:
        raise PlannerError(
            f"draft: “{shorten(key, 30)}” is not a draft key (22 to 64 letters, digits, - and _); "
            "start a new draft",
            field="draft",
        )
    return key


def checked_revision(content: NewRevision) -> None:
    """Refuse what cannot be stored as a revision.

    Raises:
        PlannerError: One of its texts cannot be stored, or the schema version is below 1.
    """
    checked_author(content.author)
    checked_text(content.note, field="note", max_chars=MAX_NOTE_CHARS)
    checked_json(content.scenario_json, field="scenario")
    for field in ("scenario_hash", "catalogue_hash", "engine_version", "price_hash"):
        checked_line(getattr(content, field), field=field)
    if content.schema_version < 1:
        raise PlannerError(
            f"schema_version: {content.schema_version} is not a version; the first one is 1",
            field="schema_version",
        )


def folded(text: str) -> str:
    """The text as search compares it: without case, and with one spelling for each character."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())


def results_to_json(results: KeyResults) -> str:
    """Key results as JSON that every reader accepts: what is not finite becomes null."""
    return checked_text(
        json.dumps(_finite(dict(results)), allow_nan=False), field="key_results", max_chars=MAX_JSON_CHARS
    )


def _finite(value: object) -> object:
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(item) for item in value]
    return value
