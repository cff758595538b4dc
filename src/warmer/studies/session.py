"""Ask and tell for people: one learner and what has happened, in the user's own labels."""

import reprlib
import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import wraps
from os import PathLike
from types import FunctionType
from typing import Any, TypeVar

from warmer.certification import Certificate, Goal
from warmer.families.continuous import ContinuousFamily
from warmer.model import Answer, History, Label, Learner, Problem
from warmer.model.checks import check_count, check_learner
from warmer.model.errors import InvalidValueError, ProtocolError
from warmer.model.sharded import ShardedProblem
from warmer.studies.choosing import check_closable
from warmer.studies.formats.exchange import Whole, export_lines, read_file, write_whole
from warmer.studies.formats.stored_problems import digest_of
from warmer.studies.formats.table_lines import read_table, table_lines
from warmer.studies.logged import stated
from warmer.studies.records.events import (
    Allowed,
    Answered,
    Asked,
    Body,
    Event,
    Failed,
    Forbidden,
    Released,
    Retracted,
    events_of,
)
from warmer.studies.records.ledger import Entry, Ledger
from warmer.studies.records.remarks import remarks_of
from warmer.studies.spec import Spec, read_spec
from warmer.studies.standing import Forecast, Residual, Standing, forecast_of, judged, residuals, standing_of
from warmer.studies.storage import StudyRow
from warmer.studies.view import View

_Kind = TypeVar("_Kind")


def _one_at_a_time(kind: type[_Kind]) -> type[_Kind]:
    """A class whose public methods and properties wait while another thread is in one."""

    def waiting(method: Any) -> Any:
        @wraps(method)
        def alone(self: Any, /, *args: Any, **kwargs: Any) -> Any:
            with self._view.lock:
                return method(self, *args, **kwargs)

        return alone

    for name, held in vars(kind).copy().items():
        if not name.startswith("_") and isinstance(held, property | FunctionType):
            setattr(kind, name, property(waiting(held.fget)) if isinstance(held, property) else waiting(held))
    return kind


