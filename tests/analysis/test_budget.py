import itertools
import math
import threading
import time
from contextlib import suppress
from fractions import Fraction
from importlib import import_module

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import binom

from tests.strategies import similarities, tables
from warmer import HypothesisError, InvalidValueError, Optimistic, Problem, bounds, environments, goals, noise, problems
from warmer.analysis import Budget, Task, analyse_problem, budget
from warmer.analysis.budgets import CERTIFIABLE, many_targets_bound, simulate_candidates, two_targets_bound
from warmer.analysis.budgets.guarantees import Guarantees
from warmer.analysis.budgets.limits import find_limits
from warmer.bounds import bad_queries_bound, pac_candidates, pac_horizon, pac_repeats, paper_error_budget
from warmer.bounds.sample_sizes import every_query_answers, in_turn_answers, two_point_divergence, two_point_lower_bound
from warmer.learners.dimension import guarantee_dimension
from warmer.model.time_limit import Clock, ending_at, listening
from warmer.report.budget_text import (
    assumption_in_words,
    budget_rows,
    limit_in_words,
    trials_in_words,
    which_to_believe,
)

TASK = Task(epsilon=0.1, delta=0.05, sigma=0.5)


@pytest.fixture(scope="module")
def hundred_models() -> Budget:
    return budget(problems.random_table(20, 100), TASK, learners=["uniform"], runs=10, time_limit=20.0)


def test_on_a_hundred_models_the_sharper_numbers_are_a_hundred_times_smaller(hundred_models):
    theorem = hundred_models.theorem.n_queries
    assert 100 * hundred_models.anytime.n_queries <= theorem
    assert 100 * hundred_models.round_robin <= theorem
    assert 100 * hundred_models.trials.quantile(0.95) <= theorem
    assert hundred_models.lower_bound <= hundred_models.trials.quantile(0.5)


def test_a_thousand_runs_stopped_by_the_certificate_are_right(hundred_models):
    trials = hundred_models.trials
    # if the truth were lost with probability delta, more than this many faults would have probability < 1e-6
    most = binom.isf(1e-6, 1000, TASK.delta)
    assert trials.n_runs == 1000
    assert trials.n_proven >= 1000 - most
    assert trials.is_wrong.sum() <= most
    assert trials.right.low >= 1 - TASK.delta


def test_the_theorem_has_the_papers_error_budget():
    problem = Problem.from_table(np.eye(4))
    found = budget(problem, Task(epsilon=0.5, delta=0.1, sigma=0.25), runs=1)
    assert (found.task.alpha, found.dimension.value, found.algorithm) == (1, 4, "Algorithm 1")
    horizon = pac_horizon(
        dimension=4,
        epsilon=0.5,
        error_budget=lambda rounds: paper_error_budget(n_targets=4, horizon=rounds, delta=0.05, scale=problem.scale),
        scale=problem.scale,
    )
    n_candidates = pac_candidates(delta=0.1)
    n_repeats = pac_repeats(epsilon=0.5, delta=0.1, n_candidates=n_candidates, sigma=problem.scale)
    assert found.theorem == (horizon, n_candidates, n_repeats)
    assert found.anytime.n_repeats < n_repeats  # which knows the noise


def test_without_an_alpha_the_dimension_is_the_largest_at_any_value_of_the_truth():
    problem = Problem.from_table([[0.9, 0.0, 0.1], [0.0, 0.5, 0.1], [0.1, 0.1, 0.3]])
    found = budget(problem, TASK, runs=1)
    from warmer import dissimilarity_dimension

    dimensions = [
        dissimilarity_dimension(problem, alpha=alpha, epsilon=0.075, monotone=True).value for alpha in (0.3, 0.5, 0.9)
    ]
    assert (found.task.alpha, found.algorithm, found.dimension.upper) == (None, "Algorithm 3", max(dimensions))


def test_a_declared_alpha_leaves_the_targets_that_reach_it():
    problem = Problem.from_table([[0.9, 0.0, 0.1], [0.0, 0.5, 0.1], [0.1, 0.1, 0.3]])
    found = budget(problem, Task(0.1, 0.05, 0.5, alpha="1/2"), runs=2)
    assert (found.trials.truths, found.trials.n_runs) == ((0, 1), 4)
    with pytest.raises(InvalidValueError, match=r"the best is 0\.9, got 1"):
        budget(problem, Task(0.1, 0.05, 0.5, alpha=1), runs=1)


