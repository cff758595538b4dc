"""Generalized linear bandits: the bound, against the longest sequences that are known for linear ones."""

import math
from fractions import Fraction

import numpy as np
import pytest

from warmer import Problem, bounds, dissimilarity_dimension
from warmer.problems.extremal import linear_counterexample, linear_geometric

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


def refutes(d, *, n, low, high, epsilon):
    """The determinant argument, as it is written: whether some lambda leaves no room for a sequence of length d."""
    for factor in np.geomspace(1e-5, 10, 45):
        lam = factor * (epsilon / low) ** 2
        needed = 0.0
        for j in range(1, d):
            forward = epsilon * (1 - 1 / math.sqrt(d)) / high  # <delta_j, a_j> at least
            back = 2 * epsilon / (math.sqrt(d) * low)  # |<delta_j, a_i>| at most, for each of j - 1 actions
            needed += math.log1p(forward**2 / (lam * 2**2 + (j - 1) * back**2))
        k = min(n, d - 1)
        if needed > k * math.log1p((d - 1) / (k * lam)) + 1e-9:
            return True
    return False


@pytest.mark.parametrize(
    ("n", "low", "high", "epsilon", "longest"),
    [(2, 0.5, 1, 0.5, 91), (5, 0.1966, 0.25, 0.01, 186), (1, 1, 1, 0.25, None), (3, 0.6, 0.7, 2.0, None)],
)
def test_the_glm_bound_is_the_last_length_that_determinants_allow(n, low, high, epsilon, longest):
    bound = bounds.glm_dimension_bound(n=n, slope_low=low, slope_high=high, epsilon=epsilon)
    assert longest is None or bound == longest
    assert bound == 1 or not refutes(bound, n=n, low=low, high=high, epsilon=epsilon)
    assert refutes(bound + 1, n=n, low=low, high=high, epsilon=epsilon)


@pytest.mark.parametrize("n", [1, 2, 3])
@pytest.mark.parametrize("epsilon", [0.05, 0.3, 1.5])
def test_linear_bandits_are_generalized_ones_with_slope_1(n, epsilon):
    linear = bounds.linear_dimension_bound(n=n, alpha=0.9, epsilon=epsilon)
    assert linear == bounds.glm_dimension_bound(n=n, slope_low=1, slope_high=1, epsilon=epsilon)


@pytest.mark.parametrize("link", LINKS)
@pytest.mark.parametrize("seed", range(3))
def test_every_step_of_the_determinant_argument_holds_on_sequences_that_are_found(link, seed):
    rng, (g, low, high) = np.random.default_rng(seed), LINKS[link]
    for n in (1, 2, 3):
        sizes = 2.0 ** -rng.integers(0, 5, (2, 9, 1))
        points = rng.normal(size=(2, 9, n))
        parameters, actions = sizes * points / np.linalg.norm(points, axis=2, keepdims=True)
        problem = Problem.from_table(np.clip(np.vectorize(g)(actions @ parameters.T), -1, 1))
        for epsilon in (high, high / 4, high / 32):
            alpha = float(np.quantile(problem.self_evaluations, 0.3))
            found = dissimilarity_dimension(problem, alpha=alpha, epsilon=epsilon)
            thetas, asked = parameters[list(found.witness.targets)], actions[list(found.witness.queries)]
            assert len(thetas) <= bounds.glm_dimension_bound(n=n, slope_low=low, slope_high=high, epsilon=epsilon)
            check_steps(thetas, asked, low=low, high=high, epsilon=epsilon)


def check_steps(thetas, asked, *, low, high, epsilon):
    d, n = thetas.shape
    gram, lam, log_det = 0.1 * np.eye(n), 0.1, 0.0
    for j in range(d - 1):
        delta = thetas[j] - thetas[j + 1]
        forward, back = epsilon * (1 - 1 / math.sqrt(d)) / high, 2 * epsilon / (math.sqrt(d) * low)
        assert delta @ asked[j] >= forward - 1e-9
        assert (np.abs(asked[:j] @ delta) <= back + 1e-9).all()
        assert delta @ gram @ delta <= 4 * lam + j * back**2 + 1e-9
        leverage = asked[j] @ np.linalg.solve(gram, asked[j])
        assert leverage >= forward**2 / (4 * lam + j * back**2) - 1e-9
        log_det += math.log1p(leverage)
        gram += np.outer(asked[j], asked[j])
    rank = min(n, d - 1)
    assert log_det == pytest.approx(np.linalg.slogdet(gram / lam)[1])
    assert d == 1 or log_det <= rank * math.log1p((d - 1) / (rank * lam)) + 1e-9
