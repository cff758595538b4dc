"""The state at one event: what a learner remembers of the moves of a ledger, and what they prove."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from numbers import Real
from typing import Any, NamedTuple

import numpy as np

from warmer.certification import Certificate, Certifier, FamilyCertifier, Goal
from warmer.certification.noise import Noise
from warmer.certification.surprise.audit import FEW, Audit, doubt_in_words, question_in_words, refuted_in_words
from warmer.estimation import fit_of
from warmer.model import Label, Problem, StoppingLearner
from warmer.model.checks import check_count
from warmer.model.contracts import CertifyingLearner
from warmer.model.errors import InvalidValueError, ProtocolError, calling
from warmer.model.readings import Readings
from warmer.model.words import span
from warmer.studies.records.ledger import Entry, Ledger, Move
from warmer.studies.spec import Spec

_MOST_REPETITIONS = 10**15
"""More than a double can count one by one is no count of experiments."""


class _Past(NamedTuple):
    """What a certifier alone has proven after some of the answers."""

    state: Any
    at: int = 0
    first: int = 0
    """After which answer, from 1, it first was proven; 0 where it never was."""
    words: str = ""
    """When that was withdrawn."""


class Engine:
    """What a learner has been told so far, and what that proves; it knows no history, which is the log's.

    Chance for ask number n comes from a key of the seed of its own: so the same answers in the same order give the
    same next query on every machine, however often somebody looked.
    """

    def __init__(self, spec: Spec) -> None:
        self.spec, self.problem = spec, spec.problem
        self.learner, self.certifier = spec.chooser, spec.certifier
        self._stopping = self.learner if isinstance(self.learner, StoppingLearner) else None
        keeper = self.learner if isinstance(self.learner, CertifyingLearner) else None
        self._proving = keeper if keeper is not None and keeper.certifier is self.certifier else None
        """The learner, where it keeps the evidence itself."""
        with calling(self.learner, "init"):
            self.state: Any = self.learner.init(self.chance(0))
        """What the learner remembers."""
        self.cost = 0.0
        """What the answers have cost; 1 per repetition where the problem declares no costs."""
        self.readings = Readings(self.problem.n_queries if isinstance(self.problem, Problem) else 0)
        """The answers that count, as numbers; none where there is no table."""
        self._watching: Any = None if self._proving is not None else self.certifier or fit_of(self.problem)
        self._own: Any = None if self._watching is None else self._watching.start()
        noise = None if self.certifier is None else self.certifier.noise
        self._noise = noise if isinstance(noise, Noise) else None
        self.audit = None if self.certifier is None else Audit(self.certifier)
        """Whether the answers bear out what was declared about the noise."""
        self._past = _Past(None)
        self._has_told_means = False

    @classmethod
    def replayed(cls, spec: Spec, ledger: Ledger) -> "Engine":
        """An engine that has been told everything that counts."""
        engine = cls(spec)
        engine._tell(ledger.told)
        return engine

    def tell(self, moves: Iterable[Move]) -> None:
        """Go on with these moves, which were checked when they were recorded."""
        self._tell([move for move in moves if move.kind == "tell"])

    def _tell(self, told: Sequence[Move | Entry]) -> None:
        if not told:
            return
        places = {label: self.problem.queries.position(label) for label in {answer.query for answer in told}}
        queries = [places[answer.query] for answer in told]
        rewards, counts = [answer.reward for answer in told], [answer.count for answer in told]
        with calling(self.learner, "tell"):
            self.state = _told(self.learner, self.learner.tell, self.state, queries, rewards, counts)
        if self._watching is not None:
            self._own = _told(self._watching, self._watching.update, self._own, queries, rewards, counts)
        if isinstance(self.problem, Problem):
            self.readings.extend(queries, rewards, counts)
        if self.audit is not None:
            self.audit.tell(queries, rewards, counts)
        costs = getattr(self.problem, "costs", None)
        self.cost += sum(counts) if costs is None else float(costs[queries] @ np.array(counts, dtype=float))

    def checked(self, query: Label, reward: Any, count: int = 1) -> float:
        """The reward as a number, or `InvalidValueError` where it cannot be an answer to this query."""
        check_count("count", count, most=_MOST_REPETITIONS)
        position = self.problem.queries.position(query)
        low, high = self.problem.reward_range
        try:
            value = float(reward) if isinstance(reward, Real) else math.nan
        except OverflowError:
            value = math.inf
        if not math.isfinite(value) or (self.spec.outside == "refuse" and not low <= value <= high):
            is_keepable = math.isfinite(value) and not self.spec.range_reason
            raise InvalidValueError(
                f"the answer to {query!r} must be a number in {span(low, high)}, got {reward!r}; "
                "nothing was recorded, tell it again when it is known."
                + (' Honest readings beyond the range are kept with outside="keep".' if is_keepable else "")
            )
        if self._noise is not None:
            with calling(self._noise, "check"):
                self._noise.check(self.problem, position, value, count)
        if count > 1 and not self._has_told_means:
            with calling(self.learner, "tell"):  # it may refuse means
                self.learner.tell(self.learner.init(self.chance(0)), position, value, count)
            self._has_told_means = True
        return value

    def chance(self, *key: int) -> np.random.Generator:
        """The lots of one purpose: (0,) for the start, (1, n) for the query after n others."""
        return np.random.default_rng(np.random.SeedSequence(self.spec.seed, spawn_key=key))

    @property
    def evidence(self) -> Any:
        """What the certifier remembers; the fit's memory where there is none."""
        return self._own if self._proving is None else self._proving.evidence(self.state)

    @property
    def is_settled(self) -> bool:
        """Whether nothing more need be asked; never where the certificate of a learner that proves is withheld."""
        return self._is_done and not self.hindrance

    @property
    def is_at_rest(self) -> bool:
        """Whether nothing is gained by asking: settled, or nothing can be proven as declared."""
        return self._is_done or bool(self.hindrance)

    @property
    def hindrance(self) -> str:
        """Why answers to what the learner asks can prove nothing, as noise and table were declared; empty else."""
        if self._proving is None or not (self._is_done or self.is_misspecified):
            return ""
        found = self.certificate()
        return found.reason if found.is_misspecified or found.question else ""

    @property
    def _is_done(self) -> bool:
        return self._stopping is not None and bool(self._stopping.is_done(self.state))

    def recommend(self) -> Label:
        """The query to settle on: the learner's, if it is done; else the best of the likeliest remaining candidate."""
        return self.problem.queries[self._recommended()]  # type: ignore[no-any-return]

    @property
    def remaining(self) -> Sequence[Label]:
        """The candidates still possible."""
        if not isinstance(self.problem, Problem):
            raise ProtocolError(
                f"{type(self.problem).__name__} has no table in memory; certificate().intervals says what is "
                "known of each query."
            )
        self._certifier_or_error().check_declared()
        return [self.problem.targets[k] for k in np.flatnonzero(self.evidence.possible).tolist()]

    @property
    def is_misspecified(self) -> bool:
        """Whether the data contradict every candidate, or refute the declared noise."""
        is_contradicted = bool(self._certifier_or_error().is_misspecified(self.evidence))
        return is_contradicted or bool(self._refuted)

    def certificate(self, goal: Goal | None = None) -> Certificate:
        """Whether the goal, or another one, is proven; and if not, which remaining candidates object."""
        certifier = self._certifier_or_error()
        if goal is None and not self.spec.has_goal:
            raise ProtocolError(
                "say what is to be decided: Session(..., goal=goals.BestQuery(0.05)), or certificate(goal)."
            )
        certificate: Certificate = certifier.certificate(self.evidence, goal)
        return self._audited(certificate, is_own=goal is None)

    @property
    def _refuted(self) -> str:
        """Why the declared noise is refuted: whatever the candidates are, or while one remains that may be true."""
        audit = self.audit
        if audit is None or (audit.refuted_anyhow_at is None and self.certifier.is_misspecified(self.evidence)):
            return ""
        return refuted_in_words(self.certifier.noise, audit)

    def _audited(self, certificate: Certificate, *, is_own: bool) -> Certificate:
        """The certificate, withheld where the declared noise is refuted or readings look rounded."""
        assert self.audit is not None
        least = 1 if certificate.is_proven else FEW
        refuted, question = self._refuted, question_in_words(self.audit, least=least)
        doubt = doubt_in_words(self.certifier.noise, self.audit)
        if not (refuted or question or doubt or certificate.is_misspecified):
            return certificate
        is_proven = certificate.is_proven and not refuted and not question
        withdrawn = "" if is_proven or not is_own else self._withdrawn()
        return replace(
            certificate, is_proven=is_proven, refuted=refuted, question=question, doubt=doubt, withdrawn=withdrawn
        )

    def _withdrawn(self) -> str:
        """When the goal was first proven, and when that was withdrawn; empty where neither came.

        Answers are told once more, each of them once for good.
        """
        assert self.audit is not None
        told, past = self.audit.told, self._past
        refuted_at = self.audit.refuted_at or self.audit.refuted_anyhow_at or len(told) + 1
        while not past.words and past.at < len(told):
            state = self.certifier.start() if past.at == 0 else past.state
            state, at = self.certifier.update(state, *told[past.at]), past.at + 1
            is_asked = bool(question_in_words(self.audit, at, least=1))
            stands = self.certifier.is_settled(state) and at < refuted_at and not is_asked
            words = f"proven at answer {past.first}, withdrawn at {at}" if past.first and not stands else ""
            past = self._past = _Past(state, at, past.first or (at if stands else 0), words)
        return past.words

    def _certifier_or_error(self) -> Any:
        if self.certifier is None:
            raise ProtocolError(
                f"{type(self.problem).__name__} has no table in memory; say what is to be decided: "
                "Session(..., goal=goals.BestQuery(0.05))."
            )
        return self.certifier

    def _recommended(self) -> Any:
        if self._stopping is not None and self._is_done:
            return self._stopping.recommend(self.state)
        if self.certifier is None:
            return self.problem.best_query(self._watching.estimate(self._own))
        return self.certifier.recommended_query(self.evidence)


def _told(who: Any, tell: Any, state: Any, queries: list[Any], rewards: list[float], counts: list[int]) -> Any:
    """The state after some answers: by one replay where there are many and that is offered."""
    if len(queries) > 1 and isinstance(who, CertifyingLearner | Certifier | FamilyCertifier):
        return who.replay(state, queries, rewards, counts)
    for answer in zip(queries, rewards, counts, strict=True):
        state = tell(state, *answer)
    return state