def test_what_everybody_agrees_on_costs_nothing():
    found = budget(Problem.from_table([[0.5, 0.6], [0.1, 0.2]]), TASK, runs=1)
    assert (found.round_robin, found.trials.quantile(0.5), found.lower_bound) == (0, 0, None)


def test_no_time_gives_an_upper_end():
    found = budget(problems.random_table(20, 60, seed=3), TASK, runs=1, time_limit=1e-3)
    assert found.dimension.lower <= found.dimension.upper <= 20


def test_a_search_that_lasts_longer_than_the_rest_ends_with_certified_bounds():
    problem = problems.random_table(40, 400, seed=3)
    found = budget(problem, TASK, learners=["uniform"], runs=1, truths=1, search_time=0.01)
    assert 1 < found.dimension.lower < found.dimension.upper <= 40
    assert "time limit" in found.dimension.reason
    found.dimension.witness.check(problem)
    assert found.theorem.n_queries > 0


def test_a_search_that_ends_in_time_is_exact_whoever_waits_for_it():
    problem = problems.random_table(6, 12)
    patient, impatient = (budget(problem, TASK, runs=1, search_time=seconds) for seconds in (None, 20.0))
    assert patient.dimension.is_exact
    assert patient.dimension == impatient.dimension


def test_a_search_that_fails_beside_the_simulation_is_heard(monkeypatch):
    def fail(*_, **__):
        raise InvalidValueError("no such table")

    monkeypatch.setattr("warmer.analysis.budgets.searching.guarantee_dimension", fail)
    with pytest.raises(InvalidValueError, match="no such table"):
        budget(problems.random_table(6, 12), TASK, runs=1)


def test_a_search_is_told_when_the_simulation_fails(monkeypatch):
    has_ended = threading.Event()

    def search(*_, clock, **__):
        while not clock.is_over:
            time.sleep(0.001)
        has_ended.set()

    monkeypatch.setattr("warmer.analysis.budgets.searching.guarantee_dimension", search)
    with pytest.raises(InvalidValueError, match="no learner 'nobody'"):
        budget(problems.random_table(6, 12), TASK, runs=1, learners=["nobody"])
    assert has_ended.wait(30)


def test_the_end_of_one_threads_time_ends_nothing_in_another():
    seen = []
    with ending_at(Clock(1e-9)):
        thread = threading.Thread(target=lambda: seen.append(Clock(None).is_over))
        thread.start()
        thread.join()
        with pytest.raises(KeyboardInterrupt):
            Clock(None).check()
    assert seen == [False]


def test_a_sample_of_many_candidates_is_said_to_be_one():
    trials = simulate_candidates(problems.random_table(5, 300), Task(1.9, sigma=0.5), horizon=3, runs=1, seed=4)
    assert (trials.is_sample, len(trials.truths), trials.n_candidates) == (True, 100, 300)
    again = simulate_candidates(problems.random_table(5, 300), Task(1.9, sigma=0.5), horizon=3, runs=1, seed=4)
    assert again.truths == trials.truths


def test_a_run_of_a_target_depends_on_nothing_but_seed_number_and_target():
    problem, task = problems.random_table(6, 12), Task(0.1, sigma=0.5)
    all_of_them = simulate_candidates(problem, task, runs=3, seed=1)
    fewer = simulate_candidates(problem, task, runs=2, seed=1, candidates=np.array([5, 7]))
    assert fewer.n_answers.tolist() == all_of_them.n_answers[[5, 7], :2].tolist()


def test_runs_cut_off_by_the_horizon_have_no_quantile():
    trials = simulate_candidates(problems.random_table(6, 12), Task(0.01, sigma=0.5), horizon=2, runs=2)
    assert (trials.n_proven, trials.quantile(0.5), trials.hardest) == (0, None, (0, None))
    assert trials.right == (0, 1, 1)


