"""Run-steps per second on a GPU, results in this machine's memory included; says so where there is none."""

import subprocess
import sys
import tempfile
import time

import numpy as np

from benchmarks.document import verdict
from warmer import LeastSquares, Optimistic, Problem, UntilCertified, environments, families, goals, noise, simulate
from warmer.analysis import Task, compare
from warmer.analysis.budgets import LEARNERS, simulate_candidates
from warmer.model.errors import WarmerError
from warmer.simulation.cuda.device import cupy

RUNS, ROUNDS, QUERIES = 100_000, 2000, 200
CANDIDATES = 1000
NOISE = {"SubGaussian(0.5)": noise.SubGaussian(0.5), "Bounded()": noise.Bounded()}


def main() -> None:
    """Algorithm 5 on random tables of two sizes, in both precisions, with and without certificates; arms; budgets."""
    try:
        gpus = cupy().cuda.runtime
    except WarmerError as error:
        print(error)
        return
    print(gpus.getDeviceProperties(gpus.getDevice())["name"].decode(), f"{RUNS:,} runs of {ROUNDS:,} rounds")
    rng = np.random.default_rng(0)
    for number in (np.float64, np.float32):
        for n_targets in (2048, 8192):
            table = rng.uniform(-0.5, 0.5, (QUERIES, n_targets)).astype(number)
            table[:, -1] = table[:, 3]  # twins, whom nothing tells apart: runs last to their end
            problem = Problem.from_table(table)
            what, is_goal = f"{number.__name__}, {n_targets:,} targets", (number, n_targets) == (np.float64, 2048)
            verdict(what, _speed(LeastSquares(problem, alpha=0.0)), "4e8 a second" if is_goal else "")
            for name, declared in NOISE.items() if n_targets == 2048 else ():
                learner = UntilCertified(LeastSquares(problem, alpha=0.0), goals.WhichTarget(), noise=declared)
                verdict(f"{what}, certificates from {name}", _speed(learner), "2e8 a second" if is_goal else "")
    arms = families.KArms(10)
    for name, learner in (("LeastSquares", LeastSquares(arms, alpha=0.7)), ("Optimistic", Optimistic(arms, delta=0.1))):
        verdict(f"10 arms, {name}", _speed(learner, np.linspace(0.1, 0.7, 10)), "")
    for learner in LEARNERS:
        _budget(Problem.from_table(rng.uniform(-0.5, 0.5, (40, CANDIDATES))), learner)
    _comparison(Problem.from_table(rng.uniform(-0.5, 0.5, (40, CANDIDATES))))
    with tempfile.TemporaryDirectory() as folder:
        np.save(f"{folder}/table.npy", rng.uniform(-0.5, 0.5, (40, CANDIDATES)))
        for learners in (["elimination"], ["top-two"], list(LEARNERS)):
            _whole_command(f"{folder}/table.npy", learners)


def _speed(learner, truth=3) -> str:
    answering = environments.UniformNoise(learner.problem, truth, width=0.5)
    options = {"seed": 0, "engine": "cuda", "until": getattr(learner, "is_done", None), "horizon": ROUNDS}
    simulate(learner, answering, runs=100, **options)  # compiles
    start = time.perf_counter()
    found = simulate(learner, answering, runs=RUNS, **options)
    seconds = time.perf_counter() - start
    return f"{found.n_answers.sum() / seconds:.3g} a second ({seconds:.2f} s)"


def _budget(problem: Problem, learner: str) -> None:
    """Every candidate the truth in a thousand runs, until certified."""
    task, options = Task(epsilon=0.05, sigma=0.5), {"learner": learner, "truths": CANDIDATES, "engine": "cuda"}
    simulate_candidates(problem, task, runs=1, **options)  # compiles
    start = time.perf_counter()
    found = simulate_candidates(problem, task, runs=1000, **options)
    seconds = time.perf_counter() - start
    what = f"{CANDIDATES:,} candidates x 1,000 runs of {learner}, {found.quantile(0.5)} answers at the median"
    verdict(what, f"{seconds:.2f} s", "under 5 s")


def _comparison(problem: Problem) -> None:
    """Runs with every candidate as the truth, and when each was proven."""
    answering = [environments.TruncatedGaussian(problem, target, sigma=0.5) for target in problem.targets]
    several = [each for each in answering for _ in range(RUNS // CANDIDATES)]
    for learner in LEARNERS:
        task, options = Task(0.05, sigma=0.5), {"horizon": QUERIES, "seed": 0, "with_proofs": True, "engine": "cuda"}
        compare(several[:1], [learner], task, **options)  # compiles
        start = time.perf_counter()
        found = compare(several, [learner], task, **options)
        seconds = time.perf_counter() - start
        what = f"comparison: {RUNS:,} runs of {QUERIES} rounds of {learner} with certificates"
        verdict(what, f"{seconds:.2f} s, {found[learner].n_proven:,} certified", "")


def _whole_command(table: str, learners: list[str]) -> None:
    """The same as a process of its own: it loads, searches, simulates, bounds and prints."""
    line = [sys.executable, "-m", "warmer", "budget", table, "--epsilon", "0.05", "--sigma", "0.5", "--engine", "cuda"]
    line += ["--truths", str(CANDIDATES), "--runs", "1000", *(f"--learner={name}" for name in learners)]
    seconds = []
    for _ in range(4):  # the first time compiles
        start = time.perf_counter()
        subprocess.run(line, check=True, capture_output=True)
        seconds.append(time.perf_counter() - start)
    what = f"`budget --engine cuda`, a whole command: {CANDIDATES:,} x 1,000 runs of {', '.join(learners)}"
    verdict(what, ", ".join(f"{each:.1f}" for each in seconds[1:]) + " s", "under 5 s" if len(learners) == 1 else "")
