"""The tables of studies: rows in, rows out, one writer per study."""

import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple, TypeVar

from warmer.model.errors import InvalidValueError, StorageError
from warmer.studies.storage.database import Database, retried
from warmer.studies.storage.schema import check_version, migrate

_PAUSES = (0.1, 0.2, 0.4, *[0.8] * 75)
"""Seconds between tries while a server is away: a minute, in which it may be started again."""

_EVENT = "seq, kind, key, at, author, body"
_TICKET = "number, query, as_of, attempt, token, worker, leased_until"

Result = TypeVar("Result")


class StudyRow(NamedTuple):
    """A study as the list of studies has it."""

    id: str
    name: str
    spec: str
    created_at: float
    n_events: int
    n_asks: int


class SummaryRow(NamedTuple):
    """A study with what a list wants to show of it."""

    id: str
    name: str
    spec: str
    created_at: float
    n_events: int
    n_asks: int
    n_answers: int
    n_open: int
    last_at: float | None
    n_overdue: int


class EventRow(NamedTuple):
    """One line of a log."""

    seq: int
    kind: str
    key: str
    at: float
    author: str
    body: str


class TicketRow(NamedTuple):
    """A query that was given to somebody."""

    number: int
    query: str
    as_of: int
    attempt: int
    token: str
    worker: str
    leased_until: float | None


class Head(NamedTuple):
    """How far a study has come."""

    n_events: int
    n_asks: int
    now: float


