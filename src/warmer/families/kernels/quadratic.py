r"""Convex quadratics under a bound on the norm, in the eigenbasis of their matrix.

The problem is always: minimise $\sum_i\lambda_ix_i^2-2c_ix_i$. For a multiplier $\mu$ of the norm the minimiser is
$x_i=c_i/(\lambda_i+\mu)$, and $1/|x(\mu)|$ is increasing and concave in $\mu$ beyond the last pole, so that Newton's
method for $1/|x(\mu)|=1/r$ started left of the root climbs to it without ever overshooting.
"""

import numpy as np
from numba import njit

from warmer.model import Array

_MANY = 200  # Newton needs about ten steps; the bound only guards against a loop without end
_ROUNDING = 1e-12
_FLAT = 1e-14  # eigenvalues and coefficients closer than this, relatively, cannot be told apart


@njit(cache=True)
def inner(left: Array, right: Array) -> float:
    """The inner product of two vectors."""
    total = 0.0
    for i in range(left.size):
        total += left[i] * right[i]
    return total


@njit(cache=True)
def in_ball(values: Array, coefficients: Array, radius: float) -> tuple[Array, float]:
    """The minimiser of least norm over |x| <= radius, for values >= 0, and its multiplier.

    The multiplier is never less than a rounding error of the largest value, which stands in for the limit at 0 where
    some values vanish; it costs at most that multiplier times radius^2.
    """
    mu = _ROUNDING * max(values.max(), 1e-30)
    for _ in range(_MANY):
        square, cube = 0.0, 0.0
        for i in range(values.size):
            x = coefficients[i] / (values[i] + mu)
            square += x * x
            cube += x * x / (values[i] + mu)
        norm = np.sqrt(square)
        if norm <= radius * (1 + 1e-15):
            break
        step = (norm / radius - 1) * square / cube
        if mu + step <= mu:
            break
        mu += step
    return coefficients / (values + mu), mu


@njit(cache=True)
def on_sphere(values: Array, coefficients: Array, radius: float) -> tuple[Array, float]:
    """The minimiser over |x| = radius, for ascending values of any sign, and the length still missing.

    In the hard case (no coefficient along the eigenspace of the least value, and the rest too short) the missing
    length has to be laid along that eigenspace, in any direction; otherwise it is 0.
    """
    size, gaps = max(abs(values[0]), abs(values[-1])), values - values[0]
    is_low = gaps <= _FLAT * size
    others, away = coefficients[~is_low], gaps[~is_low]
    low, rest = (coefficients[is_low] ** 2).sum(), ((others / away) ** 2).sum()
    is_flat = np.sqrt(low) <= _FLAT * (np.sqrt((coefficients**2).sum()) + size * radius)
    point = np.zeros(values.size)
    if is_flat and rest <= radius * radius:
        point[~is_low] = others / away
        return point, np.sqrt(radius * radius - rest)
    nu = max(np.sqrt(low) / radius, 1e-300)
    if is_flat:
        nu, low = 1e-16 * size, 0.0
    for _ in range(_MANY):
        square, cube = low / (nu * nu), low / (nu * nu * nu)
        for i in range(others.size):
            x = others[i] / (away[i] + nu)
            square += x * x
            cube += x * x / (away[i] + nu)
        step = (np.sqrt(square) / radius - 1) * square / cube
        if nu + step <= nu:
            break
        nu += step
    point[~is_low] = others / (away + nu)
    if low > 0:
        point[is_low] = coefficients[is_low] / nu
    return point * (radius / np.sqrt((point * point).sum())), 0.0
