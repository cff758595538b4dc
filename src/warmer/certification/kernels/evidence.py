"""One pass over the candidates for each part of a step of an e-process: weigh, draw, rule out.

Losses come in blocks whose least entries are known (`estimation.kernels.losses`), so that candidates too unlikely to
matter are passed over a block at a time.
"""

import math
from typing import Any

import numpy as np
from numba import njit

from warmer.certification.kernels import vectors
from warmer.estimation.blocks import BLOCK
from warmer.estimation.kernels.losses import same_bits
from warmer.model import Array

_CHUNK = 8


@njit(cache=True, error_model="numpy")
def weigh(
    weights: Array, losses: Array, lows: Array, log_prior: Array, least: float, rate: float, cut: float
) -> tuple[float, float]:  # pragma: no cover
    """Weights <- exp(log_prior - rate (losses - least)) in units of the largest; its logarithm, and their sum.

    Candidates more than `cut` behind the heaviest, on the scale of the exponent, weigh nothing. An empty log_prior
    stands for zeros; no log prior may be above 0. Where it allows nobody, the logarithm is minus infinity and the
    weights are those of equal priors.
    """
    top = 0.0
    if log_prior.size:
        top = -np.inf
        for i in range(losses.size):
            top = max(top, log_prior[i] - rate * (losses[i] - least))
    has_prior, base = log_prior.size > 0 and top > -np.inf, top if top > -np.inf else 0.0
    sum_of_weights = 0.0
    for b in range(lows.size):
        part, ours = losses[b * BLOCK : (b + 1) * BLOCK], weights[b * BLOCK : (b + 1) * BLOCK]
        if rate * (lows[b] - least) > cut - base:
            ours[:] = 0.0
            continue
        if has_prior:
            priors = log_prior[b * BLOCK : (b + 1) * BLOCK]
            for i in range(part.size):
                ours[i] = _weight(-rate * (part[i] - least) - base + priors[i], cut)
        else:
            for i in range(part.size):
                ours[i] = _weight(-rate * (part[i] - least) - base, cut)
        sum_of_weights += vectors.total(ours)
    return top, sum_of_weights


@njit(inline="always")
def _weight(log_weight: float, cut: float) -> Any:  # pragma: no cover
    """Its exponential; 0 where it is too light."""
    weight = vectors.exp(log_weight if log_weight > -cut else -cut)
    return weight if log_weight >= -cut else 0.0


@njit(cache=True, error_model="numpy")
def mix(
    losses: Array, lows: Array, log_prior: Array, least: float, scale: float, power: float, cut: float
) -> float:  # pragma: no cover
    """The logarithm of the sum of exp(log_prior) (1 + (losses - least) / scale)^-power; cut off as in `weigh`."""
    top = 0.0
    if log_prior.size:
        top = -np.inf
        for i in range(losses.size):
            top = max(top, log_prior[i] - power * math.log1p((losses[i] - least) / scale))
        if top == -np.inf:
            return top
    most = scale * math.expm1((cut - top) / power)  # no log prior is above 0, so weights beyond are too light
    sum_of_weights, ours = 0.0, np.empty(min(BLOCK, losses.size))
    for b in range(lows.size):
        if lows[b] - least > most:
            continue
        part = losses[b * BLOCK : (b + 1) * BLOCK]
        for i in range(part.size):
            ours[i] = -power * vectors.log(1.0 + (part[i] - least) / scale) - top
        if log_prior.size:
            for i in range(part.size):
                ours[i] += log_prior[b * BLOCK + i]
        for i in range(part.size):
            ours[i] = _weight(ours[i], cut)
        sum_of_weights += vectors.total(ours[: part.size])
    return top + math.log(sum_of_weights)


@njit(cache=True)
def likely(
    losses: Array, lows: Array, log_prior: Array, possible: Array, least: float, rate: float, cut: float
) -> tuple[Array, Array]:  # pragma: no cover
    """The possible candidates at most `cut` behind the heaviest of them, and their weights, which sum to 1.

    Without a log prior, `least` must be the least loss of a possible candidate.
    """
    top = 0.0
    if log_prior.size:
        top = -np.inf
        for i in range(losses.size):
            if possible[i]:
                top = max(top, log_prior[i] - rate * (losses[i] - least))
    places = np.empty(losses.size, dtype=np.int64)
    weights = np.empty(losses.size)
    n = 0
    for b in range(lows.size):
        if rate * (lows[b] - least) > cut - top:
            continue
        for i in range(b * BLOCK, min((b + 1) * BLOCK, losses.size)):
            if possible[i]:
                log_weight = -rate * (losses[i] - least) - top
                if log_prior.size:
                    log_weight += log_prior[i]
                if log_weight >= -cut:
                    places[n], weights[n] = i, vectors.exp(log_weight)
                    n += 1
    return places[:n].copy(), weights[:n] / vectors.total(weights[:n])


