"""Learners and certifiers over a table in shards agree with those over the same table in memory."""

import dask
import dask.array as da
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.strategies import tables
from warmer import (
    UCB1,
    LeastSquares,
    Optimistic,
    Problem,
    Session,
    ShardedProblem,
    Thompson,
    TopTwo,
    Uniform,
    UntilCertified,
    environments,
    goals,
    noise,
    simulate,
)
from warmer.certification import certifier_for
from warmer.learners import MaxInformation
from warmer.model.errors import HypothesisError, InvalidValueError

GOALS = [goals.BestQuery(0.1), goals.WhichTarget(), goals.BestAbove(0.4), goals.BestAbove(0.4, 0.05)]
NOISES = [
    None,
    noise.SubGaussian(0.3),
    noise.SubGaussian([0.3, 0.2, 0.1, 0.3, 0.3]),
    noise.BoundedNoise(0.5),
    noise.Coin(),
]
LEARNERS = [
    lambda problem: LeastSquares(problem, alpha=0.3),
    lambda problem: Optimistic(problem),
    lambda problem: Optimistic(problem, radius=0.5),
    lambda problem: Optimistic(problem, "paper", horizon=20),
]


@pytest.fixture(autouse=True, scope="module")
def _at_once():
    with dask.config.set(scheduler="synchronous"):
        yield


def both(n_targets: int, chunks, dtype=float, **options):
    """The same random table in memory and in shards."""
    rho = np.random.default_rng(n_targets).uniform(-0.5, 0.5, (5, n_targets)).astype(dtype)
    return Problem.from_table(rho, **options), ShardedProblem.from_dask(da.from_array(rho, chunks=chunks), **options)


def answers(problem, target: int, n: int, *, is_coin: bool = False):
    """Random queries and their answers."""
    rng = np.random.default_rng(n)
    queries = rng.integers(problem.n_queries, size=n)
    means = problem.evaluate(queries, target)
    if is_coin:
        return queries.tolist(), np.where(rng.random(n) < (means + 1) / 2, 1.0, -1.0).tolist()
    return queries.tolist(), (means + rng.uniform(-0.25, 0.25, n)).tolist()


@pytest.mark.parametrize("make", LEARNERS)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("chunks", [(5, 40), (2, (1, 17, 22)), (5, 7)])
def test_fits_are_the_same_to_the_last_bit(make, dtype, chunks):
    whole, cut = both(40, chunks, dtype)
    runs = [simulate(make(p), environments.UniformNoise(p, 3, width=0.25), horizon=15, seed=1) for p in (whole, cut)]
    assert (runs[0].queries == runs[1].queries).all()
    assert (runs[0].rewards == runs[1].rewards).all()
    assert runs[0].regret().tolist() == runs[1].regret().tolist()
    budgets = [make(p).error_budget(horizon=20, delta=0.5) if make is LEARNERS[0] else 0 for p in (whole, cut)]
    assert budgets[0] == budgets[1]


@given(
    table=tables(),
    width=st.integers(1, 4),
    told=st.lists(st.tuples(st.integers(0, 9), st.sampled_from([0.25, 0.5])), max_size=5),
)
@settings(max_examples=15, deadline=None)
def test_estimates_agree_on_tables_with_ties(table, width, told):
    rho = np.asarray(table)
    pair = Problem.from_table(rho), ShardedProblem.from_dask(da.from_array(rho, chunks=(rho.shape[0], width)))
    rng = np.random.default_rng(0)
    for make in (lambda p: LeastSquares(p, alpha=float(rho.max())), lambda p: Optimistic(p, sigma=0.25)):
        learners = [make(p) for p in pair]
        states = [learner.init(rng) for learner in learners]
        for query, reward in told:
            assert len({learner.estimate(state) for learner, state in zip(learners, states, strict=True)}) == 1
            states = [
                learner.tell(state, query % len(rho), reward) for learner, state in zip(learners, states, strict=True)
            ]
        assert len({learner.ask(state, rng) for learner, state in zip(learners, states, strict=True)}) == 1


@pytest.mark.parametrize("goal", GOALS, ids=repr)
@pytest.mark.parametrize("declared", NOISES, ids=repr)
@pytest.mark.parametrize("tolerance", [0.0, 0.01])
def test_evidence_and_certificates_agree(goal, declared, tolerance):
    pair = both(150, (5, (60, 1, 89)))
    certifiers = [certifier_for(p, goal, noise=declared, tolerance=tolerance) for p in pair]
    states = [certifier.start() for certifier in certifiers]
    told = answers(pair[0], 7, 14, is_coin=isinstance(declared, noise.Coin))
    for k, (query, reward) in enumerate(zip(*told, strict=True)):
        states = [c.update(s, query, reward, 1 + k % 2) for c, s in zip(certifiers, states, strict=True)]
        assert states[0].n_possible == states[1].n_possible
        assert states[0].settled == states[1].settled
    found = [c.log_evidence(s) for c, s in zip(certifiers, states, strict=True)]
    np.testing.assert_allclose(found[0], found[1], rtol=1e-9, atol=1e-9)
    shown = [c.certificate(s) for c, s in zip(certifiers, states, strict=True)]
    assert str(shown[0]) == str(shown[1])
    assert list(shown[0].remaining) == list(shown[1].remaining)
    assert list(shown[0].objectors) == list(shown[1].objectors)
    others = [str(c.certificate(s, goals.BestQuery(0.3))) for c, s in zip(certifiers, states, strict=True)]
    assert others[0] == others[1]
    assert len({c.recommended_query(s) for c, s in zip(certifiers, states, strict=True)}) == 1


