"""Learners in environments on tables of several sizes, and a digest of a thousand runs of each on the CPU."""

import hashlib
import itertools
import json
from pathlib import Path

import numpy as np

from warmer import Problem, UntilCertified, environments, goals, noise, simulate
from warmer.learners import Settings, build

STORED = Path(__file__).parents[1] / "data" / "runs.json"
LEARNERS = ["least-squares", "optimistic", "optimistic-paper", "thompson", "elimination", "ucb1", "uniform"]
NOISES = ["exact", "coin", "uniform", "gaussian", "mean", "adversarial", "simulated-samples"]
NUMBERS = ["float64", "float32"]
SIZES = ["7 x 11", "20 x 100", "30 x 1500"]
WATCHED_SIZES = ["7 x 11", "20 x 500", "30 x 1500"]
DECLARED = {
    "sub-gaussian": ("uniform", noise.SubGaussian(0.3), 0.0),
    "a coin": ("coin", noise.Coin(), 0.0),
    "bounded": ("uniform", noise.Bounded(), 0.0),
    "bounded noise": ("uniform", noise.BoundedNoise(0.3), 0.0),
    "roughly sub-gaussian": ("uniform", noise.SubGaussian(0.3), 0.02),
    "roughly a coin": ("coin", noise.Coin(), 0.02),
    "wrongly a coin": ("mean", noise.Coin(), 0.0),
    "wrongly sub-gaussian": ("coin", noise.SubGaussian(0.3), 0.0),
}
"""The environment, what is declared about its noise, and the tolerance."""
GOALS = {
    "best query": lambda problem: goals.BestQuery(0.1),
    "which target": lambda problem: goals.WhichTarget(),
    "value": lambda problem: goals.ValueOf(np.asarray(problem.self_evaluations, dtype=float), 0.05),
}
FIXED = list(itertools.product(LEARNERS, NOISES, NUMBERS, SIZES))
CERTIFIED = [
    *itertools.product(["uniform"], DECLARED, NUMBERS, WATCHED_SIZES, GOALS),
    *itertools.product(LEARNERS[:-1], ["sub-gaussian", "bounded"], NUMBERS, WATCHED_SIZES, ["best query"]),
    *itertools.product(["uniform"], DECLARED, ["float64"], ["9 x 3000"], GOALS),
    *itertools.product(LEARNERS[:-1], ["sub-gaussian"], ["float32"], ["9 x 3000"], ["best query"]),
]
GRID = [*FIXED, *CERTIFIED]
N_RUNS, HORIZON, SEED, FIRST = 1000, 60, 3, 7


def played(learner, told, number, size, goal=None, **options):
    """A thousand runs: half of them with one target, half with another; to the end, or until the goal is certified."""
    shape = tuple(map(int, size.split(" x ")))
    table = np.random.default_rng(5).uniform(-0.9, 0.9, shape).astype(number)
    problem = Problem.from_table(table, forbidden=[False, True] + [False] * (shape[0] - 2))
    player = build(learner, problem, Settings(alpha=0.5, delta=0.05, sigma=0.3, horizon=HORIZON))
    if goal is not None:
        told, declared, tolerance = DECLARED[told]
        player = UntilCertified(player, GOALS[goal](problem), noise=declared, tolerance=tolerance)
        options["until"] = player.is_done
    several = [environments.build(told, problem, target, width=0.3, n=3) for target in (2, 5)]
    given = [several[2 * k // N_RUNS] for k in range(N_RUNS)]
    return simulate([player] * N_RUNS, given, horizon=HORIZON, seed=SEED, first=FIRST, **options)


def digest(runs):
    """Of every query and of every reward, to the last bit, and of what was proven."""
    proven = repr((runs.proven, runs.recommended)).encode() if runs.proven else b""
    return hashlib.sha256(runs.queries.tobytes() + runs.rewards.tobytes() + proven).hexdigest()[:16]


def stored():
    return json.loads(STORED.read_text())
