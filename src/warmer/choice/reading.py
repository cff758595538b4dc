"""Predictions from arrays, tables and fitted estimators, with the names of models and points."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from warmer.choice.encoding import Encoded, encode
from warmer.choice.losses import Loss
from warmer.model import Array, Label, Labels
from warmer.model.errors import InvalidValueError


class Predictions(NamedTuple):
    """What the models predict, and their names."""

    values: Any
    """Classes as `Encoded`; numbers models x points, probabilities models x points x classes."""
    models: Labels
    points: Labels
    classes: list[Any] | None
    """The classes in the order of the last axis, where the estimators say it."""


def read_predictions(
    source: Any,
    examples: Any,
    loss: Loss,
    *,
    models: Iterable[Any] | None,
    points: Iterable[Any] | None,
    declared: list[Any] | None,
) -> Predictions:
    """Read what `ModelChoice` accepts; every complaint names the model."""
    if isinstance(source, Encoded):
        codes = source.codes.shape
        named = Labels(models, length=codes[1], noun="model"), Labels(points, length=codes[0], noun="point")
        return Predictions(source, *named, None)
    if examples is not None:
        source, classes = _predict_all(source, examples, loss)
    else:
        classes = None
    if hasattr(source, "columns") and hasattr(source, "to_numpy"):  # a DataFrame: a row for each point
        models = list(source.columns) if models is None else models
        points = list(source.index) if points is None else points
        values: Any = [np.asarray(source.iloc[:, place]) for place in range(source.shape[1])]
    elif isinstance(source, Mapping):
        models = list(source) if models is None else models
        values = list(source.values())
    else:
        values = source
    table = _likeliest(_table(values, loss.wants), loss.wants, declared)
    if not table.shape[0] or not table.shape[1]:
        raise InvalidValueError("predictions must hold at least one model and one point.")
    named = Labels(models, length=table.shape[0], noun="model"), Labels(points, length=table.shape[1], noun="point")
    checked = _checked(table, *named, loss)
    return Predictions(encode(checked) if loss.wants == "classes" else checked, *named, classes)


def _predict_all(source: Any, examples: Any, loss: Loss) -> tuple[dict[Label, Array], list[Any] | None]:
    if hasattr(source, "predict"):
        raise InvalidValueError(
            "ModelChoice needs a list or mapping of estimators, got a single one; give [estimator]."
        )
    named = dict(source) if isinstance(source, Mapping) else _names(list(source))
    method = "predict_proba" if loss.wants == "probabilities" else "predict"
    found: dict[Label, Array] = {}
    classes: list[Any] | None = None
    for name, estimator in named.items():
        if not callable(getattr(estimator, method, None)):
            raise InvalidValueError(f"model {name!r} needs a method {method}, got {type(estimator).__name__}.")
        try:
            found[name] = np.asarray(getattr(estimator, method)(examples))
        except (AttributeError, TypeError, ValueError) as error:  # scikit-learn's NotFittedError is the first and last
            raise InvalidValueError(f"model {name!r} could not predict: {error} Fit it first, on such data.") from error
        if method == "predict_proba" and hasattr(estimator, "classes_"):
            mine = np.asarray(estimator.classes_).tolist()
            if classes is not None and mine != classes:
                raise InvalidValueError(
                    f"model {name!r} knows the classes {mine}, the models before it {classes}; give the probabilities "
                    "as an array, with a column for each class."
                )
            classes = mine
    return found, classes


def _names(estimators: list[Any]) -> dict[Label, Any]:
    if estimators and all(isinstance(pair, tuple) and len(pair) == 2 for pair in estimators):
        named = dict(estimators)
        if len(named) != len(estimators):
            raise InvalidValueError("two models have the same name; give each its own.")
        return named
    return {f"{type(estimator).__name__} {place}": estimator for place, estimator in enumerate(estimators, start=1)}


def _table(values: Any, wants: str) -> Array:
    if isinstance(values, np.ndarray):
        table = values
    else:
        try:
            rows = [np.asarray(row) for row in values]
        except TypeError:
            raise InvalidValueError(f"predictions must be models x points, got {type(values).__name__}.") from None
        shapes = {row.shape for row in rows}
        if len(shapes) > 1:
            raise InvalidValueError(
                f"all models must predict the same points; got predictions of shapes {sorted(shapes)}."
            )
        kinds = {row.dtype.kind for row in rows}
        table = np.array(rows) if len(kinds) <= 1 or kinds <= set("iuf") else np.array(rows, dtype=object)
    allowed = {"probabilities": (3,), "classes": (2, 3), "numbers": (2,)}[wants]
    if table.ndim not in allowed:
        shape = "models x points x classes" if wants == "probabilities" else "models x points"
        raise InvalidValueError(f"predictions must be {shape}, got an array of shape {table.shape}.")
    return table


def _likeliest(table: Array, wants: str, declared: list[Any] | None) -> Array:
    """The likeliest class, where classes are judged and probabilities came."""
    if wants != "classes" or table.ndim == 2:
        return table
    if declared is not None and len(declared) != table.shape[2]:
        raise InvalidValueError(f"the probabilities are for {table.shape[2]} classes, got {len(declared)} names.")
    places = table.argmax(axis=2)
    return np.asarray(places if declared is None else np.asarray(declared)[places])


def _checked(table: Array, models: Labels, points: Labels, loss: Loss) -> Array:
    if loss.wants == "classes":
        _check_present(table, models, points, may_be_none=getattr(loss, "abstain", "") is None)
        return table
    if table.dtype.kind not in "iufb":
        raise InvalidValueError(f"this loss judges {loss.wants}, got predictions of type {table.dtype}.")
    numbers = table if table.dtype == np.float32 else table.astype(float)
    places = np.argwhere(~np.isfinite(numbers))
    if len(places):
        raise InvalidValueError(
            f"model {models[int(places[0][0])]!r} predicts {numbers[tuple(places[0])]:g} for point "
            f"{points[int(places[0][1])]!r}; give a finite number, or leave the point out for all models."
        )
    if loss.wants == "probabilities":
        wrong = np.argwhere((numbers.min(axis=2) < 0) | (np.abs(numbers.sum(axis=2) - 1) > 1e-3))
        if len(wrong):
            model, point = wrong[0]
            raise InvalidValueError(
                f"model {models[int(model)]!r} predicts {numbers[model, point].tolist()} for point "
                f"{points[int(point)]!r}; "
                "probabilities are at least 0 and sum to 1."
            )
        numbers = numbers / numbers.sum(axis=2, keepdims=True)
    return numbers


def _check_present(table: Array, models: Labels, points: Labels, *, may_be_none: bool) -> None:
    if table.dtype.kind not in "fO":
        return
    if table.dtype.kind == "f" and np.isfinite(table).all() and (table % 1 != 0).any():
        raise InvalidValueError(
            f"predictions such as {table[table % 1 != 0].flat[0]:g} are no classes; for a regression use "
            "loss=Squared(low, high) or Absolute(low, high), for classes whole numbers or text."
        )
    is_none = table == None  # noqa: E711 -- elementwise
    missing = np.argwhere(table != table if may_be_none else (table != table) | is_none)
    if len(missing):
        model, point = missing[0]
        raise InvalidValueError(
            f"model {models[int(model)]!r} predicts nothing for point {points[int(point)]!r}; if it abstains there, "
            "write that as a class of its own, such as 'abstain', and declare it with loss=ZeroOne(abstain='abstain')."
        )
