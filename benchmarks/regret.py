"""W3 and W3c: who has the least regret on a structured bandit, and how fast.

W3: 2,000 random reward functions on 200 actions, means uniform in [-0.5, 0.5], noise uniform in [-0.5, 0.5], 2,000
rounds, the truth one of the functions, 20 seeds. W3c: needle in a haystack, same noise. Peers that know only actions
and features of actions run beside; MABWiser only where it is installed (`pip install mabwiser`).
"""

import importlib.util
import time
from collections.abc import Callable, Sequence

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

from benchmarks.document import verdict
from warmer import Problem, environments, simulate
from warmer.analysis.run_statistics import mean_interval
from warmer.learners import CATALOG, Settings, build

HORIZON, N_SEEDS = 2000, 20
GOALS = {"warmer least-squares": 15, "warmer optimistic": 60, "warmer thompson": 20}
Play = Callable[[Problem, environments.TargetEnvironment, float, int], float]


def main(n_seeds: int = N_SEEDS, ours: Sequence[str] = tuple(CATALOG)) -> None:
    for title, make in (("W3: random functions", random_functions), ("W3c: needle in a haystack", needle)):
        show(title, {name: measure(make, play, name, n_seeds) for name, play in players(ours).items()})


def random_functions(rng: np.random.Generator) -> Problem:
    return Problem.from_table(rng.uniform(-0.5, 0.5, (200, 2000)))


def needle(rng: np.random.Generator) -> Problem:
    return Problem.from_table(np.eye(200) - 0.5)


def players(names: Sequence[str]) -> dict[str, Play]:
    ours: dict[str, Play] = {f"warmer {name}": ours_named(name) for name in names}
    peers: dict[str, Play] = {"NumPy LinUCB(1)": linucb}
    if importlib.util.find_spec("mabwiser"):
        peers |= {"MABWiser UCB1": mabwiser_ucb1, "MABWiser LinUCB(1)": mabwiser_linucb}
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
        if seed == 0:
            play(problem, environment, alpha, 3)  # compile before the clock starts
        start = time.perf_counter()
        regrets[seed] = play(problem, environment, alpha, HORIZON)
        seconds += time.perf_counter() - start
    return regrets, n_seeds * HORIZON / seconds


def ours_named(name: str) -> Play:
    def play(problem: Problem, environment: environments.TargetEnvironment, alpha: float, horizon: int) -> float:
        settings = Settings(alpha=alpha, delta=0.05, sigma=environment.sigma, horizon=horizon)
        runs = simulate(build(name, problem, settings), environment, horizon=horizon, seed=1)
        return float(runs.regret(alpha)[0])

    return play


def features(problem: Problem, n_features: int = 20) -> np.ndarray:
    """Actions as points: the leading singular directions of the table, what a peer can make of the functions."""
    left, values, _ = np.linalg.svd(problem.rho, full_matrices=False)
    points = left[:, :n_features] * values[:n_features]
    return points / np.linalg.norm(points, axis=1).max()


def rounds(
    environment: environments.TargetEnvironment,
    horizon: int,
    choose: Callable[[], int],
    learn: Callable[[int, float], None],
):
    noise, total = environment.noise(horizon, np.random.default_rng(1)), 0.0
    for row in noise:
        action = choose()
        total += environment.means[action]
        learn(action, environment.reward(action, row))
    return total


def linucb(problem: Problem, environment: environments.TargetEnvironment, alpha: float, horizon: int) -> float:
    points = features(problem)
    inverse, sums = np.eye(points.shape[1]), np.zeros(points.shape[1])

    def choose() -> int:
        spread = np.einsum("ij,jk,ik->i", points, inverse, points)
        return int((points @ (inverse @ sums) + np.sqrt(spread)).argmax())

    def learn(action: int, reward: float) -> None:
        nonlocal inverse, sums
        image = inverse @ points[action]
        inverse = inverse - np.outer(image, image) / (1 + points[action] @ image)
        sums = sums + reward * points[action]

    return horizon * alpha - rounds(environment, horizon, choose, learn)


def mabwiser_linucb(problem: Problem, environment: environments.TargetEnvironment, alpha: float, horizon: int) -> float:
    from mabwiser.mab import MAB, LearningPolicy

    points = features(problem)
    bandit = MAB(arms=[0], learning_policy=LearningPolicy.LinUCB(alpha=1.0))
    bandit.fit([0], [0.0], points[:1] * 0)

    def choose() -> int:
        return int(np.argmax([value[0] for value in bandit.predict_expectations(points)]))

    def learn(action: int, reward: float) -> None:
        bandit.partial_fit([0], [reward], points[action : action + 1])

    return horizon * alpha - rounds(environment, horizon, choose, learn)


def mabwiser_ucb1(problem: Problem, environment: environments.TargetEnvironment, alpha: float, horizon: int) -> float:
    from mabwiser.mab import MAB, LearningPolicy

    bandit = MAB(arms=list(range(problem.n_queries)), learning_policy=LearningPolicy.UCB1(alpha=1.0))
    bandit.fit(list(range(problem.n_queries)), [0.0] * problem.n_queries)
    return horizon * alpha - rounds(environment, horizon, bandit.predict, lambda a, r: bandit.partial_fit([a], [r]))


def show(title: str, results: dict[str, tuple[np.ndarray, float]]) -> None:
    n_seeds = len(next(iter(results.values()))[0])
    table = Table(title=f"{title}, {HORIZON} rounds, {n_seeds} seeds")
    for column in ("", "mean regret", "95% interval", "steps/s"):
        table.add_column(column, justify="left" if not column else "right")
    for name, (regrets, speed) in sorted(results.items(), key=lambda item: item[1][0].mean()):
        interval = mean_interval(regrets)
        table.add_row(name, f"{interval.estimate:.1f}", f"{interval.low:.1f} .. {interval.high:.1f}", f"{speed:,.0f}")
    Console().print(table)
    if title.startswith("W3:"):
        means = {name: float(regrets.mean()) for name, (regrets, _) in results.items()}
        best_peer = min(mean for name, mean in means.items() if not name.startswith("warmer"))
        for name, most in GOALS.items():
            verdict(f"W3, {name}", f"{means[name]:.1f}", f"at most {most}, and below {best_peer:.1f}, the best peer")
