"""Parameters for which one action reaches a level: which actions may matter for a fit, and where descents start."""

import numpy as np

from warmer.families import kernels
from warmer.families.solvers.answers import Observed
from warmer.families.solvers.gauss_newton import HalfBalls, Response
from warmer.model import Array

_N_DIRECTIONS = 8


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
            kernels.reaching.each_above(
                np.tile(gram, (n_sets, 1, 1)), np.tile(sums, (n_sets, 1)), sets.normals, sets.level, sets.radius
            )
            for gram, sums in moments
        ]
    )


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
