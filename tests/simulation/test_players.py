"""Who plays each run: one for all, one for each, or one that a factory makes or `reset` starts anew."""

from functools import partial

import numpy as np
import pytest

from tests.simulation.test_plain import PROBLEM, Asking
from warmer import InvalidValueError, LeastSquares, UntilCertified, environments, goals, noise, simulate, simulation


class Adversary:
    """Turns its first answers round, and then tells the truth."""

    problem = PROBLEM

    def __init__(self, budget=5):
        self.left = budget

    def noise(self, horizon, rng):
        return rng.random(horizon)

    def reward(self, query, chance):
        self.left -= 1
        return float(chance < PROBLEM.rho[query, 0]) if self.left < 0 else 1.0


class Resetting(Adversary):
    def reset(self):
        self.left = 5


class Remembering(Asking):
    """Asks another query once it has been through a run."""

    def __init__(self, given=0):
        super().__init__(given)
        self.n_told = 0

    def ask(self, state, rng):
        return int(self.n_told >= 30)

    def tell(self, state, query, reward, count=1):
        self.n_told += 1
        return state + 1


def test_a_factory_gives_each_run_an_environment_of_its_own():
    by_factory = simulate(Asking(0), lambda: Adversary(), horizon=30, runs=20, seed=0)
    by_hand = simulate(Asking(0), [Adversary() for _ in range(20)], horizon=30, seed=0)
    by_reset = simulate(Asking(0), Resetting(), horizon=30, runs=20, seed=0)
    assert (by_factory.rewards[:, :5] == 1).all()
    assert by_factory.rewards.tolist() == by_hand.rewards.tolist() == by_reset.rewards.tolist()
    assert len({id(each) for each in by_factory.environments}) == 20
    assert by_factory[3].environment is by_factory.environment[3]
    assert by_factory.caveats == by_hand.caveats == by_reset.caveats == ()


def test_a_factory_gives_each_run_a_learner_of_its_own():
    by_factory = simulate(lambda: Remembering(), environments.Coin(PROBLEM, 0), horizon=40, runs=3, seed=0)
    assert by_factory.queries.tolist() == [[0] * 30 + [1] * 10] * 3
    assert isinstance(by_factory.learner, tuple)
    both = simulate(lambda: Remembering(), partial(Adversary, 3), horizon=40, runs=3, seed=0)
    assert (both.rewards[:, :3] == 1).all()
    assert both.queries.tolist() == by_factory.queries.tolist()


def test_factories_of_our_own_parts_are_played_by_compiled_runs(monkeypatch):
    monkeypatch.setattr(simulation.plain, "play", None)
    made = simulate(
        partial(LeastSquares, PROBLEM, alpha=0.5), partial(environments.Coin, PROBLEM, 0), horizon=9, runs=3, seed=0
    )
    same = simulate(LeastSquares(PROBLEM, alpha=0.5), environments.Coin(PROBLEM, 0), horizon=9, runs=3, seed=0)
    assert made.rewards.tolist() == same.rewards.tolist()


def test_what_a_learner_of_ours_is_made_around_is_reset_too():
    class Again(Remembering):
        def reset(self):
            self.n_told = 0

    learner = UntilCertified(Again(), goals.WhichTarget(), noise=noise.SubGaussian(50.0))
    runs = simulate(learner, environments.Coin(PROBLEM, 0), horizon=40, runs=3, seed=0)
    assert runs.queries.tolist() == [[0] * 30 + [1] * 10] * 3


def test_a_function_of_a_label_is_no_factory():
    for function in (lambda label=None: 0.5, lambda *labels: 0.5, {"left": 0.5}.get, lambda label: 0.5):
        assert simulate(Asking(0), function, horizon=3, seed=0).rewards.tolist() == [[0.5] * 3]


@pytest.mark.parametrize(
    ("factory", "message"),
    [
        (lambda: 3, "an environment answers queries; got int"),
        (lambda: 1 / 0, "run 0: the environment's factory raised ZeroDivisionError: division by zero"),
        (lambda: environments.Coin, "got the class Coin itself"),
    ],
)
def test_a_factory_that_makes_no_environment_is_refused(factory, message):
    with pytest.raises(InvalidValueError, match=message):
        simulate(Asking(0), factory, horizon=3, runs=2, seed=0)


def test_a_factory_that_makes_no_learner_is_refused():
    with pytest.raises(InvalidValueError, match="simulate needs a learner, such as LeastSquares, got int"):
        simulate(lambda: 3, environments.Coin(PROBLEM, 0), horizon=3, runs=2, seed=0)
    with pytest.raises(InvalidValueError, match="run 0: the learner's factory raised KeyError"):
        simulate(lambda: {}["left"], environments.Coin(PROBLEM, 0), horizon=3, runs=2, seed=0)


def test_a_reset_that_fails_is_one_sentence():
    class Broken(Adversary):
        def reset(self, budget):
            self.left = budget

    with pytest.raises(InvalidValueError, match=r"^run 0, before round 1, seed 0: reset\(\) raised TypeError: "):
        simulate(Asking(0), Broken(), horizon=3, runs=2, seed=0)


def test_numbers_of_runs_go_by_the_sequence_or_the_count():
    several = [environments.Coin(PROBLEM, 0), environments.Coin(PROBLEM, 1)]
    runs = simulate(lambda: Asking(0), several, horizon=3, seed=0)
    assert (len(runs), len(runs.learners), np.unique(runs.queries).tolist()) == (2, 2, [0])
