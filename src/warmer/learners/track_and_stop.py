"""Ask in the proportions that the lower bound calls for."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from warmer.bounds.games import max_min_proportions
from warmer.certification import Evidence
from warmer.learners.proving import Proving
from warmer.model import Array

_N_CHALLENGERS = 200
"""How many challengers the proportions are worked out against."""


class Tracked(NamedTuple):
    """The evidence, how often each query was answered, and the proportions that were last worked out, and for whom."""

    evidence: Evidence
    counts: Array
    proportions: Array
    solved_for: Array
    """The leader and its likeliest challengers at that time."""


@dataclass(frozen=True, eq=False)
class TrackAndStop(Proving):
    r"""Follow the proportions that would be the best if the leader were the truth (Garivier and Kaufmann 2016).

    They maximise the least information against the leader's challengers, as in `bounds.characteristic_time`, and are
    worked out anew when the leader or the likeliest challengers have changed. The query that lags furthest behind its
    share is asked; one that was answered less than $\sqrt t-k/2$ times among $k$ queries comes first, so that no
    candidate stays unseen.

    The parameters are those of `TopTwo`.

    Examples
    --------
    >>> from warmer import goals, noise
    >>> from warmer.model import Problem
    >>> problem = Problem.from_table([[0.0, 1.0], [0.5, 0.0]])
    >>> learner = TrackAndStop(problem, goals.WhichTarget(), noise=noise.SubGaussian(0.5))
    >>> rng = np.random.default_rng(0)
    >>> state = learner.tell(learner.init(rng), 0, 0.75)
    >>> learner.ask(state, rng)
    0
    """

    def init(self, rng: np.random.Generator) -> Tracked:
        """Every candidate is possible."""
        n = self.problem.n_queries
        return Tracked(self.certifier.start(), np.zeros(n), np.zeros(n), np.empty(0, dtype=np.intp))

    def tell(self, state: Tracked, query: int, reward: float, count: int = 1) -> Tracked:
        """One more answer; the proportions follow."""
        evidence = self.certifier.update(state.evidence, query, reward, count)
        state.counts[query] += count
        told = state._replace(evidence=evidence)
        return told if self.is_done(told) else self._solved(told)

    def replay(
        self, state: Tracked, queries: Sequence[int], rewards: Sequence[float], counts: Sequence[int]
    ) -> Tracked:
        """Many answers, one by one: the proportions depend on all that were worked out before."""
        for query, reward, count in zip(queries, rewards, counts, strict=True):
            state = self.tell(state, query, reward, count)
        return state

    def evidence(self, state: Tracked) -> Evidence:
        """The evidence within the state."""
        return state.evidence

    def _most_telling(self, state: Tracked, rng: np.random.Generator, pending: Sequence[int]) -> int:
        """The query that lags furthest behind its share; those under way count as answered."""
        legal, beside = self.problem.legal_queries, np.asarray(pending, dtype=np.intp)
        counts = (state.counts + np.bincount(beside, minlength=state.counts.size))[legal]
        total = counts.sum()
        if counts.min() < np.sqrt(total) - legal.size / 2 or not state.proportions.any():
            return int(legal[counts.argmin()])
        return int(legal[(total * state.proportions[legal] - counts).argmax()])

    def _solved(self, state: Tracked) -> Tracked:
        leader, answers = self.certifier.leader(state.evidence), self.certifier.answers
        objecting = state.evidence.possible & ~answers.accepts(int(answers.preferred[leader]))
        if not objecting.any():
            return state
        others = self.certifier.likely(state.evidence, objecting)[0][:_N_CHALLENGERS]
        concerned = np.append(others, leader)
        if np.array_equal(concerned, state.solved_for):
            return state
        legal = self.problem.legal_queries
        own = np.asarray(self.problem.rho[legal, leader], dtype=float)
        noise = self.certifier.variances(state.evidence, legal, own)
        gains = (self.problem.rho[np.ix_(legal, others)] - own[:, None]) ** 2 / (2 * noise[:, None])
        if self.problem.costs is not None:
            gains = gains / np.maximum(self.problem.costs[legal, None], 1e-300)
        proportions = np.zeros(self.problem.n_queries)
        if gains.max() > 0:
            shares = max_min_proportions(gains)[0]
            if self.problem.costs is not None:  # shares of the cost become shares of the answers
                shares = shares / np.maximum(self.problem.costs[legal], 1e-300)
            proportions[legal] = shares / shares.sum()
        return state._replace(proportions=proportions, solved_for=concerned)
