"""Is any continuous fit beaten? Hundreds of random states, 1,000 random starts of a general-purpose optimiser each.

For every family the answers come from a random truth, exact or with noise; some are coins. From 1,000 random points,
all at once, 300 steps of projected gradient with spectral (Barzilai-Borwein) step lengths are taken, each halved until
the loss falls; of the points reached, the best of up to 32 distinct losses are polished by SciPy's SLSQP and projected
back. Every point counted is feasible. Reported is how often and by how much it has a smaller loss, relative to one plus
the loss. `WARMER_STATES` and `WARMER_STARTS` shrink the run, `WARMER_SEED` draws others, `WARMER_FAMILY` (part of a
name) keeps to some families. (K arms and the separation class are compared with fine grids in the tests.) With
`OPENBLAS_NUM_THREADS=1`, which `--document` sets, it takes a tenth of the processor's time.
"""

import os
import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table
from scipy.optimize import minimize

from benchmarks.document import verdict
from warmer.families import GLM, Linear, LinearBall, ReLU, Sphere, logistic, probit
from warmer.families.solvers.answers import Observed
from warmer.families.solvers.gauss_newton import Response

N_STATES = int(os.environ.get("WARMER_STATES", "200"))
N_STARTS = int(os.environ.get("WARMER_STARTS", "1000"))
SEED = int(os.environ.get("WARMER_SEED", "0"))
FAMILY = os.environ.get("WARMER_FAMILY", "")
N_STEPS, N_POLISHED = 300, 32


class Case(NamedTuple):
    """One state: the data, the point our fit found, bounds on the length, and what one of the normals must reach."""

    observed: Observed
    response: Response
    found: np.ndarray
    inner: float
    outer: float
    normals: np.ndarray | None = None
    level: float = 0.0


def main() -> None:
    table, beaten, tried = Table(title=f"{N_STATES} states, {N_STARTS} starts each, seed {SEED}"), 0, 0
    for column in ("", "beaten by > 1e-6", "largest relative gain", "infeasible", "seconds"):
        table.add_column(column, justify="left" if not column else "right")
    for name, make in FAMILIES.items():
        if FAMILY not in name:
            continue
        rng, gains, n_infeasible, start = np.random.default_rng(SEED), [], 0, time.perf_counter()
        for _ in track(range(N_STATES), description=f"{name:24}", transient=True, console=Console(stderr=True)):
            case = make(rng)
            n_infeasible += not is_feasible(case)
            ours = float(losses(case, case.found[None])[0][0])
            gains.append((ours - best_found(case, rng)) / (1 + abs(ours)))
        n_beaten = sum(gain > 1e-6 for gain in gains)
        seconds = f"{time.perf_counter() - start:.0f}"
        table.add_row(name, f"{n_beaten} of {N_STATES}", f"{max(gains):.1e}", str(n_infeasible), seconds)
        beaten, tried = beaten + n_beaten + n_infeasible, tried + N_STATES
    Console().print(table)
    verdict("states in which a fit is beaten by more than 1e-6, or not feasible", f"{beaten} of {tried}", "none")


def is_feasible(case: Case) -> bool:
    length = np.linalg.norm(case.found)
    reaches = case.normals is None or (case.normals @ case.found).max() >= case.level - 1e-8
    return bool(case.inner - 1e-8 <= length <= case.outer + 1e-8 and reaches)


def best_found(case: Case, rng: np.random.Generator) -> float:
    n = case.found.size
    normals = None if case.normals is None else case.normals[np.arange(N_STARTS) % len(case.normals)]
    starts = case.outer * rng.standard_normal((N_STARTS, n)) / np.sqrt(n)
    points, values = descended(case, projected(starts, case, normals), normals)
    best, last, n_polished = float(values.min()), -np.inf, 0
    for k in np.argsort(values):
        if values[k] > last + 1e-6 * (1 + abs(last)) and n_polished < N_POLISHED:
            best = min(best, polished(case, points[k], None if normals is None else normals[k]))
            last, n_polished = values[k], n_polished + 1
    return best


