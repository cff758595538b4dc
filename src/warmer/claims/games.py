"""Games of a learner with a truth: random ones, and those in which the error budgets are put to the test."""

import numpy as np

from warmer.claims.claim import Instance
from warmer.claims.generators import Generator, any_table
from warmer.model import Problem

__all__ = ["draw_either_game", "draw_fair_game", "draw_game", "draw_patient_game"]


def draw_game(rng: Generator) -> Instance:
    """A table, a truth that is its own best query, and a seed for the noise."""
    while True:
        instance = any_table(rng)
        valid = np.flatnonzero(instance.problem.valid_targets)
        if len(valid):
            break
    target, seed = int(rng.choice(valid)), int(rng.integers(2**31))
    alpha = float(instance.problem.self_evaluations[target])
    name = f"{instance.problem!r}, truth {target}, seed {seed}"
    return Instance(name, {"problem": instance.problem, "target": target, "alpha": alpha, "seed": seed})


def draw_fair_game(rng: Generator) -> Instance:
    """One query, a fair coin in truth, and targets that say otherwise: least squares errs as much as it can.

    A target at a distance of g from the truth is preferred at round t if the mean of the coins exceeds g/2; its
    estimation error is then g^2 t, four times the square of the normalised mean.
    """
    values = [0, *(sign * int(g) for g in rng.choice(np.arange(3, 9), 2, replace=False) for sign in (1, -1))]
    problem, seed = Problem.from_table([values], denominator=8), int(rng.integers(2**31))
    parts = {"problem": problem, "target": 0, "alpha": -1.0, "seed": seed}
    return Instance(f"a fair coin, or one of mean {', '.join(f'{v}/8' for v in values[1:])}, seed {seed}", parts)


def draw_either_game(rng: Generator) -> Instance:
    """One of ten a random table, the others a fair coin."""
    return draw_game(rng) if rng.random() < 0.1 else draw_fair_game(rng)


def draw_patient_game(rng: Generator) -> Instance:
    """Half of them: the truth earns -1, of which the optimist's wide confidence set takes its time to be convinced."""
    if rng.random() < 0.5:
        return draw_either_game(rng)
    values = [-8, 8, *map(int, rng.integers(-8, 8, int(rng.integers(0, 3))))]
    problem, seed = Problem.from_table([values], denominator=8), int(rng.integers(2**31))
    parts = {"problem": problem, "target": 0, "alpha": -1.0, "seed": seed, "horizon": 400}
    return Instance(f"a coin that always falls on -1, {len(values) - 1} that may not, 400 rounds, seed {seed}", parts)
