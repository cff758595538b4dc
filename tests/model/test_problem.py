"""The problem: tables in, labels kept, every bad value named."""

import re
import sys
import tracemalloc
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import warmer
from tests.strategies import similarities, tables
from warmer.model import Problem
from warmer.model import problem as problem_module
from warmer.model.errors import HypothesisError, InvalidValueError, MissingExtraError
from warmer.model.tables import as_table

NAN, INF = float("nan"), float("inf")


def refuses(message: str) -> Any:
    return pytest.raises(InvalidValueError, match=re.escape(message))


def exact(problem: Problem) -> list[list[Fraction]]:
    assert problem.rational is not None
    return [[Fraction(int(n), problem.rational.denominator) for n in row] for row in problem.rational.numerators]


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("build", [Problem.from_table, Problem.from_similarity])
def test_a_buffer_that_is_used_again_changes_nothing(dtype: str, build: Any) -> None:
    rho = np.array([[0.5, 0.25], [0.0, -1.0]], dtype=dtype)
    locked = rho.view()
    locked.flags.writeable = False
    for table in (rho, rho[:, :], rho.view(np.matrix), locked, memoryview(rho), pd.DataFrame(rho, copy=False)):
        problem = build(table)
        assert (problem.best_value(0), problem.rho.tolist()) == (0.5, [[0.5, 0.25], [0.0, -1.0]])
        rho[:] = 7
        assert (problem.best_value(0), problem.rho.tolist()) == (0.5, [[0.5, 0.25], [0.0, -1.0]])
        assert rho.flags.writeable
        assert problem.rho.dtype == dtype
        rho[:] = [[0.5, 0.25], [0.0, -1.0]]


@pytest.mark.parametrize(("top", "is_mine", "n_copies"), [(0.5, True, 1), (0.5, False, 0), (1.0 + 1e-12, True, 1)])
def test_a_table_is_copied_once_and_not_at_all_where_nobody_can_write_to_it(
    top: float, is_mine: bool, n_copies: int
) -> None:
    rho = np.full((1000, 1000), top)
    rho.flags.writeable = is_mine
    tracemalloc.start()
    problem = Problem.from_table(rho)
    kept, peak = (size / rho.nbytes for size in tracemalloc.get_traced_memory())
    tracemalloc.stop()
    assert n_copies <= kept <= peak <= n_copies + 0.3
    assert problem.rho.max() == min(top, 1)
    assert not problem.rho.flags.writeable


