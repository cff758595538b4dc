r"""The proof that bad queries are few, carried out on a run: intervals, graphs, cliques, and a count.

The proof of Lemma `lem:few_bad_queries` cuts the bad values into intervals $I_i$ and joins two queries of an interval
by an edge if the later one's target predicts the earlier answer well. Few pairs are not joined, since estimation errors
decay; no large clique exists, since with $z^*$ appended it would be a sequence for the dissimilarity dimension. So the
interval holds few queries: by colours in the coloured form, by Turán's theorem in the paper's. As printed the argument
has a gap; here both run with $d+1$ in place of $d$ in the thresholds, which closes it.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np

from warmer.analysis.run_statistics import estimates, estimation_errors
from warmer.bounds import bad_queries_bound
from warmer.bounds.rungs import best_rungs
from warmer.dimensions.search.clique import maximum_clique
from warmer.environments import TargetEnvironment
from warmer.learners.dimension import guarantee_dimension
from warmer.model import Array, History, Learner, Problem, Runs
from warmer.model.checks import at_least, at_most, check_count, check_finite, check_positive
from warmer.model.errors import CertificateError, HypothesisError, InvalidValueError
from warmer.model.numbers import as_fraction
from warmer.model.time_limit import Clock

Form = Literal["coloured", "repaired"]

_DIMENSION_SECONDS = 10.0  # how long the dimension of what was played in a continuous class may be searched for
_CLIQUE_SECONDS = 10.0  # how long the largest cliques of a run may be searched for


class Constants(NamedTuple):
    r"""What the proof is run with: $\alpha$, $\epsilon$, $d=\bar d_\rho(Z,\alpha,\epsilon)$ and $C$."""

    alpha: float
    epsilon: float
    dimension: int
    error_budget: float


class Cut(NamedTuple):
    r"""How the bad gaps are cut, the mildest first: $\epsilon_i$, their ratio, and the tolerances of the intervals."""

    gaps: Array
    ratio: float
    tolerances: Array


@dataclass(frozen=True, eq=False)
class Interval:
    r"""One interval $I_i=[\alpha-r\epsilon_i,\alpha-\epsilon_i)$, the rounds $S_i$ with values in it, and $G_i$."""

    constants: Constants
    form: Form
    gap: float  # $\epsilon_i$
    ratio: float  # $r$
    tolerance: float  # $\tau_i$: how far the later target may be off where two rounds are joined
    rounds: Array  # $S_i$, in the order they were played; the first round of a run is 1
    values: Array  # their values $\rho(z_t|z^*)$
    edges: Array  # the symmetric adjacency of $G_i$
    clique: tuple[int, ...]  # the rounds of a largest clique of $G_i$
    is_clique_largest: bool  # whether that was proved in the time there was
    colours: Array
    """Of each round the least colour of no earlier round that it is not joined to, from 0 on."""

    @property
    def low(self) -> float:
        r"""$\alpha-r\epsilon_i$, which belongs to the interval."""
        return self.constants.alpha - self.ratio * self.gap

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
    def n_strangers(self) -> int:
        """To how many earlier rounds of the interval a round is not joined, at the most."""
        return int(np.tril(~self.edges, -1).sum(axis=1).max(initial=0))

    @property
    def most_strangers(self) -> int:
        r"""$B_i$: by decaying errors a round is not joined to fewer than $C/\tau_i^2$ earlier ones, if to any."""
        budget = self.constants.error_budget
        return math.floor(budget / self.tolerance / self.tolerance) if budget else 0

    @property
    def fewest_edges(self) -> float:
        r"""Decaying errors force $|E_i|\ge\frac12m_i(m_i-1)-B_im_i$."""
        m = self.rounds.size
        return m * (m - 1) / 2 - self.most_strangers * m

    @property
    def most_edges(self) -> float:
        r"""Turán: without a clique of $d$ vertices, $|E_i|\le(1-\frac1{d-1})\frac12m_i^2$."""
        parts = self.constants.dimension - 1
        return (1 - 1 / parts) * self.rounds.size**2 / 2 if parts else 0.0

    @property
    def most_rounds(self) -> float:
        r"""$m_i\le(d-1)(B_i+1)$ by colours; by Turán, in the repaired form, $m_i\le(d-1)(1+2C/\tau_i^2)$."""
        parts = self.constants.dimension - 1
        return parts * ((1 if self.form == "coloured" else 2) * self.most_strangers + 1)

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
            (
                at_most(float(self.n_strangers), self.most_strangers),
                f"a round is not joined to {self.n_strangers} earlier ones, more than the errors allow",
            ),
            (at_least(float(self.n_edges), self.fewest_edges), f"{self.n_edges} edges are fewer than the errors allow"),
            (len(self.clique) <= limit, f"a clique of {len(self.clique)} is larger than d - 1 = {limit}"),
            (at_most(float(self.n_edges), self.most_edges), f"{self.n_edges} edges are more than Turán allows"),
            (self._is_coloured(), "two rounds of one colour are not joined"),
            (
                at_most(float(self.colours.max(initial=-1)), self.most_strangers),
                f"{self.colours.max(initial=-1) + 1} colours are too many",
            ),
            (
                int(np.bincount(self.colours).max(initial=0)) <= limit,
                f"more rounds than d - 1 = {limit} have one colour",
            ),
            (at_most(float(self.rounds.size), self.most_rounds), f"{self.rounds.size} rounds are too many"),
        ):
            if not holds:
                raise CertificateError(f"the proof fails {where}: {words}.")

    def _is_coloured(self) -> bool:
        is_same = self.colours[:, np.newaxis] == self.colours
        return not (is_same & ~self.edges & ~np.eye(self.rounds.size, dtype=bool)).any()


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
    form: Form = "coloured",
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
        $\bar d_\rho(Z,\alpha,\epsilon)$ or more; where None, that of the problem's alternatives. Of a continuous class
        those of the run and the truth are taken, since the proof speaks of no others; after ten seconds of search its
        upper end.
    error_budget
        $C$, which no estimation error of this run may exceed; the largest of them where None.
    form
        How rounds are counted, as for `bad_queries_bound`: "coloured", or "repaired", the paper's proof by Turán.

    Examples
    --------
    >>> from warmer import LeastSquares, environments, problems, simulate
    >>> problem = problems.needle(n_arms=6)
    >>> played = simulate(LeastSquares(problem, alpha=1.0), environments.Exact(problem, 4), horizon=20, seed=0)
    >>> proof = analyse_trace(played, alpha=1.0, epsilon=0.5)
    >>> proof.check()
    >>> proof.n_bad, [interval.rounds.tolist() for interval in proof.intervals], round(proof.bound)
    (4, [[1, 2, 3, 4]], 5)
    """
    level, gap = check_finite("alpha", alpha), check_positive("epsilon", epsilon)
    place, n_runs, problem = check_count("run", run, least=0), len(runs.queries), runs.problem
    if place >= n_runs:
        raise InvalidValueError(f"the runs are numbered from 0 to {n_runs - 1}, got run {run}.")
    one = runs[place]
    _check_reached(one, level)
    budget = _checked_budget(one, error_budget)
    if dimension is None:
        dimension = _dimension(one, level, gap)
    constants = Constants(level, gap, check_count("dimension", dimension), budget)
    reach = level - problem.reward_range[0]
    bound = bad_queries_bound(
        dimension=dimension, error_budget=budget, epsilon=gap, form=form, reach=reach, scale=problem.scale
    )
    cut = (_coloured_cut if form == "coloured" else _repaired_cut)(constants, reach)
    return LemmaCheck(
        constants=constants, values=one.means[0], intervals=_intervals(one, constants, cut, form), bound=bound
    )


