"""The star number against its definition."""

import math
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
import scipy

from warmer.dimensions import eluder_dimension, stars
from warmer.dimensions.converters import eluder_from_star
from warmer.dimensions.stars import StarWitness, star_number
from warmer.model import Problem
from warmer.model.errors import CertificateError, InvalidValueError
from warmer.problems import needle

SINGLETONS = Problem.from_table([[-1, 1, -1, -1], [-1, -1, 1, -1], [-1, -1, -1, 1]])


def largest_star(functions, is_apart, is_close):
    """The most actions on each of which some function is apart from a reference, and close to it on the others."""
    actions = range(len(functions[0]))

    def is_star(chosen, squares):
        return all(
            any(is_apart(s[a]) and is_close(sum(s[b] for b in chosen if b != a)) for s in squares) for a in chosen
        )

    best = 0
    for reference in functions:
        squares = [[(f[a] - reference[a]) ** 2 for a in actions] for f in functions]
        sizes = (size for size in range(len(actions), best, -1))
        best = next((s for s in sizes if any(is_star(chosen, squares) for chosen in combinations(actions, s))), best)
    return best


def at(functions, square):
    """At epsilon**2 = square."""
    return largest_star(functions, lambda one: one > square, lambda total: total <= square)


def from_on(functions, square):
    """The largest at any greater scale: between two differences it is the larger, the larger the scale."""
    differences = {(f[a] - g[a]) ** 2 for f, g in combinations(functions, 2) for a in range(len(f))}
    above = [each for each in differences if each > square]
    return max((below(functions, difference) for difference in above), default=0)


def below(functions, square):
    """At every epsilon just below the root of a square."""
    return largest_star(functions, lambda one: one >= square, lambda total: total < square)


def random_values(rng):
    n_actions, n_functions, q = int(rng.integers(1, 6)), int(rng.integers(1, 7)), int(rng.integers(1, 5))
    table = rng.integers(-q, q + 1, (n_actions, n_functions))
    functions = [[Fraction(int(value), q) for value in column] for column in table.T]
    epsilon = Fraction(int(rng.integers(1, 4 * q + 1)), 2 * q)
    return functions, epsilon, (Problem.from_table(table, denominator=q), Problem.from_table(table / q))


@pytest.mark.parametrize("seed", range(5))
def test_on_signs_the_search_equals_the_definition(seed):
    rng = np.random.default_rng(seed)
    for _ in range(100):
        table = rng.choice([-1, 1], (int(rng.integers(1, 8)), int(rng.integers(1, 10))))
        expected = at(table.T.tolist(), 0)
        for problem in (Problem.from_table(table), Problem.from_table(table.astype(float))):
            bracket = star_number(problem)
            assert (bracket.value, len(bracket.witness or ())) == (expected, expected)
            assert bracket.witness is None or bracket.witness.check(problem) == 2.0


@pytest.mark.parametrize("seed", range(5))
def test_of_value_functions_the_search_equals_the_definition(seed):
    rng = np.random.default_rng(seed)
    for _ in range(100):
        functions, epsilon, problems = random_values(rng)
        expected = at(functions, epsilon**2), from_on(functions, epsilon**2)
        for problem in problems:
            found = [star_number(problem, epsilon=epsilon, monotone=monotone) for monotone in (False, True)]
            assert tuple(bracket.value for bracket in found) == expected
            for bracket in found:
                assert bracket.witness is None or bracket.witness.check(problem) >= -1e-9


def test_numbers_that_only_python_holds_are_searched_exactly():
    rng = np.random.default_rng(7)
    for _ in range(20):
        _, epsilon, (problem, _) = random_values(rng)
        large = 10**20
        table = (problem.rational.numerators.astype(object) * large).tolist()
        scaled = Problem.from_table(table, denominator=problem.rational.denominator * large)
        for monotone in (False, True):
            expected = star_number(problem, epsilon=epsilon, monotone=monotone).value
            assert star_number(scaled, epsilon=epsilon, monotone=monotone).value == expected


def test_the_compiled_search_equals_its_plain_form(monkeypatch):
    rng = np.random.default_rng(3)
    monkeypatch.setattr(stars._Star, "bound", lambda star: len(star.columns))  # the search alone decides
    for _ in range(40):
        functions, epsilon, problems = random_values(rng)
        assert {star_number(problem, epsilon=epsilon, monotone=False).value for problem in problems} == {
            at(functions, epsilon**2)
        }


