"""What every learner of the catalogue must obey."""

import copy as copy_module
import pickle
from dataclasses import replace

import numpy as np
import pytest

from warmer import Problem, Session, environments, noise, simulate
from warmer.learners import CATALOG, ExactPAC, Settings, build

SETTINGS = Settings(alpha=0.25, delta=0.05, sigma=0.5, horizon=40)


def a_problem(**options):
    return Problem.from_table(np.random.default_rng(5).integers(-8, 9, (6, 9)) / 8, **options)


@pytest.fixture(params=sorted(CATALOG))
def name(request):
    return request.param


@pytest.mark.parametrize("declared", [noise.Coin(), noise.Bounded(), noise.BoundedNoise(1.5), noise.Gaussian()])
def test_every_learner_plays_whatever_noise_is_declared(name, declared):
    problem, settings = a_problem(), replace(SETTINGS, noise=declared)
    learner, coin = build(name, problem, settings), environments.Coin(problem, 2)
    first, second = (simulate(learner, coin, horizon=12, seed=3) for _ in range(2))
    assert (first.queries == second.queries).all()


def test_queries_stay_legal(name):
    forbidden = np.array([True, False, False, True, False, False])
    problem = a_problem(forbidden=forbidden)
    runs = simulate(build(name, problem, SETTINGS), environments.Coin(problem, 2), horizon=40, runs=3, seed=1)
    assert not forbidden[runs.queries].any()


def test_the_same_seed_gives_the_same_run(name):
    problem = a_problem()
    learner, coin = build(name, problem, SETTINGS), environments.Coin(problem, 2)
    first, second = (simulate(learner, coin, horizon=40, runs=2, seed=9) for _ in range(2))
    assert (first.queries == second.queries).all()
    assert (first.rewards == second.rewards).all()


def test_a_state_survives_a_round_trip_through_bytes(name):
    problem = a_problem()
    learner = build(name, problem, SETTINGS)
    state = learner.init(np.random.default_rng(0))
    for t in range(10):
        state = learner.tell(state, t % 6, (t % 5 - 2) / 4)
        copy = pickle.loads(pickle.dumps(state))
        asked = learner.ask(state, np.random.default_rng(t))
        assert learner.ask(copy, np.random.default_rng(t)) == asked


def test_learners_environments_and_runs_survive_a_round_trip_through_bytes(name):
    problem = a_problem()
    learner, coin = build(name, problem, SETTINGS), environments.Coin(problem, 2)
    runs = simulate(learner, coin, horizon=12, seed=4)
    copy = pickle.loads(pickle.dumps(runs))
    again = simulate(copy.learner, copy.environment, horizon=12, seed=4)
    assert (again.queries == runs.queries).all()
    session = copy_module.deepcopy(Session(learner, seed=1))
    assert session.ask() == Session(learner, seed=1).ask()


PREDICTING = {"oracle", "oracle-optimistic"}
"""They predict each answer before it comes, and refuse a mean of several."""


@pytest.mark.parametrize("name", sorted(set(CATALOG) - PREDICTING))
def test_a_mean_with_a_count_is_as_good_as_its_repetitions(name):
    problem = a_problem()
    learner = build(name, problem, SETTINGS)
    if isinstance(learner, ExactPAC):
        learner = replace(learner, horizon=100)  # a mean counts as one round: none of these may be the last
    whole, parts = (learner.init(np.random.default_rng(0)) for _ in range(2))
    for query, reward, count in [(0, 0.25, 3), (4, -0.5, 2), (0, 0.5, 4), (5, 1.0, 1)]:
        whole = learner.tell(whole, query, reward, count)
        for _ in range(count):
            parts = learner.tell(parts, query, reward)
        asked = learner.ask(whole, np.random.default_rng(1))
        assert learner.ask(parts, np.random.default_rng(1)) == asked


def test_a_learner_does_not_write_on_the_table(name):
    problem = a_problem()
    before = problem.rho.copy()
    simulate(build(name, problem, SETTINGS), environments.Coin(problem, 0), horizon=20, seed=0)
    assert (problem.rho == before).all()
    assert not problem.rho.flags.writeable
