"""The small steps of the proofs, against functions and numbers taken one by one."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from warmer import HypothesisError, bounds


@given(st.lists(st.fractions(-5, 5, max_denominator=8), min_size=2, max_size=16))
def test_a_falling_sum_is_at_most_its_first_value_and_its_integral(values):
    """A step function with values on [1, 3/2), [3/2, 2), ...: half of its places are whole numbers."""
    values = sorted(values, reverse=True)
    whole = values[::2]
    horizon = len(whole)
    integral = sum(values[: 2 * (horizon - 1)], Fraction(0)) / 2
    bound = bounds.lemmas.falling_sum_bound(first=whole[0], last=whole[-1], integral=integral, horizon=horizon)
    assert sum(whole) <= bound
    assert isinstance(bound, Fraction)


def test_a_falling_sum_attains_its_bound_where_the_function_falls_just_after_whole_numbers():
    assert bounds.lemmas.falling_sum_bound(first=3, last=1, integral=2 + 1, horizon=3) == 3 + 2 + 1
    constant = bounds.lemmas.falling_sum_bound(first=0.1, last=0.1, integral=24 * 0.1, horizon=25)
    assert constant == pytest.approx(25 * 0.1)


def test_the_inverse_roots_add_up_to_less_than_twice_the_root():
    for horizon in (1, 2, 10, 1000):
        last, integral = 1 / math.sqrt(horizon), 2 * math.sqrt(horizon) - 2
        bound = bounds.lemmas.falling_sum_bound(first=1.0, last=last, integral=integral, horizon=horizon)
        assert sum(1 / math.sqrt(t) for t in range(1, horizon + 1)) <= bound < 2 * math.sqrt(horizon)


@given(st.integers(1, 10**6), st.floats(-0.999, 1), st.floats(1e-9, 0.9999), st.integers(1, 10**9))
def test_every_numerical_step_of_the_proofs_holds(dimension, alpha, share, horizon):
    epsilon = share * (1 + alpha)
    steps = bounds.lemmas.proof_steps(dimension=dimension, alpha=alpha, epsilon=epsilon, horizon=horizon)
    for step in steps:
        assert step.left <= step.right, step
    intervals, q = steps[0].left, 1 + 1 / math.sqrt(dimension)
    assert epsilon * q ** (intervals - 1) <= (1 + alpha) * (1 + 1e-6)  # the last interval begins inside the range
    assert epsilon * q**intervals >= (1 + alpha) * (1 - 1e-6)  # and ends outside


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: bounds.lemmas.falling_sum_bound(first=0, last=1, integral=1, horizon=2),
            "goes from 0 to 1 in 2 places",
        ),
        (
            lambda: bounds.lemmas.falling_sum_bound(first=1, last=0, integral=0, horizon=1),
            "goes from 1 to 0 in 1 places",
        ),
        (lambda: bounds.lemmas.falling_sum_bound(first=2, last=1, integral=0.5, horizon=2), "between 1 and 2, got 0.5"),
        (lambda: bounds.lemmas.falling_sum_bound(first=2, last=1, integral=2.5, horizon=2), "between 1 and 2, got 2.5"),
        (lambda: bounds.lemmas.proof_steps(dimension=0, alpha=1, epsilon=1, horizon=1), "alpha exceeds"),
        (lambda: bounds.lemmas.proof_steps(dimension=1, alpha=0, epsilon=1, horizon=1), "got 1 and 0"),
        (lambda: bounds.lemmas.proof_steps(dimension=1, alpha=1.5, epsilon=1, horizon=1), "got 1 and 1.5"),
    ],
)
def test_outside_its_hypotheses_a_step_is_silent(call, message):
    with pytest.raises(HypothesisError, match=message):
        call()
