"""What one ask and tell costs at many targets, beside streaming passes over the losses and the row in the same run.

First whole runs of the default learner to a proof, at 100,000 targets and 50 queries; then single steps of others.
"""

import time
from collections.abc import Callable

import numpy as np
from numba import njit
from rich.console import Console
from rich.table import Table

from benchmarks.document import verdict
from warmer import LeastSquares, Optimistic, Problem, Session, Thompson, TopTwo, goals, noise

N_QUERIES = 8
_CACHE = 1 << 25
"""Bytes beyond which losses are read from memory; below, a pass over them is not the limit that a row sets."""


@njit(cache=True)
def stream(losses, amount):
    """Read and write every loss once: no work could be less."""
    for i in range(losses.size):
        losses[i] += amount


@njit(cache=True)
def stream_both(losses, row):
    """Read the row and every loss, and write the loss: what a step of least squares must move, and no work besides."""
    for i in range(losses.size):
        losses[i] += row[i]


@njit(cache=True)
def bare(losses, row, reward):
    """The obvious compiled step: add the squared residuals and find the least, in one loop."""
    best, least = 0, np.inf
    for i in range(losses.size):
        difference = row[i] - reward
        losses[i] += difference * difference
        if losses[i] < least:
            best, least = i, losses[i]
    return best


def main() -> None:
    whole_runs()
    for n_targets, dtype in [(100_000, np.float64), (100_000, np.float32), (10_000_000, np.float32)]:
        measure(n_targets, dtype)


def whole_runs(n_targets: int = 100_000, n_queries: int = 50, n_truths: int = 5, n_times: int = 9) -> None:
    """Every step of some runs until the proof: of each step, and of a pass, the least time of several repetitions."""
    table = Table(
        "declared",
        "answers",
        "median step / pass",
        "mean",
        "ask",
        "tell",
        title=f"TopTwo, {n_targets:,} targets x {n_queries} queries, noise uniform +-0.5, {n_truths} runs",
    )
    rho = np.random.default_rng(0).uniform(-0.5, 0.5, (n_queries, n_targets))
    problem, losses, medians = Problem.from_table(rho), np.zeros(n_targets), []
    for declared, target in ((noise.SubGaussian(round(0.5 / 3**0.5, 4)), 10), (noise.Bounded(), 20)):
        learner = TopTwo(problem, goals.BestQuery(0.05), noise=declared)
        run_times(learner, rho[:, 0], 0)  # compiles
        a_pass = best_time(lambda: stream(losses, 0.5))
        runs = [
            np.min([run_times(learner, rho[:, truth], truth) for _ in range(n_times)], axis=0) / a_pass
            for truth in range(1, n_truths + 1)
        ]
        asks, tells = np.concatenate(runs, axis=1)
        cells = np.median([np.median(run.sum(axis=0)) for run in runs]), (asks + tells).mean()
        cells = *cells, np.median(asks), np.median(tells)
        table.add_row(repr(declared), f"{asks.size / n_truths:.0f}", *(f"{cell:.1f}" for cell in cells))
        medians.append((f"TopTwo with {declared!r}: median step / a pass", f"{cells[0]:.1f}", f"at most {target}"))
    Console().print(table)
    for median in medians:
        verdict(*median)


def run_times(learner, means: np.ndarray, seed: int) -> np.ndarray:
    """Seconds of each ask and of each tell until the goal is proven."""
    rng, times = np.random.default_rng(seed), []
    state = learner.init(rng)
    while not learner.is_done(state):
        marks = [time.perf_counter()]
        query = learner.ask(state, rng)
        marks.append(time.perf_counter())
        reward = float(means[query] + rng.uniform(-0.5, 0.5))  # the world's time, not the learner's
        marks.append(time.perf_counter())
        state = learner.tell(state, query, reward)
        marks.append(time.perf_counter())
        times.append(np.diff(marks)[[0, 2]])
    return np.array(times).T


def measure(n_targets: int, dtype: type) -> None:
    rng = np.random.default_rng(0)
    problem = Problem.from_table(rng.uniform(-0.5, 0.5, (N_QUERIES, n_targets)).astype(dtype))
    losses = np.zeros(n_targets, dtype=dtype)
    contenders: dict[str, Callable[[], object]] = {
        "one streaming pass over the losses": lambda: stream(losses, dtype(0.5)),
        "one streaming pass over the losses and the row": lambda: stream_both(losses, problem.rho[0]),
        "bare compiled step, one loop": lambda: bare(losses, problem.rho[0], dtype(0.25)),
        "NumPy in place": numpy_step(problem, losses),
    }
    for learner in (LeastSquares(problem, alpha=0.4), Optimistic(problem, 2.0), Optimistic(problem), Thompson(problem)):
        label = f"{type(learner).__name__}{' distance ball' if getattr(learner, 'radius', None) == 2.0 else ''}"
        contenders[f"{label} ask + tell"] = ask_tell(learner)
    contenders["Session(LeastSquares) ask + tell"] = session_step(Session(LeastSquares(problem, alpha=0.4)))
    times = {name: best_time(step) for name, step in contenders.items()}
    title = f"{n_targets:,} targets, {np.dtype(dtype).name}"
    show(title, times)
    least_squares = times["LeastSquares ask + tell"]
    _, both, a_bare = list(times.values())[:3]
    verdict(f"{title}: LeastSquares / a bare compiled step", f"{least_squares / a_bare:.2f}", "at most 1.5")
    if losses.nbytes > _CACHE:
        what = f"{title}: LeastSquares / a streaming pass over the losses and the row, which a step reads"
        verdict(what, f"{least_squares / both:.2f}", "at most 1.5")


def numpy_step(problem: Problem, losses: np.ndarray) -> Callable[[], object]:
    buffer = np.empty_like(losses)

    def step() -> object:
        np.subtract(problem.rho[0], losses.dtype.type(0.25), out=buffer)
        np.multiply(buffer, buffer, out=buffer)
        np.add(losses, buffer, out=losses)
        return losses.argmin()

    return step


def ask_tell(learner) -> Callable[[], object]:
    rng = np.random.default_rng(0)
    state = learner.init(rng)

    def step() -> None:
        nonlocal state
        state = learner.tell(state, learner.ask(state, rng), 0.25)

    return step


def session_step(session: Session) -> Callable[[], object]:
    return lambda: session.tell(session.ask(), 0.25)


def best_time(step: Callable[[], object], seconds: float = 0.6) -> float:
    """The least time of many repetitions: the machine is shared, and only noise adds."""
    for _ in range(3):
        step()
    times, stop = [], time.perf_counter() + seconds
    while time.perf_counter() < stop:
        start = time.perf_counter()
        step()
        times.append(time.perf_counter() - start)
    return min(times)


def show(title: str, times: dict[str, float]) -> None:
    table = Table(title=title)
    for column in ("", "microseconds", "times a pass", "times a pass over both", "times bare"):
        table.add_column(column, justify="left" if not column else "right")
    units = list(times.values())[:3]
    for name, seconds in times.items():
        table.add_row(name, f"{seconds * 1e6:,.0f}", *(f"{seconds / unit:.2f}" for unit in units))
    Console().print(table)
