r"""The proof that bad queries are few, carried out on a run: intervals, graphs, cliques and Turán's count.

The proof of Lemma `lem:few_bad_queries` cuts the bad values into intervals $I_i$ and joins two queries of an interval
by an edge if the later one's target predicts the earlier answer well. Few pairs are not joined, since estimation errors
decay; no large clique exists, since with $z^*$ appended it would be a sequence for the dissimilarity dimension; so, by
Turán's theorem, the interval holds few queries. As printed the argument has a gap; here it runs with $d+1$ in place
of $d$ in the thresholds, which closes it.
"""

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from warmer.analysis.run_statistics import estimates, estimation_errors
from warmer.bounds import bad_queries_bound
from warmer.dimensions.search.clique import maximum_clique
from warmer.environments import TargetEnvironment
from warmer.learners.dimension import guarantee_dimension
from warmer.model import Array, History, Learner, Runs
from warmer.model.checks import at_least, at_most, check_count, check_finite, check_positive
from warmer.model.errors import CertificateError, HypothesisError, InvalidValueError
from warmer.model.time_limit import Clock

_CLIQUE_SECONDS = 10.0  # how long the largest cliques of a run may be searched for


class Constants(NamedTuple):
    r"""What the proof is run with: $\alpha$, $\epsilon$, $d=\bar d_\rho(Z,\alpha,\epsilon)$ and $C$."""

    alpha: float
    epsilon: float
    dimension: int
    error_budget: float

    @property
    def ratio(self) -> float:
        r"""$q=1+1/\sqrt{d+1}$, by which the gaps $\epsilon_i=q^{i-1}\epsilon$ grow."""
        return 1 + 1 / math.sqrt(self.dimension + 1)


@dataclass(frozen=True, eq=False)
class Interval:
    r"""One interval $I_i=[\alpha-\epsilon_{i+1},\alpha-\epsilon_i)$, the rounds $S_i$ with values in it, and $G_i$."""

    constants: Constants
    gap: float  # $\epsilon_i$
    rounds: Array  # $S_i$, in the order they were played; the first round of a run is 1
    values: Array  # their values $\rho(z_t|z^*)$
    edges: Array  # the symmetric adjacency of $G_i$
    clique: tuple[int, ...]  # the rounds of a largest clique of $G_i$
    is_clique_largest: bool  # whether that was proved in the time there was

    @property
    def low(self) -> float:
        r"""$\alpha-\epsilon_{i+1}$, which belongs to the interval."""
        return self.constants.alpha - self.constants.ratio * self.gap

    @property
    def high(self) -> float:
        r"""$\alpha-\epsilon_i$, which does not."""
        return self.constants.alpha - self.gap

    @property
    def center(self) -> float:
        """$c_i$, the middle of the interval."""
        return (self.low + self.high) / 2

    @property
    def n_edges(self) -> int:
        """$|E_i|$."""
        return int(self.edges.sum()) // 2

    @property
    def fewest_edges(self) -> float:
        r"""Decaying errors force $|E_i|\ge\frac12m_i(m_i-1)-4(d+1)Cm_i/\epsilon_i^2$."""
        m, (_, _, d, budget) = self.rounds.size, self.constants
        return m * (m - 1) / 2 - 4 * (d + 1) * budget * m / self.gap**2

    @property
    def most_edges(self) -> float:
        r"""Turán: without a clique of $d$ vertices, $|E_i|\le(1-\frac1{d-1})\frac12m_i^2$."""
        parts = self.constants.dimension - 1
        return (1 - 1 / parts) * self.rounds.size**2 / 2 if parts else 0.0

    @property
    def most_rounds(self) -> float:
        r"""So $m_i\le(d-1)+8(d^2-1)C/\epsilon_i^2$."""
        _, _, d, budget = self.constants
        return (d - 1) + 8 * (d**2 - 1) * budget / self.gap**2

    def check(self) -> None:
        """Raise `CertificateError` for the first step of the proof that this interval contradicts."""
        limit = self.constants.dimension - 1
        members = np.searchsorted(self.rounds, self.clique)
        apart = ~self.edges[np.ix_(members, members)] & ~np.eye(len(members), dtype=bool)
        where = f"in [{self.low:.6g}, {self.high:.6g})"
        if apart.any():
            first, second = np.argwhere(apart)[0]
            raise CertificateError(f"rounds {self.clique[first]} and {self.clique[second]} {where} are not joined.")
        for holds, words in (
            (at_least(float(self.values.min(initial=self.low)), self.low), "a value lies below the interval"),
            (at_most(float(self.values.max(initial=self.low)), self.high), "a value lies above the interval"),
            (at_least(float(self.n_edges), self.fewest_edges), f"{self.n_edges} edges are fewer than the errors allow"),
            (len(self.clique) <= limit, f"a clique of {len(self.clique)} is larger than d - 1 = {limit}"),
            (at_most(float(self.n_edges), self.most_edges), f"{self.n_edges} edges are more than Turán allows"),
            (at_most(float(self.rounds.size), self.most_rounds), f"{self.rounds.size} rounds are too many"),
        ):
            if not holds:
                raise CertificateError(f"the proof fails {where}: {words}.")


