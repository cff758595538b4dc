"""Links of generalised linear models: increasing functions with bounds on their slopes."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import scipy

from warmer.model import Array
from warmer.model.checks import SLACK, at_least, at_most
from warmer.model.errors import InvalidValueError
from warmer.model.numbers import as_vector


@dataclass(frozen=True)
class Link:
    """A differentiable, strictly increasing function g, its derivative, and bounds on the derivative.

    Parameters
    ----------
    function, derivative
        g and g', on arrays.
    slopes
        Bounds (low, high) with 0 < low <= g' <= high wherever the model can reach; None where g' is
        even and falls away from 0, as that of the logistic and the normal distribution function do.

    Examples
    --------
    >>> [round(bound, 4) for bound in logistic.bounds(1.0)]
    [0.1966, 0.25]
    """

    function: Callable[[Array], Array]
    derivative: Callable[[Array], Array]
    slopes: tuple[float, float] | None = None

    def __post_init__(self) -> None:
        for name in ("function", "derivative"):
            if not callable(getattr(self, name)):
                raise InvalidValueError(f"a link's {name} must be a function on arrays, got {getattr(self, name)!r}.")
        if self.slopes is not None:
            low, high = as_vector("a link's slopes", self.slopes, 2).tolist()
            if not 0 < low <= high:
                came = f"got {self.slopes!r}"
                raise InvalidValueError(f"a link's slopes must be a pair (low, high) with 0 < low <= high, {came}.")
            object.__setattr__(self, "slopes", (low, high))

    def bounds(self, reach: float) -> tuple[float, float]:
        """The least and the largest slope on [-reach, reach]; function and derivative are checked on a grid."""
        grid = np.linspace(-reach, reach, 201)
        heights, seen = self._finite("function", grid), self._finite("derivative", grid)
        low, high = self.slopes or (self.slope(reach), self.slope(0.0))
        if not (low > 0 and at_least(seen.min(), low) and at_most(seen.max(), high)):
            raise InvalidValueError(
                "a link must increase with slopes between its bounds, 0 < low <= g' <= high; they are "
                f"({low:g}, {high:g}), and on [-{reach:g}, {reach:g}] the slope runs from {seen.min():g} to "
                f"{seen.max():g}."
            )
        rises, runs = np.diff(heights), np.diff(grid)
        slack = SLACK * np.maximum(1.0, np.abs(heights[1:]))
        is_wrong = (rises < low * runs - slack) | (rises > high * runs + slack)
        if is_wrong.any():
            k = int(is_wrong.argmax())
            raise InvalidValueError(
                f"a link must increase with slopes between its bounds, here ({low:g}, {high:g}); from x = {grid[k]:g} "
                f"to x = {grid[k + 1]:g} it goes from {heights[k]:g} to {heights[k + 1]:g}."
            )
        return low, high

    def value(self, x: float) -> float:
        """G at one point."""
        return float(self.function(np.array([x]))[0])

    def slope(self, x: float) -> float:
        """G' at one point."""
        return float(self.derivative(np.array([x]))[0])

    def preimage(self, value: float, reach: float) -> float:
        """The least x in [-reach, reach] with g(x) >= value, to rounding; the value must be attained."""
        low, high = -reach, reach
        if self.value(low) >= value:
            return low
        while (middle := (low + high) / 2) not in (low, high):
            low, high = (low, middle) if self.value(middle) >= value else (middle, high)
        return high

    def _finite(self, name: str, grid: Array) -> Array:
        return as_vector(f"a link's {name} at {grid.size} numbers", getattr(self, name)(grid), grid.size)


def _logistic(x: Array) -> Array:
    return np.asarray(0.5 + 0.5 * np.tanh(x / 2))  # never overflows


def _logistic_slope(x: Array) -> Array:
    value = _logistic(x)
    return np.asarray(value * (1 - value))


def _normal(x: Array) -> Array:
    return np.asarray(scipy.special.ndtr(x))


def _normal_slope(x: Array) -> Array:
    return np.exp(-x * x / 2) / math.sqrt(2 * math.pi)


logistic = Link(_logistic, _logistic_slope)
r"""$g(x)=1/(1+e^{-x})$."""

probit = Link(_normal, _normal_slope)
r"""$g(x)=\Phi(x)$, the normal distribution function."""
