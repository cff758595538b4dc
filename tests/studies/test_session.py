"""A session as a person meets it."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.strategies import problems, similarities
from warmer import InvalidValueError, LeastSquares, Optimistic, Problem, Session, Thompson, Uniform, environments

WEATHER = Problem.from_table(
    [[0.1, 0.9, 0.2], [0.7, 0.3, 0.1]], queries=["left", "right"], targets=["rain", "sun", "snow"]
)


def a_session(**options):
    return Session(LeastSquares(WEATHER, alpha=0.7), seed=0, **options)


def test_it_asks_and_is_told_in_labels():
    session = a_session()
    assert session.ask() == "right"
    session.tell("right", 0.3)
    session.tell("left", 0.9)
    assert session.ask() == session.recommend() == "left"
    assert session.history.queries == ["right", "left"]
    assert session.history.rewards.tolist() == [0.3, 0.9]
    assert [answer.t for answer in session.history] == [1, 2]


def test_asking_again_changes_nothing_until_something_is_told():
    session = Session(Uniform(Problem.from_table(np.zeros((50, 2)))), seed=3)
    first = session.ask()
    assert [session.ask() for _ in range(5)] == [first] * 5
    session.tell(first, 0.0)
    assert len({session.ask() for _ in range(5)}) == 1
    later = set()
    for _ in range(20):
        later.add(session.ask())
        session.tell(first, 0.0)
    assert len(later) > 1  # twenty draws of fifty queries agree with probability 50^-19


def test_the_same_seed_asks_the_same_however_often_it_is_asked():
    problem = Problem.from_table(np.random.default_rng(0).integers(-8, 9, (9, 20)) / 8)

    def asked(patience):
        session = Session(Thompson(problem), seed=8)
        for t in range(15):
            for _ in range(patience):
                query = session.ask()
            session.tell(query, (t % 3 - 1) / 2)
        return session.history.queries

    assert asked(1) == asked(4)


def test_answers_may_come_unasked_repeated_out_of_order_and_by_index():
    session = a_session()
    session.tell("left", 0.5)
    session.tell("left", 0.5)
    session.tell(1, 0.25)
    assert session.history.queries == ["left", "left", "right"]


def test_a_mean_with_a_count_weighs_as_much_as_its_answers():
    one, many = a_session(), a_session()
    one.tell("left", 0.5, count=20)
    for _ in range(20):
        many.tell("left", 0.5)
    assert one.confidence_set(0.2) == many.confidence_set(0.2)
    assert one.history.counts.tolist() == [20]
    assert one.cost == many.cost == 20.0


@pytest.mark.parametrize("reward", [float("nan"), float("inf"), None, "warm", "0.5", 1.25, 10**400])
def test_a_failed_answer_changes_nothing_and_says_so(reward):
    session = a_session()
    session.tell("left", 0.5)
    before = (session.ask(), session.recommend(), session.confidence_set())
    with pytest.raises(InvalidValueError, match=r"the answer to 'right' .* nothing was recorded"):
        session.tell("right", reward)
    assert (session.ask(), session.recommend(), session.confidence_set()) == before
    assert len(session.history) == 1


def test_an_unknown_query_or_a_bad_count_changes_nothing():
    session = a_session()
    with pytest.raises(InvalidValueError, match="there is no query 'rigth'; perhaps 'right' was meant"):
        session.tell("rigth", 0.5)
    with pytest.raises(InvalidValueError, match="count must be at least 1, got 0"):
        session.tell("right", 0.5, count=0)
    assert len(session.history) == 0


def test_costs_add_up():
    problem = Problem.from_table([[0.5], [0.25]], queries=["a", "b"], costs=[1.5, 4.0])
    session = Session(Uniform(problem), seed=0)
    session.tell("a", 0.5, count=2)
    session.tell("b", 0.0)
    assert session.cost == 7.0


def test_rewards_and_gaps_stay_in_the_users_units():
    problem = Problem.from_table([[20.0, 90.0], [80.0, 10.0]], reward_range=(0, 100), targets=["x", "y"])
    session = Session(LeastSquares(problem, alpha=80.0), seed=0, sigma=5.0)
    session.tell(1, 82.0, count=5)
    certificate = session.certificate(epsilon=1.0, delta=0.1)
    assert certificate.is_proven
    assert session.recommend() == 1
    with pytest.raises(InvalidValueError, match=r"must be a number in \[0, 100\], got 101"):
        session.tell(0, 101.0)


def test_the_certificate_says_not_yet_and_who_objects():
    session = a_session(sigma=0.5)
    certificate = session.certificate(epsilon=0.05, delta=0.05)
    assert not certificate
    assert certificate.n_possible == 3
    assert set(certificate.objections) == {"sun", "snow"}
    assert certificate.gap == pytest.approx(0.6)
    assert str(certificate).startswith("not yet: 2 of 3 possible targets object to 'right'")


def test_the_certificate_is_proven_once_all_possible_targets_agree():
    session = a_session(sigma=0.5)
    session.tell("right", 0.7, count=100)
    certificate = session.certificate(epsilon=0.05, delta=0.05)
    assert certificate
    assert certificate.query == "right"
    assert certificate.objections == ()
    assert str(certificate).startswith("proven: 'right' is within 0.05 of the best, with probability at least 0.95")


def test_a_compromise_on_which_all_agree_is_proven_although_nobody_likes_it_best():
    problem = Problem.from_table([[1.0, 0.0], [0.0, 1.0], [0.9, 0.9]], queries=["a", "b", "safe"])
    session = Session(Uniform(problem), seed=0)
    assert session.recommend() == "a"
    assert session.certificate(epsilon=0.125).query == "safe"
    assert session.recommend() == "safe"  # what was just proven on these answers
    session.tell("a", 0.5)
    assert session.recommend() == "a"
    assert not session.certificate(epsilon=0.05)


@pytest.mark.parametrize(("epsilon", "delta"), [(0, 0.1), (-1, 0.1), (float("nan"), 0.1), (0.1, 0), (0.1, 1)])
def test_an_accuracy_that_means_nothing_is_refused(epsilon, delta):
    with pytest.raises(InvalidValueError, match=r"(epsilon|delta) must"):
        a_session().certificate(epsilon, delta)


def test_data_that_no_candidate_explains_are_called_misspecified():
    session = a_session(sigma=0.5)
    assert not session.misspecified
    session.tell("left", 0.9, count=50)
    assert not session.misspecified
    session.tell("left", -0.8, count=200)
    assert session.misspecified
    certificate = session.certificate(epsilon=0.5)
    assert not certificate
    assert certificate.is_misspecified
    assert str(certificate).startswith("not proven: the answers reject every candidate")


def test_a_learner_with_a_confidence_set_lends_its_delta_and_sigma():
    learner = Optimistic(WEATHER, "anytime", delta=0.01, sigma=0.25)
    assert (Session(learner).delta, Session(learner).sigma) == (0.01, 0.25)
    assert (Session(learner, delta=0.1, sigma=0.5).delta, Session(learner, sigma=0.5).sigma) == (0.1, 0.5)
    assert (a_session().delta, a_session().sigma) == (0.05, 1.0)
    assert Session(Thompson(WEATHER, sigma=0.25)).sigma == 1.0  # a likelihood is a guess, not a bound


def test_the_best_is_the_best_query_even_where_a_target_prefers_another_to_its_own():
    problem = Problem.from_similarity([[0.1, 0.0], [0.9, -0.5]], labels=["a", "b"])
    session = Session(LeastSquares(problem, alpha=0.1), sigma=0.1)
    session.tell("a", 0.1, count=50)
    certificate = session.certificate(epsilon=0.05)
    assert (certificate.query, bool(certificate)) == ("b", True)  # under "a", asking "b" earns 0.9


def test_rewards_of_a_millionth_are_compared_as_finely_as_others():
    table = np.array([[0, 1e-6], [1e-6, 0]], dtype=np.float32)
    session = Session(Uniform(Problem.from_table(table, reward_range=(0, 1e-6))))
    assert not session.certificate(epsilon=1e-7)


def test_objections_come_with_the_likeliest_first():
    problem = Problem.from_table(np.eye(4), targets=list("wxyz"))
    session = Session(Uniform(problem), sigma=1.0)
    session.tell(0, 0.0, count=2)
    session.tell(1, 0.25)
    session.tell(2, 0.5)
    assert session.recommend() == 2
    assert list(session.certificate(epsilon=0.1).objections) == ["z", "x", "w"]


@pytest.mark.parametrize("wrong", [WEATHER, None, 3])
def test_a_session_with_something_that_is_no_learner_is_refused(wrong):
    with pytest.raises(InvalidValueError, match="a session needs a learner"):
        Session(wrong)


@given(
    problems() | similarities(),
    st.lists(st.tuples(st.integers(0, 50), st.integers(-8, 8)), max_size=10),
    st.integers(1, 8),
)
@settings(max_examples=200, deadline=None)
def test_confidence_set_and_certificate_follow_their_definitions(problem, pairs, eighths):
    session, epsilon = Session(Uniform(problem), sigma=0.5), eighths / 8
    for number, reward in pairs:
        session.tell(number % problem.n_queries, reward / 8)
    losses = sum(((problem.rho[n % problem.n_queries] - r / 8) ** 2 for n, r in pairs), np.zeros(problem.n_targets))
    possible = [
        z for z in range(problem.n_targets) if losses[z] - losses.min() <= 0.5 * math.log(problem.n_targets / 0.1)
    ]
    assert session.confidence_set(0.1) == possible
    best = problem.rho.max(axis=0)
    agreed = [q for q in range(problem.n_queries) if all(best[z] - problem.rho[q, z] <= epsilon for z in possible)]
    certificate = session.certificate(epsilon, 0.1)
    assert certificate.is_proven == (bool(agreed) and not session.misspecified)
    if agreed:
        assert certificate.query in agreed


def test_a_simulated_conversation_ends_with_a_proof_of_the_right_answer():
    problem = Problem.from_table(np.random.default_rng(4).uniform(-0.5, 0.5, (20, 100)))
    truth = environments.UniformNoise(problem, 17, width=0.5)
    session, rng = Session(Optimistic(problem, "anytime", sigma=truth.sigma), seed=1), np.random.default_rng(2)
    while not (certificate := session.certificate(epsilon=0.1, delta=0.01)):
        query = session.ask()
        session.tell(query, truth.reward(problem.queries.position(query), truth.noise(1, rng)[0]))
    assert truth.means.max() - truth.means[problem.queries.position(certificate.query)] <= 0.1
    assert not session.misspecified
