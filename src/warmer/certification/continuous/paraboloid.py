r"""The parameters for which a direction z is not good enough: $|\theta|-\langle z,\theta\rangle\ge\epsilon$, $|z|=1$.

That is the outside of a paraboloid, $\theta^\top(I-zz^\top)\theta-2\epsilon\langle z,\theta\rangle-\epsilon^2\ge0$: one
quadratic inequality, not a convex one. What a quadratic is worth there at least is a concave problem in two
multipliers, and every pair of them gives a bound (docs/evidence.md).
"""

import math
from dataclasses import dataclass

import numpy as np

from warmer.model import Array

__all__ = ["Outside"]

_MANY = 60


@dataclass(frozen=True, eq=False)
class Outside:
    """The parameters up to a length, or of this length, for which a direction is not within epsilon of the best."""

    direction: Array
    epsilon: float
    radius: float
    is_sphere: bool

    @property
    def is_empty(self) -> bool:
        """Whether there are none."""
        return self.epsilon > 2 * self.radius

    def least(self, gram: Array, sums: Array) -> tuple[float, Array]:
        r"""A lower bound of $\frac12\theta^\top G\theta-s^\top\theta$ by Newton's method on the multipliers, and a
        parameter of the set, up to rounding, where it is about attained.
        """
        floor = 1e-9 * max(float(np.trace(gram)), 1e-300) / len(sums)
        point = np.array([0.0, floor])
        bound, theta, slopes, bends = self._dual(gram, sums, point)
        for _ in range(_MANY):
            free = (point > [0.0, floor]) | (slopes > 0) | np.array([False, self.is_sphere])
            if not free.any() or np.abs(slopes[free]).max() <= 1e-12 * self.radius**2:
                break
            step = np.zeros(2)
            step[free] = -np.linalg.lstsq(bends[np.ix_(free, free)], slopes[free], rcond=None)[0]
            length = 1.0
            while length > 1e-9:
                trial = np.maximum(point + length * step, [0.0, -np.inf if self.is_sphere else floor])
                found = self._dual(gram, sums, trial)
                if found[0] > bound:
                    break
                length /= 3
            else:
                break
            gained = found[0] - bound
            point, (bound, theta, slopes, bends) = trial, found
            if gained <= 1e-7:
                break
        return bound, self._reached(gram, theta, point)

    def _reached(self, gram: Array, theta: Array, multipliers: Array) -> Array:
        """Where the parameter is still inside: the nearest one outside, in the direction that costs least."""
        z, epsilon = self.direction, self.epsilon
        mu, nu = multipliers
        flat = np.linalg.eigh(gram + (nu - mu) * np.eye(len(z)) + mu * np.outer(z, z))[1][:, 0]
        along, height = z @ flat, z @ theta + epsilon
        short = height**2 - theta @ theta
        if short <= 0:
            return theta
        square, slope = 1 - along**2, theta @ flat - height * along
        if square <= 1e-12:
            return np.asarray(theta - np.sign(along) * height * flat)
        root = math.sqrt(slope**2 + square * short)
        step = (-slope + root if slope >= 0 else -slope - root) / square
        return np.asarray(theta + step * flat)

    def _dual(self, gram: Array, sums: Array, multipliers: Array) -> tuple[float, Array, Array, Array]:
        """The bound for two multipliers, the minimiser, and the first and second derivatives in the multipliers."""
        mu, nu = multipliers
        z, epsilon, n = self.direction, self.epsilon, len(sums)
        matrix = gram + (nu - mu) * np.eye(n) + mu * np.outer(z, z)
        linear = sums - mu * epsilon * z
        try:
            root = np.linalg.cholesky(matrix)
        except np.linalg.LinAlgError:
            return -np.inf, linear, np.zeros(2), np.eye(2)
        inverse = np.linalg.inv(root)
        theta = inverse.T @ (inverse @ linear)
        height = z @ theta
        bound = -(linear @ theta) / 2 - nu * self.radius**2 / 2 + mu * epsilon**2 / 2
        slopes = np.array(
            [
                (epsilon + height) ** 2 - theta @ theta,
                theta @ theta - self.radius**2,
            ]
        )
        moves = inverse @ np.stack([(height + epsilon) * z - theta, theta], axis=1)
        return float(bound), theta, slopes / 2, -(moves.T @ moves)
