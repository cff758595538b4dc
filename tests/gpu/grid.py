"""Learners in environments on tables of several sizes, and a digest of a thousand runs of each on the CPU."""

import hashlib
import itertools
import json
from pathlib import Path

import numpy as np

from warmer import Problem, environments, simulate
from warmer.learners import Settings, build

STORED = Path(__file__).parents[1] / "data" / "runs.json"
LEARNERS = ["least-squares", "optimistic", "optimistic-paper", "thompson", "elimination", "ucb1", "uniform"]
NOISES = ["exact", "coin", "uniform", "gaussian", "mean", "adversarial", "simulated-samples"]
NUMBERS = ["float64", "float32"]
SIZES = ["7 x 11", "20 x 100", "30 x 1500"]
GRID = list(itertools.product(LEARNERS, NOISES, NUMBERS, SIZES))
N_RUNS, HORIZON, SEED, FIRST = 1000, 60, 3, 7


def played(learner, noise, number, size, **options):
    """A thousand runs: half of them with one target, half with another."""
    shape = tuple(map(int, size.split(" x ")))
    table = np.random.default_rng(5).uniform(-0.9, 0.9, shape).astype(number)
    problem = Problem.from_table(table, forbidden=[False, True] + [False] * (shape[0] - 2))
    player = build(learner, problem, Settings(alpha=0.5, delta=0.05, sigma=0.3, horizon=HORIZON))
    several = [environments.build(noise, problem, target, width=0.3, n=3) for target in (2, 5)]
    given = [several[2 * k // N_RUNS] for k in range(N_RUNS)]
    return simulate([player] * N_RUNS, given, horizon=HORIZON, seed=SEED, first=FIRST, **options)


def digest(runs):
    """Of every query and of every reward, to the last bit."""
    return hashlib.sha256(runs.queries.tobytes() + runs.rewards.tobytes()).hexdigest()[:16]


def stored():
    return json.loads(STORED.read_text())
