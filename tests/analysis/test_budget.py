import numpy as np
import pytest
from scipy.stats import binom

from warmer import InvalidValueError, Problem, problems
from warmer.analysis import Budget, Goal, budget
from warmer.analysis.budgets import many_targets_bound, simulate_candidates, two_targets_bound
from warmer.bounds import pac_candidates, pac_horizon, pac_repeats, paper_error_budget
from warmer.bounds.sample_sizes import every_query_answers
from warmer.learners import Settings
from warmer.report.budget_text import budget_rows, trials_in_words, which_to_believe

GOAL = Goal(epsilon=0.1, delta=0.05, sigma=0.5)


@pytest.fixture(scope="module")
def hundred_models() -> Budget:
    return budget(problems.random_table(20, 100), GOAL, runs=10, time_limit=20.0)


def test_on_a_hundred_models_the_sharper_numbers_are_a_hundred_times_smaller(hundred_models):
    theorem = hundred_models.theorem.n_queries
    assert 100 * hundred_models.anytime.n_queries <= theorem
    assert 100 * hundred_models.in_turn <= theorem
    assert 100 * hundred_models.trials.quantile(0.95) <= theorem
    assert hundred_models.lower_bound <= hundred_models.trials.quantile(0.5)


def test_a_thousand_runs_stopped_by_the_certificate_are_right(hundred_models):
    trials = hundred_models.trials
    assert (trials.n_runs, trials.n_proven) == (1000, 1000)
    # if the certificate were wrong with probability delta, more than this many faults would have probability < 1e-6
    assert trials.is_wrong.sum() <= binom.isf(1e-6, 1000, GOAL.delta)
    assert trials.right.low >= 1 - GOAL.delta


def test_the_theorem_has_the_papers_constants():
    problem = Problem.from_table(np.eye(4))
    found = budget(problem, Goal(epsilon=0.5, delta=0.1, sigma=0.25), runs=1)
    assert (found.goal.alpha, found.dimension, found.algorithm) == (1, (4, 4), "Algorithm 1")
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
    found = budget(problem, GOAL, runs=1)
    from warmer import dissimilarity_dimension

    dimensions = [
        dissimilarity_dimension(problem, alpha=alpha, epsilon=0.075, monotone=True).value for alpha in (0.3, 0.5, 0.9)
    ]
    assert (found.goal.alpha, found.algorithm, found.dimension.upper) == (None, "Algorithm 3", max(dimensions))


def test_a_declared_alpha_leaves_the_targets_that_reach_it():
    problem = Problem.from_table([[0.9, 0.0, 0.1], [0.0, 0.5, 0.1], [0.1, 0.1, 0.3]])
    found = budget(problem, Goal(0.1, 0.05, 0.5, alpha="1/2"), runs=2)
    assert (found.trials.truths, found.trials.n_runs) == ((0, 1), 4)
    with pytest.raises(InvalidValueError, match=r"the best is 0\.9, got 1"):
        budget(problem, Goal(0.1, 0.05, 0.5, alpha=1), runs=1)


def test_what_everybody_agrees_on_costs_nothing():
    found = budget(Problem.from_table([[0.5, 0.6], [0.1, 0.2]]), GOAL, runs=1)
    assert (found.in_turn, found.trials.quantile(0.5), found.lower_bound) == (0, 0, None)


def test_no_time_gives_an_upper_end():
    found = budget(problems.random_table(20, 60, seed=3), GOAL, runs=1, time_limit=1e-3)
    assert found.dimension.lower <= found.dimension.upper <= 20


def test_a_sample_of_many_candidates_is_said_to_be_one():
    trials = simulate_candidates(problems.random_table(5, 300), Settings(0.3, 0.05, 0.5, 3, 1.9), runs=1, seed=4)
    assert (trials.is_sample, len(trials.truths), trials.n_candidates) == (True, 200, 300)
    again = simulate_candidates(problems.random_table(5, 300), Settings(0.3, 0.05, 0.5, 3, 1.9), runs=1, seed=4)
    assert again.truths == trials.truths


def test_a_run_of_a_target_depends_on_nothing_but_seed_number_and_target():
    problem, settings = problems.random_table(6, 12), Settings(0.3, 0.05, 0.5, 500, 0.1)
    all_of_them = simulate_candidates(problem, settings, runs=3, seed=1)
    fewer = simulate_candidates(problem, settings, runs=2, seed=1, candidates=np.array([5, 7]))
    assert fewer.n_answers.tolist() == all_of_them.n_answers[[5, 7], :2].tolist()


def test_runs_cut_off_by_the_horizon_have_no_quantile():
    trials = simulate_candidates(problems.random_table(6, 12), Settings(0.3, 0.05, 0.5, 2, 0.01), runs=2)
    assert (trials.n_proven, trials.quantile(0.5), trials.hardest) == (0, None, (0, None))
    assert trials.right == (0, 1, 1)