@njit(cache=True)
def draw(
    weights: Array, possible: Array, n_most: int, n_drawn: int, start: float
) -> tuple[Array, Array]:  # pragma: no cover
    """Possible candidates with weight, and their shares: all of them where they are at most `n_most`; else a systematic
    sample of `n_drawn`, `start` between 0 and 1 being where it starts.
    """
    masses, n = _masses(weights, possible, n_most)
    mass = vectors.total(masses)
    if n <= n_most:
        places = np.flatnonzero(possible & (weights > 0.0))
        return places, weights[places] / max(mass, 1e-300)
    places, shares = np.empty(n_drawn, dtype=np.int64), np.zeros(n_drawn)
    found, drawn, before, aim = 0, 0, 0.0, start * mass / n_drawn
    for c in range(masses.size):
        running = before
        before += masses[c]
        if aim > before:  # nobody is drawn here: mostly so
            continue
        for i in range(c * _CHUNK, min((c + 1) * _CHUNK, weights.size)):
            running += weights[i] if possible[i] else 0.0
            if aim <= running and possible[i] and drawn < n_drawn:
                places[found] = i
                while aim <= running and drawn < n_drawn:
                    drawn += 1
                    shares[found] += 1.0
                    aim = (drawn + start) * mass / n_drawn
                found += 1
    return places[:found], shares[:found] / shares[:found].sum()


@njit(cache=True)
def _masses(weights: Array, possible: Array, n_most: int) -> tuple[Array, int]:  # pragma: no cover
    """What the possible candidates of each chunk weigh together, and how many have weight; of more than so many, some.

    Pairs are added, then pairs of these, and once more: the compiler turns that into vector instructions.
    """
    masses, n = np.empty((weights.size + _CHUNK - 1) // _CHUNK), 0
    ours = np.empty(min(BLOCK, masses.size * _CHUNK))
    pairs, fours = np.empty(ours.size // 2), np.empty(ours.size // 4)
    for first in range(0, weights.size, BLOCK):
        part, mask = weights[first : first + BLOCK], possible[first : first + BLOCK]
        chunks = masses[first // _CHUNK : (first + BLOCK) // _CHUNK]
        for i in range(part.size):
            ours[i] = part[i] if mask[i] else 0.0
        for i in range(part.size, chunks.size * _CHUNK):
            ours[i] = 0.0
        for i in range(part.size if n <= n_most else 0):
            n += ours[i] > 0.0
        for c in range(4 * chunks.size):
            pairs[c] = ours[2 * c] + ours[2 * c + 1]
        for c in range(2 * chunks.size):
            fours[c] = pairs[2 * c] + pairs[2 * c + 1]
        for c in range(chunks.size):
            chunks[c] = fours[2 * c] + fours[2 * c + 1]
    return masses, n


@njit(cache=True)
def gather(found: Array, table: Array, rows: Array, places: Array) -> None:  # pragma: no cover
    """Some rows of a table, at some places alone, written into the same rows of `found`."""
    for row in rows:
        ours, values = found[row], table[row]
        for i in range(places.size):
            ours[i] = values[np.uint64(places[i])]  # no place is negative: the compiler need not look


@njit(cache=True)
def kept(losses: Array, places: Array) -> tuple[Array, Array, float, int]:  # pragma: no cover
    """The losses of some candidates, the least of each block of them, the least of all, and the first who has it."""
    ours, lows, best = (
        np.empty(places.size, losses.dtype),
        np.empty((places.size + BLOCK - 1) // BLOCK, losses.dtype),
        0,
    )
    for i in range(places.size):
        ours[i] = losses[np.uint64(places[i])]
    for b in range(lows.size):
        part = ours[b * BLOCK : (b + 1) * BLOCK]
        lowest = same_bits(part[0])
        for i in range(part.size):
            lowest = min(lowest, same_bits(part[i]))
        lows[b] = same_bits(lowest)
        if lows[b] < ours[best]:
            best = b * BLOCK
            while ours[best] > lows[b]:
                best += 1
    return ours, lows, ours[best], best


@njit(cache=True)
def rule_out(possible: Array, evidence: Array, limit: float) -> int:  # pragma: no cover
    """Strike the candidates whose evidence has reached the limit off the possible ones; how many were struck."""
    n = 0
    for i in range(possible.size):
        struck = possible[i] & (evidence[i] >= limit)
        possible[i] = possible[i] & (not struck)
        n += struck
    return n
