"""What the regret of a learner cannot exceed: the theorems' curves, and the regret of always asking the worst."""

import math
from typing import NamedTuple

import numpy as np

from warmer.analysis.outcomes import Comparison
from warmer.bounds import anytime_error_budget, paper_error_budget, regret_bound
from warmer.model import Array

__all__ = ["RegretBound", "regret_bounds"]


class RegretBound(NamedTuple):
    """A bound on the regret so far, at every round of a comparison's `rounds`."""

    name: str
    values: Array


def regret_bounds(comparison: Comparison, *, dimension: int) -> list[RegretBound]:
    r"""The regret theorem for Algorithm 1 with the paper's error budget and with the anytime one, and the worst of all.

    Parameters
    ----------
    comparison
        Whose rounds, targets and sigma count.
    dimension
        The monotone dimension at $\epsilon=1/T$ (times the scale), or more; it is no smaller at fewer rounds.

    Examples
    --------
    >>> from warmer import environments, problems
    >>> from warmer.analysis import Rules, compare
    >>> problem = problems.needle(n_arms=3)
    >>> played = compare([environments.Coin(problem, 1)], ["uniform"], Rules(horizon=9, seed=0, epsilon=0.1))
    >>> [ceiling.name for ceiling in regret_bounds(played, dimension=3)]
    ['theorem', 'anytime theorem', 'the worst query always']
    """
    problem, rules = comparison.problem, comparison.rules
    n_targets, scale = problem.n_targets, problem.scale
    sigma = min(comparison.sigma, scale)
    small = anytime_error_budget(n_targets=n_targets, delta=rules.delta, sigma=sigma)
    rounds = comparison.rounds.tolist()
    paper, anytime = [], []
    for horizon in rounds:
        large = paper_error_budget(n_targets=n_targets, horizon=horizon, delta=rules.delta, scale=scale)
        least = scale**2 * math.log(2 * horizon)  # below it the theorem is silent
        paper.append(_bound(dimension, max(large, least), horizon, scale))
        anytime.append(_bound(dimension, max(small, least), horizon, scale))
    top = float(problem.self_evaluations.max()) if rules.alpha is None else rules.alpha
    worst = comparison.rounds * (top - float(problem.rho.min()))
    return [
        RegretBound("theorem", np.array(paper)),
        RegretBound("anytime theorem", np.array(anytime)),
        RegretBound("the worst query always", worst),
    ]


def _bound(dimension: int, error_budget: float, horizon: int, scale: float) -> float:
    return regret_bound(dimension=dimension, error_budget=error_budget, horizon=horizon, scale=scale)
