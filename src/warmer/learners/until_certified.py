"""Stop as soon as the answer is proven."""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np

from warmer.bounds import Promise
from warmer.certification import Goal, certifier_for
from warmer.certification.goals import BestQuery
from warmer.model import BatchLearner, Learner, RoundLearner, StoppingLearner
from warmer.model.checks import check_learner
from warmer.model.errors import ProtocolError


class Watched(NamedTuple):
    """The base's state, and the evidence against each candidate."""

    base: Any
    evidence: Any


@dataclass(frozen=True, eq=False)
class UntilCertified:
    r"""Let any learner ask until the goal is proven.

    The candidates still possible are those of a `Certifier`: what the base believes about the noise plays no part. A
    base that stops by itself is heeded: around `PAC` this is its practical form, which never asks more than `PAC`
    would, and is wrong with probability at most the sum of the two deltas. Where the data contradict every candidate
    nothing is proven: it then goes on until the base is done, if it ever is, and `is_misspecified` says so.

    The base is a learner for a table, for K arms or for a linear class; the other parameters are those of `TopTwo`.

    Examples
    --------
    >>> from warmer import goals, noise
    >>> from warmer.learners import PAC, LeastSquares
    >>> from warmer.model import Problem
    >>> problem = Problem.from_table([[0.0, 1.0], [0.5, 0.0]])
    >>> long = PAC(LeastSquares(problem, alpha=0.5), epsilon=0.25, delta=0.025)
    >>> learner = UntilCertified(long, goals.BestQuery(0.25), noise=noise.SubGaussian(0.5), delta=0.025)
    >>> rng = np.random.default_rng(0)
    >>> state, n_asked = learner.init(rng), 0
    >>> while not learner.is_done(state):
    ...     query = learner.ask(state, rng)
    ...     state, n_asked = learner.tell(state, query, reward=problem.rho[query, 1]), n_asked + 1
    >>> learner.recommend(state), n_asked, long.plan.n_queries
    (0, 3, 146942)
    """

    base: Learner[Any]
    goal: Goal
    _: KW_ONLY
    noise: Any = None
    delta: float = 0.05
    prior: Any = None
    tolerance: float | None = None

    def __post_init__(self) -> None:
        check_learner("UntilCertified", self.base)
        self.certifier.check_declared()

    problem = property(attrgetter("base.problem"))

    @cached_property
    def certifier(self) -> Any:
        """What keeps the evidence and says when the goal is settled."""
        declared = {"noise": self.noise, "delta": self.delta, "prior": self.prior, "tolerance": self.tolerance}
        return certifier_for(self.problem, self.goal, **declared)

    @property
    def promise(self) -> Promise:
        """What holds of the recommendation when it stops, by certificate or by the base's own rule."""
        epsilon = self.goal.epsilon if isinstance(self.goal, BestQuery) else 0.0
        if not isinstance(self.base, StoppingLearner):
            return Promise(epsilon=epsilon, delta=self.delta, is_proven=True, reason="anytime certificate")
        other = getattr(self.base, "promise", None)
        if other is None:
            reason = f"{type(self.base).__name__} may stop before the certificate, and guarantees nothing"
            return Promise(epsilon=epsilon, delta=self.delta, is_proven=False, reason=reason)
        is_proven = other.is_proven and isinstance(self.goal, BestQuery) and other.epsilon <= epsilon
        reason = f"anytime certificate, else {other.reason}"
        return Promise(epsilon=epsilon, delta=self.delta + other.delta, is_proven=is_proven, reason=reason)

    @property
    def counts_rounds(self) -> bool:
        """Whether the base's guarantee counts rounds."""
        return isinstance(self.base, RoundLearner) and self.base.counts_rounds

    def init(self, rng: np.random.Generator) -> Watched:
        """Every candidate is possible."""
        return Watched(self.base.init(rng), self.certifier.start())

    def ask(self, state: Watched, rng: np.random.Generator) -> Any:
        """What the base asks, and the recommendation when that is over."""
        return self.recommend(state) if self.is_done(state) else self.base.ask(state.base, rng)

    def ask_beside(self, state: Watched, rng: np.random.Generator, pending: Sequence[Any]) -> Any:
        """What the base asks while others are under way, if it minds them."""
        if self.is_done(state) or not isinstance(self.base, BatchLearner):
            return self.ask(state, rng)
        return self.base.ask_beside(state.base, rng, pending)

    def tell(self, state: Watched, query: Any, reward: float, count: int = 1) -> Watched:
        """One more answer."""
        evidence = self.certifier.update(state.evidence, query, reward, count)
        return Watched(self.base.tell(state.base, query, reward, count), evidence)

    def replay(
        self, state: Watched, queries: Sequence[Any], rewards: Sequence[float], counts: Sequence[int]
    ) -> Watched:
        """Many answers, in order; those against the candidates in a compiled loop."""
        base, told = state.base, zip(queries, rewards, counts, strict=True)
        for query, reward, count in told:
            base = self.base.tell(base, query, reward, count)
        return Watched(base, self.certifier.replay(state.evidence, queries, rewards, counts))

    def evidence(self, state: Watched) -> Any:
        """The evidence within the state."""
        return state.evidence

    def is_misspecified(self, state: Watched) -> bool:
        """Whether the data contradict every candidate, wrongly with probability at most delta over all time."""
        return bool(self.certifier.is_misspecified(state.evidence))

    def is_done(self, state: Watched) -> bool:
        """Whether the goal is proven, or the base is done."""
        is_settled: bool = self.certifier.is_settled(state.evidence)
        return is_settled or (self._stopping_base is not None and self._stopping_base.is_done(state.base))

    def recommend(self, state: Watched) -> Any:
        """The query to settle on when the goal is proven; else what the base settled on."""
        if self.certifier.is_settled(state.evidence):
            return self.certifier.recommended_query(state.evidence)
        if self._stopping_base is not None and self._stopping_base.is_done(state.base):
            return self._stopping_base.recommend(state.base)
        if self.is_misspecified(state):
            raise ProtocolError(
                "nothing is proven: the data contradict every candidate; check the table and the noise."
            )
        raise ProtocolError("nothing is proven yet; ask and tell until is_done.")

    @cached_property
    def _stopping_base(self) -> StoppingLearner[Any] | None:
        """The base, if it stops by itself; asked once, since a look at a protocol takes as long as a step."""
        return self.base if isinstance(self.base, StoppingLearner) else None
