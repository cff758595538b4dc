"""Runs on a GPU, as far as a machine without one can tell."""

import re
import sys
from contextlib import nullcontext
from importlib import import_module, resources
from types import SimpleNamespace

import numpy as np
import pytest
from typer.testing import CliRunner

from tests.gpu.grid import GRID, digest, played, stored
from warmer import (
    LeastSquares,
    Problem,
    Thompson,
    UntilCertified,
    environments,
    families,
    goals,
    noise,
    simulate,
    sweep,
)
from warmer.analysis import Task, compare
from warmer.analysis.budgets import budget, simulate_candidates
from warmer.cli.app import application
from warmer.learners import Uniform
from warmer.model.errors import InvalidValueError, MissingExtraError, ProtocolError
from warmer.simulation.cuda import launches
from warmer.simulation.cuda.groups import groups_of
from warmer.simulation.cuda.launches import GAME
from warmer.simulation.engine.rules import rule_of

PROBLEM = Problem.from_table([[0.0, 1.0], [0.5, 0.0]])
WORDS = {"double": "f8", "int": "i4"}
run = import_module("warmer.simulation.cuda.run")


def simulated(learner=None, **options):
    learner = Uniform(PROBLEM) if learner is None else learner
    answering = environments.Exact(learner.problem, 1)
    return simulate(learner, answering, horizon=3, seed=0, engine="cuda", **options)


@pytest.mark.parametrize("case", [case for case in GRID if "float64" in case][::25], ids="/".join)
def test_what_is_stored_is_what_the_cpu_plays(case):
    assert digest(played(*case)) == stored()["/".join(case)]


@pytest.mark.long
def test_all_that_is_stored_is_what_the_cpu_plays():
    assert {"/".join(case): digest(played(*case)) for case in GRID} == stored()


def test_without_cupy_one_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "cupy", None)
    with pytest.raises(MissingExtraError, match=r"warmer\[cuda\]"):
        simulated()


def test_ctrl_c_while_cupy_is_loaded_is_no_missing_extra(monkeypatch):
    def loaded():
        raise next(torn, MissingExtraError)

    for module in (run, launches):
        monkeypatch.setattr(module, "cupy", loaded)
    for costs in (None, [1.0, 2.0]):
        torn = iter([KeyboardInterrupt])  # a second try would find half of it
        problem = Problem.from_table([[0.0, 1.0], [0.5, 0.0]], costs=costs)
        with pytest.raises(KeyboardInterrupt):
            simulate_candidates(problem, Task(epsilon=0.1), learner="uniform", engine="cuda")


@pytest.mark.parametrize("n_gpus", [0, None])
def test_without_a_gpu_nothing_is_played_elsewhere(monkeypatch, n_gpus):
    def count():
        if n_gpus is None:
            raise RuntimeError("CUDA driver version is insufficient for CUDA runtime version")
        return n_gpus

    runtime = SimpleNamespace(getDeviceCount=count, CUDARuntimeError=RuntimeError)
    monkeypatch.setitem(sys.modules, "cupy", SimpleNamespace(cuda=SimpleNamespace(runtime=runtime)))
    with pytest.raises(ProtocolError, match=r"found no GPU.*leave the engine out"):
        simulated()


def test_without_a_compiler_one_sentence_says_what_to_install(monkeypatch):
    def version():
        raise RuntimeError('Failure finding "libnvrtc.so.12": No such file: libnvrtc.so.12')

    runtime = SimpleNamespace(getDeviceCount=lambda: 1, CUDARuntimeError=RuntimeError)
    cuda = SimpleNamespace(runtime=runtime, nvrtc=SimpleNamespace(getVersion=version))
    monkeypatch.setitem(sys.modules, "cupy", SimpleNamespace(cuda=cuda))
    with pytest.raises(MissingExtraError, match=r"no NVRTC.*libnvrtc.so.12.*pip install 'warmer\[cuda\]'"):
        simulated()


def test_what_the_gpu_does_not_know_is_named():
    certified = UntilCertified(Uniform(PROBLEM), goals.BestQuery(0.1), noise=noise.SubGaussian(0.5))
    with pytest.raises(InvalidValueError, match="UntilCertified"):
        simulated(certified)
    with pytest.raises(InvalidValueError, match="by the is_done of their learners alone"):
        simulated(certified, until=lambda state: True)
    unknown = UntilCertified(Uniform(PROBLEM), goals.BestQuery(0.1), noise=noise.Gaussian())
    with pytest.raises(InvalidValueError, match="does not know Gaussian here"):
        simulated(unknown, until=unknown.is_done)
    arms = families.KArms(3)
    answering = environments.Exact(arms, [0.1, 0.2, 0.3])
    with pytest.raises(InvalidValueError, match="Thompson"):
        simulate(Thompson(arms, sigma=0.5), answering, horizon=3, seed=0, engine="cuda")
    with pytest.raises(InvalidValueError, match="FunctionEnvironment"):
        simulate(Uniform(PROBLEM), lambda query: 0.0, horizon=3, seed=0, engine="cuda")
    with pytest.raises(InvalidValueError, match=r'must be "cpu" or "cuda", got .tpu'):
        simulate(Uniform(PROBLEM), environments.Exact(PROBLEM, 1), horizon=3, seed=0, engine="tpu")