def test_the_two_targets_bound_is_that_of_the_nearest_pair_that_disagrees():
    problem = Problem.from_table([[0.5, 0.3, 0.0], [0.3, 0.5, 0.9]], targets=["a", "b", "c"])
    found = two_targets_bound(problem, Task(0.1, 0.05, 0.5), np.arange(3))
    assert {found.truth, found.rival} == {"a", "b"}
    assert two_targets_bound(problem, Task(0.1, 0.5, 0.5), np.arange(3)) is None
    assert (
        two_targets_bound(problem, Task(0.2, 0.05, 0.5, 0.5), np.arange(3)) is None
    )  # asking the second is good for all


@given(arrays(float, (3, 3), elements=st.floats(0, 1)), st.integers(5, 9))
def test_the_two_targets_bound_of_close_candidates_is_that_of_their_squared_distance(rho, n_digits):
    """Where candidates differ by little of sigma, rounding would say that an answer tells less than it does."""
    problem = Problem.from_table(rho * 10.0**-n_digits)
    found = two_targets_bound(problem, Task(10.0 ** -(n_digits + 2), 0.05, 0.5), np.arange(3))
    if found is not None:
        distance = abs(problem.rho[:, found.truth] - problem.rho[:, found.rival]).max() / 0.5
        assert found.n_answers <= 0.9 * math.log(19) / (distance**2 / 2) * (1 + 1e-9)


@given(tables(max_targets=8), st.sampled_from([0.05, 0.25, 0.5, 1.0]), st.sampled_from([0.125, 0.5]))
def test_the_two_targets_bound_is_the_largest_of_all_pairs_without_a_common_good_query(rho, sigma, epsilon):
    pairs = []
    for truth, rival in itertools.permutations(range(rho.shape[1]), 2):
        is_good = [rho[:, each] >= rho[:, each].max() - epsilon for each in (truth, rival)]
        if not (is_good[0] & is_good[1]).any():
            said = two_point_divergence(rho[:, truth], rho[:, rival], sigma=sigma, reward_range=(-1, 1))
            needed = two_point_lower_bound(divergence=float(said.max()), delta=0.05)
            pairs.append((max(0.9, needed), truth, -said.max(), -rival))
    found = two_targets_bound(Problem.from_table(rho), Task(epsilon, 0.05, sigma), np.arange(rho.shape[1]))
    most = max((pair[0] for pair in pairs), default=None)
    hardest = [pair for pair in pairs if pair[0] == most]
    first = min((pair[1] for pair in hardest), default=None)
    expected = max((pair for pair in hardest if pair[1] == first), key=lambda pair: pair[2:], default=None)
    assert found == (None if expected is None else (pytest.approx(most), first, -expected[3]))


def test_the_many_targets_bound_is_that_of_all_of_them_or_those_that_share_no_good_query():
    needles = Problem.from_table(np.eye(40))
    task = Task(0.5, sigma=0.5)
    assert many_targets_bound(needles, task, np.arange(40)).n_targets == 40
    twins = Problem.from_table(np.repeat(np.eye(40), 30, axis=1)[:, : 40 + 29 * 20])  # some needles have 30 twins
    found = many_targets_bound(twins, task, np.arange(400))
    assert found.n_answers >= 5
    assert many_targets_bound(Problem.from_table([[1.0, 1.0]]), task, np.arange(2)) is None
    assert many_targets_bound(needles, task, np.arange(1)) is None


def test_the_larger_lower_bound_is_the_one_that_is_told():
    needles, task = problems.needle(30), Task(0.5, 0.05, 0.5)
    many = budget(needles, task, runs=1)
    assert many.hardest == many_targets_bound(needles, task, np.arange(30))
    assert many.lower_bound == many.hardest.n_answers > two_targets_bound(needles, task, np.arange(30)).n_answers
    assert "needed on average to find one of 30 candidates" in budget_rows(many)[-1]
    table, task = problems.random_table(8, 20), Task(0.02, 0.05, 0.5)
    few = budget(table, task, runs=1)
    assert few.hardest == two_targets_bound(table, task, np.arange(20))
    assert few.lower_bound <= few.trials.quantile(0.5)


@pytest.mark.parametrize(("name", "value"), [("epsilon", 0), ("delta", 1), ("sigma", -1), ("alpha", "x")])
def test_a_task_is_checked_where_it_is_made(name, value):
    with pytest.raises(InvalidValueError, match=name):
        Task(**{"epsilon": 0.1, "delta": 0.05, "sigma": 0.5, name: value})


