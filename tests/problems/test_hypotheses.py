"""Classes of hypotheses: correlations by their definition, exactly, with labels a person can read."""

import re
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from warmer import problems
from warmer.model import Problem
from warmer.model.errors import InvalidValueError

SIGNS = st.integers(1, 6).flatmap(
    lambda n: st.lists(st.lists(st.sampled_from([-1, 1]), min_size=n, max_size=n), min_size=1, max_size=5)
)


def holds(label: str, bits: tuple[int, ...]) -> bool:
    """What a label says at a point, read by Python itself."""
    text = re.sub(r"(\d)x", r"\1*x", label).replace("true", "True").replace("false", "False")
    return bool(eval(text, {"__builtins__": {}}, {f"x{place + 1}": bit for place, bit in enumerate(bits)}))


def correlations(labels: list[str], n_bits: int) -> list[list[float]]:
    points = list(product((0, 1), repeat=n_bits))
    signs = np.array([[1 if holds(label, point) else -1 for point in points] for label in labels])
    return (signs @ signs.T / len(points)).tolist()


@pytest.mark.parametrize(
    ("problem", "n_bits"),
    [
        (problems.parities(3), 3),
        (problems.hypotheses.monotone_conjunctions(3), 3),
        (problems.hypotheses.dictators(4), 4),
        (problems.hypotheses.halfspaces(1), 1),
        (problems.hypotheses.halfspaces(2), 2),
        (problems.hypotheses.halfspaces(3), 3),
    ],
)
def test_a_label_means_what_it_says(problem: Problem, n_bits: int) -> None:
    assert problem.rho.tolist() == correlations([str(label) for label in problem.targets], n_bits)


@pytest.mark.parametrize(("n_bits", "count"), [(1, 4), (2, 14), (3, 104), (4, 1882)])
def test_halfspaces_are_all_there_and_distinct(n_bits: int, count: int) -> None:
    problem = problems.hypotheses.halfspaces(n_bits)
    assert problem.n_targets == count
    assert (problem.rho == 1).sum() == count


def test_labels_are_readable() -> None:
    assert list(problems.parities(3).targets) == ["0", "x1", "x2", "x1^x2", "x3", "x1^x3", "x2^x3", "x1^x2^x3"]
    assert list(problems.hypotheses.thresholds(3).targets) == ["x>=1", "x>=2", "x>=3", "x>=4"]
    assert set(problems.hypotheses.halfspaces(2).targets) >= {
        "true",
        "false",
        "x1>=1",
        "x1+x2>=2",
        "x1-x2>=1",
        "-x1-x2>=0",
    }
    assert "not x1^x2" in list(problems.parities(2, negations=True).targets)


@given(SIGNS)
def test_correlations_are_the_definition(signs: list[list[int]]) -> None:
    problem = problems.from_hypotheses(signs)
    for (i, h), (j, g) in combinations(enumerate(signs), 2):
        assert problem.rational is not None
        exact = Fraction(int(problem.rational.numerators[i, j]), problem.rational.denominator)
        assert exact == Fraction(sum(a * b for a, b in zip(h, g, strict=True)), len(h))


@given(SIGNS, st.data())
def test_a_distribution_weighs_the_points(signs: list[list[int]], data: st.DataObject) -> None:
    counts = data.draw(st.lists(st.integers(1, 9), min_size=len(signs[0]), max_size=len(signs[0])))
    weights = [Fraction(count, sum(counts)) for count in counts]
    exact = problems.from_hypotheses(signs, weights)
    floats = problems.from_hypotheses(signs, [float(weight) for weight in weights])
    assert exact.rational is not None
    assert floats.rational is None
    expected = [[sum(w * a * b for w, a, b in zip(weights, h, g, strict=True)) for g in signs] for h in signs]
    assert exact.rho.tolist() == [[float(entry) for entry in row] for row in expected]
    assert np.allclose(floats.rho, exact.rho, atol=1e-12)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: problems.parities(0), "n_bits must be at least 1, got 0."),
        (lambda: problems.parities(12), "lower n_bits"),
        (lambda: problems.hypotheses.monotone_conjunctions("x"), "n_bits must be a whole number, got 'x'."),
        (lambda: problems.hypotheses.monotone_conjunctions(40), "lower n_bits"),
        (lambda: problems.hypotheses.dictators(0), "n_bits must be at least 1, got 0."),
        (lambda: problems.hypotheses.dictators(10**5), "lower n_bits"),
        (lambda: problems.hypotheses.halfspaces(5), "halfspaces are listed for n_bits up to 4, got 5."),
        (lambda: problems.hypotheses.thresholds(-1), "n_points must be at least 1, got -1."),
        (lambda: problems.hypotheses.thresholds(10**5), "lower n_points"),
    ],
)
def test_a_class_that_cannot_be_built_is_refused(make: Callable[[], Problem], message: str) -> None:
    with pytest.raises(InvalidValueError, match=re.escape(message)):
        make()


