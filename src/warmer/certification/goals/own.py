"""Goals of a user's own, and the answers they give: looked at once, before anything is asked."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from warmer.certification.answers import Answers, Relation
from warmer.certification.goals.goal import Goal
from warmer.model import Array, Problem
from warmer.model.checks import check_has
from warmer.model.errors import InvalidValueError, calling, giver_of, is_own

_MOST = 1 << 22
"""Pairs of an answer and a candidate that are looked at, and at least so many answers as below."""
_LEAST = 16
_ANSWERS = ("names", "preferred", "is_partition", "accepts", "accepted_by", "told_apart", "watch", "settled")


def answers_of(goal: Goal, problem: Problem) -> Answers:
    """The answers of a goal for a table; those of a goal of the user's own are looked at.

    Examples
    --------
    >>> from warmer.certification.goals import BestQuery
    >>> answers_of(BestQuery(0.25), Problem.from_table([[1.0, 0.0]])).preferred.tolist()
    [0, 0]
    """
    if not is_own(goal):
        return goal.answers(problem)
    giver = giver_of(goal, "answers")
    with calling(goal, "answers"):
        answers = goal.answers(problem)
    if not isinstance(answers, Relation):
        check_has(f"{giver} must give answers such as those of goals.Accepts(...)", answers, *_ANSWERS)
    if is_own(answers):
        answers = _Heard(answers, problem.n_targets)
    with calling(goal, "answers"):
        n_answers, preferred = len(answers.names), np.asarray(answers.preferred)
    if n_answers == 0:
        raise InvalidValueError(f"{giver} must give one possible answer at least, got none.")
    _check_indices(f"preferred of {giver}", preferred, problem.n_targets, n_answers)
    if isinstance(answers, Relation):
        _check_relation(giver, answers, problem.n_targets)
    looked_at = np.unique(preferred)
    for answer in looked_at[: max(_LEAST, _MOST // problem.n_targets)].tolist():
        with calling(goal, "answers"):
            accepts = answers.accepts(answer)
        _check_mask(f"accepts({answer}) of {giver}", accepts, problem.n_targets)
        for target in np.flatnonzero(~accepts & (preferred == answer))[:1]:
            raise InvalidValueError(
                f"in {giver} candidate {problem.targets[int(target)]!r} would give the answer "
                f"{answers.names[answer]!r} and does not accept it; each must accept what it prefers."
            )
    return answers


def sentence_of(goal: Goal, answer: Any, tolerance: float) -> str:
    """What it means that an answer is right, in the words of the goal."""
    if not is_own(goal):
        return goal.sentence(answer, tolerance=tolerance)
    with calling(goal, "sentence"):
        sentence = goal.sentence(answer, tolerance=tolerance)
    if not isinstance(sentence, str):
        raise InvalidValueError(f"{giver_of(goal, 'sentence')} must give a sentence, got {sentence!r}.")
    return sentence


@dataclass(frozen=True, eq=False)
class _Heard:
    """Answers of the user's own; what they say is looked at each time."""

    own: Answers
    n_targets: int

    @cached_property
    def names(self) -> Any:
        """What the user calls each answer."""
        return self.own.names

    @cached_property
    def preferred(self) -> Array:
        """For each candidate the answer to give if it were the truth."""
        return np.asarray(self.own.preferred)

    @cached_property
    def is_partition(self) -> bool:
        """Whether every candidate accepts one answer alone."""
        return self.own.is_partition

    def accepts(self, answer: int, targets: Any = slice(None)) -> Array:
        """Which candidates, or which of some, call this answer right."""
        with calling(self.own, "accepts"):
            accepts = self.own.accepts(answer, targets)
            n_targets = np.empty(self.n_targets, dtype=bool)[targets].size
        _check_mask(giver_of(self.own, "accepts"), accepts, n_targets)
        return accepts

    def accepted_by(self, target: int) -> Array:
        """The answers that a candidate calls right."""
        with calling(self.own, "accepted_by"):
            found = np.asarray(self.own.accepted_by(target))
        _check_indices(giver_of(self.own, "accepted_by"), found, found.size, len(self.names))
        return found

    def told_apart(self, targets: Array, weights: Array, n_most: int) -> tuple[Array, int]:
        """Some candidates in groups."""
        with calling(self.own, "told_apart"):
            groups, n = self.own.told_apart(targets, weights, n_most)
            groups = np.asarray(groups)
        _check_indices(giver_of(self.own, "told_apart"), groups, len(targets), n)
        return groups, n

    def watch(self) -> Array:
        """Objecting candidates that are known."""
        with calling(self.own, "watch"):
            watched = self.own.watch()
        if not isinstance(watched, np.ndarray):
            raise InvalidValueError(f"{giver_of(self.own, 'watch')} must give an array, got {watched!r}.")
        return watched

    def settled(self, watched: Array, possible: Array, preferred: int, places: Array | None = None) -> int | None:
        """The answer that all possible candidates accept; what the user's own says is compared with who accepts it."""
        with calling(self.own, "settled"):
            found: Any = self.own.settled(watched, possible, preferred, places)
        if found is None:
            return None
        giver = giver_of(self.own, "settled")
        _check_indices(giver, np.asarray([found]), 1, len(self.names))
        targets = np.flatnonzero(possible) if places is None else places[possible]
        if not self.accepts(int(found), targets).all():
            raise InvalidValueError(
                f"{giver} says that {self.names[int(found)]!r} is accepted by all candidates that are left, and one of "
                "them does not accept it."
            )
        return int(found)


def _check_relation(giver: str, answers: Relation, n_targets: int) -> None:
    values, limits, names = np.asarray(answers.values), np.asarray(answers.limits), answers.names
    for name, array, shape in (("values", values, (len(names), n_targets)), ("limits", limits, (n_targets,))):
        if array.shape != shape or array.dtype.kind not in "fiub":
            raise InvalidValueError(
                f"{name} of {giver} must be numbers of shape {shape}, got an array of {array.dtype} of shape "
                f"{array.shape}."
            )
        if np.isnan(array).any():
            raise InvalidValueError(f"{name} of {giver} must be numbers, got NaN.")
    given = np.asarray(answers.answers)
    _check_indices(f"answers of {giver}", given, given.size, len(names))


def _check_mask(name: str, mask: Any, n_targets: int) -> None:
    """Raise unless this says yes or no for each candidate."""
    if not isinstance(mask, np.ndarray) or mask.dtype != bool or mask.shape != (n_targets,):
        what = f"an array of {mask.dtype} of shape {mask.shape}" if isinstance(mask, np.ndarray) else f"{mask!r}"
        raise InvalidValueError(f"{name} must be an array of {n_targets} booleans, one per candidate, got {what}.")


def _check_indices(name: str, indices: Array, n_targets: int, n_answers: int) -> None:
    """Raise unless these are so many indices of answers."""
    if indices.shape != (n_targets,) or indices.dtype.kind not in "iu":
        raise InvalidValueError(
            f"{name} must be {n_targets} whole numbers, indices of answers, got an array of {indices.dtype} of shape "
            f"{indices.shape}."
        )
    if indices.size and not 0 <= indices.min() <= indices.max() < n_answers:
        raise InvalidValueError(
            f"{name} must be indices of answers from 0 to {n_answers - 1}, got {indices.min()} to {indices.max()}."
        )
