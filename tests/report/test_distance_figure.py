"""The map of distances names its targets by their labels."""

import numpy as np
import pytest

from warmer import Problem
from warmer.analysis import neighbours
from warmer.report.distance_figure import draw_distances
from warmer.report.figure_style import new_figure


@pytest.mark.parametrize(("n_targets", "named"), [(2, [0, 1]), (16, list(range(16))), (40, list(range(0, 40, 3)))])
def test_every_target_is_named_or_every_so_many_th(n_targets, named):
    labels = [f"model {place}" for place in range(n_targets)]
    problem = Problem.from_table(np.random.default_rng(0).uniform(-1, 1, (3, n_targets)), targets=labels)
    axes = new_figure(4, 4).add_subplot()
    draw_distances(axes, neighbours(problem), title="distances")
    for ticks, words in ((axes.get_xticks(), axes.get_xticklabels()), (axes.get_yticks(), axes.get_yticklabels())):
        assert list(ticks) == named
        assert [word.get_text() for word in words] == [labels[place] for place in named]
