"""Files in: what they say is kept, and what is wrong with them is named."""

import pickle
import re
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import openpyxl
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings

from tests.strategies import problems, similarities
from warmer.model import Problem
from warmer.model.errors import InvalidValueError, MissingExtraError
from warmer.problems import read_problem

IN_ONE_FOLDER = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25, deadline=None)


def refuses(*messages: str) -> Any:
    return pytest.raises(InvalidValueError, match=".*".join(re.escape(message) for message in messages))


def written(folder: Path, text: str) -> Path:
    path = folder / "problem.csv"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture
def frame() -> pd.DataFrame:
    return pd.DataFrame({"rain": [0.1, 0.7, 0.2], "sun": [0.9, 0.3, 0.5]}, index=["left", "right", "wait"])


def check_is(problem: Problem, frame: pd.DataFrame) -> None:
    assert list(problem.queries) == frame.index.tolist()
    assert list(problem.targets) == frame.columns.tolist()
    assert np.array_equal(problem.rho, frame.to_numpy())


def test_a_csv_that_pandas_wrote_is_read_with_its_labels(tmp_path: Path, frame: pd.DataFrame) -> None:
    frame.to_csv(tmp_path / "problem.csv")
    problem = read_problem(tmp_path / "problem.csv")
    check_is(problem, frame)
    assert not problem.is_square


def test_a_csv_with_a_named_corner_and_a_byte_order_mark_is_read(tmp_path: Path, frame: pd.DataFrame) -> None:
    frame.to_csv(tmp_path / "problem.CSV", index_label="action", encoding="utf-8-sig")
    check_is(read_problem(str(tmp_path / "problem.CSV")), frame)


def test_a_csv_that_begins_with_a_number_has_no_labels(tmp_path: Path) -> None:
    problem = read_problem(written(tmp_path, "0.5, -0.25\n\n1e-1,1.\n"))
    assert problem.rho.tolist() == [[0.5, -0.25], [0.1, 1.0]]
    assert list(problem.queries) == [0, 1]
    assert not problem.is_square


def test_fractions_in_a_csv_are_kept_exactly(tmp_path: Path) -> None:
    problem = read_problem(written(tmp_path, "h,g\nh,1,-1/3\ng,2/3,1\n".replace("h,g", ",h,g", 1)))
    assert problem.rational is not None
    assert problem.rational.denominator == 3
    assert problem.rational.numerators.tolist() == [[3, -1], [2, 3]]
    assert problem.is_square


def test_decimals_beside_a_fraction_are_fractions(tmp_path: Path) -> None:
    problem = read_problem(written(tmp_path, "0.25,1/3,1\n-.5,1.,5e-1\n"))
    assert problem.rational is not None
    assert problem.rational.denominator == 12
    assert problem.rational.numerators.tolist() == [[3, 4, 12], [-6, 12, 6]]
    third = read_problem(written(tmp_path, ",x,y\na,0.1,1/3\n"))
    assert third.rational is not None
    assert third.rational.denominator == 30


def test_decimals_without_a_fraction_are_floats(tmp_path: Path) -> None:
    assert read_problem(written(tmp_path, "0.5,1\n")).rational is None
    assert read_problem(written(tmp_path, ",1/3,2/3\n1/2,0.5,1\n")).rational is None  # labels are no entries


def test_what_is_no_finite_decimal_beside_a_fraction_is_named(tmp_path: Path) -> None:
    with refuses("the entry of query 'a' and target 'x' must be a finite number, got nan"):
        read_problem(written(tmp_path, ",x,y\na,nan,1/3\n"))
    for cell in ("1e-999999999", "1e-400"):
        with refuses(f"line 2, column 'x' must be a number such as 0.75 or 3/4, got '{cell}'"):
            read_problem(written(tmp_path, f",x,y\na,{cell},1/3\n"))
    assert read_problem(written(tmp_path, "0.0e-999,1/3\n")).rho.tolist() == [[0.0, 1 / 3]]


