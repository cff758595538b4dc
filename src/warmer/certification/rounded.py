r"""Rounded readings of Gaussian noise of unknown deviation: universal inference on the cells of an instrument.

What is told is a cell, not a number, so both sides of the ratio are probabilities of cells. The denominator
for a candidate $z$ is the largest probability that any deviation $\sigma>0$ gives to its readings; under the truth it
is at least the true one. The numerator is a product of forecasts $q_t$, each a probability distribution over the cells
that depends on earlier readings alone: given the past $\sum_y q_t(y)\le1$, so that the ratio with the *true* deviation
in the denominator never grows on average, starts at 1, and bounds the process from above. A floor under the deviation
in place of the supremum would not do: rounding is a bias, and biases add up.

Each candidate forecasts with its own deviation, the likeliest for the earlier readings where small ones have a price,
and by a share with one three times as large; the numerator mixes these products by the prior, and, at weight
`FREE`, that of forecasts which learn each query's mean freely. Entries that may be wrong by a tolerance are taken, in
the denominator, where they are nearest to each reading.

A reading $y$ of an instrument of unit $r$ says that a Gaussian variable of mean $m$ and deviation $\sigma$ fell into
the cell from $y-r/2$ to $y+r/2$. With $d=|y-m|/r$ and $s=r/\sigma$ its probability is

$$p(d,s)=P\bigl((d-\tfrac12)s<Z<(d+\tfrac12)s\bigr),\qquad Z\sim N(0,1).$$

*It is log-concave in* $s$: the points $(s,z)$ with $(d-\frac12)s<z<(d+\frac12)s$ form a convex cone, so
$\varphi(z)$ on this cone is log-concave in $(s,z)$ together, and so is its integral over $z$ (Prékopa). The log
likelihood of any number of readings is a sum of such terms: concave in $s$. A tangent at any point therefore lies
above it, and between two ends that enclose the maximum a tangent bounds the maximum: this is what
`kernels.cells.largest` returns, never less than the supremum, whether or not the search has come to its end.

*The ends.* The derivative of $\ln p$ by $\ln s$ is $1-E[Z^2]$ with $Z$ inside the cell, so that it is at least
$1-(d+\frac12)^2s^2$ and at most $1-(d-\frac12)_+^2s^2$. Sums over readings give the sign of the derivative below one
end and above the other. Where no reading is further than $\frac12$ from its mean the likelihood grows to its limit at
$\sigma\to0$: 1 for each reading whose cell contains the mean, $\frac12$ for each whose border is the mean.
So the noise must not be exactly 0: a source without any, with its mean on a border, always rounds to the same side, and
is contradicted.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np

from warmer.certification import kernels
from warmer.certification.likelihoods import FREE
from warmer.certification.memory import Batch, Memory
from warmer.certification.processes import TableProcess
from warmer.model import Array, Problem
from warmer.model.errors import InvalidValueError

_TYPICAL = 0.15
"""The deviation that is thought typical before anything is observed, in units of half the reward range."""
_STEPS = 4
"""How often the deviation with which a candidate forecasts is improved when a reading has come."""
_PRICE = 0.1
"""What a small deviation costs, as in the exponential prior for 1/sigma with a typical deviation over this as mean."""
_WIDER = math.log(3.0)
_SHARE = 0.5
"""Of the first forecast; later ones give less and less to a deviation three times as large, in all a bounded share."""
_OFF = 1e-6
"""How far from a multiple of the resolution, in units of it, a reading is taken for one."""
_FINEST = 1e-12
"""A resolution below this share of the reward range, or of the largest end of it, is none that readings can show."""
_MOST_UNITS = 1e12
"""Of a reading of more units the last digits say nothing of the cell."""


class Cells(NamedTuple):
    """Minus the logarithms of the candidates' forecasts, the deviations they go by, and the distinct readings."""

    memory: Memory
    log_s: Array
    """The resolution over the deviation, as a logarithm, with which each candidate forecasts."""
    queries: Array
    rewards: Array
    times: Array
    """Each distinct reading: its query, its value, and how often it came."""
    least: float
    best: int
    top: float
    total: float
    free: float
    """Minus the logarithm of the free forecasts."""
    free_squares: float
    """Their squared errors, in units of the resolution."""


