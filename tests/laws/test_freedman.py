"""Freedman's inequality in the paper's form, on martingales whose steps depend on their past."""

import numpy as np
import pytest
from scipy.stats import binom

from warmer.bounds.lemmas import freedman_bound

N_RUNS = 20_000


def martingale(kind, n_runs, horizon, rng):
    """The sum of the steps, and of their conditional second moments; no step is larger than 1."""
    total, variance = np.zeros(n_runs), np.zeros(n_runs)
    for _ in range(horizon):
        p = np.full(n_runs, 0.02)  # a rare step up by 1, else a small one down
        if kind == "restless":
            p = np.where(total > 0, 0.02, 0.5)  # wilder while it is losing
        elif kind == "even":
            p = np.full(n_runs, 0.5)
        size = np.where(total > 3, 0.0, 1.0) if kind == "stopped" else 1.0
        down = p / (1 - p)
        total += size * np.where(rng.random(n_runs) < p, 1.0, -down)
        variance += size**2 * (p + (1 - p) * down**2)
    return total, variance


@pytest.mark.parametrize("kind", ["rare", "restless", "even", "stopped"])
@pytest.mark.parametrize("eta", [0.1, 0.5, 0.99])
def test_it_fails_no_more_often_than_delta(kind, eta):
    rng = np.random.default_rng([len(kind), int(100 * eta)])
    for delta in (0.3, 0.05):
        total, variance = martingale(kind, N_RUNS, 60, rng)
        # the bound is affine in the variance
        offset = freedman_bound(variance=0.0, eta=eta, reach=1.0, delta=delta)
        assert freedman_bound(variance=1.0, eta=eta, reach=1.0, delta=delta) == pytest.approx(offset + eta)
        n_failed = int((total > offset + eta * variance).sum())
        assert n_failed <= binom.isf(1e-6, N_RUNS, delta)


def test_a_third_of_the_bound_would_fail_too_often():
    total, variance = martingale("rare", N_RUNS, 60, np.random.default_rng(0))
    assert np.ptp(variance) < 1e-9  # the same on every path here
    bound = freedman_bound(variance=float(variance[0]), eta=0.99, reach=1.0, delta=0.05)
    assert (total > bound / 3).sum() > binom.isf(1e-6, N_RUNS, 0.05)
