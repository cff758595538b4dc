r"""Gaussian noise of unknown deviation: universal inference (Wasserman, Ramdas and Balakrishnan 2020).

The denominator for a candidate $z$ is the largest likelihood that any deviation gives it, $(2\pi e L_t(z)/t)^{-t/2}$
with $L_t(z)=\sum_i(r_i-z_i)^2$. The numerator is a probability density of the answers, whatever it is: here the
mixture over candidates, by their prior weights, and over $\sigma^2$ with an inverse-gamma distribution of shape $a$
and scale $b$, which for one candidate is $b^a\Gamma(a+t/2)/\Gamma(a)\,(2\pi)^{-t/2}(b+L_t/2)^{-a-t/2}$. Under the
truth the ratio is at most one of two densities, which is a martingale that starts at 1.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import numpy as np

from warmer.certification import kernels
from warmer.certification.likelihoods import FREE
from warmer.certification.memory import Batch, Memory
from warmer.certification.processes import TableProcess
from warmer.model import Array

_SHAPE = 0.5
_TYPICAL = 0.15
"""The deviation that is thought typical before anything is observed, in units of half the reward range."""


class Squared(NamedTuple):
    """Squared residuals of all candidates, less a constant; from the nearest mean, where the table is rough; and those
    of the free forecasts.
    """

    memory: Memory
    nearest: Array
    least: float
    best: int
    top: float
    total: float
    constant: float
    free: float
    n_means: float
    """How many means were told; a mean of several answers is one observation of known relative precision."""


@dataclass(frozen=True, eq=False)
class Universal(TableProcess):
    """Gaussian noise of one deviation, the same for all queries, and unknown."""

    tolerance: float = 0.0

    def start(self) -> Squared:
        """Nothing observed yet."""
        nearest = np.zeros(self.problem.n_targets if self.tolerance else 0)
        started: Squared = self._weighed(Squared(self._start(), nearest, 0.0, 0, *[0.0] * 5))
        return started

    def advance(self, state: Squared, told: Batch, possible: Array, threshold: float) -> tuple[Squared, int, int]:
        """Answer after answer until one of them rules possible candidates out."""
        numbers: Any = state[2:]
        settings = possible, threshold, self.tolerance, _SHAPE, self._scale, FREE
        n_told, struck, *numbers = kernels.steps.infer(
            told, self._table_for(told), state.memory, state.nearest, *settings, *numbers
        )
        return Squared(state.memory, state.nearest, *numbers), n_told, struck

    def log_evidence(self, state: Squared) -> Array:
        """The logarithm of each candidate's process."""
        n = state.n_means
        if n == 0:
            return np.zeros(self.problem.n_targets)
        with np.errstate(divide="ignore"):
            largest = n / 2 * (1 + np.log(self._losses(state) / n))
        return np.asarray(self._log_numerator(state) + largest)

    def part(self, state: Squared, places: Array) -> tuple[Self, Squared]:
        """The process and its state for some of the candidates alone."""
        nearest = state.nearest[places] if self.tolerance else state.nearest
        return super().part(state._replace(nearest=nearest), places)

    def variances(self, state: Squared, queries: Array, means: Array) -> Array:
        """The estimated one, the same for all queries."""
        return np.full(queries.size, 1 / (2 * self.rate(state)))

    def rate(self, state: Squared) -> float:
        """As if the noise were Gaussian with the likeliest candidate's variance."""
        return (_SHAPE + state.n_means / 2) / (2 * self._scale + max(state.least + state.constant, 0.0))

    def _log_numerator(self, state: Squared) -> float:
        numbers = state.least, state.constant, state.free, state.n_means
        density = kernels.steps.log_density(self.table, state.memory, _SHAPE, self._scale, FREE, *numbers)
        return float(density)

    def _losses(self, state: Squared) -> Array:
        return state.nearest if self.tolerance else np.asarray(state.memory.losses + state.constant, dtype=float)

    @property
    def _scale(self) -> float:
        return _SHAPE * (_TYPICAL * self.problem.scale) ** 2
