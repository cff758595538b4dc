"""The state of a study at one event: what a learner remembers of the moves of a ledger, and what they prove."""

import copy
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from warmer.model import Array, BatchLearner, Label
from warmer.model.errors import ProtocolError
from warmer.model.readings import Readings
from warmer.studies.records.ledger import Ledger, Move
from warmer.studies.session import Session
from warmer.studies.spec import Spec

__all__ = ["Engine", "session_of"]


class Engine:
    """Chooses queries, and knows what the answers prove.

    Chance for ask number n comes from a key of the seed of its own, as in a `Session`: so the same answers in the same
    order give the same next query on every machine, however often somebody looked.
    """

    def __init__(self, spec: Spec) -> None:
        self._spec = spec
        self.session: Session = spec.session()
        """It knows the state, and not the history: that is the log's."""
        self.readings = Readings(spec.problem.n_queries)
        """The answers that count, as numbers."""

    @property
    def problem(self) -> Any:
        """The table."""
        return self._spec.problem

    @property
    def learner(self) -> Any:
        """Who chooses the queries."""
        return self.session.learner

    @property
    def certifier(self) -> Any:
        """What keeps the evidence."""
        return self.session._certifier

    @property
    def state(self) -> Any:
        """What the learner remembers."""
        return self.session._state

    @property
    def evidence(self) -> Any:
        """What the certifier remembers."""
        return self.session._evidence

    def chance(self, *key: int) -> np.random.Generator:
        """The lots of one purpose: (0,) for the start, (1, n) for the query after n others."""
        return self.session._chance(*key)

    @classmethod
    def replayed(cls, spec: Spec, ledger: Ledger) -> "Engine":
        """An engine that has been told everything that counts."""
        engine = cls(spec)
        engine.tell(ledger.moves())
        return engine

    def tell(self, moves: Iterable[Move]) -> None:
        """Go on with these moves, which were checked when they were recorded."""
        session, position = self.session, self._spec.problem.queries.position
        learner, certifier = session.learner, None if session._is_shared else session._certifier
        state, own, add = session._state, session._own, self.readings.add
        for move in moves:
            if move.kind == "tell":
                query = position(move.query)
                state = learner.tell(state, query, move.reward, move.count)
                add(query, move.reward, move.count)
                if certifier is not None:
                    own = certifier.update(own, query, move.reward, move.count)
        session._state, session._own = state, own

    def checked(self, query: Label, reward: Any, count: int = 1) -> float:
        """The reward as a number, or an error that says why it cannot be one."""
        return self.session.check_answer(query, reward, count)

    @property
    def is_settled(self) -> bool:
        """Whether nothing more need be asked."""
        return self.session.is_done

    def next_queries(self, ledger: Ledger, n: int) -> list[Label]:
        """The next n queries, as if those that are pending had been answered as expected."""
        queries = self._spec.problem.queries
        pending = [queries.position(query) for query in ledger.pending]
        legal = self._open_queries(ledger)
        chosen: list[int] = []
        for number in range(ledger.n_asks + 1, ledger.n_asks + n + 1):
            chosen.append(self._next(number, (*pending, *chosen), legal))
        return [queries[query] for query in chosen]

    def chooser(self, ledger: Ledger) -> Any:
        """The learner, choosing among the queries that may be asked now."""
        legal = self._open_queries(ledger)
        return self.learner if legal is None else _among(self.learner, legal)

    def _next(self, number: int, pending: Sequence[int], legal: Array | None) -> int:
        state, rng = self.session._state, self.session._chance(1, number - 1)
        learner = self.session.learner if legal is None else _among(self.session.learner, legal)
        if pending and isinstance(learner, BatchLearner):
            query = int(learner.ask_beside(state, rng, tuple(pending)))
        else:
            query = int(learner.ask(state, rng))
        if legal is not None and query not in legal:
            query = int(rng.choice(legal))  # a learner that reads more of its problem than which queries are legal
        return query

    def _open_queries(self, ledger: Ledger) -> Array | None:
        """The queries that may be asked now; None where that is all of them."""
        problem = self._spec.problem
        for closed in (ledger.closed, ledger.forbidden):  # where all that is left fails, a failing one is tried again
            if not closed:
                return None
            places = {problem.queries.position(query) for query in closed}
            legal = np.array([query for query in problem.legal_queries.tolist() if query not in places])
            if legal.size:
                return legal
        raise ProtocolError("every query is forbidden; allow one to go on.")


def _among(learner: Any, legal: Array) -> Any:
    """The learner, choosing among these queries alone; what it has proven so far is still about all of them."""
    if "problem" not in vars(learner):
        return learner  # one around another: it cannot be told
    mask = np.zeros(learner.problem.n_queries, dtype=bool)
    mask[legal] = True
    copied = copy.copy(learner)  # with what it has worked out about the whole problem
    object.__setattr__(copied, "problem", replace(learner.problem, is_allowed=mask))
    return copied


def session_of(spec: Spec, ledger: Ledger) -> Session:
    """A session that was told everything that counts, with the queries that are under way."""
    session, queries = spec.session(), spec.problem.queries
    for move in ledger.moves():
        if move.kind == "tell":
            session.tell(move.query, move.reward, count=move.count)
    session._pending = [queries.position(query) for query in ledger.pending]
    session._n_asks = ledger.n_asks
    return session
