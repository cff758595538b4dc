"""Quantiles of the Gaussian distribution against the standard library's."""

from statistics import NormalDist

import numpy as np
import pytest

from warmer.environments.kernels import gaussian

LEVELS = [1e-300, 1e-30, 1e-12, 0.001, 0.0749, 0.0751, 0.3, 0.5, 0.7, 0.9249, 0.9251, 0.999, 1 - 1e-12]


@pytest.mark.parametrize("level", LEVELS)
def test_a_quantile_is_that_of_the_standard_library(level):
    assert gaussian.quantile(level) == pytest.approx(NormalDist().inv_cdf(level), rel=1e-14, abs=1e-15)


def test_a_cut_quantile_has_the_share_of_what_is_left_below_it():
    bell = NormalDist(sigma=0.4)
    for room in (0.01, 0.3, 2.0):
        below = bell.cdf(-room)
        for level in np.linspace(0, 0.999, 20):
            found = gaussian.truncated_quantile(level, 0.4, room)
            assert -room <= found <= room
            assert (bell.cdf(found) - below) / (1 - 2 * below) == pytest.approx(level, abs=1e-9)
    assert gaussian.truncated_quantile(0.3, 0.4, 0.0) == 0.0
