"""Goal and noise as a person chooses them on a page, or a program in a request."""

from typing import Any

from warmer import goals, noise
from warmer.analysis import Task
from warmer.model import Problem
from warmer.model.errors import InvalidValueError
from warmer.web.api.fields import Field

GOALS = {
    "best-query": "a query whose expected reward is within this of the best",
    "which-target": "which candidate is true",
    "best-above": "whether some query is worth more than this",
}
"""What can be decided, in words."""

NOISES = {
    "bounded": "nothing is known but the range of answers",
    "sub-gaussian": "answers scatter around their mean with a standard deviation of at most this",
    "bounded-noise": "answers are always within this of their mean",
    "coin": "every answer is one of two values, the ends of the range",
    "gaussian": "Gaussian noise, of unknown size",
}
"""What can be declared about the noise, in words."""

FIELDS = (
    Field("goal", "text", f"What is to be decided: {', '.join(GOALS)}."),
    Field("epsilon", "number", "For best-query: how close to the best is good enough."),
    Field("threshold", "number", "For best-above."),
    Field("noise", "text", f"What is known of the noise: {', '.join(NOISES)}."),
    Field("sigma", "number", "For sub-gaussian: the standard deviation."),
    Field("width", "number", "For bounded-noise."),
    Field("delta", "number", "The probability with which the answer may be wrong; 0.05 where missing."),
)


def task_of(given: dict[str, Any], problem: Problem) -> Task:
    """What the fields ask for.

    Examples
    --------
    >>> table = Problem.from_table([[0.0, 1.0]])
    >>> task_of({"goal": "best-query", "epsilon": 0.1, "noise": "sub-gaussian", "sigma": 0.2}, table).noise
    SubGaussian(sigma=0.2)
    """
    goal = _goal(given, problem)
    epsilon = goal.epsilon if isinstance(goal, goals.BestQuery) else problem.scale / 10
    return Task(epsilon, delta=given.get("delta", 0.05), goal=goal, noise=_noise(given))


def _goal(given: dict[str, Any], problem: Problem) -> Any:
    name = given.get("goal", "best-query")
    if name == "best-query":
        return goals.BestQuery(given.get("epsilon", problem.scale / 10))
    if name == "which-target":
        return goals.WhichTarget()
    if name == "best-above":
        if "threshold" not in given:
            raise InvalidValueError("say which threshold the best query is compared with.")
        return goals.BestAbove(given["threshold"])
    raise InvalidValueError(f"there is no goal {name!r}; choose one of {', '.join(GOALS)}.")


def _noise(given: dict[str, Any]) -> Any:
    name = given.get("noise", "bounded")
    for kind, amount in (("sub-gaussian", "sigma"), ("bounded-noise", "width")):
        if name == kind and amount not in given:
            raise InvalidValueError(f"say how large the noise is ({amount}).")
    made = {
        "bounded": noise.Bounded,
        "sub-gaussian": lambda: noise.SubGaussian(given["sigma"]),
        "bounded-noise": lambda: noise.BoundedNoise(given["width"]),
        "coin": noise.Coin,
        "gaussian": noise.Gaussian,
    }
    if name not in made:
        raise InvalidValueError(f"there is no noise {name!r}; choose one of {', '.join(NOISES)}.")
    return made[name]()
