"""A time limit is kept by every command that has one, on a table of 3,000 x 3,000."""

import resource
import subprocess
import sys

import numpy as np
import pytest

SIDE = 3000
MARGIN = 2.0
"""Seconds that a command may take beyond its limit, from the start of its process to the end."""
SLOWER = 2.0
"""How much longer the same work takes, at most, where other programs share the memory and the cores with it."""

_PLAY = """
import time
time.monotonic = time.process_time  # the clock of time limits stands still while other programs have the processor
import sys
from warmer.cli import main
sys.exit(main())
"""


def _seconds(folder, *arguments):
    """Of the processor, for a whole process: it loads, reads the table, computes, prints and ends."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, "-c", _PLAY, *arguments], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _tables(side):
    rng = np.random.default_rng(0)
    bandit = rng.uniform(-0.5, 0.5, (side, side))
    upper = np.triu(rng.uniform(-1, 1, (side, side)), 1)
    vectors = rng.normal(size=(side, 10))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    products = np.clip(vectors @ vectors.T, -1, 1)
    return {
        "bandit": {"rho": bandit},
        "grid": {"rho": rng.integers(-8, 9, (side, side)), "denominator": 8},
        "square": {"rho": upper + upper.T + np.eye(side), "square": True},
        "sphere": {"rho": np.triu(products, 1) + np.triu(products, 1).T + np.eye(side), "square": True},
    }


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("tables")
    for size, side in (("small", 12), ("large", SIDE)):
        for name, arrays in _tables(side).items():
            np.savez(place / f"{size}-{name}.npz", **arrays)
    return place


@pytest.mark.long
@pytest.mark.parametrize(
    ("limit", "table", "command"),
    [
        (2, "bandit", "dimension --epsilon 0.3 --alpha 0.4"),
        (2, "grid", "dimension --epsilon 1/4 --alpha 1"),
        (2, "square", "dimension --epsilon 0.3 --alpha 1"),
        (2, "sphere", "dimension --epsilon 0.3 --alpha 1"),
        (2, "bandit", "dimension --epsilon 0.3 --measure eluder"),
        (2, "square", "dimension --epsilon 0.3 --measure strong-sq"),
        (2, "bandit", "dimension --epsilon 0.3 --measure covering"),
        (2, "sphere", "dimension --epsilon 1.3 --measure covering"),
        (4, "square", "dimension --epsilon 0.3 --alpha 1 --measure all"),
        (2, "bandit", "profile --alpha 0.4"),
        (2, "sphere", "profile --alpha 1"),
        (2, "bandit", "budget --epsilon 0.1 --sigma 0.3"),
        (6, "grid", "budget --epsilon 1/4 --sigma 0.5"),
        (12, "bandit", "report --epsilon 0.1 --sigma 0.3 --output page.html"),  # half of it to load and to draw
    ],
)
def test_a_command_ends_soon_after_its_time_limit(folder, limit, table, command):
    name, *options = command.split()
    _seconds(folder, name, f"small-{table}.npz", *options, "--time-limit", "5")  # what is compiled is not timed
    spent = _seconds(folder, name, f"large-{table}.npz", *options, "--time-limit", str(limit))
    assert spent - limit <= SLOWER * MARGIN
