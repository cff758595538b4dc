"""Is any continuous fit beaten? Hundreds of random states, 1,000 random starts of a general-purpose optimiser each.

For every family the answers come from a random truth with noise, or from pure noise. SLSQP starts from 1,000 random
points; a point counts where it satisfies the constraints to 1e-9. Reported is how often and by how much it finds a
smaller loss, relative to one plus the loss (gradients are numerical, so differences of the size of the slack mean
nothing). `python -m benchmarks fits` takes hours; `WARMER_STATES` and `WARMER_STARTS` shrink it.
"""

import os
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table
from scipy.optimize import minimize

from warmer.estimation import GLM, Linear, LinearBall, ReLU, Sphere, logistic, probit

N_STATES = int(os.environ.get("WARMER_STATES", "200"))
N_STARTS = int(os.environ.get("WARMER_STARTS", "1000"))
SLACK = 1e-9


class Case(NamedTuple):
    """One state: the loss, the point our fit found, and the regions whose union is feasible, as lists of g(x) >= 0."""

    loss: Callable[[np.ndarray], float]
    found: np.ndarray
    regions: list[list[Callable[[np.ndarray], float]]]
    size: float


def main() -> None:
    table = Table(title=f"{N_STATES} states, {N_STARTS} starts each")
    for column in ("", "beaten by > 1e-6", "largest relative gain", "infeasible"):
        table.add_column(column, justify="left" if not column else "right")
    for name, make in FAMILIES.items():
        rng, gains, n_infeasible = np.random.default_rng(0), [], 0
        for _ in track(range(N_STATES), description=f"{name:24}", transient=True, console=Console(stderr=True)):
            case = make(rng)
            n_infeasible += not any(all(g(case.found) >= -1e-8 for g in region) for region in case.regions)
            ours = case.loss(case.found)
            gains.append((ours - best_found(case, rng)) / (1 + abs(ours)))
        n_beaten = sum(gain > 1e-6 for gain in gains)
        table.add_row(name, f"{n_beaten} of {N_STATES}", f"{max(gains):.1e}", str(n_infeasible))
    Console().print(table)


def best_found(case: Case, rng: np.random.Generator) -> float:
    best = np.inf
    for start in range(N_STARTS):
        region = case.regions[start % len(case.regions)]
        x0 = case.size * rng.standard_normal(case.found.size) / np.sqrt(case.found.size)
        constraints = [{"type": "ineq", "fun": g} for g in region]
        found = minimize(case.loss, x0, method="SLSQP", constraints=constraints, options={"ftol": 1e-13})
        if found.fun < best and all(g(found.x) >= -SLACK for g in region):
            best = found.fun
    return best


def shell(inner: float, outer: float) -> list[Callable[[np.ndarray], float]]:
    return [lambda x: outer**2 - x @ x, *([lambda x: x @ x - inner**2] if inner > 0 else [])]


def unit_rows(rng: np.random.Generator, n_rows: int, n: int) -> np.ndarray:
    rows = rng.standard_normal((n_rows, n))
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def answers(rng: np.random.Generator, family: Any, queries: Any, norm: float) -> Iterator[tuple[Any, float, int]]:
    truth = norm * unit_rows(rng, 1, family.targets.n)[0]
    noise = rng.choice([0.0, 0.1, 0.5])
    for query in queries:
        yield query, float(family.evaluate(query, truth) + noise * rng.uniform(-1, 1)), int(rng.integers(1, 5))


def told(family: Any, alpha: float | None, given: list[tuple[Any, float, int]]) -> np.ndarray:
    fit = family.fit()
    state = fit.start(alpha)
    for query, reward, count in given:
        state = fit.update(state, query, reward, count)
    return np.asarray(fit.estimate(state))


def vector_case(family: Any, inner: float, alpha: float | None, rng: np.random.Generator) -> Case:
    """A family whose queries are vectors and whose constraints are lengths."""
    given = list(answers(rng, family, unit_rows(rng, int(rng.integers(1, 25)), family.n), 1.0))
    points, rewards, counts = (np.array(part) for part in zip(*given, strict=True))

    def loss(x: np.ndarray) -> float:
        return float(counts @ (family.evaluate(points, x) - rewards) ** 2)

    return Case(loss, told(family, alpha, given), [shell(inner, 1.0)], 1.0)


def action_case(family: Any, level: float | None, alpha: float | None, rng: np.random.Generator) -> Case:
    """A family with finitely many actions: a region for each action that may reach the level."""
    linear = getattr(family, "linear", family)
    chosen = rng.integers(linear.n_actions, size=int(rng.integers(1, 25))).tolist()
    given = list(answers(rng, family, chosen, family.norm))
    indices, rewards, counts = (np.array(part) for part in zip(*given, strict=True))

    def loss(x: np.ndarray) -> float:
        return float(counts @ (family.evaluate(indices, x) - rewards) ** 2)

    ball = shell(0.0, family.norm)
    regions = [ball] if level is None else [[*ball, lambda x, a=a: x @ a - level] for a in linear.matrix]
    return Case(loss, told(family, alpha, given), regions, family.norm)


def linear_case(rng: np.random.Generator) -> Case:
    family, alpha = Linear(unit_rows(rng, 8, int(rng.integers(1, 6)))), float(rng.uniform(0, 0.99))
    return action_case(family, alpha, alpha, rng)


def glm_case(rng: np.random.Generator) -> Case:
    link, norm = (logistic, probit)[rng.integers(2)], float(rng.uniform(0.5, 4))
    family = GLM(unit_rows(rng, 8, int(rng.integers(1, 5))), link, norm, reward_range=(-1, 1))
    if rng.random() < 0.3:
        return action_case(family, None, None, rng)
    level = float(rng.uniform(0, 0.95)) * norm
    return action_case(family, level, link.value(level), rng)


def ball_case(rng: np.random.Generator) -> Case:
    alpha = float(rng.uniform(0, 1))
    return vector_case(LinearBall(int(rng.integers(1, 7))), alpha, alpha, rng)


def relu_case(n: int | None) -> Callable[[np.random.Generator], Case]:
    def make(rng: np.random.Generator) -> Case:
        bias = float(rng.uniform(0, 0.9))
        family = ReLU(int(rng.integers(2, 5)) if n is None else n, bias)
        alpha = 1 - bias if n is not None else float(rng.uniform(0, 1 - bias))
        return vector_case(family, alpha + bias, alpha, rng)

    return make


FAMILIES: dict[str, Callable[[np.random.Generator], Case]] = {
    "sphere": lambda rng: vector_case(Sphere(int(rng.integers(1, 7))), 1.0, 1.0, rng),
    "ball": ball_case,
    "linear, 8 actions": linear_case,
    "GLM, 8 actions": glm_case,
    "ReLU on the circle": relu_case(2),
    "ReLU in 2 to 4 dimensions": relu_case(None),
}
