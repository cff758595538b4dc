"""Compiled runs beside the plain loop, on one core: steps per second, all in one run. Budgets: runs per second.

W3 as in `regret`; peers get features of the actions, which are made before the clock starts. K arms as in W1: coins
with means from 0.1 to 0.9; UCB1 of river runs beside where it is installed (`pip install river`).
"""

import importlib.util
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from benchmarks.document import verdict
from benchmarks.linucb import linear_peers
from benchmarks.regret import features, random_functions, rounds
from warmer import LeastSquares, Optimistic, Problem, Session, Thompson, environments, families, goals, noise, simulate
from warmer.analysis import Task
from warmer.analysis.budgets.trials import simulate_candidates
from warmer.estimation import TableFit
from warmer.learners import UCB1, Elimination, Uniform
from warmer.model.time_limit import Clock
from warmer.simulation import engine, plain
from warmer.simulation.streams import ENVIRONMENT, LEARNER, key_of, stream

HORIZON = 2000


def main() -> None:
    structured()
    arms(10)
    arms(100)
    own_parts()
    budget()
    whole_command()
    forecasts()


class OwnUCB1(UCB1):
    """A learner of a user's own, as the plain loop sees it."""


class OwnMean:
    """The shortest learner that still learns: the best mean so far, and now and then any query."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem

    def init(self, rng: np.random.Generator) -> Any:
        """Nothing asked yet."""
        return [0] * self.problem.n_queries, [0.0] * self.problem.n_queries

    def ask(self, state: Any, rng: np.random.Generator) -> int:
        """The best so far, or any."""
        counts, sums = state
        if rng.random() < 0.1:
            return int(rng.random() * len(counts))
        return max(range(len(counts)), key=lambda query: sums[query] / (counts[query] + 1))

    def tell(self, state: Any, query: int, reward: float, count: int = 1) -> Any:
        """Count the answer."""
        state[0][query] += count
        state[1][query] += reward
        return state


class OwnCoin:
    """An environment of a user's own; it names a target where one is given."""

    def __init__(self, problem: Problem, means: np.ndarray, target: int | None = None) -> None:
        self.problem, self.means, self.target = problem, means.tolist(), target

    def noise(self, horizon: int, rng: np.random.Generator) -> np.ndarray:
        """A number for each round."""
        return rng.random(horizon)

    def reward(self, query: int, chance: float) -> float:
        """Heads with the probability that is the mean."""
        return 1.0 if chance < self.means[query] else 0.0


def own_parts(horizon: int = 4000, runs: int = 5, times: int = 15) -> None:
    """Learners and environments of a user's own: every query and answer looked at, and the bare loop in turns."""
    problem = Problem.from_table(np.random.default_rng(0).uniform(size=(20, 30)), reward_range=(0, 1))
    coin, named = OwnCoin(problem, problem.rho[:, 3]), OwnCoin(problem, problem.rho[:, 3], target=3)
    sphere, north = families.Sphere(5), np.eye(5)[0]
    table = Table("learner", "environment", "bare loop, us a round", "with checks", "ratio", title="parts of one's own")
    for learner, answering in (
        (OwnUCB1(problem), coin),
        (OwnUCB1(problem), named),
        (OwnUCB1(problem), environments.Coin(problem, 3)),
        (OwnMean(problem), coin),
        (OwnMean(problem), named),
        (LeastSquares(sphere, alpha=1.0), environments.UniformNoise(sphere, north, width=0.3)),
    ):
        contenders = (
            lambda learner=learner, answering=answering: bare(learner, answering, horizon, runs),
            lambda learner=learner, answering=answering: simulate(
                learner, answering, horizon=horizon, runs=runs, seed=1
            ),
        )
        least = [np.inf, np.inf]
        for _ in range(times):
            least = [min(each, seconds(work, 1)) for each, work in zip(least, contenders, strict=True)]
        before, after = (each / (horizon * runs) * 1e6 for each in least)
        has_name = " with a target" if answering is named else ""
        names = type(learner).__name__, type(answering).__name__ + has_name
        table.add_row(*names, f"{before:.2f}", f"{after:.2f}", f"{after / before:.2f}")
        verdict(f"{names[0]} in {names[1]}: with checks / the bare loop", f"{after / before:.2f}", "at most 1.2")
    Console().print(table)


def bare(learner: Any, answering: Any, horizon: int, runs: int) -> None:
    """The loop before anything was checked, word for word."""
    key, clock = key_of(1), Clock(None)
    shape = learner.problem.query_shape
    queries = np.empty((runs, horizon, *shape), dtype=float if shape else np.int32)
    rewards = np.empty((runs, horizon))
    for run in range(runs):
        learner_rng, environment_rng = stream(key, run, LEARNER), stream(key, run, ENVIRONMENT)
        state, ask, tell, answer = learner.init(learner_rng), learner.ask, learner.tell, answering.reward
        for start in range(0, horizon, 256):
            end = min(start + 256, horizon)
            noise = answering.noise(end - start, environment_rng)
            for t, row in enumerate(noise.tolist() if noise.ndim == 1 else noise, start):
                if t % 16 == 0:
                    clock.check()
                query = ask(state, learner_rng)
                reward = answer(query, row)
                state = tell(state, query, reward)
                queries[run, t] = query
                rewards[run, t] = reward


