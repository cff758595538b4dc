"""When the dissimilarity dimension is 0, 1 or more, and how many it can be, by the definition alone."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.dimensions.reference import alternatives, at_most_over_root
from warmer import InvalidValueError, Problem, dissimilarity_dimension
from warmer.estimation import TableFit

levels = st.fractions(-1, 1, max_denominator=8)
scales = st.fractions(Fraction(1, 16), 4, max_denominator=16)


@st.composite
def eighths(draw, *, is_square):
    """A table of whole numbers of eighths."""
    n_queries = draw(st.integers(1, 5))
    n_targets = n_queries if is_square else draw(st.integers(1, 5))
    row = st.lists(st.integers(-8, 8), min_size=n_targets, max_size=n_targets)
    return draw(st.lists(row, min_size=n_queries, max_size=n_queries))


def as_problem(table, is_square):
    make = Problem.from_similarity if is_square else Problem.from_table
    return make(np.array(table), denominator=8)


def in_fractions(table):
    return [[Fraction(value, 8) for value in row] for row in table]


@pytest.mark.parametrize("is_square", [True, False])
@given(data=st.data(), alpha=levels, epsilon=scales)
@settings(max_examples=150, deadline=None)  # kernels are compiled at the first call
def test_two_are_dissimilar_iff_some_pair_is_low_enough(is_square, data, alpha, epsilon):
    """Fact N4: some ordered pair of Z_alpha has rho <= alpha - epsilon (1 - 1/sqrt 2)."""
    table = data.draw(eighths(is_square=is_square))
    rho = in_fractions(table)
    members = alternatives(rho, alpha, is_square=is_square)
    has_low_pair = any(
        at_most_over_root(rho[query][target] - alpha + epsilon, epsilon, 2)
        for query, _ in members
        for _, target in members
    )
    found = dissimilarity_dimension(as_problem(table, is_square), alpha=alpha, epsilon=epsilon).value
    assert (found >= 2) == has_low_pair
    assert (found >= 1) == bool(members)


@given(data=st.data(), alpha=levels, epsilon=scales)
@settings(max_examples=150, deadline=None)
def test_a_bandit_has_at_most_as_many_as_it_has_good_functions_and_good_actions(data, alpha, epsilon):
    """Fact N3, and nothing repeats in the sequence itself."""
    table = data.draw(eighths(is_square=False))
    members = alternatives(in_fractions(table), alpha, is_square=False)
    found = dissimilarity_dimension(as_problem(table, False), alpha=alpha, epsilon=epsilon, monotone=True)
    assert found.value <= min(len({target for _, target in members}), len({query for query, _ in members}))
    if found.value >= 2:
        assert len(set(found.witness.targets)) == len(set(found.witness.queries)) == found.value


def test_as_many_functions_and_actions_as_there_are_can_be_reached():
    for size in (1, 2, 5):
        problem = as_problem((8 * np.eye(size, dtype=int)).tolist(), False)
        assert dissimilarity_dimension(problem, alpha=1, epsilon=1).value == size


@pytest.mark.parametrize("is_square", [True, False])
@given(data=st.data(), alpha=levels)
@settings(max_examples=100, deadline=None)
def test_the_viable_targets_are_those_that_reach_alpha(is_square, data, alpha):
    """Z_alpha by its definition: on the diagonal of a square table, at some action of a bandit."""
    table = data.draw(eighths(is_square=is_square))
    fit = TableFit(as_problem(table, is_square))
    expected = {target for _, target in alternatives(in_fractions(table), alpha, is_square=is_square)}
    if expected:
        assert set(np.flatnonzero(fit.viable(float(alpha)))) == expected
    else:
        with pytest.raises(InvalidValueError, match="alpha must be reached by some target's own best query"):
            fit.viable(float(alpha))