def descended(case: Case, points: np.ndarray, normals: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
    values, slopes = losses(case, points)
    steps = np.full((len(points), 1), 0.5 / case.observed.counts.sum())
    for _ in range(N_STEPS):
        trials = projected(points - steps * slopes, case, normals)
        new_values, new_slopes = losses(case, trials)
        moves, bends = trials - points, new_slopes - slopes
        curves = (moves * bends).sum(axis=1, keepdims=True)
        spectral = np.where(curves > 0, (moves * moves).sum(axis=1, keepdims=True) / np.maximum(curves, 1e-300), 1.0)
        is_better = (new_values < values)[:, None]
        steps = np.where(is_better, np.clip(spectral, 1e-8, 1e8), steps / 2)
        points, slopes = np.where(is_better, trials, points), np.where(is_better, new_slopes, slopes)
        values = np.where(is_better[:, 0], new_values, values)
    return points, values


def polished(case: Case, start: np.ndarray, normal: np.ndarray | None) -> float:
    constraints = [lambda x: case.outer**2 - x @ x]
    if case.inner > 0:
        constraints.append(lambda x: x @ x - case.inner**2)
    if normal is not None:
        constraints.append(lambda x: normal @ x - case.level)
    found = minimize(
        lambda x: [part[0] for part in losses(case, x[None])],
        start,
        jac=True,
        method="SLSQP",
        constraints=[{"type": "ineq", "fun": g} for g in constraints],
        options={"ftol": 1e-13},
    )
    point = projected(found.x[None], case, None if normal is None else normal[None])
    return float(losses(case, point)[0][0])


def losses(case: Case, thetas: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The loss of each row, and its gradient."""
    values, slopes = case.response(thetas @ case.observed.points.T)
    residuals = values - case.observed.means
    return residuals**2 @ case.observed.counts, 2 * (residuals * slopes * case.observed.counts) @ case.observed.points


def projected(points: np.ndarray, case: Case, normals: np.ndarray | None) -> np.ndarray:
    """The nearest point with a length within the bounds and, where there are normals, its own one at the level."""
    lengths = np.maximum(np.linalg.norm(points, axis=1, keepdims=True), 1e-300)
    inside = points * np.clip(lengths, case.inner, case.outer) / lengths
    if normals is None:
        return inside
    squares = (normals**2).sum(axis=1, keepdims=True)
    feet = case.level / squares * normals
    along = points - (points * normals).sum(axis=1, keepdims=True) / squares * normals
    room = np.sqrt(np.maximum(case.outer**2 - (feet**2).sum(axis=1, keepdims=True), 0.0))
    shrunk = along * np.minimum(1.0, room / np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-300))
    return np.where((inside * normals).sum(axis=1, keepdims=True) >= case.level, inside, feet + shrunk)


def unit_rows(rng: np.random.Generator, n_rows: int, n: int) -> np.ndarray:
    rows = rng.standard_normal((n_rows, n))
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def answers(rng: np.random.Generator, family: Any, queries: Any, norm: float) -> Iterator[tuple[Any, float, int]]:
    truth = norm * unit_rows(rng, 1, family.targets.n)[0]
    noise = rng.choice([0.0, 0.1, 0.5])
    for query in queries:
        yield query, float(family.evaluate(query, truth) + noise * rng.uniform(-1, 1)), int(rng.integers(1, 5))


def coins(rng: np.random.Generator, family: Any, queries: Any, norm: float) -> Iterator[tuple[Any, float, int]]:
    """Rewards of 0 and 1, by the mean of a truth or by nothing at all."""
    truth = norm * unit_rows(rng, 1, family.targets.n)[0]
    share = rng.choice([0.0, 1.0])
    for query in queries:
        chance = share * family.evaluate(query, truth) + (1 - share) / 2
        yield query, float(rng.random() < chance), int(rng.integers(1, 5))


Answers = Callable[[np.random.Generator, Any, Any, float], Iterator[tuple[Any, float, int]]]


def told(family: Any, alpha: float | None, given: list[tuple[Any, float, int]]) -> np.ndarray:
    fit = family.fit()
    state = fit.start(alpha)
    for query, reward, count in given:
        state = fit.update(state, query, reward, count)
    return np.asarray(fit.estimate(state))


def vector_case(family: Any, response: Response, inner: float, alpha: float | None, rng: np.random.Generator) -> Case:
    """A family whose queries are vectors and whose constraints are lengths."""
    given = list(answers(rng, family, unit_rows(rng, int(rng.integers(1, 25)), family.n), 1.0))
    points, rewards, counts = (np.array(part) for part in zip(*given, strict=True))
    return Case(Observed(points, counts, rewards), response, told(family, alpha, given), inner, 1.0)


def action_case(
    family: Any,
    response: Response,
    level: float | None,
    alpha: float | None,
    rng: np.random.Generator,
    heard: Answers = answers,
) -> Case:
    """A family with finitely many actions, of which one must reach the level."""
    matrix = getattr(family, "linear", family).matrix
    chosen = rng.integers(len(matrix), size=int(rng.integers(1, 25))).tolist()
    given = list(heard(rng, family, chosen, family.norm))
    indices, rewards, counts = (np.array(part) for part in zip(*given, strict=True))
    case = Case(Observed(matrix[indices], counts, rewards), response, told(family, alpha, given), 0.0, family.norm)
    if level is None:
        return case
    reaches = level <= family.norm * np.linalg.norm(matrix, axis=1)
    return case._replace(normals=matrix[reaches], level=level)


def identity(inner: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return inner, np.ones_like(inner)


def linear_case(rng: np.random.Generator) -> Case:
    family, alpha = Linear(unit_rows(rng, 8, int(rng.integers(1, 6)))), float(rng.uniform(0, 0.99))
    return action_case(family, identity, alpha, alpha, rng)


def glm_case(rng: np.random.Generator) -> Case:
    """Half of the time actions of one length and norms up to 4; else lengths from 0.2 to 3, norms up to 8."""
    is_wide, heard = rng.random() < 0.5, (answers, coins)[rng.integers(2)]
    link, norm = (logistic, probit)[rng.integers(2)], float(rng.uniform(0.5, 8 if is_wide else 4))
    lengths = rng.uniform(0.2, 3, (8, 1)) if is_wide else 1.0
    n_actions, n = int(rng.integers(1, 9)), int(rng.integers(1, 5))
    family = GLM((lengths * unit_rows(rng, 8, n))[:n_actions], link, norm, reward_range=(-1, 1))

    def response(inner: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return link.function(inner), link.derivative(inner)

    if rng.random() < 0.3:
        return action_case(family, response, None, None, rng, heard)
    level = min(float(rng.uniform(-0.3, 0.95)) * family.reach, 4.0)  # further up all levels are 1, to rounding
    return action_case(family, response, level, link.value(level), rng, heard)


def ball_case(rng: np.random.Generator) -> Case:
    alpha = float(rng.uniform(0, 1))
    return vector_case(LinearBall(int(rng.integers(1, 7))), identity, alpha, alpha, rng)


def relu_case(n: int | None) -> Callable[[np.random.Generator], Case]:
    def make(rng: np.random.Generator) -> Case:
        bias = float(rng.uniform(0, 0.9))
        family = ReLU(int(rng.integers(2, 5)) if n is None else n, bias)
        alpha = 1 - bias if n is not None else float(rng.uniform(0, 1 - bias))
        return vector_case(family, family.fit().response, alpha + bias, alpha, rng)

    return make


FAMILIES: dict[str, Callable[[np.random.Generator], Case]] = {
    "sphere": lambda rng: vector_case(Sphere(int(rng.integers(1, 7))), identity, 1.0, 1.0, rng),
    "ball": ball_case,
    "linear, 8 actions": linear_case,
    "GLM, 1 to 8 actions": glm_case,
    "ReLU on the circle": relu_case(2),
    "ReLU in 2 to 4 dimensions": relu_case(None),
}
