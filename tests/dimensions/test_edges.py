"""Edges that reviews found: huge numerators, forbidden queries, forged witnesses, unfinished profiles."""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from warmer import (
    PAC,
    CertificateError,
    ExactPAC,
    LeastSquares,
    Problem,
    Uniform,
    dissimilarity_dimension,
    dissimilarity_profile,
    environments,
    problems,
    simulate,
    strong_sq_dimension,
)
from warmer.dimensions import DissimilarityWitness, EluderWitness, Packing, StrongSQWitness

ONES = Problem.from_similarity([[1] * 4] * 4)


@pytest.mark.parametrize("denominator", [2**60, 2**62 - 1, 2**63 - 1, 9 * 10**18, 2**64 + 1])
def test_huge_numerators_do_not_overflow(denominator):
    low = Fraction(1 - denominator, denominator)
    pair = Problem.from_similarity([[Fraction(1), low], [low, Fraction(1)]])
    assert strong_sq_dimension(pair, epsilon=1, absolute=False).value == 2
    three = Problem.from_similarity([[Fraction(1), low, low], [low, Fraction(1), -low], [low, -low, Fraction(1)]])
    bracket = dissimilarity_dimension(three, alpha=1, epsilon=2)
    assert bracket.value == 2
    bracket.witness.check(three)
    numerators = [
        [denominator - 1, 0, 0, 1 - denominator],
        [0, denominator, -denominator, -denominator],
        [0, -denominator, denominator, denominator - 1],
        [1 - denominator, -denominator, denominator - 1, denominator],
    ]
    four = Problem.from_similarity([[Fraction(entry, denominator) for entry in row] for row in numerators])
    assert dissimilarity_dimension(four, alpha="1/2", epsilon="1/2", monotone=True).value == 3


@pytest.mark.parametrize(
    "witness",
    [
        DissimilarityWitness((0, 1, 2, 3), (0, 1, 2, 3), Fraction(1), Fraction(1), Fraction(-1)),
        DissimilarityWitness((0, 1), (0, 1), Fraction(1), Fraction(1), Fraction(0)),
        DissimilarityWitness((0, 9), (0, 9), Fraction(0), Fraction(1), Fraction(1)),
        DissimilarityWitness((0, 1), (0, 1), math.nan, Fraction(1), Fraction(1)),
        EluderWitness((0, 0, 1), ((0, 0),) * 3, Fraction(-1)),
        EluderWitness((0, 7), ((0, 1),) * 2, Fraction(1)),
        StrongSQWitness((0, -2), Fraction(1, 2)),
        Packing((0, 1), -5),
        Packing((0, 11), Fraction(1, 2)),
    ],
)
def test_a_forged_witness_is_refused(witness):
    with pytest.raises(CertificateError):
        witness.check(ONES)


def test_a_witness_may_not_use_a_forbidden_query():
    free = Problem.from_similarity([[1, 0], [0, 1]])
    found = dissimilarity_dimension(free, alpha=1, epsilon=1).witness
    closed = Problem.from_similarity([[1, 0], [0, 1]], forbidden=[True, False])
    with pytest.raises(CertificateError, match="query 0 is forbidden"):
        found.check(closed)


def test_the_margin_of_a_signed_witness_is_not_negative():
    opposite = Problem.from_similarity([[1, -1], [-1, 1]])
    assert strong_sq_dimension(opposite, epsilon=0.25, absolute=False).witness.check(opposite) >= 0


def test_an_unfinished_profile_says_nothing_where_it_knows_nothing():
    whole = dissimilarity_profile(problems.treasure(side=4), alpha=1)
    assert whole.is_exact
    undecided_to = (whole.breakpoints[1] + whole.breakpoints[2]) / 2
    part = replace(whole, undecided_to=undecided_to)
    assert not part.is_exact
    assert part.pieces()[0].low == undecided_to
    for piece in part.pieces():
        if math.isfinite(piece.high) and piece.high > piece.low:
            assert whole((piece.low + piece.high) / 2) == piece.value


def test_promises_count_the_alternatives_that_stand_in_for_forbidden_ones():
    size = 6
    table = np.zeros((2 * size + 1,) * 2, dtype=int)
    table[np.arange(size), size + np.arange(size)] = 1
    table[-1, -1] = 1
    problem = Problem.from_similarity(table, forbidden=[False] * size + [True] * size + [False])
    learner = ExactPAC(LeastSquares(problem, alpha=1), epsilon=0.5)
    for target in range(size, 2 * size):
        exact = environments.Exact(problem, target)
        runs = simulate(learner, exact, horizon=learner.n_rounds + 1, seed=0)
        assert exact.means[runs.queries[0, -1]] >= 0.5


def test_algorithm_2_takes_three_quarters_of_epsilon_exactly():
    value = 1 - Fraction(3, 80)
    problem = Problem.from_similarity([[Fraction(1) if i == j else value for j in range(4)] for i in range(4)])
    assert dissimilarity_dimension(problem, alpha=1, epsilon=Fraction(3, 40), monotone=True).value == 4
    assert "d = 4" in PAC(LeastSquares(problem, alpha=1.0), epsilon=0.1, delta=0.1).promise.reason


def test_algorithm_2_promises_nothing_for_a_base_that_asks_anything():
    problem = Problem.from_table(np.r_[[1.0], np.zeros(19)][:, None])
    learner = PAC(Uniform(problem), epsilon=0.5, delta=0.1, dimension=1, error_budget=lambda horizon: 0.0)
    assert not learner.promise
    assert "Uniform may ask what no good target would" in learner.promise.reason
