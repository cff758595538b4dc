r"""How many queries will it take? What theorems promise, what simulation shows, and what nobody can beat."""

import time
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from warmer.analysis.budgets.guarantees import Guarantees
from warmer.analysis.budgets.lower_bounds import (
    ManyTargetsBound,
    TwoTargetsBound,
    many_targets_bound,
    two_targets_bound,
)
from warmer.analysis.budgets.trials import Progress, Trials, simulate_candidates
from warmer.analysis.goal import Goal, common_alpha, met
from warmer.dimensions import dissimilarity_dimension
from warmer.learners import Plan, Settings
from warmer.model import Array, Problem
from warmer.model.checks import at_least, check_positive
from warmer.model.errors import InvalidValueError
from warmer.model.numbers import as_number

__all__ = ["Budget", "budget"]


class Dimension(NamedTuple):
    r"""$\bar d_\rho(Z,\alpha,\frac34\epsilon)$ lies between the two, at whichever $\alpha$ counts."""

    lower: int
    upper: int


@dataclass(frozen=True, eq=False)
class Budget:
    """Numbers of queries for one goal, side by side."""

    problem: Problem
    goal: Goal
    """As `met` by the problem, with the common alpha where there is one."""
    declared_sigma: float
    """The noise as it was declared; more than half the reward range counts as half of it."""
    dimension: Dimension
    theorem: Plan
    """Algorithm 2 with the paper's constants."""
    anytime: Plan
    """Algorithm 2 with constants that the same proof allows: an error budget for all times, and fewer bad queries."""
    in_turn: int
    """Every query in turn until the certificate comes, or so often that the best mean is good enough anyway.

    The certificate at half of delta: with the rest it may be late."""
    trials: Trials
    """Simulated runs, stopped by the certificate."""
    dilemma: TwoTargetsBound | None
    """Two candidates that no method can tell apart sooner; None where they demand less than 1 answer."""
    crowd: ManyTargetsBound | None
    """Many candidates that no method can tell apart sooner; None where they demand less than 1 answer."""

    @property
    def hardest(self) -> TwoTargetsBound | ManyTargetsBound | None:
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
    (5590972, 35855, 32, 6)
    """
    declared_sigma, goal = goal.sigma, _with_common_alpha(problem, met(problem, goal))
    viable = _viable(problem, goal)
    dimension = _dimension(problem, goal, time_limit)
    level = float(problem.self_evaluations.min() if goal.alpha is None else as_number("alpha", goal.alpha))
    settings = Settings(level, goal.delta, goal.sigma, horizon, goal.epsilon)
    theorems = Guarantees(problem, goal, dimension.upper, int(viable.size))
    candidates = viable[problem.valid_targets[viable]]
    asked: dict[str, Any] = {"alpha": goal.alpha, "epsilon": goal.epsilon, "delta": goal.delta, "sigma": goal.sigma}
    return Budget(
        problem=problem,
        goal=goal,
        declared_sigma=declared_sigma,
        dimension=dimension,
        theorem=theorems.paper(),
        anytime=theorems.sharper(),
        in_turn=theorems.in_turn(),
        trials=simulate_candidates(
            problem,
            settings,
            learner=learner,
            candidates=candidates,
            runs=runs,
            seed=seed,
            progress=progress,
        ),
        dilemma=two_targets_bound(problem, candidates, **asked),
        crowd=many_targets_bound(problem, candidates, **asked),
    )


def _with_common_alpha(problem: Problem, goal: Goal) -> Goal:
    alpha = common_alpha(problem) if goal.alpha is None else goal.alpha
    return Goal(goal.exact_epsilon, goal.delta, goal.sigma, alpha)


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


def _dimension(problem: Problem, goal: Goal, time_limit: float | None) -> Dimension:
    """The bracket at the given alpha; without one, at all values that the truth can have, the largest of each end."""
    deadline = None if time_limit is None else time.monotonic() + check_positive("time_limit", time_limit)
    epsilon = Fraction(3, 4) * goal.exact_epsilon
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
            problem.entry(int(problem.best_queries[target]), int(target)),
            min(n_queries, int((values >= values[target]).sum())),
        )
        for target in first
    ]
