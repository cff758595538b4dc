"""Learners in environments on tables of several sizes, and a digest of a thousand runs of each on the CPU."""

import hashlib
import itertools
import json
from pathlib import Path

import numpy as np

from warmer import Problem, TopTwo, UntilCertified, environments, families, goals, noise, simulate
from warmer.learners import MaxInformation, Settings, build

STORED = Path(__file__).parents[1] / "data" / "runs.json"
LEARNERS = ["least-squares", "optimistic", "optimistic-paper", "thompson", "elimination", "ucb1", "uniform"]
PROVERS = {"top-two": TopTwo, "max-information": MaxInformation}
NOISES = ["exact", "coin", "uniform", "gaussian", "mean", "adversarial", "simulated-samples"]
NUMBERS = ["float64", "float32"]
SIZES = ["7 x 11", "20 x 100", "30 x 1500"]
LARGE = "4 x 17000"
"""So many targets that their losses do not fit in the registers of a block."""
ARM_COUNTS = ["3 arms", "50 arms"]
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
TO_THE_END = "best query at a cost, to the end"
APART = {
    "one apart": ("uniform", (-1, 1), 0.4, (-0.05, 0.05), {"noise": noise.SubGaussian(0.3), "delta": 1e-9}),
    "likeliest ruled out": (
        "coin",
        (0, 0.15),
        0.01,
        (0.095, 0.105),
        {"noise": noise.BoundedNoise(0.01), "tolerance": 0.1},
    ),
}
"""The environment, the range, what the first candidate predicts, where all others lie, and what is declared: so that a
prover has many to tell it from, or draws from those that are left."""
FIXED = list(itertools.product(LEARNERS, NOISES, NUMBERS, SIZES))
CERTIFIED = [
    *itertools.product(["uniform"], DECLARED, NUMBERS, WATCHED_SIZES, GOALS),
    *itertools.product(LEARNERS[:-1], ["sub-gaussian", "bounded"], NUMBERS, WATCHED_SIZES, ["best query"]),
    *itertools.product(["uniform"], DECLARED, ["float64"], ["9 x 3000"], GOALS),
    *itertools.product(LEARNERS[:-1], ["sub-gaussian"], ["float32"], ["9 x 3000"], ["best query"]),
]
PROVING = [
    *itertools.product(["top-two"], DECLARED, ["float64"], WATCHED_SIZES, ["best query"]),
    *itertools.product(["top-two"], ["sub-gaussian", "a coin", "bounded"], ["float32"], ["20 x 500"], GOALS),
    *itertools.product(["top-two"], ["sub-gaussian", "a coin"], ["float64"], ["20 x 500"], ["which target", "value"]),
    *itertools.product(["top-two"], ["sub-gaussian", "bounded"], ["float64"], ["9 x 3000"], ["best query"]),
    *itertools.product(["top-two"], ["sub-gaussian", "a coin"], ["float64"], SIZES[:2], [TO_THE_END]),
    *itertools.product(
        ["max-information"], ["sub-gaussian", "a coin"], ["float64"], SIZES[:2], ["best query", "value"]
    ),
    *itertools.product(["top-two"], ["sub-gaussian"], NUMBERS, ["100 x 1500"], ["which target", "best query"]),
    ("max-information", "a coin", "float64", "65 x 2100", "which target"),
    *itertools.product(["top-two"], APART, ["float64"], ["70 x 600", "4 x 3000"], ["which target"]),
]
ARMS = list(itertools.product(["least-squares", "optimistic", "optimistic-paper"], NOISES, ["float64"], ARM_COUNTS))
MANY = [
    *itertools.product(LEARNERS, ["uniform"], NUMBERS, [LARGE]),
    *itertools.product(["elimination", "uniform", "top-two"], ["sub-gaussian"], ["float64"], [LARGE], ["best query"]),
]
GRID = [*FIXED, *CERTIFIED, *PROVING, *ARMS, *MANY]
N_RUNS, HORIZON, SEED, FIRST = 1000, 60, 3, 7


def played(learner, told, number, size, goal=None, **options):
    """A thousand runs: half of them with one target, half with another; to the end, or until the goal is certified."""
    if size in ARM_COUNTS:
        return _played_on_arms(learner, told, int(size.split()[0]), **options)
    shape = tuple(map(int, size.split(" x ")))
    if told in APART:
        return _played_apart(told, shape, GOALS[goal], **options)
    table = np.random.default_rng(5).uniform(-0.9, 0.9, shape).astype(number)
    costs = np.linspace(1.0, 2.0, shape[0]) if goal == TO_THE_END else None
    problem = Problem.from_table(table, forbidden=[False, True] + [False] * (shape[0] - 2), costs=costs)
    player = build(learner, problem, Settings(alpha=0.5, delta=0.05, sigma=0.3, horizon=HORIZON))
    if goal is not None:
        told, declared, tolerance = DECLARED[told]
        wanted = GOALS.get(goal, GOALS["best query"])(problem)
        if learner in PROVERS:
            player = PROVERS[learner](problem, wanted, noise=declared, tolerance=tolerance)
        else:
            player = UntilCertified(player, wanted, noise=declared, tolerance=tolerance)
        options["until"] = None if goal == TO_THE_END else player.is_done
    return _simulated(player, told, (2, 5), **options)


def _played_apart(told, shape, goal, **options):
    told, reward_range, first, ends, declared = APART[told]
    table = np.random.default_rng(5).uniform(*ends, shape)
    table[:, 0] = first
    problem = Problem.from_table(table, reward_range=reward_range)
    player = TopTwo(problem, goal(problem), **declared)
    return _simulated(player, told, (0, 5), until=player.is_done, **options)


def _played_on_arms(learner, told, n_arms, **options):
    arms, settings = families.KArms(n_arms), Settings(alpha=0.7, delta=0.05, sigma=0.3, horizon=HORIZON)
    means = np.random.default_rng(5).uniform(0.1, 0.9, (2, n_arms))
    return _simulated(build(learner, arms, settings), told, means, **options)


def _simulated(player, told, targets, **options):
    several = [environments.build(told, player.problem, target, width=0.3, n=3) for target in targets]
    given = [several[2 * k // N_RUNS] for k in range(N_RUNS)]
    return simulate([player] * N_RUNS, given, horizon=HORIZON, seed=SEED, first=FIRST, **options)


def digest(runs):
    """Of every query and of every reward, to the last bit, and of what was proven."""
    proven = repr((runs.proven, runs.recommended)).encode() if runs.proven else b""
    return hashlib.sha256(runs.queries.tobytes() + runs.rewards.tobytes() + proven).hexdigest()[:16]


def stored():
    return json.loads(STORED.read_text())