def test_it_is_never_above_the_eluder_dimension_and_known_for_known_classes():
    assert star_number(SINGLETONS).value == 3
    signs = scipy.linalg.hadamard(8)  # points by parities: dual vectors that are 1 on a basis of 3 points
    assert star_number(Problem.from_table(signs)).value == 3
    for n in (2, 5, 40):
        assert star_number(needle(n), epsilon=Fraction(1, 2)).value == n - 1
    rng = np.random.default_rng(1)
    for _ in range(100):
        _, epsilon, (problem, _) = random_values(rng)
        for monotone in (False, True):
            star = star_number(problem, epsilon=epsilon, monotone=monotone).value
            assert star <= eluder_dimension(problem, epsilon=epsilon, monotone=monotone).value


def test_a_star_without_one_of_its_actions_is_a_star():
    witness = star_number(SINGLETONS).witness
    assert len(witness.subsequence([0, 2])) == 2
    witness.subsequence([0, 2]).check(SINGLETONS)


def test_a_star_is_as_long_a_sequence_of_independent_actions():
    for problem, epsilon in ((SINGLETONS, None), (SINGLETONS, 1), (needle(6), Fraction(1, 2))):
        star = star_number(problem, epsilon=epsilon, monotone=False)
        assert len(eluder_from_star(star.witness, problem)) == star.value


def test_a_time_limit_leaves_an_honest_bracket():
    table = np.random.default_rng(0).choice([-1, 1], (80, 120))
    bracket = star_number(Problem.from_table(table), time_limit=0.3)
    assert 1 <= bracket.lower <= bracket.upper <= 80
    assert len(bracket.witness) == bracket.lower
    bracket.witness.check(Problem.from_table(table))


def test_forbidden_queries_are_no_actions():
    fewer = Problem.from_table([[-1, 1, -1], [-1, -1, 1]], forbidden=[True, False])
    assert star_number(fewer).value == 1
    with pytest.raises(CertificateError, match="query 0 is forbidden"):
        StarWitness((0,), (1,), 0).check(fewer)


def test_equal_functions_have_no_star():
    assert star_number(Problem.from_table([[1, 1]])).reason == "all functions are equal"
    assert star_number(Problem.from_table([[0, 1]]), epsilon=1).reason == "no two functions differ by more than epsilon"


def test_values_need_an_epsilon():
    with pytest.raises(InvalidValueError, match=r"rho\['a', 'y'\] is 0.5; give epsilon="):
        star_number(Problem.from_table([[1, 0.5]], queries=["a"], targets=["x", "y"]))
    with pytest.raises(InvalidValueError, match="epsilon must be greater than 0"):
        star_number(SINGLETONS, epsilon=0)


@pytest.mark.parametrize(
    ("witness", "reason"),
    [
        (StarWitness((0, 1), (1,), 0), "2 queries need as many targets, got 1"),
        (StarWitness((0, 1), (1, 1), 0), "target 1 and the reference 0 differ on query 0"),
        (StarWitness((0,), (2,), 0), "target 2 and the reference 0 agree on query 0"),
        (StarWitness((0, 0), (1, 1), 0), "differ on query 0"),
        (StarWitness((0, 1), (1, 1), 0, 1), "differ by 0 on query 1, not more than 1"),
        (StarWitness((0, 0), (1, 1), 0, 1), "query 0 appears twice"),
        (StarWitness((0, 1), (1, 2), 3, 1), "differ by 2 on the queries other than 0, more than 1"),
        (StarWitness((0, 1), (1, 2), 0, 2), "differ by 2 on query 0, not more than 2"),
        (StarWitness((0, 1), (1, 2), 9), "no target number 9"),
    ],
)
def test_a_forged_star_does_not_check(witness, reason):
    table = Problem.from_table([[-1, 1, -1, -1], [-1, -1, 1, -1], [-1, -1, -1, 1]])
    if witness.reference == 3:
        table = Problem.from_table([[-1, 1, 1, -1], [-1, 1, 1, -1], [-1, -1, -1, 1]])
    with pytest.raises(CertificateError, match=reason):
        witness.check(table)


def test_a_star_of_signs_needs_signs():
    with pytest.raises(CertificateError, match="is one of a table of -1 and 1"):
        StarWitness((0,), (1,), 0).check(Problem.from_table([[0, 1]]))
    assert StarWitness((), (), 0).check(SINGLETONS) == math.inf
