"""A session as a person meets it."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.strategies import problems, similarities
from warmer import (
    PAC,
    InvalidValueError,
    LeastSquares,
    Optimistic,
    Problem,
    ProtocolError,
    Session,
    Thompson,
    TopTwo,
    Uniform,
    UntilCertified,
    environments,
    goals,
    noise,
)
from warmer.families import KArms, LinearBall, Sphere

WEATHER = Problem.from_table(
    [[0.1, 0.9, 0.2], [0.7, 0.3, 0.1]], queries=["left", "right"], targets=["rain", "sun", "snow"]
)
GOAL = goals.BestQuery(0.05)


def a_session(**options):
    return Session(LeastSquares(WEATHER, alpha=0.7), seed=0, **options)


def test_three_lines_suffice():
    session = Session(WEATHER, goal=GOAL)
    while not session.is_done:
        session.tell(query := session.ask(), float(WEATHER.rho[WEATHER.queries.position(query), 1]))
    assert session.certificate().answer == "left"
    assert isinstance(session.learner, TopTwo)


def test_it_asks_and_is_told_in_labels():
    session = a_session()
    assert session.ask() == "right"
    session.tell("right", 0.3)
    session.tell("left", 0.9)
    assert session.ask() == session.recommend() == "left"
    assert session.history.queries == ["right", "left"]
    assert session.history.rewards.tolist() == [0.3, 0.9]
    assert [answer.t for answer in session.history] == [1, 2]


def test_every_question_is_pending_until_it_is_answered():
    session = Session(Problem.from_table(np.eye(5)), goal=goals.WhichTarget(), noise=noise.SubGaussian(0.2))
    asked = session.ask(3)
    assert len(set(asked)) == 3  # those under way count as if they had been answered
    assert session.pending == asked
    asked += session.ask(1)
    assert session.pending == asked
    assert len(set(asked)) == 4
    session.tell(asked[1], 0.0)
    assert session.pending == [asked[0], asked[2], asked[3]]
    unasked = next(query for query in range(5) if query not in asked)
    session.tell(unasked, 0.0)
    assert session.pending == [asked[0], asked[2], asked[3]]


def test_the_lots_of_a_question_depend_on_the_seed_and_its_number_alone():
    problem = Problem.from_table(np.random.default_rng(0).integers(-8, 9, (9, 20)) / 8)

    def asked(told_early):
        session, queries = Session(Thompson(problem), seed=8), []
        for t in range(15):
            if told_early:
                session.tell(queries[-1] if queries else 0, 0.25)
            queries.append(session.ask())
            if not told_early:
                session.tell(0 if t == 0 else queries[t - 1], 0.25)
        return queries

    assert asked(True) == asked(True)
    assert len(set(asked(True))) > 1


def test_answers_may_come_unasked_repeated_out_of_order_and_by_index():
    session = a_session()
    session.tell("left", 0.5)
    session.tell("left", 0.5)
    session.tell(1, 0.25)
    assert session.history.queries == ["left", "left", "right"]


def test_a_mean_with_a_count_weighs_as_much_as_its_answers():
    declared = {"noise": noise.SubGaussian(0.5), "delta": 0.2}
    one, many = a_session(**declared), a_session(**declared)
    one.tell("left", 0.5, count=20)
    for _ in range(20):
        many.tell("left", 0.5)
    assert one.remaining == many.remaining
    assert one.history.counts.tolist() == [20]
    assert one.cost == many.cost == 20.0


@pytest.mark.parametrize("reward", [float("nan"), float("inf"), None, "warm", "0.5", 1.25, 10**400])
@pytest.mark.parametrize("declared", [None, noise.Bounded(), noise.SubGaussian(0.3), noise.Coin(), noise.Gaussian()])
def test_a_failed_answer_changes_nothing_and_says_so(reward, declared):
    session = a_session(noise=declared)
    session.tell("left", 1.0)
    before = (session.recommend(), session.remaining)
    with pytest.raises(InvalidValueError, match=r"the answer to 'right' .* nothing was recorded"):
        session.tell("right", reward)
    assert (session.recommend(), session.remaining) == before
    assert len(session.history) == 1


def test_coins_are_means_of_ends():
    session = a_session(noise=noise.Coin())
    session.tell("left", -0.5, count=4)
    with pytest.raises(InvalidValueError, match="must be -1 or 1, or the mean of 3 such answers"):
        session.tell("left", -0.5, count=3)


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


def test_rewards_stay_in_the_users_units():
    problem = Problem.from_table([[20.0, 90.0], [80.0, 10.0]], reward_range=(0, 100), targets=["x", "y"])
    session = Session(problem, goal=goals.BestQuery(1.0), noise=noise.SubGaussian(5.0), delta=0.1)
    session.tell(1, 82.0, count=5)
    assert session.certificate()
    assert session.recommend() == 1
    with pytest.raises(InvalidValueError, match=r"must be a number in \[0, 100\], got 101"):
        session.tell(0, 101.0)


def test_the_certificate_says_not_yet_and_who_objects():
    certificate = a_session(goal=GOAL).certificate()
    assert not certificate
    assert len(certificate.remaining) == 3
    assert set(certificate.objectors) == {"sun", "snow"}
    assert str(certificate) == "not yet proven: 2 of 3 remaining candidates object to 'right'"


def test_the_certificate_is_proven_once_all_remaining_candidates_agree():
    session = a_session(goal=GOAL, noise=noise.SubGaussian(0.5))
    session.tell("right", 0.7, count=100)
    certificate = session.certificate()
    assert certificate
    assert certificate.answer == "right"
    assert list(certificate.objectors) == []
    assert str(certificate).startswith("proven: 'right' is within 0.05 of the best query, with probability at least")


def test_a_compromise_on_which_all_agree_is_proven_although_nobody_likes_it_best():
    problem = Problem.from_table([[1.0, 0.0], [0.0, 1.0], [0.9, 0.9]], queries=["a", "b", "safe"])
    session = Session(problem, goal=goals.BestQuery(0.125))
    assert session.certificate().answer == session.recommend() == "safe"
    assert not session.certificate(GOAL)


@pytest.mark.parametrize("epsilon", [0, -1, float("nan"), "x", None, True])
def test_an_accuracy_that_means_nothing_is_refused(epsilon):
    with pytest.raises(InvalidValueError, match="epsilon must"):
        goals.BestQuery(epsilon)


@pytest.mark.parametrize("delta", [0, 1, float("nan"), "x"])
def test_a_probability_that_means_nothing_is_refused(delta):
    with pytest.raises(InvalidValueError, match="delta must"):
        a_session(goal=GOAL, delta=delta)


def test_data_that_no_candidate_explains_are_called_misspecified():
    session = a_session(goal=goals.BestQuery(0.5), noise=noise.SubGaussian(0.5))
    assert not session.is_misspecified
    session.tell("left", 0.9, count=50)
    assert not session.is_misspecified
    for _ in range(20):
        session.tell("left", -0.8, count=10)
    assert session.is_misspecified
    certificate = session.certificate()
    assert not certificate
    assert certificate.is_misspecified
    assert certificate.answer is None
    assert str(certificate).startswith("not proven: the data contradict every candidate")


@pytest.mark.parametrize("learner", [Optimistic(WEATHER, sigma=0.01), Thompson(WEATHER, sigma=0.01)])
def test_what_a_learner_believes_of_the_noise_is_no_declaration(learner):
    session = Session(learner, goal=GOAL)
    session.tell("left", 0.9)
    assert list(session.remaining) == ["rain", "sun", "snow"]


def test_the_best_is_the_best_query_even_where_a_target_prefers_another_to_its_own():
    problem = Problem.from_similarity([[0.1, 0.0], [0.9, -0.5]], labels=["a", "b"])
    session = Session(LeastSquares(problem, alpha=0.1), goal=GOAL, noise=noise.SubGaussian(0.1))
    session.tell("a", 0.1, count=50)
    certificate = session.certificate()
    assert (certificate.answer, bool(certificate)) == ("b", True)  # under "a", asking "b" earns 0.9


def test_rewards_of_a_millionth_are_compared_as_finely_as_others():
    table = np.array([[0, 1e-6], [1e-6, 0]], dtype=np.float32)
    assert not Session(Problem.from_table(table, reward_range=(0, 1e-6)), goal=goals.BestQuery(1e-7)).certificate()


def test_objectors_come_with_the_likeliest_first():
    problem = Problem.from_table(np.eye(4), targets=list("wxyz"))
    session = Session(problem, goal=goals.BestQuery(0.1), noise=noise.SubGaussian(1.0))
    session.tell(0, 0.0, count=2)
    session.tell(1, 0.25)
    session.tell(2, 0.5)
    assert session.recommend() == 2
    assert list(session.certificate().objectors) == ["z", "x", "w"]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (None, "a Problem or a learner, got None"),
        (3, "a Problem or a learner, got 3"),
        (WEATHER, "needs to know what is to be"),
    ],
)
def test_a_session_with_something_that_is_no_learner_is_refused(wrong, message):
    with pytest.raises(InvalidValueError, match=message):
        Session(wrong)


def test_a_session_without_a_goal_keeps_the_candidates_and_judges_any_goal():
    session = a_session(noise=noise.SubGaussian(0.1))
    session.tell("left", 0.9, count=20)
    assert session.remaining == ["sun"]
    with pytest.raises(ProtocolError, match="say what is to be decided"):
        session.certificate()
    assert session.certificate(goals.WhichTarget()).answer == "sun"


def test_a_learner_that_proves_is_not_told_twice():
    learner = TopTwo(WEATHER, GOAL)
    session = Session(learner)
    assert session._view.engine.evidence is session.state
    other = Session(learner, goal=goals.WhichTarget())
    assert other._view.engine.evidence is not other.state


@given(
    problems() | similarities(),
    st.lists(st.tuples(st.integers(0, 50), st.integers(-8, 8)), max_size=10),
    st.integers(1, 8),
)
@settings(max_examples=200, deadline=None)
def test_remaining_candidates_and_certificate_follow_their_definitions(problem, pairs, eighths):
    session, epsilon = Session(Uniform(problem), noise=noise.SubGaussian(0.5), delta=0.1), eighths / 8
    possible = set(range(problem.n_targets))
    losses = np.zeros(problem.n_targets)
    for number, reward in pairs:
        session.tell(number % problem.n_queries, reward / 8)
        losses += (problem.rho[number % problem.n_queries] - reward / 8) ** 2 / 0.5
        mixture = np.log(np.exp(-losses).mean())
        surely_out = {z for z in possible if mixture + losses[z] + np.log(0.9) - 0.05 > np.log(10)}
        assert not surely_out & set(session.remaining)
    remaining = [z for z in range(problem.n_targets) if z in session.remaining]
    best = problem.rho.max(axis=0)
    agreed = [q for q in range(problem.n_queries) if all(best[z] - problem.rho[q, z] <= epsilon for z in remaining)]
    certificate = session.certificate(goals.BestQuery(epsilon))
    assert certificate.is_proven == (bool(agreed) and bool(remaining))
    if agreed and remaining:
        assert certificate.answer in agreed


def test_a_simulated_conversation_ends_with_a_proof_of_the_right_answer():
    problem = Problem.from_table(np.random.default_rng(4).uniform(-0.5, 0.5, (20, 100)))
    truth = environments.UniformNoise(problem, 17, width=0.5)
    session, rng = Session(problem, goal=goals.BestQuery(0.1), delta=0.01, seed=1), np.random.default_rng(2)
    while not (certificate := session.certificate()):
        query = session.ask()
        session.tell(query, truth.reward(problem.queries.position(query), truth.noise(1, rng)[0]))
    assert truth.means.max() - truth.means[problem.queries.position(certificate.answer)] <= 0.1
    assert not session.is_misspecified


class Asking:
    """A learner of a user's own that asks what it is told to ask."""

    problem = Problem.from_table(WEATHER.rho, queries=["left", "right"], forbidden=[False, True])

    def __init__(self, given):
        self.given = given

    def init(self, rng):
        return None

    def ask(self, state, rng):
        return self.given() if callable(self.given) else self.given

    def tell(self, state, query, reward, count=1):
        return None


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (-1, r"must give the index of a query, an integer from 0 to 1, got -1\."),
        (7, r"must give the index of a query, an integer from 0 to 1, got 7\."),
        (2.7, r"must give the index of a query, an integer from 0 to 1, got 2\.7\."),
        (None, r"must give the index of a query, an integer from 0 to 1, got None\."),
        ("left", r"got 'left'; the index of that one is 0\."),
        (1, r"must give a query that may be asked, got 1: 'right' is forbidden\."),
        (lambda: 1 / 0, r"raised ZeroDivisionError: division by zero\."),
    ],
)
def test_a_learner_of_ones_own_that_asks_what_cannot_be_asked_is_one_sentence(given, message):
    session = Session(Asking(given))
    with pytest.raises(InvalidValueError, match=r"^Asking\.ask\(\) .*" + message):
        session.ask()
    assert session.pending == []
    assert Session(Asking(np.int64(0))).ask() == "left"


