"""Many answers at once leave the same state, bit for bit, as one after another."""

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.certification.instances import Instance, instances
from warmer import MaxInformation, Problem, Thompson, TopTwo, TrackAndStop, UntilCertified, goals, noise
from warmer.certification import Certifier

DECLARED = [noise.SubGaussian(0.3), noise.Bounded(), noise.BoundedNoise(0.5), noise.Gaussian(), noise.Coin()]


def one_by_one(certifier: Certifier, history):
    state = certifier.start()
    for answer in history:
        state = certifier.update(state, *answer)
    return state


@settings(max_examples=150, deadline=None)
@given(instances(), st.sampled_from(DECLARED), st.booleans())
def test_small_histories(instance: Instance, declared, rough: bool):
    tolerance = instance.tolerance if rough else 0.0
    goal = goals.BestQuery(0.1 * instance.problem.scale)
    certifier = Certifier(instance.problem, goal, noise=declared, prior=instance.given, tolerance=tolerance, delta=0.2)
    history = instance.history
    at_once = certifier.replay(certifier.start(), *map(list, zip(*history, strict=True))) if history else None
    assert at_once is None or pickle.dumps(at_once) == pickle.dumps(one_by_one(certifier, history))


@pytest.mark.parametrize("declared", DECLARED, ids=repr)
@pytest.mark.parametrize("goal", [goals.WhichTarget(), goals.BestQuery(0.1), goals.ValueOf(np.arange(3000), 4)])
def test_long_histories_that_put_candidates_aside(declared, goal):
    rng = np.random.default_rng(1)
    problem = Problem.from_table(rng.uniform(-0.5, 0.5, (8, 3000)))
    certifier = Certifier(problem, goal, noise=declared)
    queries = rng.integers(0, 8, 300)
    means = problem.rho[queries, 7]
    rewards = np.where(rng.random(300) < (1 + means) / 2, 1.0, -1.0)
    rewards = rewards if isinstance(declared, noise.Coin) else means + rng.uniform(-0.25, 0.25, 300)
    told = queries.tolist(), rewards.tolist(), [1] * 300
    at_once, one = certifier.replay(certifier.start(), *told), one_by_one(certifier, zip(*told, strict=True))
    assert at_once.part is not None
    assert pickle.dumps(at_once._replace(part=None)) == pickle.dumps(one._replace(part=None))
    assert at_once.part.places.tolist() == one.part.places.tolist()
    halves = [part for values in told for part in (values[:150], values[150:])]
    split = certifier.replay(certifier.replay(certifier.start(), *halves[::2]), *halves[1::2])
    assert pickle.dumps(split._replace(part=None)) == pickle.dumps(one._replace(part=None))


@pytest.mark.parametrize("build", [TopTwo, MaxInformation, TrackAndStop, lambda p, g: UntilCertified(Thompson(p), g)])
def test_learners_that_keep_evidence_are_told_many_answers_at_once(build):
    rng = np.random.default_rng(2)
    problem = Problem.from_table(rng.uniform(-0.5, 0.5, (4, 30)))
    learner = build(problem, goals.BestQuery(0.1))
    told = [0, 1, 2, 3, 1] * 4, [0.25, -0.5, 0.125, 0.0, 0.5] * 4, [1, 2, 1, 1, 3] * 4
    state = learner.init(np.random.default_rng(0))
    for answer in zip(*told, strict=True):
        state = learner.tell(state, *answer)
    assert pickle.dumps(learner.replay(learner.init(np.random.default_rng(0)), *told)) == pickle.dumps(state)


def test_a_process_of_the_users_own_is_told_one_by_one():
    class Counting:
        def start(self):
            return 0

        def update(self, state, query, reward, count=1):
            return state + count

        def log_evidence(self, state):
            return np.array([0.0, 1.0]) * state

    certifier = Certifier(Problem.from_table([[0.0, 1.0]]), goals.WhichTarget(), noise=Counting())
    state = certifier.replay(certifier.start(), [0, 0, 0], [0.5, 0.5, 0.5], [1, 1, 2])
    assert (state.n_answers, state.settled, state.process.own) == (3, 0, 4)