@pytest.mark.parametrize(
    "build",
    [
        lambda folder: warmer.problems.random_table(300, 1000),
        lambda folder: warmer.problems.from_model(
            lambda x, y: x * y, designs={"x": np.linspace(0, 1, 300)}, parameters={"y": np.linspace(0, 1, 1000)}
        ),
        lambda folder: warmer.read_problem(folder / "table.npz"),
    ],
    ids=["drawn", "model", "file"],
)
def test_what_was_just_built_is_not_copied_again(build: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    np.savez(tmp_path / "table.npz", rho=np.full((300, 1000), 0.5))
    received = []

    def listening(rho: Any, **options: Any) -> Any:
        received.append(rho)
        return as_table(rho, **options)

    monkeypatch.setattr(problem_module, "as_table", listening)
    problem = build(tmp_path)
    assert np.shares_memory(problem.rho, received[0])


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_a_table_cannot_be_written_through_the_problem(dtype: str) -> None:
    problem = Problem.from_table(np.array([[0.5, 0.25], [0.0, -1.0]], dtype=dtype))
    with pytest.raises(ValueError, match="read-only"):
        problem.rho[0, 0] = 1


def test_a_memory_map_is_not_copied(tmp_path: Path) -> None:
    np.save(tmp_path / "rho.npy", np.full((4, 3), 0.5, dtype=np.float32))
    mapped = np.load(tmp_path / "rho.npy", mmap_mode="r")
    problem = Problem.from_table(mapped)
    assert np.shares_memory(problem.rho, mapped)
    assert problem.self_evaluations.tolist() == [0.5, 0.5, 0.5]


@pytest.mark.parametrize("dtype", [">f8", "float16", "longdouble"])
def test_other_floats_become_doubles(dtype: str) -> None:
    assert Problem.from_table(np.array([[0.5]], dtype=dtype)).rho.dtype == np.float64


def test_whole_numbers_and_fractions_are_also_kept_exactly() -> None:
    assert exact(Problem.from_table([[1, 0, -1]])) == [[1, 0, -1]]
    assert exact(Problem.from_table([[Fraction(1, 3), Fraction(-1, 2), 1]])) == [[Fraction(1, 3), Fraction(-1, 2), 1]]
    assert exact(Problem.from_table([[1, 2], [3, -4]], denominator=4)) == [
        [Fraction(k, 4) for k in row] for row in ((1, 2), (3, -4))
    ]
    assert Problem.from_table(np.array([[True, False]])).rho.tolist() == [[1.0, 0.0]]
    assert Problem.from_table([[0.5, 1]]).rational is None


def test_a_denominator_beyond_64_bits_is_kept_exactly() -> None:
    tiny = Fraction(1, 3**60)
    problem = Problem.from_table([[tiny, 1 - tiny]])
    assert exact(problem) == [[tiny, 1 - tiny]]
    assert problem.rho[0, 0] == pytest.approx(float(tiny), rel=1e-12)


def test_fractions_mixed_with_floats_become_floats() -> None:
    problem = Problem.from_table([[Fraction(1, 2), 0.25]])
    assert problem.rho.tolist() == [[0.5, 0.25]]
    assert problem.rational is None


def test_unsigned_numbers_do_not_wrap_around() -> None:
    with refuses("must lie in [-1, 1], got 1.8446744073709552e+19"):
        Problem.from_table(np.array([[2**64 - 1]], dtype=np.uint64))


def test_masked_entries_are_missing() -> None:
    with refuses("the entry of query 0 and target 1 must be a finite number, got nan"):
        Problem.from_table(np.ma.masked_array([[0.5, 0.5]], mask=[[False, True]]))


def test_anything_that_can_become_an_array_will_do() -> None:
    class Tensor:
        def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
            return np.array([[0.5, 0.25]])

    assert Problem.from_table(Tensor()).rho.tolist() == [[0.5, 0.25]]


def test_a_matrix_becomes_an_array() -> None:
    with pytest.warns(PendingDeprecationWarning):
        matrix = np.matrix([[0.5, 0.25]])
    assert Problem.from_table(matrix).rho[0].shape == (2,)


@pytest.mark.parametrize(
    ("rho", "message"),
    [
        ([[0.5, NAN]], "the entry of query 'a' and target 'y' must be a finite number, got nan"),
        ([[INF, 0.5]], "the entry of query 'a' and target 'x' must be a finite number, got inf"),
        ([[0.5, -INF]], "the entry of query 'a' and target 'y' must be a finite number, got -inf"),
        ([[0.5, 1.5]], "the entry of query 'a' and target 'y' must lie in [-1, 1], got 1.5; declare reward_range"),
        ([[-1.001, 0]], "the entry of query 'a' and target 'x' must lie in [-1, 1], got -1.001"),
        ([[Fraction(10**12 + 1, 10**12), 0]], "the entry of query 'a' and target 'x' must lie in [-1, 1]"),
    ],
)
def test_an_entry_that_cannot_be_a_reward_is_named_by_its_labels(rho: Any, message: str) -> None:
    with refuses(message):
        Problem.from_table(rho, queries=["a"], targets=["x", "y"])


def test_the_first_bad_entry_is_found_beyond_the_first_block(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("warmer.model.tables._BLOCK_ENTRIES", 4)
    rho = np.zeros((7, 3))
    rho[5, 2] = 2.0
    with refuses("the entry of query 5 and target 2 must lie in"):
        Problem.from_table(rho)


def test_rounding_beyond_the_range_is_forgiven() -> None:
    rho = np.array([[1 + 4e-16, -1 - 4e-16], [0.5, 0.5]])
    problem = Problem.from_table(rho)
    assert problem.rho.max() == 1
    assert problem.rho.min() == -1
    assert rho[0, 0] > 1
    assert Problem.from_table(np.array([[0.1]], dtype=np.float32), reward_range=(0, 0.1)).rho[0, 0] > 0


@pytest.mark.parametrize(
    ("rho", "message"),
    [
        ([], "the table is empty: its shape is (0,); give at least one query and one target."),
        ([[]], "the table is empty: its shape is (1, 0)"),
        (np.zeros((0, 3)), "the table is empty: its shape is (0, 3)"),
        (pd.DataFrame(), "the table is empty: its shape is (0, 0)"),
        ([[0.1, 0.2], [0.3]], "row 1 has 1 entries, but row 0 has 2."),
        ([0.1, 0.2], "a table must be two-dimensional, got list."),
        (0.5, "a table must be two-dimensional, got float."),
        (None, "a table must be two-dimensional, got NoneType."),
        (np.zeros(3), "a table must have two dimensions (queries, targets), got shape (3,)."),
        (np.zeros((2, 2, 2)), "a table must have two dimensions (queries, targets), got shape (2, 2, 2)."),
        ([[[0.5], [0.5, 0.5]]], "must be a real number, got [0.5]"),
        ([[np.zeros((2, 2)), np.zeros((2, 3))]], "a table must have two dimensions (queries, targets): "),
        ([[0.5, "x"]], "the entry in row 0, column 1 must be a real number, got 'x'."),
        ([[0.5], [None]], "the entry in row 1, column 0 must be a real number, got None."),
        ([[0.5, 1j]], "the entry in row 0, column 1 must be a real number, got 1j."),
        (np.array([["a"]]), "a table must hold real numbers, got <U1."),
        (np.array([[1j]]), "a table must hold real numbers, got complex128."),
        ([[10**400]], "too large for a float"),
        ([[10**400, 0.5]], "too large for a float"),
        (
            pd.DataFrame({"sun": [0.5, None], "rain": [0.1, 0.2]}, index=["a", "b"]),
            "query 'b' and target 'sun' must be a finite",
        ),
        (
            pd.DataFrame({"sun": ["hot"], "rain": [0.1]}, index=["a"]),
            "the entry in row 'a', column 'sun' must be a real number",
        ),
    ],
)
def test_a_table_that_is_no_table_is_refused(rho: Any, message: str) -> None:
    with refuses(message):
        Problem.from_table(rho)


@pytest.mark.parametrize(
    ("rho", "denominator", "message"),
    [
        ([[0.5]], 2, "a denominator needs a table of whole numbers, got float64."),
        ([[Fraction(1, 2)]], 2, "a denominator needs a table of whole numbers, got fractions."),
        ([[1]], 0, "denominator must be at least 1, got 0."),
        ([[1]], 2.5, "denominator must be a whole number, got 2.5."),
    ],
)
def test_a_denominator_must_fit_the_table(rho: Any, denominator: Any, message: str) -> None:
    with refuses(message):
        Problem.from_table(rho, denominator=denominator)


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"queries": ["a", "a"]}, "the query label 'a' is used twice, at positions 0 and 1"),
        ({"targets": ["x", "y", "x"]}, "the target label 'x' is used twice, at positions 0 and 2"),
        ({"queries": ["a"]}, "the table needs 2 query labels, got 1."),
        (
            {"forbidden": [True]},
            "forbidden must be a mask of 2 booleans, one per query, got an array of bool with shape (1,).",
        ),
        ({"forbidden": [0, 1]}, "forbidden must be a mask of 2 booleans"),
        ({"forbidden": [True, True]}, "every query is forbidden; allow at least one."),
        ({"costs": [1.0]}, "costs must hold 2 numbers, one per query, got shape (1,)."),
        ({"costs": ["free", 1]}, "costs must hold 2 numbers, one per query"),
        (
            {"costs": [1.0, -1.0], "queries": ["a", "b"]},
            "the cost of query 'b' must be finite and at least 0, got -1.0.",
        ),
        ({"costs": [1.0 + 2.0j, 1.0]}, "costs must hold 2 numbers, one per query: got complex128"),
        ({"costs": [NAN, 1.0]}, "the cost of query 0 must be finite and at least 0, got nan."),
        ({"reward_range": (1, 0)}, "reward_range must be a pair with low < high, got (1, 0)."),
        ({"reward_range": (0, INF)}, "the high end of reward_range must be a finite number, got inf."),
        ({"reward_range": 5}, "reward_range must be a pair (low, high), got 5."),
        ({"reward_range": (0, 1, 2)}, "reward_range must be a pair (low, high), got (0, 1, 2)."),
        ({"reward_range": (0.2, 1)}, "the entry of query 0 and target 0 must lie in [0.2, 1], got 0.0"),
    ],
)
def test_what_comes_with_a_table_must_fit_it(keywords: Any, message: str) -> None:
    with refuses(message):
        Problem.from_table(np.zeros((2, 3)), **keywords)


