"""Environments whose means contradict the problem: compared before round 1, and tested by their answers."""

import math
import re
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from scipy import stats

from tests.simulation.test_plain import Asking
from warmer import InvalidValueError, LeastSquares, Problem, Thompson, environments, families, simulate
from warmer.simulation import means
from warmer.simulation.means import Sums

RHO = [[0.25, 0.75, 0.5], [0.5, 0.25, 0.75], [0.75, 0.5, 0.25]]
PROBLEM = Problem.from_table(
    RHO, queries=["left", "middle", "right"], targets=["rain", "sun", "snow"], reward_range=(0, 1)
)
SIGNED = Problem.from_table([[0.3, -0.3], [-0.3, 0.3], [0.6, -0.6]], targets=["rain", "sun"])


class Asks:
    """Asks one query after the other."""

    def __init__(self, problem=PROBLEM):
        self.problem = problem

    def init(self, rng):
        return 0

    def ask(self, state, rng):
        return state % len(self.problem.queries)

    def tell(self, state, query, reward, count=1):
        return state + 1


class Tossing:
    """Coins with any means."""

    def __init__(self, column, problem=PROBLEM, **more):
        self.column, self.problem = np.asarray(column, dtype=float), problem
        vars(self).update(more)

    def noise(self, horizon, rng):
        return rng.random(horizon)

    def reward(self, query, chance):
        low, high = self.problem.reward_range
        return float(high if low + chance * (high - low) < self.column[query] else low)


class Declaring(Tossing):
    """Says which means its coins have."""

    def expected(self, queries):
        return self.column[queries]


def test_a_declared_mean_that_contradicts_the_named_target_is_an_error_before_round_one():
    wrong = Declaring(1 - PROBLEM.rho[:, 1], target="sun")
    with pytest.raises(
        InvalidValueError,
        match=r"^Declaring\.expected\(\) says that 'left' earns 0\.25; for its target 'sun' the problem has 0\.75\. ",
    ) as found:
        simulate(Asks(), wrong, horizon=3, runs=2, seed=0)
    assert (len(found.value.runs), found.value.runs.problem) == (0, PROBLEM)
    assert simulate(Asks(), Declaring(PROBLEM.rho[:, 1], target="sun"), horizon=3, seed=0).caveats == ()
    assert simulate(Asks(), Declaring(PROBLEM.rho[:, 1], target=1), horizon=3, seed=0).caveats == ()


def test_a_declared_truth_off_the_table_is_a_caveat():
    [caveat] = simulate(Asks(), Declaring([0.25, 0.5, 0.25]), horizon=3, seed=0).caveats
    assert (
        caveat
        == "the means that Declaring declares are those of no candidate: the nearest, 'snow', is off by 0.25 at 'left'."
    )
    assert simulate(Asks(), Declaring(PROBLEM.rho[:, 2]), horizon=3, seed=0).caveats == ()


def test_a_declared_mean_may_be_off_by_the_tolerance_or_an_adversarys_tau():
    near = PROBLEM.rho[:, 1] + 0.1
    rough = Problem.from_table(RHO, reward_range=(0, 1), tolerance=0.1)
    assert simulate(Asks(rough), Declaring(near, rough, target=1), horizon=3, seed=0).caveats == ()
    assert simulate(Asks(), Declaring(near, target=1, tau=0.1), horizon=3, seed=0).caveats == ()
    with pytest.raises(InvalidValueError, match=r"earns 0\.85"):
        simulate(Asks(), Declaring(near, target=1, tau=0.09), horizon=3, seed=0)
    unknown = Problem.from_table(RHO, reward_range=(0, 1), tolerance=None)
    assert simulate(Asks(unknown), Declaring(near, unknown, target=1), horizon=3, seed=0).caveats == ()


@pytest.mark.parametrize(
    "given", [lambda q: "warm", lambda q: np.full(2, 0.5), lambda q: np.full(len(q), np.nan), lambda q: None]
)
def test_means_that_are_no_numbers_are_one_sentence(given):
    class Odd(Tossing):
        def expected(self, queries):
            return given(queries)

    with pytest.raises(
        InvalidValueError, match=r"^Odd\.expected\(\) must give a finite number for each of 3 queries, got "
    ):
        simulate(Asks(), Odd(PROBLEM.rho[:, 1]), horizon=3, seed=0)


def test_a_target_that_is_no_candidate_is_an_error():
    with pytest.raises(
        InvalidValueError,
        match=r"^Tossing names a target that is no candidate: .*perhaps 'sun' was meant.* A truth off the table",
    ):
        simulate(Asks(), Tossing(PROBLEM.rho[:, 1], target="sum"), horizon=3, seed=0)


