"""What is to be decided, and what is declared about the noise, in words."""

from typing import Any

from warmer.analysis import Task
from warmer.certification.goals import BestAbove, BestQuery, ValueOf, WhichGroup, WhichTarget
from warmer.certification.noise import Bounded, BoundedNoise, Coin, Gaussian, SubGaussian
from warmer.report.text import level_in_words


def decided_in_words(task: Task) -> str:
    """What is to be decided.

    Examples
    --------
    >>> decided_in_words(Task(epsilon=0.1))
    'a query whose expected reward is within 0.1 of the best'
    >>> decided_in_words(Task(epsilon=0.1, goal=BestAbove(0.5)))
    'whether some query is worth more than 0.5'
    """
    goal: Any = task.goal
    match goal:
        case BestQuery():
            best = "the best" if task.alpha is None else f"alpha = {level_in_words(task.alpha)}"
            return f"a query whose expected reward is within {task.epsilon:g} of {best}"
        case WhichTarget():
            return "which candidate is true"
        case WhichGroup():
            return f"the {goal.groups if isinstance(goal.groups, str) else 'group'} of the true candidate"
        case ValueOf():
            name = goal.values if isinstance(goal.values, str) else "the value"
            return f"{name} of the true candidate, up to {goal.tolerance:g}"
        case BestAbove():
            near = f" (either answer is right within {goal.epsilon:g} of it)" if goal.epsilon else ""
            return f"whether some query is worth more than {goal.threshold:g}{near}"
    return f"{goal!r}"


def declared_in_words(task: Task) -> str:
    """What is declared about the noise.

    Examples
    --------
    >>> declared_in_words(Task(epsilon=0.1, sigma=0.5)), declared_in_words(Task(epsilon=0.1))
    ('sub-Gaussian noise with sigma = 0.5', 'nothing declared about the noise but the reward range')
    """
    noise: Any = task.noise
    match noise:
        case None | Bounded():
            return "nothing declared about the noise but the reward range"
        case SubGaussian():
            sigma = f"sigma = {noise.sigma:g}" if isinstance(noise.sigma, int | float) else "a sigma for each query"
            return f"sub-Gaussian noise with {sigma}"
        case Coin():
            return "every answer is one of the two ends of the reward range"
        case BoundedNoise():
            return f"every answer is within {noise.width:g} of its mean"
        case Gaussian():
            return "Gaussian noise of unknown deviation"
    return f"{noise!r}"