def test_both_sides_read_the_same_fields():
    code = resources.files("warmer.simulation.cuda").joinpath("runs.cu").read_text()
    body = re.search(r"struct Game \{(.*?)\n\};", code, re.DOTALL).group(1)
    fields = []
    for line in re.sub(r"//.*", "", body).split(";"):
        if not line.strip():
            continue
        kind, names = re.fullmatch(r"\s*(?:const )?(\w+(?: char)?)\s*(.*?)\s*", line, re.DOTALL).groups()
        fields += [(name.strip(" *"), "u8" if "*" in name else WORDS[kind]) for name in names.split(",")]
    assert np.dtype(fields, align=True) == GAME


PLAYS = {
    "compare": lambda engine: compare(
        [environments.Exact(PROBLEM, 1)], ["uniform"], Task(epsilon=0.1), horizon=3, seed=0, engine=engine
    ),
    "budget": lambda engine: budget(PROBLEM, Task(epsilon=0.1, sigma=0.5), learners=["uniform"], engine=engine),
    "truths": lambda engine: simulate_candidates(PROBLEM, Task(epsilon=0.1), learner="uniform", engine=engine),
}


@pytest.mark.parametrize("play", PLAYS.values(), ids=PLAYS)
def test_the_engine_is_passed_on(monkeypatch, play):
    monkeypatch.setitem(sys.modules, "cupy", None)
    with pytest.raises(MissingExtraError, match=r"warmer\[cuda\]"):
        play("cuda")
    with pytest.raises(InvalidValueError, match="tpu"):
        play("tpu")


def test_a_sweep_passes_the_engine_on(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "cupy", None)
    found = sweep(
        "small",
        problems={"two": PROBLEM},
        learners=["uniform"],
        settings={"noisy": Task(epsilon=0.1)},
        horizon=3,
        runs=2,
        storage=f"sqlite:///{tmp_path}/sweep.db",
        engine="cuda",
    )
    ((_, _, reason),) = found.failures
    found.close()
    assert "warmer[cuda]" in reason


@pytest.mark.parametrize("command", ["simulate treasure --runs 2", "budget treasure --runs 1 --epsilon 0.1"])
def test_the_command_line_passes_the_engine_on(monkeypatch, command):
    monkeypatch.setitem(sys.modules, "cupy", None)
    found = CliRunner().invoke(application(), [*command.split(), "--learner", "uniform", "--engine", "cuda"])
    assert "warmer[cuda]" in str(found.exception)


def test_learners_that_start_apart_are_played_together():
    learners = [LeastSquares(PROBLEM, alpha=alpha) for alpha in (0.5, 1.0)]
    answering = [environments.Coin(PROBLEM, target) for target in (0, 1)]
    players = [learners[k % 2] for k in range(6)]
    (group,) = groups_of(players, [answering[k // 2 % 2] for k in range(6)], None)
    assert group.n_runs == 6
    assert [start.tolist() for start in group.starts[:2]] == [learner_start(each) for each in learners]
    several = groups_of([learners[0], Uniform(PROBLEM)], answering, None)
    assert [each.n_runs for each in several] == [1, 1]


def learner_start(learner):
    return rule_of(learner).start.tolist()


class _Written(np.ndarray):
    """An array that behaves as one on a GPU does when it is fetched."""

    def get(self, *, stream, out):
        out[:] = self


@pytest.mark.parametrize("n_bytes", [1, 64, 1 << 20])
def test_results_are_fetched_whole_whether_a_piece_holds_many_runs_or_less_than_one(monkeypatch, n_bytes):
    device = SimpleNamespace(synchronize=lambda: None)
    gpu = SimpleNamespace(
        ascontiguousarray=lambda rows: np.ascontiguousarray(rows).view(_Written),
        cuda=SimpleNamespace(Device=lambda: device),
    )
    monkeypatch.setattr(run, "_PIECE", n_bytes)
    monkeypatch.setattr(run, "cupy", lambda: gpu)
    monkeypatch.setattr(run.device, "pinned", lambda n: np.empty(n, np.uint8))
    launches = [
        SimpleNamespace(
            queries=np.full((5, 40), k, dtype=np.int32), rewards=np.full((5, 40), k / 2), stream=nullcontext()
        )
        for k in range(4)
    ]
    pages = run._Pages(20, 40)
    with run._Fetching() as fetching:
        for k, launch in enumerate(launches):
            fetching.copy(launch, pages, slice(5 * k, 5 * k + 5), width=10 * (k + 1))
        fetching.wait()
        lengths = np.repeat([10, 20, 30, 40], 5)
        queries, rewards = pages.cut(lengths, fetching.pool)
    for k in range(20):
        assert (queries[k, : lengths[k]] == k // 5).all()
        assert (rewards[k, : lengths[k]] == k // 5 / 2).all()
        assert (queries[k, lengths[k] :] == -1).all()
        assert np.isnan(rewards[k, lengths[k] :]).all()