@pytest.mark.parametrize(
    ("hypotheses", "distribution", "message"),
    [
        ([[1, 0]], None, "hypotheses must have values -1 and 1, got 0 for hypothesis 0 at point 1; write 0 as -1."),
        ([[1, float("nan")]], None, "hypotheses must be finite numbers in rows of the same length, got nan in row 0."),
        ([[1, 1], [1]], None, "hypotheses must be numbers in rows of the same length, got [[1, 1], [1]]."),
        ([1, 1], None, "hypotheses must be numbers in rows of the same length, at least one, got shape (2,)."),
        ([[]], None, "got shape (1, 0)."),
        ([[1, 1]], [1.0], "distribution needs 2 weights, one per point, got 1."),
        ([[1, 1]], [1.5, -0.5], "distribution needs weights between 0 and 1, got 1.5 at point 0."),
        ([[1, 1]], [0.5, float("nan")], "distribution needs weights between 0 and 1, got nan at point 1."),
        ([[1, 1]], [0.5, 0.25], "the weights of distribution must add up to 1, got 0.75; divide by the sum."),
        ([[1, 1]], [Fraction(1, 3), Fraction(1, 3)], "the weights of distribution must add up to 1"),
        ([[1, 1]], [Fraction(1, 2), Fraction(1, 2) + Fraction(1, 10**12)], "the exact weights of distribution must"),
        ([[1, 1]], ["a", "b"], "distribution must hold numbers, one per point, got 'a' at point 0."),
        ([[1, 1]], ["0.5", "0.5"], "distribution must hold numbers, one per point, got '0.5' at point 0."),
        ([[1, 1]], 3, "distribution must hold numbers, one per point, got 3."),
        ([["1", "1"]], None, "hypotheses must be numbers in rows of the same length, got [['1', '1']]."),
    ],
)
def test_bad_hypotheses_and_distributions_are_refused(hypotheses: Any, distribution: Any, message: str) -> None:
    with pytest.raises(InvalidValueError, match=re.escape(message)):
        problems.from_hypotheses(hypotheses, distribution)


def test_functions_over_a_domain_or_a_sample_are_their_matrix() -> None:
    points = list(product((0, 1), repeat=3))

    def first(x: tuple[int, ...]) -> bool:
        return x[0] == 1

    def majority(x: tuple[int, ...]) -> int:
        return 1 if sum(x) >= 2 else -1

    problem = problems.from_functions([first, majority], points)
    assert list(problem.targets) == ["first", "majority"]
    assert problem.rho.tolist() == [[1.0, 0.5], [0.5, 1.0]]
    assert problem.rational is not None
    sample = [points[0], points[7], points[7], points[4]]
    assert problems.from_functions([first, majority], sample).rho[0, 1] == 0.5
    weights = [Fraction(1, 2), Fraction(1, 2), 0, 0, 0, 0, 0, 0]
    assert problems.from_functions({"a": first, "b": majority}, points, weights).rho[0, 1] == 1.0
    assert list(problems.from_functions([lambda x: True, lambda x: False], points).targets) == [0, 1]


@pytest.mark.parametrize(
    ("functions", "points", "message"),
    [
        ([], [1], "at least one function and one point"),
        ([lambda x: 1], [], "at least one function and one point"),
        (3, [1], "functions must be a list of functions, or a mapping from names, got 3"),
        (lambda x: 1, [1], "functions must be a list of functions"),
        ([3], [1], "function 0 must be a function of a point, got 3"),
        ({"odd": None}, [1], "function 'odd' must be a function of a point, got None"),
        ([lambda x: 1], None, "points must be a list of what the functions are applied to, got None"),
        ([lambda x: np.array([1, 1])], [1], r"function 0 must say -1 or 1, True or False, got array\(\[1, 1\]\) at 1"),
        ({"odd": lambda x: x % 2}, [1, 2], "function 'odd' must say -1 or 1, True or False, got 0 at 2"),
    ],
)
def test_functions_that_are_no_hypotheses_are_refused(functions: Any, points: Any, message: str) -> None:
    with pytest.raises(InvalidValueError, match=message):
        problems.from_functions(functions, points)
