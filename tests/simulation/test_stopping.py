import numpy as np
import pytest

from warmer import Optimistic, Problem, UntilCertified, environments, problems
from warmer.estimation import Objectors, TableFit
from warmer.learners import Settings, build
from warmer.simulation import play_until_proven

SETTINGS = Settings(alpha=0.3, delta=0.05, sigma=0.5, horizon=2000, epsilon=0.15)


@pytest.mark.parametrize(
    "problem", [problems.random_table(6, 15), problems.treasure(side=4), problems.needle()], ids=repr
)
@pytest.mark.parametrize("name", ["elimination", "thompson", "uniform"])
def test_a_run_ends_where_until_certified_ends(problem: Problem, name: str) -> None:
    ball = TableFit(problem).anytime_ball(delta=0.05, sigma=0.5)
    for target in range(0, problem.n_targets, 3):
        base, keeper = build(name, problem, SETTINGS), environments.UniformNoise(problem, problem.targets[target])
        seeds = np.random.SeedSequence(target)
        ending = play_until_proven(base, keeper, seeds, ball=ball, objectors=Objectors(problem, 0.15), horizon=2000)
        watched = UntilCertified(base, epsilon=0.15, delta=0.05, sigma=0.5)
        learner_rng, keeper_rng = map(np.random.default_rng, np.random.SeedSequence(target).spawn(2))
        noise, state, n_answers = keeper.noise(2000, keeper_rng).tolist(), watched.init(learner_rng), 0
        while not watched.is_done(state) and n_answers < 2000:
            query = watched.ask(state, learner_rng)
            state, n_answers = watched.tell(state, query, keeper.reward(query, noise[n_answers])), n_answers + 1
        proven = watched.recommend(state) if watched.is_done(state) else None
        assert ending == (n_answers, proven)


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
