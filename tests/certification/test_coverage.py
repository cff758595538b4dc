"""The truth is ever ruled out with probability at most delta, and a process that cheats is found out.

Every run fails with probability at most delta, so the number of failures among n independent runs is at most binomial:
it exceeds `most_allowed` with probability below one in a million.
"""

from typing import Any

import numpy as np
import pytest

from tests.certification.plain import Array
from tests.certification.worlds import AGAINST, LOW, MIDDLE, WORLDS, World, coin, most_allowed, most_evidence, normal
from warmer.certification.bets import Bets, Betting, RoughSquares
from warmer.certification.memory import Batch
from warmer.certification.noise import Bounded, Gaussian, Process, SubGaussian
from warmer.certification.universal import Squared, Universal
from warmer.model import Problem

DELTAS = (0.05, 0.3)
N_RUNS = 200


def largest(world: World, n_runs: int, process: Process[Any] | None = None) -> Array:
    """The most evidence that there ever was against the truth, in each of some runs."""
    rng = np.random.default_rng(7)
    kept = world.process() if process is None else process
    return np.array([most_evidence(world, kept, rng) for _ in range(n_runs)])


def is_covered(evidence: Array, threshold: float = 1.0) -> bool:
    """Whether as few runs reached the threshold, in units of 1/delta, as must."""
    return all((evidence >= np.log(threshold / delta)).sum() <= most_allowed(evidence.size, delta) for delta in DELTAS)


@pytest.mark.parametrize("name", WORLDS)
def test_the_truth_is_rarely_ruled_out(name: str) -> None:
    assert is_covered(largest(WORLDS[name], N_RUNS))


@pytest.mark.long
@pytest.mark.parametrize("noise", ["bounded", "width", "sigma", "coin", "gaussian"])
def test_the_truth_is_rarely_ruled_out_in_ten_thousand_runs(noise: str) -> None:
    worlds = [world for name, world in WORLDS.items() if name.startswith(noise)]
    evidence = [largest(world, 10_000 // len(worlds) + 1) for world in worlds]
    assert all(map(is_covered, evidence))
    assert is_covered(np.concatenate(evidence))


TIGHT = [
    "bounded, coins with rare successes",
    "width, up or down",
    "width, wrong by the tolerance",
    "sigma, normal",
    "coin, rare successes",
]


@pytest.mark.parametrize("name", TIGHT)
def test_a_threshold_four_times_too_low_is_found_out(name: str) -> None:
    evidence = largest(WORLDS[name], 3 * N_RUNS)
    assert is_covered(evidence)
    assert not is_covered(evidence, threshold=1 / 4)


class PeekingBets(Bets):
    """The forecast has seen the answer."""

    def advance(self, state: Betting, told: Batch, possible: Array, threshold: float) -> tuple[Betting, int, int]:
        capital = state.capital.copy()
        seen = super().advance(state, told, possible, threshold)[0]
        return super().advance(seen._replace(capital=capital), told, possible, threshold)


class ForgetfulSquares(RoughSquares):
    """The term that pays for the variance is missing."""

    def advance(self, state: Betting, told: Batch, possible: Array, threshold: float) -> tuple[Betting, int, int]:
        query = int(told.queries[0])
        row, rate, memory = self.problem.rho[query], 1 / (2 * float(self.sigmas[query]) ** 2), state.memory
        expected = float(memory.weights @ row / state.total)
        free = (memory.sums[query] + expected) / (memory.counts[query] + 1)
        share = 1 / (1 + np.exp((state.by_free - state.by_candidates) / (2 * self.variance(state))))
        forecast = expected + share * (free - expected)
        after, n_told, struck = super().advance(state, told, possible, threshold)
        after.capital[:] += rate * (forecast - np.clip(forecast, row - self.tolerance, row + self.tolerance)) ** 2
        return after, n_told, struck


class PeekingDensity(Universal):
    """The free forecast has seen the answer, so the numerator is no density."""

    def advance(self, state: Squared, told: Batch, possible: Array, threshold: float) -> tuple[Squared, int, int]:
        query, reward, count = (values[0].item() for values in told)
        after, n_told, struck = super().advance(state, told, possible, threshold)
        mean = (after.memory.sums[query] + reward) / (after.memory.counts[query] + 1)
        return after._replace(free=state.free + count * (reward - mean) ** 2), n_told, struck


class PlugInDeviation(Universal):
    """The denominator is the likelihood at a guessed deviation instead of the largest one."""

    def log_evidence(self, state: Squared) -> Array:
        n, guess = state.n_means, 0.05
        losses = self._losses(state)
        return np.asarray(self._log_numerator(state) + n * np.log(guess) + losses / (2 * guess**2))


def table(rho: list[list[float]]) -> tuple[Problem, Array]:
    """The problem of a world, and its log prior."""
    return Problem.from_table(rho, reward_range=(0, 1)), np.log(AGAINST)


def test_a_stake_that_peeks_at_the_answer_is_found_out() -> None:
    world = World(MIDDLE, AGAINST, Bounded(), coin)
    assert not is_covered(largest(world, N_RUNS, PeekingBets(*table(MIDDLE))))


def test_a_missing_variance_term_is_found_out() -> None:
    world = World(MIDDLE, AGAINST, SubGaussian(0.3), normal(0.3), tolerance=0.01)
    assert not is_covered(
        largest(world, N_RUNS, ForgetfulSquares(*table(MIDDLE), sigmas=np.full(3, 0.3), tolerance=0.01))
    )


def test_a_deviation_declared_too_small_is_found_out() -> None:
    assert not is_covered(largest(World(MIDDLE, AGAINST, SubGaussian(0.2), normal(0.3)), N_RUNS))


@pytest.mark.parametrize("spoiled", [PeekingDensity, PlugInDeviation])
def test_a_numerator_or_denominator_that_cheats_is_found_out(spoiled: type[Universal]) -> None:
    world = World(MIDDLE, AGAINST, Gaussian(), normal(0.1))
    assert not is_covered(largest(world, N_RUNS, spoiled(*table(MIDDLE))))


@pytest.mark.parametrize("name", [name for name in WORLDS if name.endswith("tolerance")])
def test_a_tolerance_that_is_not_declared_is_found_out(name: str) -> None:
    world = WORLDS[name]._replace(tolerance=0.12)
    undeclared = world._replace(tolerance=0.0).process()
    assert is_covered(largest(world, N_RUNS))
    assert not is_covered(largest(world, N_RUNS, undeclared))


def test_a_prior_that_sums_to_four_is_found_out() -> None:
    world = WORLDS["coin, rare successes"]
    problem, log_prior = table(LOW)
    assert not is_covered(largest(world, 3 * N_RUNS, world.noise.process(problem, log_prior + np.log(4), 0.0)))
