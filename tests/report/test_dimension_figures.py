"""The figures draw the numbers they are given."""

import numpy as np

from warmer import Problem, dissimilarity_dimension, dissimilarity_profile
from warmer.analysis.witnesses import witness_values
from warmer.report import plot_profile, plot_witness
from warmer.report.dimension_figures import stacked

PENTAGON = Problem.from_similarity([[np.cos(2 * np.pi * (i - j) / 5) for j in range(5)] for i in range(5)])


def test_a_witness_figure_shows_every_value_and_its_band():
    bracket = dissimilarity_dimension(PENTAGON, alpha=1, epsilon=1.25)
    values = witness_values(PENTAGON, bracket.witness)
    axes = plot_witness(values, title="pentagon").axes[0]
    above, below = (collection.get_offsets() for collection in axes.collections[-2:])
    assert sorted(above[:, 0]) == sorted(values.self_evaluations)
    assert sorted(below[:, 0]) == sorted(values.forward)
    assert below.shape == (10, 2)
    assert len(np.unique(np.round(below, 6), axis=0)) == 10  # equal values are stacked, not hidden
    assert np.abs(values.forward - values.center).max() <= values.tolerance * (1 + 1e-9)


def test_the_name_of_a_row_stands_at_the_middle_of_its_piles():
    needles = Problem.from_similarity(np.eye(40, dtype=int))
    bracket = dissimilarity_dimension(needles, alpha=1, epsilon=1)
    axes = plot_witness(witness_values(needles, bracket.witness), title="needles").axes[0]
    above, below = (collection.get_offsets()[:, 1] for collection in axes.collections[-2:])
    middles = [(row.min() + row.max()) / 2 for row in (below, above)]
    assert np.allclose(axes.get_yticks(), middles)
    assert middles[0] > 0.3  # the piles are tall
    assert below.max() < above.min()


def test_a_profile_of_nothing_counts_in_whole_numbers():
    profile = dissimilarity_profile(PENTAGON, alpha=9)
    figure = plot_profile(profile, title="nothing reaches alpha")
    figure.canvas.draw()
    low, high = figure.axes[0].get_ylim()
    assert [tick for tick in figure.axes[0].get_yticks() if low <= tick <= high] == [0, 1]


def test_a_profile_figure_shows_the_single_point_of_the_pentagon():
    profile = dissimilarity_profile(PENTAGON, alpha=1)
    axes = plot_profile(profile, title="pentagon").axes[0]
    dots = [line for line in axes.lines if line.get_marker() == "o"]
    assert [(round(float(line.get_xdata()[0]), 6), line.get_ydata()[0]) for line in dots] == [(1.25, 5)]
    plain = axes.lines[-1]
    assert set(plain.get_ydata()) == {1, 2, 3, 4}


def test_piles_count_from_the_ground():
    places, heights = stacked(np.array([0.3, 0.1, 0.3, 0.3]), width=0.05)
    assert places.tolist() == [0.1, 0.3, 0.3, 0.3]
    assert heights.tolist() == [0, 0, 1, 2]