def test_asking_in_turn_is_late_or_wrong_with_half_of_delta_each():
    """2692 answers per query: 12 ln(2|Z|/(0.9 delta)) / 0.02; |Z| = 2, and the two targets are 0.02 apart."""
    problem = Problem.from_table([[0.1, 0.0], [0.0, 0.1]])
    assert budget(problem, Task(0.05, 0.05, 1.0), runs=1, horizon=1).round_robin == 2 * (2692 + 1)


def test_the_best_mean_also_gets_half_of_delta():
    problem = Problem.from_table([[0.2, 0.1], [0.199, 0.3]])  # the two are close, yet the second objects to the first
    found = budget(problem, Task(0.199, 0.05, 1.0), runs=1, horizon=1)
    assert found.round_robin == every_query_answers(n_queries=2, epsilon=0.199, delta=0.025, sigma=1.0)


def test_no_noise_is_larger_than_the_rewards_allow():
    problem = problems.needle(n_arms=4)
    declared, allowed = (budget(problem, Task(0.5, 0.05, sigma), runs=3) for sigma in (3.0, problem.scale))
    assert (declared.task, declared.declared_sigma) == (allowed.task, 3.0)
    assert budget_rows(declared) == budget_rows(allowed)
    assert np.array_equal(declared.trials.n_answers, allowed.trials.n_answers)


def test_where_a_guess_is_good_enough_nothing_is_said_of_common_queries():
    row = budget_rows(budget(problems.needle(n_arms=4), Task(0.5, 0.8, 0.5), runs=1))[-1]
    assert row == ("lower bound", "none known", "delta is 1/2 or more: a guess may be enough")


@pytest.mark.parametrize(("n_targets", "who"), [(2, "candidates"), (401, "of 400 candidates")])
def test_what_was_not_compared_is_not_spoken_of(n_targets, who):
    alike = Problem.from_table([[0.5] * n_targets, [0.1] * n_targets])
    row = budget_rows(budget(alike, TASK, runs=1))[-1]
    assert row.meaning == f"any two {who} share a good query"


def test_a_simulation_that_was_cut_off_claims_nothing():
    found = budget(problems.random_table(6, 12), Task(0.01, 0.05, 0.5), runs=2, horizon=3)
    half, most = budget_rows(found)[3:5]
    assert half.meaning == most.meaning == "cut off: 0 of 24 runs were certified by then"
    assert "no run was certified" in trials_in_words(found.trials)
    assert which_to_believe(found.trials).startswith("Do not plan with the simulation: 0 of 24 runs were certified")


def test_an_accuracy_given_as_a_fraction_stays_one():
    task = Task("5/9", 0.05, 0.5)
    assert (task.epsilon, task.exact_epsilon * 9) == (5 / 9, 5)
    assert task == Task(task.exact_epsilon, 0.05, 0.5)


PREFERRING = Problem.from_similarity(
    [[0.25, 0, 0.25, 1], [-0.5, 0.75, 0.5, -1], [-0.25, 0.75, 0, -1], [0.5, 0.5, 0.75, -0.75]], labels=list("abcd")
)
"""Three of the four candidates value another query above their own."""


def test_a_candidate_that_prefers_another_query_is_measured_from_its_best_one():
    found = budget(PREFERRING, Task(0.25, sigma=0.5))
    assert found.violations == ("a", "c", "d")
    assert (found.theorem, found.anytime) == (None, None)
    assert found.trials.truths == ("a", "b", "c", "d")
    assert (found.trials.n_runs, found.trials.is_wrong.sum()) == (12, 0)
    assert found.trials.quantile(0.5) > 0
    assert found.lower_bound == pytest.approx(0.9)  # no query is good for b and for d
    assert [row.queries for row in budget_rows(found)[:2]] == ["-", "-"]
    assert assumption_in_words(found).startswith("Warning: a and 2 other candidates value another query")
    assert assumption_in_words(budget(problems.needle(3), TASK, runs=1)) == ""


