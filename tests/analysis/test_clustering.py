"""Rows and columns in the order of a clustering."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from warmer import Problem
from warmer.analysis import neighbours
from warmer.analysis.clustering import MOST_SHOWN, clustered_distances, clustered_table, leaf_order


@given(n_queries=st.integers(1, 6), n_targets=st.integers(1, 6), seed=st.integers(0, 99))
def test_a_clustered_table_is_the_table_with_its_labels_moved_along(n_queries, n_targets, seed):
    rho = np.random.default_rng(seed).uniform(-1, 1, (n_queries, n_targets))
    problem = Problem.from_table(rho, queries=[f"q{k}" for k in range(n_queries)])
    found = clustered_table(problem)
    assert sorted(found.rows) == sorted(problem.queries)
    assert sorted(found.columns) == list(range(n_targets))
    for i, query in enumerate(found.rows):
        for j, target in enumerate(found.columns):
            assert found.values[i, j] == rho[problem.queries.position(query), target]


def test_two_groups_that_were_shuffled_stand_apart_again():
    rng = np.random.default_rng(0)
    group = rng.permutation([0] * 10 + [1] * 10)
    places = 5 * group + rng.uniform(0, 1, 20)
    order = leaf_order(np.abs(np.subtract.outer(places, places)))
    assert sorted(order) == list(range(20))
    assert np.count_nonzero(np.diff(group[order])) == 1


def test_what_is_too_large_for_a_picture_has_no_order():
    wide = Problem.from_table(np.zeros((1, MOST_SHOWN + 1)))
    assert clustered_table(wide) is None
    assert clustered_distances(neighbours(wide)) is None
    assert clustered_distances(neighbours(Problem.from_table([[0.5]]))) is None
