"""A goal read for one table: the possible answers, which candidates accept each, and whether one is settled.

An answer is settled when every candidate still possible accepts it. Candidates only ever leave, so it is enough to
remember for each answer one candidate that objects, and to look for another only when that one has left.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Protocol

import numpy as np

from warmer.certification import kernels
from warmer.model import Array

LEAST_LEAD = 0.8
"""The share of the weight that must accept an interval before it is taken for the leading one."""
_ALL = np.empty(0, dtype=np.intp)
"""Stands for all candidates where some may be named."""


class Answers(Protocol):
    """The answers of a goal, by index."""

    @property
    def names(self) -> Sequence[Any]:
        """What the user calls each answer."""
        ...

    @property
    def preferred(self) -> Array:
        """For each candidate the answer to give if it were the truth."""
        ...

    @property
    def is_partition(self) -> bool:
        """Whether every candidate accepts one answer alone."""
        ...

    def accepts(self, answer: int, targets: Any = slice(None)) -> Array:
        """Which candidates, or which of some, call this answer right."""
        ...

    def accepted_by(self, target: int) -> Array:
        """The answers that a candidate calls right."""
        ...

    def told_apart(self, targets: Array, weights: Array, n_most: int) -> tuple[Array, int]:
        """Some candidates in groups, numbered from 0: those who accept the leading answer, where one leads, and the
        others by the answer they would give. And a number above those of all groups; for choosing.

        The leading answer is the one that the largest weight accepts, of so many that the heaviest would give.
        """
        ...

    def watch(self) -> Array:
        """Objecting candidates that are known, as `settled` remembers them; none at first."""
        ...

    def settled(self, watched: Array, possible: Array, preferred: int, places: Array | None = None) -> int | None:
        """The answer that all possible candidates accept, the preferred one if it is among several; None if none is.

        What is learned about objectors is written into `watched`. Some candidate must be possible. Where only some
        candidates are watched, `places` says which: objectors are then known by where they stand among these.
        """
        ...


@dataclass(frozen=True, eq=False)
class Relation:
    """Answers that several candidates may accept: those that value them at least at a limit of their own."""

    names: Sequence[Any]
    preferred: Array
    values: Array
    """A row for each answer, a column for each candidate."""
    limits: Array
    """The least value that counts as good, for each candidate."""
    answers: Array
    """The answers that may be given."""

    @property
    def is_partition(self) -> bool:
        """Whether every candidate accepts one answer alone."""
        return bool((np.sum([self.accepts(answer) for answer in self.answers.tolist()], axis=0) == 1).all())

    def accepts(self, answer: int, targets: Any = slice(None)) -> Array:
        """Which candidates, or which of some, call this answer right."""
        return np.asarray(self.values[answer][targets] >= self.limits[targets])

    def accepted_by(self, target: int) -> Array:
        """The answers that a candidate calls right."""
        return np.asarray(self.answers[self.values[self.answers, target] >= self.limits[target]])

    def told_apart(self, targets: Array, weights: Array, n_most: int) -> tuple[Array, int]:
        """Those who accept the leading answer, and the others by the answer they would give."""
        of_each = self.preferred, self.values.T, self.limits
        groups, n = kernels.leading.apart_by_values(*of_each, targets, weights, n_most)
        return groups, n

    def watch(self) -> Array:
        """One objector for each answer: nobody before the first candidate objects."""
        return np.zeros(self.answers.size, dtype=np.intp)

    def settled(self, watched: Array, possible: Array, preferred: int, places: Array | None = None) -> int | None:
        """The preferred answer, or the lowest-numbered one, that has no objector."""
        places = _ALL if places is None else places
        if not kernels.objectors.advance(watched, self.values, self.answers, self.limits, possible, places):
            return None
        settled = self.answers[watched == possible.size]
        return int(preferred if preferred in settled else settled[0])


@dataclass(frozen=True, eq=False)
class Groups:
    """Every candidate accepts one answer alone: the group it belongs to."""

    names: Sequence[Any]
    preferred: Array
    is_partition: ClassVar[bool] = True

    def accepts(self, answer: int, targets: Any = slice(None)) -> Array:
        """The members of the group."""
        return np.asarray(self.preferred[targets] == answer)

    def accepted_by(self, target: int) -> Array:
        """Its own group."""
        return self.preferred[[target]]

    def told_apart(self, targets: Array, weights: Array, n_most: int) -> tuple[Array, int]:
        """The heaviest group, and the others."""
        groups, n = kernels.leading.apart_by_groups(self.preferred[targets], weights)
        return groups, n

    def watch(self) -> Array:
        """Two candidates of different groups, -1 where none are known."""
        return np.full(2, -1, dtype=np.intp)

    def settled(self, watched: Array, possible: Array, preferred: int, places: Array | None = None) -> int | None:
        """The group of all possible candidates."""
        if watched[0] >= 0 and possible[watched].all():
            return None
        groups, first = self.preferred if places is None else self.preferred[places], int(possible.argmax())
        others = possible & (groups != groups[first])
        second = int(others.argmax())
        if not others[second]:
            return int(groups[first])
        watched[:] = first, second
        return None


@dataclass(frozen=True, eq=False)
class Intervals:
    """Answers are intervals of one length; a candidate accepts those that contain its value.

    Answer k starts at the k-th smallest value. The intervals that start at a value are enough: where any interval of
    that length holds all possible values, the one that starts at the smallest of them does.
    """

    values: Array
    starts: Array
    length: float
    slack: float
    is_partition: ClassVar[bool] = False

    @property
    def names(self) -> Sequence[Any]:
        """The two ends of each."""
        return [(float(start), float(start + self.length)) for start in self.starts]

    @cached_property
    def preferred(self) -> Array:
        """For each candidate the first interval that starts no further than half a length below its value."""
        wanted = self.values - self.length / 2 - self.slack
        return np.asarray(np.searchsorted(self.starts, wanted, side="left"))

    def accepts(self, answer: int, targets: Any = slice(None)) -> Array:
        """The candidates whose value lies inside."""
        return self._inside(self.starts[answer], self.values[targets])

    def accepted_by(self, target: int) -> Array:
        """The intervals that contain its value."""
        return np.flatnonzero(self._inside(self.starts, self.values[target]))

    def _inside(self, starts: Any, values: Any) -> Array:
        return np.asarray((starts <= values) & (values <= starts + self.length + self.slack))

    def told_apart(self, targets: Array, weights: Array, n_most: int) -> tuple[Array, int]:
        """Those whose value is inside the leading interval, if it leads by enough; the others by their own."""
        own, likeliest = kernels.leading.likeliest_choices(self.preferred[targets], weights, n_most)
        accepted = self._inside(self.starts[likeliest[:, None]], self.values[targets])
        groups, n = kernels.leading.leading_group(accepted, own, weights, LEAST_LEAD)
        return groups, n

    def watch(self) -> Array:
        """The candidates with the smallest and the largest value, -1 where they are not known."""
        return np.full(2, -1, dtype=np.intp)

    def settled(self, watched: Array, possible: Array, preferred: int, places: Array | None = None) -> int | None:
        """The interval that starts at the smallest possible value, if it holds the largest."""
        values = self.values if places is None else self.values[places]
        if watched[0] < 0 or not possible[watched].all():
            watched[0] = np.where(possible, values, np.inf).argmin()
            watched[1] = np.where(possible, values, -np.inf).argmax()
        least, most = values[watched]
        if most - least > self.length + self.slack:
            return None
        return int(np.searchsorted(self.starts, least))
