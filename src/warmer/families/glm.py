"""Generalised linear bandits with a finite set of actions."""

from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from operator import attrgetter
from typing import Any

import numpy as np
import numpy.typing as npt

from warmer.families.continuous import ContinuousFamily, Tallied, TalliedFit
from warmer.families.linear import Linear, LinearFit, as_actions
from warmer.families.links import Link
from warmer.families.solvers.answers import Observed
from warmer.families.solvers.ellipsoid import ActionEllipsoid, CenteredEllipsoid
from warmer.families.solvers.gauss_newton import HalfBalls, descents, least_losses, losses, starts
from warmer.families.solvers.radii import FixedRadius, Radius, Smooth
from warmer.model import Array, Label
from warmer.model.checks import at_most, check_positive
from warmer.model.errors import InvalidValueError


@dataclass(frozen=True, eq=False)
class GLM(ContinuousFamily):
    r"""A generalised linear bandit: $f_\theta(a)=g(\langle\theta,a\rangle)$ for given actions and any $|\theta|\le S$.

    The least-squares problem is not convex. For each action it is solved under $|\theta|\le S$ and
    $f_\theta(a)\ge\alpha$ by damped Newton steps from many starts (`gauss_newton`); an action is left out only where
    the loss of every such parameter is larger than one that was met. Each descent ends, to rounding, in a stationary
    point of the loss under these constraints. That the best of them is the global minimum is tested
    (`benchmarks/fits.py`), not proved.

    `Optimistic` uses ellipsoids in the parameter: as $g'\ge\kappa>0$, parameters whose predictions differ by at most
    $R$ in square sum have $\sum_i\langle\theta-\hat\theta,a_i\rangle^2\le R/\kappa^2$. A number $R$ as the radius is
    the ellipsoid $(\theta-\hat\theta)^\top(\lambda I+\sum_ia_ia_i^\top)(\theta-\hat\theta)\le R/\kappa^2$.
    `"anytime"` is the bound of `bounds.radii.smooth_radius`, a guarantee as far as the fit is the global minimum.

    Parameters
    ----------
    actions
        A row for each action.
    link
        g with its derivative and bounds on it: `logistic`, `probit`, or your own `Link`.
    norm
        $S$, the largest length of $\theta$.
    labels, ridge
        As in `Linear`.
    reward_range
        The smallest and largest possible reward; [0, 1] where none is given.

    Examples
    --------
    >>> from warmer.families import logistic
    >>> bandit = GLM([[1.0, 0.0], [0.0, 1.0]], logistic, norm=3.0)
    >>> fit = bandit.fit()
    >>> state = fit.update(fit.update(fit.start(), 0, 0.75, count=8), 1, 0.6, count=5)
    >>> fit.estimate(state).round(3).tolist()
    [1.099, 0.405]
    """

    actions: npt.ArrayLike
    link: Link
    norm: float = 1.0
    _: KW_ONLY
    labels: Iterable[Label] | None = None
    ridge: float = 1.0
    reward_range: tuple[float, float] = (0.0, 1.0)

    def __post_init__(self) -> None:
        if not isinstance(self.link, Link):
            raise InvalidValueError(f"link must be logistic, probit or a Link of your own, got {self.link!r}.")
        assert self.slopes[0] > 0
        super().__post_init__()

    @cached_property
    def linear(self) -> Linear:
        """The linear class inside the link."""
        actions = as_actions(self.actions)
        wide = float(np.linalg.norm(actions, axis=1).max() * check_positive("norm", self.norm) + 1)
        return Linear(actions, self.norm, labels=self.labels, ridge=self.ridge, reward_range=(-wide, wide))

    @cached_property
    def reach(self) -> float:
        """The largest inner product there is."""
        return self.linear.norm * self.linear.longest_action

    @cached_property
    def slopes(self) -> tuple[float, float]:
        """Bounds on the slope of the link wherever an inner product can lie."""
        return self.link.bounds(self.reach)

    @property
    def value_range(self) -> tuple[float, float]:
        """The link of the least and of the largest inner product."""
        return self.link.value(-self.reach), self.link.value(self.reach)

    @property
    def lipschitz(self) -> float:
        """How much predictions differ at most, per distance of the parameters."""
        return self.slopes[1] * self.linear.longest_action

    queries = property(attrgetter("linear.queries"))
    targets = property(attrgetter("linear.targets"))

    def evaluate(self, query: Any, target: Array) -> Any:
        """The link of the inner product."""
        return self.in_range(self.link.function(self.linear.matrix @ target))[query]

    def best_query(self, target: Array) -> int:
        """The lowest-numbered action with the largest value."""
        return self.linear.best_query(target)

    def fit(self) -> "GLMFit":
        """Least squares over the ball of parameters."""
        return GLMFit(self)

    def __repr__(self) -> str:
        return f"GLM({self.linear.n_actions} actions, n={self.linear.n})"


