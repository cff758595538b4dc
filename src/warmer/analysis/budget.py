r"""How many queries will it take? What theorems promise, what simulation shows, and what nobody can beat."""

import math
import time
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from warmer.analysis.lower_bounds import Crowd, Dilemma, hardest_crowd, hardest_dilemma
from warmer.analysis.trials import Progress, Trials, try_candidates
from warmer.bounds import (
    anytime_error_budget,
    anytime_radius,
    every_query_answers,
    in_turn_answers,
    loss_ball_error_budget,
    pac_candidates,
    pac_horizon,
    pac_repeats,
    paper_error_budget,
    sharper_pac_horizon,
)
from warmer.dimensions import as_number, dissimilarity_dimension, entry
from warmer.learners import Plan, Settings
from warmer.model import Array, InvalidValueError, Problem, at_least, at_most, check_positive, check_probability

__all__ = ["Budget", "Goal", "budget", "common_alpha"]


@dataclass(frozen=True)
class Goal:
    r"""What is asked for: a query worth at least $\alpha-\epsilon$, with probability at least $1-\delta$.

    Parameters
    ----------
    epsilon, delta
        The accuracy, and the probability with which it may be missed.
    sigma
        The noise of one answer is sigma-sub-Gaussian.
    alpha
        A value that the truth is known to reach; where None, $\alpha^*$, what the truth's own best query earns.
    """

    epsilon: float
    delta: float
    sigma: float
    alpha: Any = None

    def __post_init__(self) -> None:
        check_positive("epsilon", self.epsilon)
        check_probability("delta", self.delta)
        check_positive("sigma", self.sigma)
        if self.alpha is not None:
            as_number("alpha", self.alpha)


class Dimension(NamedTuple):
    r"""$\bar d_\rho(Z,\alpha,\frac34\epsilon)$ lies between the two, at whichever $\alpha$ counts."""

    lower: int
    upper: int


@dataclass(frozen=True, eq=False)
class Budget:
    """Numbers of queries for one goal, side by side."""

    problem: Problem
    goal: Goal
    dimension: Dimension
    theorem: Plan
    """Algorithm 2 with the paper's constants."""
    anytime: Plan
    """Algorithm 2 with constants that the same proof allows: an error budget for all times, and fewer bad queries."""
    in_turn: int
    """Every query in turn until the certificate comes, or so often that the best mean is good enough anyway."""
    trials: Trials
    """Simulated runs, stopped by the certificate."""
    dilemma: Dilemma | None
    """Two candidates that no method can tell apart sooner; None where no two need to be."""
    crowd: Crowd | None
    """Many candidates that no method can tell apart sooner; None where they demand less than 2 answers."""

    @property
    def hardest(self) -> Dilemma | Crowd | None:
        """What demands the most answers; None where no bound is known."""
        known = [bound for bound in (self.dilemma, self.crowd) if bound is not None]
        return max(known, key=lambda bound: bound.n_answers, default=None)

    @property
    def lower_bound(self) -> int | None:
        """What no method can beat on average; None where no bound is known."""
        return None if self.hardest is None else self.hardest.n_answers

    @property
    def algorithm(self) -> str:
        """Which search the two theorems speak of."""
        return "Algorithm 1" if self.goal.alpha is not None else "Algorithm 3"


