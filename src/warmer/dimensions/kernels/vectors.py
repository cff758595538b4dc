"""Descent on the violation of a dissimilar sequence of vectors: many small steps, so compiled.

The unknowns are the vectors (on the sphere one for each element, otherwise parameters and then actions) and one more,
s, for the center `alpha - epsilon - s**2`. Vectors are scaled to length 1 on the sphere, and to at most 1 in the ball.
"""

from typing import Any

import numpy as np
from numba import njit

_MEMORY = 12


@njit(cache=True)
def violation(point: Any, length: Any, n: Any, on_sphere: Any, scale: Any, gradient: Any) -> Any:
    """The sum of squared violations in units of epsilon; fills `gradient`. `scale` is (alpha, epsilon, tolerance)."""
    alpha, epsilon, tolerance = scale
    n_vectors = length if on_sphere else 2 * length
    vectors = np.empty((n_vectors, n))
    sizes = np.empty(n_vectors)
    for v in range(n_vectors):
        square = 0.0
        for k in range(n):
            square += point[v * n + k] ** 2
        size = np.sqrt(square)
        sizes[v] = size if on_sphere or size > 1.0 else 1.0
        for k in range(n):
            vectors[v, k] = point[v * n + k] / sizes[v]
    shift = 0 if on_sphere else length
    s = point[n_vectors * n]
    center = alpha - epsilon - s * s
    slopes = np.zeros((n_vectors, n))
    by_center = 0.0
    total = 0.0
    for i in range(length):
        for j in range(i, length):
            value = 0.0
            for k in range(n):
                value += vectors[shift + i, k] * vectors[j, k]
            if i == j:
                excess = min(0.0, value - alpha)
            else:
                offset = value - center
                excess = max(0.0, offset - tolerance) + min(0.0, offset + tolerance)
                by_center -= 2 * excess / epsilon**2
            if excess != 0.0:
                total += (excess / epsilon) ** 2
                slope = 2 * excess / epsilon**2
                for k in range(n):
                    slopes[shift + i, k] += slope * vectors[j, k]
                    slopes[j, k] += slope * vectors[shift + i, k]
    for v in range(n_vectors):
        along = 0.0
        for k in range(n):
            along += slopes[v, k] * vectors[v, k]
        if not on_sphere and sizes[v] == 1.0:
            along = 0.0
        for k in range(n):
            gradient[v * n + k] = (slopes[v, k] - along * vectors[v, k]) / sizes[v]
    gradient[n_vectors * n] = -2 * s * by_center
    return total


@njit(cache=True)
def descend(start: Any, length: Any, n: Any, on_sphere: Any, scale: Any, n_steps: Any, goal: Any) -> Any:
    """Limited-memory quasi-Newton descent with backtracking, until the violation is at most `goal` or nothing moves."""
    point = start.copy()
    size = point.size
    gradient, other = np.zeros(size), np.zeros(size)
    value = violation(point, length, n, on_sphere, scale, gradient)
    moves, turns, products = np.zeros((_MEMORY, size)), np.zeros((_MEMORY, size)), np.zeros(_MEMORY)
    weights = np.zeros(_MEMORY)
    n_kept = 0
    for _ in range(n_steps):
        if value <= goal:
            break
        direction = -gradient
        for back in range(min(n_kept, _MEMORY)):
            m = (n_kept - 1 - back) % _MEMORY
            weights[m] = (moves[m] * direction).sum() / products[m]
            direction -= weights[m] * turns[m]
        if n_kept:
            m = (n_kept - 1) % _MEMORY
            direction *= products[m] / (turns[m] ** 2).sum()
        for back in range(min(n_kept, _MEMORY) - 1, -1, -1):
            m = (n_kept - 1 - back) % _MEMORY
            direction += moves[m] * (weights[m] - (turns[m] * direction).sum() / products[m])
        descent = (direction * gradient).sum()
        if descent >= 0.0:
            direction = -gradient
            descent = -(gradient**2).sum()
            n_kept = 0
        if descent > -1e-32:
            break
        step = 1.0 if n_kept else min(1.0, 0.1 / np.sqrt(-descent))
        has_moved = False
        for _try in range(40):
            trial = point + step * direction
            new = violation(trial, length, n, on_sphere, scale, other)
            if new <= value + 1e-4 * step * descent:
                has_moved = True
                break
            step *= 0.5
        if not has_moved:
            if n_kept == 0:
                break
            n_kept = 0
            continue
        move, turn = trial - point, other - gradient
        product = (move * turn).sum()
        if product > 1e-30:
            m = n_kept % _MEMORY
            moves[m], turns[m], products[m] = move, turn, product
            n_kept += 1
        point, value = trial, new
        gradient[:] = other
    return point