@dataclass(frozen=True, eq=False)
class LemmaCheck:
    """A run through the eyes of the proof: its values, and the intervals of the bad ones, the mildest first."""

    constants: Constants
    values: Array  # $v_t=\rho(z_t|z^*)$ of every round
    intervals: tuple[Interval, ...]
    bound: float  # how many bad queries the proof allows in all

    @property
    def n_bad(self) -> int:
        """How many queries were bad."""
        return sum(interval.rounds.size for interval in self.intervals)

    def check(self) -> None:
        """Raise `CertificateError` unless the intervals partition the bad rounds and every step of the proof holds."""
        alpha, epsilon, _, _ = self.constants
        bad = np.flatnonzero(~at_least(self.values, alpha - epsilon)) + 1
        placed = np.concatenate([np.zeros(0, dtype=int), *(interval.rounds for interval in self.intervals)])
        if not np.array_equal(np.sort(placed), bad):
            raise CertificateError("the intervals do not partition the bad rounds.")
        for before, after in zip(self.intervals, self.intervals[1:], strict=False):
            if not math.isclose(before.low, after.high, rel_tol=1e-9, abs_tol=1e-9):
                raise CertificateError(f"the intervals leave a gap at {before.low:.6g}.")
        for interval in self.intervals:
            interval.check()
        if not at_most(float(self.n_bad), self.bound):
            raise CertificateError(f"{self.n_bad} bad queries are more than {self.bound:.6g}.")


def analyse_trace(
    runs: Runs,
    *,
    alpha: float,
    epsilon: float,
    run: int = 0,
    dimension: int | None = None,
    error_budget: float | None = None,
) -> LemmaCheck:
    r"""Carry out the proof of Lemma `lem:few_bad_queries` on one run.

    Parameters
    ----------
    runs
        What was played, by a learner with targets in mind; a session's history becomes one with `as_runs`.
    alpha, epsilon
        The level, and by how much a bad query falls short of it. The truth must reach the level, and so must what the
        learner expected of its own query at every round; else this raises `HypothesisError` and names the round.
    run
        Which of the runs; the first is 0.
    dimension
        $\bar d_\rho(Z,\alpha,\epsilon)$ or more; where None, that of the alternatives that are played.
    error_budget
        $C$, which no estimation error of this run may exceed; the largest of them where None.

    Examples
    --------
    >>> from warmer import LeastSquares, environments, problems, simulate
    >>> problem = problems.needle(n_arms=6)
    >>> played = simulate(LeastSquares(problem, alpha=1.0), environments.Exact(problem, 4), horizon=20, seed=0)
    >>> proof = analyse_trace(played, alpha=1.0, epsilon=0.5)
    >>> proof.check()
    >>> proof.n_bad, [interval.rounds.tolist() for interval in proof.intervals], round(proof.bound)
    (4, [[], [], [1, 2, 3, 4]], 15)
    """
    level, gap = check_finite("alpha", alpha), check_positive("epsilon", epsilon)
    place, n_runs, problem = check_count("run", run, least=0), len(runs.queries), runs.problem
    if place >= n_runs:
        raise InvalidValueError(f"the runs are numbered from 0 to {n_runs - 1}, got run {run}.")
    one = runs[place]
    _check_reached(one, level)
    budget = _checked_budget(one, error_budget)
    if dimension is None:
        dimension = guarantee_dimension(problem, alpha=alpha, epsilon=epsilon).upper
    constants = Constants(level, gap, check_count("dimension", dimension), budget)
    reach = level - problem.reward_range[0]
    return LemmaCheck(
        constants=constants,
        values=one.means[0],
        intervals=_intervals(one, constants, reach),
        bound=bad_queries_bound(
            dimension=dimension, error_budget=budget, epsilon=gap, reach=reach, scale=problem.scale
        ),
    )


