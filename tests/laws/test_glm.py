"""Generalized linear bandits: the bound, against the longest sequences that are known for linear ones."""

from fractions import Fraction

import numpy as np
import pytest

from warmer import Problem, bounds, dissimilarity_dimension, eluder_dimension
from warmer.problems.witnesses import linear_counterexample, linear_geometric

LINKS = {  # increasing on [-1, 1], with the least and the largest slope there
    "identity": (lambda x: x, 1.0, 1.0),
    "cubic": (lambda x: (5 * x + x**3) / 8, 5 / 8, 1.0),
    "bent": (lambda x: x / 4 if x < 0 else x, 1 / 4, 1.0),
    "flat": (lambda x: x / 10, 1 / 10, 1 / 10),
}
LONG = {
    "8 in R^1": (1, linear_counterexample(1)),
    "12 in R^2": (2, linear_counterexample(2)),
    "16 in R^3": (3, linear_counterexample(3)),
    "12 powers": (1, linear_geometric(1, 12)),
    "2 blocks of 6": (2, linear_geometric(2, 6)),
}


def through(link, problem):
    numerators, denominator = problem.rational
    table = [[link(Fraction(int(value), denominator)) for value in row] for row in numerators]
    return Problem.from_similarity(table) if problem.is_square else Problem.from_table(table)


@pytest.mark.parametrize("name", LONG)
@pytest.mark.parametrize("link", LINKS)
def test_the_longest_known_sequences_are_within_the_bound(name, link):
    n, extremal = LONG[name]
    g, low, high = LINKS[link]
    problem, alpha = through(g, extremal.problem), g(Fraction(extremal.alpha))
    for shrunk in (1, 2, 8):
        epsilon = Fraction(high) * extremal.epsilon / shrunk
        found = dissimilarity_dimension(problem, alpha=alpha, epsilon=epsilon, monotone=True).lower
        bound = bounds.glm_dimension_bound(n=n, slope_low=low, slope_high=high, epsilon=float(epsilon))
        assert found <= bound
    if link == "identity":
        longest = dissimilarity_dimension(problem, alpha=alpha, epsilon=extremal.epsilon).value
        assert longest == problem.n_targets  # what the bound is held against is long indeed


@pytest.mark.parametrize("link", LINKS)
@pytest.mark.parametrize("seed", range(4))
def test_the_eluder_bound_inside_holds_where_a_search_tries_to_break_it(link, seed):
    """Random parameters and actions, of all sizes: their monotone eluder dimension at 2/3 epsilon, times 9."""
    rng, (g, low, high) = np.random.default_rng(seed), LINKS[link]
    for n in (1, 2):
        sizes = 2.0 ** -rng.integers(0, 6, (2, 8, 1))
        points = rng.normal(size=(2, 8, n))
        parameters, actions = sizes * points / np.linalg.norm(points, axis=2, keepdims=True)
        table = np.vectorize(g)(np.round(actions @ parameters.T * 2**12) / 2**12)
        problem = Problem.from_table(np.clip(table, -1, 1))
        for epsilon in (1.0, 0.1, 0.001):
            found = eluder_dimension(problem, epsilon=2 * epsilon / 3, monotone=True).lower
            bound = bounds.glm_dimension_bound(n=n, slope_low=low, slope_high=high, epsilon=epsilon)
            assert bounds.eluder_comparison(eluder=found) <= bound
