"""The certified lower bound on statistical queries, against all queries and the best algorithm there is."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from warmer import CertificateError, HypothesisError, Problem
from warmer.dimensions.strong_sq import sq_lower_bound
from warmer.problems import from_hypotheses, parities

EPSILON = Fraction(1, 8)


def classes(seed, count):
    """Few functions on few points, with a lower bound: their signs, the problem, and weights."""
    rng = np.random.default_rng(seed)
    while count:
        signs = np.unique(rng.choice([-1, 1], (int(rng.integers(2, 6)), int(rng.integers(3, 6)))), axis=0)
        if len(signs) > 1:
            count -= 1
            yield signs, from_hypotheses(signs), rng.integers(1, 3, len(signs)).tolist()


def best_success(signs, weights, n_queries):
    """Of all algorithms, with all functions as queries and as outputs."""
    functions = np.array(list(product((-1, 1), repeat=signs.shape[1])))
    values = functions @ signs.T / signs.shape[1]
    if n_queries == 0:
        return float(((values > 1 - float(EPSILON) + 1e-12) @ weights).max())
    return max(
        sum(best_success(signs, weights * (1 + answer * row) / 2, n_queries - 1) for answer in (1, -1))
        for row in np.unique(values, axis=0)
    )


def test_no_algorithm_succeeds_with_one_query_less_than_is_certified():
    seen = set()
    for signs, problem, weights in classes(0, 40):
        share = np.array(weights) / sum(weights)
        for success in (Fraction(2, 3), Fraction(19, 20)):
            if Fraction(max(weights), sum(weights)) >= success:
                continue
            found = sq_lower_bound(
                problem, epsilon=EPSILON, targets=range(len(signs)), weights=weights, success=success
            )
            assert found.check(problem) == found.n_queries
            if found.n_queries <= 2:
                assert best_success(signs, share, found.n_queries - 1) < success
            seen.add(found.n_queries)
    assert {1, 2} <= seen


def test_the_eigenvalue_and_the_mean_correlation_bound_what_every_query_says():
    for signs, problem, weights in classes(1, 60):
        share = np.array(weights) / sum(weights)
        if 3 * max(weights) >= 2 * sum(weights):
            continue
        found = sq_lower_bound(problem, epsilon=EPSILON, targets=range(len(signs)), weights=weights)
        for function in product((-1, 1), repeat=signs.shape[1]):
            values = signs @ function / signs.shape[1]
            assert share @ (values - share @ values) ** 2 <= float(found.eigenvalue) + 1e-12
            assert (share @ values) ** 2 <= float(found.mean_correlation) + 1e-12


def test_a_spoiled_certificate_is_refused():
    problem = parities(4)
    found = sq_lower_bound(problem, epsilon=EPSILON)
    for part in ("eigenvalue", "mean_correlation", "epsilon"):
        factor = 5 if part == "epsilon" else Fraction(1, 2)
        with pytest.raises(CertificateError):
            replace(found, **{part: factor * getattr(found, part)}).check(problem)
    for part, value in {
        "n_queries": found.n_queries + 1,
        "weights": found.weights[1:],
        "targets": (0, *found.targets[:-1]),
    }.items():
        with pytest.raises(CertificateError):
            replace(found, **{part: value}).check(problem)


def test_what_is_no_table_of_correlations_is_refused():
    low = Fraction(-9, 10)
    no_gram = Problem.from_similarity([[1, low, low], [low, 1, low], [low, low, 1]])
    with pytest.raises(HypothesisError, match="positive semidefinite"):
        sq_lower_bound(no_gram, epsilon=EPSILON)
    with pytest.raises(HypothesisError, match="above the largest weight, 1"):
        sq_lower_bound(parities(2), epsilon=EPSILON, targets=[0])
    with pytest.raises(HypothesisError, match="square table"):
        sq_lower_bound(Problem.from_table([[1, 0]]), epsilon=EPSILON)