def test_a_target_whose_own_query_is_forbidden_counts_as_a_pair():
    """Told alpha = 1, Algorithm 1 asks the first query, which is worth -1 if the second target is the truth."""
    problem = Problem.from_similarity([[1, -1, 1], [-1, 1, -1], [1, 1, 1]], forbidden=[False, True, False])
    found = budget(problem, Task(0.5, sigma=0.5), runs=1)
    assert problem.best_queries[0] == 0
    assert problem.rho[0, 1] == -1
    assert found.dimension.lower >= 2
    assert found.anytime.horizon > 1


def test_who_asks_with_probability_one_in_five_needs_a_fifth_of_a_query_on_average():
    """Two arms, delta = 0.4: ask once with probability 0.2, else guess; that is right with probability 0.6."""
    found = budget(Problem.from_table(np.eye(2)), Task(0.5, 0.4, 0.25), runs=1)
    assert found.lower_bound == pytest.approx(0.2)


def test_a_plan_of_its_own_is_no_run_to_a_certificate():
    with pytest.raises(InvalidValueError, match="pac ends by its own plan"):
        budget(problems.needle(3), TASK, learners=["pac"], runs=1)


@pytest.mark.parametrize("learner", CERTIFIABLE)
def test_every_learner_that_is_listed_for_a_budget_runs(learner):
    assert simulate_candidates(problems.needle(2), TASK, learner=learner, runs=1, horizon=2).n_runs == 2


@given(similarities())
def test_round_robin_is_enough_for_every_candidate_that_is_the_truth(problem):
    """The definition: the least squared distance of a target from one whose best allowed query it does not accept."""
    epsilon, legal = 0.25, problem.legal_queries
    rho = problem.rho[legal].astype(float)
    best = rho.max(axis=0)
    apart = [
        ((rho[:, other] - rho[:, truth]) ** 2).sum()
        for truth, other in itertools.product(range(problem.n_targets), repeat=2)
        if best[other] - rho[rho[:, truth].argmax(), other] > epsilon + 1e-9
    ]
    found = Guarantees(problem, Task(epsilon, sigma=0.5).on(problem), problem.n_targets).round_robin()
    if not apart:
        assert found == 0
        return
    shared = {"n_queries": legal.size, "sigma": 0.5}
    by_certificate = in_turn_answers(n_targets=problem.n_targets, separation=min(apart), delta=0.9 * 0.025, **shared)
    assert found == min(by_certificate, every_query_answers(epsilon=epsilon, delta=0.025, **shared))


@pytest.mark.parametrize(("tolerance", "words"), [(None, "nothing can be certified"), (0.1, "within 0 of the truth")])
def test_a_table_that_may_be_wrong_has_no_budget(tolerance, words):
    problem = Problem.from_table(np.eye(3), tolerance=tolerance)
    for ask in (budget, analyse_problem):
        with pytest.raises(HypothesisError, match=words):
            ask(problem, TASK)


MEDIAN = float(np.median(problems.random_table(6, 8).best_values))


@pytest.mark.parametrize("goal", [goals.BestQuery(0.1), goals.WhichTarget(), goals.BestAbove(MEDIAN)])
def test_the_limit_is_the_characteristic_time_of_each_truth(goal):
    """The definition: T* times kl(delta, 1 - delta) with one right answer per candidate, else times ln(1/delta)."""
    problem = problems.random_table(6, 8)
    found = budget(problem, Task(0.1, 0.05, 0.5, goal=goal), learners=["uniform", "top-two"], runs=1)
    assert found.limits.is_exact == (not isinstance(goal, goals.BestQuery))
    factor = 0.9 * np.log(19) if found.limits.is_exact else np.log(20)
    times = [bounds.characteristic_time(problem, z, goal=goal, noise=noise.SubGaussian(0.5)).lower for z in range(8)]
    for need in found.needs[:-1]:
        place = found.trials.truths.index(need.who)
        assert need.limit == pytest.approx(factor * times[place])
        assert need.means == tuple(trials.n_answers[place].mean() for trials in found.simulated)
    average = found.needs[-1]
    assert (average.who, average.n_candidates) == (None, 8)
    assert average.limit == pytest.approx(factor * np.mean(times))
    assert average.ratio == pytest.approx(found.trials.n_answers.mean() / average.limit)


