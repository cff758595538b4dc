"""Algorithm 4 of the paper, and its optimistic form: least squares on the predictions of a regression oracle."""

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from functools import cached_property, partial
from typing import Any, Literal, NamedTuple

import numpy as np

from warmer.bounds.budgets import ball_error_budget
from warmer.bounds.radii import anytime_oracle_radius, paper_oracle_radius
from warmer.estimation import (
    AggregatingForecaster,
    Audited,
    MeanForecaster,
    Predicted,
    PredictionBall,
    RegretAudit,
    TableFit,
    VovkAzouryWarmuth,
    fit_of,
)
from warmer.learners.regressor_checks import Heard, check_regressor
from warmer.model import Family, OnlineRegressor, Problem
from warmer.model.checks import check_count, check_finite, check_not_negative, check_probability, check_radius
from warmer.model.contracts import LossFit
from warmer.model.errors import InvalidValueError

_PROVEN = (AggregatingForecaster, MeanForecaster, VovkAzouryWarmuth)
"""Oracles whose regret is a theorem; what others claim is compared with what happens."""


class Regressed(NamedTuple):
    """The oracle's state, the distances of all targets to what it predicted, and the audit of its claim, if any."""

    regressor: Any
    predicted: Predicted
    audited: Audited | None


@dataclass(frozen=True, eq=False)
class OracleLeastSquares:
    r"""Ask the best query of a target near the predictions of an online regression oracle.

    The oracle predicts $\hat\rho_t$ for the query $z_t$ before the reward $r_t$ comes. With alpha (Algorithm 4)
    $z_{t+1}=\arg\min_{z\in Z_\alpha}\sum_{i\le t}(\rho(z_i|z)-\hat\rho_i)^2$; with a radius (its optimistic form)
    $z_{t+1}$ has the largest self-evaluation among the targets whose sum is at most the radius. Ties go to the lowest
    index.

    That set can be empty. If the predictions are too far from every target, no target is the truth (or, with
    probability at most delta, chance was unkind), and `is_misspecified` says so. If they are only too far from those
    that reach alpha, alpha may be more than the truth can earn, or no target is the truth: `has_doubtful_alpha` says
    so. The query is that of the nearest target in either case.

    All this rests on the regret that the oracle claims. What an oracle of your own claims is compared with its regret,
    answer by answer; `broken_claim` says where it was larger, and then nothing is said of alpha or the candidates.

    Parameters
    ----------
    problem
        The table; with alpha also `Linear`, `LinearBall` or `Sphere`. (The optimistic form would maximise over the
        targets near the predictions, which is done for tables only.)
    regressor
        The oracle, for the same queries. Its regret must be against every target: one for linear functions of features
        needs rewards in its range, and targets $F\theta$ with $|\theta|$ at most its norm.
    alpha
        The optimality level. Give this or a radius.
    radius
        `"anytime"`: $2\,\mathrm{Reg}(t)+8\sigma^2\ln(1/\delta)$, which contains the truth at all times with probability
        $1-\delta$. `"paper"`: $8\,\mathrm{Reg}(T)+64\beta\max\{\beta,\beta'\}\ln(T/\delta)$, which needs `horizon`. Or
        a number.
    delta, sigma, horizon
        As in `Optimistic`.

    Examples
    --------
    >>> from warmer.estimation import AggregatingForecaster
    >>> problem = Problem.from_table([[0.0, 1.0], [0.5, 0.0]])
    >>> learner = OracleLeastSquares(problem, AggregatingForecaster(problem), alpha=0.5)
    >>> rng = np.random.default_rng(0)
    >>> state = learner.init(rng)
    >>> learner.ask(state, rng)
    1
    >>> state = learner.tell(state, 1, 0.0)
    >>> learner.ask(learner.tell(state, 1, 0.0), rng), learner.is_misspecified(state)
    (0, False)
    """

    problem: Problem | Family
    regressor: OnlineRegressor[Any]
    _: KW_ONLY
    alpha: float | None = None
    radius: float | Literal["anytime", "paper"] | None = None
    delta: float = 0.05
    sigma: float | None = None
    horizon: int | None = None

    def __post_init__(self) -> None:
        check_probability("delta", self.delta)
        if (self.alpha is None) == (self.radius is None):
            raise InvalidValueError("give alpha= (Algorithm 4) or radius= (its optimistic form), one of the two.")
        if self.alpha is not None:
            check_finite("alpha", self.alpha)
        if self.horizon is not None:
            check_count("horizon", self.horizon)
        if self.alpha is None and not isinstance(self._fit, TableFit):
            raise InvalidValueError(
                "the optimistic form of Algorithm 4 needs a table: the most optimistic target near the predictions is "
                f"found by going through all targets, and {type(self.problem).__name__} has infinitely many. Give "
                "alpha= instead (Linear, LinearBall, Sphere), or use Optimistic, which needs no oracle."
            )
        if not isinstance(self._fit, LossFit):
            raise InvalidValueError(
                "Algorithm 4 needs the loss of every answer by itself, which is there for tables, Linear, LinearBall "
                f"and Sphere, got {type(self.problem).__name__}."
            )
        self.problem.sigma(self.sigma)  # raises for a bad sigma
        check_regressor(self.problem, self.regressor)
        if isinstance(self._oracle, Heard):
            self._oracle.check_claim()
        self.ball.start()  # raises where no target reaches alpha
        _ = self.ball.radius(1)  # raises for a bad radius

    def init(self, rng: np.random.Generator) -> Regressed:
        """Nothing observed yet."""
        audited = None if self._audit is None else self._audit.start()
        return Regressed(self._oracle.init(), self.ball.start(), audited)

    def ask(self, state: Regressed, rng: np.random.Generator) -> Any:
        """The best query of the estimate."""
        return self.problem.best_query(self.estimate(state))

    def tell(self, state: Regressed, query: Any, reward: float, count: int = 1) -> Regressed:
        """Predict, then learn; one answer at a time, since the radius needs predictions older than their noise."""
        if count != 1:
            raise InvalidValueError(
                f"{type(self).__name__} predicts every answer before it comes, so it cannot learn from the mean of "
                f"{count}; tell the answers one by one."
            )
        regressor, predicted, audited = state
        prediction = self._oracle.predict(regressor, query)
        if self._audit is not None and audited is not None:
            audited = self._audit.update(audited, query, reward=reward, prediction=prediction)
        predicted = self.ball.update(predicted, query, prediction)
        return Regressed(self._oracle.update(regressor, query, reward), predicted, audited)

    def estimate(self, state: Regressed) -> Any:
        """The viable target nearest to the predictions, or the most optimistic of those within the radius."""
        if self.alpha is not None:
            return self.ball.nearest(state.predicted)
        return self.ball.most_optimistic(state.predicted)

    def is_misspecified(self, state: Regressed) -> bool:
        """Whether no candidate is near enough to the predictions to be the truth."""
        return not self.broken_claim(state) and self.ball.is_empty(state.predicted)

    def has_doubtful_alpha(self, state: Regressed) -> bool:
        """Whether no candidate that reaches alpha is: alpha is too large, or no candidate is the truth."""
        return not self.broken_claim(state) and self.ball.has_none_viable(state.predicted)

    def broken_claim(self, state: Regressed) -> str:
        """Where the regret of the oracle was larger than it claims; empty where that never was."""
        if state.audited is None or state.audited.broken is None:
            return ""
        n_rounds, regret, claim = state.audited.broken
        return (
            f"the regret of {type(self.regressor).__name__} after {n_rounds} answers is {regret:g}, and it claims at "
            f"most {claim:g}: nothing that rests on its claim is promised"
        )

    @property
    def doubt(self) -> str:
        """That the regret of an oracle of your own is a claim."""
        if not isinstance(self._oracle, Heard):
            return ""
        return f"the regret of {type(self.regressor).__name__} is only its own claim"

    def error_budget(self, *, horizon: int, delta: float) -> float:
        r"""$C_{T,\delta}$: four times the anytime radius with alpha, $(\sqrt R+\sqrt c)^2$ with a radius $R\ge c$ that.

        Definition 3 and Lemma `lemma::online_to_confidence_bound`.
        """
        inner = self._anytime_radius(horizon, delta)
        if self.alpha is not None:
            return 4 * inner
        radius = self.ball.radius(horizon)
        check_radius(radius, needed=inner, delta=delta)
        return ball_error_budget(center=inner, radius=radius)

    @cached_property
    def ball(self) -> PredictionBall:
        """The confidence set."""
        alpha = None if self.alpha is None else float(self.alpha)
        return PredictionBall(self._fit, self._radius(), alpha)

    @cached_property
    def _fit(self) -> Any:
        return fit_of(self.problem)

    @cached_property
    def _audit(self) -> RegretAudit | None:
        return RegretAudit(self._fit, self._oracle.regression_regret) if isinstance(self._oracle, Heard) else None

    @cached_property
    def _oracle(self) -> OnlineRegressor[Any]:
        return self.regressor if type(self.regressor) in _PROVEN else Heard(self.regressor, self.problem)

    def _radius(self) -> Callable[[int], float]:
        if self.radius is None:
            return self._radius_after
        if not isinstance(self.radius, str):
            return partial(_always, check_not_negative("radius", self.radius))
        if self.radius == "anytime":
            return self._radius_after
        if self.radius == "paper":
            return partial(_always, self._paper_radius())
        raise InvalidValueError(f'radius must be a number, "anytime" or "paper", got {self.radius!r}.')

    def _radius_after(self, n_rounds: int) -> float:
        return self._anytime_radius(max(n_rounds, 1), self.delta)

    def _anytime_radius(self, n_rounds: int, delta: float) -> float:
        regret = self._oracle.regression_regret(n_rounds)
        return anytime_oracle_radius(regression_regret=regret, delta=delta, sigma=self.problem.sigma(self.sigma))

    def _paper_radius(self) -> float:
        if self.horizon is None:
            raise InvalidValueError('radius="paper" needs the number of rounds: give horizon=T.')
        width = 2 * self.problem.scale  # no answer and no prediction is further than this from a mean
        return paper_oracle_radius(
            regression_regret=self._oracle.regression_regret(self.horizon),
            horizon=self.horizon,
            delta=self.delta,
            beta=width,
            beta_prime=width,
        )


def _always(radius: float, n_rounds: int) -> float:
    return radius