def budget(
    problem: Problem,
    goal: Goal,
    *,
    learner: str = "elimination",
    runs: int = 10,
    horizon: int = 10_000,
    seed: int = 0,
    time_limit: float | None = None,
    progress: Progress | None = None,
) -> Budget:
    """Say in four ways how many queries a goal takes.

    Where all targets' best queries earn the same, that is alpha. With an alpha the theorems speak of `LeastSquares`
    inside Algorithm 2; without one of `Optimistic`, and the dimension is the largest at any value the truth can have.

    Parameters
    ----------
    problem
        The table.
    goal
        What is asked for.
    learner, runs, seed
        Who asks in the simulation, how often each candidate is the truth, and where chance comes from.
    horizon
        When a simulated run gives up.
    time_limit
        Seconds for the dimension; after that the theorems take the upper end of what is known.
    progress
        Called after each simulated run, with 1.

    Examples
    --------
    >>> from warmer.problems import needle
    >>> found = budget(needle(n_arms=4), Goal(epsilon=0.5, delta=0.05, sigma=0.5), runs=2)
    >>> found.theorem.n_queries, found.anytime.n_queries, found.in_turn, found.trials.quantile(0.5)
    (5590972, 35855, 28, 6)
    """
    goal = _with_common_alpha(problem, goal)
    viable = _viable(problem, goal)
    dimension = _dimension(problem, goal, time_limit)
    declared = float(problem.self_evaluations.min() if goal.alpha is None else as_number("alpha", goal.alpha))
    settings = Settings(declared, goal.delta, goal.sigma, horizon, goal.epsilon)
    theorems = _Theorems(problem, goal, dimension.upper, int(viable.size))
    candidates = viable[problem.valid_targets[viable]]
    asked: dict[str, Any] = {"alpha": goal.alpha, "epsilon": goal.epsilon, "delta": goal.delta, "sigma": goal.sigma}
    return Budget(
        problem=problem,
        goal=goal,
        dimension=dimension,
        theorem=theorems.paper(),
        anytime=theorems.sharper(),
        in_turn=theorems.in_turn(),
        trials=try_candidates(
            problem,
            settings,
            learner=learner,
            candidates=candidates,
            runs=runs,
            seed=seed,
            progress=progress,
        ),
        dilemma=hardest_dilemma(problem, candidates, **asked),
        crowd=hardest_crowd(problem, candidates, **asked),
    )


def common_alpha(problem: Problem) -> Any:
    """What every target's best query earns, exactly where the table is exact; None where they differ."""
    values = problem.self_evaluations
    return entry(problem, int(problem.best_queries[0]), 0) if values.min() == values.max() else None


@dataclass(frozen=True)
class _Theorems:
    problem: Problem
    goal: Goal
    dimension: int
    n_viable: int

    @property
    def sigma(self) -> float:
        """No reward in a range of length 2s is noisier than s."""
        return min(self.goal.sigma, self.problem.scale)

    def paper(self) -> Plan:
        r"""The printed $64d^{5/2}C/\epsilon^2$ and $C=128\ln(2T|Z|/\delta)$, four times that with optimism."""
        scale, delta = self.problem.scale, self.goal.delta / 2
        n_targets, times = (self.problem.n_targets, 4) if self.goal.alpha is None else (self.n_viable, 1)

        def error_budget(horizon: int) -> float:
            return times * paper_error_budget(n_targets=n_targets, horizon=horizon, delta=delta, scale=scale)

        horizon = pac_horizon(
            dimension=self.dimension, epsilon=self.goal.epsilon, error_budget=error_budget, scale=scale
        )
        return self._plan(horizon, sigma=scale)

    def sharper(self) -> Plan:
        """The repaired count of bad queries, and an error budget that holds at all times and knows sigma."""
        low, top = self.problem.reward_range[0], float(self.problem.self_evaluations.max())
        level = top if self.goal.alpha is None else float(as_number("alpha", self.goal.alpha))
        horizon = sharper_pac_horizon(
            dimension=self.dimension,
            epsilon=self.goal.epsilon,
            error_budget=self._anytime_budget(self.goal.delta / 2),
            reach=level - low,
            scale=self.problem.scale,
        )
        return self._plan(horizon, sigma=self.sigma)

    def in_turn(self) -> int:
        """No dimension: each query equally often, with the certificate or with the best mean, whichever is sooner."""
        shared: dict[str, Any] = {
            "n_queries": int(self.problem.legal_queries.size),
            "delta": self.goal.delta,
            "sigma": self.sigma,
        }
        by_means = every_query_answers(epsilon=self.goal.epsilon, **shared)
        separation = _separation(self.problem, self.goal.epsilon)
        if math.isinf(separation):
            return 0  # nobody ever objects: any candidate's best query is good enough
        return min(by_means, in_turn_answers(n_targets=self.problem.n_targets, separation=separation, **shared))

    def _anytime_budget(self, delta: float) -> float:
        if self.goal.alpha is not None:
            return anytime_error_budget(n_targets=self.n_viable, delta=delta, sigma=self.sigma)
        n_targets = self.problem.n_targets
        radius = anytime_radius(n_targets=n_targets, delta=delta / 2, sigma=self.sigma)
        return loss_ball_error_budget(n_targets=n_targets, radius=radius, delta=delta / 2, sigma=self.sigma)

    def _plan(self, horizon: int, *, sigma: float) -> Plan:
        epsilon, delta = self.goal.epsilon, self.goal.delta
        n_candidates = pac_candidates(delta=delta)
        return Plan(
            horizon, n_candidates, pac_repeats(epsilon=epsilon, delta=delta, n_candidates=n_candidates, sigma=sigma)
        )