@pytest.mark.parametrize("goal", GOALS[:2], ids=repr)
@pytest.mark.parametrize("declared", [None, noise.SubGaussian(0.3)], ids=repr)
@pytest.mark.parametrize("n_targets", [60, 700])
def test_top_two_asks_the_same_and_stops_at_the_same_time(goal, declared, n_targets):
    runs = []
    for problem in both(n_targets, (5, 230)):
        learner = TopTwo(problem, goal, noise=declared)
        environment = environments.UniformNoise(problem, 7, width=0.25)
        runs.append(simulate(learner, environment, horizon=20, seed=2, until=learner.is_done))
    assert runs[0].queries.tolist() == runs[1].queries.tolist()
    assert (runs[0].recommended, runs[0].proven) == (runs[1].recommended, runs[1].proven)


def test_a_learner_that_is_stopped_by_a_certificate_agrees():
    runs = []
    for problem in both(50, (5, 20)):
        learner = UntilCertified(LeastSquares(problem, alpha=0.3), goals.BestQuery(0.2), noise=noise.SubGaussian(0.2))
        environment = environments.UniformNoise(problem, 7, width=0.2)
        runs.append(simulate(learner, environment, horizon=30, seed=2, until=learner.is_done))
    assert runs[0].queries.tolist() == runs[1].queries.tolist()
    assert runs[0].recommended == runs[1].recommended != (None,)


def test_queries_under_way_and_costs_count_as_in_memory():
    asked = []
    for problem in both(300, (5, 128), costs=[1.0, 2.0, 3.0, 1.0, 1.0], forbidden=[False, False, False, True, False]):
        learner, rng = TopTwo(problem, goals.WhichTarget(), noise=noise.SubGaussian(0.3)), np.random.default_rng(3)
        state = learner.init(rng)
        first = learner.ask(state, rng)
        asked.append([first, learner.ask_beside(state, rng, [first])])
    assert asked[0] == asked[1]


def test_data_that_contradict_every_candidate_are_named_as_in_memory():
    shown = []
    for problem in both(50, (5, 20)):
        certifier = certifier_for(problem, goals.BestQuery(0.1), noise=noise.SubGaussian(0.05))
        state = certifier.replay(certifier.start(), [0, 0, 1], [0.9, 0.9, -0.9], [50, 50, 50])
        shown.append((str(certifier.certificate(state)), certifier.is_misspecified(state), certifier.leader(state)))
    assert shown[0] == shown[1]
    assert shown[0][1]


def test_a_state_can_be_told_two_different_stories():
    _, problem = both(40, (5, 13))
    learner, rng = LeastSquares(problem, alpha=0.2), np.random.default_rng(0)
    state = learner.init(rng)
    first, second = learner.tell(state, 0, 0.5), learner.tell(state, 1, -0.5)
    alone = learner.tell(learner.init(rng), 0, 0.5)
    assert learner.estimate(first) == learner.estimate(alone)
    assert first.shards.each(lambda losses: losses.excess.tolist()) == alone.shards.each(
        lambda losses: losses.excess.tolist()
    )
    assert second.least != first.least or second.best != first.best


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda p: TopTwo(p, goals.ValueOf([0.0] * 20, 0.1)),
            "the goal is BestQuery, BestAbove or WhichTarget, got ValueOf",
        ),
        (
            lambda p: TopTwo(p, goals.BestQuery(0.1), noise=noise.Gaussian()),
            "the noise is SubGaussian, Coin, Bounded or",
        ),
        (lambda p: TopTwo(p, goals.BestQuery(0.1), prior=[1.0] * 20), "a table in shards takes no prior"),
        (lambda p: TopTwo(p, goals.BestQuery(0.1), delta=2.0), "delta"),
        (
            lambda p: MaxInformation(p, goals.WhichTarget()),
            "needs a table of them in memory, got ShardedProblem",
        ),
        (lambda p: LeastSquares(p, alpha=0.9), "alpha must be reached by some target's own best query"),
    ],
)
def test_what_shards_cannot_do_is_said_in_a_sentence(make, message):
    with pytest.raises(InvalidValueError, match=message):
        make(both(20, (5, 7))[1])


def test_a_session_speaks_of_a_table_in_shards_as_of_one_in_memory():
    shown = []
    for problem in both(60, (5, 25)):
        session = Session(problem, goal=goals.BestQuery(0.1), noise=noise.SubGaussian(0.3))
        for reward in (0.1, 0.2, -0.1):
            session.tell(session.ask(), reward)
        shown.append((session.ask(), session.recommend(), str(session.certificate())))
    assert shown[0] == shown[1]


@pytest.mark.parametrize("kind", [Thompson, UCB1, Uniform])
def test_other_learners_say_what_they_need(kind):
    with pytest.raises(InvalidValueError, match="a finite table of candidates in memory, got ShardedProblem"):
        kind(both(20, (5, 7))[1])


def test_nothing_is_certified_from_a_belief():
    _, problem = both(20, (5, 7), tolerance=None)
    certifier = certifier_for(problem, goals.BestQuery(0.1))
    assert not certifier.is_settled(certifier.start())
    with pytest.raises(HypothesisError, match="nothing can be certified"):
        certifier.certificate(certifier.start())
