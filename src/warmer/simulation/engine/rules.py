"""Which learners compiled runs know, read into numbers and arrays."""

from collections.abc import Callable
from typing import Any

import numpy as np

from warmer.certification.memory import fixed
from warmer.estimation import DistanceBall, LossBall, TableFit
from warmer.estimation.blocks import block_tops
from warmer.families import KArms
from warmer.families.arms import ArmsDistanceBall, ArmsIntervals
from warmer.learners import UCB1, Elimination, LeastSquares, Optimistic, Thompson, Uniform
from warmer.model import Problem
from warmer.simulation.engine.forms import (
    ANY,
    DISTANCE_BALL,
    DISTANCE_TOPS,
    DRAWN,
    INDEX,
    LEAST_LOSS,
    LIFTED,
    LOSS_BALL,
    SURVIVORS,
    TOPS,
    Rule,
)


def rule_of(learner: Any) -> Rule | None:
    """The learner as compiled runs read it; None where they do not know it, or its problem is no plain table."""
    reader = _READERS.get(type(learner))
    if reader is None:
        return None
    problem = learner.problem
    if isinstance(problem, Problem):
        rho = np.asarray(problem.rho)
        return reader(learner) if rho.flags.c_contiguous and rho.dtype in (np.float64, np.float32) else None
    return reader(learner) if isinstance(problem, KArms) else None


def _least_squares(learner: LeastSquares) -> Rule:
    problem, alpha = learner.problem, float(learner.alpha)
    if isinstance(problem, KArms):
        return _arms(problem, LIFTED, radius=min(alpha, problem.means[1]))
    return _table(problem, LEAST_LOSS, alpha=alpha)


def _optimistic(learner: Optimistic) -> Rule | None:
    problem, ball = learner.problem, learner.ball
    if isinstance(ball, LossBall):
        return _table(problem, LOSS_BALL, radius=ball.radius)
    if isinstance(ball, DistanceBall):
        return _table(problem, DISTANCE_BALL, radius=ball.radius)
    if isinstance(ball, ArmsIntervals):
        return _arms(problem, TOPS, variance=ball.sigma**2, log_arms=ball.log_arms)
    return _arms(problem, DISTANCE_TOPS, radius=ball.radius) if isinstance(ball, ArmsDistanceBall) else None


def _thompson(learner: Thompson) -> Rule | None:
    problem = learner.problem
    if learner.noise is not None or not isinstance(problem, Problem):
        return None
    return _table(problem, DRAWN, scale=2 * problem.sigma(learner.sigma) ** 2)


def _elimination(learner: Elimination) -> Rule:
    problem = learner.problem
    ball = TableFit(problem).anytime_ball(delta=learner.delta, sigma=problem.sigma(learner.sigma))
    return _table(problem, SURVIVORS, radius=ball.radius)


_READERS: dict[type, Callable[[Any], Rule | None]] = {
    LeastSquares: _least_squares,
    Optimistic: _optimistic,
    Thompson: _thompson,
    Elimination: _elimination,
    UCB1: lambda learner: _table(learner.problem, INDEX, radius=2 * learner.problem.scale),
    Uniform: lambda learner: _table(learner.problem, ANY),
}


def _table(problem: Any, kind: int, *, alpha: float | None = None, radius: float = 0.0, scale: float = 0.0) -> Rule:
    fits = LEAST_LOSS <= kind <= SURVIVORS
    values = problem.self_evaluations if fits else problem.self_evaluations[:0]
    return Rule(
        kind=kind,
        rho=fixed(problem.rho),
        best=fixed(problem.best_queries),
        start=fixed(TableFit(problem).start(alpha).excess if fits else values),
        values=fixed(values),
        tops=fixed(block_tops(values)),
        legal=fixed(problem.legal_queries),
        radius=float(radius),
        scale=float(scale),
        low=0.0,
        high=0.0,
        log_arms=0.0,
    )


def _arms(problem: Any, kind: int, *, radius: float = 0.0, variance: float = 0.0, log_arms: float = 0.0) -> Rule:
    low, high = map(float, problem.means)
    nothing, nowhere = fixed(np.empty(0)), np.empty(0, dtype=np.intp)
    return Rule(
        kind=kind,
        rho=fixed(np.empty((0, 0))),
        best=fixed(nowhere.astype(np.int32)),
        start=nothing,
        values=nothing,
        tops=nothing,
        legal=fixed(nowhere),
        radius=float(radius),
        scale=float(variance),
        low=low,
        high=high,
        log_arms=float(log_arms),
    )
