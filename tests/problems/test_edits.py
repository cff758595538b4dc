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
    left = problems.without(TABLE, queries=["a"])
    assert (list(left.queries), left.rho.tolist()) == (["b", "c"], [[0.7, 0.3], [0.2, 0.4]])
    assert (left.costs.tolist(), left.is_allowed.tolist()) == ([2, 3], [True, False])


def test_an_alternative_goes_whole():
    square = Problem.from_similarity([[1, 0, 0], [0, 1, 0], [0, 0, 1]], labels=["a", "b", "c"])
    left = problems.without(square, targets=["b"])
    assert left.is_square
    assert (list(left.queries), list(left.targets), left.rho.tolist()) == (["a", "c"], ["a", "c"], [[1, 0], [0, 1]])


def test_rational_tables_stay_rational():
    thirds = Problem.from_table([[Fraction(1, 3), Fraction(2, 3)]], queries=["a"], targets=["x", "y"])
    assert problems.without(thirds, targets=["x"]).rational is not None
    more = Problem.from_table([[1, 0]], queries=["b"], targets=["x", "y"])
    assert problems.extended(thirds, more).rational is not None
    floats = Problem.from_table([[0.5, 0.25]], queries=["b"], targets=["x", "y"])
    both = problems.extended(thirds, floats)
    assert (both.rational, both.rho[1].tolist()) == (None, [0.5, 0.25])


def test_columns_are_matched_by_the_labels_of_their_rows():
    plain = problems.without(TABLE, queries=["c"])
    more = Problem.from_table([[0.5], [0.6]], queries=["b", "a"], targets=["z"])
    assert problems.extended(plain, more).rho.tolist() == [[0.1, 0.9, 0.6], [0.7, 0.3, 0.5]]


def test_labels_that_are_numbers_match_labels_that_read_like_them():
    counted = Problem.from_table([[0.1, 0.2]])
    more = Problem.from_table([[0.3, 0.4]], queries=["new"], targets=["0", "1"])
    assert list(problems.extended(counted, more).queries) == [0, "new"]


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
        problems.extended(TABLE, more)


def test_a_square_problem_takes_no_single_rows():
    with pytest.raises(InvalidValueError, match="takes no new rows or columns"):
        problems.extended(problems.parities(n_bits=2), TABLE)


def test_something_must_be_left():
    with pytest.raises(InvalidValueError, match="every target would be dropped"):
        problems.without(TABLE, targets=["x", "y"])
