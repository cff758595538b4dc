r"""How many queries will it take? What theorems guarantee, what simulation shows, and what no method beats."""

from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from warmer.analysis.budgets.guarantees import Guarantees, violations
from warmer.analysis.budgets.lower_bounds import (
    ManyTargetsBound,
    TwoTargetsBound,
    many_targets_bound,
    two_targets_bound,
)
from warmer.analysis.budgets.trials import Progress, Trials, simulate_candidates
from warmer.analysis.task import Task
from warmer.learners import Plan
from warmer.learners.dimension import guarantee_dimension
from warmer.model import Array, Label, Problem
from warmer.model.checks import at_least
from warmer.model.errors import InvalidValueError

__all__ = ["Budget", "Dimension", "budget"]


class Dimension(NamedTuple):
    r"""$\bar d_\rho(Z,\alpha,\frac34\epsilon)$ lies between the two, at whichever $\alpha$ counts."""

    lower: int
    upper: int


@dataclass(frozen=True, eq=False)
class Budget:
    """Numbers of queries for one task, side by side."""

    problem: Problem
    task: Task
    """As it is on the problem, with the common alpha where there is one."""
    declared_sigma: float
    """The noise as it was declared; more than half the reward range counts as half of it."""
    violations: tuple[Label, ...]
    """The candidates that value another query above their own; where there are any, no theorem applies."""
    dimension: Dimension
    theorem: Plan | None
    """Algorithm 2 with the paper's constants; None where the theorem does not apply."""
    anytime: Plan | None
    """Algorithm 2 with constants that the same proof allows: an error budget for all times, and fewer bad queries."""
    round_robin: int
    """Every query in turn until the certificate comes, or so often that the best mean is good enough anyway.

    The certificate at half of delta: with the rest it may be late."""
    trials: Trials
    """Simulated runs, stopped by the certificate."""
    two_targets: TwoTargetsBound | None
    """Two candidates that no method can tell apart sooner; None where no two need to be."""
    many_targets: ManyTargetsBound | None
    """Many candidates that no method can tell apart sooner; None where they demand nothing."""

    @property
    def hardest(self) -> TwoTargetsBound | ManyTargetsBound | None:
        """What demands the most answers; None where no bound is known."""
        known = [bound for bound in (self.two_targets, self.many_targets) if bound is not None]
        return max(known, key=lambda bound: bound.n_answers, default=None)

    @property
    def lower_bound(self) -> float | None:
        """What no method can beat on average; None where no bound is known."""
        return None if self.hardest is None else self.hardest.n_answers

    @property
    def algorithm(self) -> str:
        """Which search the two theorems speak of."""
        return "Algorithm 1" if self.task.alpha is not None else "Algorithm 3"


def budget(
    problem: Problem,
    task: Task,
    *,
    learner: str = "elimination",
    runs: int = 10,
    horizon: int = 10_000,
    seed: int = 0,
    dimension: Dimension | None = None,
    time_limit: float | None = None,
    progress: Progress | None = None,
) -> Budget:
    """Say in four ways how many queries a task takes.

    Where all targets' best queries earn the same, that is alpha. With an alpha the theorems speak of `LeastSquares`
    inside Algorithm 2; without one of `Optimistic`, and the dimension is the largest at any value the truth can have.

    Parameters
    ----------
    problem
        The table, declared exact: no row holds for one that may be wrong.
    task
        What is asked for.
    learner, runs, seed
        Who asks in the simulation, how often each candidate is the truth, and where chance comes from.
    horizon
        When a simulated run gives up.
    dimension
        The bracket of the dimension, where it is known already; searched for where None.
    time_limit
        Seconds for that search; after that the theorems take the upper end of what is known.
    progress
        Called now and then with the number of simulated runs since the last call.

    Examples
    --------
    >>> from warmer.problems import needle
    >>> found = budget(needle(n_arms=4), Task(epsilon=0.5, delta=0.05, sigma=0.5), runs=2)
    >>> found.theorem.n_queries, found.anytime.n_queries, found.round_robin, found.trials.quantile(0.5)
    (5590972, 35855, 32, 6)
    """
    problem.check_certifiable(most=0.0)
    declared_sigma, task = problem.sigma(task.sigma), task.on(problem)
    viable = _viable(problem, task)
    broken = violations(problem, viable)
    if dimension is None:
        epsilon = Fraction(3, 4) * task.exact_epsilon
        found = guarantee_dimension(problem, alpha=task.alpha, epsilon=epsilon, time_limit=time_limit)
        dimension = Dimension(found.lower, found.upper)
    guarantees = Guarantees(problem, task, int(viable.size))
    return Budget(
        problem=problem,
        task=task,
        declared_sigma=declared_sigma,
        violations=tuple(problem.targets[int(target)] for target in broken),
        dimension=dimension,
        theorem=None if broken.size else guarantees.theorem(dimension.upper),
        anytime=None if broken.size else guarantees.anytime(dimension.upper),
        round_robin=guarantees.round_robin(),
        trials=simulate_candidates(
            problem,
            task,
            learner=learner,
            candidates=viable,
            runs=runs,
            horizon=horizon,
            seed=seed,
            progress=progress,
        ),
        two_targets=two_targets_bound(problem, task, viable),
        many_targets=many_targets_bound(problem, task, viable),
    )


def _viable(problem: Problem, task: Task) -> Array:
    """The targets that can be the truth: all, or those that reach a given alpha."""
    if task.level is None:
        return np.arange(problem.n_targets)
    values = problem.self_evaluations
    viable = np.flatnonzero(at_least(values, task.level, problem.slack))
    if viable.size == 0:
        raise InvalidValueError(
            f"alpha must be reached by some target's own best query; the best is {values.max():g}, got {task.level:g}."
        )
    return viable
