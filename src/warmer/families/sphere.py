"""A point on the unit sphere, sought by inner products (Example `ex:sphere`)."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from warmer.bounds.coverings import log_cover_of_sphere
from warmer.families.continuous import EqualFit, VectorFamily
from warmer.families.solvers.quadratic import Moments, MomentsFit, on_sphere, spectrum
from warmer.model import Array


@dataclass(frozen=True, eq=False)
class Sphere(VectorFamily):
    r"""Find a point $z^*$ of the unit sphere of $\mathbb R^n$ from answers $\langle z,z^*\rangle$.

    Queries and targets are the same unit vectors, the best query of a target is the target itself, and every
    self-evaluation is 1. So alpha (any number up to 1) rules nothing out, `Optimistic` with any radius asks what
    `LeastSquares` asks, and with exact answers both stay within the deterministic theorem with $d=2n+1$. The
    fit is exact to rounding: one eigendecomposition and one scalar root.

    Parameters
    ----------
    n
        The dimension of the space.
    reward_range
        The smallest and largest possible reward.

    Examples
    --------
    >>> import numpy as np
    >>> fit = Sphere(2).fit()
    >>> state = fit.update(fit.start(), np.array([1.0, 0.0]), 0.6)
    >>> fit.estimate(state).round(6).tolist()
    [0.6, 0.8]
    """

    unit_vectors: ClassVar[Literal["sphere"]] = "sphere"
    shortest: ClassVar[float] = 1.0

    def best_query(self, target: Array) -> Array:
        """The target itself."""
        return target

    def log_cover(self, width: float) -> float:
        """Predictions differ by no more than the unit vectors do."""
        return log_cover_of_sphere(dimension=self.n, width=width)

    def fit(self) -> "SphereFit":
        """Least squares on the sphere."""
        return SphereFit(self)

    def __repr__(self) -> str:
        return f"Sphere({self.n})"


@dataclass(frozen=True, eq=False)
class SphereFit(MomentsFit, EqualFit[Moments]):
    """Least squares over unit vectors; all self-evaluations are 1, so that every ball is its center."""

    family: Sphere

    def estimate(self, state: Moments) -> Array:
        """The unit vector with the least loss."""
        return on_sphere(spectrum(state.gram, state.sums), 1.0)
