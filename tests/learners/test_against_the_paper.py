"""The incremental learners ask what the printed algorithms ask, round by round, ties included."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.learners import reference
from tests.strategies import problems, similarities
from warmer import LeastSquares, Optimistic, Problem

rewards_told = st.lists(st.integers(-8, 8).map(lambda k: k / 8), min_size=1, max_size=10)
radii = st.integers(0, 40).map(lambda k: k / 8)


def asked(learner, rewards):
    """The queries a learner makes when these rewards come back, and the history before each."""
    rng = np.random.default_rng(0)
    state, history = learner.init(rng), []
    for reward in rewards:
        query = learner.ask(state, rng)
        yield query, list(history)
        state = learner.tell(state, query, reward)
        history.append((query, reward))


def functions_of(problem):
    return [dict(enumerate(column)) for column in problem.rho.T.tolist()]


def product_problem(problem):
    """Z = F x A as the square table that the paper defines; each function's best actions are listed first."""
    values = np.asarray(problem.rho)
    pairs = [(f, int(a)) for f in range(problem.n_targets) for a in np.argsort(-values[:, f], kind="stable")]
    table = np.array([[values[a, f] for f, _ in pairs] for _, a in pairs])
    return pairs, Problem.from_similarity(table)


@given(similarities(), rewards_told, st.data())
@settings(max_examples=300, deadline=None)
def test_least_squares_on_alternatives_is_algorithm_1(problem, rewards, data):
    alpha = data.draw(st.sampled_from(sorted(set(problem.self_evaluations.tolist()))))
    for query, history in asked(LeastSquares(problem, alpha=alpha), rewards):
        expected = reference.algorithm_1(range(problem.n_targets), lambda q, z: problem.rho[q, z], alpha, history)
        assert query == expected


@given(problems(), rewards_told, st.data())
@settings(max_examples=300, deadline=None)
def test_least_squares_on_a_bandit_is_algorithm_5(problem, rewards, data):
    alpha = data.draw(st.sampled_from(sorted(set(problem.self_evaluations.tolist()))))
    functions, actions = functions_of(problem), range(problem.n_queries)
    for query, history in asked(LeastSquares(problem, alpha=alpha), rewards):
        assert query == reference.algorithm_5(functions, actions, alpha, history)


@given(similarities(), rewards_told, radii)
@settings(max_examples=300, deadline=None)
def test_optimistic_on_alternatives_is_algorithm_3(problem, rewards, radius):
    for query, history in asked(Optimistic(problem, radius), rewards):
        expected = reference.algorithm_3(range(problem.n_targets), lambda q, z: problem.rho[q, z], radius, history)
        assert query == expected


@given(problems(), rewards_told, radii)
@settings(max_examples=300, deadline=None)
def test_optimistic_on_a_bandit_is_algorithm_6(problem, rewards, radius):
    functions, actions = functions_of(problem), range(problem.n_queries)
    for query, history in asked(Optimistic(problem, radius), rewards):
        assert query == reference.algorithm_6(functions, actions, radius, history)


@given(similarities(), rewards_told)
@settings(max_examples=200, deadline=None)
def test_the_anytime_radius_is_optimism_over_the_loss_ball(problem, rewards):
    learner = Optimistic(problem, "anytime", delta=0.5, sigma=0.75)
    radius = learner.ball.radius
    for query, history in asked(learner, rewards):
        expected = reference.optimistic_over_loss_ball(
            range(problem.n_targets), lambda q, z: problem.rho[q, z], radius, history
        )
        assert query == expected


@given(problems(max_queries=4, max_targets=4), rewards_told, st.data())
@settings(max_examples=150, deadline=None)
def test_algorithms_1_and_5_ask_the_same_on_the_same_bandit(problem, rewards, data):
    alpha = data.draw(st.sampled_from(sorted(set(problem.self_evaluations.tolist()))))
    pairs, product = product_problem(problem)
    plain = [query for query, _ in asked(LeastSquares(problem, alpha=alpha), rewards)]
    lifted = [pairs[query][1] for query, _ in asked(LeastSquares(product, alpha=alpha), rewards)]
    assert plain == lifted


@given(problems(max_queries=4, max_targets=4), rewards_told, radii)
@settings(max_examples=150, deadline=None)
def test_algorithms_3_and_6_ask_the_same_on_the_same_bandit(problem, rewards, radius):
    pairs, product = product_problem(problem)
    plain = [query for query, _ in asked(Optimistic(problem, radius), rewards)]
    lifted = [pairs[query][1] for query, _ in asked(Optimistic(product, radius), rewards)]
    assert plain == lifted


@given(similarities(), rewards_told)
@settings(max_examples=100, deadline=None)
def test_a_single_precision_table_is_asked_the_same(problem, rewards):
    single = Problem.from_similarity(np.asarray(problem.rho, dtype=np.float32))
    doubles = [query for query, _ in asked(Optimistic(problem, 1.5), rewards)]
    singles = [query for query, _ in asked(Optimistic(single, 1.5), rewards)]
    assert doubles == singles
