"""The plan of Algorithm 2: its fixed point, its three numbers, and the steps of the proof that they must carry."""

import math

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from warmer import HypothesisError, InvalidValueError
from warmer.bounds import (
    anytime_error_budget,
    bad_queries_bound,
    exact_pac_horizon,
    pac_candidates,
    pac_horizon,
    pac_repeats,
    paper_error_budget,
)

dimensions = st.integers(1, 64)
accuracies = st.floats(2.0**-6, 2.0)  # so that horizons stay below 2^53 and floats can count them
probabilities = st.floats(1e-6, 0.99)
sizes = st.integers(2, 10**6)


@given(dimensions, accuracies, probabilities, sizes)
@example(63, 0.015625000000000003, 0.3333333333333333, 6296)  # within rounding of a whole number
def test_the_papers_horizon_satisfies_its_inequality_and_one_round_less_does_not(dimension, epsilon, delta, n_targets):
    def budget(horizon):
        return paper_error_budget(n_targets=n_targets, horizon=horizon, delta=delta / 2)

    def needed(horizon):
        return 64 * math.pow(dimension, 2.5) * budget(horizon) / epsilon**2

    horizon = pac_horizon(dimension=dimension, epsilon=epsilon, error_budget=budget, form="printed")
    rounding = 1e-15
    assert horizon >= needed(horizon) * (1 - rounding)
    assert horizon - 1 < needed(horizon - 1) * (1 + rounding)
    assert budget(horizon) >= math.log(2 * horizon)  # the theorem's hypothesis comes for free


@given(dimensions, accuracies, probabilities, sizes)
def test_at_most_half_of_so_many_queries_are_bad_at_three_quarters_of_epsilon(dimension, epsilon, delta, n_targets):
    def budget(horizon):
        return anytime_error_budget(n_targets=n_targets, delta=delta / 2, sigma=1.0)

    horizon = pac_horizon(dimension=dimension, epsilon=epsilon, error_budget=budget)
    assert 2 * bad_queries_bound(dimension=dimension, error_budget=budget(horizon), epsilon=0.75 * epsilon) <= horizon
    horizon = pac_horizon(dimension=dimension, epsilon=epsilon, error_budget=budget, form="printed")
    larger = max(budget(horizon), math.log(2 * horizon))
    assert (
        2 * bad_queries_bound(form="printed", dimension=dimension, error_budget=larger, epsilon=0.75 * epsilon)
        <= horizon
    )
    assert 2 * bad_queries_bound(dimension=dimension, error_budget=larger, epsilon=0.75 * epsilon) <= horizon


def test_where_the_budget_is_below_the_logarithm_the_logarithm_takes_its_place():
    horizon = pac_horizon(dimension=1, epsilon=1.0, error_budget=lambda horizon: 0.0, form="printed")
    assert horizon >= 64 * math.log(2 * horizon)
    assert horizon - 1 < 64 * math.log(2 * (horizon - 1))


@given(probabilities, accuracies)
def test_the_two_verification_numbers_carry_their_steps_of_the_proof(delta, epsilon):
    n_candidates = pac_candidates(delta=delta)
    n_repeats = pac_repeats(epsilon=epsilon, delta=delta, n_candidates=n_candidates)
    assert 0.5**n_candidates <= delta / 4
    assert 2 * math.exp(-n_repeats * epsilon**2 / 128) <= delta / (4 * n_candidates) * (1 + 1e-9)
    assert 2 * math.exp(-(n_repeats - 1) * epsilon**2 / 128) >= delta / (4 * n_candidates) * (1 - 1e-9)


@given(dimensions, accuracies, st.sampled_from([0.5, 2.0, 64.0]))
@settings(max_examples=50)
def test_the_plan_does_not_depend_on_the_units_of_the_reward(dimension, epsilon, scale):
    def budget(size):
        return lambda horizon: paper_error_budget(n_targets=9, horizon=horizon, delta=0.05, scale=size)

    for form in ("coloured", "printed"):
        asked = {"dimension": dimension, "form": form}
        plain = pac_horizon(**asked, epsilon=epsilon, error_budget=budget(1.0))
        assert plain == pac_horizon(**asked, epsilon=scale * epsilon, error_budget=budget(scale), scale=scale)
    assert pac_repeats(epsilon=epsilon, delta=0.1, n_candidates=6) == pac_repeats(
        epsilon=scale * epsilon, delta=0.1, n_candidates=6, sigma=scale
    )
    assert exact_pac_horizon(dimension=dimension, epsilon=epsilon) == exact_pac_horizon(
        dimension=dimension, epsilon=scale * epsilon, scale=scale
    )


@given(dimensions, accuracies)
def test_the_exact_horizon_is_the_first_to_exceed_the_number_of_bad_queries(dimension, epsilon):
    for form in ("coloured", "printed"):
        horizon = exact_pac_horizon(dimension=dimension, epsilon=epsilon, form=form)
        most = bad_queries_bound(form=form, dimension=dimension, error_budget=0.0, epsilon=epsilon)
        assert horizon - 1 <= most < horizon


@pytest.mark.parametrize("epsilon", [4.0, 5.0, 1e9])
def test_one_query_is_needed_even_where_none_can_be_bad(epsilon):
    assert exact_pac_horizon(dimension=3, epsilon=epsilon) == 1


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: pac_horizon(dimension=0, epsilon=1, error_budget=float), HypothesisError, "the dimension is 0"),
        (
            lambda: pac_horizon(dimension=1, epsilon=2.5, error_budget=float),
            HypothesisError,
            "falls short by more than 2",
        ),
        (lambda: pac_horizon(dimension=1, epsilon=0, error_budget=float), InvalidValueError, "epsilon must be greater"),
        (
            lambda: pac_horizon(dimension=3, epsilon=1e-12, error_budget=lambda horizon: 5.0),
            HypothesisError,
            r"no horizon below 4.6e\+18 rounds is enough for epsilon 1e-12 and dimension 3; raise epsilon",
        ),
        (
            lambda: pac_horizon(dimension=2, epsilon=1, error_budget=float),
            HypothesisError,
            "or give an error budget that grows more slowly than the horizon",
        ),
        (
            lambda: pac_horizon(
                dimension=1, epsilon=1, error_budget=lambda horizon: (horizon + 1000) / 64, form="printed"
            ),
            HypothesisError,
            "the error budget grows as fast as the horizon",
        ),
        (lambda: exact_pac_horizon(dimension=0, epsilon=1), HypothesisError, "the dimension is 0"),
        (lambda: pac_candidates(delta=0), InvalidValueError, "delta must lie strictly between"),
        (
            lambda: pac_repeats(epsilon=1, delta=0.1, n_candidates=0),
            InvalidValueError,
            "n_candidates must be at least 1",
        ),
    ],
)
def test_outside_its_hypotheses_the_theorem_is_silent(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_more_answers_than_anybody_can_count_are_no_plan():
    with pytest.raises(HypothesisError, match="raise epsilon"):
        pac_repeats(epsilon=1e-8, delta=0.05, n_candidates=7)
