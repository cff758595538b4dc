r"""Whether an environment's mean answers are those that the problem has for its target.

An environment of the user's own that names a target, and whose means contradict the problem's table, is a mistake: a
sign, a transposed table, an index that is off by one. What it declares by `expected` is compared before round 1. What
it answers is tested after the runs, over all of them. Answers $r_i$ in a range of length $2s$ are $s$-sub-Gaussian
around their mean given the past (Hoeffding's lemma), so the residuals $r_i-m_i$ of the answers to one query, $m_i$
being the problem's mean, are within `bounds.radii.arm_radius` of 0 at all times, for all queries at once, with
probability at least $1-\delta$: the proof there needs no more than that each residual is so given the past, whichever
query is asked and whenever runs end. The residuals of all queries that should earn much, and of all that should earn
little, are two more such sums; they find a wrong sign where each query is asked a few times only. A mean that may be
off by a tolerance moves a sum of $n$ residuals by at most $n$ times that. Here $\delta=10^{-6}$ for all of one
simulation.

A truth that is in no column of the table is a legitimate experiment: an environment that names no target is compared
with all candidates, and where each is contradicted, that is one of the `caveats` of the runs. Where answers outside the
range are kept nothing bounds them, and none is tested. An adversary of the user's own declares `tau`, how far its means
may be from the table, or names no target.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import numpy as np

from warmer.bounds.radii import arm_radius
from warmer.environments import FunctionEnvironment
from warmer.model import Array, Environment, Problem
from warmer.model.checks import check_not_negative
from warmer.model.errors import InvalidValueError, calling, giver_of, is_own
from warmer.simulation.own_parts import LegalQueries

DELTA = 1e-6
"""The probability with which right answers are ever called wrong, in one simulation."""
_LOOKS = 25
"""Candidates compared with a query's mean answer, for each answer of all runs."""
_LEAST_LOOKS = 100_000
"""As many are compared in any case."""
_REMEDY = (
    "Correct one of the two; where that is meant, an adversary declares tau, and a truth off the table names no target."
)


@dataclass(frozen=True)
class Truth:
    """What an environment of the user's own says about its means."""

    problem: Any
    environment: Environment

    @property
    def name(self) -> str:
        """The class of the environment."""
        return type(self.environment).__name__

    @property
    def target(self) -> Any:
        """The target that it names; None where it names none."""
        return getattr(self.environment, "target", None)

    @property
    def position(self) -> Any:
        """That target as an index or a vector."""
        if self.target is None:
            return None
        with calling(self.problem.targets, "position"):
            try:
                return self.problem.targets.position(self.target)
            except InvalidValueError as error:
                raise InvalidValueError(
                    f"{self.name} names a target that is no candidate: {error} A truth off the table has no target."
                ) from error

    @property
    def margin(self) -> float | None:
        """How far its means may be from the problem's; None where nobody has said."""
        tolerance = getattr(self.problem, "tolerance", None)
        adversary = getattr(self.environment, "adversary", self.environment)
        with calling(adversary, "tau"):
            tau = getattr(adversary, "tau", None)
        tau = 0.0 if tau is None else check_not_negative(f"tau of {type(adversary).__name__}", tau)
        return None if tolerance is None else float(tolerance) + tau

    def check(self) -> str:
        """Compare what it declares with the problem: raises where it names a target, else what is to be known of it."""
        position, margin = self.position, self.margin
        if margin is None or not callable(getattr(self.environment, "expected", None)):
            return ""
        is_listed = not self.problem.query_shape and hasattr(self.problem.queries, "__len__")
        if position is None and not (is_listed and isinstance(self.problem, Problem)):
            return ""
        asked = np.arange(len(self.problem.queries)) if is_listed else self.problem.best_query(position)[None]
        declared = self._declared(asked)
        allowed = margin + self.problem.slack * max(1.0, *map(abs, self.problem.reward_range))
        if position is None:
            return self._nearest(declared, allowed)
        table = np.asarray(self.problem.evaluate(asked, position), dtype=float)
        worst = int(np.abs(declared - table).argmax())
        if abs(declared[worst] - table[worst]) > allowed:
            raise InvalidValueError(
                f"{giver_of(self.environment, 'expected')} says that {LegalQueries(self.problem).label(asked[worst])} "
                f"earns {declared[worst]:.6g}; for its target {self.target!r} the problem has "
                f"{table[worst]:.6g}. {_REMEDY}"
            )
        return ""

    def means(self, queries: Array) -> Array:
        """What the problem says that each of some queries earns, if the named target is the truth."""
        return np.asarray(self.problem.evaluate(queries, self.position), dtype=float)

    def _declared(self, asked: Array) -> Array:
        with calling(self.environment, "expected"):
            given = self.environment.expected(asked)  # type: ignore[attr-defined]
        try:
            declared = np.asarray(given, dtype=float)
        except (TypeError, ValueError):
            declared = np.empty(0)
        if declared.shape != (len(asked),) or not np.isfinite(declared).all():
            raise InvalidValueError(
                f"{giver_of(self.environment, 'expected')} must give a finite number for each of {len(asked)} queries, "
                f"got {given!r}."
            )
        return declared

    def _nearest(self, declared: Array, allowed: float) -> str:
        """That no candidate has these means, and which comes nearest; empty where one has them."""
        problem = self.problem
        gaps = np.zeros(problem.n_targets)
        for query, mean in enumerate(declared.tolist()):
            np.maximum(gaps, np.abs(problem.rho[query] - mean), out=gaps)
        nearest = int(gaps.argmin())
        if gaps[nearest] <= allowed:
            return ""
        worst = int(np.abs(problem.rho[:, nearest] - declared).argmax())
        return (
            f"the means that {self.name} declares are those of no candidate: the nearest, "
            f"{problem.targets[nearest]!r}, is off by {gaps[nearest]:.3g} at {problem.queries[worst]!r}."
        )


