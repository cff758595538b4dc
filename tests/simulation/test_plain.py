"""The plain loop: what learners and environments of a user's own may give, and what is said of anything else."""

import math
from fractions import Fraction

import numpy as np
import pytest

from warmer import (
    InvalidValueError,
    LeastSquares,
    Problem,
    ProtocolError,
    Session,
    UntilCertified,
    WarmerError,
    environments,
    families,
    goals,
    noise,
    simulate,
)
from warmer.model import Runs

PROBLEM = Problem.from_table(
    [[0.25, 0.75], [0.5, 0.5], [0.75, 0.25]],
    queries=["left", "middle", "right"],
    forbidden=[False, False, True],
    reward_range=(0, 1),
)
SPHERE = families.Sphere(3)


class Asking:
    """Asks "left", and something else in one round of one run."""

    def __init__(self, given, problem=PROBLEM, *, usual=0, t=2):
        self.problem, self.given, self.usual, self.t = problem, given, usual, t

    def init(self, rng):
        return 0

    def ask(self, state, rng):
        return self.given if state == self.t else self.usual

    def tell(self, state, query, reward, count=1):
        return state + 1


class Answering:
    """Answers half, and something else to one round's number."""

    def __init__(self, given, problem=PROBLEM, *, t=2):
        self.problem, self.given, self.t = problem, given, t

    def noise(self, horizon, rng, start):
        return np.arange(start, start + horizon)

    def reward(self, query, t):
        return self.given if t == self.t else 0.5


def failing(learner, environment, **options):
    """The error of a simulation whose second run breaks in its third round, and the runs that were finished."""
    right = Asking(0), environments.Coin(PROBLEM, 0)
    problem = environment.problem if learner is None else learner.problem
    if problem is SPHERE:
        right = (
            Asking(SPHERE.queries.position([1, 0, 0]), SPHERE, usual=np.eye(3)[0]),
            environments.Exact(SPHERE, np.eye(3)[0]),
        )
    learners = [right[0] if learner is None or k != 1 else learner for k in range(3)]
    answering = [right[1] if environment is None or k != 1 else environment for k in range(3)]
    with pytest.raises(WarmerError) as found:
        simulate(learners, answering, **{"horizon": 5, "seed": 7, **options})
    return found.value


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (-1, r"must give the index of a query, an integer from 0 to 2, got -1\."),
        (8, r"must give the index of a query, an integer from 0 to 2, got 8\."),
        (2, r"must give a query that may be asked, got 2: 'right' is forbidden"),
        (2.7, r"must give the index of a query, an integer from 0 to 2, got 2\.7\."),
        (1.0, r"must give the index of a query, an integer from 0 to 2, got 1\.0\."),
        (math.nan, r"must give the index of a query, .* got nan\."),
        (None, r"must give the index of a query, .* got None\."),
        (True, r"must give the index of a query, .* got True\."),
        (np.True_, r"must give the index of a query, .* got np\.True_\."),
        ("left", r"must give the index of a query, .* got 'left'; the index of that one is 0\."),
        ("nowhere", r"must give the index of a query, .* got 'nowhere'\."),
        ([1], r"must give the index of a query, .* got \[1\]\."),
        (np.array([1]), r"must give the index of a query, .* got array\(\[1\]\)\."),
        (np.int64(-1), r"must give the index of a query, .* got np\.int64\(-1\)\."),
        (np.array(2), r"must give a query that may be asked, got 2: 'right' is forbidden"),
    ],
    ids=repr,
)
def test_a_query_that_may_not_be_asked_is_one_sentence_with_run_round_and_seed(given, message):
    error = failing(Asking(given), None)
    assert isinstance(error, InvalidValueError)
    assert str(error).startswith("run 1, round 3, seed 7: Asking.ask() must give ")
    with pytest.raises(InvalidValueError, match=message):
        raise error
    assert (len(error.runs), error.runs.n_answers.tolist()) == (1, [5])
    alone = simulate(Asking(0), environments.Coin(PROBLEM, 0), horizon=5, seed=7)
    assert error.runs.rewards.tolist() == alone.rewards.tolist()
    assert error.runs.is_interrupted
    assert error.runs.caveats == (f"1 of 3 runs are here, since {error}",)