def as_runs(learner: Learner[Any], environment: TargetEnvironment, history: History) -> Runs:
    """A session's history as a run against an environment that knows the truth; repeated answers become rounds."""
    position = learner.problem.queries.position
    queries = np.repeat([position(label) for label in history.queries], history.counts)
    rewards = np.repeat(history.rewards, history.counts)
    return Runs(learner, environment, queries.size, 0, queries[np.newaxis], rewards[np.newaxis])


def _check_reached(one: Runs, alpha: float) -> None:
    """The truth reaches alpha, and so does whatever the learner had in mind at each round (Definition 2)."""
    problem, best = one.problem, float(one.environment.alpha_star)
    if not at_least(best, alpha, problem.slack):
        raise InvalidValueError(f"the truth must reach alpha, but its best query earns {best:g}.")
    played = zip(one.queries[0], estimates(one)[0], strict=True)
    values = np.array([problem.evaluate(query, target) for query, target in played], dtype=float)
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


def _dimension(one: Runs, alpha: float, epsilon: float) -> int:
    """The monotone dimension of a table; of a class without one that of what was played in the run, and the truth."""
    problem = one.problem
    if isinstance(problem, Problem):
        return guarantee_dimension(problem, alpha=alpha, epsilon=epsilon).upper
    truth = problem.targets.position(one.environment.target)
    queries, targets = [problem.best_query(truth)], [truth]
    for query, target in zip(one.queries[0], estimates(one)[0], strict=True):
        if not any(
            np.array_equal(query, q) and np.array_equal(target, t) for q, t in zip(queries, targets, strict=True)
        ):
            queries.append(query)
            targets.append(target)
    rho = _table(problem, np.array(queries), targets)
    table = Problem.from_similarity(rho, reward_range=problem.reward_range)
    return guarantee_dimension(table, alpha=alpha, epsilon=epsilon, clock=Clock(_DIMENSION_SECONDS)).upper


