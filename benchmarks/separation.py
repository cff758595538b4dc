r"""The separation class for growing N: what the learners lose with exact and with noisy answers.

The monotone dissimilarity dimension is at most 10 for every N (5 for each semicircle's circle), so exact answers cost
at most $1+8\cdot10^{1.5}=254$ in all, whatever N. With noise nothing is claimed: the paper's bound would need a
finite cover, and the class has none (ERRATA E9). As every function of the class is worth 1, optimism has no choice but
the best fit there, and asks what least squares asks. On a grid of 12 points the class is finite, and the covers grow
with N.
"""

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

from benchmarks.document import verdict
from warmer import LeastSquares, Optimistic, environments, problems, simulate
from warmer.analysis.run_statistics import mean_interval
from warmer.families import Separation, SeparationTarget

N_SEEDS, HORIZON, EPSILON, WIDTH = 10, 300, 0.25, 0.5


def main() -> None:
    show("all angles of the circle", [measured(n_bumps) for n_bumps in track_sizes((1, 4, 16, 64))])
    show("12 points of the circle", [measured_on_grid(n_bumps) for n_bumps in track_sizes((1, 2, 3, 4))])


def track_sizes(sizes):
    return track(sizes, description="separation", transient=True, console=Console(stderr=True))


def measured(n_bumps: int):
    family = Separation(n_bumps, epsilon=EPSILON, reward_range=(-1.5, 1.5))
    exact, noisy, optimistic = (np.empty(N_SEEDS) for _ in range(3))
    for seed in range(N_SEEDS):
        target = random_function(np.random.default_rng(seed), n_bumps)
        learner, environment = LeastSquares(family, alpha=1.0), environments.UniformNoise(family, target, width=WIDTH)
        exact[seed] = regret(learner, environments.Exact(family, target))
        noisy[seed] = regret(learner, environment)
        optimistic[seed] = regret(Optimistic(family, sigma=environment.sigma), environment)
    return n_bumps, exact, noisy, optimistic


def measured_on_grid(n_bumps: int):
    problem = problems.separation(n_bumps, epsilon=EPSILON, n_points=12)
    exact, noisy, optimistic = (np.empty(N_SEEDS) for _ in range(3))
    for seed in range(N_SEEDS):
        target = int(np.random.default_rng(seed).integers(problem.n_targets))
        learner, environment = LeastSquares(problem, alpha=1.0), environments.UniformNoise(problem, target, width=WIDTH)
        exact[seed] = regret(learner, environments.Exact(problem, target))
        noisy[seed] = regret(learner, environment)
        optimistic[seed] = regret(Optimistic(problem, sigma=environment.sigma), environment)
    return n_bumps, exact, noisy, optimistic


def random_function(rng: np.random.Generator, n_bumps: int) -> SeparationTarget:
    semicircle = int(rng.integers(2))
    start = (np.pi / 2, np.pi)[semicircle]
    places = (start + np.pi + np.pi * rng.uniform(0.001, 0.999, n_bumps)) % (2 * np.pi)
    signs = rng.choice([-1.0, 1.0], n_bumps)
    return SeparationTarget(
        semicircle, start + np.pi * rng.random(), tuple(zip(places.tolist(), signs.tolist(), strict=True))
    )


def regret(learner, environment) -> float:
    return float(simulate(learner, environment, horizon=HORIZON, seed=1).regret(1.0)[0])


def show(title: str, rows) -> None:
    table = Table(title=f"{title}, epsilon={EPSILON}, {HORIZON} rounds, {N_SEEDS} seeds")
    for column in ("N", "regret, exact", "largest", "regret, noisy", "95% interval", "optimistic, noisy"):
        table.add_column(column, justify="right")
    for n_bumps, exact, noisy, optimistic in rows:
        interval = mean_interval(noisy)
        limits = f"{interval.low:.1f} .. {interval.high:.1f}"
        numbers = (
            f"{exact.mean():.2f}",
            f"{exact.max():.2f}",
            f"{noisy.mean():.1f}",
            limits,
            f"{optimistic.mean():.1f}",
        )
        table.add_row(str(n_bumps), *numbers)
    Console().print(table)
    first, *_, last = rows
    what = f"{title}: regret with noise, N = {last[0]} / N = {first[0]}"
    verdict(what, f"{last[2].mean() / first[2].mean():.2f}", "about 1: it does not grow with N")
    largest = max(float(exact.max()) for _, exact, _, _ in rows)
    verdict(f"{title}: largest regret of exact answers", f"{largest:.2f}", "at most 254, for every N")
