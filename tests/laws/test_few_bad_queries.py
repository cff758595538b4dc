"""Few bad queries, by colours: no run makes more than the bound says, and some runs make as many."""

from fractions import Fraction

import numpy as np
import pytest

from warmer import LeastSquares, Optimistic, Problem, bounds, dissimilarity_dimension, environments, simulate
from warmer.analysis import bad_queries, estimation_errors, has_large_self_evaluations
from warmer.claims.instances.bad_queries import draw_trace
from warmer.problems.extremal import ladder


@pytest.mark.parametrize("dimension", range(2, 13))
def test_algorithm_1_attains_the_bound_on_a_ladder_with_exact_rewards(dimension):
    """Ties go to the lowest index; the dimension is found by the exact search."""
    instance = ladder(dimension, Fraction(1, 20) if dimension < 5 else Fraction(1, 2))
    problem, epsilon, truth = instance.problem, instance.epsilon, instance.n_bad
    found = dissimilarity_dimension(problem, alpha=1, epsilon=epsilon, monotone=True)
    assert found.is_exact
    assert found.value == dimension
    most = bounds.bad_queries_bound(dimension=dimension, error_budget=0.0, epsilon=epsilon)
    learner, environment = LeastSquares(problem, alpha=1.0), environments.Exact(problem, truth)
    runs = simulate(learner, environment, horizon=problem.n_targets + 2, seed=0)
    assert estimation_errors(runs).max() == 0
    assert bad_queries(runs, alpha=1.0, epsilon=float(epsilon)).tolist() == [most]
    assert bounds.exact_pac_horizon(dimension=dimension, epsilon=epsilon) == most + 1


def near(rng, n):
    """A table of whole quarters with own values of 1, in half of the cases one that mostly agrees with its truth.

    A third are bandits, on which Algorithms 1 and 3 are Algorithms 5 and 6: each function reaches 1 somewhere.
    """
    if rng.random() < 1 / 3:
        table = rng.integers(-4, 5, (n, n + 2))
        table[rng.integers(n, size=n + 2), np.arange(n + 2)] = 4
        return Problem.from_table(table / 4), int(rng.integers(n + 2))
    table = rng.integers(-4, 5, (n, n))
    np.fill_diagonal(table, 4)
    truth = int(rng.integers(n))
    if rng.random() < 0.5:
        table = np.where(rng.random((n, n)) < 0.7, table[:, [truth]], table)
        np.fill_diagonal(table, 4)
    return Problem.from_similarity(table, denominator=4), truth


def worst_ratio(cases, seed):
    """Runs of Algorithms 1, 3, 5 and 6, exact, Gaussian and coin rewards: bad queries over the bound, at most."""
    rng, worst = np.random.default_rng(seed), 0.0
    for case in range(cases):
        problem, truth = near(rng, int(rng.integers(3, 8)))
        environment = (
            environments.Exact(problem, truth),
            environments.TruncatedGaussian(problem, truth, sigma=0.1),
            environments.Coin(problem, truth),
        )[case % 3]
        base = LeastSquares(problem, alpha=1.0) if case % 2 else Optimistic(problem, sigma=0.1 if case % 3 < 2 else 1.0)
        runs = simulate(base, environment, horizon=int(rng.integers(5, 60)), seed=case)
        if not has_large_self_evaluations(runs, alpha=1.0).all():
            continue
        budget = float(estimation_errors(runs)[0].max())
        for epsilon in (Fraction(int(rng.integers(1, 8)), 8), Fraction(int(rng.integers(8, 16)), 8)):
            n_bad = int(bad_queries(runs, alpha=1.0, epsilon=float(epsilon))[0])
            d = dissimilarity_dimension(problem, alpha=1, epsilon=epsilon, monotone=True).value
            most = bounds.bad_queries_bound(dimension=d, error_budget=budget, epsilon=epsilon)
            assert n_bad <= most, (case, epsilon)
            worst = max(worst, n_bad / most if most else 0.0)
    return worst


def test_no_run_makes_more_bad_queries_than_the_colouring_allows():
    assert worst_ratio(150, seed=0) == 1.0


@pytest.mark.long
def test_no_run_of_ten_thousand_makes_more_bad_queries_than_the_colouring_allows():
    assert worst_ratio(10_000, seed=1) == 1.0


def test_no_sequence_that_keeps_its_error_budget_has_more_bad_queries():
    """Any sequence, not only Algorithm 1's: an adversary prefers bad queries; its error budget is its own largest."""
    rng, worst = np.random.default_rng(5), 0.0
    for case in range(600):
        instance = draw_trace(rng, is_exact=case % 3 == 0)
        budget, reach = float(instance.error_budget), 1 + instance.alpha
        asked = {"dimension": instance.monotone_dimension(), "error_budget": budget, "epsilon": instance.epsilon}
        n_bad, most = instance.n_bad(instance.epsilon), bounds.bad_queries_bound(**asked, reach=reach)
        assert n_bad <= most, instance
        worst = max(worst, n_bad / most if most else 0.0)
    assert worst == 1.0
