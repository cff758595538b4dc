"""Sweeps: chunks, workers, failures and kills change nothing."""

from concurrent.futures import Executor, Future
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

import pytest

from warmer import InvalidValueError, environments, goals, noise, problems
from warmer.analysis import Task, compare, draw_targets
from warmer.sweeps import Sweep, list_sweeps, open_sweep, sweep

TABLE = problems.treasure(side=3)
SETTING: dict[str, Any] = {
    "problems": {"treasure": TABLE},
    "learners": ["top-two", "uniform"],
    "environments": ["gaussian:width=0.3"],
    "settings": {"quiet": Task(0.1, goal=goals.BestQuery(0.1), noise=noise.SubGaussian(0.5))},
    "horizon": 40,
    "runs": 7,
    "seeds": [3],
    "with_proofs": True,
}


def url(folder: Path, name: str = "sweep.db") -> str:
    return f"sqlite:///{folder / name}"


def everything(found: Sweep) -> list[bytes]:
    """All that a sweep holds, cell by cell, as bytes."""
    return [found.runs(cell).tobytes() for cell in found.cells]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    return everything(sweep("whole", **SETTING, storage=url(tmp_path_factory.mktemp("whole"))))


def test_a_cell_holds_what_a_comparison_gives(tmp_path: Path) -> None:
    found = sweep("one", **SETTING, storage=url(tmp_path), chunk=3)
    played = [
        environments.build("gaussian", TABLE, target, width=0.3) for target in draw_targets(TABLE, runs=7, seed=3)
    ]
    plain = compare(played, ["top-two"], SETTING["settings"]["quiet"], horizon=40, seed=3, with_proofs=True)
    rows, outcome = found.runs(found.cells[0]), plain["top-two"]
    assert rows["regret"].tolist() == outcome.regrets[:, -1].tolist()
    assert rows["n_answers"].tolist() == [proof.n_answers if proof else -1 for proof in outcome.proofs]
    assert rows["n_bad"].tolist() == outcome.n_bad.tolist()
    assert [TABLE.targets[k] for k in rows["target"]] == [each.target for each in played]
    assert rows["run"].tolist() == list(range(7))


@pytest.mark.parametrize("chunk", [1, 3, 7])
def test_the_size_of_chunks_changes_nothing(chunk: int, tmp_path: Path, whole: list[bytes]) -> None:
    assert everything(sweep("chunked", **SETTING, storage=url(tmp_path), chunk=chunk)) == whole


class Fragile(Executor):
    """Plays here, and breaks like a pool of processes on the third chunk, so many times."""

    def __init__(self, n_breaks: int, n_interrupts: int = 0) -> None:
        self.n_breaks, self.n_interrupts, self.n_calls = n_breaks, n_interrupts, 0

    def submit(self, call: Any, /, *arguments: Any, **options: Any) -> "Future[Any]":
        self.n_calls += 1
        future: Future[Any] = Future()
        if self.n_interrupts and self.n_calls > 2:
            raise KeyboardInterrupt
        if self.n_breaks and arguments[2] == 2:
            self.n_breaks -= 1
            future.set_exception(BrokenProcessPool("a worker died"))
        else:
            future.set_result(call(*arguments, **options))
        return future


def test_a_worker_that_dies_once_costs_nothing(tmp_path: Path, whole: list[bytes]) -> None:
    found = sweep("fragile", **SETTING, storage=url(tmp_path), chunk=2, executor=Fragile(2))
    assert everything(found) == whole
    assert found.failures == []


def test_a_chunk_that_kills_its_worker_twice_is_recorded_and_the_rest_goes_on(tmp_path: Path, whole: Any) -> None:
    found = sweep("fragile", **SETTING, storage=url(tmp_path), chunk=2, executor=Fragile(4))
    assert {(cell.learner, start, reason) for cell, start, reason in found.failures} == {
        (learner, 2, "a worker died twice while playing it") for learner in ("top-two", "uniform")
    }
    assert len(found.missing) == 2
    assert found.runs(found.cells[0])["run"].tolist() == [0, 1, 4, 5, 6]
    assert everything(found.run()) == whole
    assert found.failures == []


def test_what_is_finished_survives_an_interrupt(tmp_path: Path, whole: list[bytes]) -> None:
    with pytest.raises(KeyboardInterrupt):
        sweep("cut", **SETTING, storage=url(tmp_path), chunk=2, executor=Fragile(0, n_interrupts=1))
    found = open_sweep("cut", storage=url(tmp_path))
    assert 0 < len(found.missing) < 8
    assert everything(found.run()) == whole
    assert list_sweeps(storage=url(tmp_path)) == ["cut"]


class Failing(Executor):
    """Cannot play anything."""

    def submit(self, call: Any, /, *arguments: Any, **options: Any) -> "Future[Any]":
        future: Future[Any] = Future()
        future.set_exception(MemoryError("no room"))
        return future


def test_what_cannot_be_played_is_recorded_with_its_reason(tmp_path: Path, whole: list[bytes]) -> None:
    found = sweep("odd", **SETTING, storage=url(tmp_path), executor=Failing())
    assert [(start, reason) for _, start, reason in found.failures] == [(0, "MemoryError: no room")] * 2
    assert "2 failed" in repr(found)
    assert everything(found.run()) == whole


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"learners": ["top-three"]}, "there is no learner 'top-three'"),
        ({"environments": ["gaussian:broad"]}, "got 'gaussian:broad'"),
        ({"environments": ["gaussian:depth=1"]}, "depth"),
        ({"environments": ["foggy"]}, "foggy"),
        ({"runs": 0}, "runs"),
        ({"seeds": [-1]}, "seed"),
        ({"problems": {}}, "at least one problem"),
        ({"executor": "clouds"}, "got 'clouds'"),
    ],
)
def test_a_wrong_sweep_is_refused_in_words(change: dict[str, Any], words: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidValueError, match=words):
        sweep("wrong", **{**SETTING, **change}, storage=url(tmp_path))


def test_another_sweep_of_the_same_name_is_refused_and_nothing_is_lost(tmp_path: Path, whole: list[bytes]) -> None:
    sweep("taken", **SETTING, storage=url(tmp_path))
    with pytest.raises(InvalidValueError, match="another sweep 'taken'"):
        sweep("taken", **{**SETTING, "runs": 8}, storage=url(tmp_path))
    assert everything(open_sweep("taken", storage=url(tmp_path))) == whole
    with pytest.raises(InvalidValueError, match="there are taken"):
        open_sweep("gone", storage=url(tmp_path))
