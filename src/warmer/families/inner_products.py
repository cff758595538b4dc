"""Inner products of vectors: a point on the unit sphere (Example `ex:sphere`), and actions that fill the unit ball."""

import math
from dataclasses import KW_ONLY, dataclass
from typing import ClassVar, Literal

import numpy as np

from warmer.bounds.coverings import log_cover_of_sphere
from warmer.families.continuous import EqualFit, VectorFamily
from warmer.families.solvers.ellipsoid import centered_error_budget, ridge_error_budget
from warmer.families.solvers.quadratic import Moments, MomentsFit, Spectrum, in_shell, on_sphere, spectrum
from warmer.families.solvers.radii import FixedRadius, Radius, SelfNormalised
from warmer.model import Array, Ball
from warmer.model.checks import check_positive


@dataclass(frozen=True, eq=False)
class Sphere(VectorFamily):
    r"""Find a point $z^*$ of the unit sphere of $\mathbb R^n$ from answers $\langle z,z^*\rangle$.

    Queries and targets are the same unit vectors, the best query of a target is the target itself, and every
    self-evaluation is 1. So alpha (any number up to 1) rules nothing out, `Optimistic` with any radius asks what
    `LeastSquares` asks, and with exact answers both stay within the deterministic theorem with $d=2n+1$. The
    fit is exact to rounding: one eigendecomposition and one scalar root.

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


@dataclass(frozen=True, eq=False)
class LinearBall(VectorFamily):
    r"""A linear bandit with every action of the unit ball: $f_\theta(a)=\langle\theta,a\rangle$, $|\theta|\le S$.

    Following the paper, the alternatives of a bandit are pairs $(\theta,a)$, so the best query of a target is
    $\theta/|\theta|$ and its self-evaluation is $|\theta|$. (Were a target to be queried as itself, it would earn
    $|\theta|^2$, less than its own direction does: the paper's assumption on targets would fail everywhere but on the
    sphere, and that case is `Sphere`.) The fit under $\alpha\le|\theta|\le S$ is exact to rounding.

    Parameters
    ----------
    norm, ridge, reward_range
        As in `Linear`.

    Examples
    --------
    >>> fit = LinearBall(2).fit()
    >>> state = fit.update(fit.start(alpha=0.5), np.array([0.0, 1.0]), 0.3)
    >>> fit.estimate(state).round(6).tolist(), LinearBall(2).best_query(np.array([0.0, 0.5])).tolist()
    ([0.4, 0.3], [0.0, 1.0])
    """

    norm: float = 1.0
    _: KW_ONLY
    ridge: float = 1.0

    def __post_init__(self) -> None:
        check_positive("ridge", self.ridge)
        check_positive("norm", self.norm)
        super().__post_init__()

    def fit(self) -> "LinearBallFit":
        """Least squares over the ball of parameters."""
        return LinearBallFit(self)

    @property
    def unit_vectors(self) -> Literal["ball"] | None:
        """Queries fill the unit ball; so do targets where the norm is 1."""
        return "ball" if self.norm == 1 else None

    def __repr__(self) -> str:
        norm = "" if self.norm == 1 else f", norm={self.norm:g}"
        return f"LinearBall({self.n}{norm})"


@dataclass(frozen=True, eq=False)
class LinearBallFit(MomentsFit):
    """Least squares over parameters no longer than the norm and no shorter than alpha."""

    family: LinearBall

    def estimate(self, state: Moments) -> Array:
        """The parameter with the least loss."""
        norm = self.family.norm
        inner = min(max(state.alpha or 0.0, 0.0), norm)
        return in_shell(spectrum(state.gram, state.sums), inner=inner, outer=norm)

    def anytime_ball(self, *, delta: float, sigma: float) -> "RidgeEllipsoid":
        """The self-normalised ellipsoid of Abbasi-Yadkori, Pál and Szepesvári (2011)."""
        return RidgeEllipsoid(self, SelfNormalised(self.family, delta=delta, sigma=sigma))

    def paper_ball(self, *, delta: float, horizon: int) -> "RidgeEllipsoid":
        """An ellipsoid that contains the paper's distance ball, for the cover of the ball of parameters."""
        radius = self.paper_radius(delta=delta, horizon=horizon) + 4 * self.family.ridge * self.family.norm**2
        return RidgeEllipsoid(self, FixedRadius(radius), is_centered_inside=True)

    def ball(self, radius: float) -> "RidgeEllipsoid":
        """The ellipsoid around the ridge estimate, of any radius."""
        return RidgeEllipsoid(self, FixedRadius(radius))


@dataclass(frozen=True, eq=False)
class RidgeEllipsoid(Ball[Moments]):
    r"""$\{\theta:(\theta-\hat\theta)^\top(\lambda I+\sum_ia_ia_i^\top)(\theta-\hat\theta)\le R\}$, and its longest.

    The center is the ridge estimate, or, for the paper's ball, the least-squares parameter of the class: as no two
    parameters are more than $2S$ apart, $R+4\lambda S^2$ then makes it contain the paper's ball of radius $R$.
    The longest vector may be longer than $S$: optimism only needs a set that contains the truth.
    """

    fit: LinearBallFit
    radius: Radius
    _: KW_ONLY
    is_centered_inside: bool = False
    is_in_class = False

    def most_optimistic(self, state: Moments) -> Array:
        r"""The longest vector inside.

        With $\theta=\hat\theta+V^{-1/2}x$ it is the minimiser of $-|\hat\theta+V^{-1/2}x|^2$ on the sphere
        $|x|=\sqrt R$: a quadratic with eigenvalues $-1/\lambda_i(V)$.
        """
        family = self.fit.family
        values, vectors, coefficients = spectrum(state.gram, state.sums)
        ridged = values + family.ridge
        radius = self.radius.at(state.n_answers, float(np.log(ridged / family.ridge).sum()))
        center = self.fit.estimate(state) @ vectors if self.is_centered_inside else coefficients / ridged
        if radius == 0:
            return np.asarray(vectors @ center)
        stretched = Spectrum(-1 / ridged, np.eye(family.n), center / np.sqrt(ridged))
        return np.asarray(vectors @ (center + on_sphere(stretched, math.sqrt(radius)) / np.sqrt(ridged)))

    def error_budget(self, *, horizon: int, delta: float, sigma: float) -> float:
        """Of every parameter inside: `ridge_error_budget`, or `centered_error_budget` for the paper's ball."""
        family, radius = self.fit.family, self.radius
        if not self.is_centered_inside:
            return ridge_error_budget(family, radius, horizon=horizon, delta=delta, sigma=sigma)
        center = self.fit.error_budget(horizon=horizon, delta=delta, sigma=sigma)
        return centered_error_budget(family, radius, center, horizon=horizon, delta=delta)
