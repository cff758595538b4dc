"""Graphs, falling functions, gaps and numbers for the lemmas of the proofs."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from warmer.claims.instances.kinds import Generator, Instance
from warmer.model import Array


@dataclass(frozen=True, eq=False)
class Graph(Instance):
    """A graph by its adjacency."""

    graph: Array


@dataclass(frozen=True, eq=False)
class Steps(Instance):
    """A falling step function on [1, T], by its values on the halves [k/2, (k+1)/2)."""

    values: list[Fraction]
    horizon: int


@dataclass(frozen=True, eq=False)
class Gaps(Instance):
    """Numbers, the largest first, and the tau of the lemmas."""

    gaps: Array
    tau: float


@dataclass(frozen=True, eq=False)
class Constants(Instance):
    """What the numerical steps are taken at."""

    dimension: int
    alpha: float
    epsilon: float
    horizon: int


def draw_graph(rng: Generator) -> Graph:
    """A random graph."""
    n, density = int(rng.integers(1, 13)), float(rng.uniform(0.1, 0.95))
    upper = np.triu(rng.random((n, n)) < density, 1)
    return Graph(f"{n} vertices, {int(upper.sum())} edges", upper | upper.T)


def turan_graphs() -> Iterator[Graph]:
    """Balanced complete graphs of parts, which attain the bound."""
    for parts, size in ((2, 3), (3, 2), (4, 3)):
        colors = np.repeat(np.arange(parts), size)
        yield Graph(f"{parts} parts of {size}", colors[:, None] != colors[None, :])


def draw_steps(rng: Generator) -> Steps:
    """A random falling step function."""
    horizon = int(rng.integers(1, 12))
    values = np.sort(rng.integers(-20, 21, 2 * horizon))[::-1]
    return Steps(f"steps {values.tolist()}", [Fraction(int(v)) for v in values], horizon)


def draw_gaps(rng: Generator) -> Gaps:
    """Random gaps, and the extreme ones."""
    horizon, tau = int(rng.integers(1, 60)), float(rng.choice([0.0, 0.01, 0.1, 0.5]))
    kind = rng.choice(["uniform", "extremal", "geometric"])
    k = np.arange(1, horizon + 1)
    kappa = float(rng.uniform(0.5, 20))
    gaps = {
        "uniform": rng.uniform(0, 0.999, horizon) ** int(rng.integers(1, 4)),
        "extremal": np.sqrt(kappa / k),
        "geometric": np.exp(-k / kappa),
    }[str(kind)]
    return Gaps(f"{horizon} {kind} gaps, tau={tau:g}", np.sort(gaps)[::-1], tau)


def draw_constants(rng: Generator) -> Constants:
    """Random numbers that the proofs may meet."""
    d, alpha = int(rng.integers(1, 400)), float(rng.uniform(-0.99, 1))
    epsilon = float(rng.uniform(1e-6, 1) ** 3 * (1 + alpha) * 0.999)
    horizon = int(rng.integers(1, 400))
    return Constants(f"d={d}, alpha={alpha:.4g}, eps={epsilon:.4g}, T={horizon}", d, alpha, epsilon, horizon)
