"""The confidence set around the predictions of an online regression oracle, and its regret against what it claims."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from warmer.estimation.table_fit import TableFit
from warmer.model.checks import SLACK
from warmer.model.contracts import LossFit


class Predicted(NamedTuple):
    """The fit of all targets to the predictions, that of the targets that reach alpha, and how many there were."""

    everyone: Any
    viable: Any
    n_rounds: int


@dataclass(frozen=True, eq=False)
class PredictionBall:
    r"""$\{z:\sum_{i\le t}(\rho(z_i|z)-\hat\rho_i)^2\le R_t\}$: the targets near the predictions.

    A ball around the minimiser is never empty; this one can be. If it holds no target at all, no target is the truth,
    or an unlikely event has happened. If it only holds none that reaches alpha, alpha may be larger than what the truth
    can earn.

    The fit is told predictions where it expects rewards, and only targets that reach alpha are estimates.
    """

    fit: LossFit[Any]
    radius: Callable[[int], float]
    alpha: float | None = None

    def start(self) -> Predicted:
        """Every target is inside."""
        return Predicted(self.fit.start(), None if self.alpha is None else self.fit.start(self.alpha), 0)

    def update(self, state: Predicted, query: Any, prediction: float) -> Predicted:
        """One more prediction, in the memory of the given state."""
        everyone, viable, n_rounds = state
        if viable is not None:
            viable = self.fit.update(viable, query, prediction)
        return Predicted(self.fit.update(everyone, query, prediction), viable, n_rounds + 1)

    def is_empty(self, state: Predicted) -> bool:
        """Whether no target is inside."""
        return self._is_far(state.everyone, state.n_rounds)

    def has_none_viable(self, state: Predicted) -> bool:
        """Whether no target inside reaches alpha."""
        return state.viable is not None and self._is_far(state.viable, state.n_rounds)

    def nearest(self, state: Predicted) -> Any:
        """The target nearest to the predictions, among those that reach alpha; the lowest-numbered of a table."""
        return self.fit.estimate(state.everyone if state.viable is None else state.viable)

    def most_optimistic(self, state: Predicted) -> int:
        """The target of a table inside with the largest self-evaluation; the nearest where none is inside."""
        if not isinstance(self.fit, TableFit) or self.is_empty(state):
            return int(self.nearest(state))
        return self.fit.most_promising(state.everyone, self.radius(state.n_rounds) - state.everyone.offset)

    def _is_far(self, fitted: Any, n_rounds: int) -> bool:
        return self.fit.loss(fitted, self.fit.estimate(fitted)) > self.radius(n_rounds)


class Audited(NamedTuple):
    """The fit of all targets to the rewards, the oracle's squared errors, and where its claim was first broken.

    That is the number of answers, the regret then, and the claim; None where it was kept.
    """

    fitted: Any
    errors: float
    n_rounds: int
    broken: tuple[int, float, float] | None


@dataclass(frozen=True, eq=False)
class RegretAudit:
    r"""Compares $\sum_t(\hat\rho_t-r_t)^2-\min_z\sum_t(\rho(z_t|z)-r_t)^2$ with what an oracle claims of it.

    Examples
    --------
    >>> from warmer.estimation import TableFit
    >>> from warmer.model import Problem
    >>> audit = RegretAudit(TableFit(Problem.from_table([[0.0, 1.0]])), claim=lambda horizon: 0.5)
    >>> state = audit.update(audit.start(), 0, reward=1.0, prediction=0.0)
    >>> state.broken
    (1, 1.0, 0.5)
    """

    fit: LossFit[Any]
    claim: Callable[[int], float]

    def start(self) -> Audited:
        """Nothing predicted yet."""
        return Audited(self.fit.start(), 0.0, 0, None)

    def update(self, state: Audited, query: Any, *, reward: float, prediction: float) -> Audited:
        """One more prediction and its reward, in the memory of the given state."""
        fitted = self.fit.update(state.fitted, query, reward)
        errors, n_rounds = state.errors + (prediction - reward) ** 2, state.n_rounds + 1
        regret = errors - self.fit.loss(fitted, self.fit.estimate(fitted))
        claim = self.claim(n_rounds)
        is_broken = state.broken is None and regret > claim + SLACK * max(1.0, errors)
        return Audited(fitted, errors, n_rounds, (n_rounds, regret, claim) if is_broken else state.broken)
