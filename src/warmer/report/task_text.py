"""What is to be decided, and what is declared about the noise, in words."""

from typing import Any

from warmer.analysis import Task
from warmer.certification.goals import Accepts, BestAbove, BestDecision, BestQuery, ValueOf, WhichGroup, WhichTarget
from warmer.certification.noise import Bounded, BoundedNoise, Coin, Gaussian, SubGaussian
from warmer.model.words import by_the_table, exact, exact_sum
from warmer.report.text import level_in_words


def decided_in_words(task: Task, *, tolerance: float = 0.0) -> str:
    """What a task decides.

    Examples
    --------
    >>> decided_in_words(Task(epsilon=0.1))
    'a query whose expected reward is within 0.1 of the best'
    >>> decided_in_words(Task(epsilon=0.1, goal=BestAbove(0.5)))
    'whether some query is worth more than 0.5'
    """
    return goal_in_words(task.goal, alpha=task.alpha, tolerance=tolerance)


def goal_in_words(goal: Any, *, alpha: Any = None, tolerance: float = 0.0) -> str:
    """What is to be decided, and what a proof will say, if the table's entries are right within a tolerance.

    A goal of your own says it itself: what its `__str__` gives, where it has one.

    Examples
    --------
    >>> goal_in_words(BestQuery(5), tolerance=4)
    'a query whose expected reward is within 13 of the best (5 by the table, whose entries are right within 4)'
    """
    match goal:
        case BestQuery():
            best = "the best" if alpha is None else f"alpha = {level_in_words(alpha)}"
            within = exact_sum(goal.epsilon, tolerance, tolerance)
            return f"a query whose expected reward is within {within} of {best}{by_the_table(goal.epsilon, tolerance)}"
        case BestDecision():
            return f"a decision whose value is within {exact(float(goal.epsilon))} of the best decision"
        case WhichTarget():
            return "which candidate is true"
        case WhichGroup():
            return f"the {goal.groups if isinstance(goal.groups, str) else 'group'} of the true candidate"
        case ValueOf():
            name = goal.values if isinstance(goal.values, str) else "the value"
            return f"{name} of the true candidate, up to {exact(float(goal.tolerance))}"
        case BestAbove():
            near = exact_sum(goal.epsilon, tolerance)
            right = f"either answer is right within {near} of it{by_the_table(goal.epsilon, tolerance)}"
            return f"whether some query is worth more than {exact(float(goal.threshold))}" + (
                f"; {right}" if goal.epsilon or tolerance else ""
            )
        case Accepts():
            return "an answer that the true candidate accepts"
    return own_words(goal) or f"what {type(goal).__name__} asks, a goal of your own"


def declared_in_words(task: Task) -> str:
    """What a task declares about the noise.

    Examples
    --------
    >>> declared_in_words(Task(epsilon=0.1, sigma=0.5)), declared_in_words(Task(epsilon=0.1))
    ('sub-Gaussian noise with sigma = 0.5', 'nothing declared about the noise but the reward range')
    """
    return noise_in_words(task.noise)


def noise_in_words(noise: Any) -> str:
    """What is declared about the noise; a noise model of your own says it itself, as a goal does."""
    match noise:
        case None | Bounded():
            return "nothing declared about the noise but the reward range"
        case SubGaussian():
            is_one = isinstance(noise.sigma, int | float)
            sigma = f"sigma = {exact(noise.sigma)}" if is_one else "a sigma for each query"
            return f"sub-Gaussian noise with {sigma}"
        case Coin():
            return "every answer is one of the two ends of the reward range"
        case BoundedNoise():
            return f"every answer is within {exact(float(noise.width))} of its mean"
        case Gaussian():
            unit = "" if noise.resolution is None else f", readings rounded to multiples of {noise.resolution:g}"
            return f"Gaussian noise of unknown deviation{unit}"
    return own_words(noise) or f"noise as {type(noise).__name__} has it, a model of your own"


def own_words(thing: Any) -> str:
    """What an object's class says of it by a `__str__` of its own; empty where it has none."""
    has_words = any("__str__" in vars(kind) for kind in type(thing).__mro__ if kind is not object)
    return str(thing) if has_words else ""
