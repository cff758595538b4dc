"""The state of a study at one event: a learner that has been told the moves of a ledger."""

import copy
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from warmer.model import Label, Problem
from warmer.studies.ledger import Ledger, Move
from warmer.studies.session import Session
from warmer.studies.spec import Spec

__all__ = ["Engine"]


class Engine:
    """Chooses queries, and knows what the answers prove.

    Chance for `init` comes from key (0,) of the seed and for ask number n from key (1, n): so the same answers in the
    same order give the same next query on every machine, however often somebody looked.
    """

    def __init__(self, problem: Problem, spec: Spec) -> None:
        self._problem, self._spec = problem, spec
        self._learner = spec.learner
        self._state = self._learner.init(np.random.default_rng(np.random.SeedSequence(spec.seed, spawn_key=(0,))))
        self.session = Session(spec.learner, seed=spec.seed)

    @classmethod
    def replayed(cls, problem: Problem, spec: Spec, ledger: Ledger) -> "Engine":
        """An engine that has been told everything that counts."""
        engine = cls(problem, spec)
        engine.tell(ledger.moves())
        return engine

    def tell(self, moves: Iterable[Move]) -> None:
        """Go on with these moves."""
        for move in moves:
            if move.kind == "tell":
                query = self._problem.queries.position(move.query)
                self._state = self._learner.tell(self._state, query, move.reward, move.count)
                self.session.tell(move.query, move.reward, count=move.count)

    def checked(self, query: Label, reward: Any) -> float:
        """The reward as a number, or an error that says why it cannot be one."""
        return self.session.check_answer(query, reward)

    @property
    def is_settled(self) -> bool:
        """Whether nothing more need be asked."""
        return self.session.is_done

    def next_queries(self, ledger: Ledger, n: int) -> list[Any]:
        """The next n queries, as if those that are pending had been answered as expected."""
        return [
            self._problem.queries[query]
            for query in self._chosen(ledger.n_asks, [*map(self._problem.queries.position, ledger.pending)], n)
        ]

    def _chosen(self, n_asks: int, pending: Sequence[int], n: int) -> list[int]:
        state = copy.deepcopy(self._state) if n > 1 or pending else self._state
        for query in pending:
            state = self._expect(state, query)
        chosen: list[int] = []
        for number in range(n_asks + 1, n_asks + n + 1):
            rng = np.random.default_rng(np.random.SeedSequence(self._spec.seed, spawn_key=(1, number)))
            chosen.append(int(self._learner.ask(state, rng)))
            if len(chosen) < n:
                state = self._expect(state, chosen[-1])
        return chosen

    def _expect(self, state: Any, query: int) -> Any:
        low, high = self._problem.reward_range
        row = np.asarray(self._problem.rho[query], dtype=float)
        return self._learner.tell(state, query, float(np.clip(row.mean(), low, high)))
