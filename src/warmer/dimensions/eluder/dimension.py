r"""The eluder dimension: how long each action can still tell apart functions that agree on its predecessors."""

from typing import Any

import numpy as np

from warmer.dimensions.bracket import Bracket
from warmer.dimensions.dissimilarity.window_table import comparable
from warmer.dimensions.eluder.pairs import Pairs, Scales, function_pairs
from warmer.dimensions.eluder.scale_search import ScaleSearch
from warmer.dimensions.eluder.witness import EluderWitness
from warmer.dimensions.search.time_limit import Clock, OutOfTime, Progress, interruptible
from warmer.dimensions.search.warmup import rehearse
from warmer.model import Problem
from warmer.model.checks import at_most
from warmer.model.numbers import check_scale

__all__ = ["eluder_dimension"]

_QUICK = 4_000_000
"""How much work one quick attempt may take: a tenth of a second or so."""


@interruptible()
def eluder_dimension(
    problem: Problem,
    *,
    epsilon: Any,
    monotone: bool = False,
    time_limit: float | None = None,
    progress: Progress | None = None,
) -> Bracket:
    r"""Bracket the eluder dimension: the longest sequence of actions, each independent of its predecessors.

    This is Definition 6. Rows of the table are actions and columns are functions, also in a square problem;
    forbidden queries are no actions. The search is over sets of actions, because the order of the predecessors does
    not matter, and keeps the pairs of functions that are still close.

    Parameters
    ----------
    problem
        The table; a rational one is searched in exact arithmetic.
    epsilon
        The scale, greater than 0. For rational tables a float is the simplest fraction that rounds to it.
    monotone
        Maximise over all scales $\epsilon'\ge\epsilon$; the witness names the scale it was found at.
    time_limit
        Seconds after which the bracket reached so far is returned. So does an interrupt (Ctrl-C).
    progress
        Called with the lower and upper end whenever one of them moves.

    Examples
    --------
    >>> thresholds = Problem.from_table([[1, 0, 0, 0], [1, 1, 0, 0], [1, 1, 1, 0]])
    >>> bracket = eluder_dimension(thresholds, epsilon=0.5)
    >>> bracket.value, bracket.witness.check(thresholds)
    (3, 0.5)
    """
    epsilon = check_scale("epsilon", epsilon)
    clock = Clock(time_limit)
    if time_limit is not None:
        clock.start += rehearse(_monotone_at_half if monotone else _at_half, problem)
    run = _Run(problem, clock, progress)
    reason = run.close(epsilon, monotone=monotone)
    witness = run.witness() if run.best else _one_action(problem, epsilon)
    if witness is not None:
        witness.check(problem)
    lower = 0 if witness is None else len(witness)
    return Bracket(lower=lower, upper=max(run.upper, lower), witness=witness, reason=reason)


def _one_action(problem: Problem, epsilon: Any) -> EluderWitness | None:
    """The action on which two functions differ most, if that is by more than epsilon: what needs no search."""
    legal = problem.legal_queries
    table = comparable(problem)[legal]
    row = int((table.max(axis=1) - table.min(axis=1)).argmax())
    query, pair = int(legal[row]), (int(table[row].argmin()), int(table[row].argmax()))
    low, high = (problem.entry(query, target) for target in pair)
    is_close = high - low <= epsilon if problem.rational else at_most(high - low, epsilon, problem.slack)
    return None if is_close else EluderWitness((query,), (pair,), epsilon)


def _at_half(problem: Problem) -> Bracket:
    return eluder_dimension(problem, epsilon=0.5)


def _monotone_at_half(problem: Problem) -> Bracket:
    return eluder_dimension(problem, epsilon=0.5, monotone=True)


