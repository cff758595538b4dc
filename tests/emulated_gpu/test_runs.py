"""Kernels for a GPU play the runs of the CPU, whoever is first; one that ought to wait but does not is seen."""

import ast
import itertools
import os
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from tests.emulated_gpu import without_numba
from tests.emulated_gpu.emulator import BACKWARDS, KERNELS, SHUFFLED, emulated
from tests.emulated_gpu.without_numba import everything
from tests.gpu import grid
from tests.gpu.grid import GRID, digest, played
from warmer import InvalidValueError, Problem, Uniform, environments, goals, noise, simulate
from warmer.analysis import Task, compare
from warmer.analysis.budgets import simulate_candidates
from warmer.analysis.run_statistics import first_proof, first_proofs
from warmer.certification import Certifier
from warmer.learners import Settings, build
from warmer.model.time_limit import listening

run = import_module("warmer.simulation.cuda.run")

N_RUNS = 8
ORDERS = BACKWARDS, SHUFFLED
ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.long


@pytest.fixture(autouse=True)
def few_runs(monkeypatch):
    monkeypatch.setattr(grid, "N_RUNS", N_RUNS)


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """Where kernels are kept that several tests play, in whichever process."""
    base = tmp_path_factory.getbasetemp()
    found = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "kernels"
    found.mkdir(exist_ok=True)
    return found


def in_any_order(case, folder):
    for order in ORDERS:
        with emulated(folder, order=order):
            yield digest(played(*case, engine="cuda"))


@pytest.mark.parametrize("case", GRID, ids="/".join)
def test_whichever_thread_is_first_the_kernels_play_the_runs_of_the_cpu(case, folder):
    assert set(in_any_order(case, folder)) == {digest(played(*case))}


BROKEN = {
    "no barrier where they take the next run": (r"players\.meet\(\);  // without.*?everyone\.meet\(\);", ";"),
    "one warp does not wait for its own": (r"(members\[to\] = .*?;)\s*__syncwarp\(\);", r"\1"),
    "one thread does not meet the others": (
        r"(players\.meet\(\);\s*)return \*sum;",
        r"if (threadIdx.x) \1 return *sum;",
    ),
    "lanes at different places": (
        r"n \+= __popc\(staying\);",
        r"\g<0> if (lane()) __syncwarp(); else __any_sync(ALL, 0);",
    ),
}
CASES = [
    ("elimination", "mean", "float64", "30 x 1500"),
    ("uniform", "bounded", "float64", "30 x 1500", "best query"),
    ("top-two", "sub-gaussian", "float64", "30 x 1500", "best query"),
]


def played_elsewhere(folder, *, before="", code=KERNELS):
    """The digests of the cases, each in both orders, in a process of its own: kernels may break what is theirs."""
    script = f"""if True:
        import sys
        from pathlib import Path

        {before}
        from tests.emulated_gpu.emulator import MixedUpError, emulated
        from tests.gpu import grid

        grid.N_RUNS = {N_RUNS}
        code = sys.stdin.read()
        for case in {CASES!r}:
            for order in {ORDERS!r}:
                try:
                    with emulated(Path({str(folder)!r}), order=order, code=code):
                        print(grid.digest(grid.played(*case, engine="cuda")))
                except MixedUpError as error:
                    print(error)
    """
    done = subprocess.run([sys.executable, "-c", script], input=code, capture_output=True, text=True, cwd=ROOT)
    return done.stdout.splitlines(), done.stderr


@pytest.mark.parametrize("change", BROKEN.values(), ids=BROKEN)
def test_threads_that_do_not_wait_are_seen(change, folder):
    code, n = re.subn(*change, KERNELS, count=1, flags=re.DOTALL)
    assert n == 1
    found, error = played_elsewhere(folder, code=code)
    assert "CalledProcessError" not in error  # it was compiled
    assert found != [digest(played(*case)) for case in CASES for _ in ORDERS]


def test_no_compiler_but_that_of_the_gpu_is_needed(folder):
    found, error = played_elsewhere(folder, before='sys.modules["numba"] = None')
    assert found == [digest(played(*case)) for case in CASES for _ in ORDERS], error


