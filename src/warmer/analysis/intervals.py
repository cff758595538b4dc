"""Intervals for rates and means."""

from typing import NamedTuple

import numpy as np
import scipy

from warmer.model import Array
from warmer.model.checks import check_count, check_probability
from warmer.model.errors import InvalidValueError

__all__ = ["Interval", "clopper_pearson", "mean_interval"]


class Interval(NamedTuple):
    """An estimate between its two confidence limits."""

    low: float
    estimate: float
    high: float


def clopper_pearson(successes: int, trials: int, *, confidence: float = 0.95) -> Interval:
    """The exact (Clopper-Pearson) interval for a success probability.

    Examples
    --------
    >>> [round(limit, 4) for limit in clopper_pearson(0, 20)]
    [0.0, 0.0, 0.1684]
    """
    check_count("trials", trials)
    if not 0 <= successes <= trials:
        raise InvalidValueError(f"successes must lie between 0 and {trials}, got {successes}.")
    tail = (1 - check_probability("confidence", confidence)) / 2
    low = scipy.special.betaincinv(successes, trials - successes + 1, tail) if successes else 0.0
    high = scipy.special.betaincinv(successes + 1, trials - successes, 1 - tail) if successes < trials else 1.0
    return Interval(float(low), successes / trials, float(high))


def mean_interval(values: Array, *, confidence: float = 0.95) -> Interval:
    """Student's interval for the mean of independent values; without end where there is only one.

    Examples
    --------
    >>> [round(limit, 2) for limit in mean_interval(np.array([1.0, 2.0, 3.0]))]
    [-0.48, 2.0, 4.48]
    """
    check_probability("confidence", confidence)
    n, mean = values.size, float(values.mean())
    if n < 2:
        return Interval(-np.inf, mean, np.inf)
    half = float(scipy.special.stdtrit(n - 1, (1 + confidence) / 2) * values.std(ddof=1) / np.sqrt(n))
    return Interval(mean - half, mean, mean + half)
