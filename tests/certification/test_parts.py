"""Putting candidates aside changes what is computed, never what is claimed."""

import copy
import pickle

import numpy as np
import pytest

from warmer import Problem, TopTwo, goals, noise
from warmer.certification import Certifier, certifier
from warmer.certification.parts import PartOfTable

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


@pytest.mark.parametrize("n_kept", [[60, 30, 20], [20, 9, 2], [60, 14, 7]])
def test_a_part_of_a_part_has_the_rows_of_the_whole_table(n_kept: list[int]) -> None:
    rng = np.random.default_rng(0)
    rho = rng.random((6, 80))
    places, part = np.arange(80), None
    for n in n_kept:
        among = np.sort(rng.choice(places.size, n, replace=False))
        places = places[among]
        part = PartOfTable(rho, among) if part is None else part.part(among)
        part.read(np.array([4, 1, 4]))
        assert (part.rho[[1, 4]] == rho[[1, 4]][:, places]).all()
        copied = pickle.loads(pickle.dumps(part))
        copied.read(np.array([0, 1]))
        assert (copied.rho[[0, 1]] == rho[[0, 1]][:, places]).all()


def test_a_copied_state_goes_on_with_queries_that_were_never_asked() -> None:
    rng = np.random.default_rng(3)
    problem = Problem.from_table(rng.uniform(-0.5, 0.5, (200, 500)))
    own = Certifier(problem, goals.WhichTarget(), noise=noise.SubGaussian(0.3))
    state, query = own.start(), 0
    while state.part is None:
        state, query = own.update(state, query, problem.rho[query, 7]), query + 1
    copies = [pickle.loads(pickle.dumps(state)), copy.deepcopy(state), state]
    told = [own.update(each, query, problem.rho[query, 7]) for each in copies]
    evidence = [own.log_evidence(each)[each.possible].tolist() for each in told]
    assert evidence[0] == evidence[1] == evidence[2]


@pytest.mark.parametrize("declared", DECLARED, ids=repr)
def test_a_table_too_large_to_be_turned_round_is_asked_the_same_queries(declared, monkeypatch) -> None:
    problem = Problem.from_table(np.random.default_rng(5).uniform(-0.5, 0.5, (9, 300)))

    def asked() -> list[int]:
        rng, learner = np.random.default_rng(6), TopTwo(problem, goals.BestQuery(0.1), noise=declared)
        state, queries = learner.init(rng), []
        for _ in range(40):
            queries.append(learner.ask(state, rng))
            state = learner.tell(state, queries[-1], float(np.sign(rng.normal())) if declared == noise.Coin() else 0.1)
        return queries

    turned = asked()
    monkeypatch.setattr(certifier, "_MOST_TURNED", 0)
    assert asked() == turned
    assert len(set(turned)) > 1