@pytest.mark.parametrize(
    "learner", [Asks(SIGNED), Thompson(SIGNED), LeastSquares(SIGNED, alpha=0.3)], ids=lambda each: type(each).__name__
)
@pytest.mark.parametrize(("horizon", "runs"), [(2000, 1), (20, 100)])
def test_answers_with_the_wrong_sign_are_noticed(learner, horizon, runs):
    right, wrong = Tossing(SIGNED.rho[:, 0], SIGNED, target="rain"), Tossing(-SIGNED.rho[:, 0], SIGNED, target="rain")
    assert simulate(learner, right, horizon=horizon, runs=runs, seed=0).caveats == ()
    with pytest.raises(
        InvalidValueError, match=r"^the answers of Tossing to .* for its target 'rain' the problem has .* at most 1e-06"
    ) as found:
        simulate(learner, wrong, horizon=horizon, runs=runs, seed=0)
    assert (len(found.value.runs), found.value.runs.is_interrupted) == (runs, False)
    with pytest.raises(InvalidValueError, match="the answers of Tossing"):
        simulate(
            learner, partial(Tossing, -SIGNED.rho[:, 0], SIGNED, target="rain"), horizon=horizon, runs=runs, seed=0
        )


def test_a_subclass_of_ours_whose_reward_contradicts_its_own_target_is_noticed():
    class Flipped(environments.Coin):
        def reward(self, query, noise):
            return -super().reward(query, noise)

    with pytest.raises(InvalidValueError, match=r"the answers of Flipped to 2 have the mean -0\.\d+ \(666 answers\)"):
        simulate(Asks(SIGNED), Flipped(SIGNED, "rain"), horizon=2000, seed=0)


def test_many_queries_asked_a_few_times_and_many_targets_are_tested_together():
    rng = np.random.default_rng(0)
    wide = Problem.from_table(rng.choice([-0.5, 0.5], size=(400, 50)))
    with pytest.raises(InvalidValueError, match="to queries that should earn"):
        simulate(Asks(wide), Tossing(-wide.rho[:, 3], wide, target=3), horizon=800, seed=0)
    several = [Tossing(-wide.rho[:, k], wide, target=k) for k in range(50)]
    with pytest.raises(InvalidValueError, match="for its targets the problem has"):
        simulate(Asks(wide), several, horizon=16, seed=0)
    one_wrong = [Tossing(wide.rho[:, k] * (1 if k else -1), wide, target=k) for k in range(50)]
    with pytest.raises(InvalidValueError, match="for its target 0 the problem has"):
        simulate(Asks(wide), one_wrong, horizon=600, seed=0)


def test_vectors_are_tested_too():
    sphere, north = families.Sphere(3), np.eye(3)[0]

    class Pointing(environments.Coin):
        def reward(self, query, noise):
            return -super().reward(query, noise)

    class Shifted(environments.TargetEnvironment):
        sigma = 1.0

        def expected(self, queries):
            return -super().expected(queries)

        def reward(self, query, noise):
            return 0.0

    learner = LeastSquares(sphere, alpha=1.0)
    with pytest.raises(InvalidValueError, match="to queries that should earn"):
        simulate(learner, Pointing(sphere, north), horizon=300, seed=0)
    with pytest.raises(
        InvalidValueError, match=r"Shifted\.expected\(\) says that \[1\.0, 0\.0, 0\.0\] earns -1; for its target"
    ):
        simulate(learner, Shifted(sphere, north), horizon=3, seed=0)


@pytest.mark.parametrize("tau", [Fraction(1, 10), np.float32(0.1), np.float64(0.1)])
def test_the_tau_of_an_adversary_may_be_any_number(tau):
    near = np.array(RHO)[:, 1] + [0.0, 0.099, 0.0]
    assert simulate(Asks(), Declaring(near, target=1, tau=tau), horizon=3, seed=0).caveats == ()


@pytest.mark.parametrize(
    ("tau", "said"),
    [
        (math.nan, "tau of Declaring must be a finite number, got nan."),
        (-0.5, "tau of Declaring must be at least 0, got -0.5."),
        ("0.5", "tau of Declaring must be a number, got '0.5'."),
    ],
)
def test_a_tau_that_is_no_distance_is_refused(tau, said):
    with pytest.raises(InvalidValueError, match=re.escape(said)):
        simulate(Asks(), Declaring(np.array(RHO)[:, 0], target=1, tau=tau), horizon=3, seed=0)


def test_an_adversary_within_its_tau_is_no_contradiction():
    class Samples(environments.SimulatedSamples):
        pass

    class Erring(environments.Adversarial):
        pass

    adversary = Erring(PROBLEM, "sun", tau=0.2, strategy="up")
    for answering in (adversary, Samples(adversary)):
        assert simulate(Asks(), answering, horizon=3000, seed=0).caveats == ()
    with pytest.raises(InvalidValueError, match="the answers of Tossing to"):
        simulate(Asks(), Tossing(PROBLEM.rho[:, 1] + 0.2, target="sun"), horizon=3000, seed=0)