def test_money_is_counted_by_the_costs_of_the_queries():
    problem = Problem.from_table(np.random.default_rng(0).uniform(-0.5, 0.5, (4, 6)), costs=[1.0, 2.0, 3.0, 4.0])
    found = budget(problem, Task(0.1, sigma=0.3), learners=["top-two"], runs=2)
    assert (found.trials.costs >= found.trials.n_answers).all()
    assert (found.trials.costs <= 4 * found.trials.n_answers).all()
    money = [need for need in found.needs if need.is_money]
    assert len(money) == len(found.needs) // 2
    assert money[-1].means[0] == pytest.approx(found.trials.costs.mean())
    assert found.needs[0].limit <= money[0].limit <= 4 * found.needs[0].limit


def test_an_interrupt_leaves_the_candidates_that_were_done():
    calls = []

    def impatient(runs):
        calls.append(runs)
        if len(calls) == 3:
            raise KeyboardInterrupt

    found = budget(problems.random_table(6, 12), Task(0.1, sigma=0.5), runs=2, progress=impatient)
    assert (found.trials.truths, found.trials.is_interrupted) == ((0, 1, 2), True)
    assert [trials.learner for trials in found.simulated] == ["top-two"]
    assert np.isnan(found.limits.answers).all()
    assert "3 of 12 candidates (those reached in time)" in trials_in_words(found.trials)


def test_a_run_that_contradicts_everybody_proves_nothing():
    """The noise is declared far too small, so that runs end with nobody left: they are not certified."""
    problem = Problem.from_table([[0.02, 0.0], [0.0, 0.02]])
    task = Task(0.01, sigma=0.9, noise=noise.SubGaussian(0.001))
    trials = simulate_candidates(problem, task, runs=40, horizon=50)
    assert trials.n_proven < trials.n_runs
    assert np.isinf(trials.n_answers).sum() == trials.n_runs - trials.n_proven


@pytest.mark.parametrize(
    ("declared", "sigma", "simulated", "deviation"),
    [
        (None, None, environments.Coin, 1.0),
        (noise.Bounded(), 0.2, environments.TruncatedGaussian, 1.0),
        (noise.Coin(), 0.2, environments.Coin, 1.0),
        (noise.BoundedNoise(0.4), None, environments.UniformNoise, 0.4),
        (noise.SubGaussian(0.3), None, environments.TruncatedGaussian, 0.3),
        (noise.Gaussian(), 0.2, environments.TruncatedGaussian, None),
    ],
)
def test_answers_are_simulated_as_they_are_declared(declared, sigma, simulated, deviation):
    problem = problems.random_table(4, 5)
    task = Task(0.1, sigma=sigma, noise=declared).on(problem)
    assert type(task.environment(problem, 0)) is simulated
    assert task.declared_sigma(problem) == deviation


def test_a_goal_and_an_accuracy_that_differ_are_refused():
    with pytest.raises(InvalidValueError, match="they must agree"):
        Task(0.1, goal=goals.BestQuery(0.2))


def test_noise_without_a_limit_says_so():
    found = budget(problems.random_table(4, 5), Task(0.1, noise=noise.BoundedNoise(0.3)), learners=["top-two"], runs=1)
    assert all(need.limit is None and need.ratio is None for need in found.needs)
    assert "no limit is known for this noise" in limit_in_words(found)
    assert budget_rows(found)[-1].meaning == "nothing is known for this noise"


def test_a_bound_ends_when_the_time_of_the_budget_is_over() -> None:
    problem = Problem.from_table(np.random.default_rng(0).uniform(-0.5, 0.5, (6, 12)))
    task = Task(epsilon=0.1, sigma=0.5)
    with ending_at(Clock(1e-6)), pytest.raises(KeyboardInterrupt):
        two_targets_bound(problem, task, np.arange(12))
    with ending_at(Clock(1e-6)), pytest.raises(KeyboardInterrupt):
        Guarantees(problem, task, 12).round_robin()


def on_a_gpu(monkeypatch, learners=("top-two", "uniform"), **changed):
    """A budget whose runs a GPU would play, with bounds and limits that note down who computes them."""
    module, threads = import_module("warmer.analysis.budgets.budget"), {}

    def noted(name):
        compute = changed.get(name, getattr(module, name))

        def found(*given, **settings):
            threads[name] = threading.current_thread()
            return compute(*given, **settings)

        return found

    played = module.simulate_candidates
    monkeypatch.setattr(module, "simulate_candidates", lambda *a, **b: played(*a, **(b | {"engine": "cpu"})))
    for name in ("_hardest", "find_limits"):
        monkeypatch.setattr(module, name, noted(name))
    return threads, budget(problems.random_table(6, 12), TASK, runs=2, learners=learners, engine="cuda")


