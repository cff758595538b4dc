"""How each noise model answers, compiled: the arithmetic of `environments`, in the same order."""

from numba import njit

from warmer.environments.kernels.gaussian import truncated_quantile
from warmer.model import Array
from warmer.simulation.engine.forms import ADVERSARY, COIN, DOWN, EXACT, GAUSSIAN, MEAN, RANDOM, UNIFORM, UP
from warmer.simulation.engine.kernels.philox import uniform


@njit(cache=True)
def answer(
    model: int,
    mean: float,
    low: float,
    high: float,
    width: float,
    n_draws: int,
    strategy: int,
    t: int,
    key: Array,
    counter: Array,
    words: Array,
) -> float:  # pragma: no cover
    """The answer to a query of this mean in round t, by the next numbers of the environment's stream."""
    if model == EXACT:
        return mean
    if model == MEAN:
        n_heads = 0
        for i in range(n_draws):
            if low + uniform(key, counter, words, t * n_draws + i) * (high - low) < mean:
                n_heads += 1
        return min(high, low + n_heads / n_draws * (high - low))
    chance = uniform(key, counter, words, t * n_draws)
    if model == COIN:
        return _toss(low, high, mean, chance)
    if model == UNIFORM:
        return mean + min(width, min(mean - low, high - mean)) * (2.0 * chance - 1.0)
    if model == GAUSSIAN:
        return mean + truncated_quantile(chance, width, min(mean - low, high - mean))
    told = _adverse(strategy, mean, max(mean - width, low), min(mean + width, high), chance)
    if model == ADVERSARY:
        return told
    return _toss(low, high, told, uniform(key, counter, words, t * n_draws + 1))


@njit(cache=True)
def _toss(low: float, high: float, mean: float, chance: float) -> float:  # pragma: no cover
    return high if low + chance * (high - low) < mean else low


@njit(cache=True)
def _adverse(strategy: int, mean: float, lowest: float, highest: float, chance: float) -> float:  # pragma: no cover
    told = mean
    if strategy == UP:
        told = highest
    elif strategy == DOWN:
        told = lowest
    elif strategy == RANDOM:
        told = lowest + chance * (highest - lowest)
    return min(max(told, lowest), highest)
