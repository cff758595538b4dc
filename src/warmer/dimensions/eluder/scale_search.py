"""Longest eluder sequences at one scale, or at a whole interval of scales relaxed into one."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from warmer.dimensions import kernels
from warmer.dimensions.eluder.endings import Heads, TooMuchWork
from warmer.model import Array
from warmer.model.time_limit import Clock

_WORK = 4_000_000  # pairs looked at between two looks at the clock: about a tenth of a second
_MEMORY = 1 << 25  # how many sets are remembered at most; beyond it the search forgets, and only repeats itself
_LOOKS = 4_000  # how many pairs may be looked at again to bound what one set can still gain
_MANY_ACTIONS = 24  # up to how many actions going through the sets is cheaper than bounding them so carefully
_MANY_COSTS = 1 << 24  # up to how many costs sequences are also sought from the end


class _State(NamedTuple):
    """A sequence, the pairs alive on it, and what is left of their budgets."""

    path: tuple[int, ...]
    alive: Array
    rests: Array


class ScaleSearch:
    """Sequences of actions where each is hit by a pair whose costs on its predecessors stay within a budget.

    An action hits a pair when its square exceeds `hit_above`; with `hit_above` equal to `budget` this is the eluder
    dimension at one scale, with less it bounds the dimension at every scale in between.
    """

    def __init__(self, squares: Array, *, hit_above: Any, budget: Any, clock: Clock) -> None:
        self.clock = clock
        clock.check()
        is_hit = squares > hit_above
        useful = np.flatnonzero(is_hit.any(axis=1))
        squares, is_hit = squares[useful], is_hit[useful]
        clock.check()
        self.is_whole = squares.dtype == object and int(budget) >= 1 << 61
        dtype = object if self.is_whole else float if squares.dtype == float else np.int64
        costs = np.minimum(squares, budget + 1).astype(dtype)
        if squares.dtype == float:
            costs[squares > budget] = np.inf
        clock.check()
        # Actions that hit no pair are in no sequence; those that hit few keep most of them alive, and come first.
        n_hits = is_hit.sum(axis=0)
        self.actions = np.argsort(n_hits, kind="stable")[np.count_nonzero(n_hits == 0) :]
        self.costs, self.is_hit = np.ascontiguousarray(costs[:, self.actions]), is_hit[:, self.actions]
        self.budget = budget

    def bound(self) -> int:
        """A length that no sequence exceeds; a looser one when the time is up."""
        length = len(self.actions)
        if self.is_whole or not self.costs.size:
            return length
        pairs, levels = np.arange(len(self.costs), dtype=np.int32), np.empty(len(self.costs), np.int16)
        rests, reach = np.full(len(self.costs), self._limit), np.bitwise_or.reduce(self._held.hits, axis=0)
        while length > 0 and not self.clock.is_over:
            if kernels.eluder.is_possible(self._held, pairs, rests, reach, length, levels):
                break
            length -= 1
        return length

    def guess(self, width: int = 8) -> list[int]:
        """A long sequence, not always the longest: of each size, keep the sets that leave most pairs alive.

        When the time is up it is as long as it got.
        """
        states = [self._start()]
        while True:
            offers = [offer for state in states if not self.clock.is_over for offer in self._offers(state)]
            offers.sort(key=lambda offer: -offer[0])
            chosen: dict[frozenset[int], tuple[_State, int]] = {}
            for _, state, b in offers:
                chosen.setdefault(frozenset((*state.path, b)), (state, b))
            best = list(chosen.values())[:width]
            if not best or self.clock.is_over:
                return self._named(states[0].path)
            states = [self._after(state, b) for state, b in best]

    def _start(self) -> _State:
        """No action, and all pairs alive."""
        everyone = np.arange(len(self.costs))
        return _State((), everyone, np.full(len(everyone), self.budget, dtype=self.costs.dtype))

    def _offers(self, state: _State) -> list[tuple[int, _State, int]]:
        """Each action in reach, with the number of pairs that outlive it."""
        left = (self.costs[state.alive] <= state.rests[:, None]).sum(axis=0)
        reach = np.flatnonzero(self.is_hit[state.alive].any(axis=0))
        return [(int(left[b]), state, int(b)) for b in reach if int(b) not in state.path]

    def _after(self, state: _State, b: int) -> _State:
        costs = self.costs[state.alive, b]
        fits = costs <= state.rests
        return _State((*state.path, b), state.alive[fits], state.rests[fits] - costs[fits])

    def run(self, *, more_than: int, stop_at: int, work: float = np.inf) -> tuple[list[int] | None, bool]:
        """Look for a sequence longer than `more_than`; stop at length `stop_at`, or when the time or work is up.

        Returns the best sequence found, if any, and whether the search has ended (exhausted, or `stop_at` reached).
        """
        if not self.costs.size or more_than >= stop_at:
            return None, True
        if self.is_whole:
            return self._run_whole(more_than=more_than, stop_at=stop_at)
        return self._run_compiled(more_than=more_than, stop_at=stop_at, work=work)

    def find(self, length: int, *, work: float) -> tuple[list[int] | None, bool]:
        """Look for a sequence of some length, from the end; returns it, if any, and whether the search has ended.

        Raises `OutOfTime` when the time is up.
        """
        if self.is_whole or self.costs.size > _MANY_COSTS:
            return None, False
        if length > len(self.actions):
            return None, True
        try:
            for head in self._heads.of(length, work=work):
                found, has_ended = self._run_compiled(more_than=length - 1, stop_at=length, work=work, head=head)
                self.clock.check()
                if found or not has_ended:
                    return found, has_ended
        except TooMuchWork:
            return None, False
        return None, True

    def _run_compiled(
        self, *, more_than: int, stop_at: int, work: float, head: Sequence[int] = ()
    ) -> tuple[list[int] | None, bool]:
        n_actions, n_words = self.costs.shape[1], self._held.hits.shape[1]
        stack = self._stack(head)
        memory = kernels.eluder.Memory(np.zeros((1 << 12, n_words), np.uint64), np.full(1 << 12, -1, np.int16))
        state = np.array([len(head), more_than, stop_at, 0, 0], np.int64)
        n_together = _WORK // max(1, n_actions // 16)  # to bound a set takes longer, the more actions there are
        n_looks = _LOOKS if n_actions > _MANY_ACTIONS else 0
        by_closure = bool(((self.costs == 0) | (self.costs > self._limit)).all())
        status = kernels.eluder.PAUSED
        while status != kernels.eluder.EXHAUSTED and not self.clock.is_over and state[4] < work:
            status = kernels.eluder.search(self._held, stack, memory, state, by_closure, n_together, n_looks)
            if status == kernels.eluder.FULL:
                if memory.sizes.size < _MEMORY:
                    memory = kernels.eluder.Memory(*kernels.eluder.grow(*memory))
                else:
                    memory.sizes[:] = -1
                state[3] = int((memory.sizes >= 0).sum())
        best = int(state[1])
        return (self._named(stack.found[:best]) if best > more_than else None), status == kernels.eluder.EXHAUSTED

    def _stack(self, head: Sequence[int]) -> "kernels.eluder.Stack":
        """A sequence of actions, with the pairs alive on it."""
        n_pairs, n_actions = self.costs.shape
        rows = (n_actions + 1, self._held.hits.shape[1])
        stack = kernels.eluder.Stack(
            sets=np.zeros(rows, np.uint64),
            open=np.zeros(rows, np.uint64),
            reaches=np.zeros(rows, np.uint64),
            ends=np.zeros(n_actions + 1, np.int64),
            pairs=np.empty(n_pairs * (n_actions + 1), np.int32),
            rests=np.empty(n_pairs * (n_actions + 1), self.costs.dtype),
            path=np.zeros(n_actions, np.int32),
            found=np.zeros(n_actions, np.int32),
        )
        state = self._start()
        for b in head:
            state = self._after(state, b)
        size, n_alive = len(head), len(state.alive)
        stack.path[:size] = head
        stack.sets[size] = kernels.bits.pack(np.isin(np.arange(n_actions), head)[None])[0]
        reach = np.bitwise_or.reduce(self._held.hits[state.alive], axis=0) & ~stack.sets[size]
        stack.open[size] = stack.reaches[size] = reach
        stack.ends[size], stack.pairs[:n_alive], stack.rests[:n_alive] = n_alive, state.alive, state.rests
        return stack

    def _run_whole(self, *, more_than: int, stop_at: int) -> tuple[list[int] | None, bool]:
        """The same search for numbers that only Python can hold."""
        best: tuple[int, ...] = ()
        seen: set[frozenset[int]] = set()
        stack = [self._start()]
        while stack and len(best) < stop_at and not self.clock.is_over:
            state = stack.pop()
            best = max(best, state.path, key=len)
            reach = set(np.flatnonzero(self.is_hit[state.alive].any(axis=0)).tolist()) - set(state.path)
            if len(state.path) + len(reach) <= max(len(best), more_than):
                continue
            new = {frozenset((*state.path, b)): b for b in reach}
            stack += [self._after(state, b) for path, b in new.items() if path not in seen]
            seen |= new.keys()
        has_ended = not stack or len(best) >= stop_at
        return (self._named(best) if len(best) > more_than else None), has_ended

    def _named(self, sequence: Any) -> list[int]:
        return [int(self.actions[b]) for b in sequence]

    @property
    def _limit(self) -> Any:
        return self.costs.dtype.type(self.budget)

    @cached_property
    def _heads(self) -> Heads:
        return Heads(self._held, self.is_hit, self.budget, self.clock)

    @cached_property
    def _held(self) -> "kernels.eluder.Pairs":
        order = np.empty(self.costs.shape, np.int16)
        for block in self.clock.blocks(*self.costs.shape):
            order[block] = np.argsort(self.costs[block], axis=1, kind="stable")
        return kernels.eluder.Pairs(self.costs, order, kernels.bits.pack(self.is_hit))