def as_runs(learner: Learner[Any], environment: TargetEnvironment, history: History) -> Runs:
    """A session's history as a run against an environment that knows the truth; repeated answers become rounds."""
    position = learner.problem.queries.position
    queries = np.repeat([position(label) for label in history.queries], history.counts)
    rewards = np.repeat(history.rewards, history.counts)
    return Runs(learner, environment, queries.size, 0, queries[np.newaxis], rewards[np.newaxis])


def _check_reached(one: Runs, alpha: float) -> None:
    """The truth reaches alpha, and so does whatever the learner had in mind at each round (Definition 2)."""
    problem, best = one.problem, float(one.environment.means.max())
    if not at_least(best, alpha, problem.slack):
        raise InvalidValueError(f"the truth must reach alpha, but its best query earns {best:g}.")
    values = problem.rho[one.queries[0], estimates(one)[0]].astype(float)
    short = np.flatnonzero(~at_least(values, alpha, problem.slack))
    if short.size:
        raise HypothesisError(
            f"the proof speaks of learners with alpha-large self-evaluations; at round {short[0] + 1} the learner "
            f"expected {values[short[0]]:g} of its query, less than alpha = {alpha:g}. Lower alpha, or let a learner "
            "play that is told this alpha."
        )


def _checked_budget(one: Runs, error_budget: float | None) -> float:
    """The largest estimation error of the run, or a given budget that none of them exceeds (Definition 3)."""
    errors = estimation_errors(one)[0]
    if error_budget is None:
        return float(errors.max())
    budget = check_finite("error_budget", error_budget)
    over = np.flatnonzero(~at_most(errors, np.full_like(errors, budget), one.problem.slack))
    if over.size:
        raise HypothesisError(
            f"the estimation error of the run is {errors[over[0]]:g} at round {over[0] + 1}, more than the error "
            f"budget of {budget:g}; the proof speaks of runs that keep to it."
        )
    return budget


def _intervals(one: Runs, constants: Constants, reach: float) -> tuple[Interval, ...]:
    alpha, epsilon, _, _ = constants
    n = math.ceil(math.log(reach / epsilon) / math.log(constants.ratio)) if reach > epsilon else 0
    gaps = epsilon * constants.ratio ** np.arange(n + 1)
    values = one.means[0]
    is_bad = ~at_least(values, alpha - epsilon)
    interval_of = np.clip(np.searchsorted(gaps, alpha - values, side="left") - 1, 0, max(0, n - 1))
    targets, clock = estimates(one)[0], Clock(_CLIQUE_SECONDS)
    intervals = []
    for i, gap in enumerate(gaps[:n].tolist()):
        places = np.flatnonzero(is_bad & (interval_of == i))
        predicted = np.asarray(one.problem.rho[np.ix_(one.queries[0, places], targets[places])], dtype=float)
        near = np.abs(predicted - values[places, np.newaxis]) < gap / (2 * math.sqrt(constants.dimension + 1))
        forward = np.triu(near, 1)  # a row for the earlier round, a column for the later one's target
        edges = forward | forward.T
        members, is_largest = maximum_clique(edges, clock=clock) if places.size else (places, True)
        clique = tuple(int(places[k]) + 1 for k in members)
        intervals.append(Interval(constants, gap, places + 1, values[places], edges, clique, is_largest))
    return tuple(intervals)
