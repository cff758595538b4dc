"""Runs that end when the answer is proven."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from warmer.estimation import LossBall, Losses, Objectors, most_agreed_query
from warmer.model import Environment, Learner
from warmer.model.checks import check_count

__all__ = ["Ending", "play_until_proven"]

_BLOCK = 256


class Ending(NamedTuple):
    """After how many answers which query was proven good; no query where the horizon came first."""

    n_answers: int
    query: int | None


def play_until_proven(
    learner: Learner[Any],
    environment: Environment,
    seeds: np.random.SeedSequence,
    *,
    ball: LossBall,
    objectors: Objectors,
    horizon: int,
) -> Ending:
    """Play until no target of a loss ball objects to some query.

    This is what `UntilCertified` does, with the vote of the targets made cheap, and without its test whether any target
    explains the answers: the environment keeps one that does. The chance is that of `play`: the same seeds give the
    same answers.

    Parameters
    ----------
    learner
        Who asks; one for a table.
    environment
        Who answers.
    seeds
        Where learner and environment take their chance from.
    ball
        Which targets are still possible.
    objectors
        Who objects to what, at the accuracy to be proven; one for all runs.
    horizon
        After how many answers to give up.

    Examples
    --------
    >>> from warmer import Problem, LeastSquares, environments
    >>> from warmer.estimation import TableFit
    >>> problem = Problem.from_table([[0.0, 1.0], [0.5, 0.0]])
    >>> ball = TableFit(problem).anytime_ball(delta=0.05, sigma=0.5)
    >>> learner, truth = LeastSquares(problem, alpha=0.5), environments.Exact(problem, 1)
    >>> objectors = Objectors(problem, epsilon=0.25)
    >>> play_until_proven(learner, truth, np.random.SeedSequence(0), ball=ball, objectors=objectors, horizon=100)
    Ending(n_answers=3, query=0)
    """
    check_count("horizon", horizon)
    learner_rng, environment_rng = (np.random.default_rng(child) for child in seeds.spawn(2))
    state, losses, is_proven = learner.init(learner_rng), ball.start(), objectors.watch()
    n_answers = 0
    for noise in _noise(environment, horizon, environment_rng):
        if is_proven(losses.excess, losses.least + ball.radius):
            break
        query = learner.ask(state, learner_rng)
        reward = environment.reward(query, noise)
        state = learner.tell(state, query, reward)
        losses = ball.update(losses, query, reward)
        n_answers += 1
    is_over = is_proven(losses.excess, losses.least + ball.radius)
    return Ending(n_answers, _agreed(ball, losses, objectors.epsilon) if is_over else None)


def _agreed(ball: LossBall, losses: Losses, epsilon: float) -> int:
    possible, recommended = np.flatnonzero(ball.mask(losses)), ball.fit.best_query(losses.best)
    return most_agreed_query(ball.fit.problem, possible, recommended=recommended, epsilon=epsilon).query


def _noise(environment: Environment, horizon: int, rng: np.random.Generator) -> Iterator[Any]:
    """The rows of noise of so many rounds, drawn a block at a time: most runs end long before the horizon."""
    for start in range(0, horizon, _BLOCK):
        block = environment.noise(min(_BLOCK, horizon - start), rng)
        yield from block.tolist() if block.ndim == 1 else block
