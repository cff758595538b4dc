r"""How many answers any method needs: the characteristic time of a candidate.

$T^*(z)=1/\max_w\min_y\sum_a w_a I_a(z,y)$: $w$ runs over the proportions in which queries may be asked, $y$ over the
candidates that reject the answer, and $I_a(z,y)$ is the information of one answer to query $a$. Where several answers
are right, the best of them counts. Proportions prove the upper end, and for each right answer a mixture of its
challengers proves the lower end; either is a sum that anyone can repeat.
"""

import math
import reprlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

import numpy as np

from warmer.bounds.games import max_min_of_few, max_min_proportions
from warmer.model import Array, Problem
from warmer.model.checks import SLACK, check_probability
from warmer.model.errors import CertificateError, HypothesisError, InvalidValueError
from warmer.model.numbers import as_array
from warmer.model.time_limit import Clock

_ROUNDS = 200
_FEW = 500  # queries up to which a game of many challengers is solved at once
_FEW_TOGETHER, _MANY_TOGETHER = 64, 1024  # challengers that join a game at once: of many queries, of few
_MOST = 1e6  # nats beyond which more information makes no difference
_AT_ONCE = 1 << 20  # predictions that are looked at together
_CLOSE = 1e-6  # relative gap at which no further challenger is looked for


class _Goal(Protocol):
    def answers(self, problem: Problem) -> Any: ...


@dataclass(frozen=True)
class CharacteristicTime:
    r"""Between which ends $T^*$ of one candidate lies, and what proves them.

    In answers, or in money where costs are given.
    """

    target: int
    lower: float
    upper: float
    proportions: Array = field(repr=False)
    """In which each query is asked (or its share of the cost): they prove the upper end."""
    answer: int | None = field(repr=False)
    """The right answer that the proportions prove; None where nothing has to be asked."""
    challengers: Mapping[int, Array] = field(repr=False)
    """For each right answer weights of the candidates that reject it: they prove the lower end."""
    goal: Any = field(repr=False)
    noise: Any = field(repr=False)
    costs: Array = field(repr=False)
    has_one_answer: bool = True
    """Whether each candidate has one right answer alone."""

    @property
    def is_exact(self) -> bool:
        """Whether the two ends agree, to the accuracy of the solver."""
        return self.upper <= self.lower * (1 + 10 * _CLOSE) or self.upper == 0

    def mean_answers(self, delta: float) -> float:
        r"""At least so many answers (or so much money) on average: $T^*\,\mathrm{kl}(\delta,1-\delta)$.

        It holds for every method that errs with probability at most $\delta$ whatever candidate is true, if this one
        is, the noise is Gaussian (or that of coins) as declared, and each candidate has one right answer. Where
        several are right it holds only in the limit of small $\delta$, and this raises `HypothesisError`.

        Examples
        --------
        >>> from warmer import goals, noise
        >>> coins = Problem.from_table([[0.25, 0.75]], reward_range=(0, 1))
        >>> found = characteristic_time(coins, 0, goal=goals.WhichTarget(), noise=noise.Coin())
        >>> round(found.lower, 2), round(found.mean_answers(0.05), 1)
        (1.82, 4.8)
        """
        if not self.has_one_answer:
            raise HypothesisError(
                "with several right answers the bound holds only as delta goes to 0; it says nothing at a given delta."
            )
        return self.lower * binary_divergence(check_probability("delta", delta))

    def check(self, problem: Problem) -> float:
        """Repeat the sums that prove both ends, from the definition; return their gap, or raise `CertificateError`."""
        answers = self.goal.answers(problem)
        right = _accepted(answers, self.target)
        if self.answer is not None and self.answer not in right:
            raise CertificateError(f"answer {self.answer} is not right for candidate {self.target}.")
        if set(right) != set(self.challengers):
            raise CertificateError(f"there must be challengers for each of the {len(right)} right answers.")
        gains = _Gains(problem, self.target, self.noise, self.costs)
        _check_weights("proportions", self.proportions, problem.legal_queries, problem.n_queries)
        if self.answer is not None:
            rejecting = np.flatnonzero(~answers.accepts(self.answer))
            least = min(gains.totals(self.proportions, rejecting), default=math.inf)
            if least <= 0 or 1 / least > self.upper * (1 + SLACK):
                raise CertificateError(f"the proportions prove {1 / max(least, 1e-300):g}, not {self.upper:g}.")
        proven = math.inf
        for answer, weights in self.challengers.items():
            _check_weights("challengers", weights, np.flatnonzero(~answers.accepts(answer)), problem.n_targets)
            mixed = [weights[y] * gains.columns([y])[:, 0] for y in np.flatnonzero(weights).tolist()]
            proven = min(proven, _inverse(float(np.max(np.sum(mixed, axis=0)))) if mixed else 0.0)
        if self.lower > proven * (1 + SLACK):
            raise CertificateError(f"the challengers prove {proven:g}, not {self.lower:g}.")
        return self.upper - self.lower


