"""Putting candidates aside changes what is computed, never what is claimed."""

import pickle

import numpy as np
import pytest

from warmer import Problem, TopTwo, goals, noise
from warmer.certification import Certifier, certifier

DECLARED = [noise.SubGaussian(0.3), noise.Bounded(), noise.BoundedNoise(0.5), noise.Gaussian(), noise.Coin()]


def told(declared, *, seed, prior=None, tolerance=0.0, n_answers=120):
    """The remaining candidates after each answer, and the last state."""
    rng = np.random.default_rng(seed)
    problem = Problem.from_table(rng.uniform(-0.5, 0.5, (8, 3000)))
    environment = Certifier(problem, goals.WhichTarget(), noise=declared, prior=prior, tolerance=tolerance)
    state, remaining = environment.start(), []
    for _ in range(n_answers):
        query, coin = int(rng.integers(8)), rng.random()
        mean = problem.rho[query, 7]
        reward = float(np.sign(mean - 2 * coin + 1)) if isinstance(declared, noise.Coin) else mean + coin / 2 - 0.25
        state = environment.update(state, query, reward)
        remaining.append(state.possible.copy())
    return environment, state, remaining


@pytest.mark.parametrize("declared", DECLARED, ids=repr)
@pytest.mark.parametrize(
    "options", [{}, {"prior": np.arange(1, 3001)}, {"tolerance": 0.02}], ids=["", "prior", "rough"]
)
def test_fewer_are_ruled_out_where_some_are_put_aside_and_hardly_fewer(declared, options, monkeypatch):
    environment, state, cut = told(declared, seed=1, **options)
    assert state.part is not None
    assert state.part.places.size < 1500
    assert set(np.flatnonzero(state.possible)) <= set(state.part.places)
    monkeypatch.setattr(certifier, "is_worth_it", lambda *sizes: False)
    _, whole, uncut = told(declared, seed=1, **options)
    assert whole.part is None
    if isinstance(declared, noise.SubGaussian | noise.Gaussian | noise.Coin) and "tolerance" not in options:
        assert all((more >= less).all() for more, less in zip(cut, uncut, strict=True))  # bets go by other forecasts
    assert abs(int(cut[-1].sum()) - int(uncut[-1].sum())) <= 0.05 * 3000
    assert environment.leader(state) in np.flatnonzero(state.possible)
    certificate = environment.certificate(state)
    assert certificate.remaining[0] == environment.leader(state)
    assert len(certificate.remaining) == state.n_possible == int(state.possible.sum())


def test_a_state_with_candidates_put_aside_goes_on_after_a_round_trip_through_bytes():
    environment, state, _ = told(noise.Bounded(), seed=2)
    again = pickle.loads(pickle.dumps(state))
    assert environment.update(again, 3, 0.25).n_possible == environment.update(state, 3, 0.25).n_possible


def test_learners_choose_among_those_that_are_left():
    rng = np.random.default_rng(3)
    problem = Problem.from_table(rng.uniform(-0.5, 0.5, (8, 3000)))
    learner = TopTwo(problem, goals.WhichTarget(), noise=noise.SubGaussian(0.1))
    state = learner.init(rng)
    while not learner.is_done(state):
        query = learner.ask(state, rng)
        state = learner.tell(state, query, problem.rho[query, 7] + rng.uniform(-0.1, 0.1))
    assert state.settled == 7
    assert state.part is not None
