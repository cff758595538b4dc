"""Compilation off the clock: a time limit is for the search, not for the compiler."""

import time
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from warmer.model import Problem

_SIZE = 12


def seconds_of_first_call(call: Callable[..., Any], *arguments: Any) -> float:
    """Call something, if it was never called with these arguments; the seconds it took."""
    start = time.monotonic()
    _once(call, *arguments)
    return time.monotonic() - start


@cache
def _once(call: Callable[..., Any], *arguments: Any) -> None:
    call(*arguments)


def on_a_small_table(
    measure: Callable[..., Any], is_square: bool, is_symmetric: bool, is_exact: bool, *options: tuple[str, Any]
) -> None:
    """Compute a measure with these options on a small table of this kind."""
    table = np.random.default_rng(0).integers(-8, 9, (_SIZE, _SIZE))
    table = np.triu(table) + np.triu(table, 1).T if is_symmetric else table
    np.fill_diagonal(table, 8)
    entries = {"rho": table, "denominator": 8} if is_exact else {"rho": table / 8}
    build: Any = Problem.from_similarity if is_square else Problem.from_table
    measure(build(**entries), **dict(options))
