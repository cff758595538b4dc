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
    conditions: Sequence[str] = field(default=(), kw_only=True)
    """What was declared that a reader of the proof must know, such as the unit to which readings are rounded."""
    refuted: str = field(default="", kw_only=True)
    """Why the answers refute the declared noise, so that nothing is proven; empty where they do not."""
    question: str = field(default="", kw_only=True)
    """What must be declared before anything is proven; empty where that was done."""
    doubt: str = field(default="", kw_only=True)
    """A milder doubt about the declared noise: a caveat of the proof."""
    withdrawn: str = field(default="", kw_only=True)
    """When a proof that no longer stands was found, and when it was withdrawn."""

    def __bool__(self) -> bool:
        return self.is_proven

    @property
    def is_misspecified(self) -> bool:
        """Whether the data contradict every candidate, or refute the declared noise; then nothing is proven."""
        return bool(self.refuted) or self._is_contradicted

    def __str__(self) -> str:
        return "\n".join([self.verdict, *self.remarks])

    @property
    def verdict(self) -> str:
        """Proven or not, in a sentence."""
        if self.is_misspecified:
            return f"not proven: {self.reason}"
        if self.is_proven:
            caveat = self.doubt and f"caveat: {self.doubt}"
            return "; ".join(filter(None, [f"proven: {self._proof}", *self.conditions, caveat]))
        return f"not yet proven: {self.reason}"

    @property
    def reason(self) -> str:
        """Why nothing is proven, in a sentence; with it when a proof was found that is withdrawn. Empty for a proof."""
        if self.is_proven:
            return ""
        what = self.refuted and f"{self.refuted}; nothing proven can be relied on"
        what = "; ".join(filter(None, [what, self.question]))
        if self.withdrawn:
            what = f"{self.withdrawn}: {what or 'no candidate was left'}"
        if self._is_contradicted:
            return "; ".join(filter(None, [self._contradiction, what]))
        return what or self._objection

    @property
    def _is_contradicted(self) -> bool:
        return not self.remaining

    @property
    def _contradiction(self) -> str:
        return "the data contradict every candidate; check the table and the noise"

    @property
    def _proof(self) -> str:
        return (
            f"{self.statement}, with probability at least {certainty(self.delta)}; "
            f"all remaining candidates agree ({len(self.remaining)} left)"
        )

    @property
    def _objection(self) -> str:
        return f"{len(self.objectors)} of {len(self.remaining)} remaining candidates object to {self.answer!r}"
