"""The strong SQ dimension against its definition."""

import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from tests.dimensions.strong_sq import reference_strong_sq as reference
from warmer.dimensions import StrongSQWitness, strong_sq_dimension
from warmer.model import Problem
from warmer.model.errors import CertificateError, InvalidValueError

GOLDEN = json.loads((Path(__file__).parents[2] / "data" / "golden.json").read_text())["instances"]
CLASSES = [instance for instance in GOLDEN if "strong_sq" in instance["dims"]]


@pytest.mark.parametrize("instance", CLASSES, ids=lambda instance: instance["name"])
def test_golden_instances_have_their_known_values(instance):
    problem = Problem.from_similarity([[Fraction(value) for value in row] for row in instance["rho"]])
    epsilon, dims = Fraction(instance["eps"]), instance["dims"]
    assert strong_sq_dimension(problem, epsilon=epsilon).value == dims["strong_sq"]
    assert strong_sq_dimension(problem, epsilon=epsilon, absolute=False).value == dims["strong_sq_no_abs"]


def random_similarity(rng):
    n, q = int(rng.integers(1, 8)), int(rng.integers(1, 13))
    table = np.tril(rng.integers(-q, q + 1, (n, n)), -1)
    return table + table.T + q * np.eye(n, dtype=int), q


@pytest.mark.parametrize("seed", range(4))
def test_the_search_equals_the_definition(seed):
    rng = np.random.default_rng(seed)
    for _ in range(150):
        table, q = random_similarity(rng)
        epsilon = Fraction(int(rng.integers(1, 2 * q + 3)), 2 * q)
        rho = [[Fraction(int(value), q) for value in row] for row in table]
        for absolute in (True, False):
            expected = reference.strong_sq(rho, epsilon, absolute=absolute)
            for problem in (Problem.from_similarity(table, denominator=q), Problem.from_similarity(table / q)):
                bracket = strong_sq_dimension(problem, epsilon=epsilon, absolute=absolute)
                assert bracket.value == len(bracket.witness) == expected


def test_numbers_too_large_for_the_machine_are_compared_exactly():
    off = Fraction(1, 3**50)
    rho = [[Fraction(1), off, -off], [off, Fraction(1), 1 - off], [-off, 1 - off, Fraction(1)]]
    problem = Problem.from_similarity(rho)
    assert strong_sq_dimension(problem, epsilon=off).value == 2
    assert strong_sq_dimension(problem, epsilon=Fraction(1, 2)).value == 2


def test_larger_tables_have_their_known_values():
    rng = np.random.default_rng(3)
    signs = rng.choice([-1, 1], (40, 24))
    problem = Problem.from_similarity(signs @ signs.T, denominator=24)
    assert [strong_sq_dimension(problem, epsilon=e).value for e in ("1/4", "1/2", "3/4")] == [6, 6, 6]


def test_equal_correlations_are_all_feasible():
    for n, value in ((30, Fraction(0)), (12, Fraction(-1, 11)), (25, Fraction(1, 2))):
        table = [[Fraction(1) if i == j else value for j in range(n)] for i in range(n)]
        assert strong_sq_dimension(Problem.from_similarity(table), epsilon=Fraction(1, 2)).value == n


def test_a_scale_beyond_every_correlation_leaves_one():
    problem = Problem.from_similarity(np.eye(4, dtype=int))
    assert strong_sq_dimension(problem, epsilon=1).value == 4
    assert strong_sq_dimension(problem, epsilon=1.01).value == 1
    assert strong_sq_dimension(Problem.from_similarity([[1]]), epsilon=0.5).value == 1


def test_two_hypotheses_only_need_the_first_condition():
    problem = Problem.from_similarity([[1, Fraction(-1, 2)], [Fraction(-1, 2), 1]])
    assert strong_sq_dimension(problem, epsilon=Fraction(1, 2)).value == 2
    assert strong_sq_dimension(problem, epsilon=Fraction(3, 4)).value == 1
    assert strong_sq_dimension(problem, epsilon=Fraction(3, 4), absolute=False).value == 2


