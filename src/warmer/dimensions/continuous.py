r"""Long dissimilar sequences in continuous classes, by numerical optimisation; upper ends only from what is proved.

The search minimises how far a sequence of d vectors misses the definition, from many starts, for d = 2, 3, ...
until none succeeds. What it returns is checked as a finite table, so the lower end is certain; that a longer
sequence was not found proves nothing.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import scipy

from warmer.bounds import linear_dimension_bound, sphere_dimension_bound
from warmer.dimensions.bracket import Bracket
from warmer.dimensions.dissimilarity.witness import DissimilarityWitness, VectorWitness
from warmer.dimensions.search.anytime import Anytime, Progress
from warmer.model import Array
from warmer.model.checks import check_count
from warmer.model.errors import CertificateError
from warmer.model.numbers import as_number, check_scale
from warmer.model.time_limit import Clock, interruptible

_POLISHED = 250  # up to how many unknowns a nearly feasible sequence is polished by sequential quadratic programming
_STEPS = 60  # steps of the descent
_NEAR = 2e-3  # how far from feasible, in units of epsilon, a sequence may be to be polished at once
_N_POLISHED = 3  # how many of the sequences that come nearest are polished


@interruptible()
def search_vectors(
    kind: Literal["sphere", "ball"],
    n: int,
    *,
    alpha: Any = 1.0,
    epsilon: Any,
    starts: int = 40,
    seed: int = 0,
    time_limit: float | None = None,
    progress: Progress | None = None,
) -> Bracket:
    r"""Bracket the dissimilarity dimension of a class of vectors of $\mathbb R^n$ with inner products.

    "sphere" is the unit sphere, with the upper end of `sphere_dimension_bound`; "ball" are linear bandits, parameters
    and actions in the unit ball, with that of `linear_dimension_bound`. For each length there are so many random
    `starts`, besides the simplex and the cross-polytope, or geometric sequences.

    Examples
    --------
    >>> bracket = search_vectors("sphere", 2, epsilon=1.5)
    >>> bracket.lower, bracket.upper
    (4, 5)
    """
    theorem: Callable[..., int] = sphere_dimension_bound if kind == "sphere" else linear_dimension_bound
    search = Anytime(time_limit, progress)
    check_count("n", n)
    check_count("starts", starts, 0)
    rng = np.random.default_rng(check_count("seed", seed, 0))
    level, scale = float(as_number("alpha", alpha)), float(check_scale("epsilon", epsilon))
    if level > 1:
        return Bracket(lower=0, upper=0, witness=None, reason="no alternative reaches alpha")
    search.upper, search.reason = theorem(n=n, alpha=level, epsilon=scale), f"bounds.{theorem.__name__}"
    shape = Shape(n, level, scale, on_sphere=kind == "sphere" or level == 1)
    search.found = single(shape)
    with search.running():
        search.move(lower=1)
        while not search.is_closed:
            found = longer(shape, search.found, starts, rng, search.clock)
            if found is None:
                search.stopped = f"no longer sequence found in {starts} starts"
                break
            search.found = found
            search.move(lower=len(found))
    return search.bracket(search.found)


@dataclass(frozen=True)
class Shape:
    """A class of sequences of vectors: unit vectors that are both, or parameters and actions in the unit ball."""

    n: int
    alpha: float
    epsilon: float
    on_sphere: bool

    def vectors(self, unknowns: Array, length: int) -> tuple[Array, Array, Callable[[Array, Array], Array]]:
        """Parameters, actions, and the map that turns their gradients, or stacks of them, into the unknowns'."""
        raw = unknowns.reshape(-1, self.n)
        lengths = np.maximum(0.0 if self.on_sphere else 1.0, np.linalg.norm(raw, axis=1, keepdims=True))
        inside = raw / lengths

        def pull_back(parameters: Array, actions: Array) -> Array:
            gradient = parameters + actions if self.on_sphere else np.concatenate([parameters, actions], axis=-2)
            along = np.where(self.on_sphere | (lengths > 1), (gradient * inside).sum(axis=-1, keepdims=True), 0.0)
            pulled = (gradient - inside * along) / lengths
            return np.asarray(pulled.reshape(*pulled.shape[:-2], -1))

        return inside[:length], inside[-length:], pull_back

    def on_sphere_starts(self, best: VectorWitness, n_random: int, rng: np.random.Generator) -> Iterator[Array]:
        """Unknowns to start from: the simplex, the cross-polytope, the best with a vector more, and random ones."""
        length = len(best) + 1
        if length <= self.n + 1:
            simplex = np.eye(length) - 1 / length
            basis = np.linalg.svd(simplex)[0][:, : length - 1]
            yield np.pad(basis, ((0, 0), (0, self.n - length + 1))).ravel()
        if length <= 2 * self.n:
            yield np.concatenate([np.eye(self.n), -np.eye(self.n)])[:length].ravel()
        for number in range(n_random):
            if number % 2:
                yield _inserted(best.parameters, length - 1, rng).ravel()
            else:
                yield rng.normal(size=length * self.n)

    def in_ball_starts(self, best: VectorWitness, n_random: int, rng: np.random.Generator) -> Iterator[Array]:
        """Unknowns to start from: geometric sequences, the best with a pair more, and random ones."""
        length = len(best) + 1
        # falling parameters against rising actions, block by block: every forward product shrinks
        per_block = -(-length // self.n)
        base = max(self.alpha, 1e-9) ** (1 / max(1, per_block - 1))
        block, step = np.divmod(np.arange(length), per_block)
        axes = np.eye(self.n)[block]
        geometric = np.concatenate([axes * base ** step[:, None], axes * base ** (per_block - 1 - step[:, None])])
        yield geometric.ravel()
        for number in range(n_random):
            if number % 3 == 0:
                yield (geometric * rng.lognormal(sigma=0.2, size=(2 * length, 1))).ravel()
            elif number % 3 == 1:
                place = int(rng.integers(length))
                parts = [_inserted(vectors, place, rng) for vectors in (best.parameters, best.actions)]
                yield np.concatenate(parts).ravel()
            else:
                yield rng.normal(size=2 * length * self.n) / math.sqrt(self.n)


def single(shape: Shape) -> VectorWitness:
    """A sequence of one element."""
    vector = np.eye(shape.n)[:1]
    center = shape.alpha - shape.epsilon
    return VectorWitness(vector, vector, DissimilarityWitness((0,), (0,), center, shape.alpha, shape.epsilon))


def longer(
    shape: Shape, best: VectorWitness, starts: int, rng: np.random.Generator, clock: Clock
) -> VectorWitness | None:
    """A sequence longer by one, or None when no start leads to one."""
    length = len(best) + 1
    near: list[tuple[float, int, Array]] = []
    all_starts = shape.on_sphere_starts if shape.on_sphere else shape.in_ball_starts
    for number, start in enumerate(all_starts(best, starts, rng)):
        clock.check()
        unknowns, miss = _descend(shape, length, start)
        found = _as_witness(shape, length, unknowns)
        if found is None and miss < _NEAR * shape.epsilon:
            found = _polished(shape, length, unknowns)
        if found is not None:
            return found
        near.append((miss, number, unknowns))
    for _, _, unknowns in sorted(near)[:_N_POLISHED]:
        clock.check()
        found = _polished(shape, length, unknowns)
        if found is not None:
            return found
    return None


def _inserted(vectors: Array, place: int, rng: np.random.Generator) -> Array:
    """The vectors with a random one of length about 1 at a place."""
    new = rng.normal(size=vectors.shape[1]) / math.sqrt(vectors.shape[1])
    return np.insert(vectors, place, new, axis=0)


def _descend(shape: Shape, length: int, start: Array) -> tuple[Array, float]:
    """Minimise the sum of squared violations, center included; return the unknowns and the largest violation."""
    n_pairs = length * (length - 1) // 2
    # aim a little inside, relative to the scale, so that a strict solution is met and not only approached
    tolerance, above = (1 - 1e-7) / math.sqrt(length), 1e-9 * abs(shape.alpha) / shape.epsilon
    low, high = (np.repeat(ends, [n_pairs, length]) for ends in ([-tolerance, above], [tolerance, np.inf]))

    def violations(point: Array) -> Array:  # the last unknown keeps the center below alpha - epsilon
        values = _values(shape, length, point[:-1], shape.alpha - shape.epsilon - point[-1] ** 2)
        return np.asarray(values - np.clip(values, low, high))

    def slopes(point: Array) -> Array:
        by_center = np.repeat([2 * point[-1] / shape.epsilon, 0.0], [n_pairs, length])
        rows = np.column_stack([_slopes(shape, length, point[:-1]), by_center])
        return np.asarray(rows * (violations(point) != 0)[:, None])

    point = np.append(start, math.sqrt(max(0.0, shape.alpha - shape.epsilon)) + 0.1)
    method: Any = "lm" if low.size >= point.size else "trf"
    found = scipy.optimize.least_squares(violations, point, slopes, method=method, max_nfev=_STEPS).x[:-1]
    return found, _miss(shape, length, found)


def _polished(shape: Shape, length: int, start: Array) -> VectorWitness | None:
    """Minimise the largest violation itself; the solutions that matter most lie on the boundary."""
    if start.size > _POLISHED:
        return None
    n_unknowns, n_pairs = start.size, length * (length - 1) // 2

    def margins(point: Array) -> Array:
        offset, own = np.split(_values(shape, length, point[:-2], point[-2]), [n_pairs])
        room = 1 / math.sqrt(length) + point[-1]
        return np.concatenate([room - offset, room + offset, own + point[-1]])

    def slopes(point: Array) -> Array:
        slope = _slopes(shape, length, point[:-2])
        rows = np.ones((2 * n_pairs + length, n_unknowns + 2))
        rows[:n_pairs, :n_unknowns], rows[n_pairs:, :n_unknowns] = -slope[:n_pairs], slope
        rows[:, -2] = np.repeat([1 / shape.epsilon, -1 / shape.epsilon, 0.0], [n_pairs, n_pairs, length])
        return rows

    objective = np.append(np.zeros(n_unknowns + 1), 1.0)
    minimize: Any = scipy.optimize.minimize  # its stubs know no objective that returns its gradient and constraints
    result = minimize(
        lambda point: (point[-1], objective),
        np.append(start, [_center(shape, length, start), _miss(shape, length, start) / shape.epsilon]),
        jac=True,
        method="SLSQP",
        bounds=[(None, None)] * n_unknowns + [(None, shape.alpha - shape.epsilon), (None, None)],
        constraints={"type": "ineq", "fun": margins, "jac": slopes},
        options={"maxiter": 200, "ftol": 1e-15},
    )
    return _as_witness(shape, length, np.asarray(result.x[:-2]))


def _values(shape: Shape, length: int, unknowns: Array, center: float) -> Array:
    """Forward values less the center, then everyone's own less alpha, in units of epsilon."""
    parameters, actions, _ = shape.vectors(unknowns, length)
    products = actions @ parameters.T
    forward, own = products[np.triu_indices(length, 1)], np.diagonal(products)
    return np.concatenate([forward - center, own - shape.alpha]) / shape.epsilon


def _slopes(shape: Shape, length: int, unknowns: Array) -> Array:
    """How the values change with the unknowns: a row for each of them."""
    parameters, actions, pull_back = shape.vectors(unknowns, length)
    queries, targets = (np.append(places, np.arange(length)) for places in np.triu_indices(length, 1))
    rows = np.arange(queries.size)
    by_parameter, by_action = np.zeros((2, queries.size, length, shape.n))
    by_parameter[rows, targets], by_action[rows, queries] = actions[queries], parameters[targets]
    return pull_back(by_parameter, by_action) / shape.epsilon


def _center(shape: Shape, length: int, unknowns: Array) -> float:
    """The best center for the forward values."""
    forward = shape.epsilon * _values(shape, length, unknowns, 0.0)[:-length]
    return min(shape.alpha - shape.epsilon, float(forward.min() + forward.max()) / 2)


def _miss(shape: Shape, length: int, unknowns: Array) -> float:
    """By how much the best center misses the definition."""
    forward, own = np.split(_values(shape, length, unknowns, _center(shape, length, unknowns)), [-length])
    return shape.epsilon * float(max(np.abs(forward).max() - 1 / math.sqrt(length), -own.min()))


def _as_witness(shape: Shape, length: int, unknowns: Array) -> VectorWitness | None:
    parameters, actions, _ = shape.vectors(unknowns, length)
    places = tuple(range(length))
    center = _center(shape, length, unknowns)
    witness = VectorWitness(
        parameters, actions, DissimilarityWitness(places, places, center, shape.alpha, shape.epsilon)
    )
    try:
        witness.check()
    except CertificateError:
        return None
    return witness