def _with_common_alpha(problem: Problem, goal: Goal) -> Goal:
    alpha = common_alpha(problem) if goal.alpha is None else goal.alpha
    return Goal(goal.epsilon, goal.delta, goal.sigma, alpha)


def _viable(problem: Problem, goal: Goal) -> Array:
    """The targets that can be the truth: all, or those that reach a given alpha."""
    if goal.alpha is None:
        return np.arange(problem.n_targets)
    alpha, values = float(as_number("alpha", goal.alpha)), problem.self_evaluations
    viable = np.flatnonzero(at_least(values, alpha, problem.slack))
    if viable.size == 0:
        raise InvalidValueError(
            f"alpha must be reached by some target's own best query; the best is {values.max():g}, got {alpha:g}."
        )
    return viable


def _separation(problem: Problem, epsilon: float) -> float:
    """The least squared distance, over all queries, of a target from one to whose best query it objects."""
    rho = np.asarray(problem.rho[problem.legal_queries], dtype=float)
    least = math.inf
    for truth in range(problem.n_targets):
        gaps = problem.self_evaluations - problem.rho[problem.best_queries[truth]]
        objecting = np.asarray(~at_most(gaps, epsilon, problem.slack))
        if objecting.any():
            least = min(least, float(((rho[:, objecting] - rho[:, [truth]]) ** 2).sum(axis=0).min()))
    return least


def _dimension(problem: Problem, goal: Goal, time_limit: float | None) -> Dimension:
    """The bracket at the given alpha; without one, at all values that the truth can have, the largest of each end."""
    deadline = None if time_limit is None else time.monotonic() + check_positive("time_limit", time_limit)
    epsilon = Fraction(3, 4) * as_number("epsilon", goal.epsilon)
    lower = upper = 1
    for alpha, size in _levels(problem, goal):  # from the lowest up: the sizes fall
        if size <= lower:
            continue  # no sequence is longer than there are alternatives
        left = None if deadline is None else deadline - time.monotonic()
        if left is not None and left <= 0:
            upper = max(upper, size)
            continue
        found = dissimilarity_dimension(problem, alpha=alpha, epsilon=epsilon, monotone=True, time_limit=left)
        lower, upper = max(lower, found.lower), max(upper, found.upper)
    return Dimension(lower, max(lower, upper))


def _levels(problem: Problem, goal: Goal) -> list[tuple[Any, int]]:
    """Each alpha with a bound on the dimension there: different targets and different queries, that many at most."""
    values = problem.self_evaluations
    if goal.alpha is not None:
        return [(goal.alpha, int(_viable(problem, goal).size))]
    _, first = np.unique(values, return_index=True)
    n_queries = problem.legal_queries.size
    return [
        (
            entry(problem, int(problem.best_queries[target]), int(target)),
            min(n_queries, int((values >= values[target]).sum())),
        )
        for target in first
    ]
