r"""Generalised linear classes: what answers say about the parameter behind a link (docs/evidence.md).

With g the link, $\psi$ its integral and weights $w_a$ the evidence against $\theta$ is
$\Phi(\theta)=\sum_aw_a(n_a\psi(\langle\theta,a\rangle)-s_a\langle\theta,a\rangle)$ less one number for all; $n_a$ and
$s_a$ count and sum the answers. It is convex, and a quadratic below it takes its place.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from warmer.certification.continuous.deviations import deviations
from warmer.certification.continuous.ellipsoids import Minimiser, Quadratics
from warmer.certification.continuous.linear_questions import question_about
from warmer.certification.continuous.questions import Question
from warmer.certification.goals import Goal
from warmer.certification.noise import Bounded, Coin
from warmer.families import GLM, Linear, kernels, logistic
from warmer.model import Array
from warmer.model.readings import Tally

__all__ = ["GLMModel"]

_ROUNDS = 4
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(40)


@dataclass(frozen=True, eq=False)
class GLMModel:
    """The evidence about the parameter, and which action tells most."""

    family: GLM
    noise: Any
    delta: float

    def __post_init__(self) -> None:
        _ = self.weights  # raises for noise that cannot be

    @cached_property
    def weights(self) -> Array:
        r"""What each action's answers count: 1 for coins behind the logistic link, else $\kappa/\sigma_a^2$ with
        $\kappa$ the least slope of the link.
        """
        sigmas = deviations(self.noise, self.family)
        return np.ones_like(sigmas) if self.is_likelihood else np.asarray(self.family.slopes[0] / sigmas**2)

    @cached_property
    def is_likelihood(self) -> bool:
        """Whether the loss is the likelihood of coins itself."""
        is_logistic = self.family.link == logistic and self.family.reward_range == (0.0, 1.0)
        return is_logistic and isinstance(self.noise, Bounded | Coin)

    @property
    def linear(self) -> Linear:
        """The linear class behind the link."""
        return self.family.linear

    def start(self) -> Tally:
        """Nothing observed."""
        return Tally.empty(self.linear.n_actions)

    def update(self, data: Tally, query: int, reward: float, count: int = 1) -> Tally:
        """Count the answer, in the memory of the given data."""
        data.add(query, reward, count)
        return data

    def imagined(self, data: Tally, pending: Sequence[int]) -> Tally:
        """Pending actions answer as the likeliest parameter expects."""
        values, after = self.family.evaluate(slice(None), self.estimate(data)), Tally(*(part.copy() for part in data))
        for query in pending:
            after.add(query, float(values[query]))
        return after

    def evidence(self, data: Tally, theta: Array) -> float:
        """The evidence against a parameter of the ball, from below."""
        steepest = self.weights * data.counts * self._largest_slope(-self.family.reach, self.family.reach)
        most = (self.linear.matrix.T * steepest) @ self.linear.matrix
        growth = np.linalg.slogdet(np.eye(len(most)) + most / self._ridge)[1]
        rival = self._newton(data, 10 * self.linear.norm) if self.is_likelihood else self.estimate(data)
        return float(self._loss(data, theta) - self._ridged(data, rival) - growth / 2)

    def estimate(self, data: Tally) -> Array:
        r"""About the minimiser of $\Phi(\theta)+\frac n{2S^2}|\theta|^2$ over the ball."""
        theta: Array = self._once("estimate", data, self._newton)
        return theta

    def quadratics(self, data: Tally) -> Quadratics:
        """A quadratic below the evidence wherever this is below the threshold."""
        found: Quadratics = self._once("quadratics", data, self._below)
        return found

    def _once(self, name: str, data: Tally, work: Callable[[Tally], Any]) -> Any:
        """Worked out once for the same data: a step asks several times."""
        key = data.counts.tobytes() + data.sums.tobytes()
        if self._kept.get(name, (b"", None))[0] != key:
            self._kept[name] = (key, work(data))
        return self._kept[name][1]

    @cached_property
    def _kept(self) -> dict[str, tuple[bytes, Any]]:
        return {}

    def _newton(self, data: Tally, radius: float | None = None) -> Array:
        radius = self.linear.norm if radius is None else radius
        theta = np.zeros(self.linear.n)
        value = self._ridged(data, theta)
        for _ in range(30):
            slopes, matrix = self._slopes(data, theta) + self._ridge * theta, self._bends(data, theta)
            matrix = matrix + self._ridge * np.eye(theta.size)
            aim = kernels.quadratic.ball_minimum(matrix, matrix @ theta - slopes, radius)[0]
            length, trial = 1.0, aim
            while (found := self._ridged(data, trial)) > value and length > 1e-6:
                length /= 2
                trial = theta + length * (aim - theta)
            if value - found <= 1e-9:
                break
            theta, value = trial, found
        return theta

    def leader(self, data: Tally) -> int:
        """The best action of the likeliest parameter."""
        return self.linear.best_query(self.estimate(data))

    def _below(self, data: Tally) -> Quadratics:
        """Taylor's expansion at the estimate with too small a second derivative.

        Its bends are the least slopes of the link between the inner products that are possible; it makes fewer of
        them possible, and so on.
        """
        center, asked = self.estimate(data), np.flatnonzero(data.counts)
        points, at = self.linear.matrix[asked], self.linear.matrix[asked] @ center
        slopes, value = self._slopes(data, center), self.evidence(data, center)
        ends = (-self.linear.norm * self.linear.lengths[asked], self.linear.norm * self.linear.lengths[asked])
        for _ in range(_ROUNDS):
            least = self._least_slopes(np.minimum(ends[0], at), np.maximum(ends[1], at))
            gram = (points.T * (self.weights[asked] * data.counts[asked] * least)) @ points
            constant = value - slopes @ center + center @ gram @ center / 2
            found = Quadratics(gram[None], (gram @ center - slopes)[None], np.array([constant]))
            ends = self._within(found, points)
        return found

    def is_refuted(self, data: Tally) -> bool:
        """Whether every parameter no longer than the norm is ruled out."""
        if np.linalg.norm(self.estimate(data)) < (1 - 1e-6) * self.linear.norm:
            return False
        return self.rules_out(data, lambda gram, sums: kernels.quadratic.ball_minimum(gram, sums, self.linear.norm)[0])

    def rules_out(self, data: Tally, minimiser: Minimiser) -> bool:
        """Whether all parameters of a set are ruled out."""
        quadratics = self.quadratics(data)
        likeliest = minimiser(quadratics.grams[0], quadratics.sums[0])
        return bool(quadratics.at(likeliest)[0] >= -math.log(self.delta))

    def likeliest_of(self, data: Tally, minimiser: Minimiser) -> Array:
        """The likeliest parameter of a set."""
        quadratics = self.quadratics(data)
        return minimiser(quadratics.grams[0] + self._ridge * np.eye(self.linear.n), quadratics.sums[0])

    def bounds(self, data: Tally, directions: Array) -> tuple[Array, Array]:
        """Where the inner products of the parameter with some vectors (rows) lie."""
        return self._within(self.quadratics(data), directions)

    def intervals(self, data: Tally) -> dict[Any, tuple[float, float]]:
        """Where the mean of each action lies, all of them at all times."""
        pairs = zip(*self.bounds(data, self.linear.matrix), strict=True)
        return {
            label: (self.value(float(low)), self.value(float(high)))
            for label, (low, high) in zip(self.family.queries, pairs, strict=True)
        }

    def question(self, goal: Goal) -> Question:
        """The goal, read for these actions."""
        return question_about(self, goal)

    def lead(self, data: Tally, leader: int, epsilon: float) -> float:
        """By how much the inner product of an action that is better by epsilon is larger, at least: epsilon over the
        largest slope between what the leader has at least and what any action has at most.
        """
        lows, tops = self.bounds(data, self.linear.matrix)
        return epsilon / self._largest_slope(float(lows[leader]), float(max(tops.max(), lows[leader])))

    def inner(self, value: float) -> float:
        """The inner product of an action that is worth so much; infinite where none can be."""
        reach, link = self.family.reach, self.family.link
        if link.value(reach) < value:
            return math.inf
        return -math.inf if link.value(-reach) > value else link.preimage(value, reach)

    def value(self, inner: float) -> float:
        """What an action with such an inner product is worth."""
        return self.family.link.value(inner)

    def weighted(self, data: Tally, weights: Array) -> tuple[tuple[float, float], Array]:
        """Bounds on a weighted sum of the means, each within its own, and the action that adds most to the width."""
        lows, tops = (self.family.link.function(ends) for ends in self.bounds(data, self.linear.matrix))
        products = np.sort(weights * np.stack([lows, tops]), axis=0)
        widest = int((products[1] - products[0]).argmax())
        return (float(products[0].sum()), float(products[1].sum())), self.linear.matrix[widest]

    def tellings(self, data: Tally, direction: Array) -> Array:
        r"""By how much an answer of each action reduces the variance of $\langle d,\theta\rangle$, about."""
        theta = self.estimate(data)
        slopes = self.family.link.derivative(self.linear.matrix @ theta)
        points = self.linear.matrix * np.sqrt(self.weights * slopes)[:, None]
        matrix = self._bends(data, theta) + self._ridge * np.eye(theta.size)
        images = np.linalg.solve(matrix, np.column_stack([direction, points.T]))
        widths = (points * images[:, 1:].T).sum(axis=1)
        return np.asarray((points @ images[:, 0]) ** 2 / (1 + widths))

    @property
    def _ridge(self) -> float:
        return self.linear.n / self.linear.norm**2

    def _within(self, quadratics: Quadratics, directions: Array) -> tuple[Array, Array]:
        both = quadratics.largest(
            np.concatenate([-directions, directions]), -math.log(self.delta), float(self.linear.norm)
        )
        return -both[: len(directions)], both[len(directions) :]

    def _loss(self, data: Tally, theta: Array) -> float:
        """Phi; the integral of the link is taken from 0, by Gauss and Legendre."""
        inner = self.linear.matrix @ theta
        nodes = inner[:, None] * (_NODES + 1) / 2
        integrals = (self.family.link.function(nodes.ravel()).reshape(nodes.shape) @ _WEIGHTS) * inner / 2
        return float(self.weights @ (data.counts * integrals - data.sums * inner))

    def _ridged(self, data: Tally, theta: Array) -> float:
        return self._loss(data, theta) + self._ridge * float(theta @ theta) / 2

    def _slopes(self, data: Tally, theta: Array) -> Array:
        values = self.family.link.function(self.linear.matrix @ theta)
        return np.asarray((self.weights * (data.counts * values - data.sums)) @ self.linear.matrix)

    def _bends(self, data: Tally, theta: Array) -> Array:
        slopes = self.family.link.derivative(self.linear.matrix @ theta)
        return np.asarray((self.linear.matrix.T * (self.weights * data.counts * slopes)) @ self.linear.matrix)

    def _least_slopes(self, lows: Array, highs: Array) -> Array:
        """The least slope of the link between some numbers."""
        if self.family.link.slopes is not None:
            return np.full(lows.shape, self.family.slopes[0])
        return self.family.link.derivative(np.maximum(np.abs(lows), np.abs(highs)))

    def _largest_slope(self, low: float, high: float) -> float:
        """The largest slope of the link between two numbers."""
        if self.family.link.slopes is not None or low <= 0 <= high:
            return self.family.slopes[1]
        return self.family.link.slope(min(abs(low), abs(high)))