@pytest.mark.parametrize("given", [np.int64(1), np.uint8(1), np.array(1), 1], ids=repr)
def test_whole_numbers_of_numpy_are_queries(given):
    heard = []
    runs = simulate(Asking(given), lambda label: heard.append(label) or 0.5, horizon=4, seed=0)
    assert runs.queries.tolist() == [[0, 0, 1, 0]]
    assert heard == ["left", "left", "middle", "left"]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            np.array([3.0, 0, 0]),
            r"a query must be a vector of length 1 \(divide it by its own length\), got one of length 3\.",
        ),
        (np.array([np.nan, 0, 0]), r"must give a query that may be asked: "),
        (np.array([1.0, 0]), r"must give a query that may be asked: "),
        (0, r"must give a query that may be asked: "),
        (None, r"must give a query that may be asked: "),
        ("left", r"must give a query that may be asked: "),
        (np.array([1j, 0, 0]), r"must give a query that may be asked: "),
    ],
    ids=repr,
)
def test_a_vector_that_is_no_query_of_the_family_is_one_sentence(given, message):
    error = failing(Asking(given, SPHERE, usual=np.eye(3)[0]), None)
    with pytest.raises(InvalidValueError, match=r"run 1, round 3, seed 7: Asking\.ask\(\) .*" + message):
        raise error
    assert error.runs.queries.tolist() == [[[1.0, 0.0, 0.0]] * 5]


def test_vectors_are_recorded_to_the_bit_and_lists_are_vectors_too():
    for given in (np.array([0.6, 0.8, 0.0]), [0.6, 0.8, 0.0], np.array([0.6, 0.8, 0.0]) * (1 + 1e-10)):
        runs = simulate(
            Asking(given, SPHERE, usual=np.eye(3)[0]), environments.Exact(SPHERE, np.eye(3)[0]), horizon=4, seed=0
        )
        assert runs.queries[0, 2].tolist() == list(given)
    angles = families.Separation(2, epsilon=0.25)
    runs = simulate(Asking(np.array([7.0]), angles, usual=np.array([1.0])), lambda angle: 0.5, horizon=4, seed=0)
    assert runs.queries[0, :, 0].tolist() == [1.0, 1.0, 7.0 % (2 * np.pi), 1.0]


@pytest.mark.parametrize(
    "given",
    [
        *(math.nan, math.inf, -math.inf, None, 7, 1.0000001, -0.1, "1", "warm", b"1", [0.5], np.array([0.5])),
        *(0.5 + 0j, {}, 10**400, np.float64("nan"), np.ma.masked, Fraction(3, 2)),
    ],
    ids=repr,
)
def test_an_answer_that_is_none_never_reaches_the_learner(given):
    error = failing(None, Answering(given))
    assert isinstance(error, InvalidValueError)
    assert str(error).startswith("run 1, round 3, seed 7: the answer to 'left' must be a number in [0, 1], got ")
    assert " from Answering.reward()." in str(error)
    assert (len(error.runs), error.runs.n_answers.tolist()) == (1, [5])


@pytest.mark.parametrize(
    "given", [1, True, np.True_, Fraction(1, 2), np.float32(0.5), np.float64(0.25), np.array(0.5), np.int8(1)], ids=repr
)
def test_numbers_of_every_kind_are_answers(given):
    runs = simulate(Asking(0), Answering(given), horizon=4, seed=0)
    assert runs.rewards.tolist() == [[0.5, 0.5, float(given), 0.5]]


@pytest.mark.parametrize("given", [math.nan, "1", 7, None], ids=repr)
def test_a_plain_function_is_read_as_strictly(given):
    with pytest.raises(
        InvalidValueError,
        match=r"^run 0, round 1, seed 3, query 'left': the answer to 'left' must be a number in \[0, 1\], got ",
    ):
        simulate(Asking(0), lambda label: given, horizon=4, seed=3)