def check_declared(problem: Any, environments: Sequence[Environment]) -> list[str]:
    """Compare what environments of the user's own declare with the problem: an error, or what is to be known."""
    own = {id(each): each for each in environments if is_own(each)}
    found = (Truth(problem, each).check() for each in own.values())
    return list(dict.fromkeys(filter(None, found)))


def check_answers(
    problem: Any, environments: Sequence[Environment], lengths: Sequence[int], queries: Array, rewards: Array
) -> list[str]:
    """Test the answers of environments of the user's own: an error where they name a target, or what is to be known."""
    runs_of: dict[int, list[int]] = {}
    for k, each in enumerate(environments[: len(lengths)]):
        runs_of.setdefault(id(each), []).append(k)
    named: dict[Any, list[int]] = {}
    nameless: list[list[int]] = []
    for runs in runs_of.values():
        truth = Truth(problem, each := environments[runs[0]])
        if truth.margin is None or not (is_own(each) or isinstance(each, FunctionEnvironment)):
            continue
        if (position := truth.position) is None:
            nameless.append(runs)
        else:
            named.setdefault((type(each), np.asarray(position).tobytes()), []).extend(runs)
    delta = DELTA / max(1, len(named) + (len(named) > 1) + len(nameless))
    given = lengths, queries, rewards
    several = [Answers.of(Truth(problem, environments[runs[0]]), *_told(runs, *given)) for runs in named.values()]
    for answers in several if len(several) < 2 else [Answers.joined(several), *several]:
        answers.check(delta)
    if not nameless or not isinstance(problem, Problem):
        return []
    most = max(_LEAST_LOOKS, _LOOKS * sum(lengths)) // len(nameless)
    found = []
    for runs in nameless:
        asked, answered = _told(runs, *given)
        if Sums.of(asked, answered, problem.n_queries).contradict_all(problem, delta, most):
            found.append(
                f"no candidate of the problem explains the answers of {_name(environments[runs[0]])}: each is "
                f"contradicted, wrongly with probability at most {DELTA:g}."
            )
    return list(dict.fromkeys(found))


