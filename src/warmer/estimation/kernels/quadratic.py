r"""Convex quadratics under a bound on the norm, in the eigenbasis of their matrix.

The problem is always: minimise $\sum_i\lambda_ix_i^2-2c_ix_i$. For a multiplier $\mu$ of the norm the minimiser is
$x_i=c_i/(\lambda_i+\mu)$, and $1/|x(\mu)|$ is increasing and concave in $\mu$ beyond the last pole, so that Newton's
method for $1/|x(\mu)|=1/r$ started left of the root climbs to it without ever overshooting.
"""

import numpy as np
from numba import njit

from warmer.model import Array

__all__ = ["in_ball", "on_halfspace", "on_sphere", "reaching"]

_MANY = 200  # Newton needs about ten steps; the bound only guards against a loop without end
_ROUNDING = 1e-13


@njit(cache=True)
def in_ball(values: Array, coefficients: Array, radius: float) -> tuple[Array, float]:  # pragma: no cover
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
def on_sphere(values: Array, coefficients: Array, radius: float) -> tuple[Array, float]:  # pragma: no cover
    """The minimiser over |x| = radius, for ascending values of any sign, and the length still missing.

    In the hard case (no coefficient along the eigenspace of the least value, and the rest too short) the missing
    length has to be laid along that eigenspace, in any direction; otherwise it is 0.
    """
    size = max(abs(values[0]), abs(values[-1]))
    gaps = values - values[0]
    low, rest, total = 0.0, 0.0, 0.0
    for i in range(values.size):
        total += coefficients[i] ** 2
        if gaps[i] <= 10 * _ROUNDING * size:
            gaps[i] = 0.0
            low += coefficients[i] ** 2
        else:
            rest += (coefficients[i] / gaps[i]) ** 2
    is_flat = np.sqrt(low) <= _ROUNDING * (np.sqrt(total) + size * radius)
    point = np.zeros(values.size)
    if is_flat and rest <= radius * radius:
        for i in range(values.size):
            if gaps[i] > 0:
                point[i] = coefficients[i] / gaps[i]
        return point, np.sqrt(radius * radius - rest)
    nu = max(np.sqrt(low) / radius, 1e-300)
    if is_flat:
        nu = 1e-16 * size
        low = 0.0
    for _ in range(_MANY):
        square, cube = low / (nu * nu), low / (nu * nu * nu)
        for i in range(values.size):
            if gaps[i] > 0:
                x = coefficients[i] / (gaps[i] + nu)
                square += x * x
                cube += x * x / (gaps[i] + nu)
        step = (np.sqrt(square) / radius - 1) * square / cube
        if nu + step <= nu:
            break
        nu += step
    for i in range(values.size):
        if gaps[i] > 0 or low > 0:
            point[i] = coefficients[i] / (gaps[i] + nu)
    return point * (radius / np.sqrt((point * point).sum())), 0.0


@njit(cache=True)
def on_halfspace(
    values: Array, coefficients: Array, normal: Array, level: float, radius: float
) -> Array:  # pragma: no cover
    """The minimiser over |x| <= radius and <normal, x> = level, for values >= 0; level <= radius |normal|.

    For each multiplier of the norm the point on the plane has a closed form; Newton tracks its part along the plane.
    """
    foot = level * level / (normal * normal).sum()
    room = np.sqrt(max(radius * radius - foot, 0.0))
    if room <= 1e-9 * radius:
        return normal * (level / (normal * normal).sum())  # type: ignore[no-any-return]
    mu = _ROUNDING * max(values.max(), 1e-30)
    point = np.zeros(values.size)
    for _ in range(_MANY):
        inner, width = 0.0, 0.0
        for i in range(values.size):
            inner += normal[i] * coefficients[i] / (values[i] + mu)
            width += normal[i] * normal[i] / (values[i] + mu)
        lift = (level - inner) / width
        square, curve, cross = 0.0, 0.0, 0.0
        for i in range(values.size):
            x = (coefficients[i] + lift * normal[i]) / (values[i] + mu)
            point[i] = x
            square += x * x
            curve += x * x / (values[i] + mu)
            cross += normal[i] * x / (values[i] + mu)
        along = square - foot
        slope = curve - cross * cross / width
        if along <= room * room or slope <= 0:
            break
        step = (np.sqrt(along) / room - 1) * along / slope
        if mu + step <= mu:
            break
        mu += step
    return point


@njit(cache=True)
def reaching(
    values: Array,
    coefficients: Array,
    free: Array,
    mu: float,
    tilted: Array,
    heights: Array,
    level: float,
    radius: float,
) -> tuple[Array, int, int]:  # pragma: no cover
    """The minimiser over |x| <= radius where some row of `tilted` reaches the level, its row, and how many were solved.

    `free` is the minimiser without the level, `mu` its multiplier, `heights` the rows' values there, all below the
    level. The loss exceeds that of `free` by at least (level - height)^2 / sum(row^2 / (values + mu)): the
    Lagrangian at mu is a quadratic with its minimum there. Rows are solved in the order of this bound until it
    passes the best loss found.
    """
    n_rows, n = tilted.shape
    bounds = np.empty(n_rows)
    for k in range(n_rows):
        width, square = 0.0, 0.0
        for i in range(n):
            width += tilted[k, i] * tilted[k, i] / (values[i] + mu)
            square += tilted[k, i] * tilted[k, i]
        is_possible = level <= radius * np.sqrt(square) * (1 + 1e-9)
        bounds[k] = (level - heights[k]) ** 2 / width if is_possible else np.inf
    best, best_row, least, n_solved = free, -1, np.inf, 0
    while True:
        low = bounds.min()
        if low >= least or low == np.inf:
            return best, best_row, n_solved
        row = 0
        while bounds[row] > low * (1 + 1e-9):
            row += 1
        bounds[row] = np.inf
        point = on_halfspace(values, coefficients, tilted[row], level, radius)
        excess = 0.0
        for i in range(n):
            move = point[i] - free[i]
            excess += move * (values[i] * move - 2 * mu * free[i])
        n_solved += 1
        if excess < least:
            best, best_row, least = point, row, excess
