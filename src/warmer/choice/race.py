"""The race between models over one pool: who leads, who is out, and where the next label is drawn from."""

from collections.abc import Callable
from typing import Any

import numpy as np

from warmer.choice.estimates import DrawnDifferences, Estimates
from warmer.choice.evidence import Draw, Evidence
from warmer.choice.forecast import Forecast
from warmer.choice.pools import Pool
from warmer.model import Array
from warmer.model.checks import SLACK, at_most

_STICKY = 0.5
"""An incumbent stays while its estimated loss is within this share of epsilon of the best estimate."""

_DOUBT = 2.0
"""Standard errors by which a contender may be behind the best estimate."""


class Race:
    """Everything that is known after some labels, in indices and in losses from 0 to 1.

    The *incumbent* is the model that is being proven. A rival is *out* if it is not better than the incumbent by more
    than epsilon, or not the best: known for certain, or from bets. The *frame* holds the open points where a rival that
    is not out may have another loss than the incumbent: only there can a label matter.

    Parameters
    ----------
    pool
        The predictions and the loss.
    epsilon
        How much worse than the best a good model may be.
    delta
        The probability with which any certificate may ever be false.
    allowance
        For a leader: how much larger than expected the total of each model's differences may be, over the whole pool;
        0 where the pool itself is what matters.
    """

    def __init__(self, pool: Pool, *, epsilon: float, delta: float, allowance: Callable[[int], Array]) -> None:
        self.pool, self._epsilon, self._allowance_of = pool, epsilon, allowance
        self.known = np.zeros(pool.n_models)
        self.n_labels = 0
        self._known_weight = 0.0
        self.is_open = np.ones(pool.n_points, bool)
        self._forecast = Forecast(pool)
        self._drawn = DrawnDifferences(pool)
        self._estimated: Estimates | None = Estimates(self._forecast.totals, np.zeros(pool.n_models))
        self._counted, self._n_contending = np.zeros(pool.n_models, bool), np.zeros(pool.n_points, np.int64)
        self.incumbent, self.is_out = 0, np.zeros(pool.n_models, bool)
        self._evidence = Evidence(pool.n_models, delta=delta)
        self._appoint(self._least())

    @property
    def estimates(self) -> Array:
        """Each model's total loss over the pool: known where there is a label, forecast and corrected elsewhere."""
        return self._current().totals

    @property
    def leader(self) -> int:
        """The model with the least estimated loss; once it is certified, the incumbent."""
        return self.incumbent if self.is_decided else self._least()

    @property
    def is_decided(self) -> bool:
        """Whether all rivals of the incumbent are out."""
        return bool(self.is_out.all())

    @property
    def is_certain(self) -> bool:
        """Whether they are out whatever the open labels are."""
        return bool(self._is_impossible().all())

    @property
    def frame(self) -> Array:
        """The open points that matter."""
        return np.asarray(self.is_open & (self._n_rivals > 0))

    @property
    def covers(self) -> Array:
        """The models any two of which differ, among open points, only inside the frame."""
        return np.asarray(~self.is_out | (np.arange(self.pool.n_models) == self.incumbent))

    @property
    def contenders(self) -> Array:
        """The models of `covers` that the draws leave in reach of the best estimate, and the incumbent."""
        totals, errors = self._current()
        is_near = at_most(totals - totals[self._least()], _DOUBT * errors)
        return np.asarray(self.covers & (is_near | (np.arange(self.pool.n_models) == self.incumbent)))

    def focus(self, contenders: Array) -> Array:
        """The open points where some contender may have another loss than the incumbent."""
        for change, sign in ((contenders & ~self._counted, 1), (self._counted & ~contenders, -1)):
            if change.any():
                self._n_contending = self._n_contending + sign * self.pool.count_rivals(self.incumbent, change)
        self._counted = contenders
        return np.asarray(self.is_open & (self._n_contending > 0))

    @property
    def spreads(self) -> Array:
        """How far the weighted models disagree at each point."""
        return self._forecast.spreads

    def labels_left(self) -> int:
        """How many draws the bets need if the estimates are right; at most the frame."""
        rivals = np.flatnonzero(~self.is_out)
        if not rivals.size:
            return 0
        size = int(self.frame.sum())
        estimates, differing = self.estimates, np.maximum(self._contrast.n_differing[rivals], 1)
        reach = np.maximum(self._contrast.reach[rivals], 1e-12)
        lead = estimates[rivals] - estimates[self.incumbent] + self._margin() - self._allowance[rivals]
        edge = np.clip(lead / differing / reach, 1e-3, 1.0)
        growth = edge**2 / (1 + edge**2)  # of the logarithm of wealth at a point where the two differ
        hits = self._evidence.log_wealth_missing(self.incumbent)[rivals] / growth
        return int(np.ceil(np.minimum(hits * size / differing, size).max()))

    def absorb(self, point: int, label: Any, covers: Array | None) -> None:
        """Take in the label of an open point.

        If the point was drawn at random from the frame, `covers` are the models that the frame covered then, and bets
        are settled; otherwise it is None, and the label is simply known from now on.
        """
        losses = self.pool.losses(point, label)
        if covers is not None:
            self._drawn.observe(point, covers, losses)
            if covers[self.incumbent]:
                self._settle(point, label, losses, covers)
        self._close(point, label, losses)
        self._strike_out()
        challenger, estimates = self.leader, self.estimates
        behind = estimates[self.incumbent] - estimates[challenger]
        if challenger != self.incumbent and not at_most(behind, _STICKY * self._margin()):
            self._appoint(challenger)
        if not (self.is_decided or self.frame.any()):  # the rest agree on what is open
            remaining = np.flatnonzero(~self.is_out)
            self._appoint(int(remaining[self.known[remaining].argmin()]))

    def _current(self) -> Estimates:
        """The estimates as they stand; made once after each label."""
        if self._estimated is None:
            expected = self.known + self._forecast.totals
            self._estimated = self._drawn.corrected(expected, self.known, self._contrast)
        return self._estimated

    def _least(self) -> int:
        """The model with the least estimate among those that may be the best; the first of equals."""
        possible = ~self._evidence.is_dismissed
        estimates = self.estimates
        least = estimates[possible].min() if possible.any() else np.inf
        return int(np.flatnonzero(possible & at_most(estimates, least))[0]) if possible.any() else self.incumbent

    def _settle(self, point: int, label: Any, losses: Array, covers: Array) -> None:
        leader = self.incumbent
        differs, _ = self.pool.lowest(point, leader)
        models = np.flatnonzero(differs & covers & ~self.is_out)
        if not models.size:
            return
        totals, expected = self._forecast.totals, self._forecast.at(point)
        draw = Draw(
            models,
            difference=losses[models] - losses[leader],
            forecast=expected[models] - expected[leader],
            n_differing=self._contrast.n_differing[models],
            forecast_sum=totals[models] - totals[leader],
            reach=self._contrast.reach[models],
        )
        bonus = self._epsilon * (self.pool.weight(label) - self.pool.least_weight)
        most = self._allowance[models] - (self.known[models] - self.known[leader])
        self._evidence.bet(leader, draw, bonus=bonus, most=most, most_if_worse=most - self._margin())

    def _close(self, point: int, label: Any, losses: Array) -> None:
        differs, lowest = self.pool.lowest(point, self.incumbent)
        self._contrast.n_differing[differs] -= 1
        self._contrast.lowest[differs] -= lowest[differs]
        self._forecast.learn(point, label, losses)
        self.is_open[point] = False
        self.known += losses
        self._known_weight += self.pool.weight(label)
        self.n_labels += 1
        self._estimated = None

    def _appoint(self, incumbent: int) -> None:
        self.incumbent = incumbent
        self._evidence.open_account(incumbent)
        self._allowance = self._allowance_of(incumbent)
        self._contrast = self.pool.contrast(incumbent, self.is_open)
        self._drawn.follow(incumbent)
        self._estimated = None
        self.is_out = self._evidence.is_beaten(incumbent) | self._is_impossible()
        self._n_rivals = self.pool.count_rivals(incumbent, ~self.is_out)
        self._counted, self._n_contending = np.zeros_like(self._counted), np.zeros_like(self._n_contending)

    def _strike_out(self) -> None:
        is_out = self.is_out | self._evidence.is_beaten(self.incumbent) | self._is_impossible()
        if (is_out != self.is_out).any():
            self._n_rivals = self._n_rivals - self.pool.count_rivals(self.incumbent, is_out & ~self.is_out)
            self.is_out = is_out

    def _margin(self) -> float:
        """Epsilon times the weight of all points, as far as it is known."""
        return self._epsilon * (self._known_weight + self.pool.least_weight * float(self.is_open.sum()))

    def _is_impossible(self) -> Array:
        """Which models cannot be better than the incumbent by more than epsilon, whatever the open labels are."""
        ahead = self.known - self.known[self.incumbent] + self._contrast.lowest
        is_impossible = ahead + self._margin() - self._allowance >= -SLACK * self.pool.n_points
        is_impossible[self.incumbent] = True
        return np.asarray(is_impossible)