def test_answers_beyond_the_range_are_kept_where_that_is_said():
    runs = simulate(Asking(0), Answering(7.0), horizon=4, seed=0, outside="keep")
    assert runs.rewards.tolist() == [[0.5, 0.5, 7.0, 0.5]]
    assert simulate(Asking(0), lambda label: -3, horizon=2, seed=0, outside="keep").rewards.tolist() == [[-3.0, -3.0]]
    for given in (math.nan, math.inf, "7"):
        with pytest.raises(InvalidValueError, match="the answer to 'left' must be a finite number, got "):
            simulate(Asking(0), Answering(given), horizon=4, seed=0, outside="keep")
    with pytest.raises(InvalidValueError, match=r'Honest readings beyond the range are kept with outside="keep"\.'):
        simulate(Asking(0), Answering(7.0), horizon=4, seed=0)


def test_who_proves_keeps_answers_beyond_the_range_only_where_the_noise_may_leave_it():
    def proving(declared):
        return UntilCertified(Asking(0), goals.WhichTarget(), noise=declared)

    runs = simulate(proving(noise.SubGaussian(0.5)), Answering(1.5), horizon=4, seed=0, outside="keep")
    assert runs.rewards[0, 2] == 1.5
    with pytest.raises(InvalidValueError, match=r'outside="keep" keeps answers outside \[0, 1\], but Bounded\(\) says'):
        simulate(proving(None), Answering(1.5), horizon=4, seed=0, outside="keep")
    with pytest.raises(InvalidValueError, match=r"must be a number in \[0, 1\], got 1.5 from Answering.reward\(\)\.$"):
        simulate(proving(None), Answering(1.5), horizon=4, seed=0)
    with pytest.raises(InvalidValueError, match='outside must be "refuse" or "keep", got True'):
        simulate(Asking(0), Answering(0.5), horizon=4, seed=0, outside=True)


@pytest.mark.parametrize(
    ("drawn", "message"),
    [
        (lambda n: np.zeros(n - 1), "got an array of shape (4,)"),
        (lambda n: np.zeros(n + 1), "got an array of shape (6,)"),
        (lambda n: np.zeros((2, n)), "got an array of shape (2, 5)"),
        (lambda n: np.array(0.5), "got an array of shape ()"),
        (lambda n: [0.5], "got [0.5]"),
        (lambda n: 0.5, "got 0.5"),
        (lambda n: None, "got None"),
        (lambda n: (x for x in range(n)), "got <generator"),
    ],
)
def test_noise_without_a_row_for_each_round_is_refused_before_memory_is_read(drawn, message):
    class Drawing(Answering):
        def noise(self, horizon, rng):
            return drawn(horizon)

    error = failing(None, Drawing(0.5))
    needed = "run 1, round 1, seed 7: Drawing.noise() must give an array with a row for each of 5 rounds, "
    assert str(error).startswith(needed + message)
    assert len(error.runs) == 1


@pytest.mark.parametrize("drawn", [list, tuple, lambda row: np.array([row, row]).T])
def test_noise_may_be_rows_of_any_kind(drawn):
    class Drawing(Answering):
        def noise(self, horizon, rng):
            return drawn(rng.random(horizon).tolist())

        def reward(self, query, row):
            return row if isinstance(row, float) else row[1]

    expected = simulate(Asking(0), environments.Coin(PROBLEM, 0), horizon=300, seed=0).rewards[0]
    runs = simulate(Asking(0), Drawing(0), horizon=300, seed=0)
    assert ((runs.rewards[0] < 0.25) == (expected == 1)).all()


def test_an_environment_that_takes_start_knows_the_round():
    runs = simulate(Asking(0), Answering(0.25, t=300), horizon=600, runs=2, seed=0)
    assert [np.flatnonzero(row == 0.25).tolist() for row in runs.rewards] == [[300], [300]]


@pytest.mark.parametrize("method", ["init", "ask", "tell"])
def test_an_error_in_a_learner_is_named_and_chained(method):
    class Breaking(Asking):
        def __getattribute__(self, name):
            if name != method:
                return super().__getattribute__(name)
            return lambda *given: 1 / 0

    error = failing(Breaking(0), None)
    place = {"init": "before round 1, seed 7", "ask": "round 1, seed 7", "tell": "round 1, seed 7, query 'left'"}[
        method
    ]
    assert str(error) == f"run 1, {place}: Breaking.{method}() raised ZeroDivisionError: division by zero."
    assert isinstance(error.__cause__, ZeroDivisionError)
    assert len(error.runs) == 1


