r"""Measures that a linear program decides: the fractional covering number and the decision-estimation coefficient.

Both are values of finite games between a distribution over queries and a distribution over targets. Either side's
distribution proves one end, by a sum that anyone can repeat, so the solver need not be trusted.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import scipy

from warmer.dimensions.bracket import check_number, check_places, shown
from warmer.dimensions.clock import Clock, interruptible
from warmer.dimensions.rationals import as_fraction, as_number, check_scale
from warmer.model import SLACK, Array, CertificateError, InvalidValueError, Problem, at_least, at_most, check_finite

__all__ = [
    "DecisionEstimation",
    "FractionalCover",
    "decision_estimation_coefficient",
    "fractional_covering_number",
]

_SLACK = 1e-7
"""How far apart the two ends of a solved program may be: the solver's own tolerance."""


_LEAST_SECONDS = 1e-3
"""Seconds that a linear program may run at least."""

_OUT_OF_TIME = 1
"""What HiGHS answers when its time is up."""


@dataclass(frozen=True, eq=False)
class FractionalCover:
    r"""The fractional covering number between two proven ends.

    A query drawn from `distribution` is within `gap` of any target's best with probability at least $1/$`upper`; if
    the target is drawn from `prior`, no query is within `gap` of its best with probability more than $1/$`lower`.
    Both arrays run over all queries and all targets of the problem.
    """

    lower: float
    upper: float
    distribution: Array
    prior: Array
    gap: Any

    @property
    def value(self) -> float:
        """The number, up to the solver's tolerance: the middle of its proven ends."""
        return (self.lower + self.upper) / 2

    @property
    def is_exact(self) -> bool:
        """Whether the program was solved."""
        return self.upper - self.lower <= _SLACK * max(1.0, self.upper)

    def check(self, problem: Problem) -> float:
        """Recompute both ends from the two distributions; return how far they are apart."""
        lower, upper = _check_ends(self.lower, self.upper)
        gap = check_number("gap", self.gap, problem)
        if not gap >= 0:
            raise CertificateError(f"gap must be at least 0, got {shown(gap)}.")
        distribution = _check_queries("the distribution over queries", self.distribution, problem)
        prior = _check_distribution("the prior over targets", self.prior, problem.n_targets)
        good_queries = _good_queries(problem, gap)
        success = np.array([distribution[good].sum() for good in good_queries])
        worst = int(success.argmin())
        if not at_least(success[worst] * upper, 1.0):
            raise CertificateError(
                f"for target {problem.targets[worst]!r} the distribution succeeds with probability "
                f"{success[worst]:.6g}, less than 1/{upper:.6g}."
            )
        mass = np.zeros(problem.n_queries)
        for weight, good in zip(prior, good_queries, strict=True):
            mass[good] += weight
        best = int(mass.argmax())
        if not at_most(mass[best] * lower, 1.0):
            raise CertificateError(
                f"under the prior query {problem.queries[best]!r} succeeds with probability "
                f"{mass[best]:.6g}, more than 1/{lower:.6g}."
            )
        return upper - lower


@interruptible()
def fractional_covering_number(problem: Problem, *, gap: Any, time_limit: float | None = None) -> FractionalCover:
    r"""How many blind guesses find a near-best query: $1/\max_p\min_f p(a: f^*-f(a)\le\mathrm{gap})$.

    Here $f^*$ is the best value of target $f$ over the queries that may be asked. This is the fractional covering
    number (or decision dimension) of arXiv:2410.05117, one linear program; it is not in the paper. Where a time limit
    or Ctrl-C ends it early, the two ends are those of even distributions.

    Examples
    --------
    >>> needles = Problem.from_similarity([[1, 0, 0], [0, 1, 0], [0, 0, 1]])
    >>> round(fractional_covering_number(needles, gap=0.5).value, 6)
    3.0
    """
    if as_number("gap", gap) < 0:
        raise InvalidValueError(f"gap must be at least 0, got {gap}.")
    clock = Clock(time_limit)
    good = np.zeros((problem.n_targets, problem.n_queries))
    for row, queries in zip(good, _good_queries(problem, gap), strict=True):
        row[queries] = 1.0
    game = _solve(-good[:, problem.legal_queries], clock)  # least p of the worst target: the game of the losses -good
    distribution = np.zeros(problem.n_queries)
    distribution[problem.legal_queries] = game.columns
    success, mass = (good @ distribution).min(), (game.rows @ good).max()
    return FractionalCover(1 / float(mass), 1 / float(success), distribution, game.rows, gap)


