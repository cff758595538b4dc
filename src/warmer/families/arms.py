r"""K arms whose mean rewards are any numbers of an interval: $\mathcal F=[0,1]^K$, in closed form."""

import math
from abc import abstractmethod
from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from typing import Any

import numpy as np
import scipy

from warmer.bounds.budgets import arms_error_budget, ball_error_budget
from warmer.bounds.coverings import log_cover_of_box
from warmer.bounds.radii import arm_radius
from warmer.families import kernels
from warmer.families.continuous import ContinuousFamily, Tallied, TalliedFit, Vectors
from warmer.families.solvers.radii import check_own_delta
from warmer.model import Array, Ball, Label, Labels
from warmer.model.checks import check_count, check_interval, check_radius


@dataclass(frozen=True, eq=False)
class KArms(ContinuousFamily):
    r"""The K-armed bandit with $\mathcal F=[0,1]^K$: any vector of means could be true.

    Algorithm 1 becomes a rule on counts $n_a$ and mean rewards $\mu_a$. If some mean, clipped to the interval, reaches
    alpha, pull the arm with the largest; an arm never pulled counts as reaching alpha exactly; otherwise pull the arm
    with the least $n_a[(\alpha-\mu_a)^2-(\mathrm{clip}(\mu_a)-\mu_a)^2]$, what it costs to lift its mean to alpha. Ties
    go to the lowest index. (The paper prints the rule without the second square, which is right only where
    no mean is negative.) Algorithm 3 becomes an upper confidence index.

    Parameters
    ----------
    labels
        Names for the arms; 0..K-1 where none are given.
    means
        The interval of possible mean rewards.
    reward_range
        The smallest and largest possible reward; single rewards may lie outside the interval of means.

    Examples
    --------
    >>> arms = KArms(2)
    >>> fit = arms.fit()
    >>> state = fit.update(fit.update(fit.start(alpha=0.75), 0, -1.0), 1, 0.05, count=5)
    >>> fit.estimate(state).tolist(), arms.best_query(fit.estimate(state))
    ([0.75, 0.05], 0)
    """

    n_arms: int
    _: KW_ONLY
    labels: Iterable[Label] | None = None
    means: tuple[float, float] = (0.0, 1.0)

    def __post_init__(self) -> None:
        check_count("n_arms", self.n_arms)
        object.__setattr__(self, "means", check_interval("means", self.means))
        super().__post_init__()
        assert len(self.queries) == self.n_arms

    @property
    def value_range(self) -> tuple[float, float]:
        """The interval of means."""
        return self.means

    @cached_property
    def queries(self) -> Labels:
        """The arms."""
        return Labels(self.labels, length=self.n_arms, noun="query")

    @cached_property
    def targets(self) -> Vectors:
        """Vectors of means, one per arm."""
        return Vectors(self.n_arms, noun="target", low=self.means[0], high=self.means[1])

    def evaluate(self, query: Any, target: Array) -> Any:
        """The mean reward of an arm."""
        return target[query]

    def best_query(self, target: Array) -> int:
        """The lowest-numbered arm with the largest mean."""
        return int(target.argmax())

    def log_cover(self, width: float) -> float:
        """A grid in every coordinate."""
        low, high = self.means
        return log_cover_of_box(dimension=self.n_arms, width=width / (high - low))

    def fit(self) -> "ArmsFit":
        """Least squares over all vectors of means."""
        return ArmsFit(self)

    def __repr__(self) -> str:
        return f"KArms({self.n_arms})"


