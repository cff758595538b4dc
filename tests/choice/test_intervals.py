"""The intervals for how good each model is: as they are defined, and true as often as they say."""

import itertools
import math

import numpy as np
import pytest

from tests.choice.test_coverage import POOLS, most_allowed
from warmer import ModelChoice
from warmer.choice import Absolute, Brier, CostMatrix, Recall, Squared, ZeroOne
from warmer.choice.certificate import bounds_in_words, outward
from warmer.choice.intervals import PoolIntervals

DELTA = 0.2
FRACTIONS = [0.02, 0.05, 0.1, 0.2, 0.4, 0.8]


def slow_is_ruled_out(theta, draws, *, alpha, model, n_points, wrong):
    """Whether "the total of the model is at most theta" was ever ruled out; of right points where `wrong` is false.

    A draw is (losses, point, known losses, scores, number of open points), as `observe` has it.
    """
    wealth = [1 / len(FRACTIONS)] * len(FRACTIONS)
    for losses, point, known, scores, n_open in draws:
        frame = [p for p in range(n_points) if scores[p] > 0]
        weight = 1 / len(frame) / (scores[point] / sum(scores))
        value = losses[model] if wrong else 1 - losses[model]
        before = known[model] if wrong else n_points - n_open - known[model]
        most = (theta - before) / len(frame)
        wealth = [w * (1 + c * (weight * value / most - 1)) for w, c in zip(wealth, FRACTIONS, strict=True)]
        if sum(wealth) >= 1 / alpha:
            return True
    return False


@pytest.mark.parametrize("seed", range(12))
def test_an_end_is_where_the_slow_wealth_stops_ruling_out(seed):
    rng = np.random.default_rng(seed)
    n_models, n_points, n_draws = 2, 40, 25
    intervals, draws = PoolIntervals(n_models, n_points, delta=DELTA), []
    is_open, known = np.ones(n_points, bool), np.zeros(n_models)
    for _ in range(n_draws):
        scores = np.where(is_open, rng.integers(0, 4, n_points), 0)
        point = int(rng.choice(n_points, p=scores / scores.sum()))
        losses = (rng.random(n_models) < [0.95, 0.05]).astype(float)
        draws.append((losses, point, known.copy(), scores, int(is_open.sum())))
        intervals.observe(*draws[-1][:2], known=known, scores=scores, n_open=int(is_open.sum()))
        is_open[point] = False
        known += losses
    n_open = int(is_open.sum())
    low, high = intervals.bounds(known=known, n_open=n_open)
    step = n_open / 2**15
    for model in range(n_models):
        setting = {"alpha": DELTA / 2 / n_models, "model": model, "n_points": n_points}
        for end, least, wrong in (
            (low[model], known[model], True),
            (n_points - high[model], n_draws - known[model], False),
        ):
            assert least <= end <= least + n_open
            if end > least:
                assert slow_is_ruled_out(end - step, draws, wrong=wrong, **setting)
            assert not slow_is_ruled_out(end + step, draws, wrong=wrong, **setting)


def misses(predictions, labels, seed: int, *, batch: int = 1) -> bool:
    """Whether an interval of any model is ever false on the way; every fourth label is volunteered."""
    choice = ModelChoice(predictions, epsilon=0.02, delta=DELTA, seed=seed)
    losses = (np.asarray(predictions) != labels).mean(axis=1)
    is_missed = False
    while points := choice.ask(batch):
        for place, point in enumerate(points):
            choice.tell(point, labels[point])
            if place % 4 == 3:
                other = int(np.flatnonzero(choice._race.is_open)[0])
                choice.tell(other, labels[other])
        for each in choice.standings:
            loss = losses[choice.models.position(each.model)]
            is_missed |= not each.low - 1e-9 <= loss <= each.high + 1e-9
    return is_missed


