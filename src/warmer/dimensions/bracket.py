"""The answer to every "what is the dimension?": two ends, a witness and a reason."""

import operator
import reprlib
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, Protocol

import numpy as np

from warmer.model import Family, Problem
from warmer.model.checks import at_most
from warmer.model.errors import CertificateError, InvalidValueError, ProtocolError
from warmer.model.numbers import as_number

_SHORT = reprlib.Repr()
_SHORT.maxother = _SHORT.maxstring = 160


class Witness(Protocol):
    """Evidence that a dimension is at least the length of something anyone can check."""

    def check(self, problem: Problem) -> Any:
        """Re-read the definition; return the margin, or raise `CertificateError` naming what fails."""


def brief(thing: Any) -> str:
    """The repr of a dataclass in one line: long sequences are cut, and of arrays only the shape is shown."""
    values = ((field.name, getattr(thing, field.name)) for field in fields(thing))
    cut = (f"{n}=<array {v.shape}>" if isinstance(v, np.ndarray) else f"{n}={_SHORT.repr(v)}" for n, v in values)
    return f"{type(thing).__name__}({', '.join(cut)})"


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

    def to_latex(self, name: str = "d") -> str:
        r"""What is known, as a formula without its dollar signs.

        Examples
        --------
        >>> print(Bracket(lower=2, upper=3, witness=None, reason="time limit").to_latex(r"d_\rho"))
        2 \le d_\rho \le 3
        """
        return f"{name} = {self.lower}" if self.is_exact else rf"{self.lower} \le {name} \le {self.upper}"

    def __repr__(self) -> str:
        return f"Bracket(lower={self.lower}, upper={self.upper}, reason={self.reason!r})"

    def __str__(self) -> str:
        ends = f"{self.lower}" if self.is_exact else f"between {self.lower} and {self.upper}"
        return f"{ends} ({self.reason})"


def require_table(problem: Any, measure: str, *, instead: str = "") -> Problem:
    """Return the problem if it is a finite table; else raise, and say what to use `instead` for a continuous class."""
    if isinstance(problem, Problem):
        return problem
    if not isinstance(problem, Family):
        kind = type(problem).__name__
        raise InvalidValueError(f"{measure} needs a Problem, got {kind}; use Problem.from_table.")
    theorem = f" Use {instead}, or" if instead else " There is no theorem for it either:"
    targets: Any = problem.targets
    has_count = hasattr(targets, "__len__")
    what = f"is a class of {len(targets)} targets without one" if has_count else "has infinitely many targets"
    take = "write what each expects of each query into one" if has_count else "take finitely many of them"
    name = type(problem).__name__ if type(problem).__repr__ is object.__repr__ else repr(problem)
    raise InvalidValueError(
        f"{measure} is decided by going through a finite table, and {name} {what}.{theorem} "
        f"{take} with Problem.from_table."
    )


def check_places(noun: str, places: Any, size: int) -> tuple[int, ...]:
    """The places that a witness names, as plain numbers, or `CertificateError` where one of them is not there."""
    if not isinstance(places, Sequence) and not (isinstance(places, np.ndarray) and places.ndim == 1):
        raise CertificateError(f"a witness needs a sequence of {noun} numbers, got {places!r}.")
    return tuple(_place(noun, place, size) for place in places)


def check_number(name: str, value: Any, problem: Problem) -> Any:
    """A witness's number in the problem's arithmetic, a fraction or a float, or `CertificateError` if it is none."""
    try:
        number = as_number(name, value)
        rounded = float(number)
    except InvalidValueError as error:
        raise CertificateError(f"in a witness {error}") from error
    except OverflowError as error:
        raise CertificateError(f"in a witness {name} must be a number that a float can hold.") from error
    return rounded if problem.rational is None else number


def check_epsilon(witness: Any, problem: Problem) -> Any:
    """A witness's epsilon in the problem's arithmetic, or `CertificateError` if it is not a number greater than 0."""
    epsilon = check_number("epsilon", witness.epsilon, problem)
    if not epsilon > 0:
        raise CertificateError(f"a witness needs an epsilon greater than 0, got {shown(epsilon)}.")
    return epsilon


def check_flag(name: str, value: Any) -> None:
    """Raise `CertificateError` unless a witness's flag is True or False: it says which definition is meant."""
    if not isinstance(value, bool | np.bool_):
        raise CertificateError(f"in a witness {name} must be True or False, got {value!r}.")


def is_at_most(left: Any, right: Any, problem: Problem) -> bool:
    """Whether left <= right: exactly where the problem's table is rational, else up to its slack."""
    return bool(left <= right if problem.rational is not None else at_most(left, right, problem.slack))


def shown(value: Any) -> str:
    """A value in a message; Python does not write out a number of thousands of digits."""
    try:
        return f"{value:g}" if isinstance(value, float) else f"{value}"
    except ValueError:
        return "a number of thousands of digits"


def _place(noun: str, place: Any, size: int) -> int:
    try:
        number = -1 if isinstance(place, bool | np.bool_) else operator.index(place)
    except TypeError:
        number = -1
    if not 0 <= number < size:
        raise CertificateError(f"the problem has no {noun} number {shown(place)}.")
    return number