@dataclass(frozen=True, eq=False)
class DecisionEstimation:
    r"""The offset decision-estimation coefficient between two proven ends.

    Against reference number `reference` and the `prior` over targets, every distribution over queries pays at least
    `lower`; against reference k the k-th row of `distributions` pays at most `upper`, whatever the target is.
    """

    lower: float
    upper: float
    reference: int
    prior: Array
    distributions: Array
    gamma: float

    @property
    def value(self) -> float:
        """The coefficient, up to the solver's tolerance: the middle of its proven ends."""
        return (self.lower + self.upper) / 2

    @property
    def is_exact(self) -> bool:
        """Whether every reference was settled."""
        return self.upper - self.lower <= _SLACK

    def check(self, problem: Problem) -> float:
        """Recompute both ends from the distributions; return how far they are apart."""
        lower, upper = _check_ends(self.lower, self.upper)
        gamma = _check_float("gamma", self.gamma)
        if not gamma > 0:
            raise CertificateError(f"gamma must be greater than 0, got {gamma:g}.")
        (reference,) = check_places("target", (self.reference,), problem.n_targets)
        prior = _check_distribution("the prior over targets", self.prior, problem.n_targets)
        with np.errstate(over="ignore", invalid="ignore"):  # what comes of it is no number, and fails
            least = float((prior @ _losses(problem, reference, gamma)).min())
            if not at_least(least, lower):
                raise CertificateError(f"the prior only forces a loss of {least:.6g}, less than {lower:.6g}.")
            for each, distribution in enumerate(_check_rows(self.distributions, problem)):
                losses = _losses(problem, each, gamma) @ distribution[problem.legal_queries]
                worst = int(losses.argmax())
                if not at_most(losses[worst], upper):
                    raise CertificateError(
                        f"for reference {problem.targets[each]!r} target {problem.targets[worst]!r} costs "
                        f"{losses[worst]:.6g}, more than {upper:.6g}."
                    )
        return upper - lower


@interruptible()
def decision_estimation_coefficient(
    problem: Problem,
    *,
    gamma: Any,
    time_limit: float | None = None,
    progress: Callable[[float, float], object] | None = None,
) -> DecisionEstimation:
    r"""The offset decision-estimation coefficient with a proper reference, square loss.

    $\max_{\bar f\in\mathcal F}\min_p\max_{f\in\mathcal F}\sum_a p_a[f^*-f(a)-\gamma(f(a)-\bar f(a))^2]$, one linear
    program a reference; references that an earlier distribution already settles are not solved. It is not in the
    paper.

    Parameters
    ----------
    problem
        The table.
    gamma
        The price of information, greater than 0.
    time_limit
        Seconds after which the references not yet solved keep the bound of their own best query.
    progress
        Called with the two ends whenever one of them moves.

    Examples
    --------
    >>> grid = Problem.from_table([[0, 0, 0, 0.5, 0.5, 0.5, 1, 1, 1], [0, 0.5, 1, 0, 0.5, 1, 0, 0.5, 1]])
    >>> round(decision_estimation_coefficient(grid, gamma=4).value, 6)
    0.05
    """
    gamma = float(check_scale("gamma", gamma))
    clock, legal = Clock(time_limit), problem.legal_queries
    columns = np.asarray(problem.rho[legal], dtype=float)
    distributions = np.zeros((problem.n_targets, legal.size))
    distributions[np.arange(problem.n_targets), columns.argmax(axis=0)] = 1.0
    # a point mass on a reference's own best query is feasible, so it already bounds that reference from above
    uppers = np.array([_pay(problem, k, gamma, distributions[k]) for k in range(problem.n_targets)])
    lower, reference, prior = -math.inf, 0, np.eye(problem.n_targets)[0]
    for k in np.argsort(-uppers, kind="stable"):
        if lower >= uppers[k] or (lower > -math.inf and _is_over(clock)):
            break
        losses = _losses(problem, int(k), gamma)
        game = _solve(losses, clock)
        distributions[k], uppers[k] = game.columns, float((losses @ game.columns).max())
        least = float((game.rows @ losses).min())
        if least > lower:
            lower, reference, prior = least, int(k), game.rows
        if progress is not None:
            progress(lower, float(max(uppers.max(), lower)))
    full = np.zeros((problem.n_targets, problem.n_queries))
    full[:, legal] = distributions
    return DecisionEstimation(lower, float(max(uppers.max(), lower)), reference, prior, full, gamma)


class _Game(NamedTuple):
    """Optimal mixtures of the columns (who pays) and of the rows (who is paid)."""

    columns: Array
    rows: Array


