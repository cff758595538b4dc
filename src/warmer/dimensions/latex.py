"""Numbers, labels and words as LaTeX, so that what was found can be pasted into a paper."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from warmer.model import Labels, Problem
from warmer.model.numbers import as_fraction

_ESCAPES = {
    **{character: f"\\{character}" for character in "{}$&#_%"},
    **{"\\": r"\textbackslash{}", "^": r"\^{}", "~": r"\~{}", "<": "$<$", ">": "$>$", "|": "$|$"},
}


NEXT = r",\ "
"""Between two elements of a sequence."""


def words(text: Any) -> str:
    r"""Text with everything escaped that LaTeX would read as a command; it belongs outside of formulas.

    Examples
    --------
    >>> print(words("d^1.5 < 100% of x_1"))
    d\^{}1.5 $<$ 100\% of x\_1
    """
    return "".join(_ESCAPES.get(character, character) for character in str(text))


def number(value: Any) -> str:
    r"""A number inside a formula: fractions as fractions, floats to six digits.

    Examples
    --------
    >>> print(number(Fraction(-1, 2)), number(0.25), number(1e-9), number(3))
    -\frac{1}{2} 0.25 1\cdot10^{-9} 3
    """
    if isinstance(value, str):
        value = as_fraction(value)
    if isinstance(value, Fraction) and value.denominator > 1:
        sign = "-" if value < 0 else ""
        return rf"{sign}\frac{{{abs(value.numerator)}}}{{{value.denominator}}}"
    if isinstance(value, float) and not value.is_integer():
        mantissa, _, exponent = f"{value:.6g}".partition("e")
        return rf"{mantissa}\cdot10^{{{int(exponent)}}}" if exponent else mantissa
    return f"{int(value)}"


def squared(value: Any) -> str:
    """The square of a number inside a formula, not worked out."""
    shown = number(value)
    return rf"\left({shown}\right)^2" if "frac" in shown else f"{shown}^2"


def labels(places: Iterable[int], named: Labels | None) -> list[str]:
    """The labels at these places inside a formula; without a problem their numbers."""
    return [str(place) if named is None else rf"\text{{{words(named[place])}}}" for place in places]


def pairs(first: Sequence[str], second: Sequence[str]) -> str:
    """Elements of two parts each, as a sequence; elements of equal parts are shown as one."""
    return sequence([a if a == b else rf"({a},{b})" for a, b in zip(first, second, strict=True)])


def sequence(elements: Sequence[str]) -> str:
    """Elements as a sequence in brackets."""
    return f"({NEXT.join(elements)})"


def described(what: str, *facts: str) -> str:
    """What was found, and what is true of it, as one formula without its dollar signs."""
    return r",\quad ".join([what, *facts])


def of_queries(problem: Problem | None) -> Labels | None:
    """The labels of the queries, where there is a problem."""
    return None if problem is None else problem.queries


def of_targets(problem: Problem | None) -> Labels | None:
    """The labels of the targets, where there is a problem."""
    return None if problem is None else problem.targets
