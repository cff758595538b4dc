"""Resident memory beyond the map for 10^7 targets and 64 queries in a float32 memory map (2.6 GB on disk)."""

import gc
import os
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.progress import track

from benchmarks.document import verdict
from warmer import LeastSquares, Problem, Session, goals, noise, read_problem

N_QUERIES, N_TARGETS, N_ROUNDS = 64, 10_000_000, 20
GOAL = goals.BestQuery(0.1)
SESSIONS = {
    "LeastSquares": lambda problem: Session(LeastSquares(problem, alpha=0.49), seed=0),
    "TopTwo, sub-Gaussian noise": lambda problem: Session(problem, goal=GOAL, noise=noise.SubGaussian(0.29), seed=0),
    "TopTwo, nothing declared": lambda problem: Session(problem, goal=GOAL, seed=0),
}


def main() -> None:
    console = Console()
    console.print(f"{N_TARGETS:,} targets x {N_QUERIES} queries, float32 memory map")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rho.npy"
        write(path)
        for name, start_session in SESSIONS.items():
            gc.collect()
            before, watch = anonymous_mib(), Watch()
            opened, a_round, n_left = play(path, start_session)
            peak = watch.stop() - before
            console.print(f"{name}: opened and checked in {opened:.1f} s; {a_round * 1e3:.0f} ms per round")
            verdict(f"{name}: memory beyond the map", f"{peak:,.0f} MiB", "under 1,500 MiB")
            console.print(f"  peak resident memory beyond the map: {peak:,.0f} MiB; {n_left:,} targets still possible")


def play(path: Path, start_session: Callable[[Problem], Session]) -> tuple[float, float, int]:
    """Seconds to open, seconds per round, and how many candidates remain in the end."""
    start = time.perf_counter()
    problem = read_problem(path)
    session = start_session(problem)
    opened = time.perf_counter() - start
    truth, rng = problem.rho[:, 123_456].astype(float), np.random.default_rng(1)
    start = time.perf_counter()
    for _ in range(N_ROUNDS):
        query = session.ask()
        session.tell(query, float(np.clip(truth[query] + rng.uniform(-0.5, 0.5), -1, 1)))
    a_round = (time.perf_counter() - start) / N_ROUNDS
    return opened, a_round, len(session.certificate(GOAL).remaining)


def write(path: Path) -> None:
    table = np.lib.format.open_memmap(path, mode="w+", dtype=np.float32, shape=(N_QUERIES, N_TARGETS))
    rng = np.random.default_rng(0)
    for row in track(range(N_QUERIES), description="writing the map", transient=True, console=Console(stderr=True)):
        table[row] = rng.random(N_TARGETS, dtype=np.float32) - np.float32(0.5)
    table.flush()
    del table


def anonymous_mib() -> float:
    """Resident memory of this process that is not a view of a file."""
    status = Path(f"/proc/{os.getpid()}/status").read_text()
    return int(status.split("RssAnon:")[1].split()[0]) / 1024


class Watch:
    """Remembers the largest value while something runs."""

    def __init__(self) -> None:
        self.peak, self._done = anonymous_mib(), threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()

    def _look(self) -> None:
        while not self._done.wait(0.01):
            self.peak = max(self.peak, anonymous_mib())

    def stop(self) -> float:
        """End the watch and tell the largest value."""
        self._done.set()
        self._thread.join()
        return self.peak
