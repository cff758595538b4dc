"""Goals that speak of the candidates themselves, and those of your own."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from warmer.certification.answers import Groups, Intervals, Relation
from warmer.certification.goals.of_queries import relation
from warmer.model import Labels, Problem
from warmer.model.checks import check_positive
from warmer.model.errors import InvalidValueError
from warmer.model.numbers import as_array
from warmer.model.words import enclosed


@dataclass(frozen=True)
class WhichTarget:
    """The true candidate itself.

    Examples
    --------
    >>> WhichTarget().sentence("rain")
    "the true candidate is 'rain'"
    """

    def answers(self, problem: Problem) -> Groups:
        """Every candidate accepts itself alone."""
        return Groups(problem.targets, np.arange(problem.n_targets))

    def sentence(self, answer: Any, *, tolerance: float = 0.0) -> str:
        """Which candidate is the truth."""
        return f"the true candidate is {answer!r}"


@dataclass(frozen=True, eq=False)
class WhichGroup:
    """The group (mechanism, family, "safe" or "unsafe") of the true candidate.

    Parameters
    ----------
    groups
        A name for each candidate, in table order or as a mapping from labels; or the name of one of the problem's
        parameters.

    Examples
    --------
    >>> table = Problem.from_table([[0.0, 0.5, 1.0]], targets=["a", "b", "c"])
    >>> answers = WhichGroup({"a": "safe", "b": "safe", "c": "unsafe"}).answers(table)
    >>> answers.names, answers.preferred.tolist()
    (['safe', 'unsafe'], [0, 0, 1])
    """

    groups: Any

    def answers(self, problem: Problem) -> Groups:
        """The groups in the order of their first members."""
        names = _for_each_target(problem, self.groups, "groups")
        places: dict[Any, int] = {}
        codes = np.array([places.setdefault(name, len(places)) for name in names])
        return Groups(list(places), codes)

    def sentence(self, answer: Any, *, tolerance: float = 0.0) -> str:
        """Which group the truth is in."""
        return f"the true candidate belongs to {answer!r}"


@dataclass(frozen=True, eq=False)
class ValueOf:
    """A number known of every candidate (a parameter, a best reward), up to a tolerance.

    Parameters
    ----------
    values
        A number for each candidate, in table order or as a mapping from labels; or the name of one of the problem's
        parameters.
    tolerance
        The answer is an interval of twice this length.

    Examples
    --------
    >>> table = Problem.from_table([[0.0, 0.5, 1.0]])
    >>> answers = ValueOf([1.0, 1.5, 9.0], tolerance=0.5).answers(table)
    >>> answers.names[0], answers.accepts(0).tolist()
    ((1.0, 2.0), [True, True, False])
    """

    values: Any
    tolerance: float

    def __post_init__(self) -> None:
        check_positive("tolerance", self.tolerance)

    def answers(self, problem: Problem) -> Intervals:
        """Intervals, accepted by the candidates whose value lies inside."""
        values = as_array("values", list(_for_each_target(problem, self.values, "values")))
        slack = 1e-9 * float(max(1.0, np.abs(values).max()))
        return Intervals(values, np.unique(values), 2 * float(self.tolerance), slack)

    def sentence(self, answer: Any, *, tolerance: float = 0.0) -> str:
        """Where the value lies."""
        name = self.values if isinstance(self.values, str) else "the value"
        return f"{name} lies in [{', '.join(enclosed(*answer))}]"


@dataclass(frozen=True, eq=False)
class Accepts:
    """A relation of your own: which candidates accept which answers.

    Parameters
    ----------
    table
        Booleans, a row for each answer and a column for each candidate. Every candidate accepts at least one answer;
        the first of them is the one it would give.
    names
        What to call the rows; 0..n-1 where none are given.

    Examples
    --------
    >>> table = Problem.from_table([[0.0, 0.5, 1.0]])
    >>> goal = Accepts([[True, True, False], [False, True, True]], names=["low", "high"])
    >>> goal.answers(table).preferred.tolist()
    [0, 0, 1]
    """

    table: npt.ArrayLike
    names: Iterable[Any] | None = None

    def answers(self, problem: Problem) -> Relation:
        """The rows of the table."""
        table = np.asarray(self.table)
        if table.dtype != np.bool_ or table.ndim != 2 or table.shape[1] != problem.n_targets:
            raise InvalidValueError(
                f"accepts must be booleans with a row for each answer and a column for each of the {problem.n_targets} "
                f"candidates, got an array of {table.dtype} with shape {table.shape}."
            )
        lost = np.flatnonzero(~table.any(axis=0))
        if lost.size:
            raise InvalidValueError(
                f"candidate {problem.targets[lost[0]]!r} accepts no answer; add one that it accepts."
            )
        labels = Labels(self.names, length=len(table), noun="answer")
        return relation(labels, table, table.argmax(axis=0))

    def sentence(self, answer: Any, *, tolerance: float = 0.0) -> str:
        """That the answer is right."""
        return f"the answer is {answer!r}"


def _for_each_target(problem: Problem, values: Any, noun: str) -> list[Any]:
    """One value for each candidate, from a sequence, a mapping by label, or the name of a parameter."""
    if isinstance(values, str):
        parameters = getattr(problem, "parameters", None) or {}
        if values not in parameters:
            known = ", ".join(map(repr, parameters)) or "none"
            raise InvalidValueError(f"the problem has no parameter {values!r}; it has {known}.")
        return list(parameters[values])
    if isinstance(values, Mapping):
        missing = next((label for label in problem.targets if label not in values), None)
        if missing is not None:
            raise InvalidValueError(f"{noun} must name every candidate; {missing!r} is missing.")
        return [values[label] for label in problem.targets]
    listed = [value.item() if isinstance(value, np.generic) else value for value in values]
    if len(listed) != problem.n_targets:
        raise InvalidValueError(
            f"{noun} must hold one entry for each of the {problem.n_targets} candidates, got {len(listed)}."
        )
    return listed
