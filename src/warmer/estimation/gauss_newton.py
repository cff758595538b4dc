"""Nonlinear least squares over a constrained parameter: damped Gauss-Newton steps from several starts.

Each step solves the linearised problem under the same constraints exactly, so that every point visited is feasible.
What is reached is a point that no step improves: a local minimum as a rule, a global one where the starts suffice.
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np

from warmer.model import Array

__all__ = ["Observed", "Response", "best_first", "descents", "loss"]

Response = Callable[[Array], tuple[Array, Array]]
"""From inner products to predictions and their derivatives."""

Solve = Callable[[Array, Array], Array]
"""The minimiser of x'Gx - 2b'x under the constraints, from G and b."""


class Observed(NamedTuple):
    """What was asked, a row each, how often, and the mean answers."""

    points: Array
    counts: Array
    means: Array


def loss(theta: Array, observed: Observed, response: Response) -> float:
    """The sum of squared residuals of the mean answers."""
    residuals = response(observed.points @ theta)[0] - observed.means
    return float(observed.counts @ (residuals * residuals))


def descents(starts: Iterable[Array], observed: Observed, response: Response, solve: Solve) -> list[Array]:
    """The points that descent reaches from the starts, the best first; equals stay in the order of the starts."""
    return best_first([_descent(start, observed, response, solve) for start in starts])


def best_first(reached: list[tuple[Array, float]]) -> list[Array]:
    """Points in the order of their losses; those that are least up to rounding keep their order."""
    least = min(value for _, value in reached)
    slack = 1e-12 * (1 + abs(least))
    return [point for point, _ in sorted(reached, key=lambda pair: max(pair[1], least + slack))]


def _descent(start: Array, observed: Observed, response: Response, solve: Solve) -> tuple[Array, float]:
    theta, value, damping = start, loss(start, observed, response), 1e-9
    for _ in range(60):
        gram, sums = _linearised(theta, observed, response)
        size = np.trace(gram) / theta.size
        while damping < 1e6:
            pull = damping * size + 1e-12
            trial = solve(gram + pull * np.eye(theta.size), sums + pull * theta)
            new = loss(trial, observed, response)
            if new < value:
                break
            damping = max(10 * damping, 1e-6)
        else:
            break
        is_done = value - new <= 1e-13 * value
        theta, value, damping = trial, new, damping / 10
        if is_done:
            break
    return theta, value


def _linearised(theta: Array, observed: Observed, response: Response) -> tuple[Array, Array]:
    inner = observed.points @ theta
    values, slopes = response(inner)
    weighted = (observed.counts * slopes)[:, None] * observed.points
    gram = (slopes[:, None] * observed.points).T @ weighted
    return gram, (observed.means - values + slopes * inner) @ weighted
