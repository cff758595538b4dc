"""The two facts that the proof rests on, over all points that a draw could have hit."""

import numpy as np

from warmer.choice.evidence import Draw, _factors
from warmer.choice.intervals import _factors as _of_total


def test_at_the_border_of_the_null_a_bet_returns_what_was_staked_on_average() -> None:
    for seed in range(300):
        rng = np.random.default_rng(seed)
        size = int(rng.integers(1, 12))
        scores = rng.integers(1, 16, size)
        reach = float(rng.choice([0.5, 1.0]))
        differences, forecasts = rng.uniform(-reach, reach, (2, size))
        least = int(rng.integers(1, scores.min() + 1))
        returns = np.zeros(15)
        for point in range(size):
            draw = Draw(
                np.array([1]),
                differences[point : point + 1],
                forecasts[point : point + 1],
                n_differing=np.array([size]),
                forecast_sum=forecasts.sum(keepdims=True),
                reach=np.array([reach]),
                weight=scores.mean(keepdims=True) / scores[point],
                greatest_weight=scores.mean(keepdims=True) / least,
            )
            for most, share in ((differences.sum(), scores[point] / scores.sum()), (differences.sum() - 0.1, 0.0)):
                factors = _factors(draw, draw.difference, np.array([most]))[:, 0]
                assert (factors >= 0).all()
                returns += share * factors
        np.testing.assert_allclose(returns, 1.0, atol=1e-9)


def test_a_bet_on_how_good_a_model_is_returns_what_was_staked_on_average() -> None:
    for seed in range(300):
        rng = np.random.default_rng(seed)
        size = int(rng.integers(1, 12))
        scores, losses, outside = rng.integers(1, 16, size), rng.random(size).round(1), float(rng.integers(3))
        drawn = scores.mean() / scores * losses  # weighted by the inverse of the chance
        for most in (losses.sum(), losses.sum() + outside):
            factors = np.array(_of_total(drawn, np.array([most]), np.array([size])))
            assert (factors >= 0).all()
            returns = factors @ (scores / scores.sum())
            assert (returns <= 1 + 1e-9).all()
            if losses.any() and most == losses.sum():
                np.testing.assert_allclose(returns, 1.0, atol=1e-9)
