"""What a session or a study was set up with, and the learner and the certifier that this makes."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from warmer.certification import certifier_for
from warmer.certification.goals import WhichTarget
from warmer.certification.noise import check_outside, range_reason
from warmer.learners import TopTwo
from warmer.model import Label, Learner, Problem, RoundLearner
from warmer.model.checks import check_count, check_learner
from warmer.model.contracts import CertifyingLearner
from warmer.model.errors import InvalidValueError, StorageError
from warmer.simulation.own_parts import LegalQueries
from warmer.studies.formats.declarations import form_of, value_of
from warmer.studies.formats.stored_problems import digest_of
from warmer.studies.records.plain import dumps

VERSION = 1
"""Of the JSON form."""

_DECLARED = ("goal", "noise", "delta", "prior", "tolerance", "learner", "seed", "outside", "unit")
_LONGEST_UNIT = 20


@dataclass(frozen=True, eq=False)
class Spec:
    """What a session or a study was set up with: it never changes.

    Examples
    --------
    >>> from warmer import goals, noise
    >>> table = Problem.from_table([[0.0, 1.0]])
    >>> text = Spec(table, goal=goals.BestQuery(0.1), noise=noise.SubGaussian(0.5), seed=7).text
    >>> read_spec(text, lambda digest: table).noise
    SubGaussian(sigma=0.5)
    """

    problem: Any
    """The table, or a class of targets."""
    goal: Any = None
    noise: Any = None
    delta: float | None = None
    prior: Any = None
    tolerance: float | None = None
    learner: Any = None
    """Who chooses the queries; `TopTwo` where None."""
    seed: int = 0
    outside: str = "refuse"
    """What becomes of answers outside the reward range: refuse or keep them."""
    unit: str | None = None
    """What rewards are measured in, for people."""

    def __post_init__(self) -> None:
        check_count("seed", self.seed, least=0)
        if self.unit is not None and not (0 < len(self.unit) <= _LONGEST_UNIT and self.unit.isprintable()):
            raise InvalidValueError(f"a unit has 1 to {_LONGEST_UNIT} printable characters, got {self.unit!r}.")
        if self.learner is not None:
            check_learner("a study", self.learner)
        if self.learner is not None and self.learner.problem is not self.problem:
            raise InvalidValueError("the learner must be made for the problem of the study.")
        if self.outside != "refuse":
            check_outside(self.outside, self.problem, self.range_reason)

    @cached_property
    def chooser(self) -> Learner[Any]:
        """The learner that chooses the queries."""
        if self.learner is not None:
            learner: Learner[Any] = self.learner
            return learner
        if self.goal is None:
            raise InvalidValueError(
                "a session with a problem needs to know what is to be decided: goal=goals.BestQuery(0.05)."
            )
        return TopTwo(self.problem, self.goal, delta=self._delta, **self._given)

    @cached_property
    def certifier(self) -> Any:
        """What keeps the evidence: the learner's own where nothing else is declared; None for a class without a table
        and without a goal.
        """
        is_new = any(value is not None for value in (self.goal, self.delta, *self._given.values()))
        own = self.chooser.certifier if isinstance(self.chooser, CertifyingLearner) else None
        if own is not None and (not is_new or own.goal is self.goal):
            return own
        if self.goal is None and not isinstance(self.problem, Problem):
            return None
        goal = WhichTarget() if self.goal is None else self.goal
        return certifier_for(self.problem, goal, delta=self._delta, **self._given)

    @cached_property
    def legal_queries(self) -> LegalQueries:
        """The queries that the problem allows to be asked."""
        return LegalQueries(self.problem)

    @cached_property
    def has_goal(self) -> bool:
        """Whether somebody said what is to be decided."""
        return self.goal is not None or isinstance(self.chooser, CertifyingLearner)

    @cached_property
    def counts_rounds(self) -> bool:
        """Whether the learner's guarantee counts rounds: it then learns from answers to its own queries alone."""
        return isinstance(self.chooser, RoundLearner) and self.chooser.counts_rounds

    @cached_property
    def range_reason(self) -> str:
        """Why answers must lie in the reward range; empty where everything that is proven holds without that."""
        own = self.chooser.certifier if isinstance(self.chooser, CertifyingLearner) else self.certifier
        certifiers = [each for each in (self.certifier, own) if each is not None]
        return range_reason(self.chooser, *certifiers) or ("" if certifiers else "Bounded() says that there are none")

    def check_shareable(self) -> None:
        """Raise where several people cannot ask at once."""
        if self.counts_rounds:
            raise InvalidValueError(
                f"{type(self.learner).__name__} counts rounds, and a study has several queries under way; use TopTwo, "
                "which learns from any data."
            )

    def label(self, query: Any) -> Label:
        """A query by label or index as the log has it: a vector is a tuple of numbers there."""
        label = self.problem.queries[self.problem.queries.position(query)]
        return tuple(label.tolist()) if isinstance(label, np.ndarray) else label

    def shown(self, query: Label) -> Any:
        """A query of the log as its problem names it."""
        return self.problem.queries[self.problem.queries.position(query)]

    @cached_property
    def digest(self) -> str:
        """A name for the problem and no other."""
        return digest_of(self.problem)

    @property
    def text(self) -> str:
        """As JSON; what was not declared is left out."""
        return self.text_about(self.digest)

    def text_about(self, digest: str) -> str:
        """As JSON, where the digest of the problem is known."""
        given = {name: getattr(self, name) for name in _DECLARED}
        if self.outside == "refuse":
            del given["outside"]  # what is new is left out where it is silent: two studies are compared by this text
        forms = {name: form_of(name, value) for name, value in given.items() if value is not None}
        return dumps({"version": VERSION, "problem": digest, **forms})

    @property
    def _given(self) -> dict[str, Any]:
        return {"noise": self.noise, "prior": self.prior, "tolerance": self.tolerance}

    @property
    def _delta(self) -> float:
        return 0.05 if self.delta is None else self.delta


def read_spec(text: str, problem_of: Callable[[str], Any]) -> Spec:
    """A specification from its JSON; `problem_of` gives the problem with a digest."""
    form = json.loads(text)
    if form["version"] != VERSION:
        raise StorageError(
            f"the study was set up by a newer warmer (form {form['version']}); upgrade warmer to open it."
        )
    problem = problem_of(form["problem"])
    return Spec(problem, **{name: value_of(form[name], problem) for name in _DECLARED if name in form})