@pytest.mark.parametrize("method", ["noise", "reward"])
def test_an_error_in_an_environment_is_named_and_chained(method):
    class Breaking(Answering):
        def __getattribute__(self, name):
            if name != method:
                return super().__getattribute__(name)
            return lambda *given, **more: {}["left"]

    error = failing(None, Breaking(0.5))
    place = {"noise": "round 1, seed 7", "reward": "round 1, seed 7, query 'left'"}[method]
    assert str(error) == f"run 1, {place}: Breaking.{method}() raised KeyError: 'left'."
    assert isinstance(error.__cause__, KeyError)


def test_errors_of_ours_keep_their_kind_and_what_ends_runs_is_named():
    def refuse(label):
        raise ProtocolError("the laboratory is closed.")

    with pytest.raises(ProtocolError, match=r"^run 4, round 1, seed 0, query 'left': the laboratory is closed\.$"):
        simulate(Asking(0), refuse, horizon=3, seed=0, first=4)
    with pytest.raises(InvalidValueError, match=r"^run 0, round 1, seed 0: until\(\) raised AttributeError: "):
        simulate(Asking(0), lambda label: 0.5, horizon=3, seed=0, until=lambda state: state.done)


def test_what_progress_raises_is_its_own():
    def stop(rounds):
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        simulate(Asking(0), lambda label: 0.5, horizon=3, seed=0, progress=stop)


def test_what_a_learner_settles_on_is_a_query_too():
    class Stopping(Asking):
        def is_done(self, state):
            return state == 3

        def recommend(self, state):
            return self.given

    for given, message in ((-1, "got -1"), ("left", "got 'left'"), (2, "'right' is forbidden")):
        learner = Stopping(given, t=99)
        with pytest.raises(
            InvalidValueError, match=rf"^run 0, after 3 rounds, seed 0: Stopping\.recommend\(\) .*{message}"
        ):
            simulate(learner, lambda label: 0.5, horizon=9, seed=0, until=learner.is_done)
    learner = Stopping(np.int64(1), t=99)
    assert simulate(learner, lambda label: 0.5, horizon=9, seed=0, until=learner.is_done).recommended == (1,)


def test_without_a_finished_run_the_error_holds_none():
    with pytest.raises(InvalidValueError) as found:
        simulate([Asking(-1, t=0)] * 2, environments.Coin(PROBLEM, 0), horizon=3, seed=0)
    runs = found.value.runs
    assert isinstance(runs, Runs)
    assert (len(runs), runs.problem, runs.n_answers.tolist(), runs.regret().tolist()) == (0, PROBLEM, [], [])


def test_nan_never_reaches_evidence_or_counts_as_the_end_of_a_run():
    learner = UntilCertified(LeastSquares(PROBLEM, alpha=0.5), goals.BestQuery(0.05), noise=noise.SubGaussian(0.5))
    with pytest.raises(InvalidValueError, match="must be a number in"):
        simulate(learner, Answering(math.nan), horizon=100, seed=0)


def test_a_learner_or_an_environment_that_lacks_a_method_is_told_which():
    class Silent:
        problem = PROBLEM

        def ask(self, state, rng):
            return 0

    class Noiseless:
        problem = PROBLEM

        def reward(self, query, noise):
            return 0.5

    with pytest.raises(InvalidValueError, match=r"with problem, init, ask and tell; Silent has no init\."):
        simulate(Silent(), environments.Coin(PROBLEM, 0), horizon=3, seed=0)
    with pytest.raises(InvalidValueError, match=r"has problem, noise and reward; Noiseless has no noise\."):
        simulate(Asking(0), Noiseless(), horizon=3, seed=0)
    with pytest.raises(InvalidValueError, match="got the class Noiseless itself"):
        simulate(Asking(0), Noiseless, horizon=3, seed=0)


def test_a_query_of_a_learner_of_ones_own_within_ours_is_said_to_be_its_own():
    learner = UntilCertified(Asking(-1, t=0), goals.BestQuery(0.1))
    with pytest.raises(InvalidValueError, match=r"Asking\.ask\(\) must give the index of a query, .* got -1\."):
        simulate(learner, environments.Coin(PROBLEM, 0), horizon=3, seed=0)
    with pytest.raises(InvalidValueError, match=r"Asking\.ask\(\) must give the index of a query, .* got -1\."):
        Session(learner).ask()