@_one_at_a_time
class Session:
    """A conversation: it says what to ask, is told what came, and knows what has been proven.

    Threads may share a session: each call waits for the one before. A `Study` has the same verbs, and outlives its
    process.

    Parameters
    ----------
    problem
        The table of candidates, or a class of them; `TopTwo` then chooses the queries. Or a learner of your choice.
    goal
        What is to be decided. A learner that proves brings its own.
    noise
        What is declared about the noise; the reward range alone where None. What a learner believes about the noise is
        no declaration.
    delta
        The probability with which anything said to be proven or ruled out may be wrong, over all time.
    prior, tolerance
        Weights of the candidates, and how wrong the table's entries may be, as for `TopTwo`.
    seed
        Where a learner that draws lots takes them from.
    outside
        What becomes of answers outside the reward range: "refuse" them, or "keep" them, which needs noise that can
        leave the range (`noise.SubGaussian`, `noise.Gaussian`).

    Examples
    --------
    >>> from warmer import goals, noise
    >>> problem = Problem.from_table([[0.1, 0.9], [0.7, 0.3]], queries=["left", "right"], targets=["rain", "sun"])
    >>> session = Session(problem, goal=goals.BestQuery(0.1), noise=noise.SubGaussian(0.5))
    >>> session.ask()
    'left'
    >>> answer = session.tell("left", 0.875, count=4)
    >>> session.recommend(), session.remaining, session.is_misspecified
    ('left', ['sun'], False)
    >>> session.certificate().statement
    "'left' is within 0.1 of the best query"
    """

    def __init__(
        self,
        problem: Problem | ShardedProblem | ContinuousFamily | Learner[Any],
        *,
        goal: Goal | None = None,
        noise: Any = None,
        delta: float | None = None,
        prior: Any = None,
        tolerance: float | None = None,
        seed: int = 0,
        outside: str = "refuse",
    ) -> None:
        if isinstance(problem, Problem | ShardedProblem | ContinuousFamily):
            self._start(Spec(problem, goal, noise, delta, prior, tolerance, None, seed, outside))
        else:
            if not hasattr(problem, "ask"):
                raise InvalidValueError(
                    f"a session needs a Problem or a learner, got {reprlib.repr(problem)}; read_problem(path) reads a "
                    "file, Problem.from_table takes an array."
                )
            check_learner("a session", problem)
            self._start(Spec(problem.problem, goal, noise, delta, prior, tolerance, problem, seed, outside))

    @classmethod
    def resumed(cls, spec: Spec, events: Iterable[Event]) -> "Session":
        """A session that was set up like this and has come through these events."""
        session = cls.__new__(cls)
        session._start(spec, events)
        return session

    def _start(self, spec: Spec, events: Iterable[Event] = ()) -> None:
        self._spec, self._view, self._events = spec, View(spec), list(events)
        if self._events:
            ledger = Ledger()
            for event in self._events:
                ledger.add(event)
            self._view.start(ledger)

    @property
    def learner(self) -> Learner[Any]:
        """Who chooses the queries."""
        return self._spec.chooser

    @property
    def problem(self) -> Any:
        """The problem or family that the learner was made for."""
        return self._spec.problem

    @property
    def state(self) -> Any:
        """What the learner remembers."""
        return self._view.engine.state

    @property
    def history(self) -> History:
        """The answers that count, in the order they came."""
        told = enumerate(self._ledger.told, start=1)
        return History([Answer(t, self._spec.shown(entry.query), entry.reward, entry.count) for t, entry in told])

    @property
    def cost(self) -> float:
        """What the answers so far have cost; 1 per repetition where the problem declares no costs."""
        return self._view.engine.cost

    @property
    def pending(self) -> list[Any]:
        """The queries that were asked for and not yet answered, the oldest first."""
        return [self._spec.shown(query) for query in self._ledger.pending]

    @property
    def failed(self) -> list[Any]:
        """The queries whose experiments gave no answer, in the order they failed."""
        return [self._spec.shown(entry.query) for entry in self._ledger.special if entry.standing == "failed"]

    @property
    def unasked(self) -> list[Any]:
        """The queries of the answers that came to queries that were not open, in the order they came."""
        return [self._spec.shown(entry.query) for entry in self._ledger.told if entry.is_unasked]

    @property
    def closed(self) -> list[Any]:
        """The queries that are not asked now: forbidden, or failing."""
        return [self._spec.shown(query) for query in sorted(self._ledger.closed, key=str)]

    def ask(self, n: int | None = None) -> Any:
        """The label of the query to make next; a list of n more where a number is given.

        Without a number it repeats the oldest open query, however that was asked for, until it is answered, released,
        failed or forbidden: so whoever works alone may call it as often as they like.

        Where a number is given, each call asks for more, and those that are open count as if their expected answers had
        come: so whoever makes several experiments at once, or shares the session between threads, asks with a number.
        A learner whose guarantee counts rounds (`PAC`) has one query at a time.
        """
        if n is not None:
            self._check_several(check_count("n", n))
            return [self._spec.shown(query) for query in self._asked(n)]
        again = self._view.open_again
        return self._spec.shown(self._asked(1)[0] if again is None else again)

    def tell(self, query: Label, reward: float, *, count: int = 1, note: str = "") -> Entry:
        """Record a reward, or the mean of `count` rewards, for a query by label or index.

        The query need not be open, unless the learner's guarantee counts rounds. What cannot be an answer (None, NaN, a
        number outside the reward range) raises `InvalidValueError` and changes nothing.

        What it returns says whether the query was open (`is_unasked` if not), and whether an unasked answer equals the
        one before it (`is_repeat`): the same answer twice, as where a cell of a notebook is run again? `undo` takes it
        back. It also says how odd the answer is: `surprise` is a p-value, small where no remaining candidate explains
        it under the declared noise, and `is_odd` whether it should be read again.
        """
        label = self._spec.label(query)
        value = self._view.engine.checked(label, reward, count)
        number = self._ledger.ticket_for(label)
        if number is None and self._spec.counts_rounds:
            raise ProtocolError(
                f"{type(self.learner).__name__} counts rounds, so it learns only from answers to its own questions, "
                f"and {label!r} was not asked for; ask() first. TopTwo learns from any data."
            )
        seq = self._record(Answered(label, value, count, number, note))
        return judged(self._view.engine, self._ledger, seq)

    def fail(self, query: Label, *, reason: str) -> Entry:
        """Record that an experiment gave no answer, and why.

        The query rests until another answer has come, and after three failures in a row until it is allowed again.
        """
        label = self._spec.label(query)
        return self._ledger.entry(self._record(Failed(label, self._ledger.ticket_for(label), stated(reason))))

    def release(self, query: Label, *, reason: str = "") -> None:
        """Give a pending query back unanswered: it counts as not asked, and is no longer repeated."""
        label = self._spec.label(query)
        number = self._ledger.ticket_for(label)
        if number is None:
            known = ", ".join(map(repr, self._ledger.pending)) or "none"
            raise InvalidValueError(f"{label!r} is not pending; pending are: {known}.")
        self._record(Released(label, number, reason))

    def forbid(self, query: Label, *, reason: str) -> None:
        """Close a query: it is not asked from now on, nor repeated where it is open."""
        check_closable(self._spec)
        self._record(Forbidden(self._spec.label(query), stated(reason)))

    def allow(self, query: Label, *, reason: str = "") -> None:
        """Open a query again."""
        self._record(Allowed(self._spec.label(query), reason))

    def undo(self, *, reason: str = "undone") -> Entry:
        """Take back the last answer or failure that counts: everything is as if it had never come.

        Taking answers back because of what they say makes a proof worthless: certificates name what was undone.
        """
        seq = self._ledger.last
        self._record(Retracted(seq, stated(reason)))
        return self._ledger.entry(self._ledger.answer_of(seq))

    @property
    def is_done(self) -> bool:
        """Whether nothing is gained by asking on; with a learner that never stops by itself, never.

        A learner that proves is also done where no answer can prove anything as it was declared: where the data
        contradict every candidate or refute the declared noise (`is_misspecified`), or where readings look rounded.
        `certificate()` says whether there is a proof, and if not, why.
        """
        return self._view.engine.is_at_rest

    def recommend(self) -> Any:
        """The query to settle on: the learner's, if it is done; else the best of the likeliest remaining candidate."""
        return self._view.engine.recommend()

    @property
    def remaining(self) -> Sequence[Label]:
        """The candidates still possible: they include the truth, at all times, with probability 1-delta."""
        return self._view.engine.remaining

    @property
    def is_misspecified(self) -> bool:
        """Whether the data contradict every candidate, wrongly with probability at most delta over all time."""
        return self._view.engine.is_misspecified

    def certificate(self, goal: Goal | None = None) -> Certificate:
        """Whether the goal, or another one, is proven; and if not, which remaining candidates object.

        Its `remarks` name the answers that were undone and the experiments that failed, with the reasons. The proof
        holds if an answer was undone because it was wrong, and not because of what it said.
        """
        return replace(self._view.engine.certificate(goal), remarks=remarks_of(self._ledger))

    def status(self) -> Standing:
        """How far this has come: who is ruled out and by how much, who objects, what comes next and why, what is odd,
        how many answers came to queries that were not open.
        """
        self._view.engine.certificate()  # raises where nothing is to be decided
        return standing_of(self._view.engine, self._view.next_query(is_alone=True), self._ledger)

    def residuals(self) -> list[Residual]:
        """Every answer that counts beside what the nearest remaining candidate expects, and whether it is odd."""
        return residuals(self._view.engine)

    def forecast(self, *, n_runs: int = 40, most: int = 500) -> Forecast:
        """How many more answers it will probably take, as in `Study.forecast`."""
        return forecast_of(self._view.engine, self._view.chooser, n_runs=n_runs, most=most)

    def save(self, path: str | PathLike[str]) -> None:
        """Write everything to a file of JSON lines, whole or not at all; `load` and `import_study` read it."""
        created = self._events[0].at if self._events else time.time()
        row = StudyRow("", "session", self._spec.text, created, 0, 0)
        write_whole(path, export_lines(row, table_lines(self.problem), self._events))

    @classmethod
    def load(cls, path: str | PathLike[str], *, problem: Any = None) -> "Session":
        """The session of a file that `save` or `Study.export` wrote; one that was cut off or changed is refused.

        It must be about the problem, where one is given.
        """
        return read_file(path, lambda whole: cls._loaded(whole, problem))

    @classmethod
    def _loaded(cls, whole: Whole, problem: Any) -> "Session":
        about = read_table(whole.table)
        whole.check_digest(digest_of(about))
        if problem is not None and digest_of(problem) != digest_of(about):
            raise InvalidValueError("this is about another problem; load it without problem= to see which.")
        spec = read_spec(whole.study.spec, lambda _: about if problem is None else problem)
        return cls.resumed(spec, events_of(whole.events))

    def __repr__(self) -> str:
        return f"Session({type(self.learner).__name__}, {len(self.history)} answers)"

    @property
    def _ledger(self) -> Ledger:
        return self._view.ledger

    def _check_several(self, n: int) -> None:
        """Raise where a learner that has one query at a time is to ask for more."""
        if self._spec.counts_rounds and n + len(self._ledger.open) > 1:
            raise ProtocolError(
                f"{type(self.learner).__name__} counts rounds, so it asks one query at a time; ask() without a number "
                "repeats it until it is answered."
            )

    def _asked(self, n: int) -> list[Label]:
        plan = self._view.plan(n)
        for number, query in enumerate(plan.queries, start=plan.n_asks + 1):
            self._record(Asked(number, query, 1, f"t{number}", "", None, plan.as_of))
        return plan.queries

    def _record(self, body: Body) -> int:
        seq = self._ledger.seq + 1
        event = Event(seq, f"session:{seq}", time.time(), "", body)
        try:
            self._view.add([event])
        finally:
            if self._ledger.seq == seq:  # it happened, even if a learner of the user's own breaks off when it is told
                self._events.append(event)
        return seq
