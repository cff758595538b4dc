r"""Bets on the mean of one query: what a declaration about the noise says about a mean of which nothing else is known.

A bet of rate $\theta>0$ that the mean is above x multiplies its capital, per answer, by $e^{\theta(r-x)}$ over a bound
on the mean of this for every mean up to x: it is valid for all of them at once (docs/evidence.md).
"""

import math

import numpy as np

from warmer.model import Array

_STEP = 1.7
_MOST = 24
_LARGEST_TILT = 5.0


def rates_between(least: float, most: float) -> Array:
    """Rates in even proportion, 1.7 apart; further apart where that would be more than 24."""
    n = math.ceil(math.log(max(most / least, _STEP)) / math.log(_STEP)) + 1
    return np.geomspace(least, max(most, _STEP * least), min(n, _MOST))


def coin_bets(scale: float) -> Array:
    """For answers between 0 and 1, by the mean of a coin: a row for each rate, as the kernels read them."""
    rates = rates_between(2 * scale, _LARGEST_TILT)
    return np.stack([rates, 0 * rates, 0 * rates, 0 * rates + 1], axis=1)


def gaussian_bets(scale: float, sigmas: Array) -> Array:
    """For sub-Gaussian answers, for each of some deviations: rates for means half a scale to a whole range away."""
    rates = rates_between(scale / 2, 1.0) / sigmas[:, None] ** 2
    return np.stack([rates, rates**2 * sigmas[:, None] ** 2 / 2, 0 * rates, 0 * rates], axis=2)


def empirical_bets(scale: float) -> Array:
    r"""For answers between 0 and 1 by their squared surprises, $-\ln(1-\theta)-\theta$ each: for small noise."""
    rates = rates_between(2 * scale, 0.9)
    return np.stack([rates, 0 * rates, -np.log1p(-rates) - rates, 0 * rates], axis=1)


def mixed(bets: Array) -> Array:
    """How the capital is divided among pairs of bets on two arms: rates alike get the most."""
    logs = np.log(bets[0, :, 0])
    weights = np.exp(-np.abs(logs[:, None] - logs))
    return np.asarray(weights / weights.sum())
