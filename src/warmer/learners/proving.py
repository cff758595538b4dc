r"""Learners that ask for the sake of a proof, and stop when they have it.

All remember the same: the evidence against each candidate (`certification.Certifier`). They differ in what they ask
next.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from warmer.certification import Certifier, Evidence, FamilyCertifier, Sample, certifier_for
from warmer.certification.certifier import Declared
from warmer.learners import kernels
from warmer.model import Array

_N_TRUTHS = 8
"""How many of them are taken for the truth in turn, to guess what the queries under way will tell."""
_UNREAD = np.empty(0)
"""Means, where variances do not depend on them: only those of coins do."""
N_ANSWERS = 8
"""How many answers, those of the likeliest candidates, are considered for the leading one."""


@dataclass(frozen=True, eq=False)
class Proving(Declared):
    """What all learners that prove share: the evidence, and the stop."""

    _certifier_for: ClassVar[Callable[..., Any]] = Certifier

    def __post_init__(self) -> None:
        _ = self.certifier  # raises for what does not fit the table

    @cached_property
    def certifier(self) -> Any:
        """What keeps the evidence and says when the goal is settled."""
        return type(self)._certifier_for(self.problem, self.goal, **self.declared)

    def init(self, rng: np.random.Generator) -> Any:
        """Every candidate is possible."""
        return self.certifier.start()

    def tell(self, state: Any, query: Any, reward: float, count: int = 1) -> Any:
        """One more answer."""
        return self.certifier.update(state, query, reward, count)

    def replay(self, state: Any, queries: Sequence[Any], rewards: Sequence[float], counts: Sequence[int]) -> Any:
        """Many answers, in order: the same state, bit for bit, as one `tell` for each, in a compiled loop."""
        return self.certifier.replay(state, queries, rewards, counts)

    def evidence(self, state: Any) -> Any:
        """All that is remembered."""
        return state

    def is_done(self, state: Any) -> bool:
        """Whether the goal is settled, or the data contradict every candidate."""
        evidence = self.evidence(state)
        return bool(self.certifier.is_settled(evidence) or self.certifier.is_misspecified(evidence))

    def recommend(self, state: Any) -> Any:
        """The query to settle on: the proven one where that is the goal, else the best of the likeliest candidate."""
        return self.certifier.recommended_query(self.evidence(state))

    def ask(self, state: Any, rng: np.random.Generator) -> Any:
        """The query to make next; the recommendation where nothing is left to ask."""
        return self.ask_beside(state, rng, ())

    def ask_beside(self, state: Any, rng: np.random.Generator, pending: Sequence[Any]) -> Any:
        """The query to make next while others are under way: as if these had been answered as expected."""
        return self.recommend(state) if self.is_done(state) else self._most_telling(state, rng, pending)

    def _most_telling(self, state: Any, rng: np.random.Generator, pending: Sequence[Any]) -> Any:
        """The query whose answer is expected to say most, per cost."""
        gains = self._likely_gains(state, rng, pending)
        if gains is None:
            others = self.certifier.objectors(state)
            gains = self._gains(state, others, np.arange(others.weights.size) // (others.weights.size - 1), 2)
        legal, costs = self.problem.legal_queries, self.problem.costs
        return int(legal[(gains if costs is None else gains / np.maximum(costs[legal], 1e-300)).argmax()])

    def _likely_gains(self, state: Evidence, rng: np.random.Generator, pending: Sequence[int]) -> Array | None:
        """What an answer to each legal query is expected to tell; None where the likely candidates all agree."""
        sample = self.certifier.sample(state, rng)
        gains = self._expected_gains(state, sample)
        if pending and gains is not None:
            truths = rng.choice(sample.weights.size, _N_TRUTHS, p=sample.weights)
            beside = [self._expected_gains(state, self._after(state, sample, int(truth), pending)) for truth in truths]
            gains = np.sum([found for found in beside if found is not None] or [gains], axis=0)
        return gains

    def _expected_gains(self, state: Evidence, sample: Sample) -> Array | None:
        """The same, from a sample."""
        groups, n_groups = self._groups(sample)
        return self._gains(state, sample, groups, n_groups) if n_groups > 1 else None

    def _gains(self, state: Evidence, sample: Sample, groups: Array, n_groups: int) -> Array:
        """What an answer to each legal query is expected to tell about the groups, in nats."""
        legal, information = self.problem.legal_queries, kernels.information
        drawn = sample.columns, sample.rows, legal, sample.weights, groups, n_groups
        if self.certifier.process.is_coin:
            sums = information.group_sums(*drawn)
            return np.asarray(information.coin_information(*sums, *self.problem.reward_range))
        return np.asarray(information.normal_gains(*drawn, self.certifier.variances(state, legal, _UNREAD)))

    def _groups(self, sample: Sample) -> tuple[Array, int]:
        """The groups of candidates to tell apart, numbered from 0, and a number above all of these."""
        raise NotImplementedError

    def _after(self, state: Evidence, sample: Sample, truth: int, pending: Sequence[int]) -> Sample:
        """The weights when pending queries have been answered as one of the candidates expects."""
        behind = np.zeros(sample.weights.size)
        for query in pending:
            means = sample.columns[sample.rows, query]
            noise = self.certifier.variances(state, np.array([query]), means[[truth]])[0]
            behind += (means - means[truth]) ** 2 / (2 * noise)
        after = sample.weights * np.exp(-behind)
        return sample._replace(weights=after / after.sum())


@dataclass(frozen=True, eq=False)
class TopTwo(Proving):
    r"""Ask what best tells the leading answer from the others, until one is proven.

    The leading answer is the one that candidates of the largest total weight accept; they form one group, and those
    who object to it one group for each answer they would give. It asks the query with the largest
    $\frac12\ln(1+v_a/\sigma_a^2)$ per cost, where $v_a$ is the variance over groups of the mean reward of query $a$,
    and $\sigma_a^2$ that of the noise. Weights choose queries only; what is proven rests on the evidence alone.
    Intervals of `goals.ValueOf` overlap, so one leads only when candidates of 4/5 of the weight accept it; before, it
    asks as `MaxInformation` does.

    For K arms it asks the leader or its closest challenger, each with the share of the evidence between them that it
    holds; for a linear class the action that best tells the two apart.

    Parameters
    ----------
    problem
        The table, or a class of targets: K arms, linear (also on a ball or a sphere), or linear behind a link.
    goal, noise, delta, prior, tolerance
        As for `certification.Certifier`: what is to be decided, what is declared about the noise, the probability with
        which a proof may be wrong, weights of the candidates, and how wrong the table's entries may be.

    Examples
    --------
    >>> from warmer import Problem, goals, noise
    >>> problem = Problem.from_table([[0.0, 1.0], [0.5, 0.0]])
    >>> learner = TopTwo(problem, goals.WhichTarget(), noise=noise.SubGaussian(0.5))
    >>> rng = np.random.default_rng(0)
    >>> state = learner.init(rng)
    >>> learner.ask(state, rng)
    0
    >>> learner.is_done(learner.tell(state, 0, 1.0, count=4))
    True
    """

    _certifier_for = certifier_for

    def _most_telling(self, state: Any, rng: np.random.Generator, pending: Sequence[Any]) -> Any:
        if isinstance(self.certifier, FamilyCertifier):
            return self.certifier.most_telling(state, rng, pending)
        return super()._most_telling(state, rng, pending)

    def _likely_gains(self, state: Evidence, rng: np.random.Generator, pending: Sequence[int]) -> Array | None:
        watched = None if pending or self.certifier.process.is_coin else self.certifier.watched(state)
        if watched is None:
            return super()._likely_gains(state, rng, pending)
        legal = self.problem.legal_queries
        settings: Any = legal, self.certifier.variances(state, legal, _UNREAD), N_ANSWERS, rng.random()
        gains = kernels.choosing.expected_gains(*watched, *settings)
        return gains if gains.size else None

    def _groups(self, sample: Sample) -> tuple[Array, int]:
        """Those who accept the leading answer, where one leads, and the others by the answer they would give."""
        return sample.answers.told_apart(sample.targets, sample.weights, N_ANSWERS)


@dataclass(frozen=True, eq=False)
class MaxInformation(Proving):
    r"""Ask the query whose answer is expected to say most about the goal's answer, until it is proven.

    With `goals.WhichTarget()` this is the rule of adaptive design optimisation. Coins are weighed by their entropies,
    other noise by $\frac12\ln(1+v_a/\sigma_a^2)$ with $v_a$ the variance that the answer explains.

    Examples
    --------
    >>> from warmer import Problem, goals, noise
    >>> problem = Problem.from_table([[0.25, 0.5], [0.0, 0.75]], reward_range=(0, 1))
    >>> learner = MaxInformation(problem, goals.WhichTarget(), noise=noise.Coin())
    >>> rng = np.random.default_rng(0)
    >>> learner.ask(learner.init(rng), rng)
    1
    """

    def _groups(self, sample: Sample) -> tuple[Array, int]:
        """By the answer that each candidate would give."""
        choices, groups = np.unique(sample.answers.preferred[sample.targets], return_inverse=True)
        return groups, choices.size
