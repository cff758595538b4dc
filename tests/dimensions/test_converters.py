"""Witnesses of one dimension out of witnesses of another, and all measures side by side."""

from fractions import Fraction
from itertools import combinations, product
from math import ceil, floor, isqrt

import numpy as np
import pytest

from warmer import bounds
from warmer.dimensions.complexity import complexity
from warmer.dimensions.converters import (
    dissimilarity_from_strong_sq,
    eluder_from_dissimilarity,
    strong_sq_from_dissimilarity,
)
from warmer.dimensions.dissimilarity.dimension import dissimilarity_dimension
from warmer.dimensions.dissimilarity.witness import DissimilarityWitness
from warmer.dimensions.eluder.dimension import eluder_dimension
from warmer.dimensions.strong_sq import StrongSQWitness, strong_sq_dimension
from warmer.model import Problem
from warmer.model.errors import CertificateError, HypothesisError, InvalidValueError


def random_classes(n_cases, seed, n=8, points=6):
    rng = np.random.default_rng(seed)
    for _ in range(n_cases):
        signs = np.unique(rng.choice([-1, 1], (n, points)), axis=0)
        yield Problem.from_similarity(signs @ signs.T, denominator=points), rng


@pytest.mark.parametrize("n", [10, 18, 19, 37])
def test_long_dissimilarity_witnesses_give_eluder_witnesses(n):
    rng = np.random.default_rng(n)
    # forward values within tau/sqrt(n) of c = 0, the others free
    noise = rng.integers(-1000, 1001, (n, n)) / 1000 / np.sqrt(n)
    table = np.triu(noise, 1) + np.tril(rng.uniform(-1, 1, (n, n)), -1) + np.eye(n)
    for problem in (Problem.from_similarity(table), Problem.from_table(table)):
        witness = DissimilarityWitness(tuple(range(n)), tuple(range(n)), center=0.0, alpha=1.0, epsilon=1.0)
        witness.check(problem)
        result = eluder_from_dissimilarity(witness, problem)
        assert len(result) >= min(n // 5, 1 + 5 * n // 27) >= ceil(n / 9)
        assert result.epsilon == pytest.approx(2 / 3)
        assert result.check(problem) > 0


@pytest.mark.parametrize("n", [48, 64, 100])
@pytest.mark.parametrize("is_worst", [False, True])
def test_blocks_of_five_give_longer_eluder_witnesses_than_neighbours(n, is_worst):
    """Forward values anywhere in the window, or at its ends: what the construction leaves to chance, exactly."""
    rng, width = np.random.default_rng(n), Fraction(isqrt(10**6 // n), 1000)  # at most 1/sqrt(n)
    signs = rng.choice([-1000, 1000], (n, n)) if is_worst else rng.integers(-1000, 1001, (n, n))
    table = [[Fraction(1) if i >= j else width * int(signs[i, j]) / 1000 for j in range(n)] for i in range(n)]
    problem, places = Problem.from_table(table), tuple(range(n))
    witness = DissimilarityWitness(places, places, center=0, alpha=1, epsilon=1)
    witness.check(problem)
    result = eluder_from_dissimilarity(witness, problem)
    assert result.check(problem) >= 0
    assert len(result) >= min(n // 5, 1 + 5 * n // 27) >= 1.5 * ceil(n / 9)


def test_of_five_values_of_an_interval_the_mean_squared_distance_is_at_most_24_tenths_of_its_half_width():
    """It is convex, so largest at the ends: 2 h^2 (B + 1)/B for odd B."""
    for size in (3, 5, 7):
        ends = product((-1, 1), repeat=size)
        mean = max(Fraction(sum((a - b) ** 2 for a, b in combinations(v, 2)), size * (size - 1) // 2) for v in ends)
        assert mean == Fraction(2 * (size + 1), size)


def test_the_repaired_eluder_theorem_holds_on_exact_instances():
    rng = np.random.default_rng(0)
    for _ in range(60):
        problem = Problem.from_table(rng.integers(0, 5, (5, 6)), denominator=4)
        for epsilon in (Fraction(1, 4), Fraction(1, 2)):
            left = dissimilarity_dimension(problem, alpha=1, epsilon=epsilon * 3 / 2, monotone=True).value
            eluder = eluder_dimension(problem, epsilon=epsilon, monotone=True).value
            assert left <= bounds.eluder_comparison(eluder=eluder) <= 9 * max(1, eluder)


def test_short_witnesses_and_false_ones_are_refused():
    problem = Problem.from_similarity(np.eye(12, dtype=int))
    nine = DissimilarityWitness(tuple(range(9)), tuple(range(9)), center=0, alpha=1, epsilon=1)
    with pytest.raises(HypothesisError, match="at least 10 alternatives, got 9"):
        eluder_from_dissimilarity(nine, problem)
    false = DissimilarityWitness((0,) * 10, (0,) * 10, center=0, alpha=1, epsilon=1)
    with pytest.raises(CertificateError, match=r"query 0 \(place 1\)"):
        eluder_from_dissimilarity(false, problem)


@pytest.mark.parametrize("epsilon", [0, None, float("nan")])
def test_a_forged_witness_is_not_converted(epsilon):
    problem, places = Problem.from_similarity(np.eye(12, dtype=int)), tuple(range(12))
    forged = DissimilarityWitness(places, places, center=0, alpha=1, epsilon=epsilon)
    for convert in (eluder_from_dissimilarity, strong_sq_from_dissimilarity):
        with pytest.raises(CertificateError, match="epsilon"):
            convert(forged, problem)
    for witness in (StrongSQWitness(places, epsilon), StrongSQWitness((0, 12), Fraction(1, 2))):
        with pytest.raises(CertificateError):
            dissimilarity_from_strong_sq(witness, problem)


def test_strong_sq_witnesses_give_dissimilarity_witnesses_of_the_stated_length():
    for problem, rng in random_classes(80, seed=1):
        epsilon = Fraction(int(rng.integers(1, 13)), 12)
        witness = strong_sq_dimension(problem, epsilon=epsilon).witness
        result = dissimilarity_from_strong_sq(witness, problem)
        assert len(result) == max(1, min(len(witness), floor(4 * epsilon**2 * len(witness) ** 2)))
        assert (result.alpha, result.epsilon) == (1, epsilon)
        assert len(result) <= dissimilarity_dimension(problem, alpha=1, epsilon=epsilon).value


def test_dissimilarity_witnesses_give_strong_sq_witnesses_of_the_stated_length():
    n_pairs = 0
    for problem, rng in random_classes(120, seed=2):
        scale = Fraction(int(rng.integers(1, 25)), 12)
        witness = dissimilarity_dimension(problem, alpha=1, epsilon=scale).witness
        n_pairs += len(witness) == 2
        absolute = len(witness) != 2
        result = strong_sq_from_dissimilarity(witness, problem, absolute=absolute)
        stated = isqrt(floor(Fraction(len(witness)) / (4 * scale**2)))
        assert len(result) == max(1, min(len(witness), stated))
        assert result.epsilon == scale / 4
        assert len(result) <= strong_sq_dimension(problem, epsilon=scale / 4, absolute=absolute).value
    assert n_pairs > 0


def test_floats_convert_as_well():
    problem = Problem.from_similarity(np.eye(16))
    strong = dissimilarity_from_strong_sq(StrongSQWitness(tuple(range(16)), 0.5), problem)
    assert len(strong) == 16
    assert len(strong_sq_from_dissimilarity(strong, problem)) == 4


def test_antipodes_break_the_absolute_value():
    problem = Problem.from_similarity([[1, -1], [-1, 1]])
    witness = dissimilarity_dimension(problem, alpha=1, epsilon=Fraction(1, 3)).witness
    with pytest.raises(HypothesisError, match="at least 3 alternatives, got 2, which may be antipodes"):
        strong_sq_from_dissimilarity(witness, problem)
    assert len(strong_sq_from_dissimilarity(witness, problem, absolute=False)) == 2


@pytest.mark.parametrize("n", [3, 4, 7])
def test_a_table_that_is_no_gram_matrix_breaks_the_absolute_value(n):
    table = 2 * np.eye(n, dtype=int) - 1  # everyone's opposite: no hypotheses have these correlations
    for problem in (Problem.from_similarity(table), Problem.from_similarity(table.astype(float))):
        witness = dissimilarity_dimension(problem, alpha=1, epsilon=Fraction(1, 4)).witness
        assert len(witness) == n
        assert strong_sq_dimension(problem, epsilon=Fraction(1, 16)).value == 1
        with pytest.raises(HypothesisError, match=f"a positive semidefinite table; the least eigenvalue .* is {2 - n}"):
            strong_sq_from_dissimilarity(witness, problem)
        assert len(strong_sq_from_dissimilarity(witness, problem, absolute=False)) == min(n, isqrt(4 * n))


def test_hypotheses_of_the_comparison_are_named():
    strong = Problem.from_similarity([[1, 0], [0, Fraction(3, 2)]], reward_range=(-2, 2), labels=["a", "b"])
    with pytest.raises(HypothesisError, match=r"that of 'b' is 1.5"):
        dissimilarity_from_strong_sq(StrongSQWitness((0,), 0.5), strong)
    weak = Problem.from_similarity([[1, 0], [0, Fraction(1, 2)]], labels=["a", "b"])
    with pytest.raises(HypothesisError, match=r"that of 'b' is 0.5"):
        dissimilarity_from_strong_sq(StrongSQWitness((0,), 0.5), weak)
    with pytest.raises(InvalidValueError, match="needs a symmetric table"):
        dissimilarity_from_strong_sq(StrongSQWitness((0,), 0.5), Problem.from_similarity([[1, 0], [1, 1]]))
    low = DissimilarityWitness((0,), (0,), center=0, alpha=Fraction(1, 2), epsilon=Fraction(1, 2))
    with pytest.raises(HypothesisError, match="needs alpha = 1, got 1/2"):
        strong_sq_from_dissimilarity(low, Problem.from_similarity([[1]]))


def test_one_alternative_converts_to_one():
    problem = Problem.from_similarity([[1]])
    one = dissimilarity_from_strong_sq(StrongSQWitness((0,), Fraction(1, 100)), problem)
    assert one.targets == strong_sq_from_dissimilarity(one, problem).targets == (0,)


def test_all_measures_stand_side_by_side():
    parities = Problem.from_similarity(np.eye(8, dtype=int))
    found = complexity(parities, alpha=1, epsilon=0.5, gamma=4, time_limit=60)
    assert [row.value for row in found.rows()] == ["8", "8", "7", "7", "8", "8", "8", "0"]
    assert found.rows()[-1].measure == "decision-estimation at gamma=4"
    assert found.table().splitlines()[0].split() == ["measure", "value", "reason"]
    assert len(found.table().splitlines()) == 9


def test_measures_that_do_not_apply_are_left_out():
    bandit = Problem.from_table([[0, 10], [10, 0]], reward_range=(0, 10))
    found = complexity(bandit, alpha=10, epsilon=5)
    assert (found.strong_sq, found.decision_estimation) == (None, None)
    square = Problem.from_similarity([[10, 0], [0, 10]], reward_range=(0, 10))
    assert complexity(square, alpha=10, epsilon=5).strong_sq is None
    with pytest.raises(InvalidValueError, match="epsilon must be greater than 0"):
        complexity(bandit, alpha=1, epsilon=0)
    with pytest.raises(InvalidValueError, match="time_limit must be greater than 0"):
        complexity(bandit, alpha=1, epsilon=1, time_limit=0)


def test_decimals_mean_what_they_say_in_every_measure():
    problem = Problem.from_similarity([[Fraction(1), Fraction(9, 10)], [Fraction(9, 10), Fraction(1)]])
    found = complexity(problem, alpha=1, epsilon=0.1)
    assert found.epsilon == Fraction(1, 10)
    assert found.strong_sq.value == 2
    assert found.covering.value == 1
    assert found.eluder.value == 0


def test_an_open_bracket_is_written_as_one():
    table = np.random.default_rng(1).uniform(-0.5, 0.5, (60, 60))
    found = complexity(Problem.from_table(table), alpha=0.4, epsilon=0.5, gamma=2, time_limit=0.5)
    assert "between" in found.table()
