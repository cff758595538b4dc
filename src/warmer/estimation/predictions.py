"""The confidence set around the predictions of an online regression oracle."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from warmer.estimation.losses import Losses
from warmer.estimation.table_fit import TableFit

__all__ = ["Predicted", "PredictionBall"]


class Predicted(NamedTuple):
    """The squared distances of all targets to the predictions, less a constant; the constant; how many there were."""

    losses: Losses
    constant: float
    n_rounds: int

    @property
    def least(self) -> float:
        """The squared distance of the nearest target."""
        return self.losses.least + self.constant


@dataclass(frozen=True, eq=False)
class PredictionBall:
    r"""$\{z\in Z_\alpha:\sum_{i\le t}(\rho(z_i|z)-\hat\rho_i)^2\le R_t\}$: the targets near the predictions.

    A ball around the minimiser is never empty; this one can be, and then no target is the truth, or an unlikely event
    has happened.

    Parameters
    ----------
    fit
        The fit that is told predictions where it expects rewards.
    radius
        $R_t$ as a function of $t$.
    alpha
        Only targets that reach alpha take part.
    """

    fit: TableFit
    radius: Callable[[int], float]
    alpha: float | None = None

    def start(self) -> Predicted:
        """Every target is inside."""
        return Predicted(self.fit.start(self.alpha), 0.0, 0)

    def update(self, state: Predicted, query: int, prediction: float) -> Predicted:
        """One more prediction, in the memory of the given state."""
        constant = state.constant + state.losses.least  # an update takes the least loss off all of them
        return Predicted(self.fit.update(state.losses, query, prediction), constant, state.n_rounds + 1)

    def is_empty(self, state: Predicted) -> bool:
        """Whether no target is inside."""
        return state.least > self.radius(state.n_rounds)

    def nearest(self, state: Predicted) -> int:
        """The lowest-numbered target nearest to the predictions."""
        return self.fit.estimate(state.losses)

    def most_optimistic(self, state: Predicted) -> int:
        """The lowest-numbered target inside with the largest self-evaluation; the nearest where none is inside."""
        if self.is_empty(state):
            return self.nearest(state)
        return self.fit.most_promising(state.losses, self.radius(state.n_rounds) - state.constant)