def test_labels_that_are_all_whole_numbers_are_numbers(tmp_path: Path) -> None:
    problem = read_problem(written(tmp_path, ",10,-2,a\n3,0.5,0.5,0.5\n04,0.5,0.5,0.5\n"))
    assert list(problem.targets) == ["10", "-2", "a"]
    assert list(problem.queries) == ["3", "04"]
    assert list(read_problem(written(tmp_path, ",10,-2\n3,0.5,0.5\n")).targets) == [10, -2]


def test_queries_may_be_named_by_numbers(tmp_path: Path) -> None:
    assert list(read_problem(written(tmp_path, ",x\n0.5,0.1\n1.5,0.2\n")).queries) == ["0.5", "1.5"]
    assert list(read_problem(written(tmp_path, ",x\n7,0.1\n8,0.2\n")).queries) == [7, 8]
    for doubtful in ("rain,sun\n0,1\n1,0\n", "rain,sun\n0.5,0.1\n0.2,0.3\n"):
        with pytest.raises(InvalidValueError, match="may be query labels or rewards"):
            read_problem(written(tmp_path, doubtful))


def test_quoted_labels_may_hold_commas(tmp_path: Path) -> None:
    assert read_problem(written(tmp_path, ',"a, b"\nq,0.5\n')).targets[0] == "a, b"


@pytest.mark.parametrize(("square", "expected"), [(None, True), (True, True), (False, False)])
def test_the_same_labels_on_both_sides_mean_a_similarity_unless_told_otherwise(
    tmp_path: Path, square: bool | None, expected: bool
) -> None:
    path = written(tmp_path, ",h,g\nh,1,0.5\ng,0.5,1\n")
    assert read_problem(path, square=square).is_square is expected


def test_the_same_labels_in_another_order_mean_a_table(tmp_path: Path) -> None:
    path = written(tmp_path, ",h,g\ng,1,0.5\nh,0.5,1\n")
    assert not read_problem(path).is_square
    with refuses("a similarity needs the same labels on rows and columns, in the same order", "square=False"):
        read_problem(path, square=True)


def test_a_table_without_labels_can_be_read_as_a_similarity(tmp_path: Path) -> None:
    assert read_problem(written(tmp_path, "1,0.5\n0.5,1\n"), square=True).is_square
    with refuses("a similarity must be square, got 1 rows and 2 columns"):
        read_problem(written(tmp_path, "1,0.5\n"), square=True)


