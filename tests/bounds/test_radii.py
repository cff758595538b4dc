"""Radii for classes without a table: agreements between them, and what they refuse."""

import numpy as np
import pytest

from warmer import InvalidValueError
from warmer.bounds import paper_radius
from warmer.bounds.coverings import log_cover_of_ball
from warmer.bounds.radii import arm_radius, cover_radius, self_normalised_radius, smooth_radius

SMOOTH = {"n_answers": 50, "loss": 10.0, "dimension": 3, "lipschitz": 1.0, "norm": 1.0, "delta": 0.05, "sigma": 0.5}


def test_the_cover_radius_of_a_finite_class_is_the_papers():
    expected = paper_radius(n_targets=37, horizon=200, delta=0.1, scale=0.5)
    assert cover_radius(log_cover=np.log(37), horizon=200, delta=0.1, scale=0.5) == pytest.approx(expected)


def test_the_cover_of_a_ball_counts_more_points_in_more_dimensions_and_at_finer_widths():
    assert log_cover_of_ball(dimension=3, width=0.1) == pytest.approx(3 * np.log(21))
    assert log_cover_of_ball(dimension=3, width=0.01) > log_cover_of_ball(dimension=3, width=0.1)


def test_more_answers_widen_every_anytime_radius_slowly():
    counts = np.array([1, 10, 100, 1000])
    scaled = arm_radius(counts, n_arms=5, delta=0.05, sigma=1.0) / counts
    assert (np.diff(scaled) < 0).all()
    few, many = (smooth_radius(**{**SMOOTH, "n_answers": t, "loss": 0.2 * t}) for t in (100, 10_000))
    assert few < many < 10 * few


def test_a_self_normalised_radius_starts_at_the_ridge_and_the_noise():
    radius = self_normalised_radius(log_det_ratio=0.0, delta=np.exp(-2.0), sigma=0.5, ridge=4.0, norm=2.0)
    assert radius == pytest.approx((0.5 * 2 + 2 * 2) ** 2)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: arm_radius(1, n_arms=0, delta=0.1, sigma=1), "n_arms must be at least 1"),
        (lambda: arm_radius(1, n_arms=1, delta=0.1, sigma=0), "sigma must be greater than 0"),
        (lambda: cover_radius(log_cover=0, horizon=0, delta=0.1), "horizon must be at least 1"),
        (lambda: log_cover_of_ball(dimension=1, width=0), "width must be greater than 0"),
        (lambda: smooth_radius(**{**SMOOTH, "delta": 1.0}), "delta must lie strictly between 0 and 1"),
    ],
)
def test_outside_their_hypotheses_they_refuse(call, message):
    with pytest.raises(InvalidValueError, match=message):
        call()
