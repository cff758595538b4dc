"""The loop, once: a learner asks, an environment answers."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from warmer.environments import FunctionEnvironment
from warmer.model import Array, Environment, Learner, Runs, StoppingLearner
from warmer.model.checks import check_count, check_learner
from warmer.model.contracts import CertifyingLearner
from warmer.model.errors import InvalidValueError

_BLOCK = 256
"""Rounds whose noise is drawn at once, and after which progress is reported."""

Answering = Environment | Callable[[Any], float]


def simulate(
    learner: Learner[Any] | Sequence[Learner[Any]],
    environment: Answering | Sequence[Answering],
    *,
    horizon: int,
    runs: int = 1,
    seed: int,
    first: int = 0,
    until: Callable[[Any], bool] | None = None,
    progress: Callable[[int], None] | None = None,
) -> Runs:
    """Play the same game many times; the same seed gives the same arrays.

    Parameters
    ----------
    learner
        Who asks; a sequence gives each run a learner of its own.
    environment
        Who answers; a plain function from a query's label to a reward will do. A sequence gives each run an environment
        of its own.
    horizon
        The number of rounds per run, at most.
    runs
        The number of runs; that of a sequence where one is given.
    seed
        Any whole number from 0 up. Each run spawns one generator for the learner and one for the environment.
    first
        The number of the first run. Run k depends on the seed and k alone, not on how many others there are.
    until
        Ends a run as soon as this is true of the learner's state, such as `learner.is_done`.
    progress
        Called now and then with the number of rounds played since the last call.

    Examples
    --------
    >>> from warmer import LeastSquares, Problem, UntilCertified, environments, goals, noise
    >>> problem = Problem.from_table([[0.0, 1.0], [0.5, 0.0]])
    >>> result = simulate(LeastSquares(problem, alpha=1.0), environments.Coin(problem, 1), horizon=5, runs=3, seed=0)
    >>> result.queries.shape, result.regret().tolist()
    ((3, 5), [0.0, 0.0, 0.0])

    A run that ends when its answer is certified:

    >>> learner = UntilCertified(LeastSquares(problem, alpha=0.5), goals.BestQuery(0.25), noise=noise.SubGaussian(0.5))
    >>> result = simulate(learner, environments.Exact(problem, 1), horizon=100, seed=0, until=learner.is_done)
    >>> result.n_answers.tolist(), result.recommended
    ([3], (0,))
    """
    for name, value, least in (("horizon", horizon, 1), ("runs", runs, 1), ("seed", seed, 0), ("first", first, 0)):
        check_count(name, value, least=least)
    learners, environments = _one_per_run(learner, environment, runs)
    shape = learners[0].problem.query_shape
    queries = np.empty((len(learners), horizon, *shape), dtype=float if shape else np.int32)
    rewards = np.empty((len(learners), horizon))
    lengths, recommended, proven = [], [], []
    for k, (player, answering) in enumerate(zip(learners, environments, strict=True)):
        seeds = np.random.SeedSequence(seed, spawn_key=(first + k,))
        state, length = _play(player, answering, seeds, queries[k], rewards[k], until, progress)
        queries[k, length:], rewards[k, length:] = np.nan if shape else -1, np.nan
        lengths.append(length)
        if isinstance(player, StoppingLearner):
            recommended.append(player.recommend(state) if player.is_done(state) else None)
        if isinstance(player, CertifyingLearner):
            evidence = player.evidence(state)
            proven.append(evidence.settled if player.certifier.is_settled(evidence) else None)
    return Runs(
        learner=learners if isinstance(learner, Sequence) else learners[0],
        environment=environments if isinstance(environment, Sequence) else environments[0],
        horizon=horizon,
        seed=seed,
        queries=queries[:, : max(lengths)],
        rewards=rewards[:, : max(lengths)],
        first=first,
        recommended=tuple(recommended),
        proven=tuple(proven),
    )


def _play(
    learner: Learner[Any],
    environment: Environment,
    seeds: np.random.SeedSequence,
    queries: Array,
    rewards: Array,
    until: Callable[[Any], bool] | None,
    progress: Callable[[int], None] | None,
) -> tuple[Any, int]:
    """Play one run of at most `len(rewards)` rounds into the two arrays; return the last state and its length."""
    learner_rng, environment_rng = (np.random.default_rng(child) for child in seeds.spawn(2))
    state, horizon = learner.init(learner_rng), rewards.size
    ask, tell, answer = learner.ask, learner.tell, environment.reward
    for start in range(0, horizon, _BLOCK):
        end = min(start + _BLOCK, horizon)
        noise = environment.noise(end - start, environment_rng)
        rows = noise.tolist() if noise.ndim == 1 else noise  # plain floats are the faster ones to reckon with
        for t, row in enumerate(rows, start):
            if until is not None and until(state):
                end = t
                break
            query = ask(state, learner_rng)
            reward = answer(query, row)
            state = tell(state, query, reward)
            queries[t] = query
            rewards[t] = reward
        if progress is not None:
            progress(end - start)
        if end - start < _BLOCK:
            return state, end
    return state, horizon


def _one_per_run(
    learner: Learner[Any] | Sequence[Learner[Any]], environment: Answering | Sequence[Answering], runs: int
) -> tuple[tuple[Learner[Any], ...], tuple[Environment, ...]]:
    """The learner and the environment of each run, all of the same problem."""
    given = [len(each) for each in (learner, environment) if isinstance(each, Sequence)]
    n_runs = given[0] if given else runs
    if n_runs == 0 or set(given) - {n_runs} or (given and runs not in (1, n_runs)):
        counts = " and ".join(map(str, given))
        raise InvalidValueError(
            f"one learner or one per run, one environment or one per run: got {counts} for {runs} runs."
        )
    learners = tuple(learner) if isinstance(learner, Sequence) else (learner,) * n_runs
    for each in learners if isinstance(learner, Sequence) else learners[:1]:
        check_learner("simulate", each)
    several = environment if isinstance(environment, Sequence) else [environment]
    checked = tuple(_as_environment(learners[0].problem, each) for each in several)
    if any(each.problem is not learners[0].problem for each in learners):
        raise InvalidValueError("the learners of one simulation must be built on the same problem.")
    return learners, checked if isinstance(environment, Sequence) else checked * n_runs


def _as_environment(problem: Any, environment: Answering) -> Environment:
    if not isinstance(environment, Environment):
        if not callable(environment) or isinstance(environment, type):
            raise InvalidValueError(f"an environment answers queries; got {type(environment).__name__}.")
        return FunctionEnvironment(problem, environment)
    if environment.problem is not problem:
        raise InvalidValueError(
            f"the learner plays {problem!r}, the environment {environment.problem!r}; build both on the same problem."
        )
    return environment