def test_what_comes_with_the_table_can_be_given_by_keyword(tmp_path: Path) -> None:
    path = written(tmp_path, ",x,y\na,0,100\nb,30,20\n")
    problem = read_problem(path, reward_range=(0, 100), costs=[1, 2], forbidden=[False, True])
    assert problem.scale == 50
    assert problem.legal_queries.tolist() == [0]
    assert read_problem(path, denominator=100).rho.tolist() == [[0.0, 1.0], [0.3, 0.2]]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            ",x,y\na,0.5,0.5\nb,0.5\n",
            "line 3 has 2 cells, but line 1 has 3; give every line the same number, separated",
        ),
        ("0.5,0.5\n0.5,0.5,0.5\n", "line 2 has 3 cells, but line 1 has 2"),
        (",x,y\na,0.5,warm\n", "line 2, column 'y' must be a number such as 0.75 or 3/4, got 'warm'."),
        (",x,y\n\na,0.5,\n", "line 3, column 'y' must be a number such as 0.75 or 3/4, the cell is empty."),
        ("0.5,1_0\n", "line 1, column '1' must be a number such as 0.75 or 3/4, got '1_0'."),
        (",x\na,1/0\n", "line 2, column 'x' must be a number such as 0.75 or 3/4, got '1/0'."),
        (f",x\na,1{'0' * 400}\n", "line 2, column 'x' must be a number such as 0.75 or 3/4"),
        (",x,y\na,0.5,nan\n", "the entry of query 'a' and target 'y' must be a finite number, got nan"),
        (",x,y\na,-inf,0.5\n", "the entry of query 'a' and target 'x' must be a finite number, got -inf"),
        (",x,y\na,0.5,1.5\n", "the entry of query 'a' and target 'y' must lie in [-1, 1], got 1.5"),
        (",x,y\na,1/2,3/2\n", "the entry of query 'a' and target 'y' must lie in [-1, 1], got 1.5"),
        (",x,x\na,0.5,0.5\n", "the target label 'x' is used twice, at positions 0 and 1"),
        (",x\na,0.5\na,0.5\n", "the query label 'a' is used twice, at positions 0 and 1"),
        (",x\n,0.5\n", "the query label at position 0 is missing"),
        (",x,y\n", "the table is empty: below the row of target labels each line needs a query label"),
        (";x;y\na;0.5\n", "line 2 has 2 cells, but line 1 has 3; give every line the same number, separated by"),
        (";x;y\na;0,5;1.000,5\n", "line 2, column 'y' must be a number such as 0.75 or 3/4, got '1.000,5'"),
        (
            "rain,sun\n0.1,0.9\n0.7,0.3\n",
            "the first column, under 'rain', holds numbers, so they may be query labels or",
        ),
        ("\n\n", "the file is empty; fill it in, or check the path."),
        ("", "the file is empty; fill it in, or check the path."),
        (',"x\na,0.5\n', "is not valid CSV (unexpected end of data)"),
    ],
)
def test_a_bad_csv_is_refused_by_line_and_label(tmp_path: Path, text: str, message: str) -> None:
    path = written(tmp_path, text)
    with refuses(f"{path}: ", message):
        read_problem(path)


def test_a_csv_that_is_not_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "problem.csv").write_bytes(b",x\n\xff\xfe,0.5\n")
    with refuses("the file is not text in UTF-8") as caught:
        read_problem(tmp_path / "problem.csv")
    assert isinstance(caught.value.__cause__, UnicodeDecodeError)


def test_a_path_that_leads_nowhere_is_refused(tmp_path: Path) -> None:
    with refuses(f"{tmp_path / 'no.csv'}: there is no such file; check the path."):
        read_problem(tmp_path / "no.csv")
    with refuses("a problem is read from a file, this is a folder."):
        read_problem(tmp_path)
    (tmp_path / "problem.ods").write_text("x")
    with refuses("the suffix must be one of .csv, .xlsx, .parquet, .npy, .npz, got '.ods'"):
        read_problem(tmp_path / "problem.ods")


def test_a_file_that_may_not_be_read_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def deny(*_: Any, **__: Any) -> None:
        raise PermissionError(13, "Permission denied")

    path = written(tmp_path, "0.5\n")
    monkeypatch.setattr(Path, "open", deny)
    with refuses("the file cannot be read (Permission denied)."):
        read_problem(path)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_an_npy_is_mapped_and_not_read(tmp_path: Path, dtype: str) -> None:
    np.save(tmp_path / "rho.npy", np.full((3, 3), 0.5, dtype=dtype))
    problem = read_problem(tmp_path / "rho.npy")
    base: Any = problem.rho
    while not isinstance(base, np.memmap):
        base = base.base
    assert problem.rho.dtype == dtype
    assert not problem.is_square
    assert read_problem(tmp_path / "rho.npy", square=True).is_square


def test_a_bad_npy_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "rho.npy"
    np.save(path, np.zeros((50, 50)))
    whole = path.read_bytes()
    for broken in (whole[:-8], whole[:40], b"not an array at all"):
        path.write_bytes(broken)
        with refuses(f"{path}: the file is not a whole .npy array of numbers", "numpy.save") as caught:
            read_problem(path)
        assert isinstance(caught.value.__cause__, ValueError)
    np.save(path, np.array([[Fraction(1, 2)]], dtype=object))
    with refuses("the file is not a whole .npy array of numbers", "Python objects"):
        read_problem(path)


