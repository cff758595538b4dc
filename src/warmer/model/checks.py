"""Checks of scalars, and the one slack that comparisons of floats may use."""

import math
import reprlib
from collections.abc import Iterable
from numbers import Real
from typing import Any

import numpy as np
import numpy.typing as npt

from warmer.model.errors import HypothesisError, InvalidValueError
from warmer.model.words import certainty, exact

SLACK = 1e-9
"""Relative slack of every comparison between floats where equality is a case that matters."""


def slack_for(dtype: npt.DTypeLike) -> float:
    """Relative slack for values stored in this dtype: `SLACK`, or what single precision can hold.

    Examples
    --------
    >>> slack_for("float64"), slack_for("float32")
    (1e-09, 1e-06)
    """
    return 1e-6 if np.dtype(dtype) == np.float32 else SLACK


def at_most(left: Any, right: Any, slack: float = SLACK) -> Any:
    """Whether left <= right, up to the slack; elementwise on arrays.

    Examples
    --------
    >>> at_most(0.1 + 0.2, 0.3), at_most(0.31, 0.3)
    (True, False)
    """
    return left <= right + slack * _size(right)


def at_least(left: Any, right: Any, slack: float = SLACK) -> Any:
    """Whether left >= right, up to the slack; elementwise on arrays.

    Examples
    --------
    >>> at_least(0.3, 0.1 + 0.2), at_least(0.3, 0.31)
    (True, False)
    """
    return left >= lowered(right, slack)


def lowered(right: Any, slack: float = SLACK) -> Any:
    """The least number that is at least right, up to the slack."""
    return right - slack * _size(right)


def check_finite(name: str, value: Any) -> float:
    """Return the value as a float, or say that it is not a finite number; text is none, even if it spells one."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise InvalidValueError(f"{name} must be a number, got {reprlib.repr(value)}.")
    try:
        number = float(value)
    except OverflowError:
        raise InvalidValueError(f"{name} must be a number that a float can hold, got one beyond 1e308.") from None
    if not math.isfinite(number):
        raise InvalidValueError(f"{name} must be a finite number, got {number}.")
    return number


def check_positive(name: str, value: Any) -> float:
    """Return the value as a float > 0, or say what came."""
    number = check_finite(name, value)
    if number <= 0:
        raise InvalidValueError(f"{name} must be greater than 0, got {exact(number)}.")
    return number


def check_not_negative(name: str, value: Any, advice: str = "") -> float:
    """Return the value as a float of at least 0, or say what came."""
    number = check_finite(name, value)
    if number < 0:
        raise InvalidValueError(f"{name} must be at least 0{advice}, got {exact(number)}.")
    return number


def check_probability(name: str, value: Any) -> float:
    """Return the value as a float strictly between 0 and 1, or say what came."""
    number = check_finite(name, value)
    if not 0 < number < 1:
        raise InvalidValueError(f"{name} must lie strictly between 0 and 1, got {exact(number)}.")
    return number


def check_count(name: str, value: Any, least: int = 1, most: int | None = None) -> int:
    """Return the value as an integer of at least `least`, or say what came."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise InvalidValueError(f"{name} must be a whole number, got {value!r}.")
    if value < least:
        raise InvalidValueError(f"{name} must be at least {least}, got {value}.")
    if most is not None and value > most:
        raise InvalidValueError(f"{name} must be at most {most:,}, got more.")
    return int(value)


def check_learner(who: str, learner: Any) -> None:
    """Raise unless this is a learner, as far as one can see; a class is none, only what it makes."""
    if isinstance(learner, type):
        raise InvalidValueError(
            f"{who} needs a learner, such as {learner.__name__}(problem, ...), got the class itself."
        )
    if isinstance(learner, str):
        raise InvalidValueError(
            f"{who} needs a learner such as TopTwo(problem, goals.BestQuery(0.1)), got the text {learner!r}; names are "
            "for compare and budget."
        )
    if not hasattr(learner, "ask"):
        raise InvalidValueError(f"{who} needs a learner, such as LeastSquares, got {type(learner).__name__}.")
    for name in ("problem", "init", "tell"):
        if not hasattr(learner, name):
            raise InvalidValueError(
                f"{who} needs a learner, with problem, init, ask and tell; {type(learner).__name__} has no {name}."
            )


def check_names(what: str, names: Any, example: str) -> None:
    """Raise unless these are names in a list: neither one text, which would be read letter by letter, nor objects."""
    if isinstance(names, str) or not isinstance(names, Iterable):
        raise InvalidValueError(f'{what} must be a list of names such as ["{example}"], got {reprlib.repr(names)}.')
    other = next((each for each in names if not isinstance(each, str)), None)
    if other is not None:
        raise InvalidValueError(
            f"{what} must be names such as {example!r}, got the object {type(other).__name__}; simulate takes objects."
        )


def check_has(needed: str, part: Any, *names: str, advice: str = "") -> None:
    """Raise unless a part of a user's own has these members; a class has none of them, only what it makes.

    Examples
    --------
    >>> check_has("goal must be a goal", 3, "answers", "sentence")
    Traceback (most recent call last):
    ...
    warmer.model.errors.InvalidValueError: goal must be a goal, got 3.
    """
    if isinstance(part, type):
        raise InvalidValueError(f"{needed}, got the class {part.__name__} itself; make one with {part.__name__}(...).")
    for name in names:
        if not hasattr(part, name):
            shown = reprlib.repr(part) if _is_plain(part) else f"{type(part).__name__}, which has no {name}"
            raise InvalidValueError(f"{needed}, got {shown}{advice and f'; {advice}'}.")


def _is_plain(value: Any) -> bool:
    """Whether a value reads best as itself in a message, rather than by its type."""
    return value is None or isinstance(value, str | Real | tuple | list)


def check_radius(radius: float, *, needed: float, delta: float) -> None:
    """Raise where a confidence set is too small to keep the truth with probability 1-delta."""
    if radius < needed:
        raise HypothesisError(
            f"the confidence set keeps the truth with probability {certainty(delta)} if its radius is at least "
            f"{needed:g}; it is {exact(radius)}."
        )


def check_alpha(alpha: float | None, best: float, slack: float = SLACK) -> None:
    """Raise where no target reaches alpha; `best` is the largest self-evaluation there is."""
    if alpha is not None and not at_least(best, alpha, slack):
        raise InvalidValueError(
            f"alpha must be reached by some target's own best query; the best is {best:g}, "
            f"got {exact(alpha)}. Lower alpha or use Optimistic."
        )


def check_interval(name: str, interval: Any) -> tuple[float, float]:
    """Return the pair (low, high) as finite floats with low < high, or say what came."""
    try:
        low, high = interval
    except (TypeError, ValueError):
        raise InvalidValueError(f"{name} must be a pair (low, high), got {interval!r}.") from None
    ends = check_finite(f"the low end of {name}", low), check_finite(f"the high end of {name}", high)
    if not low < high:
        raise InvalidValueError(f"{name} must be a pair with low < high, got ({exact(low)}, {exact(high)}).")
    return ends


def _size(value: Any) -> Any:
    return np.maximum(1.0, np.abs(value)) if isinstance(value, np.ndarray) else max(1.0, abs(float(value)))
