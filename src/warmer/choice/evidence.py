r"""Wealth from bets: for each model one capital, and what it buys against the leaders that there have been.

The proof is `docs/choosing-a-model.md`. For the best model h the wealth below is a supermartingale that starts at 1:
its *reserve*, which bets that the leader's total loss is below h's (never true of the best), and one *account* for each
leader that is worse than h by more than epsilon, which bets that it is not. Accounts are paid for out of the reserve,
once, when a model first leads.
"""

from typing import NamedTuple

import numpy as np

from warmer.model import Array

_FRACTIONS = np.tile([0.08, 0.2, 0.4, 0.65, 0.9], 3)
_TRUSTS = np.repeat([0.0, 0.5, 1.0], 5)
"""Bets are mixed: so much of what a bet may risk, and so much trust in the forecast of the difference."""

_SHARE = 0.5
"""What a new leader's accounts take of each reserve."""


class Draw(NamedTuple):
    """One random point as some models see it, each against the leader; d = the model's loss - the leader's.

    `models` are those for which d may be other than 0 at the point. For each: d at the point and what was forecast;
    over all open points with such a d, their number, the sum of the forecasts, and the greatest size of d or more.
    The weight is how much less likely the point was than these are on average, and the greatest weight that of any.
    """

    models: Array
    difference: Array
    forecast: Array
    n_differing: Array
    forecast_sum: Array
    reach: Array
    weight: Array
    greatest_weight: Array


class Evidence:
    """What the draws say against each model's being the best.

    Parameters
    ----------
    n_models
        How many models there are.
    delta
        The probability with which any certificate may ever be false.

    Examples
    --------
    >>> evidence = Evidence(2, delta=0.05)
    >>> evidence.open_account(0)
    >>> one = np.ones(1)
    >>> for _ in range(9):  # model 1 errs where model 0 does not
    ...     draw = Draw(np.array([1]), one, 0 * one, 100 * one, 0 * one, one, one, one)
    ...     evidence.bet(0, draw, bonus=0.0, most=0 * one, most_if_worse=-5 * one)
    >>> evidence.is_beaten(0).tolist(), evidence.wealth(0).round(1).tolist()
    ([False, True], [1.0, 48.7])
    """

    def __init__(self, n_models: int, *, delta: float) -> None:
        self._limit = 1 / delta
        self._reserve = np.full((_TRUSTS.size, n_models), 1 / _TRUSTS.size)
        self._accounts: dict[int, Array] = {}
        self._beaten: dict[int, Array] = {}
        self.is_dismissed = np.zeros(n_models, bool)
        """Models that are not the best, whoever leads."""

    def open_account(self, leader: int) -> None:
        """Let every model bet against this leader from now on, if it could not before."""
        if leader not in self._accounts:
            self._accounts[leader] = _SHARE * self._reserve
            self._reserve = (1 - _SHARE) * self._reserve
            self._beaten[leader] = np.zeros(len(self.is_dismissed), bool)

    def bet(self, leader: int, draw: Draw, *, bonus: float, most: Array, most_if_worse: Array) -> None:
        """Settle the bets of one random draw.

        Parameters
        ----------
        leader
            Whom the models are compared with.
        draw
            What came.
        bonus
            epsilon times the weight of the point beyond the least that every point has.
        most
            The most that the sum of d over the open points can be if the model is the best.
        most_if_worse
            The most that the sum of d + bonus can be if the leader is worse than the model by more than epsilon.
        """
        self._reserve[:, draw.models] *= _factors(draw, draw.difference, most)
        account = self._accounts[leader]
        account[:, draw.models] *= _factors(draw, draw.difference + bonus, most_if_worse)
        self.is_dismissed |= self._reserve.sum(axis=0) >= self._limit
        self._beaten[leader] |= self.wealth(leader) >= self._limit

    def wealth(self, leader: int) -> Array:
        """What each model's bets are worth, if the leader is worse than it by more than epsilon."""
        return np.asarray(self._reserve.sum(axis=0) + self._accounts[leader].sum(axis=0))

    def log_wealth_missing(self, leader: int) -> Array:
        """How far the logarithm of each model's wealth is below the limit."""
        return np.asarray(np.log(self._limit) - np.log(np.maximum(self.wealth(leader), 1e-300)))

    def is_beaten(self, leader: int) -> Array:
        """Which models are not the best, or not better than the leader by more than epsilon."""
        return self.is_dismissed | self._beaten[leader]


def _factors(draw: Draw, value: Array, most: Array) -> Array:
    """What each kind of bet returns for each unit staked: bets x models.

    A bet on x = weight * (value + reach - trust * forecast) returns 1 + rate (x - mean), where mean is the largest that
    the null allows and rate is a fraction of the largest that keeps the return from falling below 0. The reach makes
    value + reach positive: so a great weight can make a return large, but by itself not negative.
    """
    trust = _TRUSTS[:, None]
    mean = (most - trust * draw.forecast_sum) / draw.n_differing + draw.reach
    room = mean + trust * draw.greatest_weight * draw.reach  # x >= -trust * greatest weight * reach
    x = draw.weight * (value + draw.reach - trust * draw.forecast)
    is_fair = room > 1e-9 * draw.reach  # else the null is impossible, which is known without any bet
    rate = _FRACTIONS[:, None] / np.where(is_fair, room, 1.0)
    return np.where(is_fair, np.maximum(1 + rate * (x - mean), 0.0), 1.0)
