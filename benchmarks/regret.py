"""W3 and W3c: who has the least regret on a structured bandit, and how fast.

W3: 2,000 random reward functions on 200 actions, means uniform in [-0.5, 0.5], noise uniform in [-0.5, 0.5], 2,000
rounds, the truth one of the functions, 20 seeds. W3c: needle in a haystack, same noise. Peers that know only actions
and features of actions run beside, where they are installed; a slow one plays the first five seeds. Learners that stop
when they have a proof are measured by `stopping`.
"""

import time
from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

from benchmarks import linucb
from benchmarks.document import verdict
from benchmarks.linucb import ENOUGH, Choose, Learn, Linear, is_installed, linear_peers, seeds_of
from warmer import Problem, environments, simulate
from warmer.analysis.run_statistics import mean_interval
from warmer.learners import Settings, build

HORIZON, N_SEEDS = 2000, 20
OURS = (
    "least-squares",
    "optimistic",
    "optimistic-paper",
    "thompson",
    "information-directed",
    "elimination",
    "oracle",
    "oracle-optimistic",
    "ucb1",
    "uniform",
)
GOALS = {"warmer least-squares": 15, "warmer optimistic": 60, "warmer thompson": 20}
Play = Callable[[Problem, environments.TargetEnvironment, float, int, int], float]
"""A problem, who answers, what the truth is worth, rounds and a seed: the regret."""


def main(n_seeds: int = N_SEEDS, ours: Sequence[str] = OURS) -> None:
    for title, make in (("W3: random functions", random_functions), ("W3c: needle in a haystack", needle)):
        show(title, {name: measure(make, play, name, seeds_of(name, n_seeds)) for name, play in players(ours).items()})


def random_functions(rng: np.random.Generator) -> Problem:
    return Problem.from_table(rng.uniform(-0.5, 0.5, (200, 2000)))


def needle(rng: np.random.Generator) -> Problem:
    return Problem.from_table(np.eye(200) - 0.5)


def players(names: Sequence[str]) -> dict[str, Play]:
    ours: dict[str, Play] = {f"warmer {name}": ours_named(name) for name in names}
    peers: dict[str, Play] = {name: with_features(make) for name, make in linear_peers().items()}
    if is_installed("mabwiser"):
        peers["MABWiser UCB1"] = theirs(lambda problem: linucb.mabwiser_ucb1(problem.n_queries))
    return ours | peers


def measure(
    make: Callable[[np.random.Generator], Problem], play: Play, name: str, n_seeds: int
) -> tuple[np.ndarray, float]:
    regrets, seconds = np.empty(n_seeds), 0.0
    for seed in track(range(n_seeds), description=f"{name:28}", transient=True, console=Console(stderr=True)):
        rng = np.random.default_rng(seed)
        problem = make(rng)
        target = int(rng.integers(problem.n_targets))
        environment = environments.UniformNoise(problem, target, width=0.5)
        alpha = float(problem.self_evaluations[target])
        play(problem, environment, alpha, 3, seed)  # compile, and make features, before the clock starts
        start = time.process_time()
        regrets[seed] = play(problem, environment, alpha, HORIZON, seed)
        seconds += time.process_time() - start
    return regrets, n_seeds * HORIZON / seconds


def ours_named(name: str) -> Play:
    def play(
        problem: Problem, environment: environments.TargetEnvironment, alpha: float, horizon: int, seed: int
    ) -> float:
        settings = Settings(alpha=alpha, delta=0.05, sigma=environment.sigma, horizon=horizon)
        runs = simulate(build(name, problem, settings), environment, horizon=horizon, seed=seed)
        return float(runs.regret(alpha)[0])

    return play


@lru_cache(maxsize=1)
def features(problem: Problem, n_features: int = 20) -> np.ndarray:
    """Actions as points: the leading singular directions of the table, what a peer can make of the functions."""
    squares, left = np.linalg.eigh(problem.rho @ problem.rho.T)
    points = left[:, -n_features:] * np.sqrt(np.maximum(squares[-n_features:], 0.0))
    return points / np.linalg.norm(points, axis=1).max()


def with_features(make: Linear) -> Play:
    return theirs(lambda problem: make(features(problem)))


def theirs(make: Callable[[Problem], tuple[Choose, Learn]]) -> Play:
    def play(
        problem: Problem, environment: environments.TargetEnvironment, alpha: float, horizon: int, seed: int
    ) -> float:
        return horizon * alpha - rounds(environment, horizon, *make(problem), seed=seed)

    return play


def rounds(
    environment: environments.TargetEnvironment, horizon: int, choose: Choose, learn: Learn, *, seed: int = 0
) -> float:
    """The sum of the means of what a peer chose."""
    noise, total = environment.noise(horizon, np.random.default_rng([seed, 1])), 0.0
    for row in noise:
        action = choose()
        total += environment.means[action]
        learn(action, environment.reward(action, row))
    return float(total)


def show(title: str, results: dict[str, tuple[np.ndarray, float]]) -> None:
    table = Table(title=f"{title}, {HORIZON} rounds")
    for column in ("", "mean regret", "95% interval", "steps per CPU s", "seeds"):
        table.add_column(column, justify="left" if not column else "right")
    for name, (regrets, speed) in sorted(results.items(), key=lambda item: item[1][0].mean()):
        interval = mean_interval(regrets)
        limits = f"{interval.low:.1f} .. {interval.high:.1f}"
        table.add_row(name, f"{interval.estimate:.1f}", limits, f"{speed:,.0f}", str(regrets.size))
    Console().print(table)
    if title.startswith("W3:") and results["warmer least-squares"][0].size >= ENOUGH:
        means = {name: float(regrets.mean()) for name, (regrets, _) in results.items()}
        best_peer = min(mean for name, mean in means.items() if not name.startswith("warmer"))
        for name, most in GOALS.items():
            verdict(f"W3, {name}", f"{means[name]:.1f}", f"at most {most}, and below {best_peer:.1f}, the best peer")
