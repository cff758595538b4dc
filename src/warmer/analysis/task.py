"""What is asked for, and what that means for one problem."""

from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from warmer.certification.goals import BestQuery
from warmer.certification.noise import SubGaussian
from warmer.model import Problem
from warmer.model.checks import check_positive, check_probability
from warmer.model.numbers import as_number

__all__ = ["Task", "common_alpha"]


@dataclass(frozen=True)
class Task:
    r"""A query worth at least $\alpha-\epsilon$, with probability at least $1-\delta$, from answers of this noise.

    Parameters
    ----------
    epsilon, delta
        The accuracy, a number or text such as "1/10", and the probability with which it may be missed.
    sigma
        The noise of one answer is sigma-sub-Gaussian; where None, what is known of it: that of the environments, or
        half the length of the reward range.
    alpha
        A value that the truth is known to reach; where None, $\alpha^*$, what the truth's own best query earns.

    Examples
    --------
    >>> Task(epsilon="1/10", sigma=0.5).epsilon
    0.1
    """

    epsilon: Any
    """As a float, whatever it was given as."""
    delta: float = 0.05
    sigma: Any = None
    alpha: Any = None
    exact_epsilon: Fraction = field(init=False, repr=False)
    """As it was given; a float is read as the decimal that it prints as."""

    def __post_init__(self) -> None:
        number = as_number("epsilon", self.epsilon)
        object.__setattr__(self, "epsilon", check_positive("epsilon", number))
        object.__setattr__(self, "exact_epsilon", number)
        check_probability("delta", self.delta)
        if self.sigma is not None:
            check_positive("sigma", self.sigma)
        if self.alpha is not None:
            as_number("alpha", self.alpha)

    @property
    def level(self) -> float | None:
        """The alpha as a float, where one is given."""
        return None if self.alpha is None else float(as_number("alpha", self.alpha))

    @property
    def goal(self) -> BestQuery:
        """What is to be certified."""
        return BestQuery(self.epsilon)

    @property
    def noise(self) -> SubGaussian:
        """What is declared about the noise."""
        return SubGaussian(self.sigma)

    def on(self, problem: Problem) -> "Task":
        """The task as this problem has it, with a sigma of at most half the reward range, and the common alpha if any.

        Examples
        --------
        >>> Task(epsilon=0.1, sigma=3.0).on(Problem.from_table([[0.5]], reward_range=(0, 1)))
        Task(epsilon=0.1, delta=0.05, sigma=0.5, alpha=0.5)
        """
        sigma = min(problem.sigma(self.sigma), problem.scale)  # rewards in a range of length 2s are s-sub-Gaussian
        alpha = common_alpha(problem) if self.alpha is None else self.alpha
        return replace(self, epsilon=self.exact_epsilon, sigma=sigma, alpha=alpha)


def common_alpha(problem: Problem) -> Any:
    """What every target's best query earns, exactly where the table is exact; None where they differ."""
    values = problem.self_evaluations
    return problem.entry(int(problem.best_queries[0]), 0) if values.min() == values.max() else None
