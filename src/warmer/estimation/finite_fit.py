"""What the fits of finitely many targets share: how large their confidence sets are."""

from dataclasses import dataclass
from typing import Any, TypeVar

from warmer.bounds import anytime_error_budget, anytime_radius, paper_radius
from warmer.estimation.confidence import DistanceBall, LossBall
from warmer.model import Fit

State = TypeVar("State")


@dataclass(frozen=True, eq=False)
class FiniteFit(Fit[State]):
    """Least squares over finitely many targets; what it remembers has the least loss and the target that has it."""

    problem: Any

    def estimate(self, state: Any) -> int:
        """The lowest-numbered target with the least loss."""
        return int(state.best)

    def restart(self, state: State) -> State:
        """Loss 0 on all targets; it may reuse the memory of the given state."""
        raise NotImplementedError

    def n_viable(self, alpha: float) -> int:
        """How many targets reach alpha."""
        raise NotImplementedError

    def most_promising(self, state: State, limit: float) -> int:
        """The lowest-numbered target with the largest self-evaluation among those whose excess is within a limit."""
        raise NotImplementedError

    def anytime_ball(self, *, delta: float, sigma: float) -> LossBall:
        r"""The loss ball of radius $2\sigma^2\ln(|Z|/\delta)$."""
        return LossBall(self, anytime_radius(n_targets=self.problem.n_targets, delta=delta, sigma=sigma))

    def paper_ball(self, *, delta: float, horizon: int) -> DistanceBall:
        r"""The distance ball of radius $128\ln(2T|Z|/\delta)$."""
        problem = self.problem
        radius = paper_radius(n_targets=problem.n_targets, horizon=horizon, delta=delta, scale=problem.scale)
        return DistanceBall(self, radius)

    def ball(self, radius: float) -> DistanceBall:
        """The distance ball of any radius."""
        return DistanceBall(self, radius)

    def error_budget(self, *, alpha: float | None = None, horizon: int, delta: float, sigma: float) -> float:
        r"""$C_\delta$ of the least-squares target, at all times: $8\sigma^2\ln(|Z_\alpha|/\delta)$."""
        n_targets = self.problem.n_targets if alpha is None else self.n_viable(alpha)
        return anytime_error_budget(n_targets=n_targets, delta=delta, sigma=sigma)
