import numpy as np
import pytest

from warmer import Optimistic, Problem, environments, problems
from warmer.estimation import Objectors, TableFit
from warmer.learners import Settings
from warmer.simulation import play_until_proven

SETTINGS = Settings(alpha=0.3, delta=0.05, sigma=0.5, horizon=2000, epsilon=0.15)


def test_a_run_that_proves_nothing_ends_at_its_horizon() -> None:
    problem = problems.random_table(6, 15)
    ball = TableFit(problem).anytime_ball(delta=0.05, sigma=0.5)
    keeper, learner = environments.Coin(problem, 0), Optimistic(problem, sigma=0.5)
    objectors = Objectors(problem, 1e-3)
    ending = play_until_proven(learner, keeper, np.random.SeedSequence(0), ball=ball, objectors=objectors, horizon=3)
    assert ending == (3, None)


def test_what_all_agree_on_is_proven_without_an_answer() -> None:
    problem = Problem.from_table([[0.5, 0.6], [0.1, 0.2]])
    ball = TableFit(problem).anytime_ball(delta=0.05, sigma=0.5)
    keeper, learner = environments.Coin(problem, 0), Optimistic(problem, sigma=0.5)
    objectors = Objectors(problem, 0.1)
    ending = play_until_proven(learner, keeper, np.random.SeedSequence(0), ball=ball, objectors=objectors, horizon=9)
    assert ending == (0, 0)


def test_large_tables_judge_a_row_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    problem, losses = problems.random_table(5, 9), np.random.default_rng(0).random(9)
    limits = np.linspace(0, 1, 8).tolist()
    kept = [Objectors(problem, 0.2).watch()(losses, limit) for limit in limits]
    monkeypatch.setattr("warmer.estimation.objectors._MOST_KEPT", 0)
    assert [Objectors(problem, 0.2).watch()(losses, limit) for limit in limits] == kept