@pytest.mark.parametrize(
    ("rho", "message"),
    [
        (np.zeros(3), "a table must have two dimensions (queries, targets), got shape (3,)."),
        (np.zeros((0, 3)), "the table is empty: its shape is (0, 3)"),
        (np.array([["a"]]), "a table must hold real numbers, got <U1."),
        (np.array([[0.5, np.nan]]), "the entry of query 0 and target 1 must be a finite number, got nan"),
    ],
)
def test_an_npy_of_something_else_is_refused(tmp_path: Path, rho: Any, message: str) -> None:
    np.save(tmp_path / "rho.npy", rho)
    with refuses(message):
        read_problem(tmp_path / "rho.npy")


def test_an_npz_says_everything(tmp_path: Path) -> None:
    path = tmp_path / "problem.npz"
    np.savez(
        path,
        rho=np.array([[0, 4], [3, 2]]),
        queries=["a", "b"],
        targets=["a", "b"],
        square=False,
        forbidden=[True, False],
        costs=[1.0, 2.0],
        reward_range=[0, 1],
        denominator=4,
        tolerance=0.125,
    )
    problem = read_problem(path)
    assert problem.tolerance == 0.125
    assert read_problem(path, tolerance=0.5).tolerance == 0.5
    assert read_problem(path, tolerance="unknown").tolerance is None
    assert problem.rho.tolist() == [[0.0, 1.0], [0.75, 0.5]]
    assert list(problem.queries) == ["a", "b"]
    assert not problem.is_square
    assert problem.legal_queries.tolist() == [1]
    assert problem.costs is not None
    assert problem.costs.tolist() == [1.0, 2.0]
    assert problem.reward_range == (0.0, 1.0)
    assert problem.rational is not None
    assert read_problem(path, square=True).is_square
    assert read_problem(path, costs=[5, 6]).costs.tolist() == [5.0, 6.0]  # type: ignore[union-attr]


def test_an_npz_needs_no_more_than_a_table(tmp_path: Path) -> None:
    np.savez_compressed(tmp_path / "problem.npz", rho=np.eye(2))
    assert not read_problem(tmp_path / "problem.npz").is_square
    assert read_problem(tmp_path / "problem.npz").tolerance == 0
    np.savez(tmp_path / "problem.npz", rho=np.eye(2), tolerance="unknown")
    assert read_problem(tmp_path / "problem.npz").tolerance is None
    np.savez(tmp_path / "problem.npz", rho=np.eye(2), square=True)
    assert read_problem(tmp_path / "problem.npz").is_square
    np.savez(tmp_path / "problem.npz", rho=np.eye(2), square=True, targets=[7, 9])
    assert list(read_problem(tmp_path / "problem.npz").queries) == [7, 9]


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"table": np.eye(2)}, "the archive needs a table named rho, got table."),
        ({}, "the archive needs a table named rho, got nothing."),
        ({"rho": np.eye(2), "cost": [1, 2]}, "the archive has an array 'cost'; it may hold rho, queries, targets"),
        ({"rho": np.eye(2), "square": [True, False]}, "square must be a single true or false"),
        ({"rho": np.eye(2), "square": "no"}, "square must be a single true or false"),
        ({"rho": np.eye(2), "denominator": 2.5}, "denominator must be a single whole number"),
        ({"rho": np.eye(2), "tolerance": [0.1, 0.2]}, 'tolerance must be a single number or "unknown"'),
        ({"rho": np.eye(2), "tolerance": "small"}, "tolerance must be a number or \"unknown\", got 'small'."),
        ({"rho": np.eye(2), "tolerance": -1.0}, "tolerance must be at least 0"),
        ({"rho": np.eye(2), "queries": "ab"}, "queries must be a list of labels, got an array of shape ()."),
        ({"rho": np.eye(2), "queries": ["a"]}, "the table needs 2 query labels, got 1."),
        ({"rho": np.eye(2), "reward_range": [0, 1, 2]}, "reward_range must be a pair (low, high)"),
        ({"rho": np.eye(2), "forbidden": [1, 0]}, "forbidden must be a mask of 2 booleans"),
        (
            {"rho": np.eye(2), "queries": np.array(["a", None], dtype=object)},
            "not a whole .npz archive of plain arrays",
        ),
        ({"rho": np.array([[Fraction(1, 2)]], dtype=object)}, "not a whole .npz archive of plain arrays"),
    ],
)
def test_a_bad_npz_is_refused(tmp_path: Path, arrays: Any, message: str) -> None:
    np.savez(tmp_path / "problem.npz", **arrays)
    with refuses(str(tmp_path / "problem.npz"), message):
        read_problem(tmp_path / "problem.npz")


