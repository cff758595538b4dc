"""The fast processes against their definitions: never above, and less than 5% of the numerator below."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.certification import plain
from tests.certification.instances import Instance, instances, updated
from warmer import noise
from warmer.certification.noise import Process, evidence_process

CUT = np.log(1.05)
"""What a truncated mixture may lose."""
FAST = settings(max_examples=250, deadline=None)


def told(instance: Instance, declared: object, tolerance: float = 0.0) -> plain.Array:
    """The log evidence of the fast process after the history."""
    process: Process = evidence_process(declared, instance.problem, instance.log_prior, tolerance)
    state = process.start()
    for query, reward, count in instance.history:
        state = updated(process, state, query, reward, count)
    return np.asarray(process.log_evidence(state), dtype=float)


def check_within(fast: plain.Array, slow: plain.Array, below: float, rounding: float = 1e-9) -> None:
    """Between slow - below and slow, up to rounding; evidence above 1e5 is as good as infinite."""
    possible = slow < 1e5
    assert (fast[~possible] >= 1e5 - 1).all()
    slack = rounding * (1 + np.abs(slow[possible]))
    assert (fast[possible] <= slow[possible] + slack).all()
    assert (fast[possible] >= slow[possible] - below - slack).all()


@FAST
@given(instances(), st.booleans())
def test_squares_never_exceed_the_mixture_and_lose_little(instance: Instance, per_query: bool) -> None:
    sigmas = instance.noise * (1 + np.arange(instance.problem.n_queries) * per_query)
    declared = noise.SubGaussian(sigmas.tolist() if per_query else instance.noise)
    slow = plain.squares(instance.rho, instance.history, instance.prior, sigmas)
    check_within(told(instance, declared), slow, CUT, rounding=1e-8)


@FAST
@given(instances(coins=True))
def test_coins_never_exceed_the_mixture_and_lose_little(instance: Instance) -> None:
    slow = plain.coins(instance.rho, instance.history, instance.prior, *instance.problem.reward_range)
    check_within(told(instance, noise.Coin()), slow, CUT, rounding=1e-8)


@FAST
@given(instances(), st.booleans())
def test_universal_inference_never_exceeds_its_density_and_loses_little(instance: Instance, rough: bool) -> None:
    tolerance = instance.tolerance if rough else 0.0
    if not instance.history:
        assert told(instance, noise.Gaussian(), tolerance).tolist() == [0.0] * instance.problem.n_targets
        return
    slow = plain.universal(instance.rho, instance.history, instance.prior, instance.problem.scale, tolerance)
    fast = told(instance, noise.Gaussian(), tolerance)
    exact = np.isneginf(slow) | (slow < -1e3)  # a candidate that fits to the last digit: logarithms of rounding errors
    assert (fast[exact] < -100).all()
    check_within(fast[~exact], slow[~exact], CUT, rounding=1e-7)


@FAST
@given(instances(), st.booleans(), st.booleans())
def test_bets_are_those_of_the_definition(instance: Instance, narrow: bool, rough: bool) -> None:
    tolerance, width = instance.tolerance if rough else 0.0, instance.noise if narrow else np.inf
    ends = instance.problem.reward_range
    slow = plain.bets(instance.rho, instance.history, instance.prior, ends, width, tolerance)
    declared = noise.BoundedNoise(width) if narrow else noise.Bounded()
    check_within(told(instance, declared, tolerance), slow, 0.0, rounding=1e-6)


@FAST
@given(instances())
def test_rough_squares_are_those_of_the_definition(instance: Instance) -> None:
    sigmas = np.full(instance.problem.n_queries, instance.noise)
    ends = instance.problem.reward_range
    slow = plain.rough_squares(instance.rho, instance.history, instance.prior, ends, sigmas, instance.tolerance)
    check_within(told(instance, noise.SubGaussian(instance.noise), instance.tolerance), slow, 0.0, rounding=1e-6)


@FAST
@given(instances(coins=True))
def test_rough_coins_are_those_of_the_definition(instance: Instance) -> None:
    ends = instance.problem.reward_range
    slow = plain.rough_coins(instance.rho, instance.history, instance.prior, ends, instance.tolerance)
    check_within(told(instance, noise.Coin(), instance.tolerance), slow, 0.0, rounding=1e-6)


@pytest.mark.long
@pytest.mark.parametrize(
    ("twin", "drawn"),
    [
        (test_squares_never_exceed_the_mixture_and_lose_little, (instances(), st.booleans())),
        (test_coins_never_exceed_the_mixture_and_lose_little, (instances(coins=True),)),
        (test_universal_inference_never_exceeds_its_density_and_loses_little, (instances(), st.booleans())),
        (test_bets_are_those_of_the_definition, (instances(), st.booleans(), st.booleans())),
        (test_rough_squares_are_those_of_the_definition, (instances(),)),
        (test_rough_coins_are_those_of_the_definition, (instances(coins=True),)),
    ],
)
def test_they_agree_on_thousands_more(twin: Any, drawn: tuple[Any, ...]) -> None:
    settings(max_examples=3000, deadline=None)(given(*drawn)(twin.hypothesis.inner_test))()
