"""What is asked for, and what that means for one problem."""

import reprlib
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import numpy as np

from warmer.certification.goals import BestQuery
from warmer.certification.goals.goal import check_goal
from warmer.certification.noise import Bounded, BoundedNoise, Coin, Gaussian, SubGaussian
from warmer.environments import Coin as Coins
from warmer.environments import RoundedGaussian, TargetEnvironment, TruncatedGaussian, UniformNoise
from warmer.learners import Settings
from warmer.model import Label, Problem
from warmer.model.checks import check_positive, check_probability
from warmer.model.errors import HypothesisError, InvalidValueError
from warmer.model.numbers import as_number


@dataclass(frozen=True)
class Task:
    r"""What is to be decided, with probability at least $1-\delta$, from answers of what noise.

    Parameters
    ----------
    epsilon
        A query is good within so much of the best: a number, or text such as "1/10".
    delta
        The probability with which the answer may be wrong.
    sigma
        The deviation of simulated answers, and without `noise` what is declared of them: a bound for all tails, which
        is the standard deviation if the noise is normal, uniform or evenly two-valued; for 0/1 answers say
        `noise=noise.Coin()`. Where None, what is known of it: that of the environments, or the noisiest answers that
        the declaration allows.
    alpha
        A value that the truth is known to reach; where None, $\alpha^*$, what the truth's own best query earns.
    goal
        What is to be decided; a query within epsilon of the best where None.
    noise
        What is declared about the noise; sub-Gaussian noise of deviation sigma where None, and the reward range alone
        where there is no sigma either.

    Examples
    --------
    >>> task = Task(epsilon="1/10", sigma=0.5)
    >>> task.goal, task.noise
    (BestQuery(epsilon=0.1), SubGaussian(sigma=0.5))
    """

    epsilon: Any
    """As a float, whatever it was given as."""
    delta: float = 0.05
    sigma: Any = None
    alpha: Any = None
    goal: Any = None
    noise: Any = None
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
        if self.goal is not None:
            check_goal(self.goal)
        if isinstance(self.noise, str | type | int | float):
            raise InvalidValueError(f"noise must be a declaration such as noise.SubGaussian(0.3), got {self.noise!r}.")
        if self.goal is None:
            object.__setattr__(self, "goal", BestQuery(self.epsilon))
        if isinstance(self.goal, BestQuery) and self.goal.epsilon != self.epsilon:
            raise InvalidValueError(f"epsilon is {self.epsilon:g} and the goal {self.goal}; they must agree.")
        if self.noise is None and self.sigma is not None:
            object.__setattr__(self, "noise", SubGaussian(self.sigma))
        if self.sigma is None and isinstance(self.noise, SubGaussian) and isinstance(self.noise.sigma, int | float):
            object.__setattr__(self, "sigma", self.noise.sigma)

    @property
    def level(self) -> float | None:
        """The alpha as a float, where one is given."""
        return None if self.alpha is None else float(as_number("alpha", self.alpha))

    @property
    def is_best_query(self) -> bool:
        """Whether a good query is what is to be found; the paper's theorems speak of nothing else."""
        return isinstance(self.goal, BestQuery)

    def on(self, problem: Problem) -> "Task":
        """The task as this problem has it: no deviation above half the reward range, and the common alpha if any.

        Examples
        --------
        >>> task = Task(epsilon=0.1, sigma=3.0).on(Problem.from_table([[0.5]], reward_range=(0, 1)))
        >>> task.sigma, task.alpha, task.noise
        (0.5, 0.5, SubGaussian(sigma=0.5))
        """
        alpha = common_alpha(problem) if self.alpha is None else self.alpha
        noise = Bounded() if self.noise is None else self.noise
        if isinstance(noise, SubGaussian):  # rewards in a range of length 2s are s-sub-Gaussian
            sigmas = np.minimum(noise.sigmas(problem), problem.scale)
            noise = SubGaussian(float(sigmas[0]) if np.ptp(sigmas) == 0 else sigmas.tolist())
        sigma = self.sigma
        if sigma is None and isinstance(noise, SubGaussian):
            sigma = float(noise.sigmas(problem).max())
        sigma = None if sigma is None else min(problem.sigma(sigma), problem.scale)
        return replace(self, epsilon=self.exact_epsilon, sigma=sigma, alpha=alpha, noise=noise)

    def declared_sigma(self, problem: Problem) -> float | None:
        """The sub-Gaussian deviation that the declared noise has at most; None where nothing bounds it."""
        match self.noise:
            case SubGaussian():
                return min(float(self.noise.sigmas(problem).max()), problem.scale)
            case BoundedNoise():
                return min(float(self.noise.width), problem.scale)
            case None | Bounded() | Coin():
                return problem.scale
        return None

    def environment(self, problem: Problem, target: Label) -> TargetEnvironment:
        """Simulated answers, if this target is the truth: as noisy as sigma or the declaration says.

        Examples
        --------
        >>> table = Problem.from_table([[0.5]])
        >>> [type(Task(0.1, sigma=sigma).environment(table, 0)).__name__ for sigma in (0.3, None)]
        ['TruncatedGaussian', 'Coin']
        """
        if isinstance(self.noise, Coin) or (self.sigma is None and isinstance(self.noise, None | Bounded)):
            return Coins(problem, target)
        if isinstance(self.noise, BoundedNoise):
            return UniformNoise(problem, target, width=self.noise.width)
        if self.sigma is None:
            raise HypothesisError(f"{self.noise} does not say how large the noise is; to simulate it, give sigma.")
        if isinstance(self.noise, Gaussian) and self.noise.resolution is not None:
            return RoundedGaussian(problem, target, sigma=self.sigma, resolution=self.noise.resolution)
        return TruncatedGaussian(problem, target, sigma=self.sigma)

    def settings(self, *, alpha: float, sigma: float, horizon: int) -> Settings:
        """What the learners of the catalogue are told."""
        return Settings(alpha, self.delta, sigma, horizon, self.epsilon, self.goal, self.noise)


def check_task(who: str, task: Any) -> None:
    """Raise unless this is a task."""
    if not isinstance(task, Task):
        raise InvalidValueError(f"{who} needs a Task such as Task(epsilon=0.1), got {reprlib.repr(task)}.")


def check_table(who: str, problem: Any) -> None:
    """Raise unless this is a problem with a table, in memory or in shards."""
    if not hasattr(problem, "check_certifiable"):
        got = reprlib.repr(problem) if isinstance(problem, str) else type(problem).__name__
        raise InvalidValueError(
            f"{who} needs a Problem, got {got}; read_problem(path) reads a file, Problem.from_table takes an array."
        )


def common_alpha(problem: Problem) -> Any:
    """What every target's best query earns, exactly where the table is exact; None where they differ."""
    values = problem.self_evaluations
    return problem.entry(int(problem.best_queries[0]), 0) if values.min() == values.max() else None
