"""The part of the store that keeps an organisation's catalogue rows and price sets, in versions."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import date

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, func, select

from planner.catalogue import Catalogue
from planner.catalogue.own import OwnRow, overlay, parse, row_type_of
from planner.core.errors import PlannerError, shorten
from planner.store.base import StoreBase
from planner.store.catalogue_records import CatalogueConflictError, CatalogueVersion, NewCatalogueRow
from planner.store.catalogue_tables import CatalogueRow
from planner.store.text import MAX_NOTE_CHARS, checked_line, checked_text

MAX_ROWS_AT_ONCE = 2_000
MAX_ORGANISATION_CHARS = 100
_WHAT = "writing catalogue rows"
Key = tuple[str, str, str]


class OwnCatalogue(StoreBase):
    """Rows that an organisation adds to the shipped catalogue or puts in a shipped row's place.

    A change is a new version, and so is a withdrawal. From its first day on, a version takes the place of those
    before it: one that begins next year leaves today's alone until then. Guests read none of it: the server lays it
    over the catalogue for the plan that a link shows.
    """

    def write_catalogue_rows(
        self, new: Sequence[NewCatalogueRow], *, shipped: Catalogue, author: str = ""
    ) -> tuple[CatalogueVersion, ...]:
        """Write rows as new versions, all of them or none.

        Args:
            new: The rows, each with the version that it starts from.
            shipped: The shipped catalogue, in which they have to fit.
            author: Who states them; a sign-in's own name goes before it.

        Raises:
            RightsError: The actor may not.
            CatalogueConflictError: Someone changed one of them in the meantime.
            PlannerError: A row is not as its columns say, or does not fit into the catalogue.
        """
        if not 1 <= len(new) <= MAX_ROWS_AT_ONCE:
            raise PlannerError(f"rows: {len(new)} is outside 1 to {MAX_ROWS_AT_ONCE}", field="rows")
        name = self._author(author)
        now = self._clock()
        stated = [_checked(item, author=name, day=now.date()) for item in new]
        if len({item.row.key for item in stated}) < len(stated):
            raise PlannerError("rows: one of them is there twice; state each once", field="rows")
        bases = {item.row.key: item.version for item in stated}
        with self._first(bases), self._writing("editor", _WHAT) as session:
            before = _newest(session, bases)
            for item in stated:
                parse(item.row, shipped)
                _check_base(before.get(item.row.key), item.version)
            versions = [self._insert(session, item, withdrawn=False) for item in stated]
            _check_fit(session, [item.row for item in stated], shipped)
            return tuple(versions)

    def withdraw_catalogue_row(
        self, kind: str, row_id: str, *, shipped: Catalogue, version: int, price_set: str = "", author: str = "",
        note: str = "",
    ) -> CatalogueVersion:  # fmt: skip
        """Take a row back: from today on the shipped one counts again, or none. Its versions are kept.

        Args:
            kind: Kind of the row.
            row_id: Its id.
            shipped: The shipped catalogue.
            version: The version that is withdrawn, the newest one.
            price_set: Its price set, if it is a price.
            author: Who takes it back.
            note: Why.

        Raises:
            RightsError: The actor may not.
            CatalogueConflictError: Someone changed it in the meantime.
            PlannerError: There is no such row, it is withdrawn already, or another own row names it.
        """
        name, key = self._author(author), (kind, price_set, row_id)
        row_type_of(kind)
        now = self._clock()
        with self._first({key: version}), self._writing("editor", "withdrawing a catalogue row") as session:
            last = _newest(session, [key]).get(key)
            if last is None:
                raise PlannerError(f"row: {shorten(kind)} {shorten(row_id)} is no own row", field="row")
            _check_base(last, version)
            if last.withdrawn:
                raise PlannerError(f"row: {kind} {shorten(row_id)} is withdrawn already", field="row")
            row = replace(
                last.row, author=_named(name), entered=now.date(), valid_from=now.date(), valid_to=None
            )
            item = NewCatalogueRow(
                row, version, checked_text(note.strip(), field="note", max_chars=MAX_NOTE_CHARS)
            )
            fitted = {
                row.key for row, _ in overlay(shipped, _counting(session, now.date()), on=now.date()).refused
            }
            written = self._insert(session, item, withdrawn=True)
            left = overlay(shipped, _counting(session, now.date()), on=now.date()).refused
            for other, line in left:
                if other.key not in fitted:
                    raise PlannerError(
                        f"row: {kind} {shorten(row_id)} cannot be withdrawn before {other.kind} {shorten(other.id)}, "
                        f"which needs it ({shorten(line, 120)})",
                        field="row",
                    )
            return written

    def catalogue_rows(self, kind: str | None = None) -> tuple[CatalogueVersion, ...]:
        """The newest version of each own row, withdrawn ones too, by kind, price set and id."""
        with self._reading() as session:
            newest = _newest(session, None)
        return tuple(newest[key] for key in sorted(newest) if kind in (None, key[0]))

    def catalogue_history(
        self, kind: str, row_id: str, *, price_set: str = ""
    ) -> tuple[CatalogueVersion, ...]:
        """All versions of an own row, the newest first; none if there is no such row.

        Raises:
            PlannerError: No own rows of that kind can be stated, or the id is no plain line.
        """
        row_type_of(kind)
        for field, text in (("row", row_id), ("price_set", price_set)):
            checked_line(text, field=field)
        wanted = (
            select(CatalogueRow)
            .where(
                CatalogueRow.kind == kind, CatalogueRow.price_set == price_set, CatalogueRow.row_id == row_id
            )
            .order_by(col(CatalogueRow.version).desc())
        )
        with self._reading() as session:
            return tuple(_version(row) for row in session.exec(wanted))

    def own_rows(self, on: date) -> tuple[OwnRow, ...]:
        """The rows that count on a day, ready for `planner.catalogue.own.overlay`."""
        with self._reading() as session:
            return _counting(session, on)

    def catalogue_stamp(self) -> int:
        """How many versions there are: it grows with each, so that what was made of them can be kept by it."""
        with self.database.reading() as session:
            return session.exec(select(func.count()).select_from(CatalogueRow)).one()

    @contextmanager
    def _first(self, bases: Mapping[Key, int]) -> Iterator[None]:
        """Tell of a version that someone else gave at the same moment: the key is the lock, and it refuses the second.

        Args:
            bases: The version that each row's change starts from.

        Raises:
            CatalogueConflictError: One of them is taken.
        """
        try:
            yield
        except IntegrityError:
            with self.database.reading() as session:
                newest = _newest(session, bases)
            for key, version in bases.items():
                if key in newest and newest[key].version != version:
                    raise CatalogueConflictError(newest[key]) from None
            raise

    def _insert(self, session: Session, item: NewCatalogueRow, *, withdrawn: bool) -> CatalogueVersion:
        made, now = item.row, self._clock()
        row = CatalogueRow(
            kind=made.kind, price_set=made.price_set, row_id=made.id, version=item.version + 1,
            cells_json=json.dumps(dict(made.cells), ensure_ascii=False),
            valid_from=made.valid_from.isoformat(),
            valid_to=made.valid_to.isoformat() if made.valid_to else "",
            withdrawn=withdrawn, organisation=made.organisation, note=item.note,
            subject=self.actor.subject, name=made.author, created=now,
        )  # fmt: skip
        session.add(row)
        session.flush()
        action = "withdraw" if withdrawn else "add" if item.version == 0 else "change"
        self._file(
            session, f"{action} catalogue row", now=now, name=made.author, kind=made.kind, row=made.id,
            price_set=made.price_set, version=row.version, organisation=made.organisation, note=item.note,
        )  # fmt: skip
        return _version(row)


def _checked(item: NewCatalogueRow, *, author: str, day: date) -> NewCatalogueRow:
    """The row as it is kept: no empty cells, and who and when from the store."""
    row = item.row
    row_type_of(row.kind)
    organisation = checked_line(row.organisation, field="organisation", max_chars=MAX_ORGANISATION_CHARS)
    cells = {name: text.strip() for name, text in row.cells.items() if text.strip()}
    note = checked_text(item.note.strip(), field="note", max_chars=MAX_NOTE_CHARS)
    kept = replace(row, cells=cells, organisation=organisation, author=_named(author), entered=day)
    return NewCatalogueRow(kept, item.version, note)


def _named(author: str) -> str:
    if not author:
        raise PlannerError("author: the name is missing: who states the row?", field="author")
    return author


def _check_base(last: CatalogueVersion | None, version: int) -> None:
    if _version_of(last) == version:
        return
    if last is None:
        raise PlannerError(
            f"version: {shorten(version)} of a row that has none; a new row starts from 0", field="version"
        )
    raise CatalogueConflictError(last)


def _version_of(last: CatalogueVersion | None) -> int:
    return 0 if last is None else last.version


def _check_fit(session: Session, written: Sequence[OwnRow], shipped: Catalogue) -> None:
    """Refuse what does not fit on its first day, beside all others that count then."""
    for day in sorted({row.valid_from for row in written}):
        keys = {row.key for row in written if row.valid_from == day}
        for row, line in overlay(shipped, _counting(session, day), on=day).refused:
            if row.key in keys:
                raise PlannerError(line, field="rows")


def _newest(session: Session, keys: Iterable[Key] | None) -> dict[Key, CatalogueVersion]:
    """The newest version of each row, or of those asked for."""
    wanted = None if keys is None else set(keys)
    query = select(CatalogueRow)
    if wanted is not None:
        query = query.where(col(CatalogueRow.kind).in_({kind for kind, _, _ in wanted}))
    newest: dict[Key, CatalogueRow] = {}
    for row in session.exec(query.order_by(col(CatalogueRow.version))):
        key = (row.kind, row.price_set, row.row_id)
        if wanted is None or key in wanted:
            newest[key] = row
    return {key: _version(row) for key, row in newest.items()}


def _counting(session: Session, on: date) -> tuple[OwnRow, ...]:
    """Of each row the newest version that has begun on a day, if it has not ended and takes nothing back."""
    begun = select(CatalogueRow).where(col(CatalogueRow.valid_from) <= on.isoformat())
    newest: dict[Key, CatalogueRow] = {}
    for row in session.exec(begun.order_by(col(CatalogueRow.version))):
        newest[row.kind, row.price_set, row.row_id] = row
    made = (_version(newest[key]) for key in sorted(newest))
    return tuple(version.row for version in made if not version.withdrawn and version.row.valid_on(on))


def _version(row: CatalogueRow) -> CatalogueVersion:
    return CatalogueVersion(
        row=OwnRow(
            kind=row.kind,
            price_set=row.price_set,
            cells=json.loads(row.cells_json),
            valid_from=date.fromisoformat(row.valid_from),
            valid_to=date.fromisoformat(row.valid_to) if row.valid_to else None,
            organisation=row.organisation,
            author=row.name,
            entered=row.created.date(),
        ),
        version=row.version,
        withdrawn=row.withdrawn,
        note=row.note,
        subject=row.subject,
        created=row.created,
    )
