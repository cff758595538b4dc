"""The anytime confidence set contains the truth as often as it promises."""

import numpy as np
import pytest
from scipy.stats import binom

from warmer import UCB1, InformationDirected, Optimistic, Problem, environments, simulate
from warmer.bounds import anytime_radius
from warmer.estimation import LossBall, TableFit

DELTA, N_RUNS, HORIZON = 0.2, 2000, 80


def most_failures(rate):
    """Exceeded with probability at most 1e-6 if each of N_RUNS runs fails with probability at most `rate`."""
    return int(binom.isf(1e-6, N_RUNS, rate))


def runs_that_lose_the_target(runs, target, radius):
    """How many runs ever leave the target outside the ball of that radius, told answer by answer."""
    ball, lost = LossBall(TableFit(runs.problem), radius), 0
    for queries, rewards in zip(runs.queries.tolist(), runs.rewards.tolist(), strict=True):
        losses = ball.start()
        for query, reward in zip(queries, rewards, strict=True):
            losses = ball.update(losses, query, reward)
            if not ball.mask(losses)[target]:
                lost += 1
                break
    return lost


@pytest.mark.parametrize(
    ("adaptive", "noise"),
    [("optimistic", "coin"), ("optimistic", "uniform"), ("ucb1", "coin"), ("information-directed", "uniform")],
)
def test_the_anytime_set_contains_the_target_at_every_time(adaptive, noise):
    """Two targets: the union bound then costs little, so that a third of the radius would already break the promise."""
    problem = Problem.from_table(np.array([[0.0, 0.25], [0.125, -0.125]]) * (2 if noise == "coin" else 1))
    environment = environments.build(noise, problem, 0, width=0.5)
    learner = {
        "optimistic": Optimistic(problem, "anytime", delta=DELTA, sigma=environment.sigma),
        "ucb1": UCB1(problem),
        "information-directed": InformationDirected(problem, sigma=environment.sigma),
    }[adaptive]
    runs = simulate(learner, environment, horizon=HORIZON, runs=N_RUNS, seed=7)
    radius = anytime_radius(n_targets=2, delta=DELTA, sigma=environment.sigma)
    assert runs_that_lose_the_target(runs, 0, radius) <= most_failures(DELTA)
    assert runs_that_lose_the_target(runs, 0, radius / 3) > most_failures(DELTA)