def characteristic_time(
    problem: Problem, target: Any, *, goal: _Goal, noise: Any, costs: Any = None
) -> CharacteristicTime:
    """The least number of answers, per nat of confidence, that decide a goal if a candidate is the truth.

    Parameters
    ----------
    target
        The candidate, by label or index.
    goal
        What is to be decided.
    noise
        What is declared about the noise: one with an `information` method (sub-Gaussian noise counts as Gaussian,
        bounded answers as coins, which are the hardest).
    costs
        What one answer to each query costs; the problem's own where None. Without any, answers are counted.

    Examples
    --------
    >>> from warmer import goals, noise
    >>> table = Problem.from_table([[0.5, 0.0], [0.25, 0.0]], targets=["rain", "sun"])
    >>> found = characteristic_time(table, "rain", goal=goals.WhichTarget(), noise=noise.SubGaussian(0.5))
    >>> found.lower, found.upper, found.proportions.tolist()
    (2.0, 2.0, [1.0, 0.0])
    """
    if not hasattr(goal, "answers") or isinstance(goal, type):
        raise InvalidValueError(f"goal must be a goal such as goals.BestQuery(0.05), got {reprlib.repr(goal)}.")
    position = problem.targets.position(target)
    prices, answers = _prices(problem, costs), goal.answers(problem)
    gains = _Gains(problem, position, noise, prices)
    solved = {each: _solve(gains, np.flatnonzero(~answers.accepts(each))) for each in _accepted(answers, position)}
    lower = min((found.lower for found in solved.values()), default=math.inf)
    answer = min(solved, key=lambda each: solved[each].upper, default=None)
    if answer is None or not math.isfinite(min(lower, solved[answer].upper)):
        raise HypothesisError(
            f"no query tells {problem.targets[position]!r} from the candidates that reject its answers: the goal "
            "cannot be decided if it is the truth."
        )
    best = solved[answer]
    return CharacteristicTime(
        target=position,
        lower=lower,
        upper=best.upper,
        proportions=best.proportions,
        answer=answer if math.isfinite(best.upper) else None,
        challengers=MappingProxyType({each: found.mixture for each, found in solved.items()}),
        goal=goal,
        noise=noise,
        costs=prices,
        has_one_answer=answers.is_partition,
    )


def binary_divergence(delta: float) -> float:
    r"""$\mathrm{kl}(\delta,1-\delta)=(1-2\delta)\ln\frac{1-\delta}{\delta}$; 0 where delta is a half or more."""
    return max(0.0, (1 - 2 * delta) * math.log((1 - delta) / delta))


