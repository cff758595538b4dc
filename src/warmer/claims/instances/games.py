"""Games of a learner with a truth, random ones and those that put error budgets to the test; and a walk."""

from dataclasses import dataclass, replace

import numpy as np

from warmer.claims.instances.kinds import Generator, Instance
from warmer.claims.instances.tables import any_table
from warmer.model import Problem


@dataclass(frozen=True, eq=False)
class Game(Instance):
    """A table, the index of the truth, the level that the learner is told, and the seed of the noise."""

    problem: Problem
    target: int
    alpha: float
    seed: int
    horizon: int = 64
    epsilon: float = 0.0


def draw_game(rng: Generator) -> Game:
    """A table, a truth that is its own best query, and a seed for the noise."""
    while True:
        instance = any_table(rng)
        valid = np.flatnonzero(instance.problem.valid_targets)
        if len(valid):
            break
    target, seed = int(rng.choice(valid)), int(rng.integers(2**31))
    alpha = float(instance.problem.self_evaluations[target])
    name = f"{instance.problem!r}, truth {target}, seed {seed}"
    return Game(name, instance.problem, target, alpha, seed)


def draw_fair_game(rng: Generator) -> Game:
    """One query, a fair coin in truth, and targets that say otherwise: least squares errs as much as it can.

    A target at a distance of g from the truth is preferred at round t if the mean of the coins exceeds g/2; its
    estimation error is then g^2 t, four times the square of the normalised mean.
    """
    values = [0, *(sign * int(g) for g in rng.choice(np.arange(3, 9), 2, replace=False) for sign in (1, -1))]
    problem, seed = Problem.from_table([values], denominator=8), int(rng.integers(2**31))
    name = f"a fair coin, or one of mean {', '.join(f'{v}/8' for v in values[1:])}, seed {seed}"
    return Game(name, problem, 0, -1.0, seed)


def draw_either_game(rng: Generator) -> Game:
    """One of ten a random table, the others a fair coin."""
    return draw_game(rng) if rng.random() < 0.1 else draw_fair_game(rng)


def draw_patient_game(rng: Generator) -> Game:
    """Half of them: the truth earns -1, of which the optimist's wide confidence set takes its time to be convinced."""
    if rng.random() < 0.5:
        return draw_either_game(rng)
    values = [-8, 8, *map(int, rng.integers(-8, 8, int(rng.integers(0, 3))))]
    problem, seed = Problem.from_table([values], denominator=8), int(rng.integers(2**31))
    name = f"a coin that always falls on -1, {len(values) - 1} that may not, 400 rounds, seed {seed}"
    return Game(name, problem, 0, -1.0, seed, horizon=400)


@dataclass(frozen=True, eq=False)
class Walk(Instance):
    """So many steps, the eta of the bound, the chance of a step up, and a seed."""

    n: int
    eta: float
    up: float
    seed: int


def draw_pac(rng: Generator) -> Game:
    """A game with an accuracy."""
    instance = draw_game(rng)
    epsilon = float(rng.choice([1.0, 1.5]))
    return replace(instance, name=f"{instance.name}, eps={epsilon}", epsilon=epsilon)


def draw_martingale(rng: Generator) -> Walk:
    """Mostly rare steps up, about one of them expected, at an eta near 1: there the bound is closest to the truth."""
    if rng.random() < 0.1:
        n, eta, up = int(rng.integers(1, 60)), float(rng.uniform(0.02, 0.98)), 0.5
    else:
        n, eta = int(rng.integers(30, 60)), float(rng.uniform(0.95, 0.999))
        up = float(rng.uniform(1.0, 1.15)) / n
    seed = int(rng.integers(2**31))
    return Walk(f"{n} steps, up with chance {up:.3g}, eta={eta:.3g}, seed {seed}", n, eta, up, seed)
