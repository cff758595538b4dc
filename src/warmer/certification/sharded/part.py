"""What is done where a shard is: the candidates of one shard, and what one answer makes of them.

Nothing here changes what it is given: Dask may call a function again, on another worker.
"""

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from warmer.certification import kernels
from warmer.certification.answers import Answers, Groups, Relation
from warmer.certification.bets import Rule
from warmer.certification.goals import Goal
from warmer.estimation import kernels as fitting
from warmer.estimation.blocks import BLOCK
from warmer.model import Array, Problem
from warmer.model.tables import read_only

_NO_PRIOR = np.empty(0)


class Part(NamedTuple):
    """The candidates of one shard: losses, the least of each block of them, weights, and who is still possible.

    The capital of the bets against each, where there are bets; and the objectors that are known.
    """

    losses: Array
    lows: Array
    weights: Array
    possible: Array
    capital: Array
    watched: Array
    least: float = 0.0
    best: int = 0
    total: float = 0.0
    n_struck: int = 0

    @property
    def evidence(self) -> Array:
        """What rules a candidate out where it grows large: capital, or losses."""
        return self.capital if self.capital.size else self.losses


class Told(NamedTuple):
    """One answer, what was forecast, and how candidates are charged for it."""

    query: int
    reward: float
    repeats: float
    shift: float
    """The least loss of all shards, which is taken off."""
    sigma: float
    """The declared deviation; 0 where there is none."""
    price: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    rule: Rule | None = None
    """How bets are made, where evidence is bets."""
    forecast: float = 0.0
    variance: float = 0.0


def answers_of(shard: Problem, goal: Goal, first: int) -> Answers:
    """A goal's answers for the candidates of one shard; a table of values that is the shard's own is left out."""
    answers = goal.answers(shard)
    if isinstance(answers, Relation) and answers.values is shard.rho:
        return replace(answers, values=_NO_PRIOR)
    if answers.names is shard.targets:
        return Groups(answers.names, answers.preferred + first)
    return answers


def start(shard: Problem, answers: Answers, has_capital: bool) -> Part:
    """Every candidate is possible, and all weigh the same."""
    n = shard.n_targets
    losses, lows = np.zeros(n, dtype=shard.dtype), np.zeros((n + BLOCK - 1) // BLOCK, dtype=shard.dtype)
    capital = np.zeros(n if has_capital else 0)
    return Part(losses, lows, np.ones(n), np.ones(n, dtype=bool), capital, answers.watch(), total=float(n))


def predicted(part: Part, shard: Problem, query: int) -> float:
    """The sum of what the candidates predict, by their weights."""
    return float(kernels.vectors.dot(part.weights, _row(shard, query)))


def charged(part: Part, shard: Problem, told: Told) -> Part:
    """One answer more: losses, and bets where there are any."""
    losses, lows, capital, row = part.losses.copy(), part.lows.copy(), part.capital, _row(shard, told.query)
    (low, high), answer = shard.reward_range, (told.reward, told.repeats)
    step: Any = kernels.steps
    if told.rule is None:
        least, best = step.charge(losses, lows, row, low, high, *answer, told.shift, told.price)
    else:
        capital = capital.copy()
        step.stake(capital, row, told.rule, told.sigma, low, high, told.forecast, told.variance, *answer)
        least, best = fitting.losses.add_squares(losses, lows, row, *answer, told.shift)
    return part._replace(losses=losses, lows=lows, capital=capital, least=float(least), best=int(best))


def weighed(part: Part, least: float, rate: float, cut: float) -> Part:
    """The weights, in units of that of a candidate with the least loss of all shards."""
    weights = np.empty(part.losses.size)
    _, total = kernels.evidence.weigh(weights, part.losses, part.lows, _NO_PRIOR, least, rate, cut)
    return part._replace(weights=weights, total=float(total))


def struck(part: Part, limit: float) -> Part:
    """Without the candidates whose evidence has reached a limit."""
    possible = part.possible.copy()
    n_struck = int(kernels.evidence.rule_out(possible, part.evidence, limit))
    return part._replace(possible=possible, n_struck=n_struck)


def judged(part: Part, shard: Problem, answers: Answers) -> Part:
    """With other objectors where some have left."""
    watched = part.watched.copy()
    if part.possible.any():
        whole(answers, shard).settled(watched, part.possible, -1)
    elif isinstance(answers, Relation):
        watched[:] = part.possible.size
    return part._replace(watched=watched)


def watching(part: Part, answers: Answers) -> Part:
    """With the objectors to other answers, of whom none is known."""
    return part._replace(watched=answers.watch())


def acceptable(part: Part, answers: Answers) -> Array | None:
    """The answers that all possible candidates accept, as `judged` has found; None where nobody is possible."""
    if not part.possible.any():
        return None
    if isinstance(answers, Relation):
        return np.asarray(answers.answers[part.watched == part.possible.size])
    first = answers.preferred[part.possible.argmax()]
    return np.array([first] if (answers.preferred[part.possible] == first).all() else [], dtype=int)


def leading(part: Part, is_any: bool) -> tuple[float, int]:
    """The least loss of a possible candidate, or of any, and the first who has it; infinity where there is nobody."""
    losses = part.losses if is_any else np.where(part.possible, part.losses, np.inf)
    best = int(losses.argmin())
    return float(losses[best]), best


def mass(part: Part) -> tuple[int, float]:
    """How many possible candidates have weight, and how much together."""
    weights = part.weights[part.possible]
    return int(np.count_nonzero(weights)), float(weights.sum())


def having_weight(part: Part) -> tuple[Array, Array]:
    """The possible candidates with weight, and their weights."""
    places = np.flatnonzero(part.possible & (part.weights > 0.0))
    return places, part.weights[places]


def drawn(part: Part, before: float, aims: Array) -> tuple[Array, Array]:
    """The candidates that aims at the running sum of weights hit, and how often; the sum of earlier shards is known."""
    running = before + np.cumsum(np.where(part.possible, part.weights, 0.0))
    last = having_weight(part)[0][-1] if aims.size else 0
    return np.unique(np.minimum(running.searchsorted(aims), last), return_counts=True)


def heaviest(
    part: Part, shard: Problem, answers: Answers, objecting_to: int | None, most: int
) -> tuple[Array, Array, Array]:
    """Possible candidates, all or those that object to an answer, their losses and their evidence.

    Those with the least losses where there are more than `most`, in order of their numbers.
    """
    kept = part.possible
    if objecting_to is not None:
        kept = kept & ~whole(answers, shard).accepts(objecting_to)
    places = np.flatnonzero(kept)
    if places.size > most:
        places = np.sort(places[np.argsort(part.losses[places], kind="stable")[:most]])
    return places, part.losses[places], part.evidence[places]


def evidence_of(part: Part) -> Array:
    """Losses or capital of all candidates."""
    return part.evidence


def notes(part: Part) -> tuple[float, int, float, int]:
    """The least loss and who has it, the sum of weights, and how many were struck last."""
    return part.least, part.best, part.total, part.n_struck


def whole(answers: Answers, shard: Problem) -> Any:
    """The answers, with the values of the shard where they are its own table."""
    is_own = isinstance(answers, Relation) and answers.values.size == 0
    return replace(answers, values=shard.rho) if is_own else answers  # type: ignore[type-var]


def _row(shard: Problem, query: int) -> Array:
    return read_only(np.asarray(shard.rho[query]))
