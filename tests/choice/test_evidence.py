"""The two facts that the proof rests on, over all points that a draw could have hit."""

import numpy as np

from warmer.choice.evidence import Draw, _factors
from warmer.choice.intervals import _RATES, PoolIntervals


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


def test_what_an_interval_allows_for_chance_is_enough_at_every_rate() -> None:
    for seed in range(300):
        rng = np.random.default_rng(seed)
        n_points = int(rng.integers(1, 12))
        scores, losses = rng.integers(1, 16, n_points), rng.random(n_points).round()
        intervals = PoolIntervals(1, n_points, delta=0.1)
        intervals.observe(losses[:1], 0, known=np.zeros(1), scores=scores, n_open=n_points)
        away = scores.mean() / scores * (losses - 0.5) - (losses.mean() - 0.5)
        for sign in (-1, 1):
            moments = np.exp(sign * _RATES * away) @ (scores / scores.sum())
            assert (np.log(moments) <= intervals._growth[:, 0] + 1e-12).all()
