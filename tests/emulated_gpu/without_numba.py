"""`python -m tests.emulated_gpu.without_numba FOLDER` compares, sweeps and plans on an emulated GPU, without Numba."""

import sys
from pathlib import Path

from tests.emulated_gpu.emulator import emulated
from warmer import environments, problems
from warmer.analysis import Task, compare
from warmer.analysis.budgets import budget
from warmer.sweeps import sweep

TASK = Task(0.1, sigma=0.3)
LEARNERS = ["least-squares", "thompson", "uniform", "top-two"]


def everything(engine, folder):
    """When runs are proven, rows of a sweep and the lengths of runs in a budget; and what is said of the dimension."""
    problem = problems.treasure(side=4)
    answering = [environments.UniformNoise(problem, target, width=0.3) for target in ("A1", "A1", "C3", "D2")]
    compared = compare(answering, LEARNERS, TASK, horizon=60, seed=3, with_proofs=True, engine=engine)
    swept = sweep(
        engine,
        problems={"treasure": problem},
        learners=LEARNERS,
        environments=["gaussian:width=0.3"],
        settings={"quiet": TASK},
        horizon=60,
        runs=6,
        seeds=[3],
        with_proofs=True,
        storage=f"sqlite:///{folder / 'sweeps.db'}",
        engine=engine,
    )
    budgets = [budget(problem, TASK, runs=2, truths=3, engine=engine, time_limit=limit) for limit in (None, 60)]
    arrays = [swept.runs(cell) for cell in swept.cells] + [trials.n_answers for b in budgets for trials in b.simulated]
    return (
        repr([outcome.proofs for outcome in compared.outcomes]),
        repr([array.tolist() for array in arrays]),
        [str(each.dimension) for each in budgets],
    )


if __name__ == "__main__":
    sys.modules["numba"] = None
    with emulated(Path(sys.argv[1])):
        print(everything("cuda", Path(sys.argv[1])))
