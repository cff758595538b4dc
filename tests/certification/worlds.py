"""Runs in which everything that a declaration allows is done to rule the truth out."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from scipy.stats import binom

from tests.certification.instances import updated
from warmer.certification.noise import Bounded, BoundedNoise, Coin, Gaussian, Process, SubGaussian, evidence_process
from warmer.model import Problem

__all__ = ["HORIZON", "WORLDS", "World", "most_allowed", "most_evidence"]

HORIZON = 40
Law = Callable[[np.random.Generator, float, float], float]
"""An answer, given its mean and the log evidence against the truth so far."""


class World(NamedTuple):
    """A table, the truth in it, what is declared, and what answers really do."""

    rho: list[list[float]]
    """The first column is the truth."""
    prior: list[float]
    noise: Any
    law: Law
    ends: tuple[float, float] = (0.0, 1.0)
    tolerance: float = 0.0
    counts: tuple[int, ...] = (1,)

    def process(self) -> Process[Any]:
        problem = Problem.from_table(self.rho, reward_range=self.ends)
        return evidence_process(self.noise, problem, np.log(np.array(self.prior) / sum(self.prior)), self.tolerance)


def most_evidence(world: World, process: Process[Any], rng: np.random.Generator) -> float:
    """The largest log evidence that there ever was against the truth, when queries are asked where luck is against it.

    The means are wrong by up to the tolerance, towards the other candidates, and more so while the truth is in danger.
    """
    rho = np.array(world.rho)
    towards = np.sign(rho[:, 1:].mean(axis=1) - rho[:, 0]).tolist()
    means = rho[:, 0].tolist()
    state, evidence, most = process.start(), 0.0, 0.0
    asked, luck = np.zeros(len(rho)), np.zeros(len(rho))
    for _ in range(HORIZON):
        query = int((luck**2 / (asked + 1) + 0.01 * rng.random(asked.size)).argmax())
        mean = means[query] + world.tolerance * towards[query] * (1.0 if evidence > -1 else rng.random())
        count = world.counts[rng.integers(len(world.counts))] if len(world.counts) > 1 else 1
        reward = sum(world.law(rng, mean, evidence) for _ in range(count)) / count
        state = updated(process, state, query, reward, count)
        evidence = float(process.log_evidence(state)[0])
        asked[query], luck[query] = asked[query] + 1, luck[query] + reward - mean
        most = max(most, evidence)
        if evidence > 6 or evidence < -8:
            break
    return most


def most_allowed(n_runs: int, delta: float) -> int:
    """As many of so many runs as fail with probability delta each, but for one chance in a million."""
    return int(binom.isf(1e-6, n_runs, delta))


def coin(rng: np.random.Generator, mean: float, evidence: float) -> float:
    """0 or 1: the most that answers in [0, 1] can vary."""
    return float(rng.random() < mean)


def quiet_or_coin(rng: np.random.Generator, mean: float, evidence: float) -> float:
    """A coin while the truth is in danger, and quiet when it is not."""
    return coin(rng, mean, evidence) if evidence > -0.5 else quiet(rng, mean, evidence)


def quiet(rng: np.random.Generator, mean: float, evidence: float) -> float:
    """Noise far smaller than the range."""
    return mean + rng.uniform(-0.02, 0.02)


def either(width: float) -> Law:
    """Up or down by the width."""
    return lambda rng, mean, evidence: mean + (width if rng.random() < 0.5 else -width)


def rarely(width: float, chance: float = 0.2) -> Law:
    """Rarely far up, mostly a little down."""
    return lambda rng, mean, evidence: mean + (width if rng.random() < chance else -width * chance / (1 - chance))


def normal(sigma: float) -> Law:
    """Gaussian noise."""
    return lambda rng, mean, evidence: mean + sigma * rng.normal()


def read(sigma: float, unit: float) -> Law:
    """Gaussian noise, as an instrument shows it that rounds to multiples of a unit."""
    return lambda rng, mean, evidence: unit * round((mean + sigma * rng.normal()) / unit)


def loud_in_danger(sigma: float) -> Law:
    """Gaussian noise within the declared deviation, which depends on the past."""
    return lambda rng, mean, evidence: mean + sigma * (1.0 if evidence > -1 else 0.5) * rng.normal()


LOW = [[0.1, 0.35, 0.3], [0.15, 0.3, 0.35], [0.2, 0.45, 0.5]]
MIDDLE = [[0.5, 0.7, 0.65], [0.4, 0.2, 0.25], [0.55, 0.75, 0.8]]
ENDS = [[0.0, 0.2, 0.1], [1.0, 0.9, 0.8], [0.5, 0.8, 0.9]]
WIDE = [[0.3, 0.6, 0.0], [0.45, 0.15, 0.75], [1.6, 1.3, 1.9]]
BORDERS = [[0.5, 0.2, 0.8], [-0.5, -0.2, -0.8], [1.5, 1.2, 1.9]]
AGAINST = [0.02, 0.49, 0.49]
EQUAL = [1.0, 1.0, 1.0]

WORLDS = {
    "bounded, coins with rare successes": World(LOW, AGAINST, Bounded(), coin),
    "bounded, coins with an equal prior": World(MIDDLE, EQUAL, Bounded(), coin),
    "bounded, coins while in danger": World(LOW, AGAINST, Bounded(), quiet_or_coin),
    "bounded, little noise": World(MIDDLE, AGAINST, Bounded(), quiet),
    "bounded, means of several coins": World(MIDDLE, AGAINST, Bounded(), coin, counts=(1, 3, 10)),
    "bounded, wrong by the tolerance": World(LOW, AGAINST, Bounded(), coin, tolerance=0.05),
    "bounded, at the ends": World(ENDS, AGAINST, Bounded(), coin),
    "width, up or down": World(MIDDLE, AGAINST, BoundedNoise(0.2), either(0.2)),
    "width, rarely far up": World(MIDDLE, AGAINST, BoundedNoise(0.2), rarely(0.2)),
    "width, means of several": World(MIDDLE, AGAINST, BoundedNoise(0.2), either(0.2), counts=(1, 4)),
    "width, wrong by the tolerance": World(MIDDLE, AGAINST, BoundedNoise(0.2), either(0.2), tolerance=0.05),
    "sigma, normal": World(MIDDLE, AGAINST, SubGaussian(0.3), normal(0.3)),
    "sigma, up or down": World(MIDDLE, EQUAL, SubGaussian(0.3), either(0.3)),
    "sigma, louder while in danger": World(MIDDLE, AGAINST, SubGaussian(0.3), loud_in_danger(0.3)),
    "sigma, means of several": World(MIDDLE, AGAINST, SubGaussian(0.3), normal(0.3), counts=(1, 4)),
    "sigma, wrong by the tolerance": World(MIDDLE, AGAINST, SubGaussian(0.3), normal(0.3), tolerance=0.05),
    "coin, rare successes": World(LOW, AGAINST, Coin(), coin),
    "coin, an equal prior": World(MIDDLE, EQUAL, Coin(), coin),
    "coin, at the ends": World(ENDS, AGAINST, Coin(), coin),
    "coin, means of several": World(MIDDLE, AGAINST, Coin(), coin, counts=(1, 5)),
    "coin, wrong by the tolerance": World(LOW, AGAINST, Coin(), coin, tolerance=0.05),
    "gaussian, as expected": World(MIDDLE, AGAINST, Gaussian(), normal(0.1)),
    "gaussian, far quieter": World(MIDDLE, EQUAL, Gaussian(), normal(0.01)),
    "gaussian, far louder": World(MIDDLE, AGAINST, Gaussian(), normal(1.0)),
    "gaussian, means of several": World(MIDDLE, AGAINST, Gaussian(), normal(0.3), counts=(1, 4)),
    "gaussian, rounded by a unit far larger than the noise": World(
        WIDE, AGAINST, Gaussian(resolution=1), read(0.1, 1), (-3, 3)
    ),
    "gaussian, rounded by a unit as large as the noise": World(
        WIDE, EQUAL, Gaussian(resolution=0.2), read(0.2, 0.2), (-3, 3)
    ),
    "gaussian, rounded by far less than the noise": World(
        WIDE, AGAINST, Gaussian(resolution=0.01), read(0.5, 0.01), (-3, 3)
    ),
    "gaussian, rounded with means on the borders": World(
        BORDERS, AGAINST, Gaussian(resolution=1), read(0.05, 1), (-3, 3)
    ),
    "gaussian, rounded, means wrong by as much as is allowed": World(
        WIDE, AGAINST, Gaussian(resolution=0.5), read(0.2, 0.5), (-3, 3), tolerance=0.1
    ),
    "gaussian, wrong by the tolerance": World(MIDDLE, AGAINST, Gaussian(), normal(0.1), tolerance=0.05),
}