def test_a_vector_that_is_no_query_is_one_sentence_in_a_session_too():
    learner = Asking(np.array([3.0, 0.0]))
    learner.problem = Sphere(2)
    with pytest.raises(InvalidValueError, match=r"^Asking\.ask\(\) must give .* of length 1 .* got one of length 3\."):
        Session(learner).ask()


PLATES = Problem.from_table(np.eye(5), queries=list("abcde"))


def a_plate(**options):
    return Session(PLATES, goal=goals.WhichTarget(), noise=noise.SubGaussian(0.2), **options)


def test_an_open_query_is_repeated_until_it_is_answered_however_it_was_asked_for():
    session = a_plate()
    asked = session.ask(3)
    assert [session.ask() for _ in range(3)] == [asked[0]] * 3
    assert session.pending == asked
    session.tell(asked[1], 0.0)
    assert session.ask() == asked[0]
    session.tell(asked[0], 0.0)
    assert session.ask() == asked[2]
    more = session.ask(2)
    assert session.pending == [asked[2], *more]
    session.tell(session.ask(), 0.0)
    assert session.ask() == more[0]


@pytest.mark.parametrize("end", ["release", "fail", "forbid"])
def test_an_open_query_that_was_released_failed_or_forbidden_is_repeated_no_more(end):
    session = a_plate()
    first, second = session.ask(2)
    if end == "release":
        session.release(first)
    else:
        getattr(session, end)(first, reason="mould")
    assert [session.ask(), session.ask()] == [second, second]
    session.tell(second, 0.0)
    third = session.ask()
    assert third == session.ask()
    assert (third == first) <= (end != "forbid")
    if end == "forbid":
        session.allow(first)
        assert session.ask() == first  # it was open all the while, and is the oldest


