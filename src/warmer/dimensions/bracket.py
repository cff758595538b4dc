"""The answer to every "what is the dimension?": two ends, a witness and a reason."""

import operator
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from warmer.model import CertificateError, Problem, ProtocolError

__all__ = ["Bracket", "Witness", "check_places"]


class Witness(Protocol):
    """Evidence that a dimension is at least the length of something anyone can check."""

    def check(self, problem: Problem) -> Any:
        """Re-read the definition; return the margin, or raise `CertificateError` naming what fails."""
        ...


@dataclass(frozen=True)
class Bracket:
    """What is known of a dimension: at least `lower`, by the witness; at most `upper`, for the reason.

    Examples
    --------
    >>> bracket = Bracket(lower=2, upper=3, witness=None, reason="time limit")
    >>> bracket.is_exact, str(bracket)
    (False, 'between 2 and 3 (time limit)')
    """

    lower: int
    upper: int
    witness: Witness | None
    reason: str

    def __post_init__(self) -> None:
        assert 0 <= self.lower <= self.upper

    @property
    def is_exact(self) -> bool:
        """Whether both ends meet."""
        return self.lower == self.upper

    @property
    def value(self) -> int:
        """The dimension; raises `ProtocolError` while the ends have not met."""
        if not self.is_exact:
            raise ProtocolError(
                f"the dimension is only known to lie between {self.lower} and {self.upper} ({self.reason}); "
                "read .lower and .upper, or allow a longer time_limit."
            )
        return self.lower

    def __str__(self) -> str:
        ends = f"{self.lower}" if self.is_exact else f"between {self.lower} and {self.upper}"
        return f"{ends} ({self.reason})"


def check_places(noun: str, places: Sequence[int], size: int, *, epsilon: Any) -> None:
    """Raise `CertificateError` where a witness names what is not there, or a scale that is none."""
    if not float(epsilon) > 0:
        raise CertificateError(f"a witness needs an epsilon greater than 0, got {epsilon}.")
    for place in places:
        try:
            is_there = 0 <= operator.index(place) < size
        except TypeError:
            is_there = False
        if not is_there:
            raise CertificateError(f"the problem has no {noun} number {place}.")