@pytest.mark.parametrize(
    ("rho", "labels", "message"),
    [
        (np.zeros((2, 3)), None, "a similarity must be square, got 2 rows and 3 columns; use Problem.from_table"),
        (
            pd.DataFrame(np.eye(2), index=list("ab"), columns=list("ba")),
            None,
            "a similarity needs the same labels on rows and columns",
        ),
        (np.eye(2), "ab", "the query labels must be a list of names, got the single string 'ab'."),
        (np.eye(2), ["a", "a"], "the query label 'a' is used twice"),
    ],
)
def test_a_similarity_must_be_square_with_the_same_labels(rho: Any, labels: Any, message: str) -> None:
    with refuses(message):
        Problem.from_similarity(rho, labels=labels)


def test_labels_of_a_similarity_may_come_from_a_generator() -> None:
    problem = Problem.from_similarity(np.eye(2), labels=(name for name in "ab"))
    assert list(problem.queries) == list(problem.targets) == ["a", "b"]


def test_a_data_frame_gives_its_labels_unless_others_are_given() -> None:
    frame = pd.DataFrame({"rain": [0.1, 0.7], "sun": [0.9, 0.3]}, index=["left", "right"])
    problem = Problem.from_table(frame)
    assert list(problem.queries) == ["left", "right"]
    assert list(problem.targets) == ["rain", "sun"]
    assert list(Problem.from_table(frame, queries=["l", "r"]).queries) == ["l", "r"]
    assert Problem.from_similarity(frame, labels=["u", "v"]).is_square


