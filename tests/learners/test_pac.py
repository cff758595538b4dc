"""Algorithm 2 and its practical form."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.learners import reference
from tests.strategies import problems
from warmer import (
    PAC,
    ExactPAC,
    HypothesisError,
    InvalidValueError,
    LeastSquares,
    Optimistic,
    Problem,
    ProtocolError,
    Session,
    Thompson,
    Uniform,
    UntilCertified,
    bounds,
    environments,
    goals,
    noise,
    simulate,
)
from warmer.analysis.run_statistics import clopper_pearson
from warmer.families import GLM, KArms, Linear, LinearBall, ReLU, Separation, Sphere, logistic
from warmer.model import StoppingLearner
from warmer.problems import parities

TABLE = Problem.from_table(np.random.default_rng(11).integers(-7, 8, (6, 9)) / 8)
DELTA = 0.1
N_RUNS = 1000


def conversation(learner, answer, seed=0):
    """Ask and tell until it is done; the history and the recommendation."""
    rng = np.random.default_rng(seed)
    state, history = learner.init(rng), []
    while not learner.is_done(state):
        query = learner.ask(state, rng)
        history.append((query, answer(query)))
        state = learner.tell(state, *history[-1])
    return history, state


@given(problems(min_targets=2), st.integers(1, 12), st.integers(1, 4), st.integers(1, 3), st.data())
@settings(max_examples=200, deadline=None)
def test_it_settles_on_what_the_printed_algorithm_outputs(problem, horizon, n_candidates, n_repeats, data):
    alpha = data.draw(st.sampled_from(sorted(set(problem.self_evaluations.tolist()))))
    target = data.draw(st.integers(0, problem.n_targets - 1))
    base = LeastSquares(problem, alpha=alpha)
    learner = PAC(base, epsilon=0.25, horizon=horizon, n_candidates=n_candidates, n_repeats=n_repeats)

    def answer(query):
        return problem.rho[query, target]

    functions, actions = [dict(enumerate(column)) for column in problem.rho.T.tolist()], range(problem.n_queries)
    history, state = conversation(learner, answer)
    expected = reference.algorithm_2(
        lambda past: reference.algorithm_5(functions, actions, alpha, past), answer, horizon, state.draws, n_repeats
    )
    assert learner.recommend(state) == expected
    assert horizon <= len(history) <= learner.plan.n_queries <= horizon + n_candidates * n_repeats


def test_the_drawn_rounds_are_uniform_and_independent():
    learner = PAC(Uniform(TABLE), epsilon=0.5, horizon=4, n_candidates=2, n_repeats=1)
    draws = np.array([learner.init(np.random.default_rng(seed)).draws for seed in range(2000)])
    assert draws.min() == 1
    assert draws.max() == 4
    pairs = np.bincount(4 * (draws[:, 0] - 1) + draws[:, 1] - 1, minlength=16).reshape(4, 4)
    expected = np.triu(np.full((4, 4), 2.0), 1) + np.eye(4)  # sorted pairs: i < j twice as likely as i = i
    # Hoeffding: each of 16 shares of 2000 is off by more than 0.06 with probability below 2 exp(-14.4)
    assert np.abs(pairs / 2000 - expected / 16).max() < 0.06


def test_a_query_drawn_twice_is_verified_once_and_a_lone_one_not_at_all():
    learner = PAC(LeastSquares(TABLE, alpha=0.5), epsilon=0.5, horizon=5, n_candidates=4, n_repeats=3)
    best = int(TABLE.best_queries[learner.base.estimate(learner.base.init(None))])
    history, state = conversation(learner, lambda query: 1.0 if query == best else -1.0)
    assert [query for query, _ in history] == [best] * 5
    assert learner.recommend(state) == best


def test_it_only_learns_from_the_candidates_in_the_second_phase_and_goes_on_asking_the_winner_when_done():
    problem = Problem.from_table([[1.0, 0.0], [0.0, 1.0]])
    learner = PAC(Uniform(problem), epsilon=0.5, horizon=6, n_candidates=5, n_repeats=2)
    rng = np.random.default_rng(4)
    state = learner.init(rng)
    for query in (0, 1, 0, 1, 0, 1):
        state = learner.tell(state, query, 0.0)
    assert set(state.candidates) == {0, 1}
    assert not learner.is_done(state)
    with pytest.raises(ProtocolError, match="when it is done"):
        learner.recommend(state)
    state = learner.tell(state, state.candidates[1], 0.5, count=2)
    assert learner.ask(state, rng) == state.candidates[0]
    state = learner.tell(state, state.candidates[0], 0.25, count=7)
    assert learner.is_done(state)
    assert learner.ask(state, rng) == learner.recommend(state) == state.candidates[1]


def outputs(learner, environment, n_queries, seed):
    """The recommendation of each run: what a learner goes on asking when it is done."""
    return simulate(learner, environment, horizon=n_queries + 1, runs=N_RUNS, seed=seed).means[:, -1]


SMALL = {
    "parities and coins": (parities(2), lambda p: environments.Coin(p, 3), 1.0, 0.5),
    "a table and uniform noise": (TABLE, lambda p: environments.UniformNoise(p, 2), None, 0.25),
    "a table and coins": (TABLE, lambda p: environments.Coin(p, 7), None, 0.375),
}


@pytest.fixture(params=sorted(SMALL))
def small(request):
    problem, environment, alpha, epsilon = SMALL[request.param]
    answering = environment(problem)
    return answering, float(answering.means.max()) if alpha is None else alpha, epsilon


def test_bad_outputs_are_rarer_than_delta(small):
    answering, alpha, epsilon = small
    learner = PAC(
        LeastSquares(answering.problem, alpha=alpha),
        epsilon=epsilon,
        delta=DELTA,
        horizon=60,
        n_candidates=4,
        n_repeats=25,
    )
    bad = int((outputs(learner, answering, learner.plan.n_queries, seed=1) < alpha - epsilon).sum())
    assert clopper_pearson(bad, N_RUNS).high < DELTA


def test_bad_outputs_are_rarer_than_delta_with_early_stopping_too(small):
    answering, alpha, epsilon = small
    base = LeastSquares(answering.problem, alpha=alpha)
    long = PAC(base, epsilon=epsilon, delta=DELTA / 2, horizon=100, n_candidates=4, n_repeats=25)
    learner = UntilCertified(long, goals.BestQuery(epsilon), noise=noise.SubGaussian(answering.sigma), delta=DELTA / 2)
    bad = 0
    for seed in range(N_RUNS):
        rng = np.random.default_rng([2, seed])
        _, state = conversation(
            learner, lambda query, rng=rng: answering.reward(query, answering.noise(1, rng)[0]), seed
        )
        bad += bool(answering.means[learner.recommend(state)] < alpha - epsilon)
    assert clopper_pearson(bad, N_RUNS).high < DELTA


def test_early_stopping_never_asks_more_and_usually_much_less():
    answering = environments.Coin(parities(2), 3)
    long = PAC(LeastSquares(answering.problem, alpha=1.0), epsilon=0.5, delta=0.05)
    learner = UntilCertified(long, goals.BestQuery(0.5), delta=0.05)
    assert long.plan.horizon > 25_000
    for seed in range(20):
        rng = np.random.default_rng(seed)
        history, state = conversation(
            learner, lambda query, rng=rng: answering.reward(query, answering.noise(1, rng)[0]), seed
        )
        assert len(history) < 200
        assert learner.recommend(state) == 3


def test_early_stopping_heeds_a_base_that_is_done_without_a_proof():
    long = PAC(LeastSquares(TABLE, alpha=0.5), epsilon=0.01, horizon=3, n_candidates=2, n_repeats=1)
    learner = UntilCertified(long, goals.BestQuery(0.01))
    history, state = conversation(learner, lambda query: 0.0)
    assert state.evidence.settled is None
    assert len(history) <= long.plan.n_queries
    assert learner.ask(state, None) == learner.recommend(state) == long.recommend(state.base)


def test_early_stopping_around_a_learner_that_never_stops_stops_at_the_sessions_certificate():
    session = Session(
        UntilCertified(Optimistic(TABLE, sigma=0.25), goals.BestQuery(0.25), noise=noise.SubGaussian(0.25))
    )
    answering, rng = environments.UniformNoise(TABLE, 4, width=0.25), np.random.default_rng(0)
    while not session.is_done:
        assert not session.certificate()
        with pytest.raises(ProtocolError, match="nothing is proven yet"):
            session.learner.recommend(session.state)
        query = session.ask()
        session.tell(query, answering.respond(query, rng))
    certificate = session.certificate()
    assert certificate
    assert certificate.answer == session.recommend() == session.ask()


def test_where_all_targets_agree_from_the_start_nothing_is_asked():
    problem = Problem.from_table([[0.5, 0.5], [0.0, 0.25]])
    assert Session(UntilCertified(Uniform(problem), goals.BestQuery(0.1))).is_done


def test_a_session_says_when_it_is_done_and_recommends_what_the_learner_settled_on():
    problem = Problem.from_table([[0.0, 1.0], [0.5, 0.0]], queries=["left", "right"])
    session = Session(PAC(LeastSquares(problem, alpha=0.5), epsilon=0.25, horizon=4, n_candidates=3, n_repeats=2))
    while not session.is_done:
        query = session.ask()
        session.tell(query, {"left": 1.0, "right": 0.0}[query])
    assert session.recommend() == "left"
    assert len(session.history) <= session.learner.plan.n_queries
    assert not Session(Uniform(problem)).is_done


def test_the_plan_and_the_promise_are_the_theorems():
    learner = PAC(LeastSquares(parities(2), alpha=1.0), epsilon=0.5, delta=DELTA)
    # all correlations 0: the dimension at 3/8 is 4, the number of parities
    budget = 8 * np.log(4 / (DELTA / 2))
    n_bad = bounds.bad_queries_bound(dimension=4, error_budget=budget, epsilon=0.375)
    assert learner.plan.horizon == 2 * n_bad < 64 * 4**2.5 * budget / 0.25 / 10
    assert learner.plan.n_candidates == bounds.pac_candidates(delta=DELTA) == 6
    assert learner.plan.n_repeats == bounds.pac_repeats(epsilon=0.5, delta=DELTA, n_candidates=6)
    assert learner.promise
    assert "the output is within 0.5 of it with probability at least 0.9" in str(learner.promise)
    assert "d = 4" in learner.promise.reason
    paper = PAC(
        learner.base,
        epsilon=0.5,
        delta=DELTA,
        error_budget=lambda horizon: bounds.paper_error_budget(n_targets=4, horizon=horizon, delta=DELTA / 2),
    )
    assert paper.plan.horizon > 16 * learner.plan.horizon
    assert paper.promise.reason.endswith("which is your own")


def test_a_plan_of_ones_own_promises_only_what_a_theorem_covers():
    base = LeastSquares(parities(2), alpha=1.0)
    own = PAC(base, epsilon=0.5, delta=DELTA, horizon=100, n_repeats=5)
    assert not own.promise
    assert str(own.promise).startswith("not promised")
    assert "n_repeats is 5, needs" in own.promise.reason
    assert "give dimension=" in own.promise.reason
    ample = PAC(base, epsilon=0.5, delta=DELTA, horizon=10**7, n_candidates=9, dimension=4)
    assert ample.promise
    short = PAC(base, epsilon=0.5, delta=DELTA, horizon=10, dimension=4)
    assert "horizon is 10, needs" in short.promise.reason
    # a budget that leaps: 500 rounds are enough for the first value of C, none are for the second
    leaping = PAC(
        base, epsilon=1.0, delta=DELTA, horizon=2000, dimension=2, error_budget=lambda t: 0.0 if t < 1000 else 1e9
    )
    assert not leaping.promise
    needed = bounds.pac_horizon(dimension=2, epsilon=1.0, error_budget=lambda t: 1e9)
    assert f"horizon is 2000, needs {needed}" in leaping.promise.reason
    both = UntilCertified(ample, goals.BestQuery(0.5), delta=0.05)
    assert both.promise
    assert both.promise.delta == pytest.approx(0.15)
    assert not UntilCertified(own, goals.BestQuery(0.5)).promise
    assert UntilCertified(base, goals.BestQuery(0.5)).promise


def test_an_optimistic_base_pays_for_its_own_confidence_set():
    problem = parities(2)
    with pytest.raises(HypothesisError, match=r"may lose the truth with probability .*; with a total of"):
        PAC(Optimistic(problem, delta=0.05), epsilon=0.5, delta=DELTA)
    careful = PAC(Optimistic(problem, delta=0.025), epsilon=0.5, delta=DELTA)
    assert careful.promise
    assert careful.base.error_budget(horizon=1, delta=0.05) == pytest.approx(12 * np.log(2 * 4 / 0.05))
    radius = 8 * np.log(4 / 0.05)
    assert Optimistic(problem, radius).error_budget(horizon=1, delta=0.05) == pytest.approx(4 * radius)
    with pytest.raises(HypothesisError, match="if its radius is at least"):
        Optimistic(problem, 1.0).error_budget(horizon=1, delta=0.05)


def test_where_alpha_is_unknown_the_dimension_is_the_largest_over_what_it_can_be():
    problem = Problem.from_table([[1.0, 0.0, 0.0], [0.0, 0.5, 0.0], [0.0, 0.0, 0.5]])
    learner = PAC(Optimistic(problem, delta=0.01), epsilon=0.25, delta=DELTA)
    assert "d = 3" in learner.promise.reason
    assert "d = 1" in PAC(LeastSquares(problem, alpha=1.0), epsilon=0.25, delta=DELTA).promise.reason


def test_an_alpha_that_a_float_cannot_hold_excludes_no_target():
    exact = Problem.from_similarity([[2, 0, 0], [0, 2, 0], [0, 0, 2]], denominator=3)
    assert "d = 3" in PAC(LeastSquares(exact, alpha=2 / 3), epsilon=0.5, delta=DELTA).promise.reason
    tenth = Problem.from_similarity([[1, 0], [0, 1]], denominator=10)  # the float 0.1 is larger than 1/10
    assert "d = 2" in PAC(LeastSquares(tenth, alpha=0.1), epsilon=0.05, delta=DELTA).promise.reason


@pytest.mark.parametrize(
    ("build", "error", "message"),
    [
        (lambda: PAC(Thompson(TABLE), epsilon=0.5), InvalidValueError, "known for Thompson; give horizon= or error"),
        (lambda: PAC(Uniform(TABLE), epsilon=0), InvalidValueError, "epsilon must be greater than 0"),
        (lambda: PAC(Uniform(TABLE), epsilon=1, delta=1), InvalidValueError, "delta must lie strictly"),
        (lambda: PAC(Uniform(TABLE), epsilon=1, horizon=0), InvalidValueError, "horizon must be at least 1"),
        (lambda: PAC(Uniform(TABLE), epsilon=1, n_repeats=0.5), InvalidValueError, "n_repeats must be a whole number"),
        (lambda: ExactPAC(Uniform(TABLE), epsilon=1, horizon=0), InvalidValueError, "horizon must be at least 1"),
        (lambda: PAC(TABLE, epsilon=1), InvalidValueError, "PAC needs a learner, such as LeastSquares, got Problem"),
        (lambda: ExactPAC(None, epsilon=1), InvalidValueError, "ExactPAC needs a learner, .* got NoneType"),
        (
            lambda: UntilCertified(None, goals.BestQuery(1)),
            InvalidValueError,
            "UntilCertified needs a learner, .* got NoneType",
        ),
        (
            lambda: UntilCertified(Uniform(TABLE), goals.BestQuery(-1)),
            InvalidValueError,
            "epsilon must be greater than 0",
        ),
    ],
)
def test_a_configuration_that_means_nothing_is_refused(build, error, message):
    with pytest.raises(error, match=message):
        build()


def test_a_continuous_family_needs_its_dimension_from_the_user():
    class ContinuousFamily:
        scale, problem = 1.0, None

    class Searcher:
        problem, init, ask, tell = ContinuousFamily(), None, None, None

    with pytest.raises(
        InvalidValueError, match="dimension of ContinuousFamily is not computed; give dimension= or horizon="
    ):
        PAC(Searcher(), epsilon=0.5)


def test_all_three_are_stopping_learners():
    base = LeastSquares(TABLE, alpha=0.5)
    for learner in (
        PAC(base, epsilon=0.5, horizon=3),
        ExactPAC(base, epsilon=0.5, horizon=3),
        UntilCertified(base, goals.BestQuery(0.5)),
    ):
        assert isinstance(learner, StoppingLearner)
    assert not isinstance(base, StoppingLearner)


@given(problems(min_targets=2, max_targets=8), st.integers(1, 8), st.data())
@settings(max_examples=150, deadline=None)
def test_exact_rewards_make_the_output_good_for_certain(problem, eighths, data):
    target = data.draw(st.integers(0, problem.n_targets - 1))
    alpha, epsilon = float(problem.self_evaluations[target]), eighths / 8
    learner = ExactPAC(LeastSquares(problem, alpha=alpha), epsilon=epsilon)
    assert learner.promise
    history, state = conversation(learner, lambda query: problem.rho[query, target])
    assert len(history) == learner.n_rounds
    assert problem.rho[learner.recommend(state), target] >= alpha - epsilon
    n_bad = sum(reward < alpha - epsilon for _, reward in history)
    dimension = learner._dimension
    assert n_bad <= bounds.bad_queries_bound(dimension=dimension, error_budget=0.0, epsilon=epsilon, reach=1 + alpha)


def test_the_exact_form_remembers_the_first_of_the_best_and_says_what_it_cannot_promise():
    learner = ExactPAC(LeastSquares(TABLE, alpha=0.5), epsilon=0.5, horizon=3)
    state = learner.tell(learner.tell(learner.init(None), 2, 0.5), 4, 0.5)
    with pytest.raises(ProtocolError, match="when it is done"):
        learner.recommend(state)
    state = learner.tell(state, 1, 0.25)
    assert learner.ask(state, None) == learner.recommend(state) == 2
    assert "is your own" in learner.promise.reason
    assert "Uniform may err on exact rewards" in ExactPAC(Uniform(TABLE), epsilon=0.5, dimension=5).promise.reason
    assert "horizon is 3, needs" in ExactPAC(learner.base, epsilon=0.5, horizon=3, dimension=5).promise.reason


ACTIONS = [[1.0, 0.0], [0.6, 0.8]]
IN_EVERY_FAMILY = [
    (TABLE, 0.5, True),
    (KArms(2), 0.5, True),
    (Sphere(2), 0.5, True),
    (Linear(ACTIONS), 0.5, True),
    (LinearBall(2), 0.5, True),
    (Separation(), 0.5, True),
    (ReLU(2, bias=0.5), 0.5, True),  # on the circle
    (ReLU(2, bias=0.5), 0.25, False),
    (ReLU(3, bias=0.3), 0.5, False),
    (GLM(ACTIONS, logistic), 0.5, False),
]


@pytest.mark.parametrize(("problem", "alpha", "is_exact"), IN_EVERY_FAMILY, ids=repr)
def test_the_exact_form_promises_only_where_the_fit_is_proved_to_be_exact(problem, alpha, is_exact):
    promise = ExactPAC(LeastSquares(problem, alpha=alpha), epsilon=0.2, dimension=50).promise
    assert promise.is_proven is is_exact
    assert ("is not proved to have the least loss" in promise.reason) is not is_exact


IDENTITY = Problem.from_similarity(np.eye(6))


@pytest.mark.parametrize(
    "learner",
    [
        PAC(LeastSquares(IDENTITY, alpha=1.0), epsilon=0.5, delta=0.05),
        ExactPAC(LeastSquares(IDENTITY, alpha=1.0), epsilon=0.5),
    ],
)
def test_a_batch_is_one_round_of_search(learner):
    """One answer with count = horizon once ended the search on arm 0, with a promise, although arm 5 was the truth."""
    session = Session(learner)
    horizon = learner.n_rounds if isinstance(learner, ExactPAC) else learner.plan.horizon
    for n_rounds in range(1, 6):
        query = session.ask()
        session.tell(query, float(query == 5), count=horizon)
        assert session.state.n_rounds == n_rounds
        assert not session.is_done


def test_a_learner_that_counts_rounds_takes_neither_unasked_answers_nor_several_questions():
    session = Session(ExactPAC(LeastSquares(IDENTITY, alpha=1.0), epsilon=0.5))
    with pytest.raises(ProtocolError, match="learns only from answers to its own questions, and 3 was not asked for"):
        session.tell(3, 0.0)
    with pytest.raises(ProtocolError, match="asks one query at a time"):
        session.ask(2)
    assert session.ask() == session.ask() == 0
    session.tell(0, 0.0)
    assert len(session.history) == 1
    while not session.is_done:
        session.tell(query := session.ask(), float(query == 5))
    assert session.recommend() == 5
