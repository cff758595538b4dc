r"""Trigonometric polynomials of degree 2, and where they are least on arcs of the circle.

A row of coefficients $(c_0,c_1,s_1,c_2,s_2)$ stands for $c_0+c_1\cos x+s_1\sin x+c_2\cos2x+s_2\sin2x$. Every sum of
squares $\sum_in_i(\ell_i\cos(x-x_i)-m_i)^2$ is one.
"""

from typing import Any

import numpy as np

from warmer.model import Array

TURN = 2 * np.pi


def square_terms(angles: Any, *, lengths: Any, levels: Any, counts: Any) -> Array:
    r"""The coefficients of $n(\ell\cos(x-a)-m)^2$, a row for each angle a, length, level m and count."""
    a, length, m, n = np.broadcast_arrays(angles, lengths, levels, counts)
    half, cross = n * length**2 / 2, -2 * n * length * m
    terms = (half + n * m**2, cross * np.cos(a), cross * np.sin(a), half * np.cos(2 * a), half * np.sin(2 * a))
    return np.stack(terms, axis=-1).astype(float)


def values(coefficients: Array, angles: Array) -> Array:
    """Each row's polynomial at its own angles (rows by angles)."""
    c0, c1, s1, c2, s2 = (coefficients[:, [k]] for k in range(5))
    return np.asarray(
        c0 + c1 * np.cos(angles) + s1 * np.sin(angles) + c2 * np.cos(2 * angles) + s2 * np.sin(2 * angles)
    )


def least_on_arcs(coefficients: Array, starts: Array, ends: Array) -> tuple[float, float]:
    """The angle where some row's polynomial is least on its arc [start, end], and that value.

    The candidates are the ends, the middle, and the stationary points: angles of the roots of a quartic, polished by
    Newton. Among values equal to rounding the lowest arc wins, and on it the lowest angle.
    """
    found = np.concatenate([_stationary(coefficients), starts[:, None]], axis=1)
    inside = starts[:, None] + np.mod(found - starts[:, None], TURN)
    inside = np.where(inside <= ends[:, None], inside, starts[:, None])
    middles = (starts + ends)[:, None] / 2
    angles = np.sort(np.concatenate([starts[:, None], inside, middles, ends[:, None]], axis=1), axis=1)
    heights = values(coefficients, angles)
    least = heights.min()
    row, column = np.argwhere(heights <= least + 1e-12 * (1 + np.abs(coefficients).max()))[0]
    return float(angles[row, column]), float(heights[row, column])


def _stationary(coefficients: Array) -> Array:
    r"""Angles where the derivative vanishes.

    With $w_k=c_k-is_k$ and $z=e^{ix}$ the derivative is a multiple of $2w_2z^4+w_1z^3-\bar w_1z-2\bar w_2$.
    """
    first = coefficients[:, 1] - 1j * coefficients[:, 2]
    second = coefficients[:, 3] - 1j * coefficients[:, 4]
    size = np.abs(first) + np.abs(second) + 1e-300
    first, second = first / size, second / size
    second = np.where(np.abs(second) < 1e-12, 1e-12, second)  # a quartic in name; Newton sets the roots right
    companion = np.zeros((len(first), 4, 4), dtype=complex)
    companion[:, [1, 2, 3], [0, 1, 2]] = 1.0
    companion[:, 0, 3] = second.conj() / second
    companion[:, 1, 3] = first.conj() / (2 * second)
    companion[:, 3, 3] = -first / (2 * second)
    angles = np.angle(np.linalg.eigvals(companion))
    for _ in range(3):
        angles = angles - _newton_step(coefficients, angles)
    return angles


def _newton_step(coefficients: Array, angles: Array) -> Array:
    _, c1, s1, c2, s2 = (coefficients[:, [k]] for k in range(5))
    cos, sin, cos2, sin2 = np.cos(angles), np.sin(angles), np.cos(2 * angles), np.sin(2 * angles)
    slope = -c1 * sin + s1 * cos - 2 * c2 * sin2 + 2 * s2 * cos2
    bend = -c1 * cos - s1 * sin - 4 * c2 * cos2 - 4 * s2 * sin2
    step = np.divide(slope, bend, out=np.zeros_like(slope), where=np.abs(bend) > 1e-300)
    return np.where(np.abs(step) < 0.1, step, 0.0)
