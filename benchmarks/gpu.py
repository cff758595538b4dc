"""Run-steps per second on a GPU, results in this machine's memory included; says so where there is none."""

import time

import numpy as np

from warmer import LeastSquares, Problem, environments, simulate
from warmer.model.errors import WarmerError
from warmer.simulation.cuda.device import cupy

RUNS, ROUNDS, QUERIES = 100_000, 2000, 200


def main() -> None:
    """Algorithm 5 on random tables of two sizes, in both precisions."""
    try:
        gpus = cupy().cuda.runtime
    except WarmerError as error:
        print(error)
        return
    print(gpus.getDeviceProperties(gpus.getDevice())["name"].decode(), f"{RUNS:,} runs of {ROUNDS:,} rounds")
    rng = np.random.default_rng(0)
    for number in (np.float64, np.float32):
        for n_targets in (2048, 8192):
            problem = Problem.from_table(rng.uniform(-0.5, 0.5, (QUERIES, n_targets)).astype(number))
            learner, answering = LeastSquares(problem, alpha=0.0), environments.UniformNoise(problem, 3, width=0.5)
            simulate(learner, answering, horizon=ROUNDS, runs=100, seed=0, engine="cuda")  # compiles
            start = time.perf_counter()
            simulate(learner, answering, horizon=ROUNDS, runs=RUNS, seed=0, engine="cuda")
            seconds = time.perf_counter() - start
            print(f"{number.__name__}, {n_targets:,} targets: {RUNS * ROUNDS / seconds:.3g} a second ({seconds:.2f} s)")