@given(tables(), st.sampled_from(["float64", "float32"]))
def test_a_problem_survives_the_round_trip_through_a_data_frame(rho: Any, dtype: str) -> None:
    names = [f"q{k}" for k in range(len(rho))]
    problem = Problem.from_table(rho.astype(dtype), queries=names)
    again = Problem.from_table(problem.to_frame())
    assert np.array_equal(again.rho, problem.rho)
    assert again.rho.dtype == problem.rho.dtype
    assert again.queries == problem.queries
    assert again.targets == problem.targets


@given(similarities())
def test_a_similarity_survives_the_round_trip_through_a_data_frame(problem: Problem) -> None:
    again = Problem.from_similarity(problem.to_frame())
    assert np.array_equal(again.rho, problem.rho)
    assert again.is_square


def test_to_frame_without_pandas_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingExtraError, match=re.escape("pip install 'warmer[tables]'")):
        Problem.from_table([[0.5]]).to_frame()


def test_rewards_stay_in_the_users_units() -> None:
    problem = Problem.from_table([[0, 100], [30, 20]], reward_range=(0, 100))
    assert problem.scale == 50
    assert problem.self_evaluations.tolist() == [30, 100]
    assert problem.reward_range == (0.0, 100.0)


def test_forbidden_queries_are_never_best() -> None:
    problem = Problem.from_table([[0.9, 0.1], [0.5, 0.2], [0.6, 0.2]], forbidden=[True, False, False])
    assert problem.legal_queries.tolist() == [1, 2]
    assert problem.best_queries.tolist() == [2, 1]
    assert problem.self_evaluations.tolist() == [0.6, 0.2]
    assert problem.n_queries == 3