def test_a_query_open_twice_whose_experiment_fails_rests_before_it_is_repeated():
    session = Session(WEATHER, goal=GOAL, noise=noise.SubGaussian(0.5))
    assert session.ask(4) == ["right"] * 3 + ["left"]
    session.fail("right", reason="mould")
    assert [session.ask(), session.pending] == ["left", ["right", "right", "left"]]
    session.tell("left", 0.25)
    assert session.ask() == "right"


def test_where_all_that_may_be_asked_is_resting_the_open_one_is_repeated():
    session = Session(Problem.from_table(np.eye(2)), goal=goals.WhichTarget(), noise=noise.SubGaussian(0.5))
    session.forbid(1, reason="sold out")
    assert session.ask(2) == [0, 0]
    session.fail(0, reason="mould")
    assert [session.ask(), session.ask(), session.pending] == [0, 0, [0]]
    session.forbid(0, reason="sold out")
    with pytest.raises(ProtocolError, match="every query is forbidden; allow one to go on"):
        session.ask()


def test_the_next_query_of_a_status_is_the_one_that_ask_repeats():
    session = a_plate()
    first = session.ask(3)[0]
    assert session.status().purpose.query == session.ask() == first


def test_a_learner_that_counts_rounds_has_one_query_at_a_time():
    session = Session(PAC(LeastSquares(WEATHER, alpha=0.7), epsilon=0.25, horizon=4, n_candidates=3, n_repeats=2))
    asked = session.ask(1)
    assert [session.ask()] == asked
    with pytest.raises(ProtocolError, match=r"PAC counts rounds, so it asks one query at a time; ask\(\) without"):
        session.ask(1)