def _table(problem: Any, queries: Array, targets: Sequence[Any]) -> Array:
    """What each query (a row) earns under each target (a column)."""
    columns = [np.asarray(problem.evaluate(queries, target), dtype=float) for target in targets]
    return np.stack(columns, axis=1) if columns else np.zeros((0, 0))


def _coloured_cut(constants: Constants, reach: float) -> Cut:
    """The rungs that the coloured count is the sum of."""
    _, epsilon, dimension, budget = constants
    span = as_fraction(reach) / as_fraction(epsilon)
    if span <= 1:
        return Cut(np.zeros(0), 1.0, np.zeros(0))
    found = best_rungs(dimension=dimension, per_square=budget / epsilon / epsilon, span=span)
    return Cut(epsilon * found.lowest, found.ratio, epsilon * found.tolerances)


def _repaired_cut(constants: Constants, reach: float) -> Cut:
    r"""$\epsilon_i=q^{i-1}\epsilon$ with $q=1+1/\sqrt{d+1}$, half of the tolerance for the values of an interval."""
    _, epsilon, dimension, _ = constants
    ratio = 1 + 1 / math.sqrt(dimension + 1)
    n = math.ceil(math.log(reach / epsilon) / math.log(ratio)) if reach > epsilon else 0
    gaps = epsilon * ratio ** np.arange(n)
    return Cut(gaps, ratio, gaps / (2 * math.sqrt(dimension + 1)))


def _intervals(one: Runs, constants: Constants, cut: Cut, form: Form) -> tuple[Interval, ...]:
    alpha, epsilon, _, _ = constants
    values = one.means[0]
    is_bad = ~at_least(values, alpha - epsilon)
    interval_of = np.clip(np.searchsorted(cut.gaps, alpha - values, side="left") - 1, 0, max(0, cut.gaps.size - 1))
    targets, clock = estimates(one)[0], Clock(_CLIQUE_SECONDS)
    intervals = []
    for i, (gap, tolerance) in enumerate(zip(cut.gaps.tolist(), cut.tolerances.tolist(), strict=True)):
        places = np.flatnonzero(is_bad & (interval_of == i))
        predicted = _table(one.problem, one.queries[0, places], targets[places])
        forward = np.triu(np.abs(predicted - values[places, np.newaxis]) <= tolerance, 1)
        edges = forward | forward.T  # a row for the earlier round, a column for the later one's target
        members, is_largest = maximum_clique(edges, clock=clock) if places.size else (places, True)
        intervals.append(
            Interval(
                constants=constants,
                form=form,
                gap=gap,
                ratio=cut.ratio,
                tolerance=tolerance,
                rounds=places + 1,
                values=values[places],
                edges=edges,
                clique=tuple(int(places[k]) + 1 for k in members),
                is_clique_largest=is_largest,
                colours=_colours(edges),
            )
        )
    return tuple(intervals)


def _colours(edges: Array) -> Array:
    """In the order of the rounds, the least colour that no earlier round has that is not joined."""
    colours = np.zeros(len(edges), dtype=np.int64)
    for place in range(1, len(edges)):
        taken = np.zeros(place + 1, dtype=bool)
        taken[colours[:place][~edges[place, :place]]] = True
        colours[place] = int(taken.argmin())
    return colours
