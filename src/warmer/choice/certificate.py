"""What `ModelChoice` says: certificates and standings."""

import math
from dataclasses import dataclass
from typing import NamedTuple

from warmer.model import Label
from warmer.model.words import certainty, exact


class Waiting(NamedTuple):
    """Labels that do not count yet, because the label of a point that was drawn before theirs has not come.

    Labels count in the order of the draws, whenever they come: else those that come quickly would count more.
    """

    point: Label
    n_labels: int

    def __str__(self) -> str:
        labels = "1 label waits" if self.n_labels == 1 else f"{self.n_labels:,} labels wait"
        return f"{labels} for the label of point {self.point!r}"


@dataclass(frozen=True)
class ChoiceCertificate:
    """Whether a model is proven to be within epsilon of the best; true if it is.

    Attributes
    ----------
    answer
        The model that is proven, or that leads.
    is_proven
        Whether it is within epsilon of the best.
    is_certain
        Whether that holds whatever the missing labels are; otherwise it holds with probability at least 1 - delta.
    remaining
        The models that may still be better by more than epsilon.
    epsilon, delta
        What was asked for; epsilon in the units of the loss.
    on
        "pool" or "population": what the mean loss is taken over.
    n_labels
        How many labels it rests on: those that count.
    is_exhausted
        Whether no further label of the pool can matter. Where the population is what counts, a pool may be too small.
    waiting
        The labels that do not count yet, and the point whose label they wait for; None where all count.

    Examples
    --------
    >>> print(ChoiceCertificate("tree", True, False, (), 0.02, 0.05, "pool", 87))
    proven: 'tree' is within 0.02 of the best on the pool, with probability at least 0.95 (87 labels)
    """

    answer: Label
    is_proven: bool
    is_certain: bool
    remaining: tuple[Label, ...]
    epsilon: float
    delta: float
    on: str
    n_labels: int
    is_exhausted: bool = False
    waiting: Waiting | None = None

    @property
    def statement(self) -> str:
        """What is proven, or to be proven."""
        return f"{self.answer!r} is within {exact(self.epsilon)} of the best on the {self.on}"

    @property
    def objectors(self) -> tuple[Label, ...]:
        """The same as `remaining`: models that may still be better by more than epsilon."""
        return self.remaining

    @property
    def is_misspecified(self) -> bool:
        """Never: nothing is assumed that labels could contradict."""
        return False

    def __bool__(self) -> bool:
        return self.is_proven

    def __str__(self) -> str:
        claim = self.statement
        labels = f"{self.n_labels} label{'' if self.n_labels == 1 else 's'}"
        if not self.is_proven:
            count = len(self.remaining)
            if self.waiting is not None:
                labels += f"; {self.waiting}"
            if self.is_exhausted:
                labels += "; no label of this pool can prove more, take a larger one or a larger epsilon"
            return (
                f"not yet proven that {claim}; {count} other model{'' if count == 1 else 's'} may be better ({labels})"
            )
        sure = (
            "whatever the other labels are" if self.is_certain else f"with probability at least {certainty(self.delta)}"
        )
        return f"proven: {claim}, {sure} ({labels})"


@dataclass(frozen=True)
class Standing:
    """One model in the race; losses are means over points, in the units of the loss.

    Attributes
    ----------
    model
        Its name.
    loss
        On the labelled points; not a number while there are none. They are chosen where models differ, so this says
        little about the pool. For `Recall` the share of those of the class that is missed, 0 while there are none.
    estimate
        Of the leader: the middle of its interval. Of the others: that, and by how much they seem to be worse. It is a
        guess, and the order of the models.
    low, high
        An interval for the loss over the pool: all intervals hold together, at all times, with probability 1 - delta.
        Draws avoid the points on which all models agree: the loss there is unknown, and an interval is no narrower.
        For `Recall` the loss is the share of the class that is missed; 0 where the pool has no point of the class.
    is_ruled_out
        Whether it is proven that the model is not better by more than epsilon than the one that is being proven.
    """

    model: Label
    loss: float
    estimate: float
    low: float
    high: float
    is_ruled_out: bool

    @property
    def accuracy(self) -> float:
        """1 - loss on the labelled points: the share of right predictions where errors cost 1, or the recall."""
        return 1 - self.loss


def outward(low: float, high: float, *, scale: float) -> tuple[str, str]:
    """An interval as text, rounded so that it holds what it held; `scale` is the largest loss.

    Examples
    --------
    >>> outward(0.1234, 0.5678, scale=1.0), outward(12.34, 56.78, scale=100.0)
    (('0.123', '0.568'), ('12.3', '56.8'))
    """
    digits = max(0, 3 - math.ceil(math.log10(scale)))
    unit = 10.0**digits
    return f"{math.floor(low * unit) / unit:.{digits}f}", f"{math.ceil(high * unit) / unit:.{digits}f}"


def bounds_in_words(*, n_agreed: int, n_points: int, delta: float) -> str:
    """What the intervals of all standings promise, and why they are no narrower.

    Examples
    --------
    >>> print(bounds_in_words(n_agreed=0, n_points=40, delta=0.05))
    The bounds are for the pool; they hold for all models together and at all times, with probability at least 0.95.
    """
    promise = (
        "The bounds are for the pool; they hold for all models together and at all times, with probability at least "
        f"{certainty(delta)}."
    )
    if not n_agreed:
        return promise
    return (
        f"{promise} Draws avoid the points on which all models agree, {n_agreed:,} of {n_points:,} without a label: so "
        "labels tell how far models are apart, not how good they are."
    )