class _Gains:
    """The information per cost that queries bring if one candidate is the truth; 0 where a query is forbidden."""

    def __init__(self, problem: Problem, target: int, noise: Any, prices: Array) -> None:
        if not hasattr(noise, "information"):
            raise HypothesisError(
                f"no limit is known for {noise!r}: it does not say how the answers are distributed. Ask with "
                "SubGaussian(sigma), Coin() or Bounded()."
            )
        self.problem, self.target, self.noise, self.prices = problem, target, noise, prices

    def columns(self, challengers: Sequence[int] | Array) -> Array:
        """Of each query, against each of some challengers."""
        legal = self.problem.legal_queries
        columns = np.zeros((self.problem.n_queries, len(challengers)))
        columns[legal] = self._rows(legal, np.asarray(challengers, dtype=np.intp))
        return columns

    def totals(self, proportions: Array, challengers: Array) -> Array:
        """Of the proportions, against each challenger."""
        totals, asked = np.zeros(challengers.size), np.flatnonzero(proportions)
        for some in np.array_split(asked, 1 + asked.size * challengers.size // _AT_ONCE):
            totals += proportions[some] @ np.minimum(self._rows(some, challengers), 1e300)
        return totals

    def _rows(self, queries: Array, challengers: Array) -> Array:
        return self._worked_out(queries, challengers) if self._all is None else self._all[np.ix_(queries, challengers)]

    @cached_property
    def _all(self) -> Array | None:
        """Of each legal query against each candidate, which several answers share; None where that is too much."""
        n_queries, n_targets = self.problem.n_queries, self.problem.n_targets
        if n_queries * n_targets > _AT_ONCE:
            return None
        found, legal = np.zeros((n_queries, n_targets)), self.problem.legal_queries
        found[legal] = self._worked_out(legal, np.arange(n_targets))
        return found

    def _worked_out(self, queries: Array, challengers: Array) -> Array:
        rho, shape = self.problem.rho, (queries.size, challengers.size)
        each = queries.repeat(challengers.size)
        first = rho[queries, self.target].repeat(challengers.size).astype(float)
        second = rho[np.ix_(queries, challengers)].ravel().astype(float)
        return np.asarray(self.noise.information(self.problem, each, first, second) / self.prices[each]).reshape(shape)


class _Solved(NamedTuple):
    """The two ends for one answer, and what proves them."""

    upper: float
    lower: float
    proportions: Array
    mixture: Array


def _solve(gains: _Gains, rejecting: Array) -> _Solved:
    """Challengers join the game, several at a time, as long as one of them beats its proportions."""
    problem = gains.problem
    mixture = np.zeros(problem.n_targets)
    proportions = np.bincount(problem.legal_queries, minlength=problem.n_queries) / problem.legal_queries.size
    if rejecting.size == 0:
        return _Solved(0.0, 0.0, proportions, mixture)
    is_small = problem.legal_queries.size <= _FEW
    game, n_together = (max_min_of_few, _MANY_TOGETHER) if is_small else (max_min_proportions, _FEW_TOGETHER)
    chosen = np.empty(0, dtype=np.intp)
    columns = np.empty((problem.n_queries, 0))
    totals, most = gains.totals(proportions, rejecting), math.inf
    for _ in range(_ROUNDS):
        Clock(None).check()  # Ctrl-C, or the end of somebody's time
        if rejecting[totals.argmin()] in chosen or totals.min() >= most * (1 - _CLOSE):
            break
        beating = np.argsort(totals, kind="stable")[:n_together]
        joining = np.setdiff1d(rejecting[beating[totals[beating] < most]], chosen)
        chosen = np.append(chosen, joining)
        columns = np.hstack([columns, gains.columns(joining)])
        if columns.max(axis=0).min() <= 0:
            mixture[:] = 0.0
            mixture[chosen[columns.max(axis=0).argmin()]] = 1.0
            return _Solved(math.inf, math.inf, proportions, mixture)
        proportions, weights = game(np.minimum(columns, _MOST))
        totals = gains.totals(proportions, rejecting)
        mixture[:] = 0.0
        mixture[chosen] = weights
        counting = np.flatnonzero(weights)  # information may be infinite, and 0 times that is no number
        most = float((columns[:, counting] @ weights[counting]).max())
    return _Solved(_inverse(float(totals.min())), _inverse(most), proportions, mixture)


def _prices(problem: Problem, costs: Any) -> Array:
    values = problem.costs if costs is None else as_array("costs", costs)
    if values is None:
        return np.ones(problem.n_queries)
    if values.shape != (problem.n_queries,) or (values[problem.legal_queries] <= 0).any():
        raise InvalidValueError(
            f"costs must be positive, one for each of the {problem.n_queries} queries; a query that costs nothing can "
            "be asked for ever."
        )
    return np.asarray(values, dtype=float)


def _accepted(answers: Any, target: int) -> list[int]:
    return [int(answer) for answer in answers.accepted_by(target)]


def _inverse(gain: float) -> float:
    return math.inf if gain <= 0 else 1 / gain


def _check_weights(name: str, weights: Array, support: Array, size: int) -> None:
    outside = np.ones(size, dtype=bool)
    outside[support] = False
    if weights.shape != (size,) or not (weights >= 0).all() or weights[outside].any():
        raise CertificateError(f"{name} must be weights of at least 0 where they may stand.")
    if weights.any() and abs(weights.sum() - 1) > 1e-9:
        raise CertificateError(f"{name} must sum to 1, got {weights.sum():g}.")