def test_a_subset_of_a_witness_is_a_witness_and_the_value_falls_with_the_scale():
    rng = np.random.default_rng(8)
    for _ in range(20):
        table, q = random_similarity(rng)
        problem = Problem.from_similarity(table, denominator=q)
        values = []
        for k in range(1, 10):
            bracket = strong_sq_dimension(problem, epsilon=Fraction(k, 9))
            values.append(bracket.value)
            part = StrongSQWitness(bracket.witness.targets[1:], Fraction(k, 9))
            assert part.check(problem) >= 0
        assert values == sorted(values, reverse=True)


def test_wrong_witnesses_name_what_fails():
    problem = Problem.from_similarity([[1.0, 0.9, 0.0], [0.9, 1.0, 0.5], [0.0, 0.5, 1.0]], labels=["ada", "bob", "eve"])
    with pytest.raises(CertificateError, match=r"'ada' and 'bob' have correlation 0.9, beyond 1 - epsilon = 0.5"):
        StrongSQWitness((0, 1), 0.5).check(problem)
    with pytest.raises(
        CertificateError, match=r"'ada' and 'eve' have correlation 0, .*'ada' and 'bob' 0.9: more than 1/3"
    ):
        StrongSQWitness((0, 1, 2), 0.1).check(problem)
    with pytest.raises(CertificateError, match="'eve' appears twice"):
        StrongSQWitness((2, 2), 0.1).check(problem)
    skew = Problem.from_similarity([[1, 0], [-1, 1]])
    with pytest.raises(CertificateError, match="not symmetric"):
        StrongSQWitness((0, 1), 0.1).check(skew)
    assert StrongSQWitness((1,), 0.5).check(problem) == float("inf")


def test_what_is_not_a_table_of_correlations_is_refused():
    with pytest.raises(InvalidValueError, match="needs a square problem"):
        strong_sq_dimension(Problem.from_table([[1, 0]]), epsilon=0.5)
    skew = [[1.0, 0.5], [0.25, 1.0]]
    for table in (skew, [[Fraction(value) for value in row] for row in skew]):
        with pytest.raises(InvalidValueError, match=r"symmetric table, but rho\['a', 'b'\] is 0.5 and .* is 0.25"):
            strong_sq_dimension(Problem.from_similarity(table, labels=["a", "b"]), epsilon=0.5)
    with pytest.raises(InvalidValueError, match=r"this problem's range is \[0, 10\]"):
        strong_sq_dimension(Problem.from_similarity([[1]], reward_range=(0, 10)), epsilon=0.5)
    for epsilon in (0, -1, float("nan")):
        with pytest.raises(InvalidValueError, match="epsilon must be"):
            strong_sq_dimension(Problem.from_similarity([[1]]), epsilon=epsilon)
    with pytest.raises(InvalidValueError, match="time_limit must be"):
        strong_sq_dimension(Problem.from_similarity([[1]]), epsilon=1, time_limit=-1)


def gaussian_similarity(n, seed=0):
    vectors = np.random.default_rng(seed).normal(size=(n, 8))
    vectors /= np.linalg.norm(vectors, axis=1)[:, None]
    return Problem.from_similarity(np.clip(vectors @ vectors.T, -1, 1))


def test_a_time_limit_gives_an_honest_bracket():
    problem = gaussian_similarity(400)
    bracket = strong_sq_dimension(problem, epsilon=0.2, time_limit=1e-6)
    assert bracket.reason.startswith("time limit; upper bound: ")
    assert 1 <= bracket.lower < bracket.upper
    assert bracket.witness.check(problem) >= 0


def test_an_interrupt_gives_the_bracket_reached_so_far():
    def interrupt(lower, upper):
        if lower >= 3:
            raise KeyboardInterrupt

    problem = gaussian_similarity(60)
    bracket = strong_sq_dimension(problem, epsilon=0.2, progress=interrupt)
    assert bracket.lower >= 3
    assert bracket.is_exact or bracket.reason.startswith("interrupted")


def test_progress_sees_the_ends_close_in():
    told = []
    bracket = strong_sq_dimension(gaussian_similarity(50), epsilon=0.2, progress=lambda *ends: told.append(ends))
    assert told == sorted(told, key=lambda ends: (ends[0], -ends[1]))
    assert told[-1] == (bracket.value, bracket.value)