def test_a_broken_npz_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "problem.npz"
    np.savez_compressed(path, rho=np.random.default_rng(0).uniform(size=(50, 50)))
    whole = path.read_bytes()
    damaged = whole[:200] + bytes(100) + whole[300:]
    for broken in (whole[: len(whole) // 2], damaged, b"not an archive", pickle.dumps([1])):
        path.write_bytes(broken)
        with refuses("the file is not a whole .npz archive of plain arrays", "numpy.savez") as caught:
            read_problem(path)
        assert caught.value.__cause__ is not None
    np.save(tmp_path / "rho.npy", np.eye(2))
    (tmp_path / "rho.npy").rename(path)
    with refuses("the file is not a whole .npz archive"):
        read_problem(path)


def test_a_parquet_is_read_with_its_index_or_its_first_column_of_text(tmp_path: Path, frame: pd.DataFrame) -> None:
    path = tmp_path / "problem.parquet"
    frame.to_parquet(path)
    check_is(read_problem(path), frame)
    frame.reset_index(names="action").to_parquet(path)
    check_is(read_problem(path), frame)
    frame.to_parquet(path, index=False)
    check_is(read_problem(path), frame.reset_index(drop=True))


def test_a_parquet_keeps_single_precision_and_whole_numbers(tmp_path: Path, frame: pd.DataFrame) -> None:
    path = tmp_path / "problem.parquet"
    frame.astype("float32").to_parquet(path)
    assert read_problem(path).rho.dtype == np.float32
    pd.DataFrame({"a": [1, 0], "b": [0, 1]}, index=["a", "b"]).to_parquet(path)
    problem = read_problem(path)
    assert problem.is_square
    assert problem.rational is not None


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        (pd.DataFrame({"x": [0.5, None]}, index=["a", "b"]), "query 'b' and target 'x' must be a finite number"),
        (
            pd.DataFrame({"x": [0.5], "y": ["warm"]}, index=["a"]),
            "row 'a', column 'y' must be a real number, got 'warm'",
        ),
        (pd.DataFrame({"q": ["a", "b"], "x": [0.5, 1.5]}), "query 'b' and target 'x' must lie in [-1, 1], got 1.5"),
        (pd.DataFrame({"q": ["a", "a"], "x": [0.5, 0.5]}), "the query label 'a' is used twice, at positions 0 and 1"),
        (pd.DataFrame({"q": ["a", "b"]}), "the table is empty: its shape is (2, 0)"),
        (pd.DataFrame({"q": ["a", None], "x": [0.5, 0.5]}), "the query label at position 1 is missing"),
        (pd.DataFrame({"x": pd.array([0.5, None], dtype="Float64")}), "query 1 and target 'x' must be a finite number"),
    ],
)
def test_a_bad_parquet_is_refused_by_label(tmp_path: Path, frame: pd.DataFrame, message: str) -> None:
    frame.to_parquet(tmp_path / "problem.parquet")
    with refuses(str(tmp_path / "problem.parquet"), message):
        read_problem(tmp_path / "problem.parquet")


