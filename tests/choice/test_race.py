"""The race agrees with its definition, label by label."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.choice.reference import SlowRace
from warmer.choice.draws import Frame
from warmer.choice.pools import ClassPool
from warmer.choice.population import no_allowance
from warmer.choice.race import Race

EPSILONS = (0.0, 1 / 16, 1 / 8, 1 / 4)


def both(codes: np.ndarray, *, epsilon: float, delta: float, costs: np.ndarray | None, weights: np.ndarray | None):
    n_codes = 3
    table = 1.0 - np.eye(n_codes) if costs is None else costs
    pool = ClassPool(codes, n_codes, int, costs=costs, label_weights=weights)
    fast = Race(pool, epsilon=epsilon, delta=delta, allowance=no_allowance(pool))
    slow = SlowRace(codes.tolist(), table.tolist(), epsilon, delta, None if weights is None else weights.tolist())
    return fast, slow


def agree(fast: Race, slow: SlowRace) -> None:
    models = range(fast.pool.n_models)
    assert fast.incumbent == slow.incumbent
    assert set(np.flatnonzero(fast.is_out).tolist()) == slow.out
    assert np.flatnonzero(fast.frame).tolist() == slow.frame()
    wealth = fast._evidence.wealth(fast.incumbent)
    assert wealth.tolist() == pytest.approx([slow.wealth(model) for model in models], rel=1e-9, abs=1e-12)
    assert fast.estimates.tolist() == pytest.approx(slow.estimates(), abs=1e-9)
    leader, weights = slow.next_frame
    assert (fast.chances.frame.leader, fast.chances.frame.weights.tolist()) == (leader, weights)
    scores = [slow.score(point, slow.next_frame) if fast.is_open[point] else 0 for point in range(fast.pool.n_points)]
    assert fast.chances.scores.tolist() == scores


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_the_race_is_the_slow_one_that_reads_like_the_proof(seed: int) -> None:
    play_both(seed)


@pytest.mark.long
def test_two_thousand_races_are_the_slow_ones() -> None:
    for seed in range(2000):
        play_both(seed)


def play_both(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n_points, n_models = int(rng.integers(2, 9)), int(rng.integers(2, 5))
    codes = rng.integers(3, size=(n_points, n_models)).astype(np.uint8)
    costs = rng.integers(0, 9, size=(3, 3)) / 8 if rng.random() < 0.5 else None
    weights = np.array([1.0, 0.0, 0.0]) if costs is not None and rng.random() < 0.3 else None
    epsilon, delta = float(rng.choice(EPSILONS)), float(rng.choice([0.05, 0.4, 0.8]))
    fast, slow = both(codes, epsilon=epsilon, delta=delta, costs=costs, weights=weights)
    labels, is_fair = rng.integers(3, size=n_points), rng.random() < 0.7
    agree(fast, slow)
    frame = slow.next_frame
    while slow.open_points() and not fast.is_decided:
        if rng.random() < 0.7:
            frame = slow.next_frame  # otherwise the point was asked for earlier, in a batch
        is_random = (is_fair or rng.random() < 0.5) and any(slow.score(p, frame) for p in slow.open_points())
        point = int(rng.choice([p for p in slow.open_points() if slow.score(p, frame)] if is_random else slow.frame()))
        slow.absorb(point, int(labels[point]), frame if is_random else None)
        fast.absorb(point, int(labels[point]), Frame(frame[0], np.array(frame[1])) if is_random else None)
        agree(fast, slow)


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_when_all_points_that_matter_have_labels_the_best_is_certain(epsilon: float) -> None:
    for seed in range(40):
        rng = np.random.default_rng(seed)
        codes = rng.integers(3, size=(30, 6)).astype(np.uint8)
        labels = rng.integers(3, size=30)
        fast, _ = both(codes[:, :6], epsilon=epsilon, delta=1e-12, costs=None, weights=None)
        while not fast.is_decided:
            point = int(np.flatnonzero(fast.frame)[0])
            fast.absorb(point, int(labels[point]), None)
        losses = (codes != labels[:, None]).mean(axis=0)
        assert fast.is_certain
        assert losses[fast.incumbent] <= losses.min() + epsilon + 1e-9
