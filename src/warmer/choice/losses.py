"""What a model is judged by: a loss for each point, averaged over the pool. Less is better."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import partial
from typing import Any, Protocol

import numpy as np

from warmer.choice.encoding import Encoded, extended, label_reader, plain
from warmer.choice.pools import ClassPool, NumberPool, Pool, ProbabilityPool
from warmer.model import Array
from warmer.model.checks import check_finite, check_interval
from warmer.model.errors import InvalidValueError
from warmer.model.numbers import as_array
from warmer.model.words import exact, span

_MOST_COSTS = 256
_NO_PROOF = ("f1", "f-score", "fbeta", "f_beta", "precision", "auc", "roc-auc", "roc_auc", "mcc", "kappa", "r2", "log")


class _Nobody(Enum):
    """Stands for "no class is an abstention"; unlike a mere object it is still itself in a copy or a pickle."""

    NOBODY = "nobody abstains"


_NOBODY = _Nobody.NOBODY


class Loss(Protocol):
    """A loss knows its scale and makes the pool in which it runs from 0 to 1."""

    @property
    def scale(self) -> float:
        """The largest loss of one point."""
        ...

    @property
    def wants(self) -> str:
        """What it judges: "classes", "numbers" or "probabilities"."""
        ...

    def pool(self, predictions: Any, classes: Sequence[Any] | None) -> Pool:
        """The pool of these predictions: encoded classes, or models x points (x classes)."""
        ...


@dataclass(frozen=True)
class ZeroOne:
    """The share of wrong predictions, 1 - accuracy. A model may abstain, at a cost of its own.

    Parameters
    ----------
    abstain
        The prediction that stands for "I do not know".
    abstention_cost
        Its loss, from 0 to 1; an error costs 1.

    Examples
    --------
    >>> import warmer
    >>> choice = warmer.ModelChoice([["a", "?"], ["a", "b"]], epsilon=0.1, loss=ZeroOne("?", abstention_cost=0.25))
    >>> choice.tell(1, "b")
    >>> [(standing.model, standing.low, standing.high) for standing in choice.standings]
    [(1, 0.0, 0.5), (0, 0.125, 0.625)]
    """

    abstain: Any = _NOBODY
    abstention_cost: float = 1.0
    scale = 1.0
    wants = "classes"

    def pool(self, predictions: Encoded, classes: Sequence[Any] | None) -> Pool:
        """The pool of these classes; abstentions make it one with a table of costs."""
        encoded = extended(predictions, classes or ())
        read = label_reader(encoded, classes)
        silent = encoded.positions.get(plain(self.abstain)) if self.abstain is not _NOBODY else None
        if silent is None:
            return ClassPool(encoded.codes, len(encoded.classes), read)
        cost = _share("abstention_cost", self.abstention_cost)
        size = len(encoded.classes)
        _check_size(size)
        costs = 1.0 - np.eye(size, size + 1)  # the last column stands for all labels that nobody predicts
        costs[silent] = cost
        columns = np.arange(size)
        columns[silent] = -1
        return ClassPool(encoded.codes, size, partial(_spoken, read, silent, size), costs=costs, columns=columns)


@dataclass(frozen=True, eq=False)
class CostMatrix:
    """The mean of the costs that you state for each prediction and label.

    Parameters
    ----------
    costs
        costs[prediction, label], at least 0.
    labels
        The labels in the order of the columns.
    predictions
        The predictions in the order of the rows, abstentions among them; by default the labels.

    Examples
    --------
    >>> import warmer
    >>> loss = CostMatrix([[0, 50], [1, 0]], labels=["well", "ill"])  # to call the ill well costs 50
    >>> choice = warmer.ModelChoice([["well", "well"], ["ill", "well"]], epsilon=1, loss=loss)
    >>> choice.tell(0, "ill")
    >>> choice.leader
    1
    """

    costs: Any
    labels: Sequence[Any]
    predictions: Sequence[Any] | None = None
    wants = "classes"

    @property
    def scale(self) -> float:
        """The largest cost."""
        return float(self._table().max())

    def pool(self, predictions: Encoded, classes: Sequence[Any] | None) -> Pool:
        """The pool of these classes with these costs."""
        table, labels = self._table(), [plain(name) for name in self.labels]
        rows = [plain(name) for name in (self.labels if self.predictions is None else self.predictions)]
        encoded = extended(predictions, rows)
        unknown = [name for name in encoded.classes if name not in rows]
        if unknown:
            raise InvalidValueError(
                f"the models predict {unknown[0]!r}, for which costs has no row; add it to predictions="
            )
        _check_size(len(rows))
        order = [rows.index(name) for name in encoded.classes]
        columns = [labels.index(name) if name in labels else -1 for name in encoded.classes]
        positions = {name: column for column, name in enumerate(labels)}
        return ClassPool(
            encoded.codes,
            len(rows),
            partial(_column, positions),
            costs=table[order] / table.max(),
            columns=np.array(columns),
        )

    def _table(self) -> Array:
        table = as_array("costs", self.costs)
        rows = len(self.labels if self.predictions is None else self.predictions)
        if table.shape != (rows, len(self.labels)):
            raise InvalidValueError(
                f"costs must have a row for each of {rows} predictions and a column for each of {len(self.labels)} "
                f"labels, got the shape {table.shape}."
            )
        if table.min() < 0 or table.max() <= 0:
            raise InvalidValueError("costs must be at least 0, and some greater than 0; subtract the least cost first.")
        return table


@dataclass(frozen=True)
class Recall:
    """The share of the points of one class that a model misses, 1 - recall. How many there are need not be known.

    Examples
    --------
    >>> import warmer
    >>> cautious = [["ill", "ill", "well"], ["well", "ill", "well"]]
    >>> print(warmer.ModelChoice(cautious, epsilon=0.1, loss=Recall("ill")).certificate())
    proven: 0 is within 0.1 of the best on the pool, whatever the other labels are (0 labels)
    """

    label: Any
    scale = 1.0
    wants = "classes"

    def pool(self, predictions: Encoded, classes: Sequence[Any] | None) -> Pool:
        """The pool of these classes; a label is of the class or not."""
        wanted = plain(self.label)
        encoded = extended(predictions, [*(classes or ()), wanted])
        _check_size(len(encoded.classes))
        is_wanted = np.array([name == wanted for name in encoded.classes])
        read = label_reader(encoded, classes)
        return ClassPool(
            encoded.codes,
            len(encoded.classes),
            partial(_is_other, read, encoded.positions[wanted]),
            costs=np.column_stack([~is_wanted, np.zeros(len(is_wanted))]),
            columns=np.where(is_wanted, 0, 1),
            label_weights=np.array([1.0, 0.0]),
        )


@dataclass(frozen=True)
class Brier:
    """Half the Brier score of predicted probabilities: half the squared distance from the label's indicator.

    Examples
    --------
    >>> import warmer
    >>> chances = [[[0.5, 0.5]], [[0.9, 0.1]]]  # models x points x classes
    >>> choice = warmer.ModelChoice(chances, epsilon=0.1, loss=Brier())
    >>> choice.tell(0, 1)
    >>> [(standing.model, round(standing.loss, 2)) for standing in choice.standings]
    [(0, 0.25), (1, 0.81)]
    """

    scale = 1.0
    wants = "probabilities"

    def pool(self, predictions: Array, classes: Sequence[Any] | None) -> Pool:
        """The pool of these probabilities; classes are 0, 1, ... where none are named."""
        names = [plain(name) for name in (range(predictions.shape[2]) if classes is None else classes)]
        if len(names) != predictions.shape[2]:
            raise InvalidValueError(
                f"the probabilities are for {predictions.shape[2]} classes, got {len(names)} names."
            )
        positions = {name: code for code, name in enumerate(names)}
        chances = np.ascontiguousarray(np.moveaxis(predictions, 0, 1))
        return ProbabilityPool(chances, partial(_column, positions))


@dataclass(frozen=True)
class _NumberLoss:
    low: float
    high: float
    wants = "numbers"
    _power = 1

    def __post_init__(self) -> None:
        check_interval("the range of labels", (self.low, self.high))

    @property
    def scale(self) -> float:
        """The loss of the largest error."""
        return (self.high - self.low) ** self._power

    def pool(self, predictions: Array, classes: Sequence[Any] | None) -> Pool:
        """The pool of these numbers, cut to the range of the labels."""
        if classes is not None:
            raise InvalidValueError("classes= goes with classes; labels of a regression are numbers.")
        values = (np.clip(predictions, self.low, self.high) - self.low) / (self.high - self.low)
        return NumberPool(np.ascontiguousarray(values.T), self._read, power=self._power)

    def _read(self, label: Any) -> float:
        value = check_finite("a label", plain(label))
        if not self.low <= value <= self.high:
            raise InvalidValueError(f"a label must lie in {span(self.low, self.high)}, got {exact(value)}.")
        return (value - self.low) / (self.high - self.low)


@dataclass(frozen=True)
class Squared(_NumberLoss):
    """The mean squared error, for labels known to lie between low and high; predictions are cut to that range.

    Examples
    --------
    >>> import warmer
    >>> choice = warmer.ModelChoice([[1.0, 2.0], [1.5, 2.5]], epsilon=0.5, loss=Squared(0, 10))
    >>> choice.tell(0, 1.5)
    >>> choice.leader
    1
    """

    _power = 2


@dataclass(frozen=True)
class Absolute(_NumberLoss):
    """The mean absolute error, for labels known to lie between low and high; predictions are cut to that range.

    Examples
    --------
    >>> Absolute(0, 10).scale, Squared(0, 10).scale
    (10, 100)
    """


def as_loss(loss: Any) -> Loss:
    """A loss as it came, or by its name; a measure without a proof is refused.

    Examples
    --------
    >>> as_loss("brier")
    Brier()
    """
    if isinstance(loss, str):
        named: dict[str, Loss] = {"zero-one": ZeroOne(), "brier": Brier()}
        if loss in named:
            return named[loss]
        if loss.lower() in _NO_PROOF:
            raise InvalidValueError(
                f"{loss!r} is not a mean over points of a bounded loss, and no certificate for it is known; use "
                "ZeroOne, CostMatrix, Recall, Brier, Squared or Absolute."
            )
        raise InvalidValueError(f"there is no loss {loss!r}; use 'zero-one', 'brier', or a class of warmer.choice.")
    if isinstance(loss, type) or not hasattr(loss, "pool"):
        raise InvalidValueError(f"loss must be one of warmer.choice, such as Squared(0, 1), got {loss!r}.")
    found: Loss = loss
    return found


def _is_other(read: Callable[[Any], int], wanted: int, label: Any) -> int:
    return int(read(label) != wanted)


def _spoken(read: Callable[[Any], int], silent: int, size: int, label: Any) -> int:
    """The column of a label that is no abstention."""
    code = read(label)
    if code == silent:
        raise InvalidValueError(f"a label cannot be {label!r}, which stands for an abstention.")
    return size if code < 0 else code


def _column(positions: dict[Any, int], label: Any) -> int:
    value = plain(label)
    try:
        return positions[value]
    except (KeyError, TypeError):
        shown = ", ".join(repr(name) for name in list(positions)[:8])
        raise InvalidValueError(f"there is no label {value!r}; the labels are {shown}.") from None


def _check_size(size: int) -> None:
    if size > _MOST_COSTS:
        raise InvalidValueError(f"costs are for at most {_MOST_COSTS} different predictions, got {size}.")


def _share(name: str, value: Any) -> float:
    number = check_finite(name, value)
    if not 0 <= number <= 1 or math.isnan(number):
        raise InvalidValueError(f"{name} must lie between 0 and 1, got {exact(number)}.")
    return number