def test_the_hardest_dilemma_is_the_nearest_pair_that_disagrees():
    problem = Problem.from_table([[0.5, 0.3, 0.0], [0.3, 0.5, 0.9]], targets=["a", "b", "c"])
    dilemma = two_targets_bound(problem, np.arange(3), alpha=None, epsilon=0.1, delta=0.05, sigma=0.5)
    assert {dilemma.truth, dilemma.rival} == {"a", "b"}
    assert two_targets_bound(problem, np.arange(3), alpha=None, epsilon=0.1, delta=0.5, sigma=0.5) is None
    assert (
        two_targets_bound(problem, np.arange(3), alpha=0.5, epsilon=0.2, delta=0.05, sigma=0.5) is None
    )  # asking the second is good for all


def test_the_hardest_crowd_is_all_of_them_or_those_that_share_no_good_query():
    needles = Problem.from_table(np.eye(40))
    goal = {"alpha": None, "epsilon": 0.5, "delta": 0.05, "sigma": 0.5}
    assert many_targets_bound(needles, np.arange(40), **goal).n_targets == 40
    twins = Problem.from_table(np.repeat(np.eye(40), 30, axis=1)[:, : 40 + 29 * 20])  # some needles have 30 twins
    crowd = many_targets_bound(twins, np.arange(400), **goal)
    assert crowd.n_answers >= 5
    assert many_targets_bound(Problem.from_table([[1.0, 1.0]]), np.arange(2), **goal) is None
    assert many_targets_bound(needles, np.arange(1), **goal) is None


def test_the_larger_lower_bound_is_the_one_that_is_told():
    many = budget(problems.needle(30), Goal(0.5, 0.05, 0.5), runs=1)
    assert many.lower_bound == many.crowd.n_answers > 10
    assert many.dilemma is None  # one answer tells two needles apart
    assert "needed on average to find one of 30 candidates" in budget_rows(many)[-1]
    few = budget(problems.random_table(8, 20), Goal(0.02, 0.05, 0.5), runs=1)
    assert few.hardest is few.dilemma
    assert few.lower_bound <= few.trials.quantile(0.5)


@pytest.mark.parametrize(("name", "value"), [("epsilon", 0), ("delta", 1), ("sigma", -1), ("alpha", "x")])
def test_a_goal_is_checked_where_it_is_made(name, value):
    with pytest.raises(InvalidValueError, match=name):
        Goal(**{"epsilon": 0.1, "delta": 0.05, "sigma": 0.5, name: value})


def test_asking_in_turn_is_late_or_wrong_with_half_of_delta_each():
    """2629 answers a query: 12 ln(2|Z|/delta) / 0.02, where |Z| = 2 and 0.02 is how far apart the two targets are."""
    problem = Problem.from_table([[0.1, 0.0], [0.0, 0.1]])
    assert budget(problem, Goal(0.05, 0.05, 1.0), runs=1, horizon=1).in_turn == 2 * (2629 + 1)


def test_the_best_mean_also_gets_half_of_delta():
    problem = Problem.from_table([[0.2, 0.1], [0.199, 0.3]])  # the two are close, yet the second objects to the first
    found = budget(problem, Goal(0.199, 0.05, 1.0), runs=1, horizon=1)
    assert found.in_turn == every_query_answers(n_queries=2, epsilon=0.199, delta=0.025, sigma=1.0)


def test_no_noise_is_larger_than_the_rewards_allow():
    problem = problems.needle(n_arms=4)
    declared, allowed = (budget(problem, Goal(0.5, 0.05, sigma), runs=3) for sigma in (3.0, problem.scale))
    assert (declared.goal, declared.declared_sigma) == (allowed.goal, 3.0)
    assert budget_rows(declared) == budget_rows(allowed)
    assert np.array_equal(declared.trials.n_answers, allowed.trials.n_answers)


def test_where_a_guess_is_good_enough_nothing_is_said_of_common_queries():
    row = budget_rows(budget(problems.needle(n_arms=4), Goal(0.5, 0.8, 0.5), runs=1))[-1]
    assert row == ("lower bound", "none known", "delta is 1/2 or more: a guess may be enough")


@pytest.mark.parametrize(("n_targets", "who"), [(2, "candidates"), (401, "of 400 candidates")])
def test_what_was_not_compared_is_not_spoken_of(n_targets, who):
    alike = Problem.from_table([[0.5] * n_targets, [0.1] * n_targets])
    row = budget_rows(budget(alike, GOAL, runs=1))[-1]
    assert row.meaning == f"any two {who} share a good query, or one answer may be enough"


def test_a_simulation_that_was_cut_off_claims_nothing():
    found = budget(problems.random_table(6, 12), Goal(0.01, 0.05, 0.5), runs=2, horizon=3)
    half, most = budget_rows(found)[3:5]
    assert half.meaning == most.meaning == "cut off: 0 of 24 runs were certified by then"
    assert "no run was certified" in trials_in_words(found.trials)
    assert which_to_believe(found.trials).startswith("Do not plan with the simulation: 0 of 24 runs were certified")


def test_an_accuracy_given_as_a_fraction_stays_one():
    goal = Goal("5/9", 0.05, 0.5)
    assert (goal.epsilon, goal.exact_epsilon * 9) == (5 / 9, 5)
    assert goal == Goal(goal.exact_epsilon, 0.05, 0.5)
