"""How time grows with targets, queries, runs and cores; the exponents are fitted to the larger half of the sizes.

Runs on one core are timed on the processor, all else by the clock on the wall.
"""

import time
from collections.abc import Callable, Sequence

import numpy as np
from rich.console import Console
from rich.table import Table

from benchmarks.document import verdict
from benchmarks.engine import seconds
from benchmarks.figures import draw, exponent
from benchmarks.steps import ask_tell, best_time
from warmer import LeastSquares, Optimistic, Problem, TopTwo, environments, goals, noise, simulate
from warmer.dimensions.search.clique import n_cores

Curves = dict[str, tuple[np.ndarray, np.ndarray]]


def main() -> None:
    targets((1_000, 10_000, 100_000, 1_000_000, 4_000_000))
    queries((10, 30, 100, 300, 1_000))
    runs((10, 100, 1_000, 10_000))
    cores(2_000)


def quick() -> None:
    """The same on small sizes."""
    targets((1_000, 10_000, 100_000, 400_000))
    queries((10, 30, 100, 300))
    runs((10, 100, 1_000))
    cores(400)


def problem_of(n_targets: int, n_queries: int) -> Problem:
    return Problem.from_table(np.random.default_rng(0).uniform(-0.5, 0.5, (n_queries, n_targets)))


def learners(problem: Problem) -> dict[str, Callable[[], object]]:
    """One ask and tell of each."""
    proving = TopTwo(problem, goals.BestQuery(0.05), noise=noise.SubGaussian(100.0))  # nobody is ever ruled out
    those = {"LeastSquares": LeastSquares(problem, alpha=0.0), "Optimistic": Optimistic(problem), "TopTwo": proving}
    return {name: ask_tell(learner) for name, learner in those.items()}


def targets(sizes: Sequence[int], n_queries: int = 8) -> None:
    curves = measured(sizes, lambda size: learners(problem_of(size, n_queries)))
    show(f"one ask and tell, {n_queries} queries", "targets", "scaling-targets", curves, "at most 1: a pass over a row")


def queries(sizes: Sequence[int], n_targets: int = 20_000) -> None:
    curves = measured(sizes, lambda size: learners(problem_of(n_targets, size)))
    show(f"one ask and tell, {n_targets:,} targets", "queries", "scaling-queries", curves, "at most 1")


def runs(sizes: Sequence[int], horizon: int = 200) -> None:
    problem = problem_of(500, 50)
    answering = environments.UniformNoise(problem, 3, width=0.5)

    def play(learner: object, n_runs: int) -> Callable[[], object]:
        return lambda: simulate(learner, answering, horizon=horizon, runs=n_runs, seed=0, jobs=1)

    those = {"LeastSquares": LeastSquares(problem, alpha=0.4), "Optimistic": Optimistic(problem)}
    curves = measured(sizes, lambda size: {name: play(learner, size) for name, learner in those.items()}, clock=seconds)
    show(f"simulate, {horizon} rounds, 500 targets, one core", "runs", "scaling-runs", curves, "at most 1")


def cores(n_runs: int, horizon: int = 500) -> None:
    problem = problem_of(2_000, 50)
    answering, learner = environments.UniformNoise(problem, 3, width=0.5), LeastSquares(problem, alpha=0.4)
    counts = sorted({1, 2, *(2**k for k in range(2, 8) if 2**k <= n_cores())})
    curves = measured(
        counts,
        lambda jobs: {
            "LeastSquares": lambda: simulate(learner, answering, horizon=horizon, runs=n_runs, seed=0, jobs=jobs)
        },
        clock=lambda step: seconds(step, clock=time.perf_counter),
    )
    title = f"simulate, {n_runs:,} runs of {horizon} rounds, 2,000 targets"
    show(title, "cores", "scaling-cores", curves, "-1 where each core is free; this machine may be shared")


def measured(
    sizes: Sequence[int],
    make: Callable[[int], dict[str, Callable[[], object]]],
    *,
    clock: Callable[[Callable[[], object]], float] = best_time,
) -> Curves:
    """The least time of several repetitions at each size."""
    found = [{name: clock(step) for name, step in make(size).items()} for size in sizes]
    return {name: (np.array(sizes, dtype=float), np.array([each[name] for each in found])) for name in found[0]}


def show(title: str, axis: str, name: str, curves: Curves, wanted: str) -> None:
    table = Table(axis, *curves, title=f"{title}: milliseconds")
    sizes = next(iter(curves.values()))[0]
    for place, size in enumerate(sizes):
        table.add_row(f"{size:,.0f}", *(f"{values[place] * 1e3:,.3f}" for _, values in curves.values()))
    table.add_row("exponent", *(f"{exponent(*curve):.2f}" for curve in curves.values()))
    Console().print(table)
    for label, curve in curves.items():
        verdict(f"{label}: exponent in {axis}", f"{exponent(*curve):.2f}", wanted)
    draw(name, curves, x=axis, y="seconds")
