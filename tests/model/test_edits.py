from fractions import Fraction

import pytest

from warmer import InvalidValueError, Problem, problems

TABLE = Problem.from_table(
    [[0.1, 0.9], [0.7, 0.3], [0.2, 0.4]],
    queries=["a", "b", "c"],
    targets=["x", "y"],
    forbidden=[False, False, True],
    costs=[1, 2, 3],
)


def test_rows_go_with_their_cost_and_their_ban():
    left = TABLE.drop(queries=["a"])
    assert (list(left.queries), left.rho.tolist()) == (["b", "c"], [[0.7, 0.3], [0.2, 0.4]])
    assert (left.costs.tolist(), left.is_allowed.tolist()) == ([2, 3], [True, False])


def test_an_alternative_goes_whole():
    square = Problem.from_similarity([[1, 0, 0], [0, 1, 0], [0, 0, 1]], labels=["a", "b", "c"])
    left = square.drop(targets=["b"])
    assert left.is_square
    assert (list(left.queries), list(left.targets), left.rho.tolist()) == (["a", "c"], ["a", "c"], [[1, 0], [0, 1]])


def test_rational_tables_stay_rational():
    thirds = Problem.from_table([[Fraction(1, 3), Fraction(2, 3)]], queries=["a"], targets=["x", "y"])
    assert thirds.drop(targets=["x"]).rational is not None
    more = Problem.from_table([[1, 0]], queries=["b"], targets=["x", "y"])
    assert thirds.append(more).rational is not None
    floats = Problem.from_table([[0.5, 0.25]], queries=["b"], targets=["x", "y"])
    both = thirds.append(floats)
    assert (both.rational, both.rho[1].tolist()) == (None, [0.5, 0.25])


def test_columns_are_matched_by_the_labels_of_their_rows():
    plain = TABLE.drop(queries=["c"])
    more = Problem.from_table([[0.5], [0.6]], queries=["b", "a"], targets=["z"])
    assert plain.append(more).rho.tolist() == [[0.1, 0.9, 0.6], [0.7, 0.3, 0.5]]


def test_labels_that_are_numbers_match_labels_that_read_like_them():
    counted = Problem.from_table([[0.1, 0.2]])
    more = Problem.from_table([[0.3, 0.4]], queries=["new"], targets=["0", "1"])
    assert list(counted.append(more).queries) == [0, "new"]


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (
            Problem.from_table([[0.1, 0.2]], queries=["a"], targets=["x", "y"], costs=[1]),
            "query 'a' already",
        ),
        (Problem.from_table([[0.1, 0.2]], queries=["d"], targets=["x", "y"]), "what queries cost"),
        (Problem.from_table([[0.1]], queries=["d"], targets=["x"]), "target 'y' is missing from it"),
        (
            Problem.from_table([[0.1] * 3], queries=["d"], targets=["x", "y", "z"]),
            "'z' is not in the problem",
        ),
        (Problem.from_table([[1.0, 2.0]], targets=["x", "y"], reward_range=(0, 2)), "must have the reward range"),
    ],
)
def test_what_does_not_fit_is_not_added(more, words):
    with pytest.raises(InvalidValueError, match=words):
        TABLE.append(more)


def test_a_square_problem_takes_no_single_rows():
    with pytest.raises(InvalidValueError, match="takes no new rows or columns"):
        problems.parities(n_bits=2).append(TABLE)


def test_something_must_be_left():
    with pytest.raises(InvalidValueError, match="every target would be dropped"):
        TABLE.drop(targets=["x", "y"])


def test_an_allowed_query_must_be_left():
    with pytest.raises(InvalidValueError, match="every query that is left is forbidden"):
        TABLE.drop(queries=["a", "b"])


def test_rational_tables_with_different_denominators_are_joined_exactly():
    thirds = Problem.from_table([[Fraction(1, 3), Fraction(2, 3)]], queries=["a"], targets=["x", "y"])
    halves = Problem.from_table([[Fraction(1, 2), Fraction(-1, 2)]], queries=["b"], targets=["y", "x"])
    both = thirds.append(halves)
    assert [both.entry(1, 0), both.entry(0, 1), both.entry(1, 1)] == [Fraction(-1, 2), Fraction(2, 3), Fraction(1, 2)]


@pytest.mark.parametrize(("first", "second", "joint"), [(0.0, 0.1, 0.1), (0.2, 0.1, 0.2), (None, 0.1, None)])
def test_the_tolerance_of_the_whole_is_the_larger_one(first, second, joint):
    one = Problem.from_table([[0.1, 0.9]], queries=["a"], targets=["x", "y"], tolerance=first)
    other = Problem.from_table([[0.1, 0.9]], queries=["b"], targets=["x", "y"], tolerance=second)
    assert one.append(other).tolerance == joint
    assert one.drop(targets=["x"]).tolerance == first