ASKING = {
    "table": lambda: Session(WEATHER, goal=GOAL, seed=3),
    "Thompson": lambda: Session(Thompson(WEATHER), seed=3),
    "arms": lambda: Session(KArms(3, labels=list("ABC")), goal=GOAL, noise=noise.Coin(), seed=3),
    "vectors": lambda: Session(LeastSquares(Sphere(3), alpha=0.5), seed=3),
    "ball": lambda: Session(LinearBall(3), goal=goals.BestQuery(0.2), noise=noise.SubGaussian(0.3), seed=3),
    "rounds": lambda: Session(
        PAC(LeastSquares(WEATHER, alpha=0.7), epsilon=0.25, horizon=40, n_candidates=9, n_repeats=2), seed=3
    ),
}


@pytest.mark.parametrize("kind", ASKING)
def test_who_looks_often_is_asked_what_is_asked_of_who_looks_once(kind, tmp_path):
    once, often = ASKING[kind](), ASKING[kind]()
    for t in range(12):
        query = once.ask()
        for _ in range(3):
            assert np.array_equal(often.ask(), query)
        if t == 6:
            often.save(tmp_path / "often.jsonl")
            often = Session.load(tmp_path / "often.jsonl")
            assert np.array_equal(often.ask(), query)
        for session in (once, often):
            assert not session.tell(query, 2 * (t % 2) - 1).is_unasked
            assert (session.pending, session.unasked) == ([], [])
    assert len(often._events) == 24


