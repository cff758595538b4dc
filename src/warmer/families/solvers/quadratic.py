r"""Least squares for $\rho(a|\theta)=\langle\theta,a\rangle$: sums over answers, and constrained minima."""

from typing import Any, NamedTuple

import numpy as np

from warmer.families import kernels
from warmer.families.continuous import ContinuousFit
from warmer.model import Array
from warmer.model.checks import check_alpha


class Moments(NamedTuple):
    r"""$\sum_i a_ia_i^\top$, $\sum_i r_ia_i$, $\sum_ir_i^2$, the number of answers, and the level to be reached.

    The loss is $\theta^\top G\theta-2b^\top\theta+\sum_ir_i^2$.
    """

    gram: Array
    sums: Array
    squares: float
    n_answers: int
    alpha: float | None


class MomentsFit(ContinuousFit[Moments]):
    """What the fits of linear classes share."""

    def start(self, alpha: float | None = None) -> Moments:
        """Nothing observed."""
        check_alpha(alpha, self.family.value_range[1])
        n = self.family.n
        return Moments(np.zeros((n, n)), np.zeros(n), 0.0, 0, alpha)

    def update(self, state: Moments, query: Any, reward: float, count: int = 1) -> Moments:
        """One more answer, to a vector, in the memory of the given state."""
        gram, sums, squares, n_answers, alpha = state
        weighted = count * query
        gram += np.multiply.outer(weighted, query)
        sums += weighted * reward
        return Moments(gram, sums, squares + count * reward**2, n_answers + count, alpha)

    def loss(self, state: Moments, target: Array) -> float:
        """The sum of squared residuals of a target; never negative, whatever rounding does."""
        return max(float(target @ state.gram @ target - 2 * (state.sums @ target)) + state.squares, 0.0)


class Spectrum(NamedTuple):
    """A quadratic in the eigenbasis of its matrix: ascending eigenvalues, never negative, and the linear part."""

    values: Array
    vectors: Array
    coefficients: Array


def spectrum(gram: Array, sums: Array) -> Spectrum:
    """One eigendecomposition."""
    values, vectors = np.linalg.eigh(gram)
    return Spectrum(np.maximum(values, 0.0), vectors, sums @ vectors)


def on_sphere(quadratic: Spectrum, radius: float) -> Array:
    """The global minimiser on the sphere; where it is not unique, the one nearest to the lowest-numbered axis."""
    values, vectors, coefficients = quadratic
    point, missing = kernels.quadratic.on_sphere(values, coefficients, radius)
    if missing == 0:
        return np.asarray(vectors @ point)
    return np.asarray(vectors @ point + missing * _axis(values, vectors))


def in_shell(quadratic: Spectrum, *, inner: float, outer: float) -> Array:
    """The global minimiser over inner <= |x| <= outer.

    Where the minimiser over the ball is too short, the best point is on the inner sphere: from any longer point the
    convex loss falls on the way to it, and the way crosses the inner sphere.
    """
    point, _ = kernels.quadratic.in_ball(quadratic.values, quadratic.coefficients, outer)
    if (point * point).sum() >= inner * inner:
        return np.asarray(quadratic.vectors @ point)
    return on_sphere(quadratic, inner)


def _axis(values: Array, vectors: Array) -> Array:
    """The unit vector of the lowest eigenspace that lies nearest to an axis, the lowest-numbered one of those."""
    flat = vectors[:, values - values[0] <= 1e-14 * max(abs(values[0]), abs(values[-1]))]
    shares = (flat * flat).sum(axis=1)
    axis = int(np.flatnonzero(shares >= shares.max() - 1e-9)[0])
    return np.asarray(flat @ flat[axis] / np.sqrt(shares[axis]))
