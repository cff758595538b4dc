"""Problems from files: CSV, workbooks, Parquet, .npy and .npz."""

import zipfile
import zlib
from collections.abc import Callable, Sequence
from os import PathLike
from pathlib import Path
from tokenize import TokenError
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from warmer.model import Problem
from warmer.model.errors import InvalidValueError, missing_extra
from warmer.model.tables import handed_over
from warmer.problems.cell_files import EMPTY
from warmer.problems.csv_files import read_csv
from warmer.problems.sidecars import by_position, read_sidecar

_BROKEN_ARRAY = (OSError, OverflowError, SyntaxError, TokenError, TypeError, ValueError)
_BROKEN_ARCHIVE = (*_BROKEN_ARRAY, EOFError, RuntimeError, zipfile.BadZipFile, zlib.error)
_BROKEN_FRAME = (KeyError, NotImplementedError, OSError, TypeError, ValueError)
"""What numpy and pandas raise for damaged files; they name no class of their own."""

_NPZ_KEYS = ("rho", "queries", "targets", "square", "forbidden", "costs", "reward_range", "denominator", "tolerance")
_SINGLE = {
    "square": ("a single true or false", "b"),
    "denominator": ("a single whole number", "iu"),
    "tolerance": ('a single number or "unknown"', "iufU"),
}
"""What stands alone in an archive, and the kinds of array that it may come as."""

_Contents = dict[str, Any]
"""What a file says, by the names of an archive; what it is silent about is missing."""


def read_problem(
    path: str | PathLike[str],
    *,
    square: bool | None = None,
    forbidden: npt.ArrayLike | None = None,
    costs: npt.ArrayLike | None = None,
    reward_range: tuple[float, float] | None = None,
    denominator: int | None = None,
    tolerance: float | Literal["unknown"] | None = None,
) -> Problem:
    r"""The problem in a file: a row for each query, a column for each candidate target.

    * `.csv`: separated by commas, or by semicolons with decimal commas or points. If the first cell is a number
      the file is nothing but the table; otherwise the first row names the targets and the first column the
      queries, as `DataFrame.to_csv` writes it with its index. Cells are decimals, whole numbers or fractions such
      as `3/4`. If one is a fraction, or all are whole, the table is kept exactly, and 0.25 is 1/4; decimals
      without any fraction are floats.
    * `.xlsx`: the first sheet of a workbook, read like a CSV file. Needs the extra `warmer[tables]`.
    * `.parquet`: columns are targets; the stored index, or else a first column of text, names the queries.
      Needs the extra `warmer[tables]`.
    * `.npy`: the table alone, memory-mapped: it is read from the disk as it is needed.
    * `.npz`: `rho`, and where wanted `queries`, `targets`, `square`, `forbidden`, `costs`, `reward_range`,
      `denominator` and `tolerance`, a number or "unknown".

    A file `weather.toml` beside `weather.csv` may say what the table cannot, so that no flags are needed:
    `reward_range = [0, 400]`, `costs` (a list, or one for each query label), `forbidden` (a list of query labels),
    `tolerance`, `square`, `denominator`.

    Parameters
    ----------
    square
        Whether row k and column k are the same alternative. By default they are if both have labels, the same
        in the same order.
    forbidden, costs, reward_range, denominator
        As in `Problem.from_table`; they go before what the file says.
    tolerance
        Likewise, but "unknown" where nobody knows how far the table is from the truth; 0 where the file is silent too.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "weather.csv"
    ...     _ = path.write_text(",rain,sun\nleft,0.1,0.9\nright,0.7,0.3\n")
    ...     problem = read_problem(path)
    >>> problem, list(problem.queries), list(problem.targets)
    (Problem(2 x 2 queries x targets, float64), ['left', 'right'], ['rain', 'sun'])
    """
    file = Path(path)
    given: dict[str, Any] = {
        "square": square,
        "forbidden": forbidden,
        "costs": costs,
        "reward_range": reward_range,
        "denominator": denominator,
        "tolerance": tolerance,
    }
    try:
        found = _reader(file)(file)
        beside = by_position(read_sidecar(file), _query_names(found), file.with_suffix(".toml").name)
        return _assemble(found | beside | {key: value for key, value in given.items() if value is not None})
    except InvalidValueError as error:
        raise InvalidValueError(f"{file}: {error}") from (error.__cause__ or error)
    except OSError as error:
        raise InvalidValueError(f"{file}: the file cannot be read ({error.strerror}).") from error


