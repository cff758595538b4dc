"""Heat maps show every number they are given, under the labels they belong to."""

import numpy as np
import pytest

from warmer import Problem, dissimilarity_dimension
from warmer.analysis import neighbours
from warmer.analysis.clustering import clustered_distances
from warmer.analysis.witnesses import witness_values
from warmer.report.figure_style import new_figure
from warmer.report.heatmap_figure import CLOSENESS, draw_heatmap, draw_triangle


@pytest.mark.parametrize(("n_targets", "step"), [(2, 1), (16, 1), (40, 3)])
def test_every_target_is_named_or_every_so_many_th(n_targets, step):
    labels = [f"model {place}" for place in range(n_targets)]
    problem = Problem.from_table(np.random.default_rng(0).uniform(-1, 1, (3, n_targets)), targets=labels)
    table = clustered_distances(neighbours(problem))
    axes = new_figure(4, 4).add_subplot()
    draw_heatmap(axes, table, title="distances", colours=CLOSENESS)
    for ticks, words in ((axes.get_xticks(), axes.get_xticklabels()), (axes.get_yticks(), axes.get_yticklabels())):
        assert list(ticks) == list(range(0, n_targets, step))
        assert [word.get_text() for word in words] == list(table.rows[::step])


def test_the_triangle_of_a_witness_has_its_own_values_on_the_diagonal_and_forward_values_above():
    table = np.array([[1.0, 0.1, 0.2], [0.9, 1.0, 0.3], [0.8, 0.7, 1.0]])
    problem = Problem.from_similarity(table, labels=["a", "b", "c"])
    witness = dissimilarity_dimension(problem, alpha=1, epsilon=0.9).witness
    values = witness_values(problem, witness)
    axes = new_figure(4, 4).add_subplot()
    draw_triangle(axes, values, title="triangle")
    cells = axes.images[0].get_array().filled(np.nan)
    below = np.tril_indices(len(witness), -1)
    expected = table[np.ix_(witness.queries, witness.targets)]
    expected[below] = np.nan
    np.testing.assert_array_equal(cells, expected)
    assert len(witness) > 1
    assert [word.get_text() for word in axes.get_yticklabels()] == [problem.queries[q] for q in witness.queries]