class Store:
    """The studies of one database.

    Parameters
    ----------
    database
        Where the tables lie; they are created, or brought up to date, unless it can only be read.

    Examples
    --------
    >>> import tempfile
    >>> from warmer.studies.storage import open_database
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     store = Store(open_database(f"sqlite:///{folder}/lab.db"))
    ...     study = store.create("yeast", spec="{}", digest="d", payload=b"table")
    ...     with store.writing(study.id) as writer:
    ...         seq = writer.append("noted", key="k", author="Ada", body="{}")
    ...     found = [row.kind for row in store.events(study.id)], store.head(study.id).n_events
    ...     store.close()
    >>> seq, found
    (1, (['noted'], 1))
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self.name = database.dialect.name
        if database.is_read_only:
            check_version(database)
        else:
            migrate(database)

    def create(self, name: str, *, spec: str, digest: str, payload: bytes) -> StudyRow:
        """A new study; the one that is there already, if name and specification agree."""
        self.safely(lambda: self._create(name, spec, digest, payload))
        study = self.find(name)
        if study.spec != spec:
            raise InvalidValueError(
                f"there is another study {name!r} in {self.name}, with another problem, goal, noise or seed; "
                "choose another name, or open that one."
            )
        return study

    def restore(
        self,
        row: StudyRow,
        *,
        digest: str,
        payload: bytes,
        events: Iterable["EventRow"],
        tickets: Iterable[tuple["TicketRow", bool]],
    ) -> None:
        """Bring a whole study in from elsewhere, all of it or nothing."""
        execute, identity = self._database.execute, uuid.uuid4().hex
        with self._database.writing():
            if execute("SELECT 1 FROM warmer_studies WHERE name = ?", (row.name,)):
                raise InvalidValueError(f"there is a study {row.name!r} in {self.name} already; choose another name.")
            execute("INSERT INTO warmer_problems VALUES (?, ?) ON CONFLICT (digest) DO NOTHING", (digest, payload))
            execute("INSERT INTO warmer_studies VALUES (?, ?, ?, ?, 0, 0)", (identity, *row[1:4]))
            writer = Writer(self._database, identity, Head(0, 0, row.created_at))
            for event in events:
                writer.append(event.kind, key=event.key, author=event.author, body=event.body, at=event.at)
            for ticket, is_open in tickets:
                writer.issue(ticket, is_open=is_open)
            self._advance(writer)

    def find(self, name: str) -> StudyRow:
        """The study of this name."""
        rows = self._read(f"SELECT {', '.join(StudyRow._fields)} FROM warmer_studies WHERE name = ?", (name,))
        if not rows:
            raise InvalidValueError(f"there is no study {name!r} in {self.name}; {self._known()}.")
        return StudyRow(*rows[0])

    def studies(self) -> list[StudyRow]:
        """Every study, in the order they were created."""
        rows = self._read(f"SELECT {', '.join(StudyRow._fields)} FROM warmer_studies ORDER BY created_at, name")
        return [StudyRow(*row) for row in rows]

    def summaries(self) -> list[SummaryRow]:
        """Every study with its counts, in the order they were created; one statement, so that they agree."""
        by_open = self._database.dialect.by_open
        sql = f"""SELECT {", ".join(f"s.{name}" for name in StudyRow._fields)},
            (SELECT count(*) FROM warmer_events e WHERE e.study = s.id AND e.kind = 'answered'),
            (SELECT count(*) FROM warmer_tickets t {by_open} WHERE t.study = s.id AND t.is_open = 1),
            (SELECT e.at FROM warmer_events e WHERE e.study = s.id AND e.seq = s.n_events),
            (SELECT count(*) FROM warmer_tickets t {by_open} WHERE t.study = s.id AND t.is_open = 1
                AND t.leased_until < {self._database.dialect.clock})
            FROM warmer_studies s ORDER BY s.created_at, s.name"""
        return [SummaryRow(*row) for row in self._read(sql)]

    def payload(self, digest: str) -> bytes:
        """The bytes of a problem."""
        rows = self._read("SELECT payload FROM warmer_problems WHERE digest = ?", (digest,))
        if not rows:
            raise StorageError(f"{self.name} has lost the problem {digest[:12]}; restore a copy of the database.")
        return bytes(rows[0][0])

    def head(self, study: str) -> Head:
        """How many events and asks a study has, and what time it is where it is kept."""
        clock = self._database.dialect.clock
        return Head(*self._read(f"SELECT n_events, n_asks, {clock} FROM warmer_studies WHERE id = ?", (study,))[0])

    def events(self, study: str, *, after: int = 0, until: int | None = None, without: str = "") -> list[EventRow]:
        """The log in order, or a part of it; it is read in one statement and locks nobody out.

        Left out are the first `after` events, those after `until`, and the kind `without`.
        """
        values: tuple[Any, ...] = (study, after, without, *(() if until is None else (until,)))
        last = "" if until is None else " AND seq <= ?"
        sql = f"SELECT {_EVENT} FROM warmer_events WHERE study = ? AND seq > ? AND kind <> ?{last} ORDER BY seq"
        return list(map(EventRow._make, self._read(sql, values)))

    def open_tickets(self, study: str) -> list[TicketRow]:
        """The queries that somebody still works on, or has forgotten."""
        by_open = self._database.dialect.by_open
        sql = f"SELECT {_TICKET} FROM warmer_tickets {by_open} WHERE study = ? AND is_open = 1 ORDER BY number"
        return [TicketRow(*row) for row in self._read(sql, (study,))]

    @contextmanager
    def writing(self, study: str) -> Iterator["Writer"]:
        """The one writer of a study: until the end everybody else waits, and nothing is kept if anything is raised."""
        database = self._database
        with database.writing():
            head = f"SELECT n_events, n_asks, {database.dialect.clock} FROM warmer_studies WHERE id = ?"
            before = Head(*database.execute(head + database.dialect.row_lock, (study,))[0])
            writer = Writer(database, study, before)
            yield writer
            if (writer.n_events, writer.n_asks) != before[:2]:
                self._advance(writer)

    def safely(self, work: Callable[[], Result]) -> Result:
        """Do something that carries its own keys, again if the server goes away in the middle.

        Within a transaction it is done once: what was lost is all of the transaction, which begins again as a whole.
        """
        if self._database.is_writing:
            return work()
        result: Result = retried(work, pauses=_PAUSES, sleep=time.sleep)
        return result

    def close(self) -> None:
        """Close the connections; the store may be used again."""
        self._database.close()

    def _advance(self, writer: "Writer") -> None:
        sql = "UPDATE warmer_studies SET n_events = ?, n_asks = ? WHERE id = ?"
        self._database.execute(sql, (writer.n_events, writer.n_asks, writer.study))

    def _create(self, name: str, spec: str, digest: str, payload: bytes) -> None:
        execute = self._database.execute
        with self._database.writing():
            execute("INSERT INTO warmer_problems VALUES (?, ?) ON CONFLICT (digest) DO NOTHING", (digest, payload))
            execute(
                f"INSERT INTO warmer_studies VALUES (?, ?, ?, {self._database.dialect.clock}, 0, 0) "
                "ON CONFLICT (name) DO NOTHING",
                (uuid.uuid4().hex, name, spec),
            )

    def _read(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        return self.safely(lambda: self._database.execute(sql, values))

    def _known(self) -> str:
        names = [repr(study.name) for study in self.studies()]
        return f"there are {', '.join(names[:5])}{', ...' if len(names) > 5 else ''}" if names else "it holds none yet"


class Writer:
    """What may be done to a study while nobody else writes."""

    def __init__(self, database: Database, study: str, head: Head) -> None:
        self._execute, self._by_open = database.execute, database.dialect.by_open
        self.study = study
        self.n_events, self.n_asks, self.now = head

    def find(self, key: str) -> EventRow | None:
        """The event that was recorded under this key, if any."""
        rows = self._execute(f"SELECT {_EVENT} FROM warmer_events WHERE study = ? AND key = ?", (self.study, key))
        return EventRow(*rows[0]) if rows else None

    def append(self, kind: str, *, key: str, author: str, body: str, at: float | None = None) -> int:
        """Add an event to the log and return its number."""
        self.n_events += 1
        when = self.now if at is None else at
        values = (self.study, self.n_events, kind, key, when, author, body)
        self._execute("INSERT INTO warmer_events VALUES (?, ?, ?, ?, ?, ?, ?)", values)
        return self.n_events

    def expired(self, most: int) -> list[TicketRow]:
        """The oldest open tickets whose lease has run out."""
        sql = (
            f"SELECT {_TICKET} FROM warmer_tickets {self._by_open} WHERE study = ? AND is_open = 1 "
            "AND leased_until < ? ORDER BY number LIMIT ?"
        )
        return [TicketRow(*row) for row in self._execute(sql, (self.study, self.now, most))]

    def open_ticket(self, *, number: int | None = None, query: str | None = None) -> TicketRow | None:
        """The open ticket of this number, or the oldest for this query."""
        column, value = ("number", number) if query is None else ("query", query)
        sql = (
            f"SELECT {_TICKET} FROM warmer_tickets {self._by_open} WHERE study = ? AND is_open = 1 AND {column} = ? "
            "ORDER BY number LIMIT 1"
        )
        rows = self._execute(sql, (self.study, value))
        return TicketRow(*rows[0]) if rows else None

    def issue(self, ticket: TicketRow, *, is_open: bool = True) -> None:
        """Add a ticket, or give an old one to somebody else."""
        self._execute(
            "INSERT INTO warmer_tickets VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (study, number) DO UPDATE SET "
            "attempt = excluded.attempt, token = excluded.token, worker = excluded.worker, "
            "leased_until = excluded.leased_until, is_open = excluded.is_open",
            (self.study, *ticket, int(is_open)),
        )
        self.n_asks = max(self.n_asks, ticket.number)

    def renew(self, number: int, token: str, leased_until: float) -> bool:
        """Whether the ticket was still this holder's, whose lease then lasts longer."""
        sql = (
            "UPDATE warmer_tickets SET leased_until = ? "
            "WHERE study = ? AND number = ? AND token = ? AND is_open = 1 RETURNING number"
        )
        return bool(self._execute(sql, (leased_until, self.study, number, token)))

    def shut(self, number: int) -> None:
        """Nobody works on this ticket any more."""
        sql = "UPDATE warmer_tickets SET is_open = 0 WHERE study = ? AND number = ?"
        self._execute(sql, (self.study, number))
