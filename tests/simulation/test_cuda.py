"""Runs on a GPU, as far as a machine without one can tell."""

import re
import sys
from importlib import resources
from types import SimpleNamespace

import numpy as np
import pytest

from tests.gpu.grid import GRID, digest, played, stored
from warmer import Optimistic, Problem, UntilCertified, environments, families, goals, noise, simulate
from warmer.learners import Uniform
from warmer.model.errors import InvalidValueError, MissingExtraError, ProtocolError
from warmer.simulation.cuda.run import GAME

PROBLEM = Problem.from_table([[0.0, 1.0], [0.5, 0.0]])
WORDS = {"double": "f8", "int": "i4", "Word": "u8"}


def simulated(learner=None, **options):
    learner = Uniform(PROBLEM) if learner is None else learner
    answering = environments.Exact(learner.problem, 1)
    return simulate(learner, answering, horizon=3, seed=0, engine="cuda", **options)


@pytest.mark.parametrize("case", GRID[:: len(GRID) // 12], ids="/".join)
def test_what_is_stored_is_what_the_cpu_plays(case):
    assert digest(played(*case)) == stored()["/".join(case)]


@pytest.mark.long
def test_all_that_is_stored_is_what_the_cpu_plays():
    assert {"/".join(case): digest(played(*case)) for case in GRID} == stored()


def test_without_cupy_one_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "cupy", None)
    with pytest.raises(MissingExtraError, match=r"warmer\[cuda\]"):
        simulated()


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


def test_what_the_gpu_does_not_know_is_named():
    certified = UntilCertified(Uniform(PROBLEM), goals.BestQuery(0.1), noise=noise.SubGaussian(0.5))
    with pytest.raises(InvalidValueError, match="UntilCertified"):
        simulated(certified)
    with pytest.raises(InvalidValueError, match="fixed length"):
        simulated(certified, until=certified.is_done)
    arms = families.KArms(3)
    answering = environments.Exact(arms, [0.1, 0.2, 0.3])
    with pytest.raises(InvalidValueError, match="Optimistic"):
        simulate(Optimistic(arms, delta=0.1, sigma=0.5), answering, horizon=3, seed=0, engine="cuda")
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
        for name in names.split(","):
            if kind == "Key":
                fields += [("key_first", "u8"), ("key_second", "u8")]
            else:
                fields.append((name.strip(" *"), "u8" if "*" in name else WORDS[kind]))
    assert np.dtype(fields, align=True) == GAME
