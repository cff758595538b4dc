"""Every pool agrees with its definition: loops over models, points and labels."""

import math

import numpy as np
import pytest

from warmer.choice.pools import ClassPool, NumberPool, ProbabilityPool
from warmer.choice.population import population_allowance

LABELS = {"classes": [0, 1, 2], "costs": [0, 1], "squares": [0.0, 1.0], "absolute": None, "brier": [0, 1, 2]}
"""All labels at which a difference of losses can be extreme; for absolute errors also the predictions."""


def make(kind: str, rng: np.random.Generator):
    n_points, n_models = int(rng.integers(1, 8)), int(rng.integers(1, 6))
    codes = rng.integers(3, size=(n_points, n_models)).astype(np.uint8)
    if kind == "classes":
        return ClassPool(codes, 3, int), codes
    if kind == "costs":
        costs, columns = rng.integers(0, 9, size=(3, 2)) / 8, np.array([0, 1, -1])
        return ClassPool(codes, 3, int, costs=costs, columns=columns), (codes, costs, columns)
    values = rng.integers(0, 9, size=(n_points, n_models)) / 8
    if kind == "squares":
        return NumberPool(values, float, power=2), values
    if kind == "absolute":
        return NumberPool(values, float, power=1), values
    chances = rng.dirichlet(np.ones(3), size=(n_points, n_models))
    chances[rng.random((n_points, n_models)) < 0.5] = [0.5, 0.25, 0.25]
    return ProbabilityPool(chances, int), chances


def slow_loss(kind: str, data, model: int, point: int, label) -> float:
    if kind == "classes":
        return float(data[point, model] != label)
    if kind == "costs":
        return float(data[1][data[0][point, model], label])
    if kind in ("squares", "absolute"):
        return abs(data[point, model] - label) ** (2 if kind == "squares" else 1)
    return sum((data[point, model, c] - (c == label)) ** 2 for c in range(3)) / 2


def slow_expected(kind: str, data, model: int, point: int, weights, sharpness: float) -> float:
    n_models = len(weights)
    if kind in ("squares", "absolute"):
        mean = sum(weights[h] * data[point, h] for h in range(n_models)) / sum(weights)
        return slow_loss(kind, data, model, point, mean)
    if kind == "brier":
        chances = [sum(weights[h] * data[point, h, c] for h in range(n_models)) / sum(weights) for c in range(3)]
        return sum(chances[c] * slow_loss(kind, data, model, point, c) for c in range(3))
    codes = data if kind == "classes" else data[0]
    labels = [0, 1, 2] if kind == "classes" else [0, 1]
    votes = [sum(weights[h] for h in range(n_models) if codes[point, h] == c) ** sharpness for c in labels]
    if sum(votes) == 0:
        return 0.0
    return sum(
        vote / sum(votes) * slow_loss(kind, data, model, point, c) for c, vote in zip(labels, votes, strict=True)
    )


@pytest.mark.parametrize("kind", LABELS)
def test_a_pool_is_what_its_definition_says(kind: str) -> None:
    for seed in range(300):
        rng = np.random.default_rng(seed)
        pool, data = make(kind, rng)
        leader = int(rng.integers(pool.n_models))
        models, points = range(pool.n_models), range(pool.n_points)
        is_open = rng.random(pool.n_points) < 0.7

        def labels(point: int, data=data) -> list:
            return sorted({0.0, 1.0, *data[point].tolist()}) if kind == "absolute" else LABELS[kind]

        def gaps(model: int, point: int, data=data, leader=leader, labels=labels) -> list[float]:
            return [
                slow_loss(kind, data, model, point, y) - slow_loss(kind, data, leader, point, y) for y in labels(point)
            ]

        found = pool.contrast(leader, is_open)
        some = [point for point in points if is_open[point]]
        counts = [sum(any(gaps(h, i)) for i in some) for h in models]
        assert found.n_differing.tolist() == counts
        assert found.lowest == pytest.approx(np.array([sum(min(gaps(h, i)) for i in some) for h in models]))
        sizes = [[max(map(abs, gaps(h, i))) for i in some] for h in models]
        assert found.reach == pytest.approx(np.array([max(row, default=0) for row in sizes]))
        assert found.squares == pytest.approx(np.array([sum(size**2 for size in row) for row in sizes]))
        weights, scores = rng.integers(4, size=pool.n_models), rng.integers(4, size=pool.n_points)
        greatest = [max(weights[h] * any(gaps(h, i)) for h in models) for i in points]
        assert pool.scores(leader, weights).tolist() == greatest
        masses = [sum(scores[i] * any(gaps(h, i)) for i in points) for h in models]
        assert pool.masses(leader, scores).tolist() == masses
        for point in points:
            differs, lowest = pool.lowest(point, leader)
            assert differs.tolist() == [any(gaps(h, point)) for h in models]
            assert lowest == pytest.approx(np.array([min(gaps(h, point)) for h in models]))
            label = rng.choice(labels(point))
            losses = [slow_loss(kind, data, h, point, label) for h in models]
            assert pool.losses(point, label) == pytest.approx(np.array(losses))


@pytest.mark.parametrize("kind", LABELS)
@pytest.mark.parametrize("sharpness", [1.0, 2.0])
def test_a_forecast_is_the_expected_loss_under_the_weighted_models(kind: str, sharpness: float) -> None:
    for seed in range(200):
        rng = np.random.default_rng(seed)
        pool, data = make(kind, rng)
        weights = rng.uniform(0.1, 1, pool.n_models)
        points = np.flatnonzero(rng.random(pool.n_points) < 0.7)
        totals, spreads = pool.expected(points, weights, sharpness)
        expected = [
            sum(slow_expected(kind, data, h, i, weights, sharpness) for i in points) for h in range(pool.n_models)
        ]
        assert totals == pytest.approx(np.array(expected))
        assert len(spreads) == len(points)
        assert (spreads >= -1e-12).all()
        if pool.n_models == 1:
            assert spreads == pytest.approx(np.zeros(len(points)))


def test_the_spread_of_a_vote_is_one_less_the_sum_of_squared_shares() -> None:
    pool = ClassPool(np.array([[0, 0, 1, 2]], dtype=np.uint8), 3, int)
    _, spreads = pool.expected(np.array([0]), np.array([1.0, 1.0, 1.0, 1.0]), 1.0)
    assert spreads.tolist() == pytest.approx([1 - (0.25 + 0.0625 + 0.0625)])


def test_the_fit_of_a_forecast_is_the_logarithm_of_the_chance_that_it_gave() -> None:
    pool = ClassPool(np.array([[0, 0, 1, 2]], dtype=np.uint8), 3, int)
    assert pool.fit(0, 0, np.ones(4), 1.0) == pytest.approx(math.log(0.999 * 0.5 + 0.001))
    assert pool.fit(0, -1, np.ones(4), 1.0) == pytest.approx(math.log(0.001))


def test_the_allowance_for_a_population_is_the_formula_of_the_proof() -> None:
    codes = np.array([[0, 1, 0]] * 40 + [[0, 0, 0]] * 60, dtype=np.uint8)
    pool = ClassPool(codes, 2, int)
    needed = math.log(5 * 2 / 0.1)
    expected = min(((-math.log(1 - r) - r) * 40 + needed) / r for r in (0.02, 0.05, 0.1, 0.2, 0.4))
    assert population_allowance(pool, 0.1)(0).tolist() == pytest.approx([0, expected, 0])