def _reader(file: Path) -> Callable[[Path], _Contents]:
    if not file.exists():
        raise InvalidValueError("there is no such file; check the path.")
    if not file.is_file():
        raise InvalidValueError("a problem is read from a file, this is a folder.")
    suffix = file.suffix.lower()
    if suffix not in _READERS:
        raise InvalidValueError(f"the suffix must be one of {', '.join(_READERS)}, got {suffix!r}; save it as one.")
    if file.stat().st_size == 0:
        raise InvalidValueError(EMPTY)
    return _READERS[suffix]


def _query_names(contents: _Contents) -> Sequence[Any]:
    queries, targets = contents.get("queries"), contents.get("targets")
    is_square = contents.get("square", False)
    names = targets if queries is None and is_square else queries
    return range(len(contents["rho"])) if names is None else list(names)


def _assemble(contents: _Contents) -> Problem:
    rho, queries, targets = contents.pop("rho"), contents.pop("queries", None), contents.pop("targets", None)
    if isinstance(contents.get("tolerance"), str):
        if contents["tolerance"] != "unknown":
            raise InvalidValueError(f'tolerance must be a number or "unknown", got {contents["tolerance"]!r}.')
        contents["tolerance"] = None
    has_same_labels = queries is not None and targets is not None and list(queries) == list(targets)
    if not contents.pop("square", has_same_labels):
        return Problem.from_table(rho, queries=queries, targets=targets, **contents)
    if queries is not None and targets is not None and not has_same_labels:
        raise InvalidValueError(
            "a similarity needs the same labels on rows and columns, in the same order; "
            "reorder them, or read it with square=False."
        )
    return Problem.from_similarity(rho, labels=targets if queries is None else queries, **contents)


def _read_npy(file: Path) -> _Contents:
    try:
        return {"rho": np.lib.format.open_memmap(file, mode="r")}
    except _BROKEN_ARRAY as error:
        raise InvalidValueError(
            f"the file is not a whole .npy array of numbers ({error}); write it again with numpy.save."
        ) from error


def _read_npz(file: Path) -> _Contents:
    try:
        with file.open("rb") as stream, np.lib.npyio.NpzFile(stream, allow_pickle=False) as archive:
            arrays = {key: np.asarray(archive[key]) for key in archive.files}
    except _BROKEN_ARCHIVE as error:
        raise InvalidValueError(
            f"the file is not a whole .npz archive of plain arrays ({error}); write it again with numpy.savez, "
            "and labels as text."
        ) from error
    if "rho" not in arrays:
        raise InvalidValueError(f"the archive needs a table named rho, got {', '.join(arrays) or 'nothing'}.")
    unknown = [key for key in arrays if key not in _NPZ_KEYS]
    if unknown:
        raise InvalidValueError(f"the archive has an array {unknown[0]!r}; it may hold {', '.join(_NPZ_KEYS)}.")
    return _contents_of(arrays)


def _contents_of(arrays: dict[str, Any]) -> _Contents:
    for key, (noun, kinds) in _SINGLE.items():
        if key in arrays and (arrays[key].ndim or arrays[key].dtype.kind not in kinds):
            raise InvalidValueError(f"{key} must be {noun}, got {arrays[key]!r}.")
    for key in ("queries", "targets"):
        if key in arrays and arrays[key].ndim != 1:
            raise InvalidValueError(f"{key} must be a list of labels, got an array of shape {arrays[key].shape}.")
    plain = {*_SINGLE, "queries", "targets"}
    return {key: array.tolist() if key in plain else handed_over(array) for key, array in arrays.items()}


def _read_parquet(file: Path) -> _Contents:
    try:
        import pandas as pd

        frame = pd.read_parquet(file)
    except ImportError as error:
        raise missing_extra("reading Parquet", "tables") from error
    except _BROKEN_FRAME as error:
        raise InvalidValueError(f"the file is not a whole Parquet table ({error}); write it again.") from error
    queries = None if isinstance(frame.index, pd.RangeIndex) else frame.index.tolist()
    if queries is None and frame.shape[1] and not pd.api.types.is_numeric_dtype(frame.dtypes.iloc[0]):
        queries = frame.iloc[:, 0].tolist()
        frame = frame.iloc[:, 1:].set_axis(queries, axis="index")
    return {"rho": frame, "queries": queries, "targets": frame.columns.tolist()}


_READERS: dict[str, Callable[[Path], _Contents]] = {
    ".csv": lambda file: read_csv(file)._asdict(),
    ".xlsx": lambda file: read_csv(file)._asdict(),
    ".parquet": _read_parquet,
    ".npy": _read_npy,
    ".npz": _read_npz,
}
