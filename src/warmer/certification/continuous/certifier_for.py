"""Which certifier goes with which problem."""

from collections.abc import Callable
from functools import singledispatch
from typing import Any

from warmer.certification.certifier import Certifier
from warmer.certification.continuous.arms import ArmsModel
from warmer.certification.continuous.ball import BallModel
from warmer.certification.continuous.family_certifier import FamilyCertifier
from warmer.certification.continuous.glm import GLMModel
from warmer.certification.continuous.linear import LinearModel
from warmer.certification.continuous.questions import Model
from warmer.certification.goals import Goal
from warmer.certification.goals.goal import check_goal
from warmer.certification.noise import Bounded
from warmer.certification.sharded.certifier import ShardedCertifier
from warmer.families import GLM, KArms, Linear, LinearBall, ReLU, Separation, Sphere
from warmer.model import Problem
from warmer.model.checks import check_probability
from warmer.model.errors import InvalidValueError
from warmer.model.sharded import ShardedProblem

__all__ = ["certifier_for"]


@singledispatch
def certifier_for(
    problem: Any,
    goal: Goal,
    *,
    noise: Any = None,
    delta: float = 0.05,
    prior: Any = None,
    tolerance: float | None = None,
) -> Any:
    """The certifier for a table or a class of targets; the parameters are those of `Certifier`.

    Examples
    --------
    >>> from warmer.certification.goals import BestQuery
    >>> type(certifier_for(Problem.from_table([[0.5]]), BestQuery(0.1))).__name__
    'Certifier'
    >>> type(certifier_for(KArms(3), BestQuery(0.1))).__name__
    'FamilyCertifier'
    """
    raise InvalidValueError(f"nothing can be certified of {type(problem).__name__}; it takes a Problem or a family.")


@certifier_for.register
def _for_tables(problem: Problem, goal: Goal, **declared: Any) -> Certifier:
    return Certifier(problem, goal, **declared)


def _for_family(build: Callable[..., Model]) -> Callable[..., FamilyCertifier]:
    """The certifier of a class, around the model that this builds."""

    def made(
        family: Any,
        goal: Goal,
        *,
        noise: Any = None,
        delta: float = 0.05,
        prior: Any = None,
        tolerance: float | None = None,
    ) -> FamilyCertifier:
        if prior is not None:
            raise InvalidValueError(f"a prior needs a table of candidates, and {type(family).__name__} has none.")
        if tolerance:
            raise InvalidValueError(
                f"{type(family).__name__} takes its class to be exactly right, got tolerance {tolerance:g}; leave it "
                "out, or use a table of candidates."
            )
        check_goal(goal)
        model = build(family, Bounded() if noise is None else noise, check_probability("delta", delta))
        return FamilyCertifier(family, model, goal, noise=noise, delta=delta)

    return made


def _refused(reason: str) -> Callable[..., Any]:
    """No certifier, and why."""

    def refuse(family: Any, goal: Goal, **declared: Any) -> Any:
        raise InvalidValueError(f"nothing can be certified of {type(family).__name__}: {reason}.")

    return refuse


certifier_for.register(ShardedProblem, ShardedCertifier)
certifier_for.register(KArms, _for_family(ArmsModel))
certifier_for.register(Linear, _for_family(LinearModel))
certifier_for.register(GLM, _for_family(GLMModel))
certifier_for.register(LinearBall, _for_family(BallModel))
certifier_for.register(Sphere, _for_family(BallModel))
certifier_for.register(
    ReLU, _refused("the parameters that fit the answers are no convex set, so none can be ruled out")
)
certifier_for.register(
    Separation, _refused("one answer tells next to nothing about its other queries; use a table of candidates")
)
