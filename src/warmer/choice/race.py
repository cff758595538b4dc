"""The race between models over one pool: who leads, who is out, and where the next label is drawn from."""

from collections.abc import Callable
from typing import Any

import numpy as np

from warmer.choice.draws import LEVELS, Chances, Frame
from warmer.choice.estimates import DrawnDifferences
from warmer.choice.evidence import Draw, Evidence
from warmer.choice.forecast import Forecast
from warmer.choice.pools import Pool
from warmer.model import Array
from warmer.model.checks import SLACK, at_most

_STICKY = 0.5
"""An incumbent stays while its estimated loss is within this share of epsilon of the best estimate."""

_GROWTH = 1.04
"""Weights for the draws are made anew once the number of labels has grown by this factor, or somebody is out."""


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
        self.known_weight = 0.0
        self.is_open = np.ones(pool.n_points, bool)
        self._forecast = Forecast(pool)
        self._drawn = DrawnDifferences(pool)
        self._estimated: Array | None = self._forecast.totals
        self.incumbent, self.is_out = 0, np.zeros(pool.n_models, bool)
        self._evidence = Evidence(pool.n_models, delta=delta)
        self.chances = self._settled = Chances(pool, Frame(0, np.zeros(pool.n_models, np.int64)), self.is_open)
        self._appoint(self._least())

    @property
    def estimates(self) -> Array:
        """Each model's total loss over the pool: known where there is a label, forecast and corrected elsewhere."""
        if self._estimated is None:  # made once after each label
            expected = self.known + self._forecast.totals
            self._estimated = self._drawn.corrected(expected, self.known, self._contrast)
        return self._estimated

    @property
    def weight_forecast(self) -> float:
        """What a total loss is divided by: all points, or as many of the wanted class as among the labels."""
        return self.pool.n_points * max(self.known_weight, 1.0) / max(self.n_labels, 1)

    def means(self, low: Array, high: Array) -> tuple[Array, Array]:
        """The least and the greatest mean losses, from bounds on the totals.

        What a total is divided by may be unknown too. Where labels differ in weight (recall), an open point of the
        wanted class is either missed, and counts in both, or one of the points where the model cannot lose.
        """
        harmless = self.pool.n_harmless(self.is_open)
        high = np.minimum(high, self.known + np.count_nonzero(self.is_open) - harmless)
        if self.pool.least_weight == 1:
            return low / self.pool.n_points, high / self.pool.n_points
        most = self.known_weight + (low - self.known) + harmless
        least = self.known_weight + (high - self.known)
        return low / np.where(low > 0, most, 1.0), high / np.where(high > 0, least, 1.0)

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
        return np.asarray(self.chances.scores > 0)

    @property
    def spreads(self) -> Array:
        """How far the weighted models disagree at each point."""
        return self._forecast.spreads

    def labels_left(self) -> int:
        """How many draws the bets need if the estimates are right; at most the frame."""
        return 0 if self.is_decided else int(np.ceil(self._unit * self.chances.scores.sum()))

    def chances_of(self, frame: Frame) -> Chances:
        """The chances of the open points in the frame of a draw."""
        if self.chances.is_of(frame):
            self._settled = self.chances
        elif not self._settled.is_of(frame):
            self._settled = Chances(self.pool, frame, self.is_open)
        return self._settled

    def absorb(self, point: int, label: Any, frame: Frame | None) -> None:
        """Take in the label of an open point.

        If the point was drawn at random, bets are settled by the chances that it had in the frame; otherwise frame is
        None, and the label is simply known from now on.
        """
        losses = self.pool.losses(point, label)
        if frame is not None:
            chances = self.chances_of(frame)
            self._drawn.observe(point, frame.covers, losses, chances.mean / float(chances.scores[point]))
            if frame.covers[self.incumbent]:
                self._settle(point, label, losses, chances)
        self._close(point, label, losses)
        self._strike_out()
        challenger, estimates = self.leader, self.estimates
        behind = estimates[self.incumbent] - estimates[challenger]
        if challenger != self.incumbent and not at_most(behind, _STICKY * self._margin()):
            self._appoint(challenger)
        elif self.n_labels >= _GROWTH * self._n_weighed:
            self._weigh()
        if not (self.is_decided or self.frame.any()):  # the rest agree on what is open
            remaining = np.flatnonzero(~self.is_out)
            self._appoint(int(remaining[self.known[remaining].argmin()]))

    def _least(self) -> int:
        """The model with the least estimate among those that may be the best; the first of equals."""
        possible = ~self._evidence.is_dismissed
        estimates = self.estimates
        least = estimates[possible].min() if possible.any() else np.inf
        return int(np.flatnonzero(possible & at_most(estimates, least))[0]) if possible.any() else self.incumbent

    def _settle(self, point: int, label: Any, losses: Array, chances: Chances) -> None:
        leader = self.incumbent
        differs, _ = self.pool.lowest(point, leader)
        models = np.flatnonzero(differs & chances.frame.covers & ~self.is_out)
        if not models.size:
            return
        totals, expected = self._forecast.totals, self._forecast.at(point)
        mean_score = chances.masses(leader)[models] / self._contrast.n_differing[models]
        draw = Draw(
            models,
            difference=losses[models] - losses[leader],
            forecast=expected[models] - expected[leader],
            n_differing=self._contrast.n_differing[models],
            forecast_sum=totals[models] - totals[leader],
            reach=self._contrast.reach[models],
            weight=mean_score / chances.scores[point],
            greatest_weight=mean_score / chances.least(leader)[models],
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
        self.chances.close(point)
        if self._settled is not self.chances:
            self._settled.close(point)
        self.known += losses
        self.known_weight += self.pool.weight(label)
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
        self._weigh()

    def _strike_out(self) -> None:
        is_out = self.is_out | self._evidence.is_beaten(self.incumbent) | self._is_impossible()
        if (is_out != self.is_out).any():
            self.is_out = is_out
            self._weigh()

    def _weigh(self) -> None:
        """Draw from now on so that every rival can be ruled out after about the same number of labels."""
        shares = np.where(self.is_out, 0.0, self._shares_needed())
        self._n_weighed, self._unit = self.n_labels, max(float(shares.max()), 1e-12) / LEVELS
        weights = np.ceil(shares / self._unit - SLACK).astype(np.int64)
        weights[self.incumbent] = LEVELS
        frame = Frame(self.incumbent, weights)
        if not self.chances.is_of(frame):
            self.chances = Chances(self.pool, frame, self.is_open)

    def _shares_needed(self) -> Array:
        """For each model: of the points where it differs from the incumbent, the share that its bets probably need."""
        estimates, differing = self.estimates, np.maximum(self._contrast.n_differing, 1)
        lead = estimates - estimates[self.incumbent] + self._margin() - self._allowance
        edge = np.clip(lead / differing / np.maximum(self._contrast.reach, 1e-12), 1e-2, 1.0)
        growth = edge**2 / (1 + edge**2)  # of the logarithm of wealth at a point where the two differ
        missing = np.maximum(self._evidence.log_wealth_missing(self.incumbent), 0.1)
        return np.asarray(np.minimum(missing / growth / differing, 1.0))

    def _margin(self) -> float:
        """Epsilon times the weight of all points, as far as it is known."""
        return self._epsilon * (self.known_weight + self.pool.least_weight * float(self.is_open.sum()))

    def _is_impossible(self) -> Array:
        """Which models cannot be better than the incumbent by more than epsilon, whatever the open labels are."""
        ahead = self.known - self.known[self.incumbent] + self._contrast.lowest
        is_impossible = ahead + self._margin() - self._allowance >= -SLACK * self.pool.n_points
        is_impossible[self.incumbent] = True
        return np.asarray(is_impossible)