@dataclass(frozen=True, eq=False)
class Rounded(TableProcess):
    """Readings that are multiples of a resolution; the noise behind them has one deviation, which is unknown."""

    tolerance: float = 0.0
    resolution: float = 1.0

    def start(self) -> Cells:
        """Nothing observed yet."""
        memory, n = self._start(), self.problem.n_targets
        memory = memory._replace(losses=np.zeros(n), lows=np.zeros(memory.lows.size))
        nothing = np.empty(0)
        log_s = np.full(n, -math.log(self._typical))
        started: Cells = self._weighed(
            Cells(memory, log_s, np.empty(0, dtype=np.intp), nothing, nothing, 0.0, 0, *[0.0] * 4)
        )
        return started

    def advance(self, state: Cells, told: Batch, possible: Array, threshold: float) -> tuple[Cells, int, int]:
        """Answer after answer until one of them rules possible candidates out."""
        n_told = struck = 0
        for query, reward, count in zip(*(values.tolist() for values in told), strict=True):
            check_reading(self.problem, query, reward, count, self.resolution)
            state = self._told(state, query, self.resolution * round(reward / self.resolution))
            struck, n_told = self._rule_out(state, possible, threshold), n_told + 1
            if struck:
                break
        return state, n_told, struck

    def log_evidence(self, state: Cells) -> Array:
        """The logarithm of each candidate's process."""
        if state.times.size == 0:
            return np.zeros(state.log_s.size)
        everyone = np.arange(state.log_s.size)
        return self._log_numerator(state) - kernels.cells.largest(self._away(state, everyone), state.times, state.log_s)

    def part(self, state: Cells, places: Array) -> tuple[Self, Cells]:
        """The process and its state for some of the candidates alone."""
        return super().part(state._replace(log_s=state.log_s[places]), places)

    def variances(self, state: Cells, queries: Array, means: Array) -> Array:
        """That of the likeliest candidate's forecasts and of rounding, the same for all queries."""
        sigma = self.resolution * math.exp(-state.log_s[state.best])
        return np.full(queries.size, sigma**2 + self.resolution**2 / 12)

    def rate(self, state: Cells) -> float:
        """Losses are minus the logarithms of forecasts."""
        return 1.0

    @property
    def _typical(self) -> float:
        """The typical deviation, in units of the resolution; at least one unit."""
        return max(_TYPICAL * self.problem.scale / self.resolution, 1.0)

    def _told(self, state: Cells, query: int, reward: float) -> Cells:
        rho, memory = self._rows(np.append(state.queries, query)), state.memory
        row, n = np.asarray(rho[query], dtype=float), memory.counts.sum()
        expected = float(memory.weights @ row / state.total)
        mean = (memory.sums[query] + expected) / (memory.counts[query] + 1.0)
        spread = math.sqrt((self._typical**2 + state.free_squares) / (n + 1.0))
        share = _SHARE / (n + 1.0) ** 1.5
        own = np.array([abs(reward - mean) / self.resolution]), np.array([-math.log(spread)])
        free = state.free - float(kernels.cells.forecast(*own, share, _WIDER)[0])
        away = np.abs(reward - row) / self.resolution
        memory.losses[:] -= kernels.cells.forecast(away, state.log_s, share, _WIDER)
        memory.counts[query] += 1.0
        memory.sums[query] += reward
        everyone = np.arange(memory.losses.size)
        losses, lows, least, best = kernels.evidence.kept(memory.losses, everyone)
        queries, rewards, times = _noted(state, query, reward)
        state = state._replace(
            memory=memory._replace(losses=losses, lows=lows),
            queries=queries,
            rewards=rewards,
            times=times,
            least=least,
            best=best,
            free=free,
            free_squares=state.free_squares + ((reward - mean) / self.resolution) ** 2,
        )
        away = np.abs(rewards[:, None] - np.asarray(rho[queries], dtype=float)) / self.resolution
        kernels.cells.climb(away, times, state.log_s, _PRICE * self._typical, _STEPS)
        weighed: Cells = self._weighed(state)
        return weighed

    def _rule_out(self, state: Cells, possible: Array, threshold: float) -> int:
        """Strike those whose evidence has reached the threshold; the supremum is sought where it could have."""
        if not possible.any():
            return 0
        left = np.flatnonzero(possible)
        away, numerator = self._away(state, left), self._log_numerator(state)
        reached = kernels.cells.reached(away, state.times, state.log_s[left])
        near = numerator - reached >= threshold
        bound = kernels.cells.largest(away[:, near], state.times, state.log_s[left[near]])
        struck = left[near][numerator - bound >= threshold]
        possible[struck] = False
        return int(struck.size)

    def _log_numerator(self, state: Cells) -> float:
        numbers = state.top, state.total, self.table.log_n, state.least, state.free, FREE
        return float(kernels.steps.log_mixture(*numbers))

    def _away(self, state: Cells, places: Array) -> Array:
        """How far each distinct reading is from the means of some candidates, in units of the resolution."""
        rows = self._rows(state.queries)[state.queries][:, places]
        return distances(state.rewards, rows, self.resolution, self.tolerance)

    def _rows(self, queries: Array) -> Array:
        """The table, with these rows."""
        if self.watched is not None:
            self.watched.read(queries)
        return self.table.rho