class NumPyThompson(Thompson):
    """Draws with NumPy over all candidates, as the loop did before runs were compiled."""

    def ask(self, state: Any, rng: np.random.Generator) -> int:
        """The best query of a target drawn from the posterior."""
        fit = TableFit(self.problem)
        running = fit.posterior(state, self.problem.sigma(self.sigma)).cumsum()
        return int(self.problem.best_query(int(running.searchsorted(rng.random() * running[-1], side="right"))))


def structured() -> None:
    rng = np.random.default_rng(0)
    problem = random_functions(rng)
    target = int(rng.integers(problem.n_targets))
    answering = environments.UniformNoise(problem, target, width=0.5)
    sigma = answering.sigma
    table = Table("W3", "plain loop, steps/s", "compiled", "ratio", title="2,000 functions, 200 actions, one core")
    for learner in (
        LeastSquares(problem, alpha=answering.alpha_star),
        Optimistic(problem, sigma=sigma),
        Thompson(problem, sigma=sigma),
        Elimination(problem, sigma=sigma),
        UCB1(problem),
        Uniform(problem),
    ):
        slow, fast = plain_speed(learner, answering, runs=2), compiled_speed(learner, answering, runs=20)
        table.add_row(type(learner).__name__, f"{slow:,.0f}", f"{fast:,.0f}", f"{fast / slow:.1f}")
        if isinstance(learner, LeastSquares):
            verdict("W3, LeastSquares: compiled / plain loop", f"{fast / slow:.1f}", "at least 4")
        if isinstance(learner, Thompson):
            slow = plain_speed(NumPyThompson(problem, sigma=sigma), answering, runs=1)
            table.add_row("Thompson against NumPy's", f"{slow:,.0f}", f"{fast:,.0f}", f"{fast / slow:.1f}")
            verdict("W3, Thompson: compiled / loop with NumPy", f"{fast / slow:.1f}", "at least 8")
    ours = compiled_speed(LeastSquares(problem, alpha=answering.alpha_star), answering, runs=20)
    points, speeds = features(problem), {}
    for name, make in linear_peers().items():
        theirs = 500 / seconds(lambda make=make: rounds(answering, 500, *make(points)))
        table.add_row(f"LeastSquares against {name}", f"{theirs:,.0f}", f"{ours:,.0f}", f"{ours / theirs:.1f}")
        speeds[name] = theirs
    fastest = max(speeds, key=lambda name: speeds[name])
    verdict(f"W3, LeastSquares / {fastest}, the fastest peer", f"{ours / speeds[fastest]:.0f}", "at least 30")
    Console().print(table)


def arms(n_arms: int, horizon: int = 10_000) -> None:
    means = np.random.default_rng(1).permutation(np.linspace(0.1, 0.9, n_arms))
    problem = Problem.from_table(means[:, None], reward_range=(0, 1))
    coin = environments.Coin(problem, 0)
    fast = compiled_speed(UCB1(problem), coin, runs=100, horizon=horizon)
    table = Table("UCB1", "steps/s", "ratio", title=f"{n_arms} arms, one core")
    table.add_row("warmer, compiled", f"{fast:,.0f}", "1")
    slow = plain_speed(UCB1(problem), coin, runs=1, horizon=horizon)
    table.add_row("warmer, plain loop", f"{slow:,.0f}", f"{fast / slow:.0f}")
    if importlib.util.find_spec("river"):
        peer = horizon / seconds(lambda: river_ucb1(means, horizon))
        table.add_row("river", f"{peer:,.0f}", f"{fast / peer:.0f}")
        verdict(f"{n_arms} arms, UCB1 / river", f"{fast / peer:.0f}", "at least 100")
    else:
        table.add_row("river", "not installed", "-")
    Console().print(table)


def river_ucb1(means: np.ndarray, horizon: int) -> None:
    from river import bandit, stats

    policy, rng = bandit.UCB(delta=1, reward_obj=stats.Mean(), seed=0), np.random.default_rng(0)
    names = list(range(means.size))
    for level in rng.random(horizon).tolist():
        arm = policy.pull(names)
        policy.update(arm, float(level < means[arm]))


