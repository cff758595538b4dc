"""The strategies keep their promises."""

import numpy as np
from hypothesis import given

from tests.strategies import problems, similarities, tables
from warmer.model import Problem


@given(tables(max_queries=3, max_targets=4, min_targets=2))
def test_tables_lie_on_the_grid_of_eighths(rho: np.ndarray) -> None:
    assert rho.shape[0] <= 3
    assert 2 <= rho.shape[1] <= 4
    assert np.array_equal(rho * 8, np.rint(rho * 8))


@given(problems())
def test_problems_are_bandits(problem: Problem) -> None:
    assert not problem.is_square


@given(similarities(symmetric=True, unit_diagonal=True, min_size=2))
def test_similarities_are_symmetric_on_demand(problem: Problem) -> None:
    assert problem.is_square
    assert np.array_equal(problem.rho, problem.rho.T)
    assert (problem.rho.diagonal() == 1).all()
