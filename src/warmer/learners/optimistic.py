"""Algorithm 3 of the paper, and Algorithm 6, which is the same rule on a bandit."""

from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np

from warmer.bounds import anytime_radius, paper_radius
from warmer.estimation import Ball, DistanceBall, FiniteFit, LossBall
from warmer.model import InvalidValueError, Problem, check_finite, check_probability

__all__ = ["Optimistic"]


@dataclass(frozen=True, eq=False)
class Optimistic:
    r"""Ask the best query of the most promising target in a confidence set; no alpha is needed.

    $z_t=\arg\max_{z\in Z_t}\rho(z|z)$ with $Z_t$ a ball around the least-squares target (Algorithm 3; on a bandit,
    Algorithm 6). Ties go to the lowest index.

    Parameters
    ----------
    problem
        The table.
    radius
        `"anytime"`: the loss ball $\{L_t-\min L_t\le 2\sigma^2\ln(|Z|/\delta)\}$, rigorous at all times and small.
        `"paper"`: the paper's distance ball, $\sum_i(\rho(z_i|z)-\rho(z_i|\hat z_t))^2\le 128\ln(2T|Z|/\delta)$, which
        needs `horizon`. A number: the paper's distance ball with that radius.
    delta
        The probability with which the confidence set may ever lose the target.
    sigma
        The noise is sigma-sub-Gaussian; half the length of the reward range, always true, where none is declared.
    horizon
        $T$, for `"paper"`.

    Examples
    --------
    >>> problem = Problem.from_table([[0.0, 1.0], [0.5, 0.0]])
    >>> learner = Optimistic(problem, radius="anytime", delta=0.05, sigma=0.1)
    >>> rng = np.random.default_rng(0)
    >>> learner.ask(learner.init(rng), rng)
    0
    """

    problem: Problem
    radius: float | Literal["anytime", "paper"] = "anytime"
    _: KW_ONLY
    delta: float = 0.05
    sigma: float | None = None
    horizon: int | None = None

    def __post_init__(self) -> None:
        check_probability("delta", self.delta)
        assert self.ball.radius >= 0

    def init(self, rng: np.random.Generator) -> Any:
        """Nothing observed yet."""
        return self.ball.start()

    def ask(self, state: Any, rng: np.random.Generator) -> int:
        """The best query of the most optimistic target."""
        return self.ball.fit.best_query(self.estimate(state))

    def tell(self, state: Any, query: int, reward: float, count: int = 1) -> Any:
        """One more answer."""
        return self.ball.update(state, query, reward, count)

    def estimate(self, state: Any) -> int:
        """The most optimistic target of the confidence set."""
        return self.ball.most_optimistic(state)

    @cached_property
    def ball(self) -> Ball:
        """The confidence set."""
        fit, n_targets = FiniteFit(self.problem), self.problem.n_targets
        if self.radius == "anytime":
            sigma = self.problem.sigma(self.sigma)
            return LossBall(fit, anytime_radius(n_targets=n_targets, delta=self.delta, sigma=sigma))
        if self.radius == "paper":
            if self.horizon is None:
                raise InvalidValueError('radius="paper" needs the number of rounds: give horizon=T.')
            scale = self.problem.scale
            radius = paper_radius(n_targets=n_targets, horizon=self.horizon, delta=self.delta, scale=scale)
            return DistanceBall(fit, radius)
        if isinstance(self.radius, str):
            raise InvalidValueError(f'radius must be a number, "anytime" or "paper", got {self.radius!r}.')
        if check_finite("radius", self.radius) < 0:
            raise InvalidValueError(f"radius must be at least 0, got {self.radius:g}.")
        return DistanceBall(fit, float(self.radius))
