"""What `ModelChoice` says: certificates and standings."""

from dataclasses import dataclass

from warmer.model import Label
from warmer.model.words import certainty


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
        How many labels it rests on.
    is_exhausted
        Whether no further label of the pool can matter. Where the population is what counts, a pool may be too small.

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

    @property
    def statement(self) -> str:
        """What is proven, or to be proven."""
        return f"{self.answer!r} is within {self.epsilon:g} of the best on the {self.on}"

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
        On the labelled points; not a number while there are none. They are chosen where models differ, so this is
        usually larger than over the pool.
    estimate
        Over the pool: known where there are labels, forecast from all models elsewhere. A guess.
    low, high
        An interval for the loss over the pool: all intervals hold together, at all times, with probability 1 - delta.
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
        """1 - loss on the labelled points: the share of right predictions where errors cost 1."""
        return 1 - self.loss
