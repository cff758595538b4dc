"""Runs on a GPU are those of the CPU, to the last bit; `make test-full` runs this where there is one."""

import pytest

from tests.gpu.grid import GRID, digest, played, stored


@pytest.mark.long
@pytest.mark.parametrize("case", GRID, ids="/".join)
def test_a_gpu_plays_the_same_runs(case):
    assert digest(played(*case, engine="cuda")) == stored()["/".join(case)]
