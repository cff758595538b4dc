"""What follows from a declared range of rewards, and the reader of an answer."""

import reprlib
from typing import Any

import numpy as np

from warmer.model.checks import check_positive
from warmer.model.errors import InvalidValueError


class Rewarded:
    """What tables and families share: rewards lie in a range, and a query is an index unless it is said to be more."""

    reward_range: tuple[float, float]

    @property
    def scale(self) -> float:
        """Half the length of the reward range: one unit of the paper's [-1, 1] in the user's units."""
        low, high = self.reward_range
        return (high - low) / 2

    @property
    def query_shape(self) -> tuple[int, ...]:
        """A query is an index."""
        return ()

    def sigma(self, declared: float | None) -> float:
        """The declared deviation of the noise, checked; where none is declared, `scale`, which is always true.

        Rewards in an interval of length 2s are s-sub-Gaussian around their mean, whatever their distribution.
        """
        sigma = self.scale if declared is None else check_positive("sigma", declared)
        if not 1e-100 <= sigma <= 1e100:
            raise InvalidValueError(f"sigma must be a deviation of rewards, between 1e-100 and 1e+100, got {sigma:g}.")
        return sigma


def read_reward(answer: Any, low: float, high: float, name: str, giver: str, advice: str = "") -> float:
    """An answer as a float within the bounds; `InvalidValueError` where it is none.

    Text is no number, even if it spells one; yes and no are 1 and 0.

    Examples
    --------
    >>> read_reward(np.float32(0.5), 0.0, 1.0, "'left'", "Mine.reward()")
    0.5
    >>> read_reward("1", 0.0, 1.0, "'left'", "Mine.reward()")
    Traceback (most recent call last):
    ...
    warmer.model.errors.InvalidValueError: the answer to 'left' must be a number in [0, 1], got '1' from Mine.reward().
    """
    number = _number(answer)
    if number is None or not low <= number <= high:
        needed = f"a number in [{low:g}, {high:g}]" if abs(high) < np.finfo(float).max else "a finite number"
        raise InvalidValueError(
            f"the answer to {name} must be {needed}, got {reprlib.repr(answer)}{giver and f' from {giver}'}."
            + (f" {advice}" if advice and number is not None and np.isfinite(number) else "")
        )
    return number


def _number(answer: Any) -> float | None:
    """The float that an answer is, if it is a number."""
    if isinstance(answer, str | bytes | bytearray | complex | np.complexfloating | np.ma.MaskedArray):
        return None
    try:
        return None if np.ndim(answer) else float(answer)
    except (TypeError, ValueError):
        return None
    except OverflowError:
        return np.inf
