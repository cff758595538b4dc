"""Queries beyond the class, and general statistical queries by correlational ones."""

from fractions import Fraction
from functools import partial
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from warmer import InvalidValueError
from warmer.environments import Adversarial, Coin, CorrelationalOracle, SampleMean, StatisticalOracle, split_query

signs = st.sampled_from([-1, 1])


@st.composite
def instances(draw, max_points=6):
    """A distribution in rational numbers, a target, and g(x, 1) and g(x, -1)."""
    n = draw(st.integers(1, max_points))
    counts = draw(st.lists(st.integers(0, 9), min_size=n, max_size=n).filter(any))
    columns = [draw(st.lists(signs, min_size=n, max_size=n)) for _ in range(3)]
    return [Fraction(count, sum(counts)) for count in counts], *columns


def expectation(weights, values):
    return sum(weight * value for weight, value in zip(weights, values, strict=True))


@given(instances())
@settings(max_examples=300, deadline=None)
def test_the_split_is_an_identity(instance):
    weights, target, positive, negative = instance
    direct = expectation(weights, [p if y > 0 else m for y, p, m in zip(target, positive, negative, strict=True)])
    constant, first, second = split_query(positive, negative, np.array([float(weight) for weight in weights]))
    exact = expectation(weights, [Fraction(p + m, 2) for p, m in zip(positive, negative, strict=True)])
    assert constant == pytest.approx(float(exact))
    assert set(first.tolist()) | set(second.tolist()) <= {-1.0, 1.0}
    correlations = [
        expectation(weights, [int(v) * y for v, y in zip(phi, target, strict=True)]) for phi in (first, second)
    ]
    assert exact + sum(correlations) / 2 == direct


def test_the_split_is_an_identity_for_every_query_and_target_on_three_points():
    weights = np.array([0.5, 0.25, 0.25])
    for target, positive, negative in product(product((-1, 1), repeat=3), repeat=3):
        constant, first, second = split_query(positive, negative, weights)
        direct = weights @ np.where(np.array(target) > 0, positive, negative)
        assert constant + (weights @ (first * target) + weights @ (second * target)) / 2 == direct


@given(instances(), st.sampled_from(["up", "down", "random"]))
@settings(max_examples=100, deadline=None)
def test_a_tolerance_of_tau_stays_a_tolerance_of_tau(instance, strategy):
    weights, target, positive, negative = instance
    adversary = partial(Adversarial, tau=0.125, strategy=strategy)
    oracle = StatisticalOracle(CorrelationalOracle(target, weights, environment=adversary))
    direct = expectation(weights, [p if y > 0 else m for y, p, m in zip(target, positive, negative, strict=True)])
    assert abs(oracle.respond(positive, negative, np.random.default_rng(0)) - direct) <= 0.125 + 1e-9


def test_samples_answer_too():
    target = [1, -1, -1, 1, 1]
    rng = np.random.default_rng(0)
    one = CorrelationalOracle(target, environment=Coin)
    assert {one.respond([1] * 5, rng) for _ in range(50)} == {-1.0, 1.0}
    many = CorrelationalOracle(target, environment=partial(SampleMean, n=20_000))
    # Hoeffding: the mean of 20,000 signs is off by more than 0.05 with probability below 2 exp(-25)
    assert abs(many.respond([1] * 5, rng) - 0.2) < 0.05


def test_a_general_query_reads_the_label():
    """How often is x1 = 1 and the label right? A query that is no correlation."""
    points = list(product((0, 1), repeat=3))
    target = [1 if x[0] and x[2] else -1 for x in points]
    oracle = StatisticalOracle(CorrelationalOracle(target))
    positive, negative = [1 if x[0] else -1 for x in points], [-1] * 8
    answer = oracle.respond(positive, negative, np.random.default_rng(0))
    assert (1 + answer) / 2 == 2 / 8


def unhelpful(table, target):
    raise AssertionError("a query that ignores the label was passed on")


def test_a_query_that_ignores_the_label_is_answered_without_asking():
    oracle = StatisticalOracle(CorrelationalOracle([1, -1, 1, 1], environment=unhelpful))
    assert oracle.respond([1, 1, 1, -1], [1, 1, 1, -1], np.random.default_rng(0)) == 0.5


def test_no_answer_is_outside_the_range_of_the_query():
    adversary = partial(Adversarial, tau=0.1, strategy="up")
    oracle = StatisticalOracle(CorrelationalOracle([1, 1, 1, -1], environment=adversary))
    always = [1, 1, 1, 1], [-1, 1, 1, 1]  # g is 1 wherever the target leads it
    assert oracle.respond(*always, np.random.default_rng(0)) == 1.0


def answered(oracle):
    return oracle.respond([1, 1], np.random.default_rng(0))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: CorrelationalOracle([]), "the target needs one value for each point"),
        (lambda: CorrelationalOracle([1, 0]), "the target must have values -1 and 1, got 0 at point 1"),
        (lambda: CorrelationalOracle([1, 1], [0.5, 0.6]), "weights of distribution must add up to 1, got 1.1; divide"),
        (lambda: CorrelationalOracle([1, 1], [0.5, 0.500001]), "weights of distribution must add up to 1"),
        (lambda: CorrelationalOracle([1, 1], [1.5, -0.5]), "weights between 0 and 1, got 1.5 at point 0"),
        (lambda: CorrelationalOracle([1, 1], [1.0]), "distribution needs 2 weights, one per point, got 1"),
        (lambda: CorrelationalOracle([1, 1]).respond([1], np.random.default_rng(0)), "each of the 2 points"),
        (lambda: CorrelationalOracle("ab"), "the target must be numbers, got 'ab'"),
        (lambda: CorrelationalOracle([1, 1], ["a", "b"]), "distribution must hold numbers, .* got 'a' at point 0"),
        (
            lambda: CorrelationalOracle([1, 1], ["0.5", "0.5"]),
            "distribution must hold numbers, .* got '0.5' at point 0",
        ),
        (lambda: CorrelationalOracle([1, 1], 3), "distribution must hold numbers, one per point, got 3"),
        (lambda: CorrelationalOracle(["1", "-1"]), r"the target must be numbers, got \['1', '-1'\]"),
        (lambda: CorrelationalOracle([1, -1], environment=None), "environment must be one such as .* got None"),
        (lambda: CorrelationalOracle([1, -1], environment=Adversarial), "missing a required .*tau.*functools.partial"),
        (
            lambda: answered(CorrelationalOracle([1, -1], environment=lambda table, target: 3)),
            "environment must make one, as Exact does, got 3",
        ),
        (lambda: StatisticalOracle(3), "StatisticalOracle asks a CorrelationalOracle, got 3"),
        (lambda: split_query([1, 1, 1], [1, 1, -1], [0.5, 0.5]), "weights needs 3 weights, one per point, got 2"),
        (lambda: split_query([1, 1], [1], [0.5, 0.5]), r"g\(x, -1\) needs one value for each of the 2 points"),
        (lambda: split_query([1, 2], [1, 1], np.array([0.5, 0.5])), r"g\(x, 1\) must have values -1 and 1, got 2"),
    ],
)
def test_a_query_that_means_nothing_is_refused(call, message):
    with pytest.raises(InvalidValueError, match=message):
        call()