def test_an_alternative_that_is_forbidden_makes_do_with_its_best_allowed_query() -> None:
    problem = Problem.from_similarity(
        [[1.0, 0.2, 0.5], [0.2, 1.0, 0.1], [0.5, 0.1, 1.0]], forbidden=[True, False, False]
    )
    assert problem.best_queries.tolist() == [2, 1, 2]
    assert problem.self_evaluations.tolist() == [0.5, 1.0, 1.0]


def test_costs_are_carried_along() -> None:
    costs = Problem.from_table(np.zeros((2, 1)), costs=[1, 2.5]).costs
    assert costs is not None
    assert costs.tolist() == [1.0, 2.5]


def test_ties_go_to_the_lowest_number() -> None:
    assert Problem.from_table([[0.5, 0.1], [0.5, 0.3], [0.5, 0.3]]).best_queries.tolist() == [0, 1]


def test_valid_targets_evaluate_themselves_highest() -> None:
    assert Problem.from_similarity([[1.0, 0.6], [0.2, 0.5]]).valid_targets.tolist() == [True, False]
    assert Problem.from_similarity([[1.0, 0.5 + 1e-13], [0.2, 0.5]]).valid_targets.tolist() == [True, True]
    assert Problem.from_table([[0.1, 0.6], [0.2, 0.5]]).valid_targets.tolist() == [True, True]


@given(tables(), st.data())
def test_best_queries_are_the_definition(rho: Any, data: st.DataObject) -> None:
    forbidden = data.draw(st.lists(st.booleans(), min_size=len(rho), max_size=len(rho)))
    forbidden[0] = False
    problem = Problem.from_table(rho, forbidden=forbidden)
    hidden = np.where(np.array(forbidden)[:, None], -np.inf, rho)
    assert problem.best_queries.tolist() == hidden.argmax(axis=0).tolist()
    assert problem.self_evaluations.tolist() == hidden.max(axis=0).tolist()


def test_a_problem_shows_its_shape() -> None:
    assert repr(Problem.from_table(np.zeros((2, 3)))) == "Problem(2 x 3 queries x targets, float64)"
    assert repr(Problem.from_similarity(np.eye(2, dtype=np.float32))) == "Problem(2 alternatives, float32)"


def test_a_table_is_exact_unless_a_tolerance_is_declared() -> None:
    assert Problem.from_table([[0.5]]).tolerance == 0.0
    assert Problem.from_similarity([[0.5]], tolerance=None).tolerance is None
    assert Problem.from_table([[0.5]], tolerance=1).tolerance == 1.0
    with pytest.raises(
        InvalidValueError, match=r"tolerance must be at least 0, or None where it is unknown, got -0\.1"
    ):
        Problem.from_table([[0.5]], tolerance=-0.1)


def test_only_a_table_near_enough_to_the_truth_can_be_certified() -> None:
    Problem.from_table([[0.5]], tolerance=0.1).check_certifiable()
    with pytest.raises(HypothesisError, match=r"within 0 of the truth; the declared tolerance is 0\.1"):
        Problem.from_table([[0.5]], tolerance=0.1).check_certifiable(most=0.0)
    with pytest.raises(HypothesisError, match="nothing can be certified from this table"):
        Problem.from_table([[0.5]], tolerance=None).check_certifiable()