def _solve(losses: Array, clock: Clock) -> _Game:
    """A finite game: the columns' player minimises the largest expected loss over the rows.

    Out of time, both mix evenly: the columns that are the best answer to some row, and all rows.
    """
    n_rows, n_columns = losses.shape
    answers = np.bincount(losses.argmin(axis=1), minlength=n_columns) > 0
    even = _Game(_normalised(answers.astype(float)), np.full(n_rows, 1 / n_rows))
    if _is_over(clock):
        return even
    result = scipy.optimize.linprog(
        np.append(np.zeros(n_columns), 1.0),
        A_ub=np.hstack([losses, -np.ones((n_rows, 1))]),
        b_ub=np.zeros(n_rows),
        A_eq=np.append(np.ones(n_columns), 0.0)[None, :],
        b_eq=np.ones(1),
        bounds=[(0, None)] * n_columns + [(None, None)],
        method="highs",
        options={} if clock.left is None else {"time_limit": max(clock.left, _LEAST_SECONDS)},
    )
    if result.status == _OUT_OF_TIME:
        return even
    assert result.x is not None, result.message  # a game always has a value
    return _Game(_normalised(result.x[:-1]), _normalised(-result.ineqlin.marginals))


def _is_over(clock: Clock) -> bool:
    """Whether to stop: at the time limit, or at Ctrl-C."""
    try:
        return clock.is_over
    except KeyboardInterrupt:
        return True


def _normalised(weights: Array) -> Array:
    positive = np.maximum(weights, 0.0)
    return np.asarray(positive / positive.sum())


def _good_queries(problem: Problem, gap: Any) -> list[Array]:
    """For each target the allowed queries within the gap of its best."""
    legal = problem.legal_queries
    if problem.exact is None:
        columns = np.asarray(problem.rho[legal], dtype=float).T
        return [legal[at_most(column.max() - column, float(gap), problem.slack)] for column in columns]
    numerators, denominator = problem.exact
    most = math.floor(as_fraction(gap) * denominator)
    whole = numerators[legal].T.astype(object)
    return [legal[np.asarray(column.max() - column <= most, dtype=bool)] for column in whole]


def _losses(problem: Problem, reference: int, gamma: float) -> Array:
    """For each target (row) and allowed query (column), regret less the price of what the query tells."""
    columns = np.asarray(problem.rho[problem.legal_queries], dtype=float)
    regrets = columns.max(axis=0) - columns
    return np.asarray((regrets - gamma * (columns - columns[:, [reference]]) ** 2).T)


def _pay(problem: Problem, reference: int, gamma: float, distribution: Array) -> float:
    return float((_losses(problem, reference, gamma) @ distribution).max())


def _check_ends(lower: Any, upper: Any) -> tuple[float, float]:
    ends = _check_float("lower", lower), _check_float("upper", upper)
    if not at_most(*ends):
        raise CertificateError(f"the lower end must not be above the upper one, got {ends[0]:.6g} and {ends[1]:.6g}.")
    return ends


def _check_float(name: str, value: Any) -> float:
    try:
        return check_finite(name, value)
    except InvalidValueError as error:
        raise CertificateError(f"in a certificate {error}") from error


def _check_rows(distributions: Any, problem: Problem) -> list[Array]:
    """A distribution over the queries that may be asked for each reference."""
    rows = _as_floats(distributions)
    if rows.ndim != 2 or len(rows) != problem.n_targets:
        raise CertificateError(f"the certificate needs a distribution for each of {problem.n_targets} references.")
    names = (f"the distribution for reference {name!r}" for name in problem.targets)
    return [_check_queries(name, row, problem) for name, row in zip(names, rows, strict=True)]


def _check_queries(name: str, weights: Any, problem: Problem) -> Array:
    """A distribution over the queries that may be asked."""
    checked = _check_distribution(name, weights, problem.n_queries)
    for query in np.setdiff1d(np.flatnonzero(checked), problem.legal_queries):
        raise CertificateError(f"{name} gives weight to query {problem.queries[int(query)]!r}, which is forbidden.")
    return checked


def _check_distribution(name: str, weights: Any, length: int) -> Array:
    checked = _as_floats(weights)
    # written so that NaN fails
    if not (checked.shape == (length,) and (checked >= 0).all() and abs(checked.sum() - 1) <= SLACK):
        raise CertificateError(f"{name} must be {length} weights of at least 0 that add up to 1.")
    return checked


def _as_floats(numbers: Any) -> Array:
    """An array of floats; an empty one where these are none."""
    try:
        return np.asarray(numbers, dtype=float)
    except (OverflowError, TypeError, ValueError):
        return np.empty(0)
