"""Scalars are checked once, and compared with one slack."""

import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from warmer.model.checks import (
    at_least,
    at_most,
    check_count,
    check_finite,
    check_interval,
    check_positive,
    check_probability,
)
from warmer.model.errors import InvalidValueError


@pytest.mark.parametrize(
    ("check", "value", "message"),
    [
        (check_finite, "x", "v must be a number, got 'x'."),
        (check_finite, None, "v must be a number, got None."),
        (check_finite, 10**400, "v must be a number that a float can hold"),
        (check_finite, "0.1", "v must be a number, got '0.1'."),
        (check_finite, b"1", "v must be a number, got b'1'."),
        (check_finite, np.array([0.1, 0.2]), "v must be a number, got array([0.1, 0.2])."),
        (check_finite, np.array(0.1), "v must be a number, got array(0.1)."),
        (check_finite, np.complex128(1), "v must be a number"),
        (check_finite, np.True_, "v must be a number"),
        (check_positive, "1", "v must be a number, got '1'."),
        (check_probability, "0.1", "v must be a number, got '0.1'."),
        (check_interval, ("0", "1"), "the low end of v must be a number, got '0'."),
        (check_finite, float("nan"), "v must be a finite number, got nan."),
        (check_positive, 0, "v must be greater than 0, got 0."),
        (check_probability, 1, "v must lie strictly between 0 and 1, got 1."),
        (check_count, 2.0, "v must be a whole number, got 2.0."),
        (check_count, True, "v must be a whole number, got True."),
        (check_count, 0, "v must be at least 1, got 0."),
    ],
)
def test_a_bad_scalar_is_refused_by_name(check: Callable[..., Any], value: Any, message: str) -> None:
    with pytest.raises(InvalidValueError, match=re.escape(message)):
        check("v", value)


def test_good_scalars_come_back_as_plain_numbers() -> None:
    assert check_finite("v", Fraction(1, 2)) == 0.5
    assert check_positive("v", np.float32(2)) == 2.0
    assert check_probability("v", 0.05) == 0.05
    assert type(check_count("v", np.int64(3))) is int


def test_the_slack_is_relative_to_the_size_of_the_bound() -> None:
    assert at_most(1e6 + 1e-4, 1e6)
    assert not at_most(1 + 1e-4, 1)
    assert at_least(np.array([1 - 1e-12, 0.9]), np.array([1.0, 1.0])).tolist() == [True, False]