def check_resolution(problem: Problem, resolution: float) -> None:
    """Raise `InvalidValueError` for a unit so small that numbers of this range cannot show it."""
    low, high = problem.reward_range
    least = _FINEST * max(high - low, abs(low), abs(high))
    if resolution < least:
        raise InvalidValueError(
            f"resolution must be at least {least:g}, a millionth of a millionth of the reward range, got "
            f"{resolution:g}; leave it out where answers are not rounded."
        )


def check_reading(problem: Problem, query: int, reward: float, count: float, resolution: float) -> None:
    """Raise `InvalidValueError` for what is no single reading of an instrument of this resolution.

    Examples
    --------
    >>> check_reading(Problem.from_table([[0.5]], queries=["a"]), 0, 0.25, 1, 0.1)
    Traceback (most recent call last):
    ...
    warmer.model.errors.InvalidValueError: the answer to 'a' must be a multiple of the resolution 0.1, got 0.25; ...
    """
    name = f"the answer to {problem.queries[query]!r}"
    check_resolution(problem, resolution)
    if count > 1:
        raise InvalidValueError(
            f"{name} must be one reading: with resolution={resolution:g} the mean of {count:g} readings has no cell of "
            "its own; nothing was recorded, tell each reading by itself."
        )
    units = reward / resolution
    if abs(units) > _MOST_UNITS:
        raise InvalidValueError(
            f"{name} must be at most {_MOST_UNITS:.3g} times the resolution {resolution:g}, since its last digits say "
            f"nothing of smaller units, got {reward:.12g}; nothing was recorded, declare a larger resolution."
        )
    if not (math.isfinite(units) and abs(units - round(units)) <= _OFF):
        raise InvalidValueError(
            f"{name} must be a multiple of the resolution {resolution:g}, got {reward:.12g}; nothing was recorded. "
            "Tell the reading as the instrument shows it, or declare another resolution."
        )


def _noted(state: Cells, query: int, reward: float) -> tuple[Array, Array, Array]:
    """The distinct readings with one more."""
    same = np.flatnonzero((state.queries == query) & (state.rewards == reward))
    if same.size:
        times = state.times.copy()
        times[same] += 1.0
        return state.queries, state.rewards, times
    return np.append(state.queries, query), np.append(state.rewards, reward), np.append(state.times, 1.0)


def distances(rewards: Array, rows: Array, resolution: float, tolerance: float) -> Array:
    """How far some readings are from the means of each candidate, in units of the resolution: a row for each reading.

    Never more than the true distance, but for the last digits of a number: a mean that double precision cannot tell
    from the border of a cell is on it. Means known up to a tolerance are taken where they are nearest.
    """
    rows = np.asarray(rows, dtype=float)
    away = np.maximum(np.abs(rewards[:, None] - rows) - tolerance, 0.0) / resolution
    error = 8 * np.finfo(float).eps * ((np.abs(rewards[:, None]) + np.abs(rows) + tolerance) / resolution + 1.0)
    return np.where(np.abs(away - 0.5) <= error, 0.5, np.maximum(away - error, 0.0))
