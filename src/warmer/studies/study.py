"""A session that outlives its process, for several people and machines."""

import uuid
from collections.abc import Callable, Iterator
from dataclasses import replace
from os import PathLike
from typing import TYPE_CHECKING, Any, Self

from warmer.certification import Goal
from warmer.model import Label, Problem
from warmer.model.checks import check_count, check_positive
from warmer.model.errors import InvalidValueError
from warmer.studies.engine import session_of
from warmer.studies.formats.exchange import export_lines, write_whole
from warmer.studies.formats.stored_problems import unpack
from warmer.studies.progress import Progress, Tracker
from warmer.studies.records.authors import this_author
from warmer.studies.records.events import (
    Allowed,
    Answered,
    Body,
    Corrected,
    Event,
    Failed,
    Forbidden,
    Noted,
    Released,
    Retracted,
)
from warmer.studies.records.history import history_frame
from warmer.studies.records.ledger import Entry, Ledger
from warmer.studies.records.log import Log, Plan
from warmer.studies.records.tickets import Ticket
from warmer.studies.session import Session
from warmer.studies.spec import Spec, read_spec
from warmer.studies.standing import Forecast, Limit, Residual, forecast_of, limit_of, residuals, surprise_of_last
from warmer.studies.status import Status, StudyCertificate
from warmer.studies.storage import Store, StudyRow
from warmer.studies.verification import verify_choices
from warmer.studies.view import View
from warmer.studies.workers import Crew

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Study"]

_MOST_TICKETS = 10_000
_MOST_REPETITIONS = 10**15