def test_a_broken_parquet_is_refused(tmp_path: Path, frame: pd.DataFrame) -> None:
    path = tmp_path / "problem.parquet"
    frame.to_parquet(path)
    whole = path.read_bytes()
    for broken in (whole[: len(whole) // 2], b"not a table"):
        path.write_bytes(broken)
        with refuses(f"{path}: the file is not a whole Parquet table") as caught:
            read_problem(path)
        assert caught.value.__cause__ is not None


def test_parquet_without_pandas_names_the_extra(tmp_path: Path, frame: pd.DataFrame, monkeypatch: Any) -> None:
    frame.to_parquet(tmp_path / "problem.parquet")
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingExtraError, match=re.escape("reading Parquet needs the extra warmer[tables]")):
        read_problem(tmp_path / "problem.parquet")


@IN_ONE_FOLDER
@given(problem=problems())
def test_any_table_survives_the_round_trip_through_every_kind_of_file(tmp_path: Path, problem: Problem) -> None:
    named = Problem.from_table(problem.rho, targets=[f"t{k}" for k in range(problem.n_targets)])
    named.to_frame().to_csv(tmp_path / "p.csv")
    named.to_frame().to_parquet(tmp_path / "p.parquet")
    np.save(tmp_path / "p.npy", named.rho)
    np.savez(tmp_path / "p.npz", rho=named.rho, targets=list(named.targets))
    for suffix in ("csv", "parquet", "npz", "npy"):
        again = read_problem(tmp_path / f"p.{suffix}", square=False)
        assert np.array_equal(again.rho, named.rho)
        assert again.queries == named.queries
        assert suffix == "npy" or again.targets == named.targets


@IN_ONE_FOLDER
@given(problem=similarities())
def test_any_similarity_survives_the_round_trip_through_csv(tmp_path: Path, problem: Problem) -> None:
    problem.to_frame().to_csv(tmp_path / "p.csv")
    again = read_problem(tmp_path / "p.csv")
    assert again.is_square
    assert np.array_equal(again.rho, problem.rho)
    assert again.queries == problem.queries


def test_a_cell_of_ten_thousand_digits_is_shortened_in_the_message(tmp_path):
    path = tmp_path / "long.csv"
    path.write_text(f",a\nx,{'9' * 10_000}\n")
    with pytest.raises(InvalidValueError, match=r"column 'a' must be a number .* got '9+\.\.\.9+'") as caught:
        read_problem(path)
    assert len(str(caught.value)) < 300


SEMICOLONS = ";rain;sun\nleft;0,1;0,9\nright;0,7;0,3\n"


@pytest.mark.parametrize(
    "text",
    [SEMICOLONS, SEMICOLONS.replace(",", "."), "\n" + SEMICOLONS, SEMICOLONS.replace("rain", '"rain"')],
    ids=["decimal commas", "decimal points", "a blank line first", "a quoted label"],
)
def test_semicolons_separate_cells_and_the_comma_may_be_the_decimal_sign(tmp_path, text):
    (tmp_path / "a.csv").write_text(text)
    problem = read_problem(tmp_path / "a.csv")
    np.testing.assert_array_equal(problem.rho, [[0.1, 0.9], [0.7, 0.3]])
    assert (list(problem.queries), list(problem.targets)) == (["left", "right"], ["rain", "sun"])


def test_a_table_of_decimal_commas_needs_no_labels(tmp_path):
    (tmp_path / "a.csv").write_text("0,1;0,9\n0,7;1\n")
    np.testing.assert_array_equal(read_problem(tmp_path / "a.csv").rho, [[0.1, 0.9], [0.7, 1.0]])


def test_a_semicolon_in_a_label_does_not_separate_cells(tmp_path):
    (tmp_path / "a.csv").write_text(",rain; hail,sun\nleft,0.1,0.9\n")
    assert list(read_problem(tmp_path / "a.csv").targets) == ["rain; hail", "sun"]


def test_labels_keep_their_commas(tmp_path):
    (tmp_path / "a.csv").write_text(";1,5 mg;2,5 mg\n0,5;0,1;0,9\nx;0;1\n")
    problem = read_problem(tmp_path / "a.csv")
    assert (list(problem.targets), list(problem.queries)) == (["1,5 mg", "2,5 mg"], ["0,5", "x"])


def a_workbook(path, rows):
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    book.save(path)


def test_the_first_sheet_of_a_workbook_is_a_table(tmp_path):
    a_workbook(tmp_path / "a.xlsx", [[None, "rain", "sun"], ["left", 0.1, 0.9], ["right", 0.7, "3/4"], []])
    problem = read_problem(tmp_path / "a.xlsx")
    np.testing.assert_allclose(problem.rho, [[0.1, 0.9], [0.7, 0.75]])
    assert list(problem.queries) == ["left", "right"]


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([["", "rain"], ["left", "warm"]], "line 2, column 'rain' must be a number such as 0.75 or 3/4, got 'warm'"),
        (
            [["", "rain", "sun"], ["left", 0.5]],
            "line 2, column 'sun' must be a number such as 0.75 or 3/4, the cell is",
        ),
        ([], "the file is empty"),
    ],
)
def test_a_bad_workbook_is_refused_in_one_sentence(tmp_path, rows, words):
    a_workbook(tmp_path / "a.xlsx", rows)
    with refuses(words):
        read_problem(tmp_path / "a.xlsx")