def test_answers_that_no_candidate_explains_are_a_caveat_where_no_target_is_named():
    off = [0.25, 0.5, 0.25]
    sentence = (
        "no candidate of the problem explains the answers of {}: each is contradicted, wrongly with probability at "
        "most 1e-06."
    )
    assert simulate(Asks(), Tossing(off), horizon=3000, seed=0).caveats == (sentence.format("Tossing"),)
    runs = simulate(
        Asks(), lambda label: {"left": 0.25, "middle": 0.5, "right": 0.25}[label], horizon=3000, runs=2, seed=0
    )
    assert runs.caveats == (sentence.format("the function"),)
    assert simulate(Asks(), Tossing(PROBLEM.rho[:, 2]), horizon=3000, seed=0).caveats == ()
    assert simulate(Asks(), Tossing(off), horizon=10, seed=0).caveats == ()
    assert simulate(Asks(), Tossing(off), horizon=3000, seed=0, outside="keep").caveats == ()


def test_a_few_turned_answers_of_an_adversary_with_a_budget_are_no_contradiction():
    class Budgeted(Tossing):
        def noise(self, horizon, rng, start):
            return np.column_stack([start + np.arange(horizon), rng.random(horizon)])

        def reward(self, query, row):
            return 1.0 if row[0] < 5 else super().reward(query, row[1])

    assert len(simulate(Asks(), Budgeted(PROBLEM.rho[:, 0], target=0), horizon=1000, seed=0)) == 1


def test_the_excess_is_what_the_radius_says():
    """The definition: n (mean residual - margin)^2 beyond sigma^2 (1 + 1/n) (2 ln(K/delta) + ln(1 + n))."""
    rng = np.random.default_rng(0)
    for _ in range(50):
        n, sums = rng.integers(0, 30, 7), rng.normal(size=7) * 10
        sigma, margin, delta = rng.uniform(0.1, 2), rng.uniform(0, 0.3), 10.0 ** -rng.uniform(1, 7)
        excess = Sums(n, sums * (n > 0)).excess(sigma, margin, delta)
        for k in range(7):
            if n[k] == 0:
                assert excess[k] == 0
                continue
            radius = sigma**2 * (1 + 1 / n[k]) * (2 * math.log(7 / delta) + math.log(1 + n[k]))
            distance = max(abs(sums[k]) / n[k] - margin, 0)
            assert excess[k] ** 2 == pytest.approx(n[k] * distance**2 / radius)


def test_right_answers_are_called_wrong_no_more_often_than_said(monkeypatch):
    """At a level of a tenth, and against every target at once; Thompson stops asking what it thinks is bad."""
    monkeypatch.setattr(means, "DELTA", 0.1)
    n_runs, n_wrong = 300, 0
    learner, truth = Thompson(PROBLEM), Tossing(PROBLEM.rho[:, 0], target=0)
    for seed in range(n_runs):
        try:
            simulate(learner, truth, horizon=200, seed=seed)
        except InvalidValueError:
            n_wrong += 1
    assert stats.binom.sf(n_wrong - 1, n_runs, 0.1) > 1e-6


def test_the_named_truth_survives_the_comparison_with_all_candidates(monkeypatch):
    monkeypatch.setattr(means, "DELTA", 0.1)
    n_wrong = sum(
        bool(simulate(Thompson(PROBLEM), Tossing(PROBLEM.rho[:, 0]), horizon=200, seed=seed).caveats)
        for seed in range(200)
    )
    assert stats.binom.sf(n_wrong - 1, 200, 0.1) > 1e-6


def test_candidates_are_compared_up_to_the_work_that_is_allowed():
    sums = Sums.of(np.repeat([0, 1, 2], 400), np.repeat([1.0, 0.5, 0.0], 400), 3)
    assert sums.contradict_all(PROBLEM, 1e-6, n_looks=9)
    assert not sums.contradict_all(PROBLEM, 1e-6, n_looks=2)
    assert not Sums.of(np.zeros(0, dtype=int), np.zeros(0), 3).contradict_all(PROBLEM, 1e-6, n_looks=9)


def test_parts_of_ours_are_not_tested(monkeypatch):
    monkeypatch.setattr(means.Answers, "check", None)
    monkeypatch.setattr(means.Sums, "contradict_all", None)
    assert len(simulate(Asking(0, PROBLEM), environments.Coin(PROBLEM, 0), horizon=30, runs=3, seed=0)) == 3
