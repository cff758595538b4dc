r"""The evidence against a parameter $\theta$ of which answers are linear functions, up to noise (docs/evidence.md).

With $W=\sum_ia_ia_i^\top/\sigma_i^2$ and $b=\sum_ir_ia_i/\sigma_i^2$, evidence of one scale is the convex quadratic
$\frac12(b-W\theta)^\top(P+W)^{-1}(b-W\theta)-\frac12\ln\det(I+P^{-1}W)$ for a matrix P chosen in advance.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from warmer.families import kernels
from warmer.model import Array

__all__ = ["Minimiser", "Moments", "Quadratics", "Scales", "optimal_design", "reaching"]

Minimiser = Callable[[Array, Array], Array]
r"""From G and b to the minimiser of $x^\top Gx-2b^\top x$ over some set."""

_N_SCALES = 8
_RATIO = 6.0
_MULTIPLIERS = np.concatenate([[1e-12], np.geomspace(1e-4, 1e4, 49)])


class Moments(NamedTuple):
    """W and b: all that is remembered of the answers."""

    gram: Array
    sums: Array


class Quadratics(NamedTuple):
    r"""$\frac12\theta^\top G_k\theta-s_k^\top\theta+c_k$ for each scale k: the evidence, its share paid for."""

    grams: Array
    sums: Array
    constants: Array

    def at(self, theta: Array) -> Array:
        """Their values."""
        return np.asarray((self.grams @ theta / 2 - self.sums) @ theta + self.constants)

    def rule_out(self, minimiser: Minimiser, threshold: float, likeliest: Array) -> bool:
        """Whether one of them reaches the threshold on a whole set.

        One look at the likeliest parameter of the set shows, most of the time, that none does.
        """
        for k in np.flatnonzero(self.at(likeliest) >= threshold).tolist():
            gram = self.grams[k]
            if self.at(minimiser((gram + gram.T) / 2, self.sums[k]))[k] >= threshold:
                return True
        return False

    def largest(self, directions: Array, threshold: float, radius: float) -> Array:
        r"""For each direction (a row) an upper bound on $\langle d,\theta\rangle$ where all are below the threshold and
        $|\theta|\le r$.

        For every multiplier $\nu\ge0$ such parameters lie in an ellipsoid, that of one quadratic plus
        $\frac\nu2(|\theta|^2-r^2)$; the least bound of all quadratics and some multipliers is taken.
        """
        tops = radius * np.linalg.norm(directions, axis=1)
        least = max(1e-12 * float(np.abs(self.grams).max()), 1e-100)
        for gram, sums, constant in zip(*self, strict=True):
            values, vectors = np.linalg.eigh((gram + gram.T) / 2)
            multipliers = _MULTIPLIERS * max(values[-1], least)
            ridged = np.maximum(values, 0.0) + multipliers[:, None]
            turned, center = directions @ vectors, (sums @ vectors) / ridged
            rooms = 2 * (threshold - constant) + multipliers * radius**2 + center @ (vectors.T @ sums)
            widths = np.sqrt(np.maximum(rooms, 0.0) * (turned**2 @ (1 / ridged).T))
            tops = np.minimum(tops, (turned @ center.T + widths).min(axis=1))
        return np.asarray(tops)


@dataclass(frozen=True, eq=False)
class Scales:
    r"""Evidence of several scales: for each a matrix $P_k=\tau_kM$, where M is what an answer is worth under a good
    design, and $\tau_k$ a number of answers. The evidence is the logarithm of the average of all, and is never less
    than that of one scale divided by the number of scales.
    """

    design: Array

    def quadratics(self, data: Moments) -> Quadratics:
        """The evidence of each scale."""
        precisions, log_dets = self._precisions
        together = precisions + data.gram
        inverses = np.linalg.inv(together)
        images = data.gram @ inverses
        growths = np.linalg.slogdet(together)[1] - log_dets
        constants = data.sums @ inverses @ data.sums / 2 - growths / 2 - math.log(_N_SCALES)
        return Quadratics(images @ data.gram, images @ data.sums, constants)

    @cached_property
    def _precisions(self) -> tuple[Array, Array]:
        answers = len(self.design) / 4 * _RATIO ** np.arange(_N_SCALES)
        matrices = answers[:, None, None] * self.design
        return matrices, np.linalg.slogdet(matrices)[1]


def optimal_design(points: Array) -> Array:
    r"""$\sum_aw_aaa^\top$ for proportions $w$ of some points (rows) under which no point's value is much less certain
    than the others': the G-optimal design, to a tenth, by steps of Frank and Wolfe.
    """
    n_points, n = points.shape
    proportions = np.full(n_points, 1 / n_points)
    floor = 1e-9 * np.square(points).sum() / n_points * np.eye(n)
    while True:
        design = points.T @ (proportions[:, None] * points) + floor
        widths = ((points @ np.linalg.inv(design)) * points).sum(axis=1)
        widest = int(widths.argmax())
        if widths[widest] <= 1.1 * n:
            return np.asarray(design)
        step = (widths[widest] / n - 1) / (widths[widest] - 1)
        proportions *= 1 - step
        proportions[widest] += step


def reaching(columns: Array, level: float, radius: float) -> Minimiser | None:
    r"""The minimiser over $|x|\le r$ where some column reaches the level; None if none can."""
    lengths = np.linalg.norm(columns, axis=0)
    if not (level <= radius * lengths).any():
        return None
    return lambda gram, sums: kernels.quadratic.minimum(columns, lengths, gram, sums, level, radius)[0]
