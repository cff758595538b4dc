"""Witnesses check what the definition says, and name what fails."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from warmer.dimensions import DissimilarityWitness
from warmer.model import Problem
from warmer.model.errors import CertificateError

RHO = [[Fraction(1), Fraction(1, 4), Fraction(1, 2)], [Fraction(1), Fraction(1), Fraction(0)], [Fraction(0)] * 2 + [1]]


def witness(**changes: Any) -> DissimilarityWitness:
    values = {"targets": (0, 1), "queries": (0, 1), "center": Fraction(0), "alpha": Fraction(1), "epsilon": Fraction(1)}
    return DissimilarityWitness(**{**values, **changes})


@pytest.fixture(params=["rational", "floats"])
def problem(request: pytest.FixtureRequest) -> Problem:
    table = np.array(RHO, dtype=object)
    return Problem.from_similarity(table if request.param == "rational" else table.astype(float), labels=list("abc"))


def test_the_margin_is_the_tolerance_less_the_largest_distance(problem: Problem) -> None:
    assert witness().check(problem) == pytest.approx(0.5**0.5 - 0.25)


def test_a_single_alternative_has_the_whole_tolerance_as_margin(problem: Problem) -> None:
    assert witness(targets=(2,), queries=(2,)).check(problem) == 1


def test_only_forward_pairs_count_unless_two_sided(problem: Problem) -> None:
    with pytest.raises(CertificateError, match="query 'b' and target 'a' is 1"):
        witness(is_two_sided=True).check(problem)
    with pytest.raises(CertificateError, match="query 'b' and target 'a' is 1"):
        witness(targets=(1, 0), queries=(1, 0)).check(problem)


def test_a_pair_that_is_too_far_is_named_by_its_labels(problem: Problem) -> None:
    message = r"entry of query 'a' and target 'b' is 0.25, farther than 1/sqrt\(2\) from the center -1"
    with pytest.raises(CertificateError, match=message):
        witness(center=Fraction(-1)).check(problem)


def test_a_self_evaluation_below_alpha_is_named(problem: Problem) -> None:
    message = "query 'a' must earn at least alpha = 2 if target 'a' is the truth, but earns 1"
    with pytest.raises(CertificateError, match=message):
        witness(alpha=Fraction(2)).check(problem)


def test_a_center_above_alpha_less_epsilon_is_refused(problem: Problem) -> None:
    with pytest.raises(CertificateError, match=r"center must be at most alpha - epsilon = 0, got (0\.25|1/4)"):
        witness(center=Fraction(1, 4)).check(problem)


def test_places_outside_the_problem_and_mixed_pairs_are_refused(problem: Problem) -> None:
    with pytest.raises(CertificateError, match="no query number 7"):
        witness(targets=(0, 7), queries=(0, 7)).check(problem)
    with pytest.raises(CertificateError, match="its own query, got query 'b' with target 'c'"):
        witness(targets=(0, 2), queries=(0, 1)).check(problem)
    with pytest.raises(CertificateError, match="a query for each target, got 1 for 2"):
        witness(queries=(0,)).check(problem)


def test_a_margin_of_zero_is_exact_in_a_rational_table() -> None:
    rho = np.array([[Fraction(1), Fraction(1, 3)], [Fraction(1, 3), Fraction(1)]])
    problem = Problem.from_similarity(np.block([[rho, rho], [rho, rho]]))
    four = witness(targets=(0, 1), queries=(0, 1), epsilon=Fraction(2, 3), center=Fraction(1, 3))
    assert four.check(problem) == pytest.approx(2 / 3 / 2**0.5)
    edge = Fraction(1, 3) - Fraction(2, 3) / 2
    even = DissimilarityWitness((0, 1, 3, 2), (0, 1, 3, 2), edge, Fraction(1), Fraction(2, 3))
    with pytest.raises(CertificateError, match="query 0 and target 2"):
        even.check(problem)  # twins see 1 in each other


def test_a_subsequence_keeps_the_order_of_the_witness() -> None:
    whole = witness(targets=(4, 2, 0), queries=(1, 3, 5))
    assert (whole.subsequence([2, 0]).targets, whole.subsequence([2, 0]).queries) == ((4, 0), (1, 5))
