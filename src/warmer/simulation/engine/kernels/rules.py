"""What rules remember and how they choose, compiled: the arithmetic of `learners`, in the same order."""

import math

import numpy as np
from numba import njit

from warmer.estimation.kernels.losses import add_squares
from warmer.families.kernels.arms import anytime_tops, distance_tops, fitted, lifted
from warmer.model import Array
from warmer.simulation.engine.forms import LIFTED, TOPS, Memory


@njit(cache=True)
def copied(start: Memory) -> Memory:  # pragma: no cover
    """Memory of its own for a run that starts from this one."""
    return Memory(
        start.excess.copy(),
        start.lows.copy(),
        start.distances.copy(),
        start.distance_lows.copy(),
        start.standing.copy(),
        start.holders.copy(),
        start.counts.copy(),
        start.sums.copy(),
        start.averages.copy(),
        start.indices.copy(),
        start.least.copy(),
        start.places.copy(),
    )


@njit(cache=True)
def restart(memory: Memory, start: Memory) -> None:  # pragma: no cover
    """Remember what the start does, and no more."""
    memory.excess[:] = start.excess
    memory.lows[:] = start.lows
    memory.distances[:] = start.distances
    memory.distance_lows[:] = start.distance_lows
    memory.standing[:] = start.standing
    memory.holders[:] = start.holders
    memory.counts[:] = start.counts
    memory.sums[:] = start.sums
    memory.averages[:] = start.averages
    memory.least[:] = start.least
    memory.places[:] = start.places


@njit(cache=True)
def measure(
    rho: Array, counts: Array, distances: Array, lows: Array, least: Array, query: int, old: int, new: int
) -> None:  # pragma: no cover
    """The distances to the least-squares target after an answer; summed anew where it is another one."""
    if old == new:
        least[1] = add_squares(distances, lows, rho[query], rho[query, new], 1.0, least[1])[0]
        return
    distances[:] = 0
    least[1] = 0.0
    for other in range(counts.size):
        if counts[other] > 0:
            least[1] = add_squares(distances, lows, rho[other], rho[other, new], counts[other], least[1])[0]


@njit(cache=True)
def strike(
    excess: Array, standing: Array, holders: Array, best: Array, n_standing: int, limit: float
) -> int:  # pragma: no cover
    """Rule out the targets beyond the limit; where that leaves none, take in all within. How many are left."""
    n = 0
    for k in range(n_standing):
        target = standing[k]
        standing[n] = target
        if excess[target] <= limit:
            n += 1
        else:
            holders[best[target]] -= 1
    if n == 0:
        for target in range(standing.size):
            if excess[target] <= limit:
                standing[n] = target
                holders[best[target]] += 1
                n += 1
    return n


@njit(cache=True)
def least_asked(holders: Array, counts: Array) -> int:  # pragma: no cover
    """Of the best queries of surviving targets, the one with the fewest answers."""
    best, least = 0, np.inf
    for query in range(holders.size):
        if holders[query] > 0 and counts[query] < least:
            best, least = query, counts[query]
    return best


@njit(cache=True, error_model="numpy")
def largest_index(
    legal: Array, counts: Array, averages: Array, indices: Array, length: float, double_log: float
) -> int:  # pragma: no cover
    """The allowed query with the largest index of UCB1: infinite where it was never asked."""
    for query in range(counts.size):  # all of them, for the sake of vector instructions
        indices[query] = averages[query] + length * math.sqrt(double_log / counts[query])
    best, top = 0, -np.inf
    for query in legal:
        if indices[query] > top:
            best, top = query, indices[query]
    return best


@njit(cache=True)
def double_logs(first: float, size: int) -> Array:  # pragma: no cover
    """Twice the logarithm of each number of answers from the first on, which all runs need; always above 0."""
    found = np.full(size, 1e-300)
    for t in range(size):
        if first + t > 1:
            found[t] = 2 * math.log(first + t)
    return found


@njit(cache=True)
def best_arm(
    kind: int, counts: Array, sums: Array, low: float, high: float, radius: float, variance: float, log_arms: float
) -> int:  # pragma: no cover
    """The best arm of the means with the least loss, or of the most optimistic ones."""
    if kind == LIFTED:
        return int(lifted(counts, sums, low, high, radius).argmax())
    if kind == TOPS:
        tops = anytime_tops(counts, sums, low, high, variance, log_arms)
    else:
        tops = distance_tops(counts, sums, low, high, radius)
    values = fitted(counts, sums, low, high, low)
    best = int(tops.argmax())
    values[best] = tops[best]
    return int(values.argmax())
