"""Algorithm 2 of the paper: search, then verify a few of the queries made, and settle on the best."""

import math
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from fractions import Fraction
from functools import cached_property
from operator import attrgetter
from typing import Any, ClassVar, NamedTuple

import numpy as np

from warmer.bounds import Promise, pac_candidates, pac_horizon, pac_repeats
from warmer.learners.dimension import inexact_table, monotone_dimension, reach_of
from warmer.model import Array, Learner
from warmer.model.checks import check_count, check_finite, check_learner, check_positive, check_probability
from warmer.model.contracts import BudgetedLearner, ClaimingLearner
from warmer.model.errors import HypothesisError, InvalidValueError, ProtocolError
from warmer.model.numbers import as_fraction

_LONGEST = 2**62
_MOST = {"horizon": _LONGEST, "n_candidates": 10**6, "n_repeats": _LONGEST, "dimension": None}
"""Rounds are drawn as 64-bit integers, and every candidate takes memory."""


class Plan(NamedTuple):
    """How long Algorithm 2 runs: T rounds of search, then so many answers for each of so many candidates."""

    horizon: int
    n_candidates: int
    n_repeats: int

    @property
    def n_queries(self) -> int:
        """How many queries are made at most; a candidate that is alone needs no verification."""
        n_different = min(self.n_candidates, self.horizon)
        return self.horizon + (n_different * self.n_repeats if n_different > 1 else 0)


class Phases(NamedTuple):
    """The base's state, the rounds it has had, the rounds drawn for verification, and what is known of their queries.

    Candidates are the different queries of the drawn rounds, in the order they were made.
    """

    base: Any
    n_rounds: int
    draws: tuple[int, ...]
    candidates: tuple[Any, ...]
    counts: Array
    sums: Array


