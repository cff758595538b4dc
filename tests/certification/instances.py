"""Random tables, priors and histories, at the ends of what is allowed as often as inside."""

from typing import Any, NamedTuple

import numpy as np
from hypothesis import strategies as st

from tests.certification.plain import Array, Told
from warmer.certification import memory
from warmer.certification.noise import Process
from warmer.model import Problem

__all__ = ["Instance", "histories", "instances", "updated"]

RANGES = ((-1.0, 1.0), (0.0, 1.0), (0.1, 0.7), (0.0, 100.0), (-3e-4, 5e-4), (1000.0, 1010.0))


def updated(process: Process[Any], state: Any, query: int, reward: float, count: int = 1) -> Any:
    """The state after one more answer, with nobody to rule out."""
    return process.advance(state, memory.Batch.one(query, reward, count), np.empty(0, dtype=bool), np.inf)[0]


class Instance(NamedTuple):
    """A problem, weights of its candidates that sum to 1 (and what a user would give), and what was told."""

    problem: Problem
    given: Array | None
    prior: Array
    history: list[Told]
    tolerance: float
    noise: float
    """A deviation or width, in the user's units."""

    @property
    def rho(self) -> Array:
        return np.asarray(self.problem.rho, dtype=float)

    @property
    def log_prior(self) -> Array:
        with np.errstate(divide="ignore"):
            return np.empty(0) if self.given is None else np.log(self.prior)


@st.composite
def instances(draw: st.DrawFn, **kind: Any) -> Instance:
    """One instance; the kind is that of `histories`."""
    low, high = draw(st.sampled_from(RANGES))
    n_queries, n_targets = draw(st.integers(1, 4)), draw(st.integers(1, 7))
    n_answers, noise = draw(st.integers(0, 30)), draw(st.sampled_from([0.02, 0.15, 0.5, 1.0]))
    tolerance = draw(st.sampled_from([0.01, 0.1, 0.6]))
    prior_kind = draw(st.sampled_from(["equal", "random", "sharp", "zeros"]))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    parts = (
        rng.integers(0, 9, (n_queries, n_targets)) / 8 if draw(st.booleans()) else rng.random((n_queries, n_targets))
    )
    table = np.clip(low + (high - low) * parts, low, high)
    given = _prior(prior_kind, n_targets, rng)
    prior = np.full(n_targets, 1 / n_targets) if given is None else given / given.sum()
    problem = Problem.from_table(table, reward_range=(low, high))
    history = histories(table[:, rng.integers(n_targets)], n_answers, (low, high), noise, rng, **kind)
    return Instance(problem, given, prior, history, tolerance * (high - low), noise * (high - low))


def histories(
    means: Array, n: int, ends: tuple[float, float], noise: float, rng: np.random.Generator, *, coins: bool = False
) -> list[Told]:
    """Answers around some means (not always those of a candidate), or means of coins; some at the ends of the range."""
    low, high = ends
    told = []
    wrong = rng.random() < 0.3
    for _ in range(n):
        query, count = int(rng.integers(means.size)), int(rng.choice([1, 1, 1, 2, 7, 1000]))
        mean = rng.uniform(low, high) if wrong else means[query]
        if coins:
            heads = rng.binomial(count, min(max((mean - low) / (high - low), 0), 1))
            reward = (low * (count - heads) + high * heads) / count
        else:
            reward = mean + (high - low) * noise * rng.choice([-1.0, 0.0, 1.0, rng.normal()]) / np.sqrt(count)
            reward = float(rng.choice([reward, low, high], p=[0.9, 0.05, 0.05]))
        told.append((query, float(min(max(reward, low), high)), count))
    return told


def _prior(kind: str, n: int, rng: np.random.Generator) -> Array | None:
    if kind == "equal":
        return None
    weights = rng.random(n) + 0.01
    if kind == "sharp":
        weights = np.exp(-60 * weights)
    if kind == "zeros":
        weights[rng.random(n) < 0.5] = 0.0
        weights[rng.integers(n)] = 1.0
    return np.asarray(weights)
