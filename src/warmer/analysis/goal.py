"""What is asked for, and what that means for one problem."""

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from warmer.model import Problem
from warmer.model.checks import check_positive, check_probability
from warmer.model.numbers import as_number

__all__ = ["Goal", "common_alpha", "met"]


@dataclass(frozen=True)
class Goal:
    r"""What is asked for: a query worth at least $\alpha-\epsilon$, with probability at least $1-\delta$.

    Parameters
    ----------
    epsilon, delta
        The accuracy, a number or text such as "1/10", and the probability with which it may be missed.
    sigma
        The noise of one answer is sigma-sub-Gaussian.
    alpha
        A value that the truth is known to reach; where None, $\alpha^*$, what the truth's own best query earns.

    Examples
    --------
    >>> Goal(epsilon="1/10", delta=0.05, sigma=0.5).epsilon
    0.1
    """

    epsilon: Any
    """As a float, whatever it was given as."""
    delta: float
    sigma: float
    alpha: Any = None
    exact_epsilon: Fraction = field(init=False, repr=False)
    """As it was given; a float is read as the decimal that it prints as."""

    def __post_init__(self) -> None:
        number = as_number("epsilon", self.epsilon)
        object.__setattr__(self, "epsilon", check_positive("epsilon", number))
        object.__setattr__(self, "exact_epsilon", number)
        check_probability("delta", self.delta)
        check_positive("sigma", self.sigma)
        if self.alpha is not None:
            as_number("alpha", self.alpha)


def met(problem: Problem, goal: Goal) -> Goal:
    """The goal as this problem has it: rewards in a range of length 2s are s-sub-Gaussian, so sigma is s at most.

    Examples
    --------
    >>> met(Problem.from_table([[0.5]], reward_range=(0, 1)), Goal(epsilon=0.1, delta=0.05, sigma=3.0)).sigma
    0.5
    """
    return Goal(goal.exact_epsilon, goal.delta, min(goal.sigma, problem.scale), goal.alpha)


def common_alpha(problem: Problem) -> Any:
    """What every target's best query earns, exactly where the table is exact; None where they differ."""
    values = problem.self_evaluations
    return problem.entry(int(problem.best_queries[0]), 0) if values.min() == values.max() else None
