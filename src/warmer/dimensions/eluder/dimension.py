r"""The eluder dimension: how long each action can still tell apart functions that agree on its predecessors."""

from fractions import Fraction
from typing import Any

import numpy as np

from warmer.dimensions.bracket import Bracket, is_at_most, require_table
from warmer.dimensions.dissimilarity.window_table import comparable
from warmer.dimensions.eluder.cells import sequences_in_cells, telling_actions
from warmer.dimensions.eluder.pairs import MAX_FUNCTIONS, Pairs, Scales, function_pairs
from warmer.dimensions.eluder.scale_search import ScaleSearch
from warmer.dimensions.eluder.witness import EluderWitness
from warmer.dimensions.search.anytime import Anytime, Progress
from warmer.model import Problem
from warmer.model.numbers import as_fraction, check_scale
from warmer.model.time_limit import interruptible

_QUICK = 4_000_000  # how much work one quick attempt may take: a tenth of a second or so
_SCALES = 6  # how many scales, from epsilon up, are looked at in cells where the monotone dimension is sought
_FROM_THE_END = 16  # how many times the work of an attempt from the start an attempt from the end may take


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
    not matter, and keeps the pairs of functions that are still close. Of many thousands of functions only some pairs
    fit into memory: long sequences are then sought among all functions first, without pairs, and the reason says that
    not all of them were compared.

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
    require_table(problem, "the eluder dimension")
    epsilon = check_scale("epsilon", epsilon)
    epsilon = epsilon if problem.rational is None else as_fraction(epsilon)
    search = Anytime(time_limit, progress, upper=problem.legal_queries.size, reason="all actions used")
    single = _one_action(problem, epsilon)
    if single is None:
        return Bracket(lower=0, upper=0, witness=None, reason="no two functions differ by more than epsilon")
    search.lower = 1
    search.rehearse(eluder_dimension, problem, epsilon=0.5, monotone=True)
    run, search.found = _Run(search), single
    with search.running():
        if problem.n_targets > MAX_FUNCTIONS:
            _look_into_cells(problem, epsilon, search, monotone=monotone)
        if not search.is_closed:
            run.close(problem, epsilon, monotone=monotone)
    witness = max(run.witness() or single, search.found, key=len)
    witness.check(problem)
    return search.bracket(witness)


def _one_action(problem: Problem, epsilon: Any) -> EluderWitness | None:
    """The action on which two functions differ most, if that is by more than epsilon: what needs no search."""
    legal = problem.legal_queries
    table = comparable(problem)[legal]
    row = int((table.max(axis=1) - table.min(axis=1)).argmax())
    query, pair = int(legal[row]), (int(table[row].argmin()), int(table[row].argmax()))
    low, high = (problem.entry(query, target) for target in pair)
    return None if is_at_most(high - low, epsilon, problem) else EluderWitness((query,), (pair,), epsilon)


def _look_into_cells(problem: Problem, epsilon: Any, search: Anytime, *, monotone: bool) -> None:
    """Bring both ends nearer without a table of pairs of functions; the longest sequence is the search's."""
    actions = telling_actions(problem, epsilon)
    search.move(upper=len(actions), reason="all actions used that tell functions apart")
    for k in range(_SCALES if monotone else 1):
        if search.is_closed:
            return
        scale = epsilon * (1 + Fraction(k, 2) if problem.rational is not None else 1 + k / 2)
        for witness in sequences_in_cells(problem, scale, telling_actions(problem, scale), search.clock):
            if len(witness) > len(search.found):
                search.found = witness
                search.move(lower=len(witness))