def budget(n_candidates: int = 100, n_queries: int = 40, runs: int = 1000) -> None:
    problem = Problem.from_table(np.random.default_rng(3).uniform(-0.5, 0.5, (n_queries, n_candidates)))
    title = f"budget: {n_candidates} candidates x {runs:,} runs, epsilon 0.05, sigma 0.3, per second of one core"
    table = Table(
        "learner", "plain loop, runs/s", "compiled, runs/s", "ratio", "seconds for all, on all cores", title=title
    )
    few: dict[str, Any] = {"candidates": np.arange(0, n_candidates, 20), "runs": 4}
    for name in ("top-two", "max-information", "track-and-stop", "elimination", "uniform", "optimistic"):
        play = partial(simulate_candidates, problem, Task(epsilon=0.05, sigma=0.3), learner=name)
        slow = 20 / seconds(lambda play=play: plainly(lambda: play(**few)))
        if is_compiled(lambda play=play: play(**few)):
            start = time.perf_counter()
            fast = n_candidates * runs / seconds(lambda play=play: play(runs=runs), 1)
            took = time.perf_counter() - start
            table.add_row(name, f"{slow:,.0f}", f"{fast:,.0f}", f"{fast / slow:.1f}", f"{took:.1f}")
            verdict(f"budget, {name}: compiled / plain loop as it is now", f"{fast / slow:.1f}", "")
        else:
            table.add_row(name, f"{slow:,.0f}", "plain loop only", "-", f"{n_candidates * runs / slow:.0f} (from few)")
    Console().print(table)


def whole_command(n_candidates: int = 100, n_queries: int = 40, runs: int = 1000) -> None:
    """`warmer budget` as a process of its own: it loads, searches, simulates, bounds and prints."""
    table = np.random.default_rng(3).uniform(-0.5, 0.5, (n_queries, n_candidates))
    with tempfile.TemporaryDirectory() as folder:
        np.save(f"{folder}/table.npy", table)
        line = [sys.executable, "-m", "warmer", "budget", f"{folder}/table.npy", "--epsilon", "0.05", "--sigma", "0.3"]
        options = {"check": True, "capture_output": True}
        work = partial(subprocess.run, [*line, "--runs", str(runs), "--learner", "elimination"], **options)
        took = seconds(work, clock=time.perf_counter)
    wanted = "at least 20 times less than before runs were compiled: 94 s, on two cores"
    verdict(f"`warmer budget`, {n_candidates} x {runs:,} runs of elimination, whole command", f"{took:.1f} s", wanted)


def forecasts(n_queries: int = 200, n_targets: int = 2000) -> None:
    """Of a study that goes on after five answers: 40 runs of at most 500 answers."""
    problem = Problem.from_table(np.random.default_rng(0).uniform(-0.5, 0.5, (n_queries, n_targets)))
    title = f"forecast of a study, {n_targets:,} candidates, {n_queries} queries, on the processor"
    table = Table("learner", "declared", "plain loop, s", "compiled, s", "ratio", title=title)
    for given, declared in (
        (problem, noise.SubGaussian(0.3)),
        (problem, None),
        (LeastSquares(problem, alpha=0.3), noise.SubGaussian(0.3)),
    ):
        session = Session(given, goal=goals.BestQuery(0.05), noise=declared)
        for query in range(5):
            session.tell(query, float(problem.rho[query, 3]))
        slow, fast = seconds(lambda session=session: plainly(session.forecast)), seconds(session.forecast)
        name = type(session.learner).__name__
        table.add_row(name, str(declared or "nothing"), f"{slow:.3f}", f"{fast:.3f}", f"{slow / fast:.1f}")
    Console().print(table)


def is_compiled(work: Callable[[], Any]) -> bool:
    """Whether the plain loop is never entered."""
    kept, calls = plain.play, []
    plain.play = lambda *settings, **more: calls.append(1) or kept(*settings, **more)
    try:
        work()
    finally:
        plain.play = kept
    return not calls


def plainly(work: Callable[[], Any]) -> Any:
    """With nothing known to compiled runs."""
    kept, engine.plan = engine.plan, lambda *settings, **more: None
    try:
        return work()
    finally:
        engine.plan = kept


def compiled_speed(learner: Any, answering: Any, *, runs: int, horizon: int = HORIZON) -> float:
    return runs * horizon / seconds(lambda: simulate(learner, answering, horizon=horizon, runs=runs, seed=1, jobs=1))


def plain_speed(learner: Any, answering: Any, *, runs: int, horizon: int = HORIZON) -> float:
    played = np.empty((runs, horizon), dtype=np.int32), np.empty((runs, horizon))
    several = [learner] * runs, [answering] * runs
    game = plain.Game(learner.problem, key_of(1), seed=1)
    return runs * horizon / seconds(lambda: plain.play(game, *several, 0, *played))


def seconds(work: Callable[[], object], times: int = 3, clock: Callable[[], float] = time.process_time) -> float:
    """The least of several times on the processor; other programs only add."""
    if times > 1:
        work()
    least = np.inf
    for _ in range(times):
        start = clock()
        work()
        least = min(least, clock() - start)
    return float(least)
