"""What every goal can do."""

from typing import Any, Protocol, runtime_checkable

from warmer.certification.answers import Answers
from warmer.model import Problem
from warmer.model.checks import check_has


@runtime_checkable
class Goal(Protocol):
    """What is to be decided."""

    def answers(self, problem: Problem) -> Answers:
        """The possible answers for a table, and who accepts which."""
        ...

    def sentence(self, answer: Any, *, tolerance: float = 0.0) -> str:
        """What it means that an answer is right, if the table's entries are right up to a tolerance."""
        ...


def check_goal(goal: Any) -> Goal:
    """Return what is a goal, as far as one can see; a class or a name is none."""
    check_has("goal must be a goal such as goals.BestQuery(0.05)", goal, "answers", "sentence")
    found: Goal = goal
    return found
