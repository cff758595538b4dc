"""Predictions and labels from files: a row for each point."""

from collections.abc import Callable
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np

from warmer.choice.encoding import plain
from warmer.model import Label
from warmer.model.errors import InvalidValueError, missing_extra
from warmer.problems.cell_files import read_lines

_Found = TypeVar("_Found")

_ID_NAMES = ("", "point", "id", "index")


class PredictionTable(NamedTuple):
    """What a file says: predictions by model, and the names of the points, where it has them."""

    predictions: dict[Label, Any]
    points: list[Label] | None


def read_prediction_file(path: str | PathLike[str]) -> PredictionTable:
    r"""Predictions from a CSV, .xlsx or Parquet file: a row for each point, a column for each model.

    A first column named `point`, `id`, `index` or nothing holds the names of the points, and so does a stored index
    of a Parquet file. Cells of a CSV file are whole numbers if all are, else numbers if all are, else text.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "predictions.csv"
    ...     _ = path.write_text("point,tree,forest\np1,cat,dog\np2,dog,dog\n")
    ...     read_prediction_file(path)
    PredictionTable(predictions={'tree': ['cat', 'dog'], 'forest': ['dog', 'dog']}, points=['p1', 'p2'])
    """
    return _read(path, {".csv": _cell_predictions, ".xlsx": _cell_predictions, ".parquet": _parquet_predictions})


def read_label_file(
    path: str | PathLike[str], points: list[Label] | range, classes: list[Any]
) -> list[tuple[Label, Any]]:
    """Labels from a CSV or .xlsx file with the columns `point` and `label`; rows without a label are passed over.

    Both are matched by what they look like, so that `3` of the file is the number 3 if the points or classes are
    numbers. Complaints name the line.
    """
    by_name = {str(point): point for point in points}
    by_class = {str(name): name for name in classes}

    def read(file: Path) -> list[tuple[Label, Any]]:
        found: dict[Label, tuple[int, Any]] = {}
        for line, cells in _labelled_lines(file):
            point, label = cells
            if point not in by_name:
                raise InvalidValueError(f"line {line}: there is no point {point!r} among the predictions.")
            name, value = by_name[point], by_class.get(label, _as_number(label))
            if found.setdefault(name, (line, value))[1] != value:
                raise InvalidValueError(
                    f"line {line}: point {point!r} has another label on line {found[name][0]}; keep the right one."
                )
        return [(point, value) for point, (_, value) in found.items()]

    return _read(path, {".csv": read, ".xlsx": read})


def _read(path: str | PathLike[str], readers: dict[str, Callable[[Path], _Found]]) -> _Found:
    file = Path(path)
    try:
        if not file.is_file():
            raise InvalidValueError("there is no such file; check the path.")
        if file.suffix.lower() not in readers:
            raise InvalidValueError(f"the suffix must be one of {', '.join(readers)}, got {file.suffix!r}.")
        return readers[file.suffix.lower()](file)
    except InvalidValueError as error:
        raise InvalidValueError(f"{file}: {error}") from (error.__cause__ or error)
    except OSError as error:
        raise InvalidValueError(f"{file}: the file cannot be read ({error.strerror}).") from error


def _lines(file: Path) -> list[tuple[int, list[str]]]:
    return [(line.number, line.number_texts()) for line in read_lines(file)]


def _cell_predictions(file: Path) -> PredictionTable:
    (_, header), *body = _lines(file)
    if not body:
        raise InvalidValueError(
            "the file has no points; below the names of the models each line needs its predictions."
        )
    has_names = header[0].lower() in _ID_NAMES
    for line, cells in body:
        if "" in cells[has_names:]:
            model = header[has_names:][cells[has_names:].index("")]
            raise InvalidValueError(f"line {line}: model {model!r} predicts nothing; write abstentions as a word.")
    columns = list(zip(*(cells for _, cells in body), strict=True))
    values = _parsed([cell for column in columns[has_names:] for cell in column])
    size = len(body)
    if len(set(header)) != len(header):
        raise InvalidValueError("two models have the same name; give each column its own.")
    predictions: dict[Label, Any] = {
        name: values[k * size : (k + 1) * size] for k, name in enumerate(header[has_names:])
    }
    return PredictionTable(predictions, _parsed(list(columns[0])) if has_names else None)


def _parquet_predictions(file: Path) -> PredictionTable:
    try:
        import pandas as pd

        frame = pd.read_parquet(file)
    except ImportError as error:
        raise missing_extra("reading Parquet", "tables") from error
    except (KeyError, NotImplementedError, OSError, TypeError, ValueError) as error:
        raise InvalidValueError(f"the file is not a whole Parquet table ({error}); write it again.") from error
    points = None if isinstance(frame.index, pd.RangeIndex) else frame.index.tolist()
    if points is None and frame.shape[1] and str(frame.columns[0]).lower() in _ID_NAMES:
        points = frame.iloc[:, 0].tolist()
        frame = frame.iloc[:, 1:]
    predictions = {plain(name): np.asarray(frame.iloc[:, k]) for k, name in enumerate(frame.columns)}
    return PredictionTable(predictions, points)


def _labelled_lines(file: Path) -> list[tuple[int, tuple[str, str]]]:
    (_, header), *body = _lines(file)
    names = [name.lower() for name in header]
    if "point" not in names or "label" not in names:
        raise InvalidValueError(f"the first line must name the columns point and label, got {', '.join(header)}.")
    places = names.index("point"), names.index("label")
    return [(line, (cells[places[0]], cells[places[1]])) for line, cells in body if cells[places[1]]]


def _parsed(texts: list[str]) -> list[Any]:
    """All as whole numbers if all are, else all as numbers if all are, else as they stand."""
    for kind in (int, float):
        try:
            return [kind(text) for text in texts]
        except ValueError:
            continue
    return texts


def _as_number(text: str) -> Any:
    return _parsed([text])[0]
