"""One Hypothesis strategy a noun; entries lie on the grid k/8, so that sums of squares are exact."""

from typing import Any

import numpy as np
import numpy.typing as npt
from hypothesis import strategies as st

from warmer.model import Problem

__all__ = ["entries", "problems", "similarities", "tables"]


def entries() -> st.SearchStrategy[float]:
    """Expected rewards k/8 in [-1, 1]."""
    return st.integers(-8, 8).map(lambda k: k / 8)


@st.composite
def tables(
    draw: st.DrawFn, *, max_queries: int = 5, max_targets: int = 6, min_queries: int = 1, min_targets: int = 1
) -> npt.NDArray[np.float64]:
    """A table of queries by targets."""
    n_queries = draw(st.integers(min_queries, max_queries))
    n_targets = draw(st.integers(min_targets, max_targets))
    return _fill(draw, n_queries, n_targets)


def problems(**sizes: Any) -> st.SearchStrategy[Problem]:
    """A bandit-shaped problem; the sizes are those of `tables`."""
    return tables(**sizes).map(Problem.from_table)


@st.composite
def similarities(
    draw: st.DrawFn, *, max_size: int = 5, min_size: int = 1, symmetric: bool | None = None, unit_diagonal: bool = False
) -> Problem:
    """A square problem, symmetric or not (by default either)."""
    size = draw(st.integers(min_size, max_size))
    rho = _fill(draw, size, size)
    if draw(st.booleans()) if symmetric is None else symmetric:
        rho = np.triu(rho) + np.triu(rho, 1).T
    if unit_diagonal:
        np.fill_diagonal(rho, 1.0)
    return Problem.from_similarity(rho)


def _fill(draw: st.DrawFn, n_queries: int, n_targets: int) -> npt.NDArray[np.float64]:
    row = st.lists(entries(), min_size=n_targets, max_size=n_targets)
    return np.array(draw(st.lists(row, min_size=n_queries, max_size=n_queries)))
