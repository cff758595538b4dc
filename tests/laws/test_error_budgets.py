"""Error budgets of least squares, over horizons at which they could fail."""

import numpy as np
import pytest
from scipy.stats import binom

from warmer import LeastSquares, bounds, covering_number, environments, problems, simulate
from warmer.analysis import estimation_errors
from warmer.model.checks import at_most

DELTA, HORIZON, N_RUNS = 0.1, 1000, 10
PROBLEM = problems.random_table(6, 20, seed=3)


def worst_errors(environment_of):
    """The largest estimation error of each of 40 runs, four targets being the truth."""
    for target in (0, 5, 11, 19):
        learner = LeastSquares(PROBLEM, alpha=float(PROBLEM.self_evaluations[target]))
        runs = simulate(learner, environment_of(PROBLEM, target), horizon=HORIZON, runs=N_RUNS, seed=target)
        yield from estimation_errors(runs).max(axis=1)


def is_too_often(errors, budget):
    """Whether more runs exceed the budget than chance allows in all but one of a million cases."""
    return (errors > budget).sum() > binom.isf(1e-6, errors.size, DELTA)


@pytest.fixture(scope="module")
def with_coins():
    return np.array(list(worst_errors(environments.Coin)))


def test_with_coins_the_error_keeps_the_budgets_of_the_paper(with_coins):
    plain = bounds.paper_error_budget(n_targets=20, horizon=HORIZON, delta=DELTA)
    n_cover = covering_number(PROBLEM, epsilon=4 / HORIZON).upper
    shared = {"covering_number": n_cover, "horizon": HORIZON, "delta": DELTA}
    covered = bounds.budgets.covering_error_budget(beta=2, beta_prime=4, **shared)
    assert at_most(covered, plain)  # equal here, to rounding
    assert plain < 4 * HORIZON  # more than 4T no error can be: they could fail
    assert not is_too_often(with_coins, covered)


def test_with_coins_the_error_keeps_the_anytime_budget_but_not_a_fiftieth_of_it(with_coins):
    budget = bounds.anytime_error_budget(n_targets=20, delta=DELTA, sigma=1.0)
    assert not is_too_often(with_coins, budget)
    assert is_too_often(with_coins, budget / 50)


def test_a_narrow_noise_has_a_narrow_budget(with_coins):
    """beta and beta' of the theorem: answers within 0.05 of their mean, predictions at most a little apart."""
    spread = float(np.ptp(PROBLEM.rho, axis=1).max())
    narrow = {"covering_number": 20, "horizon": HORIZON, "delta": DELTA}
    budget = bounds.budgets.covering_error_budget(beta=0.05, beta_prime=spread, **narrow)
    errors = np.array(
        list(worst_errors(lambda problem, target: environments.UniformNoise(problem, target, width=0.05)))
    )
    assert not is_too_often(errors, budget)
    assert errors.max() < with_coins.max()