def test_what_is_no_workbook_is_refused(tmp_path):
    (tmp_path / "a.xlsx").write_text("left,0.5")
    with refuses("the file is not a whole .xlsx workbook"):
        read_problem(tmp_path / "a.xlsx")


def test_a_file_beside_the_table_says_what_the_table_cannot(tmp_path):
    (tmp_path / "a.csv").write_text(",rain,sun\nleft,10,90\nright,70,30\n")
    (tmp_path / "a.toml").write_text(
        'reward_range = [0, 100]\nforbidden = ["right"]\ntolerance = 0.5\n[costs]\nright = 3\nleft = 1.5\n'
    )
    problem = read_problem(tmp_path / "a.csv")
    assert problem.reward_range == (0, 100)
    assert problem.legal_queries.tolist() == [0]
    assert problem.costs.tolist() == [1.5, 3]
    assert problem.tolerance == 0.5
    assert read_problem(tmp_path / "a.csv", reward_range=(0, 200)).reward_range == (0, 200)


def test_queries_without_labels_are_named_by_their_number(tmp_path):
    (tmp_path / "a.csv").write_text("0.1,0.9\n0.7,0.3\n")
    (tmp_path / "a.toml").write_text("forbidden = [0]\ncosts = [1, 2]\n")
    problem = read_problem(tmp_path / "a.csv")
    assert problem.legal_queries.tolist() == [1]
    assert problem.costs.tolist() == [1, 2]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("range = [0, 1]", "a.toml beside it has a key 'range'; it may hold reward_range, costs"),
        ("reward_range = 3", "a.toml beside it: reward_range must be two numbers such as [0, 100], got 3"),
        ('reward_range = [0, "1"]', "reward_range must be two numbers"),
        ("reward_range = [", "a.toml beside it is not valid TOML"),
        ('forbidden = ["up"]', "a.toml beside it names a query 'up', which the table does not have"),
        ('forbidden = "left"', "forbidden must be a list of query labels"),
        ("[costs]\nleft = 1", "a.toml beside it has no cost for query 'right'"),
        ('costs = ["dear", 1]', "costs must be numbers"),
    ],
)
def test_a_bad_file_beside_the_table_is_refused_in_one_sentence(tmp_path, text, words):
    (tmp_path / "a.csv").write_text(",rain,sun\nleft,0.1,0.9\nright,0.7,0.3\n")
    (tmp_path / "a.toml").write_text(text)
    with refuses(words):
        read_problem(tmp_path / "a.csv")
