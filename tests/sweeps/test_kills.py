"""Real processes, real signals, a real cluster."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.sweeps.test_sweep import SETTING, everything, url
from warmer.sweeps import list_sweeps, open_sweep, sweep

SPEC = """
problems = ["treasure:side=3"]
learners = ["top-two", "uniform"]
horizon = 60
runs = 80
chunk = 1
[settings.best]
goal = "best-query:0.1"
noise = "sub-gaussian:0.5"
"""

N_CHUNKS = 160

pytestmark = pytest.mark.long


def start(folder: Path, *options: str) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-m", "warmer", "sweep", "run", "spec.toml", *options]
    with (folder / "errors.txt").open("wb") as errors:
        return subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=errors)


def n_missing(folder: Path) -> int | None:
    """The chunks to play; None before the sweep is written down, which is a moment after its file is there."""
    storage = url(folder, "warmer.db")
    is_begun = (folder / "warmer.db").exists() and "spec" in list_sweeps(storage=storage)
    return len(open_sweep("spec", storage=storage).missing) if is_begun else None


def test_a_sweep_killed_ten_times_ends_like_one_that_was_not(tmp_path: Path) -> None:
    for name in ("calm", "stormy"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "spec.toml").write_text(SPEC)
    assert start(tmp_path / "calm").wait() == 0
    stormy, chance, left = tmp_path / "stormy", random.Random(0), N_CHUNKS
    for _ in range(10):
        process = start(stormy)
        while process.poll() is None and (n_missing(stormy) or N_CHUNKS) > left - 2:
            time.sleep(0.02)
        time.sleep(chance.uniform(0, 0.05))
        assert process.poll() is None
        process.kill()
        process.wait()
        left = n_missing(stormy) or 0
    assert start(stormy).wait() == 0
    ends = [everything(open_sweep("spec", storage=url(tmp_path / name, "warmer.db"))) for name in ("calm", "stormy")]
    assert ends[0] == ends[1]
    exports = []
    for name in ("calm", "stormy"):
        command = [sys.executable, "-m", "warmer", "sweep", "export", "spec", "-o", "out"]
        subprocess.run(command, cwd=tmp_path / name, check=True)
        exports.append([path.read_bytes() for path in sorted((tmp_path / name / "out").iterdir())])
    assert len(exports[0]) == 2
    assert exports[0] == exports[1]


@pytest.mark.parametrize("options", [(), ("--executor", "processes", "--jobs", "2")])
def test_ctrl_c_ends_a_sweep_and_keeps_what_is_finished(options: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "spec.toml").write_text(SPEC.replace("runs = 80", "runs = 4000"))
    process = start(tmp_path, *options)
    while (left := n_missing(tmp_path)) is None or left == 8000:
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    assert process.wait() == 130
    assert "Traceback" not in (tmp_path / "errors.txt").read_text()
    assert 0 < len(open_sweep("spec", storage=url(tmp_path, "warmer.db")).missing) < 8000


def test_processes_give_the_same_bytes(tmp_path: Path) -> None:
    here = sweep("here", **SETTING, storage=url(tmp_path))
    spread = sweep("spread", **SETTING, storage=url(tmp_path), chunk=2, executor="processes", jobs=2)
    assert everything(spread) == everything(here)


def test_a_dask_cluster_with_a_worker_killed_in_the_middle_gives_the_same_bytes(tmp_path: Path) -> None:
    from distributed import LocalCluster

    setting = {**SETTING, "runs": 40}
    here = sweep("here", **setting, storage=url(tmp_path))
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        victim = next(iter(cluster.workers.values()))
        killed = []

        def kill_once(n_runs: int) -> None:
            if not killed:
                killed.append(victim.pid)
                os.kill(victim.pid, signal.SIGKILL)

        address = cluster.scheduler_address
        spread = sweep(
            "spread", **setting, storage=url(tmp_path), chunk=2, executor=address, jobs=2, progress=kill_once
        )
    assert killed
    assert spread.failures == []
    assert everything(spread) == everything(here)
