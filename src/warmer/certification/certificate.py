"""The verdict on a goal: proven, not yet, or the data contradict every candidate."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from warmer.model import Label
from warmer.model.words import certainty


@dataclass(frozen=True)
class Certificate:
    """Whether an answer is proven right; true in a condition exactly when it is.

    Where it is not, `answer` is the one that the likeliest candidate would give, and `objectors` are the candidates
    still possible that do not accept it, the likeliest first.
    """

    answer: Any
    """In the user's own labels; None where nothing is left to choose from."""
    is_proven: bool
    delta: float
    """The probability with which the proof may be wrong, over all time."""
    remaining: Sequence[Label]
    """The candidates that the data leave possible, the likeliest first."""
    objectors: Sequence[Label]
    statement: str
    """What a proof of the answer means, in words."""
    remarks: Sequence[str] = field(default=(), kw_only=True)
    """What a reader must know of answers that were changed or left out, a sentence each."""

    def __bool__(self) -> bool:
        return self.is_proven

    @property
    def is_misspecified(self) -> bool:
        """Whether the data contradict every candidate; then nothing is proven."""
        return not self.remaining

    def __str__(self) -> str:
        return "\n".join([self.verdict, *self.remarks])

    @property
    def verdict(self) -> str:
        """Proven or not, in a sentence."""
        if self.is_misspecified:
            return "not proven: the data contradict every candidate; check the table and the noise"
        if self.is_proven:
            return (
                f"proven: {self.statement}, with probability at least {certainty(self.delta)}; "
                f"all remaining candidates agree ({len(self.remaining)} left)"
            )
        return (
            f"not yet proven: {len(self.objectors)} of {len(self.remaining)} remaining candidates object to "
            f"{self.answer!r}"
        )