class Study:
    """An experiment that lasts: every answer is on disk before it is acknowledged, and nothing is ever overwritten.

    Made by `create_study` and `open_study`. Any number of processes and machines may hold the same study; each sees
    what the others wrote at its next call. What a call writes carries a key, and a call repeated under the same key
    changes nothing: repeat whatever you are not sure of.

    Examples
    --------
    >>> import tempfile
    >>> from warmer import create_study, goals, noise
    >>> problem = Problem.from_table([[0.1, 0.9], [0.7, 0.3]], queries=["left", "right"], targets=["rain", "sun"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     url = f"sqlite:///{folder}/lab.db"
    ...     goal, known = goals.BestQuery(0.1), noise.SubGaussian(0.25)
    ...     with create_study("weather", problem, goal=goal, noise=known, storage=url) as study:
    ...         [ticket] = study.ask(worker="Ada")
    ...         typo = study.tell(ticket, 0.09, author="Ada")
    ...         corrected = study.correct(typo.seq, 0.9, reason="a zero too many")
    ...         certificate = study.certificate()
    >>> ticket.query, ticket.number, corrected.told, corrected.reward
    ('left', 1, 0.09, 0.9)
    >>> bool(certificate), certificate.answer
    (True, 'left')
    """

    def __init__(self, store: Store, row: StudyRow) -> None:
        self._store = store
        self.name = row.name
        self.created_at = row.created_at
        self.storage = store.name
        self.id = row.id
        self._log = Log(store, row.id)
        self.spec: Spec = read_spec(row.spec, lambda digest: unpack(store.payload(digest), digest))
        self._view = View(self.spec)
        self._tracker: Tracker | None = None

    @property
    def problem(self) -> Problem:
        """The table."""
        return self.spec.problem

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
            n, key=f"ask:{key or uuid.uuid4().hex}", author=worker or this_author(), lease=lease, choose=self._plan
        )

    def tell(
        self,
        ticket_or_label: Ticket | Label,
        reward: float,
        *,
        count: int = 1,
        key: str | None = None,
        author: str | None = None,
        note: str = "",
    ) -> Entry:
        """Record a reward, or the mean of `count`, for a ticket or for a query by label.

        An answer by label belongs to the oldest open ticket for that query, if there is one, and may also come unasked.
        A late answer is always kept. The same ticket answered twice with the same numbers is one answer; with others
        it is an error that names `correct`.

        The entry says how odd the answer is: `surprise` is a p-value, small where no remaining candidate explains the
        answer under the declared noise, and `is_odd` whether it is so small that it should be read again.
        """
        query, number, token = self._meant(ticket_or_label)
        check_count("count", count, most=_MOST_REPETITIONS)
        value = self._view.engine.checked(query, reward, count)
        body = Answered(query, value, count, number, note)
        return self._judged(self._record(body, key or (token and f"answer:{token}"), author))

    def check_answer(self, query: Label, reward: float, *, count: int = 1) -> float:
        """The reward as a number, or `InvalidValueError` where it cannot be an answer; nothing is recorded."""
        label = self._label(query)
        check_count("count", count, most=_MOST_REPETITIONS)
        with self._view.lock:
            return self._view.engine.checked(label, reward, count)

    def fail(
        self, ticket_or_label: Ticket | Label, *, reason: str, key: str | None = None, author: str | None = None
    ) -> Entry:
        """Record that an experiment gave no answer, and why."""
        query, number, token = self._meant(ticket_or_label)
        body = Failed(query, number, _reason(reason))
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

    def correct(
        self, seq: int, reward: float, *, reason: str, key: str | None = None, author: str | None = None
    ) -> Entry:
        """Put another reward in the place of answer `seq`; both stay in the log."""
        entry = self._seen().ledger.check_correctable(seq)
        value = self._view.engine.checked(entry.query, reward, entry.count)
        self._record(Corrected(seq, value, _reason(reason)), key, author)
        return self._seen().ledger.entry(seq)

    def residuals(self) -> list[Residual]:
        """Every answer that counts beside what the nearest remaining candidate expects, and whether it is odd."""
        view = self._seen()
        with view.lock:
            return residuals(view.engine)

    def limit(self) -> Limit | None:
        """How few answers any method could do with, if the likeliest candidate is true; None where that is unknown."""
        view = self._seen()
        with view.lock:
            return limit_of(view.engine)

    def forecast(self, *, n_runs: int = 40, most: int = 500) -> Forecast:
        """How many more answers it will probably take, by simulated runs from here on.

        Truths are drawn from the remaining candidates by their weights. The work is bounded, seconds at most, and the
        same state gives the same forecast; it is not part of `status`, which is instant.

        Parameters
        ----------
        n_runs
            How many runs.
        most
            Answers after which a run is given up; fewer where the table is very large.
        """
        check_count("n_runs", n_runs)
        check_count("most", most)
        self.certificate()  # raises where nothing is to be decided
        view = self._seen()
        with view.lock:
            return forecast_of(view.engine, view.chooser, n_runs=n_runs, most=most)

    def retract(self, seq: int, *, reason: str, author: str | None = None) -> Entry:
        """Let an answer, a failure or a correction no longer count; the reason stays in the log.

        Certificates name what was retracted: leaving answers out because of what they say makes a proof worthless.
        """
        ledger = self._seen().ledger
        repeated = Retracted(seq, _reason(reason))
        if repeated not in [event.body for event in ledger.retracted]:
            ledger.check_retractable(seq)
        self._record(repeated, f"retract:{seq}", author)
        ledger = self._seen().ledger
        return ledger.entry(ledger.answer_of(seq))

    def forbid(self, query: Label, *, reason: str, author: str | None = None) -> None:
        """Close a query: it is not asked from now on."""
        self._record(Forbidden(self._label(query), _reason(reason)), None, author)

    def allow(self, query: Label, *, reason: str = "", author: str | None = None) -> None:
        """Open a query again."""
        self._record(Allowed(self._label(query), reason), None, author)

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

    def progress(self) -> Progress:
        """How the evidence grew: who was ruled out when, and what each query has earned so far."""
        view = self._seen()
        with view.lock:
            self._tracker = self._tracker or Tracker(self.spec)
            return self._tracker.follow(view.ledger)

    def status(self) -> Status:
        """Where the study stands."""
        head = self._log.head()
        view = self._seen()
        last = self._log.events(after=max(0, head.n_events - 1))
        with view.lock:
            return Status.of(self.name, view, self.tickets(), head, last[-1].at if last else None)

    def certificate(self, goal: Goal | None = None) -> StudyCertificate:
        """Whether the goal, or another one, is proven, with what a reader must know was left out."""
        view = self._seen()
        with view.lock:
            return StudyCertificate.of(view.engine.session.certificate(goal), view, self.tickets())

    def session(self, *, at: int | None = None) -> Session:
        """The session in memory as it was after event `at`, to look at and to play with; nothing of it is kept."""
        ledger = Ledger()
        for event in self._log.events(until=at):
            ledger.add(event)
        return session_of(self.spec, ledger)

    @property
    def is_settled(self) -> bool:
        """Whether nothing more need be asked."""
        view = self._seen()
        with view.lock:
            return view.engine.is_settled

    def run(
        self,
        function: Callable[[Label], float],
        *,
        workers: int = 1,
        answers: int = _MOST_REPETITIONS,
        lease: float = 60.0,
        worker: str | None = None,
        most_failures: int = 10,
    ) -> int:
        """Ask, do and tell until the goal is proven; how many answers were told.

        Several processes and machines may do this on one study at once.

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
        return verify_choices(self._log.events(), self.spec)

    def export(self, path: str | PathLike[str]) -> None:
        """Write everything to a file of JSON lines, which `import_study` reads and a person can."""
        write_whole(path, self.export_lines())

    def export_lines(self) -> Iterator[str]:
        """The lines of `export`."""
        return export_lines(self._store.find(self.name), self.problem, self.log())

    def close(self) -> None:
        """Close the connections to the database."""
        self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Study({self.name!r}, {self.storage})"

    def _seen(self) -> View:
        """The view, up to date."""
        with self._view.lock:
            if self._view.ledger.seq == 0:
                events, head, tickets = self._log.start()
                self._view.start(Ledger.started(events, seq=head.n_events, n_asks=head.n_asks, tickets=tickets))
            self._view.add(self._log.events(after=self._view.ledger.seq))
        return self._view

    def _plan(self, n: int) -> Plan:
        with self._view.lock:
            return self._seen().plan(n)

    def _record(self, body: Body, key: str | None, author: str | None) -> Event:
        return self._log.record(body, key=key or uuid.uuid4().hex, author=author or this_author())

    def _entry(self, event: Event) -> Entry:
        return self._seen().ledger.entry(event.seq)

    def _judged(self, event: Event) -> Entry:
        """The entry, with how odd it is if it is the last answer of all."""
        view = self._seen()
        with view.lock:
            entry = view.ledger.entry(event.seq)
            if event.seq != next(reversed(view.ledger.entries)) or not entry.counts:
                return entry
            surprise, is_odd = surprise_of_last(view.engine)
        return replace(entry, surprise=surprise, is_odd=is_odd)

    def _meant(self, given: Any) -> tuple[Label, int | None, str]:
        """The query, and number and token where a ticket was given."""
        if not isinstance(given, Ticket):
            return self._label(given), None, ""
        if given.study != self._log.study:
            raise InvalidValueError(f"ticket {given.number} ({given.query!r}) is of another study than {self.name!r}.")
        return given.query, given.number, given.token

    def _label(self, query: Any) -> Label:
        return self.problem.queries[self.problem.queries.position(query)]


def _reason(reason: str) -> str:
    if not reason or not reason.strip():
        raise InvalidValueError("say why in a few words (reason): it stays in the log for those who read the proof.")
    return reason.strip()