def test_beside_a_gpu_bounds_and_limits_are_the_same(monkeypatch):
    here = budget(problems.random_table(6, 12), TASK, runs=2, learners=["top-two", "uniform"])
    threads, there = on_a_gpu(monkeypatch)
    assert threads.keys() == {"_hardest", "find_limits"}
    assert threading.main_thread() not in threads.values()
    assert (there.hardest, there.round_robin, there.needs) == (here.hardest, here.round_robin, here.needs)
    assert there.unreached == ()


def test_what_fails_beside_a_gpu_is_heard_and_what_is_late_is_named(monkeypatch):
    def late(*_):
        raise KeyboardInterrupt

    def fail(*_, **__):
        raise InvalidValueError("no such limit")

    _, found = on_a_gpu(monkeypatch, _hardest=late)
    assert (found.hardest, found.unreached) == (None, ("lower bound",))
    with pytest.raises(InvalidValueError, match="no such limit"):
        on_a_gpu(monkeypatch, find_limits=fail)


def test_ctrl_c_leaves_what_a_gpu_has_simulated_though_a_bound_does_not_hear_it(monkeypatch):
    has_come, is_over = threading.Event(), threading.Event()

    def limits(*given, **settings):
        has_come.set()
        return find_limits(*given, **settings)

    with listening(has_come.is_set):
        _, found = on_a_gpu(monkeypatch, ["uniform"], _hardest=lambda *_: is_over.wait(60), find_limits=limits)
    is_over.set()
    assert found.unreached == ("lower bound", "round robin")
    assert found.trials.n_runs == 24
    assert np.isnan(found.limits.answers).all()


def test_what_is_beside_a_gpu_ends_when_the_simulation_fails(monkeypatch):
    has_ended = threading.Event()

    def bound(*_):
        with suppress(KeyboardInterrupt):
            while not Clock(None).is_over:
                time.sleep(0.001)
        has_ended.set()

    with pytest.raises(InvalidValueError, match="no learner 'nobody'"):
        on_a_gpu(monkeypatch, ["nobody"], _hardest=bound)
    assert has_ended.wait(5)


def test_on_100_random_tables_the_guaranteed_numbers_of_queries_are_several_times_smaller():
    """Beside the plans of the counts that were there before: the printed one, and the repaired one."""
    rng, theorem, anytime = np.random.default_rng(0), [], []
    while len(theorem) < 100:
        shape = int(rng.integers(3, 9)), int(rng.integers(3, 12))
        problem, epsilon = Problem.from_table(rng.integers(-4, 5, shape) / 4), float(rng.choice([0.125, 0.25, 0.5, 1]))
        d = guarantee_dimension(problem, alpha=None, epsilon=Fraction(3, 4) * Fraction(epsilon)).upper
        if d < 2:
            continue
        size = problem.n_targets
        guarantees = Guarantees(problem, Task(epsilon=epsilon, delta=0.05, sigma=0.5), size)
        plan, sharp = guarantees.theorem(d), guarantees.anytime(d)
        printed = pac_horizon(
            form="printed",
            dimension=d,
            epsilon=epsilon,
            error_budget=lambda t, size=size: 4 * paper_error_budget(n_targets=size, horizon=t, delta=0.025),
        )
        base = Optimistic(problem, delta=0.0125, sigma=0.5)
        budget_then = base.error_budget(horizon=1, delta=0.025)
        repaired = bad_queries_bound(form="repaired", dimension=d, error_budget=budget_then, epsilon=0.75 * epsilon)
        theorem.append(plan._replace(horizon=printed).n_queries / plan.n_queries)
        anytime.append(sharp._replace(horizon=math.ceil(2 * repaired)).n_queries / sharp.n_queries)
    assert min(theorem + anytime) >= 1
    assert np.exp(np.log(theorem).mean()) > 10
    assert np.exp(np.log(anytime).mean()) > 2
