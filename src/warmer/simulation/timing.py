"""What one ask and tell costs on this machine."""

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from warmer.model import Environment, Learner, Problem
from warmer.model.checks import check_positive
from warmer.simulation.own_parts import read_noise

_WARMUPS = 3
"""Steps off the clock: the first calls compile."""


def step_seconds(learner: Learner[Any], environment: Environment, *, seconds: float = 0.3, seed: int = 0) -> float:
    """The least time of one ask and tell among as many as fit into so many seconds; noise of the machine only adds.

    Examples
    --------
    >>> from warmer import UCB1, environments
    >>> problem = Problem.from_table([[0.5]])
    >>> step_seconds(UCB1(problem), environments.Exact(problem, 0), seconds=0.01) > 0
    True
    """
    rng = np.random.default_rng(seed)
    [noise] = read_noise(environment, 1, rng, start=0)
    state = learner.init(rng)

    def step() -> None:
        nonlocal state
        query = learner.ask(state, rng)
        state = learner.tell(state, query, environment.reward(query, noise))

    return _least(step, seconds)


def pass_seconds(problem: Problem, *, seconds: float = 0.3) -> float:
    """The least time in which NumPy adds a number to one value of each target: what updating all of them must cost."""
    losses = np.zeros(problem.n_targets, dtype=problem.rho.dtype)
    return _least(lambda: np.add(losses, 1.0, out=losses), seconds)


def _least(step: Callable[[], Any], seconds: float) -> float:
    for _ in range(_WARMUPS):
        step()
    least, stop = np.inf, time.perf_counter() + check_positive("seconds", seconds)
    while (start := time.perf_counter()) < stop:
        step()
        least = min(least, time.perf_counter() - start)
    return float(least)