@pytest.mark.parametrize("kind", sorted(set(ASKING) - {"rounds"}))
def test_an_answer_told_twice_is_questioned_whatever_the_queries_are(kind, tmp_path):
    session = ASKING[kind]()
    query = session.ask()
    once, twice = (session.tell(query, 1.0) for _ in range(2))
    assert [(entry.is_unasked, entry.is_repeat) for entry in (once, twice)] == [(False, False), (True, True)]
    session.save(tmp_path / "lab.jsonl")
    loaded = Session.load(tmp_path / "lab.jsonl")
    for each in (session, loaded):
        assert [np.array_equal(unasked, query) for unasked in each.unasked] == [True]
        assert each.tell(query, 1.0).is_repeat


def test_an_answer_to_a_query_that_is_not_open_is_taken_and_said_to_be_so():
    session = a_plate()
    asked = session.ask()
    other = next(query for query in "abcde" if query != asked)
    assert session.tell(other, 0.0).is_unasked
    assert not session.tell(asked, 0.25).is_unasked
    assert session.tell(asked, 0.5).is_unasked  # it was answered
    standing = session.status()
    assert (session.unasked, standing.n_unasked, standing.n_repeats) == ([other, asked], 2, 0)
    assert standing.remarks == [
        "2 answers came to queries that were not open; a proof holds if each stands under the query that it answers."
    ]
    assert standing.warnings == []
    session.undo()
    assert session.status().remarks[0].startswith("1 answer came to a query that was not open; a proof holds if it ")