class _Run:
    """One computation: scales still open, the best sequence so far, and both ends."""

    pairs: Pairs
    scales: Scales

    def __init__(self, problem: Problem, clock: Clock, progress: Progress | None) -> None:
        self.problem, self.clock, self.progress = problem, clock, progress
        self.best: list[int] = []
        self.at = 0
        self._told = (-1, -1)
        self.upper = problem.legal_queries.size

    def close(self, epsilon: Any, *, monotone: bool) -> str:
        """Search until both ends meet, or time is up, or someone interrupts; say which."""
        try:
            self._prepare(epsilon, monotone=monotone)
            is_closed = self._close_one(0) if len(self.scales) == 1 else self._close_all()
            return self._conclusion() if is_closed else "time limit"
        except OutOfTime:
            return "time limit"
        except KeyboardInterrupt:
            return "interrupted"

    def _prepare(self, epsilon: Any, *, monotone: bool) -> None:
        """Build the pairs of functions and list the scales."""
        self.pairs = function_pairs(self.problem, self.clock)
        if self.pairs.is_complete:
            self.upper = len(self.pairs.actions)
        self.scales = Scales.above(epsilon, self.pairs, self.clock) if monotone else Scales(self.pairs, epsilon)

    def _conclusion(self) -> str:
        if not self.pairs.is_complete:
            return "too many pairs of functions to hold at once; the most similar were searched"
        self._move(upper=len(self.best))
        if not len(self.scales):
            return "no two functions differ by more than epsilon"
        return "exhausted search" if len(self.best) < len(self.pairs.actions) else "every action is used"

    def witness(self) -> EluderWitness:
        """The best sequence, each element with the first pair that shows its independence."""
        threshold = self.scales.threshold(self.at)
        spent = np.zeros_like(self.pairs.squares[:, 0])
        chosen = []
        for action in self.best:
            square = self.pairs.squares[:, action]
            shows = np.flatnonzero((spent <= threshold) & (square > threshold))
            chosen.append(tuple(int(f) for f in self.pairs.functions[shows[0]]))
            spent = spent + square
        queries = tuple(int(self.pairs.actions[action]) for action in self.best)
        return EluderWitness(queries, tuple(chosen), self.scales.scale(self.at))  # type: ignore[arg-type]

    def _close_one(self, at: int) -> bool:
        """Settle one scale: guess, refute great lengths quickly, then search."""
        search = self._search(at, at)
        self._offer(search.guess(), at)
        upper = min(self.upper, search.bound())
        is_alone = len(self.scales) == 1
        while upper > len(self.best):
            found, has_ended = search.run(more_than=upper - 1, stop_at=upper, work=_QUICK)
            self._offer(found, at)
            if not has_ended or found:
                break
            upper -= 1
            self._move(upper=upper if is_alone else self.upper)
        self._move(upper=upper if is_alone else self.upper)
        found, has_ended = search.run(more_than=len(self.best), stop_at=upper)
        self._offer(found, at)
        return has_ended

    def _close_all(self) -> bool:
        """Settle an interval of scales: bound it by one relaxed search, and halve it where that is not enough."""
        if not len(self.scales):
            return True
        for at in np.unique(np.linspace(0, len(self.scales) - 1, 12).astype(int)):
            self._offer(self._search(at, at).guess(width=4), int(at))
        whole = self._search(0, len(self.scales) - 1)
        open_ = [(min(self.upper, whole.bound()), 0, len(self.scales) - 1)]
        while open_:
            open_.sort()
            self._move(upper=max(len(self.best), open_[-1][0]))
            if self.clock.is_over:
                return False
            upper, low, high = open_.pop()
            if upper <= len(self.best):
                break
            if low == high:
                if not self._close_one(low):
                    return False
                continue
            relaxed = self._search(low, high)
            upper = min(upper, relaxed.bound())
            if upper <= len(self.best):
                continue
            least = len(self.best)
            found, has_ended = relaxed.run(more_than=least, stop_at=least + 1, work=_QUICK)
            if has_ended and found is None:
                continue
            middle = (low + high) // 2
            open_ += [(upper, low, middle), (upper, middle + 1, high)]
        return True

    def _search(self, low: int, high: int) -> ScaleSearch:
        return ScaleSearch(
            self.pairs.squares,
            hit_above=self.scales.threshold(low),
            budget=self.scales.threshold(high),
            clock=self.clock,
        )

    def _offer(self, sequence: list[int] | None, at: int) -> None:
        if sequence is not None and len(sequence) > len(self.best):
            self.best, self.at = sequence, at
            self._move(upper=self.upper)

    def _move(self, *, upper: int) -> None:
        if not self.pairs.is_complete:
            upper = self.problem.legal_queries.size
        ends = (len(self.best), max(upper, len(self.best)))
        self.upper = ends[1]
        if self.progress is not None and ends != self._told:
            self._told = ends
            self.progress(*ends)
