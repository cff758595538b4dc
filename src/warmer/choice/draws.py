"""What a random draw was made from: kept with the point, because the bet on it rests on nothing else."""

from typing import NamedTuple

import numpy as np

from warmer.choice.pools import Pool
from warmer.model import Array
from warmer.model.errors import InvalidValueError

LEVELS = 15
"""Weights of models in a frame are whole numbers up to this: one hexadecimal digit each."""


FORETOLD = (
    "With a seed the draws can be foretold: who could do that must not choose which labels come, or nothing is proven."
)
"""What people must know where there is a seed."""


def fresh_chance() -> np.random.Generator:
    """Chance that the system gives now, for one draw: it is kept nowhere, so that nobody can foretell the next."""
    return np.random.default_rng()


class Drawn(NamedTuple):
    """A point that was chosen, and the text of the frame it was drawn from; empty where it was not left to chance."""

    point: object
    frame: str


class Frame(NamedTuple):
    """The points where a model with a weight may have another loss than the leader, and how likely each is drawn.

    A point's chance is proportional to its *score*: the greatest weight of a model that may differ there from the
    leader. Models of weight 0 are not covered; the leader has the greatest weight.

    Examples
    --------
    >>> frame = Frame(0, np.array([15, 0, 3]))
    >>> frame.text, Frame.read("0:f03", 3).covers.tolist()
    ('0:f03', [True, False, True])
    """

    leader: int
    weights: Array

    @property
    def covers(self) -> Array:
        """The models any two of which differ, among open points, only inside the frame."""
        return np.asarray(self.weights > 0)

    @property
    def text(self) -> str:
        """The frame as a log keeps it: the leader's place, and a hexadecimal digit for each model."""
        return f"{self.leader}:{''.join(f'{weight:x}' for weight in self.weights.tolist())}"

    @classmethod
    def read(cls, text: str, n_models: int) -> "Frame":
        """The frame from its text."""
        try:
            leader, digits = text.split(":")
            weights = np.array([int(digit, 16) for digit in digits])
            if len(weights) != n_models or not 0 <= int(leader) < n_models:
                raise ValueError(f"{len(weights)} weights, leader {leader}")
            return cls(int(leader), weights)
        except ValueError as error:
            raise InvalidValueError(f"{text!r} is no frame of {n_models} models ({error}).") from error


class Chances:
    """The scores of the open points in one frame, and of all points where two models differ.

    Parameters
    ----------
    pool
        The predictions.
    frame
        What points are drawn from.
    is_open
        The points without a label.
    """

    def __init__(self, pool: Pool, frame: Frame, is_open: Array) -> None:
        self.frame, self._pool = frame, pool
        self.scores = np.where(is_open, pool.scores(frame.leader, frame.weights), 0)
        self._incumbent, self._masses = -1, np.zeros(0)

    def is_of(self, frame: Frame) -> bool:
        """Whether these are the chances in that frame."""
        return frame.leader == self.frame.leader and bool((frame.weights == self.frame.weights).all())

    @property
    def mean(self) -> float:
        """The mean score of the points of the frame."""
        return float(self.scores.sum() / max(1, np.count_nonzero(self.scores)))

    def masses(self, incumbent: int) -> Array:
        """For each model: the sum of the scores where it may differ from the incumbent."""
        if incumbent != self._incumbent:
            self._incumbent, self._masses = incumbent, self._pool.masses(incumbent, self.scores)
        return self._masses

    def least(self, incumbent: int) -> Array:
        """For each model: what no score is below where it may differ from the incumbent; one of both has its weight."""
        return np.asarray(np.minimum(self.frame.weights, self.frame.weights[incumbent]))

    def close(self, point: int) -> None:
        """Take out a point, whose label is known now."""
        if self._incumbent >= 0:
            differs, _ = self._pool.lowest(point, self._incumbent)
            self._masses = self._masses - self.scores[point] * differs
        self.scores[point] = 0
