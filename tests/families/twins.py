"""Plain twins of the compiled loops of the families: slow, and as near to the definitions as can be."""

import numpy as np
from scipy.linalg import null_space
from scipy.optimize import brentq

from warmer.families.solvers.quadratic import in_shell, spectrum


def clipped(count, total, low, high, unpulled):
    return float(np.clip(total / count, low, high)) if count else unpulled


def lifted(counts, sums, low, high, level):
    """Of all ways to lift one arm's fitted mean to the level, the first with the least sum of squares."""
    fitted = [clipped(n, s, low, high, max(level, low)) for n, s in zip(counts, sums, strict=True)]
    if max(fitted) >= level:
        return fitted
    ways = [[*fitted[:k], level, *fitted[k + 1 :]] for k in range(len(fitted))]
    return min(ways, key=lambda means: sum(n * (f - s / n) ** 2 for n, s, f in zip(counts, sums, means, strict=True)))


def top(inside, low, high):
    """The largest number of [low, high] inside an interval that holds low, by bisection; high where all are."""
    if inside(high):
        return high
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if inside(middle) else (low, middle)
    return low


def in_ball(gram, sums, radius):
    """The shortest minimiser of x'Gx - 2b'x over |x| <= radius, from the equation of its multiplier."""
    values, vectors = np.linalg.eigh(gram)
    values, coefficients = np.maximum(values, 0.0), sums @ vectors

    def length(mu):
        return np.linalg.norm(coefficients / (values + mu))

    low, high = 1e-12 * max(values[-1], 1e-18), 2 * np.linalg.norm(sums) / radius
    mu = low if length(low) <= radius else brentq(lambda mu: length(mu) - radius, low, high, xtol=1e-300)
    return vectors @ (coefficients / (values + mu))


def least_on_sphere(gram, sums, radius):
    """The least x'Gx - 2b'x over |x| = radius: the largest value of its concave dual (there is no gap)."""
    values, vectors = np.linalg.eigh(gram)
    coefficients = sums @ vectors

    def dual(nu):  # the multiplier above that of the least eigenvalue
        gaps = values - values[0] + nu
        parts = np.divide(coefficients**2, gaps, out=np.zeros_like(gaps), where=coefficients != 0)
        return -parts.sum() - (nu - values[0]) * radius**2

    low, high = 1e-14, np.linalg.norm(sums) / radius + 1e-13
    for _ in range(300):
        left, right = (2 * low + high) / 3, (low + 2 * high) / 3
        low, high = (left, high) if dual(left) < dual(right) else (low, right)
    return dual(low)


def on_plane(gram, sums, normal, level, radius):
    """The minimiser over |x| <= radius and <normal, x> = level: one over a ball of the plane."""
    foot, directions = level * normal / (normal @ normal), null_space(normal[None])
    room = np.sqrt(max(radius**2 - foot @ foot, 0.0))
    if directions.shape[1] == 0 or room <= 1e-9 * radius:
        return foot
    inner = in_ball(directions.T @ gram @ directions, directions.T @ (sums - gram @ foot), room)
    return foot + directions @ inner


def reaching(columns, gram, sums, level, radius):
    """The minimiser over the ball where some column reaches the level: every column is tried."""
    free = in_ball(gram, sums, radius)
    if (free @ columns).max() >= level:
        return free
    possible = [a for a in columns.T if level <= radius * np.linalg.norm(a) * (1 + 1e-12)]  # touching is enough
    points = [on_plane(gram, sums, a, level, radius) for a in possible]
    return min(points, key=lambda x: x @ gram @ x - 2 * sums @ x)


def relu_loss(theta, points, counts, means, bias):
    return sum(n * (max(a @ theta - bias, 0.0) - m) ** 2 for a, n, m in zip(points, counts, means, strict=True))


def foot(rows, bias):
    """The shortest vector whose inner product with every row is the bias."""
    return np.linalg.lstsq(rows, np.full(len(rows), bias), rcond=None)[0] if len(rows) else np.zeros(rows.shape[1])


def settled(theta, damping, heard, held, data, shortest):
    """The minimiser over the shell of the quadratic of the heard queries, by coordinates of the plane of the held ones.

    None where no point of the shell has every held query in its corner.
    """
    points, counts, means, bias = data
    n = len(theta)
    near = foot(points[held], bias)
    directions = null_space(points[held]) if len(held) else np.eye(n)
    room = 1 - near @ near
    if room < 0 or (directions.shape[1] == 0 and near @ near < shortest**2):
        return None
    if directions.shape[1] == 0:
        return near
    active = points[heard]
    gram = (counts[heard] * active.T) @ active
    pull = damping * np.trace(gram) / n + 1e-13
    sums = active.T @ (counts[heard] * (means[heard] + bias)) + pull * theta
    gram = gram + pull * np.eye(n)
    inner = np.sqrt(max(shortest**2 - near @ near, 0.0))
    quadratic = spectrum(directions.T @ gram @ directions, directions.T @ (sums - gram @ near))
    return near + directions @ in_shell(quadratic, inner=inner, outer=np.sqrt(room))
