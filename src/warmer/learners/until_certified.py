"""Stop as soon as the answer is proven."""

import math
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from warmer.bounds import Promise
from warmer.estimation import LossBall, Losses, TableFit, misfit, most_agreed_query
from warmer.model import Array, Learner
from warmer.model.checks import check_learner, check_positive, check_probability
from warmer.model.errors import ProtocolError

__all__ = ["UntilCertified"]


class Watched(NamedTuple):
    """The base's state, the losses of all targets, which are possible, and the query they agree on, if any.

    Then the number of answers to each query and their sums, and the query that is proven: agreed on at a time when the
    answers did not reject every target.
    """

    base: Any
    losses: Losses
    possible: Array
    agreed: int | None
    counts: Array
    sums: Array
    proven: int | None


@dataclass(frozen=True, eq=False)
class UntilCertified:
    r"""Let a learner ask until every target still possible agrees that one query is within epsilon of its best.

    The targets still possible are those of the anytime loss ball, which keeps the truth at all times with probability
    $1-\delta$; so stopping at the first agreement is safe, however long that takes. A base that stops by itself is
    heeded: around `PAC` this is its practical form, which never asks more than `PAC` would, and is wrong with
    probability at most the sum of the two deltas.

    Answers that reject every target (`misfit`, the test of `Session`) prove nothing, whoever agrees: it then goes on
    until the base is done, if it ever is, and `is_misspecified` says so.

    Parameters
    ----------
    base
        Who asks; a learner for a table.
    epsilon, delta
        The accuracy to be proven, and the probability with which the confidence set may ever lose the truth.
    sigma
        The noise is sigma-sub-Gaussian; the base's own declaration, or half the length of the reward range, where None.

    Examples
    --------
    >>> from warmer.learners import PAC, LeastSquares
    >>> from warmer.model import Problem
    >>> problem = Problem.from_table([[0.0, 1.0], [0.5, 0.0]])
    >>> long = PAC(LeastSquares(problem, alpha=0.5), epsilon=0.25, delta=0.025)
    >>> learner = UntilCertified(long, epsilon=0.25, delta=0.025, sigma=0.5)
    >>> rng = np.random.default_rng(0)
    >>> state, n_asked = learner.init(rng), 0
    >>> while not learner.is_done(state):
    ...     query = learner.ask(state, rng)
    ...     state, n_asked = learner.tell(state, query, reward=problem.rho[query, 1]), n_asked + 1
    >>> learner.recommend(state), n_asked, long.plan.n_queries
    (0, 3, 363773)
    """

    base: Learner[Any]
    _: KW_ONLY
    epsilon: float
    delta: float = 0.05
    sigma: float | None = None

    def __post_init__(self) -> None:
        check_learner("UntilCertified", self.base)
        check_positive("epsilon", self.epsilon)
        check_probability("delta", self.delta)
        if self.sigma is None:
            object.__setattr__(self, "sigma", getattr(self.base, "sigma", None))
        _ = self._ball  # raises for a bad sigma

    @property
    def problem(self) -> Any:
        """The problem of the base."""
        return self.base.problem

    @property
    def promise(self) -> Promise:
        """What holds of the recommendation when it stops, by certificate or by the base's own rule."""
        other = getattr(self.base, "promise", None)
        delta = self.delta + (0.0 if other is None else other.delta)
        reason = "anytime certificate" if other is None else f"anytime certificate, else {other.reason}"
        is_proven = other is None or (other.is_proven and other.epsilon <= self.epsilon)
        return Promise(epsilon=self.epsilon, delta=delta, is_proven=is_proven, reason=reason)

    def init(self, rng: np.random.Generator) -> Watched:
        """Every target is possible."""
        losses = self._ball.start()
        possible = self._ball.mask(losses)
        agreed, n = self._agreed(possible), self.problem.n_queries
        return Watched(self.base.init(rng), losses, possible, agreed, np.zeros(n), np.zeros(n), agreed)

    def ask(self, state: Watched, rng: np.random.Generator) -> Any:
        """What the base asks, and the recommendation when that is over."""
        return self.recommend(state) if self.is_done(state) else self.base.ask(state.base, rng)

    def tell(self, state: Watched, query: Any, reward: float, count: int = 1) -> Watched:
        """The targets vote anew when the set of those possible has changed; a proof stays a proof."""
        base = self.base.tell(state.base, query, reward, count)
        losses = self._ball.update(state.losses, query, reward, count)
        possible = self._ball.mask(losses)
        is_same = np.array_equal(possible, state.possible)
        agreed = state.agreed if is_same else self._agreed(possible, losses.best)
        state.counts[query] += count
        state.sums[query] += count * reward
        told = Watched(base, losses, possible, agreed, state.counts, state.sums, state.proven)
        if told.proven is not None or agreed is None or self.is_misspecified(told):
            return told
        return told._replace(proven=agreed)

    def is_misspecified(self, state: Watched) -> bool:
        """Whether the answers reject every target, wrongly with probability at most delta over all time."""
        means = state.sums / np.maximum(state.counts, 1)
        evidence = misfit(self.problem, state.counts, means, sigma=self.problem.sigma(self.sigma))
        return bool(evidence.min() >= math.log(1 / self.delta))

    def is_done(self, state: Watched) -> bool:
        """Whether the answer is proven, or the base is done."""
        return state.proven is not None or bool(hasattr(self.base, "is_done") and self.base.is_done(state.base))

    def recommend(self, state: Watched) -> Any:
        """The query that is proven good; else what the base settled on."""
        if state.proven is not None:
            return state.proven
        if not self.is_done(state):
            if self.is_misspecified(state):
                raise ProtocolError(
                    "nothing is proven: the answers reject every candidate, so none of them is the truth."
                )
            raise ProtocolError("nothing is proven yet; ask and tell until is_done.")
        return self.base.recommend(state.base)  # type: ignore[attr-defined]

    def _agreed(self, possible: Array, best: int = 0) -> int | None:
        recommended = self._ball.fit.best_query(best)
        places = np.flatnonzero(possible)
        verdict = most_agreed_query(self.problem, places, recommended=recommended, epsilon=self.epsilon)
        return verdict.query if verdict.is_unanimous else None

    @cached_property
    def _ball(self) -> LossBall:
        fit = TableFit(self.problem)
        fit.problem.check_certifiable(most=0.0)
        return fit.anytime_ball(delta=self.delta, sigma=self.problem.sigma(self.sigma))