@dataclass(frozen=True, eq=False)
class ArmsFit(TalliedFit):
    """Least squares over vectors of means, arm by arm."""

    family: KArms

    def estimate(self, state: Tallied) -> Array:
        """The means with the least loss: clipped averages, and one of them lifted to alpha where none reaches it.

        Arms never pulled are worth alpha; where there is no alpha, the least that is possible.
        """
        (counts, sums), alpha = state
        low, high = self.family.means
        if alpha is None:
            return np.asarray(kernels.arms.fitted(counts, sums, low, high, low))
        return np.asarray(kernels.arms.lifted(counts, sums, low, high, min(alpha, high)))

    def draw(self, state: Tallied, sigma: float, rng: np.random.Generator) -> Array:
        """Means drawn from the posterior of a uniform prior.

        Where rewards keep within the interval of means they count as coins between its ends, a reward inside as the
        share of each (then sigma plays no part); otherwise as Gaussian with deviation sigma.
        """
        low, high = self.family.means
        counts, sums = state.tally.counts, state.tally.sums
        if self.family.reward_range == self.family.means:
            heads = np.minimum(np.maximum((sums - low * counts) / (high - low), 0.0), counts)
            return np.asarray(low + (high - low) * rng.beta(1 + heads, 1 + counts - heads))
        root = np.sqrt(counts) / sigma
        ends = [scipy.special.ndtr(end * root - sums * root / np.maximum(counts, 1)) for end in (low, high)]
        level = ends[0] + (ends[1] - ends[0]) * rng.random(counts.size)
        drawn = sums / np.maximum(counts, 1) + scipy.special.ndtri(level) / np.maximum(root, 1 / sigma)
        return np.asarray(np.where(counts > 0, drawn, low + (high - low) * rng.random(counts.size)).clip(low, high))

    def error_budget(self, *, alpha: float | None = None, horizon: int, delta: float, sigma: float) -> float:
        """Of the means with the least loss, for any alpha that the truth reaches: `arms_error_budget`."""
        return arms_error_budget(n_arms=self.family.n_arms, horizon=horizon, delta=delta, sigma=sigma)

    def anytime_ball(self, *, delta: float, sigma: float) -> "ArmsIntervals":
        """Every arm within its own interval, at all times."""
        return ArmsIntervals(self, delta=delta, sigma=sigma)

    def ball(self, radius: float) -> "ArmsDistanceBall":
        """The distance ball of any radius."""
        return ArmsDistanceBall(self, radius)


@dataclass(frozen=True, eq=False)
class ArmsBall(Ball[Tallied]):
    """A confidence set over vectors of means: an upper confidence index for each arm."""

    fit: ArmsFit

    @abstractmethod
    def indices(self, state: Tallied) -> Array:
        """The largest mean of each arm inside: its upper confidence index, never above the interval."""

    def most_optimistic(self, state: Tallied) -> Array:
        """The fitted means with the arm of the largest index lifted to it."""
        values, indices = self.fit.estimate(state), self.indices(state)
        best = int(indices.argmax())
        values[best] = indices[best]
        return values


@dataclass(frozen=True, eq=False)
class ArmsDistanceBall(ArmsBall):
    r"""$\sum_a n_a(f_a-\hat f_a)^2\le R$: one arm may use up all of the radius."""

    radius: float

    def indices(self, state: Tallied) -> Array:
        r"""The clipped averages plus $\sqrt{R/n_a}$."""
        (counts, sums), (low, high) = state.tally, self.fit.family.means
        return np.asarray(kernels.arms.distance_tops(counts, sums, low, high, self.radius))

    def error_budget(self, *, horizon: int, delta: float, sigma: float) -> float:
        """By the triangle inequality, where the ball is large enough to keep the truth."""
        center = self.fit.error_budget(horizon=horizon, delta=delta, sigma=sigma)
        check_radius(self.radius, needed=center, delta=delta)
        return ball_error_budget(center=center, radius=self.radius)


@dataclass(frozen=True, eq=False)
class ArmsIntervals(ArmsBall):
    """Each arm within `arm_radius` of its average."""

    _: KW_ONLY
    delta: float
    sigma: float

    def __post_init__(self) -> None:
        assert arm_radius(1, n_arms=self.fit.family.n_arms, delta=self.delta, sigma=self.sigma) > 0

    @property
    def log_arms(self) -> float:
        """What the union over arms costs."""
        return math.log(self.fit.family.n_arms / self.delta)

    def indices(self, state: Tallied) -> Array:
        r"""The averages plus $\sqrt{R_n/n_a}$."""
        (counts, sums), (low, high) = state.tally, self.fit.family.means
        return np.asarray(kernels.arms.anytime_tops(counts, sums, low, high, self.sigma**2, self.log_arms))

    def error_budget(self, *, horizon: int, delta: float, sigma: float) -> float:
        """`arms_error_budget`, where every interval keeps its mean: with probability 1 - `self.delta`."""
        check_own_delta(self.delta, delta)
        return self.fit.error_budget(horizon=horizon, delta=self.delta, sigma=self.sigma)
