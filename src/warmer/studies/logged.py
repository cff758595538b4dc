"""What all studies share: a log that several people and machines write to, and tickets."""

import uuid
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from os import PathLike
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar

from warmer.model import Label, Labels
from warmer.model.checks import check_count, check_positive
from warmer.model.errors import InvalidValueError
from warmer.studies.formats.exchange import write_whole
from warmer.studies.records.authors import this_author
from warmer.studies.records.events import Body, Event, Failed, Noted, Released, Retracted
from warmer.studies.records.history import history_frame
from warmer.studies.records.ledger import Entry
from warmer.studies.records.log import Log, Plan
from warmer.studies.records.tickets import Ticket
from warmer.studies.storage import Store, StudyRow
from warmer.studies.verification import Replay, verify_choices
from warmer.studies.workers import Crew

if TYPE_CHECKING:
    import pandas as pd


_MOST_TICKETS = 10_000
_MOST_ANSWERS = 10**15

View = TypeVar("View", bound=Replay)


class LoggedStudy(ABC, Generic[View]):
    """A study of any kind; the kind says what replays the log and what is proven."""

    _view: View
    _draws = False
    """Whether queries are left to chance, so that the log must have them before anybody."""

    def __init__(self, store: Store, row: StudyRow, queries: Labels) -> None:
        self._store = store
        self.name = row.name
        self.created_at = row.created_at
        self.storage = store.name
        self.id = row.id
        self._log = Log(store, row.id)
        self._queries = queries

    @property
    @abstractmethod
    def is_settled(self) -> bool:
        """Whether nothing more need be asked."""

    @property
    def hindrance(self) -> str:
        """Why no answer can prove anything as noise and table were declared; empty where one can."""
        return ""

    @abstractmethod
    def export_lines(self) -> Iterator[str]:
        """The lines of `export`."""

    @abstractmethod
    def _new_view(self) -> View:
        """What the log amounts to, before its first event."""

    @abstractmethod
    def _seen(self) -> View:
        """The view, up to date."""

    def ask(
        self, n: int = 1, *, worker: str | None = None, lease: float | None = None, key: str | None = None
    ) -> list[Ticket]:
        """Tickets for the next n queries.

        Queries that are in somebody's hands count as asked. A ticket whose lease ran out is given out again before
        any new query.

        Parameters
        ----------
        n
            How many.
        worker
            Who is going to do it; the user and machine where None.
        lease
            Seconds after which somebody else may be given the ticket; never where None, as people want it.
        key
            Makes a repeated call return the same tickets.
        """
        check_count("n", n, most=_MOST_TICKETS)
        if lease is not None:
            check_positive("lease", lease)
        return self._log.ask(
            n,
            key=f"ask:{key or uuid.uuid4().hex}",
            author=worker or this_author(),
            lease=lease,
            choose=self._plan,
            draws=self._draws,
        )

    def fail(
        self, ticket_or_label: Ticket | Label, *, reason: str, key: str | None = None, author: str | None = None
    ) -> Entry:
        """Record that an experiment gave no answer, and why."""
        query, number, token = self._meant(ticket_or_label)
        body = Failed(query, number, stated(reason))
        return self._entry(self._record(body, key or (token and f"fail:{token}"), author))

    def release(self, ticket: Ticket | int, *, reason: str = "", author: str | None = None) -> None:
        """Give a ticket back unanswered; its query counts as not asked."""
        held = self.ticket(ticket) if isinstance(ticket, int) else ticket
        query, number, token = self._meant(held)
        assert number is not None
        self._record(Released(query, number, reason), f"release:{token}", author)

    def renew(self, ticket: Ticket, *, lease: float) -> bool:
        """Whether the ticket is still yours; its lease then starts again."""
        self._meant(ticket)
        return self._log.renew(ticket, check_positive("lease", lease))

    def retract(self, seq: int, *, reason: str, author: str | None = None) -> Entry:
        """Let an answer, a failure or a correction no longer count; the reason stays in the log.

        Certificates name what was retracted: leaving answers out because of what they say makes a proof worthless.
        """
        ledger = self._seen().ledger
        repeated = Retracted(seq, stated(reason))
        if repeated not in [event.body for event in ledger.retracted]:
            ledger.check_retractable(seq)
        self._record(repeated, f"retract:{seq}", author)
        ledger = self._seen().ledger
        return ledger.entry(ledger.answer_of(seq))

    def undo(self, *, reason: str, author: str | None = None) -> Entry:
        """Retract the last answer, failure or correction that counts, whoever told it."""
        return self.retract(self._seen().ledger.last, reason=reason, author=author)

    def note(self, text: str, *, key: str | None = None, author: str | None = None) -> int:
        """Write something down; the number of the event."""
        return self._record(Noted(text), key, author).seq

    def ticket(self, number: int) -> Ticket:
        """The open ticket of this number."""
        tickets = {ticket.number: ticket for ticket in self.tickets()}
        if number not in tickets:
            known = ", ".join(map(str, tickets)) or "none"
            raise InvalidValueError(f"there is no open ticket {number} in study {self.name!r}; open are: {known}.")
        return tickets[number]

    def tickets(self) -> list[Ticket]:
        """The tickets that are neither answered nor given up, oldest first."""
        return self._log.open_tickets()

    def entries(self) -> list[Entry]:
        """Every answer and failure, in the order they came, with what was said about it later."""
        return list(self._seen().ledger.entries.values())

    def log(self, *, after: int = 0, until: int | None = None) -> Iterator[Event]:
        """Every event after a number, and up to another, in order."""
        return iter(self._log.events(after=after, until=until))

    @property
    def n_events(self) -> int:
        """How many events the log has, asked of the database and of nothing else: the cheapest way to notice news."""
        return self._log.head().n_events

    def history(self) -> "pd.DataFrame":
        """The answers as a pandas DataFrame, a row for each (needs the extra `warmer[tables]`)."""
        return history_frame(self.entries())

    def preview(self, n: int = 1) -> list[Label]:
        """The queries that `ask(n)` would give out now; nobody is given them."""
        return self._plan(check_count("n", n, most=_MOST_TICKETS)).queries

    def run(
        self,
        function: Callable[[Label], float],
        *,
        workers: int = 1,
        answers: int = _MOST_ANSWERS,
        lease: float = 60.0,
        worker: str | None = None,
        most_failures: int = 10,
    ) -> int:
        """Ask, do and tell until the goal is proven; how many answers were told.

        Several processes and machines may do this on one study at once. Where no answer can prove anything as it was
        declared (the noise is refuted, no candidate is left, readings look rounded) it stops with a `ProtocolError`
        that says why; the answers are kept.

        Parameters
        ----------
        function
            Does the experiment: takes the label of a query, returns a reward. What it raises is recorded as a failure.
        workers
            How many threads call it at once.
        answers
            Stop after so many.
        lease
            Seconds after which a ticket of a worker that died goes to another; living workers renew theirs.
        worker
            A name for the log; the user and machine where None.
        most_failures
            Give up after so many failures in a row.
        """
        check_count("workers", workers)
        crew = Crew(
            self,
            function,
            name=worker or this_author(),
            lease=check_positive("lease", lease),
            answers=check_count("answers", answers),
            most_failures=check_count("most_failures", most_failures),
        )
        return crew.work(workers)

    def verify(self) -> int:
        """Choose every query again from the log alone, and return how many agree; the first that does not is named."""
        return verify_choices(self._log.events(), self._new_view())

    def export(self, path: str | PathLike[str]) -> None:
        """Write everything to a file of JSON lines, which `import_study` reads and a person can."""
        write_whole(path, self.export_lines())

    def close(self) -> None:
        """Close the connections to the database."""
        self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _plan(self, n: int) -> Plan:
        with self._view.lock:
            return self._seen().plan(n)

    def _record(self, body: Body, key: str | None, author: str | None) -> Event:
        return self._log.record(body, key=key or uuid.uuid4().hex, author=author or this_author())

    def _entry(self, event: Event) -> Entry:
        return self._seen().ledger.entry(event.seq)

    def _meant(self, given: Any) -> tuple[Label, int | None, str]:
        """The query, and number and token where a ticket was given."""
        if not isinstance(given, Ticket):
            return self._label(given), None, ""
        if given.study != self._log.study:
            raise InvalidValueError(f"ticket {given.number} ({given.query!r}) is of another study than {self.name!r}.")
        return given.query, given.number, given.token

    def _label(self, query: Any) -> Label:
        return self._queries[self._queries.position(query)]


def stated(reason: str) -> str:
    """The reason, which there must be."""
    if not reason or not reason.strip():
        raise InvalidValueError("say why in a few words (reason): it stays in the log for those who read the proof.")
    return reason.strip()
