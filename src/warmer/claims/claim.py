"""One statement of the paper, executable: what it says, where it is tried, and how it is checked."""

import inspect
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction
from itertools import count
from numbers import Real
from typing import Generic, TypeVar

import numpy as np

from warmer.claims.instances.kinds import Generator, Instance
from warmer.dimensions import latex
from warmer.model.checks import at_most
from warmer.model.errors import InvalidValueError

Number = Fraction | int | float
Kind = TypeVar("Kind", bound=Instance)


class Expected(Enum):
    """What is known of a statement before it is run; anything else that happens is news."""

    HOLDS = "holds"  # a statement of the paper, as printed
    REFUTED = "refuted"  # a statement of the paper that is false as printed
    STEP_REFUTED = "step refuted"
    """A step of a proof in the paper that is false as printed, whatever becomes of the statement."""
    REPAIRED = "repaired"  # what takes the place of a statement or a step that is false as printed
    BEYOND = "beyond"  # a fact that holds and is not in the paper: sharper, or about something else

    @property
    def is_false(self) -> bool:
        """Whether the instances are expected to break it."""
        return self in (Expected.REFUTED, Expected.STEP_REFUTED)


@dataclass(frozen=True)
class Inequality:
    """Both sides of an inequality that a statement asserts on one instance: left <= right, or left < right.

    Whole numbers and fractions are compared exactly, floats with the one slack of `model.checks` (in favour of the
    statement; a strict inequality between floats is compared as it stands).

    Examples
    --------
    >>> Inequality(2, 3).holds, Inequality(3, 3, is_strict=True).holds, Inequality(1, 4).ratio
    (True, False, 0.25)
    """

    left: Number
    right: Number
    what: str = ""
    is_strict: bool = False

    def __post_init__(self) -> None:
        for side in (self.left, self.right):
            if isinstance(side, bool | np.bool_) or not isinstance(side, Real) or side != side:
                of = f" of {self.what!r}" if self.what else ""
                raise InvalidValueError(f"both sides of an inequality{of} must be numbers, got {side!r}.")

    @property
    def holds(self) -> bool:
        """Whether the inequality is true."""
        if self.is_strict:
            return bool(self.left < self.right)
        if isinstance(self.left, float) or isinstance(self.right, float):
            return bool(at_most(self.left, self.right))
        return bool(self.left <= self.right)

    @property
    def ratio(self) -> float:
        """How close left comes to right: 1 is equality."""
        if self.left == self.right:
            return 1.0
        return float(self.left / self.right) if self.right > 0 else float("inf") if self.left > 0 else 0.0

    @property
    def relation(self) -> str:
        """What is claimed, in numbers."""
        return f"{_short(self.left)} {'<' if self.is_strict else '<='} {_short(self.right)}"

    def __str__(self) -> str:
        return f"{self.what}: {self.relation}" if self.what else self.relation


def both_ways(left: Number, right: Number, what: str = "") -> Iterator[Inequality]:
    """An equation, as two inequalities."""
    yield Inequality(left, right, what)
    yield Inequality(right, left, what)


@dataclass(frozen=True)
class Claim(Generic[Kind]):
    r"""A statement with its hypotheses, the instances on which it is tried, a check, and what is expected.

    As a decorator it takes the check, whose docstring says the statement and, behind "If:", what it assumes.
    """

    label: str  # the LaTeX label of the statement in the paper; after a slash, which part or form of it
    expected: Expected = Expected.HOLDS
    """A refutation wants every given instance to break the statement, and one at least; the others want none to."""
    erratum: str = ""  # the entry of the errata
    draw: Callable[[Generator], Kind] | None = None  # a random instance; None where the given ones are all there is
    given: Callable[[], Iterable[Kind]] | None = None
    """Instances worth trying every time: extreme points, and counterexamples."""
    chance: float | None = None
    r"""$\delta$ where it holds with probability $1-\delta$: judged by the Clopper-Pearson limit of its failures."""
    at_most: int | None = None  # how many random instances are drawn at the most, for a check that is slow
    notices: str = ""  # for a bound that no instance comes near: how large an error of it the check would notice
    check: Callable[[Kind], Iterator[Inequality]] = lambda instance: iter(())
    """From an instance to the inequalities that the statement asserts there; none where the hypotheses fail."""
    statement: str = ""
    hypotheses: str = ""
    section: str = ""  # where it stands; the catalogue knows

    def __post_init__(self) -> None:
        assert self.draw is not None or self.given is not None

    def to_latex(self) -> str:
        r"""The statement and its hypotheses, as a paragraph.

        Examples
        --------
        >>> from warmer.claims import find
        >>> print(find("theorem::turan")[0].to_latex().split(".")[0])
        \paragraph{theorem::turan} A graph on n vertices whose cliques have at most d has at most (1-1/d) n\^{}2/2 edges
        """
        held = "" if self.hypotheses == "none" else rf" \emph{{If:}} {latex.words(self.hypotheses)}."
        return rf"\paragraph{{{latex.words(self.label)}}} {latex.words(self.statement)}{held}"

    def __call__(self, check: Callable[[Kind], Iterator[Inequality]]) -> "Claim[Kind]":
        """The claim with this check."""
        statement, _, assumed = inspect.cleandoc(check.__doc__ or "").partition("If: ")
        hypotheses = assumed.partition("\n\n")[0].removesuffix(".").replace("\n", " ")
        return replace(self, check=check, statement=statement.strip(), hypotheses=hypotheses or "none")


def drawn(claim: Claim[Kind], *, seed: int) -> Iterator[Kind]:
    """Random instances of a claim without end; instance k depends on the seed, the label and k alone."""
    assert claim.draw is not None
    for k in count():
        yield claim.draw(np.random.default_rng([seed, zlib.crc32(claim.label.encode()), k]))


def _short(number: Number) -> str:
    if isinstance(number, Fraction) and max(abs(number.numerator), number.denominator) > 9999:
        number = float(number)
    return f"{number:.6g}" if isinstance(number, float) else str(number)
