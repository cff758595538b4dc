"""Answers until the certificate: what is declared about the noise, who asks, and how far from the limit.

Three tables: noise models on random tables; learners on five families of problems, as multiples of the limit
T* ln(n/delta); which parameter is true, on yes/no tasks.
"""

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

from benchmarks.document import verdict
from warmer import (
    Elimination,
    MaxInformation,
    Optimistic,
    Problem,
    Thompson,
    TopTwo,
    TrackAndStop,
    Uniform,
    UntilCertified,
    bounds,
    goals,
    noise,
)

EPSILON = DELTA = 0.05
GOAL = goals.BestQuery(EPSILON)
Answer = Callable[[float, np.random.Generator], float]


def main() -> None:
    noise_models()
    families()


def uniform(width: float) -> Answer:
    return lambda mean, rng: mean + rng.uniform(-width, width)


def coin(mean: float, rng: np.random.Generator) -> float:
    return 1.0 if rng.random() < (1 + mean) / 2 else -1.0


def stopped(learner: Any, means: np.ndarray, answer: Answer, seed: Any, most: int = 3000) -> tuple[int, int | None]:
    """How many answers it took, and the query that was certified; None where none was."""
    rng = np.random.default_rng(seed)
    state, n_answers = learner.init(rng), 0
    while not learner.is_done(state) and n_answers < most:
        query = learner.ask(state, rng)
        state, n_answers = learner.tell(state, query, float(answer(means[query], rng))), n_answers + 1
    settled = learner.evidence(state).settled
    return n_answers, settled


def noise_models(n_tables: int = 6, n_truths: int = 20) -> None:
    """200 candidates, 40 experiments, means uniform in [-0.5, 0.5]."""
    table = Table(
        "noise", "declared", "who asks", "mean answers", "wrong", "to reach", title=f"{n_tables * n_truths} runs each"
    )
    rng = np.random.default_rng(0)
    tables = [rng.uniform(-0.5, 0.5, (40, 200)) for _ in range(n_tables)]
    truths = rng.integers(0, 200, (n_tables, n_truths))
    for name, answer, declared, who, target in track(list(_contests()), console=Console(stderr=True), transient=True):
        counts, n_wrong = [], 0
        for number, rho in enumerate(tables):
            learner = who(Problem.from_table(rho), declared)
            for truth in truths[number].tolist():
                n_answers, settled = stopped(learner, rho[:, truth], answer, [number, truth])
                counts.append(n_answers)
                n_wrong += settled is not None and bool(rho[settled, truth] < rho[:, truth].max() - EPSILON)
        table.add_row(name, repr(declared), type(learner).__name__, f"{np.mean(counts):.1f}", str(n_wrong), target)
        if target:
            measured = f"{np.mean(counts):.1f}, {n_wrong} of {len(counts)} wrong"
            verdict(f"answers of {name}, declared {declared!r}", measured, f"at most {target}, 5% wrong")
    Console().print(table)


def _contests() -> Iterator[tuple[str, Answer, Any, Callable[[Problem, Any], Any], str]]:
    def top_two(problem: Problem, declared: Any) -> TopTwo:
        return TopTwo(problem, GOAL, noise=declared, delta=DELTA)

    def random(problem: Problem, declared: Any) -> UntilCertified:
        return UntilCertified(Uniform(problem), GOAL, noise=declared, delta=DELTA)

    for width, limits in ((0.5, ("20", "36", "30", "11")), (0.1, ("5.5", "27", "10", "4"))):
        deviation = round(width / math.sqrt(3), 4)
        declarations = (noise.SubGaussian(deviation), noise.Bounded(), noise.Gaussian(), noise.BoundedNoise(width))
        for declared, target in zip(declarations, limits, strict=True):
            yield f"uniform +-{width}", uniform(width), declared, top_two, target
        yield f"uniform +-{width}", uniform(width), noise.Bounded(), random, ""
    yield "coins", coin, noise.Coin(), top_two, "165"
    yield "coins", coin, noise.Bounded(), top_two, "165"
    yield "coins", coin, noise.Coin(), random, ""