def test_comparisons_sweeps_and_budgets_need_no_other_compiler_either(tmp_path):
    proofs, rows, _ = everything("cpu", tmp_path)
    line = [sys.executable, "-m", without_numba.__name__, str(tmp_path)]
    done = subprocess.run(line, capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    why = "not searched, since Numba is not installed; upper bound: all alternatives used"
    assert ast.literal_eval(done.stdout) == (proofs, rows, [f"between 0 and 16 ({why})"] * 2)


def trials(learner, runs, costs=None, **options):
    table = np.random.default_rng(0).uniform(-0.5, 0.5, (9, 40))
    task = Task(epsilon=0.3, sigma=0.5)
    return simulate_candidates(
        Problem.from_table(table, costs=costs), task, learner=learner, runs=runs, horizon=200, **options
    )


@pytest.mark.parametrize("costs", [None, np.linspace(1, 2, 9)], ids=["free", "at a cost"])
@pytest.mark.parametrize("learner", ["top-two", "elimination", "uniform"])
def test_a_budget_is_the_same(learner, costs, folder):
    here = trials(learner, 3, costs)
    with emulated(folder):
        there = trials(learner, 3, costs, engine="cuda")
    assert (here.n_answers == there.n_answers).all()
    assert (here.is_wrong == there.is_wrong).all()
    assert there.costs is None if costs is None else (here.costs == there.costs).all()


@pytest.mark.parametrize(("runs", "shape"), [(3, (2, 3)), (50, (1, 8))], ids=["some candidates", "some runs of one"])
def test_ctrl_c_between_two_launches_leaves_what_is_finished(runs, shape, folder, monkeypatch):
    monkeypatch.setattr(run, "_RUNS_PER_LAUNCH", 4)
    looks = iter(range(2))
    with emulated(folder), listening(lambda: next(looks, None) is None):
        there = trials("uniform", runs, engine="cuda")
    assert there.is_interrupted
    assert there.n_answers.shape == shape
    assert (there.n_answers == trials("uniform", runs).n_answers[: shape[0], : shape[1]]).all()


DECLARED = {
    "sub-gaussian": ("uniform", noise.SubGaussian(0.3)),
    "bounded": ("uniform", noise.Bounded()),
    "wrongly sub-gaussian": ("coin", noise.SubGaussian(0.3)),
}
WANTED = {"best query": goals.BestQuery(0.2), "which target": goals.WhichTarget(), "any query": goals.BestQuery(3.0)}


@pytest.mark.parametrize(
    ("learner", "told", "wanted"),
    [
        *itertools.product(["uniform", "top-two"], DECLARED, WANTED),
        *itertools.product(
            ["least-squares", "optimistic", "thompson", "elimination", "ucb1"], ["sub-gaussian"], ["best query"]
        ),
    ],
)
def test_runs_that_are_played_again_prove_what_their_answers_do(learner, told, wanted, folder):
    name, declared = DECLARED[told]
    problem = Problem.from_table(np.random.default_rng(2).uniform(-0.6, 0.6, (5, 9)))
    believed = declared if learner == "top-two" else None
    player = build(learner, problem, Settings(0.2, 0.05, 0.3, 60, goal=WANTED[wanted], noise=believed))
    certifier = getattr(player, "certifier", Certifier(problem, WANTED[wanted], noise=declared))
    answering = [environments.build(name, problem, target, width=0.3) for target in (0, 4, 4, 8)]
    runs = simulate(player, answering, horizon=60, seed=1, first=3)
    with emulated(folder):
        there = first_proofs(runs, certifier, engine="cuda")
    assert there == [first_proof(runs[k], certifier) for k in range(4)]


@pytest.mark.parametrize("learner", ["uniform", "top-two"])
def test_certificates_that_the_gpu_does_not_know_are_named(learner, folder):
    problem = Problem.from_table(np.random.default_rng(2).uniform(-0.6, 0.6, (5, 9)))
    task, answering = Task(0.2, noise=noise.Gaussian()), [environments.UniformNoise(problem, 3)]
    with emulated(folder), pytest.raises(InvalidValueError, match="does not know Gaussian here"):
        compare(answering, [learner], task, horizon=60, seed=1, with_proofs=True, engine="cuda")


def test_ctrl_c_leaves_the_certificates_that_were_found(folder, monkeypatch):
    monkeypatch.setattr(run, "_RUNS_PER_LAUNCH", 4)
    problem = Problem.from_table(np.random.default_rng(0).uniform(-0.5, 0.5, (9, 40)))
    certifier = Certifier(problem, goals.BestQuery(0.3), noise=noise.SubGaussian(0.5))
    runs = simulate(Uniform(problem), environments.UniformNoise(problem, 3), runs=50, horizon=200, seed=0)
    looks = iter(range(2))
    with emulated(folder), listening(lambda: next(looks, None) is None):
        there = first_proofs(runs, certifier, engine="cuda")
    assert there == [first_proof(runs[k], certifier) for k in range(8)]
