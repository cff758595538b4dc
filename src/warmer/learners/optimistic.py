"""Algorithm 3 of the paper, and Algorithm 6, which is the same rule on a bandit."""

from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np

from warmer.estimation import fit_of
from warmer.estimation.table_fit import inexact_fit
from warmer.model import Ball, Family, Fit, Problem
from warmer.model.checks import check_count, check_has, check_not_negative, check_probability
from warmer.model.errors import InvalidValueError


@dataclass(frozen=True, eq=False)
class Optimistic:
    r"""Ask the best query of the most promising target in a confidence set; no alpha is needed.

    $z_t=\arg\max_{z\in Z_t}\rho(z|z)$ with $Z_t$ a ball around the least-squares target (Algorithm 3; on a bandit,
    Algorithm 6). Ties go to the lowest index.

    Parameters
    ----------
    problem
        The table, or a family of targets that knows how to fit itself.
    radius
        `"anytime"`: the loss ball $\{L_t-\min L_t\le 2\sigma^2\ln(|Z|/\delta)\}$, rigorous at all times and small.
        `"paper"`: the paper's distance ball, $\sum_i(\rho(z_i|z)-\rho(z_i|\hat z_t))^2\le 128\ln(2T|Z|/\delta)$, which
        needs `horizon`. A number: the paper's distance ball with that radius. Families without a table say in their
        own words what each of these means for them; for `Linear`, a number is the squared scale of LinUCB.
    delta
        The probability with which the confidence set may ever lose the target.
    sigma
        The noise is sigma-sub-Gaussian. Sigma is a bound for all tails: the standard deviation if the noise is normal,
        uniform or evenly two-valued. Half the length of the reward range, always true, where none is declared: so leave
        it out for 0/1 answers.
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

    problem: Problem | Family
    radius: float | Literal["anytime", "paper"] = "anytime"
    _: KW_ONLY
    delta: float = 0.05
    sigma: float | None = None
    horizon: int | None = None

    def __post_init__(self) -> None:
        check_probability("delta", self.delta)
        _ = self._fit, self.problem.sigma(self.sigma)  # raise where nothing can be fitted, and for a bad sigma
        if self.horizon is not None:
            check_count("horizon", self.horizon)
        _ = self.ball  # raises for a bad radius

    def init(self, rng: np.random.Generator) -> Any:
        """Nothing observed yet."""
        return self.ball.start()

    def ask(self, state: Any, rng: np.random.Generator) -> Any:
        """The best query of the most optimistic target."""
        return self.problem.best_query(self.ball.most_optimistic(state))

    def tell(self, state: Any, query: Any, reward: float, count: int = 1) -> Any:
        """One more answer."""
        return self.ball.update(state, query, reward, count)

    def estimate(self, state: Any) -> Any:
        """The most optimistic target of the confidence set."""
        return self.ball.most_optimistic(state)

    def error_budget(self, *, horizon: int, delta: float) -> float:
        r"""$C_{T,\delta}$; delta also pays for the chance that the confidence set loses the truth (Definition 3)."""
        return self.ball.error_budget(horizon=horizon, delta=delta, sigma=self.problem.sigma(self.sigma))

    @property
    def doubt(self) -> str:
        """That the center is not proved to have the least loss, or that the set reaches beyond the class."""
        if not self._fit.is_exact():
            return inexact_fit(self.problem)
        if self.ball.is_in_class:
            return ""
        return f"the confidence set reaches beyond {self.problem!r}, and the dimension is only that of the class"

    @cached_property
    def ball(self) -> Ball[Any]:
        """The confidence set."""
        if not isinstance(self.radius, str):
            return self._fit.ball(check_not_negative("radius", self.radius))
        if self.radius == "anytime":
            return self._fit.anytime_ball(delta=self.delta, sigma=self.problem.sigma(self.sigma))
        if self.radius == "paper":
            if self.horizon is None:
                raise InvalidValueError('radius="paper" needs the number of rounds: give horizon=T.')
            return self._fit.paper_ball(delta=self.delta, horizon=self.horizon)
        raise InvalidValueError(f'radius must be a number, "anytime" or "paper", got {self.radius!r}.')

    @cached_property
    def _fit(self) -> Fit[Any]:
        fit = fit_of(self.problem)
        check_has("optimism needs a fit with confidence sets", fit, "anytime_ball", "paper_ball", "ball", "is_exact")
        return fit
