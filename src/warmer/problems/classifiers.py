"""Fitted classifiers as alternatives: how often any two of them agree on unlabelled data."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from warmer.model import Array, Label, Problem
from warmer.model.checks import check_finite
from warmer.model.errors import InvalidValueError
from warmer.model.tables import read_only
from warmer.problems.limits import check_size


def classifiers(
    estimators: Mapping[Label, Any] | Sequence[Any],
    X: Any,  # noqa: N803 -- scikit-learn's name
    *,
    labels: Iterable[Label] | None = None,
    accuracy: float = 1.0,
    tolerance: float | None = None,
) -> Problem:
    r"""The agreement of fitted classifiers on unlabelled data: find the best from noisy accuracy on labelled data.

    $\rho(i|j)=2P(h_i(x)=h_j(x))-1$ over the rows of X, exactly. It is the expected reward of asking for
    $2\cdot\mathrm{accuracy}-1$ of classifier i if classifier j is always right. Any number of classes will do;
    for two it is the correlation of statistical queries (Section 2). No classifier is perfect: say with `accuracy`
    how often the best is believed to be right, and its errors are spread evenly over examples and other classes.

    The table is a belief: that the truth labels like one of the classifiers. Where it does not, measured accuracies can
    differ from every column. So nothing is certified from this table unless you declare how wrong it may be.

    Parameters
    ----------
    estimators
        A mapping from names to fitted estimators, a list of estimators, or a list of (name, estimator) pairs.
        Anything with a `predict` method is an estimator; scikit-learn itself is not needed.
    X
        The unlabelled data, as `predict` takes it: one row for each example.
    labels
        Names to use instead; by default those given, or each estimator's class and place in the list.
    accuracy
        The accuracy of classifier j if it is the best; the table is exact where it is 1.
    tolerance
        How far the column of the best classifier may be from what the true labels would give, on the scale of
        $2\cdot\mathrm{accuracy}-1$. None, the default, says that this is unknown: no certificate is issued.

    Examples
    --------
    >>> class Cut:
    ...     def __init__(self, at):
    ...         self.at = at
    ...     def predict(self, X):
    ...         return ["high" if x > self.at else "low" for x in X]
    >>> classifiers({"one": Cut(1), "three": Cut(3)}, [0, 1, 2, 3]).rho.tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    named = _named(estimators)
    check_size(len(named), len(named), advice="give fewer classifiers")
    n_examples = _length(X)
    codes = _encode([_predict(name, estimator, X, n_examples) for name, estimator in named])
    agreements = np.array([np.count_nonzero(codes == row, axis=1) for row in codes])
    names = [name for name, _ in named] if labels is None else labels
    if accuracy == 1:
        numerators = 2 * agreements - n_examples
        return Problem.from_similarity(numerators, labels=names, denominator=n_examples, tolerance=tolerance)
    rho = 2 * _accuracies(agreements / n_examples, codes, accuracy) - 1
    return Problem.from_similarity(read_only(rho), labels=names, tolerance=tolerance)


def _accuracies(agreements: Array, codes: Array, accuracy: float) -> Array:
    """Each classifier's accuracy if another is right so often; where that errs, all other classes are as likely."""
    if not 0 < check_finite("accuracy", accuracy) <= 1:
        raise InvalidValueError(f"accuracy must be greater than 0 and at most 1, got {accuracy:g}.")
    others = max(1, int(codes.max()))
    return np.asarray(accuracy * agreements + (1 - accuracy) * (1 - agreements) / others)


def _named(estimators: Mapping[Label, Any] | Sequence[Any]) -> list[tuple[Label, Any]]:
    if hasattr(estimators, "predict"):
        raise InvalidValueError(
            "classifiers needs a list or mapping of estimators, got a single one; give it as [estimator]."
        )
    pairs = list(estimators.items()) if isinstance(estimators, Mapping) else list(estimators)
    if not pairs:
        raise InvalidValueError("classifiers needs at least one fitted estimator, got none.")
    if isinstance(estimators, Mapping) or all(isinstance(pair, tuple) and len(pair) == 2 for pair in pairs):
        return pairs
    return [(f"{type(estimator).__name__} {place}", estimator) for place, estimator in enumerate(pairs, start=1)]


def _length(examples: Any) -> int:
    try:
        n_examples = int(examples.shape[0]) if getattr(examples, "shape", None) else len(examples)
    except TypeError as error:
        raise InvalidValueError(f"X must hold one row for each example, got {type(examples).__name__}.") from error
    if n_examples == 0:
        raise InvalidValueError("X has no rows; give unlabelled examples to compare the classifiers on.")
    return n_examples


def _predict(name: Label, estimator: Any, examples: Any, n_examples: int) -> Array:
    if not callable(getattr(estimator, "predict", None)):
        raise InvalidValueError(f"classifier {name!r} needs a predict method, got {type(estimator).__name__}.")
    try:
        predictions = np.asarray(estimator.predict(examples))
    except (AttributeError, TypeError, ValueError) as error:  # scikit-learn's NotFittedError is the first and last
        raise InvalidValueError(
            f"classifier {name!r} could not predict: {error} Fit it before comparing, on data of the same shape."
        ) from error
    if predictions.shape != (n_examples,):
        raise InvalidValueError(
            f"classifier {name!r} must predict one class for each of the {n_examples} rows of X, "
            f"got predictions of shape {predictions.shape}."
        )
    missing = np.flatnonzero(predictions != predictions)  # NaN is the one class that differs from itself
    if len(missing):
        raise InvalidValueError(f"classifier {name!r} predicts a missing class (nan) for row {missing[0]} of X.")
    return predictions


def _encode(predictions: list[Array]) -> npt.NDArray[np.int32]:
    """The predicted classes as whole numbers, a row for each classifier; the text "1" is not the number 1."""
    numbers: dict[Any, int] = {}
    rows = []
    for row in predictions:
        if row.dtype.kind == "O":
            rows.append([numbers.setdefault(name, len(numbers)) for name in row.tolist()])
            continue
        names, places = np.unique(row, return_inverse=True)
        codes = [numbers.setdefault(name, len(numbers)) for name in names.tolist()]
        rows.append(np.array(codes)[places.ravel()].tolist())
    return np.array(rows, dtype=np.int32)
