"""The profile agrees with the dimension at every epsilon, breakpoints and single points included."""

import math
from itertools import pairwise

import numpy as np
import pytest

from tests.dimensions.dissimilarity.test_dissimilarity import KINDS, pentagon, random_symmetric
from tests.dimensions.instances import random_instance
from warmer.dimensions import complexity, dissimilarity_dimension, dissimilarity_profile
from warmer.model import Problem
from warmer.model.errors import InvalidValueError, ProtocolError


@pytest.mark.parametrize("is_exact", [True, False], ids=["rational", "floats"])
@pytest.mark.parametrize("kind", KINDS)
def test_the_profile_equals_the_dimension_at_each_epsilon(kind: str, is_exact: bool) -> None:
    rng = np.random.default_rng([KINDS.index(kind), is_exact])
    for _ in range(40):
        problem, _, alpha, epsilon = random_instance(rng, kind, is_exact=is_exact, largest=8)
        profile = dissimilarity_profile(problem, alpha=alpha)
        for at in [epsilon, *rng.uniform(0.1, 4, 3).tolist(), *([] if is_exact else profile.breakpoints[:4])]:
            for monotone in (False, True):
                value = dissimilarity_dimension(problem, alpha=alpha, epsilon=at, monotone=monotone).value
                assert profile(at, monotone=monotone) == value


@pytest.mark.parametrize("monotone", [False, True])
def test_pieces_follow_each_other_and_hold_the_value_inside(monotone: bool) -> None:
    profile = dissimilarity_profile(random_symmetric(12, 0), alpha=1)
    pieces = profile.pieces(monotone=monotone)
    assert (pieces[0].low, pieces[-1].high, pieces[-1].value) == (0, math.inf, 1)
    for piece, following in pairwise(pieces):
        assert piece.high == following.low
        assert piece.value != following.value
    for low, high, value in pieces:
        assert profile(2 * low if math.isinf(high) else (low + high) / 2, monotone=monotone) == value
    if monotone:
        assert [piece.value for piece in pieces] == sorted((piece.value for piece in pieces), reverse=True)


def test_the_single_point_of_the_pentagon_is_a_piece() -> None:
    profile = dissimilarity_profile(pentagon(), alpha=1)
    assert [profile(epsilon) for epsilon in (1.2499, "5/4", 1.2501)] == [4, 5, 4]
    (point,) = [piece for piece in profile.pieces() if piece.value == 5]
    assert point.low == point.high == pytest.approx(1.25)
    assert profile("1/100", monotone=True) == 5


def test_the_square_has_its_known_profile() -> None:
    square = Problem.from_similarity([[1, 0, -1, 0], [0, 1, 0, -1], [-1, 0, 1, 0], [0, -1, 0, 1]])
    profile = dissimilarity_profile(square, alpha=1)
    assert [profile(e) for e in ("1/2", 1, 2, "200000000001/100000000000", "5/2", 7)] == [2, 4, 4, 3, 2, 1]


def test_a_problem_below_alpha_is_zero_everywhere() -> None:
    profile = dissimilarity_profile(Problem.from_similarity(np.eye(3) / 2), alpha=1)
    assert (profile(0.1), profile(5, monotone=True), profile.breakpoints) == (0, 0, [])


def test_one_alternative_is_one_everywhere() -> None:
    profile = dissimilarity_profile(Problem.from_similarity([[1]]), alpha=1)
    assert (profile(0.1), [tuple(piece) for piece in profile.pieces()]) == (1, [(0.0, math.inf, 1)])


def test_a_time_limit_says_where_nothing_is_decided() -> None:
    profile = dissimilarity_profile(random_symmetric(200, 0), alpha=1, time_limit=0.01)
    assert not profile.is_exact
    assert profile(1e6) == 1
    with pytest.raises(ProtocolError, match=r"is at least .* allow a longer time_limit"):
        profile(profile.undecided_to / 2)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("is_exact", [True, False])
def test_one_profile_serves_every_measure_with_witnesses_that_check(kind: str, is_exact: bool) -> None:
    rng = np.random.default_rng(11)
    for _ in range(12):
        instance = random_instance(rng, kind, is_exact=is_exact, largest=7)
        profile = dissimilarity_profile(instance.problem, alpha=instance.alpha)
        found = complexity(instance.problem, alpha=instance.alpha, epsilon=instance.epsilon, profile=profile)
        for monotone, bracket in ((False, found.dissimilarity), (True, found.monotone_dissimilarity)):
            searched = dissimilarity_dimension(
                instance.problem, alpha=instance.alpha, epsilon=instance.epsilon, monotone=monotone
            )
            assert bracket.value == searched.value
            if bracket.witness is not None:
                bracket.witness.check(instance.problem)
                assert len(bracket.witness) == bracket.lower
                assert bracket.witness.epsilon >= instance.epsilon


def test_a_profile_that_is_not_finished_gives_brackets() -> None:
    problem = random_symmetric(40, 1)
    value = dissimilarity_dimension(problem, alpha=1, epsilon=0.5).value
    bracket = dissimilarity_profile(problem, alpha=1, time_limit=1e-9).bracket(0.5)
    assert bracket.lower <= value <= bracket.upper == 40
    assert not bracket.is_exact
    with pytest.raises(InvalidValueError, match=r"the profile is at alpha = 1.0, the measures are at 0.5"):
        complexity(problem, alpha=0.5, epsilon=1, profile=dissimilarity_profile(problem, alpha=1, time_limit=1e-9))


def test_progress_tells_the_lengths_and_above_which_epsilon_all_is_decided() -> None:
    problem = random_symmetric(12, 0)
    profile, told = dissimilarity_profile(problem, alpha=1), []
    dissimilarity_profile(problem, alpha=1, progress=lambda length, above: told.append((length, above)))
    assert [length for length, _ in told] == list(range(2, len(told) + 2))
    for length, above in told:
        assert all(profile(above * factor) < length for factor in (1.001, 1.5, 4))


def test_no_value_below_alpha_is_one_everywhere() -> None:
    profile = dissimilarity_profile(Problem.from_similarity([[1, 1], [1, 1]]), alpha=1, progress=lambda *_: None)
    assert (profile(0.1), profile.is_exact) == (1, True)


def test_an_epsilon_of_zero_is_refused() -> None:
    with pytest.raises(InvalidValueError, match="epsilon must be greater than 0"):
        dissimilarity_profile(Problem.from_similarity([[1]]), alpha=1)(0)
