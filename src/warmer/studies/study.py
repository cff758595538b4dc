"""A session that outlives its process, for several people and machines."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

from warmer.certification import Goal
from warmer.model import Label, Problem
from warmer.studies.choosing import check_closable
from warmer.studies.formats.exchange import export_lines
from warmer.studies.formats.stored_problems import unpack
from warmer.studies.formats.table_lines import table_lines
from warmer.studies.logged import LoggedStudy, stated
from warmer.studies.progress import Progress, Tracker
from warmer.studies.records.events import (
    Allowed,
    Answered,
    Corrected,
    Forbidden,
)
from warmer.studies.records.ledger import Entry, Ledger
from warmer.studies.records.tickets import Ticket
from warmer.studies.session import Session
from warmer.studies.spec import Spec, read_spec
from warmer.studies.standing import Forecast, Limit, Residual, forecast_of, judged, limit_of, residuals
from warmer.studies.status import Status, StudyCertificate
from warmer.studies.storage import Store, StudyRow
from warmer.studies.view import View


class Study(LoggedStudy[View]):
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
        self.spec: Spec = read_spec(row.spec, lambda digest: unpack(store.payload(digest), digest))
        super().__init__(store, row, self.spec.problem.queries)
        with _uncollected():
            self._view = self._new_view()
        self._tracker: Tracker | None = None

    @property
    def problem(self) -> Problem:
        """The table."""
        problem: Problem = self.spec.problem
        return problem

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

        An answer by label belongs to the oldest open ticket for that query, if there is one, and may also come unasked:
        then the entry says so (`is_unasked`), and whether it equals the answer before it (`is_repeat`: the same answer
        twice?).
        A late answer is always kept. The same ticket answered twice with the same numbers is one answer; with others
        it is an error that names `correct`.

        The entry says how odd the answer is: `surprise` is a p-value, small where no remaining candidate explains the
        answer under the declared noise, and `is_odd` whether it is so small that it should be read again.
        """
        query, number, token = self._meant(ticket_or_label)
        value = self._view.engine.checked(query, reward, count)
        body = Answered(query, value, count, number, note)
        event = self._record(body, key or (token and f"answer:{token}"), author)
        view = self._seen()
        with view.lock:
            return judged(view.engine, view.ledger, event.seq)

    def check_answer(self, query: Label, reward: float, *, count: int = 1) -> float:
        """The reward as a number, or `InvalidValueError` where it cannot be an answer; nothing is recorded."""
        label = self._label(query)
        with self._view.lock:
            return self._view.engine.checked(label, reward, count)

    def correct(
        self, seq: int, reward: float, *, reason: str, key: str | None = None, author: str | None = None
    ) -> Entry:
        """Put another reward in the place of answer `seq`; both stay in the log."""
        entry = self._seen().ledger.check_correctable(seq)
        value = self._view.engine.checked(entry.query, reward, entry.count)
        self._record(Corrected(seq, value, stated(reason)), key, author)
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
        view = self._seen()
        with view.lock:
            return forecast_of(view.engine, view.chooser, n_runs=n_runs, most=most)

    def forbid(self, query: Label, *, reason: str, author: str | None = None) -> None:
        """Close a query: it is not asked from now on."""
        check_closable(self.spec)
        self._record(Forbidden(self._label(query), stated(reason)), None, author)

    def allow(self, query: Label, *, reason: str = "", author: str | None = None) -> None:
        """Open a query again."""
        self._record(Allowed(self._label(query), reason), None, author)

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
            return StudyCertificate.of(view.engine.certificate(goal), view, self.tickets())

    def session(self, *, at: int | None = None) -> Session:
        """The session in memory as it was after event `at`, to look at and to play with; nothing of it is kept."""
        return Session.resumed(self.spec, self._log.events(until=at))

    @property
    def is_settled(self) -> bool:
        """Whether nothing more need be asked; never where the certificate of a learner that proves is withheld."""
        view = self._seen()
        with view.lock:
            return view.engine.is_settled

    @property
    def hindrance(self) -> str:
        """Why no answer can prove anything as noise and table were declared; empty where one can."""
        view = self._seen()
        with view.lock:
            return view.engine.hindrance

    def export_lines(self) -> Iterator[str]:
        """The lines of `export`."""
        return export_lines(self._store.find(self.name), table_lines(self.problem), self.log())

    def __repr__(self) -> str:
        return f"Study({self.name!r}, {self.storage})"

    def _seen(self) -> View:
        """The view, up to date."""
        with self._view.lock:
            if self._view.ledger.seq == 0:
                with _uncollected():
                    events, head, tickets = self._log.start()
                    self._view.start(Ledger.started(events, seq=head.n_events, n_asks=head.n_asks, tickets=tickets))
            self._view.add(self._log.events(after=self._view.ledger.seq))
        return self._view

    def _new_view(self) -> View:
        return View(self.spec)


@contextmanager
def _uncollected() -> Iterator[None]:
    """While kernels are loaded or a long log is read: none of so many objects is garbage, and to look for some costs
    half as much again.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