SIGMA = 0.5
FAMILIES = ("random", "linear", "smooth", "needle", "revealing")
LEARNERS: dict[str, Callable[[Problem], Any]] = {
    "top-two": lambda problem: TopTwo(problem, GOAL, noise=noise.SubGaussian(SIGMA), delta=DELTA),
    "track-and-stop": lambda problem: TrackAndStop(problem, GOAL, noise=noise.SubGaussian(SIGMA), delta=DELTA),
    "max-information": lambda problem: MaxInformation(problem, GOAL, noise=noise.SubGaussian(SIGMA), delta=DELTA),
    "uniform": lambda problem: _certified(Uniform(problem)),
    "elimination": lambda problem: _certified(Elimination(problem, sigma=SIGMA)),
    "thompson": lambda problem: _certified(Thompson(problem, sigma=SIGMA)),
    "optimistic": lambda problem: _certified(Optimistic(problem, sigma=SIGMA)),
}


def _certified(base: Any) -> UntilCertified:
    return UntilCertified(base, GOAL, noise=noise.SubGaussian(SIGMA), delta=DELTA)


def families(n_instances: int = 4, n_runs: int = 30) -> None:
    """Mean answers over T* ln(n/delta), Gaussian noise of known deviation 0.5."""
    ratios: dict[tuple[str, str], list[float]] = {}
    n_wrong = dict.fromkeys(LEARNERS, 0)
    instances = [(family, seed) for family in FAMILIES for seed in range(n_instances)]
    for family, seed in track(instances, console=Console(stderr=True), transient=True):
        rho, truth = instance(family, seed)
        problem = Problem.from_table(rho)
        limit = bounds.characteristic_time(problem, truth, goal=GOAL, noise=noise.SubGaussian(SIGMA)).upper
        limit *= math.log(problem.n_targets / DELTA)
        for name, build in LEARNERS.items():
            learner, counts = build(problem), []
            for run in range(n_runs if name == "top-two" else max(5, n_runs // 3)):
                n_answers, settled = stopped(learner, rho[:, truth], gaussian, [seed, run])
                counts.append(n_answers)
                n_wrong[name] += settled is not None and bool(rho[settled, truth] < rho[:, truth].max() - EPSILON)
            ratios.setdefault((name, family), []).append(float(np.mean(counts)) / limit)
    table = Table(
        "learner", *FAMILIES, "all", "worst", "wrong", title="mean answers / (T* ln(n/delta)), geometric means"
    )
    for name in LEARNERS:
        rows = [ratios[name, family] for family in FAMILIES]
        everything = [ratio for row in rows for ratio in row]
        cells = [f"{math.exp(np.mean(np.log(row))):.2f}" for row in (*rows, everything)]
        table.add_row(name, *cells, f"{max(everything):.1f}", str(n_wrong[name]))
        if name == "top-two":
            verdict("five families, TopTwo: answers / (T* ln(n/delta)), geometric mean", cells[-1], "at most 2.3")
            verdict("the largest of all instances", f"{max(everything):.1f}", "at most 10")
    Console().print(table)


def gaussian(mean: float, rng: np.random.Generator) -> float:
    return mean + SIGMA * rng.normal()


def instance(family: str, seed: int) -> tuple[np.ndarray, int]:
    """A table of one of the five families, and a truth."""
    rng = np.random.default_rng([seed, FAMILIES.index(family)])
    if family == "random":
        rho = rng.uniform(-0.5, 0.5, (20, 200))
    elif family == "linear":
        actions, parameters = (rng.normal(size=(n, 5)) for n in (40, 400))
        actions, parameters = (x / np.linalg.norm(x, axis=1, keepdims=True) for x in (actions, parameters))
        rho = 0.5 * actions @ parameters.T
    elif family == "smooth":
        x = np.linspace(0, 1, 50)
        kernel = np.exp(-0.5 * ((x[:, None] - x) / 0.15) ** 2) + 1e-8 * np.eye(50)
        rho = np.clip(0.3 * np.linalg.cholesky(kernel) @ rng.normal(size=(50, 500)), -1, 1)
    elif family == "needle":
        rho = 0.4 * np.eye(30) + rng.uniform(-0.02, 0.02, (30, 1))
    else:
        places = np.arange(32)
        arms = 0.3 * np.eye(32) + rng.uniform(-0.02, 0.02, (32, 1))
        bits = np.array([-0.5 + 0.4 * ((places >> bit) & 1) for bit in range(5)]) + rng.uniform(-0.02, 0.02, (5, 1))
        rho = np.vstack([arms, bits])
    return rho, int(rng.integers(rho.shape[1]))
