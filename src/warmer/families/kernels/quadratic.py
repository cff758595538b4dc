r"""Convex quadratics $x^\top Gx-2b^\top x$ under a bound on the norm, and where a linear function must reach a level.

For a multiplier $\mu$ of the norm the minimiser is $(G+\mu I)^{-1}b$, in the eigenbasis of G (values $\lambda_i$,
coefficients $c_i$) $x_i=c_i/(\lambda_i+\mu)$, and $1/|x(\mu)|$ is increasing and concave in $\mu$ beyond the last pole:
Newton's method for $1/|x(\mu)|=1/r$ started left of the root climbs to it without ever overshooting. The multiplier
never falls below a rounding error of the largest value, or the trace of G, which stands in for the limit at 0 where G
is singular; that costs at most this multiplier times $r^2$.
"""

import numpy as np
from numba import njit

from warmer.families.kernels.ellipsoid import combined
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
    """The minimiser of least norm over |x| <= radius, for values >= 0, and its multiplier."""
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


@njit(cache=True)
def minimum(columns: Array, lengths: Array, gram: Array, sums: Array, level: float, radius: float) -> tuple[Array, int]:
    """The minimiser over |x| <= radius where some column reaches the level, and how many planes were looked at.

    Some column must be able to. Where the minimiser over the ball falls short, the best point has some column exactly
    at the level, and its loss is larger by at least (level - height)^2 / (a' (G + mu I)^-1 a): the Lagrangian at mu is
    a quadratic with its minimum there. Columns are solved in the order of this bound until it passes the best found.
    """
    free, mu, low = ball_minimum(gram, sums, radius)
    heights = combined(columns, free)
    if heights.max() >= level:
        return free, 0
    bounds = _lower_bounds(columns, lengths, low, heights, level, radius)
    best, least, n_solved = free, np.inf, 0
    while True:
        lowest = bounds.min()
        if lowest >= least or lowest == np.inf:
            return best, n_solved
        column = 0
        while bounds[column] > lowest * (1 + 1e-9):
            column += 1
        bounds[column] = np.inf
        point = on_plane(gram, sums, columns[:, column].copy(), level, radius)
        move = point - free
        excess = inner(_image(gram, move), move) - 2 * mu * inner(free, move)
        n_solved += 1
        if excess < least:
            best, least = point, excess


@njit(cache=True)
def each_above(grams: Array, sums: Array, normals: Array, level: float, radius: float) -> Array:
    """For each quadratic its minimiser over |x| <= radius and <normal, x> >= level; every normal must be able to."""
    points = np.empty_like(sums)
    for k in range(len(sums)):
        points[k] = ball_minimum(grams[k], sums[k], radius)[0]
        if inner(normals[k], points[k]) < level:
            points[k] = on_plane(grams[k], sums[k], normals[k], level, radius)
    return points


@njit(cache=True)
def ball_minimum(gram: Array, sums: Array, radius: float) -> tuple[Array, float, Array]:
    """The minimiser over |x| <= radius (a shortest one), its multiplier, and the Cholesky factor at it."""
    mu = _ROUNDING * (np.trace(gram) + 1e-30)
    for _ in range(_MANY):
        low = _cholesky(gram, mu)
        point = _solved(low, sums)
        square = inner(point, point)
        norm = np.sqrt(square)
        if norm <= radius * (1 + 1e-12):
            break
        half = _forward(low, point)
        step = (norm / radius - 1) * square / inner(half, half)
        if mu + step <= mu:
            break
        mu += step
    return point, mu, low


@njit(cache=True)
def on_plane(gram: Array, sums: Array, normal: Array, level: float, radius: float) -> Array:
    """The minimiser over |x| <= radius and <normal, x> = level, where level <= radius |normal|.

    It is the problem over a ball around the plane's nearest point for the quadratic without its cross terms along the
    normal, which is made stiff there.
    """
    square = inner(normal, normal)
    foot, unit = normal * (level / square), normal / np.sqrt(square)
    room = np.sqrt(max(radius * radius - level * level / square, 0.0))
    if normal.size == 1 or room <= 1e-9 * radius:
        return foot
    image, rest = _image(gram, unit), sums - _image(gram, foot)
    rest -= inner(rest, unit) * unit
    stiffness = inner(unit, image) + np.trace(gram)
    held = gram.copy()
    for i in range(normal.size):
        for j in range(normal.size):
            held[i, j] += stiffness * unit[i] * unit[j] - unit[i] * image[j] - image[i] * unit[j]
    along = ball_minimum(held, rest, room)[0]
    along += foot - inner(along, unit) * unit
    return along


@njit(cache=True)
def _lower_bounds(columns: Array, lengths: Array, low: Array, heights: Array, level: float, radius: float) -> Array:
    n, n_columns = columns.shape
    halves = np.empty((n, n_columns))
    widths = np.zeros(n_columns)
    for i in range(n):
        row = halves[i]
        row[:] = columns[i]
        for j in range(i):
            part, other = low[i, j], halves[j]
            for k in range(n_columns):
                row[k] -= part * other[k]
        for k in range(n_columns):
            row[k] /= low[i, i]
            widths[k] += row[k] * row[k]
    bounds = np.empty(n_columns)
    for k in range(n_columns):
        is_possible = level <= radius * lengths[k] * (1 + 1e-9)
        bounds[k] = (level - heights[k]) ** 2 / widths[k] if is_possible else np.inf
    return bounds


@njit(cache=True)
def _cholesky(gram: Array, mu: float) -> Array:
    n = gram.shape[0]
    low = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1):
            total = gram[i, j]
            if i == j:
                total += mu
            for k in range(j):
                total -= low[i, k] * low[j, k]
            low[i, j] = np.sqrt(max(total, mu * 1e-3)) if i == j else total / low[j, j]
    return low


@njit(cache=True)
def _forward(low: Array, right: Array) -> Array:
    n = right.size
    out = np.empty(n)
    for i in range(n):
        total = right[i]
        for j in range(i):
            total -= low[i, j] * out[j]
        out[i] = total / low[i, i]
    return out


@njit(cache=True)
def _solved(low: Array, right: Array) -> Array:
    out = _forward(low, right)
    for i in range(right.size - 1, -1, -1):
        total = out[i]
        for j in range(i + 1, right.size):
            total -= low[j, i] * out[j]
        out[i] = total / low[i, i]
    return out


@njit(cache=True)
def _image(matrix: Array, vector: Array) -> Array:
    out = np.zeros(vector.size)
    for i in range(vector.size):
        for j in range(vector.size):
            out[i] += matrix[i, j] * vector[j]
    return out
