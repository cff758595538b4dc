"""The loop, once: a learner asks, an environment answers."""

from collections.abc import Callable
from typing import Any

import numpy as np

from warmer.environments import FunctionEnvironment
from warmer.model import Array, Environment, Learner, Runs
from warmer.model.checks import check_count, check_learner
from warmer.model.errors import InvalidValueError

__all__ = ["play", "simulate"]

_ROUNDS_A_REPORT = 256

Progress = Callable[[int], None]


def simulate(
    learner: Learner[Any],
    environment: Environment | Callable[[Any], float],
    *,
    horizon: int,
    runs: int = 1,
    seed: int,
    progress: Progress | None = None,
) -> Runs:
    """Play the same game many times; the same seed gives the same arrays.

    Parameters
    ----------
    learner
        Who asks.
    environment
        Who answers; a plain function from a query's label to a reward will do.
    horizon
        Rounds in a run.
    runs
        How many runs. Run k depends on the seed and k alone, not on how many others there are.
    seed
        Any whole number from 0 up. Each run spawns one generator for the learner and one for the environment, which
        draws all the noise of the run in one block.
    progress
        Called now and then with the number of rounds played since the last call.

    Examples
    --------
    >>> from warmer import Problem, LeastSquares, environments
    >>> problem = Problem.from_table([[0.0, 1.0], [0.5, 0.0]])
    >>> result = simulate(LeastSquares(problem, alpha=1.0), environments.Coin(problem, 1), horizon=5, runs=3, seed=0)
    >>> result.queries.shape, result.regret(alpha=1.0).tolist()
    ((3, 5), [0.0, 0.0, 0.0])
    """
    check_learner("simulate", learner)
    check_count("horizon", horizon)
    check_count("runs", runs)
    check_count("seed", seed, least=0)
    keeper = _as_environment(learner, environment)
    shape = learner.problem.query_shape
    queries = np.empty((runs, horizon, *shape), dtype=float if shape else np.int32)
    rewards = np.empty((runs, horizon))
    for run, seeds in enumerate(np.random.SeedSequence(seed).spawn(runs)):
        play(learner, keeper, seeds, queries[run], rewards[run], progress)
    return Runs(learner, keeper, horizon, seed, queries, rewards)


def play(
    learner: Learner[Any],
    environment: Environment,
    seeds: np.random.SeedSequence,
    queries: Array,
    rewards: Array,
    progress: Progress | None = None,
) -> None:
    """Play one run of `len(rewards)` rounds and write what happened into the two arrays."""
    learner_rng, environment_rng = (np.random.default_rng(child) for child in seeds.spawn(2))
    horizon = rewards.size
    noise = environment.noise(horizon, environment_rng)
    rows = noise.tolist() if noise.ndim == 1 else noise  # plain floats are the faster ones to reckon with
    state = learner.init(learner_rng)
    ask, tell, answer = learner.ask, learner.tell, environment.reward
    for start in range(0, horizon, _ROUNDS_A_REPORT):
        stop = min(start + _ROUNDS_A_REPORT, horizon)
        for t in range(start, stop):
            query = ask(state, learner_rng)
            reward = answer(query, rows[t])
            state = tell(state, query, reward)
            queries[t] = query
            rewards[t] = reward
        if progress is not None:
            progress(stop - start)


def _as_environment(learner: Learner[Any], environment: Environment | Callable[[Any], float]) -> Environment:
    if not isinstance(environment, Environment):
        if not callable(environment) or isinstance(environment, type):
            raise InvalidValueError(f"an environment answers queries; got {type(environment).__name__}.")
        return FunctionEnvironment(learner.problem, environment)
    if environment.problem is not learner.problem:
        raise InvalidValueError(
            f"the learner plays {learner.problem!r}, the environment {environment.problem!r}; "
            "build both on the same problem."
        )
    return environment
