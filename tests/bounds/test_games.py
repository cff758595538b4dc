"""Finite games: two mixtures that prove each other."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from warmer.bounds.games import max_min_of_few, max_min_proportions


@st.composite
def games(draw):
    """Gains on a coarse grid, so that much ties, times powers of ten of very different sizes; each column has one."""
    shape = draw(st.integers(1, 8)), draw(st.integers(1, 20))
    gains = draw(arrays(float, shape, elements=st.integers(0, 4)))
    gains[draw(st.integers(0, shape[0] - 1))] += 1
    return gains * 10.0 ** draw(arrays(np.int64, shape, elements=st.integers(-draw(st.integers(0, 6)), 0)))


@given(games())
@settings(max_examples=300, deadline=None)
def test_few_rows_have_the_value_of_the_linear_program_and_both_mixtures_prove_it(gains):
    proportions, mixture = max_min_of_few(gains)
    assert proportions.sum() == pytest.approx(1)
    assert mixture.sum() == pytest.approx(1)
    assert min(proportions.min(), mixture.min()) >= 0
    least, most = (proportions @ gains).min(), (gains @ mixture).max()
    assert least == pytest.approx(most, rel=1e-6)
    value = (max_min_proportions(gains)[0] @ gains).min()
    assert least == pytest.approx(value, abs=1e-6 * gains.max())


@pytest.mark.parametrize("scale", [1e-200, 1e-308])
def test_gains_whose_squares_are_too_small_for_a_float_have_the_mixtures_of_larger_ones(scale):
    gains = np.array([[1.0, 0.0, 0.5], [0.0, 1.0, 0.25]])
    for tiny, usual in zip(max_min_of_few(gains * scale), max_min_of_few(gains), strict=True):
        assert tiny == pytest.approx(usual)


def test_steps_that_gain_nothing_do_not_go_round_in_circles():
    """Gains of 0 and 1 alone: after more such steps than there are rows the solver takes the first way out."""
    gains = np.random.default_rng(1207).integers(0, 2, (29, 50)).astype(float)
    proportions, mixture = max_min_of_few(gains)
    assert (proportions @ gains).min() == pytest.approx((gains @ mixture).max())