class Sums(NamedTuple):
    """Of the answers of one kind each, such as those to one query: how many, and the sum of their residuals."""

    counts: Array
    residuals: Array

    @classmethod
    def of(cls, kinds: Array, residuals: Array, n_kinds: int) -> Self:
        """Added up."""
        return cls(np.bincount(kinds, minlength=n_kinds), np.bincount(kinds, residuals, minlength=n_kinds))

    def excess(self, sigma: float, margin: float, delta: float) -> Array:
        """How far each sum is beyond what its chance and the margin explain, relative; above 1 it is contradicted.

        For all kinds at once that happens wrongly with probability at most delta.
        """
        n = np.maximum(self.counts, 1)
        radii = arm_radius(n, n_arms=n.size, delta=delta, sigma=sigma)
        return np.asarray(np.maximum(np.abs(self.residuals) / n - margin, 0.0) * np.sqrt(n / radii))

    def contradict_all(self, problem: Problem, delta: float, n_looks: int) -> bool:
        """Whether every candidate is contradicted, where the residuals are the answers themselves.

        The queries that were asked most often are looked at first, and no more than so many candidates in all.
        """
        radii = arm_radius(np.maximum(self.counts, 1), n_arms=self.counts.size, delta=delta, sigma=problem.scale)
        possible, margin = np.ones(problem.n_targets, dtype=bool), float(problem.tolerance or 0.0) + problem.slack
        for query in np.argsort(-self.counts, kind="stable")[: n_looks // problem.n_targets]:
            n = self.counts[query]
            if n == 0 or not possible.any():
                break
            possible &= np.abs(problem.rho[query] - self.residuals[query] / n) <= margin + np.sqrt(radii[query] / n)
        return not possible.any()


class Answers(NamedTuple):
    """Answers of environments that name their targets, and the means that the problem has for these."""

    truth: Truth
    """That of the first of them."""
    queries: Array
    rewards: Array
    means: Array
    margin: float
    is_one: bool
    """Whether they all name one target."""

    @classmethod
    def of(cls, truth: Truth, queries: Array, rewards: Array) -> Self:
        """With the means of one target."""
        return cls(truth, queries, rewards, truth.means(queries), truth.margin or 0.0, True)

    @classmethod
    def joined(cls, several: Sequence[Self]) -> Self:
        """Those of several targets, one after the other."""
        queries, rewards, means = (np.concatenate([each[k] for each in several]) for k in (1, 2, 3))
        return cls(several[0].truth, queries, rewards, means, max(each.margin for each in several), False)

    def check(self, delta: float) -> None:
        """Raise where they contradict the means, wrongly with probability at most delta."""
        problem, rewards, means = self.truth.problem, self.rewards, self.means
        is_listed = self.is_one and not problem.query_shape
        n_queries = len(problem.queries) if is_listed else 0
        is_high = n_queries + (means >= sum(problem.reward_range) / 2).astype(int)
        kinds = np.concatenate([self.queries, is_high]) if is_listed else is_high
        sums = Sums.of(kinds, np.resize(rewards - means, kinds.shape), n_queries + 2)
        excess = sums.excess(problem.scale, self.margin + problem.slack, delta)
        worst = int(excess.argmax())
        if excess[worst] <= 1:
            return
        if (excess[:n_queries] > 1).any():
            worst = int(excess[:n_queries].argmax())  # a query says more than half of them
        ours = np.flatnonzero(kinds == worst) % rewards.size
        halves = "queries that should earn little", "queries that should earn much"
        name = repr(problem.queries[worst]) if worst < n_queries else halves[worst - n_queries]
        target = f"its target {self.truth.target!r}" if self.is_one else "its targets"
        raise InvalidValueError(
            f"the answers of {self.truth.name} to {name} have the mean {rewards[ours].mean():.3g} "
            f"({ours.size} answers); for {target} the problem has {means[ours].mean():.3g}, and right answers differ "
            f"so much with probability at most {DELTA:g}. {_REMEDY}"
        )


def _told(runs: Sequence[int], lengths: Sequence[int], queries: Array, rewards: Array) -> tuple[Array, Array]:
    """The queries and the answers of some runs, one after the other."""
    if len(runs) == len(lengths) and min(lengths) == max(lengths) == rewards.shape[1]:
        return queries.reshape(-1, *queries.shape[2:]), rewards.ravel()
    return tuple(np.concatenate([each[k, : lengths[k]] for k in runs]) for each in (queries, rewards))  # type: ignore[return-value]


def _name(environment: Environment) -> str:
    return "the function" if isinstance(environment, FunctionEnvironment) else type(environment).__name__
