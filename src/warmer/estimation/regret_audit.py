"""The regret of an online regression oracle against what it claims."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from warmer.model.checks import SLACK
from warmer.model.contracts import LossFit


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
