"""The builders reproduce the golden tables exactly, in the same order."""

from fractions import Fraction

import pytest

from tests.golden import golden_table
from warmer import problems
from warmer.model import Problem

BUILT = {
    "parities_n2_eps1/2": problems.parities(2),
    "parities_n3_eps1/2": problems.parities(3),
    "parities_n4_eps1/2": problems.parities(4),
    "parities_with_negations_n2_eps1/2": problems.parities(2, negations=True),
    "dictators_n2_eps1/2": problems.hypotheses.dictators(2),
    "dictators_n3_eps1/2": problems.hypotheses.dictators(3),
    "dictators_n4_eps1/2": problems.hypotheses.dictators(4),
    "monotone_conjunctions_n2_eps1/2": problems.hypotheses.monotone_conjunctions(2),
    "monotone_conjunctions_n4_eps1/4": problems.hypotheses.monotone_conjunctions(4),
    "halfspaces_2bits_all14_eps1/2": problems.hypotheses.halfspaces(2),
    "thresholds_on_6_points_eps1/2": problems.hypotheses.thresholds(6),
    "karmed_grid3_K1_alpha1_eps1/4": problems.arms(1),
    "karmed_grid3_K2_alpha1_eps1/4": problems.arms(2),
    "karmed_grid3_K3_alpha1_eps1/4": problems.arms(3),
    "karmed_grid3_K4_alpha1_eps1/4": problems.arms(4),
    "binary_grid_K3_alpha1_eps1/2": problems.arms(3, levels=2),
    "needle_K6_alpha1_eps1/2": problems.needle(6),
    "linear_circle12_alpha1_eps1/4": problems.circle(12),
    "separation_circle12_N1_eps1/4": problems.separation(1, epsilon=Fraction(1, 4)),
    "square_eps1": problems.from_vectors([[1, 0], [0, 1], [-1, 0], [0, -1]]),
}


def exact_table(problem: Problem) -> list[list[Fraction]]:
    assert problem.rational is not None
    numerators, denominator = problem.rational
    return [[Fraction(int(entry), denominator) for entry in row] for row in numerators]


@pytest.mark.parametrize("name", BUILT)
def test_a_builder_reproduces_the_golden_table(name: str) -> None:
    assert exact_table(BUILT[name]) == golden_table(name)
