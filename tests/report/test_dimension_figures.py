"""The figures draw the numbers they are given."""

import numpy as np

from warmer import Problem, dissimilarity_dimension, dissimilarity_profile
from warmer.analysis import witness_values
from warmer.report import profile_figure, witness_figure
from warmer.report.witness import stacked

PENTAGON = Problem.from_similarity([[np.cos(2 * np.pi * (i - j) / 5) for j in range(5)] for i in range(5)])


def test_a_witness_figure_shows_every_value_and_its_band():
    bracket = dissimilarity_dimension(PENTAGON, alpha=1, epsilon=1.25)
    values = witness_values(PENTAGON, bracket.witness)
    axes = witness_figure(values, title="pentagon").axes[0]
    above, below = (collection.get_offsets() for collection in axes.collections[-2:])
    assert sorted(above[:, 0]) == sorted(values.self_evaluations)
    assert sorted(below[:, 0]) == sorted(values.forward)
    assert below.shape == (10, 2)
    assert len(np.unique(np.round(below, 6), axis=0)) == 10  # equal values are stacked, not hidden
    assert np.abs(values.forward - values.center).max() <= values.tolerance * (1 + 1e-9)


def test_a_profile_figure_shows_the_single_point_of_the_pentagon():
    profile = dissimilarity_profile(PENTAGON, alpha=1)
    axes = profile_figure(profile, title="pentagon").axes[0]
    dots = [line for line in axes.lines if line.get_marker() == "o"]
    assert [(round(float(line.get_xdata()[0]), 6), line.get_ydata()[0]) for line in dots] == [(1.25, 5)]
    plain = axes.lines[-1]
    assert set(plain.get_ydata()) == {1, 2, 3, 4}


def test_piles_count_from_the_ground():
    places, heights = stacked(np.array([0.3, 0.1, 0.3, 0.3]), width=0.05)
    assert places.tolist() == [0.1, 0.3, 0.3, 0.3]
    assert heights.tolist() == [0, 0, 1, 2]
