"""Algorithm 2 of the paper where rewards are exact."""

import math
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from operator import attrgetter
from typing import Any, ClassVar, NamedTuple

import numpy as np

from warmer.bounds import Promise, exact_pac_horizon
from warmer.learners.dimension import inexact_table, monotone_dimension, reach_of
from warmer.model import Learner
from warmer.model.checks import check_count, check_learner, check_positive
from warmer.model.errors import HypothesisError, ProtocolError
from warmer.model.numbers import as_fraction


class Best(NamedTuple):
    """The base's state, the rounds it has had, and the query with the largest reward so far."""

    base: Any
    n_rounds: int
    query: Any
    reward: float


@dataclass(frozen=True, eq=False)
class ExactPAC:
    r"""Algorithm 2 where rewards are exact: run a learner for T rounds and settle on the query that earned most.

    With more rounds than can be bad it has $\rho(\hat z|z^*)\ge\alpha-\epsilon$ for certain (Theorem `thm:main_pac`).

    Parameters
    ----------
    base
        Who searches, with $\alpha$-large self-evaluations and no estimation error on exact rewards: `LeastSquares`.
    epsilon
        The accuracy.
    horizon
        $T$; where None, the least with that promise (`bounds.exact_pac_horizon`; the paper's is longer).
    dimension
        $d=\bar d_\rho(Z,\alpha,\epsilon)$ or more; computed exactly where the horizon needs it and None is given.

    Examples
    --------
    >>> from warmer.learners import LeastSquares
    >>> from warmer.model import Problem
    >>> problem = Problem.from_table([[0.0, 1.0], [0.5, 0.0]])
    >>> ExactPAC(LeastSquares(problem, alpha=0.5), epsilon=0.25).n_rounds
    3
    """

    counts_rounds: ClassVar[bool] = True

    base: Learner[Any]
    _: KW_ONLY
    epsilon: float
    horizon: int | None = None
    dimension: int | None = None

    def __post_init__(self) -> None:
        check_learner("ExactPAC", self.base)
        check_positive("epsilon", self.epsilon)
        for name in ("horizon", "dimension"):
            if getattr(self, name) is not None:
                check_count(name, getattr(self, name))
        _ = self.n_rounds  # raises where it cannot be told

    problem = property(attrgetter("base.problem"))

    @cached_property
    def n_rounds(self) -> int:
        """How many rounds are played."""
        return self._promised_horizon() if self.horizon is None else self.horizon

    @cached_property
    def promise(self) -> Promise:
        """What the theorem says of the output after so many rounds, or why it is silent."""
        doubt = self._doubt()
        reason = doubt or f"Theorem thm:main_pac, exact rewards, with T = {self.n_rounds}, d = {self._dimension}"
        return Promise(epsilon=float(self.epsilon), delta=0.0, is_proven=not doubt, reason=reason)

    def init(self, rng: np.random.Generator) -> Best:
        """Nothing asked yet."""
        return Best(self.base.init(rng), 0, None, -math.inf)

    def ask(self, state: Best, rng: np.random.Generator) -> Any:
        """What the base asks, and the best query when that is over."""
        return self.recommend(state) if self.is_done(state) else self.base.ask(state.base, rng)

    def tell(self, state: Best, query: Any, reward: float, count: int = 1) -> Best:
        """One round, whatever the count; the first of the largest rewards is remembered."""
        base = self.base.tell(state.base, query, reward, count)
        best = (query, reward) if reward > state.reward else (state.query, state.reward)
        return Best(base, state.n_rounds + 1, *best)

    def is_done(self, state: Best) -> bool:
        """Whether the rounds are over."""
        return state.n_rounds >= self.n_rounds

    def recommend(self, state: Best) -> Any:
        """The query that earned most; the earliest of several."""
        if not self.is_done(state):
            raise ProtocolError("Algorithm 2 recommends a query when it is done; ask and tell until is_done.")
        return state.query

    def _doubt(self) -> str:
        if self.problem.tolerance != 0:
            return inexact_table(self.problem)
        budget = getattr(self.base, "exact_error_budget", None)
        if budget == math.inf:
            return f"the fit of {self.problem!r} is not proved to have the least loss, so it may err on exact rewards"
        if budget != 0:
            return f"{type(self.base).__name__} may err on exact rewards; the theorem needs LeastSquares or the like"
        if self.horizon is not None and self.dimension is None:
            return f"horizon {self.horizon} is your own; give dimension= to have it checked"
        try:
            needed = self._promised_horizon()
        except HypothesisError as error:
            return str(error)
        return f"horizon is {self.n_rounds}, needs {needed}" if self.n_rounds < needed else ""

    def _promised_horizon(self) -> int:
        return exact_pac_horizon(
            dimension=self._dimension,
            epsilon=float(self.epsilon),
            reach=reach_of(self.base),
            scale=self.problem.scale,
        )

    @cached_property
    def _dimension(self) -> int:
        return monotone_dimension(self.base, as_fraction(self.epsilon)) if self.dimension is None else self.dimension