def test_a_cell_that_was_run_twice_is_questioned():
    session = a_plate()
    query = session.ask()
    session.tell(query, 0.125)
    twice = session.tell(query, 0.125)
    assert (twice.is_unasked, twice.is_repeat) == (True, True)
    assert session.status().remarks[1:] == [
        f"Answer 2 ('{query}': 0.125) came unasked and equals the answer before it: the same answer twice?"
    ]
    assert session.tell(query, 0.125).is_repeat
    assert session.status().remarks[1:] == [
        f"2 answers came unasked and equal the answer before them, the last is answer 3 ('{query}': 0.125): "
        "the same answer twice?"
    ]
    for _ in range(2):
        session.undo(reason="twice")
    assert (session.status().remarks, session.status().n_repeats, session.unasked) == ([], 0, [])


@pytest.mark.parametrize("second", [("a", 0.25, 1), ("b", 0.125, 1), ("a", 0.125, 2)])
def test_another_query_value_or_count_is_not_the_same_answer_twice(second):
    session = a_plate()
    session.tell("a", 0.125)
    query, reward, count = second
    assert not session.tell(query, reward, count=count).is_repeat


def test_an_answer_that_was_asked_for_is_not_the_same_answer_twice():
    session = a_plate()
    session.forbid("b", reason="sold out")
    for _ in range(2):
        session.ask(6)
    assert len(set(session.pending)) < len(session.pending)
    for query in session.pending:
        assert not session.tell(query, 0.0).is_repeat
    assert session.status().n_unasked == 0


def test_answers_asked_for_as_the_old_tutorial_did_prove_what_is_true():
    """Proofs are wrong with probability at most 0.1 each: more than 35 of 200 with probability below 0.1% (binomial).

    When every ask() asked for one more, answers stood under other queries, and three proofs of four were wrong.
    """
    problem = Problem.from_table(np.random.default_rng(1).uniform(0.1, 0.9, (6, 30)), reward_range=(0, 1))
    n_wrong = 0
    for seed in range(200):
        rng = np.random.default_rng((7, seed))
        target = int(rng.integers(30))
        laboratory = environments.TruncatedGaussian(problem, target, sigma=0.1)
        session = Session(problem, goal=goals.WhichTarget(), noise=noise.SubGaussian(0.1), delta=0.1, seed=seed)
        for _ in range(100):
            session.tell(session.ask(), laboratory.respond(session.ask(), rng))
            if session.is_done or session.is_misspecified:
                break
        n_wrong += bool(session.certificate()) and session.certificate().answer != target
        n_wrong += session.is_misspecified
    assert n_wrong <= 35


def test_a_learner_that_breaks_off_when_told_is_not_gone_on_with_until_the_answer_is_undone():
    class Breaking(Asking):
        def tell(self, state, query, reward, count=1):
            return 1 / 0 if reward > 0.5 else None

    session = Session(Breaking(0))
    session.tell(session.ask(), 0.25)
    session.ask()
    for attempt in (lambda: session.tell("left", 0.75), lambda: session.ask(), lambda: session.recommend()):
        with pytest.raises(
            InvalidValueError, match=r"^Breaking\.tell\(\) raised ZeroDivisionError: division by zero\."
        ):
            attempt()
    session.undo(reason="my learner cannot read it")
    assert session.ask() == "left"
    assert session.history.rewards.tolist() == [0.25]


def test_a_learner_of_ones_own_that_takes_no_means_is_named_before_one_is_recorded():
    class Single(Asking):
        def tell(self, state, query, reward):
            return state

    session = Session(Single(0))
    with pytest.raises(InvalidValueError, match=r"Single\.tell\(\) raised TypeError: .*positional") as caught:
        session.tell(0, 0.5, count=3)
    assert isinstance(caught.value.__cause__, TypeError)
    assert len(session.history) == 0


def test_a_loop_until_done_ends_where_the_data_contradict_every_candidate():
    problem = Problem.from_table([[0.1, 0.2], [0.2, 0.1]], reward_range=(0, 1))
    session = Session(UntilCertified(Uniform(problem), goals.BestQuery(0.01), noise=noise.SubGaussian(0.1)))
    for _ in range(200):
        if session.is_done:
            break
        session.tell(session.ask(), 0.9)
    assert session.is_done
    assert session.is_misspecified
    assert not session.certificate()