@dataclass(frozen=True, eq=False)
class PAC:
    r"""Run a learner for T rounds, draw $n_1$ of its queries, ask each $n_2$ times, settle on the best mean.

    This is Algorithm 2. The output $\hat z$ has $\rho(\hat z|z^*)\ge\alpha-\epsilon$ with probability at least
    $1-\delta$ (Theorem `thm:main_pac`), where the base has $\alpha$-large self-evaluations and decaying estimation
    error: `LeastSquares` with its alpha, `Optimistic` with $\alpha=\alpha^*$. The theorem counts rounds, in each of
    which the base chooses anew: the mean of several answers to one query is one round of search. A query that is drawn
    several times is verified once, and one that remains alone needs no verification: the proof compares at most $n_1$
    means.

    Parameters
    ----------
    epsilon, delta
        The accuracy, and the probability with which it may be missed.
    horizon
        $T$; where None, the least of which at most half can be $\frac34\epsilon$-bad (`bounds.pac_horizon`; the paper's
        $64\,d^{5/2}C_{T,\delta/2}/\epsilon^2$ is longer). A number is your own budget; whether a theorem covers it,
        `promise` says.
    n_candidates, n_repeats
        $n_1$ and $n_2$; where None, the paper's $\lceil\log_2(4/\delta)\rceil$ and
        $\lceil128\sigma^2\ln(8n_1/\delta)/\epsilon^2\rceil$.
    dimension
        $d=\bar d_\rho(Z,\alpha,\frac34\epsilon)$ or more; computed exactly, which can take long, where the
        horizon needs it and None is given.
    error_budget
        $T\mapsto C_{T,\delta/2}$; the base's own where None.

    Examples
    --------
    >>> from warmer.learners import LeastSquares
    >>> from warmer.model import Problem
    >>> problem = Problem.from_table([[0.0, 1.0], [0.5, 0.0]])
    >>> learner = PAC(LeastSquares(problem, alpha=0.5), epsilon=0.25, delta=0.1, horizon=3, n_candidates=2, n_repeats=2)
    >>> rng = np.random.default_rng(0)
    >>> state = learner.init(rng)
    >>> while not learner.is_done(state):
    ...     query = learner.ask(state, rng)
    ...     state = learner.tell(state, query, reward=problem.rho[query, 1])
    >>> learner.recommend(state)
    0
    >>> PAC(LeastSquares(problem, alpha=0.5), epsilon=0.25, delta=0.1, dimension=2).plan
    Plan(horizon=13346, n_candidates=6, n_repeats=12644)
    """

    counts_rounds: ClassVar[bool] = True

    base: Learner[Any]
    _: KW_ONLY
    epsilon: float
    delta: float = 0.05
    horizon: int | None = None
    n_candidates: int | None = None
    n_repeats: int | None = None
    dimension: int | None = None
    error_budget: Callable[[int], float] | None = None

    def __post_init__(self) -> None:
        check_learner("PAC", self.base)
        check_positive("epsilon", self.epsilon)
        check_probability("delta", self.delta)
        for name, most in _MOST.items():
            if getattr(self, name) is not None:
                check_count(name, getattr(self, name), most=most)
        if self.error_budget is not None and not callable(self.error_budget):
            raise InvalidValueError(f"error_budget must be a function of the horizon, got {self.error_budget!r}.")
        _ = self.plan  # raises where there is no plan

    problem = property(attrgetter("base.problem"))

    @property
    def sigma(self) -> float | None:
        """The noise that the base declares."""
        return getattr(self.base, "sigma", None)

    @cached_property
    def plan(self) -> Plan:
        """How long each phase is."""
        horizon = self._promised_horizon(self._budget) if self.horizon is None else self.horizon
        n_candidates = pac_candidates(delta=self.delta) if self.n_candidates is None else self.n_candidates
        n_repeats = self._promised_repeats(n_candidates) if self.n_repeats is None else self.n_repeats
        return Plan(horizon, n_candidates, n_repeats)

    @cached_property
    def promise(self) -> Promise:
        """What the theorem says of the output of this plan, or where the plan falls short of it."""
        doubts = self._doubts()
        reason = "; ".join(doubts) or (
            f"Theorem thm:main_pac with T = {self.plan.horizon}, n_1 = {self.plan.n_candidates}, "
            f"n_2 = {self.plan.n_repeats}, d = {self._dimension}, C = {self._budget(self.plan.horizon):g}"
            f"{'' if self.error_budget is None else ', which is your own'}"
        )
        return Promise(epsilon=float(self.epsilon), delta=float(self.delta), is_proven=not doubts, reason=reason)

    def init(self, rng: np.random.Generator) -> Phases:
        """Nothing asked yet; which rounds will be drawn is settled now, and the base does not know."""
        n = self.plan.n_candidates
        draws = rng.integers(1, self.plan.horizon, size=n, endpoint=True).tolist()
        return Phases(self.base.init(rng), 0, tuple(sorted(draws)), (), np.zeros(n, dtype=np.int64), np.zeros(n))

    def ask(self, state: Phases, rng: np.random.Generator) -> Any:
        """What the base asks; after T rounds the first candidate that is not yet verified."""
        if state.n_rounds < self.plan.horizon:
            return self.base.ask(state.base, rng)
        if self.is_done(state):
            return self.recommend(state)
        return state.candidates[int((state.counts >= self.plan.n_repeats).argmin())]

    def tell(self, state: Phases, query: Any, reward: float, count: int = 1) -> Phases:
        """A round of search, whatever the count; after T rounds, so many answers for a candidate."""
        if state.n_rounds < self.plan.horizon:
            return self._searched(state, query, reward, count)
        place = _place(state.candidates, query)
        if place is not None:
            state.counts[place] += count
            state.sums[place] += count * reward
        return state

    def is_done(self, state: Phases) -> bool:
        """Whether every candidate has its answers, or only one is left to choose from."""
        if state.n_rounds < self.plan.horizon:
            return False
        n = len(state.candidates)
        return n == 1 or bool((state.counts[:n] >= self.plan.n_repeats).all())

    def recommend(self, state: Phases) -> Any:
        """The candidate with the best mean; the earliest of several."""
        if not self.is_done(state):
            raise ProtocolError("Algorithm 2 recommends a query when it is done; ask and tell until is_done.")
        means = state.sums / np.maximum(state.counts, 1)
        return state.candidates[int(means[: len(state.candidates)].argmax())]

    def broken_claim(self, state: Phases) -> str:
        """Where a claim that the base rests on was broken; empty where it never was."""
        return self.base.broken_claim(state.base) if isinstance(self.base, ClaimingLearner) else ""

    def _searched(self, state: Phases, query: Any, reward: float, count: int) -> Phases:
        n_rounds = state.n_rounds + 1
        is_new = n_rounds in state.draws and _place(state.candidates, query) is None
        candidates = (*state.candidates, query) if is_new else state.candidates
        base = self.base.tell(state.base, query, reward, count)
        return Phases(base, n_rounds, state.draws, candidates, state.counts, state.sums)

    def _doubts(self) -> list[str]:
        """Where the plan falls short of the theorem, or the theorem is silent."""
        checks = {
            "n_candidates": lambda: pac_candidates(delta=self.delta),
            "n_repeats": lambda: self._promised_repeats(self.plan.n_candidates),
        }
        doubts = [] if self.problem.tolerance == 0 else [inexact_table(self.problem)]
        if self.horizon is not None and self.dimension is None:
            doubts.append(f"horizon {self.plan.horizon} is your own; give dimension= to have it checked")
        elif self.error_budget is not None or isinstance(self.base, BudgetedLearner):
            # the inequality is asked of the T that is used, not of the least
            checks["horizon"] = lambda: self._promised_horizon(lambda _: self._budget(self.plan.horizon))
        if not isinstance(self.base, BudgetedLearner):
            doubts.append(
                f"{type(self.base).__name__} may ask what no good target would; the theorem needs LeastSquares, say"
            )
        elif self.base.doubt:
            doubts.append(self.base.doubt)
        return [*filter(None, (self._doubt(name, needed) for name, needed in checks.items())), *doubts]

    def _doubt(self, name: str, needed: Callable[[], int]) -> str:
        planned = getattr(self.plan, name)
        try:
            n = needed()
        except HypothesisError as error:
            return f"nothing is known of {name} {planned}: {error}"
        return f"{name} is {planned}, needs {n}" if planned < n else ""

    def _promised_horizon(self, budget: Callable[[int], float]) -> int:
        return pac_horizon(
            dimension=self._dimension,
            epsilon=float(self.epsilon),
            error_budget=budget,
            reach=reach_of(self.base),
            scale=self.problem.scale,
        )

    def _promised_repeats(self, n_candidates: int) -> int:
        sigma = self.problem.sigma(self.sigma)
        return pac_repeats(epsilon=float(self.epsilon), delta=self.delta, n_candidates=n_candidates, sigma=sigma)

    @cached_property
    def _dimension(self) -> int:
        if self.dimension is not None:
            return self.dimension
        return monotone_dimension(self.base, Fraction(3, 4) * as_fraction(self.epsilon))

    def _budget(self, horizon: int) -> float:
        if self.error_budget is not None:
            budget = self.error_budget(horizon)
            is_infinite = isinstance(budget, float) and budget == math.inf
            return math.inf if is_infinite else check_finite("error_budget(horizon)", budget)
        if not isinstance(self.base, BudgetedLearner):
            raise InvalidValueError(
                f"no error budget is known for {type(self.base).__name__}; give horizon= or error_budget=."
            )
        return float(self.base.error_budget(horizon=horizon, delta=self.delta / 2))


def _place(candidates: tuple[Any, ...], query: Any) -> int | None:
    """Where a query stands among the candidates; queries may be vectors."""
    return next((place for place, other in enumerate(candidates) if np.array_equal(other, query)), None)