def agreed_and_wrong(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Models that agree on most points, and are all wrong there: no draw can show it."""
    predictions = np.zeros((3, 120), int)
    predictions[:, :40] = rng.integers(2, size=(3, 40))
    return predictions, np.where(np.arange(120) < 40, rng.integers(2, size=120), 1)


ADVERSARIAL = {**POOLS, "agreed and wrong": agreed_and_wrong}


def n_missed(kind: str, runs: int, **settings) -> int:
    return sum(misses(*ADVERSARIAL[kind](np.random.default_rng(s)), s + 10**6, **settings) for s in range(runs))


@pytest.mark.parametrize("kind", ADVERSARIAL)
def test_intervals_are_as_seldom_false_as_promised(kind):
    assert n_missed(kind, 10, batch=4) <= most_allowed(DELTA, 10)


@pytest.mark.long
@pytest.mark.parametrize("batch", [1, 6])
@pytest.mark.parametrize("kind", ADVERSARIAL)
def test_intervals_are_as_seldom_false_as_promised_in_many_runs(kind, batch):
    assert n_missed(kind, 200, batch=batch) <= most_allowed(DELTA, 200)


def test_a_certified_leader_whose_agreed_points_are_wrong_is_not_said_to_be_good():
    for seed in range(15):
        predictions, labels = agreed_and_wrong(np.random.default_rng(seed))
        choice = ModelChoice(predictions, epsilon=0.1, seed=seed)
        while points := choice.ask():
            choice.tell(points[0], labels[points[0]])
        best = choice.standings[0]
        loss = (predictions[choice.models.position(best.model)] != labels).mean()
        assert best.high >= choice.n_agreed / 120
        assert best.low <= loss <= best.high
        assert abs(best.estimate - loss) <= (best.high - best.low) / 2 + 1e-9


def test_no_interval_is_narrower_than_the_share_of_points_on_which_all_agree():
    rng = np.random.default_rng(0)
    predictions = np.zeros((3, 100), int)
    predictions[:, :60] = rng.integers(2, size=(3, 60))
    labels = rng.integers(2, size=100)
    choice = ModelChoice(predictions, epsilon=0, delta=0.05, seed=0)
    agreed = [point for point in range(100) if len(set(predictions[:, point])) == 1]
    assert choice.n_agreed == len(agreed)
    for point in [p for p in range(100) if p not in agreed]:
        choice.tell(point, labels[point])
    assert all(each.high - each.low == pytest.approx(len(agreed) / 100) for each in choice.standings)
    choice.tell(agreed[0], labels[agreed[0]])
    assert choice.n_agreed == len(agreed) - 1


def test_the_words_say_what_the_bounds_promise_and_why_they_are_no_narrower():
    words = bounds_in_words(n_agreed=277, n_points=1000, delta=0.05)
    assert "all models together and at all times, with probability at least 0.95" in words
    assert "277 of 1,000 without a label: so labels tell how far models are apart, not how good they are" in words


def test_shown_bounds_hold_what_the_bounds_held():
    rng = np.random.default_rng(0)
    for scale in (1.0, 20.0, 1e4):
        for low, high in np.sort(rng.uniform(0, scale, (200, 2)), axis=1).tolist():
            shown = [float(text) for text in outward(low, high, scale=scale)]
            assert shown[0] <= low <= high <= shown[1]
            assert math.isclose(shown[0], low, abs_tol=scale / 100)


def by_definition(loss, prediction, labels):
    """The mean loss of one model over a pool, in the units of the user."""
    pairs = list(zip(prediction, labels, strict=True))
    match loss:
        case Recall():
            wanted = [guess for guess, label in pairs if label == loss.label]
            return sum(guess != loss.label for guess in wanted) / max(1, len(wanted))
        case CostMatrix():
            rows = loss.labels if loss.predictions is None else loss.predictions
            return sum(loss.costs[rows.index(guess)][loss.labels.index(label)] for guess, label in pairs) / len(pairs)
        case Brier():
            return sum(sum((p - (k == y)) ** 2 for k, p in enumerate(ps)) / 2 for ps, y in pairs) / len(pairs)
        case ZeroOne():
            costs = [(1 if guess != label else 0) if guess != loss.abstain else 0.25 for guess, label in pairs]
            return sum(costs) / len(pairs)
        case _:
            power = 2 if isinstance(loss, Squared) else 1
            cut = [(min(max(guess, loss.low), loss.high), label) for guess, label in pairs]
            return sum(abs(guess - label) ** power for guess, label in cut) / len(pairs)


ROWS = [[0, 5, 2], [1, 0, 0.5], [0.25, 0.25, 0.25], [0, 0, 0]]
LOSSES = {
    "zero-one": (ZeroOne(), range(4), range(4)),
    "abstaining": (ZeroOne(3, abstention_cost=0.25), range(4), range(3)),
    "costs": (CostMatrix(ROWS, labels=[0, 1, 2], predictions=[0, 1, 2, 3]), range(4), range(3)),
    "recall": (Recall(1), range(3), range(3)),
    "brier": (Brier(), [[0.2, 0.3, 0.5], [1, 0, 0], [0, 0.5, 0.5]], range(3)),
    "squared": (Squared(-2, 4), [-3, -1.5, 0, 2, 4], [-2, 0.5, 3, 4]),
    "absolute": (Absolute(-2, 4), [-3, -1.5, 0, 2, 4], [-2, 0.5, 3, 4]),
}


def chosen_of(rng, values, shape):
    return np.asarray(list(values))[rng.integers(len(values), size=shape)]


@pytest.mark.parametrize("name", LOSSES)
def test_once_all_labels_are_known_both_bounds_are_the_loss_by_its_definition(name):
    loss, guesses, kinds = LOSSES[name]
    for seed in range(5):
        rng = np.random.default_rng(seed)
        predictions, labels = chosen_of(rng, guesses, (4, 30)), chosen_of(rng, kinds, 30)
        choice = ModelChoice(predictions, epsilon=0.1, loss=loss, seed=seed)
        for point, label in enumerate(labels.tolist()):
            choice.tell(point, label)
        for each in choice.standings:
            true = pytest.approx(by_definition(loss, predictions[each.model].tolist(), labels.tolist()))
            assert (each.low, each.high, each.estimate, each.loss) == (true, true, true, true)
            assert each.accuracy == 1 - each.loss


@pytest.mark.parametrize("name", LOSSES)
def test_the_bounds_hold_every_completion_of_the_volunteered_labels(name):
    """Nothing was drawn, so the bounds hold for certain; those of recall and of errors are the ends themselves."""
    loss, guesses, kinds = LOSSES[name]
    for seed in range(12):
        rng = np.random.default_rng(seed)
        predictions, labels = chosen_of(rng, guesses, (3, 7)), chosen_of(rng, kinds, 7).tolist()
        choice = ModelChoice(predictions, epsilon=0.1, loss=loss, seed=seed)
        known = labels[: 3 + seed % 3]
        for point, label in enumerate(known):
            choice.tell(point, label)
        rests = itertools.product(np.asarray(list(kinds)).tolist(), repeat=7 - len(known))
        pools = [known + list(rest) for rest in rests]
        for each in choice.standings:
            mine = predictions[each.model].tolist()
            found = [by_definition(loss, mine, pool) for pool in pools]
            assert each.low <= min(found) + 1e-9
            assert max(found) <= each.high + 1e-9
            if name in ("zero-one", "recall"):
                assert (each.low, each.high) == (pytest.approx(min(found)), pytest.approx(max(found)))


def test_without_a_point_of_the_class_nothing_was_missed():
    choice = ModelChoice([["ill", "well"], ["well", "well"]], epsilon=0.1, loss=Recall("ill"))
    assert {(each.low, each.high) for each in choice.standings} == {(0, 1)}
    for point in (0, 1):
        choice.tell(point, "well")
    assert {(each.low, each.high, each.estimate) for each in choice.standings} == {(0, 0, 0)}
    assert {(each.loss, each.accuracy) for each in choice.standings} == {(0, 1)}


def recall_is_missed(seed: int) -> bool:
    """Whether a bound on what a model misses is ever false on the way; every fourth label is volunteered."""
    rng = np.random.default_rng(seed)
    ill = rng.random(200) < 0.1
    predictions = np.array([np.where(rng.random(200) < rate, ill, rng.random(200) < 0.2) for rate in (0.5, 0.7, 0.9)])
    true = [by_definition(Recall(True), row.tolist(), ill.tolist()) for row in predictions]
    choice = ModelChoice(predictions, epsilon=0.02, delta=DELTA, loss=Recall(True), seed=seed + 10**6)
    is_missed = False
    while points := choice.ask(4):
        for point in points:
            choice.tell(point, ill[point])
        still = np.flatnonzero(choice._race.is_open)
        for other in still[:1] if choice.ask() else still:  # to the end, where every label is known
            choice.tell(other, ill[other])
        is_missed |= any(not s.low - 1e-9 <= true[s.model] <= s.high + 1e-9 for s in choice.standings)
    return is_missed


def test_bounds_on_recall_are_as_seldom_false_as_promised():
    assert sum(map(recall_is_missed, range(20))) <= most_allowed(DELTA, 20)
