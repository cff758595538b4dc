r"""Nonlinear least squares over half balls: damped Newton steps from many starts at once.

A half ball is $\{|\theta|\le S,\ \langle\theta,a\rangle\ge\ell\}$, a convex set. Every start keeps its own. A step
minimises a convex quadratic over it exactly: with the second derivatives of the loss where they make one, otherwise
with those of Gauss and Newton. A step is taken where it earns a part of what the quadratic promises, else it is damped.
A descent ends only where steps promise nothing beyond rounding, or where none is taken however much it is damped: at a
stationary point, to rounding.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from warmer.families import kernels
from warmer.families.solvers.answers import Observed
from warmer.model import Array

Response = Callable[[Array], tuple[Array, Array]]
"""From inner products to predictions and their derivatives."""

_N_DIRECTIONS = 8
_LEAST_DAMPING, _SMALL_DAMPING, _MOST_DAMPING = 1e-12, 1e-4, 1e9


class HalfBalls(NamedTuple):
    """A normal for each start, a row each, the level their inner products must reach, and the largest length."""

    normals: Array
    level: float
    radius: float


class Expansion(NamedTuple):
    """At some points: half the slopes of the loss, and matrices of convex quadratics that stand in for it."""

    slopes: Array
    matrices: Array


def loss(theta: Array, observed: Observed, response: Response) -> float:
    """The sum of squared residuals of the mean answers."""
    return float(losses(theta[None], observed, response)[0])


def losses(thetas: Array, observed: Observed, response: Response) -> Array:
    """The same for each row."""
    residuals = _responses(thetas @ observed.points.T, response)[0] - observed.means
    return np.asarray((residuals * residuals) @ observed.counts)


def best_first(reached: list[tuple[Array, float]]) -> list[Array]:
    """Points in the order of their losses; those that are least up to rounding keep their order."""
    least = min(value for _, value in reached)
    slack = 1e-12 * (1 + abs(least))
    return [point for point, _ in sorted(reached, key=lambda pair: max(pair[1], least + slack))]


def descents(starts: Array, sets: HalfBalls, observed: Observed, response: Response) -> list[Array]:
    """The points that descent reaches from the starts, each in its set, the best first; equals keep their order."""
    thetas, values = starts.copy(), losses(starts, observed, response)
    expansion = _expanded(thetas, sets.radius, observed, response)
    dampings, was_taken = np.full(len(starts), _LEAST_DAMPING), np.ones(len(starts), dtype=bool)
    active = np.arange(len(starts))
    while active.size:
        at = Expansion(*(part[active] for part in expansion))
        damping, before = dampings[active], values[active]
        trials, promised = _stepped(thetas[active], at, damping, sets._replace(normals=sets.normals[active]))
        new = losses(trials, observed, response)
        is_taken = (new < before) & (before - new >= 1e-3 * promised)
        is_flat = promised <= 1e-14 * (1 + before)
        is_done = is_flat & ((damping <= _SMALL_DAMPING) | ~was_taken[active]) | ~is_taken & (damping > _MOST_DAMPING)
        moved = active[is_taken]
        thetas[moved], values[moved], was_taken[active] = trials[is_taken], new[is_taken], is_taken
        for whole, part in zip(expansion, _expanded(thetas[moved], sets.radius, observed, response), strict=True):
            whole[moved] = part
        dampings[active] = np.where(is_taken, np.maximum(damping / 10, _LEAST_DAMPING), np.maximum(10 * damping, 1e-6))
        active = active[~is_done]
    return best_first(list(zip(thetas, values.tolist(), strict=True)))


def least_losses(sets: HalfBalls, observed: Observed, response: Response) -> Array:
    r"""For each half ball a bound below the loss of all its parameters.

    There $\langle\theta,a_i\rangle$ runs over an interval and, as the link increases, the prediction over another; the
    residual is at least the distance of the mean answer to it.
    """
    tops, bottoms = _largest(observed.points, sets), -_largest(-observed.points, sets)
    low, high = (response(ends.ravel())[0].reshape(ends.shape) for ends in (bottoms, tops))
    short = np.maximum(np.maximum(low - observed.means, observed.means - high), 0.0)
    return np.asarray((short * short) @ observed.counts)


def starts(sets: HalfBalls, observed: Observed, response: Response) -> Array:
    """Starts by half balls by coordinates.

    Least squares with the link linearised at 0, and linearised where it takes the mean answers, evenly weighted and
    by its slopes; the point nearest to 0; those nearest to directions that never change, at two lengths.
    """
    n, weights = observed.points.shape[1], observed.counts
    reach = sets.radius * np.linalg.norm(observed.points, axis=1)
    values, slopes = response(np.zeros(len(weights)))
    inverse = _inverse(observed.means, reach, response)
    steep = response(inverse)[1]
    linearised = [
        (weights * slopes * slopes, (observed.means - values) / slopes),
        (weights, inverse),
        (weights * steep * steep, inverse),
    ]
    moments = [
        ((each * observed.points.T) @ observed.points, (each * goals) @ observed.points) for each, goals in linearised
    ]
    fixed = np.random.default_rng(0).standard_normal((_N_DIRECTIONS, n))
    fixed *= sets.radius / np.linalg.norm(fixed, axis=1, keepdims=True)
    moments += [(np.eye(n), point) for point in (np.zeros(n), *fixed, *(fixed[::-1] / 4))]
    n_sets = len(sets.normals)
    return np.stack(
        [
            kernels.quadratic.each_above(
                np.tile(gram, (n_sets, 1, 1)), np.tile(sums, (n_sets, 1)), sets.normals, sets.level, sets.radius
            )
            for gram, sums in moments
        ]
    )


def _responses(inner: Array, response: Response) -> tuple[Array, Array]:
    values, slopes = response(inner.ravel())
    return values.reshape(inner.shape), slopes.reshape(inner.shape)


def _stepped(thetas: Array, at: Expansion, dampings: Array, sets: HalfBalls) -> tuple[Array, Array]:
    """The minimisers of the damped quadratics, and by how much the quadratics without damping fall."""
    n = thetas.shape[1]
    pulls = dampings * np.trace(at.matrices, axis1=1, axis2=2) / n
    sums = np.einsum("kij,kj->ki", at.matrices, thetas) - at.slopes + pulls[:, None] * thetas
    damped = at.matrices + pulls[:, None, None] * np.eye(n)
    trials = kernels.quadratic.each_above(damped, sums, sets.normals, sets.level, sets.radius)
    moves = trials - thetas
    bends = np.einsum("ki,kij,kj->k", moves, at.matrices, moves)
    return trials, -2 * (moves * at.slopes).sum(axis=1) - bends


def _expanded(thetas: Array, radius: float, observed: Observed, response: Response) -> Expansion:
    inner, n = thetas @ observed.points.T, thetas.shape[1]
    values, slopes = _responses(inner, response)
    residuals = values - observed.means
    products = (observed.points[:, :, None] * observed.points[:, None, :]).reshape(-1, n * n)
    shape = (-1, n, n)
    plain = ((observed.counts * slopes * slopes) @ products).reshape(shape)
    bends = residuals * _second_derivatives(inner, radius * np.linalg.norm(observed.points, axis=1), response)
    full = plain + ((observed.counts * bends) @ products).reshape(shape)
    sizes = np.trace(plain, axis1=1, axis2=2)
    is_convex = np.linalg.eigvalsh(full)[:, 0] > 1e-9 * sizes
    return Expansion(
        (observed.counts * residuals * slopes) @ observed.points, np.where(is_convex[:, None, None], full, plain)
    )


def _second_derivatives(inner: Array, reach: Array, response: Response) -> Array:
    """By differences of the first, within the inner products that can occur."""
    width = 1e-5 * (1 + np.abs(inner))
    low, high = np.maximum(inner - width, -reach), np.minimum(inner + width, reach)
    rise = _responses(high, response)[1] - _responses(low, response)[1]
    return np.asarray(np.divide(rise, high - low, out=np.zeros_like(rise), where=high > low))


def _largest(points: Array, sets: HalfBalls) -> Array:
    """The largest inner product with each point (columns) over each half ball (rows)."""
    lengths = np.linalg.norm(sets.normals, axis=1, keepdims=True)
    depth = np.maximum(sets.level / lengths, -sets.radius)
    along = sets.normals @ points.T / lengths
    sizes = np.linalg.norm(points, axis=1)
    across = np.sqrt(np.maximum(sizes * sizes - along * along, 0.0))
    at_rim = along * depth + across * np.sqrt(np.maximum(sets.radius**2 - depth * depth, 0.0))
    return np.asarray(np.where(sets.radius * along >= depth * sizes, sets.radius * sizes, at_rim))


def _inverse(means: Array, reach: Array, response: Response) -> Array:
    """Where the link takes each mean, within reach."""
    low, high = -reach, reach.copy()
    for _ in range(60):
        middle = (low + high) / 2
        is_above = response(middle)[0] >= means
        low, high = np.where(is_above, low, middle), np.where(is_above, middle, high)
    return high
