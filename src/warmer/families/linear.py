"""Linear bandits with a finite set of actions."""

from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from operator import attrgetter
from typing import Any

import numpy as np
import numpy.typing as npt

from warmer.families import kernels
from warmer.families.continuous import ContinuousFamily, Vectors
from warmer.families.solvers.ellipsoid import ActionEllipsoid, CenteredEllipsoid
from warmer.families.solvers.quadratic import Moments, MomentsFit
from warmer.families.solvers.radii import FixedRadius, SelfNormalised
from warmer.model import Array, Label, Labels
from warmer.model.checks import check_positive
from warmer.model.errors import InvalidValueError
from warmer.model.numbers import as_matrix
from warmer.model.tables import read_only


@dataclass(frozen=True, eq=False)
class Linear(ContinuousFamily):
    r"""A linear bandit: $f_\theta(a)=\langle\theta,a\rangle$ for the given actions and any $|\theta|\le S$.

    `LeastSquares` fits $\theta$ under $|\theta|\le S$ and $\max_a\langle\theta,a\rangle\ge\alpha$, exactly to rounding:
    for each action a convex problem, of which all but a few are ruled out by a lower bound.

    `Optimistic` maximises $\langle\theta,a\rangle$ over the ellipsoid
    $(\theta-\hat\theta)^\top(\lambda I+\sum_ia_ia_i^\top)(\theta-\hat\theta)\le R$ around the ridge estimate, in closed
    form: $\langle\hat\theta,a\rangle+\sqrt{R\,a^\top V^{-1}a}$. The radius `"anytime"` is rigorous (Abbasi-Yadkori, Pál
    and Szepesvári 2011); a number $R$ is the width $\sqrt R$ of LinUCB: `radius=1.0` is LinUCB with its scale
    at 1. The ellipsoid is not cut off at $|\theta|=S$; optimism only needs a set that contains the truth.

    Parameters
    ----------
    actions
        A row for each action.
    norm
        $S$, the largest length of $\theta$.
    labels
        Names for the actions; 0..n-1 where none are given.
    ridge
        $\lambda$ of the confidence ellipsoids; the fit does not use it.
    reward_range
        The smallest and largest possible reward; it must contain $\pm S\max|a|$.

    Examples
    --------
    >>> bandit = Linear([[1.0, 0.0], [0.0, 1.0], [0.6, 0.8]], labels=["east", "north", "between"])
    >>> fit = bandit.fit()
    >>> state = fit.update(fit.start(alpha=0.9), 0, 0.6)
    >>> fit.estimate(state).round(6).tolist(), bandit.queries[bandit.best_query(fit.estimate(state))]
    ([0.6, 0.675], 'between')
    """

    actions: npt.ArrayLike
    norm: float = 1.0
    _: KW_ONLY
    labels: Iterable[Label] | None = None
    ridge: float = 1.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "actions", as_actions(self.actions))
        check_positive("ridge", self.ridge)
        check_positive("norm", self.norm)
        super().__post_init__()
        assert len(self.queries) == self.n_actions

    @cached_property
    def matrix(self) -> Array:
        """The actions, a row each."""
        return np.asarray(self.actions)

    @property
    def n_actions(self) -> int:
        """How many actions there are."""
        return int(self.matrix.shape[0])

    @property
    def n(self) -> int:
        """The dimension of the space."""
        return int(self.matrix.shape[1])

    @cached_property
    def columns(self) -> Array:
        """The actions, a column each."""
        return np.ascontiguousarray(self.matrix.T)

    @cached_property
    def lengths(self) -> Array:
        """The length of each action."""
        return np.asarray(np.linalg.norm(self.matrix, axis=1))

    @cached_property
    def longest_action(self) -> float:
        """The length of the longest action."""
        return float(self.lengths.max())

    lipschitz = property(attrgetter("longest_action"))

    @cached_property
    def queries(self) -> Labels:
        """The actions."""
        return Labels(self.labels, length=self.n_actions, noun="query")

    @cached_property
    def targets(self) -> Vectors:
        """Vectors no longer than the norm."""
        return Vectors(self.n, noun="target", longest=self.norm)

    def evaluate(self, query: Any, target: Array) -> Any:
        """The inner product of an action and the target."""
        return self.in_range(self.matrix @ target)[query]

    def best_query(self, target: Array) -> int:
        """The lowest-numbered action with the largest value."""
        return kernels.ellipsoid.best_column(self.columns, target)

    def fit(self) -> "LinearFit":
        """Least squares over the ball of parameters."""
        return LinearFit(self)

    def __repr__(self) -> str:
        return f"Linear({self.n_actions} actions, n={self.n})"


@dataclass(frozen=True, eq=False)
class LinearFit(MomentsFit):
    """Least squares over parameters no longer than the norm for which some action reaches alpha."""

    family: Linear

    def update(self, state: Moments, query: int, reward: float, count: int = 1) -> Moments:
        """One more answer, in the memory of the given state."""
        gram, sums, squares, n_answers, alpha = state
        kernels.ellipsoid.observe(self.family.columns, gram, sums, query, reward, count)
        return Moments(gram, sums, squares + count * reward**2, n_answers + count, alpha)

    def estimate(self, state: Moments) -> Array:
        """The parameter with the least loss."""
        return self.solve(state.gram, state.sums, state.alpha)

    def solve(self, gram: Array, sums: Array, alpha: float | None) -> Array:
        """The minimiser of x'Gx - 2b'x over the parameters for which some action reaches alpha."""
        family = self.family
        level = -np.inf if alpha is None else min(alpha, family.value_range[1])
        return kernels.quadratic.minimum(family.columns, family.lengths, gram, sums, level, family.norm)[0]

    def anytime_ball(self, *, delta: float, sigma: float) -> ActionEllipsoid:
        """The self-normalised ellipsoid of Abbasi-Yadkori, Pál and Szepesvári (2011)."""
        return ActionEllipsoid(self, SelfNormalised(self.family, delta=delta, sigma=sigma))

    def paper_ball(self, *, delta: float, horizon: int) -> CenteredEllipsoid:
        """An ellipsoid that contains the paper's distance ball, for the cover of the ball of parameters."""
        radius = self.paper_radius(delta=delta, horizon=horizon) + 4 * self.family.ridge * self.family.norm**2
        return CenteredEllipsoid(self, self.ball(radius))

    def ball(self, radius: float) -> ActionEllipsoid:
        """The ellipsoid around the ridge estimate, of any radius: LinUCB with a scale of its root."""
        return ActionEllipsoid(self, FixedRadius(radius))


def as_actions(actions: Any) -> Array:
    """The actions as a read-only matrix of floats, a row each, checked."""
    matrix = as_matrix("actions", actions)
    if not matrix.any():
        raise InvalidValueError("some action must differ from 0; all rewards would be 0.")
    return read_only(matrix)
