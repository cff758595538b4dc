"""The two arithmetics of the definition."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from tests.dimensions.reference import at_most_over_root
from warmer.dimensions.dissimilarity.tolerance import ExactTolerance, FloatTolerance
from warmer.model.errors import InvalidValueError
from warmer.model.numbers import as_number


@pytest.mark.parametrize("is_monotone", [False, True])
@pytest.mark.parametrize("dtype", [np.int64, object])
def test_exact_windows_are_the_inequalities_of_the_definition(is_monotone: bool, dtype: Any) -> None:
    rng = np.random.default_rng(0)
    for _ in range(60):
        over = int(rng.integers(1, 30))
        values = np.unique(rng.integers(-over, over, 12)).astype(dtype)
        alpha, epsilon = Fraction(int(rng.integers(0, 9)), 8), Fraction(int(rng.integers(1, 24)), 8)
        scale = ExactTolerance(alpha, epsilon, over, is_monotone)
        for length in range(2, 12):
            n_tops = scale.n_tops(values, length)
            for top, value in enumerate(values):
                high = Fraction(int(value), over)
                is_top = at_most_over_root(high - alpha + epsilon, epsilon, length)
                assert (top < n_tops) == is_top
                if is_top:
                    fits = [_fits(Fraction(int(v), over), high, alpha, epsilon, length, is_monotone) for v in values]
                    assert scale.bottom(values, top, length) == fits.index(True)


def _fits(low: Fraction, high: Fraction, alpha: Fraction, epsilon: Fraction, d: int, is_monotone: bool) -> bool:
    if low > high:
        return False
    if not is_monotone:
        return at_most_over_root(high - low, 2 * epsilon, d)
    half = (high - low) / 2  # half sqrt(d) <= alpha - high + half
    return d * half**2 <= (alpha - high + half) ** 2


def test_float_windows_agree_with_exact_ones_off_the_boundary() -> None:
    rng = np.random.default_rng(1)
    for is_monotone in (False, True):
        for _ in range(50):
            numerators = np.unique(rng.integers(-1000, 1000, 30))
            alpha, epsilon = Fraction(1001, 1000), Fraction(int(rng.integers(1, 300)), 101)
            exact = ExactTolerance(alpha, epsilon, 1000, is_monotone)
            floats = FloatTolerance(float(alpha), float(epsilon), 1e-9, is_monotone)
            for length in (2, 3, 7, 10):
                assert exact.n_tops(numerators, length) == floats.n_tops(numerators / 1000, length)
                for top in range(exact.n_tops(numerators, length)):
                    assert exact.bottom(numerators, top, length) == floats.bottom(numerators / 1000, top, length)


def test_the_epsilon_of_a_monotone_certificate_is_simple_and_allowed() -> None:
    scale = ExactTolerance(Fraction(1), Fraction(1, 2), 2, is_monotone=True)
    center, epsilon = scale.certificate(-1, 1, 3)  # values in [-1/2, 1/2]: epsilon from sqrt(3)/2 to 1.18
    assert (center, epsilon) == (0, 1)
    center, epsilon = scale.certificate(-1, 0, 4)  # sqrt(4) / 4 is rational, and below the given epsilon
    assert epsilon == Fraction(1, 2)
    assert math.isclose(center, -0.25)


@pytest.mark.parametrize(
    ("value", "number"), [(1, 1), (0.25, 0.25), ("5/4", 1.25), (np.float32(0.5), 0.5), ("0.1", 0.1)]
)
def test_numbers_come_in_many_forms(value: Any, number: float) -> None:
    assert float(as_number("alpha", value)) == number


@pytest.mark.parametrize("value", [float("inf"), "1/0", "", None, True, [1]])
def test_what_is_no_number_is_named(value: Any) -> None:
    with pytest.raises(InvalidValueError, match="alpha must be a"):
        as_number("alpha", value)
