"""Several GPUs by Dask workers; two workers may share one."""

from pathlib import Path

import pytest

from warmer import problems
from warmer.analysis import Task
from warmer.sweeps import sweep

SETTING = {
    "problems": {"treasure": problems.treasure(side=4)},
    "learners": ["least-squares", "uniform", "top-two"],
    "environments": ["gaussian:width=0.3"],
    "settings": {"quiet": Task(0.1, sigma=0.3)},
    "horizon": 60,
    "runs": 200,
    "seeds": [3],
    "with_proofs": True,
}


@pytest.mark.long
def test_two_dask_workers_with_a_gpu_play_the_runs_of_one_process_and_of_the_cpu(tmp_path: Path) -> None:
    from distributed import LocalCluster

    def played(name: str, **options: str | int) -> list[bytes]:
        found = sweep(name, **SETTING, storage=f"sqlite:///{tmp_path / 'sweep.db'}", chunk=50, **options)
        assert found.failures == []
        return [found.runs(cell).tobytes() for cell in found.cells]

    alone = played("alone", engine="cuda")
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        assert played("spread", engine="cuda", executor=cluster.scheduler_address, jobs=2) == alone
    assert played("cpu") == alone