class _Run:
    """One computation: the scales, and the best sequence so far with the scale that it was found at."""

    pairs: Pairs
    scales: Scales

    def __init__(self, search: Anytime) -> None:
        self.search = search
        self.best: list[int] = []
        self.at = 0

    def close(self, problem: Problem, epsilon: Any, *, monotone: bool) -> None:
        """Search until both ends meet."""
        self.pairs = function_pairs(problem, self.search.clock)
        self.scales = Scales.above(epsilon, self.pairs, self.search.clock) if monotone else Scales(self.pairs, epsilon)
        self._lower_upper(len(self.pairs.actions), "all actions used")
        if len(self.scales) == 1:
            self._close_one(0)
        else:
            self._close_all()
        self._lower_upper(len(self.best))
        if not self.pairs.is_complete:
            self.search.stopped = "too many pairs of functions to hold at once; some were searched"

    def witness(self) -> EluderWitness | None:
        """The best sequence, each element with the first pair that shows its independence; None where there is none."""
        if not self.best:
            return None
        threshold = self.scales.threshold(self.at)
        spent = np.zeros_like(self.pairs.squares[:, 0])
        chosen: list[tuple[int, int]] = []
        for action in self.best:
            square = self.pairs.squares[:, action]
            first, second = self.pairs.functions[np.flatnonzero((spent <= threshold) & (square > threshold))[0]]
            chosen.append((int(first), int(second)))
            spent = spent + square
        queries = tuple(int(self.pairs.actions[action]) for action in self.best)
        return EluderWitness(queries, tuple(chosen), self.scales.scale(self.at))

    def _close_one(self, at: int) -> None:
        """Settle one scale: guess, then refute great lengths and look for greater ones, longer and longer."""
        search = self._search(at, at)
        self._offer(search.guess(), at)
        upper = min(self.search.upper, search.bound())
        work = _QUICK
        while upper > len(self.best):
            self._lower_upper(upper if len(self.scales) == 1 else self.search.upper)
            found, has_ended = search.find(upper, work=_FROM_THE_END * work)
            self._offer(found, at)
            if has_ended:
                upper -= not found
                continue
            found, has_ended = search.run(more_than=len(self.best), stop_at=upper, work=work)
            self._offer(found, at)
            self.search.clock.check()
            upper = len(self.best) if has_ended else upper
            work *= 4

    def _close_all(self) -> None:
        """Settle an interval of scales: bound it by one relaxed search, and halve it where that is not enough."""
        for at in np.unique(np.linspace(0, len(self.scales) - 1, 12).astype(int)):
            self._offer(self._search(at, at).guess(width=4), int(at))
        whole = self._search(0, len(self.scales) - 1)
        open_ = [(min(self.search.upper, whole.bound()), 0, len(self.scales) - 1)]
        while open_:
            open_.sort()
            self._lower_upper(open_[-1][0])
            self.search.clock.check()
            upper, low, high = open_.pop()
            if upper <= len(self.best):
                break
            if low == high:
                self._close_one(low)
                continue
            relaxed = self._search(low, high)
            upper = min(upper, relaxed.bound())
            if upper <= len(self.best):
                continue
            least = len(self.best)
            found, has_ended = relaxed.run(more_than=least, stop_at=least + 1, work=_QUICK)
            if not has_ended:
                found, has_ended = relaxed.find(least + 1, work=_QUICK)
            if has_ended and found is None:
                continue
            middle = (low + high) // 2
            open_ += [(upper, low, middle), (upper, middle + 1, high)]

    def _search(self, low: int, high: int) -> ScaleSearch:
        thresholds = self.scales.threshold(low), self.scales.threshold(high)
        return ScaleSearch(self.pairs.squares, hit_above=thresholds[0], budget=thresholds[1], clock=self.search.clock)

    def _offer(self, sequence: list[int] | None, at: int) -> None:
        if sequence is not None and len(sequence) > len(self.best):
            self.best, self.at = sequence, at
            self.search.move(lower=len(sequence))

    def _lower_upper(self, upper: int, reason: str = "exhausted search") -> None:
        """Only where every pair that can matter is held does a search say anything of longer sequences."""
        if self.pairs.is_complete:
            self.search.move(upper=upper, reason=reason)
