"""What one ask and tell costs at many targets, beside one streaming pass over the losses in the same run."""

import time
from collections.abc import Callable

import numpy as np
from numba import njit
from rich.console import Console
from rich.table import Table

from warmer import LeastSquares, Optimistic, Problem, Session, Thompson

N_QUERIES = 8


@njit(cache=True)
def stream(losses, amount):
    """Read and write every loss once: no work could be less."""
    for i in range(losses.size):
        losses[i] += amount


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
    for n_targets, dtype in [(100_000, np.float64), (100_000, np.float32), (10_000_000, np.float32)]:
        measure(n_targets, dtype)


def measure(n_targets: int, dtype: type) -> None:
    rng = np.random.default_rng(0)
    problem = Problem.from_table(rng.uniform(-0.5, 0.5, (N_QUERIES, n_targets)).astype(dtype))
    losses = np.zeros(n_targets, dtype=dtype)
    contenders: dict[str, Callable[[], object]] = {
        "one streaming pass over the losses": lambda: stream(losses, dtype(0.5)),
        "bare compiled step, one loop": lambda: bare(losses, problem.rho[0], dtype(0.25)),
        "NumPy in place": numpy_step(problem, losses),
    }
    for learner in (LeastSquares(problem, alpha=0.4), Optimistic(problem, 2.0), Optimistic(problem), Thompson(problem)):
        label = f"{type(learner).__name__}{' distance ball' if getattr(learner, 'radius', None) == 2.0 else ''}"
        contenders[f"{label} ask + tell"] = ask_tell(learner)
    contenders["Session(LeastSquares) ask + tell"] = session_step(Session(LeastSquares(problem, alpha=0.4)))
    show(f"{n_targets:,} targets, {np.dtype(dtype).name}", {name: best_time(f) for name, f in contenders.items()})


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
    for column in ("", "microseconds", "times a pass", "times bare"):
        table.add_column(column, justify="left" if not column else "right")
    a_pass, a_bare = list(times.values())[:2]
    for name, seconds in times.items():
        table.add_row(name, f"{seconds * 1e6:,.0f}", f"{seconds / a_pass:.2f}", f"{seconds / a_bare:.2f}")
    Console().print(table)
