"""Exact rewards: regret of at most 1 + 8 d^1.5 at every horizon, and none to speak of where d = 1."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.strategies import problems, similarities
from warmer import LeastSquares, bounds, dissimilarity_dimension, environments, simulate
from warmer import problems as catalogue


def regrets(problem, horizon):
    """The dimension at 1/T and the regret, with each target that can be the truth in turn; alpha is what it reaches."""
    for target in np.flatnonzero(problem.valid_targets):
        alpha = float(problem.self_evaluations[target])
        learner = LeastSquares(problem, alpha=alpha)
        environment = environments.Exact(problem, problem.targets[target])
        regret = float(simulate(learner, environment, horizon=horizon, seed=0).regret(alpha)[0])
        found = dissimilarity_dimension(problem, alpha=alpha, epsilon=Fraction(1, horizon), monotone=True)
        yield found.value, regret


@given(st.one_of(problems(), similarities()), st.sampled_from([1, 3, 12, 40]))
@settings(max_examples=150, deadline=None)  # kernels are compiled at the first call
def test_the_regret_of_the_learner_keeps_the_bound_with_eight(problem, horizon):
    for dimension, regret in regrets(problem, horizon):
        assert regret <= bounds.exact_regret_bound(dimension=dimension) + 1e-9
        if dimension == 1:
            assert regret <= 1 + 1e-9  # no query is 1/T-bad


@pytest.mark.parametrize("n_arms", [2, 5, 12])
def test_a_needle_costs_one_round_for_every_other_arm(n_arms):
    horizon = 3 * n_arms
    worst = max(regret for _, regret in regrets(catalogue.needle(n_arms), horizon))
    assert worst == n_arms - 1 <= bounds.exact_regret_bound(dimension=n_arms)


def test_with_a_smaller_constant_than_the_regret_of_a_needle_the_bound_would_fail():
    """What the test above can see: a bound that is constant in d fails on it."""
    ((dimension, regret), *_) = sorted(regrets(catalogue.needle(12), 36), key=lambda pair: -pair[1])
    assert dimension == 12
    assert regret > bounds.exact_regret_bound(dimension=1)