@dataclass(frozen=True, eq=False)
class GLMFit(TalliedFit):
    """Nonlinear least squares over parameters for which some action reaches alpha."""

    family: GLM

    def is_exact(self, alpha: float | None = None) -> bool:
        """What is found is a local minimum; that it is the global one is not proved."""
        return False

    def estimate(self, state: Tallied) -> Array:
        """The best parameter that was found."""
        asked = np.flatnonzero(state.tally.counts)
        observed = Observed(self.family.linear.matrix[asked], state.tally.counts[asked], state.tally.means[asked])
        return self._fitted(observed, self._sets(observed, state.alpha))

    def anytime_ball(self, *, delta: float, sigma: float) -> CenteredEllipsoid:
        """The ellipsoid of `smooth_radius`; a guarantee as far as the fit is the global minimum."""
        stretch, margin = self._stretch, self._margin
        return self._ellipsoid(Smooth(self.family, delta=delta, sigma=sigma, factor=stretch, margin=margin))

    def paper_ball(self, *, delta: float, horizon: int) -> CenteredEllipsoid:
        """An ellipsoid that contains the paper's distance ball, for the cover of the ball of parameters."""
        radius = self.paper_radius(delta=delta, horizon=horizon)
        return self._ellipsoid(FixedRadius(radius * self._stretch + self._margin))

    def ball(self, radius: float) -> CenteredEllipsoid:
        r"""The ellipsoid of radius $R/\kappa^2$."""
        return self._ellipsoid(FixedRadius(radius * self._stretch))

    def _ellipsoid(self, radius: Radius) -> CenteredEllipsoid:
        return CenteredEllipsoid(self, ActionEllipsoid(self._linear, radius), self.family.slopes)

    def _fitted(self, observed: Observed, sets: HalfBalls) -> Array:
        """The best point that descents in the sets reach, but for sets too bad for that."""
        first = starts(sets, observed, self._response)
        met = losses(first.reshape(-1, self.family.linear.n), observed, self._response).min()
        kept = at_most(least_losses(sets, observed, self._response), met)
        points = first[:, kept].reshape(-1, self.family.linear.n)
        every = sets._replace(normals=np.tile(sets.normals[kept], (len(first), 1)))
        return descents(points, every, observed, self._response)[0]

    def _sets(self, observed: Observed, alpha: float | None) -> HalfBalls:
        """Where some action reaches alpha, a half ball per action, that of the linearised problem first.

        The whole ball where there is no alpha, or where some action reaches it whatever the parameter.
        """
        linear = self.family.linear
        level = -np.inf if alpha is None else self.family.link.preimage(alpha, self.family.reach)
        if (level <= -linear.norm * linear.lengths).any():
            return HalfBalls(np.eye(1, linear.n), -np.inf, linear.norm)
        values, slopes = self._response(np.zeros(len(observed.counts)))
        weighted = (observed.counts * slopes)[:, None] * observed.points
        gram = (slopes[:, None] * observed.points).T @ weighted
        best = self.family.best_query(self._linear.solve(gram, (observed.means - values) @ weighted, level))
        others = np.flatnonzero(level <= linear.norm * linear.lengths)
        return HalfBalls(linear.matrix[[best, *others[others != best]]], level, linear.norm)

    def _response(self, inner: Array) -> tuple[Array, Array]:
        return self.family.link.function(inner), self.family.link.derivative(inner)

    @cached_property
    def _linear(self) -> LinearFit:
        return self.family.linear.fit()

    @property
    def _stretch(self) -> float:
        r"""$1/\kappa^2$."""
        low, _ = self.family.slopes
        if low < 1e-100:
            raise InvalidValueError(
                f"the ellipsoids need a link that rises by more than 1e-100 per unit up to +-{self.family.reach:g}; "
                f"its slope falls to {low:g}. Declare a smaller norm, or use LeastSquares."
            )
        return 1 / low**2

    @property
    def _margin(self) -> float:
        return 4 * self.family.ridge * self.family.norm**2
