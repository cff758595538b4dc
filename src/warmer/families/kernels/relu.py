r"""Least squares for $\max(\langle\theta,a\rangle-b,0)$ over $r\le|\theta|\le1$, one set of heard queries at a time.

While the set of queries with $\langle\theta,a_i\rangle>b$ stays the same the loss is a quadratic. A query with a
negative mean answer may hold a minimum in its corner $\langle\theta,a_i\rangle=b$, where the loss bends upwards; one
with a positive mean never does. So a local minimum is that of one quadratic on the plane of some corners: a problem
with a bound on the norm, in fewer dimensions.

A query that is forced counts as heard even where its inner product is below the bias. For a set S of queries with
positive means let $G_S$ be the loss with S forced and, for those with positive means outside S, $m_i^2$ plus the
square of what is heard. It is convex, nowhere below the loss, and equal to it where just S of these queries is heard:
the least loss is the least of all $G_S$. Over the ball each is a convex problem.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from warmer.families.kernels.quadratic import in_ball, inner, on_sphere
from warmer.model import Array

_MANY = 500  # a descent ends after about ten steps; the bound only guards against a loop without end
_FLAT = 1e-9


class Data(NamedTuple):
    """What was asked, a row each, how often, the mean answers, the bias, and the least length of a parameter."""

    points: Array
    counts: Array
    means: Array
    bias: float
    shortest: float


@njit(cache=True)
def loss(theta: Array, forced: Array, data: Data) -> float:
    """The sum of squared residuals of the mean answers."""
    points, counts, means, bias, _ = data
    total = 0.0
    for k in range(counts.size):
        above = inner(points[k], theta) - bias
        residual = (above if forced[k] else max(above, 0.0)) - means[k]
        total += counts[k] * residual * residual
    return total


@njit(cache=True)
def bowls(sets: Array, data: Data) -> tuple[Array, Array]:
    """For each set S, a row, the minimiser over the shell of its own squares, and a bound below all of G_S."""
    points, counts, means, bias, _ = data
    none = np.empty(0, dtype=np.int64)
    bottoms, bounds = np.zeros((len(sets), points.shape[1])), np.zeros(len(sets))
    for k in range(len(sets)):
        bottoms[k], _ = settled(bottoms[k], 0.0, sets[k], none, data)
        for i in range(counts.size):
            above = inner(points[i], bottoms[k]) - bias if sets[k, i] else 0.0
            bounds[k] += counts[i] * (above - means[i]) ** 2
    return bottoms, bounds


@njit(cache=True)
def best_of_bowls(start: Array, sets: Array, data: Data) -> tuple[Array, float, int]:
    """The best minimiser of any G_S, walked on from, its loss, and how many were looked at.

    Sets are taken in the order of their bounds until these pass the best loss found; start is a first guess.
    """
    free = np.zeros(data.counts.size, dtype=np.bool_)
    theta, value = descended(start, free, data)
    bottoms, bounds = bowls(sets, data)
    n_seen = 0
    for k in np.argsort(bounds):
        if bounds[k] >= value - 1e-10 * (1 + value):
            break
        quieted = np.where(sets[k], data.means, np.minimum(data.means, 0.0))
        trial = _lowest(bottoms[k], sets[k], Data(data.points, data.counts, quieted, data.bias, data.shortest))
        trial, new = descended(trial, free, data)
        n_seen += 1
        if new < value:
            theta, value = trial, new
    return theta, value, n_seen


@njit(cache=True)
def _lowest(bottom: Array, forced: Array, data: Data) -> Array:
    """The best end of walks in one bowl: from its bottom and, where that has the least length, from all around it.

    On a sphere the bottom need not be unique; a weak pull towards each axis, both ways, chooses others.
    """
    theta, value = descended(bottom, forced, data)
    n, none, shortest = bottom.size, np.empty(0, dtype=np.int64), data.shortest
    if shortest == 0 or inner(bottom, bottom) > shortest * shortest * (1 + 1e-9):
        return theta
    for k in range(2 * n):
        aim = np.zeros(n)
        aim[k // 2] = 1.0 - 2.0 * (k % 2)
        start, _ = settled(aim, 1e-6, forced, none, data)
        trial, new = descended(start, forced, data)
        if new < value:
            theta, value = trial, new
    return theta


@njit(cache=True)
def descended(start: Array, forced: Array, data: Data) -> tuple[Array, float]:
    """A point that no damped step improves, whichever of the nearest corners it is held in, and its loss."""
    theta, value, damping = start, loss(start, forced, data), 0.0
    for _ in range(_MANY):
        best, least = _stepped(theta, value, damping, forced, data)
        if least < value:
            is_done = value - least <= 1e-14 * value
            theta, value, damping = best, least, damping / 3 if damping > 1e-6 else 0.0
            if is_done:
                break
        elif damping > 1e6:
            break
        else:
            damping = max(10 * damping, 1e-3)
    return theta, value


@njit(cache=True)
def flipped(start: Array, forced: Array, data: Data) -> tuple[Array, float]:
    """The end of a descent that hearing one query less, or one more, does not improve; and its loss."""
    theta, value = descended(start, forced, data)
    none = np.empty(0, dtype=np.int64)
    query, n_failed = 0, 0
    while n_failed < data.counts.size:
        heard = _heard(theta, data) | forced
        heard[query] = forced[query] or not heard[query]
        trial, _ = settled(theta, 0.0, heard, none, data)
        trial, new = descended(trial, forced, data)
        n_failed += 1
        if new < value - 1e-12 * (1 + value):
            theta, value, n_failed = trial, new, 0
        query = (query + 1) % data.counts.size
    return theta, value


@njit(cache=True)
def settled(theta: Array, damping: float, heard: Array, held: Array, data: Data) -> tuple[Array, bool]:
    """The minimiser of the quadratic of the heard queries with others held in their corners; whether there is one.

    Damping pulls it towards theta.
    """
    n = theta.size
    free, foot, is_possible = _plane(held, data.points, data.bias)
    room = 1 - inner(foot, foot)
    if not is_possible or room < 0:
        return theta, False
    need = np.sqrt(max(data.shortest**2 - 1 + room, 0.0))
    if held.size == n or room < _FLAT:
        return foot, need <= _FLAT
    gram, sums = _moments(heard, data)
    pull = damping * np.trace(gram) / n + 1e-13
    for i in range(n):
        gram[i, i] += pull
        sums[i] += pull * theta[i]
    values, vectors = np.linalg.eigh(free @ gram @ np.ascontiguousarray(free.T))
    values, axes = np.maximum(values, 0.0), np.ascontiguousarray(vectors.T) @ free
    coefficients = axes @ (sums - gram @ foot)
    point, _ = in_ball(values, coefficients, np.sqrt(room))
    if inner(point, point) < need * need:
        point, missing = on_sphere(values, coefficients, need)
        point[0] += missing
    return foot + point @ axes, True


@njit(cache=True)
def _stepped(theta: Array, value: float, damping: float, forced: Array, data: Data) -> tuple[Array, float]:
    """The best of the steps that hold none to all of the nearest corners; if none helps, that let go of one corner."""
    heard, corners = _heard(theta, data) | forced, _nearest_corners(theta, data)
    held = corners[:0].copy()
    best, least, n_touched, touched = theta, value, 0, held
    for k in range(-1, corners.size):
        tried = held if k < 0 else np.append(held, corners[k])
        trial, is_possible = settled(theta, damping, heard, tried, data)
        is_touched = k >= 0 and abs(inner(data.points[corners[k]], theta) - data.bias) < _FLAT
        n_touched += is_touched
        if not is_possible:  # this corner follows from those held, or cannot be had with them
            continue
        held = tried
        if is_touched:
            touched = held
        new = loss(trial, forced, data)
        if new < least:
            best, least = trial, new
    if least < value:
        return best, least
    for k in range(2 * touched.size):
        heard[corners[:n_touched]] = k % 2 == 0
        rest = touched[touched != touched[k // 2]]
        trial, _ = settled(theta, damping, heard, rest, data)
        new = loss(trial, forced, data)
        if new < least:
            best, least = trial, new
    return best, least


@njit(cache=True)
def _moments(heard: Array, data: Data) -> tuple[Array, Array]:
    points, counts, means, bias, _ = data
    n = points.shape[1]
    gram, sums = np.zeros((n, n)), np.zeros(n)
    for k in range(counts.size):
        if heard[k]:
            for i in range(n):
                weighted = counts[k] * points[k, i]
                sums[i] += weighted * (means[k] + bias)
                for j in range(n):
                    gram[i, j] += weighted * points[k, j]
    return gram, sums


@njit(cache=True)
def _plane(held: Array, points: Array, bias: float) -> tuple[Array, Array, bool]:
    """Where each held query's inner product is the bias: directions, a row each, the shortest point, and existence."""
    n = points.shape[1]
    if held.size == 0:
        return np.eye(n), np.zeros(n), True
    left, sizes, right = np.linalg.svd(points[held])
    if held.size > n or sizes[-1] < 1e-6:
        return np.eye(n), np.zeros(n), False
    foot = np.zeros(n)
    for k in range(held.size):
        foot += bias * left[:, k].sum() / sizes[k] * right[k]
    return np.ascontiguousarray(right[held.size :]), foot, True


@njit(cache=True)
def _heard(theta: Array, data: Data) -> Array:
    """Which queries are heard, or, in the very corner, should be: the loss of a positive mean falls only there."""
    points, _, means, bias, _ = data
    heard = np.empty(means.size, dtype=np.bool_)
    for k in range(means.size):
        heard[k] = inner(points[k], theta) > (bias - 1e-12 if means[k] > 0 else bias)
    return heard


@njit(cache=True)
def _nearest_corners(theta: Array, data: Data) -> Array:
    """The queries with negative means nearest to their corners, the nearest first, twice as many as dimensions."""
    points, _, means, bias, _ = data
    gaps = np.full(means.size, np.inf)
    n_corners = 0
    for k in range(means.size):
        if means[k] < 0:
            gaps[k] = abs(inner(points[k], theta) - bias)
            n_corners += 1
    return np.argsort(gaps)[: min(n_corners, 2 * theta.size)]
