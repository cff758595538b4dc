r"""How unlikely an answer is: bounds on the probability that noise throws it so far from a mean.

For an answer $r$, or the mean of $c$ of them, and a mean $m$, each function bounds twice the probability of an answer
at least as far out on the same side. So it is a p-value: if $m$ is true, it falls to $p$ or below with probability at
most $p$. It is 1 where $r=m$, and never grows as $m$ moves away from $r$. Entries of a table that may be wrong by a
tolerance are taken at the nearest mean that it allows.
"""

import numpy as np
import scipy

from warmer.model import Array


def gaussian_tail(distance: Array, deviation: Array) -> Array:
    r"""$2e^{-x^2/2s^2}$: noise of sub-Gaussian deviation $s$ (Chernoff's bound).

    Examples
    --------
    >>> gaussian_tail(np.array([1.0, 4.0]), np.array([1.0, 1.0])).round(4).tolist()
    [1.0, 0.0007]
    """
    return np.asarray(np.minimum(2 * np.exp(-((distance / deviation) ** 2) / 2), 1.0))


def width_tail(distance: Array, width: float, counts: Array, slack: float) -> Array:
    """Noise within a width: nothing lies beyond it; means of several answers obey Hoeffding's inequality inside.

    Examples
    --------
    >>> width_tail(np.array([0.9, 1.1, 0.9]), 1.0, np.array([1, 1, 20]), 1e-9).round(4).tolist()
    [1.0, 0.0, 0.0006]
    """
    inside = gaussian_tail(distance, width / np.sqrt(counts))
    return np.where(distance > width * (1 + slack), 0.0, inside)


def coin_tail(heads: Array, counts: Array, lowest: Array, highest: Array) -> Array:
    """Coins with a chance in [lowest, highest]: the exact binomial tails.

    Examples
    --------
    >>> chances = np.array([0.01, 0.5])
    >>> coin_tail(np.array([1.0, 9.0]), np.array([1, 10]), chances, chances).round(4).tolist()
    [0.02, 0.0215]
    """
    slack = 1e-9 * np.maximum(counts, 1)  # heads come out of means
    least, most = np.ceil(heads - slack), np.floor(heads + slack)
    beta = scipy.special.betainc
    up = np.where(least > 0, beta(np.maximum(least, 1), counts - np.maximum(least, 1) + 1, highest), 1.0)
    tails = np.maximum(counts - most, 1)
    down = np.where(most < counts, beta(tails, counts - tails + 1, 1 - lowest), 1.0)
    return np.asarray(np.minimum(2 * np.minimum(up, down), 1.0))


def bounded_tail(shares: Array, counts: Array, lowest: Array, highest: Array) -> Array:
    r"""Answers in $[0, 1]$ with a mean in [lowest, highest]: Markov's inequality, and Chernoff's for means of several.

    An answer in the middle of the range is never unlikely: nothing is known of the noise but the range.

    Examples
    --------
    >>> means = np.array([0.2, 0.01, 0.2])
    >>> bounded_tail(np.array([0.5, 0.9, 0.5]), np.array([1, 1, 50]), means, means).round(4).tolist()
    [0.8, 0.0222, 0.0]
    """
    side = np.where(shares > highest, highest, np.where(shares < lowest, lowest, shares))
    up = side < shares
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        markov = np.where(up, side / shares, (1 - side) / (1 - shares))
    entropy = scipy.special.rel_entr(shares, side) + scipy.special.rel_entr(1 - shares, 1 - side)
    bound = 2 * np.minimum(markov, np.exp(-counts * entropy))
    return np.where(side == shares, 1.0, np.minimum(bound, 1.0))


def student_tail(ratio: Array, degrees: int) -> Array:
    """Gaussian noise of unknown deviation: Student's distribution of an answer's squared residual, over the sum of
    `degrees` others.

    Examples
    --------
    >>> student_tail(np.array([0.0, 2.5]), 10).round(4).tolist()
    [1.0, 0.0005]
    """
    if degrees < 1:
        return np.ones_like(ratio)
    return np.asarray(2 * scipy.special.stdtr(degrees, -np.sqrt(degrees * ratio)))
